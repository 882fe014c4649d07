"""A question about what meets several conditions: a class, its links, its bounds and an order.

"Which neighbours of Germany have fewer than 10 million inhabitants?" names a link and a bound; "the
second largest country in Africa" takes one place of an order; "both", "or" and "not" say
how links are joined. A word order that may be read in two ways is refused and never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    Bound,
    Link,
    Step,
    Way,
    gap_between,
    hops_query,
    is_cut_short,
    is_true,
    joining_query,
    order_of,
    selection_query,
    several_query,
    without_query,
)
from groundwire.sparql.patterns.reading import Option, Reading, Span
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.patterns.selections import (
    SIGNS,
    Meant,
    Selection,
    SelectionTelling,
    bounds_of,
    stands_in,
    truth_asked,
    value_named,
)
from groundwire.sparql.patterns.several import Several, values_asked
from groundwire.sparql.schema.names import Use, local
from groundwire.sparql.workflow.queries import RDF_TYPE
from groundwire.sparql.workflow.trail import Trail

_SUMS = ("sum", "mean")
_CUES = frozenset(
    ("most", "least", "count", "both", "not", "or", "between", "each", "except", *_SUMS, *SIGNS)
)
# Places of an order that are asked for at most.
_MOST_PLACES = 100


class Selecting(Binding):
    """One prompt at one graph, read as a selection."""

    def __init__(
        self, asking: Asking, schema: Schema, reading: Reading, limit: int, trail: Trail
    ) -> None:
        super().__init__(asking, schema, reading, limit, trail)
        self.telling = SelectionTelling(asking.source.endpoint, schema, reading, limit)

    def is_selection(self, uses: Mapping[str, Use]) -> bool:
        """Whether a prompt names more than one entity and what is asked of it."""
        kinds = ("both", "not", "between", "each", "most", "least", "except", *_SUMS, *SIGNS)
        return bool(
            self.reading.has(*kinds)
            or len(self.reading.entities) > 1
            or any(one.property for span in self.reading.entities for one in span.options)
            or value_named(self.reading, uses) is not None
            or truth_asked(self.reading, uses) is not None
            or values_asked(self.reading, uses) is not None
        )

    async def answer(self, uses: Mapping[str, Use]) -> PatternAnswer:
        """Answer what is selected.

        Args:
            uses: of the properties that the prompt names.

        Raises:
            UnansweredError: it cannot be read so, or nothing of it is held.
        """
        reading = self.reading
        if any(one.cue not in _CUES for one in reading.cues):
            raise UnansweredError
        if (asked := values_asked(self.reading, uses)) is not None:
            several = Several(self.asking, self.schema, reading, self.limit, self.trail)
            return await several.answer(*asked, uses)
        selection = await self._read(uses)
        answer = self._listed if selection.way is None else self._ranked
        answer = self._summed if self.reading.has(*_SUMS) else answer
        told = await answer(selection)
        return replace(told, confidence="medium") if self.is_concluded else told

    def _refused(self) -> UnansweredError:
        """Return the refusal that names the words that could not be placed."""
        cues = [one for one in self.reading.cues if one.cue in ("both", "not", "or", "between")]
        places = [one for one in self.reading.cues if one.place > 1]
        spans = [*cues, *places]
        return UnansweredError(self.told.left(spans) if spans else None)

    # Reading a selection

    async def _read(self, uses: Mapping[str, Use]) -> Selection:
        reading = self.reading
        way = reading.has("most", "least")
        signs = [one for one in reading.cues if one.cue in (*SIGNS, "between")]
        if len([one for one in reading.cues if one.cue in ("most", "least")]) > 1:
            raise self._refused()
        named = value_named(reading, uses)
        bounding = way or next(iter(signs), reading.has(*_SUMS) or named)
        value = await self._value(uses, bounding) if bounding else None
        truth = None if bounding else truth_asked(reading, uses)
        if truth:
            value = truth[:3]
            kept = tuple(one for one in reading.cues if one is not truth[4])
            reading = self.reading = self.told.reading = replace(reading, cues=kept)
        links = [
            one for one in reading.relations
            if one.properties and (value is None or value[1] not in one.properties)
        ]  # fmt: skip
        head, links = self._head(links, value, uses)
        bounds = bounds_of(reading, signs, value[2]) if value and signs else ()
        if bounds is None:
            raise self._refused()
        if named and value:
            bounds = (Bound("=", reading.numbers[0].number, value[2].is_date),)
        bounds = (truth[3],) if truth else bounds
        selection = Selection(
            head, head.classes, value=value[1:] if value else None, way=way, bounds=bounds
        )
        if not bounds and len(reading.numbers) > bool(way):
            raise self._refused()
        meant = [await self._meant(span, links, selection, uses) for span in reading.entities]
        meant = self._without_exceptions(meant, selection)
        nones = self._deny(meant, links, head)
        await self._link(selection, meant, nones, links, uses)
        if not selection.classes and not any(
            link.kind in ("is", "any") for link in selection.plain_links
        ):
            raise self._refused()
        return selection

    def _head(
        self, links: list[Span], value: tuple[Span, str, Use] | None, uses: Mapping[str, Use]
    ) -> tuple[Span, list[Span]]:
        """Return what says what is selected, and the relations that may be links."""
        named: dict[tuple[str, ...], Span] = {}
        for one in self.reading.relations:
            if one.classes and not (value and value[1] in one.properties):
                named.setdefault(one.classes, one)
        heads = list(named.values())
        if value is not None and value[2].domain:
            heads = [one for one in heads if not value[2].domain.isdisjoint(one.classes)]
        heads = [one for one in heads if not one.properties] or heads
        if len(heads) > 1:
            raise self._refused()
        if heads:
            return heads[0], links
        if value is not None and self.reading.has(*_SUMS) and len(value[2].domain) == 1:
            return replace(value[0], properties=(), classes=tuple(value[2].domain)), links
        values = [one for one in self.reading.entities if one.options[0].property]
        nouns = [one for one in links if not one.is_act] or values[:1]
        if len(nouns) != 1:
            raise self._refused()
        return Span(nouns[0].first, nouns[0].last, nouns[0].text), links

    async def _meant(
        self, span: Span, links: Sequence[Span], selection: Selection, uses: Mapping[str, Use]
    ) -> Meant:
        """Return an entity with the link that names it; the nearest of several that may."""
        if any(option.property for option in span.options):
            option = self._one(span)
            named = [link for link in links if option.property in link.properties]
            step = (Way(option.property, True),)
            return Meant(span, option, next(iter(named), None), step)
        found: list[Meant] = []
        for link in links:
            for option in span.options:
                found += [
                    Meant(span, option, link, step)
                    for step in await self._steps(link, option, span, uses, selection.classes)
                ]
        if not found:
            return Meant(span, self._one(span), None, ())
        nearest = min(gap_between(one.link, span) for one in found if one.link)
        found = [one for one in found if one.link and gap_between(one.link, span) == nearest]
        options = {one.option.iri: one.option for one in found}
        if len(options) > 1:
            self._one(span, tuple(options.values()))
        if len({one.step for one in found}) > 1:
            raise UnansweredError(self.told.direction(found[0].option, found[0].link or span))
        return found[0]

    def _without_exceptions(self, meant: list[Meant], selection: Selection) -> list[Meant]:
        """Leave out what is selected but for "except X", or deny what X is not one of."""
        reading = self.reading
        cues = [one for one in reading.cues if one.cue == "except"]
        if not cues:
            return meant
        after = [one for one in meant if one.span.first >= cues[0].last]
        if len(cues) > 1 or len(after) != 1 or (len(meant) == 1 and not selection.classes):
            raise UnansweredError(self.told.left(cues))
        if set(after[0].option.types).isdisjoint(selection.classes):
            after[0].is_denied = True
            return meant
        selection.add(Link("except", ()), after)
        return [one for one in meant if one is not after[0]]

    def _deny(self, meant: Sequence[Meant], links: Sequence[Span], head: Span) -> list[Span]:
        """Mark the entities that are denied; return the relations that are denied altogether.

        A denial holds for what follows it: the next entity, else the nearest relation that has no
        entity of its own. "Which ports have no ship?" asks for ports, and not for ships.
        """
        reading = self.reading
        nones: list[Span] = []
        for cue in [one for one in reading.cues if one.cue == "not"]:
            after = [one for one in meant if one.span.first >= cue.last]
            target = min(after, key=lambda one: one.span.first, default=None)
            ordering = [
                one for one in (*reading.cues, *reading.numbers)
                if one.cue in ("most", "least", *SIGNS) or one.number
            ]  # fmt: skip
            if target is None:
                used = {id(one.link) for one in meant}
                free = [one for one in links if id(one) not in used and one not in nones]
                if len(free) != 1 or any(one.first == cue.last for one in ordering):
                    raise self._refused()
                if free[0].last <= cue.first <= head.first:
                    raise self._refused()
                nones.append(free[0])
                continue
            if any(cue.last <= one.first < target.span.first for one in ordering):
                raise self._refused()
            target.is_denied = True
        return nones

    async def _link(
        self,
        selection: Selection,
        meant: Sequence[Meant],
        nones: Sequence[Span],
        links: Sequence[Span],
        uses: Mapping[str, Use],
    ) -> None:
        """Make the links of a selection of its entities."""
        groups: dict[int, list[Meant]] = {}
        for one in meant:
            if one.link is not None:
                groups.setdefault(id(one.link), []).append(one)
        ors = [one for one in self.reading.cues if one.cue == "or"]
        for group in groups.values():
            await self._group(selection, group, ors)
        if ors:
            raise self._refused()
        for span in nones:
            steps = {
                tuple(way) for p in span.properties for way in [(Way(p, True),)]
                if not selection.classes or not uses[p].domain
                or not uses[p].domain.isdisjoint(selection.classes)
            }  # fmt: skip
            if len(steps) != 1:
                raise self._refused()
            step = next(iter(steps))
            if await self._is_symmetric((step[0].property,), uses):
                step = (*step, Way(step[0].property, False))
            selection.add(Link("none", step), ())
        for one in [one for one in meant if one.link is None]:
            step = one.step or await self._joining(selection, one)
            selection.add(Link("not" if one.is_denied else "is", step), [one])
        used = {id(one.link) for one in meant} | {id(one) for one in nones}
        rest = [
            one for one in links
            if id(one) not in used and not (one.classes and one.classes == selection.classes)
        ]  # fmt: skip
        if not rest:
            return
        if len(rest) > 1 or selection.way is None:
            raise self._refused()
        steps = [
            step for step in self._ways(rest[0], selection.classes, uses)
            if not step[0].inverse
        ]  # fmt: skip
        if len(steps) != 1:
            raise self._refused()
        selection.projected = steps[0]

    async def _group(self, selection: Selection, group: list[Meant], ors: list[Span]) -> None:
        """Add the link of the entities that one relation names."""
        reading = self.reading
        yes = [one for one in group if not one.is_denied]
        no = [one for one in group if one.is_denied]
        between = [
            cue
            for cue in ors
            if group[0].span.last <= cue.first and cue.last <= group[-1].span.first
        ]
        for cue in between:
            ors.remove(cue)
        if between and len(no) == 1 and group[0] is no[0]:
            # "Not A or B" denies both.
            no, yes = group, []
        elif between and no:
            raise self._refused()
        if no and any(one.span.first > no[0].span.first for one in yes):
            # "Not A and B" may deny one or both.
            raise self._refused()
        if len({one.step for one in group}) > 1:
            raise self._refused()
        step = group[0].step
        is_head = not selection.classes and group[0].link is not None and (
            group[0].link.first == selection.of.first
        )  # fmt: skip
        if len(yes) > 1 and not between:
            if is_head and not reading.has("both"):
                raise self._refused()
            ways = [way for way in step if way.inverse]
            if ways and not (await self.asking.select(
                several_query(ways[0].property), "one or several"
            )).rows:  # fmt: skip
                # Nothing has two of them, so that "and" means something else.
                raise self._refused()
        for kind, ones in (("any" if between else "is", yes), ("not", no)):
            if ones:
                names = tuple(one.option.iri for one in ones)
                link = Link(
                    "any" if kind == "any" else "not" if kind == "not" else "is", step, names
                )
                selection.links.append((link, tuple(one.option for one in ones)))

    async def _joining(self, selection: Selection, one: Meant) -> Step:
        """Return the one property that joins what is selected with an entity that is "in" it."""
        if not stands_in(self.reading, selection, one.span):
            raise self._refused()
        positive = [link for link in selection.plain_links if link.kind in ("is", "any")]
        query = joining_query(
            selection.classes, () if selection.classes else positive, one.option.iri
        )
        rows = cells_of(await self.asking.select(query, "what joins them"))
        ways = {
            Way(key_of(row["p"]), not is_true(row["out"]))
            for row in rows if key_of(row["p"]) != RDF_TYPE
        }  # fmt: skip
        if len(ways) > 1:
            named = sorted({way.property for way in ways})
            raise UnansweredError(self.told.properties(one.option.label, named))
        if not ways:
            raise UnansweredError(
                self.told.none("unstated", [one.option], e=one.option.label, p=selection.of.text)
            )
        return (ways.pop(),)

    # Answering a selection

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
        return told

    async def _summed(self, selection: Selection) -> PatternAnswer:
        """Answer the sum or the mean of the values of all that is selected."""
        cues = [one for one in self.reading.cues if one.cue in _SUMS]
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
        many = int(float(reading.numbers[0].number)) if reading.numbers else 1
        place = way.place
        if not 0 < many <= _MOST_PLACES or (place > 1 and many > 1):
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
