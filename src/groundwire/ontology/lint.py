"""Findings for the owner of a catalogue, where shapes and data do not fit each other, as lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from groundwire.graph.statistics import Statistics
from groundwire.graph.terms import Term
from groundwire.ontology.connections import Reachability, Unreachable
from groundwire.ontology.forms import variants
from groundwire.ontology.index.model import Domain, Problem, Property, ShapeIndex, local_name

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
# Statements that every graph may have, whatever its shapes say.
_COMMON = frozenset(
    {
        _RDF + "type",
        _RDFS + "label",
        _RDFS + "comment",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://www.w3.org/2004/02/skos/core#altLabel",
    }
)
_UNTYPED = frozenset({_RDFS + "Literal", _XSD + "anyType", _XSD + "anySimpleType"})
_TEXTS = frozenset({_XSD + "string", _RDF + "langString"})


class UndeclaredValue(NamedTuple):
    """A stored value that no list of its property has; `variant_of` is what it seems to mean."""

    property: str
    value: Term
    statements: int
    variant_of: str | None


class UnusedValues(NamedTuple):
    """Declared values of a stored property that no statement has."""

    property: str
    values: tuple[str, ...]
    declared: int


class UnreachedProperty(NamedTuple):
    """A stored property that no declared path from a stored asset leads to.

    `declared_for` names the domains that declare it, none of which has assets here.
    """

    iri: str
    name: str
    statements: int
    declared_for: tuple[str, ...]


class UnusedProperty(NamedTuple):
    """A property that a domain with assets declares and that no statement has."""

    property: str
    domains: tuple[str, ...]


class OtherDatatype(NamedTuple):
    """Values stored with a datatype that the shapes do not declare."""

    property: str
    declared: tuple[str, ...]
    stored: str
    statements: int


class Collision(NamedTuple):
    """One local name of several properties, with the domains that have each."""

    name: str
    properties: tuple[tuple[str, tuple[str, ...]], ...]


class LintReport(NamedTuple):
    """Everything found, each kind sorted, the weightiest first.

    Statements that no search can find are counted apart, see `reachability`.
    """

    undeclared_values: tuple[UndeclaredValue, ...] = ()
    unused_values: tuple[UnusedValues, ...] = ()
    unreached_properties: tuple[UnreachedProperty, ...] = ()
    unused_properties: tuple[UnusedProperty, ...] = ()
    other_datatypes: tuple[OtherDatatype, ...] = ()
    collisions: tuple[Collision, ...] = ()
    problems: tuple[Problem, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()


def lint(index: ShapeIndex, statistics: Statistics | None = None) -> LintReport:
    """Compare what shapes declare with what is stored.

    Args:
        index: the shapes.
        statistics: what the assets hold; without it only the shapes are looked at.
    """
    domains = _with_assets(index, statistics)
    report = LintReport(collisions=tuple(_collisions(domains)), problems=index.problems)
    if statistics is None:
        return report
    declared = _by_iri(index.domains.values())
    reached = _by_iri(domains)
    meant = variants(index, statistics)
    return report._replace(
        undeclared_values=tuple(_undeclared_values(declared, meant, statistics)),
        unused_values=tuple(_unused_values(reached, meant, statistics)),
        unreached_properties=tuple(_unreached(index, declared, reached, statistics)),
        unused_properties=tuple(_unused_properties(domains, statistics)),
        other_datatypes=tuple(_other_datatypes(declared, statistics)),
    )


def _with_assets(index: ShapeIndex, statistics: Statistics | None) -> list[Domain]:
    """Domains of which there are instances with an IRI; all where nothing is stored."""
    everything = list(index.domains.values())
    if statistics is None:
        return everything
    named = statistics.named_instances
    held = [
        domain
        for domain in everything
        if any(iri in named for iri in (domain.class_iri, *domain.subclasses))
    ]
    return held or everything


def _by_iri(domains: Iterable[Domain]) -> dict[str, list[tuple[Domain, Property]]]:
    found: dict[str, list[tuple[Domain, Property]]] = defaultdict(list)
    for domain in domains:
        for prop in domain.declared_properties():
            found[prop.iri].append((domain, prop))
    return found


def _undeclared_values(
    declared: dict[str, list[tuple[Domain, Property]]],
    meant: dict[str, dict[str, str]],
    statistics: Statistics,
) -> list[UndeclaredValue]:
    found: list[UndeclaredValue] = []
    for iri, stored in statistics.predicates.items():
        places = [prop for _, prop in declared.get(iri, ()) if prop.enum]
        if not places:
            continue
        known = {value.term.value for prop in places for value in prop.enum}
        for term, count in stored.values:
            if term.value not in known:
                variant = meant.get(iri, {}).get(term.value) if term.kind == "literal" else None
                found.append(UndeclaredValue(places[0].curie, term, count, variant))
    return sorted(found, key=lambda each: (-each.statements, each.property, each.value.value))


def _unused_values(
    reached: dict[str, list[tuple[Domain, Property]]],
    meant: dict[str, dict[str, str]],
    statistics: Statistics,
) -> list[UnusedValues]:
    found: list[UnusedValues] = []
    for iri, places in reached.items():
        stored = statistics.predicates.get(iri)
        if stored is None or not stored.values_complete:
            continue
        known = {value.term: None for _, prop in places for value in prop.enum}
        held = {term.value for term, _ in stored.values} | set(meant.get(iri, {}).values())
        unused = tuple(term.value for term in known if term.value not in held)
        if unused:
            found.append(UnusedValues(places[0][1].curie, unused, len(known)))
    return sorted(found, key=lambda each: each.property)


def _unreached(
    index: ShapeIndex,
    declared: dict[str, list[tuple[Domain, Property]]],
    reached: dict[str, list[tuple[Domain, Property]]],
    statistics: Statistics,
) -> list[UnreachedProperty]:
    steps = {
        step.iri
        for places in reached.values()
        for _, prop in places
        for path in prop.paths
        for step in path.steps
    }
    found = [
        UnreachedProperty(
            iri,
            _curie(iri, index.prefixes),
            stored.triples,
            tuple(sorted({domain.name for domain, _ in declared.get(iri, ())})),
        )
        for iri, stored in statistics.predicates.items()
        if iri not in steps and iri not in _COMMON
    ]
    return sorted(found, key=lambda each: (-each.statements, each.name))


def _unused_properties(domains: list[Domain], statistics: Statistics) -> list[UnusedProperty]:
    found: dict[str, list[str]] = defaultdict(list)
    for domain in domains:
        for prop in domain.declared_properties():
            if prop.iri not in statistics.predicates:
                found[prop.curie].append(domain.name)
    return [UnusedProperty(name, tuple(sorted(set(found[name])))) for name in sorted(found)]


def _other_datatypes(
    declared: dict[str, list[tuple[Domain, Property]]], statistics: Statistics
) -> list[OtherDatatype]:
    found: list[OtherDatatype] = []
    for iri, stored in statistics.predicates.items():
        places = [prop for _, prop in declared.get(iri, ())]
        if not places or not all(prop.datatypes for prop in places):
            continue
        allowed = {datatype for prop in places for datatype in prop.datatypes}
        # Lists and `sh:hasValue` allow the datatypes of their values too.
        allowed |= {v.term.datatype for prop in places for v in prop.enum}
        if allowed & _UNTYPED:
            continue
        # A text with a language tag is still text to whoever searches it.
        allowed |= _TEXTS if allowed & _TEXTS else set()
        names = tuple(sorted(local_name(datatype) for datatype in places[0].datatypes))
        found += [
            OtherDatatype(places[0].curie, names, local_name(datatype), count)
            for datatype, count in stored.datatypes.items()
            if datatype not in allowed
        ]
    return sorted(found, key=lambda each: (-each.statements, each.property))


def _collisions(domains: list[Domain]) -> list[Collision]:
    names: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for domain in domains:
        for prop in domain.declared_properties():
            if prop.kind != "node":
                names[prop.local_name][prop.curie].add(domain.name)
    collisions = [
        Collision(name, tuple((curie, tuple(sorted(found[curie]))) for curie in sorted(found)))
        for name, found in sorted(names.items())
        if len(found) > 1
    ]
    return sorted(collisions, key=lambda each: not _within_one_domain(each))


def _within_one_domain(collision: Collision) -> bool:
    """The name is ambiguous even for a caller who names the domain."""
    holders = [domain for _, domains in collision.properties for domain in domains]
    return len(holders) > len(set(holders))


def _curie(iri: str, prefixes: dict[str, str]) -> str:
    name = local_name(iri)
    for prefix, namespace in prefixes.items():
        if iri == namespace + name:
            return f"{prefix}:{name}"
    return iri


def report_lines(report: LintReport, limit: int = 20) -> Iterator[str]:
    """The report as lines for people, at most `limit` of each kind."""
    sections: list[tuple[str, list[str]]] = [
        (
            "Statements stored that no search can find",
            [f"{each.property} ({each.statements}): {each.reason}" for each in report.unreachable],
        ),
        ("Files and constraints that were not understood", [_problem(p) for p in report.problems]),
        (
            "Values stored but not declared",
            [
                f"{each.property}: {each.value.value!r} ({each.statements})"
                + (f" - read as {each.variant_of!r}" if each.variant_of else "")
                for each in report.undeclared_values
            ],
        ),
        (
            "Values declared but never stored",
            [
                f"{each.property}: {len(each.values)} of {each.declared}, {_some(each.values)}"
                for each in report.unused_values
            ],
        ),
        (
            "Properties stored and not declared, which are searched as they are stored",
            [
                f"{each.name} ({each.statements})"
                + (f" - declared for {_some(each.declared_for)}" if each.declared_for else "")
                for each in report.unreached_properties
            ],
        ),
        (
            "Properties declared but never stored",
            [f"{each.property} of {_some(each.domains)}" for each in report.unused_properties],
        ),
        (
            "Values stored with another datatype",
            [
                f"{each.property}: {each.stored} ({each.statements}), "
                f"declared {', '.join(each.declared)}"
                for each in report.other_datatypes
            ],
        ),
        (
            "Names that stand for several properties",
            [
                f"{each.name}: " + ", ".join(f"{c} ({_some(d)})" for c, d in each.properties)
                for each in report.collisions
            ],
        ),
    ]
    for title, lines in sections:
        yield f"{title}: {len(lines) or 'none'}"
        yield from (f"  {line}" for line in lines[:limit])
        if len(lines) > limit:
            yield f"  ... and {len(lines) - limit} more"


def reachability_lines(found: Reachability) -> Iterator[str]:
    """How many leaf statements a search can find, and what was not looked at."""
    share = f" ({100 * found.reachable / found.leaves:.1f} %)" if found.leaves else ""
    yield (
        f"A search can find {found.reachable:,} of {found.leaves:,} leaf statements{share}: "
        f"{found.leaves - found.reachable:,} unreachable"
    )
    yield from found.unread


def _problem(problem: Problem) -> str:
    place = problem.file if problem.line is None else f"{problem.file}:{problem.line}"
    return f"{place}: {problem.message}" if place else problem.message


def _some(names: tuple[str, ...], limit: int = 4) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
