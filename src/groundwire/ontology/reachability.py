"""Which of the stored statements shapes declare and a search can find, and why not the others.

A leaf statement has a literal for its object, or an IRI that no statement is about; `rdf:type` is
searched by the kind. It can be found where a path of a kind of asset leads to it.
"""

from __future__ import annotations

import os
import pathlib
import shlex
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import RDF_TYPE, Statistics
from groundwire.graph.terms import iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.index.model import Domain, Path, local_name
from groundwire.ontology.index.namespaces import LABELS

_TIMEOUT = 20.0
_LEAF = "FILTER(isLITERAL(?value) || (isIRI(?value) && NOT EXISTS { ?value ?any ?other }))"


class Unreachable(NamedTuple):
    """Leaf statements of one property that no search can find."""

    property: str
    statements: int
    reason: str


class Reachability(NamedTuple):
    """How many leaf statements there are, and how many a search can find.

    Attributes:
        leaves: of those properties that could be counted.
        reachable: how many of them a search can find.
        unreachable: the others, by property and reason.
        unread: what was not looked at, one line each.
    """

    leaves: int = 0
    reachable: int = 0
    unreachable: tuple[Unreachable, ...] = ()
    unread: tuple[str, ...] = ()


async def reachability(state: State) -> Reachability:
    """Count the leaf statements of a local store that searches can find.

    Raises:
        UnavailableError: the store does not answer.
    """
    assert state.statistics is not None
    ways = _ways(state)
    leaves = reachable = 0
    unreachable: list[Unreachable] = []
    unread = list(state.paths.unread) if state.paths is not None else []
    for iri in state.statistics.predicates:
        if iri == RDF_TYPE:
            continue
        name = state.lexicon.compact(iri)
        whole = await _count(state, f"?node {iri_n3(iri)} ?value . {_LEAF}")
        found = await _count(state, _reached(iri, ways.get(iri, ())))
        if whole is None or found is None:
            unread.append(f"{name} has too many statements to be counted in time")
            continue
        leaves += whole
        reachable += found
        if found < whole:
            reason = await _reason(state, iri, ways.get(iri, ()))
            unreachable.append(Unreachable(name, whole - found, reason))
    unreachable.sort(key=lambda each: (-each.statements, each.property))
    return Reachability(leaves, reachable, tuple(unreachable), tuple(unread))


def _ways(state: State) -> dict[str, list[tuple[Domain, Path]]]:
    """The stored paths of all kinds by the property that they end in."""
    found: dict[str, list[tuple[Domain, Path]]] = {}
    for domain in state.index.domains.values():
        for prop in domain.properties.values():
            for path in prop.paths:
                if prop.kind != "node" and state.observed.is_stored(domain, (path,)) is not False:
                    found.setdefault(path.steps[-1].iri, []).append((domain, path))
    return found


def _nodes(ways: Sequence[tuple[Domain, Path]]) -> str:
    """Patterns that bind `?node` to what the last step of each path leads on from."""
    parts: list[str] = []
    for domain, path in ways:
        classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
        *before, last = path.steps
        steps = (*before, last._replace(repeat="*")) if last.repeat else tuple(before)
        way = f"?asset {Path(steps).sparql()} ?node ." if steps else "BIND(?asset AS ?node)"
        parts.append(
            f"{{ VALUES ?kind {{ {classes} }} ?asset a ?kind FILTER(isIRI(?asset)) {way} }}"
        )
    return " UNION ".join(dict.fromkeys(parts))


def _reached(iri: str, ways: Sequence[tuple[Domain, Path]]) -> str:
    if not ways:
        return ""
    nodes = f"SELECT DISTINCT ?node WHERE {{ {_nodes(ways)} }}"
    return f"{{ {nodes} }} ?node {iri_n3(iri)} ?value . {_LEAF}"


async def _count(state: State, pattern: str) -> int | None:
    """How many statements match a pattern; None where that takes too long."""
    if not pattern:
        return 0
    query = CompiledQuery(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}")
    try:
        rows = await state.graph.select(query, timeout=_TIMEOUT)
    except GroundwireError:
        return None
    return int(rows.rows[0][0].value) if rows.rows and rows.rows[0][0] else 0


