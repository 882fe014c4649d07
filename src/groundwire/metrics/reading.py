"""The arguments of a query, each read to a controlled code or a period, or refused by name.

Only exact, folded and alias matches are applied: by likeness alone Ireland becomes Iceland. A near
miss is refused with candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from groundwire.evidence.answers import ResolvedItem
from groundwire.metrics.factbase import State
from groundwire.metrics.profile import Metric
from groundwire.metrics.results import CandidateItem, Cell, Reason
from groundwire.metrics.wording import listed
from groundwire.quantities import CALENDAR_YEAR, PeriodGrain, PeriodReading, read_period
from groundwire.vocabulary import Candidate, Resolution

LATEST = "latest"
_CLOSE = 0.8
# From here on it is a name with a wrong letter rather than a name with another word.
_MISSPELT = 0.9
_MOST_QUOTED = 80


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a query, as they came.

    Attributes:
        metric, entity, period, channel: raw terms.
        as_of: the day whose knowledge is asked for, as it was sent; "" for now.
    """

    metric: str
    entity: str
    period: str
    channel: str
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """Arguments that were all understood.

    Attributes:
        metric: the metric.
        entity, channel: controlled codes.
        period: what the period text says; of kind single, several, since or latest.
        as_of: the day whose knowledge is asked for; None for now.
        resolved: how each was read.
    """

    metric: Metric
    entity: str
    channel: str
    period: PeriodReading
    as_of: date | None
    resolved: tuple[ResolvedItem, ...]

    @property
    def grain(self) -> PeriodGrain | None:
        """The grain that "latest" was asked with."""
        return self.period.grain


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


def read_day(raw: str, today: date) -> date | None:
    """The day that a text names, or None."""
    expression = read_period(raw)
    if expression is None:
        return None
    reading = expression.on(CALENDAR_YEAR, today)
    if reading.kind == "single" and reading.periods[0].grain == "day":
        return reading.periods[0].start
    return None


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


def near_names(raw: str, offered: Iterable[CandidateItem]) -> list[str]:
    """Return the names that are near to a term: those that are alike, or share a word with it."""
    said = set(raw.casefold().split())
    return [
        one.label
        for one in offered
        if one.likeness != "possible" or said & set(one.label.casefold().split())
    ]


def candidates(found: Sequence[Candidate]) -> list[CandidateItem]:
    """Candidates with their likeness in words, since a number could be read as a value."""
    return [
        CandidateItem(
            value=one.term.id,
            label=one.term.label,
            likeness="same name"
            if one.score >= 1
            else "close"
            if one.score >= _CLOSE
            else "possible",
        )
        for one in found
    ]


def refusal(
    param: str, raw: str, reason: Reason, answer: str, offered: list[CandidateItem]
) -> Cell:
    """Return the cell of an argument that is not used."""
    return Cell(
        answer=answer,
        status="unrecognized_param",
        param=param,
        raw=raw,
        reason=reason,
        candidates=offered,
    )


def quoted(raw: str) -> str:
    """Return a sent text, cut to the length that a sentence can hold."""
    text = " ".join(raw.split())
    return f'"{text[:_MOST_QUOTED]}..."' if len(text) > _MOST_QUOTED else f'"{text}"'
