"""The clauses of a reading, each with its subject, predicate and scope."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.language.annotate import Reading, Span
from groundwire.language.lexicon import Entry, Language
from groundwire.language.text import Sentence

ClauseKind = Literal["main", "coordinate", "relative", "parenthesis", "condition", "fragment"]

_PREDICATES = frozenset(("being", "having", "counting", "saying"))
_NOMINAL = frozenset(("name", "quantity", "leftover", "unit_noun", "set_noun", "time", "relation"))
_OPENING = frozenset("(（[【")
_CLOSING = frozenset(")）]】")
_COMMAS = frozenset((",", "，", "–", "—", "、"))
_HARD = frozenset((";", "；", ":", "："))
_CONJUNCTION = Entry("function", "conjunction")
_NEGATIONS = frozenset((Entry("negation", "not"), Entry("negation", "no")))
_RELATIVE = frozenset(("who", "what", "where", "when"))
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that makes one statement.

    Attributes:
        start: where its first span begins.
        end: where its last span ends; clauses within it lie between.
        sentence: its sentence.
        kind: how it stands in its sentence; a fragment has no predicate.
        spans: its spans, in order, without those of clauses within it.
        subject: what it is about: the last name, noun or figure before its predicate, or where it
            has none of its own that of the clause before it or around it.
        is_inherited: whether the subject is that of another clause.
        predicate: the span of its verb.
        negations: the negations in it.
        parent: the clause that it stands in or goes on from.
        headings: sentences that say what it is about: the line that introduces a list, the head
            of its column and the first cell of its row.
    """

    start: int
    end: int
    sentence: Sentence
    kind: ClauseKind
    spans: tuple[Span, ...]
    subject: Span | None
    is_inherited: bool
    predicate: Span | None
    negations: tuple[Span, ...]
    parent: Clause | None = None
    headings: tuple[Sentence, ...] = ()

    @property
    def negated(self) -> bool:
        """Whether an odd number of negations stands in it."""
        return len(self.negations) % 2 == 1


def clauses(reading: Reading) -> tuple[Clause, ...]:
    """Return the clauses of a text, in the order of their beginnings.

    Every span of the text is in exactly one clause.
    """
    made: list[Clause] = []
    headings = _headings(reading.sentences)
    for sentence, context in zip(reading.sentences, headings, strict=True):
        base = len(made)
        for draft in _drafts(reading.within(sentence.start, sentence.end)):
            made.append(_clause(draft, sentence, context, made, base))
    return tuple(sorted((clause for clause in made if clause.spans), key=_start))


def _start(clause: Clause) -> int:
    return clause.start


@dataclass(slots=True)
class _Draft:
    """A clause whose spans are still gathered."""

    kind: ClauseKind
    spans: list[Span]
    parent: int | None
    has_predicate: bool = False

    def add(self, span: Span) -> None:
        """Add a span at the end."""
        self.spans.append(span)
        self.has_predicate = self.has_predicate or _is_predicate(span)


def _drafts(spans: Sequence[Span]) -> list[_Draft]:
    """The clauses of one sentence, each span in one of them."""
    drafts = [_Draft("main", [], None)]
    stack = [0]

    def begin(kind: ClauseKind, span: Span, parent: int | None) -> int:
        drafts.append(_Draft(kind, [], parent))
        drafts[-1].add(span)
        return len(drafts) - 1

    for index, span in enumerate(spans):
        current = drafts[stack[-1]]
        if span.text in _OPENING and len(stack) <= _DEEPEST:
            stack.append(begin("parenthesis", span, stack[-1]))
        elif span.text in _CLOSING and any(drafts[n].kind == "parenthesis" for n in stack):
            while drafts[stack[-1]].kind != "parenthesis":
                stack.pop()
            drafts[stack.pop()].add(span)
        elif kind := _opened(spans, index, current):
            number = begin(kind, span, stack[-1])
            stack[-1:] = [number] if kind == "coordinate" else [stack[-1], number]
        elif current.kind == "main" and not current.spans and _is_condition(span):
            stack.append(begin("condition", span, None))
        else:
            inner_ends = current.kind in ("relative", "condition") and _ends_inner(span, current)
            current.add(span)
            if inner_ends:
                stack.pop()
    return drafts


def _opened(spans: Sequence[Span], index: int, current: _Draft) -> ClauseKind | None:
    """The kind of clause that a span opens, or None where it goes on with the current one."""
    span = spans[index]
    if not current.spans:
        return None
    before = current.spans[-1]
    if _is_condition(span):
        return "condition"
    if _is_relative(spans, index, before):
        return "relative"
    is_joint = before.text in _HARD or (
        (before.text in _COMMAS or _is_conjunction(span)) and current.has_predicate
    )
    if is_joint and span.text not in _HARD and any(map(_is_predicate, _rest(spans, index))):
        return "coordinate"
    return None


