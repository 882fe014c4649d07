"""What users set about the KG workflow, kept for later prompts in all processes."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from groundwire.errors import UnavailableError
from groundwire.evidence.failures import is_busy, primary_code
from groundwire.evidence.store import identity
from groundwire.sparql.registry import Mode

_APPLICATION = 0x47574B47  # "GWKG"
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE policies (
        owner TEXT PRIMARY KEY,
        mode TEXT NOT NULL CHECK (mode IN ('off', 'classes', 'strict')),
        result_limit INTEGER
    ) STRICT, WITHOUT ROWID""",
    f"PRAGMA application_id={_APPLICATION}",
    f"PRAGMA user_version={_VERSION}",
)
_BUSY_SECONDS = 3.0
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True)
class KgPolicy:
    """What one user set for themselves.

    Attributes:
        mode: `strict` after /kg-on, else `off`.
        limit: results by default, or None where /limit was never used.
    """

    mode: Mode = "off"
    limit: int | None = None


class KgPolicies:
    """What users set, in the SQLite file at `path`; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the file.
    """

    def __init__(self, path: Path) -> None:
        """Take the path; the file and its folder are made when something is first set."""
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            self._drop()

    def stored(self, owner: str) -> KgPolicy:
        """What a user set; of one who set nothing, the policy that demands nothing.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self._guarded():
            if self._connection is None and not self._path.exists():
                return KgPolicy()
            return _read(self._opened(), owner)

    def change(
        self,
        owner: str,
        *,
        mode: Mode | None = None,
        limit: int | None = None,
        reset: bool = False,
    ) -> KgPolicy:
        """Change what a user set; what is None stays as it was, or with `reset` as at first.

        Raises:
            UnavailableError: the file cannot be written; nothing is changed.
        """
        with self._guarded():
            connection = self._opened()
            connection.execute("BEGIN IMMEDIATE")
            before = KgPolicy() if reset else _read(connection, owner)
            after = replace(
                before,
                mode=before.mode if mode is None else mode,
                limit=before.limit if limit is None else limit,
            )
            connection.execute(
                "INSERT INTO policies (owner, mode, result_limit) VALUES (?, ?, ?) "
                "ON CONFLICT (owner) DO UPDATE SET mode = excluded.mode, "
                "result_limit = excluded.result_limit",
                (owner, after.mode, after.limit),
            )
            connection.execute("COMMIT")
            return after

    @contextmanager
    def _guarded(self) -> Generator[None]:
        """One thread at a time; what goes wrong is undone, and said in one line."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                self._drop()
                raise self._unavailable(error) from error

    def _opened(self) -> sqlite3.Connection:
        """The connection to the file that is at the path now."""
        if self._connection is None or identity(self._path) != self._file:
            self._drop()
            self._connection = _connect(self._path)
            self._file = identity(self._path)
        return self._connection

    def _drop(self) -> None:
        """Close the connection, whatever it was doing."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _unavailable(self, error: sqlite3.Error | OSError) -> UnavailableError:
        said = error.strerror if isinstance(error, OSError) else str(error)
        if primary_code(error) in _DAMAGED or isinstance(error, _ForeignError):
            remedy = "move it away; a new one begins by itself"
        elif isinstance(error, sqlite3.Error) and is_busy(error):
            remedy = "another process is at work on it, so try again"
        else:
            remedy = "make it and its folder writable, or set GROUNDWIRE_HOME to one that is"
        return UnavailableError(
            f"The file of KG policies {self._path.name} cannot be used ({said}): {remedy}."
        )


class _ForeignError(sqlite3.DatabaseError):
    """The file is of SQLite, but not of policies."""


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file, and create it if it is not there.

    Raises:
        OSError, sqlite3.Error: it cannot be used, or is not a file of policies.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        for statement in () if tables else _SCHEMA:
            connection.execute(statement)
        connection.execute("COMMIT")
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if (application, version) != (_APPLICATION, _VERSION):
            raise _ForeignError("it is no file of KG policies of this version")
    except BaseException:
        connection.close()
        raise
    return connection


def _read(connection: sqlite3.Connection, owner: str) -> KgPolicy:
    row = connection.execute(
        "SELECT mode, result_limit FROM policies WHERE owner = ?", (owner,)
    ).fetchone()
    return KgPolicy() if row is None else KgPolicy(*row)
