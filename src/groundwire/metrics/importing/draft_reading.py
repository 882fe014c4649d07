"""A file that nobody has described, opened for a draft: its header row, and what its rows name."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from groundwire.errors import InputError
from groundwire.metrics.importing.cells import BadCell, read_amount
from groundwire.metrics.importing.csv_table import find_delimiter
from groundwire.metrics.importing.draft_columns import MOST_ROWS, Column, period_of
from groundwire.metrics.importing.draft_roles import Roles
from groundwire.metrics.importing.load import open_table
from groundwire.metrics.importing.mapping import MISSING, Format, Layout
from groundwire.metrics.importing.table import Table, Unreadable

_LOOKED_AT = 15
_MISSING = frozenset(MISSING)


@dataclass(slots=True)
class Found:
    """What the rows of a table name.

    Attributes:
        entities, metrics: (code, label) with how often they stand there; "" where there is none.
        channels: channels with how often.
        units: units of each metric, with how often.
        cell_units: of each metric the units that cells of values name, "" for none.
        column_units: of each column of values, by its index, what its column of units says.
        periods: texts of periods (or days from and to) with how often.
        repeated: how many values are of a metric, entity, channel and period seen before.
    """

    entities: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    metrics: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    channels: Counter[str] = field(default_factory=Counter[str])
    units: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    cell_units: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    column_units: dict[int, Counter[str]] = field(default_factory=dict[int, Counter[str]])
    periods: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    repeated: int = 0


def find_layout(path: Path, form: Format) -> Layout:
    """The layout by which a file can be opened: its header row, and a delimiter if it needs one.

    Raises:
        InputError: no row looks like headings.
    """
    problem: InputError | None = None
    for row in range(1, _LOOKED_AT):
        layout = Layout(format=form, header_row=row)
        try:
            table, _ = open_table(path, form, layout)
        except InputError as error:
            if "no headings" not in str(error):
                raise
            problem = error
            continue
        with contextlib.closing(table):
            return _below_preamble(path, layout, table)
    raise problem or InputError(f"{path.name} has no headings in its first rows")


def _below_preamble(path: Path, layout: Layout, table: Table) -> Layout:
    """The layout with the first full row as headings, where lines of a title stand above it."""
    ahead = list(islice(table.records, _LOOKED_AT))
    widths = [
        (number, sum(bool(cell.strip()) for cell in _split(cells)))
        for number, cells in ahead
        if not isinstance(cells, Unreadable)
    ]
    own = sum(map(bool, _split(table.headings)))
    widest = max((width for _, width in widths), default=0)
    if own > widest / 2:
        return layout
    row = next(number for number, width in widths if width == widest)
    return layout.model_copy(update={"header_row": row})


def _split(cells: Sequence[str]) -> Sequence[str]:
    """Cells by the delimiter that a single cell turns out to hold."""
    filled = [cell for cell in cells if cell.strip()]
    if len(filled) != 1:
        return cells
    return filled[0].split(find_delimiter(filled[0]))


def read_found(table: Table, roles: Roles) -> Found:
    """Read what the rows of a table name."""
    found = Found()
    seen: set[int] = set()
    wide = roles.kind == "wide"
    for number, (_, cells) in enumerate(table.records):
        if number >= MOST_ROWS:
            break
        if isinstance(cells, Unreadable) or len(cells) < len(table.headings) // 2:
            continue
        values = [one for one in roles.values if _cell(cells, one) not in _MISSING]
        if not values:
            continue
        entity = _cell(cells, roles.entity_code), _cell(cells, roles.entity)
        metric = _cell(cells, roles.metric_code), _cell(cells, roles.metric)
        channel, unit = _cell(cells, roles.channel), _cell(cells, roles.unit)
        found.entities[entity] += 1
        found.metrics[metric] += 1
        found.channels[channel] += 1
        found.units.setdefault(metric[1] or metric[0], Counter())[unit] += 1
        for one in values:
            own = _cell(cells, roles.unit_of.get(one.index))
            found.column_units.setdefault(one.index, Counter())[own] += 1
        if roles.metric is not None or roles.metric_code is not None:
            units = found.cell_units.setdefault(metric[1] or metric[0], Counter())
            units.update(unit_in_cell(_cell(cells, one)) for one in values)
        if not wide:
            when = roles.period_text(cells)
            found.periods[(_cell(cells, roles.start), when)] += 1
            when_key = when, _cell(cells, roles.start), _cell(cells, roles.as_of)
            key = hash((entity, metric, channel, when_key))
        else:
            key = hash((entity, metric, channel))
        found.repeated += key in seen
        seen.add(key)
    if wide:
        found.periods.update(
            {("", column.heading): 1 for column in roles.values if period_of(column.heading)}
        )
    return found


def unit_in_cell(cell: str) -> str:
    """The unit that a cell of a value names, as a text that can be read again; "" for none."""
    if not cell.strip("0123456789.,-+ ()"):
        return ""
    for decimal_comma in (False, True):
        try:
            unit = read_amount(cell, decimal_comma).unit
        except BadCell:
            continue
        return unit.symbol if unit is not None else ""
    return ""


def _cell(cells: Sequence[str], column: Column | None) -> str:
    return cells[column.index].strip() if column is not None and column.index < len(cells) else ""
