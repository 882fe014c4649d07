"""Questions that a request leaves open, and how they are put."""

from __future__ import annotations

import re
from itertools import pairwise

from groundwire.agents.journey_requests.clauses import OWN_PLACES
from groundwire.agents.journey_requests.model import THERE, JourneyRequest, TripAsked
from groundwire.agents.journey_requests.not_held import (
    BACK,
    LOADED,
    SAYS_WHEN,
    TURNS_ROUND,
    leaves_hour_open,
)
from groundwire.agents.journey_requests.trips import Assembled
from groundwire.agents.journey_requests.wish_words import CYCLES_A_PART
from groundwire.journeys.times.reading import find_times

ASK_WHERE = "Where does the trip begin, and where does it end?"
ASK_AGAIN = "Which trip is meant now? Say it once more as a whole."
ASK_WHEN = "When is the trip? Say its day and its time once more."
ASK_WHEN_TO = "When does the trip to {} begin? Say the trips once more, each with its time."
ASK_END = "Where does the trip end?"
ASK_CYCLE = (
    "How is the bike taken? Say “leaving my bike at the station”, “taking my bike on the train” or "
    "“cycling all the way”."
)
ASK_FLIGHT = (
    "How long before the flight is it to be? Say it as in “two hours before the flight at 10”."
)
_FLIGHT = re.compile(r"\b(?:flight|plane|flieger|flug)\b|航班|飞机", re.IGNORECASE)
# Words that take back a part of the request before, and leave open which.
_CORRECTS = re.compile(
    r"\b(?:no\W+(?:wait|sorry|actually)|wait\W+no|i\s+mean(?:t)?|sorry\W+(?:not\b|i\b|to\b|make\b)|make\s+(?:that|it)\s+(?:\d|to\b)|scrap\s+that|oops|correction|"
    r"actually\W+(?:make|change)\s+(?:that|it)|on\s+second\s+thoughts?)\b",
    re.IGNORECASE,
)
# "arriving no earlier than 9": a planner arrives by a time.
_NOT_BEFORE = re.compile(
    r"\b(?:arriv\w+|there|be\s+(?:at|in)\b.*)\s+(?:no\s+earlier|not\s+before|not\s+earlier|after)\b",
    re.IGNORECASE,
)
# No name of a place says that something is not wanted.
_DENIES = re.compile(
    r"(?<![\w’'-])(?:no|not|never|don['’]?t|without|nicht|kein\w*|ohne|nie)(?![\w’'-])|[不别没]",
    re.IGNORECASE,
)
_ONLY_A_KIND = re.compile(r"(?:the\s+|a\s+|my\s+)?(?:(?:tube|train|bus)\s+)?(?:station|stop)", re.I)
CAPITALIZED = re.compile(r"(?<![\w’'-])[A-ZÄÖÜ][a-zäöüß]{2,}")
"""A word that may be a name."""


def question_left_open(request: JourneyRequest, assembled: Assembled, text: str) -> str:
    """The question that trips with known ends leave open, or an empty text."""
    denied = [
        place
        for one in request.trips
        for place in (one.starting_point, one.destination, one.via)
        if _DENIES.search(place)
    ]
    if denied:
        return which_trip(request.trips, tuple(denied))
    kinds = [one.destination for one in request.trips if _ONLY_A_KIND.fullmatch(one.destination)]
    if kinds:
        return f"{ASK_END} Not understood: “{kinds[0]}”."
    if not all(one.starting_point for one in request.trips) and any(
        map(CAPITALIZED.search, request.unread)
    ):
        # Who travels from where was not read: home would be a guess.
        return which_trip(request.trips, request.unread)
    cycles = any(
        trip.wishes.get("cycle_preference") in ("LeaveAtStation", "TakeOnTransport")
        for trip in request.trips
    )
    if CYCLES_A_PART.search(text) and not cycles:
        return ASK_CYCLE
    flies = any("time" in trip.wishes for trip in request.trips)
    ahead = (one.expression.ahead for one in find_times(text))
    if flies and _FLIGHT.search(text) and not any(ahead):
        return ASK_FLIGHT
    unread = assembled.unread
    corrected = len(request.trips) > 1 or bool(unread)
    if (corrected and _CORRECTS.search(text)) or any(map(TURNS_ROUND.search, unread)):
        return which_trip(request.trips, unread)
    loaded = tuple(one for one in assembled.left if LOADED.search(one))
    if not any(trip.destination in OWN_PLACES for trip in request.trips):
        # "then back home" is a trip of its own, and "back again" is none where it was not read.
        loaded += tuple(one for one in assembled.left if BACK.search(one))
    if loaded:
        return which_trip(request.trips, loaded)
    for one, following in pairwise(request.trips):
        # "To Angel and on to Bank tomorrow by 9": when the first of them begins is not said.
        arrives = following.starting_point == THERE and (
            following.wishes.get("time_is") == "arriving" and "time" in following.wishes
        )
        if arrives and "date" in one.wishes and "time" not in one.wishes and not one.stay:
            return ASK_WHEN_TO.format(one.destination)
    undated = any("time" not in one.wishes for one in request.trips)
    not_before = any(_NOT_BEFORE.search(str(one.wishes.get("time"))) for one in request.trips)
    of_hours = not_before or (undated and leaves_hour_open(request.unread, text))
    return ASK_WHEN if of_hours or any(map(SAYS_WHEN.search, unread)) else ""


def which_trip(trips: tuple[TripAsked, ...], unread: tuple[str, ...]) -> str:
    """Ask which trip is meant, with the ends that were named and the words that were not read."""
    ends = dict.fromkeys(trip.destination for trip in trips if trip.destination)
    named = f" {', '.join(ends)} named as the end." if len(ends) > 1 else ""
    words = f" Not understood: {', '.join(f'“{one}”' for one in unread)}." if unread else ""
    return f"{ASK_AGAIN}{named}{words}"


def doubt_of(trips: tuple[TripAsked, ...]) -> str:
    """Ask whether a journey to the named ends is wanted at all."""
    ends = " and ".join(trip.destination for trip in trips if trip.destination)
    if not ends:
        return ASK_AGAIN
    return f"Is a journey to {ends} wanted? Say where it begins."
