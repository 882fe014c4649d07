"""The model of a graph's schema: its names and counts, each with its basis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Basis = Literal["counted", "estimated", "not counted", "declared"]
"""How a number is known: `counted` of all statements; `estimated` by a sample or by a description
of the dataset; `not counted`, so that there is no number; `declared` by a shape, and none seen."""


@dataclass(frozen=True, slots=True)
class Name:
    """A class or predicate.

    Attributes:
        iri: the class or predicate.
        count: instances or statements; 0 where they were not counted.
        basis: how the count is known.
        labels: texts with their languages.
    """

    iri: str
    count: int = 0
    basis: Basis = "counted"
    labels: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """Its English label, else one without a language, else any; "" for none."""
        by_language = {tag.partition("-")[0].lower(): text for text, tag in reversed(self.labels)}
        return by_language.get("en") or by_language.get("") or next(iter(by_language.values()), "")


@dataclass(frozen=True, slots=True)
class Use:
    """A predicate, or a path of two, as the members of one class have it.

    Attributes:
        steps: IRIs from the member on; `^` before one goes from object to subject, `*` behind one
            repeats it.
        count: statements; 0 where they were not counted.
        basis: how the count is known.
        classes: IRIs of the classes of what stands there.
        datatypes: IRIs of the datatypes of literals.
        languages: tags of texts that have them.
        iris, nodes: IRIs without a class, and blank nodes without one, stand there.
        examples: values, short ones.
    """

    steps: tuple[str, ...]
    count: int = 0
    basis: Basis = "not counted"
    classes: tuple[str, ...] = ()
    datatypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    iris: bool = False
    nodes: bool = False
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleQuery:
    """A query that the endpoint holds as an example.

    Attributes:
        iri: the example; "" of one without a name.
        title: what it asks, in words.
        text: the query.
    """

    iri: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ClassSchema:
    """One class, as far as it was looked at.

    Attributes:
        iri: the class.
        members: how many of its members were looked at; 0 for all.
        uses: its predicates, the most used first.
        not_looked_at: what the budget left out, in sentences.
        read_at: seconds since 1970.
    """

    iri: str
    members: int
    uses: tuple[Use, ...]
    not_looked_at: tuple[str, ...] = ()
    read_at: float = 0.0


@dataclass(frozen=True, slots=True)
class PredicateSchema:
    """One predicate, as far as it was looked at.

    Attributes:
        use: what stands at its end.
        of: IRIs of the classes of its subjects.
        via: where those have no class, predicates that lead to them, each with the class from which
            it does, or "".
    """

    use: Use
    of: tuple[str, ...] = ()
    via: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """One graph, as far as it was looked at.

    Attributes:
        classes, predicates: the most used first.
        all_classes, all_predicates: whether these are all.
        source: where the counts are from: "counted", "VoID", "listed" or "statistics".
        examples: queries that the endpoint holds.
        uses: of some classes their predicates by a few members, without counts.
        not_looked_at: what the budget left out, in sentences.
        read_at: seconds since 1970.
    """

    classes: tuple[Name, ...] = ()
    predicates: tuple[Name, ...] = ()
    all_classes: bool = True
    all_predicates: bool = True
    source: str = "counted"
    examples: tuple[ExampleQuery, ...] = ()
    uses: Mapping[str, tuple[Use, ...]] = field(default_factory=dict[str, tuple[Use, ...]])
    not_looked_at: tuple[str, ...] = ()
    read_at: float = 0.0
