"""Lists of what there is: metrics, entities, periods, channels; a briefing; an example."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import TypeVar

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Coverage, FactStore
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.results import (
    DimensionValue,
    DimensionValues,
    IntervalItem,
    MetricItem,
    Metrics,
)
from groundwire.metrics.table.listing import (
    dimension_of,
    dimensions_of,
    metric_of,
    stored_values,
    warehouse_item,
    warehouse_metrics,
)
from groundwire.metrics.table.query import TableMetric
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import listed, subject
from groundwire.quantities import CALENDAR_YEAR, FiscalCalendar, Period, interval_period
from groundwire.vocabulary import Term, Vocabulary, fold

PAGE = 50
_MOST_ALIASES = 8
Item = TypeVar("Item")


def list_metrics(state: State, search: str = "", offset: int = 0) -> Metrics:
    """Metrics with what there is of them: those of facts that are held first, then a warehouse's.

    Raises:
        InputError: what is searched for is out of scope.
    """
    _screen(state, search)
    covered = {one.code: state.store.coverage(one.code) for one in state.profile.metrics}
    metrics = _searched(
        state.profile.metrics, search, state.names.metrics, lambda one: one.code, _metric_texts
    )
    if not search:
        metrics = sorted(metrics, key=lambda one: covered[one.code] is None)
    others = warehouse_metrics(state.tables, search)
    names = [(one.code, one.label) for one in metrics]
    names += [(name, one.label) for name, one in others]
    every: list[Metric | tuple[str, TableMetric]] = [*metrics, *others]
    items = [
        warehouse_item(*one)
        if isinstance(one, tuple)
        else _metric(state, one, covered[one.code], whole=search == one.code)
        for one in every[offset : offset + PAGE]
    ]
    what = f'Metrics that match "{search}"' if search else "The metrics are"
    shown = listed([f"{code} ({label})" for code, label in names], 12)
    return Metrics(
        answer=f"{what}: {shown or _nothing(search)}.",
        metrics=items,
        offset=offset,
        next_offset=_next(offset, len(every)),
    )


def _metric(
    state: State, metric: Metric, covered: Coverage | None, *, whole: bool = False
) -> MetricItem:
    """Return a metric as it is listed, with all of its names where it alone is asked for."""
    return MetricItem(
        code=metric.code,
        label=metric.label,
        unit=metric.shown_unit(state.profile.metric_by_code),
        aliases=list(metric.aliases if whole else metric.aliases[:_MOST_ALIASES]),
        grains=list(metric.grains),
        label_de=metric.labels.get("de"),
        kind=state.profile.kinds[metric.kind].label,
        measure=metric.measure,
        definition=metric.definition or None,
        entities_covered=len(covered.entities) if covered else 0,
        periods_covered=f"{covered.first.isoformat()} to {covered.last.isoformat()}"
        if covered
        else None,
        dimensions=list(state.tables.facts.metric(metric.code).dimensions),
    )


def _metric_texts(metric: Metric) -> Iterable[str]:
    return (metric.code, metric.label, metric.definition, *metric.aliases)


def list_dimension_values(
    state: State, dimension: str = "", metric: str = "", search: str = "", offset: int = 0
) -> DimensionValues:
    """Values of a dimension, of a metric those that it has; without one the dimensions themselves.

    Raises:
        InputError: the metric or dimension does not exist (the message names the nearest), or
            is out of scope.
        UnavailableError: a store cannot be asked.
    """
    _screen(state, dimension, metric, search)
    chosen = metric_of(state.tables, metric) if metric else None
    label = chosen.metric.label if chosen else ""
    code = dimension_of(state.tables, chosen, dimension) if dimension.strip() else ""
    make = _OF_FACTS.get(code)
    if not code:
        values = dimensions_of(state.tables, chosen, search)
    elif make is not None and (chosen is None or chosen.store == "facts"):
        known = state.profile.metric_by_code[chosen.metric.code] if chosen else None
        values = make(state, known, search)
    else:
        values = stored_values(state.tables, chosen, code, search)
    page = values[offset : offset + PAGE]
    about = f" of {label}" if chosen else ""
    matching = f' that match "{search}"' if search else ""
    shown = listed([one.label for one in page], 12)
    what = f"{code.capitalize()} values" if code else "Dimensions"
    return DimensionValues(
        answer=f"{what}{about}{matching}: {shown or _nothing(search)}.",
        dimension=code or "dimensions",
        metric=chosen.metric.code if chosen else None,
        values=page,
        offset=offset,
        next_offset=_next(offset, len(values)),
    )


def _nothing(search: str) -> str:
    return "none; call without search to see all" if search else "none"


def _screen(state: State, *texts: str) -> None:
    """Refuse names that are out of scope: a part of one is not to be offered in its place."""
    for text in texts:
        hits = state.gate.screen(text).hits
        if hits:
            raise InputError(state.gate.refusal(hits[0]))


def _entities(state: State, metric: Metric | None, search: str) -> list[DimensionValue]:
    # Names that are only near to the search are offered where no kind has a name that holds it.
    holding = _entities_called(state, metric, search, offers_near=False)
    return holding or _entities_called(state, metric, search, offers_near=True)


def _entities_called(
    state: State, metric: Metric | None, search: str, *, offers_near: bool
) -> list[DimensionValue]:
    covered = state.store.coverage(metric.code) if metric else None
    held = frozenset(covered.entities) if covered else frozenset[str]()
    return [
        DimensionValue(
            value=one.code,
            label=one.name,
            aliases=list(one.aliases[:_MOST_ALIASES]) or None,
            kind=state.profile.kinds[kind].label,
        )
        for kind in ([metric.kind] if metric else state.profile.kinds)
        for one in _searched(
            [
                one
                for one in state.profile.entities
                if one.kind == kind and (metric is None or one.code in held)
            ],
            search,
            state.names.entities[kind],
            lambda one: one.code,
            lambda one: (one.code, one.name, *one.aliases),
            offers_near=offers_near,
        )
    ]


def _channels(state: State, metric: Metric | None, search: str) -> list[DimensionValue]:
    covered = state.store.coverage(metric.code) if metric else None
    held = frozenset(covered.channels) if covered else frozenset[str]()
    kinds = [metric.kind] if metric else list(state.profile.kinds)
    found: dict[str, Term] = {}
    for kind in kinds:
        vocabulary = state.names.channels[kind]
        terms = [one for one in vocabulary if metric is None or one.id in held]
        for term in _searched(
            terms,
            search,
            vocabulary,
            lambda one: one.id,
            lambda one: (one.id, one.label, *one.aliases),
        ):
            found.setdefault(term.id, term)
    return [
        DimensionValue(
            value=one.id, label=one.label, aliases=list(one.aliases[:_MOST_ALIASES]) or None
        )
        for one in found.values()
    ]


def _periods(state: State, metric: Metric | None, search: str) -> list[DimensionValue]:
    """Periods that have a fact, newest first, named on the calendars of the entities."""
    metrics = [metric] if metric else list(state.profile.metrics)
    periods: dict[str, Period] = {}
    for one in metrics:
        covered = state.store.coverage(one.code)
        if covered is None:
            continue
        calendars = {state.profile.calendar_of[code] for code in covered.entities} or {
            CALENDAR_YEAR
        }
        for interval in state.store.periods(one.code):
            named = _best_named(interval.start, interval.end, calendars)
            periods.setdefault(named.label, named)
    ordered = sorted(periods.values(), key=lambda one: (one.end, one.start), reverse=True)
    wanted = fold(search)
    return [
        DimensionValue(
            value=one.label,
            label=one.label,
            interval=IntervalItem(
                start=one.start.isoformat(), end=one.end.isoformat(), grain=one.grain
            ),
        )
        for one in ordered
        if not wanted or wanted in fold(f"{one.label} {one.grain}")
    ]


def _best_named(start: date, end: date, calendars: set[FiscalCalendar]) -> Period:
    """The name of an interval on the first calendar that has one for it."""
    names = [
        interval_period(start, end, calendar)
        for calendar in sorted(calendars, key=lambda one: (one.month, one.day, one.named_by))
    ]
    return next((one for one in names if one.grain != "other"), names[0])


def _searched(
    items: Sequence[Item],
    search: str,
    vocabulary: Vocabulary,
    code: Callable[[Item], str],
    texts: Callable[[Item], Iterable[str]],
    *,
    offers_near: bool = True,
) -> list[Item]:
    """Items that hold what is searched for, or if there are none, those that are near to it."""
    if not search.strip():
        return list(items)
    wanted = fold(search)
    holding = [one for one in items if any(wanted in fold(text) for text in texts(one) if text)]
    if holding or not offers_near:
        return holding
    by_code = {code(one): one for one in items}
    near = dict.fromkeys(one.term.id for one in vocabulary.suggest(search, 10))
    return [by_code[one] for one in near if one in by_code]


def _next(offset: int, total: int) -> int | None:
    return offset + PAGE if offset + PAGE < total else None


_OF_FACTS: dict[str, Callable[[State, Metric | None, str], list[DimensionValue]]] = {
    "entity": _entities,
    "channel": _channels,
    "period": _periods,
}


_MOST_METRICS = 40


def overview(state: State) -> str:
    """Metrics, kinds of entity and channels, as JSON."""
    profile = state.profile
    tree = {
        "profile": profile.profile.name,
        "title": profile.profile.title,
        "description": profile.profile.description,
        "kinds": {
            name: {
                "label": kind.label,
                "home": kind.home or None,
                "entities": sum(one.kind == name for one in profile.entities),
            }
            for name, kind in profile.kinds.items()
        },
        "metrics": [
            {
                "code": one.code,
                "label": one.label,
                "kind": one.kind,
                "unit": one.unit,
                "grains": list(one.grains),
                "definition": one.definition,
            }
            for one in profile.metrics
        ],
        "channels": [
            {"code": one.code, "label": one.label} for one in profile.channel_by_code.values()
        ],
        "problems": list(state.problems),
    }
    return json.dumps(tree, ensure_ascii=False, indent=1)


def briefing(state: State, question: str) -> str:
    """A question with the metrics that there are, and the rules of answering."""
    metrics = "\n".join(
        f"- {one.code}: {one.label} ({one.unit or 'unit of the source'}; by "
        f"{', '.join(one.grains)}; of a {state.profile.kinds[one.kind].label})"
        for one in state.profile.metrics[:_MOST_METRICS]
    )
    return (
        f"{question}\n\nAnswer with query_metric or query_metric_grid; state no number that they "
        "did not return, compute none yourself, and name document and place of each. If "
        "clarify_question says ask_first, ask. Metrics:\n"
        f"{metrics}\n"
    )


def example_question(profile: Profile, store: FactStore) -> str | None:
    """A question that is answered: the profile's own example as far as it has facts.

    Args:
        profile: what can be asked about.
        store: the facts.

    Returns:
        the question, "Sales (Shoes) of Berlin in 2024", or None where no fact is held.
    """
    about = profile.profile
    names = Names(profile)
    metric = names.metric(about.example_metric).term
    for code in _first(metric and metric.id, [one.code for one in profile.metrics]):
        covered = store.coverage(code)
        if covered is None:
            continue
        kind = profile.metric_by_code[code].kind
        entity = names.entity(about.example_entity, kind).term
        # A fact may be of an entity or a channel that the profile has no more.
        entities = [one for one in covered.entities if one in profile.entity_by_code]
        for who in _first(entity and entity.id, entities):
            channels = [one for one in store.channels(code, who) if one in profile.channel_by_code]
            for channel in _first(TOTAL, channels):
                for interval in store.intervals(code, who, channel)[:1]:
                    period = interval_period(*interval, profile.calendar_of[who])
                    return subject(profile, code, who, channel, period.label)
    return None


def _first(wanted: str | None, held: Sequence[str]) -> list[str]:
    """Return the held codes, the wanted one first."""
    return sorted(held, key=lambda one: one != wanted)
