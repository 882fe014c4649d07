"""A question of a known pattern, answered by one graph; or what keeps it from being answered.

Every answer is bound by the statements of its rows. What a question says and no part of its pattern
took keeps it from being answered, whatever else was bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns import units
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.binding import MOST_ORDERS, Binding, Chain, UnansweredError
from groundwire.sparql.patterns.compiling import (
    Step,
    Way,
    counted_query,
    gap_between,
    is_cut_short,
    is_true,
    joined_query,
    labels_query,
    members_query,
    order_of,
    parts_query,
    path_query,
    rank_of,
    selection_query,
    several_query,
    statements_of,
    units_query,
    values_query,
)
from groundwire.sparql.patterns.directions import is_located
from groundwire.sparql.patterns.grouping import Grouping, Measuring
from groundwire.sparql.patterns.reading import Option, Span, has_phrase
from groundwire.sparql.patterns.selecting import Selecting
from groundwire.sparql.patterns.selections import is_coordinated
from groundwire.sparql.patterns.several import Several
from groundwire.sparql.patterns.words import data, is_verbal
from groundwire.sparql.schema.names import Use, local
from groundwire.sparql.workflow.queries import VALUE_PROPERTIES


def _is_bnode(value: Cell) -> bool:
    return isinstance(value, Term) and value.kind == "bnode"


class Answering(Binding):
    """One prompt at one graph."""

    wanted: units.Wanted | None = None

    async def answer(self) -> PatternAnswer | None:
        """Choose the pattern and run it; tell its figures in the unit that is asked for."""
        if len(self.reading.entities) == 1 and not self.reading.relations:
            await self._take_units()
        try:
            told = await self._answer()
        except UnansweredError as error:
            raise UnansweredError(self._unit_left()) if self.wanted else error from None
        if told is None or self.wanted is None:
            lacks = told is not None and self.asking.is_indexed and units.lacks_units(told)
            return units.in_stated_units(told, await self._units()) if told and lacks else told
        converted, values = units.in_unit(told, self.wanted, self.schema, self.reading.language)
        if not converted:
            raise UnansweredError(self._unit_left())
        unit = self.wanted.said
        said = self.told.joined_texts(converted)
        told = replace(told, values=(*told.values, *values))
        return self.told.beside(told, "in_unit", unit=unit, v=said)

    def _unit_left(self) -> PatternAnswer:
        """Return the refusal that names the unit in which nothing can be told."""
        return self.told.left([self.wanted.span] if self.wanted else [])

    async def _answer(self) -> PatternAnswer | None:
        reading = self.reading
        relations = [one for one in reading.relations if one.properties or one.classes]
        language = next((one for one in reading.cues if one.cue.startswith("language:")), None)
        of_value = any(one.property for span in reading.entities for one in span.options)
        if not relations and language is None and len(reading.entities) < 2 and not of_value:
            if reading.entities and reading.left:
                raise UnansweredError(self.told.left())
            return None
        self.note()
        await self._take_units()
        await self._no_leftover()
        self._narrow(await self._uses(relations))
        self._settle_count(await self._uses(relations))
        if (found := await self._measured_or_grouped(relations)) is not None:
            return found
        reading = self.reading
        relations = [one for one in reading.relations if one.properties or one.classes]
        if language is not None:
            return await self._label(language)
        if (found := await self._compared_or_asked(relations)) is not None:
            return found
        if reading.is_ask and (reading.cues or len(reading.entities) == 2):
            return None
        selecting = Selecting(self.asking, self.schema, reading, self.limit, self.trail)
        uses = await self._uses(relations)
        if selecting.is_selection(uses):
            return await selecting.answer(uses)
        if reading.has("more", "less", "or"):
            return None
        if not reading.entities:
            return await self._members()
        if len(reading.entities) > 1 or not relations:
            return None
        return await self._path()

    async def _measured_or_grouped(self, relations: Sequence[Span]) -> PatternAnswer | None:
        """Answer by the value of an entity, or counts by group; None where neither is asked."""
        own = (self.asking, self.schema, self.reading, self.limit, self.trail)
        measuring, grouping = Measuring(*own), Grouping(*own)
        if (measure := measuring.measure()) is not None:
            return await measuring.answer(*measure, await self._uses(relations))
        groups = grouping.groups()
        if groups is not None and self.reading.has("sum", "mean"):
            return await grouping.measure(*groups, await self._uses(relations))
        return await grouping.answer(*groups) if groups is not None else None

    async def _uses(self, relations: Sequence[Span]) -> Mapping[str, Use]:
        """Return how the properties are used that a prompt names, or names the unit of."""
        names = [p for one in (*relations, *self.reading.numbers) for p in one.properties]
        return await self.asking.uses([*names, *([self.reading.unit] if self.reading.unit else ())])

    def _settle_count(self, uses: Mapping[str, Use]) -> None:
        """Keep one of "how many" and "in total": numbers are added up, and all else is counted."""
        if not (self.reading.has("count") and self.reading.has("sum")):
            return
        named = [p for one in self.reading.relations for p in one.properties]
        dropped = "count" if any(uses[p].is_number for p in named) else "sum"
        cues = tuple(one for one in self.reading.cues if one.cue != dropped)
        self.reading = self.told.reading = replace(self.reading, cues=cues)

    async def _compared_or_asked(self, relations: Sequence[Span]) -> PatternAnswer | None:
        """Compare entities, or answer by yes or no; None where a prompt does neither."""
        reading = self.reading
        way = reading.has("more", "less", "above", "below", "most", "least")
        if way and len(reading.entities) > 1:
            uses = await self._uses(relations)
            kinds = {"above": "more", "below": "less"}
            told = replace(way, cue=kinds.get(way.cue, way.cue))
            named = [p for one in reading.relations for p in one.properties]
            if named and len(reading.entities) == 2 and told.cue in ("more", "less"):
                of = frozenset(kind for p in named for kind in uses[p].domain)
                pair = [self._one(span, self._of_types(span, of)) for span in reading.entities]
                own = (self.asking, self.schema, reading, self.limit, self.trail)
                if counted := await Several(*own).compare_counts(told, pair):
                    return counted
            return await self._compare(told, uses)
        if reading.is_ask and len(reading.entities) == 3 and reading.has("both"):
            return await self._ask_both()
        if reading.is_ask and len(reading.entities) == 2 and not reading.cues:
            return await self._ask(*reading.entities)
        return None

    def note(self) -> None:
        """Write down how the prompt was read."""
        said = [f"{one.text} (entity)" for one in self.reading.entities]
        said += [f"{one.text} (relation)" for one in self.reading.relations]
        said += [f"{one.text} ({one.cue})" for one in self.reading.cues]
        said += [f"{one.text} (not understood)" for one in self.reading.left]
        self.trail.note("breakdown", "done", "; ".join(said) or "no word is known")
        if not self.schema.is_whole:
            many = len(self.schema.properties)
            self.trail.note("explore", "done", f"only the {many} most used properties are known")

    async def _take_units(self) -> None:
        """Take the units of properties that a prompt names, and the one that it wants."""
        if not self.reading.left:
            return
        reading, self.wanted = units.with_units(self.reading, await self._units())
        if several := [p for n in reading.numbers if len(n.properties) > 1 for p in n.properties]:
            reading = units.measured_of_class(reading, await self.asking.uses(several))
        self.reading = self.told.reading = reading

    async def _units(self) -> units.Stated:
        """Return the units that the graph states of its properties, asked for once."""
        if self.schema.units is None:
            outcome = await self.asking.select(units_query(), "units", step="explore")
            self.schema.units = units.stated_units(outcome, self.schema)
        return self.schema.units

    async def _no_leftover(self) -> None:
        """Ask back where a word that is left over is nearly a label; refuse on any other."""
        reading = self.reading
        if not reading.left:
            return
        for span in reading.left:
            for text in self._around(span):
                near = [
                    one for one in await self.asking.alike(text) if not self._is_schema(one.iri)
                ]
                if near:
                    raise UnansweredError(self.told.candidates("near", text, near))
        raise UnansweredError(self.told.left())

    def _is_schema(self, name: str) -> bool:
        return name in self.schema.properties or name in self.schema.classes

    def _around(self, span: Span) -> list[str]:
        """Return a run of words that is left over, with its neighbours first."""
        words, prompt = self.reading.words, self.reading.prompt
        found: list[str] = []
        for first in range(max(0, span.first - 2), span.first + 1):
            for last in range(min(len(words), span.last + 2), span.last - 1, -1):
                found.append(prompt[words[first].start : words[last - 1].end])
        return sorted(dict.fromkeys(found), key=len, reverse=True)

    # Patterns

    async def _label(self, language: Span) -> PatternAnswer:
        reading = self.reading
        if (
            reading.relations
            or len(reading.entities) != 1
            or reading.numbers
            or len(reading.cues) > 1
        ):
            raise UnansweredError
        entity = self._one(reading.entities[0])
        code = language.cue.partition(":")[2]
        outcome = await self.asking.select(labels_query(entity.iri), "labels in a language")
        rows = [
            (row["p"], row["label"])
            for row in cells_of(outcome)
            if isinstance(row["label"], Term)
            and row["label"].language.lower().partition("-")[0] == code
        ]
        if not rows:
            raise UnansweredError(
                self.told.none("label_none", [entity], e=entity.label, l=language.text)
            )
        order = ("prefLabel", "label", "name")
        best = min(rows, key=lambda row: rank_of(order, key_of(row[0])))[0]
        proofs = [Proof(Term("iri", entity.iri), p, text) for p, text in rows if p == best]
        return self.told.values("label", entity, proofs, l=language.text)

    async def _compare(self, way: Span, uses: Mapping[str, Use]) -> PatternAnswer | None:
        """Compare entities by a value; None where they do not state one by themselves."""
        reading = self.reading
        _, p, use = await self._value(uses, way)
        types = {t for span in reading.entities for one in span.options for t in one.types}
        if way.cue in ("most", "least") and use.domain.isdisjoint(types):
            return None
        if not all(one.classes or p in one.properties for one in reading.relations) or any(
            one.cue not in ("or", "both", "each") and one.first != way.first for one in reading.cues
        ):
            return None
        if reading.numbers or way.place > 1:
            raise UnansweredError
        entities = [self._one(s, self._of_types(s, use.domain)) for s in reading.entities]
        outcome = await self.asking.select(
            values_query([one.iri for one in entities], p, 20 * len(entities)), "values to compare"
        )
        held: dict[str, list[Cell]] = {one.iri: [] for one in entities}
        for row in cells_of(outcome):
            held[key_of(row["x"])].append(row["v"])
        for entity in entities:
            if not held[entity.iri]:
                raise UnansweredError(
                    self.told.none("unstated", [entity], e=entity.label, p=self.told.name(p))
                )
            if len(set(map(order_of, held[entity.iri]))) > 1:
                raise UnansweredError
        if len(held) < len(entities):
            raise UnansweredError
        values = [(one, held[one.iri][0]) for one in entities]
        told = self.told.compared(
            p, values, [order_of(value) for _, value in values],
            wants_more=way.cue in ("more", "most"), is_date=use.is_date,
            is_yes_no=reading.is_ask and not reading.has("or") and len(values) == 2,
        )  # fmt: skip
        return replace(told, confidence="medium") if self.is_concluded else told

    async def _members(self) -> PatternAnswer:
        """How many entities a class has, and which where they are to be listed."""
        reading = self.reading
        spans = [one for one in reading.relations if one.classes]
        is_listed = not reading.cues and has_phrase(reading, *data()["listing"][reading.language])
        if not (reading.has("count") or is_listed) or len(reading.cues) > 1 or reading.numbers:
            raise UnansweredError
        if len(spans) != 1 or len(reading.relations) != 1:
            raise UnansweredError
        number = await self.asking.count(members_query(spans[0].classes), "a count")
        if not is_listed:
            return self.told.members(spans[0], number)
        query = selection_query(spans[0].classes, (), limit=max(self.limit, 1))
        rows = (await self.asking.select(query, "its members")).rows
        return await self.told.listed(self.asking, spans[0], number, [row[0] for row in rows])

    async def _ask_both(self) -> PatternAnswer:
        """Whether one entity is a relation of two others, which "both" stands before.

        Raises:
            UnansweredError: one of the two is not stated, or the words may be read otherwise.
        """
        reading = self.reading
        both = [one for one in reading.cues if one.cue == "both"]
        after = [one for one in reading.entities if one.first >= both[0].last]
        pair = after[:2]
        if len(reading.cues) > len(both) or len(pair) < 2 or not is_coordinated(reading, pair):
            raise UnansweredError(self.told.left(both))
        [other] = [one for one in reading.entities if one not in pair]
        told = [await self._ask(*sorted((one, other), key=lambda span: span.first)) for one in pair]
        denied = [one for one in told if one.denies]
        return self.told.together(denied or told)

    async def _ask(self, first: Span, second: Span) -> PatternAnswer:
        """Whether one entity is a relation of the other: yes, no, or not stated."""
        reading = self.reading
        if reading.numbers:
            raise UnansweredError
        spans = [one for one in reading.relations if one.properties]
        one, other = self._one(first), self._one(second)
        if not spans or len(reading.relations) != 1:
            return await self._joined(one, other)
        span = spans[0]
        uses = await self.asking.uses(span.properties)
        ends = [(one, other, first), (other, one, second)]
        found = [
            (start, step, end)
            for start, end, near in ends
            if not start.property
            for step in self._ways(span, start.types, uses, end.types)
            if await self._says(span, step, near)
        ]
        # The same statement is told from its subject.
        found.sort(key=lambda one: one[1][0].inverse)
        if await self._is_symmetric(span.properties, uses):
            found = found[:1]
        # What is left may be one statement only, told from either side.
        alike = {statements_of(start, step, end) for start, step, end in found}
        if not found:
            pair = {"e": one.label, "p": self.told.name(span.properties[0]), "o": other.label}
            raise UnansweredError(self.told.none("unstated_pair", [one, other], **pair))
        if len(alike) > 1:
            raise UnansweredError(self.told.direction(one, span))
        start, step, end = found[0]
        outcome = await self.asking.select(path_query(start.iri, (step,), ((),)), "a statement")
        proofs = [self._proof(row, (step,), start) for row in cells_of(outcome)]
        if any(key_of(row["n1"]) == key_of(start_term(end)) for row in cells_of(outcome)):
            kept = [
                p
                for row, p in zip(cells_of(outcome), proofs, strict=True)
                if key_of(row["n1"]) == key_of(start_term(end))
            ]
            return self.told.yes(start, span, kept[0], end, step)
        if proofs and not is_cut_short(outcome) and await self._is_single(step):
            return await self.told.no(self.asking, start, span, proofs, end, step)
        pair = {"e": start.label, "p": self.told.step_name(step), "o": end.label}
        await self.told.learn(self.asking, [one, other], step)
        found_none = self.told.none("unstated_pair", [one, other], step[0].property, **pair)
        if proofs and not is_cut_short(outcome):
            found_none = await self.told.but(self.asking, found_none, start, step, proofs)
        raise UnansweredError(found_none)

    async def _parts(self, chain: Chain) -> Step:
        """Return the ways to parts of an entity that state what it does not state itself."""
        ways = [way for step in chain.steps for way in step]
        if len(ways) != 1 or ways[0].inverse:
            return ()
        [way] = ways
        query = parts_query(chain.start.iri, way.property)
        rows = cells_of(await self.asking.select(query, "parts that state it"))
        return tuple(Way(key_of(row["p"]), False) for row in rows)

    async def _is_single(self, step: Step) -> bool:
        """Whether nothing has two objects of a property, so that another one is wrong."""
        way = step[0]
        if len(step) > 1 or way.inverse or self.schema.properties[way.property].count < 3:
            return False
        query = several_query(way.property)
        return not (await self.asking.select(query, "one or several")).rows

    async def _joined(self, one: Option, other: Option) -> PatternAnswer:
        """Whether a property that is called "in" joins two entities."""
        if self.reading.relations or not is_located(self.reading):
            raise UnansweredError
        outcome = await self.asking.select(joined_query(one.iri, other.iri), "what joins them")
        for row in cells_of(outcome):
            p = key_of(row["p"])
            words = local(p).split()
            if is_true(row["out"]) and ("in" in words or "location" in words):
                proof = Proof(Term("iri", one.iri), row["p"], Term("iri", other.iri))
                return self.told.joined(one, proof, other)
        raise UnansweredError

    async def _bridged(
        self, span: Span, spans: Sequence[Span], uses: Mapping[str, Use]
    ) -> list[Chain]:
        """Return the chain over what lies in an entity: the currencies used in South America.

        One property alone may join what has the relation with the entity.
        """
        named = [p for one in spans for p in one.properties if uses[p].range and uses[p].domain]
        if len(spans) != 1 or len(named) != 1 or len(span.options) != 1:
            return []
        [p], [option] = named, span.options
        if not is_located(self.reading) or uses[p].domain & set(option.types):
            return []
        by_use = sorted(self.schema.properties.values(), key=lambda one: -one.count)
        known = await self.asking.uses([one.iri for one in by_use[:MOST_ORDERS]])
        joints = [
            one.iri
            for one in by_use[:MOST_ORDERS]
            if known[one.iri].domain & uses[p].domain
            and not known[one.iri].range.isdisjoint(option.types)
        ]
        steps = tuple((Way(one, inverse=True),) for one in joints)
        chain = Chain(option, tuple(spans), (*steps, (Way(p, inverse=False),)), ((), ()))
        return [chain] if len(joints) == 1 else []

    async def _path(self) -> PatternAnswer:
        """One hop or several from the one entity of a prompt."""
        reading = self.reading
        count, order = reading.has("count"), reading.has("order")
        if len(reading.cues) > bool(count) + bool(order) or len(reading.numbers) > 1:
            raise UnansweredError
        span = reading.entities[0]
        spans = sorted(reading.relations, key=lambda one: gap_between(one, span))
        uses = await self.asking.uses([p for one in spans for p in one.properties])
        year = reading.numbers[0].number if reading.numbers else ""
        chains = [c for one in span.options for c in self._chains(one, spans, uses, span)]
        bridged = [] if chains or year else await self._bridged(span, spans, uses)
        if not (chains := chains or bridged) or year:
            return await self._observed(span, spans, uses, year)
        starts = {chain.start.iri: chain.start for chain in chains}
        if len(starts) > 1:
            self._one(span, tuple(starts.values()))
        chain = bridged[0] if bridged else await self._chosen(chains, span, uses)
        last = chain.steps[-1][0].property
        self._check_question_word(last, uses[last])
        if order or await self._is_list(chain, uses):
            return await self._ordered(chain, uses, bool(order))
        outcome = await self.asking.select(
            path_query(chain.start.iri, chain.steps, chain.classes), "the statements that are asked"
        )
        rows, steps = cells_of(outcome), chain.steps
        if not rows and (parts := await self._parts(chain)):
            steps = (parts, *chain.steps)
            query = path_query(chain.start.iri, steps, ((), *chain.classes))
            outcome = await self.asking.select(query, "what parts of it state")
            rows = cells_of(outcome)
        if rows and all(_is_bnode(row[f"n{len(steps)}"]) for row in rows):
            # A definition or note that is a node of its own says its text one step on.
            steps = (*steps, tuple(Way(name, False) for name in VALUE_PROPERTIES))
            query = path_query(chain.start.iri, steps, (*chain.classes, ()))
            outcome = await self.asking.select(query, "the texts of these nodes")
            rows = cells_of(outcome)
            if not rows:
                raise UnansweredError
        proofs = [(row[f"n{len(steps)}"], self._proofs(row, steps, chain.start)) for row in rows]
        p = self.told.step_name(chain.steps[-1])
        if not rows:
            named = " ".join(self.told.step_name(step) for step in reversed(chain.steps))
            is_told_back = len(chain.steps) == 1 and chain.steps[0][0].inverse and is_verbal(named)
            key = "unstated_inverse" if is_told_back else "unstated"
            raise UnansweredError(self.told.none(key, [chain.start], e=chain.start.label, p=named))
        if any(_is_bnode(value) for value, _ in proofs):
            raise UnansweredError
        if count and not self._is_value(chain, uses):
            number = len({key_of(value) for value, _ in proofs})
            if is_cut_short(outcome):
                query = counted_query(chain.start.iri, chain.steps, chain.classes)
                number = await self.asking.count(query, "a count")
            return await self.told.counted(self.asking, chain.start, p, proofs, number)
        told = await self.told.path(
            self.asking, chain.start, chain.steps, proofs, is_cut=is_cut_short(outcome)
        )
        told = replace(told, confidence="medium") if bridged else told
        is_truth = uses[chain.steps[-1][0].property].is_truth and len(proofs) == 1
        return self.told.judged(told, is_so=is_true(proofs[0][0])) if is_truth else told
