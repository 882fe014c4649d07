"""Marks of absolute time in a folded text: years, parts of years, months, days, in digits or words.

A mark is the smallest piece that means something: "Q3", "of fiscal 2024" without the "of", 上半年.
`period_joining` puts marks together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from groundwire.quantities.chinese import DIGITS, read_chinese
from groundwire.quantities.dates import MONTH_NUMBERS
from groundwire.quantities.period_meaning import Meaning, Part, Point, Span, Unclear

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
        """Its meaning where that is one period."""
        return self.meaning if isinstance(self.meaning, Point) else None


class Rule(NamedTuple):
    """A form of a mark: how it is written, and what it means."""

    name: str
    pattern: str
    build: Callable[[re.Match[str]], Mark | None]


YEAR = r"(?:1[5-9]|2[01])[0-9]{2}(?![0-9])"
GAP = r"\s{0,2}"
SPACE = r"(?:\s{1,3}|-)"
_HAN = "[〇零一二三四五六七八九十]{1,3}"
_HAN_YEAR = "[一二][〇零○一二三四五六七八九]{3}"
MONTH = "(?:" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")(?![A-Za-z])\.?"
NUMBERS = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
NUMBER = r"(?:[0-9]{1,3}(?![0-9])|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
_FISCAL_YEAR = "财年|财政年度|会计年度"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3}
_ORDINALS |= {"4th": 4}
_ORDINAL = "(?:first|second|third|fourth)"
_HAN_ORDINAL = "[0-9一二三四五六七八九十]"


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
    return not raw.lower().startswith(("calendar", "cy", "公历"))


def mark(
    match: re.Match[str],
    kind: MarkKind,
    meaning: Meaning,
    *flags: Flag,
    ordinal: Part | None = None,
) -> Mark:
    """A mark over a whole match."""
    return Mark(match.start(), match.end(), kind, meaning, frozenset(flags), ordinal)


def quarter(number: int) -> Part:
    """A quarter of a year; beyond the fourth it is an impossible one."""
    return Part(3 * (number - 1), 3)


def half(number: int) -> Part:
    """A half of a year."""
    return Part(6 * (number - 1), 6)


def _part(match: re.Match[str], part: Part, fiscal: bool | None = None, *flags: Flag) -> Mark:
    fits = part.months > 0 and 0 <= part.skipped and part.skipped + part.months <= 12
    if fits and part.day:
        fits = _is_day(2024, part.skipped + 1, part.day)
    if not fits:
        flags = (*flags, "impossible")
    return mark(match, "part", Point(part=part, fiscal=fiscal), *flags)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _iso_day(match: re.Match[str]) -> Mark | None:
    year, month, day = int(match[1]), int(match[3]), int(match[5])
    if match[2] != match[4]:
        return None
    point = Point(year=year, part=Part(month - 1, 1, day, named=True))
    return mark(match, "point", point, *(() if _is_day(year, month, day) else ("impossible",)))


def _two_digits_after(match: re.Match[str]) -> Mark:
    """2024-03, 2024/03, 2022-24, 2023/24."""
    year, number = int(match[1]), int(match[3])
    if match[2] == "/" or number > 12:
        written_in_two_ways = number == (year + 1) % 100
        if written_in_two_ways or match[2] == "-":
            return mark(match, "point", *_years(year, number, None))
    if 1 <= number <= 12:
        return mark(match, "point", Point(year=year, part=Part(number - 1, 1, named=True)))
    return mark(match, "point", Unclear("what is it?"), "impossible")


def _years(year: int, number: int, fiscal: bool | None) -> tuple[Meaning, *tuple[Flag, ...]]:
    """A year and the last two digits of another: several years, or one that spans two."""
    last = year - year % 100 + number
    if last == year + 1 or (year % 100 == 99 and number == 0):
        return (Unclear("one fiscal year, or two years? Write FY and one year", fiscal),)
    if last > year:
        return (Span(Point(year=year, fiscal=fiscal), Point(year=last, fiscal=fiscal)),)
    return Unclear("what is it?"), "impossible"


def _month_slash_year(match: re.Match[str]) -> Mark:
    part = Part(int(match[1]) - 1, 1, named=True)
    return mark(match, "point", Point(year=int(match[2]), part=part))


def _day_month(match: re.Match[str]) -> Mark:
    return _part(match, Part(_month(match[2]) - 1, 1, int(match[1]) or 99, named=True))


def _month_day(match: re.Match[str]) -> Mark | None:
    if match[1].islower() and match[1] == "may":
        return None
    return _part(match, Part(_month(match[1]) - 1, 1, int(match[2]) or 99, named=True))


def _month(raw: str) -> int:
    return MONTH_NUMBERS[raw.lower().rstrip(".")]


_YEAR_NEAR = re.compile(r"\s{0,3}(?:,\s?|of\s|-|/)?(?:'|(?:1[5-9]|2[01])[0-9]{2}(?![0-9]))")
_MONTH_BEFORE = re.compile(
    r"\b(?:in|since|during|of|for|until|from|through|between|by|early|late|mid|last|next|this|"
    r"end|to|and|,|-|~)[\s-]?$",
    re.IGNORECASE,
)


def _month_name(match: re.Match[str]) -> Mark | None:
    """A month; "may" and "march" as verbs and abbreviations as names only where they are clear."""
    raw, text = match[0], match.string
    part = Part(_month(raw) - 1, 1, named=True)
    doubtful = len(raw.rstrip(".")) <= 4 or raw.lower() == "march"
    if not doubtful or _YEAR_NEAR.match(text, match.end()) is not None:
        return _part(match, part)
    before = _MONTH_BEFORE.search(text, max(0, match.start() - 10), match.start())
    if raw[0].islower() and (before is None or before[0].strip(" -") in ("to", "and", "by", ",")):
        return None
    return _part(match, part) if before is not None else _part(match, part, None, "weak")


def _compact(match: re.Match[str]) -> Mark | None:
    """Q3, H1, 3Q, 1H, FQ3, fiscal Q3."""
    digit, said = int(match["digit"]), match["said"]
    fiscal = fiscal_word(said)
    if match["letter"].lower() == "h":
        return _part(match, half(digit), fiscal) if digit in (1, 2) else None
    return _part(match, quarter(digit), fiscal)


def _months_in_digits(match: re.Match[str]) -> Mark:
    return _part(match, Part(0, int(match[1])), None, "weak")


def _ordinal(match: re.Match[str]) -> Mark:
    """Third quarter, fiscal first half, third fiscal quarter, and "first" of "first to third"."""
    said = match.groupdict()
    number = _ORDINALS[match["number"].lower()]
    fiscal = fiscal_word(said.get("before") or said.get("between"))
    part = quarter(number) if match["of"].lower().startswith("quarter") else half(number)
    return _part(match, part, fiscal)


def _first_months(match: re.Match[str]) -> Mark:
    each = {"m": 1, "q": 3, "h": 6}[match[2][0].lower()]
    return _part(match, Part(0, whole(match[1]) * each))


def _said_year(match: re.Match[str]) -> Mark:
    """FY2024, FY'24, fiscal year 2023, FY2022-24, CY2024, 财年2024."""
    said = match.groupdict()
    year = int(match["year"]) + (2000 if len(match["year"]) == 2 else 0)
    fiscal = fiscal_word(match["said"])
    if not 1500 <= year <= 2199:
        return mark(match, "year", Point(year=2000, fiscal=fiscal), "impossible")
    if said.get("last"):
        return mark(match, "point", *_years(year, int(match["last"]), fiscal))
    return mark(match, "year", Point(year=year, fiscal=fiscal))


