"""Paths from assets to everything that they hold, found once for a local store.

The walk goes forward from the assets of each class, level by level, through their parts. Other
assets are not gone through: what they hold is asked for as a reference. What the walk leaves out,
for want of time or because a cycle would lead on for ever, is kept as a sentence.
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
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE, PredicateStatistics, Statistics
from groundwire.graph.terms import iri_n3
from groundwire.ontology.index.model import Domain, Path, Step

# Raised whenever the same store would give other paths.
_VERSION = 1
_SECONDS = 30.0
_QUERY_SECONDS = 10.0
_DEPTH = 8
_MOST_NODES = 400
# Places that one query looks at.
_AT_ONCE = 24
# A step that occurs oftener on a path, other than in a row, goes round a cycle.
_MOST_TURNS = 2
# Of a larger class this many assets are looked at; stores keep them in no order of meaning.
_MOST_ASSETS = 50_000


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


class _Place(NamedTuple):
    """A path from assets to their parts, and whether these are all blank nodes."""

    path: Path
    blank: bool = True


async def observe_paths(
    graph: Graph,
    statistics: Statistics,
    kinds: Iterable[str],
    assets: Iterable[str],
    seconds: float = _SECONDS,
) -> ObservedPaths:
    """Find every path from the instances of some classes to the values that they hold.

    Args:
        graph: the store.
        statistics: of its default graph.
        kinds: IRIs of the classes.
        assets: IRIs of the classes whose instances are no parts of others.
        seconds: when to stop; what is then missing is said.
    """
    walk = _Walk(graph, statistics, assets, seconds)
    for kind in kinds:
        await walk.walk(kind)
    return ObservedPaths(walk.found, tuple(walk.unread))


class _Walk:
    """Goes forward from the assets of one class after another."""

    def __init__(
        self, graph: Graph, statistics: Statistics, assets: Iterable[str], seconds: float
    ) -> None:
        self.found: dict[str, dict[Path, int]] = {}
        self.unread: dict[str, None] = {}
        self._graph = graph
        self._statistics = statistics
        self._assets = ", ".join(map(iri_n3, sorted(set(assets))))
        self._end = time.monotonic() + seconds

    async def walk(self, kind: str) -> None:
        """Find the paths of one class."""
        self.found[kind] = {}
        instances = self._statistics.named_instances.get(kind, 0)
        roots = f"?asset a {iri_n3(kind)} ."
        if self._statistics.classes.get(kind) != instances:
            roots += " FILTER(isIRI(?asset))"
        if instances > _MOST_ASSETS:
            roots = f"{{ SELECT ?asset WHERE {{ {roots} }} LIMIT {_MOST_ASSETS} }}"
            self._leave_out(f"{instances - _MOST_ASSETS:,} of the {instances:,} assets of {kind}")
        level = [_Place(Path(()))]
        seen: set[Path] = {Path(())}
        while level:
            following: dict[Path, _Place] = {}
            for start in range(0, len(level), _AT_ONCE):
                places = level[start : start + _AT_ONCE]
                for place, step, statements, values in await self._steps(kind, roots, places):
                    following |= {
                        each.path: each
                        for each in self._follow(kind, place, step, statements, values)
                        if each.path not in seen
                    }
            if len(seen) + len(following) > _MOST_NODES:
                self._leave_out(f"parts of {kind} on more than {_MOST_NODES} paths")
                return
            seen |= set(following)
            level = list(following.values())

    def _follow(
        self, kind: str, place: _Place, step: Step, statements: int, values: int
    ) -> list[_Place]:
        """Keep the path that a step leads to; the places to go on from, which are one or none."""
        steps = place.path.steps
        last = steps[-1] if steps else None
        path = Path((*steps, step))
        if last is not None and last._replace(repeat="") == step:
            # A chain of any length, such as an RDF list, is one path.
            path = Path((*steps[:-1], step._replace(repeat="+")))
        if values and not step.inverse:
            known = self.found[kind]
            known[path] = known.get(path, 0) + values
        if not self._leads_on(step, statements, values) or path == place.path:
            return []
        turns = sum(1 for one in path.steps if one.iri == step.iri)
        if turns > _MOST_TURNS or len(path.steps) > _DEPTH:
            self._leave_out(f"what lies behind {path.local()} of {kind}")
            return []
        counted = self._statistics.predicates.get(step.iri)
        return [_Place(path, not step.inverse and counted is not None and not counted.iris)]

    def _leads_on(self, step: Step, statements: int, values: int) -> bool:
        """Whether any value may have statements of its own."""
        counted: PredicateStatistics | None = self._statistics.predicates.get(step.iri)
        return step.inverse or values < statements or bool(counted is None or counted.iris)

    async def _steps(
        self, kind: str, roots: str, places: Sequence[_Place]
    ) -> list[tuple[_Place, Step, int, int]]:
        """The steps that lead on from some places: numbers of statements, and of values."""
        parts: list[str] = []
        for number, place in enumerate(places):
            node = "?asset" if not place.path.steps else "?node"
            way = f"?asset {place.path.sparql()} ?node ." if place.path.steps else ""
            if not place.blank:
                # The assets of other kinds, and what is no node at all, are the end of the way.
                way += f" FILTER NOT EXISTS {{ ?node a ?kind FILTER(?kind IN ({self._assets})) }}"
            ahead = f"{node} ?step ?value . BIND(!isBLANK(?value) AS ?valued)"
            parts.append(f"{{ {roots} {way} {ahead} BIND({2 * number} AS ?place) }}")
            if not place.path.steps or place.path.steps[-1].inverse:
                # A part that names its asset, where the asset does not name its part.
                behind = (
                    f"?part ?step {node} . FILTER NOT EXISTS {{ ?whole ?any ?part }} "
                    f"FILTER NOT EXISTS {{ ?part a ?kind FILTER(?kind IN ({self._assets})) }} "
                    "BIND(false AS ?valued)"
                )
                parts.append(f"{{ {roots} {way} {behind} BIND({2 * number + 1} AS ?place) }}")
        rows = await self._select(
            f"SELECT ?place ?step ?valued (COUNT(*) AS ?n) WHERE {{ {' UNION '.join(parts)} }} "
            "GROUP BY ?place ?step ?valued"
        )
        if rows is None:
            for place in places:
                self._leave_out(f"{place.path.local() or 'the statements'} of {kind}")
            return []
        counts: dict[tuple[int, str], list[int]] = {}
        for number, iri, valued, count in rows:
            held = counts.setdefault((int(number), iri), [0, 0])
            held[0] += int(count)
            held[1] += int(count) if valued == "true" else 0
        return [
            (places[number // 2], Step(iri, inverse=bool(number % 2)), *held)
            for (number, iri), held in sorted(counts.items())
            if iri != RDF_TYPE
        ]

    async def _select(self, query: str) -> list[tuple[str, ...]] | None:
        """Rows of texts; None where the question takes too long."""
        left = min(self._end - time.monotonic(), _QUERY_SECONDS)
        if left <= 0:
            return None
        try:
            rows = await self._graph.select(CompiledQuery(query), timeout=left)
        except GroundwireError:
            return None
        return [tuple(term.value if term is not None else "" for term in row) for row in rows.rows]

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
            kind: {Path(tuple(steps[each] for each in path)): count for path, count in paths}
            for kind, paths in classes.items()
        }
        return ObservedPaths(by_class, tuple(unread))
    except (OSError, ValueError, TypeError, IndexError):
        return None
