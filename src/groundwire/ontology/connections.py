"""Which domains are connected with which, and which of the stored statements a search can find.

Domains are connected over declared paths, else over those that are stored. A leaf statement has a
literal for its object, or an IRI that no statement is about; `rdf:type` is searched by the kind. It
can be found where a path of a kind of asset leads to it.
"""

from __future__ import annotations

import os
import pathlib
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE, Statistics
from groundwire.graph.terms import iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    Path,
    ShapeIndex,
    local_name,
)
from groundwire.ontology.index.namespaces import LABELS
from groundwire.ontology.observed import Observed
from groundwire.vocabulary import fold

_MOST_LOOKED_UP = 20_000

# Of more kinds than these, connections are told as they are declared.
_MOST_KINDS = 40


class Way(NamedTuple):
    """How assets of one domain lead to those of another.

    Attributes:
        target: the other domain.
        paths: from the asset to the other.
        inverse_paths: from the other to the asset; those of a kind to itself are left out, since
            they would say the opposite (what is broader, and what is narrower).
        declared: the shapes name the target; else they allow any IRI there.
        linked: those of the paths, in either direction, that may lead to any IRI.
        repeated: each path leads on from assets of the target to others of it, as that of a part
            does which has parts itself.
        stored: no shape connects the two, but assets refer to each other over these paths.
    """

    target: Domain
    paths: tuple[Path, ...]
    inverse_paths: tuple[Path, ...]
    declared: bool
    linked: frozenset[Path] = frozenset()
    repeated: bool = False
    stored: bool = False

    @property
    def is_ambiguous(self) -> bool:
        """Whether several relations lead from a kind to itself: each says something else."""
        return not self.inverse_paths and self.repeated and len(self.paths) > 1

    def over(self, name: str) -> Way | None:
        """The part of a way that one relation makes, or None where none is called so.

        Args:
            name: a step of its paths or a whole path, such as `broader`; with `^` before it that
                relation read from its other end.
        """
        wanted, turned = fold(name.lstrip("^")), name.startswith("^")
        paths, inverse = (
            tuple(path for path in paths if wanted in _names_of(path))
            for paths in (self.paths, self.inverse_paths)
        )
        if turned:
            paths, inverse = (), inverse or paths
        elif paths:
            inverse = ()
        if not paths and not inverse:
            return None
        return self._replace(paths=paths, inverse_paths=inverse)


