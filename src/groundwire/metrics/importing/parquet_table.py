"""Tables in Parquet files, read by DuckDB with everything else of it locked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.importing.table import Table, Unreadable, headings_of, template

_BATCH = 4096
_MAGIC = b"PAR1"
_GLOB = frozenset("*?[]{}")
_MIDNIGHT = "'^(....-..-..) 00:00:00([+]00)?$'"
_NESTED = ("STRUCT", "MAP", "LIST", "UNION", "BLOB", "[]", "BIT")


def open_parquet(path: Path) -> Table:
    """Open a Parquet file as a table, row by row.

    Every cell is written as text by DuckDB: decimals with all their digits, floats as the shortest
    digits that are the same float, dates as ISO days.

    Raises:
        ConfigurationError: duckdb is not installed.
        InputError: it is not a Parquet file, or its name could be taken for several files.
    """
    try:
        import duckdb
    except ImportError as error:
        raise ConfigurationError(
            "Reading Parquet files needs duckdb: install groundwire[import]"
        ) from error
    name = str(path.resolve())
    if _GLOB & set(name):
        raise InputError(f"{name} holds one of * ? [ ] {{ }}: rename the file or its folder")
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise InputError(f"{path.name} is no Parquet file: it does not begin with PAR1")
    connection: Any = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "threads": "1",
            "memory_limit": "1GB",
        },
    )
    # The statements are constants of this module; the file's name is a parameter.
    source = "read_parquet(?, hive_partitioning = false, union_by_name = false)"
    try:
        connection.execute("SET allowed_paths = [$path]", {"path": name})
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        described = connection.execute(f"DESCRIBE SELECT * FROM {source}", [name]).fetchall()  # noqa: S608 - constants, see above
        total = connection.execute(f"SELECT count(*) FROM {source}", [name]).fetchone()[0]  # noqa: S608 - constants, see above
        headings = headings_of([str(row[0]) for row in described], path.name)
        for heading, kind in ((str(row[0]), str(row[1])) for row in described):
            if any(word in kind for word in _NESTED):
                raise InputError(
                    f"column {heading!r} of {path.name} holds {kind}: a cell is one value"
                )
        # A cell as text; a time of midnight is a day.
        rows = connection.execute(
            f"SELECT regexp_replace(COLUMNS(*)::VARCHAR, {_MIDNIGHT}, '\\1') FROM {source}",  # noqa: S608 - constants, see above
            [name],
        )
    except duckdb.Error as error:
        connection.close()
        raise InputError(f"{path.name} cannot be read as Parquet: {_line(error)}") from error
    except BaseException:
        connection.close()
        raise
    reached = [0]
    return Table(
        headings,
        _records(connection, rows, reached, path),
        lambda index: f"row {{}}, column {template(headings[index])}",
        lambda: reached[0],
        int(total),
        connection.close,
    )


def _records(
    connection: Any, rows: Any, reached: list[int], path: Path
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    import duckdb

    number = 0
    try:
        while batch := rows.fetchmany(_BATCH):
            for cells in batch:
                number += 1
                if any(cell is not None for cell in cells):
                    yield number, ["" if cell is None else cell for cell in cells]
            reached[0] = number
    except duckdb.Error as error:
        raise InputError(f"{path.name} is damaged after row {number}: {_line(error)}") from error
    finally:
        connection.close()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
