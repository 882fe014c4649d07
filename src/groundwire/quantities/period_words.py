"""Marks of relative time in a folded text: last year, 上季度, latest, trailing twelve months, YTD."""

from __future__ import annotations

import re

from groundwire.quantities.period_marks import (
    GAP,
    NUMBER,
    SPACE,
    Flag,
    Mark,
    Rule,
    fiscal_word,
    mark,
    whole,
)
from groundwire.quantities.period_meaning import Latest, Part, Point, Rolling, Unclear
from groundwire.quantities.periods import PeriodGrain

_FISCAL_YEAR = "财年|财政年度|会计年度"
_TYPE = r"(?:fiscal|financial|calendar)"
_UNIT = "(?P<unit>year|quarter|month|half|halve|week|day)s?"
_FULL = r"(?:full|complete|completed|closed|reported|published|available|disclosed)"

_MONTHS = {"year": 12, "half": 6, "quarter": 3, "month": 1}
_SHIFTS = {"last": -1, "previous": -1, "prior": -1, "preceding": -1, "this": 0, "current": 0}
_SHIFTS |= {"next": 1, "following": 1, "coming": 1}
_ANAPHORIC = frozenset(("previous", "prior", "preceding", "following"))
_HAN_SHIFTS = {"上上": -2, "上": -1, "前一": -1, "去": -1, "本": 0, "这": 0, "今": 0, "当前": 0}
_HAN_SHIFTS |= {"下": 1, "明": 1}
_HAN_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1, "上一年": -1, "上个年": -1}
_HAN_YEARS |= {"前一年": -1, "上一个年": -1}
_HAN_YEARS |= {"今年": 0, "本年": 0, "明年": 1, "来年": 1, "下一年": 1, "下年": 1, "后年": 2}
_HAN_ANAPHORIC = ("上", "前一", "下")
_GRAINS: dict[str, PeriodGrain] = {
    "year": "year",
    "annual": "year",
    "half": "half",
    "halve": "half",
    "quarter": "quarter",
    "month": "month",
    "week": "other",
    "day": "day",
    "财年": "year",
    "财政年度": "year",
    "会计年度": "year",
    "半年": "half",
    "年": "year",
    "季": "quarter",
    "月": "month",
    "周": "other",
    "天": "day",
    "日": "day",
}


def _grain(raw: str | None) -> PeriodGrain | None:
    """Grain of a word that begins with one of the units, or None."""
    folded = (raw or "").lower()
    return next((grain for word, grain in _GRAINS.items() if folded.startswith(word)), None)


def _stepped(match: re.Match[str], unit: str, steps: int, *flags: Flag) -> Mark:
    """So many years, quarters or months from the one of the reference day."""
    fiscal = fiscal_word(match.groupdict().get("type"))
    if unit == "year":
        return mark(match, "year", Point(shift=steps, fiscal=fiscal), *flags)
    months = _MONTHS[unit]
    ordinal = None
    if match[0].lower().startswith(("last", "final")) and steps == -1:
        ordinal = Part(12 - months, months)
    point = Point(steps=steps, part=Part(0, months), fiscal=fiscal)
    return mark(match, "other", point, *flags, ordinal=ordinal)


_WITHIN = re.compile(r"\b(?:over|in|during|within|for|across)\s{1,3}the\s{1,3}$", re.IGNORECASE)


def _relative(match: re.Match[str]) -> Mark:
    """Last year, previous fiscal quarter, this month; "over the last year" is a window."""
    word, unit = match["word"].lower(), match["unit"].lower()
    window = word == "last" and not match["type"]
    if window and _WITHIN.search(match.string, max(0, match.start() - 20), match.start()):
        return mark(match, "other", Rolling(_grain(unit), 1, f"the {unit} up to now"))
    flags: tuple[Flag, ...] = ("anaphoric",) if word in _ANAPHORIC else ()
    return _stepped(match, unit, _SHIFTS[word], *flags)


def _before_last(match: re.Match[str]) -> Mark:
    return _stepped(match, match["unit"].lower(), -2)


def _rolling(match: re.Match[str]) -> Mark:
    """Last 3 years, trailing twelve months, past two quarters."""
    unit, count = match["unit"].lower(), whole(match["count"])
    fiscal = fiscal_word(match["type"])
    grain = _grain(unit)
    months = {"year": 12, "half": 6, "halve": 6, "quarter": 3, "month": 1}.get(unit, 0) * count
    ordinal = None
    if match["word"].lower() in ("last", "final") and 0 < months <= 12:
        ordinal = Part(12 - months, months)
    if not count:
        return mark(match, "other", Unclear("how many?"), "impossible")
    plural = "s" if count > 1 else ""
    name = f"a window of {count} {unit.replace('halve', 'half')}{plural}"
    return mark(match, "other", Rolling(grain, count, name, fiscal), ordinal=ordinal)


def _final(match: re.Match[str]) -> Mark:
    """Final quarter: of the year that follows."""
    months = _MONTHS[match["unit"].lower()]
    return mark(match, "part", Point(part=Part(12 - months, months)))


def _past(match: re.Match[str]) -> Mark:
    unit = match["unit"].lower()
    rolling = Rolling(_grain(unit), 1, f"the {unit} up to now", fiscal_word(match["type"]))
    return mark(match, "other", rolling)


def _trailing_twelve(match: re.Match[str]) -> Mark:
    return mark(match, "other", Rolling("month", 12, "a window of 12 months"))


def _to_date(match: re.Match[str]) -> Mark:
    unit = match.groupdict().get("unit")
    name = {"q": "quarter", "m": "month"}.get((unit or "y")[0].lower(), "year")
    rolling = Rolling(None, 0, f"the {name} to date", fiscal_word(match.groupdict().get("type")))
    return mark(match, "other", rolling)


