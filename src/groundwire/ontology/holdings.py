"""Which domains have assets, and how many."""

from __future__ import annotations

from groundwire.errors import DeadlineError
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3
from groundwire.ontology.index.model import Domain, ShapeIndex

_SOFT_LIMIT = 0.2
_TIMEOUT = 5.0


def held_classes(domain: Domain, instances: dict[str, int]) -> dict[str, int]:
    """The classes of a domain that have instances, with their numbers."""
    classes = (domain.class_iri, *domain.subclasses)
    return {iri: instances[iri] for iri in classes if instances.get(iri)}


async def counted(graph: Graph, held: dict[str, int]) -> int:
    """How many assets these classes have; one of several classes counts once."""
    if len(held) < 2:
        return sum(held.values())
    classes = " ".join(map(iri_n3, held))
    query = CompiledQuery(
        f"SELECT DISTINCT ?asset WHERE {{ VALUES ?class {{ {classes} }} ?asset a ?class "
        "FILTER(isIRI(?asset)) }"
    )
    try:
        found = await graph.count(query, timeout=_TIMEOUT, soft_timeout=_SOFT_LIMIT)
    except DeadlineError:
        return sum(held.values())
    # Where counting takes too long, assets of several classes are taken for rare.
    return found.value if found.exact else sum(held.values())


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
