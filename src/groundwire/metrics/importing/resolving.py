"""Resolution of the texts of a row: metric, entity, channel, unit, period, day of knowledge.

A mapping laid over the headings of a table says which cells make up which facts.

Texts come again and again in a file, so that each is resolved once. A text that cannot be used is
remembered as the refusal that every row with it gets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from operator import itemgetter

from groundwire.errors import ConfigurationError
from groundwire.metrics.importing.cells import UnitConflict, UnitText, read_unit, settle
from groundwire.metrics.importing.mapping import Mapping, OnUnknown, Origin, ValueColumn
from groundwire.metrics.importing.table import BETWEEN, Table
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.terms import TOTAL
from groundwire.quantities.period_grammar import read_period
from groundwire.quantities.periods import FiscalCalendar, PeriodGrain, interval_period
from groundwire.vocabulary import Resolution

_COMPACT = re.compile(r"((?:19|20)[0-9]{2})(?:\.0|(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])?)")
YEAR_LAST = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
"""A date whose year is last; which of the others is the day, the text does not say."""
QUARTER = re.compile(r"(?:[Qq]|第)? ?([1-4一二三四])(?:\.0)?(?:季度|季|[Qq])?")
MONTH = re.compile(r"(0?[1-9]|1[0-2])(?:\.0)?月?份?")
"""A quarter and a month without their year; group 1 is the number."""
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?")


class Refusal(ValueError):
    """A text that cannot be used.

    Attributes:
        role: which part of the row it is: "metric", "period", ...
        raw: the text.
        skip: whether such rows are left out on purpose.
    """

    def __init__(self, role: str, raw: str, reason: str, skip: bool = False) -> None:
        """Keep what is wrong.

        Args:
            role: which part of the row it is.
            raw: the text.
            reason: what is wrong with it and what to do.
            skip: whether such rows are left out on purpose.
        """
        super().__init__(reason)
        self.role = role
        self.raw = raw
        self.skip = skip


@dataclass(frozen=True, slots=True)
class Head:
    """The subject of a fact.

    Attributes:
        metric, entity, channel: codes.
        stock: whether a value at a day is allowed whatever the grains.
        grains: grains of the metric.
        calendar: fiscal calendar of the entity.
        wanted: unit of the metric in the profile.
        stated: what column, mapping and heading say of the unit.
        shift, unit: what brings a bare number into the unit, and the unit.
        fraction: whether a bare number is a hundredth of a percent.
    """

    metric: str
    entity: str
    channel: str
    stock: bool
    grains: frozenset[str]
    calendar: FiscalCalendar
    wanted: str
    stated: tuple[UnitText, ...]
    shift: int
    unit: str
    fraction: bool

    def takes(self, grain: PeriodGrain) -> bool:
        """Whether the metric is reported in a grain; `other` is an interval given by its days."""
        return grain in self.grains or grain == "other" or (self.stock and grain == "day")


@dataclass(frozen=True, slots=True)
class Span:
    """Which days a fact covers.

    Attributes:
        start, end: days, as `date.toordinal` counts them.
        grain: its length.
    """

    start: int
    end: int
    grain: PeriodGrain


class Resolver:
    """Resolves the texts of one file by a profile and the file's own aliases."""

    def __init__(self, profile: Profile, mapping: Mapping, today: date) -> None:
        """Check the mapping's aliases against the profile.

        Args:
            profile: the profile.
            mapping: the mapping of the file.
            today: what relative words in a period would count from; they are refused.

        Raises:
            ConfigurationError: an alias stands for a code that the profile does not have.
        """
        self.profile = profile
        self.mapping = mapping
        self._today = today
        self._names = Names(profile)
        left_out = mapping.layout.leave_out
        self._left_out = re.compile(left_out) if left_out else None
        codes = {
            "metric": profile.metric_by_code,
            "entity": profile.entity_by_code,
            "channel": profile.channel_by_code,
        }
        for what, known in codes.items():
            aliases: dict[str, str] = getattr(mapping.aliases, what)
            for term, code in aliases.items():
                if code not in known:
                    raise ConfigurationError(
                        f"aliases.{what} of the mapping: {term!r} stands for {code!r}, which is no "
                        f"{what} code of the profile"
                    )
        self.metric = lru_cache(4096)(self._metric)
        self.entity = lru_cache(16384)(self._entity)
        self.channel = lru_cache(4096)(self._channel)
        self.span = lru_cache(16384)(self._span)
        self.interval = lru_cache(16384)(self._interval)
        self.day = lru_cache(16384)(self._day)
        self.head = lru_cache(16384)(self._head)

    def see_kept(self, name: str) -> None:
        """See that the rows of a name are kept.

        Raises:
            Refusal: the mapping leaves them out.
        """
        if self.leaves_out(name):
            raise Refusal("entity", name, f"rows of {name!r} are left out", skip=True)

    def leaves_out(self, name: str) -> bool:
        """Whether the mapping leaves out rows of a name, or with a word instead of a period."""
        return self._left_out is not None and self._left_out.fullmatch(name) is not None

    def unit_above(self, metric: str) -> str:
        """Return the unit that the mapping gives to a metric apart from rows and columns, or ""."""
        if not self.mapping.units.metric:
            return ""
        return self.mapping.units.metric.get(self.metric(metric).code, "")

    def _head(self, metric: str, entity: str, channel: str, stated: tuple[UnitText, ...]) -> Head:
        """Return the subject that the texts of a row name together.

        Raises:
            Refusal: one of them names nothing, or the unit is not the metric's.
        """
        known = self.metric(metric)
        who = self.entity(entity, known.kind)
        return self.head_of(known, who, self.channel(channel, known.kind), stated)

    def head_of(
        self, metric: Metric, entity: str, channel: str, stated: tuple[UnitText, ...]
    ) -> Head:
        """The same of codes that are resolved.

        Raises:
            Refusal: the unit is not the metric's.
        """
        try:
            shift, unit = settle(metric.unit, stated)
        except UnitConflict as error:
            raise Refusal("unit", next((one.raw for one in stated), ""), str(error)) from None
        fraction = self.mapping.values.percent == "fraction" and unit == "%"
        return Head(
            metric.code, entity, channel, metric.measure == "stock", frozenset(metric.grains),
            self.profile.calendar_of[entity], metric.unit, stated, shift, unit, fraction,
        )  # fmt: skip

    def _metric(self, text: str) -> Metric:
        code = self.mapping.aliases.metric.get(text)
        if code is None:
            code = _code("metric", text, self._names.metric(text), self.mapping.unknown.metric)
        return self.profile.metric_by_code[code]

    def _entity(self, text: str, kind: str) -> str:
        code = self.mapping.aliases.entity.get(text)
        if code is None:
            found = self._names.entity(text, kind)
            return _code("entity", text, found, self.mapping.unknown.entity, f" of kind {kind}")
        if self.profile.entity_by_code[code].kind != kind:
            raise Refusal(
                "entity", text, f"{text!r} stands for {code}, which is no entity of kind {kind}"
            )
        return code

    def _channel(self, text: str, kind: str) -> str:
        code = TOTAL if not text else self.mapping.aliases.channel.get(text)
        return code or _code("channel", text, self._names.channel(text, kind), None)

    def _span(self, text: str, calendar: FiscalCalendar) -> Span:
        text = self._ordered(text)
        compact = _COMPACT.fullmatch(text)
        written = "-".join(part for part in compact.groups() if part) if compact else text
        expression = read_period(written) if written else None
        if expression is None:
            raise Refusal("period", text, f"{text!r} is no period that is understood")
        if expression.relative:
            raise Refusal("period", text, f"{text!r} depends on the day: write the period itself")
        reading = expression.on(calendar, self._today)
        if reading.kind != "single" or len(reading.periods) != 1:
            raise Refusal("period", text, f"{text!r} is not one period")
        period = reading.periods[0]
        return Span(period.start.toordinal(), period.end.toordinal(), period.grain)

    def _interval(self, start: str, end: str, calendar: FiscalCalendar) -> Span:
        last = self.day(end, "end")
        first = self.day(start, "start") if start else last
        if last < first:
            raise Refusal("end", end, f"the end {end} is before the start {start}")
        if first == last:
            return Span(first, last, "day")
        days = date.fromordinal(first), date.fromordinal(last)
        return Span(first, last, interval_period(*days, calendar).grain)

    def _ordered(self, text: str) -> str:
        """A date with its year last, in the order of the mapping, as an ISO day."""
        found = YEAR_LAST.fullmatch(text) if self.mapping.values.dates != "iso" else None
        if found is None:
            return text
        day, month = (1, 2) if self.mapping.values.dates == "day_first" else (2, 1)
        return f"{found[3]}-{int(found[month]):02}-{int(found[day]):02}"

    def _day(self, text: str, role: str) -> int:
        """A day as its ordinal."""
        text = self._ordered(text)
        found = _DAY.fullmatch(text)
        try:
            if found is not None:
                return date.fromisoformat(found[1]).toordinal()
        except ValueError:
            raise Refusal(role, text, f"{text!r} is no day of the calendar") from None
        span = self.span(text, FiscalCalendar())
        if span.grain != "day":
            raise Refusal(role, text, f"{text!r} is no day: write it as 2024-12-31")
        return span.start


