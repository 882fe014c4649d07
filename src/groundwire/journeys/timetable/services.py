"""Whether, when and how often lines run on a day by a timetable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from groundwire.errors import InputError
from groundwire.evidence.answers import RecordNames
from groundwire.evidence.records import Draft, Statement, Value
from groundwire.journeys.results import LineStatuses
from groundwire.journeys.statements import PACKAGE
from groundwire.journeys.times.reading import read_time
from groundwire.journeys.timetable.boards import modes_named, routes_called, why_no_service
from groundwire.journeys.timetable.model import Timetable
from groundwire.journeys.timetable.router import moment_of
from groundwire.journeys.wording import count, day, listed, moment
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.journeys.timetable.city import City

_WEEK = 7
# Services of one way on a day that are told one by one.
_TOLD = 6
# "boat to Insel": the services of a mode or line that call there.
_TO_A_STOP = re.compile(r"(?P<service>.+?)\s(?P<way>to|from)\s(?P<stop>.+)", re.IGNORECASE)


class Run(NamedTuple):
    """A service of a day: when and where it begins, and where it ends."""

    when: datetime
    origin: str
    end: str


_OnDays = tuple[str, Literal["relation", "absence"], list[date]]


class _Asked(NamedTuple):
    """The routes that some words name, and the stops that their services go to or come from."""

    routes: frozenset[str]
    stops: frozenset[int] | None = None
    way: str = ""


def line_status(
    city: City, lines: Sequence[str], modes: Sequence[str], date: str = ""
) -> tuple[LineStatuses, Draft | None]:
    """Say whether lines run on a day by the timetable, and that how they run is not known.

    Args:
        city: whose timetable it is.
        lines: lines by name; "boat to Insel" is those services of a line or mode that go there.
        modes: modes, whose lines are told together.
        date: the day; today where it is empty.

    Raises:
        InputError: a line, a mode, a stop or the day is not known.
    """
    modes_named(modes)
    services, values, days = _services(city, [*lines, *modes], date)
    asked = listed(list(lines)) if lines else "lines"
    told = (
        f"How {asked} {'runs' if len(lines) == 1 else 'run'} now is not known: the "
        f"{city.planner.planner} holds times only, no delays, closures or works."
    )
    told = " ".join((*services, told))
    names = RecordNames(PACKAGE)
    said = names.predicate
    subjects = [(word,) for word in lines] or [(city.planner.planner,)]
    draft = Draft(
        values=tuple(values),
        audit={"sources": [city.planner.planner]},
        vocabulary=tuple(city.line_names()),
        statements=(
            *(
                Statement("absence", one, said("live_data"), (said("disruption"), said("status")))
                for one in subjects
            ),
            *(
                Statement(kind, (word,), said("runs_on"), tuple((one.isoformat(),) for one in on))
                for word, kind, on in days
                if on
            ),
        ),
    )
    result = LineStatuses(
        answer=told,
        lines=[],
        notes=[told],
        as_of=city.now().isoformat(timespec="minutes"),
        credit=city.credit,
    )
    return result, draft


def _services(
    city: City, words: Sequence[str], said: str
) -> tuple[list[str], list[Value], list[_OnDays]]:
    """Say of lines or modes whether they run on a day by the timetable, with the figures of it."""
    now = city.now()
    read = read_time(said, None, None, now) if said else None
    on = (read.when if read else now).date()
    asked = [(word, _asked(city, word)) for word in words]
    if not city.timetable.info.first_day <= on <= city.timetable.info.last_day:
        return [why_no_service(city, on)], [], []
    told: list[str] = []
    values: list[Value] = []
    days: list[_OnDays] = []
    for word, one in asked:
        week = _week(city, one, on)
        days.append((word, "relation", week[True]))
        days.append((word, "absence", week[False]))
        runs = _runs(city.timetable, one, on)
        lines = [f"By the timetable no service of {word} runs on {day(on)}."]
        if runs:
            first, last = moment(runs[0].when, now), moment(runs[-1].when, now)
            lines = [
                f"By the timetable {word} runs on {day(on)}: the first service begins at {first}, "
                f"the last at {last}."
            ]
            values += _values(city, word, (runs[0], runs[-1]), ("first service", "last service"))
            for way in _ways(runs):
                lines.append(_told(way))
                values += _values(city, word, way[:_TOLD], ["service"] * _TOLD)
                if len(way) > _TOLD and len(gaps := set(_gaps(way))) == 1:
                    apart = str(gaps.pop())
                    values.append(Value("time between services", apart, unit="min", entity=word))
        told += [*lines, *_other_days(week)]
    return told, values, days


def _asked(city: City, word: str) -> _Asked:
    """Return what some words name: a line, the lines of a mode, or their services to a stop.

    Raises:
        InputError: they name no line, or no stop.
    """
    parts = _TO_A_STOP.fullmatch(word)
    if parts is None:
        return _Asked(routes_called(city, word))
    try:
        return _Asked(routes_called(city, word))
    except InputError:
        routes = routes_called(city, re.sub(r"^(?:the|an?)\s+", "", parts["service"]))
    # A name without one of the words leaves it unread: "Grootöe aufs Festland" is not Grootöe.
    words = set(map(fold, parts["stop"].split()))
    found = [
        one
        for one in city.places.search(parts["stop"])
        if words <= set(map(fold, city.places.place(one.number).name.split()))
    ]
    if not found:
        raise InputError(
            f"No stop of this timetable is called {parts['stop'][:40]!r}: send another spelling."
        )
    # Stops that are called alike are all meant: "Insel" is each of its piers.
    alike = [one for one in found if one.why == found[0].why]
    stops = (int(stop) for one in alike for stop in city.timetable.stops_of(one.number))
    return _Asked(routes, frozenset(stops), parts["way"].lower())


def _runs(table: Timetable, asked: _Asked, on: date) -> list[Run]:
    """Return the services of a day that are asked for, in order."""
    runs = table.services_on(on)
    wanted = [number for number, one in enumerate(table.route_ids.all()) if one in asked.routes]
    found: list[tuple[int, str, str]] = []
    for pattern in np.flatnonzero(np.isin(table.pattern_route, wanted)).tolist():
        at, end = (int(table.pattern_pos[one]) for one in (pattern, pattern + 1))
        calls = table.pos_stop[at:end].tolist()
        reached = calls[1:] if asked.way == "to" else calls[:-1]
        if asked.stops is not None and asked.stops.isdisjoint(reached):
            continue
        first = int(table.pattern_trip[pattern])
        base, size = int(table.pos_base[at]), int(table.pos_trips[at])
        able = runs[table.trip_service[first : first + size]]
        ends = table.stop_names[calls[0]], table.stop_names[calls[-1]]
        found += ((one, *ends) for one in table.departures[base : base + size][able].tolist())
    return [Run(moment_of(on, at, table.zone), *ends) for at, *ends in sorted(found)]


def _ways(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Yield the services of each way, from one end to the other."""
    ends = sorted(runs, key=lambda one: (one.origin, one.end, one.when))
    for _, way in groupby(ends, key=lambda one: (one.origin, one.end)):
        yield list(way)


