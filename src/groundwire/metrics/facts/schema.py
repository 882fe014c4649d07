"""The file of a fact store: its tables, its digests and seals, opening it, and what is asked of it.

Codes and places are written once and facts hold small integers for them. A series is what metric,
entity and channel name together; it has one unit, which is why facts need none. The summaries in
`series`, `documents` and `summary` are kept in step by whatever changes facts, in the same
transaction, so that no question has to count millions of rows.

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

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.metrics.facts.failures import (
    BUSY_SECONDS,
    damaged,
    named,
    other_version,
    unavailable,
)
from groundwire.metrics.facts.sealing import UNDIGESTED, UNSEALED, digest_all, seal_all
from groundwire.private_files import private_file, private_folder
from groundwire.state import Layout
from groundwire.statefile import is_busy, primary_code

APPLICATION = 0x47574654  # "GWFT"
VERSION = 4

# A row is never changed or removed, so that what a reader has in memory of it stays true.
DIMENSIONS = ("metrics", "entities", "channels", "places")

SCHEMA = (
    *(
        f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT"
        for name in DIMENSIONS
    ),
    # AUTOINCREMENT: the number of a document that was forgotten is never given to another. Origin
    # is empty where a user imported the document, else it names the profile and its file.
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        publisher TEXT NOT NULL,
        dated TEXT,
        imported TEXT NOT NULL,
        facts INTEGER NOT NULL,
        origin TEXT NOT NULL,
        seal INTEGER NOT NULL DEFAULT 0,
        UNIQUE (name, sha256)
    ) STRICT""",
    """CREATE TABLE series (
        metric INTEGER NOT NULL,
        entity INTEGER NOT NULL,
        channel INTEGER NOT NULL,
        id INTEGER NOT NULL,
        unit TEXT NOT NULL,
        facts INTEGER NOT NULL,
        first_day INTEGER NOT NULL,
        last_day INTEGER NOT NULL,
        digest INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (metric, entity, channel)
    ) STRICT, WITHOUT ROWID""",
    # Days are those of `date.toordinal`. A mantissa beyond 64 bits is text. Raw is NULL where the
    # cell was the plain value. `groundwire.metrics.facts.sealing` says what a seal is.
    """CREATE TABLE facts (
        series INTEGER NOT NULL,
        start_day INTEGER NOT NULL,
        end_day INTEGER NOT NULL,
        as_of INTEGER NOT NULL,
        document INTEGER NOT NULL,
        mantissa ANY NOT NULL,
        exponent INTEGER NOT NULL,
        place INTEGER NOT NULL,
        number INTEGER NOT NULL,
        raw TEXT,
        seal INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (series, start_day, end_day, as_of, document)
    ) STRICT, WITHOUT ROWID""",
    # One row: how many facts there are, and the last number that a series was given.
    "CREATE TABLE summary (facts INTEGER NOT NULL, series INTEGER NOT NULL) STRICT",
    "INSERT INTO summary VALUES (0, 0)",
)
SHARED = Layout("facts", "copy of the facts", APPLICATION, VERSION, SCHEMA)
"""The layout of a store in a database, which holds the pages of its file."""


def create(path: Path | None, connection: sqlite3.Connection) -> None:
    """Make the tables, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    if not version_of(path, connection):
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute("COMMIT")


def update(path: Path | None, connection: sqlite3.Connection) -> None:
    """Give an older store its seals and digests, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    version = version_of(path, connection)
    if version == UNSEALED:
        for table in ("documents", "facts"):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN seal INTEGER NOT NULL DEFAULT 0")
        seal_all(connection)
    if version != VERSION:
        connection.execute("ALTER TABLE series ADD COLUMN digest INTEGER NOT NULL DEFAULT 0")
        digest_all(connection)
        connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute("COMMIT")


def version_of(path: Path | None, connection: sqlite3.Connection) -> int:
    """The version of the tables; 0 if the file has none.

    Raises:
        ConfigurationError: the file belongs to another program, or to another version of this one.
    """
    # In this order, since another process may lay the file out between two of these questions.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if not tables and not version:
        return 0
    if application != APPLICATION:
        raise ConfigurationError(
            f"{named(path)} is another program's database, not a fact store: name another file."
        )
    if version not in (UNSEALED, UNDIGESTED, VERSION):
        raise other_version(named(path), path, version, VERSION, "facts")
    return version


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


