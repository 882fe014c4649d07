"""Types of a GraphQL service or of a graph's generated schema, and tables of a database."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
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


_SECONDS = 8.0
_MOST_ARGUMENTS = 8
_LONGEST_DESCRIPTION = 160
_LONGEST_NAME = 80
_SHOWN = ("OBJECT", "INTERFACE", "INPUT_OBJECT", "ENUM", "UNION")
_NAME = re.compile(r"[_A-Za-z][_0-9A-Za-z]*")


@dataclass(frozen=True, slots=True)
class ServiceType:
    """One type.

    Attributes:
        name: its name.
        kind: object, interface, input_object, enum or union.
        description: what the service says of it.
        fields: of each field its name, how a query writes its arguments and type, and its
            description; of an enumeration, its values.
    """

    name: str
    kind: str
    description: str
    fields: tuple[tuple[str, str, str], ...]


@cache
def _query() -> str:
    return Path(__file__).with_name("introspection.graphql").read_text("utf-8")


async def read_types(runner: Runner) -> tuple[tuple[ServiceType, ...], Outcome]:
    """Return the types of a service, the one of its queries first.

    Raises:
        UnavailableError: it does not tell its types.
    """
    outcome = await runner.run(Request("graphql", _query(), 1000, _SECONDS))
    try:
        schema = json.loads(str(outcome.rows[0][0]))["__schema"] if outcome.rows else None
        if not isinstance(schema, dict):
            raise UnavailableError(
                f"The service does not tell its types: {outcome.reason or outcome.status}"
            )
        return _types(cast("dict[str, Any]", schema)), outcome
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnavailableError("The service tells its types in a form that is not known.") from (
            error
        )


def _types(schema: Mapping[str, Any]) -> tuple[ServiceType, ...]:
    root: dict[str, Any] = schema.get("queryType") or {}
    first = str(root.get("name", "Query"))
    found: list[ServiceType] = []
    for one in schema["types"]:
        name = str(one["name"])
        if one["kind"] not in _SHOWN or name.startswith("__") or not _is_name(name):
            continue
        fields = [
            (str(f["name"]), _arguments(f.get("args")) + f": {_type(f['type'])}",
             str(f.get("description") or ""))
            for f in one.get("fields") or () if _is_name(f["name"])
        ]  # fmt: skip
        for kind in ("inputFields", "enumValues"):
            listed: list[dict[str, Any]] = one.get(kind) or []
            fields += [(str(f["name"]), "", "") for f in listed if _is_name(f["name"])]
        shown = str(one["kind"]).lower()
        found.append(ServiceType(name, shown, str(one.get("description") or ""), tuple(fields)))
    return tuple(sorted(found, key=lambda one: str(one.name) != first))


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= _LONGEST_NAME and bool(_NAME.fullmatch(name))


def _arguments(listed: Any) -> str:
    known = [one for one in listed or () if _is_name(one["name"])]
    if not known:
        return ""
    more = ", ..." if len(known) > _MOST_ARGUMENTS else ""
    said = ", ".join(f"{one['name']}: {_type(one['type'])}" for one in known[:_MOST_ARGUMENTS])
    return f"({said}{more})"


def _type(tree: Any) -> str:
    """Return a type as a schema writes it; what lies deeper than was asked for is "..."."""
    if not isinstance(tree, dict):
        return "..."
    held = cast("dict[str, Any]", tree)
    if held.get("kind") == "NON_NULL":
        return f"{_type(held.get('ofType'))}!"
    if held.get("kind") == "LIST":
        return f"[{_type(held.get('ofType'))}]"
    return str(held["name"]) if _is_name(held.get("name")) else "..."


def type_entries(types: Sequence[ServiceType]) -> list[Entry]:
    """Return the types, with their fields where one page holds them all."""
    full = [type_entry(one, with_fields=True) for one in types]
    if size(full) <= PAGE_CHARACTERS:
        return full
    return [type_entry(one, with_fields=at == 0) for at, one in enumerate(types)]


def type_entry(one: ServiceType, *, with_fields: bool) -> Entry:
    """Return a type; each field is written with its arguments and its type."""
    entry: Entry = {"kind": "type", "name": one.name}
    if one.kind != "object":
        entry["of"] = one.kind
    if one.description:
        entry["comment"] = safe_name(one.description, _LONGEST_DESCRIPTION)
    if with_fields:
        entry["fields"] = [f"{name}{rest}" for name, rest, _ in one.fields]
    else:
        entry["field_count"] = len(one.fields)
    return entry


def field_entries(one: ServiceType) -> list[Entry]:
    """Return the fields of one type with what the service says of them."""
    entries: list[Entry] = []
    for name, rest, description in one.fields:
        arguments, _, type_ = rest.rpartition(": ")
        entry: Entry = {"kind": "field", "of": one.name, "name": name}
        if arguments:
            entry["arguments"] = arguments
        if type_:
            entry["type"] = type_
        if description:
            entry["comment"] = safe_name(description, _LONGEST_DESCRIPTION)
        entries.append(entry)
    return entries


def find_type(
    types: Sequence[ServiceType], text: str
) -> tuple[ServiceType | None, list[ServiceType]]:
    """Return the one type that is called so, or None with those whose names come near."""
    by_name = {one.name: one for one in types}
    vocabulary = Vocabulary(Term(name, name) for name in by_name)
    resolution = vocabulary.resolve(text, Policy.CANDIDATES_ONLY)
    if resolution.term is not None:
        return by_name[resolution.term.id], []
    return None, [by_name[one.term.id] for one in resolution.candidates]


def search_types(types: Sequence[ServiceType], text: str) -> list[ServiceType]:
    """Return the types that have words of a text in their names or those of their fields."""
    words = {word.casefold() for word in re.findall(r"\w+", text)}

    def score(one: ServiceType) -> int:
        own = one.name.casefold()
        inner = " ".join(name for name, _, _ in one.fields).casefold()
        return sum(2 * (word in own) + (word in inner) for word in words)

    held = [one for one in types if score(one)]
    return sorted(held, key=score, reverse=True) or find_type(types, text)[1]


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
