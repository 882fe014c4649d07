"""A journey planner by URL as a region: its places, its plans, and what it cannot be asked."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from groundwire.errors import ConfigurationError, GroundwireError, InputError
from groundwire.journeys.conditions import without_stops
from groundwire.journeys.itinerary import (
    LONDON,
    Journey,
    Place,
    Plan,
    Point,
    Source,
    metres_between,
)
from groundwire.journeys.places.positions import clean, read_coordinates
from groundwire.journeys.places.reading import PlaceReading, same_place
from groundwire.journeys.places.sides import MOST_OPTIONS, Candidate, Side, Way, pairs
from groundwire.journeys.region import Region
from groundwire.journeys.remote.apis import Asker, Motis, OpenTripPlanner
from groundwire.journeys.remote.protocols import (
    WANTED,
    Match,
    PlannerProtocol,
    Question,
    checked_plans,
)
from groundwire.journeys.timetable.modes import MODES, modes_asked
from groundwire.journeys.wording import count, listed
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.evidence.records import Draft
    from groundwire.journeys.itinerary import Options
    from groundwire.journeys.places.sides import AskedTrip, Planned
    from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses, StopItem

# A place as options name it: "Museum (52.521000,13.398000)".
_PLACED = re.compile(r"(?P<name>.+) \((?P<at>-?\d+\.\d+,-?\d+\.\d+)\)")
_MY = re.compile(r"my\s+", re.IGNORECASE)
# Matches of one name that are no farther apart are one place.
_TOGETHER = 500.0
_MOST_WAYS = 3
# Plans that are asked for where some of them will be left out.
_MOST_ASKED = 12
_STEP_FREE = frozenset({"NoSolidStairs", "NoEscalators", "StepFreeToVehicle", "StepFreeToPlatform"})
_PAGE = 20


class RemotePlaces:
    """Reads positions and the user's own places; names are for the planner to find."""

    def read(self, raw: str, named: Mapping[str, str] | None = None) -> PlaceReading:
        """Read a place as a caller sent it.

        Raises:
            InputError: nothing was sent, or too much to be a place.
        """
        text = clean(raw)
        for name, value in (named or {}).items():
            if fold(_MY.sub("", name)) != fold(_MY.sub("", text)):
                continue
            return replace(self.read(value), note=f"{name} is {value}")
        placed = _PLACED.fullmatch(text)
        at = read_coordinates(placed["at"] if placed else text, lambda _: True)
        if at is None:
            return PlaceReading(text, None, "unknown")
        name = placed["name"] if placed else f"{at.point.lat:.6g},{at.point.lon:.6g}"
        kind = "point_of_interest" if placed else "coordinates"
        return PlaceReading(text, Place(name, at.point, kind), "coordinates")