class Ways:
    """Looks up connections, those of superclasses included."""

    def __init__(self, index: ShapeIndex, observed: Observed) -> None:
        """Read the connections of `index`; `observed` rules out paths that no asset has."""
        self._observed = observed
        self._by_source: dict[str, list[Connection]] = {}
        for connection in index.connections:
            self._by_source.setdefault(connection.source, []).append(connection)
        self._names = index.names()
        self._index = index
        self._usable: dict[Path, bool] = {}
        self._stored: dict[str, tuple[Path, ...]] = {}

    def kinds(self, domains: Sequence[Domain]) -> list[Domain]:
        """The domains to look for connections among: of many, those that connections name.

        Where hundreds of kinds stand in one tree, every pair of them would repeat what is
        declared for the two that they are kinds of.
        """
        if len(domains) <= _MOST_KINDS:
            return list(domains)
        held = {name for each in domains for name in (each.name, *self._named(each.superclasses))}
        named = {
            name
            for connections in self._by_source.values()
            for connection in connections
            if self._may_match(connection.path)
            for name in (connection.source, connection.target)
            if name in held
        }
        kinds = [self._index.domains[name] for name in named]
        return sorted(kinds, key=lambda kind: (len(kind.superclasses), kind.name))

    async def of(self, source: Domain, targets: Sequence[Domain]) -> list[Way]:
        """The ways from `source` to each of `targets` that there is one to.

        A path to any IRI counts where assets use it so; else everything that holds a link would
        be connected with everything. Of many targets, see `kinds`.
        """
        found: list[Way] = []
        for target in self.kinds(targets):
            way = self.between(source, target)
            if way is not None and not way.declared:
                way = await self._used(source, way)
            way = way or await self.stored_between(source, target)
            if way is not None:
                found.append(way)
        return found

    async def stored_between(self, source: Domain, target: Domain) -> Way | None:
        """The way that assets of a counted store connect two kinds over, though no shape does."""
        if source is target or not self._observed.counted:
            return None
        paths, inverse = self._open_ends(source), self._open_ends(target)
        way = Way(target, paths, inverse, declared=False, stored=True)
        return await self._used(source, way)

    def _open_ends(self, domain: Domain) -> tuple[Path, ...]:
        """The paths of a kind that no shape names and that do not only lead to literals."""
        key = domain.class_iri
        if key not in self._stored:
            self._stored[key] = _shortest_first(
                path
                for prop in domain.properties.values()
                for path in prop.undeclared
                if prop.iri != RDF_TYPE
                and not any(step.inverse or step.repeat for step in path.steps)
                and self._observed.may_end(path, literal=False)
            )
        return self._stored[key]

    def between(self, source: Domain, target: Domain) -> Way | None:
        """The way from assets of `source` to assets of `target`, or None.

        Whichever of the two refers to the other: paths that lead forward and those that lead back
        are one way. Paths to any IRI alone do not connect a kind with itself.
        """
        forward, linked = self._paths(source, target)
        if forward and (source is target or _is_above(source, target)):
            paths = _shortest_first(forward)
            return Way(target, paths, (), declared=True, repeated=self._leads_on(paths, target))
        if source is target:
            return None
        backward, linked_back = self._paths(target, source)
        if not (forward or linked or backward or linked_back):
            return None
        paths = _shortest_first([*forward, *linked])
        same = {path.turned() for path in paths}
        inverse = _shortest_first(p for p in (*backward, *linked_back) if p not in same)
        repeated = bool(forward) and not inverse and self._leads_on(paths, target)
        open_ended = frozenset((*linked, *linked_back)) - {*forward, *backward}
        return Way(target, paths, inverse, bool(forward or backward), open_ended, repeated)

    async def as_used(self, source: Domain, way: Way) -> Way:
        """A way without paths to any IRI that no asset uses to refer to the other kind.

        Only what is quickly looked up in a counted graph is left out, and never everything.
        """
        few = [
            path
            for path in way.linked
            if self._observed.counted
            and all(self._observed.statements(step.iri) <= _MOST_LOOKED_UP for step in path.steps)
        ]
        connects = self._observed.connects
        unused = {
            path
            for path in few
            if not (path in way.paths and await connects(source, path, way.target))
            and not (path in way.inverse_paths and await connects(way.target, path, source))
        }
        left = way._replace(
            paths=tuple(path for path in way.paths if path not in unused),
            inverse_paths=tuple(path for path in way.inverse_paths if path not in unused),
        )
        return left if left.paths or left.inverse_paths else way

    def is_only(self, source: Domain, way: Way) -> bool:
        """Whether the paths of a way lead to no other kind by name."""
        names = {way.target.name, *self._named(way.target.superclasses)}
        return not any(
            connection.path in way.paths and connection.target not in (*names, ANY_DOMAIN)
            for name in (source.name, *self._named(source.superclasses))
            for connection in self._by_source.get(name, ())
        )

    def _leads_on(self, paths: Sequence[Path], target: Domain) -> bool:
        """Whether each path to a kind leads on from there to the same kind."""
        own, _ = self._paths(target, target)
        return set(paths) <= set(own)

    async def _used(self, source: Domain, way: Way) -> Way | None:
        """The paths of a way that an asset uses, or None where none does."""
        connects, unsure = self._observed.connects, not way.stored
        paths = [
            path for path in way.paths if await connects(source, path, way.target, unsure=unsure)
        ]
        back = [
            path
            for path in way.inverse_paths
            if await connects(way.target, path, source, unsure=unsure)
        ]
        if not paths and not back:
            return None
        return way._replace(paths=tuple(paths), inverse_paths=tuple(back))

    def _paths(self, source: Domain, target: Domain) -> tuple[list[Path], list[Path]]:
        """Paths to the target by name, and paths to any IRI."""
        names = {target.name, *self._named(target.superclasses)}
        concrete: list[Path] = []
        linked: list[Path] = []
        for name in (source.name, *self._named(source.superclasses)):
            for connection in self._by_source.get(name, ()):
                if not self._may_match(connection.path):
                    continue
                if connection.target in names:
                    concrete.append(connection.path)
                elif connection.target == ANY_DOMAIN:
                    linked.append(connection.path)
        return concrete, linked

    def _may_match(self, path: Path) -> bool:
        known = self._usable.get(path)
        if known is None:
            known = self._usable[path] = self._observed.may_match(path)
        return known

    def _named(self, classes: Iterable[str]) -> list[str]:
        return [self._names[iri] for iri in classes if iri in self._names]


