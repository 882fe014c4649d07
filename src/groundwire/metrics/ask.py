"""A question answered without a model: parse, screen, clarify, route, look up, guard.

The order is strict (seed 001): out of scope first, on the raw question; then what must be asked;
then the route. The answer is built from facts and quotations alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any, Literal, cast

from groundwire.evidence.records import Draft
from groundwire.language.asking import asked_in
from groundwire.metrics.derive import SUM_OF_LISTED, Derived, derive
from groundwire.metrics.derive_groups import Operand
from groundwire.metrics.derive_groups import names_in as entities_named
from groundwire.metrics.factbase import State
from groundwire.metrics.grid import (
    GridRequest,
    derivations_of,
    earlier_outcomes,
    grid_outcomes,
    operands_of,
    query_grid,
)
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.premises import check_premise
from groundwire.metrics.profile import Named, Profile
from groundwire.metrics.proof import Outcome, guard, prove, shares_together, value_sentence
from groundwire.metrics.questions import Asked, Understood, asked_for, earlier_of
from groundwire.metrics.quoting import PassageRequest, search_narrative
from groundwire.metrics.results import (
    Cell,
    DerivedItem,
    Mode,
    NotDerivedItem,
    OptionItem,
    PassageItem,
    SourceItem,
)
from groundwire.metrics.standing import days_of_cells, differing_days
from groundwire.metrics.statements import assumptions
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.computed import Computed
from groundwire.metrics.table.query import TableArguments
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.table.single import WHOLE
from groundwire.metrics.terms import TOTAL, DerivedBy
from groundwire.metrics.wording import Language, amount, formula_in, name_in, phrases, say
from groundwire.vocabulary.fold import CJK_RUN

Ending = Literal[
    "found", "not_found", "unrecognized_param", "asked", "out_of_scope_entity", "quoted", "empty"
]
_PASSAGES = 3
_WORD = re.compile(r"\w[\w-]*")
_MOST_BEFORE = 4


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a question, with its record.

    Attributes:
        text: the answer, in the language of the question.
        ending: how it ended.
        mode: what clarification decided.
        route: which channels answered.
        note: what was assumed, or "".
        options: one-step options to narrow or complete the question.
        cells: outcomes of the structured channel.
        derived: what was computed from them.
        not_derived: what was asked to be computed and was not.
        passages: quotations of the narrative channel.
        sources: documents and places of everything stated; those of a table are in its result.
        draft: what proves the answer.
        table: the arguments of `query_metric_table` and its result, where a table was asked for.
    """

    text: str
    ending: Ending
    mode: Mode
    route: str
    note: str = ""
    options: tuple[OptionItem, ...] = ()
    cells: tuple[Cell, ...] = ()
    derived: tuple[DerivedItem, ...] = ()
    not_derived: tuple[NotDerivedItem, ...] = ()
    passages: tuple[PassageItem, ...] = ()
    sources: tuple[SourceItem, ...] = ()
    draft: Draft = field(default_factory=Draft)
    table: tuple[Mapping[str, Any], TableResult] | None = None


def ask(state: State, question: str, today: date) -> Answered:
    """Answer a question from the fact base.

    Args:
        state: the fact base.
        question: as a person asks it, in English, German or Chinese.
        today: the day that relative periods and defaults count from.

    Raises:
        InputError: the question is too long.
        UnavailableError: a store cannot be read.
    """
    asked = asked_for(state, question, today)
    answered = _answered(state, asked, question, today)
    if not asked.note:
        return answered
    note = " ".join(filter(None, (asked.note, answered.note)))
    return replace(answered, text=f"{asked.note} {answered.text}", note=note)


def _answered(state: State, asked: Asked, question: str, today: date) -> Answered:
    if asked.table is not None:
        return _table(state, asked.table, asked_in(question), today)
    if asked.computed is not None:
        return _computed(state, asked.computed, question, today)
    understood = asked.understood
    made, route = understood.clarification, understood.intent.route
    options = tuple(
        OptionItem(slot=one.slot, value=one.value, label=one.label)
        for one in made.narrowing_options
    )
    if made.mode in ("out_of_scope_entity", "ask_first"):
        ending: Ending = "asked" if made.mode == "ask_first" else "out_of_scope_entity"
        draft = Draft(audit={"mode": made.mode})
        return Answered(made.question, ending, made.mode, route, options=options, draft=draft)
    if route == "narrative":
        return _narrative(state, question, today)
    structured = _structured(state, understood, question, today, options)
    if route != "composite":
        return structured
    return _with_passages(state, structured, question, today)


