"""A search of which some conditions are exchanged for other readings of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from groundwire.ontology.held import Condition
from groundwire.ontology.index.model import Path
from groundwire.ontology.plan import Branch, Join, Plan, Test

_Each = TypeVar("_Each")
Swap = dict[int, tuple[Condition, ...]]
"""What stands in the place of a condition, by the condition's `id`; nothing leaves it out."""


def exchanged(plan: Plan, swap: Swap) -> Plan:
    """Return a plan with some of its conditions exchanged."""
    return plan._replace(branches=tuple(swapped(branch, swap) for branch in plan.branches))


def arranged(plan: Plan, branches: Sequence[tuple[int, Branch]]) -> Plan:
    """Return a plan of other branches, each sorted and counted as the one in its place was."""
    places = [at for at, _ in branches]

    def paths(known: Sequence[tuple[Path, ...]]) -> tuple[tuple[Path, ...], ...]:
        return tuple(known[at] for at in places)

    return Plan(
        tuple(branch for _, branch in branches),
        plan.ordering and plan.ordering._replace(paths=paths(plan.ordering.paths)),
        plan.grouping and plan.grouping._replace(paths=paths(plan.grouping.paths)),
        plan.aggregation and plan.aggregation._replace(paths=paths(plan.aggregation.paths)),
    )


def swapped(branch: Branch, swap: Swap) -> Branch:
    """Return a branch with some of its conditions exchanged."""
    return branch._replace(
        tests=_each_swapped(branch.tests, Test, swap),
        joins=tuple(_inside(join, swap) for one in branch.joins for join in _ways(one, swap)),
    )


def _each_swapped(tests: Sequence[Test], kind: type[_Each], swap: Swap) -> tuple[_Each, ...]:
    return tuple(
        one for test in tests for one in swap.get(id(test), (test,)) if isinstance(one, kind)
    )


def _ways(join: Join, swap: Swap) -> list[Join]:
    return [
        one._replace(tests=join.tests, joins=join.joins)
        for one in swap.get(id(join), (join,))
        if isinstance(one, Join)
    ]


def _inside(join: Join, swap: Swap) -> Join:
    return join._replace(
        tests=_each_swapped(join.tests, Test, swap),
        joins=tuple(_inside(inner, swap) for one in join.joins for inner in _ways(one, swap)),
    )
