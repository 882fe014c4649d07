"""Marks of absolute time in digits and English words: years, quarters, halves, months, days."""

from __future__ import annotations

import re

from groundwire.quantities.dates import MONTH_NUMBERS, whole_year
from groundwire.quantities.period_marks import (
    FISCAL_YEAR,
    GAP,
    MONTH,
    NUMBER,
    SPACE,
    TYPE,
    YEAR,
    Flag,
    Mark,
    Rule,
    fiscal_word,
    half,
    is_day,
    mark,
    part_mark,
    quarter,
    said_year,
    two_years,
    whole,
)
from groundwire.quantities.period_meaning import Part, Point, Unclear

_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_ORDINAL = "(?:first|second|third|fourth)"


def _iso_day(match: re.Match[str]) -> Mark | None:
    year, month, day = int(match[1]), int(match[3]), int(match[5])
    if match[2] != match[4]:
        return None
    point = Point(year=year, part=Part(month - 1, 1, day, named=True))
    return mark(match, "point", point, *(() if is_day(year, month, day) else ("impossible",)))


def _two_digits_after(match: re.Match[str]) -> Mark:
    """2024-03, 2024/03, 2022-24, 2023/24."""
    year, number = int(match[1]), int(match[3])
    if match[2] == "/" or number > 12:
        written_in_two_ways = number == (year + 1) % 100
        if written_in_two_ways or match[2] == "-":
            return mark(match, "point", *two_years(year, number, None))
    if 1 <= number <= 12:
        return mark(match, "point", Point(year=year, part=Part(number - 1, 1, named=True)))
    return mark(match, "point", Unclear("what is it?"), "impossible")


def _month_slash_year(match: re.Match[str]) -> Mark:
    part = Part(int(match[1]) - 1, 1, named=True)
    return mark(match, "point", Point(year=int(match[2]), part=part))


def _day_month(match: re.Match[str]) -> Mark:
    return part_mark(match, Part(_month(match[2]) - 1, 1, int(match[1]) or 99, named=True))


def _month_day(match: re.Match[str]) -> Mark | None:
    if match[1].islower() and match[1] == "may":
        return None
    return part_mark(match, Part(_month(match[1]) - 1, 1, int(match[2]) or 99, named=True))


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
        return part_mark(match, part)
    before = _MONTH_BEFORE.search(text, max(0, match.start() - 10), match.start())
    if raw[0].islower() and (before is None or before[0].strip(" -") in ("to", "and", "by", ",")):
        return None
    return part_mark(match, part) if before is not None else part_mark(match, part, None, "weak")


def _compact(match: re.Match[str]) -> Mark | None:
    """Q3, H1, 3Q, 1H, FQ3, fiscal Q3."""
    digit, said = int(match["digit"]), match["said"]
    fiscal = fiscal_word(said)
    if match["letter"].lower() == "h":
        return part_mark(match, half(digit), fiscal) if digit in (1, 2) else None
    return part_mark(match, quarter(digit), fiscal)


def _months_in_digits(match: re.Match[str]) -> Mark:
    return part_mark(match, Part(0, int(match[1])), None, "weak")


def _ordinal(match: re.Match[str]) -> Mark:
    """Third quarter, fiscal first half, third fiscal quarter, and "first" of "first to third"."""
    said = match.groupdict()
    number = _ORDINALS[match["number"].lower()]
    fiscal = fiscal_word(said.get("before") or said.get("between"))
    part = quarter(number) if match["of"].lower().startswith("quarter") else half(number)
    return part_mark(match, part, fiscal)


def _first_months(match: re.Match[str]) -> Mark:
    each = {"m": 1, "q": 3, "h": 6}[match[2][0].lower()]
    return part_mark(match, Part(0, whole(match[1]) * each))


def _year(match: re.Match[str]) -> Mark:
    """2024, 2024年, 2024财年, 2024 fiscal year, year 2024."""
    fiscal = fiscal_word(match.groupdict().get("said"))
    flags: list[Flag] = [] if match[0] != match["year"] else ["bare"]
    if fiscal is not None:
        flags.append("suffixed")
    return mark(match, "year", Point(year=int(match["year"]), fiscal=fiscal), *flags)


