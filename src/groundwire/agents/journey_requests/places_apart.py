"""Places that a request names apart from its trips: before "there", or to be seen in any order."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from groundwire.agents.journey_requests.model import TripAsked
from groundwire.agents.journey_requests.recurring import names_day
from groundwire.agents.journey_requests.settings import blanked
from groundwire.agents.journey_requests.times import day_said, find_said_times
from groundwire.agents.journey_requests.trips import Assembled
from groundwire.journeys.times.reading import find_times

_WHEN = ("date", "time")
_NAMED_IN = re.compile(
    r"\b(?:in|at|for|around|near)\s+(?:the\s+)?"
    r"(?P<place>(?-i:[A-Z])[\w'’.&-]*(?:\s(?:&\s|and\s)?(?-i:[A-Z])[\w'’.&-]*){0,3})"
    r"(?P<more>\s*(?:,|\bor\b|\band\b)\s+(?-i:[A-Z]))?",
    re.IGNORECASE,
)


def ended_there(
    assembled: Assembled, kept: tuple[str, ...], elsewhere: tuple[str, ...], today: date | None
) -> Assembled:
    """Let trips that only go "there" end at the one place of the sentence before.

    It is a place that is kept, as in "The office is in Oval. How do I get there?", or one of a
    question that is not held, as in "Will it rain in Oval tomorrow?", with its day.

    Args:
        assembled: the trips as they were put together.
        kept: the places that the request keeps.
        elsewhere: the sentences that were taken out whole.
        today: as of `read_request`.
    """
    found = [match for one in elsewhere for match in _NAMED_IN.finditer(one)]
    named = () if any(one["more"] for one in found) else (one["place"].rstrip(".") for one in found)
    places = kept or tuple(dict.fromkeys(one for one in named if not find_times(one)))
    begins = [one for one in assembled.trips if one.starting_point and not one.destination]
    led = assembled.towards_there or (not kept and len(begins) == len(assembled.trips) == 1)
    if not led or len(places) != 1:
        return assembled
    times = [] if kept else [time for one in elsewhere for time in find_said_times(one, today)]
    of_day = len(times) == 1 and (times[0].day_only or times[0].vague)
    when = times[0].wishes if of_day else {}
    day = {"date": said} if (said := day_said(when)) else {}
    ended: list[TripAsked] = []
    for one in assembled.trips:
        # "Will it rain in Oval tomorrow afternoon, and how do I get there at 3?" is of that day.
        of_trip = day if "time" in one.wishes else {k: when[k] for k in _WHEN if k in when}
        wishes = one.wishes if names_day(one) else {**of_trip, **one.wishes}
        ended.append(replace(one, destination=one.destination or places[0], wishes=wishes))
    return replace(assembled, trips=tuple(ended))


AS_SAID = "The order is that in which the places were named: no other order is compared."
_ANY_ORDER = re.compile(
    r"(?:,\s)?(?<![\w’'-])(?:in\s+(?:any(?:\s+(?:sensible|old|possible|convenient))?|whatever|whichever|no\s+particular|"
    r"(?:the\s+)?(?:best|shortest|quickest))\s+(?:order|sequence)"
    r"(?:\s+(?:you\s+(?:like|want)|(?:is|works)\s+(?:the\s+)?(?:best|quickest|easiest|shortest|fastest)|"
    r"makes\s+(?:the\s+)?(?:most\s+)?sense))?|"
    r"(?:the\s+)?order\s+(?:does(?:n['’]t|\s+not)\s+matter|is(?:n['’]t|\s+not)\s+important|is\s+up\s+to\s+you))"
    r"(?!\w)",
    re.IGNORECASE,
)
_NAME = r"(?:the\s)?(?-i:[A-Z])[\w'’.&-]*(?:\s(?:of\s|on\s)?(?:the\s)?(?-i:[A-Z])[\w'’.&-]*){0,4}"
_SEVERAL = re.compile(
    rf"(?:\b(?P<lead>to|see|seeing|visit|visiting|into)\s|(?P<row>\s?:\s))(?P<names>{_NAME}(?:,\s{_NAME}){{0,6}}(?:,\s|\s)and\s{_NAME})",
    re.IGNORECASE,
)
_JOINT = re.compile(r",\s(?:and\s)?|\sand\s")


def in_order(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text in which places of any order follow each other, and what is said of that."""
    said = list(_ANY_ORDER.finditer(text))
    if not said:
        return text, ()
    bare = blanked(text, [one.span() for one in said])
    found = _SEVERAL.search(bare)
    if found is not None:
        names = ", then to ".join(_JOINT.split(found["names"]))
        start, lead = (found.start("row"), ", to ") if found["row"] else (found.start("names"), "")
        bare = f"{bare[:start]}{lead}{names}{bare[found.end('names') :]}"
    return bare, (AS_SAID,)
