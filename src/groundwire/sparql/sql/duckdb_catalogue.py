"""Contents of a DuckDB database, and what its views and macros stand for."""

from __future__ import annotations

import duckdb

from groundwire.sparql.sql.duckdb_gate import Catalogue

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
