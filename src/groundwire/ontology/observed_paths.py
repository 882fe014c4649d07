"""Paths from assets to everything that they hold, found once for a local store.

The walk goes from the assets of each class, level by level, through their parts. Other assets are
not gone through: what they hold is asked for as a reference. What the walk leaves out, for want of
time or because a cycle would lead on for ever, is kept as a sentence.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE, Statistics
from groundwire.graph.terms import iri_n3
from groundwire.ontology.index.model import Domain, Path, Step

# Raised whenever the same store would give other paths.
_VERSION = 1
# When a walk stops; what it has not reached by then is told.
_SECONDS = 45.0
_QUERY_SECONDS = 15.0
_DEPTH = 8
_MOST_NODES = 400
# Places that one query looks at.
_AT_ONCE = 24
# A step that occurs oftener on a path, other than in a row, goes round a cycle.
_MOST_TURNS = 2
# All assets of a class are looked at up to this number, and of a larger class so many: stores
# keep them in an order that means nothing.
_LARGE = 100_000
_SAMPLE = 20_000


class ObservedPaths(NamedTuple):
    """Where the assets of a store hold values.

    Attributes:
        by_class: paths to values with their numbers of values, by the IRI of the class that the
            assets are direct instances of.
        unread: what was not looked at, one sentence each.
    """

    by_class: Mapping[str, Mapping[Path, int]]
    unread: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every path was found."""
        return not self.unread

    def of(self, domain: Domain) -> Counter[Path]:
        """The paths of a domain with their numbers of values, its subclasses included."""
        found: Counter[Path] = Counter()
        for iri in (domain.class_iri, *domain.subclasses):
            found.update(self.by_class.get(iri, {}))
        return found


NOT_LOOKED_AT = ObservedPaths({}, ("no path was looked for",))


class _Kind(NamedTuple):
    """A class with its number of assets and the patterns that bind `?asset` to them."""

    iri: str
    instances: int
    roots: str


class _Place(NamedTuple):
    """A path from assets to their parts, and whether these are all blank nodes."""

    path: Path
    blank: bool = True


async def observe_paths(
    graph: Graph,
    statistics: Statistics,
    kinds: Iterable[str],
    assets: Iterable[str],
) -> ObservedPaths:
    """Find every path from the instances of some classes to the values that they hold.

    Args:
        graph: the store.
        statistics: of its default graph.
        kinds: IRIs of the classes.
        assets: IRIs of the classes whose instances are no parts of others.
    """
    walk = _Walk(graph, statistics, assets)
    found = [await walk.forward(kind) for kind in kinds]
    for kind in found:
        await walk.back(kind)
    return ObservedPaths(walk.found, tuple(walk.unread))


