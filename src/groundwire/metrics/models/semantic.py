"""A semantic model, whatever file it was read from: datasets, how they join, and metrics.

Expressions are SQL as the file writes them, by dialect; they are parsed, checked against the list
of what is allowed, and qualified before anything runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Expressions = Mapping[str, str]
"""SQL by dialect, in the names of sqlglot; "" is the dialect that all engines are expected to read
(ANSI)."""


@dataclass(frozen=True, slots=True)
class ModelField:
    """A column, or an expression over the columns of one row of its dataset.

    Attributes:
        name: unique within the dataset.
        expression: SQL over the columns of the dataset's table.
        label: its name for people.
        description: what it says, or "".
        synonyms: other names, in any language.
        datatype: "string", "integer", "decimal", "float", "boolean", "date", "timestamp" or "".
        is_dimension: whether tables may be broken down and filtered by it.
        is_time: whether it is a time that grains apply to.
        grain: the finest grain of a time, or "".
        time_zone: IANA name of the zone in which a timestamp's days are counted, or "".
        level: sensitivity level; one that is withheld is never read.
    """

    name: str
    expression: Expressions
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    datatype: str = ""
    is_dimension: bool = True
    is_time: bool = False
    grain: str = ""
    time_zone: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table, a view, or a file of the warehouse.

    Attributes:
        name: unique within the model.
        source: its qualified name in the engine: `catalog.schema.table`.
        fields: its fields by name.
        primary_key: names of columns that identify a row, or empty where none is told.
        unique_keys: further sets of columns that identify a row.
        time_field: name of the field by which its rows are placed in time, or "".
        label: its name for people.
        description: what it says, or "".
        synonyms: other names, in any language.
        row_filter: SQL that every row read must meet, such as the rows of an open level, or "".
    """

    name: str
    source: str
    fields: Mapping[str, ModelField]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    time_field: str = ""
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    row_filter: str = ""


@dataclass(frozen=True, slots=True)
class Relationship:
    """Many rows of one dataset belong to one row of another.

    Attributes:
        name: unique within the model.
        many: name of the dataset whose rows hold the reference.
        one: name of the dataset that is referred to.
        many_columns: columns of `many`.
        one_columns: columns of `one`, in the same order.
        label: role of `one` here ("ship date"), or "".
    """

    name: str
    many: str
    one: str
    many_columns: tuple[str, ...]
    one_columns: tuple[str, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class MetricInput:
    """A metric that another is computed from.

    Attributes:
        name: name of the metric.
        alias: what the expression calls it; "" takes its name.
        filter: SQL that rows must meet besides, or "".
        offset: how far back in time it is read, as a number of grains: (1, "month"); or None.
    """

    name: str
    alias: str = ""
    filter: str = ""
    offset: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class ModelMetric:
    """A metric of a model.

    Attributes:
        name: unique within the model.
        kind: "simple" aggregates fields, "ratio" and "derived" compute with other metrics,
            "cumulative" adds up over a window of time.
        expression: SQL with aggregates over `dataset.field` of a simple metric; arithmetic over
            the names of `inputs` of a derived one; empty else.
        inputs: what a ratio (numerator, denominator), a derived or a cumulative metric is made of.
        filter: SQL over `dataset.field` that rows must meet, or "".
        dataset: the dataset that is aggregated, where the file says it; else "".
        window: of a cumulative metric: (7, "day"); None: from the beginning, or `grain_to_date`.
        grain_to_date: of a cumulative metric: "month" adds up since the first of the month; or "".
        semi_additive: field over which values must not be added, and which is taken instead:
            ("balances.day", "last"); or None.
        time_field: `dataset.field` by which it is placed in time; "" takes the dataset's.
        unit: unit of its values, or "".
        label: its name for people.
        description: what it counts, or "".
        synonyms: other names, in any language.
        level: sensitivity level; one that is withheld is not offered.
        labels: the names to use in other languages, by language.
        verbs: words that questions ask for it by, and that no statement calls it: "sell the".
    """

    name: str
    kind: Literal["simple", "ratio", "derived", "cumulative"]
    expression: Expressions = field(default_factory=dict[str, str])
    inputs: tuple[MetricInput, ...] = ()
    filter: str = ""
    dataset: str = ""
    window: tuple[int, str] | None = None
    grain_to_date: str = ""
    semi_additive: tuple[str, Literal["first", "last"]] | None = None
    time_field: str = ""
    unit: str = ""
    label: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    level: str = ""
    labels: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of a model.

    Attributes:
        place: where in the file: "metrics.revenue.expression".
        text: what is wrong and what to do, one line.
        is_error: whether what stands there cannot be used; else it is doubtful only.
    """

    place: str
    text: str
    is_error: bool = True


@dataclass(frozen=True, slots=True)
class SemanticModel:
    """A model that was read; what `problems` calls an error is not among its parts.

    Attributes:
        name: its name.
        datasets: by name.
        relationships: in the file's order.
        metrics: by name.
        description: what it is about, or "".
        week_start: first day of the week, 0 for Monday.
        fiscal_year_start: month and day, "MM-DD".
        problems: what was found wrong while it was read.
        source: the file that it was read from.
    """

    name: str
    datasets: Mapping[str, Dataset]
    relationships: tuple[Relationship, ...]
    metrics: Mapping[str, ModelMetric]
    description: str = ""
    week_start: int = 0
    fiscal_year_start: str = "01-01"
    problems: tuple[Problem, ...] = ()
    source: str = ""
