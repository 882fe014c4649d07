"""The process that runs SQL in SQLite: one database, one query at a time.

The database is opened read-only. An authorizer, which SQLite asks while it compiles, lets SELECT
read tables of the database and call functions of a list, in views too. A progress handler ends a
query at its deadline; what it cannot interrupt, one long call, the parent ends with SIGKILL.
"""

from __future__ import annotations

import math
import re
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Any

from groundwire.tables.bounds import (
    CHUNK,
    MAX_QUERY,
    MAX_TEXT,
    Budget,
    Refused,
    blob,
    instead,
    listed,
)
from groundwire.tables.quoting import written
from groundwire.tables.worker_life import (
    DESCRIBE,
    OUT_OF_MEMORY,
    Answer,
    CannotOpen,
    Reply,
    live,
)

_TABLES = """
    SELECT name, type FROM pragma_table_list
    WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type IN ('table', 'view')
    ORDER BY name
"""
_COLUMNS = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1'
_UNIQUE = "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin = 'u' AND NOT partial"
_FOREIGN = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq'

Packed = tuple[Any, ...]
"""A table as it goes over the pipe: see `groundwire.tables.engine`."""

FUNCTIONS = listed(
    """
    -> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat
    concat_ws cos cosh count cume_dist current_date current_time current_timestamp date datetime
    degrees dense_rank exp first_value floor format glob group_concat hex highlight ifnull if iif
    instr json json_array json_array_length json_each json_error_position json_extract
    json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
    json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array
    jsonb_extract jsonb_object julianday lag last_value lead length like likelihood likely ln log
    log10 log2 lower ltrim match matchinfo max median min mod nth_value ntile nullif number_of
    octet_length offsets percent_rank percentile percentile_cont percentile_disc pi pow power printf
    quote radians random randomblob rank replace round row_number rtrim sign sin sinh snippet
    soundex sqrt strftime string_agg substr substring sum tan tanh time timediff total trim trunc
    typeof unhex unicode unistr unixepoch unlikely upper zeroblob
    """
)
"""What a query may call, of SQLite's built-in functions and those of FTS5: no version, no
extension, no log, no counter of changes. `number_of` is our own."""

_SCHEMA = listed("sqlite_master sqlite_schema")
_TABLE_FUNCTIONS = listed("json_each json_tree")
_VIRTUAL = re.compile(r"\s*CREATE\s+VIRTUAL\s", re.IGNORECASE)
# Full-text tables ask for this when they are opened.
_PRAGMAS = listed("data_version")
_ACTIONS = {
    code: name.removeprefix("SQLITE_").replace("_", " ")
    for name, code in vars(sqlite3).items()
    if re.fullmatch(
        r"SQLITE_(CREATE|DROP|ALTER|ANALYZE|ATTACH|DELETE|DETACH|INSERT|PRAGMA|REINDEX|SAVEPOINT"
        r"|TRANSACTION|UPDATE)[A-Z_]*",
        name,
    )
}
_START = re.compile(r"(?:\s+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))*([^\s(;]*)", re.DOTALL)
_SELECTS = listed("SELECT WITH VALUES")
_NEAR = re.compile(r"no such (table|column|function): (.+)")
# The lowest of SQLite's limits that real queries keep to (https://sqlite.org/limits.html).
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 16 << 20,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 4 * MAX_QUERY,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    # Full-text tables use some themselves; those of a query are never bound, which is an error.
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
# Instructions of SQLite's machine between two looks at the clock.
_STEPS = 2_000
# The part of its time after which a query ends itself, so that its worker need not be killed.
_PART = 0.97


