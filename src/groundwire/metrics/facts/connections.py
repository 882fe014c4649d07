"""Opening the file of a fact store, for writing and for reading, also from a read-only disk.

WAL with synchronous=FULL: a commit that returned is on the disk, and readers see the facts as they
were before an import until it is committed. Readers open the file read-only; where the disk has no
place for the index of the log, and the log does not exist, as a file that nothing changes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import UnavailableError
from groundwire.metrics.facts.failures import (
    BUSY_SECONDS,
    damaged,
    named,
    unavailable,
)
from groundwire.metrics.facts.schema import VERSION, create, update, version_of
from groundwire.private_files import private_file, private_folder
from groundwire.statefile import is_busy, primary_code

# Enough for the inner pages of some ten million facts; in KiB, as SQLite wants it: negative.
READER_CACHE = -32_000
# An import in any order touches pages all over; what does not fit goes to the log and back.
WRITER_CACHE = -128_000


class NotLaidOutError(UnavailableError):
    """The file has no tables yet."""


class Identity(NamedTuple):
    """Which file stands at a path, and in which state."""

    device: int
    inode: int
    modified: int
    size: int


def identity(path: Path) -> Identity | None:
    """Which file stands at `path` now, or None."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Identity(found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)


def is_blank(path: Path) -> bool:
    """Whether the file is missing or empty."""
    return not _size(path)


def open_memory() -> sqlite3.Connection:
    """An empty store in memory."""
    connection = _connect(":memory:")
    create(None, connection)
    return connection


def open_writer(path: Path) -> sqlite3.Connection:
    """Open a store for writing; it is made, with its folders, if it is not there.

    Raises:
        UnavailableError: it cannot be written now, or is not a database.
        ConfigurationError: it is not a fact store, or has another version.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    try:
        private_folder(path.parent)
        # SQLite says of a read-only disk only that its log cannot be opened there.
        if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise OSError(errno.EROFS, "read-only")
        private_file(path)
    except OSError as error:
        raise unavailable(path, error) from error
    while True:
        try:
            return _checked(path, f"{path.absolute().as_uri()}?mode=rwc", _prepare)
        except sqlite3.Error as error:
            # Two processes that create one file can refuse each other without waiting.
            if not is_busy(error) or time.monotonic() > deadline:
                raise unavailable(path, error) from error
            time.sleep(0.005)


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a store for reading; where its disk allows no other way, as one that nothing changes.

    Raises:
        UnavailableError: it is not there, cannot be read now, or is not a database.
        ConfigurationError: it is not a fact store, or has another version.
    """
    try:
        if not _size(path):
            raise UnavailableError(
                f"{named(path)} is not there: import facts into it first, or name another file."
            )
        uri = path.absolute().as_uri()
        try:
            return _checked(path, f"{uri}?mode=ro", _inspect)
        except sqlite3.Error as error:
            # Without the log the newest facts would be missing: better no answer than an old one.
            if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            if _size(path.with_name(f"{path.name}-wal")):
                raise
        return _checked(path, f"{uri}?immutable=1", _inspect)
    except (sqlite3.Error, OSError) as error:
        raise unavailable(path, error) from error


def finish(connection: sqlite3.Connection) -> None:
    """Move what was committed from the log into the file, as far as readers let it, and close."""
    with contextlib.suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout=200")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _size(path: Path) -> int:
    """Bytes of a file; 0 if it is not there.

    Raises:
        OSError: it cannot be looked at.
    """
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def _checked(
    path: Path, uri: str, check: Callable[[Path, sqlite3.Connection], None]
) -> sqlite3.Connection:
    connection = _connect(uri)
    try:
        check(path, connection)
    except UnicodeDecodeError as error:
        # What SQLite wanted to say of the tables quotes what stands there now.
        connection.close()
        raise damaged(path) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    version = version_of(path, connection)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA cache_size={WRITER_CACHE}")
    if not version:
        create(path, connection)
    elif version != VERSION:
        update(path, connection)


def _inspect(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only=ON")
    connection.execute(f"PRAGMA cache_size={READER_CACHE}")
    if not version_of(path, connection):
        raise NotLaidOutError(f"{named(path)} holds no facts yet: import some first.")
