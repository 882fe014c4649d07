"""Words the answer of a pattern: a sentence in the language of the prompt, and its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.evidence.records import Condition, Statement, Value
from groundwire.graph.terms import Term
from groundwire.safe_text import inert_line, safe_name
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import (
    Ending,
    PatternAnswer,
    Proof,
    ends_of,
    key_of,
    start_term,
)
from groundwire.sparql.patterns.asking import Asking
from groundwire.sparql.patterns.compiling import Step, Way
from groundwire.sparql.patterns.phrasing import MOST_LISTED, Phrasing
from groundwire.sparql.patterns.reading import Option, Span
from groundwire.sparql.patterns.schema import unit_among
from groundwire.sparql.patterns.words import is_verbal
from groundwire.sparql.schema.names import DATES, NUMERIC, local
from groundwire.sparql.statements import (
    Relations,
    counted_set,
    entity_names,
    object_names,
    predicate_names,
    words,
)
from groundwire.sparql.workflow.model import Row, StatedTriple
from groundwire.sparql.workflow.queries import RDF_TYPE


class Telling(Phrasing):
    """Words the answers of one prompt."""

    def _answered(
        self,
        sentence: str,
        rows: Sequence[Row],
        proofs: Sequence[Proof],
        *,
        values: Sequence[Value] = (),
        statements: Sequence[Statement] = (),
        whole: bool = False,
    ) -> PatternAnswer:
        known = self._names(proofs)
        relations, stated = Relations(), list(values)
        for subject, predicate, obj in proofs:
            p = key_of(predicate)
            name = entity_names(key_of(subject), known)
            if isinstance(obj, Term) and obj.kind == "literal" and obj.datatype in NUMERIC | DATES:
                kind = "number" if obj.datatype in NUMERIC else "date"
                called = predicate_names(p, known)
                unit = unit_among((local(p), *called)) if kind == "number" else None
                stated.append(
                    Value(
                        local(p), obj.value, kind, unit, name[0], key_of(subject), called[:8],
                        source=key_of(subject),
                    )
                )  # fmt: skip
            relations.add(name, predicate_names(p, known), object_names(obj, known))
        # Only what was asked for in full is known to be all: the objects of one subject.
        is_of_one = len({key_of(one.subject) for one in proofs}) == 1
        found = relations.statements("all_listed" if whole and is_of_one else "")
        return PatternAnswer(
            "answered", sentence, tuple(rows), tuple(stated), (*found, *statements)
        )

    async def path(
        self,
        asking: Asking,
        start: Option,
        steps: Sequence[Step],
        found: Sequence[tuple[Cell, list[Proof]]],
        *,
        is_cut: bool,
    ) -> PatternAnswer:
        """The nodes at the end of some steps."""
        found = self._in_language(found)
        await self._look_up(asking, [start_term(start), *(c for c, _ in found), *ends_of(found)])
        last = steps[-1][0]
        unique = {key_of(cell): (cell, proofs) for cell, proofs in self._by_name(found)}
        cells = [self.called(cell) for cell, _ in unique.values()]
        e = self.called(start_term(start))
        most = max(self._limit, 1)
        shown = list(unique.values())[:most]
        said = self._listed(cells, most)
        p = " / ".join(self.step_name(step) for step in reversed(steps))
        if len(steps) == 2 and not any(step[0].inverse for step in steps):
            first, p = (self.step_name(step) for step in steps)
            key = "chained_verbal" if is_verbal(first) else "chained"
            told = self._listed([self._through(cell, of) for cell, of in unique.values()], most)
            sentence = self._say(key, e=e, first=first, p=p, v=told)
        elif len(steps) == 1 and last.inverse:
            sentence = self._say("inverse", v=said, p=p, e=e)
        else:
            key = "forward_verbal" if len(steps) == 1 and is_verbal(p) else "forward"
            sentence = self._say(key, e=e, p=p, v=said)
        if is_cut:
            sentence += self._say("cut")
        rows = [self._row(cell, proofs) for cell, proofs in shown]
        proofs = [one for _, of in unique.values() for one in of]
        return self._answered(sentence, rows, proofs, whole=len(steps) == 1 and not is_cut)

    def _through(self, cell: Cell, proofs: Sequence[Proof]) -> str:
        """Return the end of two steps with what is between: Bern (Switzerland)."""
        between = [one for one in proofs if key_of(one.object) == key_of(cell)]
        name = self.called(between[-1].subject) if between else ""
        own = self.called(cell)
        return f"{own} ({name})" if name and name != own else own

    def _in_language(
        self, found: Sequence[tuple[Cell, list[Proof]]]
    ) -> Sequence[tuple[Cell, list[Proof]]]:
        """Of texts in several languages those in the language of the prompt, or in English."""
        tags = {c.language for c, _ in found if isinstance(c, Term) and c.kind == "literal"}
        if len(tags) < 2:
            return found
        best = next((one for one in (self.reading.language, "en") if one in tags), None)
        return [
            (cell, proofs) for cell, proofs in found
            if best is None or (isinstance(cell, Term) and cell.language == best)
        ]  # fmt: skip

    async def counted(
        self,
        asking: Asking,
        start: Option,
        p: str,
        found: Sequence[tuple[Cell, list[Proof]]],
        number: int,
    ) -> PatternAnswer:
        """How many nodes there are at the end of some steps, and which."""
        await self._look_up(asking, [start_term(start), *(c for c, _ in found), *ends_of(found)])
        unique = {key_of(cell): (cell, proofs) for cell, proofs in self._by_name(found)}
        cells = [self.called(cell) for cell, _ in unique.values()]
        e = self.called(start_term(start))
        is_inverse = all(key_of(of[-1].object) == start.iri for _, of in found)
        if is_inverse and found:
            key = "count_inverse" if number == len(cells) <= self._limit else "count_many_inverse"
            sentence = self._say(key, n=number, p=p, e=e, v=self._listed(cells))
        elif number == len(cells) <= self._limit:
            key = "count_verbal" if is_verbal(p) else "count"
            sentence = self._say(key, n=number, p=p, e=e, v=self._listed(cells))
        else:
            key = "count_many_verbal" if is_verbal(p) else "count_many"
            sentence = self._say(key, n=number, p=p, e=e)
        proofs = [one for _, of in unique.values() for one in of]
        rows = [self._row(cell, of) for cell, of in list(unique.values())[: self._limit]]
        known = self._names(proofs)
        predicate = predicate_names(key_of(proofs[-1].predicate), known)
        spans = self.reading.relations
        classes = [one for span in spans for one in self._schema.named_of(span.classes)]
        members = tuple(
            dict.fromkeys(name for one in classes for name in self._class_names(one))
        ) or (p, *predicate)
        names = entity_names(start.iri, known)
        value = Value("count", str(number))
        objects = [object_names(cell, known) for cell, _ in unique.values()]
        condition = Condition(predicate, "is", (names,))
        scope = counted_set(
            members, (condition,), 0, is_whole=True,
            objects=[one for one in objects if one] if number == len(cells) else (),
        )  # fmt: skip
        whole = number == len(cells)
        return self._answered(
            sentence, rows, proofs, values=(value,), statements=(scope,), whole=whole
        )

    def _class_names(self, name: str) -> tuple[str, ...]:
        held = self._schema.classes[name]
        own = (local(name), *(text for text, _ in held.labels))
        plurals = tuple(f"{text[:-1]}ies" if text.endswith("y") else f"{text}s" for text in own[:2])
        return tuple(dict.fromkeys((*own, *plurals)))

    def members(self, span: Span, number: int) -> PatternAnswer:
        """How many entities a class has."""
        held = self._schema.classes[span.classes[0]]
        name = safe_name(held.called(self.reading.language))
        sentence = self._say("members", n=number, c=name)
        row = Row(
            held.iri, name, str(number), 1.0, self._endpoint, match="pattern",
            triples=(StatedTriple("", RDF_TYPE, held.iri, f"{number} × {name}"),),
            looked_for=self.reading.prompt,
        )  # fmt: skip
        names = (span.text, name, *(text for text, _ in held.labels), held.iri)
        value = Value("count", str(number), labels=names[:8])
        scope = counted_set(tuple(dict.fromkeys(names)), (), 0, is_whole=True)
        return PatternAnswer("answered", sentence, (row,), (value,), (scope,))

    async def listed(
        self, asking: Asking, span: Span, number: int, cells: Sequence[Cell]
    ) -> PatternAnswer:
        """How many entities a class has, and those of them that are shown."""
        counted = self.members(span, number)
        await self._look_up(asking, cells)
        kind = Term("iri", span.classes[0])
        proofs = [Proof(one, Term("iri", RDF_TYPE), kind) for one in cells]
        rows = [self._row(cell, [of]) for cell, of in zip(cells, proofs, strict=True)]
        said = self._listed([self.called(one) for one in cells], number=number)
        name = safe_name(self._schema.classes[span.classes[0]].called(self.reading.language))
        sentence = self._say("members_listed", n=number, c=name, v=said)
        told = self._answered(sentence, rows, proofs, values=counted.values)
        return replace(told, statements=(*counted.statements, *told.statements))

    def values(
        self, key: str, entity: Option, proofs: Sequence[Proof], **parts: str
    ) -> PatternAnswer:
        """Texts that an entity states."""
        texts = list(dict.fromkeys(self.called(one.object) for one in proofs))
        sentence = self._say(key, e=safe_name(entity.label), v=self._listed(texts), **parts)
        return self._answered(sentence, [self._row(one.object, [one]) for one in proofs], proofs)

    def yes(
        self, start: Option, span: Span, proof: Proof, end: Option, step: Step
    ) -> PatternAnswer:
        """That a statement is held."""
        p = self.step_name(step)
        key = "yes_verbal" if is_verbal(p) else "yes"
        sentence = self._say(key, p=p, e=safe_name(start.label), v=safe_name(end.label))
        return self._answered(sentence, [self._row(start_term(end), [proof])], [proof])

    def joined(self, one: Option, proof: Proof, other: Option) -> PatternAnswer:
        """That a property joins two entities."""
        sentence = self._say(
            "yes", p=self.name(key_of(proof.predicate)), e=safe_name(one.label),
            v=safe_name(other.label),
        )  # fmt: skip
        return self._answered(sentence, [self._row(start_term(other), [proof])], [proof])

    async def no(
        self, asking: Asking, start: Option, span: Span, proofs: Sequence[Proof], end: Option,
        step: Step,
    ) -> PatternAnswer:  # fmt: skip
        """That another statement is held, of which there is one for each subject."""
        await self._look_up(asking, [one.object for one in proofs])
        said = self._listed([self.called(one.object) for one in proofs])
        p = self.step_name(step)
        sentence = self._say(
            "no_verbal" if is_verbal(p) else "no",
            p=p,
            e=safe_name(start.label),
            v=said,
            o=safe_name(end.label),
        )
        rows = [self._row(one.object, [one]) for one in proofs]
        return replace(self._answered(sentence, rows, proofs, whole=True), denies=True)

    def judged(self, told: PatternAnswer, *, is_so: bool) -> PatternAnswer:
        """An answer with the yes or no that it comes to before it, where that is asked."""
        if not self.reading.is_ask:
            return told
        yes_or_no = self._say("is_so" if is_so else "is_not")
        return replace(told, sentence=f"{yes_or_no}{self._space}{told.sentence}", denies=not is_so)

    def together(self, answers: Sequence[PatternAnswer]) -> PatternAnswer:
        """Several answers of one kind as one."""
        return replace(
            answers[0],
            sentence=self._space.join(one.sentence for one in answers),
            rows=tuple(row for one in answers for row in one.rows),
            values=tuple(value for one in answers for value in one.values),
            statements=tuple(said for one in answers for said in one.statements),
        )

    def compared(
        self,
        p: str,
        held: Sequence[tuple[Option, Cell]],
        orders: Sequence[Any],
        *,
        wants_more: bool,
        is_date: bool,
        is_yes_no: bool,
    ) -> PatternAnswer:
        """Which of some entities has the greatest or smallest value; of two, whether one has."""
        name = self.name(p)
        ranked = sorted(range(len(held)), key=lambda at: orders[at], reverse=wants_more)
        (first, a), (second, b) = held[0], held[1]
        if is_yes_no:
            above = orders[0] > orders[1] if wants_more else orders[0] < orders[1]
            key = "compared_yes" if above else "compared_no"
            sentence = self._say(
                key, p=name, e=safe_name(first.label), o=safe_name(second.label),
                a=self.figure(a), b=self.figure(b),
            )  # fmt: skip
            ranked = list(range(len(held)))
        elif orders[ranked[0]] == orders[ranked[1]]:
            best = [safe_name(held[at][0].label) for at in ranked
                    if orders[at] == orders[ranked[0]]]  # fmt: skip
            sentence = self._say(
                "same",
                p=name,
                e=self._listed(best[:-1]),
                o=best[-1],
                a=self.figure(held[ranked[0]][1]),
            )
        else:
            of = "_of_two" if len(held) == 2 else ""
            way = self._say(f"{'max' if wants_more else 'min'}{'_date' if is_date else ''}{of}")
            (best, top), (next_one, low) = held[ranked[0]], held[ranked[1]]
            sentence = self._say(
                f"compared{of}", v=safe_name(best.label), way=way, p=name, a=self.figure(top),
                b=self.figure(low), o=safe_name(next_one.label),
            )  # fmt: skip
            more = [
                f"{safe_name(held[at][0].label)} ({self.figure(held[at][1])})" for at in ranked[2:]
            ]
            if more:
                sentence += self._space + self._say("compared_more", v=self._listed(more))
        proofs = [Proof(start_term(option), Term("iri", p), value) for option, value in held]
        rows = [self._row(proofs[at].object, [proofs[at]]) for at in ranked]
        return self._answered(sentence, rows, proofs)

    async def compared_counts(
        self, asking: Asking, p: str, wants_more: bool, sides: Sequence[tuple[Option, list[Proof]]],
        *, is_yes_no: bool,
    ) -> PatternAnswer:  # fmt: skip
        """Which of two entities has more, or fewer, objects of a property."""
        await self._look_up(asking, [one.object for _, own in sides for one in own])
        ordered = sorted(sides, key=lambda one: len(one[1]), reverse=wants_more)
        numbers = [len(own) for _, own in sides]
        is_so = numbers[0] > numbers[1] if wants_more else numbers[0] < numbers[1]
        shown = sides if is_yes_no else ordered
        (first, a), (second, b) = shown
        key = f"counts_{'yes' if is_so else 'no'}" if is_yes_no else "counts"
        if numbers[0] == numbers[1] and not is_yes_no:
            key = "counts_same"
        sentence = self._say(
            key, p=self.name(p), e=safe_name(first.label), a=len(a), o=safe_name(second.label),
            b=len(b),
        )  # fmt: skip
        proofs = [one for _, own in shown for one in own]
        rows = [self._row(start_term(entity), own, f"{safe_name(entity.label)}: {len(own)}")
                for entity, own in shown]  # fmt: skip
        values = [
            Value("count", str(len(own)), entity=safe_name(entity.label), entity_iri=entity.iri,
                  labels=predicate_names(p, self._names(own))[:8])
            for entity, own in shown
        ]  # fmt: skip
        return self._answered(sentence, rows, proofs, values=values)

    async def most_linked(
        self, asking: Asking, way: Way, found: Sequence[tuple[Cell, Sequence[Cell]]], *,
        is_most: bool, ties: bool,
    ) -> PatternAnswer:  # fmt: skip
        """The entities that a property joins with the most or fewest things, each with these."""
        await self._look_up(asking, [cell for one, of in found for cell in (one, *of)])
        rows, proofs, values = list[Row](), list[Proof](), list[Value]()
        said, p = list[str](), way.property
        for cell, of in found:
            own = [Proof(cell, Term("iri", p), one) if way.inverse else
                   Proof(one, Term("iri", p), cell) for one in of]  # fmt: skip
            label, number = self.called(cell), str(len({key_of(one) for one in of}))
            said.append(f"{label} ({number})")
            rows.append(self._row(cell, own, said[-1]))
            proofs += own
            values.append(Value("count", number, entity=label, entity_iri=key_of(cell),
                                labels=predicate_names(p, self._names(own))[:8]))  # fmt: skip
        key = "ranked_count" if is_most else "ranked_count_least"
        sentence = self._say(key, p=self.name(p), v=self._listed(said, MOST_LISTED))
        if ties:
            sentence += " " + self._say("ranked_ties")
        return self._answered(sentence, rows, proofs, values=values)

    def observed(self, entity: Option, p: str, row: Mapping[str, Cell], year: str) -> PatternAnswer:
        """A value that a node beside an entity states for a year."""
        value = key_of(row["v"])
        out = key_of(row["out"]) in ("true", "1", "True")
        ends = (start_term(entity), row["n"]) if out else (row["n"], start_term(entity))
        proofs = [
            Proof(ends[0], row["link"], ends[1]),
            Proof(row["n"], Term("iri", p), row["v"]),
            Proof(row["n"], row["yp"], row["y"]),
        ]
        name, label = self.name(p), safe_name(entity.label)
        sentence = self._say("observed", e=label, p=name, y=year, v=self.figure(row["v"]))
        called = predicate_names(p, self._names(proofs))
        stated = Value(
            local(p), value, "number", unit_among((local(p), *called)), label, entity.iri,
            called[:8], year, key_of(row["n"]),
        )  # fmt: skip
        shown = Row(
            entity.iri, label, self.figure(row["v"]), 1.0, self._endpoint, match="pattern",
            triples=self._triples(proofs), looked_for=self.reading.prompt,
        )  # fmt: skip
        return PatternAnswer("answered", sentence, (shown,), (stated,))

    async def ordered(
        self, asking: Asking, start: Option, step: Step, items: Sequence[Cell]
    ) -> PatternAnswer:
        """Members in their order, all of them."""
        await self._look_up(asking, [start_term(start), *items])
        e, p = self.called(start_term(start)), self.step_name(step)
        said = [f"{number}. {self.called(item)}" for number, item in enumerate(items, 1)]
        sentence = self._say("list", e=e, p=p, v=self._listed(said, MOST_LISTED))
        predicate = Term("iri", step[0].property)
        proofs = [Proof(start_term(start), predicate, item) for item in items]
        rows = [self._row(item, [proof]) for item, proof in zip(items, proofs, strict=True)]
        known = self._names(proofs)
        names = entity_names(start.iri, known)
        order = Statement(
            "order", names, predicate_names(step[0].property, known),
            tuple(object_names(item, known) for item in items), complete="all_listed",
        )  # fmt: skip
        return self._answered(sentence, rows[:MOST_LISTED], proofs, statements=(order,), whole=True)

    # What is asked back, and what is not held

    def candidates(self, key: str, text: str, options: Sequence[Option]) -> PatternAnswer:
        """Several entities may be meant."""
        named = [f"{safe_name(one.label)} ({inert_line(one.iri)})" for one in options[:6]]
        sentence = self._say(key, t=safe_name(text), v=self._listed(named))
        return PatternAnswer(
            "needs_decision", sentence, tuple(self._entity_row(one) for one in options[:6])
        )

    def properties(self, text: str, names: Sequence[str]) -> PatternAnswer:
        """Several properties may be meant."""
        named = [f"{self.name(one)} ({inert_line(one)})" for one in dict.fromkeys(names)][:6]
        sentence = self._say("properties", t=safe_name(text), v=self._listed(named))
        return PatternAnswer("needs_decision", sentence)

    def by_what(self, text: str, names: Sequence[str]) -> PatternAnswer:
        """A superlative or comparison names no property; those that may be meant are listed."""
        named = [self.name(one) for one in names[:6]]
        sentence = self._say("by_what", t=safe_name(text), v=self._listed(named))
        return PatternAnswer("needs_decision", sentence)

    async def but(
        self, asking: Asking, none: PatternAnswer, start: Option, step: Step,
        proofs: Sequence[Proof],
    ) -> PatternAnswer:  # fmt: skip
        """Add to what is not stated what is stated instead."""
        ends = [p.subject if step[0].inverse else p.object for p in proofs]
        await self._look_up(asking, ends)
        p = self.step_name(step)
        named = [self.called(cell) for cell, _ in self._by_name((one, []) for one in ends)]
        said = self._listed(named, max(self._limit, 1))
        if step[0].inverse:
            more = self._say("inverse", v=said, p=p, e=safe_name(start.label))
        else:
            key = "forward_verbal" if is_verbal(p) else "forward"
            more = self._say(key, e=safe_name(start.label), p=p, v=said)
        return replace(none, sentence=f"{none.sentence} {more}")

    def direction(self, start: Option, span: Span) -> PatternAnswer:
        """A property may be meant in both directions."""
        sentence = self._say("direction", p=safe_name(span.text), e=safe_name(start.label))
        return PatternAnswer("needs_decision", sentence, (self._entity_row(start),))

    def years(self, entity: Option, p: str, years: Sequence[str]) -> PatternAnswer:
        """A value is stated for several times, of which the prompt names none."""
        sentence = self._say(
            "years", p=self.name(p), e=safe_name(entity.label), v=self._listed(list(years))
        )
        return PatternAnswer("needs_decision", sentence, (self._entity_row(entity),))

    def none(
        self, key: str, entities: Sequence[Option], of: str = "", **parts: str
    ) -> PatternAnswer:
        """No statement of the kind that is asked is held; what is asked is named."""
        if key == "unstated" and is_verbal(parts["p"]):
            key = "unstated_verbal"
        sentence = self._say(key, **{name: safe_name(part) for name, part in parts.items()})
        rows = tuple(self._entity_row(one) for one in entities)
        subject = tuple(parts[one] for one in ("e", "o") if one in parts) or (parts.get("c", ""),)
        called = {one.label: entity_names(one.iri, self._labels, one.label) for one in entities
                  if one.iri in self._labels}  # fmt: skip
        names = [called.get(one, (one,)) for one in subject]
        p = predicate_names(of, self._labels) if of in self._labels else (parts.get("p", ""),)
        absent = Statement(
            "absence", names[0], (*p, *words("answer"))[:6],
            conditions=tuple(Condition(("object",), "is", (one,)) for one in names[1:]),
            source=self._endpoint.name,
        )  # fmt: skip
        ending: Ending = "entity_found" if rows else "needs_decision"
        return PatternAnswer(ending, sentence, rows, (), (absent,))

    def broken(
        self, key: str, start: Option, p: str, nodes: Sequence[str], why: str = ""
    ) -> PatternAnswer:
        """A list is not whole, or its order is not stated."""
        named = [self.called(Term("iri", one)) for one in nodes]
        sentence = self._say(key, p=p, e=safe_name(start.label), why=why, v=self._listed(named))
        return PatternAnswer("entity_found", sentence, (self._entity_row(start),))

    def left(self, spans: Sequence[Span] = ()) -> PatternAnswer:
        """Words of the prompt were not understood: those that are given, or all that are left."""
        said = ", ".join(f"“{safe_name(one.text)}”" for one in spans or self.reading.left)
        return PatternAnswer("unread", self._say("left", v=said))