async def _reason(state: State, iri: str, ways: Sequence[tuple[Domain, Path]]) -> str:
    """Why the statements of a property are not reached, by what holds most of them."""
    minus = f"MINUS {{ {_nodes(ways)} }}" if ways else ""
    query = CompiledQuery(
        "SELECT ?kind (COUNT(*) AS ?n) (SAMPLE(?node) AS ?one) WHERE { "
        f"?node {iri_n3(iri)} ?value . {_LEAF} {minus} OPTIONAL {{ ?node a ?kind }} }} "
        "GROUP BY ?kind ORDER BY DESC(?n) LIMIT 1"
    )
    try:
        rows = await state.graph.select(query, timeout=_TIMEOUT)
    except GroundwireError:
        return "the reason was not found in time"
    ((kind, _, one),) = rows.rows or ((None, None, None),)
    if kind is None:
        return "what holds it has no class, and no path leads to it from an asset"
    shaped = {each for d in state.index.domains.values() for each in (d.class_iri, *d.subclasses)}
    name = local_name(kind.value)
    if kind.value not in shaped:
        return f"no shape targets {name}, and no path leads to it from an asset"
    if one is not None and one.kind == "bnode":
        return f"what holds it is a {name} without an IRI, to which no path leads from an asset"
    return f"a path of {name} was not followed: it is too long, or leads round in a circle"


# A share of statements below which drafted shapes are offered.
_LOW = 0.95
_DRAFTED = "drafted-shapes.ttl"


class Coverage(NamedTuple):
    """Statements that hold a value: a literal, or the IRI of a thing.

    Attributes:
        statements: how many are stored; `rdf:type` is not counted.
        declared: those of properties that a path of a stored domain ends in, and labels.
        left_out: IRIs of the other properties, most statements first.
    """

    statements: int
    declared: int
    left_out: tuple[str, ...]

    @property
    def percent(self) -> float:
        """The declared share, rounded down, so that 100 means all."""
        if self.declared >= self.statements:
            return 100.0
        return int(1000 * self.declared / self.statements) / 10

    @property
    def is_low(self) -> bool:
        """Whether so little is declared that drafted shapes would help."""
        return self.declared < _LOW * self.statements


def coverage(domains: Sequence[Domain], statistics: Statistics) -> Coverage:
    """Count the statements that the shapes of some domains declare.

    Args:
        domains: those that have assets.
        statistics: of the stored assets.
    """
    ends = {
        prop.iri
        for domain in domains
        for prop in domain.properties.values()
        # A property that no shape is the source of was only observed.
        if prop.kind != "node" and prop.sources
    }
    held = {
        iri: found.triples - found.bnodes
        for iri, found in statistics.predicates.items()
        if iri != RDF_TYPE and found.triples > found.bnodes
    }
    left_out = [iri for iri in held if iri not in ends and iri not in LABELS]
    left_out.sort(key=lambda iri: -held[iri])
    total = sum(held.values())
    return Coverage(total, total - sum(held[iri] for iri in left_out), tuple(left_out))


def measured(found: Coverage) -> str:
    """The coverage as a sentence."""
    return (
        f"The shapes declare {found.percent:g} % of what is stored "
        f"({found.declared:,} of {found.statements:,} statements)"
    )


def offer(found: Coverage, shapes: Sequence[str], assets: Sequence[str]) -> tuple[str, ...]:
    """The commands that draft shapes from the assets and add them to the given ones.

    Returns:
        The commands in order; none where the shapes declare enough.
    """
    if not found.is_low:
        return ()
    named = " ".join(shlex.quote(str(pathlib.Path(name).absolute())) for name in assets)
    drafted = str(pathlib.Path(_DRAFTED).absolute())
    return (
        f"groundwire ontology infer {named} -o {shlex.quote(drafted)}",
        added(shapes, drafted),
    )


def added(shapes: Sequence[str], drafted: str) -> str:
    """The command that serves drafted shapes beside given ones."""
    every = [str(pathlib.Path(name).absolute()) for name in shapes]
    joined = os.pathsep.join([*every, *([drafted] if drafted not in every else [])])
    return f"export GROUNDWIRE_SHAPES={shlex.quote(joined)}"
