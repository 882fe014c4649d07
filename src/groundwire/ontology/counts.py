"""How often values occur within one domain, asked with a short time limit and remembered.

Statistics count statements of a predicate wherever they stand; a caller asks about one domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.index.model import Domain, Path, Property
from groundwire.ontology.patterns import alternatives

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
        body = _pattern(state, domain, paths) or "FILTER(false)"
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
    body = _pattern(state, domain, prop.paths)
    if not body:
        return 0
    query = CompiledQuery(f"SELECT DISTINCT ?asset ?value WHERE {{ {body} }}")
    try:
        found = await state.graph.count(query, soft_timeout=_PROPERTY_TIME)
    except GroundwireError:
        return None
    return found.value if found.exact else None


def _pattern(state: State, domain: Domain, paths: Sequence[Path]) -> str:
    """Assets of the domain with their values, or nothing where no path can match."""
    usable = [path for path in paths if state.observed.may_match(path)]
    if not usable:
        return ""
    classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
    return (
        f"?asset a ?kind . VALUES ?kind {{ {classes} }} ?asset {alternatives(usable)} ?value "
        "FILTER(isIRI(?asset))"
    )
