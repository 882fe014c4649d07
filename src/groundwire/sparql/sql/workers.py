"""Queries of `execute_query` over a database file: the outcome and the audit of what workers do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.graph.pool import Call
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.reporting import Report
from groundwire.tables.duckdb.values import read
from groundwire.tables.engine import Table, unpacked
from groundwire.tables.file_engine import FileWorkers
from groundwire.tables.worker_life import DESCRIBE


class FileRunner:
    """The parts that runners over one file share.

    Usable from any event loop, and from several at once.

    Args:
        workers: what answers.
        name: name of the endpoint in the registry.
        scheme: what the URL of the audit begins with.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(self, workers: FileWorkers, name: str, *, scheme: str) -> None:
        self._workers = workers
        self._name = name
        self._scheme = scheme

    @property
    def url(self) -> str:
        """Return what audits show: the file's name without its folder."""
        return f"{self._scheme}:{self._workers.path.name}"

    async def ask(self, request: Request, besides: Callable[[], Any]) -> Outcome:
        """Have a worker run one query.

        Args:
            request: the query.
            besides: makes what the engine needs besides; its InputError is a refusal.
        """
        from anyio import get_cancelled_exc_class
        from anyio.to_thread import run_sync

        report = Report(request, self._name, self.url)
        unfit = report.unfit()
        if unfit is not None:
            return unfit
        deadline = time.monotonic() + request.timeout
        call = Call()
        try:
            return await run_sync(
                self._run, report, besides, deadline, call, abandon_on_cancel=True
            )
        except get_cancelled_exc_class():
            self._workers.cancel(call)
            raise

    async def tables(self, seconds: float) -> Sequence[Table]:
        """Tables and views, sorted by name.

        Raises:
            DeadlineError: they were not listed in time.
            UnavailableError: the file cannot be read.
        """
        from anyio.to_thread import run_sync

        deadline = time.monotonic() + seconds
        asking = partial(self._workers.ask, DESCRIBE, deadline)
        kind, *reply = await run_sync(asking, abandon_on_cancel=True)
        if kind != "tables":
            raise UnavailableError(str(reply[0]) if reply else "The tables could not be listed.")
        return unpacked(reply[0])

    async def close(self) -> None:
        """End the worker processes."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self._workers.close()

    def _run(
        self, report: Report, besides: Callable[[], Any], deadline: float, call: Call
    ) -> Outcome:
        request = report.request
        try:
            message = (request.text, max(0, request.limit) + 1, besides())
        except InputError as error:
            return report.refused(str(error))
        try:
            kind, *reply = self._workers.ask(message, deadline, call)
        except DeadlineError:
            return report.timed_out()
        except (InputError, UnavailableError) as error:
            return report.failed(str(error))
        if kind == "refused":
            return report.refused(reply[0])
        if kind == "failed":
            return report.failed(reply[0])
        if kind == "late":
            return report.timed_out()
        columns, kinds, rows, more, cut = reply[:5]
        return report.answered(columns, self.shown(rows, kinds), more=more, cut=cut)

    def shown(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
        """The rows of a reply as an answer shows them."""
        return read(rows, kinds)
