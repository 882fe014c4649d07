"""Properties where they are stored, whatever the shapes say of them.

A declared property may have no statement while one of the same name has, stand on another path,
or be held by another kind. What is found out about a graph is kept as long as the graph is.

Where values really are: the paths from assets to statements, whatever the shapes declare. Shapes
and data disagree: a property has another namespace, stands one node deeper or nearer, or is written
from the other side. Paths are found by going back from the statements that hold a value to the
assets that they belong to.

Stored properties and classes that no shape declares. Shapes and data disagree, so what is stored
and not declared stands beside what is declared, with its paths, and is marked. What a property has
on paths that no shape names is added to it. A class without a shape that has instances is a kind
with the properties of the class above it.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import iri_n3, is_one_of
from groundwire.ontology.index.model import (
    Domain,
    Path,
    Property,
    ShapeIndex,
    Step,
    Text,
    compact,
    local_name,
    spoken_name,
)
from groundwire.ontology.index.namespaces import LABELS, SUBCLASS
from groundwire.ontology.lexicon import Lexicon, Match
from groundwire.ontology.observed_paths import ObservedPaths
from groundwire.ontology.parts import alternatives
from groundwire.vocabulary import Resolution, fold

_TIMEOUT = 5.0

_DEPTH = 6
_MOST_PATHS = 48
_SECONDS = 1.5
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


_ASK_TIMEOUT = 1.0
# Seconds to find every path to a predicate, which is done once for a graph.
_WHOLE = 4.0

_walked: WeakKeyDictionary[Graph, dict[str, StoredPaths]] = WeakKeyDictionary()
_stored: WeakKeyDictionary[Graph, dict[tuple[str, tuple[Path, ...]], bool]] = WeakKeyDictionary()


class StoredProperties:
    """Finds properties and values of kinds of asset in a graph.

    Attributes:
        lexicon: the vocabularies of the catalogue.
        assets: the kinds that have assets.
    """

    def __init__(self, lexicon: Lexicon, graph: Graph, assets: Sequence[Domain]) -> None:
        """Look in a graph."""
        self.lexicon = lexicon
        self.assets = assets
        self._graph = graph
        # How many questions were not answered in time.
        self.unanswered = 0

    async def as_stored(self, match: Match) -> Match:
        """Return the property as it is stored, where no asset has it as the shapes declare it.

        It is then read on the paths that it is stored on, and those of the properties of the same
        name that are stored and not declared: as both.
        """
        prop = match.prop
        if not self.lexicon.observed.counted:
            return match  # an endpoint is asked for it where nothing is found
        if not prop.declared or await self.is_stored(match.domain, prop.declared_paths):
            return match
        return await self.with_homonyms(match)

    async def with_homonyms(self, match: Match) -> Match:
        """A declared property together with what is stored under its name; itself if nothing is."""
        prop = match.prop
        if not prop.declared:
            return match
        # A key that says where the property stands means none that stands elsewhere.
        named = await self._homonyms(match.domain, prop) if match.paths == prop.paths else []
        more = tuple(path for one in named for path in one.paths)
        if not more and not set(match.paths) & set(prop.undeclared):
            return match
        paths = tuple(dict.fromkeys((*match.paths, *more)))
        undeclared = tuple(path for path in paths if path in more or path in prop.undeclared)
        name = match.name or self.lexicon.key_of(match.domain, prop)
        both = prop._replace(paths=paths, kind="any", closed=False, undeclared=undeclared)
        return match._replace(prop=both, paths=paths, name=name)

    async def undeclared(self, key: str, domain: Domain) -> list[Match]:
        """Properties that assets hold under a name, where not all that is stored is known."""
        if self._is_known():
            return []
        compact = self.lexicon.compact
        named = await self.lexicon.observed.named(spoken_name(key.split(":")[-1]), domain)
        exact = [iri for iri in named if key in (iri, compact(iri))]
        plain = [] if ":" in key else [iri for iri in named if fold(local_name(iri)) == fold(key)]
        found = await self._of_kind(domain, exact or plain)
        return [
            Match(
                domain,
                Property(iri, local_name(iri), compact(iri), paths, undeclared=paths),
                paths,
                Resolution(key, "exact", score=1.0),
                local_name(iri) if len(found) == 1 else compact(iri),
            )
            for iri, paths in found.items()
        ]

    def _is_known(self) -> bool:
        """Whether everything that the assets hold is among the properties of their kinds."""
        observed = self.lexicon.observed
        return observed.counted and all(
            observed.is_stored(domain, ()) is not None for domain in self.assets
        )

    async def _homonyms(self, domain: Domain, prop: Property) -> list[Property]:
        """Properties of the same local name that are stored and not declared."""
        name = spoken_name(prop.iri)
        known = [
            other
            for other in domain.properties.values()
            if not other.declared and other.iri != prop.iri and spoken_name(other.iri) == name
        ]
        if known or self._is_known():
            return known
        named = await self.lexicon.observed.named(name, domain)
        others = [iri for iri in named if iri not in (prop.iri, RDF_TYPE)]
        found = await self._of_kind(domain, others)
        if any(iri in domain.properties for iri in found):
            return []
        return [
            self.as_predicate(domain, prop, iri)._replace(paths=paths)
            for iri, paths in found.items()
        ]

    async def _of_kind(
        self, domain: Domain, predicates: Sequence[str]
    ) -> dict[str, tuple[Path, ...]]:
        """The paths of a domain to each of some predicates that it has a path to."""
        found: dict[str, tuple[Path, ...]] = {}
        for iri in predicates:
            walked = await self._walked(iri)
            paths = [path for path in walked.of(domain) if not path.steps[-1].inverse]
            if paths:
                found[iri] = tuple(paths)
        return found

    async def _walked(self, iri: str) -> StoredPaths:
        """Return all paths to a predicate; they are searched for once in a graph."""
        known = _walked.setdefault(self._graph, {})
        if iri not in known:
            known[iri] = await _stored_paths(self._graph, [iri], "", self.assets, _WHOLE)
        return known[iri]

    async def paths_to(self, iri: str, held: str) -> StoredPaths:
        """The paths to a value of a predicate, or to any of its values where these are known.

        The value alone is looked for where the whole predicate is too large to be read, and at
        endpoints, which are not asked for more than a search needs.
        """
        if self.lexicon.observed.counted:
            found = await self._walked(iri)
            if found.complete:
                return found
        return await _stored_paths(self._graph, [iri], held, self.assets)

    def as_predicate(self, domain: Domain, prop: Property, iri: str) -> Property:
        """A property with the values of another predicate."""
        if iri in domain.properties:
            return domain.properties[iri]
        return prop._replace(
            iri=iri,
            local_name=local_name(iri),
            curie=self.lexicon.compact(iri),
            paths=(Path((Step(iri),)),),
            kind="any",
            enum=(),
            individuals=(),
            has_values=(),
            closed=False,
        )

    async def is_stored(self, domain: Domain, paths: Sequence[Path]) -> bool:
        """Whether any asset of a domain has a value on one of the paths; asked once."""
        said = self.lexicon.observed.is_stored(domain, paths)
        if said is not None:
            return said
        known = _stored.setdefault(self._graph, {})
        place = (domain.class_iri, tuple(paths))
        if place not in known:
            before = self.unanswered
            holds = await self.holds(domain, paths, "")
            if self.unanswered != before:
                return holds
            known[place] = holds
        return known[place]

    async def holds(self, domain: Domain, paths: Sequence[Path], held: str) -> bool:
        """Whether an asset of a domain holds a value on one of the paths."""
        usable = [path for path in paths if self.lexicon.observed.may_match(path)]
        if not usable:
            return False
        classes = [iri_n3(iri) for iri in (domain.class_iri, *domain.subclasses)]
        # Compared and not matched, so that the engine goes on from asset to asset.
        kind = is_one_of("?kind", classes, self.lexicon.observed.same_term)
        return await self._ask(
            f"?asset {alternatives(usable)} ?value . {held} "
            f"?asset a ?kind FILTER(({kind}) && isIRI(?asset))"
        )

    async def _ask(self, pattern: str) -> bool:
        """Return whether a pattern matches; no, and it counts as unanswered, after the limit."""
        try:
            query = CompiledQuery(f"ASK {{ {pattern} }}")
            return await self._graph.ask(query, timeout=_ASK_TIMEOUT)
        except GroundwireError:
            self.unanswered += 1
            return False


async def _stored_paths(
    graph: Graph,
    predicates: Iterable[str],
    held: str,
    assets: Sequence[Domain],
    seconds: float = _SECONDS,
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


def with_undeclared(index: ShapeIndex, observed: ObservedPaths) -> ShapeIndex:
    """An index whose domains have the properties that their assets hold too."""
    domains = {
        name: _with_undeclared(domain, observed.of(domain), index.prefixes)
        for name, domain in index.domains.items()
    }
    return ShapeIndex(
        domains, lambda: index.connections, index.prefixes, index.problems, index.digest
    )


def unshaped_classes(index: ShapeIndex, instances: Mapping[str, int]) -> dict[str, Domain]:
    """Classes that have instances and no shape of their own, with the next domain above each."""
    shaped = {domain.class_iri for domain in index.domains.values()}
    found: dict[str, Domain] = {}
    for domain in sorted(index.domains.values(), key=lambda domain: -len(domain.subclasses)):
        for iri in domain.subclasses:
            if iri in instances and iri not in shaped:
                found[iri] = domain
    return found


async def with_unshaped(
    index: ShapeIndex, classes: Mapping[str, Domain], schema: Graph
) -> ShapeIndex:
    """An index in which such classes are domains, with the properties of the one above each.

    Args:
        index: what the shapes declare.
        classes: see `unshaped_classes`.
        schema: the shapes as a graph, which has the labels of the classes.
    """
    listed = " ".join(map(iri_n3, classes))
    rows = await schema.select(
        CompiledQuery(
            f"SELECT ?class ?label ?below WHERE {{ GRAPH ?any {{ VALUES ?class {{ {listed} }} "
            f"{{ ?class {'|'.join(map(iri_n3, LABELS))} ?label FILTER(isLITERAL(?label)) }} UNION "
            f"{{ ?below {iri_n3(SUBCLASS)}+ ?class FILTER(isIRI(?below)) }} }} }}"
        ),
        timeout=_TIMEOUT,
    )
    labels: dict[str, dict[Text, None]] = defaultdict(dict)
    below: dict[str, dict[str, None]] = defaultdict(dict)
    for subject, label, lower in rows.rows:
        if subject is not None and label is not None:
            labels[subject.value][Text(label.value, label.language)] = None
        if subject is not None and lower is not None:
            below[subject.value][lower.value] = None
    domains = dict(index.domains)
    taken = {fold(name) for name in domains}
    for iri, above in classes.items():
        curie = compact(iri, index.prefixes)
        name = curie if fold(local_name(iri)) in taken else local_name(iri)
        taken.add(fold(name))
        domains[name] = Domain(
            name,
            iri,
            curie,
            properties=lambda above=above: above.properties,
            subclasses=tuple(below[iri]),
            superclasses=(above.class_iri, *above.superclasses),
            part=above.part,
            labels=tuple(labels[iri]),
        )
    return ShapeIndex(
        domains, lambda: index.connections, index.prefixes, index.problems, index.digest
    )


def _with_undeclared(domain: Domain, held: Counter[Path], prefixes: Mapping[str, str]) -> Domain:
    if not held:
        return domain
    return Domain(
        domain.name,
        domain.class_iri,
        domain.curie,
        properties=lambda: _merged(domain.properties, held, prefixes),
        subclasses=domain.subclasses,
        superclasses=domain.superclasses,
        part=domain.part,
        labels=domain.labels,
        descriptions=domain.descriptions,
        sources=domain.sources,
    )


def _merged(
    declared: Mapping[str, Property], held: Counter[Path], prefixes: Mapping[str, str]
) -> dict[str, Property]:
    """The properties of a domain: the declared ones in their order, then those only stored."""
    found = dict(declared)
    by_key: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(held, key=lambda path: (len(path.steps), -held[path], path)):
        last = path.steps[-1]
        by_key["^" * last.inverse + last.iri].append(path)
    for key, paths in by_key.items():
        known = found.get(key)
        if known is None:
            iri = paths[0].steps[-1].iri
            name = "^" * key.startswith("^") + local_name(iri)
            every = tuple(paths)
            found[key] = Property(iri, name, compact(iri, prefixes), every, undeclared=every)
            continue
        more = tuple(path for path in paths if not any(one.covers(path) for one in known.paths))
        # Values stand where the shapes expect nothing but nodes that lead on.
        kind = "any" if known.kind == "node" else known.kind
        if more or kind != known.kind:
            found[key] = known._replace(paths=(*known.paths, *more), kind=kind, undeclared=more)
    return found
