"""The mapping of a file: where its metrics, entities, periods and values stand.

One TOML file beside the data, validated when it is read. Codes that it names are checked against
the profile when a file is imported.
"""

from __future__ import annotations

import codecs
import datetime
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from groundwire.config import read_toml, validated
from groundwire.metrics.importing.cells import read_scale

Format = Literal["csv", "xlsx", "parquet", "sec_company_facts", "docx", "html", "pdf"]
LayoutKind = Literal["long", "wide", "metric_columns"]
OnUnknown = Literal["bad", "skip"]

MISSING = ("", "NA", "N/A", "n/a", "-", "–", "—", "..", "...", "null", "NULL", "None")


def _is_scale(text: str) -> str:
    if text and read_scale(text) is None:
        raise ValueError('a scale is a word such as "thousand", "million", "万" or "亿"')
    return text


def _is_encoding(text: str) -> str:
    if text:
        try:
            codecs.lookup(text)
        except LookupError as error:
            raise ValueError('no such encoding; write "utf-8", "gb18030" or "cp1252"') from error
    return text


def _is_pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error
    return text


Scale = Annotated[str, AfterValidator(_is_scale)]
Encoding = Annotated[str, AfterValidator(_is_encoding)]
Pattern = Annotated[str, Field(max_length=50_000), AfterValidator(_is_pattern)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class DocumentPart(_Part):
    """Name, publisher and date of the file: `[document]`.

    Attributes:
        name: what answers call it; empty takes the file's name.
        publisher: who issued it; a later document of one publisher restates an earlier one.
            Empty takes the document's name.
        date: the day from which its facts were known; without one, the day of the import.
    """

    name: str = ""
    publisher: str = ""
    date: datetime.date | None = None


class Layout(_Part):
    """How the file is laid out: `[layout]`.

    Attributes:
        format: empty takes it from the file's suffix.
        kind: `long` has one value in a row, `wide` a column for each period, `metric_columns` a
            column for each metric.
        delimiter: of a CSV; empty finds it in the header row.
        encoding: of a CSV; empty finds it.
        sheet: of an XLSX; empty takes the first.
        table: of a DOCX, HTML or PDF: which of its tables, counted from 1.
        header_row: row of the headings, counted from 1.
        header_rows: how many rows the headings take; those of one column are joined by " | ", and
            a heading stands over the empty ones to its right.
        last_row: the last row that is read; 0 reads to the end.
        period_year: `wide`: the year of headings that are months or quarters alone.
        leave_out: a regular expression; rows whose entity, or else metric, matches the whole of
            it are left out and counted, such as totals; so are those that have such a word in the
            place of the period.
        blank_headings: whether a column without a heading is called "column 1" by its number.
        repeated_headings: whether rows that repeat the headings are left out.
        footnotes: whether signs of footnotes behind names and numbers are cut off: 800*, Chile (1).
        period_columns: `wide`: a regular expression for the headings that are periods; its first
            group, where it has one, is the period.
    """

    format: Format | None = None
    kind: LayoutKind = "long"
    delimiter: Literal["", ",", ";", "\t", "|"] = ""
    encoding: Encoding = ""
    sheet: str = ""
    table: Annotated[int, Field(ge=1, le=10_000)] = 1
    header_row: Annotated[int, Field(ge=1, le=1000)] = 1
    header_rows: Annotated[int, Field(ge=1, le=5)] = 1
    last_row: Annotated[int, Field(ge=0)] = 0
    period_year: Annotated[str, Field(pattern=r"^([12][0-9]{3})?$")] = ""
    leave_out: Pattern = ""
    footnotes: bool = False
    blank_headings: bool = False
    repeated_headings: bool = False
    period_columns: Pattern = ""

    @property
    def is_arranged(self) -> bool:
        """Whether the rows of the file are put in order before they are read."""
        marks = self.footnotes or self.blank_headings or self.repeated_headings
        return self.header_rows > 1 or self.last_row > 0 or marks


class Origin(_Part):
    """Where a part of a fact is from: `{ column = "Heading" }` or `{ constant = "CODE" }`."""

    column: str | None = None
    constant: str | None = None

    @model_validator(mode="after")
    def _one(self) -> Origin:
        if (self.column is None) == (self.constant is None):
            raise ValueError('write either { column = "Heading" } or { constant = "CODE" }')
        return self


class Columns(_Part):
    """Where each part of a fact is from: `[columns]`.

    Attributes:
        metric, entity, channel: terms, resolved by the profile; no channel is the total.
        period: a period as people write it.
        quarter, month: what part of it, where a table has the year in one column and the quarter
            (1, Q1, 第一季度) or the month (3, March, 3月) in another.
        start, end: its days instead; an end alone is a value at a day.
        value: the value (`long`).
        unit: the unit, scale words among it.
        as_of: the day from which the fact was known.
    """

    metric: Origin | None = None
    entity: Origin | None = None
    channel: Origin | None = None
    period: Origin | None = None
    quarter: Origin | None = None
    month: Origin | None = None
    start: Origin | None = None
    end: Origin | None = None
    value: Origin | None = None
    unit: Origin | None = None
    as_of: Origin | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Columns:
        if self.period is not None and (self.start is not None or self.end is not None):
            raise ValueError("a period and its days exclude each other: keep period, or end")
        parts = [part for part in (self.quarter, self.month) if part is not None]
        if len(parts) > 1 or (parts and self.period is None):
            raise ValueError("quarter or month, one of them, is a part of period")
        if self.start is not None and self.end is None:
            raise ValueError("start needs end")
        if self.value is not None and self.value.column is None:
            raise ValueError("value is a column, no constant")
        return self


class ValueColumn(_Part):
    """One column of values of a metric: `[[value_columns]]`.

    Attributes:
        column: its heading.
        metric: the metric.
        channel: the channel; empty takes that of `[columns]`, or the total.
        unit: unit of its values; empty takes that of `[columns]` or `[values]`.
        unit_column: heading of the column that says the unit of its values, row by row.
        scale: scale word that applies to all of it; empty takes that of `[values]`.
        entity: the entity of its values, where each column has its own; empty takes that of
            `[columns]`.
        period: the period of its values, where each column has its own; empty takes that of
            `[columns]`.
    """

    column: str
    metric: str
    channel: str = ""
    unit: str = ""
    unit_column: str = ""
    scale: Scale = ""
    entity: str = ""
    period: str = ""


class Values(_Part):
    """How values are written: `[values]`.

    Attributes:
        scale: a scale word that applies to all.
        unit: unit of all.
        missing: cells that hold no value.
        decimal_comma: whether the comma is the decimal mark.
        dates: which number of 3/4/2024 is the day; `iso` refuses such dates.
        percent: `as_written` reads 12 as 12 %; `fraction` reads 0.12 as 12 % where the metric's
            unit is % and the cell has no sign of its own.
    """

    scale: Scale = ""
    unit: str = ""
    missing: tuple[str, ...] = MISSING
    decimal_comma: bool = False
    dates: Literal["iso", "day_first", "month_first"] = "iso"
    percent: Literal["as_written", "fraction"] = "as_written"


class Aliases(_Part):
    """Terms of this file alone, with the codes they stand for: `[aliases.metric]` and so on."""

    metric: dict[str, str] = {}
    entity: dict[str, str] = {}
    channel: dict[str, str] = {}


class Units(_Part):
    """Units that the table itself says elsewhere, such as above it: `[units]`.

    Attributes:
        metric: unit texts by the code of the metric ("EUR million"); what a row, a cell or a
            column says of its own unit must agree.
    """

    metric: dict[str, str] = {}


class Unknown(_Part):
    """The treatment of rows whose metric or entity the profile does not know: `[unknown]`.

    Attributes:
        metric: `bad` refuses them; `skip` leaves them out and counts them. SEC company facts
            hold hundreds of concepts, so that for them the default is `skip`.
        entity: the same of entities.
    """

    metric: OnUnknown | None = None
    entity: OnUnknown = "bad"


class Mapping(_Part):
    """A whole mapping; see the attributes of its parts."""

    document: DocumentPart = DocumentPart()
    layout: Layout = Layout()
    columns: Columns = Columns()
    value_columns: tuple[ValueColumn, ...] = ()
    values: Values = Values()
    aliases: Aliases = Aliases()
    units: Units = Units()
    unknown: Unknown = Unknown()

    @model_validator(mode="after")
    def _complete(self) -> Mapping:
        if self.layout.format == "sec_company_facts":
            return self
        for problem in self._problems():
            raise ValueError(problem)
        return self

    def _problems(self) -> list[str]:
        """Return the parts that the layout lacks, or has and cannot use."""
        columns, kind = self.columns, self.layout.kind
        wants = ["entity"] if kind == "metric_columns" else ["metric", "entity"]
        wants += ["value"] if kind == "long" else []
        own_entities = [one.entity for one in self.value_columns]
        wants = [name for name in wants if name != "entity" or not any(own_entities)]
        problems = [
            f'columns.{name} is missing: write {name} = {{ column = "Heading" }}'
            for name in wants
            if getattr(columns, name) is None
        ]
        if any(own_entities) and (columns.entity is not None or not all(own_entities)):
            problems.append("entity stands with each of [[value_columns]], or in [columns]")
        has_period = columns.period is not None or columns.end is not None
        own_periods = [one.period for one in self.value_columns]
        if any(own_periods) and (has_period or not all(own_periods)):
            problems.append("period stands with each of [[value_columns]], or in [columns]")
        has_period = has_period or any(own_periods)
        if kind == "wide" and (has_period or not self.layout.period_columns):
            problems.append("a wide layout has its periods in layout.period_columns alone")
        if kind != "wide" and not has_period:
            problems.append("columns.period (or start and end) is missing")
        if kind != "wide" and self.layout.period_columns:
            problems.append('layout.period_columns needs layout.kind = "wide"')
        if (kind == "metric_columns") != bool(self.value_columns):
            problems.append('[[value_columns]] and layout.kind = "metric_columns" go together')
        if kind == "metric_columns" and (columns.metric or columns.value):
            problems.append("[[value_columns]] name the metrics: drop columns.metric and value")
        if kind == "wide" and columns.value is not None:
            problems.append("a wide layout has no columns.value")
        return problems


def load_mapping(path: Path) -> Mapping:
    """Read and validate a mapping.

    Raises:
        ConfigurationError: it cannot be read, is not TOML, or contradicts itself; the message
            names the file and the place.
    """
    remedy = "name a TOML file, or draft one by `groundwire metrics init`"
    return parse_mapping(read_toml(path, "mapping", remedy), str(path))


def parse_mapping(tree: dict[str, Any], where: str) -> Mapping:
    """Validate a mapping that was read from `where`.

    Raises:
        ConfigurationError: it contradicts itself; the message names the place.
    """
    return validated(Mapping, tree, where, "mapping")
