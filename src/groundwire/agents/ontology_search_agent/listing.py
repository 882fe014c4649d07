"""Values that a question lists, and conditions that begin with a figure or a date.

Lists are such as "rain, fog or snow", "both cars and trucks".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from groundwire.agents.ontology_search_agent.bounds import Bound, read_bound, side_behind
from groundwire.agents.ontology_search_agent.choosing import Chooser, Scope
from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.vocabulary import Meant, QuestionVocabulary
from groundwire.agents.ontology_search_agent.words import (
    ARTICLES,
    FINENESS,
    INSIDE,
    LACKING,
    OPENERS,
    OWNING,
    PREPOSITIONS,
    PRONOUNS,
    UNIVERSAL,
)
from groundwire.quantities.units import resolve_unit

_OF_EACH = frozenset({"of", "from", "in", "for", "aus", "von", "für", "auf"})
_DENIALS = frozenset({"nicht", "nicht zutrifft", "nicht stimmt"})


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
        every = every and (self.both or not self._is_each(lists, at, behind))
        mixed = {"and", "or"} <= joints
        return ValueList(lists, "all_of" if every else "any_of", behind, mixed)

    def _is_each(self, lists: Collection[Meant], at: int, behind: int) -> bool:
        """Whether "and" joins what some have and others: "maps of Germany and France".

        No asset has two of the values, and they stand behind a preposition of place, or before what
        they are said of; "with" and "having" say that one has them all.
        """
        before = self.before(at)
        is_said = before is not None and (
            before.text.lower() in _OF_EACH or bool(before.named.domains)
        )
        is_led = behind < len(self.items) and bool(self.items[behind].named.domains)
        single = all(self.vocabulary.properties[one._replace(label="")].single for one in lists)
        return single and (is_said or is_led)

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


class Linking(Listing):
    """Reads the small words behind a property."""

    def introduced(self, at: int) -> tuple[int, bool]:
        """Past what stands between a property and what is said of it; whether it negates."""
        negated = False
        while at < len(self.items):
            item = self.items[at]
            if item.does("not") and not item.does("false") and self.leads_on(at + 1):
                negated = not negated
            elif item.does("not") and self.is_stated(at + 1):
                # "whose licence is not given"
                return at + 2, not negated
            elif item.does("or") and self.opens_list(at):
                pass
            elif self.is_stated(at) and at + 1 < len(self.items) and self.items[at + 1].does("as"):
                # "whose version is given as 1.0"
                pass
            elif item.does("lacks") and self._ends(at + 1):
                # "denen eine Lizenz fehlt": what is lacked stands before.
                negated = not negated
            elif self._begins_clause(at) or item.does("named"):
                # "a licence called MIT" speaks of the licence.
                pass
            elif not self.is_small(item) or item.does("bound", "between", "from"):
                break
            at += 1
        return at, negated

    def takes_away(self, at: int) -> bool:
        """Whether a "but" takes a value away from all: "everything but rain"."""
        item = self.items[at]
        behind = at + 1
        while behind < len(self.items) and self.items[behind].text.lower() in ARTICLES:
            behind += 1
        if item.text.lower() != "but" or behind >= len(self.items):
            return False
        following = self.items[behind]
        all_of = any(one.text.lower() in UNIVERSAL for one in self.items[:at])
        said = any(
            one.number or (one.named.values and not (one.functions or one.named.domains))
            for one in self.items[:at]
        )
        return all_of and not said and bool(following.named.values and not following.functions)

    def is_denied(self, at: int) -> bool:
        """Whether a German "nicht" denies what stands before it: "die Regen nicht enthalten"."""
        if at >= len(self.items) or self.items[at].text.lower() not in _DENIALS:
            return False
        behind = at + 1
        while behind < len(self.items) and self.items[behind].does("filler", "copula", "stated"):
            behind += 1
        ends = behind >= len(self.items) or self.items[behind].does("comma", "and", "but")
        # "nicht" alone needs its verb behind it, "nicht zutrifft" has it.
        return bool(ends) and (behind > at + 1 or len(self.items[at].tokens) > 1)

    def is_stated(self, at: int) -> bool:
        """Whether a word says only that there is a value."""
        return at < len(self.items) and self.items[at].does("stated") is not None

    def _ends(self, at: int) -> bool:
        """Whether nothing follows of which a word could speak instead."""
        at = self.past_small(at)
        return at >= len(self.items) or not (
            self.items[at].named or self.items[at].unknown or self.items[at].number
        )

    def _begins_clause(self, at: int) -> bool:
        """Whether a pronoun begins what is said of a property: "a length that exceeds 5 km"."""
        if self.items[at].does("comma"):
            at += 1
        if at >= len(self.items) or self.items[at].text.lower() not in PRONOUNS:
            return False
        place = self.past_small(at + 1)
        if place >= len(self.items) or any(
            self.items[one].named.properties for one in range(at + 1, place + 1)
        ):
            return False
        compares = ("bound", "between", "after", "before", "since", "until")
        return self.items[place].does(*compares) is not None or bool(self.items[place].number)

    def leads_on(self, at: int) -> bool:
        """Whether a value or figure comes next, which "not" then negates."""
        at = self.past_small(at)
        if at >= len(self.items):
            return False
        item = self.items[at]
        return bool(
            item.named.values or item.number or item.quoted or item.unknown
            or item.does("bound", "between", "true", "false")
        )  # fmt: skip


class Figures(Linking, ABC):
    """Reads figures and dates into the scopes of a chooser.

    Attributes:
        main: the assets that are searched.
        chooser: places names, and has the gaps.
        conditions: how many were read.
        muted: conditions are read and not added, since they cannot be asked for.
        side: the comparison that stands before a level and its figure, or empty.
    """

    def __init__(
        self, question: str, items: Sequence[Item], vocabulary: QuestionVocabulary
    ) -> None:
        """Begin."""
        super().__init__(question, items, vocabulary)
        self.main = Scope()
        self.chooser = Chooser(vocabulary, self.main, self.main)
        self.conditions = 0
        self.muted = False
        self.side = ""

    def domains_of(self, item: Item) -> set[str]:
        """The kinds of asset that an item names, unless it is a small word."""
        if any(one.role not in ("filler", "measure") for one in item.functions):
            return set()
        return item.named.domains

    def bound_clause(self, at: int, bound: Bound, behind: int) -> int:
        """A figure or date, with the property behind it or none."""
        said_not = self.negated is not None
        text = self.span(at, behind)
        if bound.bare and not bound.unit and self.limits(behind):
            self.take_limit(self.items[behind - 1])
            return behind
        place = self.past_small(behind)
        following = self.items[place] if place < len(self.items) else None
        wanted = "date" if bound.dated else "number"
        if following is not None:
            candidates = {
                meant
                for meant in following.named.properties
                if self.vocabulary.properties[meant].kind == wanted
            }
            if candidates:
                found = self.chooser.property(candidates, following.text)
                bound, behind = self._or_more(bound, place + 1)
                if found is not None:
                    self._bounded(*found, bound, said_not, text)
                    return self._other_side(*found, bound, said_not, behind)
                return behind
            if (measure := following.does("measure")) is not None:
                found = self.chooser.measured(measure.value, bound.unit, text)
                if found is not None:
                    self._bounded(*found, bound, said_not, text)
                return place + 1
        if bound.dated:
            found = self.chooser.dated(text)
        elif bound.unit or bound.measure:
            # "Better" than a figure is only what is the better the smaller it is.
            nouns = "|".join(sorted(FINENESS)) if bound.side_unknown else bound.measure
            found = self.chooser.measured(nouns, bound.unit, text)
        else:
            self.chooser.gap(text, "unmapped")
            return behind
        if found is not None:
            self._bounded(*found, bound, said_not, text)
        return behind

    def compares_level(self, at: int) -> bool:
        """Whether a comparison stands before a level and its figure: "at least level 3"."""
        said = self.items[at].does("bound", "since")
        place = self.past_small(at + 1)
        if said is None or place + 1 >= len(self.items) or not self.items[place + 1].number:
            return False
        side = said.value if said.role == "bound" else "min"
        is_level = not self.vocabulary.levels.isdisjoint(self.items[place].named.properties)
        self.side = side if is_level and side in ("min", "max", "gt", "lt") else ""
        return bool(self.side)

    def bound_of_level(self, found: tuple[Bound, int] | None) -> tuple[Bound, int] | None:
        """The bound of a level by what compares before or behind its figure; None for one alone."""
        side, self.side = self.side, ""
        if found is None or not found[0].bare:
            return found
        (figure,) = set(found[0].sides.values())
        return (replace(found[0], sides={side: figure}, bare=False), found[1]) if side else None

    def figure_as(self, at: int) -> int | None:
        """A figure that is a value of the property behind it: "1.4 as the format version"."""
        place = self.past_small(at + 1)
        if place < len(self.items) and self.items[place].text.lower() in ("for", "für"):
            place = self.past_small(place + 1)
        between = self.items[at + 1 : place]
        named = any(one.does("as") or one.text.lower() in ("for", "für") for one in between)
        following = self.items[place] if place < len(self.items) else None
        if following is None or not named or self.items[at].unit:
            return None
        held = {
            meant
            for meant in following.named.properties
            if self.vocabulary.properties[meant].kind == "term"
        }
        found = self.chooser.property(held, following.text) if held else None
        if found is None:
            return None
        how = "none_of" if self.negated is not None else "any_of"
        self._valued(*found, [self.items[at].text], how)
        return place + 1

    def _other_side(
        self, scope: Scope, meant: Meant, bound: Bound, said_not: bool, behind: int
    ) -> int:
        """A second bound of the same figure: "more than 5 lanes but fewer than 10"."""
        if behind >= len(self.items) or not self.items[behind].does("and", "but", "comma"):
            return behind
        place = behind + 1
        while place < len(self.items) and self.items[place].does("and", "but"):
            place += 1
        more = read_bound(self.items, place, dates=False, figures=True)
        if more is None or more[0].bare or not bound.complements(more[0]) or more[0].measure:
            return behind
        following = self.past_small(more[1])
        if following < len(self.items) and self.items[following].named.properties - {meant}:
            return behind
        self._bounded(scope, meant, more[0], said_not, self.span(place, more[1]))
        return more[1]

    def _or_more(self, bound: Bound, behind: int) -> tuple[Bound, int]:
        """A figure with its property may be followed by more: "20 km of length or more"."""
        after = self.items[behind] if behind < len(self.items) else None
        side = side_behind(self.items, behind) if after and bound.bare else ""
        if not side:
            return bound, behind
        (value,) = set(bound.sides.values())
        return replace(bound, sides={side: value}, bare=False), behind + 1

    @abstractmethod
    def limits(self, at: int) -> bool:
        """Whether a bare figure says how many assets are wanted."""

    @abstractmethod
    def take_limit(self, item: Item) -> None:
        """Take a figure as the number of assets that are wanted."""

    def _bounded(self, scope: Scope, meant: Meant, bound: Bound, said_not: bool, text: str) -> None:
        said = bound.inverted() if said_not else bound
        if said is not None and meant in self.vocabulary.years:
            said = said.of_years()
        if said is None or said.rough:
            self.chooser.gap(text, "unsupported")
            return
        if self.muted:
            return
        if said.unit and not self.vocabulary.properties[meant].unit:
            unit = resolve_unit(said.unit)
            if unit is not None and not unit.dimension.startswith("currency"):
                # In which unit the figures are is not known.
                self.chooser.gap(text, "unsupported")
                return
            said = replace(said, unit="")
        if said.side_unknown and self._is_fineness(meant):
            said = said.finer()
        if said.side_unknown or not scope.add_range(meant.key, said.sent()):
            self.chooser.gap(text, "ambiguous")

    def _is_fineness(self, meant: Meant) -> bool:
        """Whether a smaller figure of a property is the better one, as of an error in metres."""
        names = {name.text.lower() for name in self.vocabulary.properties[meant].names}
        return not FINENESS.isdisjoint(names)

    def _valued(self, scope: Scope, meant: Meant, values: Sequence[str | bool], how: str) -> None:
        if not self.muted:
            scope.add_values(meant.key, values, how)
