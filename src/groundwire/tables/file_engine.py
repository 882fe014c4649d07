"""An SQL engine over one file or folder, queried by worker processes that a deadline kills."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import DeadlineError, ForbiddenError, InputError, UnavailableError
from groundwire.graph.pool import Call, Cancelled, EndedError, Kind, Pool
from groundwire.tables.bounds import unfit
from groundwire.tables.engine import Check, Column, Limits, Result, Table, Value, late, unpacked
from groundwire.tables.worker_life import DESCRIBE, Reply

Stamp = tuple[int, ...] | None


class FileWorkers:
    """The workers on one file or folder; threads may share them.

    A file that is replaced or written is opened anew by the next query.

    Args:
        path: the file.
        kind: the workers. One takes (text, most rows, what the engine needs besides, most
            characters) or `worker_life.DESCRIBE`, and replies ("rows", columns, their types, rows,
            whether there are more, cells that were cut, ...), ("tables", described, version),
            ("refused", reason), ("late",) or ("failed", reason).
        package: what must be installed for them.
        workers: most processes at a time.
        memory: what the workers are told of memory, in bytes.
        by_inode: whether the engine sees by itself what others write, so that only another file
            in the same place is opened anew.
    """

    def __init__(
        self,
        path: Path,
        *,
        kind: Kind,
        package: str,
        workers: int,
        memory: int,
        by_inode: bool = False,
    ) -> None:
        self.path = path
        self.noun = kind.noun
        self._kind = kind
        self._package = package
        self._workers = workers
        self._memory = memory
        self._by_inode = by_inode
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._stamp: Stamp = None

    def ask(self, message: Reply, deadline: float, call: Call | None = None) -> Reply:
        """Have a worker answer one message.

        Args:
            message: what it is sent.
            deadline: of `time.monotonic`; the worker is killed there.
            call: by which another thread may cancel.

        Returns:
            The reply as it came, without folders in its reasons.

        Raises:
            DeadlineError: the deadline passed.
            InputError: the query ended the worker, or was cancelled.
            UnavailableError: the engine is not installed, or the file cannot be opened.
        """
        if find_spec(self._package) is None:
            raise UnavailableError(
                f"{self.noun} is not installed: run `pip install {self._package}`."
            )
        try:
            reply = self._current_pool().run(message, deadline, call or Call())
        except (EndedError, Cancelled):
            raise InputError(
                f"The query ended the process of {self.noun}, most likely for want of "
                "memory: narrow it, or aggregate less."
            ) from None
        except UnavailableError as error:
            raise type(error)(self._without_folder(str(error))) from None
        if reply[0] in ("refused", "failed"):
            return (reply[0], self._without_folder(reply[1]))
        return reply

    def cancel(self, call: Call) -> None:
        """End the query of `call`, which no one waits for any more."""
        with self._lock:
            pool = self._pool
        call.cancel(pool)

    def close(self) -> None:
        """End the worker processes; the next query would start new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _current_pool(self) -> Pool:
        """The workers on the file as it is now."""
        stamp = self._stamp_now()
        stale: Pool | None = None
        with self._lock:
            if self._pool is None or stamp != self._stamp:
                stale = self._pool
                self._pool = Pool(
                    self.path, size=self._workers, memory=self._memory, kind=self._kind
                )
                self._stamp = stamp
            pool = self._pool
        if stale is not None:
            stale.close()
        return pool

    def _stamp_now(self) -> Stamp:
        try:
            status = os.stat(self.path)  # noqa: PTH116 - each query; Path.stat costs twice as much
        except OSError:
            return None
        if self._by_inode:
            return (status.st_ino,)
        if stat.S_ISDIR(status.st_mode):
            inner = [one.stat().st_mtime_ns for one in self.path.iterdir() if one.is_dir()]
            return (status.st_ino, status.st_mtime_ns, *sorted(inner))
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _without_folder(self, text: str) -> str:
        return text.replace(f"{self.path.parent}{os.sep}", "")


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
