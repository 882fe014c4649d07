"""A request of a conversation as it is to be carried out, and the trips at hand from before.

The trips at hand are those that earlier turns planned, also with another end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import named_services, read_artefacts
from groundwire.agents.journey_requests.beside_trips import read_plan_questions
from groundwire.agents.journey_requests.follow_ups import ORDINALS, read_follow_up
from groundwire.agents.journey_requests.model import (
    THERE,
    ArtefactKind,
    Artefacts,
    JourneyRequest,
    Question,
)
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.settings import blanked
from groundwire.agents.journey_requests.subagents import rows
from groundwire.agents.journey_requests.wishes import find_wishes
from groundwire.agents.runtime.contract import Turn
from groundwire.journeys.times.reading import find_times
from groundwire.vocabulary import fold

Row = dict[str, Any]
_PLACES = ("starting_point", "via", "destination")


@dataclass(frozen=True, slots=True)
class Held:
    """The journeys and questions that are known from before.

    Attributes:
        journey_id: handle of the journeys at hand, or empty.
        journeys: those journeys.
        day: the journeys of all turns that share the handle.
        every: the journeys of all turns; of those with the same ends the last.
        requested: the arguments of the trips that they were planned by.
        options: places that were asked about.
        wanted: what was asked for beside a trip whose place was not clear, or none.
        pending: the trip of the turn before that lacks an end, or none.
    """

    journey_id: str = ""
    journeys: tuple[Row, ...] = ()
    day: tuple[Row, ...] = ()
    every: tuple[Row, ...] = ()
    requested: tuple[Row, ...] = ()
    options: tuple[Row, ...] = ()
    pending: Row | None = None
    wanted: Artefacts | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """A request as it is to be carried out.

    Attributes:
        request: what was read.
        trips: arguments of each trip, in order; the first may add to the journeys at hand.
        joins: the journeys that the first trip is added to, or empty.
        held: what is known from before.
        asks: what has to be asked, or empty.
        set_aside: whether what was planned before no longer counts.
        recounts: whether the plans at hand are to be told again, and whether for their fares.
        of_trip: the trip at hand that is asked about (-1: the last), or None for all.
    """

    request: JourneyRequest
    trips: tuple[Mapping[str, JsonValue], ...] = ()
    joins: str = ""
    held: Held = Held()
    asks: str = ""
    set_aside: bool = False
    recounts: Literal["", "plans", "fares"] = ""
    of_trip: int | None = None

    @property
    def asked_about(self) -> list[Row]:
        """The journeys at hand that a question about plans is of."""
        if self.of_trip is None:
            return list(self.held.journeys)
        every = self.held.day if len(self.held.day) > 1 else self.held.journeys
        return meant_journeys(Artefacts((), journey=self.of_trip), counted(every))


# A reply with these words gives the trip at hand another end.
_INSTEAD = re.compile(
    r"instead|change|rather|lieber|stattdessen|doch|改|改成|改为|换成", re.IGNORECASE
)
_OTHER_END = re.compile(
    rf"no|sorry|wait|actually|nein|nicht|不对|不是|不|{_INSTEAD.pattern}", re.IGNORECASE
)

_LED = r"(?:(?:from|to|via|at)\s+)?"
_SWAPPED = re.compile(
    r"(?:(?:no|nein|sorry|oops|wait|actually|rather|please|but|and|i\s+mean(?:t)?|make\s+(?:it|that)|"
    rf"take|start|leave)\b[\s,:]*)*{_LED}(?P<new>[^,;?!]{{2,60}}?)[\s,]+(?:and\s+)?"
    rf"(?:instead\s+of|rather\s+than|not)\s+{_LED}(?P<old>[^,;?!]{{2,60}}?)(?:[\s,]+please)?[\s.!]*",
    re.IGNORECASE,
)

# These words say that a name is meant in place of one that was read before.
_MEANT = (
    r"(?:no|nope|sorry|oops|wait|actually|rather|i\s+mean(?:t)?|it['’]?s|that['’]?s|(?:it|that)\s+should\s+be|"
    r"make\s+(?:it|that)|nein|doch|ups|moment|meine?|meinte|gemeint|不(?:是|对)?|说|指|应该(?:是)?)"
)
_LEADS_TO_MEANT = re.compile(rf"(?:{_MEANT}(?![\w'’])[\s,:–—-]*+)++", re.IGNORECASE)
_MEANT_LAST = frozenset(
    ("i", "mean", "meant", "sorry", "please", "no", "bitte", "war", "gemeint", "meinte", "ich")
)
LONGEST_NAME = 6

# "What zone is it?", "and the zone?", "is it step-free?" of the stop that was asked about before.
_OF_IT = re.compile(r"\b(?:it|that|this|there|the\s+(?:station|stop)|das|dort|es)\b", re.IGNORECASE)
_AND = re.compile(r"^(?:(?:and|also|oh|ok|but)\b[\s,]*)+", re.IGNORECASE)
_ZONE = re.compile(
    r"(?:(?:and|also|oh|ok)\s+)*(?:(?:what|which|how)(?:['’]?s|\s+is|\s+about|\s+are)?\s+)?(?:in\s+)?(?:the\s+)?"
    r"zones?(?:\s+(?:is|are|of))?(?:\s+(?:it|that|this|das|es|dort))?(?:\s+in)?[\s?.!]*",
    re.IGNORECASE,
)

# "How many stops is the first one?", "how long is the way back", "when does the third trip arrive".
_TRIP_NAMED = re.compile(
    r"(?P<led>\b(?:for|of|on|in|with|by)\s+)?\bthe\s+(?:(?P<which>first|second|third|fourth|fifth|sixth|last)"
    r"(?:\s+(?:trip|journey|one|leg|ride))?(?!\s+(?:plan|option|train|tube|bus|stop|station|line))|"
    r"(?:way|trip|journey|ride)\s+back|return(?:\s+(?:trip|journey|leg))?)(?!\w)",
    re.IGNORECASE,
)

# These words join a file to the rest of a reply, before and behind it.
_JOINED = re.compile(
    "(?:and|then|also|but|please|with|to|it|that|them|an?|einen?|dazu|damit|)", re.IGNORECASE
)
MOVES = re.compile(
    r"\b(?:later|earlier|sooner|später|früher)\b(?!\s+(?:trip|journey|plan|one)\b)|"
    r"[早晚](?![上餐饭间])|提前|推迟|延后|往后|往前|\b\d{1,2}(?::\d\d)?\b",
    re.IGNORECASE,
)
"""Words of a reply that may move a trip to another time."""


def every_trip(turns: Sequence[Turn]) -> tuple[tuple[Row, Row], ...]:
    """Return the trips of all turns with their journeys; of those with the same ends the last."""
    found: dict[tuple[object, object], tuple[Row, Row]] = {}
    for turn in turns:
        if turn.result.get("set_aside"):
            found.clear()
        asked, journeys = (listed_rows(turn.result.get(name)) for name in ("requested", "journeys"))
        for one, journey in (
            zip(asked, journeys, strict=False) if len(asked) == len(journeys) else ()
        ):
            trip = {"starting_point": journey.get("from"), **one}
            kept = {"journey_id": turn.result.get("journey_id"), **journey}
            found[trip["starting_point"], trip.get("destination")] = trip, kept
    return tuple(found.values())


def with_another_end(request: JourneyRequest, held: Held) -> Understood | None:
    """Return the one trip at hand from or to another place: "no, from Oval", "to Bank instead"."""
    if len(request.trips) != 1 or len(held.requested) != 1 or request.unread_beyond(_OTHER_END):
        return None
    said, before = request.trips[0], begun_again(held)[0]
    if not (said.starting_point or said.destination or said.via):
        return None
    begins = {"starting_point": said.starting_point} if said.starting_point else {}
    begins = begins if not said.destination else {}
    # "Via Bank": the same trip by another way.
    begins |= {"via": said.via} if said.via and not said.destination else {}
    instead = any(_INSTEAD.fullmatch(word) for one in request.unread for word in one.split())
    to_another = instead and said.destination and not said.starting_point
    ends = {"destination": said.destination} if to_another else {}
    if not (begins or ends) or said.starting_point == THERE:
        return None
    kept = {key: value for key, value in before.items() if key != "journey_id"}
    trip = {**kept, **said.wishes, **begins, **ends}
    return Understood(replace(request, asks="", unread=()), (trip,), "", held)


def with_another_place(text: str, held: Held) -> Understood | None:
    """Return the one trip at hand with a place of it for another: "Bank instead of Angel".

    "No, I meant Camden Road" names no place that it takes the place of: it is the only one that
    shares its name, "Camden" or "Camden Town".
    """
    if len(held.requested) != 1:
        return None
    trip = {key: one for key, one in begun_again(held)[0].items() if key != "journey_id"}
    places = {name: words_in(str(trip.get(name) or "")) for name in _PLACES}
    said = _SWAPPED.fullmatch(" ".join(text.split()))
    if said is not None:
        new, gone = said["new"], words_of(said["old"])
        named = [name for name, words in places.items() if gone and gone <= set(words)]
    else:
        new = meant_name(text, sure=not held.options)
        words = words_in(new)
        if len(held.journeys) == 1:
            # A place that was chosen is held by its number.
            told = {"starting_point": "from", "destination": "to"}
            places |= {n: words_in(str(held.journeys[0].get(k, ""))) for n, k in told.items()}
        named = [name for name, one in places.items() if one and words[:1] == one[:1]]
        named = [name for name in named if words != places[name]]
    if len(named) != 1:
        return None
    return Understood(JourneyRequest(), ({**trip, named[0]: new},), "", held)


def meant_name(text: str, *, sure: bool) -> str:
    """Return the name that a reply says in place of another: "no, I meant Camden Road".

    Args:
        text: the reply.
        sure: whether it has to say that a name is meant, since none was asked about.
    """
    said = " ".join(text.split()).rstrip(" .!?")
    lead = _LEADS_TO_MEANT.match(said)
    words = said[lead.end() :].split() if lead else said.split()
    count = len(words)
    while words and words[-1].strip(",").lower() in _MEANT_LAST:
        words.pop()
    name = re.sub(rf"^{_LED}", "", " ".join(words).rstrip(" ,"), flags=re.IGNORECASE)
    if (sure and not lead and len(words) == count) or re.search(r"[,;.?!–—]", name):
        return ""
    # "Wembley Central" is no line, "Central" and "the Central line" are.
    services = [fold(one) for named in named_services(name) for one in named]
    of_line = fold(name) in services or (services and "line" in words_in(name))
    other = of_line or find_times(name) or find_wishes(name)
    return "" if other or not 0 < len(name.split()) <= LONGEST_NAME else name


def beside_files(text: str) -> tuple[JourneyRequest | None, str]:
    """Return the files that a reply asks for, and its other words: "an hour later, and a map"."""
    made = read_artefacts(text)
    if made.artefacts is None or made.artefacts.kinds == ("text",):
        return None, text
    words = blanked(text, made.spans).split()
    for at in (0, -1):
        while words and _JOINED.fullmatch(words[at].strip(",.;!?")):
            del words[at]
    return read_request(text, of_a_trip=True), " ".join(words).strip(" ,;")


def words_of(text: str) -> set[str]:
    """The words of a name, by which a part of it is found again."""
    return set(words_in(text))


def words_in(text: str) -> list[str]:
    """The words of a name in their order."""
    return [fold(word) for word in re.findall(r"[\w'’]+", text)]


def end_of(held: Held) -> str:
    """Return where the journeys at hand end."""
    return str(held.requested[-1].get("destination", "")) if held.requested else ""


def begun_at(held: Held) -> str:
    """Return where the journeys at hand began."""
    first = held.requested[0].get("starting_point") if held.requested else ""
    return str(first or (held.journeys[0].get("from", "") if held.journeys else ""))


def returns(held: Held) -> bool:
    """Return whether the last journey at hand goes back to where one of that day began."""
    *before, last = held.day or ({},)
    return any(
        one.get("from") == last.get("to") and one.get("to") == last.get("from") for one in before
    )


def begun_again(held: Held) -> list[Row]:
    """Return the trips as they were asked for; the first with where it began, had it gone on."""
    trips = [dict(one) for one in held.requested]
    if not trips[0].get("starting_point") and len(trips) == len(held.journeys):
        trips[0]["starting_point"] = str(held.journeys[0].get("from", ""))
    return trips


def listed_rows(value: JsonValue) -> tuple[Row, ...]:
    """Return the rows of a list in a result; none where there is none."""
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(cast("Row", one) for one in listed if isinstance(one, dict))


def _wanted(value: JsonValue) -> Artefacts | None:
    """Return the artefacts that were asked for beside a trip whose place was not clear."""
    if not isinstance(value, dict):
        return None
    kinds, repeats = value.get("kinds"), value.get("repeats")
    plan, minutes = (
        one if isinstance(one := value.get(name), int) else None
        for name in ("plan", "alarm_minutes")
    )
    listed = [str(one) for one in kinds] if isinstance(kinds, list) else []
    return Artefacts(
        tuple(kind for kind in get_args(ArtefactKind) if kind in listed),
        plan,
        alarm_minutes=minutes,
        per_leg=value.get("per_leg") is True,
        browser=value.get("browser") is True,
        whole_day=value.get("whole_day") is True,
        repeats=repeats if isinstance(repeats, dict) else {},
    )


def held_before(turns: Sequence[Turn]) -> Held:
    """Return what the last turn that planned anything holds; nothing after it was set aside."""
    for turn in reversed(turns):
        result = turn.result
        if result.get("set_aside"):
            break
        if result.get("journey_id") or result.get("requested"):
            said = result.get("journey_id")
            handle = said if isinstance(said, str) else ""
            return Held(
                handle,
                listed_rows(result.get("journeys")),
                _day(turns, handle),
                tuple(journey for _, journey in every_trip(turns)),
                listed_rows(result.get("requested")),
                listed_rows(result.get("options")),
                wanted=_wanted(result.get("wanted")),
            )
    return Held()


def _day(turns: Sequence[Turn], handle: str) -> tuple[Row, ...]:
    """The journeys of the turns that share a handle; a turn may hold those of one before again."""
    found: list[tuple[Row, ...]] = []
    for turn in turns:
        journeys = listed_rows(turn.result.get("journeys"))
        if turn.result.get("journey_id") == handle and journeys not in found:
            found.append(journeys)
    return tuple(one for journeys in found for one in journeys)


def of_the_stop(text: str, turns: Sequence[Turn]) -> Question | None:
    """Return a question about the stop of the turn before: "what zone is it?"; None for others."""
    last = listed_rows(turns[-1].result.get("outputs"))[-1:]
    found = [rows(one, "stops")[:1] for one in last if one.get("tool") == "find_stops"]
    stop = str(found[0][0].get("name", "")) if found and found[0] else ""
    if not stop:
        return None
    said = (
        f"what zone is {stop}"
        if _ZONE.fullmatch(text)
        else _OF_IT.sub(stop, _AND.sub("", text), count=1)
    )
    asked = read_request(said).questions if said != text else ()
    return asked[0] if len(asked) == 1 and asked[0].tool == "find_stops" else None


def of_one_trip(text: str, held: Held) -> Understood | None:
    """Return what a reply asks of the plans of one of several trips at hand; None for others."""
    said = " ".join(text.split())
    named = _TRIP_NAMED.search(said)
    if named is None:
        return None
    it = "" if named["led"] or not said[: named.start()].strip(" ,") else "it"
    bare = f"{said[: named.start()]}{it}{said[named.end() :]}".strip(" ,")
    which = (named["which"] or "last").lower()
    at = ORDINALS.index(which) if which in ORDINALS else -1
    several = max(len(held.requested), len(held.day)) > 1
    asked, spans = read_plan_questions(bare)
    if asked and several and not re.search(r"\w", re.sub(r"\bit\b", "", blanked(bare, spans))):
        return Understood(JourneyRequest(of_plans=asked), (), "", held, of_trip=at)
    reply = read_follow_up(bare)
    if reply is None or not reply.recount:
        return None
    beside = (reply.beside,) if reply.beside else ()
    request = JourneyRequest(unread=beside)
    # Of one trip "the second one" is a plan: all of them are told.
    of_trip = at if several else None
    return Understood(request, (), "", held, recounts=reply.recount, of_trip=of_trip)


def counted(journeys: Sequence[Row]) -> list[Row]:
    """Journeys of several turns, whose trips are numbered one after the other."""
    found: list[Row] = []
    number, before = 0, None
    for one in journeys:
        trip = one.get("trip")
        # The journeys to one unclear place share the number of their trip.
        if trip is None or trip != before or not one.get("unsettled"):
            number += 1
        found.append({**one, "trip": number})
        before = trip
    return found


def meant_journeys(artefacts: Artefacts, journeys: Sequence[Row]) -> list[Row]:
    """The journeys that artefacts are wanted of, also those without a plan."""
    if artefacts.towards:
        words = words_of(artefacts.towards) - {"the"}
        return [one for one in journeys if words <= words_of(str(one.get("to", "")))] or [
            one for one in journeys if fold(str(one.get("asked_to", ""))) == fold(artefacts.towards)
        ]
    if artefacts.journey is None:
        return list(journeys)
    numbers = [int(one.get("trip", at)) - 1 for at, one in enumerate(journeys, 1)]
    at = artefacts.journey + (max(numbers, default=-1) + 1 if artefacts.journey < 0 else 0)
    return [one for number, one in zip(numbers, journeys, strict=True) if number == at]


def chosen_journeys(artefacts: Artefacts, journeys: Sequence[Row]) -> list[Row]:
    """The journeys that are meant and can be made artefacts of: those with a plan."""
    meant = meant_journeys(artefacts, journeys)
    return [one for one in meant if one.get("plans") and not one.get("unsettled")]
