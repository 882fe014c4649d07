"""A store of state in a schema of PostgreSQL.

A store has one connection, which is made when it is needed and made anew when it was lost. Writers
wait for each other by an advisory lock that ends with their transaction, also where its server is
killed. The versions of the tables stand in the schema's table `versions`, one row for each that it
was laid out or upgraded to.
"""

from __future__ import annotations

import hashlib
import re
import select
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from groundwire.errors import UnavailableError

if TYPE_CHECKING:
    import psycopg

    from groundwire.state.stores import Database, Layout, Rows

_STATEMENT_SECONDS = 10
PATIENCE_S = 15.0
"""Seconds without a word from the server after which its connection is given up."""
# Of who looks at all of a store.
_LONG_PATIENCE_S = 600.0
# A machine that vanished without a word is given up after this many times the patience for other
# writers; libpq takes whole seconds, and 2 at least.
_SILENT_TIMES = 5
_LEAST_SECONDS = 2
_AT_ONCE = 50
_VERSIONS = """
    CREATE TABLE IF NOT EXISTS versions (
        version BIGINT PRIMARY KEY, since TIMESTAMPTZ NOT NULL DEFAULT now()
    )
"""
# Words of SQLite's tables, in PostgreSQL's. Texts are compared by their bytes in both.
_WORDS = {
    "BLOB": "BYTEA",
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "TEXT": 'TEXT COLLATE "C"',
    "STRICT": "",
    ", WITHOUT ROWID": "",
}
_WORD = re.compile(r", WITHOUT ROWID|\b(?:BLOB|INTEGER|REAL|TEXT|STRICT)\b")


class Session:
    """A connection to one schema, which takes statements as SQLite writes them."""

    def __init__(self, database: Database, schema: str, *, durable: bool, busy: float) -> None:
        """Connect, and learn how far the clocks are apart.

        Raises:
            psycopg.Error: the server does not answer, or does not let us in.
        """
        import psycopg

        silent = max(_LEAST_SECONDS, round(busy * _SILENT_TIMES))
        self._connection = psycopg.connect(
            **database.arguments(),
            connect_timeout=max(_LEAST_SECONDS, round(busy)),
            keepalives_idle=silent,
            keepalives_interval=1,
            keepalives_count=2,
            tcp_user_timeout=silent * 1000,
            autocommit=True,
        )
        # A server that stands still keeps its connections, so nothing below tells of it.
        self._patience = PATIENCE_S
        connection: Any = self._connection
        wait = connection.wait

        def bounded(waiting: Any, *more: Any, **named: Any) -> Any:
            return wait(_bounded(waiting, self._patience), *more, **named)

        connection.wait = bounded
        asked = time.time()
        settings = {
            "search_path": schema,
            "statement_timeout": f"{_STATEMENT_SECONDS}s",
            "lock_timeout": f"{round(busy * 1000)}ms",
            "idle_in_transaction_session_timeout": f"{silent}s",
            "tcp_user_timeout": f"{silent}s",
            "synchronous_commit": "on" if durable else "off",
            "default_transaction_isolation": "read committed",
        }
        self.run("".join(f"SET {name} = '{value}';" for name, value in settings.items()))
        (there,) = self.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
        ahead = there - (asked + time.time()) / 2
        # Less is of the measurement, and moments of one machine would change their order.
        database.ahead = ahead if abs(ahead) > 1 else 0.0

    @property
    def is_usable(self) -> bool:
        """Whether the connection is open, and the server has not said good-bye."""
        if self._connection.closed:
            return False
        return not select.select([self._connection.fileno()], [], [], 0)[0]

    @property
    def is_idle(self) -> bool:
        """Whether no transaction is open."""
        return self._connection.info.transaction_status.name == "IDLE"

    @contextmanager
    def patient(self) -> Generator[None]:
        """Wait long for each answer inside the block."""
        self._patience = _LONG_PATIENCE_S
        try:
            yield
        finally:
            self._patience = PATIENCE_S

    def run(self, sql: str) -> None:
        """Run statements without values, in one exchange."""
        self._connection.execute(sql.encode())

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Run one statement."""
        return self._connection.execute(_marked(sql), tuple(parameters))

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> None:
        """Run one statement for each row of values."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_marked(sql), [tuple(one) for one in parameters])

    def each(self, sql: str, parameters: Sequence[Any] = (), /) -> Iterator[Any]:
        """Yield the rows of a query, a few at a time, inside a transaction."""
        with self._connection.cursor("each") as cursor:
            cursor.itersize = _AT_ONCE
            yield from cursor.execute(_marked(sql), tuple(parameters))

    def close(self) -> None:
        """Close the connection; an open transaction is undone."""
        # Whatever state it is in, it is done with.
        with suppress(Exception):
            self._connection.close()


