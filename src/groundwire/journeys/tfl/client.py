"""The client of the TfL API: one fixed address, one key, bounded in time, size and number.

Sources: the saved OpenAPI of Journey, StopPoint and Line. The key travels in the header `app_key`
and stands in no error, representation or payload that leaves this module.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import quote

from groundwire.errors import InputError
from groundwire.journeys.tfl.exchange import (
    TFL,
    Exchange,
    Kind,
    SecretKey,
    checked_base,
    request_policy,
)
from groundwire.journeys.tfl.journey_payload import Itinerary, read_itinerary
from groundwire.journeys.tfl.outcomes import (
    NoJourneyError,
    PlaceNotFoundError,
    UnexpectedAnswerError,
)
from groundwire.journeys.tfl.stop_payload import (
    Disambiguation,
    StopMatch,
    read_disambiguation,
    read_matches,
)
from groundwire.journeys.tfl.throttling import (
    WITH_KEY,
    WITHOUT_KEY,
    AnswerCache,
    Outages,
    Pace,
    SharedTurns,
    Turns,
)
from groundwire.transport.client import GuardedClient

if TYPE_CHECKING:
    from groundwire.state import Database


class LiveSource(Protocol):
    """Answers of TfL's live services as JSON values, as `TflClient` gives them."""

    async def line_status(self, lines: Sequence[str], modes: Sequence[str]) -> Any:
        """The status of lines by id, or of all lines of modes; one of the two is empty."""
        ...

    async def line_status_between(self, lines: Sequence[str], begins: date, ends: date) -> Any:
        """The status of lines by id on the days from `begins` to `ends`."""
        ...

    async def stop(self, stop_id: str, /) -> Any:
        """A stop with the stops under it."""
        ...

    async def arrivals(self, stop_id: str, /) -> Any:
        """The board of a stop."""
        ...


_LONGEST_SEGMENT = 200
MOST_IDS = 40

# Seconds for a whole call; a journey outside London takes TfL more than ten.
DEADLINE = 25.0
MOST_MATCHES = 25

_KEY_NAMES = frozenset({"app_key", "app_id", "subscription-key"})


def _is_journey(value: Any) -> bool:
    return _is_itinerary(value) or _is_disambiguation(value)


