"""One small SQLite file of state: how it is made, shared, and told about when it fails.

The file is its user's alone and lies in `GROUNDWIRE_HOME`. Several processes and threads share it:
readers never wait in WAL mode, writers wait for each other's short transactions. A file that is
moved away or replaced while it is open is noticed. Failures are one line that says what to do.
"""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import threading
import time
from collections.abc import Generator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Generic, Literal, Protocol, Self, TypeVar

from groundwire.errors import UnavailableError
from groundwire.private_files import private_file

BUSY_SECONDS = 3.0
"""How long a writer waits for the others, where its caller says nothing."""

# Other transactions last a fraction of a millisecond.
_PAUSES = (0.0002, 0.005)
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN})
_REMEDIES = {
    **dict.fromkeys(_BUSY, "another process is at work on it, so try again"),
    **dict.fromkeys(_DAMAGED, "move it away; a new one begins by itself"),
    sqlite3.SQLITE_FULL: "its disk is full, so free some space",
}
_REMEDY = "make it and its folder writable, or set GROUNDWIRE_HOME to one that is"

# What the file system says in its own words, as SQLite would.
_OF_ERRNO = {
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
    **dict.fromkeys(
        (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST), sqlite3.SQLITE_CANTOPEN
    ),
}


class DamagedError(UnavailableError):
    """The file cannot be read as a database at all."""


class Flush:
    """A commit that is written and not yet on the disk, which its caller brings there.

    Handed to `StateFile.writing`, which fills it in. `start` begins to bring it to the disk while
    the caller does something else. Whoever handed it over answers nobody before `wait` has
    returned. Two files that are written first and brought to the disk at the same moment cost
    about as much as one: the file system writes its journal once for both.
    """

    def __init__(self) -> None:
        """Take no commit yet."""
        self._file: StateFile | None = None
        self._log: FileIO | None = None
        self._threads: Executor | None = None
        self._work: Future[None] | None = None

    def hold(self, file: StateFile, log: FileIO, threads: Executor) -> None:
        """Take the commit of a file, the log that it stands in, and where to wait for the disk."""
        self._file, self._log, self._threads = file, log, threads

    def start(self) -> None:
        """Begin to bring the commit to the disk in a thread; nothing where there is none."""
        if self._log is None or self._threads is None or self._work is not None:
            return
        # Where the file was closed meanwhile, who waits brings it there.
        with suppress(RuntimeError):
            self._work = self._threads.submit(_synced, self._log)

    def wait(self) -> None:
        """Return once the commit is safe on the disk; at once where there was none.

        Raises:
            UnavailableError: the disk did not take it.
        """
        if self._log is None or self._file is None:
            return
        try:
            if self._work is None:
                _synced(self._log)
            else:
                self._work.result()
        except OSError as error:
            raise self._file.unavailable(error) from error
        self._log = None


