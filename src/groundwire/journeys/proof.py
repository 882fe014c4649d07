"""The record of a journey, by which a sentence about it can be checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from groundwire.evidence.answers import other_names
from groundwire.evidence.records import Draft, Item, Value
from groundwire.journeys.itinerary import Journey, Leg, Misplaced, Place, Plan
from groundwire.journeys.lines.names import service_name
from groundwire.journeys.statements import ORDINALS, PACKAGE, Told, plan_statements
from groundwire.journeys.telling import name_of, stops_ridden
from groundwire.journeys.wording import clock

_MOST_VALUES = 1_500
# A value is called what no sentence about journeys says, where the sentence names it by itself:
# in "the Victoria line towards Brixton" Brixton is no line.
_LABELS = other_names(PACKAGE, "values")
_INTERCHANGES = "interchanges"
_TRIPS = ("trip", "journey")


def source_of(journey: Journey) -> str:
    """Return who planned a journey, as the record names the source of its values."""
    if journey.source == "tfl":
        return f"TfL Journey Planner ({journey.credit})"
    if journey.source == "offline_estimate":
        return "the embedded network"
    until = f", holds until {journey.holds_until}" if journey.holds_until else ""
    return f"{journey.planner}{until}"


def prove(
    journeys: Sequence[Journey],
    plans: Iterable[tuple[Journey, Plan]],
    *,
    legs: bool,
    lines: Iterable[str] = (),
    audit: Mapping[str, Any] | None = None,
    trips: int | None = None,
) -> Draft:
    """The record of some plans: their times, durations, fares, lines and places.

    Args:
        journeys: the journeys that are told of.
        plans: the plans that are told of, each with its journey.
        legs: whether their legs are told of, too.
        lines: names of all lines, of which a draft may name one that no plan uses.
        audit: what the plans were computed from.
        trips: how many of the journeys are trips in their order, where the others are further
            readings of these; None for all of them.
    """
    told, names = list(plans), tuple(lines)
    stated = list(_values(journeys, told, legs=legs, trips=trips))
    texts = [value.value for value in stated if value.kind == "text"]
    values = tuple(islice(_unique((*stated, *named_in(texts, names))), _MOST_VALUES))
    items = trips_of(journeys, trips)
    return Draft(
        values=values,
        audit={
            "sources": sorted(set(map(source_of, journeys))),
            **(audit or {}),
        },
        vocabulary=names,
        statements=plan_statements(
            list(zip(journeys, items, strict=True)),
            _told(told, journeys, items, values),
            len(journeys) if trips is None else trips,
            legs=legs,
        ),
    )


def _told(
    plans: Sequence[tuple[Journey, Plan]],
    journeys: Sequence[Journey],
    items: Sequence[Item],
    values: Sequence[Value],
) -> list[Told]:
    """Return the plans with what sentences call their trips, and where their changes stand."""
    of = {id(journey): trip for journey, trip in zip(journeys, items, strict=True)}
    counted = {
        (value.item.names, option): at
        for at, value in enumerate(values)
        if value.name == _INTERCHANGES and value.item
        for option in value.item.options
    }
    return [
        Told(journey, plan, trip, counted.get((trip.names, next(iter(_number(journey, plan)), 0))))
        for journey, plan in plans
        for trip in (of[id(journey)],)
    ]


def named_in(texts: Iterable[str], names: Iterable[str], entity: str | None = None) -> list[Value]:
    """Names that recorded texts hold: who quotes a text names them rightly.

    Args:
        texts: what an operator wrote.
        names: names of lines or statuses to look for.
        entity: what the texts are about, if that is one thing.
    """
    whole = "\n".join(texts)
    return [
        Value("name in a text", name, "name", entity=entity)
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", whole, re.IGNORECASE)
    ]


def _values(
    journeys: Sequence[Journey],
    plans: Sequence[tuple[Journey, Plan]],
    *,
    legs: bool,
    trips: int | None,
) -> Iterator[Value]:
    items = trips_of(journeys, trips)
    for journey, trip in zip(journeys, items, strict=True):
        yield Value("start of the journey", name_of(journey.origin), "name", item=trip)
        yield Value("end of the journey", name_of(journey.destination), "name", item=trip)
        if journey.via:
            yield Value("place on the way", name_of(journey.via), "name", item=trip)
        if journey.plans:
            others = str(len(journey.plans) - 1)
            yield Value("other plans", others, labels=("other plan",), item=trip)
        for one in journey.misplaced:
            yield from _misplaced(one, trip)
        for note in (*journey.notes, journey.error):
            if note:
                yield Value("text of a note", note, "text")
    yield Value("number of journeys", str(len(journeys)))
    yield Value("number of plans", str(len(plans)))
    of = {id(journey): trip for journey, trip in zip(journeys, items, strict=True)}
    for journey, plan in plans:
        trip = replace(of[id(journey)], options=_number(journey, plan))
        yield from _belonging(trip, _plan(journey, plan))
        if legs:
            for number, leg in enumerate(plan.legs, 1):
                piece = replace(trip, pieces=_called(leg.origin, leg.destination))
                yield from _belonging(piece, _leg(journey, number, leg))


def _misplaced(one: Misplaced, trip: Item) -> Iterator[Value]:
    yield Value("place that was asked for", one.asked, "name", item=trip)
    if one.taken:
        yield Value("place that TfL took", one.taken, "name", item=trip)
    if one.metres:
        yield Value("distance from the place asked for", str(one.metres), unit="m", item=trip)


def trips_of(journeys: Sequence[Journey], trips: int | None = None) -> list[Item]:
    """Journeys as sentences call them: by their ends, and where they are several by their order.

    Args:
        journeys: the journeys.
        trips: how many of them, from the first, are counted; None for all of them.
    """
    counted = len(ORDINALS) if trips is None else min(trips, len(ORDINALS))
    ends = Counter(name_of(journey.destination) for journey in journeys)
    found: list[Item] = []
    for number, journey in enumerate(journeys):
        names = list(_called(journey.origin, journey.destination))
        end = name_of(journey.destination)
        if len(journeys) > 1:
            words = [f"{noun} to {end}" for noun in _TRIPS] if ends[end] == 1 else []
            if number < counted:
                words += [f"{ORDINALS[number]} {noun}" for noun in _TRIPS]
            names += words
        found.append(Item(tuple(names)))
    return found


def _number(journey: Journey, plan: Plan) -> tuple[int, ...]:
    """Which of its journey's plans this is, from 1."""
    return tuple(n for n, one in enumerate(journey.plans, 1) if one is plan)[:1]


