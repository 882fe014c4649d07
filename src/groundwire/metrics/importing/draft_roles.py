"""Which column of an undescribed table is what: by its heading, in English and Chinese, and cells.

Every guess that a person should look at is noted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

from groundwire.errors import InputError
from groundwire.metrics.importing.draft_columns import (
    TOTALS,
    Column,
    is_number,
    names_a_metric,
    units_of_columns,
)
from groundwire.metrics.importing.heading_text import names_a_year, period_of, read_dated
from groundwire.metrics.importing.resolving import MONTH, QUARTER, month_text, quarter_text

_TABLES = tomllib.loads((files(__package__ or "") / "draft_roles.toml").read_text("utf-8"))
ROLE_OF: dict[str, str] = {word: role for role, words in _TABLES.items() for word in words}
_CODE_WORD = re.compile(
    r"(?:^| )(?:code|iso|iso3|iso2|id|symbol|ticker|key)$| (?:no|nr) ?$|nummer$|"
    "代码$|编码$|编号$|代号$"
)
_MONTH = re.compile(
    rf"{MONTH.pattern}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?", re.IGNORECASE
)
_PARTS_OF_YEARS = (
    ("quarter", ("quarter", "qtr", "q", "fiscal quarter", "季度", "季"), QUARTER),
    ("month", ("month", "mon", "m", "月", "月份", "月度"), _MONTH),
)
_MOST_CHANNELS = 60


@dataclass
class Roles:
    """The role that each column of a table was given.

    Attributes:
        kind: the layout, as a mapping names it.
        values: columns of values (`wide`: those whose headings are periods).
        period, quarter, month, start, end: columns that say when, or None.
        entity, entity_code, metric, metric_code, channel, unit, as_of: the other parts, or None.
        units: all columns of units, where several columns of values have theirs.
        unit_of: of each column of values, by its index, the column of units that is about it.
        notes: guesses that a person should look at.
        leave_out: a pattern of the entities whose rows are totals, or "".
        year: the year that stands above, where headings are months alone.
    """

    kind: str = "long"
    values: list[Column] = field(default_factory=list[Column])
    period: Column | None = None
    start: Column | None = None
    end: Column | None = None
    entity: Column | None = None
    entity_code: Column | None = None
    metric: Column | None = None
    metric_code: Column | None = None
    channel: Column | None = None
    quarter: Column | None = None
    month: Column | None = None
    unit: Column | None = None
    as_of: Column | None = None
    units: list[Column] = field(default_factory=list[Column])
    unit_of: dict[int, Column] = field(default_factory=dict[int, Column])
    notes: list[str] = field(default_factory=list[str])
    leave_out: str = ""
    year: str = ""

    def dated(self, heading: str) -> str:
        """The period of a heading, with the year where the heading has none; "" for none."""
        text = f"{heading} {self.year}" if self.year else heading
        return text if period_of(text) is not None else ""

    def period_text(self, cells: Sequence[str]) -> str:
        """The period of a row, as the import will put it together."""
        year, quarter, month, end = (
            cells[one.index].strip() if one is not None and one.index < len(cells) else ""
            for one in (self.period, self.quarter, self.month, self.end)
        )
        if quarter:
            return quarter_text(year, quarter)
        return month_text(year, month) if month else year or end


def _nearly(columns: Sequence[Column]) -> str:
    """A note that names the most numeric column and a cell of it that is not a number."""
    near = max(columns, key=lambda one: one.numeric, default=None)
    if near is None or not near.numeric:
        return ""
    other = next((cell for cell in near.sample if not is_number(cell)), "")
    return f" ({near.label!r} holds {other[:40]!r} among its numbers)"


def guess_roles(columns: Sequence[Column], years: Sequence[str]) -> Roles:
    """Guess what each column is.

    Args:
        columns: the columns.
        years: years that stand above the table.

    Raises:
        InputError: no column holds values, or nothing says when they are of.
    """
    roles = Roles()
    free = [column for column in columns if column.heading and column.filled]
    wide = [column for column in free if period_of(column.heading) and column.numeric > 0.5]
    apart = [column for column in free if column.when and column.numeric > 0.5]
    months = [one for one in free if _MONTH.fullmatch(one.heading) and one.numeric > 0.5]
    if len(wide) < 2 and len(months) >= 2 and len(set(years)) == 1:
        roles.year, wide = years[0], months
        roles.notes.append(
            f"the months of the headings were taken to be of {years[0]}, which stands above"
        )
    if len(apart) < 2 and len(wide) < 2:
        apart = _dated(free, roles.notes)
    if (apart and apart[0].dated) or len(apart) >= 2:
        shape = "metric_columns" if any(one.label for one in apart) else "wide"
        roles.kind, roles.values = shape, apart
        free = [column for column in free if column.index not in {one.index for one in apart}]
        _note_undated(free, roles.notes)
    elif len(wide) >= 2:
        roles.kind, roles.values = "wide", wide
        free = [column for column in free if column not in wide]
    _parts_of_years(roles, free)
    _by_heading(roles, free)
    if roles.kind == "long":
        _when(roles, free)
        _values(roles, free)
    for column in list(free):
        formulas = sum(count for cell, count in column.seen.items() if cell[:1] == "=")
        if formulas and formulas >= 0.5 * column.filled:
            free.remove(column)
            roles.notes.append(
                f"the values of {column.label!r} are formulas without results and are not read: "
                "open the workbook, save it, and draft again"
            )
    _lines_of_accounts(roles, free)
    _who_and_what(roles, free)
    if not roles.values:
        raise InputError(
            f"No column holds numbers beside a period{_nearly(free)}: write the mapping by hand, "
            "see its attributes"
        )
    _totals(roles)
    if roles.kind == "long" and len(roles.values) > 1:
        roles.kind = "metric_columns"
        roles.unit_of = units_of_columns(roles.values, roles.units, roles.notes)
    elif roles.kind == "long" and roles.unit is not None and roles.metric is None:
        roles.unit_of = units_of_columns(roles.values, roles.units, roles.notes)
        if not roles.unit_of and roles.values[0].unit is None:
            roles.notes.append(
                f"column {roles.unit.heading!r} was left out: a count has no currency"
            )
            roles.unit = None
    return roles


def _dated(columns: Sequence[Column], notes: list[str]) -> list[Column]:
    """Columns of numbers whose headings name name, period and unit in one row.

    There are none where a column of the table holds periods: a year in a heading is another's
    then, such as that of prices.
    """
    if any(
        one.periodic > 0.9 and (one.is_year or one.numeric < 0.5 or ROLE_OF.get(one.words))
        for one in columns
    ):
        return []
    found: dict[tuple[str, str], Column] = {}
    for column in columns:
        dated = read_dated(column.heading) if column.numeric > 0.5 else None
        if dated is None:
            continue
        known = found.setdefault((dated.name, dated.when), replace(column, dated=dated))
        if known.index != column.index:
            notes.append(
                f"column {column.heading!r} was left out: {known.heading!r} is of "
                f"{dated.name or 'the same'} and {dated.when} too"
            )
            continue
        notes += [f"{column.heading!r}: {doubt}" for doubt in dated.doubts]
    return list(found.values())


def _note_undated(columns: Sequence[Column], notes: list[str]) -> None:
    """Note columns of numbers without a period, beside others whose headings name theirs."""
    notes += [
        f"column {one.heading!r} was left out: nothing says its period"
        for one in columns
        if one.numeric > 0.5
        and not _CODE_WORD.search(one.words)
        and not any(repr(one.heading) in note for note in notes)
    ]


def _lines_of_accounts(roles: Roles, free: list[Column]) -> None:
    """Take the first column of a wide table for metrics where its cells are lines of accounts."""
    if roles.kind != "wide" or roles.metric is not None or roles.metric_code is not None:
        return
    first = next((one for one in free if one.numeric < 0.5), None)
    if first is None or roles.entity is not None:
        return
    names = [name for name in first.sample if not TOTALS.fullmatch(name)]
    if sum(names_a_metric(name) for name in names) >= 0.5 * max(len(names), 1):
        roles.metric = first
        free.remove(first)
        roles.notes.append(f"column {first.heading!r} was taken for the metric: it names lines")


def _totals(roles: Roles) -> None:
    """Leave out rows whose entity or period is a total, which no question about one means."""
    totals: list[str] = []
    for column in (roles.entity, roles.period):
        found = [name for name in column.seen if TOTALS.fullmatch(name)] if column else []
        totals += found if column and len(found) < len(column.seen) else []
    if totals:
        totals = sorted(set(totals))
        roles.leave_out = f"(?:{'|'.join(map(re.escape, totals))})"
        shown = ", ".join(map(repr, totals[:5]))
        roles.notes.append(f"rows of {shown} add up others and are left out: see layout.leave_out")


def _parts_of_years(roles: Roles, free: list[Column]) -> None:
    """Find a year in one column with its quarter or month in another."""
    years = [column for column in free if column.is_year and ROLE_OF.get(column.words) == "period"]
    for role, words, pattern in _PARTS_OF_YEARS:
        for column in free if years else []:
            if column.words in words and all(map(pattern.fullmatch, column.sample)):
                setattr(roles, role, column)
                roles.period = years[0]
                free.remove(column)
                free.remove(years[0])
                return


def _by_heading(roles: Roles, free: list[Column]) -> None:
    """Give columns the roles that their headings say, where their cells do not contradict."""
    codes: list[Column] = []
    for column in list(free):
        if _CODE_WORD.search(column.words) or column.is_padded:
            codes.append(column)
            free.remove(column)
            continue
        role = ROLE_OF.get(column.words)
        if role is None or not _fits(role, column):
            continue
        if role == "ignored":
            free.remove(column)
        elif role == "value":
            if roles.kind != "long":
                continue
            roles.values.append(column)
            free.remove(column)
        elif getattr(roles, role) is None or role == "unit":
            if getattr(roles, role) is None:
                setattr(roles, role, column)
            roles.units += [column] if role == "unit" else []
            free.remove(column)
    if roles.end is not None and roles.period is not None:
        roles.start = roles.end = None
    if roles.start is not None and roles.end is None:
        roles.start = None
    for column in codes:
        _give_code(roles, column)


def _fits(role: str, column: Column) -> bool:
    if role in ("period", "start", "end", "as_of"):
        return column.periodic > 0.8
    if role == "value":
        return column.numeric > 0.5
    if role == "unit":
        return column.units > 0.3
    if role in ("metric", "entity", "channel"):
        return column.numeric < 0.5
    return True


def _give_code(roles: Roles, column: Column) -> None:
    """A column of codes belongs to the metric where its heading says so, else to the entity."""
    is_metric = bool(
        re.search("metric|indicator|series|variable|account|指标|科目|项目", column.words)
    )
    role = "metric_code" if is_metric else "entity_code"
    if getattr(roles, role) is None:
        setattr(roles, role, column)


def _when(roles: Roles, free: list[Column]) -> None:
    """Find the period by its cells, where no heading names it."""
    if roles.period is not None or roles.end is not None:
        return
    likely = [column for column in free if column.periodic > 0.9]
    years = [column for column in likely if column.is_year or column.numeric < 0.5]
    for column in years[:1]:
        roles.period = column
        free.remove(column)
        roles.notes.append(f"column {column.heading!r} was taken for the period, by its cells")
    if roles.period is None and roles.as_of is not None:
        roles.period, roles.as_of = roles.as_of, None
    if roles.period is None:
        unread = next((repr(one.heading) for one in free if names_a_year(one.heading)), "")
        which = f" ({unread} holds a year, but not one period)" if unread else ""
        for column in [one for one in free if one.sample and all(map(names_a_year, one.sample))]:
            which = (
                f" ({column.heading!r} has {column.sample[0]!r}: a year that ends in the next one "
                "is written FY and the year of its end)"
            )
        raise InputError(
            f"No column or heading is a period{which}: write the mapping by hand, add a column of "
            "years, or name the row of the headings by --header"
        )


def _values(roles: Roles, free: list[Column]) -> None:
    """Every column of numbers that nothing else claims holds values."""
    for column in [column for column in free if column.numeric > 0.8]:
        free.remove(column)
        if roles.values and roles.metric is not None:
            roles.notes.append(f"column {column.heading!r} holds numbers and was left out")
            continue
        roles.values.append(column)
    roles.values.sort(key=lambda column: column.index)


def _who_and_what(roles: Roles, free: list[Column]) -> None:
    """Give columns of words what is still open: entity, metric, channel."""
    words = [column for column in free if column.numeric < 0.5 and column.filled]
    likely = [column for column in words if column.units > 0.9]
    for column in likely if len(roles.values) > 1 else likely[: roles.unit is None]:
        roles.unit = roles.unit or column
        roles.units.append(column)
        words.remove(column)
        roles.notes.append(f"column {column.heading!r} was taken for the unit, by its cells")
    words.sort(key=lambda column: len(column.seen), reverse=True)
    if roles.entity is None and roles.entity_code is None and words:
        roles.entity = words.pop(0)
        roles.notes.append(
            f"column {roles.entity.heading!r} was taken for the entity: it has the most names"
        )
    elif roles.entity is None and roles.entity_code is not None:
        coded = sorted(roles.entity_code.seen.values())
        for column in [one for one in words if sorted(one.seen.values()) == coded][:1]:
            roles.entity = column
            words.remove(column)
            of = roles.entity_code.heading
            roles.notes.append(f"column {column.heading!r} was taken for the names of {of!r}")
    if roles.channel is None:
        # What most rows leave empty is said of some of them, and divides nothing.
        rows = max((column.filled for column in roles.values), default=0)
        few = [
            column
            for column in words
            if 2 <= len(column.seen) <= _MOST_CHANNELS and 2 * column.filled > rows
        ]
        for column in few[-1:]:
            roles.channel = column
            words.remove(column)
            roles.notes.append(f"column {column.heading!r} was taken for the channel")
    for column in words:
        roles.notes.append(f"column {column.heading!r} was left out: nothing is read from it")
