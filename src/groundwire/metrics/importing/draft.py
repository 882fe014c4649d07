"""Drafts of a profile and a mapping for a file that nothing is known of."""

from __future__ import annotations

import codecs
import contextlib
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.importing.draft_columns import (
    Column,
    is_number,
    is_of_all,
    may_be_missing,
    ordered_grains,
    read_columns,
    readable,
)
from groundwire.metrics.importing.draft_reading import Found, find_layout, read_found
from groundwire.metrics.importing.draft_roles import Roles, guess_roles
from groundwire.metrics.importing.draft_terms import (
    KNOWN_WHOLES,
    DraftMetric,
    DraftTerm,
    channel_terms,
    gathered,
    is_across,
    kind_of,
    metric_terms,
    metrics_across,
    note_measures,
    note_unknown_units,
    pair_terms,
    with_plain_names,
    with_told_units,
)
from groundwire.metrics.importing.draft_writing import (
    Block,
    DraftParts,
    TomlValue,
    draft_sec,
    profile_toml,
    toml,
)
from groundwire.metrics.importing.flat_tables import format_of, open_table
from groundwire.metrics.importing.heading_text import period_of
from groundwire.metrics.importing.mapping import MISSING, Format, Layout, parse_mapping
from groundwire.metrics.importing.table import Table
from groundwire.metrics.profile import parse_profile
from groundwire.quantities.periods import CALENDAR_YEAR, Period, interval_period

_PERIOD_HEADINGS = (
    r"^[12][0-9]{3}年?$",
    r"^([12][0-9]{3}) \[YR[12][0-9]{3}\]$",
    r"^[12][0-9]{3}[ -]?Q[1-4]$",
    r"^Q[1-4][ -]?[12][0-9]{3}$",
    r"^[12][0-9]{3}-[01][0-9]$",
)


_PARTS = (
    "period", "quarter", "month", "start", "end", "as_of", "entity", "entity_code", "metric",
    "metric_code", "channel", "unit",
)  # fmt: skip


_Parts = tuple[dict[str, TomlValue], dict[str, TomlValue], dict[str, TomlValue]]


def _told(encoding: str, sheet: str, header: int) -> Layout:
    """Return the layout that a person told of the file.

    Raises:
        InputError: no such encoding is known, or the row is none.
    """
    if not 0 <= header <= 1000:
        raise InputError(f"the row of the headings is from 1 to 1000, not {header}")
    try:
        codecs.lookup(encoding or "utf-8")
    except LookupError:
        raise InputError(f"no encoding is called {encoding!r}: try cp1252 or utf-16") from None
    return Layout(encoding=encoding, sheet=sheet)


@dataclass(frozen=True, slots=True)
class Draft:
    """A profile and a mapping that import a file, and answer once a person has looked at them.

    Attributes:
        profile_toml: the profile.
        mapping_toml: the mapping.
        notes: guesses to look at, one line each; they stand in the profile too.
    """

    profile_toml: str
    mapping_toml: str
    notes: tuple[str, ...]


def draft(path: Path, encoding: str = "", sheet: str = "", header: int = 0) -> Draft:
    """Draft a profile and a mapping for a file of facts, or a document with a table.

    Headings in English, German and Chinese and the cells themselves say what a column is.

    Args:
        path: a CSV, XLSX, Parquet, DOCX, HTML, PDF or SEC company facts file.
        encoding: of a CSV; empty finds it.
        sheet: of an XLSX; empty takes the one with the most rows of numbers.
        header: row of the headings, counted from 1; 0 finds it.

    Raises:
        ConfigurationError: its format is not known, or a package to read it is missing.
        InputError: it cannot be read, or no column holds values beside periods.
    """
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to draft for")
    form = format_of(path, None)
    parts, blocks, notes = (
        draft_sec(path)
        if form == "sec_company_facts"
        else _draft_table(path, form, _told(encoding, sheet, header), header)
    )
    document = Block(
        "[document]",
        {},
        ("name = what answers call the file, if not by its own name.",
         "publisher = who issued the file; a later file of one publisher restates an earlier one.",
         "date = the day from which its facts were known, such as 2024-12-31."),
    )  # fmt: skip
    notes = gathered(notes)
    profile = profile_toml(parts, notes)
    described = [document, *blocks] if form != "sec_company_facts" else blocks
    mapping = toml(described, [f"How {path.name} is read: look at every column."])
    parse_profile(tomllib.loads(profile), "that was drafted")
    parse_mapping(tomllib.loads(mapping), "that was drafted")
    return Draft(profile, mapping, tuple(notes))


