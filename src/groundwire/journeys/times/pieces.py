"""Meaning of the pieces and words of an expression of time before any clock.

The times of vague words are choices of ours, told as assumptions wherever they are used:

| words | time |
|---|---|
| first thing, early morning | 08:00, 07:00 |
| morning, late morning | 09:00, 11:00 |
| lunch, lunchtime | 13:00 |
| early afternoon, afternoon, late afternoon | 13:30, 15:00, 16:30 |
| end of the day | 17:30 |
| early evening, evening, late evening | 18:00, 19:00, 21:00 |
| tonight, night, late night | 20:00, 22:00, 23:00 |
| a day without a time | 09:00; today, it is now |

An hour without am or pm (`five`, `half past six`, `5:30`) is one of the day: 7 to 11 in the
morning, 12 at noon, 1 to 6 in the afternoon. Where that has passed today, and nobody names a day,
7 to 11 is in the evening if that is still to come. Hours of two digits with minutes (`05:30`,
`10:00`) are those of the 24-hour clock.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time
from importlib.resources import files
from typing import Literal, NamedTuple

from groundwire.journeys.itinerary import TimeIs

Half = Literal["am", "pm", "night"]


class Part(NamedTuple):
    """A part of the day.

    Attributes:
        name: as it is told.
        at: the time that it is taken for.
        half: how it completes an hour beside it: "seven in the evening".
    """

    name: str
    at: time
    half: Half


_TABLES = tomllib.loads((files(__package__ or "") / "words.toml").read_text("utf-8"))
PARTS: dict[str, Part] = {
    name: Part(name, time.fromisoformat(at), half) for name, (at, half) in _TABLES["parts"].items()
}
TIME_OF_A_DAY = time(9)
"""The time that a day without one stands for, unless it is today."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY_NUMBERS: dict[str, int] = {
    **{name: number for number, name in enumerate(WEEKDAYS)},
    **{name[:3]: number for number, name in enumerate(WEEKDAYS)},
    "tues": 1,
    "weds": 2,
    "thur": 3,
    "thurs": 3,
}

# Day and month of the feasts that keep their date, on which London travels otherwise.
FEASTS: dict[str, tuple[int, int]] = {
    name: (day, month) for name, (day, month) in _TABLES["feasts"].items()
}
FROM_EASTER: dict[str, int] = _TABLES["from_easter"]
FROM_ADVENT: dict[str, int] = _TABLES["from_advent"]
"""Days from Easter Sunday, and from the first Sunday of Advent, to the feasts that move."""
_SPOKEN: tuple[str, ...] = tuple(_TABLES["spoken"])
ORDINALS: dict[str, int] = {
    **{word: number for number, word in enumerate(_SPOKEN, 1)},
    **{f"twenty {word}": 20 + number for number, word in enumerate(_SPOKEN[:9], 1)},
    "thirtieth": 30,
    "thirty first": 31,
}
"""Days of a month in words."""

# A word before a time says how the time is meant (None: it only leads to the time).
CUES: dict[str, TimeIs | None] = {
    word: None if says == "leading" else says
    for says, words in _TABLES["cues"].items()
    for word in words
}
ARRIVING = re.compile(
    r"\b(?:arriv\w*|be (?:at|in|on|there|home|back)|been? there|get(?:ting)? there|reach\w*"
    r"|due (?:at|in))\b",
    re.IGNORECASE,
)
"""Words after which a time is one to arrive by."""
# Cues after which a number alone is an hour: "at five", but not "on 5".
HOUR_CUES = frozenset(CUES) - {"on", "there", "get there", "be there"}
ROUGH_CUES = frozenset({"around", "about", "approximately", "roughly", "circa"})

# What follows an hour that stands alone; before another word a number counts something
# ("at 10 Downing Street", "for 5 people").
AFTER_AN_HOUR = frozenset[str](_TABLES["after_an_hour"])
HOURS: dict[str, int] = _TABLES["hours"]
MINUTES: dict[str, int] = _TABLES["minutes"]


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of the day; one that is not `placed` has an hour of 1 to 12 without am or pm.

    Attributes:
        ends_day: whether it is the midnight that ends a day.
        lone: whether it is a number that may be something else where no cue leads to it.
    """

    hour: int
    minute: int = 0
    placed: bool = True
    ends_day: bool = False
    lone: bool = False
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Day:
    """A day, by one of the ways to name it.

    Attributes:
        shift: days from today.
        weekday: 0 for Monday, with `which` week it is of: "", "this", "next", "last", "weekend",
            "next weekend", "next week", and "week after" or "fortnight after" the next such day.
        weekdays: the days of the week of which the next is meant, instead of `weekday`.
        nth: of the month in which such a weekday comes next: 1 for its first, -1 for its last.
        day, month, year: a date, as far as it was given; `weekday` beside it has to agree.
        feast: the name of one that moves with Easter or Christmas.
    """

    shift: int | None = None
    weekday: int | None = None
    which: str = ""
    weekdays: tuple[int, ...] = ()
    nth: int = 0
    day: int | None = None
    month: int | None = None
    year: int | None = None
    feast: str = ""


@dataclass(frozen=True, slots=True)
class After:
    """A time counted from now, in minutes; "now" is 0."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Ahead:
    """A margin before the time that follows, in minutes: "10 minutes before"."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Cue:
    """A word that leads to a time."""

    word: str


@dataclass(frozen=True, slots=True)
class Impossible:
    """A text that has the form of a time and cannot be one, with the nearest time that can."""

    problem: str
    slot: Literal["clock", "day"]
    lone: bool = False


Meaning = Clock | Day | Part | After | Ahead | datetime | Cue | Impossible


class Mark(NamedTuple):
    """A piece where it stands."""

    start: int
    end: int
    meaning: Meaning


class Rule(NamedTuple):
    """A form of a piece, and what is made of it; None where the form is something else after all.

    Groups are numbered by name only, since all forms are searched for as one pattern.
    """

    name: str
    pattern: str
    build: Callable[[re.Match[str]], Meaning | None]


def any_of(names: Iterable[str]) -> str:
    """A pattern of any of some names, the longest first, their words apart by spaces or hyphens."""
    longest = sorted(names, key=len, reverse=True)
    return "(?:" + "|".join(name.replace(" ", r"[\s-]+") for name in longest) + ")"
