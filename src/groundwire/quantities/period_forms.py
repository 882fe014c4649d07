"""Marks of time in digits, English words and Chinese: years, quarters, halves, months, days."""

from __future__ import annotations

import re
from collections.abc import Mapping

from groundwire.quantities.chinese import han_characters
from groundwire.quantities.dates import MONTH_NUMBERS, whole_year
from groundwire.quantities.numerals import tables
from groundwire.quantities.period_marks import (
    CALENDAR_YEAR,
    FISCAL_YEAR,
    GAP,
    HAN,
    MONTH,
    MONTHS_OF,
    NUMBER,
    SPACE,
    TYPE,
    YEAR,
    Flag,
    Mark,
    Rule,
    fiscal_word,
    grain_of,
    half,
    is_day,
    mark,
    part_mark,
    quarter,
    said_year,
    two_years,
    whole,
)
from groundwire.quantities.period_meaning import Latest, Part, Point, Rolling, Unclear

_HAN_YEAR = "[一二][〇零○一二三四五六七八九]{3}"
_HAN_ORDINAL = "[0-9一二三四五六七八九十]"
_HAN_SHIFTS: Mapping[str, int] = tables("zh")["time"]["shifts"]
_HAN_YEARS: Mapping[str, int] = tables("zh")["time"]["years"]
_HAN_ANAPHORIC = ("上", "前一", "下")


def _han_year(match: re.Match[str]) -> Mark | None:
    year = int("".join(str(han_characters().digits[c]) for c in match[1]))
    if not 1500 <= year <= 2199:
        return None
    return mark(match, "year", Point(year=year, fiscal=fiscal_word(match[2])))


def _han_month(match: re.Match[str]) -> Mark:
    day = (whole(match[2]) or 99) if match[2] else 0
    return part_mark(match, Part(whole(match[1]) - 1, 1, day, named=True))


def _han_month_of_range(match: re.Match[str]) -> Mark:
    return part_mark(match, Part(whole(match[1]) - 1, 1, named=True))


def _han_quarter(match: re.Match[str]) -> Mark:
    loose = not match[0].startswith("第") and not match[0].endswith("度")
    return part_mark(match, quarter(whole(match[1])), None, *(("weak",) if loose else ()))


def _han_quarter_of_range(match: re.Match[str]) -> Mark:
    return part_mark(match, quarter(whole(match[1])))


def _han_first(match: re.Match[str]) -> Mark:
    each = 3 if "季" in match[2] else 1
    return part_mark(match, Part(0, whole(match[1]) * each))


def _short_fiscal(match: re.Match[str]) -> Mark:
    return mark(match, "year", Point(year=whole_year(int(match[1])), fiscal=True), "suffixed")


def _han_half(match: re.Match[str]) -> Mark:
    return part_mark(match, half(1 if match[0][0] == "上" else 2))


def _han_relative_year(match: re.Match[str]) -> Mark:
    raw = match["word"]
    flags: tuple[Flag, ...] = ("anaphoric",) if raw.startswith(_HAN_ANAPHORIC) else ()
    return mark(match, "year", Point(shift=_HAN_YEARS[raw]), *flags)


def _han_relative(match: re.Match[str]) -> Mark:
    word = match["word"]
    flags: tuple[Flag, ...] = ("anaphoric",) if word in ("上", "下", "前一") else ()
    unit = {"季": "quarter", "月": "month"}.get(match["unit"][0], "year")
    steps = _HAN_SHIFTS[word]
    if unit == "year":
        return mark(match, "year", Point(shift=steps, fiscal=True), *flags)
    return mark(match, "other", Point(steps=steps, part=Part(0, MONTHS_OF[unit])), *flags)


def _han_rolling(match: re.Match[str]) -> Mark:
    count = whole(match["count"])
    if not count:
        return mark(match, "other", Unclear("how many?"), "impossible")
    grain = grain_of(match["unit"])
    fiscal = True if match["unit"] in FISCAL_YEAR.split("|") else None
    name = f"a window of {count} {grain or 'period'}{'s' if count > 1 else ''}"
    return mark(match, "other", Rolling(grain, count, name, fiscal))


def _han_to_date(match: re.Match[str]) -> Mark:
    return mark(match, "other", Rolling(None, 0, "the year to date"))


def _han_latest(match: re.Match[str]) -> Mark:
    unit = match["unit"] or ""
    fiscal = True if unit in FISCAL_YEAR.split("|") else None
    return mark(match, "other", Latest(grain_of(unit), fiscal))


# Characters that make 上年, 本月 and the like parts of other words: 以上年龄, 日本月均, 说明年份.
_NOT_AFTER = {
    "上": "以之线网海",
    "下": "以之线",
    "本": "日成基资版原样",
    "前": "目以之从当",
    "今": "如",
    "明": "说证表",
    "后": "以之今",
}
_NOT_AFTER_LAST = "(?:(?<!过)|(?<=[超不经通]过))"


