"""How many statements the parts of a search touch, as far as a graph has been counted.

The compiler writes the part with the fewest first. Estimates decide how fast a query is, never
what it answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Protocol

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.plan import Bounds, Join

# Reading an index in its own order costs this part of looking up one statement.
_SCAN = 0.05
# A value of a sample stands for the others; reading more of them would cost more than it saves.
_SAMPLE = 200
_UNKNOWN_PART = 0.1
_MANY = 20_000
# Where nobody counted, terms are taken for rarer than kinds, and kinds for rarer than values.
_UNCOUNTED_TERM, _UNCOUNTED_KIND, _UNCOUNTED_SCAN = 1e3, 1e5, 1e7
# Stands for a number that was not counted to its end.
_VERY_MANY = 1_000_000


class Known(Protocol):
    """Estimates of a graph's content that need no query.

    Attributes:
        counted: the graph was counted whole when it was built; else only the neutral answers
            are given.
        ordered: a query of the graph finds its solutions in the same order each time, unless a
            step of a path may be repeated.
        same_term: sameTerm tells terms apart. Virtuoso 7.2 finds none the same as a constant.
    """

    @property
    def counted(self) -> bool:
        """See the class."""
        ...

    @property
    def ordered(self) -> bool:
        """See the class."""
        ...

    @property
    def same_term(self) -> bool:
        """See the class."""
        ...

    def may_match(self, path: Path) -> bool:
        """False where the graph surely holds no statement with one of the path's predicates."""
        ...

    def single_valued(self, predicate: str) -> bool:
        """True where surely no subject has two values of the predicate."""
        ...

    def all_named(self, class_iri: str) -> bool:
        """True where surely every instance of the class has an IRI."""
        ...

    def statements(self, predicate: str) -> int:
        """How many statements have the predicate."""
        ...

    def occurrences(self, predicate: str, term: Term) -> int:
        """About how many statements have the predicate and the object."""
        ...

    def instances_of(self, class_iri: str) -> int:
        """How many direct instances a class has."""
        ...

    def held_classes(self) -> Collection[str] | None:
        """Every class that has an instance; None where that is not known."""
        ...

    def frequent(self, predicate: str) -> Sequence[tuple[Term, int]]:
        """Objects of the predicate with their numbers of statements, most first."""
        ...


class Nothing:
    """Nothing is known."""

    counted = False
    ordered = False
    same_term = False

    def may_match(self, path: Path) -> bool:
        """True: it may."""
        return True

    def single_valued(self, predicate: str) -> bool:
        """False: it is not sure."""
        return False

    def all_named(self, class_iri: str) -> bool:
        """False: it is not sure."""
        return False

    def statements(self, predicate: str) -> int:
        """0: nobody counted."""
        return 0

    def occurrences(self, predicate: str, term: Term) -> int:
        """0: nobody counted."""
        return 0

    def instances_of(self, class_iri: str) -> int:
        """0: nobody counted."""
        return 0

    def held_classes(self) -> Collection[str] | None:
        """None: nobody looked."""
        return None

    def frequent(self, predicate: str) -> Sequence[tuple[Term, int]]:
        """Empty: nobody looked."""
        return ()


def classes_of(known: Known, domain: Domain) -> tuple[str, ...]:
    """The classes that an asset of a domain may have: those that have instances, where known.

    A deep tree has hundreds of classes below one, and a catalogue uses few of them. Where none
    has an instance, the class of the domain stands for all.
    """
    held = known.held_classes()
    every = (domain.class_iri, *domain.subclasses)
    if held is None:
        return every
    return tuple([iri for iri in every if iri in held]) or every[:1]


class Probed(Nothing):
    """Estimates from a few bounded counts of a graph that nobody counted.

    They decide where a query begins. Of nothing it is taken as sure that it is not there, or
    there once.
    """

    counted = True

    def __init__(
        self,
        terms: Mapping[tuple[str, Term], int],
        predicates: Mapping[str, int],
        classes: Mapping[str, int],
        most: int,
    ) -> None:
        """Keep the counts.

        Args:
            terms: statements by predicate and object.
            predicates: statements by predicate.
            classes: instances by class.
            most: where counting ended.
        """
        self._terms = terms
        self._predicates = predicates
        self._classes = classes
        self._most = most

    def statements(self, predicate: str) -> int:
        """How many statements have the predicate; very many where they were not counted."""
        return self._number(self._predicates.get(predicate))

    def occurrences(self, predicate: str, term: Term) -> int:
        """How many statements have both; very many where they were not counted."""
        return self._number(self._terms.get((predicate, term)))

    def instances_of(self, class_iri: str) -> int:
        """How many direct instances a class has; very many where they were not counted."""
        return self._number(self._classes.get(class_iri))

    def _number(self, counted: int | None) -> int:
        return _VERY_MANY if counted is None or counted >= self._most else counted


def terms_cost(known: Known, paths: Sequence[Path], terms: Sequence[Term]) -> float:
    """Of finding what holds one of `terms`."""
    if not known.counted:
        return _UNCOUNTED_TERM * len(paths)
    return float(
        sum(known.occurrences(path.steps[-1].iri, term) for path in paths for term in terms)
    )


def domain_cost(known: Known, domain: Domain) -> float:
    """Of listing the instances of a domain."""
    if not known.counted:
        return _UNCOUNTED_KIND
    return float(sum(known.instances_of(iri) for iri in classes_of(known, domain)))


def scan_cost(
    known: Known, paths: Sequence[Path], bounds: Sequence[Bounds] = (), text: str = ""
) -> float:
    """Of reading all values of a property, and of going on from those within the limits."""
    if not known.counted:
        return _UNCOUNTED_SCAN
    cost = 0.0
    for path in paths:
        predicate = path.steps[-1].iri
        number = known.statements(predicate)
        part = 1.0
        if (bounds or text) and number > _MANY:
            part = _part(known, predicate, bounds, text)
        cost += number * (_SCAN + part)
    return cost


def join_cost(known: Known, join: Join, inside: float) -> float:
    """Of going back from connected assets, which cost `inside` to find."""
    if not known.counted:
        return _UNCOUNTED_KIND
    paths = (*join.paths, *join.inverse_paths)
    links = sum(known.statements(path.steps[-1].iri) for path in paths)
    instances = domain_cost(known, join.domain) if join.typed else links
    return inside * max(1.0, links / max(1.0, instances))


def _part(known: Known, predicate: str, bounds: Sequence[Bounds], text: str) -> float:
    """Which part of a predicate's values is within bounds or holds a text, by a sample."""
    inside = whole = 0
    for term, number in islice(known.frequent(predicate), _SAMPLE):
        whole += number
        if bounds:
            inside += number * any(_is_within(term.value, each) for each in bounds)
        else:
            inside += number * (text.lower() in term.value.lower())
    if not whole:
        # Limits are sent to leave much out.
        return _UNKNOWN_PART
    return (inside + 1) / (whole + 1)


def _is_within(value: str, bounds: Bounds) -> bool:
    try:
        if bounds.temporal:
            low, high = bounds.lower or value, bounds.upper or value
            return low[: len(value)] <= value[: len(low)] and value[: len(high)] <= high
        number = Decimal(value)
        low, high = Decimal(bounds.lower or value), Decimal(bounds.upper or value)
        return low <= number <= high
    except InvalidOperation:
        return False