class RemotePlanner(Region):
    """A planner at an address of the administrator's, and what users keep."""

    def __init__(self, url: str, home: Path, now: Callable[[], datetime] | None = None) -> None:
        """Name the planner; it is asked by the first call.

        Args:
            url: the address: of a GraphQL API of OpenTripPlanner (`/otp/` or `/graphql` in it), or
                of a MOTIS; a zone may follow it after `#`, as `#Europe/Berlin`.
            home: the state folder.
            now: the present moment, in the zone of the planner.

        Raises:
            ConfigurationError: the address or the zone cannot be used.
        """
        self.url, _, named = url.partition("#")
        self._told_zone = _zone(named) if named else None
        self._found_zone: ZoneInfo | None = None
        self._asker: tuple[PlannerProtocol, asyncio.AbstractEventLoop] | None = None
        self.host = Asker.to(self.url).host
        self._places = RemotePlaces()
        super().__init__(home, now or self._present)

    def _present(self) -> datetime:
        return datetime.now(self.zone).replace(second=0, microsecond=0)

    @property
    def zone(self) -> ZoneInfo:
        """The zone that was named, else the planner's where it told it, else this machine's."""
        return self._told_zone or self._found_zone or _machine_zone()

    @property
    def source(self) -> Source:
        """A remote planner."""
        return "planner"

    @property
    def credit(self) -> str:
        """The planner and its address."""
        return f"Planned by {self.called} at {self.host}"

    @property
    def called(self) -> str:
        """The software of the planner, by its address."""
        return OpenTripPlanner.called if _is_otp(self.url) else Motis.called

    @property
    def online(self) -> bool:
        """The planner is asked about words that mean no place here."""
        return True

    @property
    def places(self) -> RemotePlaces:
        """Return the reader of positions and of the user's own places."""
        return self._places

    def planned_by(self) -> str:
        """Say who plans."""
        return f"{self.called} at {self.host}"

    def protocol(self) -> PlannerProtocol:
        """Return the client of the planner for the running event loop."""
        loop = asyncio.get_running_loop()
        if self._asker is None or self._asker[1] is not loop:
            asker = Asker.to(self.url)
            made = OpenTripPlanner(asker) if _is_otp(self.url) else Motis(asker)
            self._asker = made, loop
        return self._asker[0]

    async def prepare(self) -> None:
        """Ask for the planner's zone once, where nobody named one."""
        if self._told_zone is None and self._found_zone is None:
            name = await self.protocol().zone()
            if name:
                self._found_zone = _zone(name)

    async def plan_trip(self, asked: AskedTrip) -> Planned:
        """Plan one trip by the planner.

        Raises:
            InputError: both ends are one place, or a place is asked for on the way.
            GroundwireError: the planner does not answer, or not like this.
        """
        from groundwire.journeys.places.sides import Planned

        if asked.via is not None:
            raise InputError(
                f"{self.planned_by()} is not asked for a place on the way: send two trips, one to "
                f"{asked.via.raw} and one from it."
            )
        located = [await self._located(side) for side in (asked.origin, asked.destination)]
        asked = replace(asked, origin=located[0], destination=located[1])
        one, other = located[0].best.place, located[1].best.place
        if located[0].settled and located[1].settled and same_place(one, other):
            taken = (asked.origin.raw, asked.destination.raw)
            if fold(taken[0]) != fold(taken[1]) and fold(one.name) not in map(fold, taken):
                raise InputError(
                    f"{self.planned_by()} knows {taken[0]} and {taken[1]} as one place, "
                    f'{one.name}: send "lat,lon", or other spellings.'
                )
            raise InputError(
                f"{one.name} is where the trip begins and where it ends: send another destination."
            )
        ways = [
            Way(start, end)
            for start, end in pairs(located[0].candidates, located[1].candidates, _MOST_WAYS)
        ]
        if not asked.exploring and len(ways) > 1:
            return Planned((), asked.sides)
        journeys = [await self._journey(way, asked, alone=len(ways) == 1) for way in ways]
        return Planned(tuple(journeys), asked.sides)

    async def _journey(self, way: Way, asked: AskedTrip, *, alone: bool) -> Journey:
        """The journey between two places; with several, one that fails does not spoil others."""
        empty = Journey(
            way.origin.place,
            way.destination.place,
            (),
            "planner",
            credit=self.credit,
            zone=self.zone.key,
            planner=self.planned_by(),
        )
        try:
            return await self._planned(empty, asked)
        except GroundwireError as error:
            if alone:
                raise
            return replace(empty, error=str(error))

    async def _planned(self, empty: Journey, asked: AskedTrip) -> Journey:
        options = asked.options
        modes: frozenset[str] | None = None
        if options.mode or options.avoid_modes:
            numbers = modes_asked(options.mode) if options.mode else frozenset(range(len(MODES)))
            numbers -= modes_asked(options.avoid_modes)
            modes = frozenset(MODES[one] for one in numbers)
        # Neither kind of planner can leave a stop or a line out: more plans are asked for, and
        # those that pass it are left out here.
        kept_clear = any(
            (options.avoid_stops, options.avoid_changes, options.avoid_lines, options.only_lines)
        )
        step_free = bool(_STEP_FREE & set(options.accessibility_preference))
        question = Question(
            empty.origin,
            empty.destination,
            options.when or asked.now,
            options.time_is == "arriving" and options.when is not None,
            modes,
            step_free,
            _MOST_ASKED if kept_clear else WANTED,
        )
        answer = await self.protocol().plan(question)
        checked = checked_plans(answer.plans, question, self.zone)
        left_out_notes = list(checked.notes)
        if answer.unread:
            unread = count(answer.unread, "plan")
            left_out_notes.append(f"{unread} of the planner could not be read and left out.")
        notes = [f"Times are those of {self.zone.key}.", *left_out_notes]
        if step_free:
            notes.append(
                f"{self.called} was asked for ways without steps; what it does not know of it does "
                "not say."
            )
        plans, ridden = _without_lines(checked.plans, options)
        plans, passed = without_stops(plans, options)
        left_out = listed(list(dict.fromkeys((*ridden, *passed))))
        gone = len(checked.plans) - len(plans)
        if gone:
            notes.append(
                f"{self.called} cannot leave out stops or lines: {count(gone, 'plan')} of its "
                f"{len(checked.plans)} by way of {left_out} {'is' if gone == 1 else 'are'} not "
                "shown."
            )
        plans = plans[:WANTED]
        if options.adjustment:
            notes.append("First and last connections are not asked of this planner.")
        if options.journey_preference == "LeastInterchange":
            plans = tuple(sorted(plans, key=lambda one: one.interchanges))
        elif options.journey_preference == "LeastWalking":
            plans = tuple(sorted(plans, key=lambda one: one.walking_minutes))
        if options.max_walking_minutes is not None:
            plans = tuple(
                one for one in plans if one.walking_minutes <= options.max_walking_minutes
            )
        error = ""
        if gone and not plans:
            error = (
                f"{self.called} cannot leave out stops or lines, and every plan that it has goes "
                f"by way of {left_out}: try another time, or allow it."
            )
        elif not plans:
            said = f" ({answer.said})" if answer.said else ""
            error = (
                f"{self.planned_by()} has no plan that answers this{said}: try another time or "
                "places nearer to a stop."
            )
            # Plans that do not hold say more of a planner than that it has none.
            error = " ".join((error, *left_out_notes))
        return replace(empty, plans=plans, notes=tuple(notes), error=error)

    async def _located(self, side: Side) -> Side:
        """An end with the places that the planner knows by its words.

        Raises:
            InputError: it knows none.
            GroundwireError: it cannot be asked.
        """
        if not side.searched:
            return side
        words = side.best.place.name
        matches = grouped(await self.protocol().search(words))
        if not matches:
            raise InputError(
                f'{side.param}: {self.planned_by()} knows no place {words!r}: send "lat,lon", or '
                "another spelling."
            )
        same = [one for one in matches if fold(one.name) == fold(words)]
        found = same or matches
        candidates = tuple(map(_candidate, found[:MOST_OPTIONS]))
        if len(found) == 1:
            name = found[0].name
            note = "" if same else f"{side.raw} is read as {name}"
            return replace(
                side,
                candidates=candidates,
                how="exact" if same else "tfl",
                note=note,
                searched=False,
            )
        return replace(side, candidates=candidates, how="ambiguous", searched=False)

    async def find_stops(
        self, query: str, modes: Sequence[str], offset: int
    ) -> tuple[FoundStops, Draft | None]:
        """Places that the planner knows by a name.

        Raises:
            GroundwireError: it cannot be asked.
        """
        from groundwire.evidence.records import Draft, Value
        from groundwire.journeys.results import FoundStops

        matches = grouped(await self.protocol().search(clean(query)))
        end = offset + _PAGE
        told = listed([one.name for one in matches], 4)
        answer = f"{count(len(matches), 'place')} for {query!r}: {told}."
        shown = matches[offset:end]
        result = FoundStops(
            answer=answer if matches else f"{self.planned_by()} knows no place {query!r}.",
            stops=[_stop_item(one) for one in shown],
            source="planner",
            notes=["modes were not asked of this planner."] if modes else None,
            credit=self.credit,
            offset=offset,
            next_offset=end if end < len(matches) else None,
        )
        source = self.planned_by()
        values = [Value("number of places", str(len(matches)), source=source)]
        values += [Value("place", one.name, "name", source=source) for one in shown]
        return result, Draft(tuple(dict.fromkeys(values)), audit={"source": source})

    async def line_status(
        self, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
    ) -> tuple[LineStatuses, Draft | None]:
        """Say that how lines run is not asked of a planner."""
        from groundwire.journeys.results import LineStatuses

        del lines, modes, offset, date
        told = (
            f"How lines run is not asked of {self.planned_by()}: a plan tells the alerts of its "
            "own services."
        )
        return LineStatuses(answer=told, lines=[], notes=[told], credit=self.credit), None

    async def arrivals(
        self, owner: str, stop: str, lines: Sequence[str], limit: int, when: str = ""
    ) -> tuple[Arrivals, Draft | None]:
        """Say that boards are not asked of a planner."""
        from groundwire.journeys.results import Arrivals

        del owner, lines, limit, when
        told = f"Boards are not asked of {self.planned_by()}: compute a journey from the stop."
        return (
            Arrivals(answer=told, stop=stop, arrivals=[], reason=told, total=0, credit=self.credit),
            None,
        )