def _leave_out_kinds(roles: Roles, found: Found) -> None:
    """Leave out a channel that every entity has one of: it says of what sort an entity is."""
    column, of = roles.channel, found.channels_of.values()
    several = len(found.channels_of) > len(set[str]().union(*of)) > 1
    if column is None or not several or any(len(one) > 1 for one in of):
        return
    roles.channel, found.channels = None, Counter()
    taken = f"column {column.heading!r} was taken for the channel"
    roles.notes[:] = [one for one in roles.notes if one != taken]
    roles.notes.append(
        f"column {column.heading!r} has one value for each entity and was left out: for sums by "
        "it, give the profile groups with these members"
    )


def _draft_table(
    path: Path, form: Format, told: Layout | None, header: int
) -> tuple[DraftParts, list[Block], list[str]]:
    """Draft for a table of any format.

    Args:
        path: the file.
        form: its format.
        told: what a person told of it: encoding, sheet.
        header: the row of its headings, if a person told it.

    Returns:
        What the profile is made of, the tables of the mapping, and the guesses to look at.

    Raises:
        InputError: it is not a table, or holds no values beside periods.
    """
    arranged = find_layout(path, form, told or Layout(), header)
    layout = arranged.layout
    table, _ = open_table(path, form, layout)
    with contextlib.closing(table):
        columns, _ = read_columns(table)
    roles = guess_roles(columns, list(dict.fromkeys(arranged.years)))
    roles.notes[:0] = arranged.notes
    again, _ = open_table(path, form, layout)
    with contextlib.closing(again):
        _check_headings(again, roles)
        found = read_found(again, roles)
    _leave_out_kinds(roles, found)
    comma = _decimal_comma(roles, arranged.delimiter)
    fallback = arranged.title or readable(path.stem)
    across = is_across(roles, arranged.title)
    metrics, metric_by_code = (
        (metrics_across(roles, arranged.title), False)
        if across
        else metric_terms(roles, found, fallback, comma)
    )
    metrics = with_plain_names(with_told_units(metrics, arranged.units, roles.notes))
    note_unknown_units(metrics, roles.notes)
    note_measures(metrics, roles.notes)
    if across:
        found.entities = Counter(("", one.entity) for one in metrics)
    entities, entity_by_code = pair_terms(found.entities, "ENTITY", roles.notes)
    alone = not entities
    if alone:
        entities = [DraftTerm("SELF", f"{readable(path.stem)} (whole)")]
        roles.notes.append(
            "no column names an entity: all facts were taken to be of one, give it its name"
        )
    channels, wholes = channel_terms(found)
    if channels and not wholes and not KNOWN_WHOLES & {name.casefold() for name in found.channels}:
        roles.notes.append("the channels have no total: a question without a channel finds nothing")
    if found.repeated:
        roles.notes.append(
            f"{found.repeated:,} rows repeat metric, entity, channel and period of another: "
            "a column that tells them apart may have been left out"
        )
    dates = _dates(roles)
    for column in (roles.period, roles.end):
        if column is not None and not column.order[1]:
            roles.notes.append(
                f"days were taken to stand first in {column.heading!r}: 3/4 is April"
            )
    grains, fiscal, last = _periods(found, dates)
    if fiscal:
        roles.notes.append(
            "the periods are fiscal years: set fiscal_year_start of the kind where they do not "
            "begin in January"
        )
    kind, kind_label = kind_of(roles.entity or roles.entity_code)
    parts = DraftParts(
        path, kind, kind_label, tuple(entities), _once(metrics), tuple(channels), grains,
        entities[0].code if len(entities) == 1 else "", last,
        channel_label=roles.channel.heading if roles.channel is not None else "",
    )  # fmt: skip
    mapping = _mapping(roles, layout, metrics, metric_by_code, entity_by_code, comma)
    if alone:
        mapping[1]["entity"] = {"constant": "SELF"}
    blocks = _blocks(mapping, wholes, metrics, roles)
    above = {one.code: one.above for one in metrics if one.above}
    if above:
        blocks.append(Block("[units.metric]", dict(above)))
    return parts, blocks, roles.notes


