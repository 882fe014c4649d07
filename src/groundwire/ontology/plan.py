"""A search after resolution: everything in it is a term of the index or a typed value.

The compiler turns a plan into SPARQL without looking at what the caller wrote.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import Domain, Path


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
    """What must hold of one property of one asset.

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
    """What is computed from a numeric property, with its paths in each branch.

    Attributes:
        name: the property.
        function: min, max, mean or sum.
        paths: see above.
        unit: of its numbers, as the shapes state it, or None.
        cast: the stored literals are no exact numbers, so that their text is read.
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
