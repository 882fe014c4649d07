"""ClickHouse as an SQL engine, a server or a folder of chDB, behind a gate.

The gate says which functions and tables a query may name.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from groundwire.errors import ForbiddenError, InputError, UnavailableError
from groundwire.graph.pool import Kind
from groundwire.tables import gate
from groundwire.tables.bounds import Refused, listed
from groundwire.tables.clickhouse.values import columns, reader, typed
from groundwire.tables.engine import Check, Limits, Result, Table, Value, late, unpacked
from groundwire.tables.file_engine import FileWorkers
from groundwire.tables.gate import Parts, Policy, words
from groundwire.tables.quoting import written

_CATALOGUE = frozenset(
    ("columns", "key_column_usage", "referential_constraints", "tables", "views")
)
# https://clickhouse.com/docs/sql-reference/aggregate-functions/combinators
_COMBINATORS = (
    "simplestate", "ordefault", "argmin", "argmax", "distinct", "foreach", "ornull", "array",
    "merge", "state", "map", "if",
)  # fmt: skip
_TYPES = listed(
    """
    array char datetime datetime64 decimal decimal128 decimal256 decimal32
    decimal64 enum enum16 enum8 fixedstring json lowcardinality map nested nullable numeric
    time64 tuple varchar variant
    """
)
_KIND = Kind("groundwire.tables.clickhouse.worker", "chDB", "check that it is a folder of chDB")


@cache
def policy() -> Policy:
    """The rules of the gate for ClickHouse's SQL."""
    here = Path(__file__)
    aggregates = words(here.with_name("aggregates.txt"))
    return Policy(
        dialect="clickhouse",
        functions=words(here.with_name("functions.txt")) | aggregates,
        types=_TYPES,
        table_functions=listed("numbers numbers_mt generate_series generateseries zeros values"),
        table=_objection,
        base=_without_combinators,
        has_column_aliases=False,
    )


@lru_cache(maxsize=256)
def check(text: str) -> str:
    """Check a query, and return the text to send; see `groundwire.tables.gate.check`."""
    return gate.check(text, policy())


def _objection(parts: Parts) -> str:
    if len(parts) > 1 and parts[-2] == "information_schema":
        if parts[-1] in _CATALOGUE:
            return ""
        return f"The table {'.'.join(parts)} is not read here: information_schema.tables is."
    head = next(iter(parts), "")
    if head in ("system", "information_schema", "_temporary_and_external_tables"):
        return f"The tables of {head} are not read here: information_schema.tables is."
    if len(parts) > 2:
        return f"There is no table {'.'.join(parts)!r} here: write DATABASE.TABLE."
    return ""


def _without_combinators(name: str) -> str:
    """The aggregate function of a name like `sumIf`."""
    aggregates = words(Path(__file__).with_name("aggregates.txt"))
    while name not in aggregates:
        ending = next((one for one in _COMBINATORS if name.endswith(one)), None)
        if ending is None:
            return name
        name = name.removesuffix(ending)
    return name


# Numbers of errors: src/Common/ErrorCodes.cpp of ClickHouse.
_LATE = frozenset((159, 160, 394))
_NOT_LET_IN = frozenset((192, 193, 194, 195, 209, 210, 516))
_CODE = re.compile(r"Code: (\d+)\.\s*(?:DB::Exception:\s*)?(.*)", re.DOTALL)
_TAIL = re.compile(
    r"(?:: )?(?:While executing |In scope | \(version |\(official build\)|: While ).*", re.DOTALL
)
# What grants may hold of an account that only reads (SHOW GRANTS).
_READING = re.compile(r"SELECT(?:\([^)]*\))?|SHOW[A-Z ]*|dictGet|REMOTE|NONE|USAGE")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_GRANT = re.compile(r"GRANT (.+?) ON ", re.IGNORECASE)
_OURS = Limits(seconds=30.0, rows=1_000_000, characters=200_000_000)


class Lines(NamedTuple):
    """An answer as it comes: names, types and rows as lines, and whether there are more rows."""

    found: list[str]
    more: bool


class Failure(Exception):
    """The words in which ClickHouse says that a query failed."""


class Channel(Protocol):
    """The client that takes queries to ClickHouse."""

    @property
    def can_write(self) -> bool | None:
        """Whether it could write, where that is known without asking."""
        ...

    def ask(self, sql: str, limits: Limits) -> Lines:
        """Answer a query that has passed the gate, or one that this project composed.

        Raises:
            Failure: ClickHouse refuses it or fails.
            DeadlineError: it did not end in time and was cancelled.
            UnavailableError: ClickHouse does not answer.
        """
        ...

    def close(self) -> None:
        """End what is open."""
        ...


