"""Marks of time: the smallest pieces of a text that mean a period or a part of one.

"Q3", "fiscal 2024", 上半年, "last year". Each form of a mark is a `Rule`; `period_joining` puts
marks together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from groundwire.quantities.chinese import read_chinese
from groundwire.quantities.dates import MONTH_NUMBERS, whole_year
from groundwire.quantities.period_meaning import Meaning, Part, Point, Span, Unclear
from groundwire.quantities.periods import PeriodGrain
from groundwire.quantities.words import times_of

MarkKind = Literal["year", "part", "point", "other", "ended"]
Flag = Literal["weak", "impossible", "short", "bare", "suffixed", "anaphoric", "part_first"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A piece of time at its place.

    Attributes:
        start, end: where it stands, end exclusive.
        kind: `year` and `part` may join each other, `point` is whole, `ended` wants the day on
            which it ended, `other` is what no year or part joins.
        meaning: what it means alone.
        flags: `weak`, counts only beside a year or in a range; `impossible`, month 13; `short`,
            a year of two digits that counts only beside a part; `bare`, four digits alone;
            `suffixed`, its fiscal word follows it; `anaphoric`, relative to what was named
            before rather than to today; `part_first`, written part before year.
        ordinal: the part that it is where a year follows: "last quarter of 2024".
    """

    start: int
    end: int
    kind: MarkKind
    meaning: Meaning
    flags: frozenset[Flag] = frozenset()
    ordinal: Part | None = None

    @property
    def point(self) -> Point | None:
        """Return its meaning where that is one period."""
        return self.meaning if isinstance(self.meaning, Point) else None


class Rule(NamedTuple):
    """A form of a mark: how it is written, and what it means."""

    name: str
    pattern: str
    build: Callable[[re.Match[str]], Mark | None]


YEAR = r"(?:1[5-9]|2[01])[0-9]{2}(?![0-9])"
GAP = r"\s{0,2}"
SPACE = r"(?:\s{1,3}|-)"
HAN = "[〇零一二三四五六七八九十]{1,3}"
MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")(?![A-Za-z])\.?"
# fmt: off
_NUMBER_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)
# fmt: on
NUMBERS = {word: value for value, word in enumerate(_NUMBER_WORDS, 1)}
NUMBER = r"(?:[0-9]{1,3}(?![0-9])|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
FISCAL_YEAR = "财年|财政年度|会计年度"
CALENDAR_YEAR = "公历年?|自然年度?|日历年度?"
TYPE = r"(?:fiscal|financial|calendar)"
MONTHS_OF = {"year": 12, "half": 6, "quarter": 3, "month": 1}
GRAINS: dict[str, PeriodGrain] = times_of("grains")


def whole(raw: str) -> int:
    """A number in digits, English or Chinese, or 0."""
    if raw.isdigit() and raw.isascii():
        return int(raw)
    if raw.lower() in NUMBERS:
        return NUMBERS[raw.lower()]
    if raw in ("两", "二"):
        return 2
    read = read_chinese(raw, 0)
    return int(read[0]) if read is not None and read[2] == len(raw) else 0


def fiscal_word(raw: str | None) -> bool | None:
    """Whether a word says fiscal (True) or calendar (False), or neither."""
    if not raw:
        return None
    return not raw.lower().startswith(("calendar", "cy", "公历", "自然年", "日历年"))


def grain_of(raw: str | None) -> PeriodGrain | None:
    """Grain of a word that begins with one of the units, or None."""
    folded = (raw or "").lower()
    return next((grain for word, grain in GRAINS.items() if folded.startswith(word)), None)


def mark(
    match: re.Match[str],
    kind: MarkKind,
    meaning: Meaning,
    *flags: Flag,
    ordinal: Part | None = None,
) -> Mark:
    """A mark over a whole match."""
    return Mark(match.start(), match.end(), kind, meaning, frozenset(flags), ordinal)


def part_mark(match: re.Match[str], part: Part, fiscal: bool | None = None, *flags: Flag) -> Mark:
    """A mark of a part of a year, impossible where no year has it."""
    fits = part.months > 0 and part.skipped >= 0 and part.skipped + part.months <= 12
    if fits and part.day:
        fits = is_day(2024, part.skipped + 1, part.day)
    if not fits:
        flags = (*flags, "impossible")
    return mark(match, "part", Point(part=part, fiscal=fiscal), *flags)


def is_day(year: int, month: int, day: int) -> bool:
    """Whether a date exists."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def quarter(number: int) -> Part:
    """A quarter of a year; beyond the fourth it is an impossible one."""
    return Part(3 * (number - 1), 3)


def half(number: int) -> Part:
    """A half of a year."""
    return Part(6 * (number - 1), 6)


def two_years(year: int, number: int, fiscal: bool | None) -> tuple[Meaning, *tuple[Flag, ...]]:
    """A year and the last two digits of another: several years, or one that spans two."""
    last = year - year % 100 + number
    if last == year + 1 or (year % 100 == 99 and number == 0):
        return (Unclear("one fiscal year, or two years? Write FY and one year", fiscal),)
    if last > year:
        return (Span(Point(year=year, fiscal=fiscal), Point(year=last, fiscal=fiscal)),)
    return Unclear("what is it?"), "impossible"


def said_year(match: re.Match[str]) -> Mark:
    """FY2024, FY'24, fiscal year 2023, FY2022-24, CY2024, 财年2024."""
    said = match.groupdict()
    year = int(match["year"])
    if len(match["year"]) == 2:
        year = whole_year(year)
    fiscal = fiscal_word(match["said"])
    if not 1500 <= year <= 2199:
        return mark(match, "year", Point(year=2000, fiscal=fiscal), "impossible")
    if said.get("last"):
        return mark(match, "point", *two_years(year, int(match["last"]), fiscal))
    return mark(match, "year", Point(year=year, fiscal=fiscal))


def glue_between(text: str, left: Mark, right: Mark) -> str | None:
    """Return the text between two marks, or None where they are apart."""
    if right.start - left.end > 12:
        return None
    between = text[left.end : right.start]
    return None if "\n" in between else " ".join(between.split()).lower()


FIRST: frozenset[Flag] = frozenset({"part_first"})
IMPOSSIBLE: frozenset[Flag] = frozenset({"impossible"})


def kept_flags(one: Mark, other: Mark) -> frozenset[Flag]:
    """Return the mark that two joined marks make."""
    return frozenset(
        flag for flag in one.flags | other.flags if flag in ("impossible", "anaphoric")
    )
