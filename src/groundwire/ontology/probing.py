"""Probes of an endpoint before a search is written: how rare its conditions are.

One query counts each of them no further than decides where to begin. Without it an engine that
joins pattern after pattern may take minutes for what takes milliseconds from its rare end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.catalogue import State
from groundwire.ontology.conditions import Condition
from groundwire.ontology.endpoint import COUNTED_INSTANCES, EndpointObserved
from groundwire.ontology.estimates import Probed
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.keys import KeyReader
from groundwire.ontology.plan import Branch, Join, Plan, Test
from groundwire.ontology.slots import Reference, Slots
from groundwire.ontology.time_limit import together

# What is rarer than this is worth beginning with; the rest is "many".
MOST = COUNTED_INSTANCES - 1
_MOST_TERMS = 40
_MOST_PREDICATES = 20
_SECONDS = 1.5


async def look_up(state: State, slots: Slots) -> None:
    """Have an endpoint looked at for everything that the slots name, at once.

    Each would be looked up later, one after the other.
    """
    observed = state.observed
    if not isinstance(observed, EndpointObserved):
        return
    keys = KeyReader(state.lexicon)
    named: dict[str, list[str]] = {}
    for key, condition in _conditions(slots):
        wanted = condition.filter
        sent = (*wanted.any_of, *wanted.all_of, *wanted.none_of) if wanted is not None else ()
        texts = [one for one in sent if isinstance(one, str)]
        for match in keys.matches(key, state.assets):
            if match.prop.key == match.prop.iri:
                named.setdefault(match.prop.iri, []).extend(texts)
    some = list(named.items())[:_MOST_PREDICATES]

    async def seek(predicate: str, texts: Sequence[str]) -> None:
        await observed.seek([predicate], texts)

    await together(
        partial(observed.sample, [predicate for predicate, _ in some]),
        *(partial(seek, predicate, texts) for predicate, texts in some if texts),
    )


def _conditions(holder: Slots | Reference) -> Iterator[tuple[str, Condition]]:
    yield from holder.filters.items()
    for key, bounds in holder.ranges.items():
        yield key, Condition(range=bounds)
    for reference in holder.references:
        yield from _conditions(reference)


async def probed(state: State, plan: Plan) -> State:
    """The state with what is known of the plan's conditions; a local store was counted before."""
    observed = state.observed
    if not isinstance(observed, EndpointObserved) or observed.is_slow:
        return state
    conditions: list[tuple[str, Term | None]] = [
        *((predicate, term) for predicate, term in list(dict.fromkeys(_terms(plan)))[:_MOST_TERMS]),
        *((one, None) for one in list(dict.fromkeys(_predicates(plan)))[:_MOST_PREDICATES]),
    ]
    classes = {iri for one in _domains(plan.branches) for iri in (one.class_iri, *one.subclasses)}
    patterns = {
        f"{at}": f"?s {iri_n3(predicate)} {term.n3() if term else '?o'}"
        for at, (predicate, term) in enumerate(conditions)
    }
    counted = await observed.bounded_counts(patterns, MOST, _SECONDS)
    if patterns and not counted:
        return state
    terms: dict[tuple[str, Term], int] = {}
    predicates: dict[str, int] = {}
    for at, (predicate, term) in enumerate(conditions):
        if f"{at}" in counted and term is not None:
            terms[predicate, term] = counted[f"{at}"]
        elif f"{at}" in counted:
            predicates[predicate] = counted[f"{at}"]
    known = Probed(
        terms,
        predicates,
        {iri: state.instances.get(iri, 0) for iri in classes},
        MOST,
    )
    return replace(state, observed=observed.knowing(known))


def _tests(branches: Sequence[Branch | Join]) -> Iterator[Test]:
    for branch in branches:
        yield from branch.tests
        yield from _tests(branch.joins)


def _domains(branches: Sequence[Branch | Join]) -> Iterator[Domain]:
    for branch in branches:
        yield branch.domain
        yield from _domains(branch.joins)


def _terms(plan: Plan) -> Iterator[tuple[str, Term]]:
    """Predicates with the objects that one of the conditions demands of them."""
    for test in _tests(plan.branches):
        for term in (*test.any_of, *(term for group in test.all_of for term in group)):
            for path in test.paths:
                yield path.steps[-1].iri, term


def _predicates(plan: Plan) -> Iterator[str]:
    """Predicates whose statements may have to be read, those of connections included."""
    for test in _tests(plan.branches):
        if test.bounds or test.any_bounds or test.all_bounds or test.contains or test.exists:
            yield from _last(test.paths)
    for extra in (plan.ordering, plan.grouping, plan.aggregation):
        for paths in extra.paths if extra is not None else ():
            yield from _last(paths)
    yield from _linking(plan.branches)


def _linking(branches: Sequence[Branch | Join]) -> Iterator[str]:
    for branch in branches:
        for join in branch.joins:
            yield from _last((*join.paths, *join.inverse_paths))
        yield from _linking(branch.joins)


def _last(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        yield path.steps[-1].iri
