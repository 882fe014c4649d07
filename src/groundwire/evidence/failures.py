"""What can go wrong with the file of the ledger, in words that say what to do."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from groundwire.errors import UnavailableError

BUSY_SECONDS = 3.0

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_REASONS = {
    sqlite3.SQLITE_FULL: "its disk is full: free some space",
    sqlite3.SQLITE_READONLY: "it or its disk is read-only: make it writable, or set "
    "GROUNDWIRE_HOME to a folder that is",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: see that its folder exists and is writable, or "
    "set GROUNDWIRE_HOME to one that is",
    sqlite3.SQLITE_PERM: "it may not be written: set GROUNDWIRE_HOME to a folder of your own",
    sqlite3.SQLITE_IOERR: "its disk fails or is full: check the disk of GROUNDWIRE_HOME",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: run `groundwire evidence verify`, then move it "
    "away; a new one begins by itself",
    sqlite3.SQLITE_NOTADB: "the file is damaged or no ledger: move it away; a new one begins by "
    "itself",
    sqlite3.SQLITE_BUSY: f"another process held it for {BUSY_SECONDS:g} s: try again",
    sqlite3.SQLITE_LOCKED: f"another process held it for {BUSY_SECONDS:g} s: try again",
}

# What the file system says in its own words, as SQLite would.
_OF_ERRNO = {
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
    errno.ENOENT: sqlite3.SQLITE_CANTOPEN,
    errno.ENOTDIR: sqlite3.SQLITE_CANTOPEN,
    errno.EISDIR: sqlite3.SQLITE_CANTOPEN,
    errno.EEXIST: sqlite3.SQLITE_CANTOPEN,
}


class DamagedError(UnavailableError):
    """The file of the ledger cannot be read as one."""


def unavailable(path: Path, error: sqlite3.Error | OSError) -> UnavailableError:
    """The error to raise for what SQLite or the file system said about the file."""
    primary = primary_code(error)
    reason = _REASONS.get(primary)
    if reason is None:
        said = error.strerror if isinstance(error, OSError) else str(error)
        reason = f"{said}: check the folder that GROUNDWIRE_HOME names"
    kind = DamagedError if primary in _DAMAGED else UnavailableError
    return kind(f"The evidence ledger {path.name} cannot be used: {reason}.")


def is_busy(error: sqlite3.Error) -> bool:
    """Whether `error` only says that another process is at work."""
    return primary_code(error) in _BUSY


def primary_code(error: sqlite3.Error | OSError) -> int:
    """SQLite's primary code of an error; 0 if it has none (the module's own errors)."""
    if isinstance(error, OSError):
        return _OF_ERRNO.get(error.errno or 0, 0)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
