"""Rolling averages and periods: the mean of a period and those before it, the last months.

An average is made of values that are held for consecutive periods of one grain; where one of them
is missing, no average is made. Rates are not averaged: the mean of the margins of three months
differs from the margin of the three months.

"last 12 months" is the twelve whole months up to the newest day that a value covers, so that no
month of the window is one that nobody has counted yet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import cache

from groundwire.errors import InputError
from groundwire.metrics.table.conditions import term_of, words_of
from groundwire.metrics.table.query import (
    PERIOD,
    Key,
    Order,
    TableMetric,
    TableQuery,
    TableRow,
    TableRows,
)
from groundwire.metrics.table.sorting import sorted_rows
from groundwire.metrics.wording import exact, name_in
from groundwire.quantities import CALENDAR_YEAR, Period, PeriodGrain, interval_period
from groundwire.quantities.periods import MONTHS, later

MOST_PERIODS = 400
_MOST_ROWS = 5_000
_DAY = timedelta(days=1)
_WIDE = Context(prec=1_200)
_PLACES = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class Window:
    """The periods that an average runs over: so many of a grain, each row's own the last."""

    grain: PeriodGrain
    count: int


@cache
def window_pattern() -> str:
    """Return a pattern for a window in words: "3 months", "three-month", "drei Monate", 三个月."""
    numbers = "|".join(map(re.escape, words_of("numbers")))
    grains = "|".join(map(re.escape, words_of("rolling")))
    return rf"(?P<count>\d{{1,3}}|{numbers})[ -]?(?:个)?(?P<grain>{grains})"


def read_window(raw: str) -> Window | None:
    """Read a window in words: a number of 2 or more with a grain; None for any other text."""
    match = re.fullmatch(window_pattern(), " ".join(raw.split()), re.IGNORECASE)
    if match is None:
        return None
    number = match["count"]
    count = int(number) if number.isdigit() else int(term_of("numbers", number) or 0)
    grain = term_of("rolling", match["grain"])
    if not 2 <= count <= MOST_PERIODS:
        return None
    return Window(grain, count)  # type: ignore[arg-type] - the table names grains alone


@cache
def _phrases() -> tuple[re.Pattern[str], ...]:
    window = window_pattern().replace("?P<count>", "").replace("?P<grain>", "")
    name = r"(?:rolling|moving|trailing|running) (?:average|mean)"
    german = r"gleitende[nrsm]?"
    mean = r"(?:durchschnitts?|mittelwerts?|mittels?)"
    texts = (
        rf"(?:the |a )?(?P<window>{window})[ -]{name}(?: of| for)?",
        rf"(?:the |a )?(?:rolling|moving|trailing|running) (?P<window>{window})[ -]"
        r"(?:average|mean)(?: of| for)?",
        rf"(?:the |a )?{name}(?: of| for)?(?P<between>.*?) over (?:the (?:last|past) )?"
        rf"(?P<window>{window})",
        rf"(?:der |den |dem |des |ein(?:en?|er)? )?{german} (?P<window>{window})-?{mean}(?: von)?",
        rf"(?:der |den |dem |des |ein(?:en?|er)? )?{german} {mean}(?: von)?(?P<between>.*?) "
        rf"über (?:die letzten )?(?P<window>{window})",
        rf"的?(?:过去|最近|近)?(?P<window>{window})的?(?:移动|滚动)平均(?:值|数)?",
        rf"(?:the |a )?{name}(?: of| for)?",
        rf"(?:der |den |dem |des |ein(?:en?|er)? )?{german} {mean}(?: von)?",
        r"的?(?:移动|滚动)平均(?:值|数)?",
    )
    return tuple(
        re.compile(rf"(?<![^\W\d_]){text}" if text[0] != "的" else text, re.I) for text in texts
    )


def asked_average(text: str) -> tuple[str, str] | None:
    """Return the window that a question asks to average over, and the question without it.

    The window is the wording itself where the question names none; None where no rolling average
    is asked for.
    """
    for pattern in _phrases():
        match = pattern.search(text)
        if match is None:
            continue
        groups = match.groupdict()
        window = groups.get("window") or match[0].strip()
        between = groups.get("between") or ""
        rest = f"{text[: match.start()]} {between} {text[match.end() :]}"
        return window, " ".join(rest.split())
    return None


