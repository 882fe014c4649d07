"""A fact with its lineage, what a store of facts can be asked, and what an import hands to it.

The identity of a fact is metric, entity, channel, the real interval of days, the day from which it
was known, and the document: a restatement is another fact, never an edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import TracebackType
from typing import Literal, NamedTuple, Protocol, Self


class Lineage(NamedTuple):
    """Where a fact is from.

    Attributes:
        doc: name of the document.
        locator: place in it ("row 12, column Value", "sheet Q3, cell C12", a JSON path).
        doc_hash: SHA-256 of the document, hexadecimal.
        publisher: who issued it; a later document of one publisher restates an earlier one, while
            two publishers may disagree.
        raw: the cell as it was written, where that is not `value`.
    """

    doc: str
    locator: str
    doc_hash: str
    publisher: str
    raw: str


class Fact(NamedTuple):
    """One fact; a tuple, since a table may be made of a hundred thousand.

    Attributes:
        metric, entity, channel: controlled codes.
        start, end: first and last day that it covers; equal for a value at a day.
        as_of: the day from which it was known.
        value: exact decimal, in `unit`, with the digits of its source.
        unit: canonical unit symbol, or "" for a bare number.
        source: where it is from.
    """

    metric: str
    entity: str
    channel: str
    start: date
    end: date
    as_of: date
    value: Decimal
    unit: str
    source: Lineage


class Interval(NamedTuple):
    """First and last day of what a fact covers."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Slice:
    """Which facts of a metric a table needs.

    Attributes:
        metric: controlled code.
        entities: controlled codes; empty means all.
        channels: controlled codes.
        first, last: facts that begin and end between these days.
        shortest, longest: how many days lie between their first and their last day.
        days: whether values at a day are needed too, as those of a stock.
        as_of: the day whose knowledge is asked for; None for now.
        intervals: the only intervals that are needed; empty means all between these days.
    """

    metric: str
    entities: tuple[str, ...]
    channels: tuple[str, ...]
    first: date
    last: date
    shortest: int
    longest: int
    days: bool = False
    as_of: date | None = None
    intervals: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """How a store holds a metric, read once after each change of the store.

    Attributes:
        entities: codes of the entities that have facts of it.
        channels: codes of the channels that have facts of it.
        intervals: every interval that any of them has a fact for, latest end first.
        unit: the unit of all its facts; None where they have several.
        lowest, highest: least and greatest exponent of its values.
        is_sortable: whether its values, brought to `lowest`, are integers of 64 bits.
        is_single: whether no fact of it has a second version or a second source.
        is_addable: whether any of its values add up to an integer of 64 bits too.
    """

    entities: frozenset[str]
    channels: frozenset[str]
    intervals: tuple[Interval, ...]
    unit: str | None
    lowest: int
    highest: int
    is_sortable: bool
    is_single: bool
    is_addable: bool


SortColumn = Literal["value", "entity", "channel", "start"]


@dataclass(frozen=True, slots=True)
class FactPage:
    """A page of facts of one metric, which the store itself filters, sorts and cuts.

    Attributes:
        metric: controlled code.
        entities: controlled codes; empty means all.
        channels: controlled codes.
        intervals: the intervals that are meant, at least one.
        order: what facts are sorted by; together the columns tell every two facts apart.
        least, most: bounds of the value, both included, or None.
        limit: most facts.
        offset: facts to leave out first.
        as_of: the day whose knowledge is asked for; None for now.
    """

    metric: str
    entities: tuple[str, ...]
    channels: tuple[str, ...]
    intervals: tuple[Interval, ...]
    order: tuple[tuple[SortColumn, bool], ...] = ()
    least: Decimal | None = None
    most: Decimal | None = None
    limit: int = 1
    offset: int = 0
    as_of: date | None = None


class PageOfFacts(NamedTuple):
    """The answer of a store to a `FactPage`.

    Attributes:
        facts: each as `FactStore.lookup` answers it, in order.
        total: how many there are without limit and offset.
    """

    facts: list[Sequence[Fact]]
    total: int