def _called(origin: Place, destination: Place) -> tuple[str, ...]:
    """How a way between two places is called: "A to B", "A - B"."""
    start, end = name_of(origin), name_of(destination)
    return f"{start} to {end}", f"{start} - {end}"


def _belonging(item: Item, values: Iterable[Value]) -> Iterator[Value]:
    """Values of one trip; what an operator says holds for every trip that it is told of."""
    for value in values:
        yield value if value.kind == "text" else replace(value, item=item)


def _plan(journey: Journey, plan: Plan) -> Iterator[Value]:
    source = source_of(journey)
    for name, when, labels in (
        ("departure", plan.start, _LABELS["departure"]),
        ("arrival", plan.arrival, _LABELS["arrival"]),
    ):
        yield Value(name, clock(when), "time", labels=labels, source=source)
        yield Value(f"{name} day", when.date().isoformat(), "date", source=source)
    yield from _duration(plan.duration_minutes, _LABELS["duration"], source)
    yield Value(_INTERCHANGES, str(plan.interchanges), labels=_LABELS["interchanges"])
    ridden = stops_ridden(plan)
    if ridden is not None:
        yield Value("stops ridden", str(ridden), labels=_LABELS["stops"], source=source)
    yield Value("walking", str(plan.walking_minutes), unit="min", labels=_LABELS["walking"])
    for leg in plan.rides:
        if leg.line:
            yield from _line(leg.mode, leg.line, source)
    if plan.fare:
        pounds = f"{plan.fare.total_pence // 100}.{plan.fare.total_pence % 100:02d}"
        yield Value("what it costs", pounds, unit="GBP", labels=_LABELS["cost"], source=source)
        for caveat in filter(None, (*plan.fare.caveats, plan.fare.charge_level)):
            yield Value("note on the price", caveat, "text", source=source)
        for zone in filter(str.isdigit, plan.fare.zones.split("-")):
            yield Value("zone", zone, labels=_LABELS["zone"], source=source)
    for kind, found in (
        ("disruption", plan.disruptions),
        ("planned work", plan.planned_works),
        ("notice", plan.notices),
    ):
        for one in found:
            yield Value(f"text of a {kind}", one.reason, "text", source=source)
            yield Value(f"line with a {kind}", one.line, "name", source=source)
            for when in (one.begins, one.ends):
                if when is not None:
                    yield Value(f"time of a {kind}", clock(when), "time", source=source)
                    day = when.date().isoformat()
                    yield Value(f"day of a {kind}", day, "date", source=source)


