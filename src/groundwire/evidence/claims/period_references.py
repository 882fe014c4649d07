"""Periods that a text names by another one: the year before, the fourth quarter, in the first.

What they mean is counted from the period that stands nearest before them, else behind them in the
same sentence, and it is only read where the records have a value of that period: what is not
recorded stays unread, and is left over.

Which of several times a figure is of is told by its place among the figures too: a range has an
earlier and a later end ("from 2010 to 2020 it fell from 5 to 4"), a list tells the parts of a year
one by one, and a figure before "the year before" is of the year told above.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.quantities import PeriodExpression, find_dates, parse_number

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext


_DAYS = {"year": range(359, 372), "quarter": range(85, 98)}
_OF_YEAR = re.compile(r"\s(?:of|in|von)\s(?=[12]\d{3})")
_TO_YEAR = re.compile(r"\s(?:(?:of|in|von)\s)?(?=[12]\d{3})")
_YEAR = re.compile(r"[12]\d{3}")
_Days = tuple[str, str, bool]
_FARTHEST = 400
_NEXT = 6
_DECADE = 10
_MOST_YEARS = 200
_AFTER_PLACE = (
    r"(?=\s*(?:[,.;:)，。；]|$|\b(?:to|and|und|auf|bis|with|mit|at|bei)\b"
    r"|\b(?:of|in|von)\s[12]\d{3}))"
)


class _Phrases:
    """Finds phrases in texts; most texts have none, so they are looked for as they stand first."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._phrases = tuple(phrases)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Yield every place of a phrase in a part of a text, of several the longest."""
        part = text[start:end].lower()
        held = tuple(phrase for phrase in self._phrases if phrase.lower() in part)
        if held:
            yield from _any_of(held).finditer(text, start, len(text) if end is None else end)

    def stand_in(self, text: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a part of a text has any of the phrases."""
        return next(self.finditer(text, start, end), None) is not None


class _Words(NamedTuple):
    steps: _Phrases
    meaning: dict[str, tuple[int, str]]
    quarters: _Phrases
    places: re.Pattern[str]
    numbers: dict[str, int]
    ends: _Phrases
    ends_of: _Phrases
    firsts: frozenset[str]
    counted: re.Pattern[str]
    spans: _Phrases
    later: frozenset[str]
    decade: _Phrases


@cache
def _words() -> _Words:
    text = (files("groundwire.evidence.claims") / "period_references.toml").read_text("utf-8")
    data: dict[str, Any] = tomllib.loads(text)
    meaning = {
        phrase.casefold(): (step, grain)
        for name, step in (("before", -1), ("after", 1))
        for grain, phrases in data[name].items()
        for phrase in phrases
    }
    places: list[list[str]] = data["quarters"]["places"]
    numbers = {p.casefold(): at for at, phrases in enumerate(places, 1) for p in phrases}
    latin = [phrase for phrase in numbers if phrase.isascii() or phrase[-1].isascii()]
    return _Words(
        _Phrases(meaning),
        meaning,
        _Phrases(data["quarters"]["nouns"]),
        re.compile(f"(?:{_any_of(tuple(latin)).pattern}){_AFTER_PLACE}", re.IGNORECASE),
        numbers,
        _Phrases([*data["ends"]["first"], *data["ends"]["last"]]),
        _Phrases([*data["ends_of"]["first"], *data["ends_of"]["last"]]),
        frozenset(p.casefold() for key in ("ends", "ends_of") for p in data[key]["first"]),
        re.compile(
            r"(?P<count>\w+?) ?(?P<way>"
            + "|".join(map(re.escape, [*data["counted"]["later"], *data["counted"]["earlier"]]))
            + r")(?![A-Za-z])",
            re.IGNORECASE,
        ),
        _Phrases([*data["counted"]["later"], *data["counted"]["earlier"]]),
        frozenset(phrase.casefold() for phrase in data["counted"]["later"]),
        _Phrases(data["counted"]["decade_to"]),
    )


@lru_cache(maxsize=256)
def _any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds any of some phrases, the longest first; Latin ones as whole words."""
    ordered = sorted(phrases, key=len, reverse=True)
    return re.compile(
        "|".join(rf"\b{re.escape(p)}\b" if p[0] < "⺀" else re.escape(p) for p in ordered),
        re.IGNORECASE,
    )


def referred_periods(
    text: str,
    anchors: Sequence[Anchor[PeriodKey]],
    expressions: Sequence[PeriodExpression],
    passages: Sequence[Passage],
    recorded: Iterable[PeriodKey],
) -> Iterator[Anchor[PeriodKey]]:
    """Yield the periods that a text names by others, as far as the records know them.

    Args:
        text: the draft.
        anchors: the periods that it names by themselves, in order.
        expressions: every expression of a period in it, also those without a year.
        passages: its passages, in order.
        recorded: the periods that the records have values of.
    """
    known = sorted(key for key in recorded if not isinstance(key, str))
    if not known or not anchors:
        return
    finder = _Bases(text, anchors, passages)
    told: list[Span] = [(anchor.start, anchor.end) for anchor in anchors]
    readers = (
        _steps(text, finder, known),
        _counted(text, finder, known),
        _without_year(expressions, finder, known),
        _ends(text, finder, known),
        _places(text, finder, known),
    )
    for anchor in chain.from_iterable(readers):
        span = anchor.start, anchor.end
        if anchor.keys and not _is_within(span, told):
            told.append(span)
            yield anchor


def with_their_years(
    text: str, anchors: Sequence[Anchor[PeriodKey]], referred: Sequence[Anchor[PeriodKey]]
) -> Iterator[Anchor[PeriodKey]]:
    """Yield all periods of a text, a part of a year as one with its year: "the second of 2024"."""
    years = {anchor.start: anchor for anchor in anchors}
    owned: set[int] = set()
    for anchor in referred:
        joint = _OF_YEAR.match(text, anchor.end)
        year = years.get(joint.end()) if joint else None
        if year is not None:
            owned.add(year.start)
            anchor = Anchor(anchor.start, year.end, anchor.keys)
        yield anchor
    yield from (anchor for anchor in anchors if anchor.start not in owned)


def with_parts_of_years(
    anchors: Sequence[Anchor[PeriodKey]],
    expressions: Sequence[PeriodExpression],
    passages: Sequence[Passage],
    known: Iterable[PeriodKey],
) -> list[Anchor[PeriodKey]]:
    """Let each year of a passage mean the part of it too that the passage names once for all.

    "Q4 was the best: 62.5 million in 2024, 61.5 million in 2025" tells two fourth quarters. A year
    stays itself where no such part of it is recorded, or the passage names more parts than one.
    """
    held = [key for key in known if not isinstance(key, str)]
    bare = [one for one in expressions if not one.relative and not _YEAR.search(one.raw)]
    found = list(anchors)
    for passage in passages if bare and held else ():
        parts = [one for one in bare if passage.start <= one.span[0] < passage.end]
        if len(parts) != 1:
            continue
        for place, anchor in enumerate(found):
            is_year = any(
                not isinstance(k, str) and _length(k) in _DAYS["year"] for k in anchor.keys
            )
            if is_year and passage.start <= anchor.start < passage.end:
                part = _part_of_year(parts[0].raw, anchor.keys, held)
                found[place] = Anchor(anchor.start, anchor.end, anchor.keys | part)
    return found


def _steps(text: str, finder: _Bases, known: Sequence[_Days]) -> Iterator[Anchor[PeriodKey]]:
    """Yield periods right before or behind another: the year before, the next quarter."""
    for match in _words().steps.finditer(text):
        step, grain = _words().meaning[match[0].casefold()]
        yield Anchor(*match.span(), _stepped(finder.base(match.span()), step, grain, known))


def _counted(text: str, finder: _Bases, known: Sequence[_Days]) -> Iterator[Anchor[PeriodKey]]:
    """Yield years that are told by how many lie between: ten years later, the decade to 2020."""
    words = _words()
    for match in words.counted.finditer(text) if words.spans.stand_in(text) else ():
        count = parse_number(match["count"])
        if count is not None and 1 <= count <= _MOST_YEARS:
            years = int(count) * (1 if match["way"].casefold() in words.later else -1)
            yield Anchor(*match.span(), _years_on(finder.base(match.span()), years, known))
    for match in words.decade.finditer(text):
        yield Anchor(*match.span(), _years_on(finder.behind(match.end()), -_DECADE, known))


def _without_year(
    expressions: Sequence[PeriodExpression], finder: _Bases, known: Sequence[_Days]
) -> Iterator[Anchor[PeriodKey]]:
    """Yield quarters and halves that do not say of which year they are."""
    for one in expressions:
        if not one.relative and not _YEAR.search(one.raw):
            yield Anchor(*one.span, _part_of_year(one.raw, finder.base(one.span), known))


def _ends(text: str, finder: _Bases, known: Sequence[_Days]) -> Iterator[Anchor[PeriodKey]]:
    """Yield the first and the last part of a period: "it began at 89.4", "at the end of 2024"."""
    words = _words()
    found = [(match, finder.base(match.span())) for match in words.ends.finditer(text)]
    found += [(match, finder.year_behind(match.end())) for match in words.ends_of.finditer(text)]
    for match, base in found:
        if within := parts_of(base, known):
            at = 0 if match[0].casefold() in words.firsts else -1
            yield Anchor(*match.span(), frozenset[PeriodKey]((within[at],)))


def _places(text: str, finder: _Bases, known: Sequence[_Days]) -> Iterator[Anchor[PeriodKey]]:
    """Yield quarters that only their place tells, in a sentence that speaks of quarters."""
    words = _words()
    for match in words.places.finditer(text) if words.quarters.stand_in(text) else ():
        passage = finder.passage(match.start())
        if passage is not None and words.quarters.stand_in(text, passage.start, passage.end):
            number = words.numbers[match[0].casefold()]
            base = finder.year_behind(match.end()) or finder.base(match.span())
            yield Anchor(*match.span(), _part_of_year(f"Q{number}", base, known))


class _Bases:
    """Finds the period that another one is counted from."""

    def __init__(
        self, text: str, anchors: Sequence[Anchor[PeriodKey]], passages: Sequence[Passage]
    ) -> None:
        self._text = text
        self._anchors = sorted(anchors, key=lambda anchor: anchor.start)
        self._starts = [anchor.start for anchor in self._anchors]
        self._passages = passages
        self._passage_starts = [passage.start for passage in passages]

    def passage(self, position: int) -> Passage | None:
        """Return the passage that holds a position."""
        place = bisect_left(self._passage_starts, position + 1) - 1
        return self._passages[place] if place >= 0 else None

    def behind(self, position: int) -> frozenset[PeriodKey]:
        """Return the keys of the period right behind a position; none for none."""
        place = bisect_left(self._starts, position)
        near = place < len(self._anchors) and self._starts[place] - position <= _NEXT
        return self._anchors[place].keys if near else frozenset()

    def year_behind(self, position: int) -> frozenset[PeriodKey]:
        """Return the keys of the year that a phrase names right behind it; none for none."""
        found = _TO_YEAR.match(self._text, position)
        return self.behind(found.end()) if found is not None else frozenset()

    def base(self, span: Span) -> frozenset[PeriodKey]:
        """Return the keys of the nearest period before a phrase, else of the one behind it."""
        passage = self.passage(span[0])
        place = bisect_left(self._starts, span[0])
        before = self._anchors[place - 1] if place else None
        behind = self._anchors[place] if place < len(self._anchors) else None
        own = passage is not None and before is not None and before.start >= passage.start
        if behind is not None and passage is not None and not own and behind.end <= passage.end:
            return behind.keys
        if before is None or span[0] - before.end > _FARTHEST:
            return frozenset()
        apart = "\n\n" in self._text[before.end : span[0]]
        return frozenset() if apart and not _stands_over(before, passage) else before.keys


def _stands_over(anchor: Anchor[PeriodKey], passage: Passage | None) -> bool:
    """Whether a period is told by what stands over a passage, such as the lead of its list."""
    scopes = () if passage is None else passage.scopes
    return any(s.span[0] <= anchor.start < s.span[1] for s in scopes if not s.earlier)


def _is_within(span: Span, told: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in told)


def _stepped(
    base: frozenset[PeriodKey], step: int, grain: str, known: Sequence[tuple[str, str, bool]]
) -> frozenset[PeriodKey]:
    """Return the recorded periods that lie right before or behind a base of their length."""
    found: set[PeriodKey] = set()
    for key in base:
        if isinstance(key, str) or _length(key) not in _DAYS[grain]:
            continue
        for other in known:
            first, second = (other, key) if step < 0 else (key, other)
            gap = (date.fromisoformat(second[0]) - date.fromisoformat(first[1])).days
            if gap == 1 and other[2] == key[2] and _length(other) in _DAYS[grain]:
                found.add(other)
    return frozenset(found)


def year_before(
    base: frozenset[PeriodKey], known: Iterable[PeriodKey], *, of_parts: bool = False
) -> frozenset[PeriodKey]:
    """Return the recorded years right before a year: what grows in it is held against them.

    Args:
        base: the year.
        known: the recorded periods.
        of_parts: whether the same part of the year before counts for a part of a year.
    """
    held = sorted(key for key in known if not isinstance(key, str))
    return _stepped(base, -1, "year", held) or (
        _years_on(base, -1, held) if of_parts else frozenset()
    )


def year_after(base: frozenset[PeriodKey], known: Iterable[PeriodKey]) -> frozenset[PeriodKey]:
    """Return the recorded years right after a year."""
    held = sorted(key for key in known if not isinstance(key, str))
    return _stepped(base, 1, "year", held)


def _years_on(
    base: frozenset[PeriodKey], years: int, known: Sequence[tuple[str, str, bool]]
) -> frozenset[PeriodKey]:
    """Return the recorded periods that lie so many years behind a base."""
    wanted = {
        (*(f"{int(day[:4]) + years}{day[4:]}" for day in key[:2]), key[2])
        for key in base
        if not isinstance(key, str)
    }
    return frozenset(key for key in known if key in wanted)


def _part_of_year(
    raw: str, base: frozenset[PeriodKey], known: Sequence[tuple[str, str, bool]]
) -> frozenset[PeriodKey]:
    """Return the recorded periods that are a part, such as Q3, of the year of a base."""
    years = {key[1][:4] for key in base if not isinstance(key, str)}
    if len(years) != 1:
        return frozenset()
    year = min(years)
    for written in (f"{raw} {year}", f"{year}年{raw}", f"{raw} of {year}"):
        read = [m for m in find_dates(written) if m.span == (0, len(written))]
        if read:
            own = (read[0].start.isoformat(), read[0].end.isoformat())
            return frozenset(key for key in known if key[:2] == own)
    return frozenset()


def parts_of(base: frozenset[PeriodKey], known: Iterable[PeriodKey]) -> list[tuple[str, str, bool]]:
    """Return the recorded periods that a longer period is divided into, in order.

    Nothing is returned where the longer period is recorded itself, where parts lie apart, and where
    they are only some of its days.
    """
    held = sorted(key for key in known if not isinstance(key, str))
    for key in base:
        if isinstance(key, str) or key in held:
            continue
        own = [one for one in held if key[0] <= one[0] and one[1] <= key[1] and one[2] == key[2]]
        if len(own) < 2 or own[0][0] != key[0] or own[-1][1] != key[1]:
            continue
        if follow_on(own):
            return own
    return []


def follow_on(periods: Sequence[tuple[str, str, bool]]) -> bool:
    """Whether each of some ordered periods begins the day after the one before ends."""
    return all(
        (date.fromisoformat(second[0]) - date.fromisoformat(first[1])).days == 1
        for first, second in pairwise(periods)
    )


def _length(key: tuple[str, str, bool]) -> int:
    return (date.fromisoformat(key[1]) - date.fromisoformat(key[0])).days


_NEARLY = r"\s*(?:[A-Z]{3} |[$€£¥约近]|(?:about|around|roughly|nearly|rund|etwa|knapp) ){0,2}$"
LATER = re.compile(rf"(?:\b(?:to|auf)|[至到为]){_NEARLY}")
"""Right before the later of two figures: "from 79.1 to 77.8"."""
# Before the time of the earlier figure of a change, and between the two.
_FROM_BEFORE = re.compile(r"[由从自]$")
_ITS_FIGURE = re.compile(r"的? ?[约近]?")
# Between the two ends of one range, and between the figures of a list.
_RANGE = re.compile(r" ?年? ?(?:to|and|bis|und|[-–—至到和]) ?", re.IGNORECASE)
_LISTED = re.compile(r"[^\w.;]{0,3}(?:\s?(?:and|und)\s)?[A-Z$€£¥]{0,4}\s?|[、，]|和|以及")


def by_order(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the period that a figure is of by where it stands among others, or nothing."""
    return _of_range(passage, claim) or _of_change(passage, claim) or _of_part(passage, claim)


def _of_range(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the end of the one range that a passage names which a figure is of, or nothing.

    "From 2010 to 2020 it fell in A from 5 to 4, and in B it rose from 6 to 7."
    """
    text = passage.contexts.reading.text
    if len(passage.periods) != 2:
        return frozenset()
    first, last = passage.periods
    is_range = _RANGE.fullmatch(text, first.end, last.start) is not None
    if not is_range or sorted(map(str, first.keys)) > sorted(map(str, last.keys)):
        return frozenset()
    if passage.is_left(claim):
        return first.keys
    before = [q.span for q in passage.quantities if q.span[1] <= claim]
    is_right = bool(before) and LATER.search(text, before[-1][1], claim) is not None
    return last.keys if is_right else frozenset()


def _of_change(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return which of two times a figure is of, where one is told with its time behind "from".

    "2020年人口由2010年的13.38亿增至14.11亿": the second is of the other time.
    """
    if len(passage.periods) != 2 or passage.periods[0].keys & passage.periods[1].keys:
        return frozenset()
    text = passage.contexts.reading.text
    for base, other in (passage.periods, reversed(passage.periods)):
        spans = [q.span for q in passage.quantities if q.span[0] >= base.end]
        told = _FROM_BEFORE.search(text, max(0, base.start - 2), base.start)
        if spans and told and _ITS_FIGURE.fullmatch(text, base.end, spans[0][0]):
            return base.keys if claim == spans[0][0] else other.keys if claim in (
                start for start, _ in spans[1:2]
            ) else frozenset()  # fmt: skip
    return frozenset()


def _of_part(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the part of what a passage names that a figure of a list is of.

    A list tells one figure for each recorded part, in their order: "2022: 815, 864, 882, 1025",
    "FY2022 to FY2025: 10.8 % → 10.1 % → 9.7 % → 9.9 %".
    """
    text, periods = passage.contexts.reading.text, passage.periods
    parts = _parts(passage)
    days = sorted({key[:2] for key in parts})
    begin = max((one.end for one in periods), default=passage.passage.start)
    spans = [q.span for q in passage.quantities if q.span[0] >= begin]
    starts = [start for start, _ in spans]
    if len(days) < 2 or len(spans) != len(days) or claim not in starts:
        return frozenset()
    if not all(_LISTED.fullmatch(text, a[1], b[0]) for a, b in pairwise(spans)):
        return frozenset()
    own = days[starts.index(claim)]
    return frozenset(key for key in parts if key[:2] == own)


def _parts(passage: PassageContext) -> list[tuple[str, str, bool]]:
    """Return the recorded parts of the one time, or the range, that a passage names."""
    text, periods = passage.contexts.reading.text, passage.periods
    recorded = passage.contexts.known.periods
    held = sorted(key for key in recorded if not isinstance(key, str))
    if len(periods) == 1:
        return [key for key in parts_of(periods[0].keys, recorded) if len(key) == 3]
    if len(periods) != 2 or not _RANGE.fullmatch(text, periods[0].end, periods[1].start):
        return []
    begins = [key[0] for key in held if key in periods[0].keys]
    ends = [key[1] for key in held if key in periods[1].keys]
    if not begins or not ends:
        return []
    held = [key for key in held if min(begins) <= key[0] <= key[1] <= max(ends)]
    each = [[key for key in held if key[2] is fiscal] for fiscal in (True, False)]
    return [key for own in each if follow_on(own) for key in own]


def referred_from(
    passage: PassageContext, claim: int, claims: Sequence[int]
) -> frozenset[PeriodKey]:
    """Return the year after the one that a passage names, for a figure told before its own.

    "331.7 million, after 323.0 million the year before": the first is of the year told above.
    """
    contexts = passage.contexts
    if len(passage.periods) != 1 or passage.periods[0][:2] not in contexts.referred:
        return frozenset()
    before = [one for one in claims if one < passage.periods[0].start]
    above = (one.keys for span in passage.above for one in contexts.dated(span))
    after = year_after(passage.periods[0].keys, contexts.known.periods)
    told = after & frozenset[PeriodKey]().union(*above)
    return after if told and len(before) > 1 and claim < before[-1] else frozenset()