# The questions of a reader. A series is found by its three numbers, and its facts lie together
# behind the key of their table.
CODES = {
    "metrics": "SELECT id FROM metrics WHERE text = ?",
    "entities": "SELECT id FROM entities WHERE text = ?",
    "channels": "SELECT id FROM channels WHERE text = ?",
}
# Versions in the order in which they were known, then in that of their documents.
LOOKUP = """
    SELECT f.as_of, f.document, f.mantissa, f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ?
    AND f.series = s.id AND f.start_day = ? AND f.end_day = ? AND f.as_of <= ?
    ORDER BY f.as_of, f.document"""
LOOKUP_UNSEALED = LOOKUP.replace("f.seal", "NULL")
INTERVALS = """
    SELECT DISTINCT f.start_day, f.end_day FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ? AND f.series = s.id AND f.as_of <= ?
    ORDER BY f.end_day DESC, f.start_day"""
PERIODS = """
    SELECT DISTINCT f.start_day, f.end_day FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND f.series = s.id
    ORDER BY f.end_day DESC, f.start_day"""
FIRST_KNOWN = """
    SELECT min(f.as_of) FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND s.entity = ? AND s.channel = ?
    AND f.series = s.id AND f.start_day = ? AND f.end_day = ?"""
# Versions of facts of some entities (JSON) that their own publisher stated otherwise later.
RESTATED = """
    SELECT DISTINCT m.text, e.text, c.text, f.start_day, f.end_day, f.as_of
    FROM json_each(?) named CROSS JOIN entities e ON e.text = named.value
    CROSS JOIN series s ON s.entity = e.id CROSS JOIN facts f ON f.series = s.id
    CROSS JOIN facts g ON g.series = f.series
        AND g.start_day = f.start_day AND g.end_day = f.end_day AND g.as_of > f.as_of
    CROSS JOIN documents d ON d.id = f.document
    CROSS JOIN documents h ON h.id = g.document AND h.publisher = d.publisher
    CROSS JOIN metrics m ON m.id = s.metric CROSS JOIN channels c ON c.id = s.channel
    WHERE (g.mantissa, g.exponent) <> (f.mantissa, f.exponent)"""
ENTITIES = """
    SELECT DISTINCT e.text FROM series s CROSS JOIN entities e ON e.id = s.entity
    WHERE s.metric = ? AND s.first_day <= ? AND s.last_day >= ?
    AND EXISTS (SELECT 1 FROM facts f WHERE f.series = s.id AND f.start_day = ? AND f.end_day = ?)
    ORDER BY e.text"""
CHANNELS = """
    SELECT c.text FROM series s CROSS JOIN channels c ON c.id = s.channel
    WHERE s.metric = ? AND s.entity = ? ORDER BY c.text"""
COVERED_ENTITIES = """
    SELECT DISTINCT e.text FROM series s CROSS JOIN entities e ON e.id = s.entity
    WHERE s.metric = ? ORDER BY e.text"""
COVERED_CHANNELS = """
    SELECT DISTINCT c.text FROM series s CROSS JOIN channels c ON c.id = s.channel
    WHERE s.metric = ? ORDER BY c.text"""
COVERED_DAYS = "SELECT sum(facts), min(first_day), max(last_day) FROM series WHERE metric = ?"
METRICS = """
    SELECT text FROM metrics m WHERE EXISTS (SELECT 1 FROM series s WHERE s.metric = m.id)
    ORDER BY text"""
DOCUMENTS = (
    "SELECT name, sha256, publisher, dated, facts, imported, origin FROM documents ORDER BY id"
)
SOURCE = "SELECT name, sha256, publisher FROM documents WHERE id = ?"
PLACE = "SELECT text FROM places WHERE id = ?"
COUNT = "SELECT facts FROM summary"
SUM = "SELECT coalesce(sum(facts), 0) FROM series"
# All series of a metric that are asked for, with every version of their facts between two days.
# The lists of numbers are JSON; an empty one of entities means all of them. A period is between
# `shortest` and `longest` days long; with `days` a value at a day, such as a stock's, is one too.
TABLE = """
    SELECT s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document, f.mantissa,
        f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN facts f
    WHERE s.metric = :metric
    AND s.channel IN (SELECT value FROM json_each(:channels))
    AND (:entities = '[]' OR s.entity IN (SELECT value FROM json_each(:entities)))
    AND s.first_day <= :last AND s.last_day >= :first
    AND f.series = s.id AND f.start_day BETWEEN :first AND :last AND f.end_day <= :last
    AND (f.end_day - f.start_day BETWEEN :shortest AND :longest
        OR (:days AND f.end_day = f.start_day))
    AND f.as_of <= :as_of
    ORDER BY s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document"""