def averaged(metric: TableMetric, window: Window) -> TableMetric:
    """Return the metric that the averages of a metric are of, with names of its own."""
    grain, count = window.grain, window.count
    said = f"{count}-{grain} rolling average"
    german, chinese = (
        name_in("de", metric.label, metric.aliases, metric.labels),
        name_in("zh", metric.label, metric.aliases, metric.labels),
    )
    unit = {"day": "Tage", "month": "Monate", "quarter": "Quartale", "year": "Jahre"}.get(grain, "")
    han = {"day": "天", "month": "个月", "quarter": "个季度", "year": "年"}.get(grain, "")
    return replace(
        metric,
        code=f"{metric.code}.rolling_average",
        label=f"{said} of {metric.label}",
        aliases=(f"{count}-{grain} moving average of {metric.label}",),
        labels={
            "de": f"gleitender Durchschnitt über {count} {unit} von {german}",
            "zh": f"{chinese}的{count}{han}移动平均",
        },
        base=metric.code,
        adds_up="",
    )


def rolled(run: Callable[[TableQuery], TableRows], query: TableQuery, window: Window) -> TableRows:
    """Return the averages of a query's rows.

    Args:
        run: answers a query by the store of its metrics.
        query: by period, of the window's grain; sorted and cut here.
        window: what each average runs over.

    Raises:
        InputError: there are too many rows, or the time cannot be widened to the window.
    """
    base = replace(
        query,
        limit=_MOST_ROWS,
        offset=0,
        order=tuple(Order(code, descending=False) for code in query.by),
    )
    asked = run(base)
    wider = _widened(query.periods, window)
    held = run(replace(base, periods=wider)) if wider != query.periods else asked
    for one in (asked, held):
        if len(one.rows) >= _MOST_ROWS or not one.is_complete:
            raise InputError(
                f"A rolling average is made of at most {_MOST_ROWS:,} values: send a shorter "
                "period, or a condition in `where`."
            )
    place = query.by.index(PERIOD)
    ends: dict[tuple[Key, ...], dict[date, TableRow]] = {}
    for row in held.rows:
        if row.period is not None:
            ends.setdefault(_whose(row, place), {})[row.period.end] = row
    rows: list[TableRow] = []
    lacking = 0
    differing = False
    for row in asked.rows:
        some = _behind(row, ends.get(_whose(row, place), {}), window.count)
        if some is None:
            lacking += 1
            continue
        differing = differing or any(one.differing for one in some)
        rows.append(_average(row, some))
    notes = [*asked.notes]
    if lacking:
        have = "1 row has" if lacking == 1 else f"{lacking:,} rows have"
        notes.append(
            f"{have} no average: not every one of the {window.count} values that it runs over is "
            "held."
        )
    if differing:
        notes.append("Sources differ on a value that was averaged: the newest was used.")
    if any(value is not None and _has_six_places(value) for row in rows for value in row.values):
        notes.append("Averages are rounded to six decimal places.")
    kept = sorted_rows(rows, query)
    return TableRows(
        tuple(kept[query.offset : query.offset + query.limit]),
        len(kept),
        statement=held.statement,
        left_out=asked.left_out,
        notes=tuple(notes),
    )


def _has_six_places(value: Decimal) -> bool:
    """Whether a mean has all six places: one that ends earlier is exact."""
    return value.as_tuple().exponent == _PLACES.as_tuple().exponent


def _whose(row: TableRow, place: int) -> tuple[Key, ...]:
    return tuple(key for at, key in enumerate(row.keys) if at != place)


def _behind(row: TableRow, ends: dict[date, TableRow], count: int) -> list[TableRow] | None:
    """A row with those just before it, the newest first; None where one of them is missing."""
    some: list[TableRow] = []
    end = row.period.end if row.period is not None else None
    while len(some) < count:
        one = ends.get(end) if end is not None else None
        if one is None or one.period is None or one.values[0] is None:
            return None
        some.append(one)
        end = one.period.start - _DAY
    return some