class FactTotal(NamedTuple):
    """The sum of the facts of one group.

    Attributes:
        keys: what the group is of, by the columns that were asked for; of `start` an interval.
        value: the exact sum.
        facts: how many facts were added.
        docs: names of their documents, in the order of their registration.
    """

    keys: tuple[str | Interval, ...]
    value: Decimal
    facts: int
    docs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The facts that are held of one metric, as a whole.

    Attributes:
        entities: codes of the entities that have facts of it.
        channels: codes of the channels that have facts of it.
        facts: how many facts there are.
        first: first day that any of them covers.
        last: last day that any of them covers.
    """

    entities: tuple[str, ...]
    channels: tuple[str, ...]
    facts: int
    first: date
    last: date


class Restated(NamedTuple):
    """A version of a fact that its publisher stated otherwise later; `as_of` is its own day."""

    metric: str
    entity: str
    channel: str
    start: date
    end: date
    as_of: date


class FactStore(Protocol):
    """The reading side of a fact store; small, so that another engine can follow SQLite."""

    def lookup(
        self,
        metric: str,
        entity: str,
        channel: str,
        start: date,
        end: date,
        as_of: date | None = None,
    ) -> Sequence[Fact]:
        """The fact that answers, then those of other sources whose value differs.

        Of each publisher only what it said last counts, as known on `as_of` (None: now).
        """
        ...

    def intervals(
        self, metric: str, entity: str, channel: str, as_of: date | None = None
    ) -> Sequence[Interval]:
        """Every interval that has a fact, latest end first, then the longest."""
        ...

    def coverage(self, metric: str) -> Coverage | None:
        """Return which facts are held of a metric, or None."""
        ...

    def slice(self, asked: Slice) -> Sequence[Sequence[Fact]]:
        """Every fact of a slice, as `lookup` answers each: those of other sources behind it."""
        ...

    def holding(self, metric: str) -> Holding | None:
        """How facts of a metric are held; None where none are, or where they are computed."""
        ...

    def page(self, asked: FactPage) -> PageOfFacts:
        """A page of the facts of a metric that has a holding whose values are sortable."""
        ...

    def totals(self, asked: FactPage, by: Sequence[SortColumn]) -> Sequence[FactTotal]:
        """The sums of the facts of a page by some columns; order, bounds and limit do not count.

        The metric has a holding that is addable and single.
        """
        ...

    def holds(self, asked: FactPage) -> bool:
        """Whether any fact of a page is held, whatever its value."""
        ...

    def held_entities(self, asked: FactPage) -> frozenset[str]:
        """Codes of the entities that have a fact of a page, whatever its value; unsorted."""
        ...

    def periods(self, metric: str) -> Sequence[Interval]:
        """Every interval for which any entity has a fact of a metric, in any channel."""
        ...

    def entities(self, metric: str, start: date, end: date) -> Sequence[str]:
        """Codes of the entities that have a fact of a metric for an interval, in any channel."""
        ...

    def channels(self, metric: str, entity: str) -> Sequence[str]:
        """Codes of the channels that have facts of a metric and entity."""
        ...

    def first_known(
        self, metric: str, entity: str, channel: str, start: date, end: date
    ) -> date | None:
        """The first day on which any fact of this interval was known, or None."""
        ...

    def close(self) -> None:
        """Give back what the store holds open."""
        ...


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that facts are from.

    Attributes:
        name: what answers call it.
        sha256: its hash, hexadecimal; of a filing inside a file, the file's.
        publisher: who issued it.
        dated: its own date (a filing's is the day it was filed), or None.
    """

    name: str
    sha256: str
    publisher: str
    dated: date | None


class FactRow(NamedTuple):
    """One fact on its way into the store, in the store's own terms.

    Attributes:
        metric, entity, channel: controlled codes.
        start, end, as_of: days, as `date.toordinal` counts them.
        mantissa, exponent: the value is mantissa * 10 ** exponent, with the source's digits.
        unit: canonical unit symbol, or "".
        document: what `FactWriter.document` returned.
        place: the part of the locator that many rows share, with `{}` where the number belongs
            ("row {}, column Value", "sheet Q3, cell C{}").
        number: the number.
        raw: the cell as it was written where it is not the value's plain text, else None.
    """

    metric: str
    entity: str
    channel: str
    start: int
    end: int
    as_of: int
    mantissa: int
    exponent: int
    unit: str
    document: int
    place: str
    number: int
    raw: str | None


class FactWriter(Protocol):
    """One import: all of it is kept when the block ends, or nothing if it ends by an error."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def document(self, document: SourceDocument) -> int:
        """Register a document; the same name and hash again is the same number."""
        ...

    def add(self, rows: Iterable[FactRow]) -> int:
        """Take rows in; how many were new. A row that is there already with all its parts is not.

        Raises:
            InputError: a unit differs from what the same metric, entity and channel have, or one
                document says two values for one fact; the message names the place of the row.
        """
        ...
