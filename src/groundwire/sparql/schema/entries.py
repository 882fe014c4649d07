"""Entries of an answer, each short: those of a graph, and the tables of a database.

Of a graph there are classes, predicates and example queries, of a table its columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from groundwire.errors import UnavailableError
from groundwire.graph.terms import XSD_STRING
from groundwire.safe_text import safe_characters, safe_name
from groundwire.sparql.outcome import Outcome, Request, Runner
from groundwire.sparql.schema.model import ClassSchema, ExampleQuery, GraphSchema, Name, Use
from groundwire.sparql.schema.names import Notation, local
from groundwire.tables.engine import Column, Table
from groundwire.tables.quoting import written
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

Entry = dict[str, Any]

PAGE_CHARACTERS = 3_000
"""Characters of the entries of one page; a model has to afford it."""
_MOST_RANGES = 4
_LONGEST_LABEL = 80
_LONGEST_VALUE = 60
_HAS = (12, 6, 3)
# Classes of vocabularies themselves come last: who asks for data seldom means them.
_META = (
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/ns/shacl#",
    "http://purl.org/linked-data/cube#",
    "http://rdfs.org/ns/void#",
)


def in_order(classes: Sequence[Name]) -> list[Name]:
    """Return classes of data, the most used first, and then those of vocabularies."""
    return sorted(classes, key=lambda one: one.iri.startswith(_META))


def overview(schema: GraphSchema, notation: Notation, label: Callable[[str], str]) -> list[Entry]:
    """Return the classes of a graph with as many of their predicates as one page can hold."""
    classes = in_order(schema.classes)
    for most in _HAS:
        entries = [class_entry(one, schema, notation.fresh(), label, most) for one in classes]
        if size(entries) <= PAGE_CHARACTERS:
            break
    else:
        most = 0
    return [class_entry(one, schema, notation, label, most) for one in classes]


def class_entry(
    one: Name,
    schema: GraphSchema,
    notation: Notation,
    label: Callable[[str], str],
    most: int,
) -> Entry:
    """Return one class with its first predicates, each with what stands there."""
    entry = _named("class", notation.written(one.iri), one)
    uses = schema.uses.get(one.iri, ())
    if most and uses:
        entry["has"] = [_short(use, notation, label(use.steps[-1])) for use in uses[:most]]
        if len(uses) > most:
            entry["has_more"] = len(uses) - most
    return entry


def predicate_entries(
    read: ClassSchema, notation: Notation, label: Callable[[str], str]
) -> list[Entry]:
    """Return the predicates of one class; what stands inside nodes is told with what leads there.

    A path through such a node is the predicate, a slash, and what is told inside.
    """
    found: dict[str, Entry] = {}
    for use in read.uses:
        if len(use.steps) == 1:
            found[use.steps[0]] = use_entry(use, (read.iri,), notation, label(use.steps[0]))
    for use in read.uses:
        if len(use.steps) > 1 and use.steps[0] in found:
            inner = _short(replace(use, steps=use.steps[1:]), notation, label(use.steps[-1]))
            example = f" e.g. {_value(use.examples[0], notation)}" if use.examples else ""
            found[use.steps[0]].setdefault("inside", []).append(inner + example)
    return list(found.values())


def reached_entries(
    read: ClassSchema, schema: GraphSchema, notation: Notation, label: Callable[[str], str]
) -> list[Entry]:
    """Return the classes that the predicates of a class lead to, with what they have."""
    reached = dict.fromkeys(one for use in read.uses for one in use.classes if one != read.iri)
    names = {one.iri: one for one in schema.classes}
    return [
        class_entry(names[one], schema, notation, label, _HAS[1])
        for one in reached
        if one in names and schema.uses.get(one)
    ]


def use_entry(use: Use, of: Sequence[str], notation: Notation, label: str) -> Entry:
    """Return a predicate of some classes with its count, what stands there, and examples."""
    entry: Entry = {"kind": "predicate", "name": notation.path(use.steps)}
    _add_label(entry, label, use.steps[-1])
    entry["of"] = [notation.written(one) for one in of[:_MOST_RANGES]] or ["node"]
    if use.count:
        entry["count"] = use.count
    if use.basis != "counted" and (use.basis != "not counted" or len(use.steps) == 1):
        entry["basis"] = use.basis
    entry["range"] = ranges(use, notation)
    if use.examples:
        entry["example"] = [_value(text, notation) for text in use.examples]
    return entry


def name_entry(one: Name, notation: Notation) -> Entry:
    """Return a predicate alone."""
    return _named("predicate", notation.written(one.iri), one)


def query_entry(example: ExampleQuery, *, whole: bool) -> Entry:
    """Return an example query; its text where it is asked for."""
    entry: Entry = {"kind": "query", "name": safe_name(example.title or example.iri or "example")}
    if whole:
        entry["text"] = safe_characters(example.text)
    return entry


def ranges(use: Use, notation: Notation) -> list[str]:
    """Return what stands at the end of a predicate: classes, datatypes, `text`, `iri` or `node`."""
    found = [notation.written(one) for one in use.classes[:_MOST_RANGES]]
    if len(use.classes) > _MOST_RANGES:
        found.append("...")
    if use.languages:
        found.append(f"text@{','.join(use.languages[:_MOST_RANGES])}")
    found += [
        "text" if one == XSD_STRING else notation.written(one)
        for one in use.datatypes[:_MOST_RANGES]
    ]
    return found + ["iri"] * use.iris + ["node"] * use.nodes


def page(entries: Sequence[Entry], offset: int) -> tuple[list[Entry], int | None]:
    """Return the entries from an offset that one page holds, and where the next page begins."""
    room, kept = PAGE_CHARACTERS, list[Entry]()
    for entry in entries[offset:]:
        room -= size([entry])
        if kept and room < 0:
            return kept, offset + len(kept)
        kept.append(entry)
    return kept, None


def size(entries: Sequence[Mapping[str, Any]]) -> int:
    """Return about how many characters entries take in an answer."""
    return sum(len(str(one)) for one in entries)


def _named(kind: str, written: str, one: Name) -> Entry:
    entry: Entry = {"kind": kind, "name": written}
    _add_label(entry, one.label, one.iri)
    if one.count:
        entry["count"] = one.count
    if one.basis != "counted":
        entry["basis"] = one.basis
    return entry


def _add_label(entry: Entry, label: str, iri: str) -> None:
    """Add a label where it says more than the IRI does."""
    if label and fold(label) != fold(local(iri.strip("^*"))):
        entry["label"] = safe_name(label, _LONGEST_LABEL)


def _short(use: Use, notation: Notation, label: str) -> str:
    entry: Entry = {}
    _add_label(entry, label, use.steps[-1])
    said = str(entry.get("label", "")).replace('"', "'")
    named = f' "{said}"' if said else ""
    end = " | ".join(ranges(use, notation))
    return f"{notation.path(use.steps)}{named}" + (f" → {end}" if end else "")


def _value(text: str, notation: Notation) -> str:
    if text.startswith(("http://", "https://", "urn:")) and " " not in text:
        return notation.written(text)
    return safe_name(text, _LONGEST_VALUE)


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
