"""Which domains are connected with which: over declared paths, else over those that are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.graph.statistics import RDF_TYPE
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    Path,
    ShapeIndex,
    local_name,
)
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