def _once(metrics: list[DraftMetric]) -> tuple[DraftMetric, ...]:
    """Each metric once, though several columns may hold it."""
    named: dict[str, DraftMetric] = {}
    for metric in metrics:
        named.setdefault(metric.code, metric)
    return tuple(named.values())


def _check_headings(table: Table, roles: Roles) -> None:
    """See that every column that is used can be named by its heading.

    Raises:
        ConfigurationError: two columns have one heading.
    """
    for column in (*roles.values, *(getattr(roles, name) for name in _PARTS)):
        if column is not None and table.column(column.heading) != column.index:
            raise ConfigurationError(f"two columns are headed {column.heading!r}: rename one")


def _decimal_comma(roles: Roles, delimiter: str) -> bool:
    """Whether cells are numbers only with the comma as their decimal mark.

    Where nothing decides, a file that is delimited by semicolons is one of a country that writes
    decimal commas: a dot before three digits groups them there.
    """
    dots = sum(column.reads(False) for column in roles.values)
    commas = sum(column.reads(True) for column in roles.values)
    doubtful = [cell for column in roles.values for cell in column.sample if _is_doubtful(cell)]
    if not doubtful:
        return commas > dots
    if commas > dots:
        roles.notes.append("the comma was taken for the decimal mark: look at a few values")
        return True
    if commas == dots and delimiter == ";" and all("." in cell for cell in doubtful):
        roles.notes.append(
            f"dots were taken to group digits in every value: {doubtful[0]!r} is a thousand or more"
        )
        return True
    if commas == dots:
        roles.notes.append(
            f"commas were taken to group digits in every value, dots for decimals: {doubtful[0]!r}"
        )
    return False


def _is_doubtful(cell: str) -> bool:
    """Whether a cell is a number either way, but not the same one: 1,234."""
    return any(mark in cell for mark in ",.") and all(
        len(part) == 3 for part in cell.replace(".", ",").split(",")[1:]
    )


def _periods(found: Found, dates: str) -> tuple[tuple[str, ...], bool, str]:
    """Grains of the periods, whether any is fiscal, and the name of the last."""
    grains: Counter[str] = Counter()
    fiscal, last = False, None
    for (start, text), count in found.periods.items():
        period = period_of(text, dates)
        first = period_of(start, dates) if start else None
        if period is None or (start and first is None):
            continue
        if first is not None:
            period = _between(first.start, period.end)
        grains[period.grain] += count
        fiscal = fiscal or period.fiscal
        if last is None or (period.end, period.start) > (last.end, last.start):
            last = period
    return ordered_grains(grains) or ("year",), fiscal, last.label if last else ""


def _between(start: date, end: date) -> Period:
    return interval_period(min(start, end), end, CALENDAR_YEAR)