def _without_lines(
    plans: tuple[Plan, ...], options: Options
) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """Return the plans on lines that may be ridden, and the lines that ruled others out."""

    def bare(line: str) -> str:
        return fold(line.casefold().removesuffix(" line"))

    avoided, only = (set(map(bare, one)) for one in (options.avoid_lines, options.only_lines))

    def ridden(plan: Plan) -> list[str]:
        return [
            leg.line or leg.mode
            for leg in plan.rides
            if bare(leg.line) in avoided or (only and bare(leg.line) not in only)
        ]

    kept = tuple(one for one in plans if not ridden(one))
    return kept, tuple(dict.fromkeys(line for one in plans for line in ridden(one)))


def grouped(matches: Sequence[Match]) -> list[Match]:
    """Matches without those of the same name near an earlier one: the stops of one place."""
    found: list[Match] = []
    for one in matches:
        known = any(
            fold(one.name) == fold(other.name)
            and metres_between(one.point, other.point) <= _TOGETHER
            for other in found
        )
        if not known:
            found.append(one)
    return found


def _candidate(one: Match) -> Candidate:
    detail = ", ".join(filter(None, (one.kind, one.area)))
    return Candidate(_place_of(one), f"{one.name} ({_at(one.point)})", detail)


def _place_of(one: Match) -> Place:
    return Place(one.name, one.point, "point_of_interest")