def _names_of(path: Path) -> set[str]:
    """Return the folded names of a path: by each step, and whole."""
    steps = [form for step in path.steps for form in (step.iri, local_name(step.iri))]
    return {fold(form) for form in (*steps, path.local(), path.sparql())}


def _is_above(one: Domain, other: Domain) -> bool:
    """Whether one of two kinds is a kind of the other."""
    return one.class_iri in other.superclasses or other.class_iri in one.superclasses


def _shortest_first(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(dict.fromkeys(paths), key=lambda path: (len(path.steps), path)))


_TIMEOUT = 20.0
_LEAF = "FILTER(isLITERAL(?value) || (isIRI(?value) && NOT EXISTS { ?value ?any ?other }))"


class Unreachable(NamedTuple):
    """Leaf statements of one property that no search can find."""

    property: str
    statements: int
    reason: str


class Reachability(NamedTuple):
    """How many leaf statements there are, and how many a search can find.

    Attributes:
        leaves: of those properties that could be counted.
        reachable: how many of them a search can find.
        unreachable: the others, by property and reason.
        unread: what was not looked at, one line each.
    """

    leaves: int = 0
    reachable: int = 0
    unreachable: tuple[Unreachable, ...] = ()
    unread: tuple[str, ...] = ()


async def reachability(state: State) -> Reachability:
    """Count the leaf statements of a local store that searches can find.

    Raises:
        UnavailableError: the store does not answer.
    """
    assert state.statistics is not None
    ways = _ways(state)
    leaves = reachable = 0
    unreachable: list[Unreachable] = []
    unread = list(state.paths.unread) if state.paths is not None else []
    for iri in state.statistics.predicates:
        if iri == RDF_TYPE:
            continue
        name = state.lexicon.compact(iri)
        whole = await _count(state, f"?node {iri_n3(iri)} ?value . {_LEAF}")
        found = await _count(state, _reached(iri, ways.get(iri, ())))
        if whole is None or found is None:
            unread.append(f"{name} has too many statements to be counted in time")
            continue
        leaves += whole
        reachable += found
        if found < whole:
            reason = await _reason(state, iri, ways.get(iri, ()))
            unreachable.append(Unreachable(name, whole - found, reason))
    unreachable.sort(key=lambda each: (-each.statements, each.property))
    return Reachability(leaves, reachable, tuple(unreachable), tuple(unread))


def _ways(state: State) -> dict[str, list[tuple[Domain, Path]]]:
    """The stored paths of all kinds by the property that they end in."""
    found: dict[str, list[tuple[Domain, Path]]] = {}
    for domain in state.index.domains.values():
        for prop in domain.properties.values():
            for path in prop.paths:
                if prop.kind != "node" and state.observed.is_stored(domain, (path,)) is not False:
                    found.setdefault(path.steps[-1].iri, []).append((domain, path))
    return found


def _nodes(ways: Sequence[tuple[Domain, Path]]) -> str:
    """Patterns that bind `?node` to what the last step of each path leads on from."""
    parts: list[str] = []
    for domain, path in ways:
        classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
        *before, last = path.steps
        steps = (*before, last._replace(repeat="*")) if last.repeat else tuple(before)
        way = f"?asset {Path(steps).sparql()} ?node ." if steps else "BIND(?asset AS ?node)"
        parts.append(
            f"{{ VALUES ?kind {{ {classes} }} ?asset a ?kind FILTER(isIRI(?asset)) {way} }}"
        )
    return " UNION ".join(dict.fromkeys(parts))


def _reached(iri: str, ways: Sequence[tuple[Domain, Path]]) -> str:
    if not ways:
        return ""
    nodes = f"SELECT DISTINCT ?node WHERE {{ {_nodes(ways)} }}"
    return f"{{ {nodes} }} ?node {iri_n3(iri)} ?value . {_LEAF}"


async def _count(state: State, pattern: str) -> int | None:
    """How many statements match a pattern; None where that takes too long."""
    if not pattern:
        return 0
    query = CompiledQuery(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}")
    try:
        rows = await state.graph.select(query, timeout=_TIMEOUT)
    except GroundwireError:
        return None
    return int(rows.rows[0][0].value) if rows.rows and rows.rows[0][0] else 0