def _duration(minutes: int, labels: tuple[str, ...], source: str) -> Iterator[Value]:
    """Minutes, and the same as it is said: 2 hours 14 minutes."""
    yield Value("duration", str(minutes), unit="min", labels=labels, source=source)
    hours, rest = divmod(minutes, 60)
    if hours and rest:
        yield Value("duration", str(hours), unit="h", labels=labels, source=source)
        yield Value("duration", str(rest), unit="min", labels=labels, source=source)


def _line(mode: str, line: str, source: str) -> Iterator[Value]:
    """A line by its names; bus 73 is also a number."""
    for name in dict.fromkeys((line, service_name(mode, line))):
        yield Value("line of the plan", name, "name", source=source)
    if line.isascii() and line.isdigit():
        yield Value("number of the line", line, source=source)


def _leg(journey: Journey, number: int, leg: Leg) -> Iterator[Value]:
    source = f"{source_of(journey)}, leg {number}"
    yield Value(
        "departure", clock(leg.departure), "time", labels=_LABELS["departure"], source=source
    )
    yield Value("arrival", clock(leg.arrival), "time", labels=_LABELS["arrival"], source=source)
    labels = (
        (*_LABELS["duration"], *_LABELS["walking"])
        if leg.mode == "walking"
        else _LABELS["duration"]
    )
    yield from _duration(leg.duration_minutes, labels, source)
    if leg.interchange_minutes:
        minutes = str(leg.interchange_minutes)
        yield Value(
            "time to change", minutes, unit="min", labels=_LABELS["time_to_change"], source=source
        )
    if leg.distance_metres is not None:
        metres = str(leg.distance_metres)
        yield Value("distance", metres, unit="m", labels=_LABELS["distance"], source=source)
    if leg.stops:
        yield Value("stops", str(len(leg.stops)), labels=_LABELS["stops"], source=source)
    for line in filter(None, (leg.line, *leg.also)):
        yield from _line(leg.mode, line, source)
    for place in (leg.origin, leg.destination, *leg.stops):
        yield Value("stop of the plan", name_of(place), "name", source=source)
    if leg.origin.platform:
        platform = leg.origin.platform
        labels = _LABELS["platform"]
        yield Value("platform to wait at", platform, "name", labels=labels, source=source)
    if leg.direction:
        yield Value("end of the service", leg.direction, "name", source=source)
    for step in leg.steps:
        yield Value("text of a turn", step.instruction, "text", source=source)


def _unique(values: Iterable[Value]) -> Iterator[Value]:
    """Each value once, with all plans that it is of: plans that share a leg share its facts."""
    options: dict[Value, tuple[int, ...]] = {}
    for value in values:
        if value.item is None:
            options.setdefault(value, ())
            continue
        alike = replace(value, item=replace(value.item, options=()))
        options[alike] = tuple(dict.fromkeys((*options.get(alike, ()), *value.item.options)))
    for value, numbers in options.items():
        item = replace(value.item, options=numbers) if value.item else None
        yield replace(value, item=item)
