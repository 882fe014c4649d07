"""Which domains have assets, and how many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from groundwire.errors import DeadlineError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Count, iri_n3
from groundwire.ontology.endpoint import COUNTED_INSTANCES, EndpointObserved
from groundwire.ontology.index.model import Domain, ShapeIndex
from groundwire.ontology.observed import Observed

if TYPE_CHECKING:
    from groundwire.ontology.catalogue import State

# So many types are looked at together, asset by asset; of more, each domain is counted for itself.
_MOST_COMBINED = 300_000
_SOFT_LIMIT = 0.2
_TIMEOUT = 5.0
_LATER_TIMEOUT = 3.0
_FARTHEST = 5_000_000

# Of one graph, and forgotten with it.
_later: WeakKeyDictionary[Graph, dict[str, Count]] = WeakKeyDictionary()


def held_classes(domain: Domain, instances: dict[str, int]) -> dict[str, int]:
    """The classes of a domain that have instances, with their numbers."""
    classes = (domain.class_iri, *domain.subclasses)
    return {iri: instances[iri] for iri in classes if instances.get(iri)}


async def asset_counts(
    index: ShapeIndex, graph: Graph, observed: Observed, instances: dict[str, int]
) -> dict[str, int]:
    """How many assets each domain has, by its name; an asset of several classes counts once."""
    held = {domain.name: held_classes(domain, instances) for domain in index.domains.values()}
    if observed.single_valued(RDF_TYPE):
        return {name: sum(classes.values()) for name, classes in held.items()}
    if observed.counted and sum(instances.values()) <= _MOST_COMBINED:
        combined = await _combinations(graph)
        if combined is not None:
            return {name: _among(combined, classes) for name, classes in held.items()}
    known: dict[frozenset[str], int] = {}
    counts: dict[str, int] = {}
    for name, classes in held.items():
        key = frozenset(classes)
        if key not in known:
            known[key] = await counted(graph, classes)
        counts[name] = known[key]
    return counts


async def _combinations(graph: Graph) -> dict[frozenset[str], int] | None:
    """How many assets have just these classes, by the classes; None where it takes too long."""
    query = CompiledQuery(
        "SELECT ?classes (COUNT(*) AS ?n) WHERE { { SELECT ?asset (GROUP_CONCAT(STR(?class); "
        'SEPARATOR = " ") AS ?classes) WHERE { ?asset a ?class FILTER(isIRI(?asset) && '
        "isIRI(?class)) } GROUP BY ?asset } } GROUP BY ?classes"
    )
    try:
        rows = await graph.select(query, timeout=_TIMEOUT)
    except DeadlineError:
        return None
    if not rows.complete:
        return None
    found: dict[frozenset[str], int] = {}
    for classes, number in rows.rows:
        if classes and number:
            key = frozenset(classes.value.split())
            found[key] = found.get(key, 0) + int(number.value)
    return found


def _among(combined: dict[frozenset[str], int], classes: Collection[str]) -> int:
    wanted = frozenset(classes)
    return sum(number for each, number in combined.items() if not wanted.isdisjoint(each))


async def counted(graph: Graph, held: dict[str, int]) -> int:
    """How many assets these classes have; one of several classes counts once."""
    if len(held) < 2:
        return sum(held.values())
    try:
        found = await graph.count(_query(held), timeout=_TIMEOUT, soft_timeout=_SOFT_LIMIT)
    except DeadlineError:
        return sum(held.values())
    # Where counting takes too long, assets of several classes are taken for rare.
    return found.value if found.exact else sum(held.values())


def at_least(held: dict[str, int]) -> int:
    """The least number of assets of these classes, each asset once."""
    return max(held.values(), default=0)


async def counted_later(state: State, domains: Sequence[Domain]) -> dict[str, Count]:
    """The numbers of assets of some kinds, counted now as far as a short time allows.

    Many assets are counted with those that have no IRI, since a server takes ten times as long to
    leave these out: such a number is not exact. 0 that is not exact means that nobody knows.
    """
    known = _later.setdefault(state.graph, {})
    left = {one.name: one for one in domains if one.name in state.least and one.name not in known}
    held = {name: held_classes(domain, state.instances) for name, domain in left.items()}
    observed = state.observed
    if left and isinstance(observed, EndpointObserved):
        many = {
            name: f"?asset a {iri_n3(next(iter(found)))}"
            for name, found in held.items()
            if len(found) == 1 and sum(found.values()) >= COUNTED_INSTANCES
        }
        few = {name: _pattern(found) for name, found in held.items() if name not in many}
        for name, number in (await observed.bounded_counts(few, COUNTED_INSTANCES)).items():
            known[name] = Count(number, exact=number < COUNTED_INSTANCES)
        for name, number in (
            await observed.bounded_counts(many, _FARTHEST, _LATER_TIMEOUT)
        ).items():
            known[name] = Count(number, exact=False)
    return {
        one.name: known[one.name]
        if one.name in known
        else Count(0, exact=False)
        if one.name in state.least
        else Count(state.count(one), exact=True)
        for one in domains
    }


def _pattern(held: dict[str, int]) -> str:
    """The named instances of some classes, each once."""
    if len(held) == 1:
        (name,) = held
        return f"?asset a {iri_n3(name)} FILTER(isIRI(?asset))"
    return f"{{ {_query(held)} }}"


def _query(held: dict[str, int]) -> CompiledQuery:
    """A SELECT of the named instances of some classes."""
    classes = " ".join(map(iri_n3, held))
    return CompiledQuery(
        f"SELECT DISTINCT ?asset WHERE {{ VALUES ?class {{ {classes} }} ?asset a ?class "
        "FILTER(isIRI(?asset)) }"
    )


def asset_domains(
    index: ShapeIndex, instances: dict[str, int], counts: dict[str, int]
) -> tuple[Domain, ...]:
    """Domains with assets that belong to no narrower domain."""
    every = index.domains.values()
    targets = {domain.class_iri: domain for domain in every}
    held: list[Domain] = []
    for domain in every:
        narrower: set[str] = set()
        for below in domain.subclasses:
            if below in targets and below not in narrower:
                narrower.update((below, *targets[below].subclasses))
        if set(held_classes(domain, instances)) - (narrower - {domain.class_iri}):
            held.append(domain)
    held.sort(key=lambda domain: (-counts[domain.name], domain.name))
    whole = [domain for domain in held if not domain.part] or held
    return tuple(whole) or tuple(d for d in index.domains.values() if not d.part)
