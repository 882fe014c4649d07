"""Annotation: every token of a text in exactly one span, with what the reader knows of it.

A reader takes spans. What it did not take and what carries meaning is left over, so that a word
that nobody understood is never passed over.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from groundwire.language.lexicon import (
    LANGUAGES,
    SILENT_ROLES,
    Entry,
    Form,
    Language,
    Lexicon,
    Role,
    lexicon,
)
from groundwire.language.names import Hit, NameIndex
from groundwire.language.separable import separable_verbs
from groundwire.language.text import (
    Piece,
    Sentence,
    Token,
    cut_pieces,
    pieces,
    sentences_of,
    tokens_of,
)
from groundwire.quantities import (
    ClockTime,
    DateMention,
    PeriodExpression,
    Quantity,
    find_clock_times,
    find_dates,
    find_periods,
    find_quantities,
    plain,
)

SpanKind = Literal["name", "quantity", "iri", "quotation", "sign", "leftover"] | Role
Time = DateMention | ClockTime | PeriodExpression
_SILENT_KINDS = SILENT_ROLES | {"sign", "quotation"}


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that one reader understands as a whole.

    Attributes:
        start: where it begins.
        end: where it ends, exclusive.
        kind: what it is; "time" where it is a date, a period or a time of day, or a word of time.
        text: as it was written.
        role: what the words do, for those of a lexicon.
        terms: what a name may name.
        quantity: the quantity that it is.
        period: the date, period or time of day that it is.
        tokens: its tokens.
    """

    start: int
    end: int
    kind: SpanKind
    text: str
    role: Entry | None = None
    terms: tuple[Hashable, ...] = ()
    quantity: Quantity | None = None
    period: Time | None = None
    tokens: tuple[Token, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Whether it adds no fact to its clause, so that nobody needs to take it."""
        return self.kind in _SILENT_KINDS


@dataclass(slots=True)
class Reading:
    """A text with its tokens, sentences and spans, and what has been taken of it.

    Attributes:
        text: the text.
        tokens: its tokens, in order.
        sentences: its sentences, in order.
        spans: its spans, in order; none overlap and every token is in one.
        quotations: ranges of quoted text, marks included.
    """

    text: str
    tokens: tuple[Token, ...]
    sentences: tuple[Sentence, ...]
    spans: tuple[Span, ...]
    quotations: tuple[tuple[int, int], ...] = ()
    _starts: list[int] = field(default_factory=list[int])
    _taken: set[int] = field(default_factory=set[int])

    @property
    def leftover(self) -> tuple[Span, ...]:
        """The spans that no vocabulary, no lexicon and no reader of quantities knows."""
        return tuple(span for span in self.spans if span.kind == "leftover")

    def within(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the spans that begin within a range."""
        return self.spans[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def at(self, offset: int) -> Span | None:
        """Return the span that holds an offset, or None where a space stands there."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0 or self.spans[index].end <= offset:
            return None
        return self.spans[index]

    def take(self, *spans: Span) -> None:
        """Mark spans as used by a reader."""
        self._taken.update(span.start for span in spans)

    def is_taken(self, span: Span) -> bool:
        """Return whether a reader has used a span."""
        return span.start in self._taken

    def not_taken(self, start: int = 0, end: int | None = None) -> tuple[Span, ...]:
        """Return the spans of a range that no reader has used, those without a fact too."""
        stop = len(self.text) if end is None else end
        return tuple(span for span in self.within(start, stop) if not self.is_taken(span))

    def untaken(self, start: int = 0, end: int | None = None) -> tuple[Span, ...]:
        """Return the spans of a range that carry meaning and that no reader has used."""
        return tuple(span for span in self.not_taken(start, end) if not span.is_silent)


class _Found(NamedTuple):
    """A span that is found by characters, before the tokens are known."""

    start: int
    end: int
    rank: int
    kind: SpanKind
    terms: tuple[Hashable, ...] = ()
    quantity: Quantity | None = None
    period: Time | None = None


def annotate(
    text: str,
    names: NameIndex | None = None,
    languages: Sequence[Language] = LANGUAGES,
) -> Reading:
    """Read a text once and return its spans.

    Args:
        text: any text.
        names: the names of the vocabularies in force.
        languages: the lexicons that are used; the language of a sentence is found by itself.

    Returns:
        The reading. Its spans are in order, none overlap, and every character that is no space is
        in exactly one.
    """
    found = pieces(text)
    parts = sentences_of(text, found)
    hits = names.find(text, tokens_of(text, found, parts)) if names else ()
    fixed = _without_overlap(_candidates(text, found, hits), len(text))
    cuts = sorted({edge for span in fixed for edge in (span.start, span.end)})
    words = tokens_of(text, cut_pieces(found, cuts), parts)
    spans = _spans(text, words, parts, fixed, languages)
    return Reading(
        text, words, parts, spans, tuple(quoted_ranges(text)), [span.start for span in spans]
    )


def _candidates(text: str, found: Sequence[Piece], hits: Sequence[Hit]) -> list[_Found]:
    flat = plain(text)
    dates = find_dates(flat)
    candidates = [_Found(p.start, p.end, 0, "iri") for p in found if p.kind == "iri"]
    candidates += [_Found(hit.start, hit.end, 1, "name", hit.terms) for hit in hits]
    candidates += [_Found(*clock.span, 2, "time", period=clock) for clock in find_clock_times(flat)]
    candidates += [_Found(*date.span, 3, "time", period=date) for date in dates]
    candidates += [_Found(*period.span, 4, "time", period=period) for period in find_periods(text)]
    candidates += [
        _Found(*quantity.span, 5, "quantity", quantity=quantity)
        for quantity in find_quantities(text, dates)
    ]
    return [span for span in candidates if span.end > span.start]


def _without_overlap(candidates: Iterable[_Found], size: int) -> list[_Found]:
    """The longest of the candidates that do not overlap; of equal ones the first kind."""
    kept: list[_Found] = []
    used = bytearray(size)
    for span in sorted(candidates, key=lambda span: (span.start - span.end, span.rank, span.start)):
        if used.find(1, span.start, span.end) < 0:
            used[span.start : span.end] = b"\1" * (span.end - span.start)
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _spans(
    text: str,
    words: Sequence[Token],
    parts: Sequence[Sentence],
    fixed: Sequence[_Found],
    languages: Sequence[Language],
) -> tuple[Span, ...]:
    lexicons = {language: lexicon(language) for language in languages}
    separated = separable_verbs(words, parts, lexicons.get("de"))
    forms = [Form(word.key, separated.get(index, word.lemma)) for index, word in enumerate(words)]
    ends = _sentence_ends(words, parts)
    spans: list[Span] = []
    index = position = 0
    while index < len(words):
        while position < len(fixed) and fixed[position].end <= words[index].start:
            position += 1
        here = fixed[position] if position < len(fixed) else None
        if here is not None and here.start <= words[index].start:
            stop = index + 1
            while stop < len(words) and words[stop].start < here.end:
                stop += 1
            spans.append(_fixed_span(text, words[index:stop], here))
        else:
            limit = ends[index]
            if here is not None:
                limit = _before(words, index, limit, here.start)
            stop = index + _lexical_length(words, forms, index, limit, lexicons)
            spans.append(_word_span(text, words, forms, index, stop, lexicons))
        index = stop
    return tuple(spans)


def _sentence_ends(words: Sequence[Token], parts: Sequence[Sentence]) -> list[int]:
    """For each token the number of the token after its sentence."""
    starts = [word.start for word in words]
    ends: list[int] = []
    for part in parts:
        stop = bisect_left(starts, part.end)
        ends += [stop] * (stop - len(ends))
    return ends + [len(words)] * (len(words) - len(ends))


def _before(words: Sequence[Token], index: int, limit: int, offset: int) -> int:
    stop = index
    while stop < limit and words[stop].start < offset:
        stop += 1
    return stop


_LONGEST_PHRASE = 12


def _match(
    words: Sequence[Token],
    forms: Sequence[Form],
    index: int,
    limit: int,
    lexicons: dict[Language, Lexicon],
) -> tuple[int, Entry] | None:
    known = lexicons.get(words[index].language) or (
        next(iter(lexicons.values())) if words[index].tag == "sign" and lexicons else None
    )
    if known is None:
        return None
    window = forms[index : min(limit, index + _LONGEST_PHRASE)]
    return known.match(window, 0)


def _lexical_length(
    words: Sequence[Token],
    forms: Sequence[Form],
    index: int,
    limit: int,
    lexicons: dict[Language, Lexicon],
) -> int:
    matched = _match(words, forms, index, limit, lexicons)
    return matched[0] if matched else 1


def _word_span(
    text: str,
    words: Sequence[Token],
    forms: Sequence[Form],
    index: int,
    stop: int,
    lexicons: dict[Language, Lexicon],
) -> Span:
    matched = _match(words, forms, index, stop, lexicons)
    start, end = words[index].start, words[stop - 1].end
    within = tuple(words[index:stop])
    if matched:
        entry = matched[1]
        return Span(start, end, cast("SpanKind", entry.role), text[start:end], entry, tokens=within)
    kind: SpanKind = "sign" if words[index].tag == "sign" else "leftover"
    return Span(start, end, kind, text[start:end], tokens=within)


def _fixed_span(text: str, within: Sequence[Token], found: _Found) -> Span:
    return Span(
        found.start,
        found.end,
        found.kind,
        text[found.start : found.end],
        None,
        found.terms,
        found.quantity,
        found.period,
        tuple(within),
    )


_QUOTES = {"“": "”", "„": "“", "«": "»", "»": "«", "「": "」", "『": "』", "‚": "‘", '"': '"'}
_LONGEST_QUOTATION = 2_000


def quoted_ranges(text: str) -> Iterable[tuple[int, int]]:
    """Yield the ranges of quoted text, marks included; of nested ones the outermost."""
    position = 0
    closings: dict[str, int] = {}
    while position < len(text):
        mark = text[position]
        closing = _QUOTES.get(mark)
        if closing is None:
            position += 1
            continue
        if closings.get(closing, 0) <= position:
            at = text.find(closing, position + 1)
            closings[closing] = len(text) if at < 0 else at
        stop = closings[closing]
        if stop < len(text) and stop - position <= _LONGEST_QUOTATION:
            yield position, stop + 1
            position = stop + 1
        else:
            position += 1