# The same, of some intervals only: each is a number, its first day 22 bits above its last.
TABLE_OF_INTERVALS = """
    SELECT s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document, f.mantissa,
        f.exponent, f.place, f.number, f.raw, s.unit, f.seal
    FROM series s CROSS JOIN json_each(:intervals) i CROSS JOIN facts f
    WHERE s.metric = :metric
    AND s.channel IN (SELECT value FROM json_each(:channels))
    AND (:entities = '[]' OR s.entity IN (SELECT value FROM json_each(:entities)))
    AND f.series = s.id AND f.start_day = i.value >> 22 AND f.end_day = i.value & 4194303
    AND f.as_of <= :as_of
    ORDER BY s.entity, s.channel, f.start_day, f.end_day, f.as_of, f.document"""
# How the facts of a metric are held. Two versions of a fact differ in day or document.
HELD_VALUES = """
    SELECT min(f.exponent), max(f.exponent), max(typeof(f.mantissa) = 'text'), min(f.mantissa),
        max(f.mantissa), min(f.as_of) = max(f.as_of) AND min(f.document) = max(f.document),
        count(*)
    FROM series s CROSS JOIN facts f
    WHERE s.metric = ? AND f.series = s.id"""
HELD_UNITS = "SELECT DISTINCT unit FROM series WHERE metric = ?"
SECOND_VERSION = """
    SELECT EXISTS (
        SELECT 1 FROM series s CROSS JOIN facts f CROSS JOIN facts g
        WHERE s.metric = ? AND f.series = s.id AND g.series = f.series
        AND g.start_day = f.start_day AND g.end_day = f.end_day
        AND (g.as_of, g.document) > (f.as_of, f.document))"""
# One page of the facts of a metric. The lines below fill the braces.
PAGE = """
    SELECT e.text, c.text, f.start_day, f.end_day, f.as_of, f.document, f.mantissa, f.exponent,
        f.place, f.number, f.raw, s.unit, f.seal
    {of}
    ORDER BY {order} LIMIT :limit OFFSET :offset"""
PAGE_TOTALS = """
    SELECT {columns} sum({value}), min(f.exponent), count(*), min(f.document), max(f.document)
    {of} {group}"""
PAGE_DOCUMENTS = "SELECT DISTINCT {columns} f.document {of} ORDER BY f.document"
PAGE_COUNT = "SELECT count(*) {of}"
PAGE_ENTITIES = "SELECT DISTINCT e.text {of}"
PAGE_HOLDS = "SELECT EXISTS (SELECT 1 {of})"
PAGE_OF = """FROM series s CROSS JOIN entities e ON e.id = s.entity
    CROSS JOIN channels c ON c.id = s.channel CROSS JOIN facts f ON f.series = s.id
    WHERE s.metric = :metric AND s.channel IN (SELECT value FROM json_each(:channels))"""
PAGE_COUNT_OF = """FROM series s CROSS JOIN facts f ON f.series = s.id
    WHERE s.metric = :metric AND s.channel IN (SELECT value FROM json_each(:channels))"""
OF_ENTITIES = "AND s.entity IN (SELECT value FROM json_each(:entities))"
OF_ONE_INTERVAL = "AND f.start_day = :first AND f.end_day = :last"
OF_INTERVALS = """AND f.start_day BETWEEN :first AND :last
    AND f.end_day - f.start_day BETWEEN :shortest AND :longest"""
OF_LISTED_INTERVALS = (
    "AND f.start_day * 4194304 + f.end_day IN (SELECT value FROM json_each(:intervals))"
)
AS_KNOWN_THEN = "AND f.as_of <= :as_of"
LAST_VERSION = """AND NOT EXISTS (
        SELECT 1 FROM facts g WHERE g.series = f.series AND g.start_day = f.start_day
        AND g.end_day = f.end_day AND g.as_of <= :as_of
        AND (g.as_of, g.document) > (f.as_of, f.document))"""
NUMBERED = {
    "entities": "SELECT id, text FROM entities WHERE id IN (SELECT value FROM json_each(?))",
    "channels": "SELECT id, text FROM channels WHERE id IN (SELECT value FROM json_each(?))",
}
