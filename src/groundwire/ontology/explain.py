"""Why a search found nothing: what each condition costs, and what is stored nearby."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from groundwire.errors import DeadlineError
from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import State
from groundwire.ontology.compile import page_query, total_query
from groundwire.ontology.conditions import MAX_TEXT
from groundwire.ontology.holdings import counts_on
from groundwire.ontology.index.model import Domain
from groundwire.ontology.plan import Bounds, Join, Plan, Test
from groundwire.ontology.results import WithoutCondition
from groundwire.vocabulary import Policy

_SOFT_LIMIT = 0.1
_TIMEOUT = 3.0
_MAX_CONDITIONS = 10
_NEAREST = 5
_NEAREST_TIMEOUT = 0.3

_MAX_LOOKED = 12

_Condition = tuple[str, str, Domain, Test | None]
_Change = Callable[[Test], tuple[Test, ...]]


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
                nearest=await _nearest(state, plan, domain, test)
                if test and remaining.value
                else [],
                allowed=_allowed(state, domain, test) if test and test.bounds else None,
            )
        )
    return found


def _allowed(state: State, domain: Domain, test: Test) -> str | None:
    """Return the values that the shapes allow of a property, where a condition lies outside."""
    named = state.lexicon.property_named(domain, test.name, Policy.CANDIDATES_ONLY).term
    prop = domain.properties[named.id] if named else None
    if prop is None or test.bounds is None or not (prop.minimum or prop.maximum):
        return None
    declared = Bounds(
        prop.minimum.value if prop.minimum else None,
        prop.maximum.value if prop.maximum else None,
        prop.minimum_exclusive,
        prop.maximum_exclusive,
        temporal=test.bounds.temporal,
    )
    try:
        is_outside = _ends_before(test.bounds, declared) or _ends_before(declared, test.bounds)
    except (ValueError, InvalidOperation):
        return None
    return f"{declared}{f' {prop.unit}' if prop.unit else ''}" if is_outside else None


def _ends_before(one: Bounds, other: Bounds) -> bool:
    """Whether every value within some bounds is less than every value within others."""
    if one.upper is None or other.lower is None:
        return False
    read = _days if one.temporal else Decimal
    upper, lower = read(one.upper), read(other.lower)
    return upper < lower or (upper == lower and (one.upper_open or other.lower_open))


def without(plan: Plan, slot: str) -> Plan:
    """Return a plan that does not ask for what stands in a slot, unsorted and not counted."""
    return _changed(plan, slot, lambda _: ())


def _with_value(plan: Plan, test: Test, term: Term) -> Plan:
    """Return a plan that asks for one value where a condition stands."""
    return _changed(
        plan,
        test.slot,
        lambda one: (Test(one.slot, one.name, one.paths, any_of=(term,), part=one.part),),
    )


def _changed(plan: Plan, slot: str, change: _Change) -> Plan:
    branches = tuple(
        branch._replace(
            tests=_tests(branch.tests, slot, change), joins=_joins(branch.joins, slot, change)
        )
        for branch in plan.branches
    )
    return plan._replace(branches=branches, ordering=None, grouping=None, aggregation=None)


def _tests(tests: tuple[Test, ...], slot: str, change: _Change) -> tuple[Test, ...]:
    return tuple(new for test in tests for new in (change(test) if test.slot == slot else (test,)))


def _joins(joins: tuple[Join, ...], slot: str, change: _Change) -> tuple[Join, ...]:
    return tuple(
        join._replace(
            tests=_tests(join.tests, slot, change), joins=_joins(join.joins, slot, change)
        )
        for join in joins
        if join.slot != slot
    )


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


async def _nearest(state: State, plan: Plan, domain: Domain, test: Test) -> list[str]:
    """Return stored values that would find assets: the closest ones, or the most frequent."""
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
    stored = [term for term, _ in by_number if term not in test.any_of]
    bounds = test.bounds or next(iter(test.any_bounds), None)
    if bounds is not None:
        away = {term: _distance(term.value, bounds) for term in stored}
        by_distance = sorted(
            (far, term.value, term) for term, far in away.items() if far is not None
        )
        stored = [term for *_, term in by_distance]
    unit = f" {state.lexicon.unit(domain, test.name) or ''}".rstrip()
    named: dict[str, Term] = {}
    for term in stored:
        text = state.lexicon.shown(term) if bounds is None else f"{term.value}{unit}"
        named.setdefault(term.value[:10] if bounds and bounds.temporal else text, term)
    found: list[str] = []
    for text, term in list(named.items())[:_MAX_LOOKED]:
        if len(found) < _NEAREST and len(text) <= MAX_TEXT:
            found += [text] * await _finds(state, _with_value(plan, test, term))
    return found


async def _finds(state: State, plan: Plan) -> bool:
    """Whether a search surely finds an asset."""
    query = page_query(plan, limit=1, known=state.observed, first_page=())
    try:
        return bool((await state.graph.select(query, timeout=_NEAREST_TIMEOUT)).rows)
    except DeadlineError:
        return False


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
