"""A table query that was understood, and the rows that answer it: controlled terms only.

Whatever a caller sends is read into a `TableQuery` first; stores of facts and warehouses answer
the same query in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, Literal, NamedTuple, Protocol

from groundwire.errors import InputError
from groundwire.quantities import Period, PeriodGrain

Key = str | Decimal | date | datetime | bool | None
"""A value of a dimension as it is stored; None is a group without one."""


Compare = Literal["", "previous_period", "previous_year"]


@dataclass(frozen=True, slots=True)
class TableArguments:
    """The arguments of a table query, as they came.

    Attributes:
        metrics, by: raw terms.
        where: raw condition by raw name of a dimension.
        period, grain, as_of: raw texts; "" where they were not sent.
        order_by: raw columns, each with its direction.
        limit: most rows.
        compare: what values are compared with.
        chart: how the rows are to be drawn; "" not at all.
        dry_run: whether only what would run is asked for.
        offset: rows that earlier pages had.
        rolling_average: how many periods each value is the average over; "" for values themselves.
    """

    metrics: Sequence[str]
    by: Sequence[str] = ()
    where: Mapping[str, Any] | None = None
    period: str = ""
    grain: str = ""
    order_by: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] = ""
    limit: int = 100
    compare: Compare = ""
    as_of: str = ""
    chart: Literal["", "line", "bar"] = ""
    dry_run: bool = False
    offset: int = 0
    rolling_average: str = ""


class Days(NamedTuple):
    """A named period of an entity with its days."""

    entity: str
    label: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension by which tables are broken down and filtered.

    Attributes:
        code: controlled code: "entity", "channel" and "period" of facts, "store.state" of a model.
        label: its name for people.
        kind: a category has listed values, a time has grains, a number has ranges only.
        aliases: other names, in any language.
        definition: what it says, in one sentence, or "".
    """

    code: str
    label: str
    kind: Literal["category", "time", "number"] = "category"
    aliases: tuple[str, ...] = ()
    definition: str = ""


@dataclass(frozen=True, slots=True)
class TableMetric:
    """A metric as tables see it.

    Attributes:
        code: controlled code.
        label: its name for people.
        unit: unit of its values, or "" where none is known.
        dimensions: codes of what it can be broken down and filtered by.
        grains: grains of time that it can be told in, the usual one first; empty: no time at all.
        aliases: other names, in any language.
        definition: what it counts, in one sentence, or "".
        adds_up: whether values of parts that are apart make that of the whole: "always", "at_once"
            for one that does so at one time and not over time (what is added up to a day), "" for
            one that does not or is not known to (an average, a distinct count, a stock).
        labels: the names to use in other languages, by language.
        base: code of the metric that it is computed of, where it is an average of one; else "".
        verbs: words that questions ask for it by, and that no statement calls it: "sell the".
    """

    code: str
    label: str
    unit: str
    dimensions: tuple[str, ...]
    grains: tuple[PeriodGrain, ...]
    aliases: tuple[str, ...] = ()
    definition: str = ""
    adds_up: Literal["always", "at_once", ""] = ""
    labels: Mapping[Any, str] = field(default_factory=dict[Any, str], hash=False)
    base: str = ""
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on a dimension; all conditions of a query hold together.

    Attributes:
        dimension: code of the dimension.
        op: "in" and "not_in" take stored values; "range" takes bounds.
        values: stored values, exactly as they are stored.
        low: least value, or None.
        high: greatest value, or None.
        low_included: whether `low` itself is meant.
        high_included: whether `high` itself is meant.
    """

    dimension: str
    op: Literal["in", "not_in", "range"]
    values: tuple[Key, ...] = ()
    low: Key = None
    high: Key = None
    low_included: bool = True
    high_included: bool = True


@dataclass(frozen=True, slots=True)
class Order:
    """The order of rows: the code of a metric or dimension of the query, or "period".

    With `compare` also CODE.change and CODE.percent_change of a metric.
    """

    by: str
    descending: bool


def order_of(query: TableQuery, by: str) -> tuple[str, str]:
    """Return the metric and the change of it that an order is by: ("GDP", "percent_change").

    Of an order by the value itself the second is "value"; by a key both are "".
    """
    if by in query.metrics:
        return by, "value"
    head, _, last = by.rpartition(".")
    if by not in query.by and head in query.metrics and last in CHANGES:
        return head, last
    return "", ""


CHANGES = ("change", "percent_change")
"""What a value changed by, as columns and orders are called: CODE.change."""


@dataclass(frozen=True, slots=True)
class TableQuery:
    """A query in controlled terms.

    Attributes:
        metrics: codes, one column of values for each.
        by: codes of dimensions, one column of keys for each; "period" stands for time at `grain`.
        conditions: all of them hold.
        periods: days that are asked about, or empty for all that there is.
        grain: the grain of "period" among `by`, or None.
        compare: beside each value that of the period before, or of the same period a year before,
            with the change and the percent change.
        order: what rows are sorted by; ties and what is left are sorted by the keys.
        limit: most rows.
        offset: rows to leave out first.
        as_of: what was known on that day, or None for what is known now.
        having: conditions on values of the metrics, by code, of op "range": rows that do not meet
            them are left out. Who cannot filter by values raises AmbiguousQueryError.
    """

    metrics: tuple[str, ...]
    by: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    periods: tuple[Period, ...] = ()
    grain: PeriodGrain | None = None
    compare: Literal["", "previous_period", "previous_year"] = ""
    order: tuple[Order, ...] = ()
    limit: int = 50
    offset: int = 0
    as_of: date | None = None
    having: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The value of another source for a value of a row.

    Attributes:
        place: position of the value in the row.
        value: what the other source says.
        source: that source, with the place in it.
    """

    place: int
    value: Decimal
    source: str


