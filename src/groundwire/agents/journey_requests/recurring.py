"""Trips that are made again and again: "every Tuesday", "Monday to Friday", "daily"."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.agents.journey_requests.model import Artefacts, TripAsked
from groundwire.journeys.spoken_times import listed
from groundwire.journeys.times.reading import find_times

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_LIST = rf"(?:\s*(?:,|and|&)\s*(?:on\s+|every\s+)?{_DAY}s?\b)*"
_EXCEPT = (
    r"(?:\s*,?\s*(?:except(?:\s+for)?|excluding|but\s+not|apart\s+from|other\s+than|not)\s+(?:on\s+)?"
    rf"{_DAY}s?\b{_LIST})?"
)
RECURS = re.compile(
    rf"\b(?:(?:every|each)\s+(?:single\s+|week\s+)?)?(?:from\s+)?(?:{_DAY}s?\s+(?:to|through|until|till)\s+"
    rf"{_DAY}s?|{_SHORT}\s?[-–]\s?{_SHORT})\b{_EXCEPT}|"
    rf"\b(?:on\s+)?the\s+(?:first|second|third|fourth|last)\s+{_DAY}\s+(?:of|in)\s+(?:each|every|the|a)\s+month\b|"
    rf"\b(?:every|each)\s+(?:single\s+|other\s+|second\s+)?(?:{_DAY}|day|weekday|workday|working\s+day|morning|"
    rf"evening|afternoon|night|week|month|weekend)s?\b{_LIST}{_EXCEPT}|"
    rf"\b(?:on\s+)?(?:{_DAY}s|weekdays|workdays|weekday\s+(?:mornings|evenings|afternoons))\b{_LIST}{_EXCEPT}|"
    r"\b(?:daily|weekly)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:other|second|month|night|weekly|week)s?\b", re.IGNORECASE)
_NAMED = re.compile(_DAY, re.IGNORECASE)
_RANGE = re.compile(
    rf"(?P<one>{_DAY}|{_SHORT})s?(?:\s+(?:to|through|until|till)\s+|\s?[-–]\s?)(?P<other>{_DAY}|{_SHORT})",
    re.IGNORECASE,
)
_OF_MONTH = re.compile(r"\bmonth\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:except|excluding|not|apart|other\s+than)\b", re.IGNORECASE)


def repeated_on(words: str) -> tuple[str, ...]:
    """Return the days of the week that recurring words name; none where they leave them open."""
    return () if _UNSURE.search(words) else _days(words)


def _days(words: str) -> tuple[str, ...]:
    """The days of the week of which the first trip is, by their names in English."""
    said, *without = _WITHOUT.split(words, maxsplit=1)
    excepted = _named(without[0]) if without else frozenset[str]()
    days = _named(said)
    ranged = _RANGE.search(said)
    if ranged is not None:
        first, last = (_number(ranged[one]) for one in ("one", "other"))
        days = frozenset(_DAYS[(first + ahead) % 7] for ahead in range((last - first) % 7 + 1))
    elif not days and re.search(r"weekday|workday|working", said, re.IGNORECASE):
        days = frozenset(_DAYS[:5])
    elif not days and "weekend" in said.lower():
        days = frozenset(_DAYS[5:])
    return tuple(day for day in _DAYS if day in (days or _DAYS) and day not in excepted)


def _named(words: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _NAMED.finditer(words))


def _number(name: str) -> int:
    return next(at for at, day in enumerate(_DAYS) if day.startswith(name.lower()[:3]))


def begun(trips: tuple[TripAsked, ...], words: tuple[str, ...]) -> tuple[TripAsked, ...]:
    """Return trips of which those that name no day are of the first day on which they recur."""
    day = _first_day(words[0]) if len(words) == 1 else ""
    if not day:
        return trips
    return tuple(
        trip
        if any(_has_day(str(trip.wishes.get(name, ""))) for name in ("date", "time"))
        else replace(trip, wishes={**trip.wishes, "date": day})
        for trip in trips
    )


def _first_day(words: str) -> str:
    """The day of the first trip in words of the planner; empty where every day will do."""
    if _OF_MONTH.search(words):
        return re.sub(r"^on\s+", "", words, flags=re.IGNORECASE)
    days = _days(words)
    if len(days) == len(_DAYS):
        return ""
    if days == _DAYS[:5]:
        return "the next weekday"
    return f"the next of {listed([one.capitalize() for one in days], len(days))}"


def _has_day(said: str) -> bool:
    return any(one.expression.day is not None for one in find_times(said))


def repeating(made: Artefacts | None, words: tuple[str, ...]) -> Artefacts | None:
    """Artefacts whose calendar entry repeats as a request says, where its words are clear."""
    if made is None or "calendar" not in made.kinds or len(words) != 1:
        return made
    return replace(made, repeat_on=repeated_on(words[0]))


def told_of(words: tuple[str, ...], made: Artefacts | None) -> tuple[str, ...]:
    """Say of recurring words what the plan is of, and whether a calendar entry repeats."""
    if not words:
        return ()
    said = " and ".join(dict.fromkeys(one[0].lower() + one[1:] for one in words))
    beside = "; say “put it in my calendar” for an entry that repeats"
    if made is not None and "calendar" in made.kinds:
        beside = (
            ", and its calendar entry repeats" if made.repeat_on else ", and nothing repeats it"
        )
    return (f"It recurs {said}: the plan is of its first day{beside}.",)
