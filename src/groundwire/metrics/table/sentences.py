"""The quotable sentence of a table, and names in sentences of its metrics, keys and dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.evidence.answers import RecordNames
from groundwire.evidence.records import Condition, Names
from groundwire.language.sentences import number_text
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GROUP,
    OF_ENTITIES,
    PERIOD,
    POINTS,
    Dimension,
    Key,
    TableMetric,
    TableQuery,
    TableRow,
    changes,
    order_of,
)
from groundwire.metrics.table.sorting import sorted_by
from groundwire.metrics.table.spans import called
from groundwire.metrics.table.stores import StoreName
from groundwire.metrics.wording import Language, amount, grouped, listed, say, with_unit
from groundwire.quantities import CALENDAR_YEAR, FiscalCalendar, Period
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State


MOST_TOLD = 12
_MOST_ROWS = 10
_FEWEST_SPAN = 4
_MOST_BESIDE = 3
_DIGITS = 6
_SMALL = Decimal("0.001")
_SEASONS = ("half", "quarter", "month")


def table_sentence(
    query: TableQuery,
    metrics: Sequence[TableMetric],
    units: Sequence[str],
    filters: str,
    rows: Sequence[TableRow],
    total: int | None,
) -> str:
    """Return one sentence that tells a table.

    Args:
        query: the query.
        metrics: its metrics.
        units: the unit of each.
        filters: what the conditions keep, in words, or "".
        rows: the rows of the first page, in their order.
        total: how many rows there are, or None.
    """
    is_sum = any(row.added > 1 for row in rows)
    label = f"Sum of {metrics[0].label}" if is_sum else metrics[0].label
    place = query.by.index(PERIOD) if PERIOD in query.by else None
    along = place is not None and not query.compare and _is_one_series(query, rows, place)
    if along and len(rows) > 1:
        trends = [
            _trend(query, one.label if at else label, units[at], filters, some, count, at)
            for at, one in enumerate(metrics[:_MOST_BESIDE])
            for some, count in ((rows, total), (_a_year_apart(rows, at), None))
            if some
        ]
        return " ".join(trends) + _untold([one.label for one in metrics], "en")
    when = _common_period(query, rows) if place is None else ""
    of = f" of {filters}" if filters else ""
    what = f"{label}{of}{f' for {when}' if when else ''}"
    if not rows:
        return f"{what}: no row lies beyond the first {query.offset:,}."
    if not query.by:
        values = [
            f"{'Sum of ' if is_sum else ''}{metric.label}{of}{f' for {when}' if when else ''}: "
            f"{_value(rows[0].values, at, units[at])}"
            f"{_change(query, rows[0], at, units[at])}"
            for at, metric in enumerate(metrics)
        ]
        return f"{'; '.join(values)}."
    shown = "; ".join(
        f"{_called(row)} {_value(row.values, 0, units[0])}{_change(query, row, 0, units[0])}"
        f"{_beside(row, metrics, units)}"
        for row in rows[: _told(rows)]
    )
    count = total if total is not None else len(rows)
    told = _told(rows)
    more = f" ({told} of {count:,} rows)" if count > told else ""
    labels = [one.label for one in metrics]
    told_rows = f"{what}{_way(query, labels, rows, count, 'en')}: {shown}{more}."
    return told_rows + _none_so(query, rows, "en") + _untold(labels, "en")


def _untold(metrics: Sequence[str], language: Language) -> str:
    """Name the metrics whose values stand in the rows alone; "" where the sentence tells all."""
    names = say("names_joint", language).join(map(safe_name, metrics[_MOST_BESIDE:]))
    return say("table_untold", language, names=names) if names else ""


def _told(rows: Sequence[TableRow]) -> int:
    """How many rows a sentence tells: all of a few more than it tells of many."""
    return len(rows) if len(rows) <= MOST_TOLD else _MOST_ROWS


def _is_one_series(query: TableQuery, rows: Sequence[TableRow], place: int) -> bool:
    """Whether all keys but the period are the same, and the rows run along time."""
    first = query.order[0] if query.order else None
    if first is not None and first.by not in query.by:
        return False
    if len(query.by) == 1:
        return bool(rows)
    others = {tuple(key for at, key in enumerate(row.keys) if at != place) for row in rows}
    return len(others) == 1


def _trend(
    query: TableQuery,
    label: str,
    unit: str,
    filters: str,
    rows: Sequence[TableRow],
    total: int | None,
    at: int,
) -> str:
    place = query.by.index(PERIOD)
    held = [row for row in rows if row.values[at] is not None]
    held.sort(key=lambda row: str(row.keys[place]))
    if len(held) < 2:
        only = held[0] if held else rows[0]
        return f"{label}: {_period(only)}, {_value(only.values, at, unit)}."
    first, last = held[0], held[-1]
    names = [name for key, name in enumerate(first.labels or ()) if key != place]
    whose = listed(names) or filters
    of = f" of {whose}" if whose else ""
    before, after = first.values[at] or Decimal(0), last.values[at] or Decimal(0)
    way = "rose" if after > before else "fell" if after < before else "stayed the same"
    here = "" if total is None or total == len(rows) else f" (the first {len(rows)} of {total:,})"
    if way == "stayed the same":
        return (
            f"{label}{of} was {_value(first.values, at, unit)} in {_period(first)} and "
            f"{_value(last.values, at, unit)} in {_period(last)}{here}."
        )
    return (
        f"{label}{of} {way} from {_value(first.values, at, unit)} in {_period(first)} to "
        f"{_value(last.values, at, unit)} in {_period(last)}{here}."
    )


def _a_year_apart(rows: Sequence[TableRow], at: int) -> Sequence[TableRow]:
    """Return the last row with a value, behind the one of the same season a year before.

    A first quarter and a fourth are of different seasons. There is none where the rows begin with
    the same season, or are of whole years or days.
    """
    held = [row for row in rows if row.values[at] is not None and row.period is not None]
    held.sort(key=lambda row: row.period.start if row.period else date.min)
    last = held[-1].period if held else None
    if last is None or last.grain not in _SEASONS:
        return ()
    season = (last.grain, last.fiscal, last.start.year - 1, last.start.month)
    return next(
        (
            (row, held[-1])
            for row in held[1:]
            if (one := row.period)
            and (one.grain, one.fiscal, one.start.year, one.start.month) == season
        ),
        (),
    )


def _period(row: TableRow) -> str:
    return row.period.label if row.period else ""


def _common_period(query: TableQuery, rows: Sequence[TableRow]) -> str:
    found = {row.period.label for row in rows if row.period is not None}
    if not found:
        # Sums over several periods are of all that were asked for.
        return _span_of(query.periods) or listed([one.label for one in query.periods], 8)
    return found.pop() if len(found) == 1 else ""


def _span_of(periods: Sequence[Period]) -> str:
    """Several periods of one grain without a gap as a range; "" for others."""
    if len(periods) < _FEWEST_SPAN or len({one.grain for one in periods}) > 1:
        return ""
    if any(after.start - before.end != timedelta(days=1) for before, after in pairwise(periods)):
        return ""
    return f"{periods[0].label} to {periods[-1].label}"


def _called(row: TableRow) -> str:
    names = row.labels or tuple("none" if key is None else str(key) for key in row.keys)
    return ", ".join(safe_name(name) for name in names)


def _beside(row: TableRow, metrics: Sequence[TableMetric], units: Sequence[str]) -> str:
    """The values of the other metrics of a row, each with its name."""
    return "".join(
        f", {metric.label} {_value(row.values, at, units[at])}"
        for at, metric in enumerate(metrics[:_MOST_BESIDE])
        if at
    )


def _value(values: Sequence[Decimal | None], place: int, unit: str) -> str:
    value = values[place]
    return "no value" if value is None else with_unit(grouped(_short(value)), unit)


def _short(value: Decimal) -> Decimal:
    """Return a value as sentences tell it: quotients with six decimals, as all that is computed."""
    if abs(value) < _SMALL or value == round(value, _DIGITS):
        return value
    return round(value, _DIGITS).normalize()


def _change(query: TableQuery, row: TableRow, place: int, unit: str) -> str:
    """Return the compared value, to stand behind a value."""
    if not query.compare or not row.before:
        return ""
    value, before = row.values[place], row.before[place]
    if value is None or before is None:
        return say("table_no_before", "en")
    when = f" in {row.period_before.label}" if row.period_before else " before"
    change = _by_how_much(value, before, unit, "en")
    return f" ({change}{_value(row.before, place, unit)}{when})"


def _by_how_much(value: Decimal, before: Decimal, unit: str, language: Language) -> str:
    """Return the change in percent, or of percents in points; "" where there is none."""
    change, percent = changes(value, before)
    told, of = (change, POINTS) if unit == "%" else (percent, "%")
    if told is None:
        return ""
    number = amount(round(told, _DIGITS).normalize() + 0, of, language)
    return say("table_change", language, change=f"+{number}" if told > 0 else number)


def table_sentence_in(
    language: Language,
    query: TableQuery,
    metrics: Sequence[str],
    units: Sequence[str],
    filters: str,
    rows: Sequence[TableRow],
    names: Sequence[Sequence[str]],
    total: int | None,
) -> str:
    """Return the sentence of a table in a language other than English.

    Args:
        language: the language.
        query: the query.
        metrics: the names of its metrics in the language.
        units: the unit of each metric.
        filters: what the conditions keep, by names in the language, or "".
        rows: the rows of the first page, in their order.
        names: the names of the keys of each row in the language.
        total: how many rows there are, or None.
    """

    def value(row: TableRow, at: int) -> str:
        held = row.values[at]
        return (
            say("no_value", language) if held is None else amount(_short(held), units[at], language)
        )

    def beside(row: TableRow) -> str:
        told = (f"{name} {value(row, at)}" for at, name in enumerate(metrics[:_MOST_BESIDE]) if at)
        return "".join(f"{joint}{one}" for one in told)

    metric, joint = metrics[0], say("names_joint", language)
    place = query.by.index(PERIOD) if PERIOD in query.by else None
    along = place is not None and not query.compare and _is_one_series(query, rows, place)
    if along and sum(row.values[0] is not None for row in rows) > 1:
        trends = (
            _trend_in(language, f"{filters}{name}" if language == "zh" else f"{name} {filters}",
                      units[at], some, at)
            for at, name in enumerate(metrics[:_MOST_BESIDE])
            for some in (rows, _a_year_apart(rows, at))
        )  # fmt: skip
        joined = ("" if language == "zh" else " ").join(filter(None, trends))
        return joined + _untold(metrics, language)
    when = _common_period(query, rows) if place is None else ""
    when = when.replace(" to ", say("between", language))
    count = total if total is not None else len(rows)
    shown = say("table_joint", language).join(
        f"{joint.join(map(safe_name, own))} {value(row, 0)}{_before(row, units[0], language)}"
        f"{beside(row)}".strip()
        for row, own in zip(rows[: _told(rows)], names, strict=False)
    )
    told = _told(rows)
    number = number_text(count, "de") if language == "de" else f"{count:,}"
    more = say("table_more", language, told=str(told), count=number) if count > told else ""
    what = say("table_what", language, metric=metric, filters=filters, when=when)
    what = " ".join(what.split())
    way = _way(query, metrics, rows, count, language)
    told_rows = say("table_rows", language, what=what, way=way, rows=shown, more=more)
    return told_rows + _none_so(query, rows, language) + _untold(metrics, language)


def _trend_in(language: Language, what: str, unit: str, rows: Sequence[TableRow], at: int) -> str:
    """Return how one metric went from the first row that has it to the last; "" for fewer."""
    held = [(row, value) for row in rows if (value := row.values[at]) is not None]
    if len(held) < 2:
        return ""
    (first, before), (last, after) = held[0], held[-1]
    key = "table_rose" if after > before else "table_fell" if after < before else "table_same"
    ends = {"start": _period(first), "end": _period(last)}
    told = {
        "first": amount(_short(before), unit, language),
        "last": amount(_short(after), unit, language),
    }
    return say(key, language, what=what.strip(), **told, **ends)


def _before(row: TableRow, unit: str, language: Language) -> str:
    value, before = row.values[0], row.before[0] if row.before else None
    if value is None or before is None or row.period_before is None:
        return say("table_no_before", language) if row.before else ""
    told = amount(_short(before), unit, language)
    change = _by_how_much(value, before, unit, language)
    return say("table_before", language, change=change, before=told, period=row.period_before.label)


def _none_so(query: TableQuery, rows: Sequence[TableRow], language: Language) -> str:
    """Say that nothing rose where the greatest change is a fall; and so of falls."""
    order = query.order[0] if query.order else None
    if order is None or query.offset or not rows or not query.compare:
        return ""
    metric, what = order_of(query, order.by)
    value, before = rows[0].values[0], rows[0].before[0] if rows[0].before else None
    change, _ = changes(value, before)
    if metric != query.metrics[0] or what == "value" or change is None:
        return ""
    if (change < 0) if order.descending else (change > 0):
        return say("none_rose" if order.descending else "none_fell", language)
    return ""


def _way(
    query: TableQuery,
    metrics: Sequence[str],
    rows: Sequence[TableRow],
    count: int,
    language: Language,
) -> str:
    """Which rows come first, where they are sorted by a metric or its change.

    Values sort nothing where the first row, and so every row, has none.
    """
    order = query.order[0] if query.order else None
    if order is None or count < 2:
        return ""
    metric, what = order_of(query, order.by)
    if not metric:
        return ""
    at = query.metrics.index(metric)
    if rows and sorted_by(rows[0], at, what) is None:
        return "" if query.offset else say("unsorted", language)
    by = say("sorted_by", language, metric=metrics[at]) if at else ""
    if what == "value":
        return say("highest_first" if order.descending else "lowest_first", language, by=by)
    return say(f"{'most' if order.descending else 'least'}_{what}", language, by=by)


PACKAGE = "groundwire.metrics"
_FISCAL_GRAINS = ("year", "half", "quarter", "nine_months")


class TableNames:
    """The names of one record; each thing has all of its names where it is first named."""

    def __init__(self, state: State, store: StoreName) -> None:
        """Begin a record of a store."""
        self._state = state
        self._profile = state.profile
        self._store: StoreName = store
        self._names = RecordNames(PACKAGE)
        self._dimensions = {one.code: one for one in state.tables.store(store).dimensions()}
        self._keys: dict[tuple[str, Key], Names] = {}
        self._periods: dict[int, tuple[Period, FiscalCalendar, Names]] = {}
        self.said = self._names.predicate

    def metric(self, metric: TableMetric) -> Names:
        """Return the names of a metric."""
        names = (metric.label, metric.code, *metric.aliases)
        return self._names.thing("metric", tuple(dict.fromkeys(names)))

    def key(self, dimension: str, key: Key) -> Names:
        """Return the names of a value of a dimension, the one that is shown first."""
        return self._names.thing(dimension, self._every_name(dimension, key))

    def _every_name(self, dimension: str, key: Key) -> Names:
        if (dimension, key) not in self._keys:
            self._keys[dimension, key] = tuple(dict.fromkeys(self._names_of(dimension, key)))
        return self._keys[dimension, key]

    def _names_of(self, dimension: str, key: Key) -> Names:
        profile = self._profile
        if self._store == "facts" and dimension in OF_ENTITIES and key in profile.entity_by_code:
            entity = profile.entity_by_code[str(key)]
            return entity.name, entity.code, *entity.aliases
        if self._store == "facts" and dimension == CHANNEL and key in profile.channel_by_code:
            channel = profile.channel_by_code[str(key)]
            return channel.label, channel.code, *channel.aliases
        return (self._state.tables.called(self._store, dimension, key) or "none",)

    def all_names(self, dimension: str, key: Key) -> Names:
        """Return every name of a value, however often it was named before."""
        return self._every_name(dimension, key)

    def dimension(self, code: str, kind: str = "") -> Names:
        """Return the names of a dimension; of entities also what their kind is called."""
        if self._store == "facts" and code == GROUP:
            return self.said("group")
        if self._store == "facts" and code == ENTITY:
            return (*self.said("entity")[:1], *((kind,) if kind else ()))
        if code == CHANNEL:
            return self.said(code) + self._state.profile.profile.channel_names
        if code == PERIOD:
            return self.said(code)
        one = self._dimensions.get(code) or Dimension(code, code)
        names = (one.label, code, code.rpartition(".")[2], *one.aliases)
        return self._names.thing("dimension", tuple(dict.fromkeys(names)))

    def kind_of(self, metric: TableMetric) -> str:
        """Return the kind of the entities of a metric of facts; "" of a warehouse."""
        if self._store != "facts":
            return ""
        return self._profile.metric_by_code[metric.base or metric.code].kind

    def period(self, period: Period, entity: Key = None) -> Names:
        """Return every name of a period: FY2024 is 2024, or 2024-04-01 to 2025-03-31."""
        own = CALENDAR_YEAR
        if self._store == "facts" and entity in self._profile.entity_by_code:
            own = self._profile.calendar_of[str(entity)]
        # Rows of one period follow one another, as do those that it is compared with.
        known = self._periods.get(id(period))
        if known is None or known[0] is not period or known[1] is not own:
            known = self._periods[id(period)] = period, own, _names_of_period(period, own)
        return known[2]

    def grain(self, *grains: str) -> Condition:
        """Return that a value is of one of some grains."""
        named = tuple(self.said(f"grain_{one}") for one in dict.fromkeys(grains))
        return Condition(self.said("grain"), "any_of" if len(named) > 1 else "is", named)


@lru_cache(maxsize=16_384)
def _names_of_period(period: Period, own: FiscalCalendar) -> Names:
    named = [called(one, period.start, period.end) for one in (own, CALENDAR_YEAR)]
    labels = [period.label, *(one.label for one in named)]
    if own.is_calendar_year and named[0].grain in _FISCAL_GRAINS and not named[0].fiscal:
        labels.append(f"FY{named[0].label}")
    return tuple(dict.fromkeys(filter(None, labels)))


def plurals(names: Names) -> Names:
    """Names of a dimension as sentences count its values: country, countries."""
    found: list[str] = []
    for name in names:
        found.append(name)
        if name.isascii() and name.replace(" ", "").isalpha():
            found.append(f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")
    return tuple(dict.fromkeys(found))
