"""The most minutes and changes of a trip, the time to spare at its end, and stays at a place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import read_artefacts
from groundwire.agents.journey_requests.model import Limit, TripAsked
from groundwire.agents.journey_requests.settings import blanked
from groundwire.agents.journey_requests.words import TRAINS
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


# "in at most 20 minutes", of the whole trip: of walks and changes there are options.
MOST_MINUTES = re.compile(
    r"(?<!walk )(?<!walking )(?<!foot )\b(?:(?:but\s+)?(?:only\s+if|as\s+long\s+as|"
    r"provided(?:\s+that)?)\s+"
    r"(?:it|that)\s+)?(?:(?:in|within|taking|takes?|"
    r"it\s+(?:must|should|may)\s+(?:not\s+)?take)\s+)?"
    r"(?:under|less\s+than|at\s+most|no\s+(?:more|longer)\s+than|not\s+(?:more|longer)\s+than|max(?:imum)?(?:\s+of)?|"
    r"(?:not\s+)?longer\s+than)\s+(?P<count>\d{1,3}|a|an|half\s+an|one|two|twenty|thirty|forty|fifty)[\s-]*"
    r"(?P<unit>min(?:ute)?s?|h(?:our|r)?s?)\b(?:\s+(?:in\s+total|altogether|overall|door\s+to\s+door))?"
    r"(?!\s*(?:of\s+)?(?:walk|on\s+foot|by\s+foot|to\s+chang|for\s+(?:a\s+)?(?:chang|each)|between|to\s+walk|chang|transfer|"
    r"interchang|before|after|from|late))"
    r"(?:\s*,?\s*(?:or\s+(?:else\s+)?|otherwise\s+)(?:do\s*n['’]?t\s+bother|i\s+(?:wo\s*n['’]?t|will\s+not)\s+go|forget\s+it))?",
    re.IGNORECASE,
)
_COUNTS = {
    "a": 1,
    "an": 1,
    "half an": 0.5,
    "one": 1,
    "two": 2,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
_BEGINS, _ENDS = r"(?<![\w’'-])", r"(?!\w)"
_COUNTED = r"(?:once|twice|(?:an?(?:\s+single)?|one|two|three|[1-4])(?:\s+times?)?)"
_CHANGES = r"(?:inter)?(?:changes?|transfers?)"
_CHANGING = r"(?:chang(?:e|ing)|transfer(?:ring)?)(?:\s+(?:trains?|lines?|tubes?))?"
_AT_MOST = (
    r"(?:(?:with|in|and|but|please)\s+)*(?:at\s+(?:the\s+)?most|no\s+more\s+than|"
    r"not\s+more\s+(?:often\s+)?than|(?:a\s+)?max(?:imum)?(?:\s+of)?|up\s+to|only|just|"
    r"never\s+more\s+than)"
)
_NEVER = (
    r"(?:without|not|never|(?:don['’]?t|do\s+not)(?:\s+want(?:\s+to)?)?)\s+"
    r"(?:(?:to|chang(?:e|ing)|have|any)\s+)*more\s+than"
)
_AFTER = r"(?:max(?:imum)?|at\s+(?:the\s+)?most|tops|or\s+(?:fewer|less))"
_FORMS = (
    rf"{_AT_MOST}\s+{_COUNTED}\s+{_CHANGES}",
    rf"(?:(?:and|but|please|to|i|we|want|only)\s+)*{_CHANGING}\s+{_AT_MOST}\s+{_COUNTED}",
    rf"(?:(?:and|but|i|we|to)\s+)*{_NEVER}\s+{_COUNTED}(?:\s+{_CHANGES})?"
    r"(?=\s*(?:[,.;?!]|$)|\s+(?:please|and|but))",
    rf"{_CHANGING}\s+{_COUNTED}\s+{_AFTER}",
    rf"only\s+{_CHANGING}\s+{_COUNTED}",
    rf"(?:(?:with|and|but)\s+)?{_COUNTED}\s+{_CHANGES}\s+{_AFTER}",
)
MOST_CHANGES = re.compile(f"{_BEGINS}(?:{'|'.join(_FORMS)}){_ENDS}", re.IGNORECASE)
"""The most changes of a trip: "at most one change", "changing no more than twice"."""
_CHANGES_SAID = re.compile(
    r"\b(?:(?P<one>once|an?|one|1)|(?P<two>twice|two|2)|three|3|(?P<four>4))\b", re.IGNORECASE
)
SPARE = re.compile(
    rf"{_BEGINS}(?:,\s*)?(?:(?:and|but|so|please)\s+)*"
    r"(?:(?:i|we)(?:['’]d)?\s+(?:(?:want|wanna|like|need|would|prefer|have|plan)\s+)+(?:to\s+)?)?"
    r"(?:(?:want\s+to\s+)?(?P<there>be\s+there|get\s+there|arrive|be)\s+|"
    r"(?:with|plus|add|adding|allow|allowing|leave|leaving|build\s+in|give|keep|keeping|have|plan)"
    r"\s+(?:me\s+)?(?:in\s+)?)?(?:(?:at\s+least|about|a|another)\s+)?"
    rf"(?P<length>{DURATION})['’]?(?:\s+of)?[\s-]+"
    r"(?:to\s+(?:spare|prepare|get\s+ready|settle(?:\s+in)?|relax|warm\s+up)|"
    r"for\s+(?:an?\s+|some\s+)?[a-z]+\s+(?:first|before(?:hand)?)|"
    r"(?:of\s+)?(?:buffer|leeway|slack|margin|contingency|spare)(?:\s+time)?|early|in\s+hand|"
    rf"ahead\s+of\s+time|(?(there)before(?:hand)?(?=\s*(?:[.,;!?]|$))|(?!)))(?!\s+(?:than|notice|warning)){_ENDS}",
    re.IGNORECASE,
)
"""The time to spare at the end of a trip: "with 10 minutes to spare", "20 minutes early"."""
_BELOW = re.compile(r"\b(?:under|less)\b", re.IGNORECASE)
_DEPARTS = re.compile(r"\s*depart", re.IGNORECASE)
_LEADS = re.compile(
    r"\A(?:(?:starts?|begins?|by|at|for|before|around|about|arriv\w+|be\s+there|get\s+there|no\s+later\s+than)\s+)+",
    re.IGNORECASE,
)


# What leaves at the hour that a margin is counted from.
_OF_FLIGHT = re.compile(
    rf"{_BEGINS}(?:(?:my|the|our|a|mein|der|unser)\s+)?(?:flight|plane|flug|flieger|maschine)"
    r"(?:['’]s|\s+(?:is|leaves|departs|goes|geht|ist|startet|fliegt)\b)?"
    rf"{_ENDS}|(?:的)?(?:航班|飞机|班机)(?:是|在)?|起飞",
    re.IGNORECASE,
)
_LANDS = re.compile(
    rf"{_BEGINS}(?:(?:i|we|my\s+flight|the\s+plane|it)(?:['’]m|['’]re|\s+(?:am|are|is))?\s+)?"
    rf"(?:land(?:s|ed|ing)?|touch(?:es|ing)?\s+down)(?P<named>(?=\s+(?:at|in)\s+(?-i:[A-Z])))?{_ENDS}\s*(?P<hour>(?=\d))?",
    re.IGNORECASE,
)
_AT_AIRPORT = re.compile(
    rf"{_BEGINS}(?:,\s*)?(?:(?:and|but|so|then|please|i|we|will|['’]ll)\s+)*"
    r"(?:(?:need(?:ing)?|allow(?:ing)?|give|giving|add(?:ing)?|take|plan(?:ning)?|want|with)\s+)?"
    rf"(?:(?:me|us|myself|in|about|around|at\s+least)\s+)*(?P<length>{DURATION})\s+"
    r"(?:for|to\s+(?:get|clear|go|pass)\s+(?:through)?)\s+"
    r"(?:(?:the|my|our|all|and|&|or|to|get|collect|pick|up|go|through|passports?|control|bags?|baggage|luggage|suitcases?|"
    rf"customs|immigration|border|security|reclaim|arrivals){_ENDS}\s*)+",
    re.IGNORECASE,
)


def after_landing(text: str) -> str:
    """A text whose hour of landing is later by the time that it asks for at the airport."""
    needed, lands = list(_AT_AIRPORT.finditer(text)), list(_LANDS.finditer(text))
    if len(needed) != 1 or len(lands) != 1:
        return text
    word = lands[0]
    rest = blanked(text, [needed[0].span()])
    if word["named"] is None:
        # "landing 6.40"
        lead = "at " if word["hour"] is not None else ""
        rest = f"{rest[: word.start()]}{lead}{rest[word.end() :]}"
    times = [one for one in find_times(rest) if one.expression.clock is not None]
    clock = times[0].expression.clock_raw.strip() if len(times) == 1 else ""
    if not clock[:1].isdigit() or times[0].expression.time_is == "arriving":
        return text
    start, end = times[0].span
    day = _LEADS.sub("", rest[start:end].replace(clock, " ", 1)).strip().removesuffix(" at")
    return f"{rest[:start]} leaving {needed[0]['length']} after {clock} {day} {rest[end:]}"


def most_minutes(match: re.Match[str]) -> int:
    """Return the minutes that a trip may take at most, of a match of `MOST_MINUTES`."""
    said = " ".join(match["count"].lower().split())
    count = _COUNTS[said] if said in _COUNTS else int(said)
    return int(count * 60) if match["unit"].lower().startswith("h") else int(count)


def most_changes(match: re.Match[str]) -> int:
    """Return the changes that a trip may have at most, of a match of `MOST_CHANGES`."""
    *_, said = _CHANGES_SAID.finditer(match[0])
    return 1 if said["one"] else 2 if said["two"] else 4 if said["four"] else 3


def least(said: Sequence[re.Match[str]], most: Callable[[re.Match[str]], int]) -> Limit | None:
    """The least of the limits that were said."""
    limits = [
        Limit(most(one), " ".join(one[0].split()), _BELOW.search(one[0]) is not None)
        for one in said
    ]
    return min(limits, key=lambda one: one.most, default=None)


def with_few_changes(
    trips: tuple[TripAsked, ...], limited: Sequence[object]
) -> tuple[TripAsked, ...]:
    """Trips that are planned for few changes, where there is a limit of them.

    One that begins by bike has the mode of it, too: "cycle to the station, then take the tube".
    """
    every = (replace(trip, wishes=few(limited) | dict(trip.wishes)) for trip in trips)
    return tuple(map(_with_bike, every))


def _with_bike(trip: TripAsked) -> TripAsked:
    """Return a trip of which a part is cycled with that among its modes."""
    modes = trip.wishes.get("mode")
    parts = trip.wishes.get("cycle_preference") in ("LeaveAtStation", "TakeOnTransport")
    if not parts or not isinstance(modes, list) or "cycle" in modes:
        return trip
    if modes == list(TRAINS):
        # "Take the train" says no more than that it goes on from a station.
        return replace(trip, wishes={k: v for k, v in trip.wishes.items() if k != "mode"})
    return replace(trip, wishes={**trip.wishes, "mode": [*modes, "cycle"]})


def few(limited: Sequence[object]) -> dict[str, JsonValue]:
    """The wish for few changes, where there is a limit of them."""
    return {"journey_preference": "LeastInterchange"} if limited else {}


def ahead_of_time(text: str) -> str:
    """A text whose time to arrive by is earlier by the margin that it asks for.

    A margin that is beside none or several times, or a time to leave, stays as it is.
    """
    made = read_artefacts(text)
    alarms = made.spans if made.artefacts and made.artefacts.alarm_minutes is not None else ()
    found = [
        one
        for one in SPARE.finditer(text)
        if not any(one.start() < end and start < one.end() for start, end in alarms)
    ]
    if len(found) != 1:
        return text
    margin = found[0]
    rest = blanked(text, [margin.span()])
    times = [one for one in find_times(rest) if one.expression.clock is not None]
    if len(times) != 1:
        return text
    said = times[0].expression
    if said.time_is == "departing" and said.cue not in ("", "at", "on"):
        return text
    start, end = times[0].span
    if _DEPARTS.match(rest, end):
        return text
    when = _LEADS.sub("", rest[start:end])
    before = f" arriving {margin['length']} before {when} "
    return f"{_OF_FLIGHT.sub(' ', rest[:start])}{before}{_OF_FLIGHT.sub(' ', rest[end:])}"