def _table(state: State, table: Mapping[str, Any], language: Language, today: date) -> Answered:
    """The answer of a table, in the language of the question."""
    result, draft = query_table(state, TableArguments(**table), today)
    told = {"de": result.answer_in_german, "zh": result.answer_in_chinese}.get(language)
    return Answered(
        told or result.answer,
        result.status,
        "none",
        "structured",
        note=" ".join(result.notes or ()),
        table=(table, result),
        draft=draft,
    )


def _computed(state: State, asked: Computed, question: str, today: date) -> Answered:
    """The shares or changes of values of the warehouse, in the language of the question."""
    language = asked_in(question)
    metric = state.tables.metrics[asked.metric][1]
    names = {
        WHOLE: say("everything", language),
        asked.metric: next(
            (one for one in metric.aliases if language != "en" and one in question),
            name_in(language, metric.label, metric.aliases, metric.labels),
        ),
    }
    request = GridRequest([asked.metric], asked.entities, asked.periods, derive=asked.derive,
                          share_of=asked.share_of)  # fmt: skip
    result, draft = query_grid(state, request, today)
    cells = [one for one in result.cells if one.period in asked.periods or one.status != "found"]
    earlier: list[Cell] = []
    if asked.compared_with:
        before = replace(request, periods=asked.compared_with, derive=(), share_of="")
        earlier = query_grid(state, before, today)[0].cells
    spoken = [
        cell.model_copy(update={"answer": value_sentence(cell, names, language)})
        if cell.status == "found" and language != "en"
        else cell
        for cell in cells
    ]
    guarded = guard(spoken, language=language, names=names)
    formulas = [_formula(names, one, language) for one in result.derived]
    # Of many shares the values that they are of say little.
    parts = [guarded.text, *formulas] if len(cells) <= _MOST_BEFORE else formulas or [guarded.text]
    parts.append(shares_together(result.derived, language))
    parts[:0] = check_premise(asked.premise, cells[-1:], earlier, names, language)
    if all(one.status == "found" for one in cells):
        parts += [_not_computed(one, language) for one in result.not_derived or ()]
    answered = Answered(
        " ".join(filter(None, parts)), cast("Ending", guarded.verdict), "none", asked.route,
        cells=tuple(cells), derived=tuple(result.derived),
        not_derived=tuple(result.not_derived or ()), sources=_sources(cells), draft=draft,
    )  # fmt: skip
    return (
        _with_passages(state, answered, question, today) if asked.route == "composite" else answered
    )


def _structured(
    state: State,
    understood: Understood,
    question: str,
    today: date,
    options: tuple[OptionItem, ...],
) -> Answered:
    intent, made = understood.intent, understood.clarification
    language = asked_in(question)
    names = names_in(state.profile, language, question)
    outcomes = [
        _spoken(one, names, language)
        for request in _requests(state.profile, intent, made.assumed_slots)
        for one in grid_outcomes(state, request, today)
    ]
    operations = cast("tuple[DerivedBy, ...]", intent.derive)
    asked = len(operands_of(outcomes))
    outcomes = _with_earlier(state, outcomes, operations, today, names, language)
    operands: list[Operand] = operands_of(outcomes)
    cells = tuple(one.cell for one in outcomes)
    computed, left = derive(
        state.profile, operations, operands[:asked], intent.share_of or "", cells, operands[asked:]
    )
    guarded = guard(cells, language=language, names=names)
    formulas = [_formula(names, one.item, language) for one in computed]
    before = earlier_of(state, understood, today)
    compared = [
        one
        for request in (_requests(state.profile, intent, made.assumed_slots) if before else ())
        for one in grid_outcomes(state, replace(request, periods=before), today)
    ]
    earlier = [one for one in compared if one.facts]
    premises = check_premise(intent.premise, cells, [one.cell for one in compared], names, language)
    values = [guarded.text]
    # What is computed of the ends of a long range answers, and the values between them show it.
    long = len(cells) > _MOST_BEFORE
    parts = [made.assumption_note, *premises, *(formulas + values if long else values + formulas)]
    parts.append(differing_days(state.profile, days_of_cells(cells), language))
    parts += [_not_computed(one, language) for one in left]
    return Answered(
        " ".join(filter(None, parts)),
        cast("Ending", guarded.verdict),
        made.mode,
        intent.route,
        made.assumption_note,
        options,
        cells,
        tuple(one.item for one in computed),
        tuple(left),
        (),
        _sources(cells),
        _proven(state, understood, [*outcomes, *earlier], computed, left),
    )


