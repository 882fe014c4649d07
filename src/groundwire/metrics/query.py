"""`query_metric`: one fact, or an honest no. Exactly one of three statuses, whatever was sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, cast

from groundwire.evidence.answers import ResolvedItem
from groundwire.evidence.records import Draft
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Interval
from groundwire.metrics.proof import Outcome, prove
from groundwire.metrics.reading import Arguments, Read, read_arguments, refusal
from groundwire.metrics.results import (
    AvailableItem,
    CandidateItem,
    Cell,
    ConflictItem,
    IntervalItem,
    OperandItem,
    QueryResult,
    SourceItem,
)
from groundwire.metrics.standing import (
    facts_for,
    fiscal_beside,
    held_beside,
    label_with_days,
    named,
    newest_period,
    periods_since,
)
from groundwire.metrics.terms import MOST_ENTITIES, MOST_PERIODS
from groundwire.metrics.wording import exact, listed, number, sentence, subject, with_unit
from groundwire.quantities import Period, PeriodGrain, PeriodReading

if TYPE_CHECKING:
    from groundwire.metrics.formula_facts import Computed, FormulaFacts

_MOST_CONFLICTS = 10


def query_metric(state: State, sent: Arguments, today: date) -> tuple[QueryResult, Draft]:
    """Answer one query.

    Args:
        state: the fact base.
        sent: the arguments as they came.
        today: the day that relative periods count from.

    Returns:
        the outcome and what is recorded of it.

    Raises:
        UnavailableError: the store cannot be read.
    """
    if state.warehouse is not None and state.tables.may_ask_warehouse(sent.metric):
        from groundwire.metrics.table.single import query_warehouse

        answered = query_warehouse(state, sent, today)
        if answered is not None:
            return answered
    if state.warehouse is not None:
        sent = replace(sent, metric=sent.metric.removeprefix("facts:"))
    outcome = look_up(state, sent, today)
    return QueryResult(**dict(outcome.cell)), prove(state, [outcome])


def look_up(state: State, sent: Arguments, today: date) -> Outcome:
    """The outcome of one query, with the facts where any were found."""
    read = read_arguments(state, sent, today)
    if isinstance(read, Cell):
        return refused(state, sent, read)
    if read.period.kind in ("several", "since"):
        return Outcome(_several(read))
    return answer(state, read)


def refused(state: State, sent: Arguments, cell: Cell) -> Outcome:
    """The outcome of arguments of which one was refused."""
    metric = state.names.metric(sent.metric).term if cell.param in ("entity", "channel") else None
    return Outcome(cell, metric=metric.id if metric else "")


def answer(state: State, read: Read) -> Outcome:
    """The outcome for arguments that were understood, of one period or the latest."""
    period = read.period.periods[0] if read.period.periods else _latest(state, read)
    facts = facts_for(state, read, period) if period else ()
    if period is None or not facts:
        grains = tuple(_grains(state, read))
        return Outcome(_not_found(state, read, period, grains), (), period, read.grain, grains)
    return Outcome(_found(state, read, period, facts), facts, period)


def _latest(state: State, read: Read) -> Period | None:
    """The newest period that has the fact, of the grain asked for or else the usual one."""
    key = (read.metric.code, read.entity, read.channel)
    return newest_period(state, *key, grain=read.grain, as_of=read.as_of)


def _resolved(read: Read, period: Period | None, stands: str = "") -> list[ResolvedItem]:
    how = read.period.note or ("latest with a fact" if read.period.kind == "latest" else "read")
    if stands:
        how = stands if how == "read" else f"{how}; {stands}"
    label = period.label if period else "latest"
    first, second, *rest = read.resolved
    when = ResolvedItem(param="period", raw=read.period.raw, resolved=label, how=how)
    return [first, second, when, *rest]


def _found(state: State, read: Read, period: Period, facts: tuple[Fact, ...]) -> Cell:
    fact, others = facts[0], facts[1 : 1 + _MOST_CONFLICTS]
    held = named(state, read.entity, Interval(fact.start, fact.end))
    label = label_with_days(period.label, held.start, held.end, "en")
    said = sentence(state.profile, (fact, *others), label)
    computed = computed_of(state, fact, read.as_of)
    return Cell(
        answer=said,
        formula=computed.formula if computed else None,
        exact=computed.exact if computed else None,
        operands=[
            OperandItem(
                metric=one.metric,
                entity=one.entity,
                channel=one.channel,
                period=named(state, one.entity, Interval(one.start, one.end)).label,
                value_text=exact(one.value),
                unit=one.unit,
            )
            for one in computed.operands
        ]
        if computed
        else None,
        status="found",
        value=number(fact.value),
        value_text=exact(fact.value),
        unit=fact.unit,
        metric=fact.metric,
        entity=fact.entity,
        period=period.label,
        channel=fact.channel,
        interval=_interval(held),
        source=source(fact),
        as_of=fact.as_of.isoformat(),
        conflicts=[
            ConflictItem(
                value_text=exact(one.value), source=source(one), as_of=one.as_of.isoformat()
            )
            for one in others
        ]
        or None,
        resolved=_resolved(read, period, _stands_for(period, held)),
    )


def computed_of(state: State, fact: Fact, as_of: date | None) -> Computed | None:
    """Return how the value of a formula metric was computed, or None for a held one."""
    if not state.profile.metric_by_code[fact.metric].formula:
        return None
    store = cast("FormulaFacts", state.store)
    key = (fact.metric, fact.entity, fact.channel, fact.start, fact.end)
    return store.computed(*key, as_of)


def _stands_for(period: Period, held: Period) -> str:
    """Return how a fact of other days answers for a period; "" where the days are the same."""
    if (held.start, held.end) == (period.start, period.end) or held.label == period.label:
        return ""
    if period.start == period.end:
        return f"the last day of {held.label}"
    return f"its last day, {held.label}" if held.start == held.end else ""


def _interval(period: Period) -> IntervalItem:
    return IntervalItem(
        start=period.start.isoformat(), end=period.end.isoformat(), grain=period.grain
    )


def source(fact: Fact) -> SourceItem:
    """Return where a fact is from, in the form that answers show."""
    return SourceItem(
        doc=fact.source.doc,
        locator=fact.source.locator,
        raw=fact.source.raw or None,
        publisher=fact.source.publisher or None,
        doc_hash=fact.source.doc_hash,
    )


def _not_found(
    state: State, read: Read, period: Period | None, grains: tuple[PeriodGrain, ...]
) -> Cell:
    metric, key = read.metric, (read.metric.code, read.entity, read.channel)
    label = period.label if period else read.period.raw
    held = state.store.intervals(*key, read.as_of)
    periods = [named(state, read.entity, one).label for one in held[:MOST_PERIODS]]
    what = subject(
        state.profile, metric.code, read.entity, read.channel, period.label if period else ""
    )
    if period is None and read.grain:
        what += f" by {read.grain.replace('_', ' ')}"
    known_from = None
    said = f"No fact is held of {what}"
    if read.as_of:
        said += f" as known on {read.as_of.isoformat()}"
        first = state.store.first_known(*key, period.start, period.end) if period else None
        if first is not None and first > read.as_of:
            known_from = first.isoformat()
            said += f"; it is known from {known_from}"
    if period and period.grain not in metric.grains and grains and not known_from:
        told = listed([grain.replace("_", " ") for grain in grains])
        said += f"; {metric.label} is held by {told}"
    channels = _channels(state, read, period)
    if channels and read.channel not in channels:
        labels = [state.profile.channel_by_code[one].label for one in channels]
        said += f"; it is held by channel: {listed(labels)}"
    said += f". Periods that are held: {listed(periods)}." if periods else "."
    entities = _others_with(state, read, period) if period else []
    beside = fiscal_beside(state.profile, state.store, key, period, read.as_of) if period else ()
    if beside:
        said += f" {held_beside(state.profile, read.entity, beside, 'en')}"
    normalized = {
        "metric": metric.code,
        "entity": read.entity,
        "period": label,
        "channel": read.channel,
    }
    if read.as_of:
        normalized["as_of"] = read.as_of.isoformat()
    return Cell(
        answer=said,
        status="not_found",
        normalized=normalized,
        available=AvailableItem(
            periods=periods,
            entities=entities[:MOST_ENTITIES],
            channels=channels,
            known_from=known_from,
            left_out=_left_out(state, read, held, entities),
        ),
        resolved=_resolved(read, period),
    )


def _left_out(
    state: State, read: Read, held: Sequence[Interval], entities: Sequence[str]
) -> str | None:
    """Say which periods and entities that are held are not listed; None where all are."""
    parts: list[str] = []
    if len(held) > MOST_PERIODS:
        parts.append(f"earlier periods, back to {named(state, read.entity, held[-1]).label}")
    if len(entities) > MOST_ENTITIES:
        parts.append("more entities: list_dimension_values has them all")
    return "; ".join(parts) or None


def _grains(state: State, read: Read) -> list[PeriodGrain]:
    """The grains of a metric in which this series of it is held, the usual one first."""
    key = (read.metric.code, read.entity, read.channel)
    held = {named(state, read.entity, one).grain for one in state.store.intervals(*key, read.as_of)}
    return [one for one in read.metric.grains if one in held]


def _channels(state: State, read: Read, period: Period | None) -> list[str]:
    """The channels that hold the metric of this entity, for the very period that was asked for."""
    known = state.store.channels(read.metric.code, read.entity)
    if period is None:
        return list(known)
    return [one for one in known if facts_for(state, replace(read, channel=one), period)]


def _others_with(state: State, read: Read, period: Period) -> list[str]:
    """Other entities that have a fact of the channel and period, as known on the day asked for.

    There is one more than are shown where these are not all.
    """
    found = (
        one
        for one in state.store.entities(read.metric.code, period.start, period.end)
        if one != read.entity
    )
    key = (read.channel, period.start, period.end)
    first_known = state.store.first_known
    known = ((one, first_known(read.metric.code, one, *key)) for one in islice(found, 500))
    day = read.as_of or date.max
    every = (one for one, first in known if first and first <= day)
    return list(islice(every, MOST_ENTITIES + 1))


def within(state: State, read: Read) -> list[Read]:
    """Return one query for each period of a range; of an open one for each that has the fact."""
    periods = read.period.periods
    if read.period.kind == "since":
        periods = periods_since(state, read, periods[0]) or periods[:1]
    return [
        replace(read, period=PeriodReading("single", (one,), None, read.period.raw, ""))
        for one in periods
    ]


def _several(read: Read) -> Cell:
    """Return the refusal of a range of periods, which one value cannot answer."""
    offered = [
        CandidateItem(value=one.label, label=one.label)
        for one in read.period.periods[:MOST_PERIODS]
    ]
    return refusal(
        "period",
        read.period.raw,
        "unsupported",
        f"{with_unit(read.period.raw, '')} is more than one period: send one of them, or send them "
        "all to query_metric_grid.",
        offered,
    )
