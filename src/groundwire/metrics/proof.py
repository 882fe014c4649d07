"""Every answer is built from the facts, and its record proves what it says.

The guard against fabrication has a rule for each path (seed 001), which holds in control flow:

- something was found: the answer is built from the facts;
- nothing was found and something is not held: a fixed refusal without any number;
- only unrecognized parameters: the parameter is named;
- no tool result at all: a refusal.

The text of a model is not checked here: the agents hold that against the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, cast

from groundwire.evidence.records import Derivation, Draft, Value
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.results import Cell, DerivedItem
from groundwire.metrics.standing import label_with_days
from groundwire.metrics.statements import period_names, statements
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, amount, exact, say
from groundwire.quantities import Period, PeriodGrain, find_quantities
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.metrics.formula_facts import FormulaFacts


_MOST_TERMS = 150
_MOST_PERIODS = 480
# A text of a few hundred characters is searched for dates by the check of a draft.
_PERIODS_OF_ONE = 8
_FEW_ENTITIES = 12
_NOT_ADDED = ("holds", "within", "overlap")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of the tri-state with what it was made from.

    Attributes:
        cell: the outcome as the caller sees it.
        facts: the fact that answers, then those of sources that differ; empty unless found.
        period: the period that was answered for, or None.
        grain: the grain that the latest period was asked for with, or None.
        grains: the grains in which the series of a fact that is not held is held.
        metric: code of the metric that a refused argument was sent with, or "".
    """

    cell: Cell
    facts: tuple[Fact, ...] = ()
    period: Period | None = None
    grain: PeriodGrain | None = None
    grains: tuple[PeriodGrain, ...] = ()
    metric: str = ""


def prove(
    state: State,
    outcomes: Sequence[Outcome],
    derivations: Sequence[Derivation] = (),
    names: Sequence[str] = (),
) -> Draft:
    """The record of some outcomes: their values with lineage, and the others by status.

    Args:
        state: the fact base that answered.
        outcomes: each outcome; the values of those that were found come first, in this order,
            then those of sources that differ, then the documents and the periods that are named
            without a value.
        derivations: what was computed; operands are positions among the values found.
        names: entities that the answer names without a value of theirs.
    """
    found = [one for one in outcomes if one.facts]
    values = [_value(state, one.cell, one.facts[0]) for one in found]
    values += [_value(state, one.cell, other) for one in found for other in one.facts[1:]]
    operands, worked = _formulas(state, found, len(values))
    values += operands
    values += documents(fact.source.doc for one in found for fact in one.facts)
    values += [Value("named entity", one, "name") for one in names]
    values += _named_periods(one.cell for one in outcomes)
    return Draft(
        values=tuple(values),
        derivations=(*derivations, *worked),
        audit={
            "profile": state.profile.profile.name,
            "outcomes": [_line(one) for one in outcomes],
        },
        vocabulary=_terms(state, found),
        overlaps=_overlaps(state, found),
        statements=tuple(statements(state, outcomes)),
    )


def _formulas(
    state: State, found: Sequence[Outcome], first: int
) -> tuple[list[Value], list[Derivation]]:
    """The operands of what was computed by a formula, and each quotient of two as a derivation.

    Args:
        state: the fact base that answered.
        found: the outcomes with facts.
        first: the position that the first operand takes among the values.
    """
    values: list[Value] = []
    worked: list[Derivation] = []
    for outcome in found:
        fact = outcome.facts[0]
        operands = operands_of_formula(state, fact)
        if not operands:
            continue
        at = first + len(values)
        values += [_value(state, outcome.cell, one) for one in operands]
        if len(operands) == 2 and state.profile.metric_by_code[fact.metric].is_quotient:
            operation = "share" if fact.unit == "%" else "ratio"
            worked.append(
                Derivation(
                    operation, (at, at + 1), exact(fact.value), fact.unit or None,
                    outcome.cell.formula or "",
                )
            )  # fmt: skip
    return values, worked


def operands_of_formula(state: State, fact: Fact) -> tuple[Fact, ...]:
    """The facts that a fact of a formula metric was computed from; none for one that is held."""
    if not state.profile.metric_by_code[fact.metric].formula:
        return ()
    store = cast("FormulaFacts", state.store)
    key = (fact.metric, fact.entity, fact.channel, fact.start, fact.end)
    made = store.computed(*key, fact.as_of)
    return made.operands if made else ()


