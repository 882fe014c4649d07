"""One interface to a store of state, whether it is an SQLite file or a schema of PostgreSQL.

Statements are written once, in the SQL that both understand: `?` for a value, upserts with
`ON CONFLICT`, and no function that only one of them has. A block of `writing` is alone with its
store, so what it reads stays true until it ends: SQLite's BEGIN IMMEDIATE, and an advisory lock of
PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from groundwire.state.database import Database
from groundwire.statefile import BUSY_SECONDS, StateFile

StatePlace = Path | Database
"""Where one store is: the path of its file, or the database that holds it beside others."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of one store, and what it is called.

    Attributes:
        name: what the store holds; in PostgreSQL its schema is `groundwire_NAME`.
        what: what messages call its file: "file of KG policies".
        application: the id in the header of its file.
        version: the version of its tables.
        tables: the statements that create them, as SQLite writes them.
        upgrades: by the version of an older store, the statements that bring it to the next one.
        synchronous: `FULL` for state that survives a power cut once it is committed, `NORMAL` for
            state that can be had again, whose commits do not wait for the disk.
        busy_seconds: how long to wait for other writers.
    """

    name: str
    what: str
    application: int
    version: int
    tables: tuple[str, ...]
    upgrades: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    synchronous: Literal["FULL", "NORMAL"] = "FULL"
    busy_seconds: float = BUSY_SECONDS


class Rows(Protocol):
    """The outcome of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows that are left."""
        ...


class Connection(Protocol):
    """A connection inside a block of a store."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Rows:
        """Run one statement."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each row of values."""
        ...


class Store(Protocol):
    """A store whose methods may be called from any thread."""

    def reading(self) -> AbstractContextManager[Connection | None]:
        """Yield a connection to read from, or None where nothing was ever written.

        Raises:
            UnavailableError: the store cannot be read.
        """
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction, which ends with the block; a failure undoes it.

        Raises:
            UnavailableError: the store cannot be written now.
        """
        ...

    def close(self) -> None:
        """Close what is open; a later block opens it again."""
        ...


def opened(place: StatePlace, layout: Layout) -> Store:
    """Return the store of a layout at a place; it is opened and laid out when it is needed."""
    if isinstance(place, Database):
        return place.store(layout)
    return StateFile(
        place,
        layout.what,
        application=layout.application,
        version=layout.version,
        schema=layout.tables,
        upgrades=layout.upgrades,
        synchronous=layout.synchronous,
        busy_seconds=layout.busy_seconds,
    )
