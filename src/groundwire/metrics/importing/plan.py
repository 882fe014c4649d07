"""A mapping laid over the headings of one table: which cells make up which facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from groundwire.errors import ConfigurationError
from groundwire.metrics.importing.mapping import Mapping, Origin, ValueColumn
from groundwire.metrics.importing.resolving import (
    Head,
    Refusal,
    Span,
    month_text,
    quarter_text,
)
from groundwire.metrics.importing.table import Table
from groundwire.quantities.periods import FiscalCalendar

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
"""What a fact covers, and the day from which it was known."""
Spans = dict[Hashable, When | Refusal]
KnownHead = tuple[Head, Spans]


NOTHING = Part(-1)


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
            return NOTHING
        if origin.column is None:
            return Part(-1, (origin.constant or "").strip())
        return Part(table.column(origin.column))

    metric, channel, unit = part(columns.metric), part(columns.channel), part(columns.unit)
    fixed = (values.unit, values.scale)
    if column is not None:
        metric = Part(-1, column.metric)
        channel = Part(-1, column.channel) if column.channel else channel
        unit = NOTHING if column.unit else unit
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
