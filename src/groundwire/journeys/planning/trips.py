"""One trip planned: by TfL where it can be asked, else over the embedded network.

Where a place is ambiguous, the best of what may be meant are planned, within four calls of TfL for
the whole trip; one pair of places that fails does not spoil the others. Among the plans is the best
way around a disruption.

Among the places that TfL offers for a name one is chosen without asking only when its name wins
clearly. Names come first: by TfL's `matchQuality` alone Uxbridge comes before London Bridge. Where
no name wins, the best are offered, or planned for within the calls: one recorded answer offered
places whose plain product would have made 204.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import anyio
import anyio.to_thread

from groundwire.errors import GroundwireError, InputError
from groundwire.journeys.conditions import without_stops
from groundwire.journeys.itinerary import Disruption, Journey, Options, Place, Plan, metres_between
from groundwire.journeys.london import London
from groundwire.journeys.network.limits import notes as planner_notes
from groundwire.journeys.network.limits import unknown_modes, unknown_note
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan as plan_offline
from groundwire.journeys.network.planner import service_notes
from groundwire.journeys.places.reading import PlaceOption as Offer
from groundwire.journeys.places.reading import same_place
from groundwire.journeys.places.sides import (
    MOST_CALLS,
    AskedTrip,
    Candidate,
    Planned,
    Side,
    Way,
    located,
    only_by_tfl,
    pairs,
    triples,
)
from groundwire.journeys.planning.places_taken import misplaced, told_of
from groundwire.journeys.stops.names import NameParts, expanded, public_name, split_name
from groundwire.journeys.tfl.client import TflClient
from groundwire.journeys.tfl.journey_payload import Itinerary
from groundwire.journeys.tfl.outcomes import NotNowError
from groundwire.journeys.tfl.stop_payload import Disambiguation, PlaceOption
from groundwire.journeys.wishes.readers import to_tfl_parameters
from groundwire.journeys.wording import count, duration, listed, moment, plan_name, ridden
from groundwire.vocabulary import fold


@dataclass(frozen=True, slots=True)
class Planning(AskedTrip):
    """One trip on its way to being planned.

    Attributes:
        london: what it is planned with.
    """

    london: London = field(kw_only=True)

    async def run(self) -> Planned:
        """Plan the trip.

        Raises:
            InputError: both ends are one place.
            GroundwireError: TfL rejects the request; a TfL that does not answer now raises nothing.
        """
        if self.origin.settled and self.destination.settled and self.via is None:
            one, other = self.origin.best.place, self.destination.best.place
            if same_place(one, other):
                raise InputError(
                    f"{one.name} is where the trip begins and where it ends: send another "
                    "destination."
                )
        if not self.exploring and len(self._ways(MOST_CALLS)) > 1:
            return Planned((), self.sides)
        tfl = self.london.tfl()
        if tfl is None:
            return await self._offline()
        try:
            return await self._by_tfl(tfl)
        except NotNowError as error:
            unknown = [name for way in self._ways(MOST_CALLS) for name in way.unknown]
            if unknown:
                raise only_by_tfl(error, unknown) from error
            return await self._offline((_instead(error),))

    def _ways(self, calls: int) -> list[Way]:
        """The likeliest of what the ends may be, so many at most."""
        if self.via is None:
            every = len(self.origin.candidates) * len(self.destination.candidates)
            found = pairs(self.origin.candidates, self.destination.candidates, every)
            ways = [Way(one, other) for one, other in found if one.send != other.send]
            return ways[:calls] or [Way(*found[0])]
        sides = (self.origin.candidates, self.via.candidates, self.destination.candidates)
        return [Way(origin, to, via) for origin, via, to in triples(*sides, calls)]

    async def _offline(self, notes: tuple[str, ...] = ()) -> Planned:
        journeys = [await self._over_network(way, notes) for way in self._ways(MOST_CALLS)]
        return Planned(tuple(journeys), self.sides)

    async def _over_network(self, way: Way, notes: tuple[str, ...] = ()) -> Journey:
        """A journey over the embedded network; searching it would hold up the event loop."""
        return await anyio.to_thread.run_sync(self._searched, way, notes)

    def _searched(self, way: Way, notes: tuple[str, ...] = ()) -> Journey:
        via = way.via.place if way.via else None
        ends = (way.origin.place, way.destination.place)
        unknown = unknown_modes(self.london.network, self.options)
        try:
            plans = plan_offline(self.london.network, *ends, self.options, self.now, via=via)
            service = service_notes(
                self.london.network, *ends, self.options, self.now, plans, via=via
            )
        except GroundwireError as error:
            failed = way.failed(error, "offline_estimate")
            return replace(failed, notes=notes, unknown_modes=unknown)
        told = (
            *notes,
            *service,
            *unknown_note(unknown),
            *planner_notes(self.options, plans[0].start),
        )
        return Journey(*ends, plans, "offline_estimate", via, "", told, unknown, service=service)

    async def _by_tfl(self, tfl: TflClient) -> Planned:
        first, *others = self._ways(MOST_CALLS)
        if others:
            return Planned(await self._each(tfl, [first, *others]), self.sides)
        answer = await self._ask(tfl, first)
        if isinstance(answer, Itinerary):
            return Planned((await self._journey(answer, first),), self.sides)
        return await self._clarified(tfl, answer)

    async def _ask(self, tfl: TflClient, way: Way) -> Itinerary | Disambiguation:
        via = way.via.send if way.via else ""
        parameters = to_tfl_parameters(self.options)
        self.reach.check()
        try:
            return await tfl.journey(way.origin.send, way.destination.send, via, parameters)
        except GroundwireError as error:
            raise way.in_words(error) from error

    async def _clarified(self, tfl: TflClient, answer: Disambiguation) -> Planned:
        """The trip with the places that TfL offers for its ends."""
        clear = replace(
            self,
            origin=_narrowed(self.origin, answer.origin),
            destination=_narrowed(self.destination, answer.destination),
            via=_narrowed(self.via, answer.via) if self.via else None,
        )
        ways = clear._ways(MOST_CALLS - 1)
        if len(ways) > 1 and not self.exploring:
            return Planned((), clear.sides)
        return Planned(await clear._each(tfl, ways), clear.sides)

    async def _each(self, tfl: TflClient, ways: Sequence[Way]) -> tuple[Journey, ...]:
        """A journey for each, asked side by side."""
        found: dict[int, Journey] = {}

        async def ask(number: int, way: Way) -> None:
            found[number] = await self._one(tfl, way)

        async with anyio.create_task_group() as tasks:
            for number, way in enumerate(ways):
                tasks.start_soon(ask, number, way)
        return tuple(found[number] for number in range(len(ways)))

    async def _one(self, tfl: TflClient, way: Way) -> Journey:
        """One journey of several; a failure is its own."""
        try:
            answer = await self._ask(tfl, way)
        except NotNowError as error:
            if way.unknown:
                return way.failed(only_by_tfl(error, way.unknown))
            return await self._over_network(way, (_instead(error),))
        except GroundwireError as error:
            return way.failed(error)
        if isinstance(answer, Itinerary):
            return await self._journey(answer, way)
        return way.failed(
            "TfL asks again which place is meant: send one of the options, or a postcode."
        )

    async def _journey(self, answer: Itinerary, way: Way) -> Journey:
        """TfL's answer as a journey, without the lines that are to be avoided."""
        return await anyio.to_thread.run_sync(self._read, answer, way)

    def _read(self, answer: Itinerary, way: Way) -> Journey:
        kept, ruled_out = without_lines(answer.plans, self.options)
        plans, passed = without_stops(kept, self.options)
        first = (plans or answer.plans)[0]
        begins, ends = first.legs[0].origin, first.legs[-1].destination
        found = Way(located(way.origin, begins), located(way.destination, ends), way.via)
        elsewhere = tuple(misplaced(plans or answer.plans, way, self.london.network))
        notes = [*answer.stop_messages, *answer.unread, answer.cycle_hire]
        if ruled_out:
            gone = len(answer.plans) - len(kept)
            notes.append(
                f"TfL cannot leave out lines: {count(gone, 'plan')} of its "
                f"{len(answer.plans)} {'uses' if gone == 1 else 'use'} {listed(ruled_out)} and "
                f"{'is' if gone == 1 else 'are'} not shown."
            )
        if passed:
            gone = len(kept) - len(plans)
            notes.append(
                f"TfL cannot leave out stops: {count(gone, 'plan')} by way of {listed(passed)} "
                f"{'is' if gone == 1 else 'are'} not shown."
            )
        if not plans:
            notes.append("None of TfL's plans is left: planned over the embedded network instead.")
            # Only where a place is known by TfL alone is it still the one that TfL took.
            known = {one.place.name for one in way.ends if one.place.point is not None}
            elsewhere = tuple(one for one in elsewhere if one.asked not in known)
        notes = [*map(told_of, elsewhere), *filter(None, notes)]
        if not plans:
            return replace(self._searched(found, tuple(notes)), misplaced=elsewhere)
        instead = {one.param for one in elsewhere if not one.plans}
        origin = begins if "starting_point" in instead else found.origin.place
        destination = ends if "destination" in instead else found.destination.place
        via = way.via.place if way.via else None
        return Journey(
            origin, destination, plans, "tfl", via, "", tuple(notes), misplaced=elsewhere
        )


