"""A draft as it is read: its passages, and the quantities, dates, IRIs, names and quotes in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from operator import itemgetter
from typing import Generic, TypeVar, cast, get_args

from groundwire.evidence.claims.entity_linking import (
    FoldedWord,
    Mention,
    Names,
    compounds_of_group,
    find_mentions,
    folded_words,
)
from groundwire.evidence.claims.partial_names import PartialNames, with_partial_names
from groundwire.evidence.claims.segments import Passage, Span, split
from groundwire.language import Figures
from groundwire.quantities import (
    CALENDAR_YEAR,
    ClockTime,
    DateMention,
    Grain,
    PeriodExpression,
    Quantity,
    find_clock_times,
    find_dates,
    find_periods,
    find_quantities,
    find_spoken_times,
    plain,
    small_letters,
)

# It ends where the text of a Markdown link ends and its target begins.
_IRI = re.compile(r"(?:https?://|urn:|did:)(?:(?!\]\()[^\s<>\"'`“”‘’|，。；、）】」』]){2,2000}")
# No IRI has a backslash (RFC 3987), so one before a sign is Markdown's.
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_EVIDENCE_ID = re.compile(r"\bev_[0-9a-z]{8,40}\b")
_QUOTE = re.compile(
    r"„([^“”\"\n]{1,200})[“”\"]|“([^”\n]{1,200})”|\"([^\"\n]{1,200})\"|「([^」\n]{1,200})」|『([^』\n]{1,200})』"
    r"|《([^》\n]{1,200})》|`([^`\n]{1,200})`"
)
# Numbers that point or count places, not things: "Table 2", "[3]", "page 2 of 3", "top 5".
_POINTER = re.compile(
    r"(?:\b(?:table|figure|fig\.|section|chapter|step|page|item|note|footnote|no\.|nr\.|option|"
    r"example|row|column|line|phase|part|top|first|last|bottom|of the first|tabelle|abbildung|"
    r"abschnitt|schritt|seite|zeile|spalte|beispiel|fußnote|platz|rang|rank)|第|前|\[) ?$",
    re.IGNORECASE,
)


# "1. Open the file. 2. Save it." within a line: each but the first begins behind a sentence.
_STEP = re.compile(
    r"(?:^|(?P<introduced>:)|[.;!?。；！？][\"'”’)]?)\s*"
    r"(?P<number>[0-9]{1,2})[.)、] ?(?=[^\s0-9])"
)

# "The Elizabeth line nine stops to Bank" counts stops.
_STOPS = re.compile(
    r" (?:stops?|stations?|stationen|haltestellen|halte|minut\w+)\b| ?个?(?:站|分钟)", re.IGNORECASE
)
_NUMBERING = frozenset(("#", "no", "no.", "nr", "nr.", "序号", "编号", "plan", "option", "方案"))
# Headings of columns that give each row its place in an order, which the records must have.
_RANKS = frozenset(("rank", "place", "rang", "platz", "排名", "名次"))

T = TypeVar("T")


class Ordered(Generic[T]):
    """Things in the order of the draft, found by where they begin."""

    def __init__(self, pairs: Iterable[tuple[int, T]]) -> None:
        ordered = sorted(pairs, key=itemgetter(0))
        self.starts = [start for start, _ in ordered]
        self.items = [thing for _, thing in ordered]

    def within(self, span: Span) -> list[T]:
        """Those that begin within a span."""
        low = bisect_left(self.starts, span[0])
        return self.items[low : bisect_left(self.starts, span[1], low)]


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of the draft: an IRI or a quotation (without its marks)."""

    start: int
    end: int
    raw: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The passages, numbers, dates and names of a draft, with their places.

    Attributes:
        text: the draft with plain digits and signs, as long as the draft itself.
        passages: its sentences, items and cells, in order.
        quantities: quantities that may be claims, in order.
        pointers: numbers that point or number things and claim nothing.
        dates: dates and years, in order.
        clocks: times of day, in order.
        mentions: uses of known names, in order.
        iris: IRIs, in order.
        quotes: quoted texts, in order.
        figures: every quantity and time of the text, those within names and addresses too.
        words: its folded words.
        small: the text in small letters.
    """

    text: str
    passages: list[Passage]
    quantities: Ordered[Quantity]
    pointers: Ordered[Quantity]
    dates: Ordered[DateMention]
    clocks: Ordered[ClockTime]
    mentions: Ordered[Mention]
    iris: Ordered[Text]
    quotes: Ordered[Text]
    figures: Figures
    words: Sequence[FoldedWord]
    small: str


def read(
    draft: str, names: Names, partial: PartialNames | None = None, *, timed: bool = False
) -> Reading:
    """Read a draft against the names that the records know.

    Args:
        draft: the draft.
        names: the names.
        partial: first words of names by which a text may call things.
        timed: whether a record has a time of day, so that "at nine" may be one.
    """
    text = plain(draft)
    iris = [_trimmed(match) for match in _IRI.finditer(text)]
    ids = [Text(match.start(), match.end(), match[0]) for match in _EVIDENCE_ID.finditer(text)]
    blocked = sorted((thing.start, thing.end) for thing in (*iris, *ids))
    all_clocks = find_spoken_times(text) if timed else find_clock_times(text)
    clocks = _outside(all_clocks, blocked)
    blocked = sorted([*blocked, *(clock.span for clock in clocks)])
    words = folded_words(text)
    mentions = find_mentions(text, words, names, blocked)
    mentions = with_partial_names(text, mentions, partial) if partial else mentions
    mentions = sorted([*mentions, *compounds_of_group(text, names)])
    exact, periods = find_dates(text), find_periods(text)
    all_dates = _with_periods(exact, periods)
    dates = _outside(all_dates, [*blocked, *((m.start, m.end) for m in mentions)])
    named = [(m.start, m.end) for m in mentions]
    all_quantities = find_quantities(text, all_dates)
    found = _outside(all_quantities, [*blocked, *named])
    hours = {clock.span for clock in clocks}  # "at nine" counts nothing
    found = [quantity for quantity in found if quantity.span not in hours]
    spans = [q.span for q in found] + [d.span for d in dates]
    mentions = [m for m in _clear_of(mentions, spans) if not _in_longer_name(text, m)]
    quotes = [
        Text(match.start(group), match.end(group), match[group])
        for match in _QUOTE.finditer(text)
        for group in (match.lastindex or 1,)
    ]
    kept = sorted([*blocked, *spans, *((m.start, m.end) for m in mentions)])
    passages = split(text, kept)
    markers = _marker_spans(text, passages)
    quantities: list[Quantity] = []
    pointers: list[Quantity] = []
    for quantity in found:
        is_pointer = quantity.span[0] in markers or _points(text, quantity)
        (pointers if is_pointer else quantities).append(quantity)
    return Reading(
        text,
        passages,
        Ordered((q.span[0], q) for q in quantities),
        Ordered((q.span[0], q) for q in pointers),
        Ordered((d.span[0], d) for d in dates),
        Ordered((clock.span[0], clock) for clock in clocks),
        Ordered((m.start, m) for m in mentions),
        Ordered((iri.start, iri) for iri in iris),
        Ordered((quote.start, quote) for quote in quotes),
        Figures(
            all_quantities,
            exact,
            all_clocks,
            periods,
        ),
        words,
        small_letters(text),
    )


def _with_periods(
    written: Sequence[DateMention], periods: Sequence[PeriodExpression]
) -> list[DateMention]:
    """Dates, and periods of a year that are written apart from it ("second quarter of FY2024")."""
    found: list[DateMention] = []
    for expression in periods:
        read = expression.on(CALENDAR_YEAR, date.today())
        if read.kind == "single" and not expression.relative:
            one = read.periods[0]
            grain = cast("Grain", one.grain if one.grain in get_args(Grain) else "quarter")
            mention = (one.start, one.end, grain, expression.span, expression.raw, one.fiscal)
            found.append(DateMention(*mention))
    ends = {mention.span[0]: mention.span[1] for mention in found}
    starts = sorted(ends)

    def is_whole(span: Span) -> bool:
        """Whether no longer period holds a date."""
        place = bisect_left(starts, span[0] + 1) - 1
        if place < 0:
            return True
        held = (starts[place], ends[starts[place]])
        return held == span or held[1] < span[1]

    exact = [mention for mention in written if is_whole(mention.span)]
    taken = {mention.span for mention in exact}
    return sorted(
        [*exact, *(mention for mention in found if mention.span not in taken)],
        key=lambda mention: mention.span,
    )


def _trimmed(match: re.Match[str]) -> Text:
    """An IRI without the punctuation that ends the sentence or bracket around it."""
    raw = match[0].rstrip(".,;:!?*_")
    while raw and raw[-1] in ")]}" and raw.count(raw[-1]) > raw.count("([{"[")]}".index(raw[-1])]):
        raw = raw[:-1].rstrip(".,;:!?*_")
    return Text(match.start(), match.start() + len(raw), _ESCAPED.sub(r"\1", raw))


D = TypeVar("D", Quantity, DateMention, ClockTime)


def _outside(things: Iterable[D], spans: Iterable[Span]) -> list[D]:
    """Those that lie within none of some spans, unless they fill one."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    kept: list[D] = []
    for thing in things:
        start, end = thing.span
        place = bisect_left(starts, start + 1) - 1
        around = ordered[place] if place >= 0 else (0, 0)
        if not (around[0] <= start and end <= around[1] and around != thing.span):
            if place + 1 < len(ordered) and ordered[place + 1][0] < end < ordered[place + 1][1]:
                continue  # "12 Mile Creek": the name begins within the quantity and goes on
            kept.append(thing)
    return kept