def _short(match: re.Match[str]) -> Mark:
    return mark(match, "year", Point(year=whole_year(int(match[1]))), "short")


_NEXT_PART = r"(?:Q|H|first|second|third|fourth|quarter|half|[1-4]Q|[12]H)"
# fmt: off
DIGIT_RULES = (
    Rule("iso_day", r"((?:1[5-9]|2[01])[0-9]{2})([-/.])([0-9]{1,2})([-/.])([0-9]{1,2})(?![0-9])",
         _iso_day),
    Rule("two_digits", r"((?:1[5-9]|2[01])[0-9]{2})([-/])([0-9]{2})(?![0-9])", _two_digits_after),
    Rule("month_slash", rf"(0?[1-9]|1[0-2])/({YEAR})", _month_slash_year),
    Rule("day_month", rf"([0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s{{1,2}}of)?[\s-]{{1,2}}({MONTH})",
         _day_month),
    Rule("months_in_digits", r"(12|9|6|3)M(?![A-Za-z])", _months_in_digits),
    Rule("compact_digit",
         r"(?P<said>x{0})(?P<digit>[1-9])(?P<letter>Q|H)(?!(?!FY)[A-Z])", _compact),
    Rule("ordinal_digit",
         rf"(?P<number>[1-4](?:st|nd|rd|th)){SPACE}(?:(?P<between>{TYPE})\s{{1,2}})?"
         r"(?P<of>quarter|half)(?![A-Z])", _ordinal),
    Rule("year_digits",
         rf"(?P<year>{YEAR})(?!\s?年代|\s?s(?![A-Z'])|(?<=0)'s(?![A-Z])(?!\s{_NEXT_PART}))"
         rf"(?:{GAP}(?P<said>公历年?|{FISCAL_YEAR}|{TYPE}\s{{1,2}}years?(?![A-Z])"
         rf"|(?:fiscal|financial|FY|CY)(?=\s{{1,2}}{_NEXT_PART}|\s?$|\s?[,.;?)]))"
         rf"|{GAP}年?全年|{GAP}年度?份?(?!代)|\s{{1,2}}full[\s-]years?(?![A-Z]))?", _year),
)
TIGHT_RULES = (
    Rule("short", r"(?:(?<=[1-9][QH])|(?<=[0-9]M)|')([0-9]{2})(?![0-9])", _short),
)
WORD_RULES = (
    Rule("said_year",
         r"(?P<said>FY|CY|(?:fiscal|calendar)(?:[\s-]{1,2}years?)?|financial[\s-]{1,2}years?)"
         r"(?:\s{1,2}of)?[\s-]{0,2}'?(?P<year>[0-9]{4}|[0-9]{2})(?![0-9])"
         r"(?:[-/]'?(?P<last>[0-9]{2})(?![0-9A-Z]))?", said_year),
    Rule("compact_word",
         rf"(?P<said>{TYPE}(?=\s)|F)?\s{{0,2}}(?P<letter>Q|H)(?P<digit>[1-9])(?![0-9])", _compact),
    Rule("compact_fiscal", rf"(?P<said>{TYPE})\s{{1,2}}(?P<digit>[1-9])(?P<letter>Q|H)(?![A-Z])",
         _compact),
    Rule("ordinal_word",
         rf"(?:(?P<before>{TYPE})\s{{1,2}})?(?P<number>{_ORDINAL}){SPACE}"
         rf"(?:(?P<between>{TYPE})\s{{1,2}})?(?P<of>quarter|half)(?![A-Z])", _ordinal),
    Rule("ordinal_range",
         rf"(?P<number>{_ORDINAL})(?=\s?(?:to|through|and|or|-|,)\s?(?:the\s)?"
         r"(?:second|third|fourth)\s(?P<of>quarter|hal))", _ordinal),
    Rule("first_months",
         rf"first{SPACE}({NUMBER}){SPACE}(months?|quarters?|halves)(?![A-Z])", _first_months),
    Rule("year_word",
         rf"(?:full[\s-]{{1,2}})?years?(?:\s{{1,2}}of)?\s{{1,2}}(?P<year>{YEAR})", _year),
    Rule("month_day",
         rf"({MONTH})\s{{0,2}}([0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9A-Z]|[,.][0-9])", _month_day),
    Rule("month", MONTH, _month_name),
)
