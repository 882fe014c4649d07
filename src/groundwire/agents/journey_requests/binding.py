"""The trips that were planned, bound to the trips that were asked for.

A model may plan other places than the request names, leave a wish out, add one, or plan fewer
trips. Each trip that was asked for is bound to the call that planned it, and what differs is named;
what was planned between other places answers nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import THERE
from groundwire.agents.journey_requests.names import (
    is_same_place,
    may_be,
    stands_in,
)
from groundwire.agents.journey_requests.subagents import PLAN, REFUSED, SENT, Row, own_places, rows
from groundwire.agents.journey_requests.words import apart
from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON, TimeIs
from groundwire.journeys.times.reading import TimeReading, find_times, read_time
from groundwire.journeys.wishes.readers import usable_modes
from groundwire.journeys.wishes.reading import read_wishes
from groundwire.vocabulary import fold

Arguments = Mapping[str, JsonValue]
PLACES = ("starting_point", "destination", "via")
TIMES = ("date", "time", "time_is")
# A vague word of the day ("in the evening") holds for the hours around it.
_AROUND = timedelta(hours=2)
_SPOKEN = {
    "mode": "only by {}",
    "avoid_modes": "not by {}",
    "avoid_lines": "without the {} line",
    "only_lines": "only by the {} line",
    "avoid_stops": "not via {}",
    "avoid_changes": "not changing at {}",
    "accessibility_preference": "{}",
    "journey_preference": "{}",
    "max_walking_minutes": "at most {} minutes of walking",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The trips and wishes that a request has for the planner.

    Attributes:
        trips: arguments of each trip, in order.
        begins: where the first trip begins if it does not say so itself: the end of the journeys
            at hand, or empty.
        beside: options that the request keeps for good, which a trip may repeat.
        stays: minutes that one stays where the trip before ends, by the number of the trip.
        same: other names of places, by the value that was sent for them.
        own: the user's own places by name.
        text: the request and what was said before, for what the rules could not read of it.
        declined: whether it is known to ask for something else than journeys.
    """

    trips: tuple[Arguments, ...] = ()
    begins: str = ""
    beside: Arguments = field(default_factory=dict[str, JsonValue])
    stays: Mapping[int, int] = field(default_factory=dict[int, int])
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    text: str = ""
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """One trip of a call of the planner.

    Attributes:
        sent: its arguments, options of the whole call among them.
        journeys: its journeys in the answer; several where a place is not clear.
        output: the answer.
    """

    sent: Arguments
    journeys: tuple[Row, ...]
    output: Row

    @property
    def ends(self) -> str:
        """Where it goes, as the planner names it."""
        one = self.journeys[0] if self.journeys else {}
        begins = one.get("from") or self.sent.get("starting_point")
        return f"{begins} to {one.get('to') or self.sent.get('destination')}"


@dataclass(frozen=True, slots=True)
class BoundTrip:
    """A trip that was asked for with the one that was planned for it.

    Attributes:
        number: which of the trips that were asked for, from 0.
        planned: what was planned.
        dropped: what was asked and not sent, in words.
        added: what was sent and not asked, in words.
    """

    number: int
    planned: Planned
    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bound:
    """The trips that were asked for, with what became of each.

    Attributes:
        trips: those that were planned, in the order in which they were asked for.
        missing: numbers of those that were not.
        unstayed: numbers of those that do not wait for the stay before them.
        unasked: what was planned between other places.
    """

    trips: tuple[BoundTrip, ...] = ()
    missing: tuple[int, ...] = ()
    unstayed: tuple[int, ...] = ()
    unasked: tuple[Planned, ...] = ()


def planned_trips(outputs: Sequence[Row]) -> list[Planned]:
    """The trips of the planner's answers, each with its own journeys."""
    return [trip for one in outputs if one.get("tool") == PLAN for trip in _trips_of(one)]


