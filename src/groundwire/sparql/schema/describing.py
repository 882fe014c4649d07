"""`describe_schema`: what there is to ask at an endpoint, told in a few thousand characters."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.evidence.answers import names_of
from groundwire.evidence.records import Condition, Draft, Names, Statement, Value
from groundwire.safe_text import inert_line, safe_name
from groundwire.sparql.answering import proof
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.graphql import schema as graphql_schema
from groundwire.sparql.outcome import QueryAudit
from groundwire.sparql.results import SchemaResult
from groundwire.sparql.schema import entries
from groundwire.sparql.schema.entries import Entry
from groundwire.sparql.schema.finding import Finder, Found
from groundwire.sparql.schema.graphs import Graph, graph_at
from groundwire.sparql.schema.model import PredicateSchema
from groundwire.sparql.schema.names import Notation
from groundwire.sparql.statements import counted_set, nothing_found, source_stated, words
from groundwire.sparql.workspace import Desk, Workspace
from groundwire.tables.engine import Table

_HAS = 12
_MOST_DETAILED = 8
_MOST_SEARCHED = 20
_MOST_NOTES = 4
_MOST_PATHS = 4
_KEPT_TABLES_SECONDS = 60.0
_MOST_STATED = 60
# What may be asked for beside the name of a class, predicate, table or type.
PREDICATES, QUERIES, TYPES = "predicates", "queries", "graphql"


@dataclass(frozen=True, slots=True)
class SchemaRequest:
    """A question about a schema.

    Attributes:
        endpoint: name of the endpoint.
        of: a class, predicate, table or type; "predicates", "queries" or "graphql" for all of
            those at a graph; "" for an overview.
        search: words to look for in names and labels.
    """

    endpoint: str = "default"
    of: str = ""
    search: str = ""


@dataclass(slots=True)
class _Told:
    """An answer under way.

    Attributes:
        answer: the sentence.
        listed: all entries; a page of them is shown.
        status: how whole it is.
        notation: what wrote the IRIs.
        notes: what was not looked at.
        read_at: seconds since 1970; 0 for now.
        audits: of queries that were run for it.
    """

    answer: str
    listed: list[Entry]
    status: str = "complete"
    notation: Notation = field(default_factory=Notation)
    notes: Sequence[str] = ()
    read_at: float = 0.0
    audits: list[QueryAudit] = field(default_factory=list[QueryAudit])


async def describe_schema(
    workspace: Workspace, asked: SchemaRequest, offset: int = 0
) -> tuple[SchemaResult, Draft]:
    """Return classes and predicates, tables and columns, or types, one page of them.

    Args:
        workspace: the endpoints.
        asked: what is asked for.
        offset: entries of earlier pages.

    Raises:
        InputError, NotFoundError, ForbiddenError: the endpoint is unknown or not allowed.
    """
    desk = await workspace.desk()
    endpoint = desk.endpoints.endpoint(asked.endpoint)
    try:
        if endpoint.kind == "sql":
            told = await _database(workspace, desk, endpoint, asked)
        elif endpoint.kind == "graphql" or asked.of.strip().casefold() == TYPES:
            of = "" if endpoint.kind != "graphql" else asked.of
            told = await _service(workspace, desk, endpoint, of, asked.search)
        else:
            told = await _graph(workspace, desk, endpoint, asked)
    except GroundwireError as error:
        why = inert_line(str(error))
        told = _Told(
            f"Nothing is known of the schema of {endpoint.name}, which does not mean that there is "
            f"none: {why}",
            [],
            "error",
        )
    shown, following = entries.page(told.listed, offset)
    notes = [inert_line(one) for one in told.notes][:_MOST_NOTES]
    partly = told.status == "complete" and notes
    written = str([shown, told.answer])
    prefixes = {one: base for one, base in told.notation.prefixes.items() if f"{one}:" in written}
    result = SchemaResult(
        answer=told.answer,
        status="partial" if partly else told.status,  # type: ignore[arg-type]  # statuses of the same names
        entries=shown,
        prefixes=prefixes or None,
        not_looked_at=notes or None,
        read_at=_date(told.read_at),
        offset=offset,
        next_offset=following,
        left_out=_left_out(len(told.listed), offset, len(shown), following),
    )
    values, statements = _stated(told, shown, endpoint)
    return result, proof(told.audits, values, statements)


def _left_out(total: int, offset: int, shown: int, following: int | None) -> str | None:
    if following is None:
        return None
    return f"{total - offset - shown} more of {total} entries: send next_cursor, of or search."


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds or time.time(), UTC).strftime("%Y-%m-%d %H:%M UTC")


# Graphs


async def _graph(
    workspace: Workspace, desk: Desk, endpoint: Endpoint, asked: SchemaRequest
) -> _Told:
    graph = await graph_at(workspace, desk, endpoint)
    finder = await graph.finder()
    if asked.search.strip() and not asked.of.strip():
        told = await _searched(graph, finder, asked.search)
    elif asked.of.strip():
        told = await _one(graph, finder, asked.of.strip())
    else:
        told = _overview(graph, finder)
    told.audits = [*graph.audits, *told.audits]
    told.notes = [*([f"Not read anew: {graph.stale}"] if graph.stale else []), *told.notes]
    told.read_at = told.read_at or finder.schema.read_at
    return told


def _overview(graph: Graph, finder: Finder) -> _Told:
    schema, notation = finder.schema, finder.notation.fresh()
    listed = entries.overview(schema, notation, _labels(finder))
    if not listed:
        listed = [entries.name_entry(one, notation) for one in schema.predicates]
    listed += [entries.query_entry(one, whole=False) for one in schema.examples]
    statements = sum(one.count for one in schema.predicates)
    least = "" if all(one.count for one in schema.predicates) else "at least "
    counts = f", {least}{statements:,} statements" if statements else ""
    more = "" if schema.all_predicates else " or more"
    others = "" if schema.all_classes else " or more"
    example = f"{len(schema.examples)} example queries (of=queries), " if schema.examples else ""
    predicates = f"{len(schema.predicates):,}{more} predicates (of=predicates)"
    said = (
        f"The graph {graph.endpoint.name} has {len(schema.classes):,}{others} classes, {example}"
        f"{predicates}{counts}, {_how(schema.source)}."
        " Ask of=CLASS for its predicates with examples; a predicate with ^ leads to the member."
    )
    if not schema.predicates:
        said = f"The graph {graph.endpoint.name} holds no statement in its default graph."
    return _Told(said, listed, notation=notation, notes=schema.not_looked_at)


def _how(source: str) -> str:
    return {
        "counted": "counted",
        "statistics": "counted when it was loaded",
        "VoID": "estimated by its VoID description",
        "listed": "not counted",
    }.get(source, source)


def _labels(finder: Finder) -> Callable[[str], str]:
    def label(step: str) -> str:
        found = finder.held("predicate", step.strip("^*"))
        return found.label if found else ""

    return label


async def _one(graph: Graph, finder: Finder, of: str) -> _Told:
    schema, notation = finder.schema, finder.notation.fresh()
    found, near = await anyio.to_thread.run_sync(finder.named, of)
    if found is None and of.casefold() == QUERIES:
        listed = [entries.query_entry(one, whole=True) for one in schema.examples]
        return _Told(
            f"{graph.endpoint.name} holds {len(listed)} example queries.", listed, notation=notation
        )
    if found is None and of.casefold() == PREDICATES:
        listed = [entries.name_entry(one, notation) for one in schema.predicates]
        whole = "" if schema.all_predicates else " or more"
        return _Told(
            f"{graph.endpoint.name} has {len(listed):,}{whole} predicates, {_how(schema.source)}.",
            listed,
            notation=notation,
            notes=() if schema.all_predicates else schema.not_looked_at,
        )
    if found is None:
        return _unknown(graph, finder, of, near, notation)
    if found.kind == "predicate":
        return await _predicate(graph, found, finder, notation)
    read = await graph.one_class(found.name)
    listed = [entries.class_entry(found.name, schema, notation, _labels(finder), 0)]
    listed += entries.predicate_entries(read, notation, _labels(finder))
    listed += entries.reached_entries(read, schema, notation, _labels(finder))
    counted = f"{found.name.count:,}" if found.name.count else "uncounted"
    sample = f"; {read.members:,} of them were looked at" if read.members else ""
    said = (
        f"{notation.written(found.name.iri)} at {graph.endpoint.name} has {counted} members"
        f"{sample}, and {len(read.uses)} predicates and paths to ask by."
    )
    return _Told(said, listed, notation=notation, notes=read.not_looked_at, read_at=read.read_at)


async def _predicate(graph: Graph, found: Found, finder: Finder, notation: Notation) -> _Told:
    iri = found.name.iri
    read = (await graph.predicates([found.name])).get(iri)
    if read is None:
        listed = [entries.name_entry(found.name, notation)]
        notes = ["What stands at its ends was not looked at."]
    else:
        listed, notes = [_with_count(found, read, notation)], []
    said = f"{notation.written(iri)} at {graph.endpoint.name} has {found.name.count:,} statements."
    if not found.name.count:
        said = f"{notation.written(iri)} is held at {graph.endpoint.name}; it was not counted."
    return _Told(said, listed, notation=notation, notes=notes)


def _with_count(found: Found, read: PredicateSchema, notation: Notation) -> Entry:
    counted = replace(read.use, count=found.name.count, basis=found.name.basis)
    entry = entries.use_entry(counted, read.of, notation, found.name.label)
    if read.via:
        paths = [
            (notation.written(of) + " " if of else "") + f"{notation.written(step)}/{entry['name']}"
            for step, of in read.via[:_MOST_PATHS]
        ]
        entry["path"] = paths
    return entry


def _unknown(
    graph: Graph, finder: Finder, of: str, near: Sequence[Found], notation: Notation
) -> _Told:
    listed = [
        entries.class_entry(one.name, finder.schema, notation, _labels(finder), 0)
        if one.kind == "class"
        else entries.name_entry(one.name, notation)
        for one in near
    ]
    told = ", ".join(notation.written(one.name.iri) for one in near)
    said = f"No class or predicate is called “{inert_line(of[:80])}” at {graph.endpoint.name}" + (
        f"; near: {told}." if told else ", and none is like it."
    )
    schema = finder.schema
    if not (schema.all_classes and schema.all_predicates):
        said += " Not all were looked at."
    return _Told(said, listed, "unknown", notation)


async def _searched(graph: Graph, finder: Finder, text: str) -> _Told:
    schema, notation = finder.schema, finder.notation.fresh()
    found = (await anyio.to_thread.run_sync(finder.search, text))[:_MOST_SEARCHED]
    wanted = [one.name for one in found if one.kind == "predicate"][:_MOST_DETAILED]
    reads = await graph.predicates(wanted) if wanted else {}
    listed: list[Entry] = []
    for one in found:
        if one.kind == "class":
            listed.append(entries.class_entry(one.name, schema, notation, _labels(finder), _HAS))
        elif one.name.iri in reads:
            listed.append(_with_count(one, reads[one.name.iri], notation))
        else:
            listed.append(entries.name_entry(one.name, notation))
    asked = {word for word in text.casefold().split() if len(word) > 2}
    queries = [one for one in schema.examples if asked & set(one.title.casefold().split())]
    listed += [entries.query_entry(one, whole=True) for one in queries[:3]]
    what = f"“{inert_line(text[:80])}” at {graph.endpoint.name}"
    whole = schema.all_classes and schema.all_predicates
    notes = () if whole else ("Not all names were looked at.", *schema.not_looked_at)
    if not listed:
        return _Told(f"No class or predicate has words of {what}.", [], "unknown", notation, notes)
    said = f"{len(found)} classes and predicates have words of {what}, the best first."
    return _Told(said, listed, notation=notation, notes=notes)


# Databases

_TYPES_OF: dict[str, tuple[float, int, Sequence[graphql_schema.ServiceType]]] = {}
_TABLES_OF: dict[str, tuple[float, int, Sequence[Table]]] = {}


async def _database(
    workspace: Workspace, desk: Desk, endpoint: Endpoint, asked: SchemaRequest
) -> _Told:
    runner = await desk.endpoints.runner(endpoint, "sql")
    kept = _TABLES_OF.get(endpoint.key)
    if kept is None or kept[1] != id(desk) or time.time() - kept[0] > _KEPT_TABLES_SECONDS:
        kept = (time.time(), id(desk), await entries.read_tables(runner))
        _TABLES_OF[endpoint.key] = kept
    read_at, _, tables = kept
    where = endpoint.name
    if asked.of.strip():
        table, near = entries.find_table(tables, asked.of)
        if table is None:
            names = ", ".join(one.name for one in near)
            said = f"No table is called “{inert_line(asked.of[:80])}” at {where}"
            listed = [entries.table_entry(one, with_columns=True) for one in near]
            end = f"; near: {names}." if names else ", and none is like it."
            return _Told(said + end, listed, "unknown", read_at=read_at)
        columns, outcome = await entries.column_entries(table, runner)
        rows = f", about {table.rows:,} rows" if table.rows is not None else ", rows not counted"
        said = f"The table {safe_name(table.name)} at {where} has {len(columns)} columns{rows}."
        listed = [entries.table_entry(table, with_columns=False), *columns]
        return _Told(said, listed, read_at=read_at, audits=[outcome.audit])
    if asked.search.strip():
        found = entries.search_tables(tables, asked.search)
        said = f"{len(found)} tables at {where} have words of “{inert_line(asked.search[:80])}”."
        listed = [entries.table_entry(one, with_columns=True) for one in found]
        return _Told(said, listed, "complete" if listed else "unknown", read_at=read_at)
    listed = entries.table_entries(tables)
    said = (
        f"The database {where} has {len(tables)} tables and views. Numbers of rows are estimates. "
        "Ask of=TABLE for its columns with examples."
    )
    return _Told(said, listed, read_at=read_at)


# GraphQL


async def _service(
    workspace: Workspace, desk: Desk, endpoint: Endpoint, of: str, search: str
) -> _Told:
    runner = await desk.endpoints.runner(endpoint, "graphql")
    kept = _TYPES_OF.get(endpoint.key)
    audits: list[QueryAudit] = []
    if kept is None or kept[1] != id(desk) or time.time() - kept[0] > _KEPT_TABLES_SECONDS:
        types, outcome = await graphql_schema.read_types(runner)
        audits.append(outcome.audit)
        kept = (time.time(), id(desk), types)
        _TYPES_OF[endpoint.key] = kept
    read_at, _, types = kept
    where = endpoint.name
    if of.strip():
        found, near = graphql_schema.find_type(types, of)
        if found is None:
            names = ", ".join(one.name for one in near)
            said = f"No type is called “{inert_line(of[:80])}” at {where}"
            end = f"; near: {names}." if names else ", and none is like it."
            listed = [graphql_schema.type_entry(one, with_fields=True) for one in near]
            return _Told(said + end, listed, "unknown", read_at=read_at, audits=audits)
        listed = [
            graphql_schema.type_entry(found, with_fields=False),
            *graphql_schema.field_entries(found),
        ]
        said = f"The type {found.name} at {where} has {len(found.fields)} fields."
        return _Told(said, listed, read_at=read_at, audits=audits)
    if search.strip():
        chosen = graphql_schema.search_types(types, search)
        said = f"{len(chosen)} types at {where} have words of “{inert_line(search[:80])}”."
        first = [types[0]] if types and types[0] not in chosen else []
        listed = [graphql_schema.type_entry(one, with_fields=True) for one in (*chosen, *first)]
        return _Told(said, listed, read_at=read_at, audits=audits)
    listed = graphql_schema.type_entries(types)
    root = types[0].name if types else "Query"
    said = f"{where} has {len(types)} GraphQL types; {root} lists what can be asked for."
    return _Told(said, listed, read_at=read_at, audits=audits)


# Evidence

_STATED = (
    ("has", "predicate"), ("range", "range"), ("columns", "column"), ("fields", "column"),
)  # fmt: skip


def _stated(
    told: _Told, shown: Sequence[Entry], endpoint: Endpoint
) -> tuple[list[Value], list[Statement]]:
    """Return what the shown entries state: counts, ranges, columns, and where they are from."""
    values: list[Value] = []
    statements = [source_stated(endpoint)]
    for entry in shown[:_MOST_STATED]:
        names = _names(entry)
        kind = str(entry["kind"])
        count = entry.get("count", entry.get("rows"))
        if count is not None:
            labels = ("about",) if entry.get("basis") == "estimated" else ()
            what = {"class": "members", "table": "rows"}.get(kind, "statements")
            values.append(Value("count", str(count), entity=names[0], labels=(what, *labels)))
            if kind == "class":
                condition = Condition(words("kind"), "is", (names,))
                members = (*names, *words("entities"))
                whole = entry.get("basis") is None
                statements.append(
                    counted_set(members, (condition,), len(values) - 1, is_whole=whole)
                )
        for key, word in _STATED:
            if entry.get(key):
                parts = [str(one).partition(" ")[0].partition("(")[0] for one in entry[key]]
                objects = tuple(names_of(one.strip('":'), _bare(one)) for one in parts)
                statements.append(Statement("relation", names, words(word), objects))
        values += [
            Value("example", str(one), "text", entity=names[0]) for one in entry.get("example", ())
        ]
    if told.status == "unknown" and not shown:
        statements.append(nothing_found(words("predicate"), (), endpoint))
    return values, statements


def _names(entry: Entry) -> Names:
    name = str(entry["name"])
    return names_of(entry.get("label"), name, _bare(name))


def _bare(name: str) -> str:
    return name.rpartition(":")[2].rpartition("/")[2].strip('"<>^')
