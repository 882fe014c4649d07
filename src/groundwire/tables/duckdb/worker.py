"""The process that runs SQL in DuckDB: one database, one query at a time.

It imports duckdb and the standard library only. The database is opened read-only and locked, the
process gives up sockets, and its parent ends it with SIGKILL when a query passes
its deadline: DuckDB's own interrupt is not seen within one long call.

Parquet and CSV files, and folders of them, as the tables of a DuckDB database in memory. Standard
library and duckdb only: the worker imports it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from groundwire.tables.bounds import CHUNK, MAX_TEXT, Budget, Refused
from groundwire.tables.duckdb.gate import Catalogue, check, decode
from groundwire.tables.duckdb.values import projection, shown
from groundwire.tables.quoting import written
from groundwire.tables.worker_life import (
    DESCRIBE,
    OUT_OF_MEMORY,
    Answer,
    CannotOpen,
    Reply,
    live,
)

_READERS = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
_PACKED = (".gz", ".zst")

# The functions are named in full: a macro of the database may bear the name of any of them.
_TABLES = """
    SELECT schema_name, table_name FROM system.main.duckdb_tables()
    WHERE NOT internal AND NOT temporary
"""
_VIEWS = """
    SELECT schema_name, view_name, sql FROM system.main.duckdb_views()
    WHERE NOT internal AND NOT temporary
"""
_MACROS = """
    SELECT function_name, function_type, macro_definition FROM system.main.duckdb_functions()
    WHERE NOT internal
"""

_DESCRIBED = """
    SELECT schema_name, table_name, comment, estimated_size FROM system.main.duckdb_tables()
    WHERE NOT internal AND NOT temporary
    UNION ALL
    SELECT schema_name, view_name, comment, NULL FROM system.main.duckdb_views()
    WHERE NOT internal AND NOT temporary
"""
_COLUMNS = """
    SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
    FROM system.main.duckdb_columns() WHERE NOT internal
    ORDER BY schema_name, table_name, column_index
"""
_KEYS = """
    SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
        referenced_column_names
    FROM system.main.duckdb_constraints()
    WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
    ORDER BY schema_name, table_name, constraint_index