def _value(state: State, cell: Cell, fact: Fact) -> Value:
    metric = state.profile.metric_by_code[fact.metric]
    entity = state.profile.entity_by_code[fact.entity]
    labels = [metric.label, *metric.aliases, entity.code, *entity.aliases]
    name = fact.metric
    if fact.channel != TOTAL:
        channel = state.profile.channel_by_code[fact.channel]
        name = f"{fact.metric} {fact.channel}"
        labels += [channel.label, *channel.aliases]
    return Value(
        name,
        exact(fact.value),
        unit=fact.unit or None,
        entity=entity.name,
        labels=tuple(dict.fromkeys(labels)),
        period=" = ".join(period_names(state, cell, fact)) or None,
        source=f"{fact.source.doc}, {fact.source.locator}",
    )


def documents(names: Iterable[str]) -> list[Value]:
    """Documents as values, so that a name inside of theirs is not taken for what it names."""
    return [Value("document", name, "name") for name in dict.fromkeys(names)]


def _named_periods(cells: Iterable[Cell]) -> Iterator[Value]:
    """Periods that answers name without a value of theirs, so that they can be repeated.

    They are words, not numbers: "2024" among them proves no count of 2,024.
    """
    named = [one for cell in cells for one in _periods_without_value(cell)]
    every = list(dict.fromkeys(named))[:_MOST_PERIODS]
    # The number in "2024 first nine months" is part of a name.
    worded = [one for one in every if "months" in one]
    periods = [one for one in every if one not in worded]
    yield from (Value("named periods", one, "name") for one in worded)
    for first in range(0, len(periods), _PERIODS_OF_ONE):
        some = ", ".join(periods[first : first + _PERIODS_OF_ONE])
        yield Value("named periods", f"periods: {some}", "name")


def _periods_without_value(cell: Cell) -> Iterator[str]:
    if cell.normalized:
        yield cell.normalized["period"]
    if cell.available:
        yield from cell.available.periods
        yield from filter(None, [cell.available.known_from])
    if cell.param == "period":
        yield from (one.value for one in cell.candidates or ())


def _line(outcome: Outcome) -> dict[str, str]:
    """One line of the audit."""
    cell = outcome.cell
    if not outcome.facts:
        asked = cell.normalized or {"param": str(cell.param), "reason": str(cell.reason)}
        return {"status": cell.status, **asked}
    fact = outcome.facts[0]
    return {
        "status": cell.status,
        "key": f"{fact.metric} {fact.entity} {fact.channel} {fact.start} {fact.end}",
        "as_of": fact.as_of.isoformat(),
        "source": f"{fact.source.doc}, {fact.source.locator}",
        "raw": fact.source.raw,
        "doc_hash": fact.source.doc_hash,
    }


def _overlaps(state: State, found: Sequence[Outcome]) -> dict[str, tuple[str, ...]]:
    """By the name of each entity found the others whose values must not be added to its own.

    They are those found beside it, and where these are few also those of other answers.
    """
    profile, relation = state.profile, state.profile.membership.relation
    codes = list(dict.fromkeys(one.facts[0].entity for one in found))
    held: dict[str, tuple[str, ...]] = {}
    for code in codes:
        others = [one for one in codes if one != code and relation(one, code) in _NOT_ADDED]
        if len(codes) <= _FEW_ENTITIES:
            others += profile.membership.overlapping(code)
        names = dict.fromkeys(profile.entity_by_code[one].name for one in others)
        if names:
            held[profile.entity_by_code[code].name] = tuple(names)
    return held


def _terms(state: State, found: Sequence[Outcome]) -> tuple[str, ...]:
    """Other names of the same vocabularies: a sentence that uses one is about something else."""
    kinds = {state.profile.metric_by_code[one.facts[0].metric].kind for one in found}
    names = [one.label for one in state.profile.metrics if one.kind in kinds]
    names += [one.name for one in state.profile.entities if one.kind in kinds]
    return tuple(dict.fromkeys(names))[:_MOST_TERMS]


def beside(first: Draft, other: Draft) -> Draft:
    """The record of two answers in one: positions of the second are moved behind the first."""
    shift = len(first.values)
    statements = (
        one if one.value is None else replace(one, value=one.value + shift)
        for one in other.statements
    )
    derivations = (
        replace(one, operands=tuple(at + shift for at in one.operands)) for one in other.derivations
    )
    audits = [*first.audit.get("beside", ()), dict(other.audit)]
    return replace(
        first,
        values=(*first.values, *other.values),
        derivations=(*first.derivations, *derivations),
        audit={**first.audit, "beside": audits},
        vocabulary=tuple(dict.fromkeys((*first.vocabulary, *other.vocabulary))),
        overlaps={**first.overlaps, **other.overlaps},
        statements=(*first.statements, *statements),
    )


Verdict = Literal["found", "not_found", "unrecognized_param", "refused"]

