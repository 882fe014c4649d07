"""Annotation: every token of a text in exactly one span, with what the reader knows of it.

A reader takes spans. What it did not take and what carries meaning is left over, so that a word
that nobody understood is never passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from groundwire.language.glossary import FUTURE, composed_verbs, cut_words
from groundwire.language.lexicon import (
    LANGUAGES,
    Entry,
    Form,
    Language,
    Lexicon,
    Role,
    TextRules,
    lexicon,
)
from groundwire.language.names import Hit, NameIndex
from groundwire.language.text import (
    Piece,
    Sentence,
    Token,
    pieces,
    runs_of,
    segmented,
    sentences_of,
)
from groundwire.quantities import (
    CLASSIFIER,
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
from groundwire.vocabulary.fold import fold_word

SpanKind = Literal["name", "quantity", "iri", "sign", "leftover"] | Role
Time = DateMention | ClockTime | PeriodExpression


class Span(NamedTuple):
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
        """Whether it adds no fact to its clause."""
        return self.kind == "sign" or (self.role is not None and self.role.is_silent)


@dataclass(slots=True)
class Reading:
    """A text with its tokens, sentences and spans.

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


@dataclass(frozen=True, slots=True)
class Figures:
    """The quantities and times of a text, for whoever has found them already.

    Attributes:
        quantities: its quantities.
        dates: its dates.
        clocks: its times of day.
        periods: its expressions of time.
    """

    quantities: Sequence[Quantity]
    dates: Sequence[DateMention]
    clocks: Sequence[ClockTime]
    periods: Sequence[PeriodExpression]


def figures_of(text: str) -> Figures:
    """Find the quantities and times of a text."""
    flat = plain(text)
    dates = find_dates(flat)
    return Figures(find_quantities(text, dates), dates, find_clock_times(flat), find_periods(text))


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
    figures: Figures | None = None,
) -> Reading:
    """Read a text once and return its spans.

    Args:
        text: any text.
        names: the names of the vocabularies in force.
        languages: the lexicons that are used; the language of a sentence is found by itself.
        figures: its quantities and times, where they are known already.

    Returns:
        The reading. Its spans are in order, none overlap, and every character except spaces is in
        exactly one.
    """
    found = pieces(text)
    parts = sentences_of(text, found)
    runs = runs_of(text, found, parts)
    hits = names.find(text, runs) if names else ()
    figures = figures_of(text) if figures is None else figures
    candidates = [*_markers(text, parts), *_candidates(found, hits, figures)]
    fixed = _without_overlap(candidates, len(text))
    edges = {edge for span in fixed for edge in (span.start, span.end)}
    # A measure word belongs to its number, and not to the noun behind it.
    measured = (CLASSIFIER.match(text, span.end) for span in fixed if span.kind == "quantity")
    cuts = sorted(edges | {match.end() for match in measured if match})
    lexicons: dict[Language, Lexicon] = {name: lexicon(name) for name in languages}
    words = cut_words(segmented(runs, cuts), lexicons.get("zh"))
    german = lexicons.get("de")
    composed = composed_verbs(words, german) if german else {}
    if composed:
        words = tuple(
            word._replace(lemma=composed[index]) if composed.get(index, FUTURE) != FUTURE else word
            for index, word in enumerate(words)
        )
    spans = in_context(_spans(text, words, parts, fixed, lexicons, composed), lexicons)
    return Reading(
        text,
        words,
        parts,
        tuple(spans),
        tuple(quoted_ranges(text)),
        [span.start for span in spans],
    )


def _candidates(found: Sequence[Piece], hits: Sequence[Hit], figures: Figures) -> list[_Found]:
    candidates = [_Found(p.start, p.end, 0, "iri") for p in found if p.kind == "iri"]
    candidates += [_Found(hit.start, hit.end, 1, "name", hit.terms) for hit in hits]
    candidates += [_Found(*clock.span, 2, "time", period=clock) for clock in figures.clocks]
    candidates += [_Found(*date.span, 3, "time", period=date) for date in figures.dates]
    candidates += [_Found(*period.span, 4, "time", period=period) for period in figures.periods]
    candidates += [
        _Found(*quantity.span, 5, "quantity", quantity=quantity) for quantity in figures.quantities
    ]
    return [span for span in candidates if span.end > span.start]


def _precedence(span: _Found) -> tuple[bool, int, int, int]:
    return span.rank >= 0, span.start - span.end, span.rank, span.start


