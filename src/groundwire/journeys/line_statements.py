"""Statements that records of line status, stops and arrivals make beside their values.

A line that TfL reports as well has no disruption at that moment, and only a line that was asked
about and answered for; of a line that TfL says nothing about, the status is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from groundwire.evidence.answers import RecordNames, other_names
from groundwire.evidence.records import Condition, Names, Statement
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.arrivals import ArrivalBoard
from groundwire.journeys.lines.names import service_name
from groundwire.journeys.lines.running import LineReport, LineState
from groundwire.journeys.results import StopItem
from groundwire.journeys.statements import PACKAGE, mode_names, translated
from groundwire.journeys.stops.names import public_name
from groundwire.journeys.tfl.arrivals_payload import Arrival
from groundwire.journeys.wording import clock

_STANDINGS = ("disrupted", "planned", "closed", "notice", "good", "unknown")


WITH_WORKS = "works"
"""Key of the lines that have planned works and no disruption."""


def with_works(report: LineReport) -> list[LineState]:
    """Return the lines that have planned works, now or to come, and no disruption."""
    return [
        one
        for one in report.states
        if one.standing == "planned"
        or (one.standing == "good" and any(status.planned for status in one.later))
    ]


def status_statements(report: LineReport, counted: Mapping[str, int]) -> tuple[Statement, ...]:
    """Return how lines stand, which of them stand alike, and of which nothing is known.

    Args:
        report: what TfL said.
        counted: position of the number of lines for each standing, for `WITH_WORKS`, and for ""
            of all that are told of.
    """
    stating = _Stating(report.as_of)
    found = [*stating.groups(report, counted)]
    for state in report.states:
        found += stating.line(state)
    for name in report.missing:
        found.append(Statement("absence", (name,), stating.said("status")))
    return (*found, Statement("source", stating.said("tfl_live")))


def unknown_statements(report: LineReport) -> tuple[Statement, ...]:
    """Return that the status of the lines that were asked about is not known without TfL.

    Args:
        report: of what was asked while TfL's live services are not reached.
    """
    stating = _Stating(None)
    lines = [stating.line_names(line.mode, line.name) for line in report.choice.lines]
    return _not_reached("live_status", lines, ("disruption", "status"))


def unknown_arrivals(stop: str) -> tuple[Statement, ...]:
    """Return that what comes next at a stop is not known without TfL."""
    return _not_reached("live_arrivals", [(public_name(stop),)])


def _not_reached(
    key: str, subjects: Sequence[Names], unknown: Sequence[str] = ()
) -> tuple[Statement, ...]:
    said = RecordNames(PACKAGE).predicate
    objects = tuple(map(said, unknown))
    without = (Condition(said("without"), "is", (said("tfl_service"),)),)
    absent = (Statement("absence", names, said(key), objects, without) for names in subjects)
    return (*absent, Statement("absence", said("tfl_service"), said("reached")))


def arrival_statements(
    board: ArrivalBoard, total: int, minutes: Sequence[int]
) -> tuple[Statement, ...]:
    """Return what comes at a stop in its order, or that nothing does.

    Args:
        board: what TfL said.
        total: position of the number of arrivals among the values.
        minutes: minutes until each arrival that is told.
    """
    stating = _Stating(board.as_of)
    found = [*stating.board(board, total)]
    for number, (one, wait) in enumerate(zip(board.arrivals, minutes, strict=True), 1):
        found.append(stating.arrival(board, number, one, wait))
    return (*found, Statement("source", stating.said("tfl_live")))


def stop_statements(
    stops: Sequence[StopItem], lines_of: Callable[[StopItem], list[str]]
) -> tuple[Statement, ...]:
    """Return which lines serve each stop, all of them, and the zone of each, where it is known.

    Args:
        stops: the stops that are told of.
        lines_of: the names of the lines of a stop.
    """
    names = RecordNames(PACKAGE)
    found: list[Statement] = []
    for stop in stops:
        subject = tuple(dict.fromkeys((stop.name, public_name(stop.name))))
        lines = tuple(tuple(dict.fromkeys(_line_names(one))) for one in lines_of(stop))
        if lines:
            served = names.predicate("line")
            found.append(Statement("relation", subject, served, lines, complete="all_listed"))
        if stop.step_free is not None:
            answer = names.predicate("yes" if stop.step_free else "no")
            found.append(Statement("relation", subject, names.predicate("step_free"), (answer,)))
        if stop.zone:
            found.append(Statement("relation", subject, names.predicate("zone"), ((stop.zone,),)))
        else:
            found.append(Statement("absence", subject, names.predicate("zone")))
    return tuple(found)


def _line_names(line: str) -> Names:
    """Return what sentences call a line: with and without its article, and without "line"."""
    bare = line.removeprefix("the ")
    return (line, bare, bare.removesuffix(" line"), *translated(bare))


def _called(description: str) -> Names:
    """Return what sentences call a status: TfL's words, and those of other languages."""
    return (description, *other_names(PACKAGE, "statuses").get(description.casefold(), ()))


