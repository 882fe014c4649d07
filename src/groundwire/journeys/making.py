"""Journeys as they are asked for: trips read, planned one after the other, kept and told.

The trips of a day belong together: one that names no starting point begins where the one before
ends, and one that names no time begins when the one before arrives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

import anyio.to_thread

from groundwire.errors import GroundwireError, InputError, UnavailableError
from groundwire.evidence.records import Draft
from groundwire.journeys import telling
from groundwire.journeys.answering import (
    Keeping,
    Made,
    corrections,
    described,
    in_position,
    told,
)
from groundwire.journeys.conditions import read_stops
from groundwire.journeys.itinerary import Journey, Options, Place
from groundwire.journeys.places.reading import same_place, value_to_send
from groundwire.journeys.places.sides import AskedTrip, Candidate, Planned, Reach, Reader, Side
from groundwire.journeys.planning.places_taken import with_plans
from groundwire.journeys.preferences import Preferences
from groundwire.journeys.region import Region
from groundwire.journeys.results import ComputedJourneys
from groundwire.journeys.wishes.reading import Wishes, shown
from groundwire.journeys.wording import clock, count
from groundwire.vocabulary import fold

MOST_TRIPS = 12
"""Trips of one call."""


@dataclass(frozen=True, slots=True)
class Trip:
    """One trip, as it was sent.

    Attributes:
        starting_point: where it begins; empty for where the trip before it ends.
        destination: where it ends.
        via: a place to pass, or empty.
        wishes: options by name, as they were sent; those that were not are absent.
    """

    starting_point: str
    destination: str
    via: str = ""
    wishes: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Request:
    """Trips that belong together.

    Attributes:
        trips: in the order in which they are made.
        journey_id: what to add them to, or empty for a new one.
        chosen: what the user chose among options, by the words that were ambiguous.
    """

    trips: tuple[Trip, ...]
    journey_id: str = ""
    chosen: Mapping[str, str] = field(default_factory=dict[str, str])


_HOME = "home"
# The name of an end that a failed trip does not say.
_UNKNOWN = "an unknown place"
_THERE = frozenset(map(fold, ("there", "from there", "same place", "the same place")))
Unclear = dict[str, dict[str, str]]


async def make_journeys(
    london: Region, owner: str, request: Request
) -> tuple[ComputedJourneys, Draft]:
    """Plan the trips of a request and keep them under a handle.

    Where they cannot be kept, the answer says so and has no handle; where what the user keeps
    cannot be read, they are planned without it, and the answer says so.

    Raises:
        NotFoundError: the handle to add to is unknown, another owner's, or has expired.
        InputError: the one trip of the request cannot be planned as it was sent.
        GroundwireError: TfL rejects the request; a TfL that does not answer now raises nothing.
    """
    day = await _Day.begin(london, owner, request)
    made = await day.run()
    journeys = [one.journey for one in in_position(made)]
    keeping = await _kept(london, owner, request.journey_id, journeys)
    keeping = replace(keeping, unread=day.unread)
    return await anyio.to_thread.run_sync(told, london, made, keeping)


async def unclear_places(london: Region, owner: str, request: Request) -> Unclear:
    """Words that may mean several places: for each the values that can be sent, and their names.

    Raises:
        GroundwireError: as `make_journeys`.
    """
    day = await _Day.begin(london, owner, request, exploring=False)
    sides = [side for one in await day.run() for side in one.unsettled]
    return {side.raw: {one.send: described(one) for one in side.candidates} for side in sides}


@dataclass(slots=True)
class _Day:
    """The trips of one request, as far as they have come."""

    london: Region
    request: Request
    preferences: Preferences
    exploring: bool
    end: Candidate | None
    ready: datetime | None
    unread: str = ""
    guesses: Sequence[Journey] = ()
    settled: Journey | None = None
    made: list[Made] = field(default_factory=list[Made])
    reach: Reach = field(default_factory=Reach)

    @classmethod
    async def begin(
        cls, london: Region, owner: str, request: Request, *, exploring: bool = True
    ) -> _Day:
        """Read what is known of the user, and what the trips are added to."""
        await london.prepare()

        def read() -> tuple[Preferences, Sequence[Journey], str]:
            kept, preferences, unread = (), Preferences(), ""
            try:
                if request.journey_id:
                    kept = london.journeys.get(owner, request.journey_id)
                preferences = london.preferences.get(owner)
            except UnavailableError as error:
                unread = str(error)
            return preferences, [one for one in kept if one.plans], unread

        preferences, kept, unread = await anyio.to_thread.run_sync(read)
        guesses = list(takewhile(lambda one: one.guess, reversed(kept)))
        settled = next((one for one in reversed(kept) if not one.guess), None)
        end, ready = _end_of_all(guesses or ([settled] if settled else []))
        return cls(london, request, preferences, exploring, end, ready, unread, guesses, settled)

    async def run(self) -> list[Made]:
        """Plan every trip; with several, one that fails does not spoil the others."""
        await anyio.to_thread.run_sync(self._replace_guesses)
        for number, trip in enumerate(self.request.trips):
            try:
                made = await self._make(number, trip)
            except GroundwireError as failure:
                error = self._with_unread(failure)
                if error is not failure and len(self.request.trips) == 1:
                    raise error from failure
                if len(self.request.trips) == 1:
                    raise
                ends = Place(trip.starting_point or _UNKNOWN), Place(trip.destination or _UNKNOWN)
                failed = Journey(
                    *ends, (), self.london.source, error=str(error), credit=self.london.credit
                )
                made = Made((failed,))
            if made.unsettled:
                guesses = tuple(replace(one, guess=True) for one in made.journeys)
                made = replace(made, journeys=guesses)
            self.made.append(made)
            if made.arrived is not None:
                self.end = _end_of(made.arrived)
                self.ready = made.arrived.plans[0].arrival
        return self.made

    def _replace_guesses(self) -> None:
        """Let a trip that says which place was meant begin where its guesses did, not after them.

        It is one of the guesses by both of its ends, or by its destination where it names no start.
        """
        if not self.guesses:
            return
        trip = self.request.trips[0]
        reader = self._reader()
        words = trip.starting_point.strip()
        try:
            to = reader.read("destination", trip.destination)
            start = reader.read("starting_point", words) if words else None
        except GroundwireError:
            # A wrong place is told when its trip is planned.
            return
        for one in self.guesses:
            if not to.settled or not same_place(to.best.place, one.destination):
                continue
            if start is None:
                self.end = Candidate(one.origin, value_to_send(one.origin))
            elif not start.settled or not same_place(start.best.place, one.origin):
                continue
            self.ready = self.settled.plans[0].arrival if self.settled else None
            return

    def _reader(self) -> Reader:
        return Reader(
            self.london.places,
            self.preferences.places,
            self.request.chosen,
            online=self.london.online,
            unlocated=self.london.unlocated,
        )

    def _with_unread(self, error: GroundwireError) -> GroundwireError:
        """A failure, with what could not be read: a place of the user's may be known after all."""
        if not self.unread or not isinstance(error, InputError):
            return error
        return InputError(f"{error} What is kept could not be read: {self.unread}")

    async def _make(self, number: int, trip: Trip) -> Made:
        # Places are looked up in the network, which takes long the first time.
        planning, wishes, begins = await anyio.to_thread.run_sync(self._read, number, trip)
        # Where the next trip begins, whatever becomes of this one. Which of several places it is
        # will be asked; while it is not, only what else is unclear matters.
        destination = planning.destination
        if destination.settled or not self.exploring:
            self.end = destination.best
        planned, late = await self._in_order(planning)
        assumed = [
            one
            for one in wishes.assumptions
            # The first and the last of a day are of no time.
            if not (planning.options.adjustment and one.startswith("no time given"))
        ]
        notes = [*begins, *assumed, *late, *map(_noted, planned.sides)]
        return Made(
            planned.journeys,
            planned.sides,
            planning.options,
            shown(wishes.values),
            corrections(wishes.corrections),
            tuple(filter(None, notes)),
        )

    def _read(self, number: int, trip: Trip) -> tuple[AskedTrip, Wishes, tuple[str, ...]]:
        """A trip ready to be planned, its wishes, and what was taken for granted."""
        reader = self._reader()
        origin, begins = self._origin(reader, number, trip)
        before, self.end = self.end, None
        if not trip.destination.strip():
            raise InputError("destination is missing: send where the trip ends.")
        destination = reader.read("destination", trip.destination)
        if before is not None and destination.settled and not begins:
            # From elsewhere to where the trip before ends comes somebody else, who waits for none.
            meets = same_place(destination.best.place, before.place)
            self.ready = None if meets else self.ready
        options, wishes, assumed = self._wishes(trip)
        via = reader.read("via", trip.via) if trip.via.strip() else None
        ends = [one.best.place for one in (origin, destination, via) if one and one.settled]
        options, avoided = read_stops(options, wishes.values, self.london, reader, ends)
        planning = AskedTrip(
            origin=origin,
            destination=destination,
            via=via,
            options=options,
            now=self.london.now(),
            exploring=self.exploring,
            reach=self.reach,
        )
        return planning, wishes, (*begins, *assumed, *avoided)

    def _wishes(self, trip: Trip) -> tuple[Options, Wishes, tuple[str, ...]]:
        """The options of a trip, over those the user keeps; a trip follows the one before."""
        after = self.ready
        base = self.preferences.options
        wishes = self.london.read_wishes(trip.wishes, after, base)
        options = wishes.options
        if after is None or options.when is not None:
            return options, wishes, ()
        told = f"The trip to {trip.destination} begins when the one before arrives, {clock(after)}."
        return replace(options, when=after), wishes, (told,)

    async def _in_order(self, planning: AskedTrip) -> tuple[Planned, tuple[str, ...]]:
        """A trip planned to begin after the one before arrives, and what that changed."""
        ready = self.ready
        if ready is None:
            return await self.london.plan_trip(planning), ()
        options = planning.options
        late = replace(planning, options=replace(options, when=ready, time_is="departing"))
        told = (
            f"The trip to {planning.destination.raw} cannot be made as asked: the one before "
            f"arrives at {clock(ready)}, so it begins then."
        )
        begun_late = options.time_is == "departing" and options.when and options.when < ready
        if not begun_late:
            planned, dropped = _in_time(await self.london.plan_trip(planning), ready)
            if not dropped or planned.unsettled or any(one.plans for one in planned.journeys):
                return planned, dropped
        planned = await self.london.plan_trip(late)
        in_time, _ = _in_time(planned, ready)
        return in_time if any(one.plans for one in in_time.journeys) else planned, (told,)

    def _origin(self, reader: Reader, number: int, trip: Trip) -> tuple[Side, tuple[str, ...]]:
        """Where a trip begins; one that does not say begins where the one before ends."""
        words = trip.starting_point.strip()
        if words and fold(words) not in _THERE:
            return reader.read("starting_point", words), ()
        if self.end is not None:
            told = f"It begins where the trip before ends, at {telling.name_of(self.end.place)}."
            return Side("starting_point", words, (self.end,), "named"), (told,)
        if number:
            raise InputError(
                "starting_point is left out, and the trip before has no one end to begin at: "
                "send where this trip begins."
            )
        if self.preferences.place(_HOME):
            told = "It begins at home, since no starting point was sent."
            return reader.read("starting_point", _HOME), (told,)
        raise InputError("starting_point is missing: send where the trip begins.")


