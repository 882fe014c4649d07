"""What a plan means, so that it can be compared with what was meant.

Two plans mean the same when they search the same domains for the same terms and bounds over the
same paths, however the conditions were sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.plan import Bounds, Branch, Join, Plan, Test

Meaning = Any
Atom = tuple[str, Any]


def of_plan(plan: Plan, empty: Collection[Path] = ()) -> Meaning:
    """The meaning of a plan; paths that are `empty` say nothing beside others."""
    branches = frozenset(_of_branch(branch, empty) for branch in plan.branches)
    ordering = plan.ordering and (
        _paths(_held(paths, empty) for paths in plan.ordering.paths),
        plan.ordering.descending,
    )
    grouping = plan.grouping and _paths(_held(paths, empty) for paths in plan.grouping.paths)
    return branches, ordering, grouping


def of_search(
    *branches: Meaning,
    sort: tuple[Sequence[Path], bool] | None = None,
    group: Sequence[Path] | None = None,
) -> Meaning:
    """The meaning of a search over branches, with the paths to sort and to count by."""
    ordering = sort and (_paths([sort[0]]), sort[1])
    return frozenset(branches), ordering, group and _paths([group])


def of_branch(
    domain: Domain,
    tests: Iterable[tuple[Sequence[Path], Iterable[Atom]]],
    joins: Iterable[Meaning] = (),
) -> Meaning:
    """The meaning of a domain, or a joined one, with conditions by path."""
    atoms: dict[frozenset[Path], set[Atom]] = defaultdict(set)
    for paths, found in tests:
        atoms[frozenset(paths)].update(found)
    held = frozenset((paths, frozenset(found)) for paths, found in atoms.items())
    return domain.name, held, frozenset(joins)


def one_of(*terms: Term) -> Atom:
    return "one of", frozenset(terms)


def none_of(*terms: Term) -> Atom:
    return "none of", frozenset(terms)


def within(*bounds: Bounds) -> Atom:
    return "within", frozenset(_limits(each) for each in bounds)


def without(*bounds: Bounds) -> Atom:
    return "without", frozenset(_limits(each) for each in bounds)


def _limits(bounds: Bounds) -> Meaning:
    def read(text: str | None) -> Any:
        return text if text is None or bounds.temporal else Decimal(text)

    lower, upper = read(bounds.lower), read(bounds.upper)
    return lower, upper, bounds.lower_open, bounds.upper_open, bounds.temporal


def renamed(meaning: Meaning, same: Mapping[Term, Term]) -> Meaning:
    """A meaning in which terms that stand for others are those others."""
    if isinstance(meaning, Term):
        return same.get(meaning, meaning)
    if type(meaning) in (tuple, frozenset):
        return type(meaning)(renamed(each, same) for each in meaning)
    return meaning


def _of_branch(branch: Branch | Join, empty: Collection[Path]) -> Meaning:
    tests = ((_held(test.paths, empty), _atoms(test)) for test in branch.tests)
    return of_branch(branch.domain, tests, (_of_branch(join, empty) for join in branch.joins))


def _held(paths: Sequence[Path], empty: Collection[Path]) -> Sequence[Path]:
    return [path for path in paths if path not in empty] or paths


def _atoms(test: Test) -> Iterable[Atom]:
    atoms: list[Atom] = []
    if test.any_of:
        atoms.append(one_of(*test.any_of))
    atoms += [one_of(*forms) for forms in test.all_of]
    if test.none_of:
        atoms.append(none_of(*test.none_of))
    atoms += [("contains", text.casefold()) for text in test.contains]
    if test.exists is not None:
        atoms.append(("exists", test.exists))
    if test.bounds:
        atoms.append(within(test.bounds))
    if test.any_bounds:
        atoms.append(within(*test.any_bounds))
    atoms += [within(bounds) for bounds in test.all_bounds]
    if test.none_bounds:
        atoms.append(without(*test.none_bounds))
    return atoms


def _paths(groups: Iterable[Sequence[Path]]) -> Meaning:
    return tuple(frozenset(paths) for paths in groups)
