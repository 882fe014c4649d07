"""SQL in PostgreSQL: one prepared SELECT in a READ ONLY transaction, over psycopg 3."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from functools import partial

from groundwire.errors import ConfigurationError, DeadlineError, InputError, UnavailableError
from groundwire.postgres_url import Place, connection_arguments, read_url
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.reporting import Report
from groundwire.tables.bounds import Refused
from groundwire.tables.engine import Table
from groundwire.tables.postgres.connections import Connections
from groundwire.tables.postgres.gate import check

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
