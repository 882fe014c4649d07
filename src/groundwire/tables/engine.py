"""The interface of every SQL engine, and what those behind it share: tables, values, deadlines."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Protocol, TypeVar, cast

from groundwire.errors import DeadlineError
from groundwire.tables.bounds import MAX_BLOB, blob

Value = str | int | float | Decimal | bool | date | datetime | time | None
"""A value as the engine holds it: a decimal stays exact, only a binary float is a float."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table or of a result.

    Attributes:
        name: its name.
        type: its type as the engine writes it.
        nullable: whether it may be empty; None where that is not known.
        comment: what the database says of it, or "".
    """

    name: str
    type: str
    nullable: bool | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns that refer to a row of another table, given by its qualified name."""

    columns: tuple[str, ...]
    table: str
    to_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view.

    Attributes:
        name: its qualified name, as queries write it.
        columns: its columns in their order.
        primary_key: names of columns, or empty.
        unique_keys: further sets of columns that identify a row.
        foreign_keys: what it refers to.
        comment: what the database says of it, or "".
        rows: about how many rows it has; None where that is not known.
    """

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    comment: str = ""
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one query.

    Attributes:
        seconds: until it is cancelled.
        rows: most rows; more are left out, which the result says.
        characters: most characters of all values as text; more are left out likewise.
    """

    seconds: float = 20.0
    rows: int = 10_000
    characters: int = 5_000_000


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a query.

    Attributes:
        columns: its columns.
        rows: a tuple of values for each row.
        is_complete: whether no limit cut it.
        seconds: what the engine took.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    is_complete: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """The findings of `groundwire doctor` on an engine.

    Attributes:
        version: engine and version.
        can_write: whether the account could write, as far as the engine tells; None: not known.
        detail: one line: what is wrong and how to mend it, or "".
        read_only: how the engine itself keeps queries from writing, seen in force just now; ""
            where it has no such mode.
    """

    version: str
    can_write: bool | None
    detail: str = ""
    read_only: str = ""


class Engine(Protocol):
    """One database. Threads may share it; connections are its own affair."""

    dialect: str
    """Its SQL in the names of sqlglot: duckdb, sqlite, postgres, clickhouse, trino, spark."""

    def run(self, sql: str, limits: Limits = ...) -> Result:
        """Run one reading statement.

        Raises:
            ForbiddenError: the gate does not let it through; nothing was sent.
            InputError: the engine refuses it.
            DeadlineError: it did not end in time and was cancelled.
            UnavailableError: the engine does not answer.
        """
        ...

    def tables(self) -> Sequence[Table]:
        """Tables and views that the account can read, sorted by name.

        Raises:
            UnavailableError: the engine does not answer.
        """
        ...

    def check(self) -> Check:
        """How the engine is doing.

        Raises:
            UnavailableError: the engine does not answer.
        """
        ...

    def close(self) -> None:
        """Close all connections. Closing twice does nothing."""
        ...


def unpacked(packed: Iterable[tuple[Any, ...]]) -> tuple[Table, ...]:
    """The tables of a worker's reply, by name.

    Args:
        packed: of each table its name, its columns (name, type, whether it may be empty, comment),
            primary key, unique keys, foreign keys (columns, table, columns there), comment, and
            about how many rows it has.
    """
    tables = [
        Table(
            name,
            tuple(Column(*column) for column in columns),
            tuple(primary),
            tuple(tuple(key) for key in unique),
            tuple(ForeignKey(tuple(own), other, tuple(to)) for own, other, to in foreign),
            comment or "",
            rows,
        )
        for name, columns, primary, unique, foreign, comment, rows in packed
    ]
    return tuple(sorted(tables, key=lambda table: table.name))


def parsed(text: str, parser: Callable[[str], Value]) -> Value:
    """Return the value that `parser` reads in a text; the text where Python has no such value."""
    try:
        value = parser(text)
    except ValueError:
        return text
    return in_utc(value) if isinstance(value, datetime) else value


def in_utc(value: datetime) -> datetime:
    """Return an instant in UTC; a time without a zone stays unchanged."""
    return value if value.tzinfo is None else value.astimezone(UTC)


def plain(value: Any) -> Value:
    """Return a value of a client's library as a value of `Result`.

    NaN and the infinities are None, as nothing may read them as numbers; instants are in UTC; bytes
    are the first of them in hexadecimal; lists, maps and rows are JSON; the rest is its text.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, datetime):
        return in_utc(value)
    if value is None or isinstance(value, str | int | date | time):
        return value
    if isinstance(value, bytes | bytearray):
        return blob(bytes(value[:MAX_BLOB]), len(value))
    if isinstance(value, dict | list | tuple):
        return json.dumps(_nested(value), ensure_ascii=False, separators=(",", ":"))
    return str(value)


def _nested(value: Any) -> Any:
    """A value within JSON; decimals are texts there, so that no digit is lost."""
    if isinstance(value, dict):
        return {str(key): _nested(one) for key, one in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_nested(one) for one in cast("list[Any]", value)]
    found = plain(value)
    return found if found is None or isinstance(found, str | int | float) else str(found)


def size(value: Value) -> int:
    """How many characters a value has as text."""
    return len(value) if isinstance(value, str) else len(str(value))


Found = TypeVar("Found")

# Seconds that an engine has to take note that a query is cancelled.
_GRACE = 1.0


def within(seconds: float, work: Callable[[], Found], cancel: Callable[[], None]) -> Found:
    """Return the result of `work`, if it ends in time.

    Args:
        seconds: the time.
        work: asks the engine; runs in a thread of its own.
        cancel: has the engine stop; its errors are passed over.

    Raises:
        DeadlineError: the time was up, and `cancel` was called.
        Exception: what `work` raised.
    """
    found: list[Found] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            failed.append(error)

    def stop() -> None:
        try:
            cancel()
        except Exception:
            # The engine is gone, or does not let us: its own limit of time stands behind this.
            return

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if found:
        return found[0]
    if failed:
        raise failed[0]
    stopper = threading.Thread(target=stop, daemon=True)
    stopper.start()
    stopper.join(_GRACE)
    raise late(seconds)


def late(seconds: float) -> DeadlineError:
    """The error of a query that passed its time."""
    return DeadlineError(
        f"The query passed its time limit of {seconds:g} s and was stopped: narrow it, or "
        "aggregate less."
    )
