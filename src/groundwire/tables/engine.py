"""The interface of every SQL engine, whichever stands behind a URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Protocol

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
