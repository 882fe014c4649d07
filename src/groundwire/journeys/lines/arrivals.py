"""The next services at a stop, or why there are none.

The board of a hub is empty: the stations and stops under it have boards of their own. They are its
children, at any depth, and those that its line groups name by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from groundwire.errors import GroundwireError, InputError
from groundwire.journeys.lines.choice import LineChoice, choose_lines
from groundwire.journeys.lines.names import LINE_BY_ID, Line, bus_route
from groundwire.journeys.lines.running import LineState, own_reason, state_of
from groundwire.journeys.stops.names import public_name
from groundwire.journeys.tfl.arrivals_payload import Arrival, Predictions, in_order, read_arrivals
from groundwire.journeys.tfl.client import LiveSource
from groundwire.journeys.tfl.fields import plain_text
from groundwire.journeys.tfl.line_payload import Payload, objects, read_line_statuses, text_of
from groundwire.journeys.tfl.outcomes import UnexpectedAnswerError
from groundwire.journeys.wording import clock, count, listed

# Parts of a station: their arrivals stand on the station's board.
_PARTS = ("Entrance", "AccessArea", "Platform", "Access", "Berth")
# Groups of stops: they have no board themselves.
_GROUPS = ("TransportInterchange", "Cluster", "Pair")


@dataclass(frozen=True, slots=True)
class BoardStop:
    """A stop that has a board.

    Attributes:
        id, name: the stop.
        ics: the code by which TfL's planner joins the stops of one place, else empty.
        lines: the lines that call there, as far as the payload says.
    """

    id: str
    name: str
    ics: str
    lines: tuple[Line, ...]

    @property
    def is_for_buses(self) -> bool:
        """Whether only buses call there."""
        return bool(self.lines) and all(line.mode == "bus" for line in self.lines)


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A place that was asked for, and the stops whose boards make up its own."""

    stop: BoardStop
    boards: tuple[BoardStop, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that call there."""
        found = (line for one in (self.stop, *self.boards) for line in one.lines)
        return tuple({line.id: line for line in found}.values())


def read_board_place(payload: object) -> BoardPlace:
    """Read a stop with the stops under it.

    Args:
        payload: the JSON value of `StopPoint/{id}`.

    Raises:
        UnexpectedAnswerError: the payload is not a stop.
    """
    root: Payload = cast("Payload", payload) if isinstance(payload, Mapping) else {}
    place = _stop(root)
    if not place.id:
        raise UnexpectedAnswerError("TfL sent something other than a stop: try again later")
    if not _is_group(root):
        return BoardPlace(place, (place,))
    below = _joined(_below(root))
    named = _joined(_named_by_groups(root, place))
    return BoardPlace(place, tuple((named | below).values()))


def _joined(stops: Iterable[BoardStop]) -> dict[str, BoardStop]:
    """Stops by id; one that comes again, as a group of lines each time, has the lines of all."""
    found: dict[str, BoardStop] = {}
    for stop in stops:
        before = found.get(stop.id)
        lines = (*before.lines, *stop.lines) if before else stop.lines
        found[stop.id] = replace(stop, lines=tuple(dict.fromkeys(lines)))
    return found


def _is_group(node: Payload) -> bool:
    kind = text_of(node, "stopType")
    return text_of(node, "id").startswith(("HUB", "490G")) or kind.endswith(_GROUPS)


def _below(node: Payload) -> Iterator[BoardStop]:
    for child in objects(node.get("children")):
        if text_of(child, "stopType").endswith(_PARTS):
            continue
        stop = _stop(child)
        if stop.id and stop.lines and not _is_group(child):
            yield stop
        else:
            yield from _below(child)


def _named_by_groups(root: Payload, place: BoardStop) -> Iterator[BoardStop]:
    """Stops that a group names with its lines (`lineGroup`) though they are not its children."""
    known = {line.id: line for line in place.lines}
    gathered: dict[str, list[Line]] = {}
    for group in objects(root.get("lineGroup")):
        stop_id = text_of(group, "naptanIdReference") or text_of(group, "stationAtcoCode")
        if stop_id and stop_id != place.id:
            lines = _ids(group, "lineIdentifier")
            gathered.setdefault(stop_id, []).extend(known.get(one) or _line(one) for one in lines)
    for stop_id, lines in gathered.items():
        yield BoardStop(stop_id, place.name, place.ics, tuple(dict.fromkeys(lines)))


def _stop(node: Payload) -> BoardStop:
    modes = {
        line: text_of(group, "modeName")
        for group in objects(node.get("lineModeGroups"))
        for line in _ids(group, "lineIdentifier")
    }
    own_modes = _ids(node, "modes")
    only_mode = own_modes[0] if len(own_modes) == 1 else ""
    lines = tuple(
        _line(
            text_of(line, "id"),
            plain_text(line.get("name")),
            modes.get(text_of(line, "id")) or only_mode,
        )
        for line in objects(node.get("lines"))
        if text_of(line, "id")
    )
    name = public_name(plain_text(node.get("commonName")))
    return BoardStop(text_of(node, "id"), name, text_of(node, "icsCode"), lines)


def _ids(node: Payload, key: str) -> list[str]:
    values = node.get(key)
    if not isinstance(values, list):
        return []
    return [one for one in cast("list[object]", values) if isinstance(one, str) and one]


def _line(line_id: str, name: str = "", mode: str = "") -> Line:
    """A line by what the payload says of it; what it leaves out is known by its id."""
    known = LINE_BY_ID.get(line_id)
    if known is not None:
        return known
    return Line(line_id, name or line_id.upper(), mode or ("bus" if bus_route(line_id) else ""))


OFFLINE = (
    "Arrivals cannot be known without TfL's live service, which is not reached here: "
    "plan a journey instead, whose times are estimated offline"
)
# Boards of one place that are asked for; a hub may have dozens of bus stops.
_MOST_BOARDS = 6
_MOST_LINES = 12
# Services that left this long ago are no arrivals any more; predictions lag a little.
_LEFT_SECONDS = 60
# Modes for which TfL has no boards.
_WITHOUT_BOARDS = frozenset({"national-rail", "international-rail", "coach", "plane"})


@dataclass(frozen=True, slots=True)
class ArrivalBoard:
    """The next services at a stop.

    Attributes:
        answer: one sentence that can be quoted.
        stop_id, stop: the place that was asked for.
        arrivals: next first, as many as were asked for; cancelled ones are among them.
        total: how many there are in all.
        following: how many of them come after the next one that comes.
        cancelled: how many of them are cancelled.
        reason: why nothing comes; empty where something does.
        boards: the stops whose boards were read.
        notes: what a reader has to know (boards that failed or were left out).
        choice: the lines that were asked for, and how the words were read.
        as_of: the moment that minutes are counted from; None where TfL was not asked.
    """

    answer: str
    stop_id: str
    stop: str
    arrivals: tuple[Arrival, ...] = ()
    total: int = 0
    following: int = 0
    cancelled: int = 0
    reason: str = ""
    boards: tuple[BoardStop, ...] = ()
    notes: tuple[str, ...] = ()
    choice: LineChoice = field(default_factory=LineChoice)
    as_of: datetime | None = None


async def get_arrivals(
    source: LiveSource | None,
    stop_id: str,
    *,
    now: datetime,
    lines: Iterable[str] = (),
    limit: int = 10,
) -> ArrivalBoard:
    """Ask what comes next at a stop.

    Args:
        source: TfL's live services, or None where they are not used (offline).
        stop_id: NaPTAN id of a stop, station or hub; a hub is answered from the stops under it.
        now: the moment of asking; minutes are counted from it.
        lines: names or ids of lines, or names of modes; empty for all.
        limit: the most arrivals to tell.

    Raises:
        InputError: a line is not known, or the limit is below one.
        UnavailableError: TfL does not answer, or not with a board.
    """
    if limit < 1:
        raise InputError(f"A board of {limit} arrivals has none: send a limit of 1 or more")
    choice = choose_lines(lines)
    if source is None:
        said = f"{OFFLINE}."
        return ArrivalBoard(said, stop_id, "", reason=said, choice=choice)
    place = read_board_place(await source.stop(stop_id))
    boards, notes = _boards_to_ask(place, choice)
    if not boards:
        reason = _not_served(place, choice)
        return _empty(place, choice, now, reason, (), notes)
    read, failed = await _read_all(source, boards)
    notes += failed
    coming = [
        one
        for one in in_order(arrival for board in read for arrival in board.arrivals)
        if choice.includes(one.line_id, one.mode)
    ]
    left = [one for one in coming if (now - one.expected).total_seconds() > _LEFT_SECONDS]
    shown = [one for one in coming if one not in left]
    notes += [f"{place.stop.name}: {note}" for board in read for note in board.unread]
    if left:
        notes.append(f"{count(len(left), 'service')} on the board should have left already")
    if not shown:
        reason = await _why_none(source, place, choice, now)
        return _empty(place, choice, now, reason, boards, notes)
    return ArrivalBoard(
        _sentence(place, shown, limit, now),
        place.stop.id,
        place.stop.name,
        tuple(shown[:limit]),
        len(shown),
        max(0, len([one for one in shown if one.comes]) - 1),
        _cancelled(shown),
        boards=tuple(boards),
        notes=tuple(notes),
        choice=choice,
        as_of=now,
    )


def _boards_to_ask(place: BoardPlace, choice: LineChoice) -> tuple[list[BoardStop], list[str]]:
    """The boards that may hold what was asked for, rail before buses, and what is left out."""
    notes: list[str] = []
    fitting = [
        stop
        for stop in place.boards
        if not choice.words
        or not stop.lines
        or any(choice.includes(line.id, line.mode) for line in stop.lines)
    ]
    silent = [
        stop
        for stop in fitting
        if stop.lines and all(line.mode in _WITHOUT_BOARDS for line in stop.lines)
    ]
    if silent:
        names = listed(list(dict.fromkeys(stop.name for stop in silent)))
        notes.append(f"TfL has no board of the National Rail trains at {names}")
    fitting = [stop for stop in fitting if stop not in silent]
    rail = [stop for stop in fitting if not stop.is_for_buses]
    if rail and len(rail) < len(fitting) and not choice.words:
        stops = count(len(fitting) - len(rail), "bus stop")
        notes.append(f"Buses were not asked for ({stops}): name a bus route for its board")
        fitting = rail
    if len(fitting) > _MOST_BOARDS:
        notes.append(
            f"Only {_MOST_BOARDS} of {len(fitting)} stops there were asked: name a line or one stop"
        )
    return sorted(fitting, key=lambda stop: stop.is_for_buses)[:_MOST_BOARDS], notes


async def _read_all(
    source: LiveSource, boards: Sequence[BoardStop]
) -> tuple[list[Predictions], list[str]]:
    """All boards at once; one that fails does not spoil the others.

    Raises:
        GroundwireError: every one failed; the first failure.
    """
    import anyio

    read: dict[str, Predictions] = {}
    failures: dict[str, GroundwireError] = {}

    async def ask(stop: BoardStop) -> None:
        only = stop.lines[0] if len(stop.lines) == 1 else None
        try:
            read[stop.id] = read_arrivals(await source.arrivals(stop.id), only)
        except GroundwireError as failure:
            failures[stop.id] = failure

    async with anyio.create_task_group() as tasks:
        for stop in boards:
            tasks.start_soon(ask, stop)
    if failures and not read:
        raise next(failures[stop.id] for stop in boards if stop.id in failures)
    told = [f"{stop.name}: {failures[stop.id]}" for stop in boards if stop.id in failures]
    return [read[stop.id] for stop in boards if stop.id in read], told


def _not_served(place: BoardPlace, choice: LineChoice) -> str:
    """Why no board fits: the lines asked for do not call there, or there is none."""
    if not choice.words:
        return "TfL has no board for it"
    asked = listed([word.used for word in choice.words])
    here = listed([line.full_name for line in place.lines], _MOST_LINES)
    serving = f", but by {here}" if here else ""
    return f"it is not served by {asked}{serving}"


async def _why_none(
    source: LiveSource, place: BoardPlace, choice: LineChoice, now: datetime
) -> str:
    """Whether the lines are closed or disrupted, or TfL merely lists nothing."""
    lines = [line for line in place.lines if choice.includes(line.id, line.mode)]
    if choice.words and place.lines and not lines:
        return _not_served(place, choice)
    asked = [line.id for line in lines if line.mode not in _WITHOUT_BOARDS][:_MOST_LINES]
    silent = "TfL lists none now"
    if not asked:
        return silent
    try:
        answer = read_line_statuses(await source.line_status(asked, ()))
    except GroundwireError:
        return f"{silent}, and how its lines run could not be asked"
    states = [state_of(line, now) for line in answer.lines]
    bad = [
        one for one in states if one.holds and one.standing in ("closed", "planned", "disrupted")
    ]
    if not bad:
        names = listed([state.name for state in states], _MOST_LINES)
        good = bool(states) and all(state.standing == "good" for state in states)
        return f"{silent}, though good service is reported on {names}" if good else silent
    told = "; ".join(_told(state) for state in sorted(bad, key=_rank))
    closed = len(bad) == len(states) and all(_is_closed(state) for state in bad)
    return f"nothing runs: {told}" if closed else f"{silent}: {told}"


def _rank(state: LineState) -> int:
    return state.counts.rank if state.counts else 99


def _is_closed(state: LineState) -> bool:
    """Whether the whole line does not run."""
    whole = ("closed", "service closed", "suspended", "not running", "planned closure")
    return state.counts is not None and state.counts.description.casefold() in whole


def _told(state: LineState) -> str:
    description = state.counts.description if state.counts else ""
    reason = own_reason(state)
    return f"{state.name}: {description} ({reason})" if reason else f"{state.name}: {description}"


def _empty(
    place: BoardPlace,
    choice: LineChoice,
    now: datetime,
    reason: str,
    boards: Sequence[BoardStop],
    notes: Sequence[str],
) -> ArrivalBoard:
    return ArrivalBoard(
        f"No arrivals at {place.stop.name}: {reason}.",
        place.stop.id,
        place.stop.name,
        reason=reason,
        boards=tuple(boards),
        notes=tuple(notes),
        choice=choice,
        as_of=now,
    )


def _cancelled(shown: Sequence[Arrival]) -> int:
    return len([one for one in shown if one.outlook == "cancelled"])


def _sentence(place: BoardPlace, shown: list[Arrival], limit: int, now: datetime) -> str:
    """The next service that comes, then what follows and what is cancelled."""
    coming = [one for one in shown if one.comes]
    cancelled = _cancelled(shown)
    parts: list[str] = []
    if coming:
        first = coming[0]
        where = f", {first.platform}" if first.platform else ""
        minutes = first.minutes(now)
        wait = f"in {count(minutes, 'minute')}" if minutes else "due now"
        to = f" to {first.goes_to}" if first.goes_to else ""
        parts.append(
            f"Next at {place.stop.name}: {first.service}{to} at {clock(first.expected)}"
            f" ({wait}{where})"
        )
    else:
        parts.append(f"Nothing that is listed at {place.stop.name} stops there")
    if len(coming) > 1:
        parts.append(f"{len(coming) - 1} more {'follows' if len(coming) == 2 else 'follow'}")
    if cancelled:
        parts.append(f"{cancelled} {'is' if cancelled == 1 else 'are'} cancelled")
    if len(shown) > limit:
        parts.append(f"the first {limit} are told" if limit > 1 else "the first is told")
    return f"{'; '.join(parts)}."