def planning_of(london: London, asked: AskedTrip) -> Planning:
    """A trip that is planned with London."""
    told = {one.name: getattr(asked, one.name) for one in fields(asked)}
    return Planning(london=london, **told)


def _instead(error: NotNowError) -> str:
    return f"{error} Planned over the embedded network instead."


def _narrowed(side: Side, offered: Sequence[PlaceOption]) -> Side:
    """An end with the places that TfL offers for it: one that wins clearly, or the best."""
    if not offered:
        return side
    found = choose(offered, side.raw, None if side.searched else side.best.place)
    told = [offer(one) for one in found.top]
    candidates = tuple(Candidate(one.place, one.value_to_send, one.detail) for one in told)
    note = ""
    if found.chosen is not None and found.chosen.place.name.casefold() != side.raw.casefold():
        note = f"{side.raw} is read as {found.chosen.place.name}"
    return replace(side, candidates=candidates, how="tfl", note=note, searched=False)


def way_around(
    disruption: Disruption,
    disrupted: Plan,
    journey: Journey,
    network: Network,
    options: Options,
) -> str:
    """How to travel without a disrupted line, in words; empty where no way is known.

    Args:
        disruption: what hinders the plan.
        disrupted: the plan.
        journey: the journey with all its plans.
        network: the embedded network, for where every plan of the journey is disrupted.
        options: what was asked of the journey.
    """
    others = [
        (index, one)
        for index, one in enumerate(journey.plans)
        if one is not disrupted and not _meets(one, disruption)
    ]
    if others:
        index, best = min(others, key=lambda pair: (len(pair[1].disruptions), pair[1].arrival))
        arrival = moment(best.arrival, disrupted.start)
        called = plan_name(index, with_index=True)
        return f"{called}, {ridden(best)}, arrives at {arrival}"
    return _by_network(disruption, disrupted, journey, network, options)


