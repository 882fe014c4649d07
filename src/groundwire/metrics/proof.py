"""What the record of an answer holds, so that a sentence about it can be checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.evidence.records import Derivation, Draft, Value
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.results import Cell
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import exact
from groundwire.quantities import CALENDAR_YEAR, Period, interval_period

_MOST_TERMS = 150
_FISCAL_GRAINS = ("year", "half", "quarter", "nine_months")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of the tri-state with what it was made from.

    Attributes:
        cell: the outcome as the caller sees it.
        facts: the fact that answers, then those of sources that differ; empty unless found.
        period: the period that was answered for, or None.
    """

    cell: Cell
    facts: tuple[Fact, ...] = ()
    period: Period | None = None


def prove(
    state: State,
    outcomes: Sequence[Outcome],
    derivations: Sequence[Derivation] = (),
) -> Draft:
    """The record of some outcomes: their values with lineage, and the others by status.

    Args:
        state: the fact base that answered.
        outcomes: each outcome; the values of those that were found come first, in this order,
            then those of sources that differ, then the documents.
        derivations: what was computed; operands are positions among the values found.
    """
    found = [one for one in outcomes if one.facts]
    values = [_value(state, one.cell, one.facts[0]) for one in found]
    values += [_value(state, one.cell, other) for one in found for other in one.facts[1:]]
    values += documents(fact.source.doc for one in found for fact in one.facts)
    return Draft(
        values=tuple(values),
        derivations=tuple(derivations),
        audit={
            "profile": state.profile.profile.name,
            "outcomes": [_line(one) for one in outcomes],
        },
        vocabulary=_terms(state, found),
    )


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
        period=" = ".join(_periods(state, cell, fact)) or None,
        source=f"{fact.source.doc}, {fact.source.locator}",
    )


def _periods(state: State, cell: Cell, fact: Fact) -> tuple[str, ...]:
    """Every name of the days of a fact: FY2024 is 2024, or 2024-04-01 to 2025-03-31."""
    own = state.profile.calendar(fact.entity)
    named = [interval_period(fact.start, fact.end, one) for one in (own, CALENDAR_YEAR)]
    labels = [cell.period or "", *(one.label for one in named)]
    if own.is_calendar_year and named[0].grain in _FISCAL_GRAINS:
        labels.append(f"FY{named[0].label}")
    return tuple(dict.fromkeys(filter(None, labels)))


def documents(names: Iterable[str]) -> list[Value]:
    """Documents as values, so that a name inside of theirs is not taken for what it names."""
    return [Value("document", name, "name") for name in dict.fromkeys(names)]


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


def _terms(state: State, found: Sequence[Outcome]) -> tuple[str, ...]:
    """Other names of the same vocabularies: a sentence that uses one is about something else."""
    kinds = {state.profile.metric_by_code[one.facts[0].metric].kind for one in found}
    names = [one.label for one in state.profile.metrics if one.kind in kinds]
    names += [one.name for one in state.profile.entities if one.kind in kinds]
    return tuple(dict.fromkeys(names))[:_MOST_TERMS]
