"""The reading of a question, and lookups that it asks of the catalogue itself, with their answers.

"Which licences are there?" asks for the values of a property, "what can maps be searched by" for
the properties of a kind, and a name that several kinds share is asked back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, cast

from groundwire.agents.ontology_search_agent.arranging import Arranging
from groundwire.agents.ontology_search_agent.choosing import Gap, Slots
from groundwire.agents.ontology_search_agent.language import Sentences
from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.words import OWNING
from groundwire.agents.runtime.contract import ToolAnswer
from groundwire.safe_text import safe_name
from groundwire.vocabulary import fold


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a question.

    Attributes:
        slots: for `submit_slots`.
        gaps: what was not placed.
        sort: a property, "-" before it to descend, or empty.
        count_by: a property, or empty.
        limit: how many assets were asked for, or None.
        look: what is asked of the catalogue itself, or None.
        aggregate: a property and the function of its values (min, max, mean or sum), or None.
    """

    slots: Slots
    gaps: tuple[Gap, ...] = ()
    sort: str = ""
    count_by: str = ""
    limit: int | None = None
    look: Look | None = None
    aggregate: tuple[str, str] | None = None

    @property
    def asks_more(self) -> bool:
        """Whether nothing is asked but what assets state: "what is its weather?"."""
        filters = self.slots.get("filters", {})
        others = self.slots.keys() - {"domains", "filters"}
        arranged = self.sort or self.count_by or self.aggregate or self.gaps
        said = [one for one in filters.values() if one != {"exists": True}]
        return bool(filters) and not (others or arranged or said)

    @property
    def lacks_condition(self) -> bool:
        """Whether conditions were asked for and none of them was understood.

        What is left is every asset of a kind, which nobody asked for.
        """
        placed = any(self.slots.get(part) for part in ("filters", "ranges", "references"))
        return not placed and not all(gap.arranges for gap in self.gaps)

    def unconditioned(self) -> Reading:
        """The same reading as nothing but its kind and its gaps, which is refused and told."""
        return Reading(self.slots, self.gaps)

    def arguments(self) -> dict[str, object]:
        """The arguments of `submit_slots`."""
        sent: dict[str, object] = {"slots": self.slots}
        if self.gaps:
            sent["gaps"] = [
                {"term": gap.term, "reason": gap.reason, "suggestions": list(gap.suggestions)}
                | ({"about": "order"} if gap.arranges else {})
                for gap in self.gaps
            ]
        for name in ("sort", "count_by", "limit"):
            if value := getattr(self, name):
                sent[name] = value
        if self.aggregate is not None:
            sent["aggregate"] = dict(zip(("property", "function"), self.aggregate, strict=True))
        return sent


def narrowed(known: Slots, more: Slots) -> Slots:
    """Slots of before with those of now; what is said anew of a property replaces what was.

    It does so where it was said: of the one connected kind that has a condition on the property.
    """
    references = deepcopy(known.get("references", []))
    slots = {**known, "domains": known.get("domains", []), "references": references}
    slots = {name: held for name, held in slots.items() if name not in (OPEN, FIRST)}
    for part in ("filters", "ranges"):
        own = dict(known.get(part, {}))
        for key, said in more.get(part, {}).items():
            of = [one for one in references if key in one.get(part, {}) and key not in own]
            (of[0][part] if len(of) == 1 else own)[key] = said
        if own:
            slots[part] = own
    for one in more.get("references", []):
        of = [held for held in references if held["domain"] == one["domain"]]
        if len(of) == 1 and not (of[0].get("none") or one.get("none")):
            of[0].update(narrowed(of[0], one))
            of[0].pop("domains")
        else:
            references.append(one)
    if not references:
        slots.pop("references")
    return slots


FIRST = "first"
"""What holds the name of the first asset of an order, in the slots of a conversation."""
OPEN = "open"
"""What names, in the slots that a conversation goes on from, the terms that were not searched."""

TOOLS = (
    "discover_domains",
    "discover_properties",
    "discover_values",
    "discover_connections",
    "investigate_schema",
)
_MOST = 30


@dataclass(frozen=True, slots=True)
class Look:
    """Something to look up instead of a search.

    Attributes:
        tool: of `TOOLS`.
        arguments: for it.
    """

    tool: str = "discover_domains"
    arguments: Mapping[str, str] | None = None


def look_told(look: ToolAnswer, sentences: Sentences) -> str:
    """Tell what was looked up, in the language of the question."""
    said = str(look.data["answer"])
    german = sentences.language != "en"
    if look.tool == "discover_domains":
        return _kinds(look, sentences) or said
    if look.tool == "discover_values":
        values = _entries(look, "values")
        opening = sentences.say("values_of", key=look.data.get("property"), number=len(values))
        lines = [_counted(one, "value", "count", sentences) for one in values[:_MOST]]
        return "\n".join([opening if german else said, *lines])
    if look.tool == "discover_properties" and german:
        listed = ", ".join(
            safe_name(str(one.get("local_name"))) for one in _entries(look, "properties")
        )
        return sentences.say("properties_of", kind=look.data.get("domain"), listed=listed)
    return said


