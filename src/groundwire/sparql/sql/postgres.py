"""SQL in PostgreSQL: one prepared SELECT in a READ ONLY transaction, over psycopg 3."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection
from importlib.util import find_spec
from typing import TYPE_CHECKING

from groundwire.errors import ConfigurationError
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.postgres_gate import Verdict, check
from groundwire.sparql.sql.postgres_url import Place, connection_arguments, read_url
from groundwire.sparql.sql.refusal import Refused
from groundwire.sparql.sql.reporting import Report

if TYPE_CHECKING:
    from groundwire.sparql.sql.postgres_session import Session

_MISSING = "psycopg is not installed: run `pip install 'groundwire[postgres]'`."
# SQLSTATE of a statement that passed its time, and of one that waited too long for a lock.
_LATE = frozenset(("57014", "55P03"))


class PostgresRunner:
    """Runs SQL on one PostgreSQL database; a `Runner`.

    The role that connects should own nothing and read only what may be shown: the gate here is the
    second wall, the server's rights are the first.

    Args:
        url: `postgresql://[user@]host[:port]/database[?sslmode=...]`, without a password.
        name: name of the endpoint in the registry.
        user_variable: environment variable that holds the role; None: the URL's, or the system's.
        password_variable: environment variable that holds the password; None: without.
        functions: functions that queries may call besides the built-in ones of the list, as
            `name` or `schema.name`.
        connections: most connections at a time.
        connect_timeout: seconds that a connection may take to be made.

    Raises:
        ConfigurationError: the URL is wrong, or holds a password.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(
        self,
        url: str,
        name: str,
        *,
        user_variable: str | None = None,
        password_variable: str | None = None,
        functions: Collection[str] = (),
        connections: int = 2,
        connect_timeout: float = 5.0,
    ) -> None:
        self._place: Place = read_url(url)
        self._name = name
        self._variables = (user_variable, password_variable)
        self._functions = frozenset(functions)
        self._connect_timeout = connect_timeout
        self._free = threading.Semaphore(connections)
        self._lock = threading.Lock()
        self._idle: list[Session] = []
        self._closed = False

    @property
    def url(self) -> str:
        """Return the URL that audits show: no user, no password."""
        return self._place.shown

    async def run(self, request: Request) -> Outcome:
        """Run one SELECT; a query that failed or was stopped leaves the next one unharmed."""
        from anyio import move_on_after
        from anyio.to_thread import run_sync

        report = Report(request, self._name, self.url)
        unfit = report.unfit()
        if unfit is not None:
            return unfit
        if find_spec("psycopg") is None:
            return report.failed(_MISSING)
        deadline = time.monotonic() + request.timeout
        # The thread ends by the deadline too, except while a connection is being made.
        with move_on_after(request.timeout * 1.05):
            return await run_sync(self._run, report, deadline, abandon_on_cancel=True)
        return report.timed_out()

    async def close(self) -> None:
        """Give the connections back."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()

    def _run(self, report: Report, deadline: float) -> Outcome:
        try:
            verdict = check(report.request.text, self._functions)
        except Refused as reason:
            return report.refused(str(reason))
        if not self._free.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return report.failed("Every connection was busy until the time limit: retry.")
        try:
            return self._ask(report, verdict, deadline)
        finally:
            self._free.release()

    def _ask(self, report: Report, verdict: Verdict, deadline: float) -> Outcome:
        import psycopg

        from groundwire.sparql.sql.postgres_session import explained

        session: Session | None = None
        try:
            session = self._session(deadline)
            table = session.run(verdict, max(0, report.request.limit) + 1, deadline)
            columns, rows, more, cut = table
            return report.answered(columns, rows, more=more, cut=cut)
        except (Refused, ConfigurationError) as reason:
            return report.refused(str(reason))
        except psycopg.Error as error:
            if error.sqlstate in _LATE or time.monotonic() >= deadline:
                return report.timed_out()
            refused, reason = explained(error, session)
            reason = self._without_secret(reason)
            return report.refused(reason) if refused else report.failed(reason)
        finally:
            self._give_back(session)

    def _session(self, deadline: float) -> Session:
        """A connection that nobody uses, or a new one."""
        from groundwire.sparql.sql.postgres_session import Session

        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            if idle is None:
                seconds = min(self._connect_timeout, deadline - time.monotonic())
                return Session(connection_arguments(self._place, *self._variables), seconds)
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

    def _without_secret(self, text: str) -> str:
        variable = self._variables[1]
        secret = os.environ.get(variable, "") if variable else ""
        return text.replace(secret, "***") if secret else text
