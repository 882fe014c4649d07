"""A search from slots to a proven answer: resolve, compile, execute, explain, prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from groundwire.errors import InputError, UnavailableError
from groundwire.evidence.records import Draft, Value
from groundwire.graph.terms import Rows
from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.compile import (
    group_query,
    page_query,
    total_query,
)
from groundwire.ontology.explain import explain
from groundwire.ontology.findings import Findings
from groundwire.ontology.gaps import answer_submitted
from groundwire.ontology.page import Page, read_page
from groundwire.ontology.plan import Branch, Plan, Test
from groundwire.ontology.proof import Shown, prove, refuse
from groundwire.ontology.resolve import Resolver
from groundwire.ontology.results import CountItem, SearchResult
from groundwire.ontology.slots import Slots, SubmittedGap
from groundwire.ontology.suggestions import Sent, offer
from groundwire.ontology.wording import (
    applied,
    conditions_in_words,
    found_answer,
    in_a_row,
    rejected_answer,
)
from groundwire.ontology.zeros import Looked

DEFAULT_LIMIT = 20
MAX_LIMIT = 100
TIMEOUT = 15.0
TOTAL_SOFT_LIMIT = 0.2
# Sorting this many matches takes a few milliseconds; more are delivered as they are found.
SORTED_ASSETS = 10_000


class Request(NamedTuple):
    """One call of `submit_slots`, parsed."""

    slots: Slots
    interpretation: str = ""
    gaps: tuple[SubmittedGap, ...] = ()
    sort: str = ""
    count_by: str = ""
    limit: int = DEFAULT_LIMIT
    offset: int = 0
    first_page: tuple[str, ...] = ()
    dry_run: bool = False


async def search(catalogue: Catalogue, request: Request) -> tuple[SearchResult, Draft]:
    """Answer a submission.

    Raises:
        InputError: the slots hold nothing that could be searched.
        DeadlineError: the search did not end in time.
        ConfigurationError, UnavailableError: the catalogue cannot be read.
    """
    slots = request.slots
    state = await catalogue.state()
    if not (slots.domains or slots.filters or slots.ranges or slots.references):
        example = next((domain.name for domain in state.assets), "a domain")
        raise InputError(
            'slots are empty: send at least one domain or condition, such as {"domains": ["'
            f'{example}"]}}.'
        )
    resolver = Resolver(state.lexicon, state.graph, state.assets)
    plan = await resolver.plan(slots, request.sort, request.count_by)
    findings = resolver.findings
    if plan is None:
        sent = Sent(slots, request.sort, request.count_by)
        findings.gaps = await offer(sent, findings.gaps, resolver)
        await answer_submitted(request.gaps, state, state.assets, findings)
        result = SearchResult(
            answer=rejected_answer(findings.gaps),
            status="rejected",
            confidence="low",
            interpretation=request.interpretation or None,
            corrections=findings.corrections,
            gaps=findings.gaps,
        )
        return result, refuse(state, result, ())
    await answer_submitted(
        request.gaps, state, [branch.domain for branch in plan.branches], findings
    )
    if _asks_for_all(plan) and any(gap.about == "condition" for gap in request.gaps):
        return _only_gaps(state, plan, request, findings)
    plan, remark = await _without_holders(plan, resolver)
    more = await resolver.fewer(plan)
    if more is not None and more.plan is not None:
        _report(more, findings)
        return await _execute(state, more.plan, request, resolver, more, remark)
    return await _execute(state, plan, request, resolver, remark=remark)


def _asks_for_all(plan: Plan) -> bool:
    """Whether nothing is demanded of the assets, not even an order."""
    bare = all(not (branch.tests or branch.joins) for branch in plan.branches)
    return bare and plan.ordering is None and plan.grouping is None


def _only_gaps(
    state: State, plan: Plan, request: Request, findings: Findings
) -> tuple[SearchResult, Draft]:
    """The answer where every condition is a gap: all assets would be more than was asked for."""
    kinds = " or ".join(branch.domain.name for branch in plan.branches)
    terms = in_a_row([f"{gap.term!r}" for gap in request.gaps], 5)
    result = SearchResult(
        answer=f"Not searched: of what was asked of {kinds}, nothing is left without {terms}; "
        f"send a condition, or leave out gaps for every {kinds}.",
        status="rejected",
        confidence="low",
        interpretation=request.interpretation or None,
        corrections=findings.corrections,
        gaps=findings.gaps,
    )
    return result, refuse(state, result, [branch.domain for branch in plan.branches])


async def _without_holders(plan: Plan, resolver: Resolver) -> tuple[Plan, str]:
    """A search for what lacks something without what holds it elsewhere, and what is to be said."""
    lacking = await resolver.lacking(plan)
    if lacking is None:
        return plan, ""
    findings = resolver.findings
    _report(lacking, findings)
    if lacking.by_name:
        findings.lower()
    if not lacking.earned:
        findings.doubt()
    left_out = [
        f"assets that hold {name} as {stored} are left out" for _, name, stored in lacking.changes
    ]
    return lacking.plan or plan, _sentences([*left_out, *lacking.notes])


def _report(looked: Looked, findings: Findings) -> None:
    """Report conditions that are read as the data have them."""
    for slot, name, stored in looked.changes:
        findings.correction(slot, name, stored, "stored", certain=False)


async def _execute(
    state: State,
    plan: Plan,
    request: Request,
    resolver: Resolver,
    looked: Looked | None = None,
    remark: str = "",
) -> tuple[SearchResult, Draft]:
    """Run a plan; where it finds nothing, look for what it may have missed before that is said.

    Args:
        state: of the catalogue.
        plan: what is searched.
        request: as it was sent.
        resolver: made the plan.
        looked: what was found when the search was empty on the declared paths.
        remark: sentences about what is left out since it is stored elsewhere, or "".
    """
    findings = resolver.findings
    limit = min(max(request.limit, 1), MAX_LIMIT)
    # One more than asked for tells whether there is a next page.
    asked: dict[str, Any] = {
        "limit": limit + 1,
        "offset": request.offset,
        "known": state.observed,
    }
    if plan.grouping:
        query = group_query(plan, **asked)
    else:
        large = sum(state.count(branch.domain) for branch in plan.branches) > SORTED_ASSETS
        query = page_query(plan, **asked, first_page=request.first_page if large else None)
    started = datetime.now(UTC)
    base: dict[str, Any] = {
        "confidence": findings.confidence,
        "interpretation": request.interpretation or None,
        "applied": applied(plan),
        "corrections": findings.corrections,
        "gaps": findings.gaps,
        "sparql": str(query),
        "offset": request.offset,
    }
    if request.dry_run:
        said = f"Nothing was searched (dry run): {conditions_in_words(plan)}."
        result = SearchResult(answer=said, status="empty", **base)
        audit = {"query_text": str(query), "status_code": "dry_run"}
        return result, await prove(state, plan, result, Shown(is_dry=True), audit)
    rows = await state.graph.select(query, timeout=TIMEOUT)
    if not rows.complete and not rows.rows:
        raise UnavailableError(
            "The endpoint gave only part of its answer, and nothing in it: ask again later, or "
            "with more conditions."
        )
    if len(rows.rows) > limit:
        base["next_offset"] = request.offset + limit
    elif not rows.complete:
        base["next_offset"] = request.offset + len(rows.rows)
    total = await _total(state, plan, request, rows, limit)
    base |= {"total": total and total[0], "total_is_exact": total and total[1]}
    audit = {
        "query_text": str(query),
        "start_timestamp": started.isoformat(timespec="milliseconds"),
        "end_timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "status_code": "ok",
        "result_summary": f"{min(len(rows.rows), limit)} rows",
    }
    # Assets may match of which none holds what is counted by.
    if not rows.rows and not (total and total[0]):
        found = await _nothing(state, plan, request, resolver, looked, remark, base, audit)
        if found is not None:
            return found
    if plan.grouping:
        base["remark"] = remark
        if not rows.rows and not request.offset:
            base["remark"] += await _ungrouped(plan, resolver)
            base["confidence"] = resolver.findings.confidence
        return await _grouped(state, plan, rows, limit, base, audit)
    assets = [row[0].value for row in rows.rows[:limit] if row[0] is not None]
    page = await read_page(state, plan, assets) if assets else Page([], [])
    said = found_answer(plan, total, request.offset, page.items) + remark
    if looked is not None:
        places = "; ".join(f"{name} as {stored}" for _, name, stored in looked.changes)
        said += (
            f" {looked.declared:,} of them match as declared, the others by reading {places}."
            if looked.declared
            else f" Nothing matches as declared; these were found by reading {places}."
        )
    result = SearchResult(
        answer=said,
        status="results",
        results=page.items,
        first_page=request.first_page or tuple(assets),
        **base,
    )
    remark += "" if looked is None else _sentences(looked.notes)
    shown = Shown(page.values, remark, is_whole=page.is_whole)
    return result, await prove(state, plan, result, shown, audit)


async def _nothing(
    state: State,
    plan: Plan,
    request: Request,
    resolver: Resolver,
    looked: Looked | None,
    remark: str,
    base: dict[str, Any],
    audit: Mapping[str, Any],
) -> tuple[SearchResult, Draft] | None:
    """The answer where no asset was found; None for a page behind the last asset."""
    findings = resolver.findings
    if looked is None and (not request.offset or await _is_empty(state, plan)):
        looked = await resolver.zero(plan)
        if looked.plan is not None:
            _report(looked, findings)
            return await _execute(state, looked.plan, request, resolver, looked, remark)
        if not looked.earned:
            findings.doubt()
            await _offered(request, looked, resolver)
    if request.offset:
        return None
    said = _sentences(looked.notes if looked is not None else ()) + remark
    base |= {"confidence": findings.confidence_of_zero, "gaps": findings.gaps}
    result = SearchResult(
        answer=f"No asset matches: {conditions_in_words(plan)}.{said}",
        status="empty",
        explanation_of_empty=await explain(state, plan),
        **base,
    )
    shown = Shown(remark=said, looked=looked.looked if looked is not None else ())
    return result, await prove(state, plan, result, shown, audit)


async def _offered(request: Request, looked: Looked, resolver: Resolver) -> None:
    """Add what may be meant instead of a condition of an empty search, where it is accepted."""
    found = Findings()
    for one in looked.offers:
        found.gap(one.slot, one.term, "ambiguous", one.detail, one.suggestions)
    sent = Sent(request.slots, request.sort, request.count_by)
    offered = await offer(sent, found.gaps, resolver)
    resolver.findings.gaps += [gap for gap in offered if gap.suggestions]


async def _ungrouped(plan: Plan, resolver: Resolver) -> str:
    """Where the property is that was counted by and no matching asset holds."""
    assert plan.grouping is not None
    name = plan.grouping.name
    asked = [
        Branch(branch.domain, (Test("count_by", name, paths, exists=True, shown=name),))
        for branch, paths in zip(plan.branches, plan.grouping.paths, strict=True)
    ]
    looked = await resolver.zero(Plan(tuple(asked)))
    if not looked.earned or looked.plan is not None:
        resolver.findings.doubt()
    stored = [f"it is stored as {place}" for _, _, place in looked.changes]
    return _sentences([*looked.notes, *stored])


def _sentences(notes: Sequence[str]) -> str:
    """Notes as sentences behind another one."""
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


async def _is_empty(state: State, plan: Plan) -> bool:
    """Whether no asset matches."""
    bare = plan._replace(ordering=None, grouping=None)
    rows = await state.graph.select(
        page_query(bare, limit=1, known=state.observed), timeout=TIMEOUT
    )
    return not rows.rows


async def _total(
    state: State, plan: Plan, request: Request, rows: Rows, limit: int
) -> tuple[int, bool] | None:
    """How many assets match; counted on the first page only, without asking where it is seen."""
    if request.offset:
        return None
    if plan.grouping is None and len(rows.rows) <= limit:
        return len(rows.rows), rows.complete
    counted = _instances(state, plan)
    if counted is not None:
        return counted, True
    found = await state.graph.count(
        total_query(plan, known=state.observed),
        timeout=TIMEOUT,
        soft_timeout=TOTAL_SOFT_LIMIT,
    )
    return (found.value, True) if found.exact else (max(found.value, len(rows.rows)), False)


def _instances(state: State, plan: Plan) -> int | None:
    """How many assets a search for one kind and nothing else has, where they were counted."""
    branch = plan.branches[0]
    if state.statistics is None or len(plan.branches) > 1 or branch.tests or branch.joins:
        return None
    classes = (branch.domain.class_iri, *branch.domain.subclasses)
    held = [state.instances[iri] for iri in classes if iri in state.instances]
    # Assets of several classes would count twice.
    return held[0] if len(held) == 1 else None


async def _grouped(
    state: State,
    plan: Plan,
    rows: Rows,
    limit: int,
    base: dict[str, Any],
    audit: Mapping[str, Any],
) -> tuple[SearchResult, Draft]:
    assert plan.grouping is not None
    counts = [
        CountItem(value=state.lexicon.shown(value), label=None, count=int(number.value))
        for value, number in rows.rows[:limit]
        if value is not None and number is not None
    ]
    listed = in_a_row([f"{item.value}: {item.count:,}" for item in counts], 5)
    said = f"Assets by {plan.grouping.name}: {listed}."
    remark = base.pop("remark")
    if not counts:
        said = f"No matching asset holds a value of {plan.grouping.name}."
    result = SearchResult(
        answer=said + remark,
        status="results",
        counts=counts,
        **base,
    )
    values = [
        Value(plan.grouping.name, str(item.count), entity=item.value, unit="assets")
        for item in counts
    ]
    return result, await prove(state, plan, result, Shown(values, remark=remark), audit)
