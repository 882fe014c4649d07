"""How the lines run: worst first, planned works apart from disruptions, with the reason.

A question about lines may be about days to come.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.choice import LineChoice, choose_lines
from groundwire.journeys.lines.names import (
    RAIL_MODES,
    first_sentence,
    lines_of,
    service_name,
    services_of,
    without_name,
)
from groundwire.journeys.tfl.client import LiveSource
from groundwire.journeys.tfl.line_payload import (
    LineStatus,
    LineStatuses,
    Status,
    read_line_statuses,
)
from groundwire.journeys.tfl.severity import Standing
from groundwire.journeys.times.moments import told_day
from groundwire.journeys.times.reading import read_time
from groundwire.journeys.wording import count, listed, span

# A day of service ends with its last trains, in the small hours of the next.
_SERVICE_BEGINS = time(4, 30)
_WEEKEND = re.compile(r"\bweekend\b", re.IGNORECASE)
_FEAST = re.compile(r"(?<![\w'’])(?:[A-Z][\w'’]{1,12} ){1,2}(?:Day|Eve)\b")
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Days:
    """One day or several in a row.

    Attributes:
        begins, ends: the first and the last of them.
        called: the name of a feast by which one day was asked for, or empty.
    """

    begins: date
    ends: date
    called: str = ""

    @property
    def noon(self) -> datetime:
        """Noon of the first day, the moment by which statuses are told to hold."""
        return datetime.combine(self.begins, time(12), LONDON)

    @property
    def told(self) -> str:
        """The days as a sentence names them: "on Saturday 28 November 2026"."""
        if self.begins == self.ends:
            called = f"{self.called}, " if self.called else ""
            return f"on {called}{told_day(self.begins)}"
        return f"from {told_day(self.begins)} to {told_day(self.ends)}"

    def of(self, line: LineStatus) -> LineStatus:
        """A line with what is said of it in these days alone."""
        held = [replace(one, live=False) for one in line.statuses if self._overlaps(one)]
        return replace(line, statuses=tuple(held))

    def _overlaps(self, status: Status) -> bool:
        first = datetime.combine(self.begins, _SERVICE_BEGINS, LONDON)
        last = datetime.combine(self.ends + timedelta(days=1), _SERVICE_BEGINS, LONDON)
        return not status.validity or any(
            (one.begins is None or one.begins < last) and (one.ends is None or one.ends > first)
            for one in status.validity
        )


def read_days(said: str, now: datetime) -> Days | None:
    """Read days to come as people write them; None where that is today.

    Args:
        said: a date or words for one ("2026-11-28", "Saturday", "this weekend"); empty for now.
        now: the present moment in Europe/London.

    Raises:
        InputError: the text is not a day, or the day has passed.
    """
    if not said.strip():
        return None
    reading = read_time(said, None, None, now)
    assert reading is not None
    day = reading.when.date()
    if day < now.date():
        raise InputError(
            f"{told_day(day)} has passed: send today or a later date, such as {now.date()}"
        )
    ends = day
    if _WEEKEND.search(said) and day.weekday() in (_SATURDAY, _SUNDAY):
        ends = day + timedelta(days=_SUNDAY - day.weekday())
    feast = _FEAST.search(said)
    called = feast[0] if feast else ""
    return None if day == ends == now.date() else Days(day, ends, called)


OFFLINE = (
    "How the lines run now cannot be known without TfL's live service, which is not reached here"
)
# How a mode is called before "line".
_ADJECTIVES = {"tube": "tube ", "overground": "Overground ", "bus": "bus ", "river-bus": "river "}
_MOST_IN_SENTENCE = 6


@dataclass(frozen=True, slots=True)
class LineState:
    """How one line stands at the moment of the report.

    Attributes:
        line: the line with all its statuses.
        standing: what the status that counts says, or `unknown`.
        counts: the worst status that holds now; of those to come where none holds; None for none.
        holds: whether that status holds now.
        later: the other statuses that are to come, soonest first.
    """

    line: LineStatus
    standing: Standing
    counts: Status | None
    holds: bool = True
    later: tuple[Status, ...] = ()

    @property
    def name(self) -> str:
        """The line as it stands in a sentence."""
        return service_name(self.line.mode, self.line.line)


@dataclass(frozen=True, slots=True)
class LineReport:
    """How the lines run.

    Attributes:
        answer: one sentence that can be quoted.
        known: whether TfL said anything; nothing is presumed where it did not.
        states: worst first.
        choice: the lines and modes that were asked for, and how the words were read.
        missing: names of lines that were asked for and of which TfL says nothing.
        unread: what of TfL's answer could not be read.
        as_of: the moment for which the report holds; None where it says nothing of how they run.
    """

    answer: str
    known: bool
    states: tuple[LineState, ...] = ()
    choice: LineChoice = field(default_factory=LineChoice)
    missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    as_of: datetime | None = None

    def standing(self, standing: Standing) -> tuple[LineState, ...]:
        """The lines that stand so, worst first."""
        return tuple(state for state in self.states if state.standing == standing)


async def get_line_status(
    source: LiveSource | None,
    *,
    now: datetime,
    lines: Iterable[str] = (),
    modes: Iterable[str] = (),
    days: Days | None = None,
) -> LineReport:
    """Ask how lines run, now or on days to come.

    Args:
        source: TfL's live services, or None where they are not used (offline).
        now: the moment of asking; it decides which statuses hold.
        lines: names or ids of lines, or names of modes.
        modes: modes; without lines and modes it is all rail lines that TfL runs.
        days: days to come, or None for now.

    Raises:
        InputError: a line or mode is not known, or may be several; of a mode whose lines are not
            listed, days to come are asked about.
        UnavailableError: TfL does not answer, or not with line status.
    """
    choice = choose_lines(lines, modes)
    if source is None:
        return LineReport(_unknown(choice, days), known=False, choice=choice)
    if days is not None:
        return await _on_days(source, choice, days)
    answers: list[LineStatuses] = []
    if choice.lines:
        ids = [line.id for line in choice.lines]
        answers.append(read_line_statuses(await source.line_status(ids, ())))
    asked_modes = choice.modes or (() if choice.lines else RAIL_MODES)
    if asked_modes:
        answers.append(read_line_statuses(await source.line_status((), asked_modes)))
    return report(answers, choice, now)


async def _on_days(source: LiveSource, choice: LineChoice, days: Days) -> LineReport:
    """The report of days to come: of each line what holds in them, by their noon."""
    asked = list(choice.lines)
    for mode in choice.modes or (() if asked else RAIL_MODES):
        of_mode = lines_of(mode)
        if not of_mode:
            raise InputError(
                f"TfL tells of days to come by lines, not for all of {mode}: send lines, such as "
                "Victoria"
            )
        asked += of_mode
    ids = [line.id for line in dict.fromkeys(asked)]
    answer = read_line_statuses(await source.line_status_between(ids, days.begins, days.ends))
    known = LineStatuses(tuple(map(days.of, answer.lines)), answer.unread)
    found = report([known], choice, days.noon)
    return replace(found, answer=f"{days.told[0].upper()}{days.told[1:]}: {found.answer}")


def _unknown(choice: LineChoice, days: Days | None) -> str:
    """Say that the status of what was asked for is not known offline."""
    names = [line.full_name for line in choice.lines]
    if not names and days is None:
        return f"{OFFLINE}."
    names += [services_of(mode) for mode in choice.modes] if names else []
    which = f"the {listed(names)}" if names else "the lines"
    verb = "runs" if len(names) == 1 else "run"
    when = days.told if days is not None else "now"
    return (
        f"How {which} {verb} {when} cannot be known without TfL's live service, which is not "
        "reached here."
    )


def report(answers: Sequence[LineStatuses], choice: LineChoice, now: datetime) -> LineReport:
    """The report of what TfL said.

    Args:
        answers: TfL's answers; a line that several of them have is told once.
        choice: what was asked for.
        now: the moment that decides which statuses hold.
    """
    found = {line.line_id: line for answer in answers for line in answer.lines}
    states = tuple(sorted((state_of(line, now) for line in found.values()), key=_order))
    missing = tuple(line.full_name for line in choice.lines if line.id not in found)
    return LineReport(
        _sentence(states, missing, now),
        known=bool(states),
        states=states,
        choice=choice,
        missing=missing,
        unread=tuple(note for answer in answers for note in answer.unread),
        as_of=now,
    )


def state_of(line: LineStatus, now: datetime) -> LineState:
    """How a line stands at a moment."""
    if not line.statuses:
        return LineState(line, "unknown", None)
    later = tuple(
        sorted(
            (one for one in line.statuses if one.is_ahead(now)),
            key=lambda one: (one.begins or now, one.rank),
        )
    )
    counts = line.at(now) or line.statuses[0]
    others = tuple(one for one in later if one != counts)
    return LineState(line, counts.standing, counts, counts.holds(now), others)


def _order(state: LineState) -> tuple[int, int, str]:
    """Statuses that hold now, worst first, then those to come, then what is well or unknown."""
    if state.counts is None:
        return (2, 99, state.name)
    group = 2 if state.standing == "good" else 0 if state.holds else 1
    return (group, state.counts.rank, state.name)


def told(status: Status, now: datetime) -> str:
    """A status with the time that it holds for: "Part Closure, from ... to ..."."""
    spell = status.spell(now)
    when = span(spell.begins, spell.ends, now) if spell else ""
    return f"{status.description}, {when}" if when else status.description


def own_reason(state: LineState) -> str:
    """The first sentence of the reason, without the line's name that it often begins with."""
    if state.counts is None or not state.counts.reason:
        return ""
    names = (state.name, state.line.line, f"{state.line.line} line")
    return first_sentence(without_name(state.counts.reason, names))


