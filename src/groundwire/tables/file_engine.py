"""An SQL engine over one file or folder, by workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from groundwire.errors import DeadlineError, ForbiddenError, InputError
from groundwire.tables.bounds import unfit
from groundwire.tables.engine import Check, Column, Limits, Result, Table, Value, late, unpacked
from groundwire.tables.file_workers import FileWorkers
from groundwire.tables.worker_life import DESCRIBE, Reply

Typed = Callable[[list[tuple[Any, ...]], list[str]], tuple[tuple[Value, ...], ...]]
"""Rows as they came over the pipe, and what kinds their columns are, as typed values."""

_DESCRIBING = 30.0


class FileEngine:
    """One database in files; an `Engine`.

    Args:
        dialect: its SQL in the names of sqlglot.
        workers: what answers.
        besides: what a worker needs besides the text and the limits.
        typed: reads the rows.
    """

    def __init__(
        self,
        dialect: str,
        workers: FileWorkers,
        *,
        besides: Callable[[Limits], Any],
        typed: Typed,
    ) -> None:
        self.dialect = dialect
        self._workers = workers
        self._besides = besides
        self._typed = typed

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - it is frozen
        """Run one reading statement; see `Engine`."""
        reason = unfit(sql)
        if reason:
            raise ForbiddenError(reason)
        began = time.monotonic()
        message = (sql, limits.rows + 1, self._besides(limits), limits.characters)
        try:
            kind, *reply = self._workers.ask(message, began + limits.seconds)
        except DeadlineError:
            raise late(limits.seconds) from None
        if kind == "refused":
            raise ForbiddenError(reply[0])
        if kind == "failed":
            raise InputError(reply[0])
        if kind == "late":
            raise late(limits.seconds)
        names, kinds, rows, more, cut, *types = reply
        columns = tuple(
            Column(name, type_)
            for name, type_ in zip(names, types[0] if types else [""] * len(names), strict=True)
        )
        kept = self._typed(rows[: limits.rows], kinds)
        whole = not (more or cut) and len(rows) <= limits.rows
        return Result(columns, kept, whole, time.monotonic() - began)

    def tables(self) -> Sequence[Table]:
        """Tables and views, sorted by name; see `Engine`."""
        return unpacked(self._described()[0])

    def check(self) -> Check:
        """How the engine is doing: the file is always opened so that nothing can be written."""
        return Check(version=str(self._described()[1]), can_write=False)

    def close(self) -> None:
        """End the workers."""
        self._workers.close()

    def _described(self) -> Reply:
        kind, *reply = self._workers.ask(DESCRIBE, time.monotonic() + _DESCRIBING)
        if kind != "tables":
            raise InputError(str(reply[0]) if reply else "The tables could not be listed: retry.")
        return tuple(reply)
