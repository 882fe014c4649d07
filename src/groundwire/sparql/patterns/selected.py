"""The answers to a question that was read as a selection: a list, a ranking, a sum or a mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    hops_query,
    is_cut_short,
    order_of,
    selection_query,
    without_query,
)
from groundwire.sparql.patterns.reading import Option, Reading
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.patterns.selections import Selection, SelectionTelling
from groundwire.sparql.schema.names import local
from groundwire.sparql.workflow.trail import Trail

SUMS = ("sum", "mean")


class Selected(Binding):
    """One selection at one graph, answered."""

    def __init__(
        self, asking: Asking, schema: Schema, reading: Reading, limit: int, trail: Trail
    ) -> None:
        super().__init__(asking, schema, reading, limit, trail)
        self.telling = SelectionTelling(asking.source.endpoint, schema, reading, limit)

    async def answer(self, selection: Selection) -> PatternAnswer:
        """Answer what is selected.

        Raises:
            UnansweredError: nothing of it is held, or it cannot be ordered or added up.
        """
        if self.reading.has(*SUMS):
            return await self._summed(selection)
        if any(one.kind == "many" and not one.bounds for one in selection.plain_links):
            return await self._by_number(selection)
        return await (self._listed if selection.way is None else self._ranked)(selection)

    async def _by_number(self, selection: Selection) -> PatternAnswer:
        """Answer the first by the number of things that a step joins with them."""
        links, way = selection.plain_links, selection.way
        at, link = next((n, one) for n, one in enumerate(links) if one.kind == "many")
        many, column = self.reading.many, f"b{at}"
        outcome = await self.asking.select(
            selection_query(selection.classes, links), "the first by their number"
        )
        rows = cells_of(outcome)
        is_whole = many and rows and selection.projected is None and not is_cut_short(outcome)
        if way is None or not is_whole:
            raise UnansweredError
        p = link.step[0].property
        counted = without_query(selection.classes, [one for one in links if one is not link], p)
        if way.cue == "least" and await self.asking.count(counted, "how many have none"):
            # A thing that states none may have the fewest.
            raise UnansweredError
        rows.sort(key=lambda row: int(key_of(row[column])), reverse=way.cue == "most")
        last = key_of(rows[min(many, len(rows)) - 1][column])
        kept = rows[:many] + [row for row in rows[many:] if key_of(row[column]) == last]
        hops = [(key_of(row["x"]), (link.step[0]._replace(inverse=not link.step[0].inverse),))
                for row in kept]  # fmt: skip
        stated = await self.asking.select(hops_query(hops), "what they state")
        if is_cut_short(stated):
            raise UnansweredError
        own = [[one["n1"] for one in cells_of(stated) if key_of(one["k"]) == str(n)]
               for n in range(len(kept))]  # fmt: skip
        told = await self.telling.most_linked(
            self.asking, link.step[0], [(row["x"], of) for row, of in zip(kept, own, strict=True)],
            is_most=way.cue == "most", ties=len(kept) > many,
        )  # fmt: skip
        c = self.telling.class_name(selection.of)
        others = [one for one in selection.links if one[0] is not link]
        if others:
            await self.telling.look_up(self.asking, others)
            shown = self.telling.conditions(others, "", ())
            told = self.telling.beside(told, "ranked_among", c=c, w=shown)
        return told

    async def _listed(self, selection: Selection) -> PatternAnswer:
        name = selection.value[0] if selection.value else ""
        query = selection_query(selection.classes, selection.plain_links, name, selection.bounds)
        outcome = await self.asking.select(query, "what meets the conditions")
        rows = selection.without_denied(cells_of(outcome))
        c = self.telling.class_name(selection.of)
        if not rows:
            await self.telling.look_up(self.asking, selection.links)
            shown = self.telling.conditions(selection.links, name, selection.bounds)
            entities = [one for _, options in selection.links for one in options]
            raise UnansweredError(self.told.none("selected_none", entities[:2], c=f"{c} ({shown})"))
        told = await self.telling.selected(
            self.asking, selection.links, name, c, rows, self._proofs_of(selection, rows),
            bounds=selection.bounds, classes=selection.classes,
            silent=selection.silent(rows),
            is_counted=self.reading.has("count") is not None, is_cut=is_cut_short(outcome),
        )  # fmt: skip
        if any(one.number == "false" for one in selection.bounds):
            counted = without_query(selection.classes, selection.plain_links, name)
            return self.telling.without(told, await self.asking.count(counted, "no value"), c, name)
        links = selection.plain_links
        for link in [one for one in links if one.kind == "many" and one.bounds[0].sign[0] == "<"]:
            name = link.step[0].property
            rest = [one for one in links if one is not link]
            counted = without_query(selection.classes, rest, name)
            told = self.telling.without(told, await self.asking.count(counted, "none"), c, name)
        return told

    async def _summed(self, selection: Selection) -> PatternAnswer:
        """Answer the sum or the mean of the values of all that is selected."""
        cues = [one for one in self.reading.cues if one.cue in SUMS]
        if len(cues) != 1 or selection.value is None or selection.way is not None:
            raise self._refused()
        p, use = selection.value
        query = selection_query(selection.classes, selection.plain_links, p, selection.bounds)
        outcome = await self.asking.select(query, "the values taken together")
        rows = selection.without_denied(cells_of(outcome))
        c = self.telling.class_name(selection.of)
        if not rows:
            raise UnansweredError(self.told.none("unstated", [], e=c, p=self.told.name(p)))
        several = len({key_of(row["x"]) for row in rows}) < len(rows)
        if several or is_cut_short(outcome) or not use.is_number:
            raise UnansweredError
        told = await self.telling.summed(
            self.asking, selection.links, p, c, cues[0].cue, self._proofs_of(selection, rows),
            selection.bounds,
        )  # fmt: skip
        counted = without_query(selection.classes, selection.plain_links, p)
        return self.telling.without(told, await self.asking.count(counted, "no value"), c, p)

    def _proofs_of(
        self, selection: Selection, rows: Sequence[Mapping[str, Cell]]
    ) -> list[tuple[Cell, list[Proof]]]:
        """Return what is selected, each with the statements that select it."""
        found: dict[str, tuple[Cell, list[Proof]]] = {}
        for row in rows:
            proofs = found.setdefault(key_of(row["x"]), (row["x"], []))[1]
            if selection.value:
                proofs.append(Proof(row["x"], Term("iri", selection.value[0]), row["v"]))
            for at, (link, options) in enumerate(selection.links):
                if link.kind == "bound":
                    proofs.append(
                        Proof(row["x"], Term("iri", link.step[0].property), row[f"b{at}"])
                    )
                    continue
                if link.kind == "any":
                    chosen = [
                        one for one in options
                        if key_of(start_term(one)) == key_of(row[f"a{at}"])
                    ]  # fmt: skip
                    columns = [f"d{at}"]
                elif link.kind == "is":
                    chosen = list(options)
                    columns = [f"d{at}_{number}" for number in range(len(options))]
                else:
                    continue
                for option, column in zip(chosen, columns, strict=True):
                    cells = {"n1": row["x"]}
                    if column in row:
                        cells["d1"] = row[column]
                    proofs += self._proofs(cells, (link.step,), option)
        return [(cell, list(dict.fromkeys(proofs))) for cell, proofs in found.values()]

    async def _ranked(self, selection: Selection) -> PatternAnswer:
        reading, way = self.reading, selection.way
        assert way is not None
        assert selection.value is not None
        if selection.bounds or reading.has("count"):
            raise self._refused()
        p, use = selection.value
        many, place = reading.many, way.place
        if not many or (place > 1 and many > 1):
            raise self._refused()
        need = place + many + 20
        order = "DESC" if way.cue == "most" else "ASC"
        query = selection_query(selection.classes, selection.plain_links, p, (), order, need)
        outcome = await self.asking.select(query, "the first by value")
        rows = selection.without_denied(cells_of(outcome))
        c = self.telling.class_name(selection.of)
        if not rows:
            entities = [one for _, options in selection.links for one in options]
            raise UnansweredError(
                self.told.none("unstated", entities[:2], e=c, p=self.told.name(p))
            )
        if len({key_of(r["x"]) for r in rows}) < len(rows):
            # One has several values.
            raise UnansweredError
        orders = [order_of(row["v"]) for row in rows]
        if any(one is None for one in orders):
            raise UnansweredError
        if len(rows) < place:
            raise UnansweredError(
                self.told.none("too_few", [], c=c, n=str(len(rows)), p=self.told.name(p))
            )
        first, last = orders[place - 1], orders[min(place + many - 1, len(rows)) - 1]
        begins = min(at for at, one in enumerate(orders) if one == first)
        ends = max(at for at, one in enumerate(orders) if one == last)
        kept = rows[begins : ends + 1]
        if ends + 1 >= need:
            raise UnansweredError
        counted = without_query(selection.classes, selection.plain_links, p)
        without = await self.asking.count(counted, "how many state none")
        if selection.projected is not None:
            if len(kept) > 1:
                raise UnansweredError
            return await self._projected(selection, kept[0], without)
        return await self.telling.ranked(
            self.asking, p, is_date=use.is_date, descending=way.cue == "most", c=c,
            links=selection.links, rows=kept, found=self._proofs_of(selection, kept),
            without=without, ties=len(kept) > many, place=place,
        )  # fmt: skip

    async def _projected(
        self, selection: Selection, row: Mapping[str, Cell], without: int
    ) -> PatternAnswer:
        """Answer a property of the one that is first."""
        assert selection.projected is not None
        winner = Option(key_of(row["x"]), local(key_of(row["x"])), (), True)
        query = hops_query([(winner.iri, selection.projected)])
        rows = cells_of(await self.asking.select(query, "what it states"))
        found = [(one["n1"], self._proofs(one, (selection.projected,), winner)) for one in rows]
        if not found or any(isinstance(c, Term) and c.kind == "bnode" for c, _ in found):
            raise UnansweredError
        why = self._proofs_of(selection, [row])[0][1]
        return await self.telling.projected(
            self.asking, winner, selection.projected, found, why, is_sure=not without
        )
