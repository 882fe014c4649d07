"""Counts, sums and means by group, and questions for what has more or less of something.

"How many files per judge", "average pages per judge"; "lakes deeper than X" compares with the value
that one entity has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.records import Value
from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import MOST_ORDERS, Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    MOST_ROWS,
    Way,
    is_cut_short,
    linked_query,
    selection_query,
    values_query,
)
from groundwire.sparql.patterns.phrasing import MOST_LISTED
from groundwire.sparql.patterns.reading import Option, Span
from groundwire.sparql.patterns.selecting import Selecting
from groundwire.sparql.patterns.telling import Telling
from groundwire.sparql.patterns.words import data
from groundwire.sparql.schema.names import Use
from groundwire.sparql.workflow.model import Row

_SUMS = ("sum", "mean")
_SHOWN = Decimal("0.01")


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

    async def measured(
        self,
        asking: Asking,
        kind: str,
        p: str,
        names: tuple[str, str],
        found: Sequence[tuple[Cell, Sequence[Proof]]],
    ) -> PatternAnswer:
        """Tell the sum or mean of a property of each group; `names` of what has it, and of groups.

        Args:
            asking: asks for labels.
            kind: "sum" or "mean".
            p: the property.
            names: the name of the class that has it, and that of the groups.
            found: each group with the statements of its values.
        """
        proofs = [one for _, own in found for one in own]
        await self._look_up(
            asking, [*(cell for cell, _ in found), *(one.subject for one in proofs)]
        )
        (c, w), rows, values, said = names, list[Row](), list[Value](), list[str]()
        for cell, own in found:
            total = sum((Decimal(key_of(one.object)) for one in own), Decimal(0))
            figure = (total / len(own)).quantize(_SHOWN) if kind == "mean" else total
            text = f"{figure.normalize():f}"
            said.append(f"{self.called(cell)} ({self.figure(Term('literal', text))})")
            rows.append(self._row(cell, list(own), said[-1]))
            values.append(
                Value(kind, text, entity=self.called(cell), entity_iri=key_of(cell),
                      labels=(f"{self.name(p)} {c}",))
            )  # fmt: skip
        told = self._listed(said, MOST_LISTED)
        sentence = self._say(f"{kind}_per_group", p=self.name(p), c=c, w=w, v=told)
        return self._answered(sentence, rows, proofs, values=values)


class Grouping(Binding):
    """One prompt at one graph, read as a figure for each entity of a class."""

    def groups(self) -> tuple[Span, Span] | None:
        """Return the class that is counted and the one that is counted by, or None."""
        reading = self.reading
        per = reading.has("per", "each")
        asked = reading.has("count", *_SUMS)
        if per is None or asked is None or len(reading.cues) != 2:
            return None
        if reading.entities or reading.numbers:
            return None
        group = next((o for o in reading.relations if o.classes and o.first == per.last), None)
        rest = [one for one in reading.relations if one is not group]
        if group is None or not 0 < len(rest) < 3:
            return None
        valued = [one for one in rest if one.properties] if asked.cue in _SUMS else rest
        # "The average area of countries per continent" says of which class the area is.
        of = [one for one in rest if one not in valued and one.classes]
        if len(valued) != 1 or len(of) + 1 != len(rest):
            return None
        [counted] = valued
        if asked.cue in _SUMS:
            return replace(counted, classes=of[0].classes if of else ()), group
        return (counted, group) if counted.classes else None

    async def measure(self, counted: Span, group: Span, uses: Mapping[str, Use]) -> PatternAnswer:
        """Answer the sum or mean of a property of what each entity of a class is joined with.

        Raises:
            UnansweredError: one of them states none or several, or not one property joins them.
        """
        fit = [
            p for p in counted.properties
            if uses[p].is_number and (uses[p].domain & set(counted.classes) or not counted.classes)
        ]  # fmt: skip
        if len(fit) != 1:
            raise UnansweredError
        p, classes = fit[0], counted.classes or tuple(sorted(uses[fit[0]].domain))
        if len(classes) > 1:
            names = [self.schema.classes[one] for one in classes]
            language = self.reading.language
            own = [Option(one.iri, one.called(language), (), True) for one in names]
            words = self.reading.words
            first, last = min(counted.first, group.first), max(counted.last, group.last)
            said = self.reading.prompt[words[first].start : words[last - 1].end]
            raise UnansweredError(self.told.candidates("ambiguous", said, own))
        joint = await self._joining(replace(counted, classes=classes), group)
        asked = [linked_query(classes, one, MOST_ROWS) for one in (joint, p)]
        pairs, values = [await self.asking.select(one, "what each group has") for one in asked]
        of = {key_of(row["x"]): row for row in cells_of(values)}
        cut = is_cut_short(pairs) or is_cut_short(values)
        if not pairs.rows or cut or len(of) < len(values.rows):
            raise UnansweredError
        found: dict[str, tuple[Cell, list[Proof]]] = {}
        silent: set[str] = set()
        for row in cells_of(pairs):
            if (value := of.get(key_of(row["x"]))) is None:
                silent.add(key_of(row["x"]))
                continue
            own = found.setdefault(key_of(row["v"]), (row["v"], []))[1]
            own.append(Proof(row["x"], Term("iri", p), value["v"]))
        if not found:
            raise UnansweredError
        told = GroupTelling(self.asking.source.endpoint, self.schema, self.reading, self.limit)
        asks = self.reading.has(*_SUMS)
        assert asks is not None
        names = (self._class_name(replace(counted, classes=classes)), self._class_name(group))
        measured = await told.measured(self.asking, asks.cue, p, names, list(found.values()))
        return told.without(measured, len(silent), names[0], p)

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