def _average(row: TableRow, some: Sequence[TableRow]) -> TableRow:
    values: list[Decimal | None] = []
    for at in range(len(row.values)):
        own = [one.values[at] for one in some]
        held = [value for value in own if value is not None]
        values.append(_mean(held) if len(held) == len(own) else None)
    labels = [one.period.label for one in some if one.period is not None]
    told = f"mean of {len(some)} values, {labels[-1]} to {labels[0]}"
    sources = tuple(dict.fromkeys(name for one in some for name in one.sources))
    lineage = tuple(f"{told}: {' + '.join(_texts(some, at))}" for at in range(len(values)))
    return row._replace(
        values=tuple(values), before=(), sources=sources, lineage=lineage, differing=(), added=1
    )


def _texts(some: Sequence[TableRow], at: int) -> list[str]:
    return [exact(value) for one in reversed(some) if (value := one.values[at]) is not None]


def _mean(values: Sequence[Decimal]) -> Decimal:
    """The mean, exact where it has an end within six places, else rounded to six."""
    total = sum(values, Decimal(0))
    mean = _WIDE.divide(total, Decimal(len(values)))
    rounded = mean.quantize(_PLACES, ROUND_HALF_EVEN, _WIDE)
    if rounded != mean:
        return rounded
    whole = mean.to_integral_value()
    return whole.quantize(Decimal(1), context=_WIDE) if whole == mean else mean.normalize(_WIDE)


def _widened(periods: tuple[Period, ...], window: Window) -> tuple[Period, ...]:
    """The periods with those before them that averages at their beginning run over."""
    if not periods:
        return periods
    if any(one.fiscal for one in periods) and any(one.grain != window.grain for one in periods):
        raise InputError(
            f"A rolling average by {window.grain} over a fiscal year: send the {window.grain}s "
            "themselves, such as FY2025Q1 to FY2025Q4."
        )
    first = min(one.start for one in periods)
    last = max(one.end for one in periods)
    back = window.count - 1
    if window.grain == "day":
        start = first - back * _DAY
    else:
        start = later(first, -MONTHS[window.grain] * back)
    if any(one.fiscal for one in periods):
        # A fiscal period keeps its name: the store reads it on the calendar of each entity.
        return (*_earlier(min(periods, key=lambda one: one.start), back), *periods)
    return (Period(start, last, "other", False, f"{start} to {last}"),)


def _earlier(period: Period, count: int) -> tuple[Period, ...]:
    from groundwire.metrics.table.spans import before

    found: list[Period] = []
    one: Period | None = period
    while len(found) < count and one is not None:
        one = before(one, CALENDAR_YEAR, "previous_period")
        if one is not None:
            found.append(replace(one, fiscal=period.fiscal, label=_fiscal_label(one)))
    return tuple(reversed(found))


def _fiscal_label(period: Period) -> str:
    return period.label if period.label.startswith("FY") else f"FY{period.label}"


MOST_WINDOW = 400
_GERMAN = re.compile(
    r"(?:in )?(?:den |die |der )?(?:letzten?|vergangenen?) (?P<count>\d{1,4}|[a-zäöüß]{2,10}) "
    r"(?P<unit>tagen?|monaten?|quartalen?|quartale|jahren?)",
    re.IGNORECASE,
)
_UNITS = {"tag": "days", "mon": "months", "qua": "quarters", "jah": "years"}


def in_english(raw: str) -> str:
    """Return a rolling period that is written in German in English; other texts unchanged."""
    match = _GERMAN.fullmatch(" ".join(raw.split()))
    if match is None:
        return raw
    count = match["count"].lower()
    number = count if count.isdigit() else term_of("numbers", count)
    return f"last {number} {_UNITS[match['unit'][:3].lower()]}" if number else raw


def last_periods(grain: PeriodGrain, count: int, newest: date) -> tuple[Period, ...]:
    """Return the last whole periods of a grain that end on a day or before it, the oldest first.

    Args:
        grain: day, month, quarter, half or year; none of another.
        count: how many.
        newest: the newest day that a value covers.
    """
    found: list[Period] = []
    if grain == "day":
        days = (newest - timedelta(days=back) for back in range(count))
        found = [interval_period(day, day, CALENDAR_YEAR) for day in days]
    elif grain in MONTHS:
        length = MONTHS[grain]
        first = date(newest.year, (newest.month - 1) // length * length + 1, 1)
        while len(found) < count:
            end = later(first, length) - _DAY
            if end <= newest:
                found.append(interval_period(first, end, CALENDAR_YEAR))
            first = later(first, -length)
    return tuple(reversed(found))
