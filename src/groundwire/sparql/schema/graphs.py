"""A graph's schema as it is known now: from memory, from the state folder, or read within a budget.

Where an endpoint does not answer, what was read of it before is shown with its date.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.sparql.outcome import QueryAudit
from groundwire.sparql.schema.finding import Finder
from groundwire.sparql.schema.model import (
    KEPT_SECONDS,
    PARTLY_KEPT_SECONDS,
    ClassSchema,
    GraphSchema,
    Name,
    PredicateSchema,
    Schemas,
)
from groundwire.sparql.schema.reading import (
    BUDGET_SECONDS,
    Reader,
    read_class,
    read_graph,
    read_predicate,
)
from groundwire.sparql.workflow.model import Source

if TYPE_CHECKING:
    from groundwire.sparql.endpoint import Endpoint
    from groundwire.sparql.workspace import Desk, Workspace

_MOST_FINDERS = 8


@dataclass(slots=True)
class _Opened:
    """The schemas of one workspace that are in memory."""

    finders: dict[tuple[str, float], Finder] = field(
        default_factory=dict[tuple[str, float], Finder]
    )
    locks: dict[str, anyio.Lock] = field(default_factory=dict[str, anyio.Lock])


_OPENED: WeakKeyDictionary[Workspace, _Opened] = WeakKeyDictionary()


@dataclass(slots=True)
class Graph:
    """One graph that is asked for its schema.

    Attributes:
        endpoint: the endpoint.
        source: asks it.
        key: what its schema is kept under: the hash of its files, or the endpoint.
        is_local: it stays as it is under its key.
        seconds: the budget of its queries for one answer.
        warm: opens a local graph, which costs nothing of the budget.
        audits: of queries that were run for this answer.
        stale: why what is shown is older than it should be; "" where it is not.
    """

    endpoint: Endpoint
    source: Source
    key: str
    is_local: bool
    schemas: Schemas
    opened: _Opened
    statistics: StoredCounts | None
    seconds: float
    warm: Callable[[], Awaitable[None]] | None = None
    audits: list[QueryAudit] = field(default_factory=list[QueryAudit])
    stale: str = ""

    async def finder(self) -> Finder:
        """Return the schema with what finds names in it.

        Raises:
            UnavailableError: nothing is known of it and it does not answer.
        """
        lock = self.opened.locks.setdefault(self.key, anyio.Lock())
        async with lock:
            schema = await self._kept()
            if schema is None or not self._is_current(schema):
                schema = await self._read(schema)
        at = (self.key, schema.read_at)
        if at not in self.opened.finders:
            if len(self.opened.finders) >= _MOST_FINDERS:
                self.opened.finders.clear()
            self.opened.finders[at] = Finder(schema)
        return self.opened.finders[at]

    async def known(self) -> Finder | None:
        """Return the schema if it was read and is current, without asking the graph."""
        schema = await self._kept()
        if schema is None or not self._is_current(schema):
            return None
        return await self.finder()

    async def one_class(self, name: Name) -> ClassSchema:
        """Return one class of it.

        Raises:
            UnavailableError: nothing is known of it and the graph does not answer.
        """
        iri = name.iri
        kept = await _quietly(partial(self.schemas.one_class, self.key, iri))
        if isinstance(kept, ClassSchema) and self._is_current(kept):
            return kept
        reader = Reader(self.source, self.seconds)
        read = await read_class(reader, iri, name.count, name.basis)
        self.audits += reader.audits
        if read is not None:
            await _quietly(partial(self.schemas.keep, self.key, read))
            return read
        if isinstance(kept, ClassSchema):
            self.stale = reader.failure
            return kept
        raise UnavailableError(
            f"The predicates of <{iri}> at {self.endpoint.name} could not be read: "
            f"{reader.failure.rstrip('.')}."
        )

    async def predicates(self, names: list[Name]) -> dict[str, PredicateSchema]:
        """Return what stands at the end of some predicates, and the classes of their subjects."""
        reader = Reader(self.source, self.seconds / 2)
        found: dict[str, PredicateSchema] = {}
        for one in names:
            read = await read_predicate(reader, one.iri)
            if read is None:
                break
            found[one.iri] = read
        self.audits += reader.audits
        return found

    async def _kept(self) -> GraphSchema | None:
        found = await _quietly(partial(self.schemas.graph, self.key))
        return found if isinstance(found, GraphSchema) else None

    def _is_current(self, schema: GraphSchema | ClassSchema) -> bool:
        age = time.time() - schema.read_at
        if not self.is_local:
            return 0 <= age < (PARTLY_KEPT_SECONDS if schema.not_looked_at else KEPT_SECONDS)
        return not schema.not_looked_at or age < PARTLY_KEPT_SECONDS

    async def _read(self, before: GraphSchema | None) -> GraphSchema:
        if self.warm is not None:
            await self.warm()
        reader = Reader(self.source, self.seconds)
        schema = await read_graph(reader, self.statistics and self.statistics.counts)
        self.audits += reader.audits
        if schema is not None:
            await _quietly(partial(self.schemas.keep, self.key, schema))
            return schema
        if before is None:
            raise UnavailableError(
                f"The schema of {self.endpoint.name} could not be read: "
                f"{reader.failure.rstrip('.')}."
            )
        self.stale = reader.failure
        return before


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """The counts that were made when a local graph was loaded."""

    folder: object

    def counts(self) -> Mapping[Literal["predicates", "classes"], Mapping[str, int]] | None:
        """Return statements by predicate and instances by class; None where they are not there."""
        from pathlib import Path

        from groundwire.graph.statistics import EMPTY, read_statistics

        try:
            found = read_statistics(Path(str(self.folder))).get("", EMPTY)
        except GroundwireError:
            return None
        if not found.complete:
            return None
        predicates = {iri: one.triples for iri, one in found.predicates.items()}
        return {"predicates": predicates, "classes": found.classes}


async def graph_at(workspace: Workspace, desk: Desk, endpoint: Endpoint) -> Graph:
    """Return the graph of an endpoint, opened if it is not.

    Raises:
        GroundwireError: it cannot be opened.
    """
    from groundwire.sparql.looking import source_at

    source = await source_at(desk, endpoint)
    opened = _OPENED.setdefault(workspace, _Opened())
    if endpoint.place == "remote":
        key = f"endpoint {endpoint.key} {endpoint.dialect} {' '.join(endpoint.graphs)}"
        return Graph(endpoint, source, key, False, workspace.schemas, opened, None, BUDGET_SECONDS)
    held = await desk.opener.held(endpoint)
    store = held.store
    key = f"graph {store.digest}"
    counts = StoredCounts(store.path)
    return Graph(
        endpoint,
        source,
        key,
        True,
        workspace.schemas,
        opened,
        counts,
        BUDGET_SECONDS,
        held.graph.warm,
    )


async def _quietly(work: partial[GraphSchema | ClassSchema | None] | partial[None]) -> object:
    """Return what is kept; a state folder that cannot be read or written holds nothing."""
    try:
        return await anyio.to_thread.run_sync(work)
    except UnavailableError:
        return None
