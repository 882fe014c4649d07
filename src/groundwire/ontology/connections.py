"""Which domains are connected with which, over declared paths only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.ontology.index.model import ANY_DOMAIN, Connection, Domain, Path, ShapeIndex
from groundwire.ontology.observed import Observed

# Of more kinds than these, connections are told as they are declared.
_MOST_KINDS = 40


class Way(NamedTuple):
    """How assets of one domain lead to those of another.

    Attributes:
        target: the other domain.
        paths: from the asset to the other.
        inverse_paths: from the other to the asset; only where no path leads forward.
        declared: the shapes name the target; else they allow any IRI there.
    """

    target: Domain
    paths: tuple[Path, ...]
    inverse_paths: tuple[Path, ...]
    declared: bool


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
            if way is not None:
                found.append(way)
        return found

    def between(self, source: Domain, target: Domain) -> Way | None:
        """The way from assets of `source` to assets of `target`, or None.

        Paths that name the target go before paths to any IRI, and those that lead forward before
        those that lead back.
        """
        forward, linked = self._paths(source, target)
        backward, linked_back = self._paths(target, source)
        if forward:
            return Way(target, _shortest_first([*forward, *linked]), (), declared=True)
        if backward:
            return Way(target, (), _shortest_first([*backward, *linked_back]), declared=True)
        if linked and source is not target:
            return Way(target, _shortest_first(linked), (), declared=False)
        if linked_back and source is not target:
            return Way(target, (), _shortest_first(linked_back), declared=False)
        return None

    async def _used(self, source: Domain, way: Way) -> Way | None:
        """The paths of a way that an asset uses, or None where none does."""
        connects = self._observed.connects
        paths = [path for path in way.paths if await connects(source, path, way.target)]
        back = [path for path in way.inverse_paths if await connects(way.target, path, source)]
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


def _shortest_first(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(dict.fromkeys(paths), key=lambda path: (len(path.steps), path)))