"""

MEMORY = ":memory:"
"""The path of a database that holds nothing but what comes with each query."""

Names = frozenset[tuple[str, str]]

# Two at least, since a worker waits for files too; more than eight take memory and give little.
_THREADS = min(8, max(2, os.cpu_count() or 2))
# DuckDB counts its buffers only; the process as a whole may take as much again.
_SHARE = 2


def open_database(path: str, memory: int) -> tuple[duckdb.DuckDBPyConnection, Names]:
    """The database at `path`, read-only where it is a file, and locked.

    Args:
        path: a database, a data file, a folder of data files, or MEMORY.
        memory: bytes that its buffers may take.

    Returns:
        The connection, and the views that stand for data files.
    """
    data = path != MEMORY and _is_data(Path(path))
    connection = duckdb.connect(
        MEMORY if data else path,
        read_only=path != MEMORY and not data,
        config={
            "enable_external_access": "true" if data else "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "python_enable_replacements": "false",
            "temp_directory": "",
            "memory_limit": f"{memory >> 20}MiB",
            "threads": str(_THREADS),
        },
    )
    connection.execute("SET TimeZone = 'UTC'")
    files: Names = frozenset()
    if data:
        files = _attach(connection, Path(path))
    else:
        # The database is open already; DuckDB opens nothing else from here on.
        connection.execute("SET disabled_filesystems = 'LocalFileSystem'")
    connection.execute("SET lock_configuration = true")
    return connection, files


class _Database:
    def __init__(self, connection: duckdb.DuckDBPyConnection, files: Names) -> None:
        self._connection = connection
        found = _read_catalogue(connection)
        # A data file is a table to queries, whose view reads it.
        views = {name: text for name, text in found.views.items() if name not in files}
        self._catalogue: Catalogue = replace(found, views=views)

    def _parse(self, text: str) -> Mapping[str, Any]:
        row = self._connection.execute(
            "SELECT system.main.json_serialize_sql(?::VARCHAR)", [text]
        ).fetchone()
        assert row is not None
        return decode(row[0])

    def describe(self) -> Reply:
        """The tables and views, as `described.unpacked` takes them, and the version."""
        return ("tables", _describe(self._connection), f"DuckDB {duckdb.__version__}")

    def run(
        self,
        text: str,
        limit: int,
        relations: Iterable[tuple[Any, ...]],
        characters: int = MAX_TEXT,
    ) -> Reply:
        """The first `limit` rows of a SELECT.

        Args:
            text: the query, as it was sent.
            limit: most rows to read.
            relations: tables that come with it: name, column names, their types, their values.
            characters: most characters of all cells.
        """
        relations = list(relations)
        text = self._one_statement(text)
        check(text, self._parse, self._catalogue, [name for name, *_ in relations])
        try:
            for name, columns, types, values in relations:
                self._bring(name, columns, types, values)
            return self._rows(text, limit, characters)
        finally:
            for name, *_ in relations:
                self._connection.execute(f"DROP TABLE IF EXISTS temp.main.{_quoted(name)}")

    def _one_statement(self, text: str) -> str:
        """The only statement of `text`, without what ends it."""
        # By the locked connection: to read IMPORT DATABASE, the parser opens a file.
        found = self._connection.extract_statements(text)
        if not found:
            raise Refused("The query holds only comments: send one SELECT statement.")
        if len(found) > 1:
            raise Refused(f"These are {len(found)} statements: send one SELECT statement.")
        if found[0].type != duckdb.StatementType.SELECT:
            kind = found[0].type.name.replace("_", " ")
            raise Refused(f"This is a statement of the kind {kind}: only SELECT is run here.")
        source = text.encode()
        # Offsets are in bytes; of one statement the first such operator is its end.
        for offset, kind in duckdb.tokenize(text):
            if kind == duckdb.token_type.operator and source[offset : offset + 1] == b";":
                return source[:offset].decode()
        return text

    def _bring(self, name: str, columns: list[str], types: list[str], values: list[Any]) -> None:
        """Have a table of the caller stand beside those of the database, for this query."""
        # Decimals come as text.
        cells = ", ".join(
            f"unnest(?::{'VARCHAR' if type_.startswith('DECIMAL') else type_}[])::{type_} "
            f"AS {_quoted(column)}"
            for column, type_ in zip(columns, types, strict=True)
        )
        # The names are quoted and the types are ours; the values are parameters.
        statement = f"CREATE TEMP TABLE {_quoted(name)} AS SELECT {cells}"
        self._connection.execute(statement, values)

    def _rows(self, text: str, limit: int, characters: int) -> Reply:
        # The text was parsed as one SELECT, and a comment at its end stops at the new line.
        source = f"FROM (\n{text}\n)"
        described = self._connection.execute(f"SELECT * {source} LIMIT 0").description or ()
        types = [column[1] for column in described]
        cells = ", ".join(projection(position, type_) for position, type_ in enumerate(types, 1))
        result = self._connection.execute(f"SELECT {cells} {source} LIMIT {int(limit)}")
        budget = Budget(characters)
        rows: list[tuple[Any, ...]] = []
        kinds = [type_.id for type_ in types]
        names = [str(type_) for type_ in types]
        columns = [str(column[0]) for column in described]
        while chunk := result.fetchmany(CHUNK):
            for row in chunk:
                cells_shown = shown(row, kinds, budget)
                if not budget.takes(cells_shown):
                    return ("rows", columns, kinds, rows, True, budget.cut, names)
                rows.append(cells_shown)
        return ("rows", columns, kinds, rows, False, budget.cut, names)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _answer(database: _Database, request: tuple[Any, ...]) -> Reply:
    try:
        return database.describe() if request == DESCRIBE else database.run(*request)
    except KeyError as missing:
        return ("refused", f"The query's tree is not understood ({missing}): write it otherwise.")
    except RecursionError:
        return ("refused", "The query is nested too deeply: flatten it.")
    except duckdb.ParserException as error:
        return ("refused", f"The query is not well-formed SQL ({_first(error)}): mend it.")
    except duckdb.OutOfMemoryException:
        return OUT_OF_MEMORY
    except (duckdb.Error, RuntimeError, ValueError, TypeError, OverflowError) as error:
        return ("failed", f"DuckDB: {_first(error)}. Mend the query.")


def _first(error: BaseException) -> str:
    """Return an error's words, without the excerpt of the query that follows them."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split()).rstrip(".!")


