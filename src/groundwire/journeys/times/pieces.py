"""Meaning of the pieces of an expression of time before any clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from groundwire.journeys.times.words import Part


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