def _at(point: Point) -> str:
    return f"{point.lat:.6f},{point.lon:.6f}"


def _stop_item(one: Match) -> StopItem:
    from groundwire.journeys.results import StopItem

    return StopItem(
        id=one.stop_id or _at(one.point),
        name=one.name,
        modes=[],
        lines=[],
        lat=one.point.lat,
        lon=one.point.lon,
        why=", ".join(filter(None, (one.kind, one.area))) or "the planner finds it by this name",
    )


def _is_otp(url: str) -> bool:
    path = urlsplit(url).path.casefold()
    return "/otp" in path or path.rstrip("/").endswith("graphql")


def _zone(name: str) -> ZoneInfo:
    """The zone of a name.

    Raises:
        ConfigurationError: there is none.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ConfigurationError(
            f"{name[:40]!r} is no time zone: write the planner's after its address, as "
            "#Europe/Berlin."
        ) from error


def _machine_zone() -> ZoneInfo:
    """The zone of this machine, else London's."""
    link = Path("/etc/localtime")
    target = str(link.resolve()) if link.is_symlink() else ""
    for name in (os.environ.get("TZ", ""), target.partition("zoneinfo/")[2]):
        if name and name != "UTC" and not name.startswith("Etc/"):
            try:
                return ZoneInfo(name)
            except (KeyError, ValueError, OSError):
                continue
    return LONDON
