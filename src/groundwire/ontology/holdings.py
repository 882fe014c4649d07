"""Which domains have assets, and how many."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Count, iri_n3
from groundwire.ontology.index.model import Domain, ShapeIndex

if TYPE_CHECKING:
    from groundwire.ontology.catalogue import State

_SOFT_LIMIT = 0.2
_TIMEOUT = 5.0
_LATER_SOFT_LIMIT = 0.5

# Of one graph, and forgotten with it.
_later: WeakKeyDictionary[Graph, dict[str, Count]] = WeakKeyDictionary()


def held_classes(domain: Domain, instances: dict[str, int]) -> dict[str, int]:
    """The classes of a domain that have instances, with their numbers."""
    classes = (domain.class_iri, *domain.subclasses)
    return {iri: instances[iri] for iri in classes if instances.get(iri)}


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


async def counted_later(state: State, domain: Domain) -> Count:
    """The number of a kind's assets, counted as far as a short time allows where it was not yet.

    A value of 0 that is not exact means that nobody knows.
    """
    if domain.name not in state.least:
        return Count(state.count(domain), exact=True)
    known = _later.setdefault(state.graph, {})
    if domain.name not in known:
        held = held_classes(domain, state.instances)
        try:
            found = await state.graph.count(
                _query(held), timeout=_TIMEOUT, soft_timeout=_LATER_SOFT_LIMIT
            )
        except GroundwireError:
            found = Count(0, exact=False)
        if not found.value:
            # Not asked in time, or no longer there: ask again.
            return Count(state.count(domain), exact=False)
        known[domain.name] = found
    found = known[domain.name]
    return found if found.exact else Count(max(found.value, state.count(domain)), exact=False)


def _query(held: dict[str, int]) -> CompiledQuery:
    """A SELECT of the named instances of some classes."""
    if len(held) == 1:
        (name,) = held
        return CompiledQuery(
            f"SELECT ?asset WHERE {{ ?asset a {iri_n3(name)} FILTER(isIRI(?asset)) }}"
        )
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
        narrower = {
            iri
            for below in domain.subclasses
            if below in targets
            for iri in (below, *targets[below].subclasses)
        }
        if set(held_classes(domain, instances)) - (narrower - {domain.class_iri}):
            held.append(domain)
    held.sort(key=lambda domain: (-counts[domain.name], domain.name))
    whole = [domain for domain in held if not domain.part] or held
    return tuple(whole) or tuple(d for d in index.domains.values() if not d.part)