class TableRow(NamedTuple):
    """One row; a tuple, since a page has hundreds.

    Attributes:
        keys: one for each of the query's `by`, in its order; a period is its first day.
        values: one for each of the query's metrics, exact; None: there is none, which is not 0.
        before: with `compare` the values that are compared with; else empty.
        sources: documents, or tables, that the values are from.
        labels: what the keys are called, one for each; empty: each is called as it is stored.
        period: the period that the values are of, where it is known.
        period_before: the period that the values of `before` are of, where it is known.
        lineage: for each value where it is from, with the place in it; empty where not known.
        differing: what other sources say instead.
        added: how many stored values each value is the sum of, at most; 1 where it is one itself.
    """

    keys: tuple[Key, ...]
    values: tuple[Decimal | None, ...]
    before: tuple[Decimal | None, ...] = ()
    sources: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    period: Period | None = None
    period_before: Period | None = None
    lineage: tuple[str, ...] = ()
    differing: tuple[Difference, ...] = ()
    added: int = 1


@dataclass(frozen=True, slots=True)
class TableRows:
    """The answer of a store.

    Attributes:
        rows: in the query's order, from its offset, at most its limit.
        total_rows: how many there are without limit and offset; None: not counted.
        is_complete: whether nothing but the limit left rows out.
        statement: the SQL that ran, or "" where none did.
        left_out: what was left out and why, one sentence each.
        notes: how the answer came about and how exact it is, one sentence each.
        lacking: codes of entities that were asked for and have no value.
        days: the days of the values, where the years of the entities begin on different days.
    """

    rows: tuple[TableRow, ...]
    total_rows: int | None
    is_complete: bool = True
    statement: str = ""
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    days: tuple[Days, ...] = ()


@dataclass(frozen=True, slots=True)
class ResolvedValue:
    """The stored value of a raw value of a condition.

    Attributes:
        how: only exact, folded and alias may be applied.
        value: the stored value; None unless one was found.
        candidates: stored values that may have been meant, the likeliest first.
    """

    how: Literal["exact", "folded", "alias", "ambiguous", "unknown"]
    value: Key = None
    candidates: tuple[Key, ...] = ()