def _year(match: re.Match[str]) -> Mark:
    """2024, 2024年, 2024财年, 2024 fiscal year, year 2024."""
    fiscal = fiscal_word(match.groupdict().get("said"))
    flags: list[Flag] = [] if match[0] != match["year"] else ["bare"]
    if fiscal is not None:
        flags.append("suffixed")
    return mark(match, "year", Point(year=int(match["year"]), fiscal=fiscal), *flags)


def _short_fiscal(match: re.Match[str]) -> Mark:
    return mark(match, "year", Point(year=2000 + int(match[1]), fiscal=True), "suffixed")


def _short(match: re.Match[str]) -> Mark:
    return mark(match, "year", Point(year=2000 + int(match[1])), "short")


def _han_year(match: re.Match[str]) -> Mark | None:
    year = int("".join(str(DIGITS[c]) for c in match[1]))
    if not 1500 <= year <= 2199:
        return None
    return mark(match, "year", Point(year=year, fiscal=fiscal_word(match[2])))


def _han_month(match: re.Match[str]) -> Mark:
    day = (whole(match[2]) or 99) if match[2] else 0
    return _part(match, Part(whole(match[1]) - 1, 1, day, named=True))


def _han_month_of_range(match: re.Match[str]) -> Mark:
    return _part(match, Part(whole(match[1]) - 1, 1, named=True))


