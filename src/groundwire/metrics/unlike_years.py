"""Years that do not run with the calendar: what is held beside a period, and which days differ.

"Revenue in 2023" of a company whose years end in June is held for no calendar year; its fiscal
years are told with their days. Where one name of a period stands for other days from entity to
entity, or some entities have no such period at all, an answer over them says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.metrics.facts.model import FactStore
from groundwire.metrics.intent.wording import say
from groundwire.metrics.profile import Profile
from groundwire.metrics.results import Cell
from groundwire.metrics.table.axes import ENTITY
from groundwire.metrics.table.query import Days, TableRows
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.table.spans import spans_of_grain
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, name_in
from groundwire.quantities import Period
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

FISCAL_GRAINS = ("year", "nine_months", "half", "quarter")
_MOST_TOLD = 4


def fiscal_beside(
    profile: Profile,
    store: FactStore,
    key: tuple[str, str, str],
    period: Period,
    as_of: date | None = None,
) -> tuple[Period, ...]:
    """Return the held fiscal periods that share days with a period of the calendar.

    Args:
        profile: the calendars of the entities.
        store: what is held.
        key: metric, entity and channel.
        period: what was asked for.
        as_of: the day whose knowledge is asked for; None for now.

    Returns:
        them in order of time; none where the entity's years are calendar years, where the period
        is called fiscal itself, or where it is held.
    """
    metric, entity, channel = key
    calendar = profile.calendar(entity)
    if calendar.is_calendar_year or period.fiscal or period.grain not in FISCAL_GRAINS:
        return ()
    stock = profile.metric_by_code[metric].measure == "stock"
    intervals = store.intervals(metric, entity, channel, as_of)
    days = {(period.start, period.end), *([(period.end, period.end)] if stock else ())}
    if not days.isdisjoint(intervals):
        return ()
    spans = spans_of_grain(intervals, calendar, period.grain, (), stock=stock)
    return tuple(
        one.period
        for one in spans
        if one.period.fiscal and one.period.start <= period.end and period.start <= one.period.end
    )


def days_of(period: Period, language: Language) -> str:
    """Return the name of a period with its days."""
    start, end = period.start.isoformat(), period.end.isoformat()
    return say("named_days", language, label=period.label, start=start, end=end)


def fiscal_days(period: Period, language: Language) -> str:
    """Return the sentence that tells the days of a fiscal period."""
    start, end = period.start.isoformat(), period.end.isoformat()
    return say("fiscal_days", language, label=period.label, start=start, end=end)


def unlike_calendar(profile: Profile, entity: str, language: Language) -> str:
    """Return the sentence that an entity's years are not calendar years."""
    return say("unlike_calendar", language, entity=_names(profile, (entity,), language))


def held_beside(profile: Profile, entity: str, held: Sequence[Period], language: Language) -> str:
    """Return that an entity's years are not calendar years, with those that are held."""
    years = say("listing", language).join(days_of(one, language) for one in held[-_MOST_TOLD:])
    said = unlike_calendar(profile, entity, language)
    return f"{said} {say('held_beside', language, years=years)}"


def differing_days(profile: Profile, told: Iterable[Days], language: Language) -> str:
    """Return that a year stands for other days from entity to entity; "" where none does.

    2024 and FY2024 are names of one year. The newest such year is told, or part of one, each of
    its days with the entities that it is for.
    """
    by_label: dict[str, dict[tuple[date, date], dict[str, None]]] = {}
    for one in told:
        of = by_label.setdefault(one.label.removeprefix("FY"), {}).setdefault(
            (one.start, one.end), {}
        )
        of[one.entity] = None
    unlike = {
        label: days
        for label, days in by_label.items()
        if len({frozenset(entities) for entities in days.values()}) > 1
    }
    if not unlike:
        return ""
    label, days = max(unlike.items(), key=lambda one: max(one[1]))
    each = [
        say(
            "days_for",
            language,
            start=start.isoformat(),
            end=end.isoformat(),
            names=_names(profile, tuple(entities), language),
        )
        for (start, end), entities in sorted(days.items())
    ]
    return say(
        "differing_days", language, label=f"FY{label}", each=say("table_joint", language).join(each)
    )


