"""Tables and views of a SQLite database. Standard library only: the worker imports it."""

from __future__ import annotations

import sqlite3
from typing import Any

from groundwire.tables.quoting import written

_TABLES = """
    SELECT name, type FROM pragma_table_list
    WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type IN ('table', 'view')
    ORDER BY name
"""
_COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1'
_UNIQUE = "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin = 'u' AND NOT partial"
_FOREIGN = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'

Packed = tuple[Any, ...]
"""A table as it goes over the pipe: see `groundwire.tables.described`."""


def describe(connection: sqlite3.Connection) -> list[Packed]:
    """The tables and views of the database, by name; an unreadable view has no columns."""
    rows = connection.execute(_TABLES).fetchall()
    primary = {str(name): _primary_key(connection, str(name)) for name, _ in rows}
    return [_packed(connection, str(name), primary) for name, _ in rows]


def _primary_key(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    try:
        columns = connection.execute(_COLUMNS, (table,)).fetchall()
    except sqlite3.Error:
        return ()
    return tuple(name for _, name in sorted((pk, name) for name, _, _, pk in columns if pk))


def _packed(
    connection: sqlite3.Connection, table: str, primary: dict[str, tuple[str, ...]]
) -> Packed:
    try:
        columns = connection.execute(_COLUMNS, (table,)).fetchall()
    except sqlite3.Error:
        # A view over a table that is gone.
        columns = []
    unique: list[tuple[str, ...]] = []
    for (index,) in connection.execute(_UNIQUE, (table,)).fetchall():
        found = connection.execute("SELECT name FROM pragma_index_info(?)", (index,)).fetchall()
        unique.append(tuple(name for (name,) in found))
    keys: dict[int, tuple[str, list[str], list[str]]] = {}
    for number, other, column, to in connection.execute(_FOREIGN, (table,)).fetchall():
        _, own, theirs = keys.setdefault(number, (other, [], []))
        own.append(column)
        theirs.extend([to] if to else [])
    foreign = [
        # Without columns it means the primary key.
        (tuple(own), written(other), tuple(theirs) or primary.get(other, ()))
        for other, own, theirs in keys.values()
    ]
    packed = [(name, type_, not (needed or pk), "") for name, type_, needed, pk in columns]
    return (written(table), packed, primary[table], unique, foreign, "", None)