class AmbiguousQueryError(InputError):
    """A query can be read in several ways: the message asks which one is meant.

    Attributes:
        param: the argument in doubt.
        raw: what stood there.
        candidates: what can be sent instead, each with a label.
    """

    def __init__(
        self, message: str, param: str, raw: str, candidates: Sequence[tuple[str, str]]
    ) -> None:
        """Ask which one is meant."""
        super().__init__(message)
        self.param = param
        self.raw = raw
        self.candidates = tuple(candidates)


class TableStore(Protocol):
    """A store that answers table queries: the facts of a profile, or a warehouse."""

    def metrics(self) -> Sequence[TableMetric]:
        """All metrics."""
        ...

    def dimensions(self) -> Sequence[Dimension]:
        """All dimensions."""
        ...

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        """The stored value that a text names.

        Raises:
            UnavailableError: the store cannot be asked.
        """
        ...

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """Stored values of a dimension, sorted, and whether they are all.

        Args:
            dimension: its code.
            metric: code of a metric that has them, or "" for any.
            most: most values.

        Raises:
            UnavailableError: the store cannot be asked.
        """
        ...

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        """Answer a query; a dry run only says what it would run.

        Raises:
            AmbiguousQueryError: the query can be read in several ways, such as two join paths.
            UnavailableError: the store cannot be asked, or not in time.
        """
        ...


ENTITY = "entity"
CHANNEL = "channel"
PERIOD = "period"
GROUP = "group"
GEOGRAPHY = "geography"
KIND = "kind"
OF_ENTITIES = (ENTITY, GROUP, GEOGRAPHY, KIND)
"""Dimensions that say something of the entity of a fact."""

Keyed = tuple[str, Key]
"""A dimension and its key."""


class Places:
    """Where the keys of a row say what its values are of."""

    def __init__(self, by: Sequence[str], store: str) -> None:
        self._codes = [(place, code) for place, code in enumerate(by) if code != PERIOD]
        of_entities = [place for place, code in self._codes if code in OF_ENTITIES]
        if not of_entities and store != "facts":
            of_entities = [place for place, _ in self._codes]
        self._main = of_entities[0] if of_entities else None

    @property
    def has_main(self) -> bool:
        """Whether a key of each row says what its values are of."""
        return self._main is not None

    def keyed(self, keys: Sequence[Key]) -> tuple[Keyed, ...]:
        """Return the keys of a row but its period, each with its dimension."""
        return tuple([(code, keys[at]) for at, code in self._codes])

    def split(self, keyed: Sequence[Keyed]) -> tuple[Keyed | None, list[Keyed]]:
        """Return what the values of a row are of, and its other keys."""
        main, rest = None, list[Keyed]()
        for (place, _), one in zip(self._codes, keyed, strict=True):
            if place == self._main:
                main = one
            else:
                rest.append(one)
        return main, rest

    def without(self, code: str) -> bool:
        """Whether no key beside the one that the values are of is of a dimension."""
        return all(one != code or at == self._main for at, one in self._codes)


POINTS = "percentage points"
_QUOTIENT = Context(prec=28)
_EXACT = Context(prec=400)
_ROUND = Context(prec=60)
_HUNDRED = Decimal(100)
_PLACES = Decimal("0.000001")


def changes(value: Decimal | None, before: Decimal | None) -> tuple[Decimal | None, Decimal | None]:
    """Return the exact change, and the percent change to six places.

    A missing value has neither; a value of zero or less has no percent change from it.
    """
    if value is None or before is None:
        return None, None
    change = _EXACT.subtract(value, before)
    if before <= 0:
        return change, None
    percent = _QUOTIENT.multiply(_QUOTIENT.divide(change, before), _HUNDRED)
    return change, percent.quantize(_PLACES, ROUND_HALF_EVEN, _ROUND).normalize()
