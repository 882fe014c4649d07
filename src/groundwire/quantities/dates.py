"""Dates in a text: days, months, quarters and years, as intervals; English, Chinese, German."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Literal

from groundwire.quantities.chinese import read_chinese
from groundwire.quantities.numerals import LANGUAGES, any_of, plain, tables, time_words, times_of

Grain = Literal["day", "month", "quarter", "half", "part", "year"]
"""How finely a date is given; `part` is a part of a year of another length."""


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date or period as it stands in a text.

    Attributes:
        start: its first day.
        end: its last day (inclusive).
        grain: how finely it was given.
        span: where it stands, end exclusive.
        raw: as it was written.
        fiscal: whether it was called a fiscal year or quarter; start and end then only name the
            calendar period of the same number, since the year's start is the entity's own.
        bare: whether it is four digits with nothing beside them that makes them a year.
    """

    start: date
    end: date
    grain: Grain
    span: tuple[int, int]
    raw: str
    fiscal: bool = False
    bare: bool = False

    def covers(self, other: DateMention) -> bool:
        """Whether another mention lies within this one and both are fiscal, or neither."""
        return self.fiscal == other.fiscal and self.start <= other.start and other.end <= self.end


# fmt: off
_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)
# fmt: on
MONTH_NUMBERS = {
    **{name[:3]: i for i, name in enumerate(_NAMES, 1)},
    **{name: i for i, name in enumerate(_NAMES, 1)},
    "sept": 9,
}
_MONTHS: dict[str, int] = MONTH_NUMBERS | times_of("months")
_MONTH = "(?:" + "|".join(sorted((f"{m}\\b\\.?" for m in _MONTHS), key=len, reverse=True)) + ")"
_YEAR = r"(?:1[5-9]|2[01])[0-9]{2}"
_HAN_YEAR = "[一二][〇零一二三四五六七八九○]{3}"
_HAN = "[〇零一二三四五六七八九十]{1,3}"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_NOT_BEFORE = r"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][./_-])"
_YEAR_FIRST = r"(?<![0-9A-Za-z_])(?:(?<![0-9A-Za-z][./_-])|(?<=[0-9]{4}-))"
_NOT_AFTER = r"(?![0-9A-Za-z_])(?![.,/_-][0-9])"
_ORDINAL = r"(?:st|nd|rd|th|\.)?"
_LATE_DAY = r"(?:1[3-9]|2[0-9]|3[01])"
_FISCAL = r"(?:FY|GJ|fiscal(?: year)?|财年|财政年度)"


