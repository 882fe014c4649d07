"""The queries of a search at work: rows of a page, what is shown of them, and the total.

Probes of an endpoint before a search is written: how rare its conditions are. One query counts each
of them no further than decides where to begin. Without it an engine that joins pattern after
pattern may take minutes for what takes milliseconds from its rare end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from groundwire.errors import DeadlineError
from groundwire.evidence.records import Value
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Rows, Term, iri_n3
from groundwire.ontology.aggregates import Aggregate
from groundwire.ontology.catalogue import State
from groundwire.ontology.compile import aggregate_query, group_query, page_query, total_query
from groundwire.ontology.conditions import Condition
from groundwire.ontology.endpoint import COUNTED_INSTANCES, EndpointObserved
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.lexicon import KeyReader
from groundwire.ontology.pages import Page, conditions_in_words, in_a_row, read_page
from groundwire.ontology.plan import Branch, Join, Plan, Probed, Test
from groundwire.ontology.results import AssetItem
from groundwire.ontology.slots import Reference, Slots, SubmittedGap

# What is rarer than this is worth beginning with; the rest is "many".
_MOST = COUNTED_INSTANCES - 1
_MOST_TERMS = 40
_MOST_PREDICATES = 20
_SECONDS = 1.5

DEFAULT_LIMIT = 20
TIMEOUT = 15.0
TOTAL_SOFT_LIMIT = 0.2
# Seconds of a call that the page leaves for what is shown of its assets.
KEPT_FOR_VALUES = 1.5
# Sorting this many matches takes a few milliseconds; more are delivered as they are found.
SORTED_ASSETS = 10_000


class Request(NamedTuple):
    """One call of `submit_slots`, parsed.

    Attributes:
        in_short: no more assets than take 3,200 characters, nor than `limit`.
    """

    slots: Slots
    interpretation: str = ""
    gaps: tuple[SubmittedGap, ...] = ()
    sort: str = ""
    count_by: str = ""
    limit: int = DEFAULT_LIMIT
    offset: int = 0
    first_page: tuple[str, ...] = ()
    dry_run: bool = False
    aggregate: Aggregate | None = None
    in_short: bool = False


def query_of(state: State, plan: Plan, request: Request, limit: int) -> CompiledQuery:
    """The query of a page of assets or groups, or of one number over all assets."""
    # One more than asked for tells whether there is a next page.
    asked: dict[str, Any] = {
        "limit": limit + 1,
        "offset": request.offset,
        "known": state.observed,
    }
    if plan.grouping:
        return group_query(plan, **asked)
    if plan.aggregation:
        return aggregates_query(state, plan)
    if plan.ordering:
        return page_query(plan, **asked, having=True)
    large = sum(state.count(branch.domain) for branch in plan.branches) > SORTED_ASSETS or any(
        branch.domain.name in state.least for branch in plan.branches
    )
    return page_query(plan, **asked, first_page=request.first_page if large else None)


async def read_rows(
    state: State, plan: Plan, request: Request, query: CompiledQuery, limit: int
) -> tuple[Rows, int]:
    """The rows of a page, and how many of its last ones have no value to be sorted by."""
    rows = await _found(state, plan, query)
    if not plan.ordering or plan.grouping or not rows.complete or len(rows.rows) > limit:
        return rows, 0
    whole = await _with_unsorted(state, plan, rows, limit + 1, request.offset)
    return whole, min(len(whole.rows), limit) - len(rows.rows)


async def _with_unsorted(state: State, plan: Plan, rows: Rows, most: int, offset: int) -> Rows:
    """The end of what is sorted, and behind it the assets that have no value to be sorted by."""
    before = 0
    if offset and not rows.rows:
        # The page begins among these: how many are sorted says where.
        sorted_ones = page_query(plan, limit=offset, known=state.observed, having=True)
        before = offset - len((await state.graph.select(sorted_ones, timeout=TIMEOUT)).rows)
    query = page_query(
        plan, limit=most - len(rows.rows), offset=before, known=state.observed, having=False
    )
    rest = await _found(state, plan, query)
    return rows._replace(rows=[*rows.rows, *rest.rows], complete=rest.complete)


async def _found(state: State, plan: Plan, query: CompiledQuery) -> Rows:
    """The rows of a page.

    Raises:
        DeadlineError: says what made the search so large.
    """
    try:
        return await state.graph.select(query, timeout=spare(TIMEOUT, KEPT_FOR_VALUES))
    except DeadlineError as error:
        if state.statistics is not None:
            raise
        sorting = f"without sorting by {plan.ordering.name}" if plan.ordering else ""
        counting = f"without counting by {plan.grouping.name}" if plan.grouping else ""
        less = in_a_row([one for one in (sorting, counting) if one] or ["for fewer assets"], 2)
        raise DeadlineError(
            f"{error} Nothing is known of this search ({conditions_in_words(plan)}): ask again "
            f"{less}, or with a further condition."
        ) from None


async def counted_and_read(
    state: State,
    plan: Plan,
    request: Request,
    rows: Rows,
    limit: int,
    assets: Sequence[str],
    counted: tuple[int, bool] | None,
) -> tuple[tuple[int, bool] | None, Page, list[str]]:
    """The total, the page and what could not be read of it; both are asked for at once.

    A total that was `counted` before is taken for the first page.
    """
    totals: list[tuple[int, bool] | None] = []
    pages: list[tuple[Page, list[str]]] = []

    async def count() -> None:
        known = counted if not request.offset and len(rows.rows) > limit else None
        totals.append(known or await total_of(state, plan, request, rows, limit))

    async def read() -> None:
        pages.append(await _page(state, plan, [] if plan.grouping else assets))

    if state.statistics is None and len(rows.rows) > limit:
        await together(read, count)
    else:
        await count()
        await read()
    return totals[0], *pages[0]


async def _page(state: State, plan: Plan, assets: Sequence[str]) -> tuple[Page, list[str]]:
    """The assets as they are shown, and in words what could not be read of them in time."""
    if not assets:
        return Page([], []), []
    try:
        return await read_page(state, plan, assets), []
    except DeadlineError:
        if state.statistics is not None:
            raise
    domain = plan.branches[0].domain.name
    items = [AssetItem(iri=iri, domain=domain, values={}, references=[]) for iri in assets]
    recorded = [Value("iri", iri, "iri", entity_iri=iri, source=iri) for iri in assets]
    return Page(items, recorded, is_whole=False), [
        "names and values of these assets could not be read in time"
    ]


def aggregates_query(state: State, plan: Plan) -> CompiledQuery:
    """The query of one number over all assets."""
    return aggregate_query(plan, known=state.observed)


async def is_empty(state: State, plan: Plan) -> bool:
    """Whether no asset matches."""
    bare = plan._replace(ordering=None, grouping=None, aggregation=None)
    rows = await state.graph.select(
        page_query(bare, limit=1, known=state.observed, first_page=()), timeout=TIMEOUT
    )
    return not rows.rows


async def total_of(
    state: State, plan: Plan, request: Request, rows: Rows, limit: int
) -> tuple[int, bool] | None:
    """How many assets match; counted on the first page only, without asking where it is seen."""
    if request.offset:
        return None
    if plan.grouping is None and len(rows.rows) <= limit:
        return len(rows.rows), rows.complete
    counted = counted_instances(state, plan)
    if counted is not None:
        return counted, True
    found = await state.graph.count(
        total_query(plan, known=state.observed),
        timeout=TIMEOUT,
        soft_timeout=TOTAL_SOFT_LIMIT,
        likely=_likely(state, plan),
    )
    return (found.value, True) if found.exact else (max(found.value, len(rows.rows)), False)


def _likely(state: State, plan: Plan) -> int:
    """About how many assets a search for kinds and nothing else has; 0 for any other."""
    if any(branch.tests or branch.joins for branch in plan.branches):
        return 0
    return max(state.instances.get(branch.domain.class_iri, 0) for branch in plan.branches)


def counted_instances(state: State, plan: Plan) -> int | None:
    """How many assets a search for one kind and nothing else has, where they were counted."""
    branch = plan.branches[0]
    if state.statistics is None or len(plan.branches) > 1 or branch.tests or branch.joins:
        return None
    classes = (branch.domain.class_iri, *branch.domain.subclasses)
    held = [state.instances[iri] for iri in classes if iri in state.instances]
    # Assets of several classes would count twice.
    return held[0] if len(held) == 1 else None


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
    counted = await observed.bounded_counts(patterns, _MOST, _SECONDS)
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
        _MOST,
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
        if test.limits or test.contains or test.exists:
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


def spare(seconds: float, kept: float) -> float:
    """At most `seconds`, and so that `kept` seconds of the call are left after them."""
    from anyio import current_effective_deadline, current_time

    return max(min(seconds, current_effective_deadline() - current_time() - kept), 0.0)


async def together(*questions: Callable[[], Awaitable[None]]) -> None:
    """Ask an endpoint several things at once; an error of one is raised when all have ended."""
    from anyio import create_task_group

    errors: list[Exception] = []

    async def ask(question: Callable[[], Awaitable[None]]) -> None:
        try:
            await question()
        except Exception as error:
            errors.append(error)

    async with create_task_group() as tasks:
        for question in questions:
            tasks.start_soon(ask, question)
    if errors:
        raise errors[0]
