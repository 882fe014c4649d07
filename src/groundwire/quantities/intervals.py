"""Intervals of time in a text, with ends that bounds leave open, decades and centuries.

"before 2010", "seit März 2019", 2015年以来, "the 1990s": what `find_periods` reads without the word
beside it is read here with it, or not at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from groundwire.quantities.chinese import read_chinese
from groundwire.quantities.period_grammar import fold, scan
from groundwire.quantities.period_leftovers import find_time_words
from groundwire.quantities.period_meaning import read_meaning
from groundwire.quantities.period_spellings import BOUNDS, word_after, word_before
from groundwire.quantities.periods import CALENDAR_YEAR, FiscalCalendar
from groundwire.quantities.words import LANGUAGES, any_of, spelling, tables


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """An interval of days as it stands in a text.

    Attributes:
        start: its first day; None where that is open.
        end: its last day; None where that is open.
        span: where it stands, bound included, end exclusive.
        raw: as it was written.
        relative: whether it depends on the reference day.
    """

    start: date | None
    end: date | None
    span: tuple[int, int]
    raw: str
    relative: bool = False


_DAY = timedelta(days=1)
_FOLLOWS = tuple(f"{kind}_follows" for kind in BOUNDS)


@cache
def _eras() -> tuple[re.Pattern[str], ...]:
    """The patterns of decades and centuries."""
    words = any_of(
        word for language in LANGUAGES for word in tables(language)["time"]["decade_words"]
    )
    return tuple(
        re.compile(
            rf"(?<![0-9A-Za-zÄÖÜäöüß])(?:(?:the|die|das|den|der|dem) )?"
            rf"(?:{form})(?![A-Za-zäöü0-9])".replace(
                "(?P<word>[a-z]{5,8}ies)", f"(?P<word>{words})"
            ).replace("(?P<word>[a-zß]{4,8}iger)", f"(?P<word>{words})"),
            re.IGNORECASE,
        )
        for language in LANGUAGES
        for kind in ("decades", "centuries")
        for form in tables(language)["time"][kind]
    )


@cache
def _decade_words() -> dict[str, int]:
    return {
        spelling(word): int(value)
        for language in LANGUAGES
        for word, value in tables(language)["time"]["decade_words"].items()
    }


def _era(match: re.Match[str]) -> tuple[date, date]:
    """First and last day of a decade or century."""
    said = match.groupdict()
    ordinal = said.get("ordinal")
    if ordinal:
        read = None if ordinal.isdigit() else read_chinese(ordinal, 0)
        century = int(ordinal) if read is None else int(read[0])
        if "decade" not in said and "word" not in said:
            return date(100 * century - 99, 1, 1), date(100 * century, 12, 31)
        century -= 1
    else:
        century = int(said.get("century") or 19)
    tens = int(said["decade"]) if said.get("decade") else _decade_words()[spelling(said["word"])]
    year = 100 * century + 10 * tens
    return date(year, 1, 1), date(year + 9, 12, 31)


def _found(
    text: str, calendar: FiscalCalendar, reference: date
) -> list[tuple[int, int, date | None, date | None, bool]]:
    """Every period, decade and century, before any bound."""
    folded = fold(text)
    eras = [
        (*match.span(), *_era(match), False)
        for pattern in _eras()
        for match in pattern.finditer(folded)
    ]
    eras.sort(key=lambda one: (one[0], -one[1]))
    found: list[tuple[int, int, date | None, date | None, bool]] = []
    for one in eras:
        if not found or one[0] >= found[-1][1]:
            found.append(one)
    scanned = scan(text)
    for mark in scanned.marks:
        span = scanned.respelt.span(mark.start, mark.end)
        if any(span[0] < end and start < span[1] for start, end, *_ in found):
            continue
        reading = read_meaning(mark.meaning, "", calendar, reference)
        if not reading.periods:
            continue
        last = None if reading.kind == "since" else reading.periods[-1].end
        found.append((*span, reading.periods[0].start, last, bool(reading.note)))
    return sorted(found, key=lambda one: one[0])


_TO = re.compile(r" ?(?:-|to|through|bis|至|到) ?(?:the |den |die )?", re.IGNORECASE)


def find_intervals(
    text: str, reference: date, calendar: FiscalCalendar = CALENDAR_YEAR
) -> list[TimeInterval]:
    """Find every interval of time that can be read with the words beside it.

    A bound leaves an end open: "before 2010" ends on 2009-12-31, "until 2020" on 2020-12-31. What
    a word beside it makes vague ("early 2019", "around 2015", 2018年初) is not found; nor are
    windows that end with the newest period.

    Args:
        text: any text.
        reference: the day that "last", "this" and "next" are counted from.
        calendar: the calendar of what is called fiscal.
    """
    folded = fold(text)
    vague = find_time_words(text)
    kept: list[TimeInterval] = []
    for start, end, first, last, relative in _found(text, calendar, reference):
        before = word_before(folded, start, *BOUNDS)
        after = word_after(folded, end, *_FOLLOWS)
        begin = start if before is None else before[2]
        finish = end if after is None else after[2]
        if first is None or (last is None and (before is not None or after is not None)):
            begin, finish = start, end
        elif before is not None and before[0] == "since" and after is not None:
            first, last = _bounded(after[0].removesuffix("_follows"), first, last)
        elif before is not None and after is not None:
            if before[0] != "until" or after[0] != "until_follows":
                continue
            first, last = None, last
        elif before is not None or after is not None:
            kind = (before or after or ("",))[0].removesuffix("_follows")
            first, last = _bounded(kind, first, last)
        if any(other != (start, end) and _touches(folded, other, begin, finish) for other in vague):
            continue
        if word_before(folded, begin, "vague") or word_after(folded, finish, "vague_follows"):
            continue
        if _MORE_LEFT.search(folded, max(0, begin - 16), begin) or _MORE_RIGHT.match(
            folded, finish
        ):
            continue
        kept.append(TimeInterval(first, last, (begin, finish), text[begin:finish], relative))
    return _ranges(folded, text, kept)


def _bounded(kind: str, first: date | None, last: date | None) -> tuple[date | None, date | None]:
    """An interval as a bound has it."""
    if kind == "before":
        return None, first - _DAY if first is not None else None
    if kind == "until":
        return None, last
    if kind == "after":
        return (last + _DAY if last is not None else None), None
    return first, None


# What may stand between a period and a word that narrows it: "first week of 2015".
_GLUE = re.compile(
    r"[ ,-]{0,2}(?:s |[0-9]{1,2} )?"
    r"(?:(?:of|in|the|des|der|vom|im|jahr|jahres|or|and|und|的|或)[ ]?){0,2}"
    r"[ -]{0,2}",
    re.IGNORECASE,
)
# Days and comparisons beside a period that are not read with it.
_MORE_LEFT = re.compile(
    r"(?:[<>=≤≥] ?|[0-9]/[0-9]{1,2},? |[0-9](?:st|nd|rd|th),? (?:of )?"
    r"|(?<![a-z])(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?: of)? )$",
    re.IGNORECASE,
)
_MORE_RIGHT = re.compile(
    r" [0-9]{1,2} [0-9]{1,2}(?![0-9])|[/-][a-z]{3}|(?<=月)[一二三四五六七八九十]"
    r"| and (?:now|today|tomorrow)",
    re.IGNORECASE,
)


def _touches(folded: str, other: tuple[int, int], begin: int, end: int) -> bool:
    """Whether an unread word of time stands right beside a span, and not within it."""
    if other[0] >= begin and other[1] <= end:
        return False
    between = folded[other[1] : begin] if other[1] <= begin else folded[end : other[0]]
    return len(between) <= 16 and _GLUE.fullmatch(between) is not None


def _ranges(folded: str, text: str, found: list[TimeInterval]) -> list[TimeInterval]:
    """Join decades that are the two ends of a range."""
    joined: list[TimeInterval] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and last.start and last.end and one.start and one.end:
            between = folded[last.span[1] : one.span[0]]
            if last.end < one.start and _TO.fullmatch(between):
                span = (last.span[0], one.span[1])
                joined[-1] = TimeInterval(last.start, one.end, span, text[slice(*span)])
                continue
        joined.append(one)
    return joined
