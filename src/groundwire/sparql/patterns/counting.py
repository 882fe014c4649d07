"""How many things something is joined with, where a question bounds or orders by their number.

"Countries with more than 8 neighbours" are counted by a property of their own, "languages that are
spoken in the most countries" by one of the countries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from groundwire.sparql.patterns.compiling import Bound, Way
from groundwire.sparql.patterns.reading import Reading, Span
from groundwire.sparql.patterns.selections import SIGNS
from groundwire.sparql.patterns.words import data, plain
from groundwire.sparql.schema.names import Use


class Counted(NamedTuple):
    """A number of things: "more than 8 neighbours", "the most neighbours".

    Attributes:
        bound: its bound; None where it is ordered by.
        way: from the things to what is selected.
        spans: the words that say it.
    """

    bound: Bound | None
    way: Way
    spans: tuple[Span, ...]


def counted_bound(reading: Reading, uses: Mapping[str, Use]) -> Counted | None:
    """Return the bound of how many things something is joined with, or None."""
    others = [*reading.relations, *reading.entities, *reading.cues, *reading.numbers]

    def beside(one: Span, other: Span) -> bool:
        first, last = sorted((one, other), key=lambda span: span.first)
        return not any(first.last <= span.first < last.first for span in others)

    for number in [one for one in reading.numbers if not one.is_time]:
        sign = next((c for c in reading.cues if c.cue in SIGNS and beside(c, number)), None)
        said = sorted([number, *([sign] if sign else ())], key=lambda span: span.first)
        near = [one for one in reading.relations if beside(one, said[0]) or beside(one, said[-1])]
        behind = [one for one in near if one.first >= said[-1].last]
        led = [one for one in near if one.last <= said[0].first and reading.language == "zh"]
        bound = Bound(SIGNS[sign.cue] if sign else "=", number.number)
        for thing in (*led, *behind):
            ways = _ways_counted(reading, thing, uses)
            if len(ways) == 1 and number.number.isdigit():
                return Counted(bound, ways[0], (*said, *_said(reading, thing, ways[0])))
    return None


def counted_order(reading: Reading, uses: Mapping[str, Use]) -> Counted | None:
    """Return what is ordered by the number of things that it is joined with, or None."""
    way = reading.has("most", "least")
    if way is None or way.place > 1 or plain(way.text) not in data()["most_things"]["words"]:
        return None
    for thing in reading.relations:
        is_before = thing.last == way.first and reading.language == "zh"
        if thing.first == way.last or is_before:
            ways = _ways_counted(reading, thing, uses)
            if len(ways) == 1:
                return Counted(None, ways[0], _said(reading, thing, ways[0]))
    return None


def _said(reading: Reading, thing: Span, way: Way) -> tuple[Span, ...]:
    """Return the words for what is counted, and for what joins it."""
    joints = (one for one in reading.relations if way.property in one.properties)
    return (thing, *(one for one in joints if not one.classes))


def _ways_counted(reading: Reading, thing: Span, uses: Mapping[str, Use]) -> list[Way]:
    """Return the ways from things that are counted to what else a prompt names the class of."""
    heads = {c for one in reading.relations if one is not thing for c in one.classes}
    joins = [p for one in reading.relations for p in one.properties if uses[p].range]
    own = [p for p in thing.properties if uses[p].range]
    things = set(thing.classes)
    found: list[Way] = []
    for p in dict.fromkeys(own or joins):
        use = uses[p]
        ends = ((use.domain, use.range, True), (use.range, use.domain, False))
        fit = [
            Way(p, inverse)
            for here, there, inverse in ends
            if not here.isdisjoint(heads) and (p in own or not there.isdisjoint(things))
        ]
        found += fit[:1]
    return found
