"""Runs GraphQL at a graph: validated by its generated schema, resolved by SPARQL in batches.

Which graphs of a store GraphQL reads: its default graph, and every named graph with it. Most
endpoints answer from all graphs at once. Some, and local stores, keep named graphs apart, as SPARQL
1.1 Query, section 13, leaves it to them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from anyio.to_thread import run_sync

from groundwire.errors import DeadlineError, GroundwireError, InputError
from groundwire.graph.engine import LocalGraph
from groundwire.graph.formats import DEFAULT_GRAPH
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import Rows, iri_n3
from groundwire.sparql.graphql.document import Document, read_document, read_variables
from groundwire.sparql.graphql.fetching import Fetched, Fetcher
from groundwire.sparql.graphql.reporting import Report
from groundwire.sparql.graphql.schema import Ask, Shape, build_schema, discover
from groundwire.sparql.outcome import Language, Outcome, Request

if TYPE_CHECKING:
    from graphql import GraphQLResolveInfo, GraphQLSchema


_MAX_GRAPHS = 200
_NAMES = CompiledQuery(
    f"SELECT DISTINCT ?g {{ GRAPH ?g {{ ?s ?p ?o }} }} ORDER BY ?g LIMIT {_MAX_GRAPHS + 1}"
)
# A look at a few statements tells whether named graphs are part of the default graph.
_APART = CompiledQuery(
    "SELECT ?s { { SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } LIMIT 50 }"
    " FILTER(!isBLANK(?s) && !isBLANK(?o)) FILTER NOT EXISTS { ?s ?p ?o } } LIMIT 1"
)
_ANY = CompiledQuery("SELECT ?s { ?s ?p ?o } LIMIT 1")


class Dataset(NamedTuple):
    """The data that queries are asked of.

    Attributes:
        named: named graphs that have to be named to be read; empty where none has.
        left_out: why other graphs cannot be read with these, or "".
    """

    named: tuple[str, ...] = ()
    left_out: str = ""


_Ask = Callable[[CompiledQuery, int, tuple[str, ...]], Awaitable[Rows]]
"""Runs a SELECT for at most so many rows over the default graph, and these named graphs too."""

# The rest of the time is for what is made of the rows.
_SHARE = 0.9
_MOST_ERRORS = 3


KEPT_SECONDS = 600.0
"""How long the schema of an endpoint is used; nobody is told when a graph elsewhere changes."""
# graphql-core's words where it has no suggestion of its own.
_NO_FIELD = re.compile(r"Cannot query field '\w+' on type '(\w+)'\.$")
_MOST_FIELDS = 12
# A query that does not fit a schema of this age may fit the graph as it is now.
_DOUBTED_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _Known:
    """The graphs that are read, their classes, the schema of those, and when it was made."""

    dataset: Dataset
    shapes: Mapping[str, Shape]
    schema: GraphQLSchema
    made: float


class GraphqlRunner:
    """Runs GraphQL queries at one graph; see `groundwire.sparql.outcome.Runner`.

    The schema is made of the graph by the first query. That of a local store, which does not
    change, is kept; that of an endpoint is made anew after a while, or where a query does not fit
    it. The answer is one row of one column, `data`, with the data as JSON.

    Args:
        graph: what is asked; its composer closes it.
        endpoint: name of the endpoint in the registry.
        clock: counts seconds.
    """

    languages: frozenset[Language] = frozenset(("graphql",))

    def __init__(
        self,
        graph: LocalGraph | RemoteGraph,
        *,
        endpoint: str = "default",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._graph = graph
        self._clock = clock
        self._endpoint = endpoint
        self._url = graph.url if isinstance(graph, RemoteGraph) else f"local:{endpoint}"
        self._lock = anyio.Lock()
        self._known: _Known | None = None

    async def run(self, request: Request) -> Outcome:
        """Run one query; what goes wrong with it is an outcome, never an exception."""
        report = Report(request, self._endpoint, self._url)
        if request.language not in self.languages:
            return report.refused(f"This runs GraphQL, not {request.language}.")
        ask = self._asker(time.monotonic() + request.timeout)
        try:
            document = read_document(request.text)
        except GroundwireError as error:
            return report.refused(str(error))
        try:
            with anyio.fail_after(request.timeout):
                known, problems = await self._fitting(ask, document)
                if problems:
                    return report.refused(problems)
                most = max(0, request.limit)
                asking = _over(ask, known.dataset)
                variables = read_variables(known.schema, document, request.variables)
                fetcher = Fetcher(document, known.schema, known.shapes, asking, most, variables)
                fetched = await fetcher.fetch()
                executing = partial(_executed, known.schema, document, fetched, request.variables)
                data = await run_sync(executing, abandon_on_cancel=True)
        except TimeoutError:
            return report.failed(
                f"The query passed its time limit of {request.timeout:g} s: ask for less."
            )
        except InputError as error:
            return report.refused(str(error))
        except GroundwireError as error:
            return report.failed(str(error))
        return _judged(report, fetched, data, known.dataset.left_out)

    async def close(self) -> None:
        """Nothing: the graph belongs to whoever composed this."""

    async def _fitting(self, ask: _Ask, document: Document) -> tuple[_Known, str]:
        """The classes, and what is wrong with a query by their schema; "" for nothing."""
        known = await self._classes(ask, KEPT_SECONDS)
        problems = await run_sync(_problems, known.schema, document, abandon_on_cancel=True)
        if problems and self._clock() - known.made > _DOUBTED_SECONDS:
            known = await self._classes(ask, _DOUBTED_SECONDS)
            problems = await run_sync(_problems, known.schema, document, abandon_on_cancel=True)
        return known, problems

    async def _classes(self, ask: _Ask, most_age: float) -> _Known:
        async with self._lock:
            known = self._known
            aged = known is not None and self._clock() - known.made > most_age
            if known is None or (aged and isinstance(self._graph, RemoteGraph)):
                dataset = await find_dataset(
                    _over(ask, Dataset()), local=not isinstance(self._graph, RemoteGraph)
                )
                shapes = await discover(_over(ask, dataset))
                schema = await run_sync(build_schema, shapes)
                by_iri = {one.iri: one for one in shapes}
                known = self._known = _Known(dataset, by_iri, schema, self._clock())
            return known

    def _asker(self, end: float) -> _Ask:
        async def ask(query: CompiledQuery, most: int, named: tuple[str, ...]) -> Rows:
            left = (end - time.monotonic()) * _SHARE
            if left <= 0:
                raise DeadlineError("The time was over before all was fetched: ask for less.")
            if not named:
                return await self._graph.select(query, timeout=left, max_rows=most)
            if isinstance(self._graph, RemoteGraph):
                over = _with_graphs(query, named)
                return await self._graph.select(over, timeout=left, max_rows=most)
            graphs = (DEFAULT_GRAPH, *named)
            return await self._graph.select(
                query, timeout=left, max_rows=most, default_graphs=graphs
            )

        return ask


def _over(ask: _Ask, dataset: Dataset) -> Ask:
    """Asks a set of graphs."""

    async def asking(query: CompiledQuery, most: int) -> Rows:
        return await ask(query, most, dataset.named)

    return asking


def _problems(schema: GraphQLSchema, document: Document) -> str:
    """Say in one line what is wrong with a query by the schema; return "" for nothing."""
    from graphql import validate

    errors = validate(schema, document.tree, max_errors=_MOST_ERRORS)
    said: list[str] = []
    for error in errors[:_MOST_ERRORS]:
        at = error.locations[0] if error.locations else None
        where = f"line {at.line}, column {at.column}: " if at else ""
        said.append(where + " ".join(error.message.split())[:300] + _instead(schema, error.message))
    return "The query does not fit the schema. " + " ".join(said) if said else ""


def _instead(schema: GraphQLSchema, message: str) -> str:
    """The fields that a type has, where nothing like the one that was asked for is among them."""
    type_name = _NO_FIELD.match(message)
    if type_name is None:
        return ""
    fields = list(getattr(schema.get_type(type_name[1]), "fields", ()))
    rest = len(fields) - _MOST_FIELDS
    more = f" and {rest} more" if rest > 0 else ""
    return f" There are {', '.join(fields[:_MOST_FIELDS])}{more}." if fields else ""


def _executed(
    schema: GraphQLSchema, document: Document, fetched: Fetched, variables: Mapping[str, Any]
) -> Any:
    """The answer: the data that was fetched, in the order and form that the query asks for.

    Raises:
        InputError: an argument of introspection cannot be used.
    """
    from graphql import execute_sync  # pyright: ignore[reportUnknownVariableType]

    result = execute_sync(
        schema,
        document.tree,
        fetched.data,
        variable_values=dict(variables),
        field_resolver=_resolve,
    )
    if result.errors:
        raise InputError(f"{' '.join(result.errors[0].message.split())[:300]}: mend the query.")
    return result.data


def _resolve(source: Any, info: GraphQLResolveInfo, **_arguments: Any) -> Any:
    return source[info.path.key]


def _judged(report: Report, fetched: Fetched, data: Any, left_out: str) -> Outcome:
    things = f"{fetched.nodes:,} thing{'' if fetched.nodes == 1 else 's'}"
    many = f"{fetched.queries} SPARQL quer{'y' if fetched.queries == 1 else 'ies'}"
    summary = f"{things}, by {many}"
    reasons: list[str] = [left_out] if left_out and fetched.queries else []
    if fetched.left_out:
        names = ", ".join(fetched.left_out[:5])
        reasons.append(f"Values of {names} that are no IRIs are left out: ask for them in SPARQL.")
    if fetched.cut:
        names = ", ".join(fetched.cut[:5])
        reasons.append(f"There are more {names} than the answer holds: page with limit and offset.")
    if reasons:
        status = "truncated" if fetched.cut and len(reasons) == 1 else "partial"
        return report.answered(status, data, " ".join(reasons), summary)
    # Whatever else was asked, of introspection or of the query itself, is an answer.
    if fetched.data.keys() == data.keys() and not fetched.nodes:
        return report.answered("empty", data, "", summary)
    return report.answered("complete", data, "", summary)


async def find_dataset(ask: Ask, *, local: bool) -> Dataset:
    """Find out which graphs there are, and whether they have to be named.

    Args:
        ask: runs SPARQL.
        local: it is a store of ours, of which graphs are chosen beside the query.

    Raises:
        GroundwireError: the graph does not answer.
    """
    if not local and not (await ask(_APART, 1)).rows:
        return Dataset()
    found = (await ask(_NAMES, _MAX_GRAPHS + 1)).rows
    names = tuple(row[0].value for row in found if row[0] is not None)
    if not names:
        return Dataset()
    if len(names) > _MAX_GRAPHS:
        return Dataset((), f"It has more than {_MAX_GRAPHS} named graphs, which are left out.")
    if not local and (await ask(_ANY, 1)).rows:
        # FROM takes graphs by name alone, and the default graph has none.
        return Dataset((), "Its named graphs, which it keeps apart, are left out.")
    return Dataset(names)


def _with_graphs(query: CompiledQuery, graphs: tuple[str, ...]) -> CompiledQuery:
    """A query of this package, whose first brace begins its pattern, over the union of graphs."""
    named = " ".join(f"FROM {iri_n3(one)}" for one in graphs)
    return CompiledQuery(query.replace("{", f"{named} {{", 1)) if graphs else query