@cache
def _dates() -> re.Pattern[str]:
    """Every form of a date, compiled when the first text is read."""
    return re.compile(
        # What begins no date is passed over at once.
        r"(?:(?=[0-9一二])|(?<![A-Za-z])(?=[jfmasondqg]))(?:"
        + "|".join(
            (
                rf"{_NOT_BEFORE}(?P<iso>(?P<iso_y>{_YEAR})([-/.])(?P<iso_m>0?[1-9]|1[0-2])"
                rf"\3(?P<iso_d>{_DAY})(?:[T ][0-9]{{2}}:[0-9]{{2}}"
                r"(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?)(?![0-9A-Za-z_])(?![/-][0-9])",
                rf"{_NOT_BEFORE}(?P<ym>(?P<ym_y>{_YEAR})-(?P<ym_m>0[1-9]|1[0-2])){_NOT_AFTER}",
                # Between dots the day comes first; between strokes where it can be no month.
                rf"{_NOT_BEFORE}(?P<dot>(?P<dot_d>{_DAY})\.(?P<dot_m>0?[1-9]|1[0-2])\."
                rf"(?P<dot_y>{_YEAR})){_NOT_AFTER}",
                rf"{_NOT_BEFORE}(?P<dsy>(?P<dsy_d>{_LATE_DAY})/(?P<dsy_m>0?[1-9]|1[0-2])/"
                rf"(?P<dsy_y>{_YEAR})){_NOT_AFTER}",
                rf"{_NOT_BEFORE}(?P<msy>(?P<msy_m>0?[1-9]|1[0-2])/(?P<msy_d>{_LATE_DAY})/"
                rf"(?P<msy_y>{_YEAR})){_NOT_AFTER}",
                rf"{_NOT_BEFORE}(?P<dmy>(?P<dmy_d>{_DAY}){_ORDINAL}(?: of)?[ -](?P<dmy_m>{_MONTH})"
                rf"(?:,? |-)(?P<dmy_y>{_YEAR})){_NOT_AFTER}",
                rf"\b(?P<mdy>(?P<mdy_m>{_MONTH}) (?P<mdy_d>{_DAY}){_ORDINAL},? (?P<mdy_y>{_YEAR}))"
                rf"{_NOT_AFTER}",
                rf"\b(?P<my>(?P<my_m>{_MONTH})(?:,| of)? (?P<my_y>{_YEAR})){_NOT_AFTER}",
                rf"{_NOT_BEFORE}(?P<qy>Q(?P<qy_q>[1-4])[ /-]?(?P<qy_f>FY ?)?(?P<qy_y>{_YEAR}))"
                rf"{_NOT_AFTER}",
                rf"{_NOT_BEFORE}(?P<yq>(?P<yq_f>FY ?)?(?P<yq_y>{_YEAR})[ -]?Q(?P<yq_q>[1-4]))"
                rf"{_NOT_AFTER}",
                rf"(?<![0-9])(?P<han>(?P<han_y>{_YEAR}|{_HAN_YEAR}) ?年度?(?! ?前|代)"
                rf"(?:第?(?P<han_q>[一二三四1-4])季度|(?: ?(?P<han_m>0?[1-9]|1[0-2]|{_HAN}) ?月份?"
                rf"(?: ?(?P<han_d>{_DAY}|{_HAN}) ?[日号])?)?))",
                rf"(?<![0-9])(?P<hfy>(?P<hfy_y>{_YEAR}) ?(?:财年|财政年度))",
                rf"(?<![A-Za-z])(?P<fy>{_FISCAL} ?(?P<fy_y>{_YEAR}|[0-9]{{2}})(?![0-9]))",
                rf"{_YEAR_FIRST}(?P<year>(?P<year_y>{_YEAR}))(?!-?W[0-9]| s(?![A-Za-z']))"
                r"(?:s(?![A-Za-z])(?P<decade>))?"
                r"(?![0-9A-Za-z_])(?![.,/_][0-9])",
            )
        )
        + ")",
        re.IGNORECASE,
    )


_FORMS = (
    "iso", "ym", "dot", "dsy", "msy", "dmy", "mdy", "my", "qy", "yq", "han", "hfy", "fy", "year",
)  # fmt: skip


@cache
def _partial_dates() -> re.Pattern[str]:
    """Days and months without a year: no interval, but no quantity either."""
    return re.compile(
        r"(?:(?=[0-9〇零一二三四五六七八九十])|(?<![A-Za-z])(?=[jfmasond]))"
        rf"{_NOT_BEFORE}(?:{_DAY}{_ORDINAL}(?: of)? (?:{_MONTH})(?![A-Za-z])|(?:{_MONTH}) {_DAY}"
        rf"{_ORDINAL}(?![0-9A-Za-z])"
        rf"|(?:[0-9]{{1,2}}|{_HAN}) ?月(?: ?(?:[0-9]{{1,2}}|{_HAN}) ?[日号])?"
        rf"|[0-9]{{1,2}} ?[日号]|[0-9]{{1,2}}/[0-9]{{1,2}}/[0-9]{{4}}"
        r"|[0-9]{3}0(?:'?s(?![A-Za-z])|年代))",
        re.IGNORECASE,
    )


