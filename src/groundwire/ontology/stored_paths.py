"""Where values really are: the paths from assets to statements, whatever the shapes declare.

Shapes and data disagree: a property has another namespace, stands one node deeper or nearer, or
is written from the other side. Paths are found by going back from the statements that hold a
value to the assets that they belong to.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import iri_n3
from groundwire.ontology.index.model import Domain, Path, Step

_DEPTH = 6
_MOST_PATHS = 48
SECONDS = 1.5
_VALUE = "?value"


class StoredPaths(NamedTuple):
    """Paths to statements that hold a value.

    Attributes:
        by_class: paths by the IRI of the class whose assets they begin at, shortest first.
        complete: False where time or depth ran out, so that there may be more.
        seen: whether any statement holds the value, reached from an asset or not.
    """

    by_class: dict[str, tuple[Path, ...]]
    complete: bool
    seen: bool

    def of(self, domain: Domain) -> tuple[Path, ...]:
        """The paths of a domain, its subclasses included."""
        classes = (domain.class_iri, *domain.subclasses)
        return tuple(dict.fromkeys(path for iri in classes for path in self.by_class.get(iri, ())))


async def stored_paths(
    graph: Graph,
    predicates: Iterable[str],
    held: str,
    assets: Sequence[Domain],
    seconds: float = SECONDS,
) -> StoredPaths:
    """The paths on which assets hold a value.

    Parts of an asset are on the way, other assets are not: what a connected asset holds is asked
    for as a reference.

    Args:
        graph: the assets.
        predicates: whose statements are looked at.
        held: a pattern or filter on `?value`; empty for any value.
        assets: every kind that has assets.
        seconds: when to stop; what was not looked at by then is not known.
    """
    walk = _Walk(graph, held, assets, seconds)
    for predicate in predicates:
        for inverse in (False, True):
            path = Path((Step(predicate, inverse),))
            if await walk.holds(path):
                await walk.back(path)
    return StoredPaths(
        {
            kind: tuple(sorted(paths, key=lambda path: (len(path.steps), path)))
            for kind, paths in walk.found.items()
        },
        walk.complete,
        walk.seen,
    )


class _Walk:
    """Goes back from statements, one step at a time."""

    def __init__(self, graph: Graph, held: str, assets: Sequence[Domain], seconds: float) -> None:
        classes = {iri for domain in assets for iri in (domain.class_iri, *domain.subclasses)}
        self.found: dict[str, list[Path]] = {}
        self.complete = True
        self.seen = False
        self._graph = graph
        self._held = held
        self._kinds = " ".join(map(iri_n3, sorted(classes)))
        self._listed = ", ".join(map(iri_n3, sorted(classes)))
        self._end = time.monotonic() + seconds
        self._looked_at = 0

    async def holds(self, path: Path) -> bool:
        """Whether any statement at the end of a path holds the value."""
        found = await self._select(
            f"SELECT ?node WHERE {{ ?node {path.sparql()} {_VALUE} . {self._held} "
            "FILTER(!isLiteral(?node)) } LIMIT 1"
        )
        self.seen = self.seen or bool(found)
        return bool(found)

    async def back(self, path: Path) -> None:
        """Find the assets that a path begins at, and the steps that lead to it."""
        self._looked_at += 1
        if self._looked_at > _MOST_PATHS:
            self.complete = False
            return
        # Each once: a thing may be at the end of thousands of statements.
        reached = (
            f"{{ SELECT DISTINCT ?node WHERE {{ ?node {path.sparql()} {_VALUE} . {self._held} }} }}"
        )
        kinds = await self._select(
            f"SELECT DISTINCT ?kind WHERE {{ {reached} ?node a ?kind . FILTER(isIRI(?node)) "
            f"VALUES ?kind {{ {self._kinds} }} }}"
        )
        for (kind,) in kinds:
            self.found.setdefault(kind, []).append(path)
        is_asset = f"EXISTS {{ %s a ?any FILTER(?any IN ({self._listed})) }}"
        part = f"FILTER NOT {is_asset % '?node'}"
        before = await self._select(
            f"SELECT DISTINCT ?step WHERE {{ {reached} {part} ?before ?step ?node }}"
        )
        # A part that names its asset, where the asset does not name its part.
        behind = await self._select(
            f"SELECT DISTINCT ?step WHERE {{ {reached} {part} ?node ?step ?before . "
            f"FILTER(isIRI(?before)) FILTER {is_asset % '?before'} }}"
        )
        steps = [Step(iri) for (iri,) in before] + [Step(iri, inverse=True) for (iri,) in behind]
        for step in steps:
            first = path.steps[0]
            if step.iri == RDF_TYPE or step == first._replace(repeat="") != first:
                continue
            if step == first._replace(inverse=not first.inverse):
                # To a thing that others name too, and back to one of those.
                continue
            if step == first:
                # Parts of parts: one step that is taken any number of times.
                await self.back(Path((step._replace(repeat="+"), *path.steps[1:])))
            elif len(path.steps) >= _DEPTH:
                self.complete = False
            else:
                await self.back(Path((step, *path.steps)))

    async def _select(self, query: str) -> list[tuple[str, ...]]:
        """Rows of texts; none, and not complete, where the question takes too long."""
        left = self._end - time.monotonic()
        if left <= 0:
            self.complete = False
            return []
        try:
            rows = await self._graph.select(CompiledQuery(query), timeout=max(left, 0.05))
        except GroundwireError:
            self.complete = False
            return []
        self.complete = self.complete and rows.complete
        return [tuple(term.value for term in row if term is not None) for row in rows.rows]
