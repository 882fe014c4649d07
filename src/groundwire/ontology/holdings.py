"""Which domains have assets and how many, and how often a value occurs within one.

Statistics count statements of a predicate wherever they stand; a caller asks about one domain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from weakref import WeakKeyDictionary

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Count, Term, iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.endpoint import COUNTED_INSTANCES, EndpointObserved
from groundwire.ontology.index.model import Domain, Path, Property, ShapeIndex
from groundwire.ontology.observed import Observed
from groundwire.ontology.parts import alternatives

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


_PROPERTY_TIME = 0.05
_VALUES_TIMEOUT = 2.0
_MAX_VALUES = 5_000

# Both are of one graph, and forgotten with it.
_properties: WeakKeyDictionary[Graph, dict[tuple[str, str], int | None]] = WeakKeyDictionary()
_values: WeakKeyDictionary[Graph, dict[tuple[str, tuple[Path, ...]], dict[Term, int] | None]]
_values = WeakKeyDictionary()


async def values_in_domain(state: State, domain: Domain, prop: Property) -> int | None:
    """How many values of a property the assets of a domain hold; None where it takes too long."""
    known = _properties.setdefault(state.graph, {})
    place = (domain.name, prop.key)
    if place not in known:
        known[place] = await _count(state, domain, prop)
    return known[place]


async def counts_in_domain(state: State, domain: Domain, prop: Property) -> dict[Term, int] | None:
    """How many assets of a domain hold each value; None where it takes too long to count."""
    return await counts_on(state, domain, prop.paths)


async def counts_on(
    state: State, domain: Domain, paths: Sequence[Path], timeout: float = _VALUES_TIMEOUT
) -> dict[Term, int] | None:
    """How many assets of a domain hold each value of some paths; None where it takes too long."""
    known = _values.setdefault(state.graph, {})
    place = (domain.name, tuple(paths))
    if place not in known:
        body = _within_domain(state, domain, paths) or "FILTER(false)"
        query = CompiledQuery(
            f"SELECT ?value (COUNT(DISTINCT ?asset) AS ?n) WHERE {{ {body} }} "
            f"GROUP BY ?value LIMIT {_MAX_VALUES}"
        )
        try:
            rows = await state.graph.select(query, timeout=timeout)
            known[place] = {v: int(n.value) for v, n in rows.rows if v is not None and n}
        except GroundwireError:
            known[place] = None
    return known[place]


async def _count(state: State, domain: Domain, prop: Property) -> int | None:
    body = _within_domain(state, domain, prop.paths)
    if not body:
        return 0
    query = CompiledQuery(f"SELECT DISTINCT ?asset ?value WHERE {{ {body} }}")
    try:
        found = await state.graph.count(query, soft_timeout=_PROPERTY_TIME)
    except GroundwireError:
        return None
    return found.value if found.exact else None


def _within_domain(state: State, domain: Domain, paths: Sequence[Path]) -> str:
    """Assets of the domain with their values, or nothing where no path can match."""
    usable = [path for path in paths if state.observed.may_match(path)]
    if not usable:
        return ""
    classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
    return (
        f"?asset a ?kind . VALUES ?kind {{ {classes} }} ?asset {alternatives(usable)} ?value "
        "FILTER(isIRI(?asset))"
    )
