"""Contents of a DuckDB database, and what its views and macros stand for."""

from __future__ import annotations

from typing import Any

import duckdb

from groundwire.tables.duckdb.gate import Catalogue
from groundwire.tables.quoting import written

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


def describe(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """The tables and views, as `groundwire.tables.described.unpacked` takes them."""
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


def read_catalogue(
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
