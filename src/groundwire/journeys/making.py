"""Journeys as they are asked for: trips read, planned one after the other, kept and told.

The trips of a day belong together: one that names no starting point begins where the one before
ends, and one that names no time begins when the one before arrives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import anyio.to_thread

from groundwire.errors import GroundwireError, InputError
from groundwire.evidence.records import Draft
from groundwire.journeys import telling
from groundwire.journeys.itinerary import Journey, Place, Source
from groundwire.journeys.london import London
from groundwire.journeys.looking import around, line_names
from groundwire.journeys.options import Options
from groundwire.journeys.places import value_to_send
from groundwire.journeys.planning import Planned, Planning
from groundwire.journeys.preferences import Preferences
from groundwire.journeys.proof import prove
from groundwire.journeys.request import Request, Trip
from groundwire.journeys.results import ComputedJourneys, CorrectionItem, JourneyItem, OptionItem
from groundwire.journeys.sides import Candidate, Reader, Side
from groundwire.journeys.spoken_times import clock, count, listed
from groundwire.journeys.wishes import Wishes, read_wishes, shown
from groundwire.vocabulary import fold

_HOME = "home"
_THERE = frozenset(map(fold, ("there", "from there", "same place", "the same place")))
Unclear = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one trip.

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
    def unsettled(self) -> tuple[Side, ...]:
        """Ends that may be several places."""
        return tuple(side for side in self.sides if not side.settled)

    @property
    def arrived(self) -> Journey | None:
        """The journey, where it is one that has plans: the next trip begins at its end."""
        is_one = not self.unsettled and len(self.journeys) == 1
        return self.journeys[0] if is_one and self.journeys[0].plans else None


async def make_journeys(
    london: London, owner: str, request: Request
) -> tuple[ComputedJourneys, Draft]:
    """Plan the trips of a request and keep them under a handle.

    Raises:
        NotFoundError: the handle to add to is unknown, another owner's, or has expired.
        InputError: the one trip of the request cannot be planned as it was sent.
        GroundwireError: TfL cannot be asked, for a reason other than that it is down.
    """
    day = await _Day.begin(london, owner, request)
    made = await day.run()
    journeys = [journey for one in made for journey in one.journeys]
    journey_id, first = await _kept(london, owner, request.journey_id, journeys)
    items = [
        telling.journey_item(index, journey, around(london, journey, one.options))
        for index, (one, journey) in enumerate(
            ((one, journey) for one in made for journey in one.journeys), first
        )
    ]
    result = ComputedJourneys(
        answer=_sentence(made, items),
        journey_id=journey_id,
        source=_source(journeys),
        journeys=items,
        options=_options(made) or None,
        corrections=_corrections(made) or None,
        assumptions=list(dict.fromkeys(said for one in made for said in one.assumptions)) or None,
        effective_preferences=dict(made[0].effective),
    )
    plans = [(journey, plan) for journey in journeys for plan in journey.plans]
    return result, prove(journeys, plans, legs=False, lines=line_names(london))


async def unclear_places(london: London, owner: str, request: Request) -> Unclear:
    """Words that may mean several places: for each the values that can be sent, and their names.

    Raises:
        GroundwireError: as `make_journeys`.
    """
    day = await _Day.begin(london, owner, request, exploring=False)
    sides = [side for one in await day.run() for side in one.unsettled]
    return {side.raw: {one.send: _described(one) for one in side.candidates} for side in sides}


@dataclass(slots=True)
class _Day:
    """The trips of one request, as far as they have come."""

    london: London
    request: Request
    preferences: Preferences
    exploring: bool
    before: Journey | None
    made: list[Made] = field(default_factory=list[Made])

    @classmethod
    async def begin(
        cls, london: London, owner: str, request: Request, *, exploring: bool = True
    ) -> _Day:
        """Read what is known of the user, and what the trips are added to."""

        def read() -> tuple[Preferences, Journey | None]:
            kept = london.journeys.get(owner, request.journey_id) if request.journey_id else ()
            before = next((one for one in reversed(kept) if one.plans), None)
            return london.preferences.get(owner), before

        preferences, before = await anyio.to_thread.run_sync(read)
        return cls(london, request, preferences, exploring, before)

    async def run(self) -> list[Made]:
        """Plan every trip; with several, one that fails does not spoil the others."""
        for number, trip in enumerate(self.request.trips):
            try:
                made = await self._make(number, trip)
            except GroundwireError as error:
                if len(self.request.trips) == 1:
                    raise
                ends = Place(trip.starting_point or "?"), Place(trip.destination or "?")
                source: Source = "tfl" if self.london.supplies.online else "offline_estimate"
                made = Made((Journey(*ends, (), source, None, str(error)),))
            self.made.append(made)
            self.before = made.arrived
        return self.made

    async def _make(self, number: int, trip: Trip) -> Made:
        options, wishes, assumed = self._wishes(trip)
        reader = Reader(
            self.london.places,
            self.preferences.places,
            self.request.chosen,
            online=self.london.supplies.online,
        )
        origin, begins = self._origin(reader, number, trip)
        if not trip.destination.strip():
            raise InputError("destination is missing: send where the trip ends.")
        planning = Planning(
            london=self.london,
            origin=origin,
            destination=reader.read("destination", trip.destination),
            via=reader.read("via", trip.via) if trip.via.strip() else None,
            options=options,
            now=self.london.now(),
            exploring=self.exploring,
        )
        planned, late = await self._in_order(planning, await planning.run())
        notes = [
            *begins,
            *wishes.assumptions,
            *assumed,
            *late,
            *(side.note for side in planned.sides),
        ]
        return Made(
            planned.journeys,
            planned.sides,
            options,
            shown(wishes.values),
            tuple(
                CorrectionItem(param=one.param, raw=one.raw, resolved=one.used, how=one.how)
                for one in wishes.corrections
            ),
            tuple(filter(None, notes)),
        )

    def _wishes(self, trip: Trip) -> tuple[Options, Wishes, tuple[str, ...]]:
        """The options of a trip, over those the user keeps; a trip follows the one before."""
        after = self.before.plans[0].arrival if self.before else None
        base = self.preferences.options
        wishes = read_wishes(trip.wishes, self.london.now(), after, base=base)
        options = wishes.options
        if after is None or options.when is not None:
            return options, wishes, ()
        told = f"The trip to {trip.destination} begins when the one before arrives, {clock(after)}."
        return replace(options, when=after), wishes, (told,)

    async def _in_order(
        self, planning: Planning, planned: Planned
    ) -> tuple[Planned, tuple[str, ...]]:
        """A trip that would begin before the one before arrives, planned to begin then."""
        plans = [plan for journey in planned.journeys for plan in journey.plans]
        if self.before is None or not plans:
            return planned, ()
        ready = self.before.plans[0].arrival
        if any(plan.start >= ready for plan in plans):
            return planned, ()
        options = replace(planning.options, when=ready, time_is="departing")
        told = (
            f"The trip to {planning.destination.raw} cannot be made as asked: the one before "
            f"arrives at {clock(ready)}, so it begins then."
        )
        return await replace(planning, options=options).run(), (told,)

    def _origin(self, reader: Reader, number: int, trip: Trip) -> tuple[Side, tuple[str, ...]]:
        """Where a trip begins; one that does not say begins where the one before ends."""
        words = trip.starting_point.strip()
        if words and fold(words) not in _THERE:
            return reader.read("starting_point", words), ()
        if self.before is not None:
            place = self.before.destination
            found = Candidate(place, value_to_send(place))
            told = f"It begins where the trip before ends, at {telling.name_of(place)}."
            return Side("starting_point", words, (found,), "named"), (told,)
        if number:
            raise InputError(
                "starting_point is left out, and the trip before has no one end to begin at: "
                "send where this trip begins."
            )
        if self.preferences.place(_HOME):
            told = "It begins at home, since no starting point was sent."
            return reader.read("starting_point", _HOME), (told,)
        raise InputError("starting_point is missing: send where the trip begins.")


async def _kept(
    london: London, owner: str, journey_id: str, journeys: list[Journey]
) -> tuple[str | None, int]:
    """The handle of journeys, and the index of the first; without any plan there is nothing."""
    if not any(journey.plans for journey in journeys):
        return journey_id or None, 0

    def keep() -> tuple[str, int]:
        if journey_id:
            return journey_id, london.journeys.add(owner, journey_id, journeys)
        return london.journeys.create(owner, journeys), 0

    return await anyio.to_thread.run_sync(keep)


def _source(journeys: list[Journey]) -> Source:
    """Who planned them; where one is an estimate, the whole is taken for one."""
    estimated = any(one.source == "offline_estimate" for one in journeys)
    return "offline_estimate" if estimated else "tfl"


def _options(made: list[Made]) -> list[OptionItem]:
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


def _corrections(made: list[Made]) -> list[CorrectionItem]:
    found = [correction for one in made for correction in one.corrections]
    for side in (side for one in made for side in one.sides if side.settled and side.raw):
        name = side.best.place.name
        if side.how not in ("exact", "folded", "coordinates", "postcode") and name != side.raw:
            found.append(
                CorrectionItem(param=side.param, raw=side.raw, resolved=name, how=side.how)
            )
    return list({(one.param, one.raw, one.resolved): one for one in found}.values())


def _described(candidate: Candidate) -> str:
    detail = f" ({candidate.detail})" if candidate.detail else ""
    return f"{candidate.place.name}{detail}"


def _sentence(made: list[Made], items: list[JourneyItem]) -> str:
    unsettled = {side.raw: side for one in made for side in one.unsettled}
    if unsettled:
        asked = "; ".join(
            f"{raw} may be {listed([one.place.name for one in side.candidates], 5, 'or')}"
            for raw, side in unsettled.items()
        )
        planned = sum(bool(item.plans) for item in items)
        told = f" {count(planned, 'journey')} planned for the likeliest." if planned else ""
        return f"{asked}: ask which is meant, and send its value.{told}"
    told = [
        _of_journey(journey, item)
        for (journey, item) in zip(
            (journey for one in made for journey in one.journeys), items, strict=True
        )
    ]
    return " Then ".join(told)


def _of_journey(journey: Journey, item: JourneyItem) -> str:
    ends = f"{item.from_} to {item.to}"
    if not journey.plans:
        return f"{ends}: no plan. {journey.error}"
    plan = journey.plans[0]
    others = len(journey.plans) - 1
    more = f"; {count(others, 'other plan')}" if others else ""
    disrupted = f"; it is disrupted on {listed([d.line for d in plan.disruptions], 3)}"
    hindered = disrupted if plan.disruptions else ""
    return f"{ends}: the first plan {telling.in_a_sentence(plan, journey)}{hindered}{more}."