async def _reason(state: State, iri: str, ways: Sequence[tuple[Domain, Path]]) -> str:
    """Why the statements of a property are not reached, by what holds most of them."""
    minus = f"MINUS {{ {_nodes(ways)} }}" if ways else ""
    query = CompiledQuery(
        "SELECT ?kind (COUNT(*) AS ?n) (SAMPLE(?node) AS ?one) WHERE { "
        f"?node {iri_n3(iri)} ?value . {_LEAF} {minus} OPTIONAL {{ ?node a ?kind }} }} "
        "GROUP BY ?kind ORDER BY DESC(?n) LIMIT 1"
    )
    try:
        rows = await state.graph.select(query, timeout=_TIMEOUT)
    except GroundwireError:
        return "the reason was not found in time"
    ((kind, _, one),) = rows.rows or ((None, None, None),)
    if kind is None:
        return "what holds it has no class, and no path leads to it from an asset"
    shaped = {each for d in state.index.domains.values() for each in (d.class_iri, *d.subclasses)}
    name = local_name(kind.value)
    if kind.value not in shaped:
        return f"no shape targets {name}, and no path leads to it from an asset"
    if one is not None and one.kind == "bnode":
        return f"what holds it is a {name} without an IRI, to which no path leads from an asset"
    return f"a path of {name} was not followed: it is too long, or leads round in a circle"


# A share of statements below which drafted shapes are offered.
_LOW = 0.95
_DRAFTED = "drafted-shapes.ttl"


class Coverage(NamedTuple):
    """Statements that hold a value: a literal, or the IRI of a thing.

    Attributes:
        statements: how many are stored; `rdf:type` is not counted.
        declared: those of properties that a path of a stored domain ends in, and labels.
        left_out: IRIs of the other properties, most statements first.
    """

    statements: int
    declared: int
    left_out: tuple[str, ...]

    @property
    def percent(self) -> float:
        """The declared share, rounded down, so that 100 means all."""
        if self.declared >= self.statements:
            return 100.0
        return int(1000 * self.declared / self.statements) / 10

    @property
    def is_low(self) -> bool:
        """Whether so little is declared that drafted shapes would help."""
        return self.declared < _LOW * self.statements


def coverage(domains: Sequence[Domain], statistics: Statistics) -> Coverage:
    """Count the statements that the shapes of some domains declare.

    Args:
        domains: those that have assets.
        statistics: of the stored assets.
    """
    ends = {
        prop.iri
        for domain in domains
        for prop in domain.properties.values()
        # A property that no shape is the source of was only observed.
        if prop.kind != "node" and prop.sources
    }
    held = {
        iri: found.triples - found.bnodes
        for iri, found in statistics.predicates.items()
        if iri != RDF_TYPE and found.triples > found.bnodes
    }
    left_out = [iri for iri in held if iri not in ends and iri not in LABELS]
    left_out.sort(key=lambda iri: -held[iri])
    total = sum(held.values())
    return Coverage(total, total - sum(held[iri] for iri in left_out), tuple(left_out))


def measured(found: Coverage) -> str:
    """The coverage as a sentence."""
    return (
        f"The shapes declare {found.percent:g} % of what is stored "
        f"({found.declared:,} of {found.statements:,} statements)"
    )


def offer(found: Coverage, shapes: Sequence[str], assets: Sequence[str]) -> tuple[str, ...]:
    """The commands that draft shapes from the assets and add them to the given ones.

    Returns:
        The commands in order; none where the shapes declare enough.
    """
    if not found.is_low:
        return ()
    named = " ".join(shlex.quote(str(pathlib.Path(name).absolute())) for name in assets)
    drafted = str(pathlib.Path(_DRAFTED).absolute())
    return (
        f"groundwire ontology infer {named} -o {shlex.quote(drafted)}",
        added(shapes, drafted),
    )


def added(shapes: Sequence[str], drafted: str) -> str:
    """The command that serves drafted shapes beside given ones."""
    every = [str(pathlib.Path(name).absolute()) for name in shapes]
    joined = os.pathsep.join([*every, *([drafted] if drafted not in every else [])])
    return f"export GROUNDWIRE_SHAPES={shlex.quote(joined)}"
