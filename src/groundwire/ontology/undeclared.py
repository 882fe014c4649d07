"""Stored properties and classes that no shape declares.

Shapes and data disagree, so what is stored and not declared stands beside what is declared, with
its paths, and is marked. What a property has on paths that no shape names is added to it. A class
without a shape that has instances is a kind with the properties of the class above it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3
from groundwire.ontology.index.model import Domain, Path, Property, ShapeIndex, Text, local_name
from groundwire.ontology.index.namespaces import LABELS, SUBCLASS
from groundwire.ontology.index.words import compact
from groundwire.ontology.observed_paths import ObservedPaths
from groundwire.vocabulary import fold

_TIMEOUT = 5.0


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