def _trips_of(output: Row) -> Iterator[Planned]:
    sent = cast("dict[str, JsonValue]", output.get(SENT) or {})
    listed = sent.get("trips")
    if isinstance(listed, str):
        # Servers take a list that arrives as a text.
        listed = json.loads(listed)
    trips = rows({"trips": listed}, "trips")
    common = {key: value for key, value in sent.items() if key not in ("trips", *PLACES)}
    made = [{**common, **one} for one in trips] or [sent]
    journeys = rows(output, "journeys")
    for number, one in enumerate(made, 1):
        # A trip to a place that is not clear has several journeys.
        own = [journey for journey in journeys if journey.get("trip", 1) == number]
        yield Planned(one, tuple(own), output)


def bound_trips(asked: Asked, planned: Sequence[Planned]) -> Bound:
    """Bind trips; of several calls for one trip that which differs least counts, then the last."""
    left = dict(enumerate(planned))
    own = {**asked.own, **own_places(one.output for one in planned)}
    asked = replace(asked, own=own)
    found: list[BoundTrip] = []
    missing: list[int] = []
    unstayed: list[int] = []
    matched: set[int] = set()
    for number in range(len(asked.trips)):
        after = _arrival(found[-1]) if found and found[-1].number == number - 1 else None
        fits = [at for at, one in left.items() if _same_ends(asked, number, one)]
        matched.update(at for at, one in enumerate(planned) if _same_ends(asked, number, one))
        if not fits:
            missing.append(number)
            continue
        bound = {at: _bound(asked, number, left[at], after) for at in fits}
        best = min(fits, key=lambda at: (_cost(bound[at]), -at))
        found.append(bound[best])
        # A trip that goes on from there begins at the place as the planner has read its name.
        ends = _names(left[best], "destination", "to")
        asked = replace(asked, same={**_named(ends, asked.trips[number]), **asked.same})
        if asked.stays.get(number) and not _waits(asked, number, left[best], after):
            unstayed.append(number)
        del left[best]
    unasked = tuple(one for at, one in left.items() if at not in matched)
    return Bound(tuple(found), tuple(missing), tuple(unstayed), unasked)


def _named(ends: Sequence[str], trip: Arguments) -> dict[str, str]:
    """Return the name that was asked for by each name of the end of a trip."""
    return {one: str(trip["destination"]) for one in ends if trip.get("destination")}


def unread_trips(text: str, planned: Sequence[Planned]) -> tuple[list[Planned], list[Planned]]:
    """Trips whose request could not be read: those whose ends the text names, and the others."""
    named = [one for one in planned if _is_named(one, text)]
    return named, [one for one in planned if one not in named]


def _is_named(planned: Planned, text: str) -> bool:
    ends = ("starting_point", "from"), ("destination", "to")
    return all(
        any(stands_in(name, text) for name in _names(planned, sent, told))
        or (sent == "starting_point" and not planned.sent.get(sent))
        for sent, told in ends
    )


def _names(planned: Planned, sent: str, told: str) -> list[str]:
    """How a place of a trip was sent, and how the planner calls it."""
    listed = [str(one[told]) for one in planned.journeys if one.get(told)]
    called = listed[:1] if len(set(listed)) == 1 else []
    return [*filter(None, (str(planned.sent.get(sent) or ""),)), *called]


def _cost(bound: BoundTrip) -> tuple[int, bool]:
    has_plans = any(rows(one, "plans") for one in bound.planned.journeys)
    return len(bound.dropped) + len(bound.added), not has_plans


def _arrival(before: BoundTrip) -> datetime | None:
    plans = [plan for one in before.planned.journeys[:1] for plan in rows(one, "plans")]
    return datetime.fromisoformat(str(plans[0]["arrival"])) if plans else None


def _begin(asked: Asked, number: int) -> str:
    """Where a trip begins: in its own words, where the one before ends, or nowhere said."""
    said = str(asked.trips[number].get("starting_point") or "")
    if said and said != THERE:
        return said
    return str(asked.trips[number - 1].get("destination", "")) if number else asked.begins


