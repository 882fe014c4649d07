"""A file that nobody has described, opened for a draft: its header row, and what its rows name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from groundwire.errors import InputError
from groundwire.metrics.importing.cells import BadCell, read_amount
from groundwire.metrics.importing.draft_columns import MOST_ROWS, Column
from groundwire.metrics.importing.draft_layout import Arrangement, arrange
from groundwire.metrics.importing.draft_roles import TOTALS, Roles
from groundwire.metrics.importing.first_rows import regions
from groundwire.metrics.importing.mapping import MISSING, Format, Layout
from groundwire.metrics.importing.table import Table, Unreadable

_MISSING = frozenset(MISSING)


@dataclass(slots=True)
class Found:
    """The names in the rows of a table, counted.

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


def find_layout(path: Path, form: Format, told: Layout, header: int = 0) -> Arrangement:
    """How a file can be opened: its sheet or table, header rows, delimiter and end.

    Args:
        path: the file.
        form: its format.
        told: what a person told of it: encoding, sheet.
        header: the row of the headings, if a person told it.

    Raises:
        InputError: no row looks like headings.
    """
    told = told.model_copy(update={"format": form})
    if form == "parquet":
        return Arrangement(told)
    found = [(arrange(region, header), region) for region in regions(path, form, told)]
    if not found:
        raise InputError(f"{path.name} is empty: send a file with a row of headings")
    best, region = max(found, key=lambda pair: pair[0].data_rows)
    others = [one.name for one_best, one in found if one is not region and one_best.data_rows > 1]
    if others:
        shown = ", ".join(others[:5])
        way = "name one by --sheet" if form == "xlsx" else "set layout.table for another"
        best.notes.append(f"{region.name} was read; {shown} hold tables too: {way}")
    if form == "xlsx" and not told.sheet and best.layout.sheet:
        first = found[0][1].layout.sheet
        if best.layout.sheet == first:
            best.layout = best.layout.model_copy(update={"sheet": ""})
    return best


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
        if roles.leave_out and TOTALS.fullmatch(entity[1] or metric[1]):
            continue
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
        if not wide and not roles.values[0].when:
            when = roles.period_text(cells)
            found.periods[(_cell(cells, roles.start), when)] += 1
            when_key = when, _cell(cells, roles.start), _cell(cells, roles.as_of)
            key = hash((entity, metric, channel, when_key))
        else:
            key = hash((entity, metric, channel))
        found.repeated += key in seen
        seen.add(key)
    if wide and not roles.values[0].dated:
        found.periods.update(
            {("", text): 1 for column in roles.values if (text := roles.dated(column.heading))}
        )
    found.periods.update({("", one.when): 1 for one in roles.values if one.when})
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
