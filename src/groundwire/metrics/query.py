"""`query_metric`: one fact, or an honest no. Exactly one of three statuses, whatever was sent.

Each argument is read to a controlled code or a period, or refused by name. Only exact, folded and
alias matches are applied: by likeness alone Ireland becomes Iceland. A near miss is refused with
candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

from groundwire.evidence.answers import ResolvedItem
from groundwire.evidence.records import Draft
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Interval
from groundwire.metrics.formula_facts import computed_of
from groundwire.metrics.profile import Metric
from groundwire.metrics.proof import Outcome, prove
from groundwire.metrics.results import (
    AvailableItem,
    CandidateItem,
    Cell,
    ConflictItem,
    IntervalItem,
    OperandItem,
    QueryResult,
    SourceItem,
    candidates,
    near_names,
    quoted,
    refusal,
)
from groundwire.metrics.standing import (
    facts_for,
    fiscal_beside,
    held_beside,
    label_with_days,
    named,
    newest_period,
)
from groundwire.metrics.terms import MOST_ENTITIES, MOST_PERIODS, Arguments, Read
from groundwire.metrics.wording import (
    exact,
    listed,
    number,
    sentence,
    subject,
    with_unit,
)
from groundwire.quantities import (
    Period,
    PeriodGrain,
    PeriodReading,
    read_day,
    read_period,
)
from groundwire.vocabulary import Resolution

_MOST_CONFLICTS = 10
LATEST = "latest"
# From here on it is a name with a wrong letter rather than a name with another word.
_MISSPELT = 0.9


def read_arguments(state: State, sent: Arguments, today: date) -> Read | Cell:
    """Read all arguments, or refuse the first that cannot be used.

    The gate screens each of them before anything else is looked at.
    """
    refused = _screened(state, sent)
    if refused is not None:
        return refused
    metric = _metric(state, sent.metric)
    if isinstance(metric, Cell):
        return metric
    chosen, how = metric
    entity = _entity(state, sent.entity, chosen)
    if isinstance(entity, Cell):
        return entity
    code, entity_how = entity
    found = state.names.channel(sent.channel, chosen.kind)
    if found.term is None:
        kind = state.profile.kinds[chosen.kind].label
        every = listed([one.label for one in state.names.channels[chosen.kind]], 12)
        return _unresolved("channel", found, f"is no channel of a {kind}", f"there is {every}")
    period = read_when(state, sent.period, code, today)
    if isinstance(period, Cell):
        return period
    as_of = _day(sent.as_of, today)
    if isinstance(as_of, Cell):
        return as_of
    resolved = [
        ResolvedItem(param="metric", raw=sent.metric, resolved=chosen.code, how=how),
        ResolvedItem(param="entity", raw=sent.entity, resolved=code, how=entity_how),
        ResolvedItem(param="channel", raw=sent.channel, resolved=found.term.id, how=found.how),
    ]
    if as_of is not None:
        resolved.append(
            ResolvedItem(param="as_of", raw=sent.as_of, resolved=as_of.isoformat(), how="read")
        )
    return Read(chosen, code, found.term.id, period, as_of, tuple(resolved))


def _screened(state: State, sent: Arguments) -> Cell | None:
    """The refusal of an argument that names an entity out of scope."""
    for param in ("metric", "entity", "period", "channel", "as_of"):
        raw = str(getattr(sent, param))
        screen = state.gate.screen(raw)
        if screen.hits:
            offered = _homes(state) if param == "entity" else []
            answer = state.gate.refusal(screen.hits[0])
            return refusal(param, raw, "out_of_scope_entity", answer, offered)
    return None


def _homes(state: State) -> list[CandidateItem]:
    """The home entities, which are offered in place of one that is out of scope."""
    codes = [kind.home for kind in state.profile.kinds.values() if kind.home]
    known = state.profile.entity_by_code
    return [CandidateItem(value=code, label=known[code].name) for code in codes]


def _metric(state: State, raw: str) -> tuple[Metric, str] | Cell:
    found = state.names.metric(raw)
    if found.term is not None:
        return state.profile.metric_by_code[found.term.id], found.how
    named = [one for one in state.mentions.find(raw) if one.kind == "metric"]
    misspelt = bool(found.candidates) and found.candidates[0].score >= _MISSPELT
    if found.how == "unknown" and named and not misspelt:
        # A metric is in it, but more than a metric: "revenue per employee", "GDP growth".
        codes = list(dict.fromkeys(code for one in named for code, _ in one.candidates))
        held = set(state.store.metrics())
        metrics = [state.profile.metric_by_code[code] for code in codes if code in held]
        told = f"held {'is' if len(metrics) == 1 else 'are'} {listed([m.label for m in metrics])}. "
        offered = [CandidateItem(value=one.code, label=one.label) for one in metrics]
        return refusal(
            "metric",
            raw,
            "unsupported",
            f"{quoted(raw)} is no metric that is held, and is not computed here"
            f"{f'; {told}' if metrics else '. '}"
            "Changes, ratios, shares and sums of held values come from query_metric_grid.",
            offered,
        )
    if found.how == "unknown" and state.warehouse is not None:
        found = state.tables.metric(raw)  # near to it may be a metric of either store
    return _unresolved("metric", found, "is no metric that is held", "list_metrics has them all")


def _entity(state: State, raw: str, metric: Metric) -> tuple[str, str] | Cell:
    found = state.names.entity(raw, metric.kind)
    if found.term is not None:
        return found.term.id, found.how
    kind = state.profile.kinds[metric.kind].label
    if found.how == "unknown":
        for other in state.profile.kinds:
            elsewhere = state.names.entity(raw, other) if other != metric.kind else None
            if elsewhere is not None and elsewhere.term is not None:
                label = state.profile.kinds[other].label
                return refusal(
                    "entity",
                    raw,
                    "unsupported",
                    f"{elsewhere.term.label} is a {label}, and {metric.label} is held of a {kind} "
                    "only.",
                    candidates(found.candidates),
                )
    return _unresolved(
        "entity", found, f"is not a {kind} that is held here", "list_dimension_values has them all"
    )


def read_when(state: State, raw: str, entity: str, today: date) -> PeriodReading | Cell:
    """Read a period on an entity's calendar, or refuse it."""
    if raw.strip().casefold() == LATEST:
        return PeriodReading("latest", (), None, raw, "")
    expression = read_period(raw)
    if expression is None:
        unread = f"{quoted(raw)} cannot be read as a period" if raw.strip() else "`period` is blank"
        return refusal(
            "period",
            raw,
            "unknown",
            f"{unread}: send a year (2024, FY2024), half "
            '(2024H1), quarter (2024Q3), month (2024-03), day, or "latest".',
            [],
        )
    reading = expression.on(state.profile.calendar_of[entity], today)
    if reading.kind == "rolling":
        return refusal(
            "period",
            raw,
            "unsupported",
            f"{quoted(raw)} is a rolling period; values are held for fixed periods only. Send "
            'one of those, or "latest".',
            [],
        )
    if reading.kind == "unreadable":
        note = reading.note or "more than one period could be meant"
        answer = f"{quoted(raw)} is not clear: {note}{'' if note.endswith('?') else '.'}"
        return refusal("period", raw, "ambiguous", answer, [])
    return reading


def _day(raw: str, today: date) -> date | Cell | None:
    if not raw.strip():
        return None
    return read_day(raw, today) or refusal(
        "as_of", raw, "unknown", f"{quoted(raw)} is no day: send one as 2024-12-31.", []
    )


def _unresolved(param: str, found: Resolution, problem: str, way_out: str) -> Cell:
    """A term that stands for none or for several.

    Args:
        param: the argument.
        found: what became of it.
        problem: what it is not.
        way_out: where all that can be sent is found, told where nothing is near to it.
    """
    offered = candidates(found.candidates)
    if not found.raw.strip():
        return refusal(param, found.raw, "unknown", f"`{param}` is blank: {way_out}.", offered)
    names = listed([one.label for one in offered])
    if found.how == "ambiguous":
        answer = f"{quoted(found.raw)} may be any of {names}: send one of them."
        return refusal(param, found.raw, "ambiguous", answer, offered)
    names = listed(near_names(found.raw, offered))
    hint = f"; near to it: {names}" if names else f": {way_out}"
    return refusal(param, found.raw, "unknown", f"{quoted(found.raw)} {problem}{hint}.", offered)


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