def _mapping(
    roles: Roles,
    layout: Layout,
    metrics: list[DraftMetric],
    metric_by_code: bool,
    entity_by_code: bool,
    comma: bool,
) -> _Parts:
    """Layout, columns and values of the mapping."""
    arranged: dict[str, TomlValue] = {
        "kind": roles.kind if roles.kind != "long" else None,
        "encoding": layout.encoding or None,
        "delimiter": layout.delimiter or None,
        "sheet": layout.sheet or None,
        "table": layout.table if layout.table > 1 else None,
        "header_row": layout.header_row if layout.header_row > 1 else None,
        "header_rows": layout.header_rows if layout.header_rows > 1 else None,
        "last_row": layout.last_row or None,
        "blank_headings": layout.blank_headings or None,
        "footnotes": layout.footnotes or None,
        "leave_out": roles.leave_out or None,
        "period_year": roles.year or None,
    }
    if layout.format is not None:
        arranged = {"format": layout.format, **arranged}
    columns: dict[str, TomlValue] = {}
    if roles.metric is not None or roles.metric_code is not None:
        columns["metric"] = _column(roles.metric_code if metric_by_code else roles.metric)
    elif roles.kind != "metric_columns":
        columns["metric"] = {"constant": metrics[0].code}
    columns["entity"] = _column(roles.entity_code if entity_by_code else roles.entity)
    if entity_by_code and roles.entity_code is None:
        columns["entity"] = _column(roles.entity)
    if roles.kind == "wide":
        arranged["period_columns"] = _period_pattern(roles.values)
    elif roles.end is not None:
        columns["start"], columns["end"] = _column(roles.start), _column(roles.end)
    elif not any(one.when for one in roles.values):
        columns["period"] = _column(roles.period)
        columns["quarter"], columns["month"] = _column(roles.quarter), _column(roles.month)
    columns["channel"] = _column(roles.channel)
    columns["unit"] = _column(roles.unit) if roles.kind != "metric_columns" else None
    columns["as_of"] = _column(roles.as_of)
    if roles.kind == "long":
        columns["value"] = _column(roles.values[0])
    one_unit = roles.kind == "long" or (roles.kind == "wide" and bool(roles.values[0].dated))
    stated = roles.values[0].unit if one_unit else None
    if stated is not None and not is_of_all(stated, [one.label for one in metrics]):
        stated = None  # the profile says it for each metric
    values: dict[str, TomlValue] = {
        "unit": stated.raw if stated is not None else None,
        "decimal_comma": True if comma else None,
        "dates": _dates(roles) if _dates(roles) != "iso" else None,
        "missing": _missing(roles),
    }
    return arranged, columns, values


def _blocks(
    mapping: _Parts, wholes: dict[str, str], metrics: list[DraftMetric], roles: Roles
) -> list[Block]:
    arranged, columns, values = mapping
    blocks = [
        Block("[layout]", arranged),
        Block("[columns]", columns),
    ]
    if any(value is not None for value in values.values()):
        blocks.append(Block("[values]", values))
    if wholes:
        blocks.append(Block("[aliases.channel]", dict(wholes)))
    if roles.kind == "metric_columns":
        blocks += [
            Block(
                "[[value_columns]]",
                {
                    "column": metric.column.heading if metric.column else "",
                    "metric": metric.code,
                    "unit": metric.stated.raw if metric.stated else None,
                    "unit_column": _unit_column(metric, roles),
                    "entity": metric.entity or None,
                    "period": metric.when or None,
                },
            )
            for metric in metrics
        ]
    return blocks


def _unit_column(metric: DraftMetric, roles: Roles) -> TomlValue:
    """The heading of the column that says the unit of a metric's values."""
    column = roles.unit_of.get(metric.column.index) if metric.column else None
    return column.heading if column is not None else None


def _column(column: Column | None) -> TomlValue:
    return {"column": column.heading} if column is not None else None


def _period_pattern(columns: list[Column]) -> str:
    """A regular expression for the headings that are periods, alone or with one unit for all."""
    if columns[0].dated is None:
        return _pattern([column.heading for column in columns])
    around = {tuple(column.heading.split(column.when, 1)) for column in columns}
    if len(around) > 1:
        raise InputError(
            "The headings of the periods name several units: keep one of them, or write the unit "
            "of each column in a mapping by hand"
        )
    before, behind = around.pop()
    return f"^{re.escape(before)}(.+){re.escape(behind)}$"


def _pattern(headings: list[str]) -> str:
    """A regular expression for the headings that are periods."""
    for pattern in _PERIOD_HEADINGS:
        if all(re.search(pattern, heading) for heading in headings):
            return pattern
    return f"^(?:{'|'.join(re.escape(heading) for heading in headings)})$"


def _dates(roles: Roles) -> str:
    """Which number of dates with the year last is the day."""
    for column in (roles.period, roles.end, roles.start, roles.as_of):
        if column is not None and column.order[0] != "iso":
            return column.order[0]
    return "iso"


def _missing(roles: Roles) -> TomlValue:
    """The markers of an empty cell, where the file has some beside the usual ones."""
    more = {
        cell
        for column in roles.values
        for cell in column.sample
        if may_be_missing(cell) and not is_number(cell)
    }
    if not more:
        return None
    roles.notes.append(f"cells with {', '.join(sorted(map(repr, more)))} were taken to be empty")
    return [*MISSING, *sorted(more)]
