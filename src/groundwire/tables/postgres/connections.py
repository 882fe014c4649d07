"""Connections to one PostgreSQL database, lent to one query at a time; and its values, exact."""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.tables.bounds import (
    CHUNK,
    MAX_BLOB,
    MAX_CELL,
    MAX_TEXT,
    Budget,
    Refused,
    blob,
    instant,
    instead,
)
from groundwire.tables.postgres.gate import Verdict

if TYPE_CHECKING:
    import psycopg


Cell = str | int | float | Decimal | bool | None

# Object ids of built-in types (src/include/catalog/pg_type.dat); they never change.
BOOL, BYTEA, NUMERIC = 16, 17, 1700
_WHOLE = frozenset((20, 21, 23, 26))
_FLOATS = frozenset((700, 701))
_TIMESTAMPS = frozenset((1114, 1184))


def projection(column: str, type_: int, *, nested: bool) -> str:
    """Return what to select in place of a column, as text of bounded length.

    Args:
        column: its name, quoted and qualified.
        type_: object id of its type.
        nested: whether it is an array or a row.
    """
    if type_ == BYTEA:
        return (
            f"pg_catalog.octet_length({column})::pg_catalog.text || ' ' || pg_catalog.encode("
            f"pg_catalog.substring({column}, 1, {MAX_BLOB}), 'hex')"
        )
    text = (
        f"pg_catalog.to_json({column})::pg_catalog.text" if nested else f"{column}::pg_catalog.text"
    )
    return f'pg_catalog."left"({text}, {MAX_CELL + 1})'


def shown(row: Sequence[str | None], types: Sequence[int], budget: Budget) -> tuple[Cell, ...]:
    """A row of texts as an answer shows it."""
    return tuple(
        None if text is None else _shown(text, type_, budget)
        for text, type_ in zip(row, types, strict=True)
    )


def _shown(text: str, type_: int, budget: Budget) -> Cell:
    if type_ in _WHOLE:
        return int(text)
    if type_ == BOOL:
        return text == "true"
    if type_ == NUMERIC:
        number = Decimal(text)
        return number if number.is_finite() else text
    if type_ in _FLOATS:
        value = float(text)
        return value if math.isfinite(value) else text
    if type_ == BYTEA:
        size, _, head = text.partition(" ")
        return blob(bytes.fromhex(head), int(size))
    if type_ in _TIMESTAMPS:
        return instant(text)
    return budget.clipped(text)


# What libpq says where nothing answers at the address; a server that answers has a reason.
_NOT_THERE = re.compile(
    r"refused|timeout expired|timed out|translate host name|unreachable|no route|no such file", re.I
)
# The part of the time that the server may take; the rest is for its answer.
_PART = 0.93
# `$` is the time that is left, in milliseconds.
_BEGIN = b"""
    BEGIN TRANSACTION READ ONLY;
    SET LOCAL statement_timeout = $;
    SET LOCAL lock_timeout = $;
    SET LOCAL idle_in_transaction_session_timeout = $;
    SET LOCAL standard_conforming_strings = on;
    SET LOCAL client_encoding = 'UTF8';
    SET LOCAL DateStyle = 'ISO, YMD';
    SET LOCAL IntervalStyle = 'iso_8601';
    SET LOCAL TimeZone = 'UTC';
    SET LOCAL bytea_output = 'hex';
    SET LOCAL extra_float_digits = 1
"""
# Functions of one argument, written after a point, unless they are casts of PostgreSQL's own.
_FIELD_FUNCTIONS = """
    SELECT proname FROM pg_catalog.pg_proc p
    WHERE proname = ANY(%s) AND pronargs > 0 AND pronargs - pronargdefaults <= 1
    AND NOT (p.oid < 16384 AND EXISTS (SELECT 1 FROM pg_catalog.pg_cast WHERE castfunc = p.oid))
"""
# And where a column could stand: only those that take a row, or anything.
_COLUMN_FUNCTIONS = """
    SELECT proname FROM pg_catalog.pg_proc JOIN pg_catalog.pg_type t ON t.oid = proargtypes[0]
    WHERE proname = ANY(%s) AND pronargs - pronargdefaults <= 1 AND t.typtype IN ('c', 'p')
"""
_TYPES = """
    SELECT oid, typcategory IN ('A', 'C') OR oid = 2249, pg_catalog.format_type(oid, NULL)
    FROM pg_catalog.pg_type WHERE oid = ANY(%s)
"""
_TABLES = """
    SELECT DISTINCT CASE WHEN table_schema = ANY(current_schemas(false)) THEN table_name
        ELSE table_schema || '.' || table_name END
    FROM information_schema.tables
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
"""