def is_searchless(looked: Sequence[ToolAnswer]) -> bool:
    """Whether nothing but the kinds of asset was looked up, for want of a question."""
    return all(one.tool == "discover_domains" and not one.arguments for one in looked)


def _kinds(look: ToolAnswer, sentences: Sentences) -> str:
    """The kinds that have assets; of a name that was searched, those that it may mean."""
    counts = {str(one.get("domain")): one.get("asset_count") for one in _entries(look, "domains")}
    searched = str(look.arguments.get("search") or "")
    held = [
        f"{safe_name(sentences.labels.kind(name))} ({sentences.number(count)})"
        for name, count in counts.items()
        if isinstance(count, int) and count
    ]
    bare = [name for name, count in counts.items() if count == 0 and fold(name) == fold(searched)]
    if bare:
        return sentences.say("bare", kind=sentences.labels.kind(bare[0]))
    listed = ", ".join(held)
    if not searched:
        return sentences.say("kinds", listed=listed) if held else ""
    return sentences.say("may_mean", term=searched, listed=listed) if held else ""


def _counted(one: Mapping[str, Any], name: str, number: str, sentences: Sentences) -> str:
    count = one.get(number)
    shown = f": {sentences.number(count)}" if isinstance(count, int) else ""
    return f"- {safe_name(str(one.get(name)))}{shown}"


def _entries(look: ToolAnswer, name: str) -> list[Mapping[str, Any]]:
    found = look.data.get(name)
    return cast("list[Mapping[str, Any]]", found) if isinstance(found, list) else []


class Account:
    """The items that the steps of a reading left unused."""

    def __init__(self, reading: Arranging) -> None:
        """Begin."""
        self._reading = reading
        self._passed: list[int] = []

    def state(self) -> tuple[object, ...]:
        """All that a step can leave its trace in."""
        of = self._reading
        chooser = of.chooser
        arranged = (of.sort_key, of.order, of.count_by, of.limit, of.counting, of.top, of.aggregate)
        return (repr(of.main.sent()), len(chooser.gaps), chooser.verb, *arranged)

    def pass_over(self, start: int, behind: int) -> None:
        """Note the items of a step that changed nothing."""
        self._passed += range(start, behind)

    def unused(self) -> Iterator[str]:
        """Names and figures that were passed over and say what nothing else says."""
        said = {token.stem for at in self._used() for token in self._reading.items[at].tokens}
        for at in self._passed:
            item = self._reading.items[at]
            repeated = {token.stem for token in item.tokens} <= said
            leads = self._reading.leads_to_kind(at) and not item.named.values
            if self._has_content(item) and not (repeated or leads):
                yield item.text

    def _used(self) -> Iterator[int]:
        passed = set(self._passed)
        yield from (at for at in range(len(self._reading.items)) if at not in passed)

    def _has_content(self, item: Item) -> bool:
        """Whether an item is more than grammar; a kind of asset only says what is spoken of."""
        if item.functions or self._reading.domains_of(item):
            return False
        if self._reading.chooser.verb in item.named.properties:
            # It says which date is meant.
            return False
        return bool(item.named or item.number or item.days)


class Asking(Arranging):
    """Tells a question about the catalogue from one about its assets, once it was read."""

    def look(self) -> Look | None:
        """Return the lookup that a question asks of the catalogue itself, or None."""
        main = self.main
        if not (self.narrows or main.domains) and (missing := self._without_assets()):
            return Look("discover_domains", {"search": missing})
        said = main.ranges or any(not one.is_void for one in main.references)
        if said or self.sort or self.count_by or self.aggregate or self.narrows:
            return None
        kind = main.domains[0] if main.domains else ""
        if not main.filters and any(item.does("properties") for item in self.items):
            return Look("discover_properties", {"domain": kind}) if kind else Look()
        kinds = set(self.vocabulary.domains)
        torn = [gap for gap in self.chooser.gaps if kinds.issuperset(gap.suggestions or ("",))]
        if torn and not main.filters and not kind:
            return Look("discover_domains", {"search": torn[0].term})
        key = self._listed()
        if not key or self.chooser.gaps:
            # A word that was not understood might narrow the list, so it is told instead.
            return None
        main.filters.clear()
        if kind:
            self.count_by = key
            return None
        return Look("discover_values", {"property": key})

    def _without_assets(self) -> str:
        """The kind that is asked for though it has no assets, as it is written; or empty."""
        tokens = [token for item in self.items for token in item.tokens if token.kind == "word"]
        for at in range(len(tokens)):
            for stems in self.vocabulary.others:
                part = tokens[at : at + len(stems)]
                if tuple(token.stem for token in part) == stems:
                    return " ".join(token.plain for token in part)
        return ""

    def _listed(self) -> str:
        """The property whose values are asked for: it alone is named, before any kind of asset."""
        (key, held) = next(iter(self.main.filters.items()), ("", None))
        if held is None or len(self.main.filters) > 1 or not held.says_only_exists:
            return ""
        for at, item in enumerate(self.items):
            if self.domains_of(item):
                return ""
            meant = [one for one in item.named.properties if one.key == key]
            if meant:
                before = self.before(at)
                owned = before is not None and before.text.lower() in OWNING
                listed = self.vocabulary.properties[meant[0]].kind == "term"
                return key if listed and not owned else ""
        return ""
