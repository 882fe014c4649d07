"""Predicates and classes of a query that a graph does not hold, with those that come near.

An answer is empty, or has a count of 0, for two reasons: nothing matches, or a name of the query is
held nowhere. The second is told, where the names of the graph are known. Before it is told the
graph itself is asked, since what is known may be older than it, or of its default graph alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.graph.terms import Term
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.query_pattern import NamedInQuery, named_in
from groundwire.sparql.schema.finding import Finder, Kind
from groundwire.sparql.schema.graphs import Graph, StoredCounts, graph_at
from groundwire.sparql.schema.queries import held_query, subclasses_query
from groundwire.sparql.workspace import Desk, Workspace

_SECONDS = 2.0
_MOST_CHECKED = 12
_MOST_TOLD = 2
_MOST_NEAR = 3


class Unknown(NamedTuple):
    """The names of a query that a graph does not hold, with near ones.

    Attributes:
        names: the predicates and classes that are checked, held or not.
        said: sentences about those that are not held; "" where all are, or nothing is known.
    """

    names: frozenset[str] = frozenset()
    said: str = ""


async def unknown_names(
    workspace: Workspace, desk: Desk, endpoint: Endpoint, outcome: Outcome
) -> Unknown:
    """Return which predicates and classes of a query are held nowhere in the graph it ran on."""
    if outcome.audit.query_language != "sparql" or endpoint.kind != "sparql":
        return Unknown()
    named = await anyio.to_thread.run_sync(named_in, outcome.audit.query_text)
    if not any(named):
        return Unknown()
    try:
        graph = await graph_at(workspace, desk, endpoint)
        graph.seconds = _SECONDS
        missing = await _missing(graph, named)
        if missing is None:
            return Unknown()
        checked = frozenset((*named.predicates, *named.classes))
        if not any(missing):
            return Unknown(checked)
        return Unknown(checked, await _told(graph, missing))
    except GroundwireError:
        # The answer to the query stands without this.
        return Unknown()


async def _missing(graph: Graph, named: NamedInQuery) -> NamedInQuery | None:
    """Return the names that the graph does not hold; None where its names are not known."""
    finder = await graph.known()
    if finder is not None:
        schema = finder.schema
        held_predicates: Collection[str] = {one.iri for one in schema.predicates}
        held_classes: Collection[str] = {one.iri for one in schema.classes}
    elif graph.statistics is not None:
        counts = await anyio.to_thread.run_sync(_stored, graph.statistics)
        if counts is None:
            return None
        held_predicates, held_classes = counts
    else:
        return None
    predicates = [one for one in named.predicates if one not in held_predicates][:_MOST_CHECKED]
    classes = [one for one in named.classes if one not in held_classes][:_MOST_CHECKED]
    if not predicates and not classes:
        return NamedInQuery((), ())
    outcome = await graph.source.select(held_query(predicates, classes), 1000, _SECONDS)
    if outcome.status not in ("complete", "empty"):
        return None
    found = {(row[0].value, _word(row[1])) for row in outcome.rows if isinstance(row[0], Term)}
    return NamedInQuery(
        tuple(one for one in predicates if (one, "predicate") not in found),
        tuple(one for one in classes if (one, "class") not in found),
    )


def _word(cell: object) -> str:
    return cell.value if isinstance(cell, Term) else str(cell)


@lru_cache(maxsize=8)
def _stored(
    statistics: StoredCounts,
) -> tuple[frozenset[str], frozenset[str]] | None:
    found = statistics.counts()
    return None if found is None else (frozenset(found["predicates"]), frozenset(found["classes"]))


async def _told(graph: Graph, missing: NamedInQuery) -> str:
    try:
        finder: Finder | None = await graph.finder()
    except GroundwireError:
        finder = None
    said: list[str] = []
    listed: list[tuple[Kind, str]] = []
    for one in missing.classes:
        listed.append(("class", one))
    for one in missing.predicates:
        listed.append(("predicate", one))
    for kind, iri in listed[:_MOST_TOLD]:
        if kind == "class" and (below := await _subclasses(graph, iri)):
            said.append(
                f"Nothing is stated to be of the class <{iri}> itself here; its subclasses with "
                f"members: {_listed(below)}."
            )
            continue
        near = await anyio.to_thread.run_sync(_near, finder, kind, iri) if finder else []
        end = f"; near: {_listed(near)}" if near else ", and none is like it"
        said.append(f"No {kind} <{iri}> is held here{end}.")
    rest = len(listed) - _MOST_TOLD
    if rest > 0:
        said.append(f"Nor are {rest} other names of the query.")
    return " ".join(said)


async def _subclasses(graph: Graph, iri: str) -> list[str]:
    outcome = await graph.source.select(subclasses_query(iri, _MOST_NEAR), _MOST_NEAR, _SECONDS)
    return [row[0].value for row in outcome.rows if row and isinstance(row[0], Term)]


def _near(finder: Finder, kind: Kind, iri: str) -> list[str]:
    twin = {"http": "https", "https": "http"}.get(iri.partition("://")[0], "")
    other = f"{twin}://{iri.partition('://')[2]}" if twin else ""
    if other and finder.held(kind, other):
        return [other]
    return finder.near(kind, iri)[:_MOST_NEAR]


def _listed(iris: Sequence[str]) -> str:
    return ", ".join(f"<{one}>" for one in iris[:_MOST_NEAR])