def _latest(match: re.Match[str]) -> Mark:
    said = match.groupdict()
    return mark(match, "other", Latest(_grain(said["unit"]), fiscal_word(said.get("type"))))


def _end_of(match: re.Match[str]) -> Mark:
    """Nine months ended, fiscal year ended: what ended is told by the day that follows."""
    unit = match["unit"].lower().replace("halve", "half")
    months = _MONTHS[unit] * (whole(match["count"]) if match["count"] else 1)
    point = Point(part=Part(0, months), fiscal=fiscal_word(match["type"]))
    return mark(match, "ended", point)


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
    return mark(match, "other", Point(steps=steps, part=Part(0, _MONTHS[unit])), *flags)


def _han_rolling(match: re.Match[str]) -> Mark:
    count = whole(match["count"])
    if not count:
        return mark(match, "other", Unclear("how many?"), "impossible")
    grain = _grain(match["unit"])
    fiscal = True if match["unit"] in _FISCAL_YEAR.split("|") else None
    name = f"a window of {count} {grain or 'period'}{'s' if count > 1 else ''}"
    return mark(match, "other", Rolling(grain, count, name, fiscal))


def _han_latest(match: re.Match[str]) -> Mark:
    unit = match["unit"] or ""
    fiscal = True if unit in _FISCAL_YEAR.split("|") else None
    return mark(match, "other", Latest(_grain(unit), fiscal))


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

# fmt: off
RELATIVE_WORD_RULES = (
    Rule("to_date",
         rf"(?:(?:(?P<type>{_TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)[\s-]{{1,2}}to[\s-]{{1,2}}date"
         r"|YTD|(?:so\sfar\s)this\syear|this\syear\s(?:to\sdate|so\sfar))(?![A-Z])", _to_date),
    Rule("to_date_short", r"(?P<unit>Q|M)TD(?![A-Z])", _to_date),
    Rule("trailing", r"(?:TTM|LTM|T12M|R12M|L12M)(?![A-Z0-9])", _trailing_twelve),
    Rule("ended",
         rf"(?:(?P<type>{_TYPE})\s{{1,2}})?(?:(?P<count>{NUMBER}){SPACE})?"
         r"(?P<unit>year|quarter|month|half|halve)(?:-year)?s?(?:\speriod)?\s{1,2}end(?:ed|ing)"
         r"(?:\s(?:on|at|as\sof))?(?:\sthe)?(?![A-Z])", _end_of),
    Rule("rolling",
         rf"(?P<word>last|past|trailing|previous|prior|preceding|latest|most\srecent|recent|next"
         rf"|rolling|final|newest){SPACE}(?P<count>{NUMBER}){SPACE}(?:{_FULL}\s)?"
         rf"(?:(?P<type>{_TYPE})\s{{1,2}})?{_UNIT}(?![A-Z])", _rolling),
    Rule("past", rf"past\s{{1,2}}(?:(?P<type>{_TYPE})\s{{1,2}})?{_UNIT}(?![A-Z])", _past),
    Rule("last_full",
         rf"last\s{{1,2}}{_FULL}\s{{1,2}}(?P<type>{_TYPE}\s{{1,2}})?(?P<unit>year|quarter|month|half)"
         r"(?![A-Z])", _latest),
    Rule("final", r"final\s{1,2}(?P<unit>quarter|month|half)(?![A-Z])", _final),
    Rule("relative",
         rf"(?P<word>last|previous|prior|preceding|this|current|next|following|coming){SPACE}"
         rf"(?:(?P<type>{_TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)(?![A-Z])", _relative),
    Rule("before_last",
         rf"(?:(?P<type>{_TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)\s{{1,2}}before\s{{1,2}}last"
         r"(?![A-Z])", _before_last),
    Rule("latest",
         rf"(?:latest|newest|most\s{{1,2}}recent(?:ly)?)(?:\s{{1,2}}{_FULL})?"
         rf"(?:\s{{1,2}}(?P<type>{_TYPE}))?"
         r"(?:[\s-]{1,2}(?P<unit>years?|quarters?|months?|half(?:[\s-]year)?|days?|annual|quarterly"
         r"|monthly|periods?|date))?(?![A-Z])", _latest),
)
RELATIVE_HAN_RULES = (
    Rule("han_to_date", r"(?:今年|本年)?年初(?:至今|到现在|以来)|(?:今年|本年)(?:以来|至今|累计)", _to_date),
    Rule("han_relative",
         rf"{_guarded([*_HAN_SHIFTS])}(?:一个|一|个)?"
         rf"(?P<unit>{_FISCAL_YEAR}|季度?(?!报)|月(?!活|薪|租|供|球|亮|票|饼|子)份?)", _han_relative),
    Rule("han_relative_year",
         rf"{_guarded([*_HAN_YEARS])}(?!龄|代|级|轻)度?",
         _han_relative_year),
    Rule("han_latest",
         r"最新(?:的)?(?:一)?(?:个)?(?:完整)?"
         r"(?P<unit>期|季度?|月份?|财年|财政年度|会计年度|半年度?|年度?|季报|年报)?", _han_latest),
    Rule("han_latest_one",
         r"最近(?:的)?(?:一个?)?(?:完整)?(?:的)?(?P<unit>期|季度?|财年|财政年度|会计年度|月(?!来))", _han_latest),
    Rule("han_rolling",
         rf"(?:过去的?|最近的?|(?<![最附])近|滚动){GAP}{_HAN_COUNT}{GAP}(?:个)?(?:完整)?{_HAN_UNIT}"
         r"(?:内|间|来|以来)?", _han_rolling),
)
# fmt: on
