"""Why a search found nothing: what each condition costs, and what is stored nearby."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from groundwire.errors import DeadlineError
from groundwire.ontology.catalogue import State
from groundwire.ontology.compile import total_query
from groundwire.ontology.conditions import MAX_TEXT
from groundwire.ontology.holdings import counts_on
from groundwire.ontology.index.model import Domain
from groundwire.ontology.plan import Bounds, Branch, Join, Plan, Test
from groundwire.ontology.results import WithoutCondition

_SOFT_LIMIT = 0.1
_TIMEOUT = 3.0
_MAX_CONDITIONS = 10
_NEAREST = 5
_NEAREST_TIMEOUT = 0.3

_Condition = tuple[str, str, Domain, Test | None]


async def explain(state: State, plan: Plan) -> list[WithoutCondition]:
    """For each condition, how many assets remain without it, and the nearest stored values."""
    found: list[WithoutCondition] = []
    for slot, shown, domain, test in _conditions(plan)[:_MAX_CONDITIONS]:
        try:
            remaining = await state.graph.count(
                total_query(without(plan, slot), known=state.observed),
                timeout=_TIMEOUT,
                soft_timeout=_SOFT_LIMIT,
            )
        except DeadlineError:
            continue
        found.append(
            WithoutCondition(
                slot=slot,
                condition=shown,
                remaining=remaining.value,
                remaining_is_exact=remaining.exact,
                nearest=await _nearest(state, domain, test) if test is not None else [],
            )
        )
    return found


def without(plan: Plan, slot: str) -> Plan:
    """Return a plan that does not ask for what stands in a slot, unsorted and not counted."""
    branches = tuple(_without(branch, slot) for branch in plan.branches)
    return plan._replace(branches=branches, ordering=None, grouping=None, aggregation=None)


def _conditions(plan: Plan) -> list[_Condition]:
    """Every condition once: its slot, its words, its kind, and its test where it is one."""
    found: dict[str, _Condition] = {}
    for branch in plan.branches:
        for test in branch.tests:
            found.setdefault(test.slot, (test.slot, test.in_words, branch.domain, test))
        for join in branch.joins:
            _join_conditions(join, found)
    return list(found.values())


def _join_conditions(join: Join, found: dict[str, _Condition]) -> None:
    kind = join.domain
    with_kind = f"connected with {'no ' * join.negated}{kind.name}"
    found.setdefault(join.slot, (join.slot, with_kind, kind, None))
    if join.negated:
        # Without one of its conditions it would leave more assets out, not fewer.
        return
    for test in join.tests:
        found.setdefault(test.slot, (test.slot, f"connected {test.in_words}", kind, test))
    for inner in join.joins:
        _join_conditions(inner, found)


def _without(branch: Branch, slot: str) -> Branch:
    return branch._replace(
        tests=tuple(test for test in branch.tests if test.slot != slot),
        joins=_joins_without(branch.joins, slot),
    )


def _joins_without(joins: tuple[Join, ...], slot: str) -> tuple[Join, ...]:
    return tuple(
        join._replace(
            tests=tuple(test for test in join.tests if test.slot != slot),
            joins=_joins_without(join.joins, slot),
        )
        for join in joins
        if join.slot != slot
    )


async def _nearest(state: State, domain: Domain, test: Test) -> list[str]:
    """Values that the kind has of the property: the closest figures, else the most frequent."""
    held = None
    if state.statistics is not None:
        held = await counts_on(state, domain, test.paths, _NEAREST_TIMEOUT)
    if held is None:
        # Too many to be counted for one kind: those of all kinds.
        predicate = test.paths[0].steps[-1].iri
        if not (test.bounds or test.any_bounds):
            await state.observed.read_list(predicate)
        held = dict((await state.observed.values(predicate)).counts)
    by_number = sorted(held.items(), key=lambda entry: (-entry[1], entry[0]))
    stored = [entry for entry in by_number if entry[0] not in test.any_of]
    bounds = test.bounds or next(iter(test.any_bounds), None)
    if bounds is not None:
        by_distance = sorted(
            (distance, term.value)
            for term, _ in stored
            if (distance := _distance(term.value, bounds)) is not None
        )
        if bounds.temporal:
            return list(dict.fromkeys(value[:10] for _, value in by_distance))[:_NEAREST]
        unit = f" {state.lexicon.unit(domain, test.name) or ''}".rstrip()
        return [f"{value}{unit}" for _, value in by_distance[:_NEAREST]]
    shown = [state.lexicon.shown(term) for term, _ in stored]
    return [text for text in shown if len(text) <= MAX_TEXT][:_NEAREST]


def _distance(value: str, bounds: Bounds) -> Decimal | None:
    """How far a stored value lies outside of bounds; None where it is not comparable."""
    ends = [end for end in (bounds.lower, bounds.upper) if end is not None]
    try:
        if bounds.temporal:
            place = _days(value)
            return min(abs(place - _days(end)) for end in ends)
        return min(abs(Decimal(value) - Decimal(end)) for end in ends)
    except (ValueError, InvalidOperation):
        return None


def _days(text: str) -> Decimal:
    from datetime import date

    return Decimal(date.fromisoformat(text[:10]).toordinal())