def _bounded(waiting: Generator[Any, int, Any], seconds: float) -> Generator[Any, int, Any]:
    """Yield what a generator of psycopg waits for, unless nothing comes for so many seconds.

    psycopg sends 0 about every 0.1 s in which nothing came.

    Raises:
        psycopg.OperationalError: nothing came.
    """
    import psycopg

    deadline = time.monotonic() + seconds
    try:
        wanted = next(waiting)
        while True:
            came = yield wanted
            if came:
                deadline = time.monotonic() + seconds
            elif time.monotonic() > deadline:
                raise psycopg.OperationalError("timeout expired: the server does not answer")
            wanted = waiting.send(came)
    except StopIteration as end:
        return end.value


class DatabaseStore:
    """The store of one layout in a database; nothing is connected before it is needed.

    Its methods may be called from any thread. One block is at work at a time.
    """

    def __init__(self, database: Database, layout: Layout) -> None:
        """Take where the store is, and its tables."""
        self.database = database
        self.schema = f"groundwire_{layout.name}"
        self._layout = layout
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._version = 0
        digest = hashlib.sha256(self.schema.encode()).digest()
        key = int.from_bytes(digest[:8], "big", signed=True)
        self._begin = f"BEGIN; SELECT pg_advisory_xact_lock({key})"

    @contextmanager
    def reading(self) -> Generator[Session | None]:
        """Yield a connection to read from, or None where the store was never written to.

        Raises:
            UnavailableError: the database does not answer, or holds another version.
        """
        with self._lock, self._told():
            session = self._opened()
            yield session if self._version else None

    @contextmanager
    def viewing(self) -> Generator[Session | None]:
        """Yield a connection to one state of the store, whatever is written meanwhile; or None.

        Raises:
            UnavailableError: as `reading`.
        """
        with self.reading() as session:
            if session is None:
                yield None
                return
            session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            # Whoever looks at all of it takes as long as that takes.
            session.run("SET LOCAL statement_timeout = 0")
            with session.patient():
                yield session
            session.run("ROLLBACK")

    @contextmanager
    def writing(self) -> Generator[Session]:
        """Yield a connection in a transaction that is alone with the store; a failure undoes it.

        Raises:
            UnavailableError: the database cannot be written to now. Where the connection was lost
                while it committed, what was written may be there all the same.
        """
        with self._lock, self._told():
            session = self._opened()
            if not self._version:
                self._lay_out(session)
            session.run(self._begin)
            yield session
            session.run("COMMIT")

    def rewrite(self, table: str) -> None:
        """Write a table to the disk anew, without the rows that were replaced or deleted.

        Raises:
            UnavailableError: the database cannot do so now, as while others are at work on it.
        """
        with self.reading() as session:
            if session is not None:
                session.run("SET statement_timeout = 0")
                with session.patient():
                    session.run(f"VACUUM FULL {table}")
                session.run(f"SET statement_timeout = '{_STATEMENT_SECONDS}s'")

    def close(self) -> None:
        """Close the connection; a later block makes a new one."""
        with self._lock:
            self._drop()

    @contextmanager
    def _told(self) -> Generator[None]:
        """Undo what goes wrong, and say it in one line."""
        import psycopg

        try:
            yield
        except (psycopg.Error, ForeignSchemaError) as error:
            self._drop()
            what = f"The {self._layout.name.replace('_', ' ')} in {self.database.shown}"
            secret = str(self.database.arguments().get("password") or "")
            raise unavailable(what, error, secret, self.database.variable) from None
        except BaseException:
            if self._session is not None and not self._session.is_idle:
                try:
                    self._session.run("ROLLBACK")
                except psycopg.Error:
                    self._drop()
            raise

    def _opened(self) -> Session:
        """Return the connection, made anew where it was lost, and know the version of the tables.

        Raises:
            ForeignSchemaError: they are of a newer version, or of one that cannot be upgraded.
        """
        if self._session is not None and not self._session.is_usable:
            self._drop()
        if self._session is None:
            self._session = Session(
                self.database,
                self.schema,
                durable=self._layout.synchronous == "FULL",
                busy=self._layout.busy_seconds,
            )
        if not self._version:
            self._version = self._found(self._session)
            if 0 < self._version < self._layout.version:
                self._lay_out(self._session)
        return self._session

    def _drop(self) -> None:
        self._version = 0
        if self._session is not None:
            self._session.close()
            self._session = None

    def _found(self, session: Session) -> int:
        """Return the version of the tables; 0 where there are none.

        Raises:
            ForeignSchemaError: it is one that cannot be used.
        """
        (there,) = session.execute(
            "SELECT to_regclass(?) IS NOT NULL", (f"{self.schema}.versions",)
        ).fetchone()
        if not there:
            return 0
        (found,) = session.execute("SELECT coalesce(max(version), 0) FROM versions").fetchone()
        ours = self._layout.version
        if found > ours:
            raise ForeignSchemaError(
                f"it has version {found}, this Groundwire reads version {ours}",
                "update Groundwire",
            )
        if found and not all(one in self._layout.upgrades for one in range(found, ours)):
            raise ForeignSchemaError(
                f"it has version {found}, from which nothing leads to version {ours}",
                f"rename its schema {self.schema}; a new one begins by itself",
            )
        return found

    def _lay_out(self, session: Session) -> None:
        """Create the tables, or bring older ones to this version, in one transaction."""
        session.run(self._begin)
        (there,) = session.execute(
            "SELECT to_regnamespace(?) IS NOT NULL", (self.schema,)
        ).fetchone()
        if not there:
            session.run(f"CREATE SCHEMA {self.schema}")
        session.run(_VERSIONS)
        # Another server may have done it meanwhile.
        found, ours = self._found(session), self._layout.version
        steps = {ours: self._layout.tables}
        if found:
            steps = {one + 1: self._layout.upgrades[one] for one in range(found, ours)}
        for version, statements in steps.items():
            for statement in statements:
                session.run(_WORD.sub(lambda word: _WORDS[word[0]], statement))
            session.execute("INSERT INTO versions (version) VALUES (?)", (version,))
        session.run("COMMIT")
        self._version = ours