def _without_overlap(candidates: Iterable[_Found], size: int) -> list[_Found]:
    """The longest of the candidates that do not overlap; of equal ones the first kind."""
    kept: list[_Found] = []
    used = bytearray(size)
    for span in sorted(candidates, key=_precedence):
        if used.find(1, span.start, span.end) < 0:
            used[span.start : span.end] = b"\1" * (span.end - span.start)
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _markers(text: str, parts: Sequence[Sentence]) -> list[_Found]:
    """The markers of list items, headings and quoted lines: the "1." of an item counts nothing."""
    return [
        _Found(start, end, -1, "sign")
        for part in parts
        if (end := part.start + len(text[part.start : part.body].rstrip()))
        > (start := end - len(text[part.start : end].lstrip()))
    ]


def _spans(
    text: str,
    words: Sequence[Token],
    parts: Sequence[Sentence],
    fixed: Sequence[_Found],
    lexicons: dict[Language, Lexicon],
    composed: Mapping[int, str],
) -> list[Span]:
    forms = [Form(word.key, word.lemma) for word in words]
    for index, lemma in composed.items():
        forms[index] = Form(lemma, lemma)
    limits = _limits(words, parts, fixed)
    spans: list[Span] = []
    owners = iter(fixed)
    here = next(owners, None)
    index = 0
    while index < len(words):
        start = words[index].start
        while here is not None and here.end <= start:
            here = next(owners, None)
        stop = index + 1
        if here is not None and here.start <= start:
            while stop < len(words) and words[stop].start < here.end:
                stop += 1
            spans.append(_fixed_span(text, words[index:stop], here))
        else:
            length, entry = _match(words[index], forms, index, limits[index], lexicons)
            stop = index + length
            spans.append(_word_span(text, words[index:stop], entry))
        index = stop
    return spans


def _limits(
    words: Sequence[Token], parts: Sequence[Sentence], fixed: Sequence[_Found]
) -> list[int]:
    """For each token the number of the first after it that no phrase with it may reach."""
    starts = [word.start for word in words]
    edges = {bisect_left(starts, part.end) for part in parts}
    edges |= {bisect_left(starts, part.body) for part in parts}
    edges |= {bisect_left(starts, span.start) for span in fixed}
    limits = [len(words)] * len(words)
    for index in range(len(words) - 2, -1, -1):
        limits[index] = index + 1 if index + 1 in edges else limits[index + 1]
    return limits


_LONGEST_PHRASE = 12


def _match(
    word: Token,
    forms: Sequence[Form],
    index: int,
    limit: int,
    lexicons: dict[Language, Lexicon],
) -> tuple[int, Entry | None]:
    """The length of the phrase at a token and its entry; one token without any where none is."""
    window = forms[index : min(limit, index + _LONGEST_PHRASE)]
    known = lexicons.get(word.language)
    matched = known.match(window, 0) if known else None
    if matched and word.tag == "verb" and matched[1].sense == "determiner":
        matched = None  # who owns a thing does more than determine a noun
    if matched is None and word.tag == "sign":
        matched = lexicon("").match(window, 0)
    return matched or (1, None)


def _word_span(text: str, within: Sequence[Token], entry: Entry | None) -> Span:
    start, end = within[0].start, within[-1].end
    kind: SpanKind = "sign" if within[0].tag == "sign" else "leftover"
    if entry:
        kind = entry.role
    return Span(start, end, kind, text[start:end], entry, tokens=tuple(within))


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


def in_context(spans: Sequence[Span], lexicons: dict[Language, Lexicon]) -> list[Span]:
    """Return the spans, those of words that mean one thing before a figure and another elsewhere.

    "about" is an approximation before a figure and a preposition elsewhere; "within" bounds a
    figure and is a preposition elsewhere; 最多 bounds a figure and is a superlative elsewhere; 到
    ends a period and leads to a place. What approximates no figure ("nearly all") says something.
    """
    read = list(spans)
    for index, span in enumerate(spans):
        if not span.tokens:
            continue
        known = lexicons.get(span.tokens[0].language)
        rules = known.rules if known else TextRules()
        if span.kind in _CONTEXTUAL:
            entry = _entry_in_context(spans, index, rules)
        elif span.kind in ("leftover", "time", "bound") or span.role is not None:
            entry = _entry_of_adverb(spans, index, rules)
        else:
            continue
        if entry is not None:
            read[index] = span._replace(kind=entry.role, role=entry)
    return read


_CONTEXTUAL = frozenset(("approximation", "bound", "function"))
# What an approximation may stand before besides a figure: "nearly twice", "about a third".
_MEASURED = frozenset((("comparison", "times"), ("quantifier", "half")))
# Adverbs that a preposition follows where they only say which way it leads: "out to Kew Gardens".
_LEADING = frozenset(("to", "from", "via"))