def _with_earlier(
    state: State,
    outcomes: list[Outcome],
    operations: tuple[DerivedBy, ...],
    today: date,
    names: dict[str, str],
    language: Language,
) -> list[Outcome]:
    """The outcomes with those that growth is told from; what is missing alone if one is missing."""
    if not {"growth", "growth_previous"} & set(operations):
        return outcomes
    request = GridRequest((), (), (), derive=operations)
    earlier = earlier_outcomes(state, request, outcomes, today)
    every = [*outcomes, *(_spoken(one, names, language) for one in earlier)]
    missing = [one for one in every if not one.facts]
    return missing or every


def _proven(
    state: State,
    understood: Understood,
    outcomes: Sequence[Outcome],
    computed: Sequence[Derived],
    left: Sequence[NotDerivedItem],
) -> Draft:
    """The record of a structured answer, with the differences that show how a premise stands."""
    differences: list[Derived] = []
    if understood.intent.premise:
        differences, _ = derive(state.profile, ("delta",), operands_of(outcomes))
    known = {(one.item.operation, one.operands) for one in computed}
    shown = [one for one in differences if (one.item.operation, one.operands) not in known]
    derivations = derivations_of((*computed, *shown))
    draft = prove(state, outcomes, derivations, entities_named(state.profile, left))
    assumed = assumptions(state, understood.clarification.assumed_slots)
    return replace(draft, statements=(*draft.statements, *assumed))


def _not_computed(one: NotDerivedItem, language: Language) -> str:
    """Why something was not computed; a reason without words in the language is told in general."""
    if language == "en":
        end = "" if one.reason.endswith("?") else "."
        return f"{one.operation}: {one.reason}{end}"
    told = one.reason_in_chinese if language == "zh" else one.reason_in_german
    name = say(f"named_{one.operation}", language)
    return say("left_out", language, operation=name, reason=told or say("cannot", language))


def _formula(names: dict[str, str], item: DerivedItem, language: Language) -> str:
    """The computation; of a share with what is a share of what."""
    if item.operation in ("percent_change", "cagr"):
        return _change(names, item, language)
    if item.operation in ("share_delta", "ratio_delta"):
        return _difference(names, item, language)
    if item.operation != "share":
        return say("computed", language, formula=formula_in(item.formula, language))
    part = item.operands[0]
    one, *others = [names.get(each.entity, each.entity) for each in item.operands]
    if others and others[0] == one:
        one, *others = [names.get(each.channel, each.channel) for each in item.operands]
    if item.whole == SUM_OF_LISTED:
        others = [one, *others]
    said = phrases(language)
    about = said.share.format(
        part=one,
        whole=said.added.join(others),
        metric=_metric(item, names, language),
        period=part.period,
    )
    return say("share_is", language, about=about, formula=formula_in(item.formula, language))


def _change(names: dict[str, str], item: DerivedItem, language: Language) -> str:
    """A change with what changed, from when to when, and how it is computed."""
    later, earlier = item.operands
    metric, entity = (names.get(one, one) for one in (later.metric, later.entity))
    if later.channel != TOTAL:
        metric += say("part", language, channel=names.get(later.channel, later.channel))
    said = getattr(phrases(language), "growth" if item.operation == "percent_change" else "yearly")
    return said.format(
        metric=metric,
        entity=entity,
        earlier=earlier.period,
        later=later.period,
        formula=formula_in(item.formula, language),
    )


def _difference(names: dict[str, str], item: DerivedItem, language: Language) -> str:
    """The difference of two shares or ratios, with which is more and how it is computed."""
    half = len(item.operands) // 2
    one, other = item.operands[0], item.operands[half]
    by_channel = one.entity == item.operands[1].entity
    part, against, beside = (
        names.get(each.channel, each.channel) if by_channel else names.get(each.entity, each.entity)
        for each in (one, item.operands[1], other)
    )
    whole = item.operands[half - 1]
    sign = (Decimal(item.value) > 0) - (Decimal(item.value) < 0)
    key = "gap" if one.period == other.period else item.operation
    return say(
        f"{key}_{('same', 'up', 'down')[sign]}",
        language,
        metric=names.get(one.metric, one.metric)
        if not by_channel
        else say("metric_of", language, metric=names.get(one.metric, one.metric),
                 entity=names.get(one.entity, one.entity)),
        part=part,
        other=against if key == "ratio_delta" else beside,
        whole=names.get(whole.channel if by_channel else whole.entity, item.whole or ""),
        earlier=other.period,
        later=one.period,
        value=_unsigned(item, language),
        formula=formula_in(item.formula, language),
    )  # fmt: skip