def _gaps(way: Sequence[Run]) -> list[int]:
    """Return how many minutes lie between services."""
    return [round((b.when - a.when).total_seconds() / 60) for a, b in pairwise(way)]


def _told(way: Sequence[Run]) -> str:
    """Tell the services of one way: each by its time, or how far apart they are."""
    lead = f"Services from {way[0].origin} to {way[0].end}: "
    if len(way) <= _TOLD:
        return f"{lead}{listed([f'{one.when:%H:%M}' for one in way])}."
    gaps = _gaps(way)
    often = f"every {count(max(gaps), 'minute')}"
    if min(gaps) < max(gaps):
        often = f"every {min(gaps)} to {max(gaps)} minutes"
    return f"{lead}{often}, {count(len(way), 'service')}."


def _week(city: City, asked: _Asked, on: date) -> Mapping[bool, list[date]]:
    """Return the days of a week on which there are services, and those without."""
    last = city.timetable.info.last_day
    week = [one for ahead in range(_WEEK) if (one := on + timedelta(ahead)) <= last]
    runs = {one: bool(_runs(city.timetable, asked, one)) for one in week}
    return {is_so: [one for one in week if runs[one] == is_so] for is_so in (True, False)}


def _other_days(week: Mapping[bool, list[date]]) -> Iterator[str]:
    """Say on which days of a week there are services, where there are none on others."""
    if week[False]:
        named = listed([f"{one:%A} {one.day} {one:%B}" for one in week[True]]) or "no day"
        yield f"In the {_WEEK} days from then it runs on {named}."


def _values(city: City, word: str, runs: Sequence[Run], names: Sequence[str]) -> Iterator[Value]:
    for name, one in zip(names, runs, strict=False):
        yield Value(name, f"{one.when:%H:%M}", "time", entity=word, source=city.name)
