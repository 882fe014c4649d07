"""Failures of the ledger's file, in words that say what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from groundwire.errors import UnavailableError
from groundwire.statefile import DamagedError, primary_code

BUSY_SECONDS = 3.0

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
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


def unavailable(path: Path, error: sqlite3.Error | OSError) -> UnavailableError:
    """The error to raise for what SQLite or the file system said about the file."""
    primary = primary_code(error)
    reason = _REASONS.get(primary)
    if reason is None:
        said = error.strerror if isinstance(error, OSError) else str(error)
        reason = f"{said}: check the folder that GROUNDWIRE_HOME names"
    kind = DamagedError if primary in _DAMAGED else UnavailableError
    return kind(f"The evidence ledger {path.name} cannot be used: {reason}.")
