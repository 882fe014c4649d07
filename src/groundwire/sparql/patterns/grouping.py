"""Counts by group: "how many files per judge", "wie viele Akten hat jede Kammer"."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.records import Value
from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import MOST_ORDERS, Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    MOST_ROWS,
    is_cut_short,
    linked_query,
    selection_query,
)
from groundwire.sparql.patterns.phrasing import MOST_LISTED
from groundwire.sparql.patterns.reading import Span
from groundwire.sparql.patterns.telling import Telling


class GroupTelling(Telling):
    """Words the counts of groups."""

    async def grouped(
        self, asking: Asking, c: str, w: str, found: Sequence[tuple[Cell, Sequence[Proof]]]
    ) -> PatternAnswer:
        """Tell how many of a class each entity of another one is joined with.

        Args:
            asking: asks for labels.
            c: the name of the class that is counted.
            w: that of the groups.
            found: each group with the statements that join it, the most first.
        """
        proofs = [one for _, own in found for one in own]
        await self._look_up(asking, [*(cell for cell, _ in found), *(p.subject for p in proofs)])
        said = [f"{self.called(cell)} ({len(own)})" for cell, own in found]
        rows = [
            self._row(cell, list(own), text)
            for (cell, own), text in zip(found, said, strict=True)
            if own
        ]
        values = [
            Value("count", str(len(own)), entity=self.called(cell), entity_iri=key_of(cell),
                  labels=(c, f"{c}s"))
            for cell, own in found
        ]  # fmt: skip
        sentence = self._say("per_group", c=c, w=w, v=self._listed(said, MOST_LISTED))
        return self._answered(sentence, rows, proofs, values=values)


class Grouping(Binding):
    """One prompt at one graph, read as a count for each entity of a class."""

    def groups(self) -> tuple[Span, Span] | None:
        """Return the class that is counted and the one that is counted by, or None."""
        reading = self.reading
        per = reading.has("per", "each")
        classes = [one for one in reading.relations if one.classes]
        is_count = reading.has("count") is not None and len(reading.cues) == 2
        if per is None or not is_count or len(classes) != 2 or len(reading.relations) != 2:
            return None
        if reading.entities or reading.numbers:
            return None
        group = next((one for one in classes if one.first == per.last), None)
        return (next(one for one in classes if one is not group), group) if group else None

    async def answer(self, counted: Span, group: Span) -> PatternAnswer:
        """Answer how many of a class each entity of another one is joined with.

        Raises:
            UnansweredError: none or several properties join the two, or a query was cut.
        """
        p = await self._joining(counted, group)
        query = linked_query(counted.classes, p, MOST_ROWS)
        pairs = await self.asking.select(query, "what is counted")
        members = await self.asking.select(selection_query(group.classes, ()), "the groups")
        if not pairs.rows or is_cut_short(pairs) or is_cut_short(members):
            raise UnansweredError
        found: dict[str, tuple[Cell, list[Proof]]] = {
            key_of(row["x"]): (row["x"], []) for row in cells_of(members)
        }
        for row in cells_of(pairs):
            own = found.setdefault(key_of(row["v"]), (row["v"], []))[1]
            own.append(Proof(row["x"], Term("iri", p), row["v"]))
        told = GroupTelling(self.asking.source.endpoint, self.schema, self.reading, self.limit)
        ordered = sorted(found.values(), key=lambda one: -len(one[1]))
        return await told.grouped(
            self.asking, self._class_name(counted), self._class_name(group), ordered
        )

    async def _joining(self, counted: Span, group: Span) -> str:
        """Return the one property from what is counted to the groups."""
        by_use = sorted(self.schema.properties.values(), key=lambda one: -one.count)
        names = [one.iri for one in by_use[:MOST_ORDERS]]
        uses = await self.asking.uses(names)
        fit = [
            p
            for p in names
            if not uses[p].domain.isdisjoint(counted.classes)
            and not uses[p].range.isdisjoint(group.classes)
        ]
        if len(fit) != 1:
            raise UnansweredError(self.told.properties(group.text, fit) if fit else None)
        return fit[0]

    def _class_name(self, span: Span) -> str:
        name = self.schema.named_of(span.classes)[0]
        return self.schema.classes[name].called(self.reading.language)
