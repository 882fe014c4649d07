"""Stores of state behind one interface: SQLite files, or schemas of a PostgreSQL database.

Statements are written once, in the SQL that both understand: `?` for a value, upserts with
`ON CONFLICT`, and no function that only one of them has. A block of `writing` is alone with its
store, so what it reads stays true until it ends: SQLite's BEGIN IMMEDIATE, and an advisory lock of
PostgreSQL.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.postgres_url import connection_arguments, read_url
from groundwire.statefile import BUSY_SECONDS, StateFile

if TYPE_CHECKING:
    from groundwire.state.postgres import DatabaseStore


_STATE, _FACTS = "GROUNDWIRE_STATE", "GROUNDWIRE_FACTS"
KEPT_HERE = (
    "facts (unless GROUNDWIRE_FACTS names a database), documents and imported timetables",
    "files of answers (maps, calendars, exports)",
    "what can be read anew (indexes, schemas of endpoints)",
)
"""What stays on the machine of each server, whatever `GROUNDWIRE_STATE` says."""


class Database:
    """A database that holds the stores of several servers, each in a schema of its own.

    Attributes:
        shown: its URL for people, without a user.
        home: the folder of this machine for what is not shared.
        variable: the variable that names it; its password is in `variable`_PASSWORD.
        ahead: seconds by which its clock is ahead of this machine's, as of the last connection; 0
            where they are less than a second apart.
    """

    def __init__(self, url: str, home: Path, variable: str = _STATE) -> None:
        """Take a URL without a password; nothing is connected yet.

        Raises:
            ConfigurationError: it is another URL, or psycopg is not installed.
        """
        self._place = read_url(url)
        if find_spec("psycopg") is None:
            raise ConfigurationError(
                f"{variable} names a PostgreSQL database, and psycopg is not installed: run "
                "`pip install 'groundwire[postgres]'`."
            )
        self.shown = self._place.shown
        self.home = home
        self.variable = variable
        self.ahead = 0.0

    def arguments(self) -> dict[str, Any]:
        """Return what psycopg connects with, the password included."""
        password = f"{self.variable}_PASSWORD"
        return connection_arguments(
            self._place, None, password if os.environ.get(password) else None
        )

    def store(self, layout: Layout) -> DatabaseStore:
        """Return a store of this database; it is connected and laid out when it is needed."""
        from groundwire.state.postgres import DatabaseStore

        return DatabaseStore(self, layout)

    def clock(self, clock: Callable[[], float] = time.time) -> Callable[[], float]:
        """Return a clock that the servers of this database agree on, from one of this machine."""
        return lambda: clock() + self.ahead


def shared_database(settings: Settings) -> Database | None:
    """Return the database that servers of these settings share, or None for files in `home`.

    Raises:
        ConfigurationError: psycopg is not installed.
    """
    return _database(settings.state, settings.home, _STATE) if settings.state else None


def facts_place(settings: Settings) -> Path | Database | None:
    """Return the file or the database that the settings name for facts, or None.

    Raises:
        ConfigurationError: psycopg is not installed.
    """
    named = settings.facts_database
    return _database(named, settings.home, _FACTS) if named else settings.facts


@cache
def _database(url: str, home: Path, variable: str) -> Database:
    return Database(url, home, variable)


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
