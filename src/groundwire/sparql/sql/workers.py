"""A database file that worker processes query, which a deadline kills."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.graph.pool import Call, Cancelled, Kind, Pool
from groundwire.graph.process import EndedError
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.duckdb_values import read
from groundwire.sparql.sql.reporting import Report

Stamp = tuple[int, int, int] | None


class FileRunner:
    """The parts that runners over one file share.

    Usable from any event loop, and from several at once. A file that is replaced or written is
    opened anew by the next query. A worker takes (text, most rows, what the engine needs besides)
    and replies ("rows", columns, their types, rows, whether there are more, cells that were cut),
    ("refused", reason), ("late",) or ("failed", reason).

    Args:
        path: the file.
        name: name of the endpoint in the registry.
        scheme: what the URL of the audit begins with.
        kind: the workers.
        package: what must be installed for them.
        workers: most processes at a time.
        memory: what the workers are told of memory, in bytes.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        scheme: str,
        kind: Kind,
        package: str,
        workers: int,
        memory: int,
    ) -> None:
        self._path = path
        self._name = name
        self._scheme = scheme
        self._kind = kind
        self._package = package
        self._workers = workers
        self._memory = memory
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._stamp: Stamp = None

    @property
    def url(self) -> str:
        """Return what audits show: the file's name without its folder."""
        return f"{self._scheme}:{self._path.name}"

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
            with self._lock:
                pool = self._pool
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
        self, report: Report, besides: Callable[[], Any], deadline: float, call: Call
    ) -> Outcome:
        if find_spec(self._package) is None:
            return report.failed(
                f"{self._kind.noun} is not installed: run `pip install {self._package}`."
            )
        request = report.request
        try:
            message = (request.text, max(0, request.limit) + 1, besides())
            kind, *reply = self._current_pool().run(message, deadline, call)
        except InputError as error:
            return report.refused(str(error))
        except DeadlineError:
            return report.timed_out()
        except (EndedError, Cancelled):
            return report.failed(
                f"The query ended the process of {self._kind.noun}, most likely for want of "
                "memory: narrow it, or aggregate less."
            )
        except UnavailableError as error:
            return report.failed(self._without_folder(str(error)))
        if kind == "refused":
            return report.refused(self._without_folder(reply[0]))
        if kind == "failed":
            return report.failed(self._without_folder(reply[0]))
        if kind == "late":
            return report.timed_out()
        columns, kinds, rows, more, cut = reply
        return report.answered(columns, read(rows, kinds), more=more, cut=cut)

    def _current_pool(self) -> Pool:
        """The workers on the file as it is now."""
        stamp = self._stamp_now()
        stale: Pool | None = None
        with self._lock:
            if self._pool is None or stamp != self._stamp:
                stale = self._pool
                self._pool = Pool(
                    self._path, size=self._workers, memory=self._memory, kind=self._kind
                )
                self._stamp = stamp
            pool = self._pool
        if stale is not None:
            stale.close()
        return pool

    def _stamp_now(self) -> Stamp:
        try:
            status = os.stat(self._path)  # noqa: PTH116 - each query; Path.stat costs twice as much
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _without_folder(self, text: str) -> str:
        return text.replace(f"{self._path.parent}{os.sep}", "")
