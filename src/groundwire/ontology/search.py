"""A search from slots to a proven answer: resolve, compile, execute, explain, prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from groundwire.errors import InputError, UnavailableError
from groundwire.evidence.records import Draft, Value
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Rows
from groundwire.ontology.aggregates import (
    Measured,
    aggregate_answer,
    counted_values,
    groups_answer,
    measure,
    no_one_unit,
    unmeasured,
    whole_of_groups,
    with_aggregate,
)
from groundwire.ontology.catalogue import Catalogue, State, limited
from groundwire.ontology.compile import (
    total_query,
)
from groundwire.ontology.explain import explain
from groundwire.ontology.index.model import Path
from groundwire.ontology.page_queries import (
    TIMEOUT,
    Request,
    aggregates_query,
    counted_and_read,
    counted_instances,
    is_empty,
    look_up,
    probed,
    query_of,
    read_rows,
)
from groundwire.ontology.pages import (
    applied,
    conditions_in_words,
    found_answer,
    in_a_row,
    of_one_part,
    rejected_answer,
    within_page,
)
from groundwire.ontology.plan import Branch, Known, Plan, Test, of_any_parts
from groundwire.ontology.proof import Shown, prove, refuse
from groundwire.ontology.resolve import Resolver
from groundwire.ontology.results import Findings, GapItem, SearchResult
from groundwire.ontology.suggestions import Sent, answer_submitted, offer
from groundwire.ontology.zeros import Looked

MAX_LIMIT = 100
# An aggregate reads every match, so these are counted as patiently.
COUNT_SOFT_LIMIT = 3.0


@limited
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
    await look_up(state, slots)
    resolver = Resolver(state.lexicon, state.graph, state.assets)
    plan = await resolver.plan(slots, request.sort, request.count_by, request.aggregate)
    findings = resolver.findings
    if plan is None:
        sent = Sent(slots, request.sort, request.count_by, request.aggregate)
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
    if request.gaps:
        domains = [branch.domain for branch in plan.branches]
        await answer_submitted(request.gaps, state, domains, findings)
    if _asks_for_all(plan) and any(gap.about == "condition" for gap in request.gaps):
        return _only_gaps(state, plan, request, findings)
    plan, remark, total = await _without_holders(state, plan, resolver)
    more = await resolver.fewer(plan)
    if more is not None and more.plan is not None:
        _report(more, findings)
        return await _execute(state, more.plan, request, resolver, more, remark)
    return await _execute(state, plan, request, resolver, remark=remark, total=total)


def _asks_for_all(plan: Plan) -> bool:
    """Whether the assets have to meet no condition, and nothing is sorted, counted or computed."""
    bare = all(not (branch.tests or branch.joins) for branch in plan.branches)
    return bare and plan._replace(branches=()) == Plan(())


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


async def _without_holders(
    state: State, plan: Plan, resolver: Resolver
) -> tuple[Plan, str, int | None]:
    """A search for what lacks something without what holds it elsewhere.

    Returns:
        the search, what is to be said of it, and how many assets match where they were counted.
    """

    async def known() -> Known:
        return (await probed(state, plan)).observed

    lacking = await resolver.lacking(plan, known)
    if lacking is None:
        return plan, "", None
    findings = resolver.findings
    _report(lacking, findings)
    if lacking.by_name:
        findings.lower()
    if not lacking.earned:
        findings.doubt()
    left_out = [
        f"assets that hold {name} as {stored} are left out" for _, name, stored in lacking.changes
    ]
    said = _sentences([*left_out, *lacking.notes])
    return lacking.plan or plan, said, lacking.declared or None


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
    total: int | None = None,
) -> tuple[SearchResult, Draft]:
    """Run a plan; where it finds nothing, look for what it may have missed before that is said.

    Args:
        state: of the catalogue.
        plan: what is searched.
        request: as it was sent.
        resolver: made the plan.
        looked: what was found when the search was empty on the declared paths.
        remark: sentences about what is left out since it is stored elsewhere, or "".
        total: how many assets match, where they were counted before.
    """
    findings = resolver.findings
    state = await probed(state, plan)
    limit = min(max(request.limit, 1), MAX_LIMIT)
    query = query_of(state, plan, request, limit)
    started = datetime.now(UTC)
    unheld = "" if request.dry_run else await _unheld(state, plan, findings)
    base: dict[str, Any] = {
        "confidence": findings.confidence,
        "interpretation": request.interpretation or None,
        "applied": applied(plan),
        "corrections": findings.corrections,
        "gaps": findings.gaps,
        "offset": request.offset,
    }
    if request.dry_run:
        return await _only_compiled(state, plan, query, base)
    if plan.aggregation and not plan.grouping:
        return await _aggregated(state, plan, request, resolver, looked, base)
    rows, unsorted = await read_rows(state, plan, request, query, limit)
    if not rows.complete and not rows.rows:
        raise UnavailableError(
            "The endpoint gave only part of its answer, and nothing in it: ask again later, or "
            "with more conditions."
        )
    if len(rows.rows) > limit:
        base["next_offset"] = request.offset + limit
        base["tied"] = _is_equal(plan, rows, limit) or None
    elif not rows.complete:
        base["next_offset"] = request.offset + len(rows.rows)
    assets = [row[0].value for row in rows.rows[:limit] if row[0] is not None]
    counted = None if total is None else (total, True)
    found_all, page, unread = await counted_and_read(
        state, plan, request, rows, limit, assets, counted
    )
    base |= {"total": found_all and found_all[0], "total_is_exact": found_all and found_all[1]}
    audit = _audit(str(query), started, f"{min(len(rows.rows), limit)} rows")
    # Assets may match of which none holds what is counted by.
    if not rows.rows and not (found_all and found_all[0]):
        found = await _nothing(state, plan, request, resolver, looked, remark, base, audit)
        if found is not None:
            return found
    if plan.grouping:
        base["remark"] = remark
        if not rows.rows and not request.offset:
            grouping = plan.grouping
            base["remark"] += await _unstored(plan, resolver, grouping.name, grouping.paths)
            base["confidence"] = resolver.findings.confidence
        return await _grouped(state, plan, rows, limit, base, audit)
    said = found_answer(plan, found_all, request.offset, page.items)
    said += of_one_part(plan) + unheld + remark + _order_and_places(plan, unsorted, looked)
    if plan.ordering and base.get("tied"):
        said += f" The next one has the same {plan.ordering.name}."
    missed = _sentences([*findings.unlooked, *unread])
    said += missed
    result = SearchResult(
        answer=said,
        status="results",
        results=page.items,
        first_page=request.first_page or tuple(assets),
        **base,
    )
    facts = page.values
    if request.in_short and len(page.items) > len((result := within_page(result)).results):
        shown_iris = {item.iri for item in result.results}
        facts = [fact for fact in facts if fact.entity_iri in shown_iris]
    remark += ("" if looked is None else _sentences(looked.notes)) + missed
    shown = Shown(facts, remark, is_whole=page.is_whole)
    return result, await prove(state, plan, result, shown, audit)


async def _only_compiled(
    state: State, plan: Plan, query: CompiledQuery, base: Mapping[str, Any]
) -> tuple[SearchResult, Draft]:
    """The answer of a dry run."""
    said = f"Nothing was searched (dry run): {conditions_in_words(plan)}."
    compiled = str(query if plan.aggregation is None else aggregates_query(state, plan))
    result = SearchResult(answer=said, status="empty", sparql=compiled, **base)
    audit = {"query_text": compiled, "status_code": "dry_run"}
    return result, await prove(state, plan, result, Shown(is_dry=True), audit)


def _is_equal(plan: Plan, rows: Rows, limit: int) -> bool:
    """Whether the row behind a page is sorted by the value of the last one on it."""
    if not plan.ordering or plan.grouping or any(len(row) < 2 for row in rows.rows[limit - 1 :]):
        return False
    last, following = (row[1] for row in rows.rows[limit - 1 : limit + 1])
    return last is not None and last == following


def _order_and_places(plan: Plan, unsorted: int, looked: Looked | None) -> str:
    """Return which assets could not be sorted, and which values stand elsewhere than declared."""
    said = ""
    if unsorted and plan.ordering:
        said = f" The last {unsorted:,} of these have no {plan.ordering.name}."
    if looked is not None:
        places = "; ".join(f"{name} as {stored}" for _, name, stored in looked.changes)
        said += (
            f" {looked.declared:,} of them match as declared, the others by reading {places}."
            if looked.declared
            else f" Nothing matches as declared; these were found by reading {places}."
        )
    return said


def _audit(query: str, started: datetime, summary: str) -> dict[str, Any]:
    """The audit block of a query that has been run."""
    return {
        "query_text": query,
        "start_timestamp": started.isoformat(timespec="milliseconds"),
        "end_timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "status_code": "ok",
        "result_summary": summary,
    }


async def _aggregated(
    state: State,
    plan: Plan,
    request: Request,
    resolver: Resolver,
    looked: Looked | None,
    base: dict[str, Any],
) -> tuple[SearchResult, Draft]:
    """The answer of one number over all assets that match."""
    assert plan.aggregation is not None
    started = datetime.now(UTC)
    query = str(aggregates_query(state, plan))
    counted = counted_instances(state, plan)
    if counted is not None:
        total = (counted, True)
    else:
        found = await state.graph.count(
            total_query(plan, known=state.observed), timeout=TIMEOUT, soft_timeout=COUNT_SOFT_LIMIT
        )
        total = (found.value, found.exact)
    base |= {"total": total[0], "total_is_exact": total[1]}
    if total == (0, True):
        empty = await _nothing(
            state, plan, request, resolver, looked, "", base, _audit(query, started, "0 rows")
        )
        if empty is not None:
            return empty
    measured = await measure(state, plan)
    audit = _audit(measured.query, started, "1 row")
    if len(measured.units) > 1:
        return _several_units(state, plan, measured, base)
    item = measured.items.get(None) or unmeasured(plan)
    if total[1]:
        item = item.model_copy(
            update={"assets_without_value": total[0] - (item.assets_with_value or 0)}
        )
    said = aggregate_answer(plan, item, total)
    notes = ""
    if not item.values:
        notes = await _unstored(plan, resolver, plan.aggregation.name, plan.aggregation.paths)
        base["confidence"] = resolver.findings.confidence
    if looked is not None:
        places = "; ".join(f"{name} as {stored}" for _, name, stored in looked.changes)
        notes += f" Nothing matches as declared; these were found by reading {places}."
    result = SearchResult(answer=said + notes, status="results", aggregate=item, **base)
    return result, await prove(state, plan, result, Shown(remark=notes), audit)


def _several_units(
    state: State, plan: Plan, measured: Measured, base: Mapping[str, Any]
) -> tuple[SearchResult, Draft]:
    """The answer where the numbers that match are of several units."""
    assert plan.aggregation is not None
    said = no_one_unit(plan.aggregation.name, measured.units)
    gap = GapItem(
        term=plan.aggregation.name, reason="limitation", slot="aggregate.property", detail=said
    )
    kept = {key: value for key, value in base.items() if not key.startswith("total")}
    kept |= {"gaps": [*kept["gaps"], gap], "confidence": "low"}
    result = SearchResult(answer=f"Not computed: {said}.", status="rejected", **kept)
    return result, refuse(state, result, [branch.domain for branch in plan.branches])


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
    notes = list(looked.notes) if looked is not None else []
    if looked is None and (not request.offset or await is_empty(state, plan)):
        looked = await resolver.zero(plan)
        if looked.plan is not None:
            _report(looked, findings)
            return await _execute(state, looked.plan, request, resolver, looked, remark)
        notes = [*looked.notes, *findings.unlooked]
        if not looked.earned or findings.unlooked:
            findings.doubt()
            await _offered(request, looked, resolver)
        apart = of_any_parts(plan)
        if apart != plan and not await is_empty(state, apart):
            findings.doubt()
            notes.append("assets match if different parts of one may meet the conditions")
    if request.offset:
        return None
    explanation = await explain(state, plan)
    notes += [
        f"the shapes allow no value with {one.condition}, only {one.allowed}"
        for one in explanation
        if one.allowed
    ]
    said = _sentences(notes) + remark
    base |= {"confidence": findings.confidence_of_zero, "gaps": findings.gaps}
    result = SearchResult(
        answer=f"No asset matches: {conditions_in_words(plan)}.{said}",
        status="empty",
        explanation_of_empty=explanation,
        **base,
    )
    shown = Shown(remark=said, looked=looked.looked if looked is not None else ())
    return result, await prove(state, plan, result, shown, audit)


async def _offered(request: Request, looked: Looked, resolver: Resolver) -> None:
    """Add what may be meant instead of a condition of an empty search, where it is accepted."""
    found = Findings()
    for one in looked.offers:
        found.gap(one.slot, one.term, "ambiguous", one.detail, one.suggestions)
    sent = Sent(request.slots, request.sort, request.count_by, request.aggregate)
    offered = await offer(sent, found.gaps, resolver)
    resolver.findings.gaps += [gap for gap in offered if gap.suggestions]


async def _unheld(state: State, plan: Plan, findings: Findings) -> str:
    """Tell of absences that are demanded of connections which no asset of the kind has at all."""
    notes: list[str] = []
    for branch in plan.branches:
        for join in branch.joins:
            bare = join._replace(negated=False, tests=(), joins=())
            if join.negated and await is_empty(state, Plan((Branch(branch.domain, (), (bare,)),))):
                findings.doubt()
                notes.append(
                    f"no {branch.domain.name} asset at all has a connected {join.domain.name} as "
                    "declared, so that none was left out for it"
                )
    return _sentences(notes)


async def _unstored(
    plan: Plan, resolver: Resolver, name: str, ways: Sequence[tuple[Path, ...]]
) -> str:
    """Return where the property stands that was counted by or computed from, and not found."""
    asked = [
        Branch(branch.domain, (Test("count_by", name, paths, exists=True, shown=name),))
        for branch, paths in zip(plan.branches, ways, strict=True)
    ]
    looked = await resolver.zero(Plan(tuple(asked)))
    if not looked.earned or looked.plan is not None:
        resolver.findings.doubt()
    stored = [f"it is stored as {place}" for _, _, place in looked.changes]
    return _sentences([*looked.notes, *stored])


def _sentences(notes: Sequence[str]) -> str:
    """Return notes as sentences that follow another one."""
    return "".join(f" {note[:1].upper()}{note[1:]}." for note in notes)


async def _grouped(
    state: State,
    plan: Plan,
    rows: Rows,
    limit: int,
    base: dict[str, Any],
    audit: Mapping[str, Any],
) -> tuple[SearchResult, Draft]:
    assert plan.grouping is not None
    counts = await counted_values(state, plan, rows.rows[:limit])
    listed = in_a_row([f"{item.label or item.value}: {item.count:,}" for item in counts], 5)
    said = f"Assets by {plan.grouping.name}: {listed}."
    remark = base.pop("remark")
    if plan.aggregation and counts:
        groups = [value for value, _ in rows.rows[:limit] if value is not None]
        measured = await measure(
            state, plan, [term for term in groups if term.kind in ("iri", "literal")]
        )
        audit = {**audit, "query_text": f"{audit['query_text']} ;\n{measured.query}"}
        if len(measured.units) > 1:
            return _several_units(state, plan, measured, base)
        counts = [
            with_aggregate(item, measured.items.get(term))
            for item, term in zip(counts, groups, strict=True)
        ]
        whole = whole_of_groups(plan, measured)
        base["aggregate"] = whole
        said = groups_answer(plan, counts, whole)
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
