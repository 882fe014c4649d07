"""A question of a known pattern, answered by one graph; or what keeps it from being answered.

Every answer is bound by the statements of its rows. What a question says and no part of its pattern
took keeps it from being answered, whatever else was bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    MOST_ROWS,
    Step,
    Way,
    bounded_query,
    counted_query,
    joined_query,
    labels_query,
    members_query,
    most_linked_query,
    path_query,
    ranked_query,
    several_query,
    units_query,
    values_query,
    without_query,
)
from groundwire.sparql.patterns.counting import compare_counts
from groundwire.sparql.patterns.fitting import (
    count_of,
    gap_between,
    is_cut_short,
    is_true,
    is_unit,
    may_order,
    order_of,
    rank_of,
    statements_of,
)
from groundwire.sparql.patterns.reading import Option, Span
from groundwire.sparql.patterns.words import plain, written
from groundwire.sparql.schema.names import NUMERIC, Use, local
from groundwire.sparql.workflow.queries import VALUE_PROPERTIES

# Properties that are looked at for what a superlative without one may mean, the most used first.
_MOST_ORDERS = 60


def _is_bnode(value: Cell) -> bool:
    return isinstance(value, Term) and value.kind == "bnode"


class Answering(Binding):
    """One prompt at one graph."""

    async def answer(self) -> PatternAnswer | None:
        """Choose the pattern and run it."""
        reading = self.reading
        relations = [one for one in reading.relations if one.properties or one.classes]
        language = next((one for one in reading.cues if one.cue.startswith("language:")), None)
        if not relations and language is None and len(reading.entities) < 2:
            return None
        self.note()
        await self._take_units()
        await self._no_leftover()
        if language is not None:
            return await self._label(language)
        if len(reading.entities) == 2 and (way := reading.has("more", "less", "above", "below")):
            return await self._compare(
                replace(way, cue={"above": "more", "below": "less"}.get(way.cue, way.cue))
            )
        if way := reading.has("most", "least"):
            return await self._ranked(way)
        if sign := reading.has("above", "below", "least_bound", "most_bound"):
            return await self._bounded(sign)
        if reading.is_ask and len(reading.entities) == 2:
            return await self._ask()
        if reading.has("more", "less", "or"):
            return None
        if not reading.entities:
            return await self._members()
        if len(reading.entities) > 1 or not relations:
            return None
        return await self._path()

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
        """Take what stands after a number and is the unit that the graph states of a property."""
        reading = self.reading
        properties = [p for one in reading.relations for p in one.properties]
        beside = [one for one in reading.left if any(n.last == one.first for n in reading.numbers)]
        if not (beside and properties):
            return
        outcome = await self.asking.select(units_query(properties), "units")
        units = sorted({key_of(row["unit"]) for row in cells_of(outcome)}, key=len, reverse=True)
        left = list(reading.left)
        for one in beside:
            said = [plain(word.text) for word in reading.words[one.first :]]
            unit = next((u for u in map(written, units) if u and is_unit(said, u)), None)
            if unit is not None and one.first + len(unit) >= one.last:
                left.remove(one)
        self.reading = self.told.reading = replace(reading, left=tuple(left))

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

    # Entities and properties

    def _property(self, uses: Mapping[str, Use] | None = None, **wanted: bool) -> tuple[Span, str]:
        """Return the one property that a prompt names for a value, or refuse."""
        spans = [one for one in self.reading.relations if one.properties]
        if len(spans) > 1:
            spans = [one for one in spans if not one.classes]
        if len(spans) != 1:
            raise UnansweredError
        return spans[0], spans[0].properties[0]

    async def _valued(self) -> tuple[Span, str, Use]:
        """Return the property of a prompt whose values have an order."""
        spans = [one for one in self.reading.relations if one.properties]
        uses = await self.asking.uses([p for one in spans for p in one.properties])
        found = [
            (one, p, uses[p])
            for one in spans
            for p in one.properties
            if uses[p].is_number or uses[p].is_date
        ]
        if not spans:
            await self._ask_by_what()
        if len({one.first for one, _, _ in found}) != 1:
            raise UnansweredError
        if len(found) > 1:
            raise UnansweredError(self.told.properties(found[0][0].text, [p for _, p, _ in found]))
        return found[0]

    async def _ask_by_what(self) -> None:
        """Ask by which of the numbers that such entities state they are to be ordered.

        Raises:
            UnansweredError: always; with the question where there are such numbers.
        """
        reading = self.reading
        wanted = {one for span in reading.relations for one in span.classes}
        wanted = wanted or {t for span in reading.entities for o in span.options for t in o.types}
        by_use = sorted(self.schema.properties.values(), key=lambda one: -one.count)
        uses = await self.asking.uses([one.iri for one in by_use[:_MOST_ORDERS]])
        fit = [
            one.iri for one in by_use[:_MOST_ORDERS]
            if uses[one.iri].is_number and not uses[one.iri].domain.isdisjoint(wanted)
        ]  # fmt: skip
        way = reading.has("most", "least", "more", "less")
        raise UnansweredError(self.told.by_what(way.text, fit) if way and fit else None)

    def _class(self, value: Span) -> Span:
        """Return the class of a prompt; every other relation than the value has to be it."""
        rest = [one for one in self.reading.relations if one is not value]
        if len(rest) != 1 or not rest[0].classes:
            raise UnansweredError
        return rest[0]

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

    async def _compare(self, way: Span) -> PatternAnswer:
        reading = self.reading
        one, other = (self._one(span) for span in reading.entities)
        if counted := await compare_counts(self.asking, self.told, way, (one, other)):
            return counted
        _, p, use = await self._valued()
        if len(reading.relations) != 1 and not all(
            one.classes or p in one.properties for one in reading.relations
        ):
            raise UnansweredError
        if (
            reading.numbers
            or not may_order(way, use)
            or len(reading.cues) > 1 + bool(reading.has("or"))
        ):
            raise UnansweredError
        outcome = await self.asking.select(
            values_query([one.iri, other.iri], p), "values to compare"
        )
        held: dict[str, list[Cell]] = {one.iri: [], other.iri: []}
        for row in cells_of(outcome):
            held[key_of(row["x"])].append(row["v"])
        for entity in (one, other):
            if not held[entity.iri]:
                raise UnansweredError(
                    self.told.none("unstated", [entity], e=entity.label, p=self.told.name(p))
                )
            if len(set(map(order_of, held[entity.iri]))) > 1:
                raise UnansweredError
        return self.told.compared(
            p, way.cue == "more", use.is_date, (one, held[one.iri][0]), (other, held[other.iri][0]),
            (order_of(held[one.iri][0]), order_of(held[other.iri][0])),
            is_yes_no=reading.is_ask and not reading.has("or"),
        )  # fmt: skip

    async def _ranked(self, way: Span) -> PatternAnswer:
        reading = self.reading
        if len(reading.cues) > 1 or len(reading.entities) > 1 or len(reading.numbers) > 1:
            raise UnansweredError
        many = int(float(reading.numbers[0].number)) if reading.numbers else 1
        if not 0 < many <= 100:
            raise UnansweredError
        if (linked := await self._linking(way)) is not None:
            return await self._most_linked(*linked, many)
        value, p, use = await self._valued()
        of = self._class(value)
        if not may_order(way, use):
            raise UnansweredError
        near = self._one(reading.entities[0]) if reading.entities else None
        query = ranked_query(of.classes, p, near.iri if near else "", way.cue == "most", many + 20)
        outcome = await self.asking.select(query, "the first by value")
        rows = cells_of(outcome)
        links = {key_of(row["p"]) for row in rows} if near else set[str]()
        if near and len(links) != 1:
            raise UnansweredError(
                self.told.properties(near.label, sorted(links)) if links
                else self.told.none("unstated", [near], e=near.label, p=of.text)
            )  # fmt: skip
        if not rows or len({key_of(r["x"]) for r in rows}) < len(rows):
            # Nothing has a value, or one entity has several of them.
            raise UnansweredError(
                None if rows else self.told.none("unstated", [], e=of.text, p=self.told.name(p))
            )
        if any(order_of(row["v"]) is None for row in rows):
            raise UnansweredError
        last = order_of(rows[min(many, len(rows)) - 1]["v"])
        kept = rows[:many] + [row for row in rows[many:] if order_of(row["v"]) == last]
        without = 0
        if not near:
            counted = await self.asking.select(without_query(of.classes, p), "how many state none")
            without = count_of(counted)
        return await self.told.ranked(
            self.asking, p, use.is_date, way.cue == "most", of, kept, without, near,
            ties=len(kept) > many,
        )  # fmt: skip

    async def _linking(self, way: Span) -> tuple[Span, str] | None:
        """Return a class and the property of which its entities have the most objects."""
        reading = self.reading
        spans = [one for one in reading.relations if one.properties]
        of = [one for one in reading.relations if one.classes and one not in spans]
        if way.cue != "most" or reading.entities or len(spans) != 1 or len(of) != 1:
            return None
        uses = await self.asking.uses(spans[0].properties)
        fit = [
            p for p in spans[0].properties
            if uses[p].range and not uses[p].datatypes
            and not uses[p].domain.isdisjoint(of[0].classes)
        ]  # fmt: skip
        is_of_number = may_order(way, Use(datatypes=NUMERIC))
        # "The most X": X is what is counted; in Chinese it stands before.
        counted = spans[0]
        is_next = (
            counted.last == way.first if reading.language == "zh" else counted.first == way.last
        )
        return (of[0], fit[0]) if len(fit) == 1 and is_of_number and is_next else None

    async def _most_linked(self, of: Span, p: str, many: int) -> PatternAnswer:
        """The entities of a class with the most objects of a property."""
        query = most_linked_query(of.classes, p, many + 20)
        rows = cells_of(await self.asking.select(query, "the first by their number"))
        if not rows:
            raise UnansweredError
        last = key_of(rows[min(many, len(rows)) - 1]["v"])
        kept = rows[:many] + [row for row in rows[many:] if key_of(row["v"]) == last]
        if len(kept) >= many + 20:
            raise UnansweredError
        names = [key_of(row["x"]) for row in kept]
        stated = await self.asking.select(values_query(names, p, MOST_ROWS), "what they state")
        if is_cut_short(stated):
            raise UnansweredError
        return await self.told.most_linked(
            self.asking, p, kept, cells_of(stated), ties=len(kept) > many
        )

    async def _bounded(self, sign: Span) -> PatternAnswer:
        reading = self.reading
        value, p, use = await self._valued()
        of = self._class(value)
        if len(reading.cues) > 1 or len(reading.entities) > 1 or len(reading.numbers) != 1:
            raise UnansweredError
        near = self._one(reading.entities[0]) if reading.entities else None
        if not may_order(sign, use):
            raise UnansweredError
        bound = reading.numbers[0].number
        if use.is_date and not (bound.isdigit() and len(bound) == 4):
            raise UnansweredError
        mark = {"above": ">", "below": "<", "least_bound": ">=", "most_bound": "<="}[sign.cue]
        query = bounded_query(of.classes, p, mark, bound, use.is_date, near.iri if near else "")
        outcome = await self.asking.select(query, "values within a bound")
        c = f"{of.text} ({near.label})" if near else of.text
        shown = {"c": c, "p": self.told.name(p), "sign": mark, "b": bound}
        if not outcome.rows:
            raise UnansweredError(self.told.none("bounded_none", [], **shown))
        found = cells_of(outcome)
        links = {key_of(row["p"]) for row in found} if near else set[str]()
        if len(links) > 1:
            raise UnansweredError(self.told.properties(near.label if near else "", sorted(links)))
        return await self.told.bounded(self.asking, p, found, shown, is_cut_short(outcome), near)

    async def _members(self) -> PatternAnswer:
        reading = self.reading
        if not reading.has("count") or len(reading.cues) > 1 or reading.numbers:
            raise UnansweredError
        spans = [one for one in reading.relations if one.classes]
        if len(spans) != 1 or len(reading.relations) != 1:
            raise UnansweredError
        number = count_of(await self.asking.select(members_query(spans[0].classes), "a count"))
        return self.told.members(spans[0], number)

    async def _ask(self) -> PatternAnswer:
        """Whether one entity is a relation of the other: yes, no, or not stated."""
        reading = self.reading
        if reading.cues or reading.numbers:
            raise UnansweredError
        first, second = reading.entities
        spans = [one for one in reading.relations if one.properties]
        one, other = self._one(first), self._one(second)
        if not spans or len(reading.relations) != 1:
            return await self._joined(one, other)
        span = spans[0]
        uses = await self.asking.uses(span.properties)
        found: list[tuple[Option, Step, Option]] = []
        for start, end, near in ((one, other, first), (other, one, second)):
            for step in self._ways(span, start.types, uses, end.types):
                if await self._says(span, step, near):
                    found.append((start, step, end))
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
        if any(key_of(row["n1"]) == end.iri for row in cells_of(outcome)):
            kept = [
                p
                for row, p in zip(cells_of(outcome), proofs, strict=True)
                if key_of(row["n1"]) == end.iri
            ]
            return self.told.yes(start, span, kept[0], end, step)
        if proofs and not is_cut_short(outcome) and await self._is_single(step):
            return await self.told.no(self.asking, start, span, proofs, end, step)
        pair = {"e": start.label, "p": self.told.step_name(step), "o": end.label}
        found_none = self.told.none("unstated_pair", [one, other], **pair)
        if proofs and not is_cut_short(outcome):
            found_none = await self.told.but(self.asking, found_none, start, step, proofs)
        raise UnansweredError(found_none)

    async def _is_single(self, step: Step) -> bool:
        """Whether nothing has two objects of a property, so that another one is wrong."""
        way = step[0]
        if len(step) > 1 or way.inverse or self.schema.properties[way.property].count < 3:
            return False
        query = several_query(way.property)
        return not (await self.asking.select(query, "one or several")).rows

    async def _joined(self, one: Option, other: Option) -> PatternAnswer:
        """Whether a property that is called "in" joins two entities."""
        if self.reading.relations or not self._is_located():
            raise UnansweredError
        outcome = await self.asking.select(joined_query(one.iri, other.iri), "what joins them")
        for row in cells_of(outcome):
            p = key_of(row["p"])
            words = local(p).split()
            if is_true(row["out"]) and ("in" in words or "location" in words):
                proof = Proof(Term("iri", one.iri), row["p"], Term("iri", other.iri))
                return self.told.joined(one, proof, other)
        raise UnansweredError

    async def _path(self) -> PatternAnswer:
        """One hop or several from the one entity of a prompt."""
        reading = self.reading
        count, order = reading.has("count"), reading.has("order")
        if len(reading.cues) > bool(count) + bool(order) or len(reading.numbers) > 1:
            raise UnansweredError
        span = reading.entities[0]
        spans = sorted(reading.relations, key=lambda one: gap_between(one, span))
        uses = await self.asking.uses([p for one in spans for p in one.properties])
        chains = [
            chain for option in span.options for chain in self._chains(option, spans, uses, span)
        ]
        year = reading.numbers[0].number if reading.numbers else ""
        if not chains or year:
            return await self._observed(span, spans, uses, year)
        starts = {chain.start.iri: chain.start for chain in chains}
        if len(starts) > 1:
            self._one(span, tuple(starts.values()))
        chain = await self._chosen(chains, span, uses)
        self._check_question_word(uses[chain.steps[-1][0].property])
        if order or await self._is_list(chain, uses):
            return await self._ordered(chain, uses, bool(order))
        outcome = await self.asking.select(
            path_query(chain.start.iri, chain.steps, chain.classes), "the statements that are asked"
        )
        rows, steps = cells_of(outcome), chain.steps
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
            raise UnansweredError(
                self.told.none("unstated", [chain.start], e=chain.start.label, p=named)
            )
        if any(_is_bnode(value) for value, _ in proofs):
            raise UnansweredError
        if count and not self._is_value(chain, uses):
            number = len({key_of(value) for value, _ in proofs})
            if is_cut_short(outcome):
                query = counted_query(chain.start.iri, chain.steps, chain.classes)
                number = count_of(await self.asking.select(query, "a count"))
            return await self.told.counted(self.asking, chain.start, p, proofs, number)
        return await self.told.path(
            self.asking, chain.start, chain.steps, proofs, is_cut=is_cut_short(outcome)
        )