def _rest(spans: Sequence[Span], index: int) -> list[Span]:
    """The spans from a point on to the next comma or conjunction, which a clause may be made of."""
    found: list[Span] = []
    for span in spans[index:]:
        if found and (span.text in _COMMAS or span.text in _HARD or _is_conjunction(span)):
            break
        found.append(span)
    return found


def _is_conjunction(span: Span) -> bool:
    return span.role is not None and span.role == _CONJUNCTION


def _is_condition(span: Span) -> bool:
    return span.role is not None and (span.role.role, span.role.sense) == ("forecast", "condition")


def _is_relative(spans: Sequence[Span], index: int, before: Span) -> bool:
    """Whether a span begins a relative clause: "X, which ...", "X, die ...".

    A German one begins with an article and ends with its verb.
    """
    span = spans[index]
    if span.role is None or before.text not in _COMMAS:
        return False
    if span.role.role == "question" and span.role.sense in _RELATIVE:
        return True
    language: Language = span.tokens[0].language if span.tokens else ""
    if language != "de" or span.role.role != "function" or span.role.sense != "determiner":
        return False
    rest = _rest(spans, index)
    while rest and rest[-1].kind == "sign":
        rest.pop()
    verbs = [number for number, part in enumerate(rest) if _is_predicate(part)]
    return bool(verbs) and verbs[0] >= len(rest) - 2 and len(rest) > 1


def _ends_inner(span: Span, current: _Draft) -> bool:
    """Whether a comma ends a relative clause or a condition that has its verb."""
    return span.text in _COMMAS and len(current.spans) > 1 and current.has_predicate


def _is_predicate(span: Span) -> bool:
    if span.kind in _PREDICATES:
        return True
    if span.kind in ("name", "quantity", "time", "sign", "iri"):
        return False
    # Chinese has one form for the verb "grow" and the noun "growth".
    if span.kind == "direction" and span.tokens[0].language == "zh":
        return True
    return any(token.tag == "verb" for token in span.tokens)


def _clause(
    draft: _Draft,
    sentence: Sentence,
    headings: tuple[Sentence, ...],
    made: Sequence[Clause],
    base: int,
) -> Clause:
    spans = tuple(draft.spans)
    predicate = next((span for span in spans if _is_predicate(span)), None)
    nominal = [span for span in spans if span.kind in _NOMINAL]
    subject: Span | None = None
    parent = None if draft.parent is None else made[base + draft.parent]
    if draft.kind == "relative" and parent is not None:
        around = parent.spans
        before = bisect_left(around, spans[0].start, key=lambda span: span.start)
        nouns = (span for span in reversed(around[:before]) if span.kind in _NOMINAL)
        subject = next(nouns, parent.subject)
    elif predicate is not None:
        first = [span for span in nominal if span.end <= predicate.start]
        subject = next((span for span in first if span.kind == "name"), first[0] if first else None)
    elif nominal:
        subject = nominal[0]
    is_inherited = draft.kind == "relative"
    if subject is None and parent is not None:
        subject, is_inherited = parent.subject, True
    negations = tuple(s for s in spans if s.role is not None and s.role in _NEGATIONS)
    return Clause(
        spans[0].start if spans else sentence.start,
        spans[-1].end if spans else sentence.end,
        sentence,
        draft.kind if predicate is not None or draft.kind != "main" else "fragment",
        spans,
        subject,
        is_inherited and subject is not None,
        predicate,
        negations,
        parent,
        headings,
    )


def _headings(sentences: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """For each sentence the ones that say what it is about."""
    found: list[tuple[Sentence, ...]] = []
    heading: Sentence | None = None
    opener: Sentence | None = None
    header: dict[int, Sentence] = {}
    row_head: Sentence | None = None
    row = -1
    for sentence in sentences:
        context: list[Sentence] = [heading] if heading else []
        if sentence.kind == "heading":
            heading = sentence
            context = []
        if sentence.kind == "item" and opener:
            context.append(opener)
        if sentence.kind == "cell":
            if sentence.row != row:
                row, row_head = sentence.row, None
            if sentence.is_header:
                header[sentence.column] = sentence
            else:
                context += [h for h in (header.get(sentence.column), row_head) if h is not None]
            row_head = row_head or sentence
        else:
            header = {}
        if sentence.kind in ("sentence", "heading"):
            opener = sentence
        found.append(tuple(context))
    return found
