"""A search after resolution, and how many statements its parts touch.

Everything in a plan is a term of the index or a typed value: the compiler turns it into SPARQL
without looking at what the caller wrote, and writes the part with the fewest statements first.
Estimates reach as far as a graph has been counted; they decide how fast a query is, never what it
answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import NamedTuple, Protocol

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import Domain, Path, Step


class Bounds(NamedTuple):
    """Limits of a value.

    Attributes:
        lower: lexical form of the lower bound (a decimal, or an ISO 8601 date), or None.
        upper: likewise the upper bound.
        lower_open: the lower bound itself is excluded; likewise `upper_open`.
        temporal: the bounds are dates; else numbers.
        cast: the stored literals carry no comparable datatype, so their text is read.
    """

    lower: str | None
    upper: str | None
    lower_open: bool = False
    upper_open: bool = False
    temporal: bool = False
    cast: bool = False

    def __str__(self) -> str:
        parts: list[str] = []
        if self.lower is not None:
            parts.append(f"{'>' if self.lower_open else '>='} {self.lower}")
        if self.upper is not None:
            parts.append(f"{'<' if self.upper_open else '<='} {self.upper}")
        if self.lower == self.upper and not (self.lower_open or self.upper_open):
            return f"= {self.lower}"
        return " and ".join(parts)


class Test(NamedTuple):
    """A condition on one property of one asset.

    Attributes:
        slot: where the caller asked for it, such as `filters.roadTypes`.
        name: the property as it is shown.
        paths: every way from the asset to the value.
        any_of: one of these terms is a value.
        all_of: of each group, one term is a value (a group holds the forms of one value).
        none_of: none of these terms is a value.
        contains: each text stands in a value, ignoring case.
        exists: a value is there, or none is.
        bounds: a value lies within them; for a number sent as a filter they are equal.
        none_bounds: no value lies within any of these.
        any_bounds: a value lies within one of these.
        shown: the condition in words, by the values as they are sent.
        said: the same where sentences have other names for the values: `timeOfDay = Night`.
        part: how all its paths begin, where it holds of a part of the asset; conditions of equal
            parts are met by one and the same.
    """

    slot: str
    name: str
    paths: tuple[Path, ...]
    any_of: tuple[Term, ...] = ()
    all_of: tuple[tuple[Term, ...], ...] = ()
    none_of: tuple[Term, ...] = ()
    contains: tuple[str, ...] = ()
    exists: bool | None = None
    bounds: Bounds | None = None
    any_bounds: tuple[Bounds, ...] = ()
    all_bounds: tuple[Bounds, ...] = ()
    none_bounds: tuple[Bounds, ...] = ()
    shown: str = ""
    said: str = ""
    part: tuple[Step, ...] = ()

    @property
    def in_words(self) -> str:
        """Return the condition as sentences have it."""
        return self.said or self.shown

    @property
    def limits(self) -> list[tuple[Bounds, ...]]:
        """Its bounds: of each group, a value lies within one."""
        found = [(self.bounds,)] if self.bounds else []
        found += [self.any_bounds] if self.any_bounds else []
        return found + [(each,) for each in self.all_bounds]

    @property
    def asks_for_something(self) -> bool:
        """Whether it cannot be met by an asset without any value."""
        return any((self.exists, self.limits, self.any_of, any(self.all_of), self.contains))


class Join(NamedTuple):
    """A connected asset, or a part.

    Attributes:
        slot: where the caller asked for it, such as `references[0]`.
        domain: the domain of the connected asset.
        paths: ways from the asset to the connected one; any of these or the inverse ones counts.
        inverse_paths: ways from the connected asset to this one.
        tests: what must hold of it.
        joins: what it is connected with in turn.
        negated: no such asset must be there.
        repeated: the ways may be taken several times, from each such asset to another one.
        typed: the asset is an instance of its domain; a part need not state its class.
    """

    slot: str
    domain: Domain
    paths: tuple[Path, ...]
    inverse_paths: tuple[Path, ...]
    tests: tuple[Test, ...] = ()
    joins: tuple[Join, ...] = ()
    negated: bool = False
    repeated: bool = False
    typed: bool = True


class Branch(NamedTuple):
    """The search within one domain; a plan is the union of its branches."""

    domain: Domain
    tests: tuple[Test, ...] = ()
    joins: tuple[Join, ...] = ()


class Ordering(NamedTuple):
    """A property to sort by, with its paths in each branch."""

    name: str
    paths: tuple[tuple[Path, ...], ...]
    descending: bool = False


class Grouping(NamedTuple):
    """A property to count by, with its paths in each branch."""

    name: str
    paths: tuple[tuple[Path, ...], ...]


class Aggregation(NamedTuple):
    """An aggregate of a numeric property, with its paths in each branch.

    Attributes:
        name: the property.
        function: min, max, mean or sum.
        paths: see above.
        unit: of its numbers, as the shapes state it, or None.
        cast: the stored literals are not exact numbers, so that their text is read.
    """

    name: str
    function: str
    paths: tuple[tuple[Path, ...], ...]
    unit: str | None = None
    cast: bool = False


class Plan(NamedTuple):
    """A resolved search.

    Attributes:
        branches: one a domain; an asset matches if one of them does.
        ordering: how assets are sorted, or None for the order of the store.
        grouping: what is counted instead of listing assets, or None.
        aggregation: what is computed instead of listing assets, for each group where there is a
            grouping, or None.
    """

    branches: tuple[Branch, ...]
    ordering: Ordering | None = None
    grouping: Grouping | None = None
    aggregation: Aggregation | None = None


class Kept(Protocol):
    """Facts of a graph that decide whether conditions may hold of different parts."""

    def may_match(self, path: Path) -> bool:
        """False where the graph surely holds no statement with one of the path's predicates."""
        ...

    def single_valued(self, predicate: str) -> bool:
        """True where surely no subject has two values of the predicate."""
        ...


