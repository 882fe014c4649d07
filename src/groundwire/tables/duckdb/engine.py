"""A DuckDB database file, a data file, or a folder of data files, as an SQL engine."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from groundwire.graph.pool import Kind
from groundwire.tables.engine import Value, parsed
from groundwire.tables.file_engine import FileEngine, FileWorkers

_KIND = Kind(
    "groundwire.tables.duckdb.worker",
    "DuckDB",
    "check that it is a DuckDB database, a data file, or a folder of them",
)
_PARSERS: dict[str, Callable[[str], Value]] = {
    "date": date.fromisoformat,
    "time": time.fromisoformat,
}
_NUMBERS = frozenset(("double", "float"))


def duckdb_workers(path: Path, *, workers: int = 2, memory: int) -> FileWorkers:
    """The processes that query DuckDB.

    Args:
        path: a database file, a data file, a folder of data files, or `:memory:`.
        workers: most processes at a time.
        memory: bytes that the buffers of one worker may take; the whole of it at most twice that.
    """
    return FileWorkers(path, kind=_KIND, package="duckdb", workers=workers, memory=memory)


def open_duckdb(path: Path) -> FileEngine:
    """The engine on a database file, a Parquet or CSV file, or a folder of data files."""
    workers = duckdb_workers(path, memory=_memory())
    return FileEngine("duckdb", workers, besides=lambda _: (), typed=typed)


def _memory() -> int:
    """Limits of one worker of a warehouse: a quarter of the machine's memory, 1 to 8 GiB."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 1 << 30
    return max(1 << 30, min(found // 4, 8 << 30))


def typed(rows: list[tuple[Any, ...]], kinds: list[str]) -> tuple[tuple[Value, ...], ...]:
    """Rows as they came over the pipe, with dates, times and decimals.

    NaN and the infinities are None, as nothing may read them as numbers; instants with a zone are
    in UTC; a blob is its first bytes in hexadecimal; dates that Python does not have (infinity, BC)
    stay text, like intervals, lists and structures, which are JSON.
    """
    readers = [_reader(kind) for kind in kinds]
    if not any(readers):
        return tuple(rows)
    return tuple(
        tuple(
            reader(value) if reader is not None and value is not None else value
            for reader, value in zip(readers, row, strict=True)
        )
        for row in rows
    )


def _reader(kind: str) -> Callable[[Any], Value] | None:
    if kind == "decimal":
        return Decimal
    if kind in _NUMBERS:
        # What is no number comes as a word.
        return _finite
    parser = datetime.fromisoformat if kind.startswith("timestamp") else _PARSERS.get(kind)
    return None if parser is None else partial(parsed, parser=parser)


def _finite(value: Any) -> Value:
    return None if isinstance(value, str) else value
