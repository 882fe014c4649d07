"""Answers about trips that were planned: journeys, options to ask about, corrections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from groundwire.evidence.records import Draft, Item, Statement, Value
from groundwire.journeys import telling
from groundwire.journeys.conditions import conditions_of, step_free_stops
from groundwire.journeys.conditions import told as conditions_told
from groundwire.journeys.itinerary import (
    Disruption,
    Journey,
    Options,
    Plan,
    Source,
    minutes_between,
)
from groundwire.journeys.lines.names import service_name
from groundwire.journeys.places.sides import Candidate, Side
from groundwire.journeys.planning.places_taken import alike, told_of
from groundwire.journeys.proof import prove, trips_of
from groundwire.journeys.region import Region
from groundwire.journeys.results import (
    ComputedJourneys,
    ConditionItem,
    CorrectionItem,
    JourneyItem,
    OptionItem,
    StepFreeItem,
)
from groundwire.journeys.statements import readings, without_lines
from groundwire.journeys.telling import ROOMS, Room
from groundwire.journeys.wishes.reading import Correction
from groundwire.journeys.wording import count, duration, listed

# Characters of an answer: serving cuts longer ones at their ends, not where least is lost.
_CHARACTERS = 18_500
# Minutes between the time asked for and a plan, from which on the answer says so.
_FAR_OFF = 120
# The argument that an error begins with: a sentence about a trip names its places instead.
_ARGUMENT = re.compile(r"(?:starting_point|destination|via): ")
# How a place is found where the answer says what its words were read as.
_READ = frozenset({"corrected", "tfl"})
# How a place is found where nobody has to be told what it was read as.
_AS_SENT = frozenset({"exact", "folded", "coordinates", "postcode"})


@dataclass(frozen=True, slots=True)
class Made:
    """The outcome of one trip.

    Attributes:
        journeys: one, or one for each of the places that may be meant; always at least one.
        sides: its ends as they were read.
        options: what was asked of it.
        effective: the same by name, defaults of the user among them, as JSON.
        corrections: options that were read as something else than was sent.
        notes: what was taken for granted, and what else has to be told.
    """

    journeys: tuple[Journey, ...]
    sides: tuple[Side, ...] = ()
    options: Options = field(default_factory=Options)
    effective: Mapping[str, Any] = field(default_factory=dict[str, Any])
    corrections: tuple[CorrectionItem, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def best_first(self) -> tuple[Journey, ...]:
        """The journeys, first the likeliest that has plans, which stands for the trip."""
        best = next((one for one in self.journeys if one.plans), self.journeys[0])
        return (best, *(one for one in self.journeys if one is not best))

    @property
    def unsettled(self) -> tuple[Side, ...]:
        """Ends that may be several places."""
        return tuple(side for side in self.sides if not side.settled)

    @property
    def arrived(self) -> Journey | None:
        """The journey, where it is one that has plans: the next trip begins at its end."""
        is_one = not self.unsettled and len(self.journeys) == 1
        return self.journeys[0] if is_one and self.journeys[0].plans else None


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where journeys were kept.

    Attributes:
        journey_id: their handle, or None where they are not kept.
        first: the index of the first of them.
        not_kept: why they are not kept although they have plans, else empty.
        unread: why what the user keeps could not be read, else empty.
    """

    journey_id: str | None = None
    first: int = 0
    not_kept: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A journey with the trip that it is of.

    Attributes:
        trip: the position of the trip in the request, from 1.
        journey: the journey, with or without plans.
        options: what was asked of it.
    """

    trip: int
    journey: Journey
    options: Options


def in_position(made: Sequence[Made]) -> list[Placed]:
    """The journeys in the order of their indices.

    The first is of the first trip, the second of the second, whether they have plans or not. The
    other readings of trips whose places are ambiguous follow after the last trip.
    """
    placed = [
        [Placed(number, journey, one.options) for journey in one.best_first]
        for number, one in enumerate(made, 1)
    ]
    return [
        *(readings[0] for readings in placed),
        *(other for readings in placed for other in readings[1:]),
    ]


def told(london: Region, made: Sequence[Made], keeping: Keeping) -> tuple[ComputedJourneys, Draft]:
    """The answer to a request, and its record; ways around disruptions are looked for.

    Args:
        london: what the journeys were planned with.
        made: what became of each trip.
        keeping: where the journeys were kept, in the order of `in_position`.
    """
    placed = in_position(made)
    journeys = [one.journey for one in placed]
    ways = [london.ways_around(one.journey, one.options) for one in placed]

    def within(room: Room) -> ComputedJourneys:
        items = [
            _with_conditions(
                telling.journey_item(index, one.journey, way, room, trip=one.trip), one, london
            )
            for index, (one, way) in enumerate(zip(placed, ways, strict=True), keeping.first)
        ]
        return _result(made, journeys, items, keeping, london)

    result = within(ROOMS[0])
    for room in ROOMS[1:]:
        if len(result.model_dump_json(exclude_none=True)) <= _CHARACTERS:
            break
        result = within(room)
        result.left_out = "the ends of reasons"
        if room.plans is not None:
            result.left_out += f", and of each journey all plans but the first {room.plans}"
        result.left_out += ": get_computed_journey tells more of one journey"
    plans = [(journey, plan) for journey in journeys for plan in journey.plans]
    draft = prove(journeys, plans, legs=False, lines=london.line_names(), trips=len(made))
    sides = [side for one in made for side in one.sides]
    if any(not side.settled for side in sides):
        likely = str(sum(bool(item.plans) for item in result.journeys))
        draft = replace(draft, values=(*draft.values, Value("number of likely journeys", likely)))
    kept = _avoided(placed, trips_of(journeys, len(made)), london)
    return result, replace(draft, statements=(*draft.statements, *kept, *readings(sides)))


def _avoided(
    placed: Sequence[Placed], trips: Sequence[Item], london: Region
) -> Iterator[Statement]:
    """Yield the lines that were to be avoided and that the first plan of a trip does without."""
    for one, trip in zip(placed, trips, strict=True):
        conditions = conditions_of(one.journey, one.options, london.line_name)
        if any((c.option, c.standing) == ("avoid_lines", "applied") for c in conditions):
            lines = map(london.line_name, one.options.avoid_lines)
            yield from without_lines(trip, (line.removeprefix("the ") for line in lines))


def _with_conditions(item: JourneyItem, placed: Placed, london: Region) -> JourneyItem:
    """A journey with the conditions of its trip, and what is known of steps at its stops."""
    conditions = conditions_of(placed.journey, placed.options, london.line_name)
    stops = step_free_stops(placed.journey, placed.options)
    item.conditions = [
        ConditionItem(option=one.option, asked=one.asked, standing=one.standing)
        for one in conditions
    ] or None
    item.step_free_stops = [
        StepFreeItem(stop=name, step_free=known) for name, known in stops
    ] or None
    return item


def _result(
    made: Sequence[Made],
    journeys: Sequence[Journey],
    items: Sequence[JourneyItem],
    keeping: Keeping,
    london: Region,
) -> ComputedJourneys:
    now = london.now()
    answer = _sentence(made, items, now)
    if keeping.unread:
        answer += (
            " What you keep could not be read: defaults, places and earlier trips are left out."
        )
    if keeping.not_kept:
        answer += " The plans are not kept: no map or calendar file can be made of them."
    notes = telling.shared_notes(items)
    said = [assumed for one in made for assumed in one.assumptions]
    unread = (
        [f"Defaults, places and earlier trips are left out: {keeping.unread}"]
        if keeping.unread
        else []
    )
    return ComputedJourneys(
        answer=answer,
        journey_id=keeping.journey_id,
        not_kept=keeping.not_kept or None,
        source=_source(journeys),
        journeys=list(items),
        options=_options(made) or None,
        corrections=_corrections(made) or None,
        assumptions=list(dict.fromkeys([*said, *unread])) or None,
        notes=notes or None,
        effective_preferences=dict(made[0].effective),
        as_of=now.isoformat(timespec="minutes"),
        credit=london.credit,
    )


def _source(journeys: Sequence[Journey]) -> Source:
    """Who planned them; where one is an estimate, the whole is taken for one."""
    estimated = any(one.source == "offline_estimate" for one in journeys)
    return "offline_estimate" if estimated else journeys[0].source


def _options(made: Sequence[Made]) -> list[OptionItem]:
    found: dict[tuple[str, str], OptionItem] = {}
    for side in (side for one in made for side in one.unsettled):
        for candidate in side.candidates:
            item = OptionItem(
                param=side.param,
                raw=side.raw,
                name=candidate.place.name,
                value=candidate.send,
                detail=candidate.detail or None,
            )
            found.setdefault((side.raw, candidate.send), item)
    return list(found.values())


def corrections(found: Sequence[Correction]) -> tuple[CorrectionItem, ...]:
    """Options that were read as something else than was sent, but for their case."""
    return tuple(
        CorrectionItem(param=one.param, raw=one.raw, resolved=one.used, how=one.how)
        for one in found
        if one.raw.strip().casefold() != one.used.casefold()
    )


def _corrections(made: Sequence[Made]) -> list[CorrectionItem]:
    found = [correction for one in made for correction in one.corrections]
    for side in (side for one in made for side in one.sides if side.settled and side.raw):
        name = telling.name_of(side.best.place)
        if side.how not in _AS_SENT and name.casefold() != side.raw.strip().casefold():
            found.append(
                CorrectionItem(param=side.param, raw=side.raw, resolved=name, how=side.how)
            )
    found += [correction for one in made for correction in _taken(one)]
    return list({(one.param, one.raw, one.resolved): one for one in found}.values())


def _taken(made: Made) -> Iterator[CorrectionItem]:
    """Places that TfL's plans have instead of those that were asked for."""
    sent = {side.param: side.raw for side in made.sides if side.raw}
    for one in (one for journey in made.journeys for one in journey.misplaced if one.taken):
        raw = sent.get(one.param) or one.asked
        yield CorrectionItem(param=one.param, raw=raw, resolved=one.taken, how="taken by TfL")


