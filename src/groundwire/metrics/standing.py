"""Which facts stand for a period, and what is held beside it where years are not the calendar's.

"Revenue in 2023" of a company whose years end in June is held for no calendar year; its fiscal
years are told with their days. Where one name of a period stands for other days from entity to
entity, or some entities have no such period at all, an answer over them says so.

A change that is told by its start alone, "compared with 2010", ends at the newest value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta

from groundwire.language.asking import asked_in
from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, FactStore, Interval
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.profile import Profile
from groundwire.metrics.results import Cell
from groundwire.metrics.table.query import CHANNEL, ENTITY, Days, TableRows
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.table.spans import spans_of_grain
from groundwire.metrics.terms import TOTAL, Read
from groundwire.metrics.wording import Language, name_in, say
from groundwire.quantities import CALENDAR_YEAR, Period, PeriodGrain, interval_period
from groundwire.quantities.periods import MONTHS, later
from groundwire.safe_text import safe_name

# How far a fiscal year of 52 or 53 weeks, or a part of it, may end from the calendar's day.
_WEEKS_SLACK = timedelta(days=7)


def facts_for(state: State, read: Read, period: Period) -> tuple[Fact, ...]:
    """The fact that answers for a period, then those of sources that differ; none if not held.

    Args:
        state: the fact base.
        read: metric, entity and channel, and the day whose knowledge is asked for.
        period: the period.
    """
    facts = _of_days(state, read, period.start, period.end)
    if not facts and read.metric.measure == "stock":
        facts = _of_stock(state, read, period)
    if not facts and period.fiscal:
        # Fiscal years of 52 or 53 weeks end near the day that the calendar has.
        alike = [
            interval
            for interval in _intervals(state, read)
            if named(state, read.entity, interval).label == period.label
        ]
        if len(alike) == 1:
            facts = _of_days(state, read, *alike[0])
    return facts


def periods_since(state: State, read: Read, first: Period) -> tuple[Period, ...]:
    """The periods from `first` on that have a fact and are as long as it, in their order.

    A stock that is held at days has one for each period that such a day ends; where its days end
    none, they are what can be asked for themselves.

    Args:
        state: the fact base.
        read: metric, entity and channel, and the day whose knowledge is asked for.
        first: where the time that was asked for begins.
    """
    held = [
        named(state, read.entity, one)
        for one in reversed(_intervals(state, read))
        if one.start >= first.start
    ]
    alike = {one.label: one for one in held if one.grain == first.grain}
    if read.metric.measure == "stock":
        days = [one for one in held if one.start == one.end]
        ended = [_ended_by(state, read.entity, one.end, first) for one in days]
        for one in ended:
            if one is not None and one.start >= first.start:
                alike.setdefault(one.label, one)
        alike = alike or {one.label: one for one in days}
    return tuple(sorted(alike.values(), key=lambda one: one.end))


def _ended_by(state: State, entity: str, day: date, like: Period) -> Period | None:
    """The period whose last day this is, of the grain and the calendar of another, or None."""
    months = MONTHS.get(like.grain)
    if months is None:
        return None
    period = named(state, entity, Interval(later(day + timedelta(days=1), -months), day))
    one_calendar = state.profile.calendar_of[entity].is_calendar_year
    alike = period.grain == like.grain and (one_calendar or period.fiscal == like.fiscal)
    return period if alike else None


def _of_stock(state: State, read: Read, period: Period) -> tuple[Fact, ...]:
    """A stock holds at a day: the last one of the period that is asked for."""
    if period.start == period.end:
        # Its value of a year is that of this day only where the profile says so: a population
        # is often estimated at mid-year.
        return _of_ends(state, read, period.end) if read.metric.counted == "end" else ()
    facts = _of_days(state, read, period.end, period.end)
    if not facts and period.fiscal:
        near = [
            interval
            for interval in _intervals(state, read)
            if interval.start == interval.end and abs(interval.end - period.end) <= _WEEKS_SLACK
        ]
        if len(near) == 1:
            facts = _of_days(state, read, *near[0])
    return facts


def _of_ends(state: State, read: Read, day: date) -> tuple[Fact, ...]:
    """The facts of all periods that end on a day: of each publisher what it said last."""
    told = [
        fact
        for interval in _intervals(state, read)
        if interval.end == day
        for fact in _of_days(state, read, *interval)
    ]
    told.sort(key=lambda fact: fact.as_of, reverse=True)
    newest: dict[str, date] = {}
    standing = [
        fact for fact in told if newest.setdefault(fact.source.publisher, fact.as_of) == fact.as_of
    ]
    return tuple(
        fact for at, fact in enumerate(standing) if not at or fact.value != standing[0].value
    )


def _of_days(state: State, read: Read, start: date, end: date) -> tuple[Fact, ...]:
    key = (read.metric.code, read.entity, read.channel)
    return tuple(state.store.lookup(*key, start, end, read.as_of))


def _intervals(state: State, read: Read) -> Sequence[Interval]:
    return state.store.intervals(read.metric.code, read.entity, read.channel, read.as_of)


def named(state: State, entity: str, interval: Interval) -> Period:
    """Return the name of an interval on the calendar of an entity."""
    return interval_period(interval.start, interval.end, state.profile.calendar_of[entity])


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
    periods = [
        named(state, entity, one) for one in state.store.intervals(metric, entity, channel, as_of)
    ]
    for wanted in [grain] if grain else [*known.grains, None]:
        for period in periods:
            at_a_day = known.measure == "stock" and period.start == period.end
            if wanted is None or period.grain == wanted or at_a_day:
                return period
    return None


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
    calendar = profile.calendar_of[entity]
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


def label_with_days(label: str, start: date, end: date, language: Language) -> str:
    """Return the label of a period, with its days where a fiscal name tells others than usual.

    FY2024 of an entity whose years are the calendar's is told without them.
    """
    usual = interval_period(start, end, CALENDAR_YEAR)
    if not label.startswith("FY") or usual.label == label.removeprefix("FY"):
        return label
    return days_of(replace(usual, label=label), language)


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
    """Return the fiscal years that are held of the entities that were named, and the channels.

    The channels are told where no total of them is held and none was asked for; else there is "".
    """
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
    covered = state.store.coverage(metric)
    if CHANNEL not in {*read.query.by, *(one.dimension for one in read.query.conditions)} and (
        covered and TOTAL not in covered.channels
    ):
        labels = [state.profile.channel_by_code[one].label for one in covered.channels]
        names = say("comma", language).join(labels)
        told.append(say("by_channel", language, names=names).strip())
    for entity in named[:_MOST_OF]:
        held = {
            one.label: one
            for period in read.query.periods
            for one in fiscal_beside(state.profile, state.store, (metric, entity, TOTAL), period)
        }
        if held:
            told.append(held_beside(state.profile, entity, [*held.values()], language))
    return "".join(f"{'' if language == 'zh' else ' '}{one}" for one in told)


_YEAR = r"(?P<{}>(?:19|20)\d{{2}})"
_ENGLISH = rf"""
    \b(?:since|compared\ (?:with|to)|relative\ to|against|versus|than)(?:\ in)?
    \ (?:the\ year\ )?{_YEAR.format("en")}\b(?![-/]\d)"""
_GERMAN = rf"""
    \b(?:seit|gegenüber|verglichen\ mit|im\ Vergleich\ zu|als)(?:\ (?:im|dem)\ Jahr|\ in)?
    \ {_YEAR.format("de")}\b(?![-/]\d)"""
_CHINESE = rf"""
    (?:自|从)?{_YEAR.format("zh")}年?以来
    |(?:比|较|相比|相较于?|对比){_YEAR.format("bi")}年?(?![年度]?[第一二三四上下]|\d)
    |(?:与|和|跟|同){_YEAR.format("yu")}年?(?:相?比较?|对比)"""
_START = re.compile("|".join((_ENGLISH, _GERMAN, _CHINESE)), re.IGNORECASE | re.VERBOSE)
_NEWEST = re.compile(r"(?:FY)?(?P<year>\d{4})")
_SINCE = re.compile(r"since|seit|以来", re.IGNORECASE)
_SPANS = {"en": "from {} to {}", "de": "von {} bis {}", "zh": "{}年到{}年"}
_PAIRS = {"en": "{} and {}", "de": "{} und {}", "zh": "{}年和{}年"}


def find_start(question: str) -> re.Match[str] | None:
    """Return the words by which a question tells a year as the one that a change begins at."""
    return _START.search(question)


def year_of(start: re.Match[str]) -> str:
    """Return the year that such words name."""
    return next(filter(None, start.groups()))


def only_start(question: str, intent: ParsedIntent, today: date) -> re.Match[str] | None:
    """Return the words of the start of a change that a question asks for without its end."""
    if not intent.derive or len(intent.periods) != 1:
        return None
    is_year = intent.periods[0].on(CALENDAR_YEAR, today).kind == "single"
    return find_start(question) if is_year else None


def until(question: str, label: str) -> tuple[str, ...]:
    """Return a question with both ends of its time, each way that may be read; none without both.

    Args:
        question: the question, with the year that the change begins at.
        label: the year that it ends with, such as 2024 or FY2024.
    """
    found, end = find_start(question), _NEWEST.fullmatch(label)
    if found is None or end is None or not year_of(found) < end["year"]:
        return ()
    ways = (_SPANS,) if _SINCE.search(found[0]) else (_PAIRS, _SPANS)
    first, last = question[: found.start()], question[found.end() :]
    spans = (way[asked_in(question)].format(year_of(found), end["year"]) for way in ways)
    return tuple(f"{first}{span}{last}" for span in spans)


def until_newest(
    state: State, question: str, intent: ParsedIntent, assumed: str = ""
) -> tuple[str, ...]:
    """Return a question with both ends of its time; none where the newest is not known.

    Args:
        state: the fact base.
        question: the question.
        intent: how it is read as it stands.
        assumed: the entity that is taken where it names none.
    """
    entity = intent.entity or next(iter(intent.entities), assumed)
    if not intent.metrics or not entity:
        return ()
    newest = newest_period(state, intent.metrics[0], entity, intent.channel or TOTAL)
    return until(question, newest.label) if newest else ()
