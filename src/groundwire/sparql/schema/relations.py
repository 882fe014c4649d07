"""Tables of a database: columns with type, key and comment, and about how many rows there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, cast

from groundwire.errors import UnavailableError
from groundwire.safe_text import safe_name
from groundwire.sparql.outcome import Outcome, Request, Runner
from groundwire.sparql.schema.entries import PAGE_CHARACTERS, Entry, size
from groundwire.tables.engine import Column, Table
from groundwire.tables.quoting import written
from groundwire.vocabulary import Policy, Term, Vocabulary

_SAMPLE_ROWS = 20
_SAMPLE_SECONDS = 2.0
_MOST_EXAMPLES = 3
_LONGEST_EXAMPLE = 40
_LONGEST_COMMENT = 200
_DESCRIBING_SECONDS = 8.0
_PART = re.compile(r'"(?:[^"]|"")*"|[^."]+')


class DescribesTables(Protocol):
    """A runner that can tell which tables there are."""

    async def tables(self, seconds: float) -> Sequence[Table]:
        """Tables and views, sorted by name."""
        ...


async def read_tables(runner: Runner) -> Sequence[Table]:
    """Return the tables of the database behind a runner.

    Raises:
        UnavailableError: it does not tell them.
        GroundwireError: it does not answer.
    """
    inner: Any = getattr(runner, "runner", runner)
    if not hasattr(inner, "tables"):
        raise UnavailableError("This database does not tell its tables.")
    return await cast("DescribesTables", inner).tables(_DESCRIBING_SECONDS)


def table_entries(tables: Sequence[Table]) -> list[Entry]:
    """Return the tables, with their columns where one page holds them all."""
    full = [table_entry(one, with_columns=True) for one in tables]
    if size(full) <= PAGE_CHARACTERS:
        return full
    return [table_entry(one, with_columns=False) for one in tables]


def table_entry(table: Table, *, with_columns: bool) -> Entry:
    """Return a table; each column is its name, its type, and the column that it refers to."""
    entry: Entry = {"kind": "table", "name": table.name}
    if table.comment:
        entry["comment"] = safe_name(table.comment, _LONGEST_COMMENT)
    if table.rows is not None:
        entry |= {"rows": table.rows, "basis": "estimated"}
    if table.primary_key:
        entry["key"] = list(table.primary_key)
    if with_columns:
        entry["columns"] = [
            f"{written(one.name)} {one.type}" + (f" → {to}" if (to := _refers(table, one)) else "")
            for one in table.columns
        ]
    else:
        entry["column_count"] = len(table.columns)
    return entry


async def column_entries(table: Table, runner: Runner) -> tuple[list[Entry], Outcome]:
    """Return the columns of a table with a few of their values, and the query for those."""
    query = f"SELECT * FROM {table.name} LIMIT {_SAMPLE_ROWS}"  # noqa: S608 - a name as it is quoted
    outcome = await runner.run(Request("sql", query, _SAMPLE_ROWS, _SAMPLE_SECONDS))
    examples: dict[str, list[str]] = {}
    for row in outcome.rows if outcome.answered else ():
        for name, cell in zip(outcome.columns, row, strict=False):
            text = "" if cell is None else str(cell)
            kept = examples.setdefault(name, [])
            if 0 < len(text) <= _LONGEST_EXAMPLE and text not in kept:
                kept.append(text)
    entries: list[Entry] = []
    for one in table.columns:
        entry: Entry = {
            "kind": "column",
            "table": table.name,
            "name": written(one.name),
            "type": one.type,
        }
        if key := _key(table, one):
            entry["key"] = key
        if to := _refers(table, one):
            entry["refers_to"] = to
        if one.comment:
            entry["comment"] = safe_name(one.comment, _LONGEST_COMMENT)
        if held := examples.get(one.name):
            entry["example"] = [safe_name(text) for text in held[:_MOST_EXAMPLES]]
        entries.append(entry)
    return entries, outcome


def find_table(tables: Sequence[Table], text: str) -> tuple[Table | None, list[Table]]:
    """Return the one table that is called so, or None with those whose names come near."""
    by_name = {one.name: one for one in tables}
    if text.strip() in by_name:
        return by_name[text.strip()], []
    resolution = _vocabulary(tables).resolve(text, Policy.CANDIDATES_ONLY)
    if resolution.term is not None:
        return by_name[resolution.term.id], []
    return None, [by_name[one.term.id] for one in resolution.candidates]


def search_tables(tables: Sequence[Table], text: str) -> list[Table]:
    """Return the tables that have words of a text in their names, columns or comments."""
    wanted = {word.casefold() for word in re.findall(r"[^\W_]+", text)}
    scored: list[tuple[int, str, Table]] = []
    for one in tables:
        own = _words(one.name, one.comment)
        columns = _words(*(text for c in one.columns for text in (c.name, c.comment)))
        score = 2 * len(_common(wanted, own)) + len(_common(wanted, columns))
        if score:
            scored.append((-score, one.name, one))
    if scored:
        return [one for _, _, one in sorted(scored, key=lambda entry: entry[:2])]
    by_name = {one.name: one for one in tables}
    return [by_name[one.term.id] for one in _vocabulary(tables).suggest(text)]


def _words(*texts: str) -> set[str]:
    return {word.casefold() for text in texts for word in re.findall(r"[^\W_]+", text)}


def _common(wanted: set[str], held: set[str]) -> set[str]:
    singular = {word.removesuffix("s") for word in held}
    return {one for one in wanted if one in held or one.removesuffix("s") in singular}


def _vocabulary(tables: Sequence[Table]) -> Vocabulary:
    return Vocabulary(
        Term(one.name, _PART.findall(one.name)[-1].strip('"').replace("_", " "), (one.name,))
        for one in tables
    )


def _key(table: Table, column: Column) -> str:
    if column.name in table.primary_key:
        return "primary" if len(table.primary_key) == 1 else "part of primary"
    return "unique" if (column.name,) in table.unique_keys else ""


def _refers(table: Table, column: Column) -> str:
    for key in table.foreign_keys:
        if column.name in key.columns:
            at = key.columns.index(column.name)
            if at < len(key.to_columns):
                return f"{key.table}.{written(key.to_columns[at])}"
            return key.table
    return ""