@cache
def _marked(sql: str) -> bytes:
    """Return a statement with the marks of psycopg."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


_AGAIN = "try again, and see how busy the server is if it lasts"
_CHANGED = "its tables are not those of this version, so look who else changes them"
# By SQLSTATE, or by its first two characters.
_REMEDIES = {
    "08": "see that the server runs and that {0} names it",
    "22": "a name or a text holds what PostgreSQL does not keep, so use another",
    "25006": "it is read-only, as a standby is, so name the primary in {0}",
    "28": "see that the user in {0} and {0}_PASSWORD are right",
    "3D": "make the database, or name another in {0}",
    "42P01": _CHANGED,
    "42703": _CHANGED,
    "42501": "let the user of {0} make schemas: GRANT CREATE ON DATABASE",
    "53": _AGAIN,
    "53100": "free some space on its disk",
    "55P03": "another server is at work on it, so try again",
    "57014": _AGAIN,
    "57P": "the server is ending or starting, so try again",
}
# Where nobody answers at the address, libpq says so in its own words and there is no SQLSTATE.
_NOBODY = re.compile(
    r"refused|timed? ?out|timeout expired|translate host name|unreachable|no route|no such file"
    r"|closed|reset|terminat|lost",
    re.IGNORECASE,
)
_LONGEST = 200


class ForeignSchemaError(Exception):
    """The tables are not those of this version; `remedy` says what to do."""

    def __init__(self, said: str, remedy: str) -> None:
        super().__init__(said)
        self.remedy = remedy


def unavailable(
    what: str, error: psycopg.Error | ForeignSchemaError, secret: str, variable: str
) -> UnavailableError:
    """Return the error to raise for what PostgreSQL or libpq said.

    Args:
        what: the store and the database, such as "The journeys in postgresql://db:5432/state".
        error: what was said.
        secret: the password, which is never repeated.
        variable: the variable that names the database.
    """
    if isinstance(error, ForeignSchemaError):
        return UnavailableError(f"{what} cannot be used ({error}): {error.remedy}.")
    said = error.diag.message_primary or str(error)
    # Lines that begin with a tab are advice of libpq's own.
    said = " ".join(line for line in said.splitlines() if not line.startswith("\t"))
    said = " ".join((said.replace(secret, "***") if secret else said).split()).rstrip(".")
    # libpq tells each address that it tried; the server's own words come last.
    said = said.rpartition("FATAL: ")[2].strip()[-_LONGEST:]
    # An error without a state is of the connection, or of a value that was not even sent.
    state = error.sqlstate or ("08" if _NOBODY.search(said) else "28")
    state = "22" if error.__class__.__name__ == "DataError" else state
    found = (state, state[:3], state[:2])
    remedy = next((_REMEDIES[one] for one in found if one in _REMEDIES), _AGAIN)
    return UnavailableError(f"{what} cannot be used ({said}): {remedy.format(variable)}.")
