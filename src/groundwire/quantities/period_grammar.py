"""Periods in a text, in English and Chinese: years, parts of years, ranges, relative words.

"2024", FY2024, "Q3 of last year", 2024年上半年, "March to May 2024", "since 2021",
"latest quarter", "trailing twelve months". What an expression is depends on a fiscal calendar and
on the day that "last" is counted from, so it is found first, and
read (`PeriodExpression.on`) second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple, cast, get_args

from groundwire.quantities.dates import DateMention, Grain, find_written_dates
from groundwire.quantities.numerals import plain, tables
from groundwire.quantities.period_forms import (
    DIGIT_RULES,
    HAN_DIGIT_RULES,
    HAN_RULES,
    RELATIVE_HAN_RULES,
    TIGHT_RULES,
    WORD_RULES,
)
from groundwire.quantities.period_joining import join
from groundwire.quantities.period_marks import (
    MONTH,
    MONTHS_OF,
    NUMBER,
    SPACE,
    TYPE,
    Flag,
    Mark,
    Respelt,
    Rule,
    fiscal_word,
    grain_of,
    mark,
    respell,
    whole,
)
from groundwire.quantities.period_meaning import (
    Latest,
    Meaning,
    Part,
    PeriodReading,
    Point,
    Rolling,
    Span,
    Unclear,
    is_fiscal,
    is_relative,
    read_meaning,
)
from groundwire.quantities.periods import CALENDAR_YEAR, FiscalCalendar

_UNIT = "(?P<unit>year|quarter|month|half|halve|week|day)s?"
_FULL = r"(?:full|complete|completed|closed|reported|published|available|disclosed)"
_SHIFTS: Mapping[str, int] = tables("en")["time"]["shifts"]
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
_RELATIVE_WORD_RULES = (
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


@dataclass(frozen=True, slots=True)
class PeriodExpression:
    """An expression of time as it stands in a text.

    Attributes:
        span: where it stands, end exclusive.
        raw: as it was written.
        meaning: what it means, before any calendar.
    """

    span: tuple[int, int]
    raw: str
    meaning: Meaning

    @property
    def explicit_fiscal(self) -> bool:
        """Whether it was called fiscal."""
        return is_fiscal(self.meaning)

    @property
    def relative(self) -> bool:
        """Whether it depends on the reference day."""
        return is_relative(self.meaning)

    def on(self, calendar: FiscalCalendar, reference: date) -> PeriodReading:
        """Read it.

        Only what is called fiscal is read on the fiscal calendar: "2024", 2024年度 and "last
        quarter" are the calendar's wherever the fiscal year begins.

        Args:
            calendar: the fiscal calendar of the entity.
            reference: the day that "last", "this" and "next" are counted from.
        """
        return read_meaning(self.meaning, self.raw, calendar, reference)


# One to one, so that every offset stays.
_FOLDED = str.maketrans(
    "財個来來後從間過號歷曆連兩當節慶紀環週禮時這幾開終頭國聖誕農將剛報預計會滾動際內"
    "–—―－～〜∼‘＇ʼ\u00a0\u2002\u2003\u2009\u202f",
    "财个来来后从间过号历历连两当节庆纪环周礼时这几开终头国圣诞农将刚报预计会滚动际内"
    "----~~~'''     ",
)
# Tied to what it compares, as Chinese texts write it: 2024年vs2023年.
_VERSUS = re.compile(r"(?<=[0-9年季度月])(?:vs|VS)\.?(?=[0-9QHF])")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")


def fold(text: str) -> str:
    """Write a text as the grammar reads it: plain forms, simplified characters, ASCII digits.

    The result is as long as the text.
    """
    folded = plain(text)
    if not text.isascii():
        folded = folded.translate(_FOLDED)
        folded = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), folded)
    if "vs" in folded or "VS" in folded:
        folded = _VERSUS.sub(lambda versus: ",".ljust(len(versus[0])), folded)
    return folded


_GROUP = re.compile(r"(?<!\\)\((?!\?)|\(\?P<[a-z]+>")


@cache
def _rules() -> tuple[re.Pattern[str], dict[str, Rule]]:
    """One pattern that finds every mark by name, and each rule, whose own tells its pieces."""

    def any_of(*rules: Rule) -> str:
        forms = (f"(?P<{rule.name}>{_GROUP.sub('(?:', rule.pattern)})" for rule in rules)
        return "(?:" + "|".join(forms) + ")"

    words = (*_RELATIVE_WORD_RULES, *WORD_RULES)
    han = (*RELATIVE_HAN_RULES, *HAN_RULES)
    known = {rule.name: rule for rule in (*words, *DIGIT_RULES)}
    # The forms that may also follow a digit or letter at once: FY24Q3, 3Q2024, "3 months ended".
    year, ended, *after_digit = (
        known[name]._replace(name=f"{name}_tight")
        for name in ("year_digits", "ended", "said_year", "compact_word", "to_date")
    )
    digits = (ended, *HAN_DIGIT_RULES, *DIGIT_RULES)
    # What begins no mark is passed over at once.
    pattern = "|".join(
        (
            rf"(?<![0-9A-Za-z_])(?:(?=[0-9]){any_of(*digits)}"
            rf"|(?=[a-fhj-y]){any_of(*words)})",
            rf"(?<=[QHM])(?=[0-9]){any_of(year)}",
            rf"(?=['0-9]){any_of(*TIGHT_RULES)}",
            rf"(?:(?<=[0-9])|(?<=[0-9][QH])(?=F))(?=[QHFY]){any_of(*after_digit)}",
            rf"(?=[一二三四五六七八九十〇零第前上下本这去今明当大来后最过近滚财会公自日年]){any_of(*han)}",
        )
    )
    every = (*digits, *TIGHT_RULES, *words, *han, *after_digit, year)
    return _compiled(pattern), {rule.name: rule for rule in every}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when a text first has what it finds: most texts have few."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def _marks(folded: str) -> list[Mark]:
    pattern, table = _rules()
    found: list[Mark] = []
    for match in pattern.finditer(folded):
        rule = table[str(match.lastgroup)]
        again = _compiled(rule.pattern).match(folded, match.start())
        mark = rule.build(again) if again is not None else None
        if mark is not None:
            found.append(mark)
    return found


class Scan(NamedTuple):
    """The expressions of time found in a text.

    Attributes:
        folded: the text as it was read, in other spellings than the first text.
        marks: the expressions, each a mark whose meaning is whole.
        dropped: spans of what looks like time and is none.
        respelt: the way back from positions in `folded` to those in the text.
        spans: where each of the expressions stands in the text.
    """

    folded: str
    marks: Sequence[Mark]
    dropped: Sequence[tuple[int, int]]
    respelt: Respelt
    spans: Sequence[tuple[int, int]]


def _scan(text: str) -> Scan:
    respelt = respell(fold(text))
    marks, dropped = join(respelt.text, _marks(respelt.text))
    spans = [respelt.span(one.start, one.end) for one in marks]
    return Scan(respelt.text, marks, dropped, respelt, spans)


_scan_again = lru_cache(maxsize=64)(_scan)
_SHORT = 2_000


def scan(text: str) -> Scan:
    """Find the expressions of a text, and what looks like one. A short text is scanned once."""
    return _scan_again(text) if len(text) <= _SHORT else _scan(text)


def find_periods(text: str) -> list[PeriodExpression]:
    """Find every expression of time that can be read, or that lacks no more than its year.

    They are in order and without overlap. Not found are amounts and counts ("$2024", "2024
    assets"), impossible periods (31 June, Q5 2024) and vague words ("recently"): those are
    `find_time_words`.
    """
    found = scan(text)
    return [
        PeriodExpression(span, text[slice(*span)], mark.meaning)
        for mark, span in zip(found.marks, found.spans, strict=True)
    ]


def find_undated(text: str) -> list[PeriodExpression]:
    """Find each month and day that names no year, those within a "since" or a range among them."""
    found = scan(text)
    places = [
        (one.start, one.end)
        for one in found.marks
        if isinstance(one.meaning, Unclear) or (one.point is not None and not one.point.dated)
    ]
    undated: list[PeriodExpression] = []
    for one in _marks(found.folded):
        part = None if one.point is None or one.point.dated else one.point.part
        if part is None or not part.named:
            continue
        if any(start <= one.start and one.end <= end for start, end in places):
            span = found.respelt.span(one.start, one.end)
            undated.append(PeriodExpression(span, text[slice(*span)], one.meaning))
    return undated


_AROUND_LEFT = re.compile(
    r"\s*+(?:(?:in|for|during|on|at|the|as of|over|within|by|of|im|am|den|die|das|der|dem|zum)\b"
    r"\s*+){0,4}+",
    re.IGNORECASE,
)
_AROUND_RIGHT = re.compile(r"[\s.?!。？！]*+(?:期间|内|间)?[\s.?!。？！]*+")
_LONGEST = 200


def read_period(text: str) -> PeriodExpression | None:
    """Read a text that is one expression of time and nothing else, or None.

    A preposition or article before it is passed over: "in the third quarter of 2024".
    """
    if len(text) > _LONGEST:
        return None
    found = scan(text)
    folded, marks = found.folded, found.marks
    if len(marks) != 1 or found.dropped:
        return None
    mark = marks[0]
    left = _AROUND_LEFT.match(folded)
    if left is None or left.end() < mark.start:
        return None
    if _AROUND_RIGHT.fullmatch(folded, mark.end) is None:
        return None
    return PeriodExpression(found.spans[0], text[slice(*found.spans[0])], mark.meaning)


# Words and marks of which a text with a part of a year has one; the rest is not read for them.
_PART_OF_YEAR = re.compile(
    r"(?<![A-Za-z])(?:[1-4]st|[1-4]nd|3rd|4th|quarter|quartal|qtr|half|hälfte|halbjahr|halfyear"
    r"|year[ -]?end|end[ -]|ende |months?\b|monat|jahres|jän|jaen|jan|feb|mär|mae?r|apr|may|mai"
    r"|jun|jul|aug|sep"
    r"|o[ck]t|nov|de[cz]|Q[ '-]?[1-4]|H[ '-]?[12]|f[qh][1-4]|q[ua]|FY)"
    r"|[0-9](?:[QHM](?![A-Za-z])|Q)|[半季月报底末]"
    r"|[0-9][./][12][0-9]{3}(?![0-9])|(?<![0-9])[12][0-9]{3}[./][0-9]",
    re.IGNORECASE,
)
_GRAINS: frozenset[str] = frozenset(get_args(Grain))


def find_dates(text: str) -> list[DateMention]:
    """Find every date with a year, in order, without overlap.

    Read are ISO days, times and months, English, Chinese and German dates, months, quarters,
    halves and other parts of a year, fiscal and calendar years. Four digits are no year where they
    count something ("2024 assets"). Dates that could be read in two ways (03/05/2024) are not read.
    """
    written = find_written_dates(text)
    if _PART_OF_YEAR.search(text) is None:
        return written
    parts = _dated_parts(text)
    if not parts:
        return written
    kept: list[DateMention] = []
    i = 0
    for mention in written:
        while i < len(parts) and parts[i].span[1] <= mention.span[0]:
            kept.append(parts[i])
            i += 1
        if i < len(parts) and parts[i].span[0] < mention.span[1]:
            part = parts[i]
            finer = part.end - part.start <= mention.end - mention.start
            if finer and part.span[0] <= mention.span[0] and mention.span[1] <= part.span[1]:
                continue  # its part is read instead
            i += 1
        kept.append(mention)
    return kept + parts[i:]


def _dated_parts(text: str) -> list[DateMention]:
    """The parts of years that a text names, as the period grammar reads them."""
    found = scan(text)
    parts: list[DateMention] = []
    for one, span in zip(found.marks, found.spans, strict=True):
        meaning = one.meaning
        if isinstance(meaning, Point):
            if meaning.year is None or (meaning.part is None and not meaning.closing):
                continue
        elif (
            not isinstance(meaning, Span)
            or meaning.first.year is None
            or not meaning.first.part
            or meaning.first.year != meaning.last.year
        ):
            continue
        reading = read_meaning(meaning, "", CALENDAR_YEAR, date(2000, 1, 1))
        if not reading.periods:
            continue
        first, last = reading.periods[0], reading.periods[-1]
        grain: Grain = "part"
        if len(reading.periods) == 1 and first.grain in _GRAINS:
            grain = cast("Grain", first.grain)
        raw = text[slice(*span)]
        parts.append(DateMention(first.start, last.end, grain, span, raw, bool(first.fiscal)))
    return parts


def read_day(raw: str, today: date) -> date | None:
    """The day that a text names, or None."""
    expression = read_period(raw)
    if expression is None:
        return None
    reading = expression.on(CALENDAR_YEAR, today)
    if reading.kind == "single" and reading.periods[0].grain == "day":
        return reading.periods[0].start
    return None
