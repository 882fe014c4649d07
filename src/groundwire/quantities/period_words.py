"""Marks of relative time in English words: last year, latest quarter, trailing months, YTD."""

from __future__ import annotations

import re

from groundwire.quantities.period_marks import (
    MONTH,
    MONTHS_OF,
    NUMBER,
    SPACE,
    TYPE,
    Flag,
    Mark,
    Rule,
    fiscal_word,
    grain_of,
    mark,
    whole,
)
from groundwire.quantities.period_meaning import Latest, Part, Point, Rolling, Unclear

_UNIT = "(?P<unit>year|quarter|month|half|halve|week|day)s?"
_FULL = r"(?:full|complete|completed|closed|reported|published|available|disclosed)"
_SHIFTS = {
    "last": -1,
    "previous": -1,
    "prior": -1,
    "preceding": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "following": 1,
    "coming": 1,
}
_ANAPHORIC = frozenset(("previous", "prior", "preceding", "following"))


def _stepped(match: re.Match[str], unit: str, steps: int, *flags: Flag) -> Mark:
    """So many years, quarters or months from the one of the reference day."""
    fiscal = fiscal_word(match.groupdict().get("type"))
    if unit == "year":
        return mark(match, "year", Point(shift=steps, fiscal=fiscal), *flags)
    months = MONTHS_OF[unit]
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
        months = MONTHS_OF[unit]
        ordinal = Part(12 - months, months) if months < 12 else None  # "of 2017" may follow
        rolling = Rolling(grain_of(unit), 1, f"the {unit} up to now")
        return mark(match, "other", rolling, ordinal=ordinal)
    flags: tuple[Flag, ...] = ("anaphoric",) if word in _ANAPHORIC else ()
    return _stepped(match, unit, _SHIFTS[word], *flags)


def _before_last(match: re.Match[str]) -> Mark:
    return _stepped(match, match["unit"].lower(), -2)


def _rolling(match: re.Match[str]) -> Mark:
    """Last 3 years, trailing twelve months, past two quarters."""
    unit, count = match["unit"].lower(), whole(match["count"])
    fiscal = fiscal_word(match["type"])
    grain = grain_of(unit)
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
    months = MONTHS_OF[match["unit"].lower()]
    return mark(match, "part", Point(part=Part(12 - months, months)))


def _past(match: re.Match[str]) -> Mark:
    unit = match["unit"].lower()
    rolling = Rolling(grain_of(unit), 1, f"the {unit} up to now", fiscal_word(match["type"]))
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
    return mark(match, "other", Latest(grain_of(said["unit"]), fiscal_word(said.get("type"))))


def _end_of(match: re.Match[str]) -> Mark:
    """Nine months ended, fiscal year ended: what ended is told by the day that follows."""
    unit = match["unit"].lower().replace("halve", "half")
    months = MONTHS_OF[unit] * (whole(match["count"]) if match["count"] else 1)
    point = Point(part=Part(0, months), fiscal=fiscal_word(match["type"]))
    return mark(match, "ended", point)


# fmt: off
RELATIVE_WORD_RULES = (
    Rule("to_date",
         rf"(?:(?:(?P<type>{TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)[\s-]{{1,2}}to[\s-]{{1,2}}date"
         r"|YTD|(?:so\sfar\s)this\syear|this\syear\s(?:to\sdate|so\sfar))(?![A-Z])", _to_date),
    Rule("to_date_short", r"(?P<unit>Q|M)TD(?![A-Z])", _to_date),
    Rule("trailing", r"(?:TTM|LTM|T12M|R12M|L12M)(?![A-Z0-9])", _trailing_twelve),
    Rule("ended",
         rf"(?:(?P<type>{TYPE})\s{{1,2}})?(?:(?P<count>{NUMBER}){SPACE})?"
         rf"(?P<unit>year|quarter|month|half|halve)(?:-year)?s?(?:\speriod)?\s{{1,2}}"
         rf"(?:end(?:ed|ing)(?:\s(?:on|at|as\sof))?|to(?=\s(?:the\s)?(?:[0-9]{{1,2}}\s)?{MONTH}))"
         r"(?:\sthe)?(?![A-Z])", _end_of),
    Rule("rolling",
         rf"(?P<word>last|past|trailing|previous|prior|preceding|latest|most\srecent|recent|next"
         rf"|rolling|final|newest){SPACE}(?P<count>{NUMBER}){SPACE}(?:{_FULL}\s)?"
         rf"(?:(?P<type>{TYPE})\s{{1,2}})?{_UNIT}(?![A-Z])", _rolling),
    Rule("past", rf"past\s{{1,2}}(?:(?P<type>{TYPE})\s{{1,2}})?{_UNIT}(?![A-Z])", _past),
    Rule("last_full",
         rf"last\s{{1,2}}{_FULL}\s{{1,2}}(?P<type>{TYPE}\s{{1,2}})?(?P<unit>year|quarter|month|half)"
         r"(?![A-Z])", _latest),
    Rule("final", r"final\s{1,2}(?P<unit>quarter|month|half)(?![A-Z])", _final),
    Rule("relative",
         rf"(?P<word>last|previous|prior|preceding|this|current|next|following|coming){SPACE}"
         rf"(?:(?P<type>{TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)(?![A-Z])", _relative),
    Rule("before_last",
         rf"(?:(?P<type>{TYPE})\s{{1,2}})?(?P<unit>year|quarter|month)\s{{1,2}}before\s{{1,2}}last"
         r"(?![A-Z])", _before_last),
    Rule("latest",
         rf"(?:latest|newest|most\s{{1,2}}recent(?:ly)?)(?:\s{{1,2}}{_FULL})?"
         rf"(?:\s{{1,2}}(?P<type>{TYPE}))?"
         r"(?:[\s-]{1,2}(?P<unit>years?|quarters?|months?|half(?:[\s-]year)?|days?|annual|quarterly"
         r"|monthly|periods?|date))?(?![A-Z])", _latest),
)