class _Stating:
    """States what one record holds."""

    def __init__(self, as_of: datetime | None) -> None:
        self._names = RecordNames(PACKAGE)
        self.said = self._names.predicate
        self._as_of = as_of

    def line_names(self, mode: str, line: str) -> Names:
        """Return what sentences call a line."""
        names = (service_name(mode, line), line, *translated(line))
        return self._names.thing("line", tuple(dict.fromkeys(filter(None, names))))

    def _mode(self, mode: str) -> Names:
        return self._names.thing("mode", mode_names(mode), 1)

    def _stop(self, name: str) -> Names:
        return self._names.thing("place", tuple(dict.fromkeys((public_name(name), name))), 1)

    def _is(self, key: str, *objects: Names, unit: str | None = None) -> Condition:
        operator = "is" if len(objects) == 1 else "any_of"
        return Condition(self.said(key), operator, objects, unit)

    def _now(self) -> tuple[Condition, ...]:
        """Return the moment that a report holds for."""
        if self._as_of is None:
            return ()
        local = self._as_of.astimezone(LONDON)
        return (self._is("as_of", (clock(local), local.date().isoformat())),)

    def groups(self, report: LineReport, counted: Mapping[str, int]) -> Iterator[Statement]:
        """Yield all lines that are told of, then those that stand alike.

        They are no more than was told of: of the other lines of a mode nothing is said.
        """
        sets: list[tuple[str, Sequence[LineState]]] = [
            ("", [one for one in report.states if one.standing != "unknown"]),
            *((standing, report.standing(standing)) for standing in _STANDINGS),
            (WITH_WORKS, with_works(report)),
        ]
        for key, states in sets:
            if not states:
                continue
            conditions = [Condition(self.said("told_of"), "exists"), *self._now()]
            if key == WITH_WORKS:
                conditions.append(Condition(self.said("planned_work"), "exists"))
            elif key:
                conditions.append(self._is("standing", self.said(f"standing_{key}")))
            else:
                modes = dict.fromkeys(one.line.mode for one in states)
                conditions.append(self._is("mode", *map(self._mode, modes)))
            yield Statement(
                "scope",
                self.said("line"),
                (),
                tuple(self.line_names(one.line.mode, one.line.line) for one in states),
                tuple(conditions),
                counted.get(key),
                complete="all_listed",
            )

    def line(self, state: LineState) -> Iterator[Statement]:
        """Yield the status of a line and what it is hindered by, or that nothing hinders it."""
        subject = self.line_names(state.line.mode, state.line.line)
        if state.counts is None:
            yield Statement("absence", subject, self.said("status"), conditions=self._now())
            return
        holding = [one for one in state.line.statuses if one is state.counts]
        holding += [
            one
            for one in state.line.statuses
            if one is not state.counts and self._as_of and one.holds(self._as_of)
        ]
        statuses = tuple(dict.fromkeys(_called(one.description) for one in holding))
        yield Statement(
            "relation",
            subject,
            self.said("status"),
            statuses,
            self._now(),
            complete="all_listed" if state.holds else "",
        )
        if state.standing == "good" and state.holds:
            yield Statement("absence", subject, self.said("disruption"), conditions=self._now())
        elif state.holds and all(one.standing != "disrupted" for one in holding):
            yield Statement("absence", subject, self.said("unplanned"), conditions=self._now())
        planned = [one for one in state.line.statuses if one.planned]
        works = tuple(dict.fromkeys((one.description,) for one in planned))
        if works:
            yield Statement("relation", subject, self.said("planned_work"), works)

    def board(self, board: ArrivalBoard, total: int) -> Iterator[Statement]:
        """Yield what is listed at a stop, or that nothing is."""
        at = self._is("stop", self._stop(board.stop))
        conditions = (at, *self._asked(board), *self._now())
        if not board.arrivals:
            stop = at.objects[0]
            yield Statement("absence", stop, self.said("arrival"), conditions=conditions[1:])
            return
        yield Statement(
            "scope", self.said("arrival"), (), (), conditions, total, complete="all_counted"
        )

    def _asked(self, board: ArrivalBoard) -> Iterator[Condition]:
        """Yield the lines and modes that alone are told of, where some were named."""
        lines = tuple(self.line_names(line.mode, line.name) for line in board.choice.lines)
        if lines:
            yield self._is("line", *lines)
        if board.choice.modes and not lines:
            yield self._is("mode", *map(self._mode, board.choice.modes))

    def arrival(self, board: ArrivalBoard, number: int, one: Arrival, wait: int) -> Statement:
        """Return one arrival, in its place on the board."""
        conditions = [self._is("line", self.line_names(one.mode, one.line))]
        end = one.destination or one.towards
        if end:
            conditions.append(self._is("to", self._stop(end)))
        conditions.append(self._is("expected", (clock(one.expected),)))
        conditions.append(self._is("minutes", (str(wait),), unit="min"))
        if one.platform:
            conditions.append(self._is("platform", (one.platform,)))
        if one.stop and one.stop != board.stop:
            conditions.append(self._is("stop", self._stop(one.stop)))
        if one.outlook == "cancelled":
            conditions.append(Condition(self.said("cancelled"), "exists"))
        return Statement(
            "part", self._stop(board.stop), conditions=tuple(conditions), position=number
        )