def _same_ends(asked: Asked, number: int, planned: Planned) -> bool:
    begin = _begin(asked, number)
    if REFUSED in planned.output and not planned.sent.get("starting_point"):
        # What goes on from before and is refused does not say where it begins.
        begin = ""
    starts = not begin or _is_place(asked, begin, _names(planned, "starting_point", "from"))
    end = str(asked.trips[number].get("destination", ""))
    return starts and _is_place(asked, end, _names(planned, "destination", "to"))


def _is_place(asked: Asked, meant: str, names: Sequence[str]) -> bool:
    """Whether a place is one of some names; "home" is also what the user has named so."""
    every = [*names, *(asked.same[name] for name in names if name in asked.same)]
    kept = next((value for name, value in asked.own.items() if fold(name) == fold(meant)), "")
    known = [one for one in (meant, asked.same.get(meant, ""), kept) if one]
    return any(is_same_place(one, *every) or may_be(one, *every) for one in known)


def _bound(asked: Asked, number: int, planned: Planned, after: datetime | None) -> BoundTrip:
    trip, sent = asked.trips[number], planned.sent
    dropped: list[str] = []
    added: list[str] = []
    for name, told in (("starting_point", "from"), ("destination", "to")):
        meant = _begin(asked, number) if told == "from" else str(trip.get(name, ""))
        names = _names(planned, name, told)
        if meant and not is_same_place(meant, *names) and may_be(meant, *names):
            added.append(f"{names[-1]} for “{meant}”")
    begins = str(sent.get("starting_point") or "")
    if begins and not _begin(asked, number) and fold(begins) != "home":
        added.append(f"from {begins}")
    _compare_via(asked, number, planned, dropped, added)
    if not asked.stays.get(number):
        _compare_times(trip, sent, _now(planned), after, dropped, added)
    _compare_wishes(trip, sent, asked.beside, dropped, added)
    return BoundTrip(number, planned, tuple(dropped), tuple(added))


def _compare_via(
    asked: Asked, number: int, planned: Planned, dropped: list[str], added: list[str]
) -> None:
    meant, names = str(asked.trips[number].get("via") or ""), _names(planned, "via", "via")
    if meant and names and _is_place(asked, meant, names):
        return
    dropped += [f"via {meant}"] if meant else []
    added += [f"via {names[-1]}"] if names else []


def _waits(asked: Asked, number: int, planned: Planned, after: datetime | None) -> bool:
    """Whether a trip begins when the stay before it is over."""
    if after is None:
        return False
    meant = _moment(time_after(after, asked.stays[number]), _now(planned), after)
    made = _moment(planned.sent, _now(planned), after)
    return meant is not None and made is not None and meant.when == made.when


def time_after(arrival: datetime, stay: int) -> dict[str, JsonValue]:
    """The time of a trip that begins some minutes after an arrival, as its arguments."""
    when = arrival + timedelta(minutes=stay)
    return {"date": when.date().isoformat(), "time": f"{when:%H:%M}", "time_is": "departing"}


def _now(planned: Planned) -> datetime:
    """The moment that the planner counted from."""
    told = planned.output.get("as_of")
    return datetime.fromisoformat(told) if isinstance(told, str) else datetime.now(LONDON)


def _compare_times(
    trip: Arguments,
    sent: Arguments,
    now: datetime,
    after: datetime | None,
    dropped: list[str],
    added: list[str],
) -> None:
    said, made = _said_time(trip), _said_time(sent)
    if {name: trip.get(name) for name in TIMES} == {name: sent.get(name) for name in TIMES}:
        return
    meant, planned = _moment(trip, now, after), _moment(sent, now, after)
    if not said or not made:
        # "now" says no more than nothing does.
        at_once = _is_now(planned if made else meant, now)
        added += [made] if made and not at_once else []
        dropped += [said] if said and not at_once else []
    elif meant is None or planned is None:
        dropped += [said] if fold(said) != fold(made) or trip.get("time_is") else []
    elif not trip.get("time") and meant.when.date() == planned.when.date():
        # Of a day alone, any time holds, and the planner's own is not the user's.
        added += [made] if sent.get("time") else []
    elif meant.time_is != planned.time_is or not _as_meant(said, meant, planned):
        dropped.append(said)


