"""A search after resolution: everything in it is a term of the index or a typed value.

The compiler turns a plan into SPARQL without looking at what the caller wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        shown: the condition in words, for explanations.
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
    part: tuple[Step, ...] = ()


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
    """The one path of a condition of what a part is; None where there are others, or none."""
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