# What four digits count when it follows them: "2024 assets", "2024 km", "2024个".
# A measure word that begins another word counts nothing ("2022人口", "2019名义GDP"), and a double s
# ends no plural ("2022 gross profit").
_COUNTED = re.compile(
    r" ?(?:(?!人[口均数數员員民才工力文]|名[义義称稱单單]|台[湾灣]|公[司众眾共布告开開]"
    r"|家[庭居具电電]|位[置于於]|组[织織合]|种[类類]|件[数數]|处[理于於])"
    r"[个条項项份种家名位次张座辆台件人幅段组款篇处元米公千万亿%‰°€£]"
    r"|(?:[a-z]{2,} )??([a-z]{2,}[a-rt-z]s|people|data points?|px|[nµcmk]?m[²³23]?"
    r"|m[gl]|kg|lb|oz|ft|yd|(?:km|m)/[hs]|mph|[kMGT]?Wh?|[kMGTP]B|[kMG]?Hz|k?Pa)(?![\w²³]))"
)
_AMOUNT = re.compile(
    r" (?:(?P<scale>thousand|million|billion|trillion)|usd|eur|gbp|cny|rmb|jpy|hkd|chf"
    r"|dollars|euros|yuan)\b",
    re.IGNORECASE,
)
_TIME_BEFORE = re.compile(
    r"\b(?:in|since|until|till|during|before|after|by|for|from|to|through) $", re.IGNORECASE
)
_COUNT_BEFORE = re.compile(
    r"\b(?:there (?:are|were)|found|returned|lists?|listed|contains?|holds?|total of|of|matches|"
    r"all|exactly|only|about|over|than|least) $",
    re.IGNORECASE,
)
# Digits behind these are the year of what follows ("the 2023 admissions"), if no part of it is told
# ("of the 2024 assets"); a count has a comma there.
_OF_THAT_YEAR = re.compile(
    r"(?<!\bof )(?<!\ball )(?:\b(?:the|its|their|our|your|my|his|her)|'s|s') $", re.IGNORECASE
)
_NOT_COUNTED = time_words("not_counted")
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|during|before|after|year|by|for|from|to|early|late|mid|end of|"
    r"start of|through|as of|and|or|vs\.?|versus|calendar|between|the)"
    r"|[(（\[|,:;~–—-]|[年至到和与在于])[ \u00a0]?$",
    re.IGNORECASE,
)


def find_written_dates(text: str) -> list[DateMention]:
    """Find every day, month, quarter and year that is written in one of the forms of dates."""
    flat = plain(text)
    found: list[DateMention] = []
    for match in _dates().finditer(flat):
        mention = _mention(flat, text, match)
        if mention is not None:
            found.append(mention)
    found += [one for one in _of_same_year(flat, text, found) if one is not None]
    return sorted(found, key=lambda one: one.span)


@cache
def _same_year() -> re.Pattern[str]:
    """Return what finds a month, with or without its day, "of the same year"."""
    return re.compile(
        rf"{_NOT_BEFORE}(?:(?P<d1>{_DAY}){_ORDINAL}(?: of)? )?\b(?P<m1>{_MONTH})"
        rf"(?: (?P<d2>{_DAY}){_ORDINAL})?,? "
        r"(?:(?:of|in) (?:the same|that(?: same)?) year"
        r"|(?:desselben|des ?selben|des gleichen|im selben|im gleichen) jahr(?:es)?)\b"
        rf"|同年 ?(?P<m2>0?[1-9]|1[0-2]|{_HAN}) ?月份?(?: ?(?P<d3>{_DAY}|{_HAN}) ?[日号])?",
        re.IGNORECASE,
    )


def _of_same_year(
    flat: str, text: str, found: Sequence[DateMention]
) -> Iterator[DateMention | None]:
    """Yield the dates that lie in the year of the date that stands before them."""
    for match in _same_year().finditer(flat) if found else ():
        before = [one for one in found if one.span[1] <= match.start() and not one.fiscal]
        if before and before[-1].start.year == before[-1].end.year:
            day = match["d1"] or match["d2"] or match["d3"]
            month = _month(match["m1"] or match["m2"])
            yield _dated(before[-1].start.year, month, _number(day), match.span(), text)


def _dated(year: int, month: int, day: int, span: tuple[int, int], text: str) -> DateMention | None:
    """Return a day or month of a year as it stands in a text, or None for a day like 31 June."""
    try:
        start, end, grain = _interval(year, 0, month, day)
    except ValueError:
        return None
    return DateMention(start, end, grain, span, text[slice(*span)])