class ClickHouseEngine:
    """One ClickHouse; an `Engine`.

    Decimals are exact; NaN and the infinities are None, as nothing may read them as numbers;
    instants are in UTC; arrays, maps and tuples are JSON. Tables have no primary key here:
    ClickHouse's own does not identify a row.

    Args:
        channel: what takes queries there.
    """

    dialect = "clickhouse"

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008 - it is frozen
        """Run one reading statement; see `Engine`."""
        try:
            passed = check(sql)
        except Refused as refused:
            raise ForbiddenError(str(refused)) from None
        return self._ask(passed, limits)

    def tables(self) -> Sequence[Table]:
        """Tables and views of all databases that the account can read; see `Engine`."""
        found = self._read("tables")
        columns_of: dict[tuple[Any, Any], list[tuple[Any, ...]]] = {}
        for database, table, name, type_, comment in self._read("columns"):
            columns_of.setdefault((database, table), []).append(
                (name, type_, str(type_).startswith(("Nullable(", "LowCardinality(N")), comment)
            )
        return unpacked(
            (
                written(str(table)) if is_current else written(str(database), str(table)),
                columns_of.get((database, table), []),
                (),
                (),
                (),
                comment,
                rows,
            )
            for database, table, comment, rows, is_current in found
        )

    def check(self) -> Check:
        """How ClickHouse is doing, and whether the account could write; see `Engine`."""
        (row,) = self._ask("SELECT version()", _OURS).rows
        version = f"ClickHouse {row[0]}"
        if self._channel.can_write is not None:
            return Check(version, self._channel.can_write)
        mode = self._mode()
        if not mode:
            return Check(
                version,
                True,
                "The server does not apply the setting readonly of queries: set readonly = 1 in "
                "the profile of the account.",
            )
        try:
            grants = [str(grant) for (grant,) in self._ask("SHOW GRANTS", _OURS).rows]
        except InputError:
            detail = "The account may not see its grants: check them yourself."
            return Check(version, None, detail, mode)
        changing = [name for grant in grants for name in _changing(grant)]
        if not changing:
            return Check(version, False, "", mode)
        return Check(
            version,
            True,
            f"The account may {changing[0]}: use one with GRANT SELECT only, and readonly = 1 in "
            "its profile.",
            mode,
        )

    def _mode(self) -> str:
        """The read-only mode that a query of ours has; "" where it has none."""
        try:
            ((mode,),) = self._ask("SELECT toString(getSetting('readonly'))", _OURS).rows
        except InputError:
            return ""
        return f"readonly = {mode}" if str(mode) in ("1", "2") else ""

    def close(self) -> None:
        """End what is open."""
        self._channel.close()

    def _read(self, name: str) -> tuple[tuple[Value, ...], ...]:
        query = (Path(__file__).parent / f"{name}.sql").read_text("utf-8")
        return self._ask(query, _OURS).rows

    def _ask(self, sql: str, limits: Limits) -> Result:
        began = time.monotonic()
        try:
            lines, more = self._channel.ask(sql, limits)
        except Failure as failure:
            raise explained(str(failure), limits) from None
        if len(lines) < 2:
            raise UnavailableError("ClickHouse gave no answer: check its HTTP port.")
        heads = columns(lines[0].encode(), lines[1].encode())
        readers = [reader(column.type) for column in heads]
        rows: list[tuple[Value, ...]] = []
        room = limits.characters
        for line in lines[2:]:
            if not line.startswith("["):
                raise explained(line, limits)
            room -= len(line)
            if len(rows) >= limits.rows or room < 0:
                more = True
                break
            rows.append(typed(line, readers))
        return Result(heads, tuple(rows), not more, time.monotonic() - began)


def explained(message: str, limits: Limits) -> Exception:
    """The error that says in one line what ClickHouse said."""
    match = _CODE.search(message)
    code, words = (int(match[1]), match[2]) if match else (0, message)
    words = " ".join(_TAIL.sub("", words).split()).rstrip(". ")[:300]
    if code in _LATE:
        return late(limits.seconds)
    if code in _NOT_LET_IN:
        return UnavailableError(f"ClickHouse does not let us in ({words}): check the credentials.")
    if code == 241:
        return InputError("The query needs more memory than it may have: narrow it.")
    return InputError(f"ClickHouse: {words}. Mend the query.")


def _changing(grant: str) -> list[str]:
    """The privileges of one line of SHOW GRANTS that are not of reading."""
    match = _GRANT.match(grant)
    if match is None:
        return []
    names = _IN_BRACKETS.sub("", match[1]).split(",")
    return [name for name in map(str.strip, names) if not _READING.fullmatch(name)]


class FolderChannel:
    """The workers on one folder; a `Channel`. One at a time: chDB locks its folder."""

    can_write = False

    def __init__(self, path: Path, *, memory: int = 1 << 30) -> None:
        self._workers = FileWorkers(
            path, kind=_KIND, package="chdb", workers=1, memory=memory, by_inode=True
        )

    def ask(self, sql: str, limits: Limits) -> Lines:
        """Answer a query; a worker that is late is killed."""
        if find_spec("chdb") is None:
            raise UnavailableError("chDB is not installed: run `pip install 'groundwire[chdb]'`.")
        message = (sql, limits.rows, (), limits.characters)
        kind, *reply = self._workers.ask(message, time.monotonic() + limits.seconds)
        if kind != "rows":
            raise Failure(str(reply[0]) if reply else "no answer")
        found, more = reply
        return Lines(found, more)

    def close(self) -> None:
        """End the workers."""
        self._workers.close()


def open_folder(path: Path) -> ClickHouseEngine:
    """The engine on a folder of chDB."""
    return ClickHouseEngine(FolderChannel(path))