def _entry_in_context(spans: Sequence[Span], index: int, rules: TextRules) -> Entry | None:
    """The entry of a span where it differs from that of the lexicon."""
    span = spans[index]
    key = fold_word(span.text)
    if span.kind == "function":
        if key in rules.limiting and _precedes_figure(spans, index):
            return Entry("bound", "at_most")
        following = spans[index + 1] if index + 1 < len(spans) else None
        is_end = key in rules.ending and following is not None and following.kind == "time"
        return Entry("time", "until") if is_end else None
    if span.kind == "bound":
        if key in rules.spreading and _spreads(spans, index):
            return Entry("function", "preposition")
        is_rank = key in rules.ranking and not _precedes_figure(spans, index)
        sense = "least" if span.role and span.role.sense == "at_least" else "most"
        return Entry("superlative", sense) if is_rank else None
    if _precedes_figure(spans, index) or _follows_figure(spans, index):
        return None
    if key in rules.approximating:
        return Entry("function", "preposition")
    if key in rules.exemplifying and index and spans[index - 1].text in _OPENERS:
        return Entry("filler", "discourse")  # "15 Karten, etwa Lyon ring road"
    return Entry("approximation", "part")


def _entry_of_adverb(spans: Sequence[Span], index: int, rules: TextRules) -> Entry | None:
    """The entry of an adverb that adds nothing where it stands.

    "Back in 1970" and "already in 2015" date a clause; the "out" of "out to Kew Gardens" only
    says which way the preposition behind it leads.
    """
    key, before = fold_word(spans[index].text), spans[index - 1] if index else None
    counted = before is not None and before.quantity is not None and before.end
    measures = spans[index].kind == "order" and CLASSIFIER.fullmatch(spans[index].text)
    if measures and counted == spans[index].start:
        return Entry("function", "particle")  # 次 of 3次失败 is no order
    if key in rules.dating and _precedes_time(spans, index):
        return Entry("filler", "discourse")
    behind = spans[index + 1].role if index + 1 < len(spans) else None
    leads = behind is not None and behind.role == "function" and behind.sense in _LEADING
    return Entry("function", "particle") if leads and key in rules.leading else None


def _precedes_time(spans: Sequence[Span], index: int) -> bool:
    for span in spans[index + 1 : index + 3]:
        if span.period is not None:
            return True
        if span.kind != "function":
            return False
    return False


def _spreads(spans: Sequence[Span], index: int) -> bool:
    """Whether a determiner and a count follow: "over the four reasons"."""
    behind = spans[index + 1 : index + 3]
    return (
        len(behind) > 1
        and behind[0].role == Entry("function", "determiner")
        and behind[1].quantity is not None
    )


def _follows_figure(spans: Sequence[Span], index: int) -> bool:
    """Whether a figure stands before, with no more than its noun between: 二十人左右."""
    return any(span.quantity is not None for span in spans[max(0, index - 2) : index])


_ENDS_OF_CLAUSES = frozenset(",;:，；：。")
_OPENERS = frozenset(",(:–")


def _precedes_figure(spans: Sequence[Span], index: int) -> bool:
    for span in spans[index + 1 : index + 4]:
        if span.text in _ENDS_OF_CLAUSES:
            return False
        if span.kind in ("quantity", "time"):
            return True
        if span.role is not None and (span.role.role, span.role.sense) in _MEASURED:
            return True
        if span.kind not in ("function", "approximation", "sign", "bound", "comparison"):
            return False
    return False


_QUOTES = {"“": "”", "„": "“", "«": "»", "»": "«", "「": "」", "『": "』", "‚": "‘", '"': '"'}
_QUOTE = re.compile('[“„«»「『‚"]')
_LONGEST_QUOTATION = 2_000


def quoted_ranges(text: str) -> Iterable[tuple[int, int]]:
    """Yield the ranges of quoted text, marks included; of nested ones the outermost."""
    closings: dict[str, int] = {}
    position = 0
    for match in _QUOTE.finditer(text):
        start, closing = match.start(), _QUOTES[match[0]]
        if start < position:
            continue
        if closings.get(closing, 0) <= start:
            at = text.find(closing, start + 1)
            closings[closing] = len(text) if at < 0 else at
        stop = closings[closing]
        if stop < len(text) and stop - start <= _LONGEST_QUOTATION:
            yield start, stop + 1
            position = stop + 1