class _Walk:
    """Goes from the assets of one class after another to everything that they hold."""

    def __init__(self, graph: Graph, statistics: Statistics, assets: Iterable[str]) -> None:
        self.found: dict[str, dict[Path, int]] = {}
        self.unread: dict[str, None] = {}
        self._graph = graph
        self._predicates = statistics.predicates
        self._statistics = statistics
        listed = ", ".join(map(iri_n3, sorted(set(assets))))
        self._is_asset = f"EXISTS {{ %s a ?kind FILTER(?kind IN ({listed})) }}"
        self._met: Counter[str] = Counter()
        self._end = time.monotonic() + _SECONDS

    async def forward(self, iri: str) -> _Kind:
        """Find the paths of one class on which each step leads from a node to its own value."""
        self.found[iri] = {}
        instances = self._statistics.named_instances.get(iri, 0)
        roots = f"?asset a {iri_n3(iri)} ."
        if self._statistics.classes.get(iri) != instances:
            roots += " FILTER(isIRI(?asset))"
        kind = _Kind(iri, instances, roots)
        return await self._levels(
            self._sample(kind) if instances > _LARGE else kind, [_Place(Path(()))]
        )

    async def back(self, kind: _Kind) -> None:
        """Find the parts of one class that name their asset, where it does not name them.

        Only steps of which not every statement was met on the way forward can lead to such a part.
        """
        unmet = [
            iri
            for iri, counted in self._predicates.items()
            if (counted.iris or counted.bnodes)
            and iri != RDF_TYPE
            and (not self._met[iri] if self.unread else self._met[iri] != counted.triples)
        ]
        if not unmet:
            return
        steps = f"VALUES ?step {{ {' '.join(map(iri_n3, unmet))} }}"
        places = [_Place(Path(()))]
        for _ in range(_DEPTH):
            tail = (
                f"{steps} ?part ?step %s . FILTER NOT EXISTS {{ ?whole ?any ?part }} "
                f"FILTER NOT {self._is_asset % '?part'}"
            )
            kind, counts = await self._count(kind, places, tail)
            places = [
                _Place(Path((*place.path.steps, Step(iri, inverse=True))), blank=False)
                for (place, iri) in counts
            ]
            if not places:
                return
            await self._levels(kind, places)

    async def _levels(self, kind: _Kind, level: list[_Place]) -> _Kind:
        """Go on from some places as far as there is anything."""
        mixed = [iri for iri, one in self._predicates.items() if 0 < one.bnodes < one.triples]
        valued = f"VALUES ?step {{ {' '.join(map(iri_n3, mixed))} }} FILTER(!isBLANK(?value))"
        seen = {place.path for place in level}
        while level:
            kind, counts = await self._count(kind, level, "%s ?step ?value .")
            if any(iri in mixed for _, iri in counts):
                kind, some = await self._count(kind, level, f"%s ?step ?value . {valued}")
            else:
                some = {}
            following: list[_Place] = []
            for (place, iri), statements in counts.items():
                self._met[iri] += statements
                counted = self._predicates[iri]
                values = 0 if counted.bnodes else statements
                values = some.get((place, iri), 0) if iri in mixed else values
                following += self._follow(kind, place, iri, values)
            level = [place for place in dict.fromkeys(following) if place.path not in seen]
            seen |= {place.path for place in level}
            if len(seen) > _MOST_NODES:
                self._leave_out(f"parts of {kind.iri} on more than {_MOST_NODES} paths")
                break
        return kind

    def _follow(self, kind: _Kind, place: _Place, iri: str, values: int) -> list[_Place]:
        """Keep the path that a step leads to; the places to go on from, one or none."""
        steps = place.path.steps
        path = Path((*steps, Step(iri)))
        if steps and steps[-1] in (Step(iri), Step(iri, repeat="+")):
            # A chain of any length, such as an RDF list, is one path.
            path = Path((*steps[:-1], Step(iri, repeat="+")))
        if values:
            known = self.found[kind.iri]
            known[path] = known.get(path, 0) + values
        counted = self._predicates[iri]
        if path == place.path or not (counted.iris or counted.bnodes):
            return []
        turns = sum(1 for step in path.steps if step.iri == iri)
        if turns > _MOST_TURNS or len(path.steps) > _DEPTH:
            self._leave_out(f"what lies behind {path.local()} of {kind.iri}")
            return []
        return [_Place(path, not counted.iris)]

    async def _count(
        self, kind: _Kind, places: Sequence[_Place], tail: str
    ) -> tuple[_Kind, dict[tuple[_Place, str], int]]:
        """How many statements of each step there are at some places.

        Args:
            kind: the class; where it is too large, the class with a part of its assets is returned.
            places: paths to nodes.
            tail: a pattern that binds `?step` from a node, which stands for `%s`.
        """
        found: dict[tuple[_Place, str], int] = {}
        for start in range(0, len(places), _AT_ONCE):
            batch = places[start : start + _AT_ONCE]
            rows = await self._select(self._query(kind, batch, tail))
            if rows is None and kind.instances > _SAMPLE:
                kind = self._sample(kind)
                rows = await self._select(self._query(kind, batch, tail))
            if rows is None:
                for place in batch:
                    self._leave_out(f"{place.path.local() or 'the statements'} of {kind.iri}")
            for number, iri, count in rows or ():
                if iri != RDF_TYPE and iri in self._predicates:
                    found[batch[int(number)], iri] = int(count)
        return kind, dict(sorted(found.items()))

    def _sample(self, kind: _Kind) -> _Kind:
        """The class with some of its assets."""
        left = kind.instances - _SAMPLE
        self._leave_out(f"{left:,} of the {kind.instances:,} assets of {kind.iri}")
        some = f"{{ SELECT ?asset WHERE {{ {kind.roots} }} LIMIT {_SAMPLE} }}"
        return _Kind(kind.iri, _SAMPLE, some)

    def _query(self, kind: _Kind, places: Sequence[_Place], tail: str) -> str:
        parts: list[str] = []
        for number, place in enumerate(places):
            way, node = "", "?asset"
            if place.path.steps:
                way, node = f"?asset {place.path.sparql()} ?node .", "?node"
            if not place.blank:
                way += f" FILTER NOT {self._is_asset % '?node'}"
            parts.append(f"{{ {kind.roots} {way} {tail % node} BIND({number} AS ?place) }}")
        return (
            f"SELECT ?place ?step (COUNT(*) AS ?n) WHERE {{ {' UNION '.join(parts)} }} "
            "GROUP BY ?place ?step"
        )

    async def _select(self, query: str) -> list[tuple[str, ...]] | None:
        """Rows of texts; None where the question takes too long."""
        left = min(self._end - time.monotonic(), _QUERY_SECONDS)
        if left <= 0:
            return None
        try:
            rows = await self._graph.select(CompiledQuery(query), timeout=left)
        except GroundwireError:
            return None
        return [tuple(term.value for term in row if term is not None) for row in rows.rows]

    def _leave_out(self, what: str) -> None:
        self.unread[f"not looked at: {what}"] = None