def _meets(one: Plan, disruption: Disruption) -> bool:
    """Whether a plan is hindered by the same, or uses the line that is."""
    if disruption.line_id:
        return any(leg.line_id == disruption.line_id for leg in one.legs)
    return disruption in one.disruptions


def _by_network(
    disruption: Disruption, disrupted: Plan, journey: Journey, network: Network, options: Options
) -> str:
    if disruption.line_id not in network.lines:
        return ""
    asked = replace(
        options,
        when=disrupted.start,
        time_is="departing",
        avoid_lines=(*options.avoid_lines, disruption.line_id),
    )
    try:
        found = plan_offline(
            network, journey.origin, journey.destination, asked, disrupted.start, count=1
        )
    except GroundwireError:
        return ""
    return f"{ridden(found[0])}, about {duration(found[0].duration_minutes)} by estimate"


def without_lines(
    plans: Sequence[Plan], options: Options
) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """Plans that ride on lines that may be used, and the names of those that ruled others out."""
    kept: list[Plan] = []
    ruled_out: dict[str, None] = {}
    for one in plans:
        used = [
            leg.line or leg.line_id or leg.mode
            for leg in one.rides
            if options.rules_out(leg.line_id)
        ]
        ruled_out |= dict.fromkeys(used)
        if not used:
            kept.append(one)
    return tuple(kept), tuple(ruled_out)


MOST_OFFERED = 5
# Entries of one name that are no farther apart are one place: its stops, its entrances.
_ONE_PLACE = 300.0
# What shares the name of a station and is no farther from it may be left out for the station.
_BESIDE = 1000.0

