"""Selections: their parts in a question, their conditions in words, and who meets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from groundwire.evidence.records import Condition, Statement, Value
from groundwire.graph.terms import Term
from groundwire.safe_text import safe_name
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import PatternAnswer, Proof, key_of, start_term
from groundwire.sparql.patterns.asking import Asking
from groundwire.sparql.patterns.compiling import Bound, Link, Step, is_true
from groundwire.sparql.patterns.phrasing import MOST_LISTED, MOST_NAMED
from groundwire.sparql.patterns.reading import Option, Reading, Span
from groundwire.sparql.patterns.telling import Telling
from groundwire.sparql.patterns.words import SCALES, data, is_verbal, plain, tokens
from groundwire.sparql.schema.names import Use
from groundwire.sparql.statements import (
    Labels,
    counted_set,
    object_names,
    predicate_names,
    words,
)
from groundwire.sparql.workflow.model import Row
from groundwire.sparql.workflow.queries import RDF_TYPE

SIGNS = {"above": ">", "below": "<", "least_bound": ">=", "most_bound": "<="}
OF = frozenset(("of", "von", "des", "vom"))


@dataclass(slots=True)
class Meant:
    """An entity with the link that it belongs to, if one was named."""

    span: Span
    option: Option
    link: Span | None
    step: Step
    is_denied: bool = False


@dataclass(slots=True)
class Selection:
    """A selection as a question asks for it.

    Attributes:
        of: the words that say what is selected.
        classes: of which it is; nothing where a link alone says it.
        links: conditions, each with the entities as they were named.
        value: the property of its bounds or order, with its use; None for neither.
        bounds: of that value.
        way: the superlative, or None.
        projected: a link of the one that is selected, which is asked for; None for none.
    """

    of: Span
    classes: tuple[str, ...]
    links: list[tuple[Link, tuple[Option, ...]]] = field(
        default_factory=list[tuple[Link, tuple[Option, ...]]]
    )
    value: tuple[str, Use] | None = None
    bounds: tuple[Bound, ...] = ()
    way: Span | None = None
    projected: Step | None = None

    def add(self, link: Link, meant: Sequence[Meant]) -> None:
        """Add a condition that some entities meet."""
        options = tuple(one.option for one in meant)
        self.links.append((link._replace(entities=tuple(one.iri for one in options)), options))

    @property
    def plain_links(self) -> list[Link]:
        """The links without names."""
        return [link for link, _ in self.links]

    def without_denied(self, rows: Sequence[Mapping[str, Cell]]) -> list[Mapping[str, Cell]]:
        """Leave out the entities that are denied: nobody asks whether Brazil borders Brazil."""
        own = {e for link in self.plain_links if link.kind == "not" for e in link.entities}
        return [row for row in rows if key_of(row["x"]) not in own]

    def silent(self, rows: Sequence[Mapping[str, Cell]]) -> list[Cell]:
        """Return those that state nothing at all by a relation that is denied of an entity."""
        denied = [at for at, link in enumerate(self.plain_links) if link.kind == "not"]
        if len(denied) != 1:
            return []
        silent = (row["x"] for row in rows if not is_true(row[f"s{denied[0]}"]))
        return list({key_of(cell): cell for cell in silent}.values())


def stands_in(reading: Reading, selection: Selection, span: Span) -> bool:
    """Whether the words say that something is in, of or with an entity, or name it beside."""
    if reading.language == "zh":
        return True
    articles = data()["articles"]["words"]
    before = [word for word in reading.texts()[: span.first] if word not in articles]
    cues = [one for one in reading.cues if one.cue in ("not", "both")]
    while before and any(one.last == len(before) and one.first < span.first for one in cues):
        before.pop()
    joining = {*data()["joining"]["words"], *OF}
    beside = [selection.of, *reading.cues]
    return bool(before and before[-1] in joining) or any(
        one.first == span.last or one.last == span.first for one in beside
    )


def is_coordinated(reading: Reading, spans: Sequence[Span]) -> bool:
    """Whether spans stand in a list: "and" or a comma between any two, and no "of"."""
    joints = {plain(one) for one in data()["and"]["words"]}
    for one, other in pairwise(spans):
        between = set(reading.between(one, other))
        text = reading.prompt[reading.words[one.last - 1].end : reading.words[other.first].start]
        is_joined = between & joints or any(mark in text for mark in ",、，&+/")
        # "Of A and of B" is a list; "A and the B of C" is none.
        is_of = between & OF and not between <= {*joints, *OF}
        if is_of or not is_joined:
            return False
    return True


def _names_class(reading: Reading, uses: Mapping[str, Use]) -> bool:
    """Whether a prompt names a class; "orders" does, though "ordered by" is made of it too."""
    return any(
        one.classes and not any(uses[p].is_number or uses[p].is_truth for p in one.properties)
        for one in reading.relations
    )


def value_named(reading: Reading, uses: Mapping[str, Use]) -> Span | None:
    """Return the relation whose value a number says: "published in 2019", "tier 1"; or None."""
    signs = ("most", "least", "between", "count", *SIGNS)
    if len(reading.numbers) != 1 or not _names_class(reading, uses) or reading.has(*signs):
        return None
    [number] = reading.numbers
    for one in reading.relations:
        is_date = bool(one.properties) and all(uses[p].is_date for p in one.properties)
        is_number = bool(one.properties) and all(uses[p].is_number for p in one.properties)
        if is_date and number.is_time:
            return one
        if is_number and (one.last == number.first or number.last == one.first):
            return one
    before = reading.texts()[number.first - 1] if number.first else ""
    behind = reading.texts()[number.last : number.last + 1]
    if any(
        uses[p].is_truth
        for one in reading.relations
        if number.first - one.last in (0, 1)
        for p in one.properties
    ):
        # "Paid in October" says when it was paid, and no date of that is stated.
        return None
    says_when = number.is_time and (before in data()["in_year"]["words"] or behind == ["年"])
    return number if says_when or number.is_day else None


def truth_asked(
    reading: Reading, uses: Mapping[str, Use]
) -> tuple[Span, str, Use, Bound, Span | None] | None:
    """Return a property that is true or false of what is selected: "are signed", "not certified".

    With it come its use, what it has to be, and the word that denies it.
    """
    found = [
        (one, p) for one in reading.relations for p in one.properties if uses[p].is_truth
    ]  # fmt: skip
    denials = [one for one in reading.cues if one.cue == "not"]
    if len(found) != 1 or not _names_class(reading, uses) or len(denials) > 1:
        return None
    [(span, p)] = found
    if denials and any(one.first >= denials[0].last for one in reading.entities):
        return None
    denial = denials[0] if denials else None
    return span, p, uses[p], Bound("=", "false" if denial else "true"), denial


def bounds_of(
    reading: Reading, signs: Sequence[Span], p: str, use: Use
) -> tuple[Bound, ...] | None:
    """Return each number with the cue before it, or two with "between"; None if they do not fit.

    A number behind which the unit of another property stands does not fit.
    """
    numbers = [one.number for one in reading.numbers]
    if any(one.properties and p not in one.properties for one in reading.numbers):
        return None
    if not all(one.is_time if use.is_date else not one.is_day for one in reading.numbers):
        return None
    if any(one.cue == "between" for one in signs):
        if len(signs) != 1 or len(numbers) != 2:
            return None
        if use.is_date:
            low, high = numbers
            return (Bound(">=", low, True), Bound("<=", high, True)) if low <= high else None
        low, high = (float(one) for one in numbers)
        scale = _scale_of(reading.numbers[1])
        if scale > 1 and _scale_of(reading.numbers[0]) == 1 and low < high / scale + 1:
            # "Between 10 and 12 million" says the scale once.
            low *= scale
        if low > high:
            return None
        found = [(">=", f"{low:.15g}"), ("<=", f"{high:.15g}")]
    else:
        if len(signs) != len(numbers):
            return None
        found = [(SIGNS[one.cue], n) for one, n in zip(signs, numbers, strict=True)]
    return tuple(Bound(sign, number, use.is_date) for sign, number in found)


def _scale_of(number: Span) -> float:
    """Return the scale that is said with a number: million, 万; 1 for none."""
    said = [word.text for word in tokens(number.text)]
    return SCALES.get(plain(said[-1]), 1) if len(said) > 1 else 1


Found = Sequence[tuple[Cell, list[Proof]]]
"""Nodes, each with the statements that prove it."""
Links = Sequence[tuple[Link, tuple[Option, ...]]]


def _conditions(links: Links, known: Labels) -> list[Condition] | None:
    """Return what holds for all that is selected; None where something cannot be stated so."""
    if any(link.kind != "is" for link, _ in links):
        return None
    return [
        Condition(
            predicate_names(link.step[0].property, known),
            "is",
            tuple(object_names(start_term(one), known) for one in of),
        )
        for link, of in links
    ]


class SelectionTelling(Telling):
    """Words the answers to one prompt that selects."""

    def class_name(self, span: Span) -> str:
        """Return what is selected is called: its class, or the words of the prompt."""
        if span.classes:
            return safe_name(self._schema.classes[span.classes[0]].called(self.reading.language))
        return safe_name(span.text)

    async def look_up(self, asking: Asking, links: Links, cells: Sequence[Cell] = ()) -> None:
        """Read the labels of what a selection names."""
        await self._look_up(asking, [*(start_term(o) for _, of in links for o in of), *cells])

    def conditions(self, links: Links, p: str, bounds: Sequence[Bound]) -> str:
        """Return the conditions in words."""
        parts: list[str] = []
        for link, options in links:
            name = self.step_name(link.step) if link.step else ""
            labels = [self.called(start_term(one)) for one in options]
            if link.kind == "except":
                parts += [f"≠ {label}" for label in labels]
            elif link.kind == "none":
                parts.append(self._say("not_stated", v=name))
            elif link.kind == "bound":
                parts += [f"{name} {one.sign} {one.number}" for one in link.bounds]
            elif link.kind == "many":
                parts += [self._say("many", p=name, s=b.sign, n=b.number) for b in link.bounds]
            elif link.kind == "any":
                parts.append(f"{name}: {self._say('or').join(labels)}")
            else:
                said = [f"{name}: {label}" for label in labels]
                denied = [self._say("not_stated", v=one) for one in said]
                parts += denied if link.kind == "not" else said
        parts += [f"{self.name(p)} {one.sign} {one.number}" for one in bounds]
        return "; ".join(parts)

    async def several(
        self, asking: Asking, told: Sequence[tuple[Option, Step, Found]]
    ) -> PatternAnswer:
        """Tell some properties of each of some entities."""
        cells = [cell for _, _, found in told for cell, _ in found]
        await self._look_up(asking, [*(start_term(one) for one, _, _ in told), *cells])
        rows: list[Row] = []
        proofs: list[Proof] = []
        sentences: list[str] = []
        for option, step, every in told:
            found = self._by_name(self._in_language(every))
            e, p = self.called(start_term(option)), self.step_name(step)
            if not found:
                sentences.append(self._say("unstated", e=e, p=p))
                continue
            said = self._listed([self.called(cell) for cell, _ in found], max(self._limit, 1))
            key = "forward_verbal" if is_verbal(p) else "forward"
            inverse = step[0].inverse
            sentences.append(
                self._say("inverse", v=said, p=p, e=e)
                if inverse
                else self._say(key, e=e, p=p, v=said)
            )
            rows += [self._row(cell, of) for cell, of in found]
            proofs += [one for _, of in found for one in of]
        # The answer quotes the first sentence, so sentences without a stated value go last.
        first = [one for one, (_, _, found) in zip(sentences, told, strict=True) if found]
        rest = [one for one in sentences if one not in first]
        return self._answered(self._space.join((*first, *rest)), rows, proofs)

    async def selected(
        self,
        asking: Asking,
        links: Links,
        p: str,
        c: str,
        rows: Sequence[Mapping[str, Cell]],
        found: Found,
        *,
        bounds: Sequence[Bound],
        classes: Sequence[str],
        silent: Sequence[Cell],
        is_counted: bool,
        is_cut: bool,
    ) -> PatternAnswer:
        """Who meets the conditions of a selection, or how many do."""
        await self.look_up(asking, links, [cell for cell, _ in found])
        found = self._by_name(found)
        shown = self.conditions(links, p, bounds)
        is_same = any(one.number in ("true", "false") for one in bounds)
        values = {key_of(row["x"]): key_of(row["v"]) for row in rows} if p and not is_same else {}
        many = [at for at, (link, _) in enumerate(links) if link.kind == "many"][:1]
        values = values or {key_of(row["x"]): key_of(row[f"b{at}"]) for row in rows for at in many}
        cells: list[str] = []
        told: list[Row] = []
        for cell, proofs in found:
            value = values.get(key_of(cell), "")
            cells.append(f"{self.called(cell)} ({value})" if value else self.called(cell))
            # The query itself proves a member that only a denial selects.
            own = proofs or [Proof(cell, Term("iri", RDF_TYPE), cell)]
            row = self._row(cell, own, cells[-1])
            told.append(row if proofs else replace(row, triples=()))
        said = self._listed(cells, max(self._limit, MOST_NAMED))
        key = "selected_count" if is_counted else "selected"
        sentence = self._say(key, n=len(found), c=c, w=shown, v=said)
        if silent:
            p_none = next(link.step for link, _ in links if link.kind == "not")
            named = self._listed([self.called(one) for one in silent], max(self._limit, 1))
            sentence += self._space + self._say("silent", v=named, p=self.step_name(p_none))
        if is_cut:
            sentence += self._say("cut")
        proofs = [one for _, of in found for one in of]
        known = self._names(proofs)
        conditions = _conditions(links, known)
        of = [links[at][0].step[0].property for at in many]
        called = {one: self._schema.properties[one].labels for one in of}
        counted = tuple(
            Value("count", values[key_of(cell)], entity=self.called(cell), entity_iri=key_of(cell),
                  labels=predicate_names(one, called)[:8])
            for one in of for cell, _ in found
        )  # fmt: skip
        statements = ()
        if is_counted and not is_cut and conditions is not None and not bounds:
            counted = (Value("count", str(len(found))),)
            names = tuple(
                name for one in self._schema.named_of(classes) for name in self._class_names(one)
            ) or (c,)
            statements = (counted_set(names, conditions, 0, is_whole=True),)
        elif is_counted and not is_cut:
            counted += (Value("count", str(len(found)), labels=(f"{c} ({shown})",)),)
        answer = self._answered(
            sentence, told[: self._limit], proofs, values=counted, statements=statements
        )
        is_open = any(link.kind in ("not", "none") for link, _ in links)
        return replace(answer, confidence="medium") if is_open else answer

    async def summed(
        self,
        asking: Asking,
        links: Links,
        p: str,
        c: str,
        kind: str,
        found: Found,
        bounds: Sequence[Bound],
    ) -> PatternAnswer:
        """The sum or the mean of the values of what meets some conditions, with each value."""
        await self.look_up(asking, links, [cell for cell, _ in found])
        values = [Decimal(key_of(proofs[0].object)) for _, proofs in found]
        value = sum(values, Decimal(0)) / (len(values) if kind == "mean" else 1)
        text = f"{value.quantize(Decimal('0.01')).normalize() if kind == 'mean' else value:f}"
        shown = self.conditions(links, p, bounds)
        named = f"{c} ({shown})" if shown else c
        cells = [f"{self.called(cell)} ({self.figure(proofs[0].object)})" for cell, proofs in found]
        said = self._listed(cells, max(self._limit, 1))
        figure = self.figure(Term("literal", text))
        sentence = self._say(kind, n=len(found), p=self.name(p), c=named, t=figure, v=said)
        rows = [self._row(cell, of, one) for (cell, of), one in zip(found, cells, strict=True)]
        proofs = [one for _, of in found for one in of]
        total = Value(kind, text, labels=(f"{self.name(p)} {named}",))
        return self._answered(sentence, rows[: self._limit], proofs, values=(total,))

    async def ranked(
        self,
        asking: Asking,
        p: str,
        *,
        is_date: bool,
        descending: bool,
        c: str,
        links: Links,
        rows: Sequence[Mapping[str, Cell]],
        found: Found,
        without: int,
        ties: bool,
        place: int,
    ) -> PatternAnswer:
        """The first of a selection by a value, or those at one place of its order."""
        await self.look_up(asking, links, [cell for cell, _ in found])
        said = [f"{self.called(row['x'])} ({self.figure(row['v'])})" for row in rows]
        told = [
            self._row(cell, proofs, text)
            for (cell, proofs), text in zip(found, said, strict=True)
        ]  # fmt: skip
        way = self._say(("max" if descending else "min") + ("_date" if is_date else ""))
        listed = self._listed(said, MOST_LISTED)
        key = "ranked_place" if place > 1 else "ranked"
        sentence = self._say(key, p=self.name(p), way=way, n=place, v=listed)
        if shown := self.conditions(links, "", ()):
            sentence += self._space + self._say("ranked_among", c=c, w=shown)
        if ties:
            sentence += self._space + self._say("ranked_ties")
        if without:
            sentence += self._space + self._say("ranked_without", n=without, c=c, p=self.name(p))
        proofs = [one for _, of in found for one in of]
        known = self._names(proofs)
        conditions = _conditions(links, known)
        is_order = place <= 1 and not (is_date or without or ties) and conditions is not None
        order = Statement(
            "order", tuple(dict.fromkeys((c, *words("entity")))), predicate_names(p, known),
            tuple(object_names(cell, known) for cell, _ in found),
            (*(conditions or ()), Condition(words("order"), "is",
                                            (words("descending" if descending else "ascending"),))),
        )  # fmt: skip
        answer = self._answered(sentence, told, proofs, statements=(order,) if is_order else ())
        return replace(answer, confidence="medium") if without else answer

    async def projected(
        self,
        asking: Asking,
        winner: Option,
        step: Step,
        found: Found,
        why: Sequence[Proof],
        *,
        is_sure: bool,
    ) -> PatternAnswer:
        """Tell a property of the one that is first, and why it is first."""
        await self._look_up(asking, [start_term(winner), *(cell for cell, _ in found)])
        e, p = self.called(start_term(winner)), self.step_name(step)
        said = self._listed([self.called(cell) for cell, _ in found])
        key = "forward_verbal" if is_verbal(p) else "forward"
        value = next(one for one in why if key_of(one.subject) == winner.iri)
        sentence = self._say(key, e=e, p=p, v=said) + self._space + self._say(
            "because", e=e, p=self.name(key_of(value.predicate)), v=key_of(value.object)
        )  # fmt: skip
        rows = [self._row(cell, [*why, *proofs]) for cell, proofs in found]
        proofs = [*why, *(one for _, of in found for one in of)]
        answer = self._answered(sentence, rows, proofs)
        return answer if is_sure else replace(answer, confidence="medium")