def _guarded(words: list[str]) -> str:
    """Alternatives, longest first, each not where another word ends with its beginning."""
    forms = (
        (_NOT_AFTER_LAST if word[0] == "去" else f"(?<![{_NOT_AFTER.get(word[0], '#')}])") + word
        for word in sorted(words, key=len, reverse=True)
    )
    return "(?P<word>" + "|".join(forms) + ")"


_HAN_COUNT = "(?P<count>[0-9]{1,3}|[一二两三四五六七八九十]{1,3})"
_HAN_UNIT = "(?P<unit>财年|财政年度|会计年度|年度?|半年度?|季度?|月|周|天|日)"
RELATIVE_HAN_RULES = (
    Rule(
        "han_to_date",
        r"(?:今年|本年)?年初(?:至今|到现在|以来)|(?:今年|本年)(?:以来|至今|累计)",
        _han_to_date,
    ),
    Rule(
        "han_relative",
        rf"{_guarded([*_HAN_SHIFTS])}(?:一个|一|个)?"
        rf"(?P<unit>{FISCAL_YEAR}|季度?(?!报)|月(?!活|薪|租|供|球|亮|票|饼|子)份?)",
        _han_relative,
    ),
    Rule("han_relative_year", rf"{_guarded([*_HAN_YEARS])}(?!龄|代|级|轻)度?", _han_relative_year),
    Rule(
        "han_latest",
        r"最新(?:的)?(?:一)?(?:个)?(?:完整)?"
        r"(?P<unit>期|季度?|月份?|财年|财政年度|会计年度|半年度?|年度?|季报|年报)?",
        _han_latest,
    ),
    Rule(
        "han_latest_one",
        r"最近(?:的)?(?:一个?)?(?:完整)?(?:的)?(?P<unit>期|季度?|财年|财政年度|会计年度|月(?!来))",
        _han_latest,
    ),
    Rule(
        "han_rolling",
        rf"(?:过去的?|最近的?|(?<![最附])近|滚动){GAP}{_HAN_COUNT}{GAP}(?:个)?(?:完整)?{_HAN_UNIT}"
        r"(?:内|间|来|以来)?",
        _han_rolling,
    ),
)
# fmt: on
HAN_DIGIT_RULES = (
    Rule(
        "han_month_range",
        rf"([0-9]{{1,2}})(?={GAP}[-~至到]{GAP}(?:[0-9]{{1,2}}|{HAN}){GAP}月)",
        _han_month_of_range,
    ),
    Rule("han_month", rf"([0-9]{{1,2}}){GAP}月份?(?:{GAP}([0-9]{{1,2}}){GAP}[日号])?", _han_month),
    Rule("han_quarter_digit", rf"([1-4]){GAP}季度?(?!报)", _han_quarter),
    Rule("han_fiscal_short", rf"([0-9]{{2}}){GAP}(?:{FISCAL_YEAR})", _short_fiscal),
)
HAN_RULES = (
    Rule(
        "han_said",
        rf"(?P<said>{FISCAL_YEAR}|{CALENDAR_YEAR}){GAP}(?P<year>{YEAR})(?:{GAP}年)?",
        said_year,
    ),
    Rule(
        "han_year", rf"({_HAN_YEAR}){GAP}(?:({FISCAL_YEAR}|{CALENDAR_YEAR})|年度?(?!代))", _han_year
    ),
    Rule("han_ordinal", rf"第{GAP}({_HAN_ORDINAL}){GAP}个?季度?", _han_quarter),
    Rule(
        "han_ordinal_range",
        rf"第?([一二三])(?={GAP}[至到~、和及-]{GAP}第?{GAP}[二三四]{GAP}季)",
        _han_quarter_of_range,
    ),
    Rule("han_quarter", r"(?<![一二三四五六七八九十])([一二三四])季度?(?!报)", _han_quarter),
    Rule("han_months", rf"({HAN}){GAP}月份?(?:{GAP}([0-9]{{1,2}}|{HAN}){GAP}[日号])?", _han_month),
    Rule(
        "han_first",
        rf"前{GAP}([0-9]{{1,2}}|[一二两三四五六七八九十]{{1,2}}){GAP}(个?季度?|个月)",
        _han_first,
    ),
    Rule("han_half", r"[上下]半年度?", _han_half),
)


# fmt: on

_ORDINALS = ("first", "second", "third", "fourth")
_ORDINAL = f"(?:{'|'.join(_ORDINALS)})"


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
# "apr to jun 2026", "april, may and june 2026": the year behind the last says what all are.
_RANGE_NEAR = re.compile(
    rf"(?:\s?(?:[-~,&]|to|through|thru|till|until|and|or)\s?(?:and\s)?{MONTH}){{1,11}}"
    rf"{_YEAR_NEAR.pattern}",
    re.IGNORECASE,
)
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
    is_clear = _YEAR_NEAR.match(text, match.end()) or _RANGE_NEAR.match(text, match.end())
    if not doubtful or is_clear is not None:
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
    said_so = match["number"].lower()
    number = int(said_so[0]) if said_so[0].isdigit() else _ORDINALS.index(said_so) + 1
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
         rf"(?:{GAP}(?P<said>{CALENDAR_YEAR}|{FISCAL_YEAR}|{TYPE}\s{{1,2}}years?(?![A-Z])"
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