def mark_parts(tests: Sequence[Test], known: Kept) -> list[Test]:
    """Mark the conditions that speak of one part, where an asset may have several such parts."""
    found = list(tests)
    ways = [_way(test, known) for test in tests]
    shared = {way.steps[:length] for way in ways if way for length in range(1, len(way.steps))}
    for part in sorted(shared, key=len, reverse=True):
        if all(_is_single(step, known) for step in part):
            continue
        names: dict[str, int] = {}
        for at, way in enumerate(ways):
            free = way is not None and not found[at].part and len(way.steps) > len(part)
            if free and way is not None and way.steps[: len(part)] == part:
                names.setdefault(found[at].name, at)
        if len(names) > 1:
            for at in names.values():
                way = ways[at]
                assert way is not None
                found[at] = found[at]._replace(part=part, paths=(way,))
    return found


def _is_single(step: Step, known: Kept) -> bool:
    return known.single_valued(step.iri) and not step.inverse and not step.repeat


def _way(test: Test, known: Kept) -> Path | None:
    """Return the one path of a condition on what a part is, or None without a single one."""
    negative = test.none_of or test.none_bounds or test.exists is False
    usable = [path for path in test.paths if known.may_match(path)]
    if negative or len(test.all_of) > 1 or len(test.all_bounds) > 1 or len(test.contains) > 1:
        return None
    return usable[0] if len(usable) == 1 and not usable[0].steps[-1].repeat else None


def of_any_parts(plan: Plan) -> Plan:
    """The same search with conditions that different parts of an asset may meet."""
    branches = tuple(
        branch._replace(tests=_apart(branch.tests), joins=tuple(map(_joined_apart, branch.joins)))
        for branch in plan.branches
    )
    return plan._replace(branches=branches)


def _apart(tests: Sequence[Test]) -> tuple[Test, ...]:
    return tuple(test._replace(part=()) for test in tests)


def _joined_apart(join: Join) -> Join:
    return join._replace(tests=_apart(join.tests), joins=tuple(map(_joined_apart, join.joins)))


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
    """Estimates of a graph of which nothing is known."""

    counted = False
    ordered = False
    same_term = False

    def may_match(self, path: Path) -> bool:
        """Return True: the graph may hold such a statement."""
        return True

    def single_valued(self, predicate: str) -> bool:
        """Return False: nothing is sure."""
        return False

    def all_named(self, class_iri: str) -> bool:
        """Return False: nothing is sure."""
        return False

    def statements(self, predicate: str) -> int:
        """Return 0: nothing was counted."""
        return 0

    def occurrences(self, predicate: str, term: Term) -> int:
        """Return 0: nothing was counted."""
        return 0

    def instances_of(self, class_iri: str) -> int:
        """Return 0: nothing was counted."""
        return 0

    def held_classes(self) -> Collection[str] | None:
        """Return None: no class was looked at."""
        return None

    def frequent(self, predicate: str) -> Sequence[tuple[Term, int]]:
        """Return nothing: no value was looked at."""
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
    """Return the cost of finding what holds one of `terms`, in statements."""
    if not known.counted:
        return _UNCOUNTED_TERM * len(paths)
    return float(
        sum(known.occurrences(path.steps[-1].iri, term) for path in paths for term in terms)
    )


def domain_cost(known: Known, domain: Domain) -> float:
    """Return the cost of listing the instances of a domain, in statements."""
    if not known.counted:
        return _UNCOUNTED_KIND
    return float(sum(known.instances_of(iri) for iri in classes_of(known, domain)))


def scan_cost(
    known: Known, paths: Sequence[Path], bounds: Sequence[Bounds] = (), text: str = ""
) -> float:
    """Return the cost of reading all values of a property and going on from those within limits."""
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
    """Return the cost of going back from connected assets, which cost `inside` to find."""
    if not known.counted:
        return _UNCOUNTED_KIND
    paths = (*join.paths, *join.inverse_paths)
    links = sum(known.statements(path.steps[-1].iri) for path in paths)
    instances = domain_cost(known, join.domain) if join.typed else links
    return inside * max(1.0, links / max(1.0, instances))


def _part(known: Known, predicate: str, bounds: Sequence[Bounds], text: str) -> float:
    """Return which part of a predicate's values is within bounds or holds a text, by a sample."""
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
