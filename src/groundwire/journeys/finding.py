"""Stops found by name: those of the embedded network, and those that only TfL knows."""

from __future__ import annotations

from collections.abc import Sequence

import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.evidence.records import Draft, Value
from groundwire.journeys.line_statements import stop_statements
from groundwire.journeys.lines.choice import choose_lines
from groundwire.journeys.lines.names import LINES
from groundwire.journeys.london import London
from groundwire.journeys.results import CREDIT, FoundStops, StopItem
from groundwire.journeys.spoken_times import count, listed
from groundwire.journeys.stops.search import FoundStop
from groundwire.journeys.stops.search import find_stops as search
from groundwire.journeys.tfl.outcomes import NotNowError
from groundwire.journeys.tfl.stop_payload import StopMatch

_PAGE = 20
# Why a stop was found that has just the name that was asked for.
_BY_NAME = ("its name", "another name of it", "its name but for one letter")
_SOURCE = f"the embedded network and TfL's search for stops ({CREDIT})"


async def find_stops(
    london: London, query: str, modes: Sequence[str], offset: int
) -> tuple[FoundStops, Draft]:
    """Stops that a query may mean, best first, and the record of them.

    Of those that have just this name, the answer says which lines serve them and their zone. Where
    the embedded network has none of that name, TfL is asked: it knows every bus stop.

    Raises:
        InputError: a mode is not known, or the query is empty or too long.
        GroundwireError: TfL rejects the request; a TfL that does not answer now raises nothing.
    """
    wanted = _mode_ids(modes)
    found = await anyio.to_thread.run_sync(lambda: search(london.places, query, wanted))
    sure = any(one.why.startswith("its") or "name" in one.why for one in found)
    tfl = london.tfl()
    notes: list[str] = []
    matches: tuple[StopMatch, ...] = ()
    if tfl is not None and not sure:
        try:
            matches = await tfl.search_stops(query, wanted)
        except GroundwireError as error:
            # What is known here is worth telling, whatever TfL says.
            if not found and not isinstance(error, NotNowError):
                raise
            notes.append(f"{error} Only stations of the embedded network were searched.")
    if tfl is None:
        notes.append(
            "Only stations of the embedded network were searched: no bus stops, piers or stations "
            "of National Rail."
        )
    known = {one.id for one in found}
    stops = [_embedded(one) for one in found]
    stops += [_from_tfl(one) for one in matches if one.id not in known]
    end = offset + _PAGE
    shown = stops[offset:end]
    named = [one for one in shown if one.why in _BY_NAME]
    result = FoundStops(
        answer=" ".join((_sentence(query, stops, everywhere=not notes), *map(_service, named))),
        stops=shown,
        source="tfl" if matches else "offline_estimate",
        notes=notes or None,
        offset=offset,
        next_offset=end if end < len(stops) else None,
    )
    return result, _proof(shown, len(stops))


def _service(stop: StopItem) -> str:
    """The lines that serve a stop and its zone, as a sentence."""
    lines = listed(_lines(stop))
    served = f"{stop.name} is served by {lines}" if lines else f"No line of {stop.name} is held"
    zone = f"it is in zone {stop.zone}" if stop.zone else "its fare zone is not held here"
    return f"{served}; {zone}."


def _lines(stop: StopItem) -> list[str]:
    """Names of the lines of a stop as they stand in a sentence; a bus route by its number."""
    known = {line.id: line.full_name for line in LINES}
    return [f"the {known[one]}" if one in known else f"bus {one}" for one in stop.lines]


def _proof(stops: Sequence[StopItem], total: int) -> Draft:
    """The record of stops: how many there are, and the lines and the zone of each."""
    values = [Value("number of stops", str(total), source=_SOURCE)]
    for stop in stops:
        if stop.zone:
            values.append(Value("zone", stop.zone, "text", entity=stop.name, source=_SOURCE))
        lines = (one.removeprefix("the ") for one in _lines(stop))
        values += [Value("line", one, "text", entity=stop.name, source=_SOURCE) for one in lines]
    audit = {"source": _SOURCE}
    return Draft(tuple(values), audit=audit, statements=stop_statements(stops, _lines))


def _mode_ids(modes: Sequence[str]) -> tuple[str, ...]:
    """Ids of modes; of a line that was sent as one, its mode."""
    choice = choose_lines((), modes)
    return tuple(dict.fromkeys((*choice.modes, *(line.mode for line in choice.lines))))


def _embedded(one: FoundStop) -> StopItem:
    return StopItem(
        id=one.id,
        name=one.name,
        modes=list(one.modes),
        lines=list(one.lines),
        lat=one.point.lat,
        lon=one.point.lon,
        zone=one.zone or None,
        why=one.why,
    )


def _from_tfl(one: StopMatch) -> StopItem:
    return StopItem(
        id=one.id,
        name=one.name,
        modes=list(one.modes),
        lines=list(one.lines),
        lat=one.point.lat if one.point else None,
        lon=one.point.lon if one.point else None,
        zone=one.zone or None,
        why="TfL finds it by this name",
    )


def _sentence(query: str, stops: Sequence[StopItem], *, everywhere: bool) -> str:
    if not stops and not everywhere:
        return (
            f"No station of the embedded network is called {query!r}, and TfL, which knows every "
            "stop, was not asked: send another spelling, or a station near it."
        )
    if not stops:
        return f"No stop is called {query!r}: send another spelling, or a station near it."
    names = listed([one.name for one in stops], 4)
    return f"{count(len(stops), 'stop')} for {query!r}: {names}."
