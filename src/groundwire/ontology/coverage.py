"""How much of what is stored the shapes declare, and the offer to draft shapes for the rest."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
import pathlib
from typing import NamedTuple

from groundwire.graph.statistics import RDF_TYPE, Statistics
from groundwire.ontology.index.model import Domain
from groundwire.ontology.index.namespaces import LABELS

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