def _opened(path: str, memory: int) -> Answer:
    try:
        if path != MEMORY and not Path(path).exists():
            raise ValueError("there is no such file")
        database = _Database(*open_database(path, memory))
    except (duckdb.Error, OSError, RuntimeError, ValueError) as error:
        raise CannotOpen(_first(error)) from error
    return partial(_answer, database)


def main() -> None:
    """Answer queries of the database that the parent names."""
    live(_opened, _SHARE)


def _describe(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """The tables and views, as `groundwire.tables.engine.unpacked` takes them."""
    columns: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for schema, table, name, type_, nullable, comment in connection.execute(_COLUMNS).fetchall():
        columns.setdefault((schema, table), []).append((name, type_, nullable, comment or ""))
    primary: dict[tuple[str, str], tuple[str, ...]] = {}
    unique: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    foreign: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
    for schema, table, kind, own, other, theirs in connection.execute(_KEYS).fetchall():
        key = (schema, table)
        if kind == "PRIMARY KEY":
            primary[key] = tuple(own)
        elif kind == "UNIQUE":
            unique.setdefault(key, []).append(tuple(own))
        else:
            # A reference stays within its schema.
            foreign.setdefault(key, []).append((tuple(own), _written(schema, other), tuple(theirs)))
    return [
        (
            _written(schema, table),
            columns.get((schema, table), []),
            primary.get((schema, table), ()),
            unique.get((schema, table), []),
            foreign.get((schema, table), []),
            comment or "",
            rows,
        )
        for schema, table, comment, rows in connection.execute(_DESCRIBED).fetchall()
    ]


def _written(schema: str, table: str) -> str:
    return written(table) if schema == "main" else written(schema, table)


def _read_catalogue(
    connection: duckdb.DuckDBPyConnection,
) -> Catalogue:
    """The tables, views and macros of a database that was just opened."""
    rows = connection.execute(_TABLES).fetchall()
    views = {
        (schema.lower(), name.lower()): _select_of_view(sql)
        for schema, name, sql in connection.execute(_VIEWS).fetchall()
    }
    macros: dict[str, tuple[str, ...]] = {}
    for name, kind, definition in connection.execute(_MACROS).fetchall():
        text = _text_of_macro(kind, definition)
        macros[name.lower()] = (*macros.get(name.lower(), ()), text)
    (database,) = connection.execute("SELECT system.main.current_database()").fetchone() or ("",)
    tables = frozenset([(schema.lower(), name.lower()) for schema, name in rows]) | views.keys()
    return Catalogue(tables, views, macros, database.lower())


def _text_of_macro(kind: str, definition: str | None) -> str:
    # A function of the database that is no macro has no text: it is then not well formed.
    return f"SELECT {definition}" if kind == "macro" else definition or ""


def _select_of_view(sql: str) -> str | None:
    """Return what follows the keyword AS of a CREATE VIEW, of which DuckDB quotes the names."""
    source = sql.encode()
    for offset, kind in duckdb.tokenize(sql):
        if kind == duckdb.token_type.keyword and source[offset : offset + 3].upper() in (
            b"AS ",
            b"AS\n",
            b"AS(",
        ):
            return source[offset + 2 :].decode().strip().removesuffix(";")
    return None


def _is_data(path: Path) -> bool:
    """Whether a path is a folder, or a data file rather than a database."""
    return path.is_dir() or _reader(path) is not None


def _attach(connection: duckdb.DuckDBPyConnection, path: Path) -> frozenset[tuple[str, str]]:
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