def quarter_text(year: str, quarter: str) -> str:
    """A quarter whose year stands apart: "2024" and "Q1", "1" or 第一季度."""
    found = QUARTER.fullmatch(quarter)
    number = "一二三四".find(found[1]) + 1 or found[1] if found is not None else quarter
    return f"{_whole(year)}Q{number}"


def month_text(year: str, month: str) -> str:
    """A month whose year stands apart: "2024" and "3", "March" or 3月."""
    found = MONTH.fullmatch(month)
    return f"{_whole(year)}-{int(found[1]):02}" if found is not None else f"{month} {_whole(year)}"


def _whole(year: str) -> str:
    return year.removesuffix(".0").removesuffix("年")


def _code(
    role: str, text: str, found: Resolution, unknown: OnUnknown | None, kind: str = ""
) -> str:
    """The code that a resolution found.

    Raises:
        Refusal: it found none; the nearest are named.
    """
    if found.term is not None:
        return found.term.id
    shown = ", ".join(
        one.term.id if one.term.id == one.term.label else f"{one.term.label} ({one.term.id})"
        for one in found.candidates[:3]
    )
    if not text:
        raise Refusal(role, text, f"the {role} is empty")
    if found.how == "ambiguous":
        raise Refusal(role, text, f"{text!r} may be {shown}: write the code, or set an alias")
    near = f": did you mean {shown}?" if shown else ""
    reason = f"{text!r} is no {role}{kind} of the profile{near}"
    raise Refusal(role, text, reason, unknown == "skip")


