"""The tables of a feed, read by DuckDB into numpy arrays; rows that cannot be used are counted."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import resources
from importlib.resources import files
from pathlib import Path
from typing import Any

from groundwire.errors import InputError

# Columns that are read, by table; one that a feed lacks is empty.
_READ: dict[str, list[str]] = tomllib.loads(
    (files(__package__ or "") / "columns.toml").read_text("utf-8")
)
COLUMNS: Mapping[str, tuple[str, ...]] = {table: tuple(read) for table, read in _READ.items()}
_NEEDED = {
    "stops": ("stop_id",),
    "routes": ("route_id", "route_type"),
    "trips": ("trip_id", "route_id", "service_id"),
    "stop_times": ("trip_id", "stop_id", "stop_sequence", "arrival_time"),
    "agency": ("agency_timezone",),
}
_LONGEST_HEADER = 1 << 16


@contextmanager
def opened_tables(files: Mapping[str, Path], folder: Path, memory: str) -> Generator[FeedTables]:
    """Open the tables of a feed.

    Args:
        files: the unpacked tables by name.
        folder: where DuckDB puts what does not fit into memory.
        memory: how much memory DuckDB may take: "700MB".
    """
    import duckdb

    config: dict[str, Any] = {
        "memory_limit": memory,
        "threads": "2",
        "temp_directory": str(folder / "spill"),
    }
    connection: Any = duckdb.connect(config=config)
    try:
        yield FeedTables(connection, files)
    finally:
        connection.close()


class FeedTables:
    """Tables of a feed in DuckDB, each as `raw_NAME` with the columns of `COLUMNS` as text."""

    def __init__(self, connection: Any, files: Mapping[str, Path]) -> None:
        """Name the tables; those that a feed lacks are empty.

        Raises:
            InputError: a column that every feed has is missing.
        """
        self._connection = connection
        self.lacking: list[str] = []
        for name, columns in COLUMNS.items():
            if name in files:
                self._view(name, columns, files[name])
            else:
                told = ", ".join(f"NULL::VARCHAR AS {column}" for column in columns)
                connection.execute(f"CREATE VIEW raw_{name} AS SELECT {told} WHERE false")
        connection.execute(_script("feed_seconds"))

    def _view(self, name: str, columns: tuple[str, ...], path: Path) -> None:
        header = _header(path)
        missing = [one for one in _NEEDED.get(name, ()) if one not in header]
        if missing:
            raise InputError(f"{name}.txt has no column {', '.join(missing)}: it is no GTFS feed.")
        # A column may be named twice or not at all: each is read under a name of its own.
        own = [f"c{number}" for number in range(len(header))]
        types = "{" + ", ".join(f"'{one}': 'VARCHAR'" for one in own) + "}"
        told = ", ".join(
            f"c{header.index(column)} AS {column}"
            if column in header
            else f"NULL::VARCHAR AS {column}"
            for column in columns
        )
        place = str(path).replace("'", "''")
        # A quoted text may hold line ends, which only one thread reads; times have none.
        alone = "" if name == "stop_times" else ", parallel = false"
        self._connection.execute(
            f"CREATE VIEW raw_{name} AS SELECT {told} FROM read_csv('{place}', columns = {types}, "  # noqa: S608 - the path is quoted, the rest is ours
            "auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', "
            f"null_padding = true, ignore_errors = true, strict_mode = false{alone})"
        )

    def run(self, script: str) -> None:
        """Run one of the scripts of this folder."""
        self._connection.execute(_script(script))

    def columns(self, query: str) -> dict[str, Any]:
        """The columns of a query's rows, as numpy arrays."""
        return self._connection.execute(query).fetchnumpy()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a small query."""
        return self._connection.execute(query).fetchall()


@cache
def _script(name: str) -> str:
    folder = resources.files("groundwire.journeys.timetable")
    return (folder / f"{name}.sql").read_text("utf-8")


def _header(path: Path) -> list[str]:
    """The names of the columns, in lower case, without blanks around them.

    Raises:
        InputError: the first line is none of a CSV.
    """
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
        line = opened.readline(_LONGEST_HEADER)
    try:
        names = next(csv.reader([line]), list[str]())
    except csv.Error as error:
        raise InputError(f"{path.name} has no header that can be read.") from error
    return [name.strip().lower() for name in names]