def days_of_cells(cells: Iterable[Cell]) -> tuple[Days, ...]:
    """Return the days of the years, and parts of years, that values were found for."""
    return tuple(
        Days(
            one.entity or "",
            one.period or "",
            date.fromisoformat(one.interval.start),
            date.fromisoformat(one.interval.end),
        )
        for one in cells
        if one.status == "found" and one.interval and one.interval.grain in FISCAL_GRAINS
    )


def without_such_years(
    profile: Profile,
    store: FactStore,
    metric: str,
    lacking: Sequence[str],
    periods: Sequence[Period],
    language: Language,
) -> str:
    """Return that some entities are not in a table, since their years are not calendar years.

    Args:
        profile: the calendars of the entities.
        store: what is held.
        metric: controlled code.
        lacking: codes of the entities that have no value.
        periods: what was asked for.
        language: of the sentence.

    Returns:
        the sentence with the held year of the first that has any; "" where none has any.
    """
    beside = {
        entity: held
        for entity in lacking
        if (
            held := [
                one
                for period in periods
                for one in fiscal_beside(profile, store, (metric, entity, TOTAL), period)
            ]
        )
    }
    if not beside:
        return ""
    entity, held = next(iter(beside.items()))
    return say(
        "without_such_years",
        language,
        names=_names(profile, tuple(beside), language),
        entity=_names(profile, (entity,), language),
        years=days_of(held[0], language),
    )


def _names(profile: Profile, codes: Sequence[str], language: Language) -> str:
    known = [profile.entity_by_code[code] for code in codes[:_MOST_TOLD]]
    names = [safe_name(name_in(language, one.name, one.aliases, one.labels)) for one in known]
    more = len(codes) - len(names)
    return say("names_joint", language).join([*names, *([f"+ {more}"] if more > 0 else [])])


_MOST_OF = 3


def year_notes(state: State, read: Understood, found: TableRows, language: Language) -> str:
    """Return the sentences for the end of an answer that has rows; "" where all years are alike."""
    if read.store != "facts":
        return ""
    profile, query = state.profile, read.query
    periods = query.periods or tuple(row.period for row in found.rows[:1] if row.period)
    lacking = without_such_years(
        profile, state.store, read.metrics[0].base or read.metrics[0].code, found.lacking,
        periods, language,
    )  # fmt: skip
    unlike = differing_days(profile, found.days, language)
    ends = found.rows[:1] + found.rows[-1:]
    fiscal = [row.period for row in ends if row.period is not None and row.period.fiscal]
    if fiscal and not unlike and not any(one.fiscal for one in query.periods):
        # "Since 2019" was answered by fiscal years.
        unlike = fiscal_days(max(fiscal, key=lambda one: one.end), language)
    return "".join(f"{'' if language == 'zh' else ' '}{one}" for one in (lacking, unlike) if one)


def years_held(state: State, read: Understood, language: Language) -> str:
    """Return the fiscal years that are held of the entities that were named, or ""."""
    if read.store != "facts":
        return ""
    metric = read.metrics[0].base or read.metrics[0].code
    named = [
        str(code)
        for one in read.query.conditions
        if one.dimension == ENTITY and one.op == "in"
        for code in one.values
    ]
    told: list[str] = []
    for entity in named[:_MOST_OF]:
        held = {
            one.label: one
            for period in read.query.periods
            for one in fiscal_beside(state.profile, state.store, (metric, entity, TOTAL), period)
        }
        if held:
            told.append(held_beside(state.profile, entity, [*held.values()], language))
    return "".join(f"{'' if language == 'zh' else ' '}{one}" for one in told)