def _is_now(reading: TimeReading | None, now: datetime) -> bool:
    if reading is None or reading.time_is == "arriving":
        return False
    return abs(reading.when - now) <= timedelta(minutes=1)


def _said_time(trip: Arguments) -> str:
    words = " ".join(str(trip[name]) for name in ("date", "time") if trip.get(name))
    is_plain = words[:1].isdigit()
    lead = "by " if trip.get("time_is") == "arriving" else "leaving at "
    return f"{lead}{words}" if is_plain and trip.get("time") else words


def _moment(trip: Arguments, now: datetime, after: datetime | None) -> TimeReading | None:
    date, time, kind = (str(trip[name]) if trip.get(name) else None for name in TIMES)
    folded = fold(kind or "")
    time_is: TimeIs | None = None
    if folded:
        time_is = "arriving" if folded.startswith(("arriv", "by", "before")) else "departing"
    for base in (after, None):
        try:
            return read_time(date, time, time_is, now, base)
        except InputError:
            continue
    return None


def _as_meant(said: str, meant: TimeReading, planned: TimeReading) -> bool:
    if meant.when == planned.when:
        return True
    times = find_times(said)
    vague = any(one.expression.part is not None for one in times) and not any(
        one.expression.clock is not None for one in times
    )
    return vague and abs(meant.when - planned.when) <= _AROUND


def _compare_wishes(
    trip: Arguments, sent: Arguments, beside: Arguments, dropped: list[str], added: list[str]
) -> None:
    meant, made, kept = _options(trip), _options(sent), _options(beside)
    names = dict.fromkeys((*meant, *made))
    if {"mode", "avoid_modes"} & set(names):
        allowed, used = _usable(meant), _usable(made)
        if used - allowed:
            dropped += _spoken(meant, "mode", "avoid_modes")
        if allowed - used and used != _usable({**meant, **kept}):
            added += _spoken(made, "mode", "avoid_modes")
    for name in names:
        if name in ("mode", "avoid_modes"):
            continue
        wanted, given = _set(meant.get(name)), _set(made.get(name))
        if wanted - given:
            dropped += _spoken({name: tuple(sorted(wanted - given))}, name)
        if given - wanted - _set(kept.get(name)):
            added += _spoken({name: tuple(sorted(given - wanted))}, name)


def _options(trip: Arguments) -> dict[str, Any]:
    """The wishes of a trip in the planner's own spelling, or as they are where it has none."""
    found = {
        name: value
        for name, value in trip.items()
        if name not in (*PLACES, *TIMES, "journey_id", "trips") and value not in (None, "", [])
    }
    made: dict[str, Any] = {}
    for name, value in found.items():
        try:
            made |= read_wishes({name: value}, datetime.now(LONDON)).given
        except InputError:
            made[name] = tuple(map(str, value)) if isinstance(value, list) else value
    return made


def _usable(options: Mapping[str, Any]) -> set[str]:
    return set(usable_modes(options.get("mode", ()), options.get("avoid_modes", ())))


def _set(value: object) -> set[str]:
    if value is None:
        return set()
    return set(
        map(str, cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,))
    )


def _spoken(options: Mapping[str, Any], *names: str) -> list[str]:
    """Wishes in words: "not by bus", "without the Central line"."""
    return [
        _SPOKEN.get(name, f"{name.replace('_', ' ')} {{}}").format(
            " or ".join(_listed(options[name]))
        )
        for name in names
        if options.get(name)
    ]


def _listed(value: object) -> list[str]:
    listed = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
    return [
        apart(text).lower() if text != text.lower() and " " not in text else text
        for text in map(str, listed)
    ]
