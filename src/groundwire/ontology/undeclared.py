"""One list of properties for each kind of asset: those declared, and those that assets hold.

Shapes and data disagree, so what is stored and not declared stands beside what is declared, with
its paths, and is marked. What a property has on paths that no shape names is added to it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from groundwire.ontology.index.model import Domain, Path, Property, ShapeIndex, local_name
from groundwire.ontology.index.words import compact
from groundwire.ontology.observed_paths import ObservedPaths


def with_undeclared(index: ShapeIndex, observed: ObservedPaths) -> ShapeIndex:
    """An index whose domains have the properties that their assets hold too."""
    domains = {
        name: _with_undeclared(domain, observed.of(domain), index.prefixes)
        for name, domain in index.domains.items()
    }
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
        more = tuple(path for path in paths if path not in known.paths)
        # Values stand where the shapes expect nothing but nodes that lead on.
        kind = "any" if known.kind == "node" else known.kind
        if more or kind != known.kind:
            found[key] = known._replace(paths=(*known.paths, *more), kind=kind, undeclared=more)
    return found