def unit_texts(*texts: str) -> tuple[UnitText, ...]:
    """Unit texts that say something."""
    return tuple(read_unit(text) for text in texts if text.strip())


Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a fact: a cell of the row, or the same text for all rows.

    Attributes:
        index: index of the column, or -1.
        text: the text of a part without a column.
    """

    index: int
    text: str = ""

    def of(self, cells: Cells) -> str:
        """The text of this part in a row."""
        return cells[self.index].strip() if self.index >= 0 else self.text


When = tuple[Span, int]
"""The days that a fact covers, and the day since which it was known."""
Spans = dict[Hashable, When | Refusal]
KnownHead = tuple[Head, Spans]


_NOTHING = Part(-1)


@dataclass(frozen=True, slots=True)
class ValueSlot:
    """One column of values, with the other parts of its facts.

    Attributes:
        value: index of the column.
        place: the locator of its cells, with `{}` for the number of the record.
        metric, entity, channel, unit: what its facts are of.
        fixed_units: what heading and mapping say of the unit, scale words too.
        period, quarter, month, start, end, as_of: when.
        head_key, span_key: the cells that decide what its facts are of, and when.
        heads: what was resolved already, by the key, with the periods of its calendar.
        spans: the periods that were read already, by calendar and key.
    """

    value: int
    place: str
    metric: Part
    entity: Part
    channel: Part
    unit: Part
    fixed_units: tuple[str, ...]
    period: Part
    quarter: Part
    month: Part
    start: Part
    end: Part
    as_of: Part
    head_key: Callable[[Cells], Hashable]
    span_key: Callable[[Cells], Hashable]
    heads: dict[Hashable, KnownHead | Refusal] = field(
        default_factory=dict[Hashable, "KnownHead | Refusal"]
    )
    spans: dict[FiscalCalendar, Spans] = field(default_factory=dict[FiscalCalendar, "Spans"])

    def period_text(self, cells: Cells) -> str:
        """The period of a row, put together where year and quarter or month stand apart."""
        year, quarter, month = (part.of(cells) for part in (self.period, self.quarter, self.month))
        if quarter:
            return quarter_text(year, quarter)
        return month_text(year, month) if month else year


def plan(mapping: Mapping, table: Table) -> tuple[ValueSlot, ...]:
    """Lay a mapping over a table.

    Raises:
        ConfigurationError: a column is not there, or no heading is a period.
    """
    kind = mapping.layout.kind
    if kind == "long":
        assert mapping.columns.value is not None
        index = table.column(mapping.columns.value.column or "")
        return (_slot(mapping, table, index),)
    if kind == "metric_columns":
        return tuple(
            _slot(mapping, table, table.column(one.column), one, one.period)
            for one in mapping.value_columns
        )
    pattern = re.compile(mapping.layout.period_columns)
    slots: list[ValueSlot] = []
    for index, heading in enumerate(table.headings):
        match = pattern.search(heading)
        if match is not None:
            period = match[1] if pattern.groups and match[1] else match[0]
            period = period.replace(BETWEEN, " ")
            if mapping.layout.period_year:
                period = f"{period.strip()} {mapping.layout.period_year}"
            slots.append(_slot(mapping, table, index, period=period.strip()))
    if not slots:
        raise ConfigurationError(
            f"No heading matches layout.period_columns {mapping.layout.period_columns!r}: "
            f"the headings are {', '.join(table.headings[:8])}"
        )
    return tuple(slots)


def _slot(
    mapping: Mapping,
    table: Table,
    index: int,
    column: ValueColumn | None = None,
    period: str = "",
) -> ValueSlot:
    columns, values = mapping.columns, mapping.values

    def part(origin: Origin | None) -> Part:
        if origin is None:
            return _NOTHING
        if origin.column is None:
            return Part(-1, (origin.constant or "").strip())
        return Part(table.column(origin.column))

    metric, channel, unit = part(columns.metric), part(columns.channel), part(columns.unit)
    fixed = (values.unit, values.scale)
    if column is not None:
        metric = Part(-1, column.metric)
        channel = Part(-1, column.channel) if column.channel else channel
        unit = _NOTHING if column.unit else unit
        unit = Part(table.column(column.unit_column)) if column.unit_column else unit
        fixed = (column.unit or values.unit, column.scale or values.scale)
    when = Part(-1, period) if period else part(columns.period)
    quarter, month = part(columns.quarter), part(columns.month)
    entity = part(columns.entity)
    if column is not None and column.entity:
        entity = Part(-1, column.entity)
    start, end = part(columns.start), part(columns.end)
    as_of = part(columns.as_of)
    return ValueSlot(
        index, table.place(index), metric, entity, channel, unit,
        tuple(text for text in fixed if text), when, quarter, month, start, end, as_of,
        _key(metric, entity, channel, unit), _key(when, quarter, month, start, end, as_of),
    )  # fmt: skip


def _key(*parts: Part) -> Callable[[Cells], Hashable]:
    """The cells of a row that decide these parts, as one key."""
    indices = [part.index for part in parts if part.index >= 0]
    if not indices:
        return _constant
    return itemgetter(*indices)


def _constant(cells: Cells) -> Hashable:
    return ""