def _unsigned(item: DerivedItem, language: Language) -> str:
    return amount(abs(Decimal(item.value)), item.unit, language)


def _metric(item: DerivedItem, names: dict[str, str], language: Language) -> str:
    """The metric of a share, with the channel that all of its operands are of."""
    channels = {one.channel for one in item.operands}
    metric, channel = (names.get(one, one) for one in (item.operands[0].metric, min(channels)))
    if len({one.entity for one in item.operands}) == 1:
        entity = names.get(item.operands[0].entity, item.operands[0].entity)
        if CJK_RUN.search(metric):
            return f"{entity}{metric}"
        return say("metric_of", language, metric=metric, entity=entity)
    return metric if len(channels) > 1 or channels == {TOTAL} else f"{metric} ({channel})"


def _requests(
    profile: Profile, intent: ParsedIntent, assumed: dict[str, str]
) -> Iterator[GridRequest]:
    """The grids that a complete question asks for: one for the metrics of each kind of entity.

    One name may stand for an entity of each kind, and a metric is of one kind only.
    """
    kinds = dict.fromkeys(profile.metric_by_code[code].kind for code in intent.metrics)
    entities = intent.entities or (assumed["entity"],)
    for kind in kinds:
        yield GridRequest(
            metrics=[one for one in intent.metrics if profile.metric_by_code[one].kind == kind],
            entities=[one for one in entities if profile.entity_by_code[one].kind == kind],
            periods=[one.raw for one in intent.periods] or [assumed["period"]],
            channels=intent.channels or (TOTAL,),
        )


def _spoken(outcome: Outcome, names: dict[str, str], language: Language) -> Outcome:
    """An outcome whose sentence is in the language of the question."""
    cell = outcome.cell
    if language == "en" or not outcome.facts or cell.period is None:
        return outcome
    said = value_sentence(cell, names, language)
    return Outcome(cell.model_copy(update={"answer": said}), outcome.facts, outcome.period)


def names_in(profile: Profile, language: Language, question: str = "") -> dict[str, str]:
    """Names for people of all codes.

    German names are those that the question uses, those of the profile, and those of countries.
    """
    told: dict[str, tuple[str, Named]] = {one.code: (one.name, one) for one in profile.entities}
    told |= {one.code: (one.label, one) for one in profile.metrics}
    told |= {code: (one.label, one) for code, one in profile.channel_by_code.items()}
    used = set(_WORD.findall(question)) if language == "de" else set[str]()
    return {
        code: next(
            (alias for alias in one.aliases if alias in used),
            name_in(language, name, one.aliases, one.labels),
        )
        for code, (name, one) in told.items()
    }


def _sources(cells: Sequence[Cell]) -> tuple[SourceItem, ...]:
    return tuple(cell.source for cell in cells if cell.source is not None)


def _narrative(state: State, question: str, today: date) -> Answered:
    result, draft = search_narrative(state, PassageRequest(question, limit=_PASSAGES), today)
    if result.status == "found":
        text = "\n".join(f"“{one.text}” ({one.doc}, {one.locator})" for one in result.passages)
        sources = tuple(SourceItem(doc=one.doc, locator=one.locator) for one in result.passages)
        return Answered(
            text, "quoted", "none", "narrative",
            passages=tuple(result.passages), sources=sources, draft=draft or Draft(),
        )  # fmt: skip
    return Answered(result.answer, "empty", "none", "narrative", draft=draft or Draft())


def _with_passages(state: State, structured: Answered, question: str, today: date) -> Answered:
    """A structured answer with what documents say of the same."""
    # What explains a subsidiary's figure may stand in a report of its group.
    request = PassageRequest(question, limit=_PASSAGES)
    result, draft = search_narrative(state, request, today)
    if result.status != "found":
        return structured
    quoted = "\n".join(f"“{one.text}” ({one.doc}, {one.locator})" for one in result.passages)
    sources = tuple(SourceItem(doc=one.doc, locator=one.locator) for one in result.passages)
    quoted_draft, own = draft or Draft(), structured.draft
    proven = replace(
        own,
        values=(*own.values, *quoted_draft.values),
        audit={**own.audit, "narrative": dict(quoted_draft.audit)},
        statements=(*own.statements, *quoted_draft.statements),
    )
    return Answered(
        f"{structured.text}\n{quoted}",
        structured.ending,
        structured.mode,
        structured.route,
        structured.note,
        structured.options,
        structured.cells,
        structured.derived,
        structured.not_derived,
        tuple(result.passages),
        (*structured.sources, *sources),
        proven,
    )
