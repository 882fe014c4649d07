"""A folder of chDB, queried by worker processes."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

from groundwire.errors import UnavailableError
from groundwire.graph.pool import Kind
from groundwire.tables.clickhouse.engine import ClickHouseEngine, Failure, Lines
from groundwire.tables.engine import Limits
from groundwire.tables.file_engine import FileWorkers

_KIND = Kind("groundwire.tables.clickhouse.worker", "chDB", "check that it is a folder of chDB")


class FolderChannel:
    """The workers on one folder; a `Channel`. One at a time: chDB locks its folder."""

    can_write = False

    def __init__(self, path: Path, *, memory: int = 1 << 30) -> None:
        self._workers = FileWorkers(
            path, kind=_KIND, package="chdb", workers=1, memory=memory, by_inode=True
        )

    def ask(self, sql: str, limits: Limits) -> Lines:
        """Answer a query; a worker that is late is killed."""
        if find_spec("chdb") is None:
            raise UnavailableError("chDB is not installed: run `pip install 'groundwire[chdb]'`.")
        message = (sql, limits.rows, (), limits.characters)
        kind, *reply = self._workers.ask(message, time.monotonic() + limits.seconds)
        if kind != "rows":
            raise Failure(str(reply[0]) if reply else "no answer")
        found, more = reply
        return Lines(found, more)

    def close(self) -> None:
        """End the workers."""
        self._workers.close()


def open_folder(path: Path) -> ClickHouseEngine:
    """The engine on a folder of chDB."""
    return ClickHouseEngine(FolderChannel(path))
