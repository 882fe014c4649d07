"""The connections that a process keeps to the ledger: one that writes, one that reads.

Each is opened when it is first needed, serves one thread at a time, notices when another file
stands at the path, and begins anew after a failure.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from groundwire.evidence.failures import BUSY_SECONDS, unavailable
from groundwire.evidence.store import is_frozen, open_reader, open_writer
from groundwire.statefile import begin_immediate, identity, is_busy


class Writer:
    """The connection that writes; its context is one transaction, committed at its end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> sqlite3.Connection:
        """Wait for the other writers and begin.

        Raises:
            UnavailableError: the file cannot be written now.
        """
        self._lock.acquire()
        try:
            if self._connection is None or identity(self._path) != self._file:
                self._drop()
                self._connection = open_writer(self._path)
                self._file = identity(self._path)
            begin_immediate(self._connection, BUSY_SECONDS)
            return self._connection
        except BaseException as error:
            self._recover(error)
            self._lock.release()
            if isinstance(error, sqlite3.Error):
                raise unavailable(self._path, error) from error
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, or leave nothing of a transaction that failed.

        Raises:
            UnavailableError: SQLite failed in the transaction or at its end.
        """
        try:
            if error is None and self._connection is not None:
                self._connection.execute("COMMIT")
        except sqlite3.Error as failure:
            error = failure
        try:
            if error is not None:
                self._recover(error)
        finally:
            self._lock.release()
        if isinstance(error, sqlite3.Error):
            raise unavailable(self._path, error) from error

    def close(self) -> None:
        """Close the connection; the next context opens it again."""
        with self._lock:
            self._drop()

    def _recover(self, error: BaseException) -> None:
        if self._connection is None:
            return
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()
            return
        if isinstance(error, sqlite3.Error) and not is_busy(error):
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Reader:
    """The connection that reads, also where nothing can be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def select(self, query: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query; none before the ledger exists.

        Raises:
            UnavailableError: the file cannot be read now.
        """
        with self._lock:
            try:
                file = identity(self._path)
                if self._connection is None or file != self._file:
                    self._drop()
                    self._connection, self._file = open_reader(self._path), file
                if self._connection is None:
                    return []
                rows = self._connection.execute(query, parameters).fetchall()
                if is_frozen(self._connection):
                    self._drop()  # it would not see what is written once the disk is writable
                return rows
            except sqlite3.Error as error:
                self._drop()
                raise unavailable(self._path, error) from error

    def close(self) -> None:
        """Close the connection; the next query opens it again."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
