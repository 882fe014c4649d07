"""SQL in DuckDB: a database file, or only what comes with the query, in killable workers."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.graph.pool import Call, Cancelled, Kind, Pool
from groundwire.graph.process import EndedError
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.duckdb_values import read
from groundwire.sparql.sql.relations import Relation, encode
from groundwire.sparql.sql.reporting import Report

_KIND = Kind("groundwire.sparql.sql.duckdb_worker", "DuckDB", "check that it is a DuckDB database")
_NOWHERE = Path(":memory:")
_GONE = (
    "The query ended DuckDB's process, most likely for want of memory: narrow it, or "
    "aggregate less."
)

Stamp = tuple[int, int, int] | None


class DuckRunner:
    """Runs SQL over one DuckDB database, which is opened read-only; a `Runner`.

    Usable from any event loop, and from several at once. A file that is replaced or written is
    opened anew by the next query.

    Args:
        path: the database; None for an empty one in memory, for queries that bring relations.
        name: name of the endpoint in the registry.
        workers: most processes at a time.
        memory: bytes that the buffers of one worker may take; the whole of it at most twice that.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(
        self, path: Path | None, name: str, *, workers: int = 2, memory: int = 1 << 30
    ) -> None:
        self._path = _NOWHERE if path is None else path.absolute()
        self._name = name
        self._workers = workers
        self._memory = memory
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._stamp: Stamp = None

    @property
    def url(self) -> str:
        """What audits show: the file's name without its folder."""
        return f"duckdb:{self._path.name}"

    async def run(
        self,
        request: Request,
        relations: Mapping[str, Relation | tuple[Sequence[str], Any]] | None = None,
    ) -> Outcome:
        """Run one SELECT.

        Args:
            request: the query.
            relations: tables that the query may name besides those of the database, by name.
                They hide a table of the same name.

        Returns:
            What became of it; a query that failed or was stopped leaves the next one unharmed.
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
                self._run, report, relations or {}, deadline, call, abandon_on_cancel=True
            )
        except get_cancelled_exc_class():
            with self._lock:
                pool = self._pool
            if pool is not None:
                call.cancel(pool)
            raise

    async def close(self) -> None:
        """End the worker processes."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _run(
        self,
        report: Report,
        relations: Mapping[str, Relation | tuple[Sequence[str], Any]],
        deadline: float,
        call: Call,
    ) -> Outcome:
        if find_spec("duckdb") is None:
            return report.failed("DuckDB is not installed: run `pip install duckdb`.")
        limit = max(0, report.request.limit)
        try:
            message = (report.request.text, limit + 1, encode(relations))
            kind, *reply = self._current_pool().run(message, deadline, call)
        except InputError as error:
            return report.refused(str(error))
        except DeadlineError:
            return report.timed_out()
        except (EndedError, Cancelled):
            return report.failed(_GONE)
        except UnavailableError as error:
            return report.failed(self._without_folder(str(error)))
        if kind == "refused":
            return report.refused(self._without_folder(reply[0]))
        if kind == "failed":
            return report.failed(self._without_folder(reply[0]))
        columns, kinds, rows, more, cut = reply
        return report.answered(columns, read(rows, kinds), more=more, cut=cut)

    def _current_pool(self) -> Pool:
        """The workers on the file as it is now."""
        stamp = self._stamp_now()
        stale: Pool | None = None
        with self._lock:
            if self._pool is None or stamp != self._stamp:
                stale = self._pool
                self._pool = Pool(self._path, size=self._workers, memory=self._memory, kind=_KIND)
                self._stamp = stamp
            pool = self._pool
        if stale is not None:
            stale.close()
        return pool

    def _stamp_now(self) -> Stamp:
        try:
            status = os.stat(self._path)  # noqa: PTH116
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _without_folder(self, text: str) -> str:
        return text.replace(f"{self._path.parent}{os.sep}", "")