def _is_itinerary(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(
        cast("dict[str, Any]", value).get("journeys"), list
    )


def _is_disambiguation(value: Any) -> bool:
    return isinstance(value, dict) and any(
        isinstance(cast("dict[str, Any]", value).get(f"{side}LocationDisambiguation"), dict)
        for side in ("from", "to", "via")
    )


def _is_stop(value: Any) -> bool:
    return isinstance(value, dict) and bool(cast("dict[str, Any]", value).get("id"))


def _is_search(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(
        cast("dict[str, Any]", value).get("matches"), list
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, dict) for one in cast("list[Any]", value)
    )


_JOURNEY = Kind(150.0, _is_journey)
_STOP = Kind(43_200.0, _is_stop)
_SEARCH = Kind(43_200.0, _is_search)
_LIVE = Kind(30.0, _is_list)


class TflClient:
    """Asks TfL; used within one event loop."""

    def __init__(
        self,
        base_url: str = TFL,
        key: str = "",
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        deadline: float = DEADLINE,
        cache: AnswerCache | None = None,
        database: Database | None = None,
    ) -> None:
        """Prepare a client; nothing is opened before the first request.

        Args:
            base_url: where the API is; by the administrator only.
            key: the API key, or empty for the fewer requests that need none.
            clock: seconds that never go back, for the cache, the pace and outages.
            sleep: waits so many seconds.
            now: the moment, to count a date in Retry-After from.
            deadline: seconds for one call.
            cache: where answers are kept; its own by default.
            database: where servers that share it count their requests together.

        Raises:
            ConfigurationError: the address or the key cannot be used.
        """
        self._base = checked_base(base_url or TFL)
        self._key = SecretKey(key)
        self._guarded = GuardedClient(request_policy(self._base, deadline))
        limit = WITH_KEY if key else WITHOUT_KEY
        shared = None if database is None else SharedTurns(database, key, limit)
        self._turns = Turns(Pace(limit, clock), shared)
        self._exchange = Exchange(
            self._base,
            self._key,
            self._guarded,
            turns=self._turns,
            outages=Outages(clock),
            cache=cache or AnswerCache(clock),
            sleep=sleep,
            now=now,
        )

    def __repr__(self) -> str:
        return f"TflClient({self._base!r}, {self._key!r})"

    async def aclose(self) -> None:
        """Close every connection."""
        await self._guarded.aclose()
        self._turns.close()

    async def journey(
        self, origin: str, destination: str, via: str, parameters: Mapping[str, str]
    ) -> Itinerary | Disambiguation:
        """Plan a journey.

        Args:
            origin: free text, a postcode, a NaPTAN id, an ICS code or "lat,lon".
            destination: the same.
            via: the same, or empty.
            parameters: query parameters by the API's names.

        Returns:
            the ways to go, or the places that may be meant.

        Raises:
            InputError: a place or parameter cannot be sent, or TfL cannot use it.
            NoJourneyError: no journey was found.
            PlaceNotFoundError: TfL does not know a place.
            GroundwireError: any other outcome of `outcomes`.
        """
        if _KEY_NAMES & {name.casefold() for name in parameters}:
            raise InputError("The key is set by TFL_APP_KEY: leave it out of the parameters.")
        path = path_of("Journey", "JourneyResults", origin, "to", destination)
        asked = {name: str(value) for name, value in parameters.items()}
        if via.strip():
            _segment(via)
            asked["via"] = via.strip()
        subject = f"{_quoted(origin)} to {_quoted(destination)}"
        if via.strip():
            subject += f" via {_quoted(via)}"
        value = await self._exchange.ask(path, asked, _JOURNEY, subject)
        if _is_itinerary(value):
            return _with_plans(
                read_itinerary(value, step_free_asked=_wants_step_free(asked)), subject
            )
        found = read_disambiguation(value)
        unknown = found.unknown
        if unknown:
            names = {"origin": origin, "destination": destination, "via": via}
            raise PlaceNotFoundError(
                f"TfL does not know {_quoted(names[unknown[0]])}: try a station, a postcode or"
                " another spelling.",
                unknown[0],
            )
        return found

    async def search_stops(self, query: str, modes: Iterable[str] = ()) -> tuple[StopMatch, ...]:
        """Stops whose name TfL finds alike, best first; hubs among them.

        Raises:
            GroundwireError: as `journey`.
        """
        _segment(query)
        asked = {
            "query": " ".join(query.split()),
            "includeHubs": "true",
            "maxResults": str(MOST_MATCHES),
        }
        wanted = list(modes)
        if wanted:
            asked["modes"] = ids_of(wanted)
        value = await self._exchange.ask(
            "/StopPoint/Search", asked, _SEARCH, f"stops like {_quoted(query)}"
        )
        return read_matches(value)

    async def stop(self, stop_id: str) -> dict[str, Any]:
        """The payload of a stop or hub with the stops under it (`read_stop`).

        Raises:
            GroundwireError: as `journey`.
        """
        return await self._exchange.ask(
            path_of("StopPoint", stop_id), {}, _STOP, f"the stop {_quoted(stop_id)}"
        )

    async def line_status(
        self, lines: Iterable[str] = (), modes: Iterable[str] = ()
    ) -> list[dict[str, Any]]:
        """The payload of the status of lines by id, and of all lines of modes.

        Raises:
            InputError: neither lines nor modes are named.
            GroundwireError: as `journey`.
        """
        named, of_modes = list(lines), list(modes)
        found: dict[str, dict[str, Any]] = {}
        if named or not of_modes:
            ids = ids_of(named)
            path = path_of("Line", ids, "Status")
            answer = await self._exchange.ask(path, {}, _LIVE, f"the line {_quoted(ids)}")
            found.update((str(line.get("id")), line) for line in answer)
        if of_modes:
            ids = ids_of(of_modes)
            path = path_of("Line", "Mode", ids, "Status")
            answer = await self._exchange.ask(path, {}, _LIVE, f"the lines of {_quoted(ids)}")
            found.update((str(line.get("id")), line) for line in answer)
        return list(found.values())

    async def line_status_between(
        self, lines: Iterable[str], begins: date, ends: date
    ) -> list[dict[str, Any]]:
        """The payload of the status of lines by id on the days from `begins` to `ends`.

        Raises:
            InputError: no lines are named.
            GroundwireError: as `journey`.
        """
        ids = ids_of(list(lines))
        path = path_of("Line", ids, "Status", begins.isoformat(), "to", ends.isoformat())
        return list(await self._exchange.ask(path, {}, _LIVE, f"the line {_quoted(ids)}"))

    async def arrivals(self, stop_id: str) -> list[dict[str, Any]]:
        """The payload of the board of a stop; empty for a hub.

        Raises:
            GroundwireError: as `journey`.
        """
        path = path_of("StopPoint", stop_id, "Arrivals")
        return await self._exchange.ask(path, {}, _LIVE, f"arrivals at {_quoted(stop_id)}")


def _with_plans(itinerary: Itinerary, subject: str) -> Itinerary:
    if itinerary.plans:
        return itinerary
    if itinerary.unread:
        raise UnexpectedAnswerError(
            f"No plan in TfL's answer about {subject} can be read ({itinerary.unread[0]}):"
            " try again later."
        )
    raise NoJourneyError(
        f"TfL finds no journey for {subject}: try another time, other modes, or places nearer to"
        " London."
    )


def _wants_step_free(asked: Mapping[str, str]) -> bool:
    wanted = asked.get("accessibilityPreference", "").casefold()
    both = "nosolidstairs" in wanted and "noescalators" in wanted
    return both or "stepfreetovehicle" in wanted or "stepfreetoplatform" in wanted


def _quoted(text: str) -> str:
    shown = " ".join(text.split())
    return f'"{shown if len(shown) <= 60 else shown[:59] + "…"}"'


def path_of(*segments: str) -> str:
    """`/a/b` of segments, each percent-encoded as a whole (RFC 3986 section 3.3).

    Raises:
        InputError: a segment is empty, too long, only dots, or no text.
    """
    return "/" + "/".join(map(_segment, segments))


def _segment(text: str) -> str:
    """One segment of a path; commas stay, since coordinates and lists hold them.

    Raises:
        InputError: see `path_of`.
    """
    shown = " ".join(text.split())
    if not shown.strip("."):
        # Two dots lead to the path above, encoded or not.
        raise InputError(
            "A place, stop or line has no name: give a name, a postcode or coordinates."
        )
    if len(shown) > _LONGEST_SEGMENT:
        raise InputError(
            f"A name of {len(shown)} characters is too long, {_LONGEST_SEGMENT} is the most:"
            " shorten it."
        )
    if not shown.isprintable():
        raise InputError("A name holds control characters: type it anew.")
    return quote(shown, safe=",")


def ids_of(ids: Iterable[str]) -> str:
    """Ids of lines or modes as one segment, each once, separated by commas.

    Raises:
        InputError: there are none or too many.
    """
    found = list(dict.fromkeys(one.strip() for one in ids if one.strip()))
    if not 0 < len(found) <= MOST_IDS:
        raise InputError(f"Name 1 to {MOST_IDS} lines or modes, not {len(found)}.")
    return ",".join(found)
