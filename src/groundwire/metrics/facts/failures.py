"""Failures and other versions of the files of stores, in words that tell how to mend them."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.metrics.facts.sealing import ChangedError
from groundwire.state import Database, StatePlace
from groundwire.statefile import primary_code


def other_version(
    what: str, path: Path | str | None, version: int, known: int, content: str
) -> ConfigurationError:
    """The error to raise for a store whose tables are of another version.

    Tables of another version are not converted: the content of a profile is imported again by
    itself, and what a user imported is in the user's files.

    Args:
        what: what messages call the store.
        path: its file.
        version: the version of its tables.
        known: the version that this Groundwire reads.
        content: what it holds: "facts" or "documents".
    """
    way_out = "update Groundwire"
    if version < known:
        way_out = (
            f"move {path or 'it'} away and import the {content} again (those that come with the "
            "profile come back by themselves)"
        )
    return ConfigurationError(
        f"{what} has version {version}, this Groundwire reads version {known}: {way_out}."
    )


BUSY_SECONDS = 2.0

_BUSY = f"another process has held it for {BUSY_SECONDS:g} s: try again when its import has ended"
_AGAIN = (
    "move the file away and import the facts again (those that come with a profile come back by "
    "themselves)"
)
_DAMAGED = "the file is damaged or no fact store: move it away and import the facts again"
_REASONS = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: "its disk is full: free some space",
    sqlite3.SQLITE_READONLY: "it or its disk is read-only: make it writable, or name another file",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: see that its folder exists and may be used",
    sqlite3.SQLITE_PERM: "it may not be used by this user: change its mode, or name another file",
    sqlite3.SQLITE_IOERR: "its disk fails or is full: check the disk",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}


def named(place: StatePlace | None) -> str:
    """Return the name that messages give to the store at a place; None is the one in memory."""
    if isinstance(place, Database):
        return f"The fact store in {place.shown}"
    return "The fact store in memory" if place is None else f"The fact store {place.name}"


def unavailable(place: StatePlace | None, error: sqlite3.Error | OSError) -> UnavailableError:
    """The error to raise for what SQLite or the file system said about the store."""
    reason = _REASONS.get(primary_code(error))
    if isinstance(error, ChangedError):
        reason = f"{error}: {_AGAIN}"
    if reason is None:
        said = error.strerror if isinstance(error, OSError) else str(error)
        # It may quote what stands in the file.
        reason = f"{' '.join(str(said).split())}: check the file and its folder"
    return UnavailableError(f"{named(place)} cannot be used: {reason}.")


def damaged(place: StatePlace | None) -> UnavailableError:
    """The error to raise for a store that holds what no import puts there."""
    return UnavailableError(f"{named(place)} cannot be used: {_DAMAGED}.")


@contextmanager
def told(place: StatePlace | None) -> Generator[None, None, None]:
    """Turn what SQLite raises in the block into an error that tells how to mend it.

    Raises:
        UnavailableError: the store cannot be used now.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise unavailable(place, error) from error
