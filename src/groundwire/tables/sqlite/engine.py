"""A SQLite database file as an SQL engine."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from groundwire.graph.pool import Kind
from groundwire.tables.engine import Value
from groundwire.tables.file_engine import FileEngine, FileWorkers

# Bytes that one worker may allocate for queries.
_MEMORY = 512 << 20
_KIND = Kind("groundwire.tables.sqlite.worker", "SQLite", "check that it is a SQLite database")


def sqlite_workers(path: Path) -> FileWorkers:
    """The processes that query a database file; SQLite sees by itself what others write."""
    return FileWorkers(
        path, kind=_KIND, package="sqlite3", workers=2, memory=_MEMORY, by_inode=True
    )


def open_sqlite(path: Path) -> FileEngine:
    """The engine on a database file."""
    return FileEngine(
        "sqlite", sqlite_workers(path), besides=lambda limits: limits.seconds, typed=typed
    )


def typed(rows: list[tuple[Any, ...]], kinds: list[str]) -> tuple[tuple[Value, ...], ...]:
    """Rows as SQLite holds them: whole numbers, binary floats and text, so dates are text too.

    The infinities are None, as nothing may read them as numbers; SQLite has no NaN. A blob is its
    first bytes in hexadecimal.
    """
    return tuple(tuple(map(_finite, row)) for row in rows)


def _finite(value: Any) -> Value:
    return None if isinstance(value, float) and not math.isfinite(value) else value