def _sentence(states: tuple[LineState, ...], missing: tuple[str, ...], now: datetime) -> str:
    silent = f"TfL says nothing about {listed(missing, _MOST_IN_SENTENCE)}" if missing else ""
    if not states:
        return f"{silent or 'TfL gives no status for what was asked'}."
    said = _of_one(states[0], now) if len(states) == 1 else _of_several(states, now)
    return f"{said}; {silent}." if silent else f"{said}."


def _of_one(state: LineState, now: datetime) -> str:
    if state.counts is None:
        return f"TfL gives no status for the {state.name}"
    if state.standing == "good":
        said = f"{state.name}: {state.counts.description}"
        planned = [one for one in state.later if one.planned]
        return f"{said}; planned: {told(planned[0], now)}" if planned else said
    kind = f"{state.standing}: " if state.standing in ("planned", "notice") else ""
    reason = own_reason(state)
    said = f"{state.name}: {kind}{told(state.counts, now)}"
    return f"{said} ({reason})" if reason else said


def _of_several(states: tuple[LineState, ...], now: datetime) -> str:
    modes = {state.line.mode for state in states}
    noun = f"{_ADJECTIVES.get(next(iter(modes)), '') if len(modes) == 1 else ''}line"
    groups = {
        "disrupted": [one for one in states if one.standing == "disrupted"],
        "planned": [
            one
            for one in states
            if one.standing == "planned"
            or (one.standing == "good" and any(status.planned for status in one.later))
        ],
        "closed": [one for one in states if one.standing == "closed"],
        "notice": [one for one in states if one.standing == "notice"],
        "unknown": [one for one in states if one.standing == "unknown"],
    }
    good = [one for one in states if one.standing == "good"]
    parts = [_of_group(kind, group, now) for kind, group in groups.items() if group]
    if not parts:
        return f"All {len(states)} {noun}s have a good service"
    told_of = count(len(states) - len(groups["unknown"]), noun)
    if groups["disrupted"]:
        number, rest = parts[0].split(" ", 1)
        parts[0] = f"{number} of {told_of} {rest}"
    elif len(groups["unknown"]) < len(states):
        parts.insert(0, f"None of {told_of} has an unplanned disruption")
    if good:
        parts.append(f"{len(good)} {'runs' if len(good) == 1 else 'run'} well now")
    return "; ".join(parts)


_VERBS = {
    "disrupted": ("is disrupted", "are disrupted"),
    "planned": ("has planned works", "have planned works"),
    "closed": ("is closed at this hour", "are closed at this hour"),
    "notice": ("has a notice", "have notices"),
    "unknown": ("has no status from TfL", "have no status from TfL"),
}


def _of_group(kind: str, states: list[LineState], now: datetime) -> str:
    """How many lines stand so, and which: "2 have planned works: A (Part Closure, ...) and ..."."""
    one, several = _VERBS[kind]
    named: list[str] = []
    for state in states:
        shown = state.counts
        if kind == "planned" and state.standing == "good":
            shown = next(later for later in state.later if later.planned)
        if shown is None or kind == "closed":
            named.append(state.name)
        else:
            when = told(shown, now) if kind == "planned" else shown.description
            named.append(f"{state.name} ({when})")
    said = listed(named, _MOST_IN_SENTENCE)
    return f"{len(states)} {one if len(states) == 1 else several}: {said}"