# Kept beside the store


async def kept_paths(
    store: FilePath,
    classes: tuple[Sequence[str], Sequence[str]],
    find: Callable[[], Awaitable[ObservedPaths]],
) -> ObservedPaths:
    """The paths of a store as they are kept beside it, found and kept where they are not.

    Args:
        store: the folder of the store, which is named by its hash.
        classes: those whose assets are looked at, and those whose assets are no parts.
        find: looks for the paths.
    """
    named = json.dumps([_VERSION, *map(sorted, classes)])
    digest = hashlib.sha256(named.encode()).hexdigest()[:16]
    file = store.parent / f"{store.name}-{digest}.paths"
    known = _read(file)
    if known is None:
        known = await find()
        # A disk that is full or read-only costs the next start time, no more.
        with contextlib.suppress(OSError):
            _write(file, known)
    return known


def _write(file: FilePath, found: ObservedPaths) -> None:
    """Keep the paths of a store, and remove those of stores that are gone."""
    steps: dict[Step, int] = {}
    by_class = {
        kind: [
            [[steps.setdefault(step, len(steps)) for step in path.steps], number]
            for path, number in paths.items()
        ]
        for kind, paths in found.by_class.items()
    }
    aside = file.with_suffix(f".{os.getpid()}.part")
    aside.write_text(json.dumps([list(steps), by_class, found.unread]), "utf-8")
    aside.replace(file)
    for other in file.parent.glob("*.paths"):
        if not (file.parent / other.name.split("-")[0]).is_dir():
            other.unlink(missing_ok=True)


def _read(file: FilePath) -> ObservedPaths | None:
    """The paths that are kept in a file; None where there are none that can be read."""
    try:
        raw, classes, unread = json.loads(file.read_text("utf-8"))
        steps = [Step(*step) for step in raw]
        by_class = {
            kind: {Path(tuple(steps[int(each)] for each in path)): count for path, count in paths}
            for kind, paths in classes.items()
        }
        return ObservedPaths(by_class, tuple(unread))
    except (OSError, ValueError, TypeError, IndexError):
        return None