class _Database:
    def __init__(self, path: str) -> None:
        self._deadline = math.inf
        self._denied = ""
        self._connection = sqlite3.connect(
            f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=2.0
        )
        self._connection.text_factory = _text
        # What sorting needs stays in this process, whose memory is limited; views and virtual
        # tables of the file may not call what has side effects.
        self._connection.execute("PRAGMA temp_store = MEMORY")
        self._connection.execute("PRAGMA trusted_schema = OFF")
        self._connection.execute("PRAGMA query_only = ON")
        self._connection.create_function("number_of", 1, _number_of, deterministic=True)
        for limit, value in _LIMITS.items():
            self._connection.setlimit(limit, value)
        self._tables: frozenset[str] = frozenset()
        self._readable: frozenset[str] = frozenset()
        self._modules = {
            str(name).lower() for (name,) in self._connection.execute("PRAGMA module_list")
        }
        self._version: int | None = None
        self._learn()
        self._connection.set_progress_handler(self._is_late, _STEPS)

    def _learn(self) -> None:
        """See what tables there are, if that changed, and let the authorizer begin."""
        self._connection.set_authorizer(None)
        (version,) = self._connection.execute("PRAGMA schema_version").fetchone()
        if version != self._version:
            rows = self._connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view')"
            ).fetchall()
            self._tables = frozenset(str(name) for name, _ in rows)
            self._readable = (
                frozenset(name.lower() for name in self._tables) | _SCHEMA | _TABLE_FUNCTIONS
            )
            virtual = [name for name, sql in rows if _VIRTUAL.match(sql or "")]
            for name in (*virtual, *_TABLE_FUNCTIONS):
                # It declares its columns when it is first used, by writing to the schema.
                self._described(name)
            self._version = version
        self._connection.set_authorizer(self._authorize)

    def _described(self, table: str) -> set[str]:
        """The names of a table's columns."""
        # A name cannot be a parameter; doubled quotes keep it one name.
        quoted = table.replace('"', '""')
        try:
            found = self._connection.execute(f'SELECT * FROM "{quoted}" LIMIT 0')  # noqa: S608 - see above
        except sqlite3.Error:
            return set()
        return {str(column[0]) for column in found.description or ()}

    def describe(self) -> Reply:
        """The tables and views, as `described.unpacked` takes them, and the version."""
        self._connection.set_authorizer(None)
        try:
            tables = _describe(self._connection)
        except sqlite3.Error as error:
            return ("failed", f"SQLite: {error}.")
        finally:
            self._connection.set_authorizer(self._authorize)
        return ("tables", tables, f"SQLite {sqlite3.sqlite_version}")

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _authorize(
        self, action: int, first: str | None, second: str | None, schema: str | None, by: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ and not second and not schema:
            reason = self._objection_to_naming(first or "")
        else:
            reason = self._objection(action, first or "", second or "")
        if not reason:
            return sqlite3.SQLITE_OK
        self._denied = self._denied or (f"The view {by} may not be used: " if by else "") + reason
        return sqlite3.SQLITE_DENY

    def _objection_to_naming(self, table: str) -> str:
        """Why a table may not be named of which no column is read; it may be a name of WITH."""
        name = table.lower()
        if name in self._readable or not (name in self._modules or name.startswith("pragma_")):
            return ""
        return self._objection(sqlite3.SQLITE_READ, table, "")

    def _objection(self, action: int, first: str, second: str) -> str:
        """Why an action is not allowed; "" where it is."""
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return ""
        if action == sqlite3.SQLITE_READ:
            if first.lower() in self._readable:
                return ""
            return f"There is no table {first!r} here: {instead(first, self._tables)}"
        if action == sqlite3.SQLITE_FUNCTION:
            if second.lower() in FUNCTIONS:
                return ""
            return (
                f"The function {second} is not on the list of those that may be called here: "
                f"{instead(second, FUNCTIONS)}"
            )
        if action == sqlite3.SQLITE_PRAGMA and first.lower() in _PRAGMAS and not second:
            return ""
        what = _ACTIONS.get(action, "something else")
        return f"The query holds {what}, and only SELECT is run here: leave it out."

    def run(self, text: str, limit: int, seconds: float, characters: int = MAX_TEXT) -> Reply:
        """The first `limit` rows of a SELECT that ends within `seconds`."""
        start = _START.match(text)
        word = start[1].upper() if start else ""
        if word not in _SELECTS:
            raise Refused(
                f"This is a statement of the kind {word}: only SELECT is run here."
                if word.isalpha()
                else "The query holds no statement: send one SELECT statement."
            )
        self._denied = ""
        self._deadline = time.monotonic() + seconds * _PART
        cursor = self._connection.cursor()
        try:
            self._learn()
            cursor.execute(text)
            return self._rows(cursor, limit, characters)
        except sqlite3.Error as error:
            return self._failed(error)
        finally:
            cursor.close()
            self._deadline = math.inf

    def _rows(self, cursor: sqlite3.Cursor, limit: int, characters: int) -> Reply:
        columns = [str(column[0]) for column in cursor.description or ()]
        budget = Budget(characters)
        rows: list[tuple[Any, ...]] = []
        while len(rows) < limit:
            chunk = cursor.fetchmany(min(CHUNK, limit - len(rows)))
            if not chunk:
                break
            for row in chunk:
                cells = tuple(_cell(value, budget) for value in row)
                if not budget.takes(cells):
                    return ("rows", columns, [], rows, True, budget.cut)
                rows.append(cells)
        return ("rows", columns, [], rows, False, budget.cut)

    def _failed(self, error: sqlite3.Error) -> Reply:
        message = " ".join(str(error).split()).rstrip(".")
        if self._denied:
            return ("refused", self._denied)
        if message.startswith("user-defined function raised"):
            return ("failed", _NO_NUMBER)
        if message == "interrupted":
            return ("late",)
        if "one statement at a time" in message:
            return ("refused", "These are several statements: send one SELECT statement.")
        near = _NEAR.fullmatch(message)
        if near:
            kind, name = near.groups()
            known = self._tables if kind == "table" else FUNCTIONS
            if kind == "column":
                known = frozenset[str]().union(*map(self._described, self._tables))
            return ("refused", f"There is no {kind} {name!r} here: {instead(name, known)}")
        if "syntax error" in message or "incomplete input" in message or "token" in message:
            return ("refused", f"The query is not well-formed SQL ({message}): mend it.")
        if message.startswith("unsafe use of"):
            return ("refused", f"The query may not be run ({message}): leave that out.")
        if isinstance(error, sqlite3.ProgrammingError) or "variable" in message:
            return ("refused", f"The query cannot be run ({message}): write its values into it.")
        return ("failed", f"SQLite: {message}. Mend the query.")


_NO_NUMBER = (
    "SQLite: a column that is read as a number holds a text that is none, so nothing is computed "
    "of it: correct the values."
)


def _number_of(value: object) -> float | int:
    """Return the number that a text writes.

    Raises:
        ValueError: it writes none, or no finite one.
    """
    if not isinstance(value, str):
        raise ValueError
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return int(value) if number.is_integer() and value.strip().lstrip("+-").isdigit() else number


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _cell(value: Any, budget: Budget) -> Any:
    if isinstance(value, str):
        return budget.clipped(value)
    if isinstance(value, bytes):
        return blob(value, len(value))
    return value


def _answer(database: _Database, request: tuple[Any, ...]) -> Reply:
    try:
        return database.describe() if request == DESCRIBE else database.run(*request)
    except sqlite3.DataError:
        # A text or a blob beyond the limit of its length.
        return OUT_OF_MEMORY


def _opened(path: str, _memory: int) -> Answer:
    try:
        database = _Database(path)
    except (sqlite3.Error, OSError, ValueError) as error:
        raise CannotOpen(str(error)) from error
    return partial(_answer, database)


def main() -> None:
    """Answer queries of the database that the parent names."""
    live(_opened)


def _describe(connection: sqlite3.Connection) -> list[Packed]:
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