def told_apart(candidates: Sequence[Candidate]) -> list[str]:
    """Names of places that may be meant, with what tells apart those that are called alike."""
    names = [one.place.name for one in candidates]
    return [
        described(one) if names.count(one.place.name) > 1 else one.place.name for one in candidates
    ]


def described(candidate: Candidate) -> str:
    """A place that may be meant, with what tells it from others of its name."""
    detail = f" ({candidate.detail})" if candidate.detail else ""
    return f"{candidate.place.name}{detail}"


def _sentence(made: Sequence[Made], items: Sequence[JourneyItem], now: datetime) -> str:
    unsettled = {side.raw: side for one in made for side in one.unsettled}
    if unsettled:
        asked = "; ".join(
            f"{raw} may be {listed(told_apart(side.candidates), 5, 'or')}"
            for raw, side in unsettled.items()
        )
        planned = sum(bool(item.plans) for item in items)
        likely = count(planned, "likely journey is", "likely journeys are")
        told = f" Until then, {likely} planned." if planned else ""
        failed = [
            _of_journey(one, item, now, now)
            for one, item in zip(made, items, strict=False)
            if not one.unsettled and not item.plans
        ]
        told += telling.estimate_told(one.best_first[0] for one in made)
        return " ".join([f"{asked}: ask which is meant, and send its value.{told}", *failed])
    journeys = [one.best_first[0] for one in made]
    said: list[str] = []
    asked_at = now
    for one, item in zip(made, items, strict=False):
        said.append(_of_journey(one, item, now, one.options.when or asked_at))
        # The day of a trip is not named again for those after it.
        plans = one.best_first[0].plans
        now = plans[0].start if plans else now
    told = " Then ".join(said) + "".join(dict.fromkeys(_read_as(made)))
    return told + telling.estimate_told(journeys)


