"""A file of SQLite that the servers of a database share, page by page.

The database holds the pages, and for each the commit that wrote it last. A server works on a copy
of its own: every block begins with the pages that others wrote since, a block of `writing` is
alone among all servers, and ends when the pages that it changed are in the database. The copy is
thrown away with its process, and wherever it may be ahead of the database.
"""

from __future__ import annotations

import secrets
import sqlite3
import struct
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.private_files import private_file
from groundwire.process_lock import alone
from groundwire.state.postgres import DatabaseStore
from groundwire.state.stores import Layout
from groundwire.statefile import Flush, StateFile, identity

if TYPE_CHECKING:
    from groundwire.state.postgres import Session
    from groundwire.state.stores import Database

COPIES = "copies"
"""The folder of the copies below the state folder."""

_TABLES = (
    # pages: how many the file has; layout: the version of the tables inside it. A copy whose last
    # commit is not here is of another history, as after a database was put back.
    """CREATE TABLE commits (
        place INTEGER PRIMARY KEY,
        mark TEXT NOT NULL,
        pages INTEGER NOT NULL,
        layout INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE pages (
        number INTEGER PRIMARY KEY,
        place INTEGER NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX pages_by_place ON pages (place)",
)
_NEWEST = "SELECT place, mark, pages, layout FROM commits ORDER BY place DESC LIMIT 1"
_KEEP = (
    "INSERT INTO pages (number, place, data) VALUES (?, ?, ?) "
    "ON CONFLICT (number) DO UPDATE SET place = excluded.place, data = excluded.data"
)
_COMMITS_KEPT = 10_000
_AT_ONCE = 200
# An import of many cards says nothing to the database for so long.
_LONGEST_BLOCK = "600s"
# https://www.sqlite.org/fileformat2.html#walformat
_LOG_HEADER, _FRAME = struct.Struct(">8xL20x"), struct.Struct(">LL16x")
_SUFFIXES = ("", "-wal", "-shm")

# place, mark, pages, layout
_Commit = tuple[int, str, int, int]
_NONE: _Commit = (0, "", 0, 0)


class SharedFile(StateFile):
    """The file of a layout in a database; nothing is copied before it is needed.

    Any thread may call its methods. One block is at work at a time.
    """

    def __init__(self, database: Database, layout: Layout) -> None:
        """Take where the pages are, and the tables of the file."""
        name = f"{layout.name}-{secrets.token_hex(6)}"
        super().__init__(
            database.home / COPIES / f"{name}.sqlite",
            layout.what,
            application=layout.application,
            version=layout.version,
            schema=layout.tables,
            upgrades=layout.upgrades,
            synchronous="OFF",
            busy_seconds=layout.busy_seconds,
        )
        self._pages = DatabaseStore(
            database,
            Layout(layout.name, layout.what, 0, 1, _TABLES, busy_seconds=layout.busy_seconds),
        )
        self._copied = _NONE
        self._inode: tuple[int, int] | None = None
        # Whether the copy may hold what the database does not.
        self._is_ahead = False
        self._held: ExitStack | None = None

    def is_blank(self) -> bool:
        """Return whether nothing was ever written; nothing is copied.

        Raises:
            UnavailableError: the database does not answer.
        """
        with self._lock:
            return self._newest() == _NONE

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection | None]:
        """Yield a connection to what the database holds now, or None where nothing was written.

        Raises:
            UnavailableError: the database does not answer, or the copy cannot be made.
        """
        with self._lock, self._told():
            newest = self._newest()
            if not self._is_current(newest):
                with self._pages.viewing() as session:
                    if session is not None:
                        self._follow(session)
            if 0 < self._copied[3] < self._version:
                with self._shared() as session:
                    self._lay_out(session)
            yield self._opened() if self._copied[0] else None

    @contextmanager
    def writing(self, flush: Flush | None = None) -> Generator[sqlite3.Connection]:
        """Yield a connection in a transaction that is in the database once the block ends.

        Args:
            flush: has nothing to wait for, since the block does not end before.

        Raises:
            UnavailableError: the database cannot be written to now. Where the connection was lost
                while it committed, what was written may be there all the same.
        """
        with self._lock, self._told():
            with self._shared() as session:
                if self._copied[3] != self._version:
                    self._lay_out(session)
                connection = self._opened()
                connection.execute("PRAGMA wal_autocheckpoint=0")
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                self._is_ahead = True
                connection.execute("COMMIT")
                self._send(session)
            # Of what the database holds, nothing need stay in the log.
            try:
                (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error:
                busy = True
            if busy:
                self._drop()

    def scrub(self) -> None:
        """Remove the pages that were replaced from the database's disk.

        Raises:
            UnavailableError: the database does not answer, or others are at work on the pages.
        """
        with self._lock:
            self._pages.rewrite("pages")

    def close(self) -> None:
        """Close the connections and throw the copy away; a later block makes a new one."""
        with self._lock:
            self._throw_away()
            self._pages.close()
            if self._held is not None:
                self._held.close()
                self._held = None

    @contextmanager
    def _shared(self) -> Generator[Session]:
        """Yield a session that is alone among the servers, with the copy brought up to date."""
        try:
            with self._pages.writing() as session:
                session.run(f"SET LOCAL idle_in_transaction_session_timeout = '{_LONGEST_BLOCK}'")
                self._follow(session)
                yield session
        except BaseException:
            if self._is_ahead:
                self._throw_away()
            raise
        self._is_ahead = False

    def _newest(self) -> _Commit:
        with self._pages.reading() as session:
            found = None if session is None else session.execute(_NEWEST).fetchone()
        return found or _NONE

    def _is_current(self, newest: _Commit) -> bool:
        return newest == self._copied and (newest == _NONE or identity(self.path) == self._inode)

    def _follow(self, session: Session) -> None:
        """Bring the copy to what the database holds, inside one transaction of it."""
        newest: _Commit = session.execute(_NEWEST).fetchone() or _NONE
        if self._is_current(newest):
            return
        known = session.execute(
            "SELECT count(*) FROM commits WHERE place = ? AND mark = ?", self._copied[:2]
        ).fetchone()
        if known == (0,) or identity(self.path) != self._inode:
            self._throw_away()
        if newest == _NONE:
            return
        self._drop()
        since, self._copied = self._copied[0], _NONE
        self._hold()
        private_file(self.path)
        with self.path.open("r+b") as copy:
            size = 0
            for number, data in session.each(
                "SELECT number, data FROM pages WHERE place > ?", (since,)
            ):
                size = size or len(data)
                copy.seek((number - 1) * len(data))
                copy.write(data)
            copy.truncate(newest[2] * size)
        self._copied, self._inode = newest, identity(self.path)

    def _lay_out(self, session: Session) -> None:
        """Create the tables in the file, or bring them to this version, and send all its pages."""
        self._hold()
        self._is_ahead = True
        connection = self._opened()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        with self.path.open("rb") as file:
            self._keep(session, ((one, file.read(size)) for one in range(1, pages + 1)), pages)

    def _send(self, session: Session) -> None:
        """Send the pages that the last transaction changed; nothing where it changed none."""
        log = self.path.with_name(f"{self.path.name}-wal")
        frames, pages, size = _frames(log)
        if not frames:
            return
        with log.open("rb") as file:

            def changed() -> Iterator[tuple[int, bytes]]:
                for number, place in sorted(frames.items()):
                    file.seek(place)
                    yield number, file.read(size)

            self._keep(session, changed(), pages)

    def _keep(self, session: Session, changed: Iterator[tuple[int, bytes]], pages: int) -> None:
        """Write pages to the database as those of one commit."""
        place = self._copied[0] + 1
        self._copied = (place, secrets.token_hex(8), pages, self._version)
        self._inode = identity(self.path)
        rows = ((number, place, data) for number, data in changed)
        while some := tuple(islice(rows, _AT_ONCE)):
            session.executemany(_KEEP, some)
        session.execute("DELETE FROM pages WHERE number > ?", (pages,))
        session.execute("DELETE FROM commits WHERE place <= ?", (place - _COMMITS_KEPT,))
        session.execute(
            "INSERT INTO commits (place, mark, pages, layout) VALUES (?, ?, ?, ?)", self._copied
        )

    def _throw_away(self) -> None:
        """Remove the copy; the next block begins with all pages."""
        self._drop()
        self._copied, self._inode, self._is_ahead = _NONE, None, False
        _remove(self.path)

    def _hold(self) -> None:
        """Say that the copy is in use, and remove those whose processes have ended."""
        if self._held is not None:
            return
        private_file(self.path)
        for lock in self.path.parent.glob("*.lock"):
            with alone(lock, 0) as ended:
                if ended:
                    _remove(lock.with_suffix(".sqlite"))
                    lock.unlink(missing_ok=True)
        self._held = ExitStack()
        lock = self.path.with_suffix(".lock")
        self._held.enter_context(alone(lock, 0))
        self._held.callback(lock.unlink, missing_ok=True)


def _remove(path: Path) -> None:
    for suffix in _SUFFIXES:
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _frames(log: Path) -> tuple[dict[int, int], int, int]:
    """Read which pages stand in a log of SQLite.

    Returns:
        where the last version of each committed page begins, how many pages the file then has, and
        the bytes of a page.
    """
    found: dict[int, int] = {}
    pages = 0
    if not log.exists() or log.stat().st_size < _LOG_HEADER.size:
        return found, pages, 0
    with log.open("rb") as file:
        (size,) = _LOG_HEADER.unpack(file.read(_LOG_HEADER.size))
        # Frames behind the last that ends a commit are of a transaction that was undone.
        open_ones: dict[int, int] = {}
        while len(header := file.read(_FRAME.size)) == _FRAME.size:
            number, after = _FRAME.unpack(header)
            open_ones[number] = file.tell()
            file.seek(size, 1)
            if after:
                found |= open_ones
                open_ones, pages = {}, after
    return found, pages, size