def find_partial_dates(text: str) -> list[tuple[int, int]]:
    """Spans of days and months that name no year ("3 March", 3月5日) or name one ambiguously."""
    return [match.span() for match in _partial_dates().finditer(plain(text))]


def _mention(flat: str, text: str, match: re.Match[str]) -> DateMention | None:
    form = next(name for name in _FORMS if match[name] is not None)
    parts = match.groupdict()
    span = match.span(form)
    bare = False
    if form == "year":
        if match["decade"] is not None:
            return None
        before = flat[max(0, span[0] - 12) : span[0]]
        bare = _YEAR_BEFORE.search(before) is None
        if counts_something(flat, *span):
            return None
    year = _number(parts[f"{form}_y"])
    month = _month(parts.get(f"{form}_m"))
    day = _number(parts.get(f"{form}_d"))
    quarter = _number(parts.get(f"{form}_q"))
    fiscal = form in ("fy", "hfy") or bool(parts.get(f"{form}_f"))
    if year < 100:
        year = whole_year(year)
    try:
        start, end, grain = _interval(year, quarter, month, day)
    except ValueError:  # 31 June
        return None
    return DateMention(start, end, grain, span, text[slice(*span)], fiscal, bare)


@cache
def _no_year() -> re.Pattern[str]:
    words = any_of(word for one in LANGUAGES for word in tables(one)["time"]["no_year"])
    return re.compile(rf"(?<![A-Za-zäöü])(?:{words}) $", re.IGNORECASE)


def _numbers_a_thing(before: str) -> bool:
    """Whether the words before digits make them the number of a thing: "room 1990"."""
    return before.endswith(" ") and _no_year().search(before) is not None


def counts_something(flat: str, start: int, end: int) -> bool:
    """Whether four digits are an amount or count what follows them ("$2024", "2024 assets").

    Args:
        flat: a text that went through `plain`.
        start: where the digits begin in it.
        end: the position after them.
    """
    before = flat[max(0, start - 12) : start]
    if before.rstrip()[-1:] in ("$", "€", "£", "¥") or _numbers_a_thing(before):
        return True
    amount = _AMOUNT.match(flat, end)
    if amount is not None and (amount["scale"] or _TIME_BEFORE.search(before) is None):
        return True  # "2022 million", "2022 USD", but not "in 2022 USD"
    counted = _COUNTED.match(flat, end)
    if counted is None or (counted[1] or "") in _NOT_COUNTED:
        return False
    if (counted[1] or "")[-1:] == "s" and (
        _TIME_BEFORE.search(before) is not None or _OF_THAT_YEAR.search(before) is not None
    ):
        return False  # "for 2019 equals", "in 2024 exports grew"
    adjacent = " " not in counted[0].strip()
    return adjacent or _COUNT_BEFORE.search(before) is not None


def whole_year(digits: int) -> int:
    """The year that two digits stand for, 1969 to 2068 (POSIX, strptime, %y)."""
    return digits + (2000 if digits < 69 else 1900)


def _number(raw: str | None) -> int:
    if not raw:
        return 0
    if raw.isascii():
        return int(raw)
    read = read_chinese(raw, 0)
    return int(read[0]) if read is not None else 0


def _month(raw: str | None) -> int:
    if not raw:
        return 0
    return _MONTHS.get(raw.lower().rstrip(".")) or _number(raw)


def _interval(year: int, quarter: int, month: int, day: int) -> tuple[date, date, Grain]:
    if quarter:
        last = 3 * quarter
        return date(year, last - 2, 1), date(year, last, _days(year, last)), "quarter"
    if day:
        return date(year, month, day), date(year, month, day), "day"
    if month:
        return date(year, month, 1), date(year, month, _days(year, month)), "month"
    return date(year, 1, 1), date(year, 12, 31), "year"


def _days(year: int, month: int) -> int:
    """Days of a month."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return (following - timedelta(days=1)).day