# Any digit of any script: a figure that is written in another one is still a figure.
# Shares are rounded to six digits.
_ROUNDED = Decimal("0.001")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Guarded:
    """The answer that may be shown.

    Attributes:
        text: the answer.
        verdict: which path it took.
    """

    text: str
    verdict: Verdict


def guard(
    cells: Sequence[Cell],
    language: Language = "en",
    names: Mapping[str, str] | None = None,
) -> Guarded:
    """The answer that the outcomes of the tools allow.

    Args:
        cells: every outcome of `query_metric` of this turn.
        language: of the fixed sentences.
        names: of codes, for people; a code without one stands for itself.
    """
    found = [cell for cell in cells if cell.status == "found"]
    if found:
        said = [cell.answer for cell in cells if cell.status != "not_found"]
        missing = [cell for cell in cells if cell.status == "not_found"]
        said += [_missing(cell, language, names or {}) for cell in missing]
        return Guarded(" ".join(dict.fromkeys(said)), "found")
    if any(cell.status == "not_found" for cell in cells):
        channels = _by_channel(cells, language, names or {})
        return Guarded(f"{say('not_held', language)}{channels}", "not_found")
    if cells:
        text = " ".join(dict.fromkeys(cell.answer for cell in cells))
        return Guarded(text, "unrecognized_param")
    return Guarded(say("unproven", language), "refused")


def value_sentence(cell: Cell, names: Mapping[str, str], language: Language) -> str:
    """Return the sentence of a found value, with those of sources that differ.

    Args:
        cell: the outcome.
        names: of codes, for people.
        language: of the sentence.
    """
    assert cell.metric and cell.entity and cell.source and cell.value_text is not None
    metric = names.get(cell.metric, cell.metric)
    if cell.channel not in (None, TOTAL):
        metric += say("part", language, channel=names.get(str(cell.channel), str(cell.channel)))
    unit = cell.unit or ""
    differing = [
        say(
            "differs",
            language,
            doc=one.source.doc,
            value=amount(Decimal(one.value_text), unit, language),
        )
        for one in (cell.conflicts or ())[:3]
    ]
    period = str(cell.period)
    if cell.interval is not None:
        first, last = map(date.fromisoformat, (cell.interval.start, cell.interval.end))
        period = label_with_days(period, first, last, language)
    return say(
        "value",
        language,
        metric=metric,
        entity=names.get(cell.entity, cell.entity),
        period=period,
        value=amount(Decimal(cell.value_text), unit, language),
        doc=cell.source.doc,
        locator=cell.source.locator,
        differing=say("differing", language, values=say("listing", language).join(differing))
        if differing
        else "",
    )


def shares_together(derived: Sequence[DerivedItem], language: Language) -> str:
    """Return how much of the whole several shares are, where it is not all of it; else "".

    What has no value of the dimension that shares are told by is in the whole alone.
    """
    shares = [Decimal(one.value) for one in derived if one.operation == "share"]
    if len(shares) < 3 or len({(one.whole, one.operands[0].period) for one in derived}) > 1:
        return ""
    added = sum(shares, Decimal(0))
    if abs(added - 100) < _ROUNDED or added > 100:
        return ""
    told = amount(round(added, 4).normalize(), "%", language)
    return say("together", language, share=told)


def holds_figure(text: str) -> bool:
    """Whether a text holds a number, in digits or in words."""
    return bool(_DIGIT.search(text)) or bool(find_quantities(text))


def _by_channel(cells: Sequence[Cell], language: Language, names: Mapping[str, str]) -> str:
    """The channels that hold all that was asked for without one; "" where none does."""
    missing = [cell for cell in cells if cell.status == "not_found"]
    if any((cell.normalized or {}).get("channel", TOTAL) != TOTAL for cell in missing):
        return ""
    each = [cell.available.channels if cell.available else [] for cell in missing]
    held = [
        names.get(code, code)
        for code in (each[0] if each else ())
        if code != TOTAL and all(code in channels for channels in each)
    ]
    # The refusal holds no figure, and neither does a name in it.
    told = [safe_name(name) for name in dict.fromkeys(held) if not holds_figure(name)]
    if not told:
        return ""
    return say("by_channel", language, names=say("comma", language).join(told))


def _missing(cell: Cell, language: Language, names: Mapping[str, str]) -> str:
    """One sentence that names a missing cell."""
    asked = cell.normalized or {}
    metric, entity, channel = (
        names.get(asked.get(key, ""), asked.get(key, "")) for key in ("metric", "entity", "channel")
    )
    period = asked.get("period", "")
    part = ""
    if asked.get("channel", TOTAL) not in ("", TOTAL):
        part = say("part", language, channel=channel)
    return say("missing", language, metric=metric, part=part, entity=entity, period=period)
