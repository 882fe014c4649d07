"""Figures with a unit as what members of a recorded set are: "longer than 10 km", 0.2 or less."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Word
from groundwire.evidence.claims.operators import operator, quality_tables
from groundwire.quantities import resolve_unit

Measures = Mapping[str, tuple[str, Decimal]]
"""The figures of a thing, in base units with their dimension, by what they are of."""

_BOUND = re.compile(
    r"\b(?:(?:longer|shorter|larger|smaller|higher|lower|more|less|greater) than|no more than"
    r"|no less than|at least|at most|up to|over|above|below|under|(?:länger|kürzer|größer|kleiner"
    r"|höher|niedriger|mehr|weniger) als|mindestens|höchstens|bis zu|über|unter)\s$"
    r"|(?:不?(?:超过|低于|高于|少于|多于)|不到|不足|大于|小于|长于|短于|至少|最多)$"
)
_LOOSE = re.compile(r"\b(?:no|least|most|up|mindestens|höchstens|bis)\b|不[超低高少多]|至少|最多")
_DENIED = re.compile(r"\b(?:not|nicht)\s$")
_BEHIND = re.compile(
    r"(?: long| lang| of road| in length)?(?:(?P<over> or (?:more|longer|higher|above)"
    r"| oder (?:mehr|länger|höher|darüber)|以上)|(?P<under> or (?:less|shorter|lower|below)"
    r"| oder (?:weniger|kürzer|niedriger|darunter)|以下))?(?: long\b| lang\b)?"
)
_LONGEST = 20


@dataclass(frozen=True, slots=True)
class Measured(Word):
    """A figure of which members are told.

    Attributes:
        bound: "over" or "under", or "" where it is told as it is.
        is_strict: whether a member that has just this figure is none of them.
        step: the worth of its last place.
        dimension: that of its unit, or "".
        of: the properties that it may be of; any by default.
    """

    bound: str = ""
    is_strict: bool = True
    step: Decimal = Decimal(0)
    dimension: str = ""
    of: frozenset[str] = frozenset()

    def members(self, measures: Sequence[Measures], *, denied: bool) -> frozenset[int]:
        """Return the members that it is so of; none where one of them has no such figure."""
        own = [
            [v for name, (of, v) in one.items() if of == self.dimension and self._may_be(name)]
            for one in measures
        ]
        if any(len(one) != 1 for one in own):
            return frozenset()
        return frozenset(at for at, (value,) in enumerate(own) if self._fits(value) != denied)

    def _may_be(self, name: str) -> bool:
        return not self.of or name in self.of

    def _fits(self, value: Decimal) -> bool:
        if not self.bound:
            return 2 * abs(value - self.number) <= self.step
        if value == self.number:
            return not self.is_strict
        return (value > self.number) == (self.bound == "over")


def measures_of(known: Knowledge) -> Mapping[tuple[str, str], Measures]:
    """Return the figures of each thing, by the record and the label of the thing."""
    found = defaultdict[tuple[str, str], dict[str, tuple[str, Decimal]]](dict)
    for fact in known.facts.numbers():
        if fact.value.entity and fact.number is not None and not fact.operands:
            base = fact.unit.to_base(fact.number) if fact.unit else fact.number
            own = found[fact.evidence_id, fact.value.entity]
            own[fact.value.name] = (fact.unit.dimension if fact.unit else "", base)
    return found


def measured_words(context: PassageContext) -> Iterator[Measured]:
    """Yield the figures of a passage that have a unit or a fraction, each with what bounds it."""
    text = context.contexts.reading.small
    for one in context.quantities:
        unit = resolve_unit(one.unit) if one.unit else None
        is_figure = one.unit is None and one.value != one.value.to_integral_value()
        if (unit is None and not is_figure) or one.words or one.bound == "about":
            continue
        start, end = one.span
        before = _BOUND.search(text, max(context.passage.start, start - _LONGEST), start)
        behind = _BEHIND.match(text, end, context.passage.end)
        first = before.start() if before else start
        sides = behind.groupdict().items() if behind else ()
        ahead = next((side for side, said in sides if said), "")
        is_bound = before is not None or bool(ahead)
        if is_bound != bool(one.bound or ahead) or _DENIED.search(text, 0, first):
            continue
        said = text[first : behind.end() if behind else end]
        base = unit.to_base if unit else Decimal
        yield Measured(
            "value", first, first + len(said), base(one.value), ("",), one.bound or ahead,
            is_strict=not (ahead or _LOOSE.search(said)), step=base(one.step),
            dimension=unit.dimension if unit else "", of=_told_by(said),
        )  # fmt: skip


def _told_by(said: str) -> frozenset[str]:
    """Return the properties that the adjective beside a figure is of: "longer than"."""
    of = (names for key, (_, names, _) in quality_tables()[0].items() if operator(key).search(said))
    return frozenset[str]().union(*of)


def with_properties(
    words: Sequence[Word], properties: Mapping[str, frozenset[str]], own: frozenset[str]
) -> list[Word]:
    """Return words, each figure with the property that its sentence names: "a length of 5 km".

    Args:
        words: the words.
        properties: the properties that a name may mean.
        own: those of which members have figures.
    """
    told = [properties[w.names[0]] & own for w in words if w.kind == "prop"]
    if not any(isinstance(w, Measured) for w in words) or len([*filter(None, told)]) > 1:
        return [*words]
    of = frozenset[str]().union(*told)
    return [
        replace(w, of=of) if isinstance(w, Measured) and of else w
        for w in words
        if w.kind != "prop" or not properties[w.names[0]] & own
    ]