def _end_of_all(journeys: Sequence[Journey]) -> tuple[Candidate | None, datetime | None]:
    """The one end of journeys, None where they part, and when the last of them arrives."""
    if not journeys:
        return None, None
    part = any(not same_place(one.destination, journeys[0].destination) for one in journeys)
    return None if part else _end_of(journeys[0]), max(one.plans[0].arrival for one in journeys)


def _end_of(journey: Journey) -> Candidate:
    return Candidate(journey.destination, value_to_send(journey.destination))


def _in_time(planned: Planned, ready: datetime) -> tuple[Planned, tuple[str, ...]]:
    """A trip without the plans that begin before the one before arrives, if others are left."""
    journeys = tuple(
        with_plans(one, [at for at, plan in enumerate(one.plans) if plan.start >= ready])
        for one in planned.journeys
    )
    gone = sum(map(_plans, planned.journeys)) - sum(map(_plans, journeys))
    if not gone:
        return planned, ()
    said = count(gone, "plan")
    told = f"{said} that would begin before the trip before arrives, {clock(ready)}, left out."
    return replace(planned, journeys=journeys), (told,)


def _noted(side: Side) -> str:
    """Say what has to be told of an end, with the words that it is told of."""
    if not side.note or side.raw.casefold() in side.note.casefold():
        return side.note
    return f"{side.raw}: {side.note}"


def _plans(journey: Journey) -> int:
    return len(journey.plans)


async def _kept(london: Region, owner: str, journey_id: str, journeys: list[Journey]) -> Keeping:
    """Keep journeys; those of a new day of which none has a plan are nothing to come back to."""

    def keep() -> Keeping:
        if journey_id:
            return Keeping(journey_id, london.journeys.add(owner, journey_id, journeys))
        created = Keeping(london.journeys.create(owner, journeys))
        with suppress(UnavailableError):  # another day will do
            london.tidy()
        return created

    if not journey_id and not any(journey.plans for journey in journeys):
        return Keeping()
    try:
        return await anyio.to_thread.run_sync(keep)
    except UnavailableError as error:
        return Keeping(not_kept=str(error))
