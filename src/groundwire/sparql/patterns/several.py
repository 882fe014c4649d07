"""A question about several properties of an entity, or one of several: "capital and area of X"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import Step, Way, hops_query, is_cut_short
from groundwire.sparql.patterns.reading import Option, Reading, Span
from groundwire.sparql.patterns.selections import SelectionTelling, is_coordinated
from groundwire.sparql.schema.names import Use
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
