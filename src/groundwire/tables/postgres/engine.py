"""A PostgreSQL database as an SQL engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from datetime import time as clock
from pathlib import Path
from typing import Any

from groundwire.errors import DeadlineError, ForbiddenError, InputError
from groundwire.postgres_url import Place, connection_arguments, read_url
from groundwire.tables.bounds import Refused, unfit
from groundwire.tables.credentials import PASSWORD, USER
from groundwire.tables.engine import (
    Check,
    Column,
    Limits,
    Result,
    Table,
    Value,
    late,
    parsed,
    unpacked,
)
from groundwire.tables.postgres.connections import NUMERIC, Connections
from groundwire.tables.postgres.gate import check
from groundwire.tables.quoting import written

# Object ids of types, as in `values`.
_PARSERS: dict[int, Callable[[str], Value]] = {
    1082: date.fromisoformat,
    1083: clock.fromisoformat,
    1266: clock.fromisoformat,
    1114: datetime.fromisoformat,
    1184: datetime.fromisoformat,
}
_NUMBERS = frozenset((700, 701, NUMERIC))
_DESCRIBING = 30.0


class PostgresEngine:
    """One PostgreSQL database; an `Engine`.

    Numerics are decimals; NaN and the infinities are None, as nothing may read them as numbers;
    instants with a zone are in UTC; bytea is its first bytes in hexadecimal; dates that Python does
    not have (infinity, BC) stay text, like intervals; arrays and rows are JSON.

    Args:
        url: `postgresql://[user@]host[:port]/database[?sslmode=...]`, without a password.
        environ: the environment, with the credentials.
        connections: most connections at a time.

    Raises:
        ConfigurationError: the URL is wrong, or holds a password.
    """

    dialect = "postgres"

    def __init__(self, url: str, environ: Mapping[str, str], *, connections: int = 4) -> None:
        place: Place = read_url(url)
        user = USER if environ.get(USER) else None
        password = PASSWORD if environ.get(PASSWORD) else None
        self._connections = Connections(
            lambda: connection_arguments(place, user, password, environ), most=connections
        )

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - it is frozen
        """Run one reading statement; see `Engine`."""
        reason = unfit(sql)
        if reason:
            raise ForbiddenError(reason)
        began = time.monotonic()
        try:
            verdict = check(sql)
        except Refused as refused:
            raise ForbiddenError(str(refused)) from None
        try:
            found = self._connections.run(
                verdict, limits.rows + 1, began + limits.seconds, limits.characters
            )
        except Refused as refused:
            raise InputError(str(refused)) from None
        except DeadlineError:
            raise late(limits.seconds) from None
        columns = tuple(map(Column, found.names, found.type_names))
        kept = typed(found.rows[: limits.rows], found.types)
        whole = not (found.more or found.cut) and len(found.rows) <= limits.rows
        return Result(columns, kept, whole, time.monotonic() - began)

    def tables(self) -> Sequence[Table]:
        """Tables and views that the role can read, sorted by name; see `Engine`."""
        return read_tables(self._connections, time.monotonic() + _DESCRIBING)

    def check(self) -> Check:
        """How the server is doing, and whether the role could write; see `Engine`."""
        read = self._read("writing", "mode")
        ((version, superuser, table, schema),), ((mode,),) = read["writing"], read["mode"]
        what = (
            "is a superuser"
            if superuser
            else f"may change the table {table}"
            if table
            else f"may create tables in the schema {schema}"
            if schema
            else ""
        )
        mend = (
            "connect with a role that has only CONNECT, USAGE and SELECT, and see that PUBLIC has "
            "no CREATE"
        )
        detail = f"The role {what}: {mend}." if what else ""
        mode = "TRANSACTION READ ONLY" if mode == "on" else ""
        return Check(f"PostgreSQL {version}", bool(what), detail, mode)

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()

    def _read(self, *names: str) -> dict[str, list[tuple[Any, ...]]]:
        return _read(self._connections, time.monotonic() + _DESCRIBING, *names)


def read_tables(connections: Connections, deadline: float) -> Sequence[Table]:
    """Tables and views that the role can read, sorted by name.

    Raises:
        InputError: the server refuses to tell them.
        DeadlineError: the deadline of the monotonic clock passed.
        UnavailableError: the server does not answer.
    """
    found = _read(connections, deadline, "tables", "columns", "keys")
    names = {
        table: written(name, folds=True) if visible else written(schema, name, folds=True)
        for table, schema, name, visible, _, _ in found["tables"]
    }
    columns: dict[int, list[tuple[Any, ...]]] = {}
    for table, name, type_, nullable, comment in found["columns"]:
        columns.setdefault(table, []).append((name, type_, nullable, comment or ""))
    keys: dict[tuple[int, str], list[Any]] = {}
    for table, kind, own, other, theirs in found["keys"]:
        key = (own, names[other], theirs) if kind == "f" and other in names else own
        if kind != "f" or other in names:
            keys.setdefault((table, kind), []).append(key)
    return unpacked(
        (
            names[table],
            columns.get(table, []),
            next(iter(keys.get((table, "p"), [()]))),
            keys.get((table, "u"), []),
            keys.get((table, "f"), []),
            comment,
            rows,
        )
        for table, _, _, _, comment, rows in found["tables"]
    )


def _read(
    connections: Connections, deadline: float, *names: str
) -> dict[str, list[tuple[Any, ...]]]:
    here = Path(__file__).parent
    queries = {name: (here / f"{name}.sql").read_text("utf-8") for name in names}
    try:
        return connections.read(queries, deadline)
    except Refused as refused:
        raise InputError(str(refused)) from None


def typed(rows: Sequence[tuple[Any, ...]], types: Sequence[int]) -> tuple[tuple[Value, ...], ...]:
    """Rows as `values.shown` gives them, with dates and times, and no words for numbers."""
    readers = [_reader(type_) for type_ in types]
    return tuple(
        tuple(
            reader(value) if reader is not None and isinstance(value, str) else value
            for reader, value in zip(readers, row, strict=True)
        )
        for row in rows
    )


def _reader(type_: int) -> Callable[[str], Value] | None:
    if type_ in _NUMBERS:
        return _no_number
    parser = _PARSERS.get(type_)
    return None if parser is None else lambda text: parsed(text, parser)


def _no_number(_: str) -> Value:
    return None
