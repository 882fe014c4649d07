"""An SQLite file that the threads of a process share, one statement or transaction at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from groundwire.errors import UnavailableError
from groundwire.private_files import private_file
from groundwire.statefile import primary_code

# What SQLite says where it cannot make the files that it keeps beside a database.
_NOTHING_BESIDE = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
)


class Database:
    """One connection behind a lock. Use it as a context manager, or close it.

    Every failure of SQLite is an `UnavailableError` that says what to do.
    """

    # What the file is called in messages, and what to do about one that is of no use.
    what = "database"
    remedy = "check the file and its folder"

    def __init__(self, path: Path | None = None) -> None:
        """Open the file, made if absent; None keeps all in memory.

        Raises:
            UnavailableError: the file cannot be opened, or is none of this kind.
        """
        self._where = ":memory:" if path is None else str(path)
        self._lock = threading.Lock()
        if path is not None and path.parent.is_dir():
            # What cannot be made is told by SQLite, in its own words.
            with suppress(OSError):
                private_file(path)
        try:
            self._connection = self._connected(self._where)
        except sqlite3.Error as error:
            if path is None or primary_code(error) not in _NOTHING_BESIDE or not _is_whole(path):
                raise self._unavailable(error) from error
            try:
                # The disk has no room for the index of a log, and without a log none is needed.
                self._connection = self._connected(f"{path.absolute().as_uri()}?immutable=1")
            except sqlite3.Error:
                raise self._unavailable(error) from error

    def _connected(self, where: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            where,
            uri=where.startswith("file:"),
            check_same_thread=False,
            isolation_level=None,
        )
        try:
            connection.execute("PRAGMA busy_timeout = 2000")
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice does nothing."""
        with self._lock:
            self._connection.close()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables that are not there yet."""

    def _select(
        self, statement: str, parameters: Sequence[object] | Mapping[str, object] = ()
    ) -> list[Any]:
        """The rows of a query."""
        with self._lock:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except sqlite3.Error as error:
                raise self._unavailable(error) from error

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        """A transaction: all of it is kept, or nothing if it ends by an error."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._unavailable(error) from error
                raise

    def _unavailable(self, error: object) -> UnavailableError:
        return UnavailableError(
            f"The {self.what} {self._where} cannot be used ({error}): {self.remedy}"
        )


def _is_whole(path: Path) -> bool:
    """Whether a file is there, and nothing of it stands in a log beside it."""
    try:
        log = path.with_name(f"{path.name}-wal")
        return path.stat().st_size > 0 and not (log.exists() and log.stat().st_size)
    except OSError:
        return False
