"""Connections to one PostgreSQL database, kept and lent to one query at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.tables.bounds import MAX_TEXT
from groundwire.tables.postgres.gate import Verdict
from groundwire.tables.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Generator

    from groundwire.tables.postgres.session import Rows, Session

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

        from groundwire.tables.postgres.session import explained

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
        from groundwire.tables.postgres.session import Session

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
