"""Questions for what has more or less of something than one entity has: "lakes deeper than X"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from groundwire.graph.terms import Term
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import Way, values_query
from groundwire.sparql.patterns.reading import Span
from groundwire.sparql.patterns.selecting import Selecting
from groundwire.sparql.patterns.words import data
from groundwire.sparql.schema.names import Use


class Measuring(Binding):
    """One prompt at one graph, read as a selection by the value of an entity."""

    def measure(self) -> tuple[Span, Span] | None:
        """Return the word that compares and the entity whose value is the bound, or None."""
        reading = self.reading
        way = reading.has("more", "less", "above", "below")
        has_class = any(one.classes for one in reading.relations) or any(
            option.property for one in reading.entities for option in one.options
        )
        if way is None or not has_class or reading.numbers or reading.is_ask or reading.has("or"):
            return None
        than = set(data()["than"]["before"])
        behind = [
            one
            for one in reading.entities
            if than & set(reading.texts()[max(0, one.first - 2) : one.first])
        ]
        return (way, behind[0]) if len(behind) == 1 else None

    async def answer(self, way: Span, of: Span, uses: Mapping[str, Use]) -> PatternAnswer:
        """Answer what is of a class and has more or less than the entity of a span.

        Raises:
            UnansweredError: the entity does not state one value, or nothing meets the bound.
        """
        reading, entity = self.reading, self._one(of)
        _, p, use = await self._value(uses, way)
        rows = cells_of(await self.asking.select(values_query([entity.iri], p), "its own value"))
        if len(rows) != 1:
            raise UnansweredError(
                self.told.none("unstated", [entity], e=entity.label, p=self.told.name(p))
            )
        value = rows[0]["v"]
        digits = key_of(value)[:4] if use.is_date else key_of(value)
        cue = "above" if way.cue in ("more", "above") else "below"
        bounded = replace(
            reading,
            entities=tuple(one for one in reading.entities if one is not of),
            cues=tuple(replace(one, cue=cue) if one is way else one for one in reading.cues),
            numbers=(replace(of, options=(), number=digits),),
        )
        selecting = Selecting(self.asking, self.schema, bounded, self.limit, self.trail)
        told = await selecting.answer(uses)
        proof = Proof(start_term(entity), Term("iri", p), value)
        bound = await self.told.path(
            self.asking, entity, ((Way(p, inverse=False),),), [(value, [proof])], is_cut=False
        )
        return replace(
            told,
            sentence=f"{told.sentence} {bound.sentence}",
            rows=(*told.rows, *bound.rows),
            values=(*told.values, *bound.values),
            statements=(*told.statements, *bound.statements),
        )
