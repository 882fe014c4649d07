"""Parts of a request beside its trips: places, and questions about services and plans.

Places are named before "there", or to be seen in any order. Services are asked where and how often
they run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Literal

from groundwire.agents.journey_requests.asides import NARROWER
from groundwire.agents.journey_requests.model import Question, TripAsked
from groundwire.agents.journey_requests.not_held import not_held
from groundwire.agents.journey_requests.recurring import names_day
from groundwire.agents.journey_requests.settings import blanked
from groundwire.agents.journey_requests.times import day_said, find_said_times, without_days
from groundwire.agents.journey_requests.trips import Assembled
from groundwire.agents.journey_requests.wishes import modes_pattern
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


_RUN = r"(?:run|go|sail|leave|come|operate|depart)(?:s|es|ning|ing)?"
_ARTICLE = r"(?:(?:the|an?|any|die|der|das)\s+)?"
_LINE = r"(?:(?:bus|line|tram|ferry)\s+)?(?P<service>[\w&’'-]+(?:\s(?!to\b|from\b)[\w&’'-]+){0,3}?)"
_OFTEN = re.compile(
    r"^\W*(?:how\s+(?:often|frequent(?:ly)?)|(?:on\s+)?(?:which|what)\s+days?)\s+(?:do|does|is|are)\s+"
    rf"{_ARTICLE}{_LINE}(?:\s+(?:bus|line|tram|ferry|trains?))?"
    rf"(?:\s+(?P<way>to|from)\s+(?P<stop>[^,;?]+?))?(?:\s+{_RUN})?"
    r"(?:\s+(?:to|from)\s+(?P<behind>[^,;?]+?))?\W*$",
    re.IGNORECASE,
)
_THERE = re.compile(
    rf"^\W*(?:do|does|is|are)\s+(?:there\s+)?{_ARTICLE}(?P<service>(?:(?:{NARROWER})\s)?{modes_pattern()})\s+"
    rf"(?P<way>to|from)\s+(?P<stop>[^,;?]+?)(?:\s+{_RUN})?\W*$",
    re.IGNORECASE,
)
_IS_THERE = re.compile(
    rf"^\W*(?:do|does|is|are)\s+(?:there\s+)?{_ARTICLE}"
    rf"(?P<service>(?:{NARROWER})\s{modes_pattern()})(?:\s+{_RUN})?\W*$",
    re.IGNORECASE,
)
# Of a boat the way is one: "the last ferry to Sundhaven" leaves from its other end.
_BOATS = re.compile(
    rf"^\W*(?:when(?:['’]?s|\s+(?:is|does|do|will))\s+|what\s+time\s+(?:is|does)\s+)?{_ARTICLE}"
    r"(?:first|last|next|earliest|latest|final)\s+(?P<service>boat|ferry)(?:\s+(?:back|home|out|over))?"
    rf"(?:\s+{_RUN})?\s+(?P<way>to)\s+(?P<stop>[^,;?]+?)(?:\s+{_RUN})?\W*$",
    re.IGNORECASE,
)
_EDGE = re.compile(
    rf"^\W*(?:when\s+(?:is|does|do)\s+|what\s+time\s+(?:is|does)\s+)?{_ARTICLE}"
    rf"(?:first|last|earliest|latest)\s+(?P<service>(?:(?:{NARROWER})\s)?{modes_pattern()}|"
    rf"(?-i:[A-Z])[\w-]+)(?:\s+{_RUN}(?=\s+(?:down|up|back|off|from|out)\b))?"
    rf"(?:\s+(?:(?:back|down|up)\s+)?(?P<way>off|from|out\s+of|leaves?)\s+(?P<stop>[^,;?]+?))?(?:\s+{_RUN})?\W*$",
    re.IGNORECASE,
)
# "Why does the Victoria line not stop at Angel?": whether it does is told.
_WHY = re.compile(
    r"^\W*(?:why|how\s+come|(?:since|from)\s+when|when(?=\s+did\b)|when\s+and\s+why)\s+(?:(?:does|doesn['’]t|do|did|has|is)\s+)?(?:the\s+)?"
    r"(?P<service>(?!(?:i|we|you|it|there)\b)[\w&’'-]+(?:\s[\w&’'-]+){0,3}?)\s+"
    r"(?:(?:now|currently|suddenly|just)\s+)?"
    r"(?:(?:not|never|no\s+longer|(?:has\s+)?stopped|stop(?:ped)?(?=\s+\w+ing))\s+)*"
    r"(?:stop(?:s|ping)?|call(?:s|ing)?|serv(?:e|es|ing)|skip(?:s|ping)?|miss(?:es|ing)?|omit(?:s|ting)?|leaves?\s+out|"
    r"bypass(?:es)?|(?<=stop\s)(?:going|running)(?=\s+to\b)|(?:goes|go|run|runs)(?=\s+(?:to|through)\b))\s+"
    r"(?:(?:at|in|to|through)\s+)?(?P<stop>[^,;?!]{2,50}?)"
    r"(?:\s+(?:now|any\s?more|these\s+days|any\s+longer|currently|at\s+the\s+moment|and\s+since\s+when))*\W*$",
    re.IGNORECASE,
)
_WHY_NOT_HELD = "Why a line does or does not call at a stop, and since when, is not held here."
# Trains are all that a network of rails has; the others are no services.
_NO_SERVICE = frozenset(
    {"train", "trains", "tube", "tubes", "i", "we", "you", "it", "that", "changes"}
)
_BOTH_ENDS = re.compile(r"\b(?:to|for|from|via|home|here|there|me|and)\b", re.IGNORECASE)


def read_service_question(text: str) -> Question | None:
    """Return a question how often, when or whether services run, or None."""
    why = _WHY.match(" ".join(text.split()))
    if why is not None:
        asked = {"query": why["stop"].removeprefix("the ")}
        return Question(
            "find_stops", asked, of_line=why["service"], without_timetable=_WHY_NOT_HELD
        )
    bare = " ".join(without_days(text).split())
    bare = re.sub(r" (?:on|at|after|before)(?: an?| the)?\W*$", "", bare)
    patterns = (_OFTEN, _THERE, _IS_THERE, _EDGE, _BOATS)
    match = next(filter(None, (one.match(bare) for one in patterns)), None)
    if match is None or match["service"].lower() in _NO_SERVICE:
        return None
    said = {key: value or "" for key, value in match.groupdict().items()}
    stop = said.get("stop", "") or said.get("behind") or ""
    # "Last bus from Oval" asks for the board of a stop.
    is_narrow = re.match(rf"(?:{NARROWER})\s", said["service"], re.IGNORECASE)
    is_board = match.re is _EDGE and said.get("way") == "from" and said["service"].islower()
    is_board = is_board and not is_narrow
    if is_board or _BOTH_ENDS.search(stop):
        return None
    way = said.get("way", "")
    way = "from" if way in ("off", "out of", "leave", "leaves") else way
    way = way or ("from" if re.search(r"\sfrom\s", bare) else "to")
    named = f"{said['service']} {way} {stop}" if stop else said["service"]
    return Question("get_line_status", {"lines": [named]}, without_timetable=not_held(text))


PlanQuestion = Literal["stops", "changes", "minutes"]
_TELL_ME = r"(?:(?:,\s*)?(?:and\s+)?\b(?:please\s+)?(?:tell\s+me\s+)?)?"
_PATTERNS: Mapping[PlanQuestion, re.Pattern[str]] = {
    "stops": re.compile(
        rf"{_TELL_ME}\b(?:how\s+many|(?:what(?:['’]s|\s+is)\s+)?(?:the\s+)?number\s+of)\s+"
        r"(?:stops?|stations?)\b(?:\s+(?:is\s+(?:it|that)|are\s+(?:there|they)|does\s+it\s+(?:have|"
        r"make|take)|do\s+(?:i|we)\s+(?:pass|have|need))\b)?(?:\s+(?=between\b))?",
        re.IGNORECASE,
    ),
    "changes": re.compile(
        rf"{_TELL_ME}(?:\b(?:how\s+(?:many|often|many\s+times))\s+(?:changes|interchanges|transfers|"
        r"(?:times\s+)?(?:do|must|would|will)\s+(?:i|we|you)\s+(?:have\s+to\s+|need\s+to\s+)?change)\b"
        r"(?:\s+(?:is\s+(?:it|that)|are\s+there|do\s+(?:i|we)\s+(?:have|need)(?:\s+to\s+make)?)\b)?"
        r"|\b(?:does|will|would)\s+(?:it|that|this)\s+(?:need|have|involve|require|mean)\s+(?:an?\s+|any\s+)?"
        r"(?:chang(?:es?|ing)|interchanges?|transfers?)\b"
        r"|\b(?:is|are)\s+there\s+(?=(?:an?\s+|any\s+)?direct\s)"
        r"|\b(?:do|must|would|will|should)\s+(?:i|we|you)\s+(?:have\s+to\s+|need\s+to\s+)?change(?:\s+(?:"
        r"trains?|lines?|tubes?))?\b"
        r"|\b(?:can\s+(?:i|we|you)\s+(?:get|go|travel)|is\s+it\s+possible\s+to\s+(?:get|go|travel))\b"
        r"(?=.*\bon\s+one\s+(?:train|line|tube)\b))",
        re.IGNORECASE,
    ),
}
# Beside one of these questions; alone it is one for the plans themselves.
_HOW_LONG = re.compile(
    rf"{_TELL_ME}\bhow\s+long\b(?:\s+(?:(?:does|will|would|is|do|i|it|that|this)\b\s*)+(?:take|last|need)?)?"
    r"[\s,?;]*(?:and\s+)?",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\bon\s+one\s+(?:train|line|tube)\b", re.IGNORECASE)


def read_plan_questions(text: str) -> tuple[tuple[PlanQuestion, ...], list[tuple[int, int]]]:
    """Return what a text asks of the plans of its trips, and the spans of its words."""
    found: list[PlanQuestion] = []
    spans: list[tuple[int, int]] = []
    for kind, pattern in _PATTERNS.items():
        matches = [match.span() for match in pattern.finditer(text)]
        if matches:
            found.append(kind)
            spans += matches
    if "changes" in found:
        spans += [match.span() for match in _BESIDE.finditer(text)]
    long = [match.span() for match in _HOW_LONG.finditer(text)] if found else []
    if long:
        found.append("minutes")
        spans += long
    return tuple(found), spans
