"""Parquet and CSV files, and folders of them, as the tables of a DuckDB database in memory.

Standard library and duckdb only: the worker imports it.
"""

from __future__ import annotations

import os
from pathlib import Path

import duckdb

_READERS = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
_PACKED = (".gz", ".zst")


def is_data(path: Path) -> bool:
    """Whether a path is a folder, or a data file rather than a database."""
    return path.is_dir() or _reader(path) is not None


def attach(connection: duckdb.DuckDBPyConnection, path: Path) -> frozenset[tuple[str, str]]:
    """Give each data file at `path` a view, and let DuckDB open nothing else.

    Args:
        connection: to a database in memory that may still reach files.
        path: a data file, or a folder in which each data file and each folder with Parquet files
            is a table of its name. Folders like `year=2024` within are columns.

    Returns:
        The views, as (schema, name) in small letters.

    Raises:
        ValueError: no table was found, or two have one name.
    """
    found = _tables(path)
    if not found:
        raise ValueError("there is no Parquet or CSV file in this folder")
    names: set[tuple[str, str]] = set()
    # Patterns are relative, so that signs in the folder's own path are no part of them.
    os.chdir(path if path.is_dir() else path.parent)
    if path.is_dir():
        connection.execute("SET allowed_directories = ?", [[str(path)]])
    else:
        connection.execute("SET allowed_paths = ?", [[str(path)]])
    connection.execute("SET enable_external_access = false")
    for name, reader, pattern in found:
        key = ("main", name.lower())
        if key in names:
            raise ValueError(f"two of its files are the table {name}")
        names.add(key)
        connection.execute(
            # Names and paths are quoted; a view cannot take parameters.
            f"CREATE VIEW {_quoted(name)} AS SELECT * FROM {reader}({_literal(pattern)})"  # noqa: S608 - both are quoted
        )
    return frozenset(names)


def _tables(path: Path) -> list[tuple[str, str, str]]:
    """Name, reading function and pattern of files of each table."""
    if not path.is_dir():
        return [(_stem(path), _reader(path) or "", f"./{path.name}")]
    found: list[tuple[str, str, str]] = []
    for one in sorted(path.iterdir()):
        if one.name.startswith((".", "_")):
            continue
        if one.is_dir():
            if next(one.rglob("*.parquet"), None) is not None:
                found.append((one.name, "read_parquet", f"./{_escaped(one.name)}/**/*.parquet"))
        elif reader := _reader(one):
            found.append((_stem(one), reader, f"./{one.name}"))
    return found


def _reader(path: Path) -> str | None:
    name = path.name.lower()
    for end in _PACKED:
        name = name.removesuffix(end) if name.removesuffix(end).endswith((".csv", ".tsv")) else name
    return _READERS.get(Path(name).suffix)


def _stem(path: Path) -> str:
    name = path.name
    for end in _PACKED:
        name = name.removesuffix(end)
    return Path(name).stem


def _escaped(name: str) -> str:
    """The name as a pattern that matches itself alone."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