class Rows(NamedTuple):
    """The answer to one SELECT.

    Attributes:
        names: of its columns.
        types: object ids of their types.
        type_names: the types as PostgreSQL writes them.
        rows: as `shown` gives them.
        more: whether the answer was too large.
        cut: how many cells were cut.
    """

    names: list[str]
    types: list[int]
    type_names: list[str]
    rows: list[tuple[Cell, ...]]
    more: bool
    cut: int


class Session:
    """A connection, used by one query at a time."""

    def __init__(self, arguments: dict[str, Any], timeout: float) -> None:
        import psycopg

        self._connection = psycopg.connect(
            **arguments,
            # libpq takes whole seconds, and 2 at least.
            connect_timeout=max(2, int(timeout)),
            autocommit=True,
            prepare_threshold=None,
        )

    @property
    def is_usable(self) -> bool:
        """Whether another query can be run on it: it is open, and the server has not ended it."""
        if self._connection.closed:
            return False
        # A server that has something to say to an idle connection says good-bye.
        return not select.select([self._connection.fileno()], [], [], 0)[0]

    def close(self) -> None:
        """Give the connection back."""
        with contextlib.suppress(Exception):
            self._connection.close()

    def run(
        self, verdict: Verdict, limit: int, deadline: float, characters: int = MAX_TEXT
    ) -> Rows:
        """The first `limit` rows of a SELECT that passed the gate.

        Args:
            verdict: the SELECT.
            limit: most rows to read.
            deadline: of `time.monotonic`; the connection is cut there.
            characters: most characters of all cells; the rows end where the next would pass it.

        Raises:
            Refused: the server found more than one statement, or a function after a point.
            psycopg.Error: what the server or the connection said.
        """
        with self._until(deadline):
            return self._select(verdict, limit, characters)

    def read(self, queries: dict[str, str], deadline: float) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of queries of ours, by name, in one transaction."""
        with self._until(deadline):
            return {
                name: self._connection.execute(query.encode()).fetchall()
                for name, query in queries.items()
            }

    @contextlib.contextmanager
    def _until(self, deadline: float) -> Generator[None]:
        """A READ ONLY transaction whose connection is cut at the deadline."""
        twin = socket.socket(fileno=os.dup(self._connection.fileno()))

        def cut() -> None:
            with contextlib.suppress(OSError):
                twin.shutdown(socket.SHUT_RDWR)

        cutter = threading.Timer(max(0.0, deadline - time.monotonic()), cut)
        cutter.daemon = True
        cutter.start()
        try:
            self._begin(deadline)
            try:
                yield
            finally:
                if not self._connection.broken:
                    self._connection.execute("ROLLBACK")
        finally:
            cutter.cancel()
            cutter.join()
            twin.close()

    def table_names(self) -> set[str]:
        """The names of the tables that may be read, as a query writes them."""
        return {str(name) for (name,) in self._connection.execute(_TABLES).fetchall()}

    def _begin(self, deadline: float) -> None:
        milliseconds = max(1, int((deadline - time.monotonic()) * 1000 * _PART))
        # One round trip.
        self._connection.execute(_BEGIN.replace(b"$", str(milliseconds).encode()))

    def _select(self, verdict: Verdict, limit: int, characters: int) -> Rows:
        self._refuse_functions(verdict)
        names, types = self._described(verdict.text)
        columns = [f"c{place}" for place in range(1, len(names) + 1)]
        known = self._known(types)
        type_names = [known[type_][1] for type_ in types]
        cells = ", ".join(
            projection(f"q.{column}", type_, nested=known[type_][0])
            for column, type_ in zip(columns, types, strict=True)
        )
        # The text is one SELECT to the server's parser, which has just described it.
        source = f"FROM (\n{verdict.text}\n) AS q({', '.join(columns)})"
        self._connection.execute(
            f"DECLARE gw NO SCROLL CURSOR WITHOUT HOLD FOR SELECT {cells} {source}".encode()
        )
        budget = Budget(characters)
        rows: list[tuple[Cell, ...]] = []
        while len(rows) < limit:
            wanted = min(CHUNK, limit - len(rows))
            chunk = self._connection.execute(f"FETCH FORWARD {wanted} FROM gw".encode()).fetchall()
            for row in chunk:
                found = shown(row, types, budget)
                if not budget.takes(found):
                    return Rows(names, types, type_names, rows, True, budget.cut)
                rows.append(found)
            if len(chunk) < wanted:
                break
        return Rows(names, types, type_names, rows, False, budget.cut)

    def _described(self, text: str) -> tuple[list[str], list[int]]:
        """Names and types of the columns of the one prepared statement that `text` is."""
        import psycopg
        from psycopg.pq import DiagnosticField, ExecStatus

        server = self._connection.pgconn
        for step in (
            lambda: server.prepare(b"", text.encode()),
            lambda: server.describe_prepared(b""),
        ):
            result = step()
            if result.status != ExecStatus.COMMAND_OK:
                raise psycopg.errors.lookup(
                    (result.error_field(DiagnosticField.SQLSTATE) or b"XX000").decode()
                )(result.get_error_message(), info=result, encoding="utf-8")
        names = [(result.fname(place) or b"?").decode() for place in range(result.nfields)]
        if not names:
            raise Refused("The query gives no columns: select at least one.")
        return names, [result.ftype(place) for place in range(result.nfields)]

    def _known(self, types: list[int]) -> dict[int, tuple[bool, str]]:
        """Return for each type whether it is an array or a row, and its name."""
        found = self._connection.execute(_TYPES, (types,)).fetchall()
        known = {oid: (bool(nested), str(name)) for oid, nested, name in found}
        return {type_: known.get(type_, (False, "unknown")) for type_ in types}

    def _refuse_functions(self, verdict: Verdict) -> None:
        queries: tuple[tuple[frozenset[str], LiteralString], ...] = (
            (verdict.fields, _FIELD_FUNCTIONS),
            (verdict.columns, _COLUMN_FUNCTIONS),
        )
        for names, query in queries:
            if not names:
                continue
            found = self._connection.execute(query, (sorted(names),)).fetchone()
            if found:
                raise Refused(
                    f"{found[0]} after a point is a function, and not on the list of those that "
                    "may be called here: leave it out."
                )


_MISSING = "psycopg is not installed: run `pip install 'groundwire[postgres]'`."
# SQLSTATE of a statement that passed its time, and of one that waited too long for a lock.
_LATE = frozenset(("57014", "55P03"))
# A user name or password that does not fit, and a database that is not there or not for us.
_NOT_LET_IN = ("08", "28", "3D", "53", "57P")


class Connections:
    """The connections to one database; threads may share them.

    Args:
        arguments: gives what psycopg connects with, secrets included; asked for each connection.
        most: most connections at a time.
        connect_timeout: seconds that a connection may take to be made.
    """

    def __init__(
        self, arguments: Callable[[], dict[str, Any]], *, most: int, connect_timeout: float = 5.0
    ) -> None:
        self._arguments = arguments
        self._connect_timeout = connect_timeout
        self._free = threading.Semaphore(most)
        self._lock = threading.Lock()
        self._idle: list[Session] = []
        self._closed = False

    def run(
        self, verdict: Verdict, limit: int, deadline: float, characters: int = MAX_TEXT
    ) -> Rows:
        """The first `limit` rows of a SELECT that passed the gate.

        Args:
            verdict: the SELECT.
            limit: most rows.
            deadline: of `time.monotonic`; the server ends the query there.
            characters: most characters of all cells.

        Raises:
            ConfigurationError: a variable is not set.
            Refused: the server's parser refuses the query.
            InputError: the query failed.
            DeadlineError: the deadline passed.
            UnavailableError: the server does not answer, or psycopg is not installed.
        """
        with self._lent(deadline) as session:
            return session.run(verdict, limit, deadline, characters)

    def read(self, queries: dict[str, str], deadline: float) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of queries of ours in one READ ONLY transaction; errors as `run` has them."""
        with self._lent(deadline) as session:
            return session.read(queries, deadline)

    def close(self) -> None:
        """Give the connections back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()

    @contextmanager
    def _lent(self, deadline: float) -> Generator[Session]:
        if find_spec("psycopg") is None:
            raise UnavailableError(_MISSING)
        if not self._free.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise UnavailableError("Every connection was busy until the time limit: retry.")
        try:
            with self._explained(deadline) as session:
                yield session
        finally:
            self._free.release()

    @contextmanager
    def _explained(self, deadline: float) -> Generator[Session]:
        """A session, whose errors come as ours."""
        import psycopg

        session: Session | None = None
        arguments = self._arguments()
        try:
            session = self._session(arguments, deadline)
            yield session
        except psycopg.Error as error:
            state = error.sqlstate or ""
            if state in _LATE or time.monotonic() >= deadline:
                raise DeadlineError("The query passed its time limit and was stopped.") from None
            refused, reason = explained(error, session)
            secret = str(arguments.get("password") or "")
            reason = " ".join((reason.replace(secret, "***") if secret else reason).split())
            if refused:
                raise Refused(reason) from None
            if session is None or not state or state.startswith(_NOT_LET_IN):
                raise UnavailableError(reason) from None
            raise InputError(reason) from None
        finally:
            self._give_back(session)

    def _session(self, arguments: dict[str, Any], deadline: float) -> Session:
        """A connection that nobody uses, or a new one."""
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                seconds = min(self._connect_timeout, deadline - time.monotonic())
                return Session(arguments, seconds)
            if idle.is_usable:
                return idle
            idle.close()

    def _give_back(self, session: Session | None) -> None:
        if session is None:
            return
        with self._lock:
            if not self._closed and session.is_usable:
                self._idle.append(session)
                return
        session.close()


def explained(error: psycopg.Error, session: Session | None) -> tuple[bool, str]:
    """Whether an error is a refusal, and what to say of it."""
    state = error.sqlstate or ""
    message = (error.diag.message_primary or str(error)).strip().rstrip(".")
    if session is None and not state and _NOT_THERE.search(message):
        return False, f"The PostgreSQL server cannot be reached ({message}): check the endpoint."
    if session is None:
        return False, f"The PostgreSQL server does not let us in ({message}): check the endpoint."
    hint = (error.diag.message_hint or "").strip()
    if state == "42P01":
        name = message.partition('"')[2].rpartition('"')[0]
        known = session.table_names() if session and session.is_usable else set[str]()
        return True, f"There is no table {name!r} here: {instead(name, known)}"
    if state.startswith("42"):
        return True, f"The query cannot be run ({message}): mend it. {hint}"
    if state == "25006":
        return True, f"The query would change something ({message}): only SELECT is run here."
    return False, f"PostgreSQL: {message}. {hint or 'Mend the query.'}"
