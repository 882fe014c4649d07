"""Trips that are made again and again: "every Tuesday", "on weekdays", "daily"."""

from __future__ import annotations

import re
from dataclasses import replace

from groundwire.agents.journey_requests.model import Artefacts

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
RECURS = re.compile(
    rf"\b(?:every|each)\s+(?:single\s+|other\s+)?(?:{_DAY}|day|weekday|workday|working\s+day|morning|"
    r"evening|afternoon|night|week|month|weekend)s?\b(?:\s*(?:,|and|&)\s*(?:every\s+)?"
    rf"{_DAY}s?\b)*|\b(?:on\s+)?(?:{_DAY}s|weekdays|workdays)\b(?:\s*(?:,|and|&)\s*(?:on\s+)?{_DAY}s\b)*|"
    r"\b(?:daily|weekly)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:other|month|night|weekly|week)s?\b", re.IGNORECASE)
_NAMED = re.compile(_DAY, re.IGNORECASE)


def repeated_on(words: str) -> tuple[str, ...]:
    """Return the days of the week that recurring words name; none where they leave them open."""
    if _UNSURE.search(words):
        return ()
    lowered = words.lower()
    named = [match[0].lower() for match in _NAMED.finditer(words)]
    if named:
        return tuple(day for day in _DAYS if day in named)
    if re.search(r"weekday|workday|working", lowered):
        return _DAYS[:5]
    return _DAYS[5:] if "weekend" in lowered else _DAYS


def repeating(made: Artefacts | None, words: tuple[str, ...]) -> Artefacts | None:
    """Artefacts whose calendar entry repeats as a request says, where its words are clear."""
    if made is None or "calendar" not in made.kinds or len(words) != 1:
        return made
    return replace(made, repeat_on=repeated_on(words[0]))


def told_of(words: tuple[str, ...], made: Artefacts | None) -> tuple[str, ...]:
    """Say of recurring words what the plan is of, and whether a calendar entry repeats."""
    if not words:
        return ()
    said = " and ".join(dict.fromkeys(words))
    beside = "; say “put it in my calendar” for an entry that repeats"
    if made is not None and "calendar" in made.kinds:
        beside = (
            ", and its calendar entry repeats" if made.repeat_on else ", and nothing repeats it"
        )
    return (f"It recurs {said}: the plan is of its first day{beside}.",)
