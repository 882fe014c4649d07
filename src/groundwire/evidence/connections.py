"""Where the records of a ledger are: an SQLite file, or a database that several servers share.

A process keeps two connections to a file, one that writes and one that reads. Each is opened when
it is first needed, serves one thread at a time, notices when another file stands at the path, and
begins anew after a failure. The end of the chain is noted in a file beside the ledger after each
record, without waiting for the disk.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.evidence.store import (
    BUSY_SECONDS,
    LAYOUT,
    changed_schema,
    is_frozen,
    open_reader,
    open_writer,
    unavailable,
)
from groundwire.private_files import private_folder
from groundwire.state import Connection, Database, StatePlace
from groundwire.statefile import begin_immediate, identity, is_busy

if TYPE_CHECKING:
    from groundwire.state.postgres import Session


_NOTED = re.compile(rb"(\d{20}) ([0-9a-f]{64})\n")
_NOTED_BYTES = 86


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain.

    Attributes:
        sequence: the last record's place; 0 in an empty ledger.
        hash: its hash, hexadecimal.
    """

    sequence: int
    hash: str


class HeadFile:
    """The head that is noted beside a ledger, in `<ledger>.head`.

    What it holds is only ever moved forward along the chain that it is of. Where records were
    removed or replaced it stays as it is, and `verify` finds it to be of no chain any more.
    """

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(f"{ledger.name}.head")

    def read(self) -> Head | None:
        """The noted head, or None if none is.

        Raises:
            ValueError: the file holds no head.
        """
        try:
            data = self.path.read_bytes()
        except OSError:
            return None
        return _parsed(data)

    def move(self, new: Head, previous: str, hash_at: Callable[[int], str | None]) -> None:
        """Note a head behind the one that is noted, if that one is of the same chain.

        A failure is not told: verification then finds the older head in the chain.

        Args:
            new: the last record, which is on the disk.
            previous: hash of the record before it.
            hash_at: tells the hash of the record at a place, or None if there is none.
        """
        with suppress(OSError, ValueError):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                noted = _parsed(os.pread(descriptor, _NOTED_BYTES + 1, 0))
                if noted is not None:
                    if noted.sequence >= new.sequence:
                        return
                    follows = noted.sequence == new.sequence - 1
                    if noted.hash != (previous if follows else hash_at(noted.sequence)):
                        return
                os.pwrite(descriptor, b"%020d %s\n" % (new.sequence, new.hash.encode()), 0)
            finally:
                os.close(descriptor)


def _parsed(data: bytes) -> Head | None:
    if not data:
        return None
    found = _NOTED.fullmatch(data)
    if found is None:
        raise ValueError("not a head")
    return Head(int(found[1]), found[2].decode())


class RecordStore(Protocol):
    """Where the records of a ledger are.

    Attributes:
        name: of the file or the database, for people.
        folder: the folder of this machine for what belongs to the ledger and is not in it.
        noted: the head that is noted there.
    """

    name: str
    folder: Path
    noted: HeadFile

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction that no other writer is in.

        Raises:
            UnavailableError: the store cannot be written now.
        """
        ...

    def select(self, query: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query; none before the first record.

        Raises:
            UnavailableError: the store cannot be read now.
        """
        ...

    def viewing(self) -> AbstractContextManager[Any]:
        """Yield a connection to one state of the ledger, or None before the first record.

        Raises:
            UnavailableError: the store cannot be read now.
        """
        ...

    def each(self, view: Any, query: str) -> Iterator[Any]:
        """Yield the rows of a query in a view; they are not all in memory at once."""
        ...

    def changed(self, view: Any) -> str | None:
        """Name a part of the tables that is not as it was laid out, or None."""
        ...

    def close(self) -> None:
        """Close what is open; a later call opens it again."""
        ...


def record_store(place: StatePlace) -> RecordStore:
    """Return the store of records at a place; nothing is opened yet."""
    if isinstance(place, Database):
        return LedgerDatabase(place)
    return LedgerFile(place)