def _clear_of(mentions: list[Mention], spans: list[Span]) -> list[Mention]:
    """Return the mentions that no quantity or date overlaps: in "12 km", "km" is a unit."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    kept: list[Mention] = []
    for mention in mentions:
        place = bisect_left(starts, mention.end) - 1
        if place < 0 or ordered[place][1] <= mention.start:
            kept.append(mention)
    return kept


_CAPITAL_BEFORE = re.compile(r"[A-Z][a-z0-9]* $")
_CAPITAL_AFTER = re.compile(r" [A-Z][a-z]")


def _in_longer_name(text: str, mention: Mention) -> bool:
    """Whether a value such as "motorway" is but part of a name: "Ingolstadt Motorway Map"."""
    named = mention.named
    if not named.values or named.entities or not text[mention.start].isupper():
        return False
    if any(fact.value.value[:1].isupper() for fact in named.values):
        return False
    before = _CAPITAL_BEFORE.search(text, max(0, mention.start - 20), mention.start)
    return before is not None or _CAPITAL_AFTER.match(text, mention.end) is not None


def _numbers(text: str, heading: Span) -> bool:
    """Whether the cells under a heading only number their rows."""
    return text[slice(*heading)].strip(" *_").lower() in _NUMBERING


def _ranks(text: str, passages: Sequence[Passage]) -> Iterable[list[Passage]]:
    """Return the cells of each column that gives the places of its rows."""
    columns: dict[Span, list[Passage]] = {}
    for passage in passages:
        for scope in passage.scopes if passage.kind == "cell" else ():
            if text[slice(*scope.span)].strip(" *_").lower() in _RANKS:
                columns.setdefault(scope.span, []).append(passage)
    return columns.values()


def _marker_spans(text: str, passages: list[Passage]) -> set[int]:
    """Where the numbers of numbered items and rows stand."""
    starts: set[int] = set()
    before = 0
    for cells in _ranks(text, passages):
        places = [text[cell.start : cell.end].strip(" *_.") for cell in cells]
        if places == [str(place) for place in range(1, len(places) + 1)]:
            starts.update(at for cell in cells for at in range(cell.start, cell.end))
    for passage in passages:
        if passage.kind == "cell" and any(_numbers(text, scope.span) for scope in passage.scopes):
            starts.update(range(passage.start, passage.end))
        if passage.kind == "item":
            line = text.rfind("\n", 0, passage.start) + 1
            starts.update(range(max(line, before), passage.start))
        before = passage.end
    return starts.union(_steps(text))


def _steps(text: str) -> Iterator[int]:
    """Yield where the numbers of steps stand that count on from 1 within one line."""
    for line in re.finditer(r"[^\n]+", text):
        run: list[int] = []
        for match in _STEP.finditer(line[0]):
            number, at = int(match["number"]), line.start() + match.start("number")
            if number == len(run) + 1 and not (run and match["introduced"]):
                run.append(at)
            elif len(run) < 2:
                run = [at] if number == 1 else []
        if len(run) > 1:
            yield from run


def _points(text: str, quantity: Quantity) -> bool:
    start, end = quantity.span
    if quantity.unit is not None:
        return False
    before = text[max(0, start - 14) : start]
    if before.endswith(("[", "[^")):
        return text[end : end + 1] == "]"
    return _POINTER.search(before) is not None and _STOPS.match(text, end) is None
