"""Several properties of an entity, one of several entities, and how many things one is joined with.

"Capital and area of X" asks for two properties. "Countries with more than 8 neighbours" are counted
by a property of their own, "languages that are spoken in the most countries" by one of the
countries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    Bound,
    Step,
    Way,
    hops_query,
    is_cut_short,
    may_order,
    path_query,
)
from groundwire.sparql.patterns.reading import Option, Reading, Span
from groundwire.sparql.patterns.selections import SIGNS, SelectionTelling, is_coordinated
from groundwire.sparql.patterns.words import data, plain
from groundwire.sparql.schema.names import NUMERIC, Use
from groundwire.sparql.workflow.queries import (
    LABEL_PATHS,
    RDF_TYPE,
    TEXT_PROPERTIES,
)


def values_asked(reading: Reading, uses: Mapping[str, Use]) -> tuple[list[Span], list[Span]] | None:
    """Return the entities and the properties of "capital and area of X", or None."""
    named: dict[tuple[str, ...], Span] = {}
    for one in reading.relations:
        named.setdefault(one.properties, one)
    spans = [one for one in reading.relations if one.properties]
    distinct = list(named.values())
    numeric = all(uses[p].is_number for one in spans for p in one.properties)
    cues = [one for one in reading.cues if one.cue not in ("each", "and")]
    is_counted = len(cues) == 1 and cues[0].cue == "count" and numeric
    if (
        len(spans) != len(reading.relations)
        or not spans
        or not reading.entities
        or reading.numbers
        or (cues and not is_counted)
        or len(distinct) + len(reading.entities) < 3
    ):
        return None
    ends = [one.first for one in reading.entities]
    is_apart = all(one.last <= min(ends) or one.first > max(ends) for one in spans)
    if len(distinct) > 1 and not (is_apart and is_coordinated(reading, spans)):
        return None
    is_listed = is_coordinated(reading, reading.entities)
    if not is_listed and len(spans) != len(reading.entities):
        return None
    return list(reading.entities), distinct


_MOST_TOLD = 16


class Several(Binding):
    """One prompt at one graph, read as properties of entities."""

    async def compare_counts(self, way: Span, pair: Sequence[Option]) -> PatternAnswer | None:
        """Count the objects of a property of two entities and compare the numbers.

        Args:
            way: the word that compares, of the cue "more" or "less".
            pair: the entities.

        Returns:
            the answer, or None where the prompt names no such property or its values are compared.

        Raises:
            UnansweredError: nothing is stated of one of them.
        """
        reading = self.reading
        spans = [one for one in reading.relations if one.properties]
        is_of_number = may_order(way, Use(datatypes=NUMERIC))
        if len(reading.relations) != 1 or len(spans) != 1 or reading.numbers or not is_of_number:
            return None
        uses = await self.asking.uses(spans[0].properties)
        fit = [p for p in spans[0].properties if uses[p].range and not uses[p].datatypes]
        if len(fit) != 1:
            return None
        sides: list[tuple[Option, list[Proof]]] = []
        for entity in pair:
            query = path_query(entity.iri, ((Way(fit[0], inverse=False),),), ((),))
            outcome = await self.asking.select(query, "the objects to count")
            found = {key_of(row["n1"]): row["n1"] for row in cells_of(outcome)}
            if not found or is_cut_short(outcome):
                raise UnansweredError(
                    self.told.none("unstated", [entity], e=entity.label, p=self.told.name(fit[0]))
                )
            start = Term("iri", entity.iri)
            sides.append(
                (entity, [Proof(start, Term("iri", fit[0]), one) for one in found.values()])
            )
        return await self.told.compared_counts(
            self.asking, fit[0], way.cue == "more", sides,
            is_yes_no=reading.is_ask and not reading.has("or"),
        )  # fmt: skip

    async def describe(self, entity: Option) -> PatternAnswer | None:
        """Tell the most used properties that an entity states.

        None where it states none, or has a text of its own, which says more.
        """
        silent = {RDF_TYPE, *LABEL_PATHS, *TEXT_PROPERTIES}
        known = [p for p in self.schema.properties if p not in silent][:_MOST_TOLD]
        asked = (*TEXT_PROPERTIES, *known)
        hops: list[tuple[Option, Step]] = [(entity, (Way(p, inverse=False),)) for p in asked]
        told = [one for one in await self._ends(hops) if one[2]]
        if any(step[0].property in TEXT_PROPERTIES for _, step, _ in told):
            return None
        return await self._told(told) if told else None

    async def answer(
        self, entities: Sequence[Span], spans: Sequence[Span], uses: Mapping[str, Use]
    ) -> PatternAnswer:
        """Answer each property of each entity.

        Raises:
            UnansweredError: a property cannot be read of one of them, or nothing is stated.
        """
        hops: list[tuple[Option, Step]] = []
        for entity in entities:
            for span in spans:
                found = [
                    (option, step) for option in entity.options
                    for step in await self._steps(span, option, entity, uses, ())
                ]  # fmt: skip
                options = {option.iri: option for option, _ in found}
                if len(options) > 1:
                    self._one(entity, tuple(options.values()))
                if len(found) > 1:
                    named = sorted({way.property for _, step in found for way in step})
                    raise UnansweredError(self.told.properties(span.text, named))
                if not found:
                    raise UnansweredError
                hops += found
        told = await self._ends(hops)
        if not any(found for _, _, found in told):
            option, step = hops[0]
            raise UnansweredError(
                self.told.none("unstated", [option], e=option.label, p=self.told.step_name(step))
            )
        return await self._told(told)

    async def _ends(
        self, hops: Sequence[tuple[Option, Step]]
    ) -> list[tuple[Option, Step, list[tuple[Cell, list[Proof]]]]]:
        """Return what stands at the end of each hop, with the statements that prove it.

        Raises:
            UnansweredError: not all of it was answered, or an end has no name.
        """
        query = hops_query([(option.iri, step) for option, step in hops])
        outcome = await self.asking.select(query, "what each of them states")
        if is_cut_short(outcome):
            raise UnansweredError
        ends: list[list[tuple[Cell, list[Proof]]]] = [[] for _ in hops]
        for row in cells_of(outcome):
            at = int(key_of(row["k"]))
            option, step = hops[at]
            ends[at].append((row["n1"], self._proofs(row, (step,), option)))
        cells = [cell for found in ends for cell, _ in found]
        if any(isinstance(cell, Term) and cell.kind == "bnode" for cell in cells):
            raise UnansweredError
        return [(option, step, found) for (option, step), found in zip(hops, ends, strict=True)]

    async def _told(
        self, told: Sequence[tuple[Option, Step, list[tuple[Cell, list[Proof]]]]]
    ) -> PatternAnswer:
        """Tell what was found."""
        return await SelectionTelling(
            self.asking.source.endpoint, self.schema, self.reading, self.limit
        ).several(self.asking, told)


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
