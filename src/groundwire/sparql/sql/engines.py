"""SQL at engines elsewhere: PostgreSQL, ClickHouse, chDB, Trino and Spark, through their gates."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from datetime import date
from datetime import time as clock
from functools import partial
from typing import TYPE_CHECKING

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    UnavailableError,
)
from groundwire.postgres_url import Place, connection_arguments, read_url
from groundwire.sparql.outcome import Cell, Language, Outcome, Request
from groundwire.sparql.sql.reporting import Report
from groundwire.tables.bounds import MAX_TEXT, Budget, Refused
from groundwire.tables.credentials import PASSWORD, USER
from groundwire.tables.engine import Limits, Table, Value
from groundwire.tables.postgres.connections import Connections
from groundwire.tables.postgres.gate import check

if TYPE_CHECKING:
    from groundwire.sparql.endpoint import Endpoint
    from groundwire.tables.engine import Engine


# Other queries wait, at most until their time is up.
_AT_A_TIME = 4


class EngineRunner:
    """Runs SQL at one engine of `groundwire.tables`; a `Runner`.

    Args:
        engine: the engine, whose own gate every query passes.
        name: name of the endpoint in the registry.
        url: what audits show.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(self, engine: Engine, name: str, url: str) -> None:
        self._engine = engine
        self._name = name
        self.url = url
        self._places = threading.BoundedSemaphore(_AT_A_TIME)

    async def run(self, request: Request) -> Outcome:
        """Run one SELECT; a query that failed or was stopped leaves the next one unharmed."""
        from anyio import move_on_after
        from anyio.to_thread import run_sync

        report = Report(request, self._name, self.url)
        unfit = report.unfit()
        if unfit is not None:
            return unfit
        deadline = time.monotonic() + request.timeout
        # The thread ends by the deadline too: the engine cancels what is late.
        with move_on_after(request.timeout * 1.05 + 1.0):
            return await run_sync(self._run, report, deadline, abandon_on_cancel=True)
        return report.timed_out()

    async def close(self) -> None:
        """Close the engine's connections."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self._engine.close()

    def _run(self, report: Report, deadline: float) -> Outcome:
        limit = max(0, report.request.limit)
        if not self._places.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return report.failed("Other queries were at work here the whole time: try again.")
        try:
            seconds = max(0.1, deadline - time.monotonic())
            limits = Limits(seconds, limit + 1, MAX_TEXT)
            result = self._engine.run(report.request.text, limits)
        except (ForbiddenError, ConfigurationError) as reason:
            return report.refused(str(reason))
        except DeadlineError:
            return report.timed_out()
        except GroundwireError as reason:
            return report.failed(str(reason))
        finally:
            self._places.release()
        budget = Budget()
        names = [column.name for column in result.columns]
        rows = [tuple(_cell(value, budget) for value in row) for row in result.rows]
        return report.answered(names, rows, more=not result.is_complete, cut=budget.cut)


def open_endpoint(endpoint: Endpoint) -> Engine:
    """The engine behind an endpoint, with its credentials from the environment.

    Raises:
        ConfigurationError: the URL is wrong, or a variable that it names is not set.
    """
    from groundwire.tables.opening import open_engine

    credentials = endpoint.credentials()
    environ: dict[str, str] = {}
    if isinstance(credentials, str):
        environ = {PASSWORD: credentials}
    elif credentials is not None:
        environ = {USER: credentials[0], PASSWORD: credentials[1]}
    url = endpoint.url if endpoint.path is None else f"{endpoint.place}:{endpoint.path}"
    return open_engine(url, environ)


def _cell(value: Value, budget: Budget) -> Cell:
    """A value as answers show it: dates and times in ISO 8601, long texts cut."""
    if isinstance(value, str):
        return budget.clipped(value)
    if isinstance(value, date | clock):
        return value.isoformat()
    return value


_CONNECTIONS = 2
_CONNECT_SECONDS = 5.0


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
    ) -> None:
        self._place: Place = read_url(url)
        self._name = name
        self._functions = frozenset(functions)
        self._connections = Connections(
            partial(connection_arguments, self._place, user_variable, password_variable),
            most=_CONNECTIONS,
            connect_timeout=_CONNECT_SECONDS,
        )

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
        deadline = time.monotonic() + request.timeout
        # The thread ends by the deadline too, except while a connection is being made.
        with move_on_after(request.timeout * 1.05):
            return await run_sync(self._run, report, deadline, abandon_on_cancel=True)
        return report.timed_out()

    async def tables(self, seconds: float) -> Sequence[Table]:
        """Tables and views that the role can read, sorted by name.

        Raises:
            GroundwireError: the server does not answer in time, or refuses to tell them.
        """
        from anyio.to_thread import run_sync

        from groundwire.tables.postgres.engine import read_tables

        asking = partial(read_tables, self._connections, time.monotonic() + seconds)
        return await run_sync(asking, abandon_on_cancel=True)

    async def close(self) -> None:
        """Give the connections back."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self._connections.close()

    def _run(self, report: Report, deadline: float) -> Outcome:
        try:
            verdict = check(report.request.text, self._functions)
            rows = self._connections.run(verdict, max(0, report.request.limit) + 1, deadline)
        except (Refused, ConfigurationError) as reason:
            return report.refused(str(reason))
        except DeadlineError:
            return report.timed_out()
        except (InputError, UnavailableError) as reason:
            return report.failed(str(reason))
        return report.answered(rows.names, rows.rows, more=rows.more, cut=rows.cut)