def _han_quarter(match: re.Match[str]) -> Mark:
    loose = not match[0].startswith("第") and not match[0].endswith("度")
    return _part(match, quarter(whole(match[1])), None, *(("weak",) if loose else ()))


def _han_quarter_of_range(match: re.Match[str]) -> Mark:
    return _part(match, quarter(whole(match[1])))


def _han_first(match: re.Match[str]) -> Mark:
    each = 3 if "季" in match[2] else 1
    return _part(match, Part(0, whole(match[1]) * each))


def _han_half(match: re.Match[str]) -> Mark:
    return _part(match, half(1 if match[0][0] == "上" else 2))


_TYPE = r"(?:fiscal|financial|calendar)"
_NEXT_PART = r"(?:Q|H|first|second|third|fourth|quarter|half|[1-4]Q|[12]H)"

# fmt: off
DIGIT_RULES = (
    Rule("iso_day", r"((?:1[5-9]|2[01])[0-9]{2})([-/.])([0-9]{1,2})([-/.])([0-9]{1,2})(?![0-9])",
         _iso_day),
    Rule("two_digits", r"((?:1[5-9]|2[01])[0-9]{2})([-/])([0-9]{2})(?![0-9])", _two_digits_after),
    Rule("month_slash", rf"(0?[1-9]|1[0-2])/({YEAR})", _month_slash_year),
    Rule("day_month", rf"([0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s{{1,2}}of)?[\s-]{{1,2}}({MONTH})",
         _day_month),
    Rule("han_month_range",
         rf"([0-9]{{1,2}})(?={GAP}[-~至到]{GAP}(?:[0-9]{{1,2}}|{_HAN}){GAP}月)",
         _han_month_of_range),
    Rule("han_month", rf"([0-9]{{1,2}}){GAP}月份?(?:{GAP}([0-9]{{1,2}}){GAP}[日号])?", _han_month),
    Rule("han_quarter_digit", rf"([1-4]){GAP}季度?(?!报)", _han_quarter),
    Rule("han_fiscal_short", rf"([0-9]{{2}}){GAP}(?:{_FISCAL_YEAR})", _short_fiscal),
    Rule("months_in_digits", r"(12|9|6|3)M(?![A-Za-z])", _months_in_digits),
    Rule("compact_digit", r"(?P<said>x{0})(?P<digit>[1-9])(?P<letter>Q|H)(?![A-Z])", _compact),
    Rule("ordinal_digit",
         rf"(?P<number>[1-4](?:st|nd|rd|th)){SPACE}(?:(?P<between>{_TYPE})\s{{1,2}})?"
         r"(?P<of>quarter|half)(?![A-Z])", _ordinal),
    Rule("year_digits",
         rf"(?P<year>{YEAR})(?!\s?年代|'?s(?![A-Z])(?!\s{_NEXT_PART}))"
         rf"(?:{GAP}(?P<said>公历年?|{_FISCAL_YEAR}|{_TYPE}\s{{1,2}}years?(?![A-Z])"
         rf"|(?:fiscal|financial|FY|CY)(?=\s{{1,2}}{_NEXT_PART}|\s?$|\s?[,.;?)]))"
         rf"|{GAP}年?全年|{GAP}年度?(?!代)|\s{{1,2}}full[\s-]years?(?![A-Z]))?", _year),
)
TIGHT_RULES = (
    Rule("short", r"(?:(?<=[1-9][QH])|(?<=[0-9]M)|')([0-9]{2})(?![0-9])", _short),
)
WORD_RULES = (
    Rule("said_year",
         r"(?P<said>FY|CY|(?:fiscal|calendar)(?:[\s-]{1,2}years?)?|financial[\s-]{1,2}years?)"
         r"(?:\s{1,2}of)?[\s-]{0,2}'?(?P<year>[0-9]{4}|[0-9]{2})(?![0-9])"
         r"(?:[-/]'?(?P<last>[0-9]{2})(?![0-9A-Z]))?", _said_year),
    Rule("compact_word",
         rf"(?:(?P<said>{_TYPE})\s{{1,2}}|F)?(?P<letter>Q|H)(?P<digit>[1-9])(?![0-9])", _compact),
    Rule("compact_fiscal", rf"(?P<said>{_TYPE})\s{{1,2}}(?P<digit>[1-9])(?P<letter>Q|H)(?![A-Z])",
         _compact),
    Rule("ordinal_word",
         rf"(?:(?P<before>{_TYPE})\s{{1,2}})?(?P<number>{_ORDINAL}){SPACE}"
         rf"(?:(?P<between>{_TYPE})\s{{1,2}})?(?P<of>quarter|half)(?![A-Z])", _ordinal),
    Rule("ordinal_range",
         rf"(?P<number>{_ORDINAL})(?=\s?(?:to|through|and|or|-|,)\s?(?:the\s)?"
         r"(?:second|third|fourth)\s(?P<of>quarter|hal))", _ordinal),
    Rule("first_months",
         rf"first{SPACE}({NUMBER}){SPACE}(months?|quarters?|halves)(?![A-Z])", _first_months),
    Rule("year_word", rf"(?:full[\s-]{{1,2}})?year(?:\s{{1,2}}of)?\s{{1,2}}(?P<year>{YEAR})", _year),
    Rule("month_day",
         rf"({MONTH})\s{{0,2}}([0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9A-Z]|[,.][0-9])", _month_day),
    Rule("month", MONTH, _month_name),
)
HAN_RULES = (
    Rule("han_said", rf"(?P<said>{_FISCAL_YEAR}|公历){GAP}(?P<year>{YEAR})(?:{GAP}年)?", _said_year),
    Rule("han_year", rf"({_HAN_YEAR}){GAP}(?:({_FISCAL_YEAR}|公历年)|年度?(?!代))", _han_year),
    Rule("han_ordinal", rf"第{GAP}({_HAN_ORDINAL}){GAP}个?季度?", _han_quarter),
    Rule("han_ordinal_range",
         rf"第?([一二三])(?={GAP}[至到~、和及-]{GAP}第?{GAP}[二三四]{GAP}季)", _han_quarter_of_range),
    Rule("han_quarter", r"(?<![一二三四五六七八九十])([一二三四])个?季度?(?!报)", _han_quarter),
    Rule("han_months", rf"({_HAN}){GAP}月份?(?:{GAP}([0-9]{{1,2}}|{_HAN}){GAP}[日号])?", _han_month),
    Rule("han_first",
         rf"前{GAP}([0-9]{{1,2}}|[一二两三四五六七八九十]{{1,2}}){GAP}(个?季度?|个月)", _han_first),
    Rule("han_half", r"[上下]半年度?", _han_half),
)
# fmt: on