class StateFile:
    """The file of one kind of state at `path`; nothing is opened before it is needed.

    Any thread may call its methods. One block, `reading` or `writing`, is at work at a time.
    """

    def __init__(
        self,
        path: Path,
        what: str,
        *,
        application: int,
        version: int,
        schema: tuple[str, ...],
        upgrades: Mapping[int, tuple[str, ...]] | None = None,
        synchronous: Literal["FULL", "NORMAL", "OFF"] = "FULL",
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        """Take what the file is; it and its folder are made when something is first written.

        Args:
            path: where the file is.
            what: what messages call it: "file of KG policies".
            application: the id in its header by which it is told from other programs' files.
            version: the version of its schema.
            schema: the statements that create it.
            upgrades: by the version of an older file, the statements that bring it to the next
                version; a file of a version without any is not taken.
            synchronous: `FULL` for state that survives a power cut once it is committed, `NORMAL`
                for state that can be had again, whose commits do not wait for the disk, `OFF` for a
                copy that ends with its process.
            busy_seconds: how long to wait for other processes.
        """
        self.path = path
        self._what = what
        self._application = application
        self._version = version
        self._schema = schema
        self._upgrades = upgrades or {}
        self._synchronous = synchronous
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._flusher: ThreadPoolExecutor | None = None

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection | None]:
        """Yield a connection to read from, or None while the file is missing; it is not made.

        What a disk that cannot be written holds is read too.

        Raises:
            UnavailableError: the file is there and cannot be read, or SQLite failed in the block.
        """
        with self._lock, self._told():
            if not self.path.exists():
                yield None
                return
            try:
                writable = self._opened()
            except (sqlite3.Error, OSError) as refusal:
                if primary_code(refusal) not in _UNWRITABLE:
                    raise
                # Opened anew each time, since the disk may be writable the next time.
                with closing(self._opened_unwritable(refusal)) as connection:
                    yield connection
                return
            yield writable

    @contextmanager
    def writing(self, flush: Flush | None = None) -> Generator[sqlite3.Connection]:
        """A connection in a transaction, committed at the end; a failure leaves nothing of it.

        Args:
            flush: where the caller waits for the disk itself. The commit is then in the log of the
                file, which a killed process does not lose; without it the block ends when it is
                on the disk.

        Raises:
            UnavailableError: the file cannot be written now, or SQLite failed in the block.
        """
        with self._lock, self._told():
            connection = self._opened()
            connection.execute("PRAGMA busy_timeout=0")
            if flush is not None:
                connection.execute("PRAGMA synchronous=NORMAL")
            try:
                begin_immediate(connection, self._busy_seconds)
                connection.execute(f"PRAGMA busy_timeout={round(self._busy_seconds * 1000)}")
                yield connection
                connection.execute("COMMIT")
            finally:
                if flush is not None and not connection.in_transaction:
                    connection.execute(f"PRAGMA synchronous={self._synchronous}")
            if flush is not None:
                # Also where the transaction changed nothing: what it found may be of another one,
                # which is not on the disk yet. SQLite brings what it moves out of the log to the
                # disk itself.
                if self._flusher is None:
                    self._flusher = ThreadPoolExecutor(1, thread_name_prefix="flush")
                log = self.path.with_name(f"{self.path.name}-wal")
                flush.hold(self, FileIO(log, "rb+"), self._flusher)

    def beside(self) -> StateFile:
        """Return the same file for a reader inside a block of this one, which holds its lock."""
        return StateFile(
            self.path,
            self._what,
            application=self._application,
            version=self._version,
            schema=self._schema,
            upgrades=self._upgrades,
        )

    def scrub(self) -> None:
        """Write over what was deleted and still stands in the log of the file.

        Raises:
            UnavailableError: the file cannot be used.
        """
        with self.reading() as connection:
            if connection is not None:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file; a later block opens it again."""
        with self._lock:
            self._drop()
            if self._flusher is not None:
                self._flusher.shutdown()
                self._flusher = None

    def move_aside(self) -> None:
        """Make room for a new file, where what the file held can be had again."""
        with self._lock:
            self._drop()
            with suppress(OSError):
                self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
                for suffix in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    @contextmanager
    def _told(self) -> Generator[None]:
        """Undo what goes wrong, and say it in one line."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._drop()
            raise self.unavailable(error) from error
        except BaseException:
            if self._connection is not None and self._connection.in_transaction:
                self._drop()
            raise

    def _opened(self) -> sqlite3.Connection:
        """The connection to the file that is at the path now."""
        if self._connection is None or identity(self.path) != self._file:
            self._drop()
            self._connection = self._connected()
            self._file = identity(self.path)
        return self._connection

    def _opened_unwritable(self, refusal: sqlite3.Error | OSError) -> sqlite3.Connection:
        """Open a file that this process cannot write.

        Raises:
            sqlite3.Error, OSError: `refusal`, where it cannot be read either. A log beside the file
                that cannot be read is such a reason: without it an old state would be read.
        """
        logged = self.path.with_name(f"{self.path.name}-wal")
        frozen = not (logged.exists() and logged.stat().st_size)
        for mode in ("mode=ro", *(["immutable=1"] if frozen else [])):
            connection = None
            try:
                connection = sqlite3.connect(
                    f"{self.path.absolute().as_uri()}?{mode}",
                    uri=True,
                    timeout=self._busy_seconds,
                    isolation_level=None,
                    check_same_thread=False,
                )
                if self._checked(connection):
                    return connection
            except sqlite3.Error as error:
                if isinstance(error, _ForeignError) or primary_code(error) in _DAMAGED:
                    if connection is not None:
                        connection.close()
                    raise
            if connection is not None:
                connection.close()
        raise refusal

    def _drop(self) -> None:
        """Close the connection, whatever it was doing; an open transaction is rolled back."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        """Open the file, and create it if it is not there."""
        private_file(self.path)
        deadline = time.monotonic() + self._busy_seconds
        while True:
            connection = sqlite3.connect(
                self.path,
                timeout=self._busy_seconds,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._prepare(connection)
            except BaseException as error:
                connection.close()
                # Two processes that create one file can refuse each other without waiting.
                busy = isinstance(error, sqlite3.Error) and is_busy(error)
                if not busy or time.monotonic() > deadline:
                    raise
            else:
                return connection
            time.sleep(_PAUSES[-1])

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """See that the file is ours before anything in it is changed; lay it out if it is empty."""
        blank = not self._checked(connection)
        connection.execute("PRAGMA journal_mode=WAL")
        if blank:
            connection.execute("BEGIN IMMEDIATE")
            if not self._checked(connection):
                for statement in self._schema:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id={self._application}")
                connection.execute(f"PRAGMA user_version={self._version}")
            connection.execute("COMMIT")
        elif self._upgrades:
            self._upgrade(connection)
        connection.execute(f"PRAGMA synchronous={self._synchronous}")

    def _upgrade(self, connection: sqlite3.Connection) -> None:
        """Bring an older file to the version of now, in one transaction."""
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == self._version:
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have done it meanwhile.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for one in range(version, self._version):
            for statement in self._upgrades[one]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={self._version}")
        connection.execute("COMMIT")

    def _checked(self, connection: sqlite3.Connection) -> bool:
        """Whether the file is laid out; an empty one is not.

        Raises:
            _ForeignError: it is another program's, or of another version.
        """
        # In this order, since another process may lay the file out between two of these questions.
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if not tables and not version:
            return False
        if application == self._application and version > self._version:
            raise _ForeignError(
                f"it has version {version}, this Groundwire reads version {self._version}",
                "update Groundwire",
            )
        older = all(one in self._upgrades for one in range(version, self._version))
        if application != self._application or not version or not older:
            raise _ForeignError(
                f"it is no {self._what} of this version",
                "move it away; a new one begins by itself",
            )
        return True

    def unavailable(self, error: sqlite3.Error | OSError) -> UnavailableError:
        """Return what went wrong with this file in one line that says what to do."""
        code = primary_code(error)
        said = error.strerror if isinstance(error, OSError) else str(error.args[0])
        remedy = _REMEDIES.get(code, _REMEDY)
        if isinstance(error, _ForeignError):
            remedy = error.remedy
        kind = DamagedError if code in _DAMAGED else UnavailableError
        # SQLite may quote what stands in the file.
        said = " ".join(str(said).split())
        return kind(f"The {self._what} {self.path.name} cannot be used ({said}): {remedy}.")


def _synced(log: FileIO) -> None:
    """Bring an open file to the disk, and close it.

    Raises:
        OSError: the disk did not take it.
    """
    with log:
        getattr(os, "fdatasync", os.fsync)(log.fileno())


class _ForeignError(sqlite3.DatabaseError):
    """The file is of SQLite, but not one that can be used here."""

    def __init__(self, said: str, remedy: str) -> None:
        super().__init__(said)
        self.remedy = remedy


class _Closed(Protocol):
    def close(self) -> None: ...


_State = TypeVar("_State", bound=_Closed)


class Kept(Generic[_State]):
    """Base of what keeps its state in one store: it is closed by name or at the end of a block."""

    _state: _State

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store; a later call opens it again."""
        self._state.close()


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file stands at `path` now, or None; it may be moved away while it is open."""
    try:
        found = os.stat(path)  # noqa: PTH116 - once a transaction; Path.stat costs twice as much
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_busy(error: sqlite3.Error) -> bool:
    """Whether `error` only says that another process is at work."""
    return primary_code(error) in _BUSY


def primary_code(error: sqlite3.Error | OSError) -> int:
    """SQLite's primary code of an error; 0 if it has none (the module's own errors)."""
    if isinstance(error, OSError):
        return _OF_ERRNO.get(error.errno or 0, 0)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def begin_immediate(connection: sqlite3.Connection, seconds: float) -> None:
    """Begin to write as soon as nobody else does, on a connection whose busy timeout is 0.

    SQLite's own waiting pauses longer each time, up to 0.1 s, and so never finds the gap between
    two transactions of a process that writes without a rest.

    Args:
        connection: where the transaction begins.
        seconds: how long to try.

    Raises:
        sqlite3.Error: it cannot begin, or not within that time.
    """
    deadline = time.monotonic() + seconds
    pause, longest = _PAUSES
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.Error as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
        time.sleep(pause * random.uniform(0.5, 1))
        pause = min(pause * 1.2, longest)
