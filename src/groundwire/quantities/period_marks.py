"""Marks of time: the smallest pieces of a text that mean a period or a part of one.

"Q3", "fiscal 2024", 上半年, "last year". Each form of a mark is a `Rule`; `period_joining` puts
marks together. Other spellings (German, 31.12.2024, 24Q1) are first written as the grammar reads
them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal, NamedTuple

from groundwire.quantities.chinese import read_chinese
from groundwire.quantities.dates import MONTH_NUMBERS, whole_year
from groundwire.quantities.numerals import (
    LANGUAGES,
    language_of,
    tables,
    times_of,
)
from groundwire.quantities.period_meaning import Meaning, Part, Point, Span, Unclear
from groundwire.quantities.periods import PeriodGrain


@dataclass(frozen=True, slots=True)
class Respelt:
    """A text in the spelling of the grammar, and the way back to the text it was made of.

    Attributes:
        text: the text with its spellings replaced.
        changes: of each replacement where it begins and ends, here and in the first text.
    """

    text: str
    changes: Sequence[tuple[int, int, int, int]] = ()

    def back(self, position: int, *, end: bool = False) -> int:
        """The position in the first text: within a replacement its beginning, or its end."""
        i = bisect_right(self.changes, (position, -1 if end else 1 << 60)) - 1
        if i < 0:
            return position
        start, stop, first, last = self.changes[i]
        if position >= stop:
            return position - stop + last
        return last if end and position > start else first

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span in the first text."""
        return self.back(start), self.back(end, end=True)


_YEAR = "(?:1[5-9]|2[01])[0-9]{2}"
_ALONE = r"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][./,_-])"
_END = r"(?![0-9A-Za-z_])(?![./,_-][0-9])"
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# What joins a period with another one, or leads from it to how its value is told.
_BESIDE = (
    r"(?:to|and|or|vs|versus|than|in|for|by|at|compared"
    r"|bis|und|oder|als|im|von|für|gegen|gegenüber|verglichen)\b"
)
_UNITS = r"(?!\s?(?:%|[$€£]|[a-zµ]{1,3}[²³]?(?![a-z])|million|billion|mio|mrd|points))"


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _dotted(match: re.Match[str]) -> str | None:
    return _iso(match[3], match[2], match[1])


def _slashed(match: re.Match[str]) -> str | None:
    """A day between strokes where it can be no month, or is both."""
    first, second = int(match[1]), int(match[2])
    if first > 12 or first == second:
        return _iso(match[3], match[2], match[1])
    return _iso(match[3], match[1], match[2]) if second > 12 else None


def _year_month(match: re.Match[str]) -> str | None:
    return f"{match[1]}-{int(match[2]):02}" if 1 <= int(match[2]) <= 12 else None


def _dotted_month(match: re.Match[str]) -> str | None:
    """2024.12 and 12.2024, which are decimals too: alone, or where a text writes months so."""
    year, month = (match[1], match[2]) if len(match[1]) == 4 else (match[2], match[1])
    text = match.string
    alone = text.strip() == match[0]
    german = language_of(text, match.start()) in ("de", "umlaut") and len(match[1]) < 4
    chinese = _HAN.search(text) is not None and len(match[1]) == 4
    if not (alone or german or chinese) or not 1 <= int(month) <= 12:
        return None
    return f"{year}-{int(month):02}"


def _month_year(match: re.Match[str]) -> str | None:
    """Dec-98 and Mar/2019; up to 31 the digits may be a day."""
    year = int(match[2])
    if year <= 31:
        return None
    return f"{match[1]} {whole_year(year) if year < 100 else year}"


def _year_quarter(match: re.Match[str]) -> str | None:
    return f"{whole_year(int(match[1]))}Q{match[2]}"


def _quarter_year(match: re.Match[str]) -> str | None:
    return f"Q{match[1]} {whole_year(int(match[3]))}"


