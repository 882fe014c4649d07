"""Questions that are not held here or left open, and conditions of trips that no planner applies.

The kinds of questions are data in `not_held.toml`, each with what is said to it. A sentence of such
a kind is never planned as another trip: "the last train from Angel to Bank" does not ask for a trip
that begins now. The conditions are patterns in `left_out.toml`. Words that leave it open which trip
is meant, where no rule read them, are found here as well.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from groundwire.agents.journey_requests.clauses import OWN_PLACES
from groundwire.agents.journey_requests.limits import DURATION
from groundwire.agents.journey_requests.model import THERE, JourneyRequest, TripAsked
from groundwire.agents.journey_requests.trips import Assembled
from groundwire.agents.journey_requests.words import CYCLES_A_PART, modes_pattern
from groundwire.journeys.times.reading import find_times

_FOLDER = Path(__file__).parent


class _Kind(NamedTuple):
    """A kind of question.

    Attributes:
        asked: what a sentence of it has.
        unless: what makes it another question, or None.
        answer: what is said to it.
        of_trips: whether it is held of a trip at hand.
    """

    asked: re.Pattern[str]
    unless: re.Pattern[str] | None
    answer: str
    of_trips: bool


def not_held(sentence: str, *, of_a_trip: bool = False) -> str:
    """Return what is said to a question whose answer is not held; empty for any other sentence."""
    for kind in _kinds():
        held = (of_a_trip and kind.of_trips) or (kind.unless and kind.unless.search(sentence))
        if not held and kind.asked.search(sentence):
            return kind.answer
    return ""


@cache
def _kinds() -> Sequence[_Kind]:
    tree = tomllib.loads((_FOLDER / "not_held.toml").read_text("utf-8"))
    return [
        _Kind(
            re.compile(kind["asked"], re.IGNORECASE),
            re.compile(kind["unless"], re.IGNORECASE) if "unless" in kind else None,
            kind["answer"],
            kind.get("of_trips", False),
        )
        for kind in tree["kind"]
    ]


OF_NEXT = (
    "When the next service leaves is not known offline, but from TfL's live departures: the first "
    "plan leaves as soon as it is asked to."
)
_NEXT = re.compile(
    rf"\bnext\s+(?:(?:few|couple\s+of|\d|two|three)\s+)?(?:(?-i:[A-Z])\w+\s+line\s+)?{modes_pattern()}|"
    r"\bnext\s+(?:few\s+)?(?:departures?|services?)\b",
    re.IGNORECASE,
)


def of_next_service(text: str, trips: Sequence[object]) -> tuple[str, ...]:
    """Say of a trip by the next service what an estimate does not tell of it."""
    return (OF_NEXT,) if trips and _NEXT.search(text) else ()


def left_out(text: str) -> Iterator[re.Match[str]]:
    """Yield the conditions of a text that no planner applies, without overlap."""
    end = 0
    found = [one for pattern in _patterns() for one in pattern.finditer(text)]
    for match in sorted(found, key=lambda one: (one.start(), -one.end())):
        if match.start() >= end:
            end = match.end()
            yield match


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    tree = tomllib.loads((_FOLDER / "left_out.toml").read_text("utf-8"))
    return [re.compile(one, re.IGNORECASE) for one in tree["patterns"]]


# Words that turn round what stands beside them: where they were not read, a plan may be of what was
# not wanted, or for a condition that nobody looked at.
TURNS_ROUND = re.compile(
    r"(?<![\w’'-])(?:no|not|don['’]?t|doesn['’]?t|never|nor|neither|without|except|unless|instead|wait|"
    r"first|last|earliest|latest|return\w*|reverse\w*|"
    r"nein|nicht|kein\w*|ohne|außer|statt\w*|sondern|lieber|doch|weder|noch|erste[rns]?|letzte[rns]?|"
    r"zurück|rückfahrt)(?![\w’'-])|[不别莫勿]|没有|改成|改为|首班|末班|最后|最早|最晚|返|回",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)"
    r"(?:uary|ch|il|ust|ember|tember|ober)?"
)
# Words of a day or an hour: where they were not read, a plan may be of another one.
SAYS_WHEN = re.compile(
    r"(?<![\w’'-])(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|weds?|thu|thurs?|fri|sat|sun|"
    r"january|february|march|april|june|july|august|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"september|october|november|december|christmas|xmas|easter|weihnachten|ostern|"
    r"ha?lb|viertel|uhr|mittags?|heut\w*|abends?|nachts?|vormittags?|nachmittags?|morgens|"
    r"\d{1,2}(?:st|nd|rd|th)|tomorrow|tonight|yesterday|"
    r"ankunft|abfahrt|januar|februar|märz|juni|juli|oktober|dezember|(?:mon|diens|donners|"
    r"frei|sams|sonn)tags?|mittwochs?|übernächste\w*|wochen?|monat\w*|month\w*|fortnight\w*)(?![\w’'-])|"
    r"^(?:\d{1,3}|five|ten|fifteen|twenty(?:[\s-]five)?|thirty|forty(?:[\s-]five)?|fifty)$|"
    r"(?<!\d)\d{1,2}[ .:]\d\d(?!\d)|^(?:arr|dep)$|"
    r"^[下大]|[点月周号后天](?![\w])|[早晚昨]|圣诞|春节|小时|分钟",
    re.IGNORECASE,
)
# Small words that say nothing by themselves, but that place a trip in time or turn it round.
LOADED = re.compile(
    r"(?<![\w’'-])(?:tomorrow|tonight|yesterday|without|latest|earliest|early|late|later|hours?|week|"
    r"weekend|return\w*|instead|evening|morning|afternoon|night|noon|midnight|until|till|half|quarter|"
    r"past|last|after\s+next|but\s+one)(?![\w’'-])|^(?:the\s+)?same(?:\s+(?:again|trip|way))?$|^(?:the\s+)?first\s+(?:train|tube|bus|tram|ferry|boat|coach|metro|subway|service|departure)$",
    re.IGNORECASE,
)
BACK = re.compile(r"(?<![\w’'-])(?:back|again|round)(?![\w’'-])", re.IGNORECASE)
# "an hour before": where no rule made a time of it, the time that was read is another one.
MARGIN = re.compile(
    rf"(?<!\w){DURATION}\s+(?:before(?:hand)?|early|earlier|ahead|in\s+advance|to\s+spare)(?!\w)",
    re.IGNORECASE,
)


_HOUR = re.compile(
    r"\b(?:(?:before|after)\s+(?:work|school|my\s+shift)|noon|midnight|\d{1,2}[:.]\d\d)\b",
    re.IGNORECASE,
)
_PEAK = re.compile(r"\b(?:rush|peak)\b", re.IGNORECASE)
PRICE = re.compile(r"\b(?:how\s+much|fares?|costs?|prices?|cheap\w*|expensive|pricey)\b", re.I)
"""Words that ask what a trip costs."""


def leaves_hour_open(unread: tuple[str, ...], text: str) -> bool:
    """Whether words that were not read are of an hour; of a fare that is asked for is the peak."""
    peak = not PRICE.search(text)
    return any(_HOUR.search(one) or (peak and _PEAK.search(one)) for one in unread)


# "except 10 December": no entry of a calendar leaves out one day.
EXCEPTED = re.compile(
    r"(?:,\s*)?(?<!\w)(?:but\s+)?(?:except(?:ing)?(?:\s+for)?|excluding|apart\s+from|other\s+than|not)\s+(?:on\s+)?"
    rf"(?:the\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?|"
    r"\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{4}-\d\d-\d\d)(?!\w)",
    re.IGNORECASE,
)


def turned(unread: tuple[str, ...]) -> bool:
    """Return whether words that were not read may turn a trip round or move it."""
    return any(TURNS_ROUND.search(one) or SAYS_WHEN.search(one) for one in unread)


# Tasks that are none of a planner's, whatever places they name.
NEVER = re.compile(
    r"\b(?:translate|convert|e-?mail|currency|exchange\s+rate|recipe|poem|joke|essay|password|"
    r"api\s+key|system\s+prompt|ignore\s+(?:all|your|the|any|previous)|solve)\b",
    re.IGNORECASE,
)
# Tasks of others, unless a trip is said from end to end: "from the Savoy Hotel to Bank".
FOREIGN = re.compile(
    r"\b(?:weather|forecast|rain|(?:paris|berlin\w*|new\s+york|madrid|rome|moscow|tokyo|beijing|"
    r"shanghai|munich|hamburg|vienna)\s+(?:metro|tube|subway|train|bus|ticket)s?|stock|shares?|capital\s+of|travelcards?|lost\s+property|"
    r"(?:book|find|recommend|suggest|any|which|best|good|cheap\w*|nice)\b[^,.;!?]*\b(?:hotels?|"
    r"restaurants?|pubs?|cafes?|food|curry|pizza)|"
    r"book\s+(?:me\s+)?(?:a|an|the)\s+(?:table|room|flight|hotel|ticket)|flights?\s+(?:to|from)|"
    r"order|buy|code|python|president|prime\s+minister|who\s+(?:is|was|wrote|won)|how\s+old|sing|"
    r"story|song|news|football\s+score|definition)\b",
    re.IGNORECASE,
)


def is_off_topic(text: str) -> bool:
    """Whether a text asks for something that a planner of journeys does not do."""
    return NEVER.search(text) is not None or FOREIGN.search(text) is not None


# "not today": no option can ask for this, and its words mean the opposite.
DENIED = re.compile(
    r"\b(?:but\s+)?(?:not|without|avoid(?:ing)?|never)\s+"
    r"(?:today|tomorrow|tonight|(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
# "I don't want to go to Bank": a place that is named to be left out, and no trip to it.
UNWANTED = re.compile(
    r"\b(?:i\s+)?(?:do\s+not|don['’]?t|never)\s+(?:want|need|wish|have)\s+(?:to\s+(?:go|travel|get|be|ride|come)\s+)?"
    r"(?:to|at|in)\s+(?-i:[A-Z])[\w’']*(?:\s(?-i:[A-Z])[\w’']*)*",
    re.IGNORECASE,
)


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
