"""The parts of a request for journeys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

ArtefactKind = Literal["map", "calendar", "text"]
QuestionTool = Literal["get_line_status", "get_arrivals", "find_stops"]
QUESTIONS: tuple[QuestionTool, ...] = ("get_line_status", "get_arrivals", "find_stops")
"""The tools that answer questions about the network."""
THERE = "there"
"""As a place: where the trip before ends."""
ASK_BEGIN = "Where does the trip to {} begin?"


def _none() -> dict[str, JsonValue]:
    return {}


@dataclass(frozen=True, slots=True)
class TripAsked:
    """One trip, in the words of the request.

    Attributes:
        starting_point: where it begins; `THERE` for where the trip before ends, empty if not said.
        destination: where it ends.
        via: a place to pass, or empty.
        wishes: time and options, by the names of `compute_journey_plans`.
        stay: minutes that one stays where the trip before ends, before this one begins.
    """

    starting_point: str
    destination: str
    via: str = ""
    wishes: Mapping[str, JsonValue] = field(default_factory=_none)
    stay: int = 0

    def arguments(self) -> dict[str, JsonValue]:
        """The trip as arguments of `compute_journey_plans`."""
        begins = "" if self.starting_point == THERE else self.starting_point
        places = {"starting_point": begins, "destination": self.destination, "via": self.via}
        return {**{name: value for name, value in places.items() if value}, **self.wishes}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that are to be kept, forgotten or shown.

    Attributes:
        places: places by name.
        options: options by name.
        forget: names of options and places, or `all`.
        show: whether only to tell what is kept.
    """

    places: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, JsonValue] = field(default_factory=_none)
    forget: tuple[str, ...] = ()
    show: bool = False

    def __bool__(self) -> bool:
        return bool(self.places or self.options or self.forget or self.show)


REPEATS = ("repeat_on", "repeat_weeks", "repeat_monthly", "repeat_until")
"""Options of a calendar file by which its entry repeats."""


@dataclass(frozen=True, slots=True)
class Artefacts:
    """The files and texts that are to be made of planned journeys.

    Attributes:
        kinds: map, calendar, text.
        plan: index of the plan, from 0; None if it was not said.
        journey: index of the journey among those at hand, from 0 (-1: the last); None for all.
        towards: words for the end of the journey that is meant, or empty.
        alarm_minutes: reminder before leaving, or None.
        per_leg: one calendar event a leg.
        browser: open the map in a browser.
        whole_day: one map and one calendar file of all trips.
        every: of the trips of all turns, each its own: "put both in my calendar".
        repeats: options of the calendar file by which its entry repeats.
    """

    kinds: tuple[ArtefactKind, ...]
    plan: int | None = None
    journey: int | None = None
    towards: str = ""
    alarm_minutes: int | None = None
    per_leg: bool = False
    browser: bool = False
    whole_day: bool = False
    every: bool = False
    repeats: Mapping[str, JsonValue] = field(default_factory=_none)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the network that asks for no journey.

    Attributes:
        tool: the tool that answers it.
        arguments: what to send.
        of_steps: whether it asks of a stop whether it is step-free.
        of_line: the line of which it asks whether it calls at the stop, or empty.
        without_timetable: what is said beside an answer that is of no timetable, or empty.
    """

    tool: QuestionTool
    arguments: Mapping[str, JsonValue]
    of_steps: bool = False
    of_line: str = ""
    without_timetable: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """How many minutes or changes a trip may take at most.

    Attributes:
        most: as many.
        words: as they were said.
        below: whether it has to take less than that.
    """

    most: int
    words: str
    below: bool = False


@dataclass(frozen=True, slots=True)
class JourneyRequest:
    """A request, read.

    Attributes:
        trips: in the order in which they are made.
        settings: what to keep, forget or show.
        artefacts: what to make of the journeys, or None.
        questions: about lines, departures and stops.
        wishes: options that belong to no trip of the request ("by bus instead").
        leg: the trip at hand that `wishes` are said of (-1: the last), or None.
        there: whether it only says "there" of where it ends.
        goes_on: whether it carries on from the journeys at hand ("then to Bank").
        unread: words that nothing was made of, told to the user.
        notes: what cannot be as it was asked, as sentences.
        asks: what has to be asked before anything can be planned, or empty.
        foreign: whether it asks for something other than a journey.
        of_plans: what is asked of the plans of its trips: how many stops, how many changes.
        limit: how many minutes each of its trips may take at most, or None.
        changes: how many changes each of its trips may have at most, or None.
    """

    trips: tuple[TripAsked, ...] = ()
    settings: Settings = Settings()
    artefacts: Artefacts | None = None
    questions: tuple[Question, ...] = ()
    wishes: Mapping[str, JsonValue] = field(default_factory=_none)
    leg: int | None = None
    there: bool = False
    goes_on: bool = False
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    asks: str = ""
    foreign: bool = False
    of_plans: tuple[str, ...] = ()
    limit: Limit | None = None
    changes: Limit | None = None

    def unread_beyond(self, known: re.Pattern[str]) -> bool:
        """Whether words were not read that are none of some known ones."""
        return any(not known.fullmatch(word) for one in self.unread for word in one.split())