class LedgerFile:
    """The records of a ledger in one SQLite file."""

    def __init__(self, path: Path) -> None:
        """Take the path; the file is made by the first record."""
        self._path = path
        self._writer = Writer(path)
        self._reader = Reader(path)
        self.name = path.name
        self.folder = path.parent
        self.noted = HeadFile(path)

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction that no other writer is in."""
        return self._writer

    def select(self, query: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query; none before the first record."""
        return self._reader.select(query, parameters)

    @contextmanager
    def viewing(self) -> Generator[sqlite3.Connection | None]:
        """Yield a connection to one state of the file, or None where it is missing.

        Raises:
            sqlite3.Error: the file is damaged where the block reads it.
            UnavailableError: it cannot be opened, or others keep it too long.
        """
        connection = open_reader(self._path)
        if connection is None:
            yield None
            return
        try:
            # One view of the file, whatever is written meanwhile.
            connection.execute("BEGIN")
            yield connection
        except sqlite3.Error as error:
            if is_busy(error):
                raise unavailable(self._path, error) from error
            raise
        finally:
            connection.close()

    def each(self, view: sqlite3.Connection, query: str) -> Iterator[Any]:
        """Yield the rows of a query."""
        return view.execute(query)

    def changed(self, view: sqlite3.Connection) -> str | None:
        """Name a part of the tables that is not as it was laid out, or damage, or None."""
        if different := changed_schema(view):
            return different
        # The handles are found through indices, which hold copies of them.
        (damage,) = view.execute("PRAGMA integrity_check('records')").fetchone()
        return None if damage == "ok" else f"the file is damaged: {damage}"

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        self._writer.close()
        self._reader.close()


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


# Every table with its columns, every index, and whatever else could change what is written.
_OBJECTS = """
    SELECT 'table ' || relname || ' (' || string_agg(
        attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' not null'
        ELSE '' END, ', ' ORDER BY attnum) || ')'
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE relnamespace = to_regnamespace(?) AND relkind NOT IN ('i', 'I') GROUP BY relname
    UNION ALL
    SELECT replace(indexdef, schemaname || '.', '') FROM pg_indexes WHERE schemaname = ?
    UNION ALL
    SELECT 'trigger ' || tgname FROM pg_trigger JOIN pg_class ON tgrelid = pg_class.oid
    WHERE relnamespace = to_regnamespace(?) AND NOT tgisinternal
    UNION ALL
    SELECT 'rule ' || rulename FROM pg_rules WHERE schemaname = ?
    UNION ALL
    SELECT 'policy ' || policyname FROM pg_policies WHERE schemaname = ?
"""
_LAID_OUT = frozenset(
    (
        "table records (sequence bigint not null, evidence_id text not null, owner text not null, "
        "created bigint not null, payload bytea, previous bytea not null, hash bytea not null, "
        "content bytea not null)",
        "table payloads (hash bytea not null, stored bigint not null, data bytea not null)",
        "table versions (version bigint not null, since timestamp with time zone not null)",
        "CREATE UNIQUE INDEX records_pkey ON records USING btree (sequence)",
        "CREATE UNIQUE INDEX records_evidence_id_key ON records USING btree (evidence_id)",
        "CREATE INDEX records_by_owner ON records USING btree (owner, created)",
        "CREATE INDEX records_by_payload ON records USING btree (payload, created) "
        "WHERE (payload IS NOT NULL)",
        "CREATE UNIQUE INDEX payloads_pkey ON payloads USING btree (hash)",
        "CREATE INDEX payloads_by_age ON payloads USING btree (stored)",
        "CREATE UNIQUE INDEX versions_pkey ON versions USING btree (version)",
    )
)


class LedgerDatabase:
    """The records of a ledger in a database; one connection writes, another one reads."""

    def __init__(self, database: Database) -> None:
        """Take the database; nothing is connected yet."""
        self._database = database
        self._writer = database.store(LAYOUT)
        self._reader = database.store(LAYOUT)
        self.name = database.shown
        self.folder = database.home
        # Two databases have two chains.
        mark = hashlib.sha256(database.shown.encode()).hexdigest()[:12]
        self.noted = HeadFile(database.home / f"evidence-{mark}")

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction that no other writer is in."""
        # The head is noted there; where it cannot be, verification goes without it.
        with suppress(OSError):
            private_folder(self.folder)
        return self._writer.writing()

    def select(self, query: str, parameters: tuple[object, ...] = ()) -> list[Any]:
        """Return the rows of a query; none before the first record."""
        with self._reader.reading() as session:
            return [] if session is None else session.execute(query, parameters).fetchall()

    @contextmanager
    def viewing(self) -> Generator[Session | None]:
        """Yield a connection to one state of the ledger, or None before the first record."""
        # Its own, since a walk along the chain may take long.
        store = self._database.store(LAYOUT)
        try:
            with store.viewing() as session:
                yield session
        finally:
            store.close()

    def each(self, view: Session, query: str) -> Iterator[Any]:
        """Yield the rows of a query, a few at a time."""
        return view.each(query)

    def changed(self, view: Session) -> str | None:
        """Name a table, index, trigger, rule or policy that is not as it was laid out, or None."""
        schema = self._reader.schema
        found = {one for (one,) in view.execute(_OBJECTS, (schema,) * 5).fetchall()}
        if missing := sorted(_LAID_OUT - found):
            return f"missing is {missing[0]}"
        if besides := sorted(found - _LAID_OUT):
            return f"there is besides {besides[0]}"
        return None

    def close(self) -> None:
        """Close the connections; a later call makes them anew."""
        self._writer.close()
        self._reader.close()
