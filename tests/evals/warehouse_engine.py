"""DuckDB in memory as an engine, for tests: what the compiler writes runs as it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import duckdb

from groundwire.errors import InputError
from groundwire.tables.engine import Check, Column, Limits, Result, Table


class DuckEngine:
    """A DuckDB connection that keeps the statements it was sent."""

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        self.connection = connection or duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        self.statements: list[str] = []
        self._lock = threading.Lock()

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008
        started = time.perf_counter()
        with self._lock:
            self.statements.append(sql)
            try:
                cursor = self.connection.execute(sql)
            except duckdb.Error as problem:
                raise InputError(str(problem)) from None
            rows = cursor.fetchmany(limits.rows + 1)
            columns = tuple(Column(one[0], str(one[1])) for one in cursor.description or ())
        cut = len(rows) > limits.rows
        return Result(columns, tuple(rows[: limits.rows]), not cut, time.perf_counter() - started)

    def tables(self) -> Sequence[Table]:
        return ()

    def check(self) -> Check:
        return Check("DuckDB", None)

    def close(self) -> None:
        self.connection.close()
