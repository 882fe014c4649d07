"""Values that a question lists: "rain, fog or snow", "both cars and trucks"."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from groundwire.agents.ontology_search_agent.function_words import (
    ARTICLES,
    INSIDE,
    LACKING,
    OPENERS,
    OWNING,
    PREPOSITIONS,
)
from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.vocabulary import Meant, QuestionVocabulary


@dataclass(frozen=True, slots=True)
class ValueList:
    """Values that were listed, with the properties that may have all of them.

    Attributes:
        labels: by property, the values in their order.
        how: any_of or all_of.
        behind: position behind the list.
        mixed: whether both "and" and "or" join them, so that it is unclear which bind closer.
    """

    labels: dict[Meant, list[str]]
    how: str
    behind: int
    mixed: bool = False


class Listing:
    """Reads the items of a question, and lists of values among them.

    Attributes:
        question: as it was asked.
        items: of the question.
        vocabulary: of the catalogue.
        both: whether the next list is one of which all hold.
        negated: the word that negates the next condition, or None.
    """

    def __init__(
        self, question: str, items: Sequence[Item], vocabulary: QuestionVocabulary
    ) -> None:
        """Begin."""
        self.question = question
        self.items = items
        self.vocabulary = vocabulary
        self.both = False
        self.negated: Item | None = None

    def before(self, at: int) -> Item | None:
        """The item before, articles passed over."""
        at -= 1
        while at >= 0 and self.items[at].text.lower() in ARTICLES:
            at -= 1
        return self.items[at] if at >= 0 else None

    def past_small(self, at: int) -> int:
        """Past small words that may stand inside a clause."""
        while at < len(self.items) and self.is_small(self.items[at]):
            at += 1
        return at

    def is_small(self, item: Item) -> bool:
        """Whether an item may stand inside a clause."""
        return bool(item.functions) and (
            item.text.lower() in INSIDE or item.does("copula") is not None
        )

    def opens_list(self, at: int) -> bool:
        """Whether an "or" begins a list, as "either" does, and joins nothing."""
        return self.items[at].text.lower() in OPENERS

    def span(self, start: int, end: int) -> str:
        """Return the words of the question from one item to another."""
        return self.text(self.items[start:end])

    def text(self, items: Sequence[Item]) -> str:
        """The words of items."""
        if len(items) == 1 and items[0].quoted:
            return items[0].text
        return self.question[items[0].tokens[0].start : items[-1].tokens[-1].end]

    def value_list(self, at: int, among: Collection[Meant] | None) -> ValueList | None:
        """Values joined by "or", "and" and commas, with the properties that have all of them."""
        labels = self._values(at, among)
        if not labels:
            return None
        lists = {meant: [label] for meant, label in labels.items()}
        joints: set[str] = set()
        behind = at + 1
        while True:
            place, joint = self._joint(behind)
            if not joint:
                break
            if joint == {"or"} and self._repeats(place, lists):
                place += 1
            # What is joined to a value is one of the same property, even if it is a small word too.
            more = self._values(place, among if among is not None else set(lists))
            shared = {meant for meant in lists if meant in more}
            if not shared:
                break
            lists = {meant: [*lists[meant], more[meant]] for meant in shared}
            # "and or" is an "or".
            joints.add("or" if "or" in joint else "and" if "and" in joint else "comma")
            behind = place + 1
        every = self.both or ("and" in joints and "or" not in joints)
        mixed = {"and", "or"} <= joints
        return ValueList(lists, "all_of" if every else "any_of", behind, mixed)

    def _repeats(self, at: int, lists: Collection[Meant]) -> bool:
        """Whether the property is said again before a value: "licence MIT or licence BSD"."""
        item = self.items[at] if at < len(self.items) else None
        return item is not None and not item.functions and bool(item.named.properties & set(lists))

    def _joint(self, at: int) -> tuple[int, set[str]]:
        """Words that join values, from a position on."""
        joint: set[str] = set()
        while at < len(self.items):
            item = self.items[at]
            role = item.does("or", "and", "comma")
            if role is not None:
                joint.add(role.role)
            elif not (joint and item.functions and self._may_be_repeated(item)):
                break
            at += 1
        return at, joint

    def _may_be_repeated(self, item: Item) -> bool:
        """Whether a small word may stand before each value: "with rain or with snow".

        What has something ends a list of what has something else not: "without rain and with fog".
        """
        if self.negated is not None and self.negated.text.lower() in LACKING:
            return item.does("filler") is not None and item.text.lower() not in OWNING
        return item.does("filler") is not None or item.text.lower() in PREPOSITIONS

    def _values(self, at: int, among: Collection[Meant] | None) -> dict[Meant, str]:
        if at >= len(self.items):
            return {}
        item = self.items[at]
        if among is None and (item.functions or item.number):
            return {}
        found: dict[Meant, str] = {}
        for value in sorted(item.named.values):
            place = Meant(value.domain, value.key)
            if among is None or place in among:
                found.setdefault(place, value.label)
        return found
