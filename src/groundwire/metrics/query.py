"""`query_metric`: one fact, or an honest no. Exactly one of three statuses, whatever was sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

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
    QueryResult,
    ResolvedItem,
    SourceItem,
)
from groundwire.metrics.wording import exact, listed, number, sentence, subject, with_unit
from groundwire.quantities import Period, PeriodGrain, PeriodReading, interval_period

_MOST_PERIODS = 24
_MOST_ENTITIES = 20
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
    outcome = look_up(state, sent, today)
    return QueryResult(**dict(outcome.cell)), prove(state, [outcome])


def look_up(state: State, sent: Arguments, today: date) -> Outcome:
    """The outcome of one query, with the facts where any were found."""
    read = read_arguments(state, sent, today)
    if isinstance(read, Cell):
        return Outcome(read)
    if read.period.kind in ("several", "since"):
        return Outcome(_several(read))
    return answer(state, read)


def answer(state: State, read: Read) -> Outcome:
    """The outcome for arguments that were understood, of one period or the latest."""
    period = read.period.periods[0] if read.period.periods else _latest(state, read)
    if period is None:
        return Outcome(_not_found(state, read, None))
    facts = _facts(state, read, period)
    if not facts:
        return Outcome(_not_found(state, read, period))
    return Outcome(_found(state, read, period, facts), facts, period)


def _facts(state: State, read: Read, period: Period) -> tuple[Fact, ...]:
    """The facts of a period: of its very days, else of what its name stands for."""
    key = (read.metric.code, read.entity, read.channel)
    facts = state.store.lookup(*key, period.start, period.end, read.as_of)
    if not facts and read.metric.measure == "stock" and period.start != period.end:
        # A stock is reported for the last day of a period.
        facts = state.store.lookup(*key, period.end, period.end, read.as_of)
    if not facts and period.fiscal:
        # Fiscal years of 52 or 53 weeks end near the day that the calendar has.
        alike = [
            interval
            for interval in state.store.intervals(*key, read.as_of)
            if _named(state, read, interval).label == period.label
        ]
        if len(alike) == 1:
            facts = state.store.lookup(*key, alike[0].start, alike[0].end, read.as_of)
    return tuple(facts)


def _latest(state: State, read: Read) -> Period | None:
    """The newest period that has the fact, of the grain asked for or else the usual one."""
    key = (read.metric.code, read.entity, read.channel)
    return newest_period(state, *key, grain=read.grain, as_of=read.as_of)


def newest_period(
    state: State,
    metric: str,
    entity: str,
    channel: str,
    *,
    grain: PeriodGrain | None = None,
    as_of: date | None = None,
) -> Period | None:
    """The newest period that has a fact: of a grain, or of the first of the metric's that has one.

    Args:
        state: the fact base.
        metric: controlled code.
        entity: controlled code.
        channel: controlled code.
        grain: the grain that is asked for; None for the usual one.
        as_of: the day whose knowledge is asked for; None for now.
    """
    known = state.profile.metric_by_code[metric]
    calendar = state.profile.calendar(entity)
    periods = [
        interval_period(one.start, one.end, calendar)
        for one in state.store.intervals(metric, entity, channel, as_of)
    ]
    for wanted in [grain] if grain else [*known.grains, None]:
        for period in periods:
            at_a_day = known.measure == "stock" and period.start == period.end
            if wanted is None or period.grain == wanted or at_a_day:
                return period
    return None


def _named(state: State, read: Read, interval: Interval) -> Period:
    return interval_period(interval.start, interval.end, state.profile.calendar(read.entity))


def _resolved(read: Read, period: Period | None) -> list[ResolvedItem]:
    how = read.period.note or ("latest with a fact" if read.period.kind == "latest" else "read")
    label = period.label if period else "latest"
    first, second, *rest = read.resolved
    when = ResolvedItem(param="period", raw=read.period.raw, resolved=label, how=how)
    return [first, second, when, *rest]


def _found(state: State, read: Read, period: Period, facts: tuple[Fact, ...]) -> Cell:
    fact, others = facts[0], facts[1 : 1 + _MOST_CONFLICTS]
    said = sentence(state.profile, (fact, *others), period.label)
    return Cell(
        answer=said,
        status="found",
        value=number(fact.value),
        value_text=exact(fact.value),
        unit=fact.unit,
        metric=fact.metric,
        entity=fact.entity,
        period=period.label,
        channel=fact.channel,
        interval=_interval(state, read, fact),
        source=source(fact),
        as_of=fact.as_of.isoformat(),
        conflicts=[
            ConflictItem(
                value_text=exact(one.value), source=source(one), as_of=one.as_of.isoformat()
            )
            for one in others
        ]
        or None,
        resolved=_resolved(read, period),
    )


def _interval(state: State, read: Read, fact: Fact) -> IntervalItem:
    named = _named(state, read, Interval(fact.start, fact.end))
    return IntervalItem(start=fact.start.isoformat(), end=fact.end.isoformat(), grain=named.grain)


def source(fact: Fact) -> SourceItem:
    """Where a fact is from, as answers show it."""
    return SourceItem(
        doc=fact.source.doc,
        locator=fact.source.locator,
        raw=fact.source.raw or None,
        publisher=fact.source.publisher or None,
        doc_hash=fact.source.doc_hash,
    )


def _not_found(state: State, read: Read, period: Period | None) -> Cell:
    metric, key = read.metric, (read.metric.code, read.entity, read.channel)
    label = period.label if period else read.period.raw
    periods = [
        _named(state, read, interval).label
        for interval in state.store.intervals(*key, read.as_of)[:_MOST_PERIODS]
    ]
    entities = list(state.store.entities(metric.code, period.start, period.end)) if period else []
    named = period.label if period else ""
    what = subject(state.profile, metric.code, read.entity, read.channel, named)
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
    if period and period.grain not in metric.grains and not known_from:
        grains = listed([grain.replace("_", " ") for grain in metric.grains])
        said += f"; {metric.label} is held by {grains}"
    said += f". Periods that are held: {listed(periods)}." if periods else "."
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
            entities=[one for one in entities if one != read.entity][:_MOST_ENTITIES],
            channels=list(state.store.channels(metric.code, read.entity)),
            known_from=known_from,
        ),
        resolved=_resolved(read, period),
    )


def within(state: State, read: Read) -> list[Read]:
    """One query for each period of a range; of an open one for each that has the fact."""
    periods = read.period.periods
    if read.period.kind == "since":
        first = periods[0]
        intervals = state.store.intervals(read.metric.code, read.entity, read.channel, read.as_of)
        named = [_named(state, read, one) for one in intervals]
        periods = tuple(
            one for one in reversed(named) if one.grain == first.grain and one.start >= first.start
        ) or (first,)
    return [
        replace(read, period=PeriodReading("single", (one,), None, read.period.raw, ""))
        for one in periods
    ]


def _several(read: Read) -> Cell:
    """A range of periods, which one value cannot answer."""
    offered = [
        CandidateItem(value=one.label, label=one.label)
        for one in read.period.periods[:_MOST_PERIODS]
    ]
    return refusal(
        "period",
        read.period.raw,
        "unsupported",
        f"{with_unit(read.period.raw, '')} is more than one period: send one of them, or send them "
        "all to query_metric_grid.",
        offered,
    )
