"""The words that people have for times of the day and for days, and what each is taken for.

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
from datetime import time
from typing import Literal, NamedTuple

from groundwire.journeys.options import TimeIs

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


PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        Part("first thing", time(8), "am"),
        Part("early morning", time(7), "am"),
        Part("mid morning", time(10), "am"),
        Part("late morning", time(11), "am"),
        Part("morning", time(9), "am"),
        Part("lunchtime", time(13), "pm"),
        Part("lunch", time(13), "pm"),
        Part("early afternoon", time(13, 30), "pm"),
        Part("mid afternoon", time(15), "pm"),
        Part("late afternoon", time(16, 30), "pm"),
        Part("afternoon", time(15), "pm"),
        Part("end of the day", time(17, 30), "pm"),
        Part("early evening", time(18), "pm"),
        Part("mid evening", time(19, 30), "pm"),
        Part("late evening", time(21), "pm"),
        Part("evening", time(19), "pm"),
        Part("late night", time(23), "night"),
        Part("tonight", time(20), "night"),
        Part("night", time(22), "night"),
    )
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
    "christmas eve": (24, 12),
    "christmas day": (25, 12),
    "boxing day": (26, 12),
    "new year's eve": (31, 12),
    "new years eve": (31, 12),
    "new year's day": (1, 1),
    "new years day": (1, 1),
}

# fmt: off
_SPOKEN = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)
# fmt: on
ORDINALS: dict[str, int] = {
    **{word: number for number, word in enumerate(_SPOKEN, 1)},
    **{f"twenty {word}": 20 + number for number, word in enumerate(_SPOKEN[:9], 1)},
    "thirtieth": 30,
    "thirty first": 31,
}
"""Days of a month in words."""

# What a word before a time says of it; the others only lead to it.
CUES: dict[str, TimeIs | None] = {
    "no later than": "arriving",
    "not later than": "arriving",
    "by": "arriving",
    "before": "arriving",
    "until": "arriving",
    "till": "arriving",
    "arrive": "arriving",
    "arriving": "arriving",
    "arrival": "arriving",
    "get there": "arriving",
    "be there": "arriving",
    "there": "arriving",
    "within": "arriving",
    "kick off": "arriving",
    "kickoff": "arriving",
    "starts at": "arriving",
    "begins at": "arriving",
    "doors open at": "arriving",
    "at": None,
    "on": None,
    "for": None,
    "around": None,
    "about": None,
    "approximately": None,
    "roughly": None,
    "circa": None,
    "from": "departing",
    "after": "departing",
    "not before": "departing",
    "no earlier than": "departing",
    "leave": "departing",
    "leaving": "departing",
    "depart": "departing",
    "departing": "departing",
    "departure": "departing",
    "start": "departing",
    "starting": "departing",
    "set off": "departing",
    "setting off": "departing",
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
# fmt: off
AFTER_AN_HOUR = frozenset((
    "to", "from", "then", "and", "or", "for", "on", "via", "with", "please", "so", "but", "at",
    "by", "in", "tomorrow", "today", "tonight", "this", "next", "through", "using", "without",
    "avoiding", "changing", "latest", "sharp", "if", "because", "when", "until", "than", "home",
    "there",
))
# fmt: on

HOURS: dict[str, int] = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
MINUTES: dict[str, int] = {
    "five": 5,
    "ten": 10,
    "quarter": 15,
    "fifteen": 15,
    "twenty": 20,
    "twenty five": 25,
    "half": 30,
    "thirty": 30,
    "forty": 40,
    "forty five": 45,
    "fifty": 50,
}