def _read_as(made: Sequence[Made]) -> Iterator[str]:
    """Places that were read as another word than was sent, each in a sentence."""
    for side in (side for one in made for side in one.sides if side.settled):
        name = telling.name_of(side.best.place)
        if side.how in _READ and not alike(side.raw, name):
            yield f" {side.raw} is read as {name}."


def _of_journey(made: Made, item: JourneyItem, now: datetime, when: datetime) -> str:
    journey = made.best_first[0]
    via = f" via {item.via}" if item.via else ""
    ends = f"{item.from_} to {item.to}{via}"
    if not journey.plans:
        named = _ARGUMENT.match(journey.error)
        error = journey.error[named.end() :] if named else journey.error
        why = error[:1].upper() + error[1:]
        return f"{ends}: no plan. {why}{'' if why.endswith(('.', '!', '?')) else '.'}"
    plan = journey.plans[0]
    others = len(journey.plans) - 1
    more = f"; {count(others, 'other plan')}" if others else ""
    hindered = _hindered("disruption", plan, plan.disruptions)
    hindered += _hindered("planned works", plan, plan.planned_works)
    elsewhere = "".join(f" {told_of(one)}" for one in journey.misplaced)
    first = f"{telling.in_a_sentence(plan, journey, now)}{hindered}{more}."
    far = _far_off(made, plan, when)
    return f"{ends}: the first plan {first}{far}{elsewhere}{_conditions(item)}"


def _far_off(made: Made, plan: Plan, when: datetime) -> str:
    """Say by how much a plan misses the time that was asked for, where that is hours."""
    arriving = made.options.time_is == "arriving"
    missed = minutes_between(plan.arrival, when) if arriving else minutes_between(when, plan.start)
    if missed < _FAR_OFF or made.options.adjustment:
        return ""
    return f" That is {duration(missed)} {'earlier' if arriving else 'later'} than asked for."


def _conditions(item: JourneyItem) -> str:
    """The conditions that the first plan of a trip keeps to or not, as sentences after a blank."""
    said = conditions_told(
        item.conditions or (),
        [(one.stop, one.step_free) for one in item.step_free_stops or ()],
        item.source,
        step_free=item.plans[0].step_free,
    )
    return f" {said}" if said else ""


def _hindered(kind: str, plan: Plan, found: Sequence[Disruption]) -> str:
    services = {leg.line_id: service_name(leg.mode, leg.line) for leg in plan.rides if leg.line_id}
    named = list(dict.fromkeys(services.get(one.line_id, one.line) for one in found))
    return f"; {kind} on {listed(named, 3)}" if named else ""
