"""How long a request stays at a place before it goes on, and lengths of time in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.journeys.times.reading import find_times

_NUMBER = (
    r"(?:\d{1,3}(?:\.\d)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|"
    r"thirty|forty(?:[\s-]five)?|a\s+couple\s+of)"
)
DURATION = (
    r"(?:(?:half|(?:a\s+|three\s+)?quarters?\s+of)[\s-]+(?:an\s+)?hour|"
    rf"{_NUMBER}\s*(?:hours?|hrs?|h|minutes?|mins?)(?:\s+and\s+a\s+half)?|"
    rf"{_NUMBER}\s+and\s+a\s+half\s+hours?)"
)
"""A length of time as people write it: "two hours", "half an hour", "45 mins"."""

_STAY = re.compile(
    r"\b(?:(?:stay(?:ing)?|spend(?:ing)?|wait(?:ing)?|linger(?:ing)?)\s+(?:(?:there|here)\s+)?"
    rf"(?:for\s+)?(?:about\s+|around\s+)?(?P<stayed>{DURATION})(?:\s+(?:there|here))?|"
    rf"(?P<there>(?:(?<=,\s)|(?<=\bthen\s)|(?<=\band\s)){DURATION})\s+(?:(?:in\s+)?(?:there|here)|in\s+between)(?=\s*(?:,|\band\b|\bthen\b))|"
    rf"(?P<later>{DURATION})\s+(?:later|afterwards|after\s+that))\b",
    re.IGNORECASE,
)
_AND_A_HALF = re.compile(r"^(\S+)\s+and\s+a\s+half\s+(hours?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stay:
    """A stay between two trips.

    Attributes:
        start, end: where it stands.
        words: as it was said.
        minutes: how long it is.
    """

    start: int
    end: int
    words: str
    minutes: int


def find_stays(text: str) -> list[Stay]:
    """The stays of a text: "stay for two hours", "half an hour later"."""
    return [
        Stay(*match.span(), match[0], minutes)
        for match in _STAY.finditer(text)
        if (minutes := minutes_of(match["stayed"] or match["later"] or match["there"]))
    ]


def minutes_of(words: str) -> int:
    """The minutes of a length of time in words; 0 where it is none."""
    said = _AND_A_HALF.sub(r"\1 \2 and a half", words.strip())
    (found, *_) = find_times(f"in {said}") or (None,)
    after = found.expression.after if found is not None else None
    return after.minutes if after is not None else 0
