"""How lines run and what comes next at a stop, as the tools answer it, with what proves it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

import anyio.to_thread

from groundwire.errors import InputError
from groundwire.evidence.records import Draft, Value
from groundwire.journeys.line_statements import (
    WITH_WORKS,
    arrival_statements,
    status_statements,
    unknown_arrivals,
    unknown_statements,
    with_works,
)
from groundwire.journeys.lines.arrivals import ArrivalBoard, get_arrivals
from groundwire.journeys.lines.choice import LineChoice
from groundwire.journeys.lines.names import RAIL_MODES, service_name
from groundwire.journeys.lines.running import (
    Days,
    LineReport,
    LineState,
    get_line_status,
    own_reason,
    read_days,
)
from groundwire.journeys.london import London
from groundwire.journeys.network.limits import without_service
from groundwire.journeys.network.model import service_day
from groundwire.journeys.places.sides import MOST_OPTIONS, Reader, Side
from groundwire.journeys.proof import named_in
from groundwire.journeys.results import (
    CREDIT,
    ArrivalItem,
    Arrivals,
    CorrectionItem,
    LineItem,
    LineStatuses,
    OptionItem,
    StatusItem,
)
from groundwire.journeys.stops.names import public_name
from groundwire.journeys.stops.search import find_stops
from groundwire.journeys.tfl.arrivals_payload import Arrival
from groundwire.journeys.tfl.line_payload import Status
from groundwire.journeys.tfl.severity import DESCRIPTIONS
from groundwire.journeys.wording import clock, listed

_SOURCE = f"TfL live services ({CREDIT})"
_PAGE = 30
_TO_A_STOP = re.compile(r".+?\s(?P<way>to|from)\s(?P<stop>\S.*)", re.IGNORECASE)
_NOW_ALONE = (
    "Departures at another time than now ({}) are not held here. In London TfL's timetables say "
    "them: tfl.gov.uk/timetables."
)
_NO_ENDS = (
    "When the first train and the last train run is not held here: London's embedded network has "
    "no timetable. In London TfL's timetables say it: tfl.gov.uk/timetables."
)
# Position of the number of arrivals among the values of a board.
_TOTAL = 1
# What stands for good in a record of a line of which nothing is said.
_UNKNOWN = -1


async def line_status(
    london: London, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
) -> tuple[LineStatuses, Draft | None]:
    """How lines run, worst first, now or on a day to come.

    Args:
        london: what is asked.
        lines: what to ask about; without lines and modes all rail lines that TfL runs.
        modes: modes of which all lines are asked about.
        offset: where the page begins.
        date: a day to come, as people write it; empty for now.

    Raises:
        InputError: a line or mode is not known, or may be several; the day cannot be read.
        GroundwireError: TfL does not answer.
    """
    for word in lines:
        if (named := _TO_A_STOP.fullmatch(word)) is not None:
            raise InputError(
                f"Which services go {named['way']} {named['stop']} is not known without a "
                "timetable: say where the trip begins and ends, and it is planned."
            )
    now = london.now()
    days = read_days(date, now)
    report = await get_line_status(london.tfl(), now=now, lines=lines, modes=modes, days=days)
    names = await anyio.to_thread.run_sync(_vocabulary, london) if report.known else ()
    resting = "" if report.known else await anyio.to_thread.run_sync(_resting, london, report, days)
    end = offset + _PAGE
    result = LineStatuses(
        answer=f"{resting} {report.answer}".lstrip(),
        lines=[_line(state, report) for state in report.states[offset:end]],
        corrections=_corrections("lines", report.choice),
        notes=list(report.unread) or None,
        as_of=report.as_of.isoformat() if report.as_of else None,
        offset=offset,
        next_offset=end if end < len(report.states) else None,
    )
    if not report.known:
        values = [Value("text of a note", resting, "text")] if resting else []
        audit = {"source": _SOURCE}
        return result, Draft(tuple(values), audit=audit, statements=unknown_statements(report))
    counts = dict(_counts(report))
    values = [
        *counts.values(),
        *(value for state in report.states for value in _status_values(state, names)),
    ]
    stated = status_statements(report, {key: at for at, key in enumerate(counts)})
    draft = Draft(tuple(values), audit={"source": _SOURCE}, vocabulary=names, statements=stated)
    return result, draft


def _resting(london: London, report: LineReport, days: Days | None) -> str:
    """Say which of the lines that were asked about have no service on the days."""
    today = service_day(london.now())
    begins, ends = (days.begins, days.ends) if days else (today, today)
    lines = [line.id for line in report.choice.lines]
    modes = report.choice.modes or (() if lines else RAIL_MODES)
    if days is None and not (lines or report.choice.modes):
        # Of now alone it is told where nothing runs at all.
        modes = london.network.service_days.modes_without(today)
    each = (
        without_service(london.network, lines, modes, begins + timedelta(days=ahead), today)
        for ahead in range((ends - begins).days + 1)
    )
    return " ".join(filter(None, each))


def _counts(report: LineReport) -> Iterator[tuple[str, Value]]:
    """Yield how many lines are told of, and how many stand alike, by what they are counted for."""
    standings = Counter(state.standing for state in report.states)
    known = len(report.states) - standings["unknown"]
    later = sum(any(one.planned for one in state.later) for state in report.states)
    yield "", Value("number of lines told of", str(known), source=_SOURCE)
    yield "later", Value("number of lines with works to come", str(later), source=_SOURCE)
    works = str(len(with_works(report)))
    yield WITH_WORKS, Value("number of lines with planned works", works, source=_SOURCE)
    for standing, number in standings.items():
        name = f"number of lines that stand as {standing}"
        yield standing, Value(name, str(number), source=_SOURCE)


def _line(state: LineState, report: LineReport) -> LineItem:
    counts = state.counts
    return LineItem(
        line=state.name,
        line_id=state.line.line_id,
        mode=state.line.mode,
        standing=state.standing,
        severity=counts.severity if counts else _UNKNOWN,
        description=counts.description if counts else "not known",
        statuses=[_status(one, report) for one in state.line.statuses],
    )


def _status(one: Status, report: LineReport) -> StatusItem:
    return StatusItem(
        description=one.description,
        severity=one.severity,
        standing=one.standing,
        reason=one.reason or None,
        advice=one.advice or None,
        planned=one.planned,
        holds_now=one.holds(report.as_of) if report.as_of else one.live,
        begins=one.begins.isoformat() if one.begins else None,
        ends=one.ends.isoformat() if one.ends else None,
    )


def _status_values(state: LineState, names: Sequence[str]) -> Iterator[Value]:
    """Yield values of a line, which sentences call "Victoria line" and the record "Victoria"."""
    called = (service_name(state.line.mode, state.line.line),)
    for value in _own_status_values(state, names):
        yield replace(value, labels=(*value.labels, *called))


def _own_status_values(state: LineState, names: Sequence[str]) -> Iterator[Value]:
    line = state.line
    counts = state.counts
    said = counts.description if counts else "not known"
    yield Value("status", said, "name", entity=line.line, source=_SOURCE)
    if counts is not None:
        yield Value("reason", own_reason(state), "text", entity=line.line, source=_SOURCE)
    yield from named_in([one.reason for one in line.statuses], names, line.line)
    for one in line.statuses:
        for name, text in (("reason", one.reason), ("advice", one.advice)):
            if text:
                yield Value(name, text, "text", entity=line.line, source=_SOURCE)
        for name, when in (("begins", one.begins), ("ends", one.ends)):
            if when is not None:
                yield Value(name, clock(when), "time", entity=line.line, source=_SOURCE)
                yield Value(
                    f"{name} day", when.date().isoformat(), "date", entity=line.line, source=_SOURCE
                )


async def arrivals(
    london: London, owner: str, stop: str, lines: Sequence[str], limit: int
) -> tuple[Arrivals, Draft | None]:
    """Return what comes next at a stop.

    Args:
        london: what is asked.
        owner: whose places names may be of.
        stop: a name, an id or a code.
        lines: lines to tell of; without any all.
        limit: the most arrivals to tell.

    Raises:
        InputError: the stop or a line is not known.
        GroundwireError: TfL does not answer.
    """

    def read() -> Side:
        places = london.preferences.get(owner).places
        return Reader(london.places, places, {}, online=london.supplies.online).read("stop", stop)

    side = await anyio.to_thread.run_sync(read)
    if not side.settled:
        return _asked(side), None
    place = side.best.place
    stop_id = place.stop_id if not side.searched else await _searched(london, stop)
    if not stop_id and side.searched:
        raise InputError(
            f"TfL knows no stop called {stop!r}: send another spelling, or an id from find_stops."
        )
    if not stop_id:
        return await anyio.to_thread.run_sync(_meant, london, side), None
    board = await get_arrivals(london.tfl(), stop_id, now=london.now(), lines=lines, limit=limit)
    corrections = _corrections("lines", board.choice) or []
    if side.how not in ("exact", "folded", "code") and not side.searched:
        corrections.append(
            CorrectionItem(param="stop", raw=stop, resolved=place.name, how=side.how)
        )
    result = Arrivals(
        answer=board.answer,
        stop=board.stop or place.name,
        arrivals=[_arrival(one, board) for one in board.arrivals],
        total=board.total,
        reason=board.reason or None,
        corrections=corrections or None,
        notes=list(board.notes) or None,
        as_of=board.as_of.isoformat() if board.as_of else None,
    )
    if not board.stop:
        stated = unknown_arrivals(place.name)
        is_offline = london.tfl() is None
        return result, Draft(
            (), audit={"source": _SOURCE}, statements=stated
        ) if is_offline else None
    values = [
        Value("stop of the board", board.stop, "name", source=_SOURCE),
        Value("number of arrivals", str(board.total), source=_SOURCE),
        Value("number of arrivals told", str(len(board.arrivals)), source=_SOURCE),
        Value("number of arrivals that follow", str(board.following), source=_SOURCE),
        Value("number of arrivals that are cancelled", str(board.cancelled), source=_SOURCE),
    ]
    if board.reason:
        values.append(Value("reason of the silence", board.reason, "text", source=_SOURCE))
        values += named_in([board.reason], _vocabulary(london))
    values += [value for one in board.arrivals for value in _arrival_values(one, board)]
    minutes = [_minutes(one, board) for one in board.arrivals]
    return result, Draft(
        tuple(values),
        audit={"source": _SOURCE},
        vocabulary=_vocabulary(london),
        statements=arrival_statements(board, _TOTAL, minutes),
    )


def other_moment(stop: str, when: str) -> Arrivals:
    """Say that no board of another moment than now is held, nor the first and last services."""
    told = _NO_ENDS if when.startswith(("first", "last")) else _NOW_ALONE.format(f"“{when}”")
    return Arrivals(answer=told, stop=stop, arrivals=[], reason=told, total=0)


async def _searched(london: London, stop: str) -> str:
    """The id of a stop that only TfL knows: of one name alone, or the only one found."""
    tfl = london.tfl()
    found = await tfl.search_stops(stop) if tfl else ()
    if not found:
        return ""
    same = [one for one in found if one.name.casefold() == stop.strip().casefold()]
    if len(same) == 1 or len(found) == 1:
        return (same or found)[0].id
    names = listed([f"{one.name} ({one.id})" for one in found[:5]], last="or")
    raise InputError(f"{stop!r} may be {names}: send the id of one.")


def _asked(side: Side) -> Arrivals:
    found = [(one.place.name, one.place.stop_id or one.send, one.detail) for one in side.candidates]
    return _which(side.raw, f"{side.raw} may be", [_option(side.raw, *one) for one in found])


def _meant(london: London, side: Side) -> Arrivals:
    """The stops to choose from where a place was named that is none: a sight, a position.

    Raises:
        InputError: no stop is near it.
    """
    place = side.best.place
    found = find_stops(london.places, side.raw)
    if not found and place.point is not None:
        found = find_stops(london.places, f"{place.point.lat},{place.point.lon}")
    if not found:
        raise InputError(f"No stop is known near {side.raw!r}: send a stop's name or id.")
    options = [_option(side.raw, one.name, one.id, one.why) for one in found[:MOST_OPTIONS]]
    return _which(side.raw, f"{side.raw} is no one stop; there, or near it, are", options)


def _option(raw: str, name: str, value: str, detail: str) -> OptionItem:
    return OptionItem(param="stop", raw=raw, name=name, value=value, detail=detail or None)


def _which(raw: str, said: str, options: list[OptionItem]) -> Arrivals:
    """The question which of several stops is meant."""
    names = listed([one.name for one in options], last="or")
    return Arrivals(
        answer=f"{said} {names}: ask which is meant, and send its value.",
        stop=raw,
        arrivals=[],
        total=0,
        options=options,
    )


def _arrival(one: Arrival, board: ArrivalBoard) -> ArrivalItem:
    return ArrivalItem(
        line=one.line,
        destination=one.destination or one.towards,
        platform=one.platform or None,
        expected=one.expected.isoformat(),
        minutes=_minutes(one, board),
        stop=one.stop if one.stop != board.stop else None,
        cancelled=True if one.outlook == "cancelled" else None,
    )


def _minutes(one: Arrival, board: ArrivalBoard) -> int:
    if board.as_of is None:
        return 0
    return max(0, int((one.expected - board.as_of).total_seconds() // 60))


def _arrival_values(one: Arrival, board: ArrivalBoard) -> Iterator[Value]:
    yield Value("line of the service", one.line, "name", source=_SOURCE)
    if one.destination or one.towards:
        end = one.destination or one.towards
        for name in dict.fromkeys((end, public_name(end))):
            yield Value("end of the service", name, "name", source=_SOURCE)
    if one.platform:
        yield Value("platform to wait at", one.platform, "name", source=_SOURCE)
    yield Value("expected", clock(one.expected), "time", labels=("due",), source=_SOURCE)
    yield Value(
        "minutes", str(_minutes(one, board)), unit="min", labels=("due in",), source=_SOURCE
    )


def _corrections(param: str, choice: LineChoice) -> list[CorrectionItem] | None:
    found = [
        CorrectionItem(param=param, raw=one.raw, resolved=one.used, how=one.how)
        for one in choice.corrections
        if one.raw.strip().casefold() != one.used.casefold()
    ]
    return found or None


def _vocabulary(london: London) -> tuple[str, ...]:
    """Names of lines and of statuses, of which a draft may name one that TfL did not."""
    return (*london.line_names(), *dict.fromkeys(DESCRIPTIONS.values()))