_SAME, _PART_SAME, _HOLDS, _OTHER = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice among the options for one name.

    Attributes:
        chosen: the option whose name wins clearly, or None.
        top: the best options, best first; of a choice, it alone.
    """

    chosen: PlaceOption | None
    top: tuple[PlaceOption, ...]


def choose(
    options: Sequence[PlaceOption],
    asked: str,
    known: Place | None = None,
    limit: int = MOST_OFFERED,
) -> Choice:
    """Choose the option that a name means, or the best few.

    Args:
        options: what TfL offers.
        asked: the name as it was asked for.
        known: what the name is known to mean without TfL ("Kings X"), if anything.
        limit: how many options to keep where none is chosen.
    """
    parts = split_name(asked)
    standings = [(_standing(option, asked, parts, known), option) for option in options]
    standings.sort(key=lambda one: _rank(one[0], one[1], parts.core))
    ranked = [option for _, option in standings]
    best = standings[0][0] if standings else _OTHER
    if best >= _PART_SAME:
        winner = _winner([option for standing, option in standings if standing == best])
        if winner is not None:
            return Choice(winner, (winner,))
    return Choice(None, tuple(_distinct(ranked)[:limit]))


def offer(option: PlaceOption) -> Offer:
    """An option of TfL's as it is told to a caller."""
    kind = option.place.kind.replace("_", " ")
    detail = " and ".join(option.modes) if option.modes else kind
    where = option.place.point
    if not option.modes and where is not None:
        detail += f" at {where.lat:.4f},{where.lon:.4f}"
    return Offer(option.place.name, option.place, detail, option.send)


def _standing(option: PlaceOption, asked: str, parts: NameParts, known: Place | None) -> int:
    """How an option's name stands to the name that was asked for."""
    place = option.place
    fits = not parts.modes or not option.modes or bool(parts.modes & set(option.modes))
    if known is not None and (known.ics or known.stop_id) and same_place(known, place):
        return _SAME if fits else _HOLDS
    if _key(place.name) in (_key(asked), fold(parts.core)):
        return _SAME if fits else _HOLDS
    if any(_key(part) == fold(parts.core) for part in place.name.split(",")):
        return _PART_SAME if fits else _HOLDS
    words = set(parts.core.split())
    return _HOLDS if words and words <= set(expanded(place.name).split()) else _OTHER


def _key(name: str) -> str:
    """Return what two spellings of one name have in common."""
    return fold(split_name(public_name(name)).core)


def _rank(standing: int, option: PlaceOption, core: str) -> tuple[float, ...]:
    alike = _likeness(core, split_name(public_name(option.place.name)).core)
    only_buses = set(option.modes) <= {"bus"}
    stop = not _is_stop(option)
    return (-standing, -round(alike, 2), stop, only_buses, -len(option.modes), -option.quality)


def _likeness(one: str, other: str) -> float:
    from rapidfuzz.distance import OSA

    return float(OSA.normalized_similarity(one, other))


def _is_stop(option: PlaceOption) -> bool:
    return option.place.kind == "stop" or bool(option.modes or option.place.ics)


def _winner(equals: Sequence[PlaceOption]) -> PlaceOption | None:
    """The one place among options that stand equally, if there is just one."""
    distinct = _distinct(equals)
    if len(distinct) == 1:
        return distinct[0]
    stops = [option for option in distinct if _is_stop(option)]
    if len(stops) != 1:
        return None
    stop = stops[0]
    others = [option for option in distinct if option is not stop]
    return stop if all(_apart(stop.place, other.place) <= _BESIDE for other in others) else None


def _distinct(options: Sequence[PlaceOption]) -> list[PlaceOption]:
    """The first option of each place."""
    found: list[PlaceOption] = []
    for option in options:
        if not any(_is_one(option, other) for other in found):
            found.append(option)
    return found


def _is_one(one: PlaceOption, other: PlaceOption) -> bool:
    """Whether two options are of one place: by code, or by name where they are close together."""
    if one.place.ics and one.place.ics == other.place.ics:
        return True
    same_kind = _is_stop(one) == _is_stop(other)
    named_alike = _key(one.place.name) == _key(other.place.name)
    return same_kind and named_alike and _apart(one.place, other.place) <= _ONE_PLACE


def _apart(one: Place, other: Place) -> float:
    """Metres between two places, without end where one's position is not known."""
    if one.point is None or other.point is None:
        return float("inf")
    return metres_between(one.point, other.point)
