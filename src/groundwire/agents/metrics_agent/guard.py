"""The guard: the answer is made of values and quotations of what was asked, whatever a model says.

No word of a draft is repeated, not even small talk. What the question asks for and nobody looked up
is told first, with low confidence.

Each path has its own rule (seed 001, "The anti-fabrication guard"). A value counts only if it is
of a metric, entity, channel and period that the question itself names: one that was found, but is
of something else, is as wrong as one that was made up. A question that asks for a table is answered
by what the table says of itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.answer import Found, asking, compose, refused, told
from groundwire.agents.metrics_agent.briefing import plan_of
from groundwire.agents.metrics_agent.rules import (
    GRID,
    LISTS,
    QUERY,
    SEARCH,
    TABLE,
    TABLE_ASKED,
    CellKey,
    Kinds,
    Plan,
    cells_of,
    kinds_of,
    lookups,
    single,
)
from groundwire.agents.runtime.contract import Evidence, Guard, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.errors import ToolExecutionFailure
from groundwire.language.asking import asked_in
from groundwire.language.ordinals import has_superlative
from groundwire.language.requests import requests_of
from groundwire.language.sentences import number_text
from groundwire.metrics.derive import SUM_OF_LISTED, made_as
from groundwire.metrics.intent.contents import dropped_words
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem, PassageItem
from groundwire.metrics.table.query import PERIOD
from groundwire.metrics.table.question_parts import place_asked
from groundwire.metrics.terms import OF_SHARES, THOSE_LISTED, TOTAL
from groundwire.metrics.wording import Language, say

_MOST_PERIODS = 12


def table_verdict(plan: Plan, evidence: Evidence) -> Verdict:
    """Answer with the table that the question asks for, and with no other.

    Raises:
        ToolExecutionFailure: the call of the table failed.
    """
    language = asked_in(plan.question)
    own = _own(plan, evidence)
    if own is None:
        failed = [one for one in evidence.answers if one.tool == TABLE and one.is_error]
        if failed:
            raise ToolExecutionFailure(f"Nothing could be looked up: {failed[-1].text}")
        again = f"Call {TABLE} with {dict(plan.table or {})}, then end."
        return Verdict(_result(plan, say("unproven", language), "refused", {}), ask_again=again)
    data = cast("Mapping[str, Any]", own.data)
    status = str(data["status"])
    text = str(data.get("answer") or "")
    if language != "en":
        own_words = "answer_in_chinese" if language == "zh" else "answer_in_german"
        text = str(data.get(own_words) or _refused(data, language))
    place = place_asked(plan.question)
    rows = cast("list[list[str | None]]", data.get("rows") or [])
    if status == "found" and 1 < place == len(rows):
        text = f"{told('place', language, place=str(place), row=_row(data, place, text))} {text}"
    if status == "found":
        text += _each_period(data, language)
    result = _result(plan, text, status, data)
    return Verdict(result, fabrication=status != "found", leaves=_rankings(evidence.question))


def _rankings(question: str) -> tuple[str, ...]:
    """Return the requests of a question that ranks more than once, which no one table answers."""
    requests = requests_of(question)
    return requests if sum(map(has_superlative, requests)) > 1 else ()


def _refused(data: Mapping[str, Any], language: Language) -> str:
    """Return which argument of the table is not used, and what could be sent instead."""
    param = str(data.get("param") or "").partition(".")[0]
    reason = str(data.get("reason") or "unknown")
    labels = [str(one["label"]) for one in data.get("candidates") or ()]
    raw = str(data.get("raw") or "")
    return refused(language, reason, raw, param, labels)


def _each_period(data: Mapping[str, Any], language: Language) -> str:
    """Return all values of a short trend, of which the sentence of the table tells the ends."""
    rows = cast("list[list[str | None]]", data.get("rows") or [])
    roles = [(one.get("code"), one.get("role")) for one in data.get("columns") or ()]
    if [role for _, role in roles] != ["key", "value"] or roles[0][0] != PERIOD:
        return ""
    if not 3 <= len(rows) <= _MOST_PERIODS or any(value is None for _, value in rows):
        return ""
    each = "; ".join(
        f"{period} {number_text(Decimal(str(value)), language)}" for period, value in rows
    )
    return f" ({each})"


def _row(data: Mapping[str, Any], place: int, text: str) -> str:
    """Return one row in words: as the sentence of the table has it, where it has it."""
    rows = cast("list[list[str | None]]", data["rows"])
    parts = re.split(r"; |；", text.partition("：" if "：" in text else ": ")[2])
    if len(parts) >= place:
        return re.sub(r" ?[（(](?:共 )?\d+ .*$|[.。]$", "", parts[place - 1])
    return " ".join(str(one) for one in rows[place - 1] if one is not None)


def _own(plan: Plan, evidence: Evidence) -> ToolAnswer | None:
    """The answer to the very call that the question asks for."""
    wanted = dict(plan.table or {})
    return next((one for one in evidence.of(TABLE) if dict(one.arguments) == wanted), None)


def _result(plan: Plan, text: str, status: str, data: Mapping[str, Any]) -> dict[str, JsonValue]:
    result: dict[str, JsonValue] = {
        "answer": f"{plan.note} {text}" if plan.note else text,
        "route": plan.route,
        "mode": plan.mode,
        "status": status,
        "sources": [{"doc": doc, "locator": ""} for doc in data.get("sources") or ()],
        "slots": plan.slots,
        TABLE_ASKED: plan.question,
    }
    for name in ("columns", "rows", "total_rows", "is_complete", "notes"):
        if data.get(name) is not None:
            result[name] = data[name]
    return result


_WORD = re.compile(r"\w+")
_AXES = (("metrics", "metric"), ("entities", "entity"), ("channels", "channel"))


class _Outcome(NamedTuple):
    """A cell with the arguments of its call."""

    cell: Cell
    key: CellKey
    periods: tuple[str, ...]


def build_guard() -> Guard:
    """The guard of this agent."""
    return MetricsGuard()


class MetricsGuard:
    """Builds answers; what a model wrote is dropped where anything was looked up."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft.

        Raises:
            ToolExecutionFailure: the very calls that answer the question failed.
        """
        plan = plan_of(evidence)
        if plan is None:
            return Verdict({"answer": say("unproven", asked_in(evidence.question))})
        if plan.ends:
            return Verdict(asking(plan).result)
        if plan.table is not None:
            return table_verdict(plan, evidence)
        kinds = kinds_of([one.data for one in evidence.of(*LISTS)])
        found = _found(plan, kinds, evidence)
        if not found.cells and not found.passages:
            _check_reached(plan, kinds, evidence)
        nothing = bool(found.cells) and all(one.status != "found" for one in found.cells)
        result = compose(plan, found, evidence)
        untold = found.lacking or found.uncomputed or found.unsearched
        unsearched = plan.searches and found.passages is None
        return Verdict(
            result,
            fabrication=nothing,
            ask_again=_again(plan, kinds) if untold or found.uncompared or unsearched else "",
        )


def _check_reached(plan: Plan, kinds: Kinds, evidence: Evidence) -> None:
    """Fail where all lookups failed: a source that cannot be reached does not say "not held".

    Raises:
        ToolExecutionFailure: a call with the plan's own arguments failed, and none succeeded.
    """
    own = [call.arguments for call in lookups(plan, kinds)]
    made = [one for one in evidence.answers if dict(one.arguments) in own]
    if made and all(one.is_error for one in made):
        raise ToolExecutionFailure(f"Nothing could be looked up: {made[-1].text}")


def _again(plan: Plan, kinds: Kinds) -> str:
    """Return the instruction for a model that has not looked up all that was asked."""
    calls = "; ".join(
        f"{call.tool} {json.dumps(call.arguments, ensure_ascii=False)}"
        for call in lookups(plan, kinds)
    )
    return f"Not all of the question was looked up. Make these calls, then end: {calls}"


def _found(plan: Plan, kinds: Kinds, evidence: Evidence) -> Found:
    """Collect the answers of the tools that answer the plan."""
    wanted = set(cells_of(plan, kinds))
    before = set(cells_of(replace(plan, periods=plan.compared_with), kinds))
    outcomes: dict[CellKey, _Outcome] = {}
    earlier: dict[CellKey, Cell] = {}
    for outcome in _outcomes(evidence):
        if _is_asked(outcome, wanted):
            outcomes.setdefault(outcome.key, outcome)
        elif outcome.key in before:
            earlier.setdefault(outcome.key, outcome.cell)
    cells = _without_detours([one.cell for one in outcomes.values()])
    if {"growth", "growth_previous"} & set(plan.derive):
        # A value alone is no growth: what is missing of the two is told.
        cells = [one for one in cells if one.status != "found"] or cells
    grids = [one for one in evidence.of(GRID) if not one.arguments.get("as_of")]
    own = [one for one in grids if _is_own_grid(plan, kinds, one)]
    derived, left = _derived(plan, own, outcomes)
    computed = {one.operation for one in (*derived, *left)}
    sent = {str(one.arguments.get("cursor")) for one in grids}
    passages, empty, unsearched = _passages(plan, evidence)
    return Found(
        cells=tuple(cells),
        derived=derived,
        not_derived=left,
        passages=passages if plan.route != "structured" else None,
        empty=empty,
        earlier=tuple(earlier[one] for one in _in_order(plan, earlier)),
        uncompared=bool(before - earlier.keys()),
        lacking=tuple(_lacking(wanted, list(outcomes.values()))),
        uncomputed=tuple(
            one for one in plan.derive if cells and not {one, made_as(one)} & computed
        ),
        unsearched=unsearched,
        more=any(one.data.get("next_cursor") not in (None, *sent) for one in grids),
    )


def _in_order(plan: Plan, earlier: Mapping[CellKey, Cell]) -> list[CellKey]:
    """Earlier periods as the plan names them, the nearest first."""
    return sorted(earlier, key=lambda one: plan.compared_with.index(one.period))


def _outcomes(evidence: Evidence) -> Iterator[_Outcome]:
    """Every outcome of the present; what was known on an earlier day was not asked."""
    for answer in evidence.of(QUERY, GRID):
        if answer.arguments.get("as_of"):
            continue
        arguments = answer.arguments
        sent = arguments.get("period" if answer.tool == QUERY else "periods")
        periods = tuple(map(str, sent)) if isinstance(sent, list) else (str(sent),)
        cells = [answer.data] if answer.tool == QUERY else answer.data.get("cells")
        for data in cast("list[Mapping[str, Any]]", cells or ()):
            fields = {name: data[name] for name in Cell.model_fields if name in data}
            cell = Cell.model_validate(fields)
            yield _Outcome(cell, _key(cell, answer), periods)


def _key(cell: Cell, answer: ToolAnswer) -> CellKey:
    """Return the key of a cell; of an unrecognized one, the key of what was sent."""
    named: Mapping[str, Any] = cell.normalized or {}
    if cell.status == "found":
        named = cell.model_dump(include=set(CellKey._fields))
    elif cell.status == "unrecognized_param":
        read = {one.param: one.resolved for one in cell.resolved or ()}
        named = {**read, str(cell.param): cell.raw}
        if answer.tool == QUERY:
            named = {**answer.arguments, **named}
    said = [str(named.get(name) or "") for name in ("metric", "entity", "channel", "period")]
    return CellKey(said[0], said[1], said[2] or TOTAL, said[3])


def _is_asked(outcome: _Outcome, wanted: set[CellKey]) -> bool:
    """Whether the question asks for it: by its own period, or by the range that was sent."""
    key = outcome.key
    if key in wanted:
        return True
    ranges = {one.period for one in wanted if one[:3] == key[:3]}
    if outcome.cell.status == "unrecognized_param":
        axes = [{one[place] for one in wanted} for place in range(4)]
        return all(not said or said in axis for said, axis in zip(key, axes, strict=True))
    return bool(ranges) and bool(outcome.periods) and set(outcome.periods) <= ranges


def _without_detours(cells: list[Cell]) -> list[Cell]:
    """The outcomes without arguments that were not recognized, where others answer."""
    answered = [one for one in cells if one.status != "unrecognized_param"]
    return answered or cells


def _lacking(wanted: set[CellKey], outcomes: Sequence[_Outcome]) -> Iterator[str]:
    """Yield a line for each value that was asked for and has no outcome; one for each range."""
    keys = {one.key for one in outcomes}
    ranged = {(one.key[:3], period) for one in outcomes for period in one.periods}
    unknown = any(one.cell.status == "unrecognized_param" for one in outcomes)
    for one in sorted(wanted):
        if one in keys or unknown:
            continue
        if (one[:3], one.period) in ranged and not (single(one.period) and one.period != "latest"):
            continue
        yield " ".join(part for part in one if part != TOTAL)


def _is_own_grid(plan: Plan, kinds: Kinds, grid: ToolAnswer) -> bool:
    """Whether a grid has the values of the plan, in its order, and no others beside them.

    A sum over some of them is not the sum that was asked for, and a ratio has an order.
    """
    read = {
        (one["param"], one["raw"]): one["resolved"]
        for cell in cast("list[Mapping[str, Any]]", grid.data.get("cells") or ())
        for one in cast("list[Mapping[str, str]]", cell.get("resolved") or ())
    }

    def axis(name: str, param: str) -> list[str]:
        sent = map(str, cast("list[JsonValue]", grid.arguments.get(name) or [TOTAL]))
        return [read.get((param, one), one) for one in sent]

    axes = [axis(name, param) for name, param in _AXES]
    # What is computed along periods is computed in the order of time.
    asked = sorted(read.get(("period", one), one) for one in plan.periods)
    return sorted(axis("periods", "period")) == asked and any(
        axes == [call.arguments.get(name) or [TOTAL] for name, _ in _AXES]
        for call in lookups(plan, kinds)
        if call.arguments.get("derive")
    )


def _derived(
    plan: Plan, grids: Sequence[ToolAnswer], outcomes: Mapping[CellKey, _Outcome]
) -> tuple[tuple[DerivedItem, ...], tuple[NotDerivedItem, ...]]:
    """Return the derived values that were asked for, and those that could not be derived."""
    made: dict[str, DerivedItem] = {}
    left: dict[str, NotDerivedItem] = {}
    wanted = {*plan.derive, *map(made_as, plan.derive)}
    for grid in grids:
        for data in cast("list[Mapping[str, Any]]", grid.data.get("derived") or ()):
            item = DerivedItem.model_validate(data)
            operands = {
                CellKey(one.metric, one.entity, one.channel, one.period) for one in item.operands
            }
            of_another = item.operation in OF_SHARES and not _is_of_whole(item, plan)
            if item.operation in wanted and operands <= outcomes.keys() and not of_another:
                made.setdefault(item.formula, item)
        for data in cast("list[Mapping[str, Any]]", grid.data.get("not_derived") or ()):
            item = NotDerivedItem.model_validate(data)
            if item.operation in wanted:
                left.setdefault(item.operation, item)
    done = {one.operation for one in made.values()}
    return tuple(made.values()), tuple(one for one in left.values() if one.operation not in done)


def _is_of_whole(item: DerivedItem, plan: Plan) -> bool:
    """Whether a share is of the whole that the question names, or else of a declared one."""
    if plan.share_of == THOSE_LISTED:
        entities = {one.entity for one in item.operands}
        return item.whole == SUM_OF_LISTED and entities == set(plan.entities)
    if item.whole == SUM_OF_LISTED:
        return False
    return not plan.share_of or plan.share_of in {one.entity for one in item.operands[1:]}


def _passages(
    plan: Plan, evidence: Evidence
) -> tuple[tuple[PassageItem, ...] | None, str, tuple[str, ...]]:
    """Quotations, what a search that found none said, and what of the question it left out.

    They are those of the search that found some, and has most of the question.
    """
    searches = [one for one in evidence.of(SEARCH) if _is_own_search(plan, one)]
    if not searches:
        return None, "", ()
    found = [one for one in searches if one.data.get("status") == "found"]
    best = min(reversed(found or searches), key=lambda one: len(_left_out(plan, one)))
    left = _left_out(plan, best)
    passages = cast("list[Mapping[str, Any]]", best.data.get("passages") or ())
    if passages:
        return tuple(PassageItem.model_validate(item) for item in passages[:3]), "", left
    return (), str(best.data.get("answer") or ""), left


def _left_out(plan: Plan, search: ToolAnswer) -> tuple[str, ...]:
    """Words of the question that a search leaves out; a filter has those of its name."""
    left = dropped_words(plan.question, str(search.arguments.get("query")))
    if not (search.arguments.get("entity") or search.arguments.get("period")):
        return left
    unknown = dropped_words(" ".join(plan.not_understood), "")
    return tuple(one for one in left if one in unknown)


def _is_own_search(plan: Plan, one: ToolAnswer) -> bool:
    """Whether a search was for what the question says: its words, or some of them in any order.

    A quotation that answers something else is as wrong as a value of something else.
    """
    asked = plan.question.casefold()
    words = set(_WORD.findall(asked))
    searched = _WORD.findall(str(one.arguments.get("query")).casefold())
    entity, period = one.arguments.get("entity"), one.arguments.get("period")
    return (
        all(word in words or (not word.isascii() and word in asked) for word in searched)
        and (not entity or entity in plan.entities)
        and (not period or period in plan.periods)
    )
