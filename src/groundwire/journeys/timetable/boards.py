"""Stops, departures and the (unknown) state of lines of a city with a timetable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from groundwire.errors import InputError
from groundwire.evidence.answers import RecordNames
from groundwire.evidence.records import Condition, Draft, Item, Statement, Value, ValueKind
from groundwire.journeys.line_statements import stop_statements
from groundwire.journeys.places.positions import stops_told
from groundwire.journeys.places.sides import Reader, Side
from groundwire.journeys.results import (
    ArrivalItem,
    Arrivals,
    FoundStops,
    OptionItem,
    StopItem,
)
from groundwire.journeys.statements import PACKAGE, mode_names
from groundwire.journeys.times.reading import read_time
from groundwire.journeys.timetable.model import BOARD, Timetable
from groundwire.journeys.timetable.modes import MODES, modes_asked
from groundwire.journeys.timetable.router import moment_of, origin_of
from groundwire.journeys.timetable.trips import ABOUT
from groundwire.journeys.wording import count, day, listed, moment

if TYPE_CHECKING:
    from groundwire.journeys.itinerary import Leg
    from groundwire.journeys.timetable.city import City

_PAGE = 20
_HOURS = 24
# Departures of a board that its sentence tells.
_TOLD = 3
_NO_REAL_TIME = "Times are those of the timetable: delays and cancellations are not known."


# Words that ask for the first or the last departures of a day.
_EDGE = re.compile(r"\b(?:the\s+)?(first|earliest|last|latest)\b", re.IGNORECASE)
_FIRST = frozenset({"first", "earliest"})


class _Moment(NamedTuple):
    """Return the moment that a board is asked for.

    Attributes:
        when: from when on, or a moment of the day of service.
        edge: "first" or "last" where only those are meant, or empty.
        told: what a board says of it first.
    """

    when: datetime
    edge: str = ""
    told: str = ""


class Departure(NamedTuple):
    """One departure of the timetable."""

    when: datetime
    route: int
    headsign: str
    stop: int
    frequent: bool


def find_stops(
    city: City, query: str, modes: Sequence[str], offset: int
) -> tuple[FoundStops, Draft]:
    """Stops of the timetable that a query may mean, best first, and the record of them.

    Raises:
        InputError: the query is empty or too long, or a mode is not known.
    """
    wanted = modes_named(modes)
    names = city.places
    found = city.stops_on(query) or names.search(query, wanted)
    end = offset + _PAGE
    stops: list[StopItem] = []
    for one in found[offset:end]:
        place = names.place(one.number)
        stops.append(
            StopItem(
                id=place.stop_id,
                name=place.name,
                modes=names.modes_at(one.number),
                lines=names.lines_at(one.number)[:40],
                lat=place.point.lat if place.point else None,
                lon=place.point.lon if place.point else None,
                step_free=names.step_free_at(one.number),
                why=one.why,
            )
        )
    if stops:
        told = stops_told((one.name, one.why) for one in stops)
        answer = f"{count(len(found), 'stop')} for {query!r}: {told}."
    else:
        answer = f"No stop of this timetable is called {query!r}: send another spelling."
    named = next((one for one in stops if one.why.startswith("its")), None)
    if named and named.lines:
        answer += f" {named.name} is served by {listed(named.lines, 12)}."
    result = FoundStops(
        answer=answer,
        stops=stops,
        source="timetable",
        credit=city.credit,
        offset=offset,
        next_offset=end if end < len(found) else None,
    )
    source = city.planner.planner
    values = [Value("number of stops", str(len(found)), source=source)]
    for one in stops:
        values.append(Value("stop", one.name, "name", source=source))
        values += [
            Value("line", name, "name", entity=one.name, source=source) for name in one.lines
        ]
    stated = stop_statements(stops, lambda one: one.lines)
    audit = {"source": source}
    return result, Draft(tuple(dict.fromkeys(values)), audit=audit, statements=stated)


def modes_named(words: Sequence[str]) -> frozenset[int]:
    """Numbers of the modes that words name, by London's words or by GTFS's.

    Raises:
        InputError: a word names no mode.
    """
    from groundwire.journeys.wishes.readers import Reading

    own = [word for word in words if word.casefold() in MODES]
    others = [word for word in words if word.casefold() not in MODES]
    read = Reading().modes("modes", others) if others else ()
    found = modes_asked((*(word.casefold() for word in own), *read))
    if words and not found:
        raise InputError(
            f"{listed(list(words))} is no mode of a timetable: send {', '.join(MODES)}."
        )
    return found


def departures(
    city: City, owner: str, stop: str, lines: Sequence[str], limit: int, when: str = ""
) -> tuple[Arrivals, Draft | None]:
    """Departures of the timetable at a stop from now or another moment on, next first.

    Args:
        city: whose timetable it is.
        owner: whose places names may be of.
        stop: a name or an id.
        lines: lines or modes to tell of; without any all.
        limit: the most departures to tell.
        when: another moment; with "first" or "last" those of each line and end on a day of service.

    Raises:
        InputError: the stop, a line or the moment is not known.
    """
    side = Reader(city.places, city.preferences.get(owner).places, {}, online=False, unlocated=True)
    read = side.read("stop", stop)
    if not read.settled:
        return _ask(city, read), None
    place = read.best.place
    number = city.places.number_of(place)
    if number is None and place.point is not None:
        near = city.places.near(place.point, 1)
        number = near[0][0] if near else None
    if number is None:
        raise InputError(f"{place.name} is no stop of this timetable: send a stop.")
    place = city.places.place(number)
    now = city.now()
    table = city.timetable
    wanted = frozenset[str]().union(*(routes_called(city, word) for word in lines))
    asked = _asked_for(when, now)
    found = [
        one
        for one in _at(table, table.stops_of(number), asked)
        if not wanted or table.route_ids[one.route] in wanted
    ]
    if asked.edge:
        found = _edges(found, asked.edge)
    shown = found[:limit]
    items = [_item(table, one, now) for one in shown]
    reason = None if items else _why_none(city, asked)
    if items:
        of = f" by {listed(list(lines), last='or')}" if lines else ""
        which = asked.edge.capitalize() or "Next"
        told = (
            f"{asked.told}{which} from {place.name}{of}: "
            f"{listed([_sentence(one, now) for one in items[:_TOLD]])}."
        )
        if asked.edge and len(items) > _TOLD:
            told += f" Others of that day: {len(items) - _TOLD}."
    else:
        told = reason or ""
    notes = [ABOUT] if any(one.frequent for one in shown) else []
    result = Arrivals(
        answer=" ".join(filter(None, (told, *notes, _NO_REAL_TIME))),
        stop=place.name,
        arrivals=items,
        reason=reason,
        total=len(found),
        notes=[*notes, _NO_REAL_TIME, f"{city.credit}."],
        as_of=now.isoformat(timespec="minutes"),
        credit=city.credit,
    )
    return result, _proof(city, place.name, items, asked.edge, len(found))


def leaves(city: City, ride: Leg, at: datetime) -> bool:
    """Return whether a service of the same line leaves for the same end at a moment."""
    number = city.places.number_of(ride.origin)
    if number is None:
        return False
    table = city.timetable
    stops = table.stops_of(number)
    return any(
        one.headsign == ride.direction and table.route_ids[one.route] == ride.line_id
        for one in takewhile(lambda one: one.when <= at, departures_from(table, stops, at))
    )


def _asked_for(said: str, now: datetime) -> _Moment:
    """Return the moment that a board is asked for.

    Raises:
        InputError: the text names no moment, or one that is over.
    """
    edge = _EDGE.search(said)
    rest = _EDGE.sub(" ", said).strip()
    read = read_time(None, rest, None, now) if rest else None
    at = read.when if read else now
    if edge is not None:
        word = "first" if edge[1].lower() in _FIRST else "last"
        return _Moment(at, word, f"Day of service: {day(at.date())}. ")
    return _Moment(at, "", f"From {moment(at, now)} on. " if read else "")


def _at(table: Timetable, stops: np.ndarray, asked: _Moment) -> Iterator[Departure]:
    """Departures from some stops within a day from a moment on, or of a day of service."""
    if not asked.edge:
        return departures_from(table, stops, asked.when)
    on = asked.when.date()
    begins = moment_of(on, 0, table.zone)
    return departures_from(table, stops, begins, days=(0,), hours=2 * _HOURS)


def _edges(found: Sequence[Departure], edge: str) -> list[Departure]:
    """The first or the last departure of each line and end, the outermost first."""
    last = edge == "last"
    of_each = {(one.route, one.headsign): one for one in (found if last else found[::-1])}
    return sorted(of_each.values(), key=lambda one: one.when, reverse=last)


def departures_from(
    table: Timetable,
    stops: np.ndarray,
    now: datetime,
    days: Sequence[int] = (-1, 0, 1),
    hours: int = _HOURS,
) -> Iterator[Departure]:
    """Departures from some stops within some hours from a moment on, next first.

    Args:
        table: the timetable.
        stops: numbers of the stops.
        now: the moment.
        days: days of service to look at, counted from that of the moment.
        hours: how long.
    """
    today = now.astimezone(table.zone).date()
    boards = (table.pos_flags & BOARD) > 0
    last = table.pattern_pos[1:][table.pos_pattern] - 1
    at = np.flatnonzero(
        np.isin(table.pos_stop, stops) & boards & (np.arange(len(table.pos_stop)) != last)
    )
    start, end = now.timestamp(), now.timestamp() + hours * 3600
    found: list[tuple[float, int, int, int]] = []
    for ahead in days:
        on = today + timedelta(days=ahead)
        zero = origin_of(on, table.zone)
        runs = table.services_on(on)
        for position in at.tolist():
            first = int(table.pattern_trip[table.pos_pattern[position]])
            size = int(table.pos_trips[position])
            base = int(table.pos_base[position])
            times = zero + np.asarray(table.departures[base : base + size], np.float64)
            able = runs[table.trip_service[first : first + size]]
            for trip in np.flatnonzero(able & (times >= start) & (times < end)).tolist():
                found.append((float(times[trip]), position, first + trip, ahead))
    for when, position, trip, ahead in sorted(found):
        on = today + timedelta(days=ahead)
        pattern = int(table.pos_pattern[position])
        end_of = int(table.pos_stop[int(table.pattern_pos[pattern + 1]) - 1])
        headsign = table.headsigns[int(table.trip_headsign[trip])]
        yield Departure(
            moment_of(on, round(when - origin_of(on, table.zone)), table.zone),
            int(table.pattern_route[pattern]),
            headsign or table.stop_names[end_of],
            int(table.pos_stop[position]),
            bool(table.trip_every[trip]),
        )


def _item(table: Timetable, one: Departure, now: datetime) -> ArrivalItem:
    return ArrivalItem(
        line=table.route_names[one.route],
        mode=MODES[int(table.route_mode[one.route])],
        destination=one.headsign,
        platform=table.stop_platforms[one.stop] or None,
        expected=one.when.isoformat(),
        minutes=max(0, int((one.when.timestamp() - now.timestamp()) // 60)),
        stop=table.stop_names[one.stop],
    )


def _sentence(item: ArrivalItem, now: datetime) -> str:
    when = moment(datetime.fromisoformat(item.expected).astimezone(now.tzinfo), now)
    return f"{item.line} ({item.mode}) to {item.destination} at {when}"


def routes_called(city: City, word: str) -> frozenset[str]:
    """Return the ids of the routes that a word names: a line, or all lines of a mode.

    A mode in small letters is all its lines, also where one of them is called so: "the ferry".

    Raises:
        InputError: it names neither.
    """
    named, no_line = frozenset[str](), None
    try:
        named = frozenset(city.lines_called(word))
    except InputError as error:
        no_line = error
    if named and not word.islower():
        return named
    try:
        modes = modes_named([word])
    except InputError:
        if no_line is not None:
            raise no_line from None
        return named
    table = city.timetable
    routes = zip(table.route_ids.all(), table.route_mode.tolist(), strict=True)
    return named | frozenset(one for one, mode in routes if mode in modes)


def _why_none(city: City, asked: _Moment) -> str:
    info = city.timetable.info
    today = asked.when.date()
    if today > info.last_day:
        return f"The timetable ended on {day(info.last_day)}: import a newer feed."
    if today < info.first_day:
        return f"The timetable begins on {day(info.first_day)}."
    if asked.edge:
        return f"{asked.told}Nothing leaves there on that day, by the timetable."
    return f"{asked.told}Nothing leaves there within {_HOURS} hours, by the timetable."


def why_no_service(city: City, on: date) -> str:
    """Say why nothing is known of a day that the timetable does not hold."""
    return _why_none(city, _Moment(datetime.combine(on, city.now().timetz())))


def _ask(city: City, side: Side) -> Arrivals:
    options = [
        OptionItem(
            param="stop",
            raw=side.raw,
            name=one.place.name,
            value=one.send,
            detail=one.detail or None,
        )
        for one in side.candidates
    ]
    names = listed([one.name for one in options], 5, "or")
    return Arrivals(
        answer=f"{side.raw} may be {names}: ask which is meant, and send its value.",
        stop=side.raw,
        arrivals=[],
        total=0,
        options=options,
        credit=city.credit,
    )


def _proof(city: City, stop: str, items: Sequence[ArrivalItem], edge: str, total: int) -> Draft:
    """The record of a board: each departure by its line, where it goes, and when."""
    names = RecordNames(PACKAGE)
    source = f"{city.planner.planner}, holds until {city.timetable.info.last_day.isoformat()}"
    said = names.predicate
    values = [
        Value("stop", stop, "name", source=source),
        Value("number of departures", str(total), source=source),
    ]
    statements: list[Statement] = [
        Statement("source", (city.planner.planner, *said("imported_timetable"))),
        Statement("absence", (city.planner.planner,), said("live_data"), (said("disruption"),)),
    ]
    for position, one in enumerate(items, 1):
        when = one.expected[11:16]
        told: dict[str, tuple[str, ValueKind]] = {
            "mode": (str(one.mode), "name"),
            f"{edge} departure".strip(): (when, "time"),
            "line": (one.line, "name"),
            "end of the service": (one.destination, "name"),
            "day of the departure": (one.expected[:10], "date"),
        }
        # Each departure is one of several: none has the time or the end of another.
        item = Item((f"departures of {stop}",), options=(position,))
        values += [
            Value(name, value, kind, stop, source=source, item=item)
            for name, (value, kind) in told.items()
        ]
        conditions = (
            Condition(said("line"), "is", ((one.line,),)),
            Condition(said("mode"), "is", (names.thing("mode", mode_names(str(one.mode)), 1),)),
            Condition(said("towards"), "is", ((one.destination,),)),
            Condition(said("departs"), "is", ((when,),)),
        )
        statements.append(Statement("part", (stop,), conditions=conditions, position=position))
    return Draft(
        values=tuple(dict.fromkeys(values)),
        audit={"sources": [source]},
        vocabulary=tuple(city.line_names()),
        statements=tuple(statements),
    )