_HAN = re.compile("[\u4e00-\u9fff]")
_NUMERIC: tuple[tuple[str, Callable[[re.Match[str]], str | None]], ...] = (
    (rf"{_ALONE}([0-9]{{1,2}})\.([0-9]{{1,2}})\.({_YEAR}){_END}", _dotted),
    (rf"{_ALONE}([0-9]{{1,2}})/([0-9]{{1,2}})/({_YEAR}){_END}", _slashed),
    (rf"{_ALONE}({_YEAR})/([1-9]){_END}", _year_month),
    (rf"{_ALONE}({_YEAR})\.([01][0-9]){_END}{_UNITS}", _dotted_month),
    (rf"{_ALONE}([0-9]{{1,2}})\.({_YEAR}){_END}{_UNITS}", _dotted_month),
    (rf"{_ALONE}({_MONTHS})-([0-9]{{2}}){_END}(?!,?\s?(?:1[5-9]|2[01])[0-9]{{2}})", _month_year),
    (rf"{_ALONE}({_MONTHS})/({_YEAR}){_END}", _month_year),
    (rf"{_ALONE}([0-9]{{2}})Q([1-4]){_END}", _year_quarter),
    (
        rf"{_ALONE}Q([1-4])([-/ ])([0-9]{{2}}){_END}(?!\s?[%$€£]|\s?(?!{_BESIDE})[A-Za-z])",
        _quarter_year,
    ),
)


_Writing = str | Callable[[re.Match[str]], str | None]


@cache
def _spellings() -> tuple[re.Pattern[str], tuple[tuple[str, _Writing], ...]]:
    """One pattern that finds every spelling, and the source of each one's own with its writing."""
    own: list[tuple[str, _Writing]] = []
    latin: list[str] = []
    han: list[str] = []
    groups = re.compile(r"(?<!\\)\((?!\?)")

    def add(pattern: str, written: _Writing, forms: list[str]) -> None:
        forms.append(f"(?P<n{len(own)}>{groups.sub('(?:', pattern)})")
        own.append((pattern, written))

    for pattern, build in _NUMERIC:
        add(pattern, build, latin)
    for language in LANGUAGES:
        for pattern, written in tables(language)["time"]["spellings"]:
            if language == "zh":
                add(pattern, written, han)
                continue
            end = "" if pattern.endswith(" ") or "(?=" in pattern else "(?![A-Za-zÄÖÜäöüß])"
            add(f"(?:{pattern}){end}", written, latin)
    # What begins no spelling is passed over at once.
    pattern = (
        rf"(?<![A-Za-zÄÖÜäöüß0-9])(?=[0-9adefghijklmnoqstvzä])(?:{'|'.join(latin)})"
        rf"|(?=[0-9第前后头的半公年最一中])(?:{'|'.join(han)})"
    )
    return _compiled(pattern), tuple(own)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when a text first has what it finds: most texts have few."""
    return re.compile(pattern, re.IGNORECASE)


def respell(text: str) -> Respelt:
    """Write a folded text as the period grammar reads it."""
    pattern, own = _spellings()
    if not text.isascii() or _NEEDS.search(text) is not None:
        return _respell(text, pattern, own)
    return Respelt(text)


# What every spelling of plain letters and digits has: a mark between digits, or one of its words.
_NEEDS = re.compile(
    r"[0-9][./][0-9]|[0-9][Qq]|[Qq][1-4][-/ ]|-[0-9]"
    r"|[A-Za-z]/[0-9]|-?W[0-9]|qtr|quart|month of|hal[bf]"
    r"|jan|feb|mae?r|mai|jun|jul|okt|dez|jahr|gj|monat|ende|[0-9]\. |[5-9]th",
    re.IGNORECASE,
)


def _respell(text: str, pattern: re.Pattern[str], own: Sequence[tuple[str, _Writing]]) -> Respelt:
    """Replace each spelling that a pattern finds."""
    pieces: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    at = length = 0
    for match in pattern.finditer(text):
        form, written = own[int(str(match.lastgroup)[1:])]
        again = _compiled(form).match(text, match.start())
        if again is None:
            continue
        new = again.expand(written) if isinstance(written, str) else written(again)
        if new is None:
            continue
        pieces += (text[at : again.start()], new)
        start = length + again.start() - at
        length = start + len(new)
        changes.append((start, length, again.start(), again.end()))
        at = again.end()
    if not changes:
        return Respelt(text)
    return Respelt("".join((*pieces, text[at:])), tuple(changes))


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
