"""The SQLite file of the ledger: opening it for writing and for reading, and what can go wrong.

WAL with synchronous=FULL: a commit that returned is on the disk. Several processes open the same
file; each waits for the others' transactions, which are short, for at most `BUSY_SECONDS`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from groundwire.errors import UnavailableError
from groundwire.evidence.canonical import Header
from groundwire.private_files import private_file
from groundwire.state import Layout
from groundwire.statefile import DamagedError, is_busy, primary_code

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


_Check = Callable[[Path, sqlite3.Connection], None]

# Content is JSON as it was hashed; hashes are the bytes of the SHA-256. Where the handle, owner,
# time and payload of a record stand, they are columns only, and its hash covers them there.
_TABLES = (
    """CREATE TABLE records (
        sequence INTEGER PRIMARY KEY,
        evidence_id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        created INTEGER NOT NULL,
        payload BLOB,
        previous BLOB NOT NULL,
        hash BLOB NOT NULL,
        content BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX records_by_owner ON records (owner, created)",
    "CREATE INDEX records_by_payload ON records (payload, created) WHERE payload IS NOT NULL",
    """CREATE TABLE payloads (
        hash BLOB PRIMARY KEY,
        stored INTEGER NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX payloads_by_age ON payloads (stored)",
)
LAYOUT = Layout("evidence", "evidence ledger", 0x47574556, 1, _TABLES)  # "GWEV"
# The columns of a record as `header_of` reads them.
COLUMNS = "sequence, previous, evidence_id, owner, created, payload, hash, content"
Row = tuple[int, bytes, str, str, int, bytes | None, bytes, bytes]


def header_of(row: Row) -> Header | None:
    """The header of a row of `COLUMNS` that is as it was written, or None if it was changed."""
    sequence, previous, evidence_id, owner, created, payload, hashed, content = row
    try:
        header = Header(
            sequence,
            previous.hex(),
            evidence_id,
            owner,
            created,
            None if payload is None else payload.hex(),
        )
        return header if header.hash(content) == hashed.hex() else None
    except (AttributeError, TypeError, ValueError):
        # Who writes into the file can change the type of a column, too.
        return None


def changed_schema(connection: sqlite3.Connection) -> str | None:
    """The first table, index, trigger or view that is not as this version lays it out, or None."""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in LAYOUT.tables:
            fresh.execute(statement)
        laid_out = {row[:2]: row for row in fresh.execute(query)}
    found = {row[:2]: row for row in connection.execute(query)}
    for kind, name in sorted(laid_out.keys() | found.keys()):
        one = (kind, name)
        if one not in found:
            return f"the {kind} {name} is missing"
        if one not in laid_out:
            return f"there is a {kind} {name} besides"
        if found[one] != laid_out[one]:
            return f"the {kind} {name} was changed"
    return None


def is_frozen(connection: sqlite3.Connection) -> bool:
    """Whether the connection takes its file for one that nothing changes."""
    return isinstance(connection, _Frozen)


def open_writer(path: Path) -> sqlite3.Connection:
    """Open the ledger for writing, and create it with its folder if it is not there.

    Raises:
        UnavailableError: it cannot be written now, or is not a ledger of this version.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    try:
        # Answers are the user's own.
        private_file(path)
    except OSError as error:
        raise unavailable(path, error) from error
    while True:
        try:
            connection = _connect(f"{path.absolute().as_uri()}?mode=rw")
            return _checked(path, connection, _prepare)
        except sqlite3.Error as error:
            # Two processes that create one file can refuse each other without waiting.
            if not is_busy(error) or time.monotonic() > deadline:
                raise unavailable(path, error) from error
            time.sleep(0.005)


def open_reader(path: Path) -> sqlite3.Connection | None:
    """Open the ledger for reading, also from a read-only disk; None where it does not exist.

    Raises:
        UnavailableError: it is there but cannot be read, or is not a ledger of this version.
    """
    try:
        if not _size(path):
            return None
    except OSError as error:
        raise unavailable(path, error) from error
    uri = path.absolute().as_uri()
    try:
        for mode in ("rw", "ro"):
            try:
                return _checked(path, _connect(f"{uri}?mode={mode}"), _inspect)
            except sqlite3.Error as error:
                if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                    raise
                refusal = error
        # A read-only disk has no place for the index of the log, and needs none without a log.
        if _size(path.with_name(f"{path.name}-wal")):
            raise refusal
        return _checked(path, _connect(f"{uri}?immutable=1", _Frozen), _inspect)
    except sqlite3.Error as error:
        raise unavailable(path, error) from error


def _size(path: Path) -> int:
    """Bytes of a file; 0 if it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


class _Frozen(sqlite3.Connection):
    """A connection to a file on a disk that cannot be written."""


def _connect(
    uri: str, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=factory,
    )


def _checked(path: Path, connection: sqlite3.Connection, check: _Check) -> sqlite3.Connection:
    try:
        check(path, connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(path: Path, connection: sqlite3.Connection) -> None:
    version = _version(path, connection)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    # What was removed is gone from the disk too; a log that a payload blew up shrinks again.
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("PRAGMA journal_size_limit=16777216")
    if not version:
        _create(path, connection)
    # From here on whoever writes waits in its own way.
    connection.execute("PRAGMA busy_timeout=0")


def _create(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if not _version(path, connection):
        for statement in LAYOUT.tables:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={LAYOUT.application}")
        connection.execute(f"PRAGMA user_version={LAYOUT.version}")
    connection.execute("COMMIT")


def _inspect(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA query_only=ON")
    if not _version(path, connection):
        raise UnavailableError(f"The evidence ledger {path.name} is being created: try again.")


def _version(path: Path, connection: sqlite3.Connection) -> int:
    """The schema version of the file; 0 if it is empty.

    Raises:
        UnavailableError: the file belongs to another program or a newer version.
    """
    # In this order, since another process may lay the file out between two of these questions.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if not tables and not version:
        return 0
    if application != LAYOUT.application:
        raise UnavailableError(
            f"The file {path.name} is another program's database, not an evidence ledger: move it "
            "away or set GROUNDWIRE_HOME to another folder."
        )
    if version != LAYOUT.version:
        raise UnavailableError(
            f"The evidence ledger {path.name} has version {version}, this Groundwire reads "
            f"version {LAYOUT.version}: update Groundwire."
        )
    return version
