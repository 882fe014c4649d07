"""SQL in DuckDB and SQLite: a database file, or what comes with the query, in killable workers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from groundwire.errors import ConfigurationError, DeadlineError, InputError, UnavailableError
from groundwire.graph.pool import Call
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.relations import Relation, encode
from groundwire.sparql.sql.reporting import Report
from groundwire.tables.duckdb.engine import duckdb_workers
from groundwire.tables.duckdb.values import read
from groundwire.tables.engine import Table, unpacked
from groundwire.tables.file_engine import FileWorkers
from groundwire.tables.sqlite.engine import sqlite_workers
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


_NOWHERE = Path(":memory:")


class DuckRunner(FileRunner):
    """Runs SQL over one DuckDB database, which is opened read-only; a `Runner`.

    Args:
        path: the database; None for an empty one in memory, for queries that bring relations.
        name: name of the endpoint in the registry.
        workers: most processes at a time.
        memory: bytes that the buffers of one worker may take; the whole of it at most twice that.
    """

    def __init__(
        self, path: Path | None, name: str, *, workers: int = 2, memory: int = 1 << 30
    ) -> None:
        super().__init__(
            duckdb_workers(
                _NOWHERE if path is None else path.absolute(), workers=workers, memory=memory
            ),
            name,
            scheme="duckdb",
        )

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
        return await self.ask(request, lambda: encode(relations or {}))


class SqliteRunner(FileRunner):
    """Runs SQL over one SQLite database, which is opened read-only; a `Runner`.

    `sqlite_master` may be read: it is how a caller learns what tables there are.

    Args:
        place: a path, or a URL of the form `sqlite:///PATH` or `file:PATH`; parameters of a URL are
            left out, the file is always opened with `mode=ro`.
        name: name of the endpoint in the registry.

    Raises:
        ConfigurationError: the URL is of another kind.
    """

    def __init__(self, place: str | Path, name: str) -> None:
        super().__init__(sqlite_workers(_path(place)), name, scheme="sqlite")

    async def run(self, request: Request) -> Outcome:
        """Run one SELECT; a query that failed or was stopped leaves the next one unharmed."""
        return await self.ask(request, lambda: request.timeout)

    def shown(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a reply, with words in place of infinite numbers and NaN."""
        return [tuple(map(_shown, row)) for row in rows]


def _shown(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _path(place: str | Path) -> Path:
    if isinstance(place, Path):
        return place.absolute()
    scheme, separator, _ = place.partition(":")
    if not separator or len(scheme) == 1:
        return Path(place).absolute()
    if scheme not in ("file", "sqlite"):
        raise ConfigurationError(f"{scheme}: is no URL of SQLite: write sqlite:///PATH or a path.")
    parts = urlsplit(place)
    if parts.netloc not in ("", "localhost"):
        raise ConfigurationError(
            f"{scheme}://{parts.netloc} names another machine: write {scheme}:///PATH."
        )
    path = unquote(parts.path)
    # sqlite:///a/b is the relative path a/b to some and absolute to others: absolute here.
    return Path(path).absolute()
