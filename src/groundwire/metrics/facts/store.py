"""The store of facts in an SQLite file, or in the pages of one that servers share in a database."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from groundwire.errors import GroundwireError, InputError, UnavailableError
from groundwire.metrics.facts import schema, sealing
from groundwire.metrics.facts.failures import BUSY_SECONDS, damaged, named, told, unavailable
from groundwire.metrics.facts.loading import SqliteImport
from groundwire.metrics.facts.model import (
    Coverage,
    Fact,
    FactPage,
    FactTotal,
    FactWriter,
    Holding,
    Interval,
    PageOfFacts,
    Restated,
    Slice,
    SortColumn,
)
from groundwire.metrics.facts.paging import Pages
from groundwire.metrics.facts.reading import HeldDocument, Reader
from groundwire.metrics.facts.schema import SHARED
from groundwire.state import Database, StatePlace

# Who keeps facts in a file needs nothing of a database.
if TYPE_CHECKING:
    from groundwire.state.shared_file import SharedFile

# How long a file that was moved away or replaced may still be answered from.
LOOK_SECONDS = 1.0

_P = ParamSpec("_P")
_R = TypeVar("_R")


class SqliteFacts:
    """Facts of many threads, processes and servers: the `FactStore` of Groundwire.

    Readers see whole imports only, also those of other processes, as soon as they are committed.
    It is opened by the first question. Use it as a context manager, or close it.
    """

    def __init__(self, place: StatePlace | None, read_only: bool = False) -> None:
        """Name the place; nothing is opened yet.

        Args:
            place: the file, made with its folders when it is first needed, or the database; None
                keeps the facts in memory.
            read_only: whether nothing may be written, not even an empty file.
        """
        self._place = place
        self._path = place if isinstance(place, Path) else None
        self._shared = _pages_in(place) if isinstance(place, Database) else None
        self._read_only = read_only
        self._lock = threading.RLock()
        self._importing = threading.Lock()
        self._closed = False
        self._reader = None if place else Reader(schema.open_memory())
        self._identity: schema.Identity | None = None
        self._look_at = 0.0
        self._has_opened = False
        self._paging: Pages | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it. Closing twice does nothing."""
        with self._lock:
            self._closed = True
            self._drop()

    def lookup(
        self,
        metric: str,
        entity: str,
        channel: str,
        start: date,
        end: date,
        as_of: date | None = None,
    ) -> Sequence[Fact]:
        """See `FactStore.lookup`.

        Of versions that one day made known, the one whose document was registered last answers.

        Raises:
            UnavailableError: the file cannot be read now.
            ConfigurationError: it is not a fact store, or has another version.
        """
        return self._ask(Reader.lookup, metric, entity, channel, start, end, as_of)

    def intervals(
        self, metric: str, entity: str, channel: str, as_of: date | None = None
    ) -> Sequence[Interval]:
        """See `FactStore.intervals`."""
        return self._ask(Reader.intervals, metric, entity, channel, as_of)

    def coverage(self, metric: str) -> Coverage | None:
        """See `FactStore.coverage`."""
        return self._ask(Reader.coverage, metric)

    def slice(self, asked: Slice) -> Sequence[Sequence[Fact]]:
        """See `FactStore.slice`."""
        return self._ask(Reader.slice, asked)

    def holding(self, metric: str) -> Holding | None:
        """See `FactStore.holding`."""
        return self._ask(lambda reader: self._pages(reader).holding(metric))

    def page(self, asked: FactPage) -> PageOfFacts:
        """See `FactStore.page`."""
        return self._ask(lambda reader: self._pages(reader).page(asked))

    def totals(self, asked: FactPage, by: Sequence[SortColumn]) -> Sequence[FactTotal]:
        """See `FactStore.totals`."""
        return self._ask(lambda reader: self._pages(reader).totals(asked, by))

    def holds(self, asked: FactPage) -> bool:
        """See `FactStore.holds`."""
        return self._ask(lambda reader: self._pages(reader).holds(asked))

    def held_entities(self, asked: FactPage) -> frozenset[str]:
        """See `FactStore.held_entities`."""
        return self._ask(lambda reader: self._pages(reader).held_entities(asked))

    def periods(self, metric: str) -> Sequence[Interval]:
        """See `FactStore.periods`."""
        return self._ask(Reader.periods, metric)

    def entities(self, metric: str, start: date, end: date) -> Sequence[str]:
        """See `FactStore.entities`."""
        return self._ask(Reader.entities, metric, start, end)

    def channels(self, metric: str, entity: str) -> Sequence[str]:
        """See `FactStore.channels`."""
        return self._ask(Reader.channels, metric, entity)

    def first_known(
        self, metric: str, entity: str, channel: str, start: date, end: date
    ) -> date | None:
        """See `FactStore.first_known`."""
        return self._ask(Reader.first_known, metric, entity, channel, start, end)

    def restated(self, entities: Sequence[str]) -> Sequence[Restated]:
        """Return the versions of facts of some entities that their publisher stated otherwise."""
        return self._ask(Reader.restated, entities)

    def metrics(self) -> list[str]:
        """Codes of the metrics that have facts."""
        return self._ask(Reader.metrics)

    def documents(self) -> list[HeldDocument]:
        """Every document with how many facts are from it, in the order of their registration."""
        return self._ask(Reader.documents)

    def count(self) -> int:
        """How many facts there are; no fact is read for it."""
        return self._ask(Reader.count)

    def check(self) -> str | None:
        """Return the fault of the store in one line, or None; takes seconds for a large file."""
        try:
            wrong = self._ask(Reader.check)
        except GroundwireError as error:
            return str(error)
        return wrong and f"{named(self._place)} is damaged ({wrong}): import the facts again."

    def writer(self, origin: str = "") -> FactWriter:
        """One import, for a `with` block: all of it is kept, or nothing if it ends by an error.

        Args:
            origin: which profile and file the documents come with; "" where a user imports them.

        Entering the block raises UnavailableError where the store cannot be written now (another
        import is at work, the file is read-only, its disk is full, it is not a database).
        """
        return SqliteImport(self._place, self._changing(), origin)

    def forget(self, name: str) -> int:
        """Remove the documents of a name with their facts; how many facts that were.

        Raises:
            UnavailableError: the store cannot be written now; nothing was removed.
        """
        return self._forget(sealing.documents_named, name)

    def withdraw(self, origin: str) -> int:
        """Remove the documents of an origin with their facts; how many facts that were.

        Raises:
            UnavailableError: the store cannot be written now; nothing was removed.
        """
        return self._forget(sealing.documents_of_origin, origin)

    def _forget(self, which: Callable[[sqlite3.Connection, str], list[int]], name: str) -> int:
        with told(self._place), self._changing() as connection:
            return sealing.forget_documents(connection, which(connection, name))

    def _ask(
        self, question: Callable[Concatenate[Reader, _P], _R], *args: _P.args, **kwargs: _P.kwargs
    ) -> _R:
        with self._lock:
            try:
                with self._reading() as reader:
                    return question(reader, *args, **kwargs)
            except (sqlite3.Error, OSError) as error:
                # Opened anew by the next question: the file may have been mended by then.
                if self._place:
                    self._drop()
                raise unavailable(self._place, error) from error
            except UnicodeEncodeError as error:
                raise InputError(
                    f"{error.object!r} holds what is no character: send it without."
                ) from error
            except (ValueError, TypeError, ArithmeticError) as error:
                # What was imported was checked then: a day or text that is none was damaged since.
                raise damaged(self._place) from error

    def _pages(self, reader: Reader) -> Pages:
        """Return the cutter of pages; it is made anew with the reader."""
        if self._paging is None or self._paging.reader is not reader:
            self._paging = Pages(reader)
        return self._paging

    @contextmanager
    def _reading(self) -> Generator[Reader]:
        """Yield a reader of what is there now."""
        if self._closed:
            raise UnavailableError(f"{named(self._place)} was closed: open it again.")
        if self._shared is None:
            yield self._current()
            return
        failure = None
        with self._shared.reading() as connection:
            if connection is None:
                raise UnavailableError(
                    f"{named(self._place)} holds no facts yet: import some first."
                )
            try:
                yield self._reader_of(connection)
            except (sqlite3.Error, OSError) as error:
                failure = error
        if failure is not None:
            raise failure

    def _reader_of(self, connection: sqlite3.Connection) -> Reader:
        """Return the reader of a connection, which holds a new one against its sums."""
        reader = self._reader
        if reader is None or reader.connection is not connection:
            reader = self._reader = Reader(connection)
            self._has_opened = True
            reader.look_through()
        return reader

    def _current(self) -> Reader:
        """The reader of the file that stands there now."""
        reader, path, now = self._reader, self._path, time.monotonic()
        if path is None:
            assert reader is not None
            return reader
        if reader is not None:
            if now < self._look_at:
                return reader
            self._look_at = now + LOOK_SECONDS
            if schema.identity(path) == self._identity:
                reader.look_through()
                return reader
            self._drop()
        if not self._has_opened and not self._read_only and schema.is_blank(path):
            # Later on a file that is gone is an error: an empty one would answer for it.
            schema.finish(schema.open_writer(path))
        self._identity = schema.identity(path)
        try:
            opened = schema.open_reader(path)
        except schema.NotLaidOutError:
            if self._has_opened or self._read_only:
                raise
            # Another process has just made the file: who lays it out second finds it done.
            schema.finish(schema.open_writer(path))
            opened = schema.open_reader(path)
        self._look_at = now + LOOK_SECONDS
        return self._reader_of(opened)

    def _drop(self) -> None:
        reader, self._reader = self._reader, None
        if self._shared is not None:
            self._shared.close()
        elif reader is not None:
            reader.connection.close()

    @contextmanager
    def _changing(self) -> Generator[sqlite3.Connection]:
        """Yield a connection of its own in a transaction, which is kept unless the block fails.

        Readers do not see into it.
        """
        if self._closed:
            raise UnavailableError(f"{named(self._place)} was closed: open it again.")
        if self._read_only:
            raise UnavailableError(
                f"{named(self._place)} was opened for reading only: open it for writing."
            )
        if isinstance(self._place, Database):
            with closing(_pages_in(self._place)) as copy:
                if copy.is_blank():
                    # So that readers find tables while the first import goes on.
                    with copy.writing():
                        pass
                with copy.writing() as connection:
                    connection.execute(f"PRAGMA cache_size={schema.WRITER_CACHE}")
                    yield connection
            return
        connection = self._copied() if self._path is None else schema.open_writer(self._path)
        kept = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            with told(self._place):
                connection.execute("COMMIT")
            kept = True
        finally:
            self._end(connection, kept)

    def _end(self, connection: sqlite3.Connection, kept: bool) -> None:
        """Close the connection of an import, which rolls back what was not committed."""
        if self._path is not None:
            if kept:
                schema.finish(connection)
                # The import may have made the file anew.
                self._look_at = 0.0
            else:
                connection.close()
            return
        with self._lock:
            if kept and not self._closed:
                self._drop()
                self._reader_of(connection)
            else:
                connection.close()
        self._importing.release()

    def _copied(self) -> sqlite3.Connection:
        """A copy of the facts in memory, which takes their place when the import is kept."""
        if not self._importing.acquire(timeout=BUSY_SECONDS):
            raise UnavailableError(
                f"{named(self._place)} cannot be used: another import is at work: try again when "
                "it has ended."
            )
        connection = schema.open_memory()
        try:
            with self._lock:
                self._current().connection.backup(connection)
        except BaseException:
            connection.close()
            self._importing.release()
            raise
        return connection


def _pages_in(database: Database) -> SharedFile:
    from groundwire.state.shared_file import SharedFile

    return SharedFile(database, SHARED)
