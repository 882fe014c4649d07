"""An SQLite file that the threads of a process share, one statement or transaction at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from groundwire.errors import UnavailableError


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
        try:
            self._connection = sqlite3.connect(
                self._where, check_same_thread=False, isolation_level=None
            )
        except sqlite3.Error as error:
            raise self._unavailable(error) from error
        try:
            self._connection.execute("PRAGMA busy_timeout = 2000")
            self._prepare(self._connection)
        except BaseException as error:
            self._connection.close()
            if isinstance(error, sqlite3.Error):
                raise self._unavailable(error) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
