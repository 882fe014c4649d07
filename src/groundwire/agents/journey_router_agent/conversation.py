"""A request in its conversation: what it asks for once earlier turns are taken into account.

Replies may change the journeys at hand, choose among them, ask the same about something else ("and
the Victoria?" after a question about lines) or take back what was said ("forget that"); none of
them says by itself what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import named_services
from groundwire.agents.journey_requests.clauses import HOME, OWN_PLACES
from groundwire.agents.journey_requests.follow_ups import ORDINALS, FollowUp, read_follow_up
from groundwire.agents.journey_requests.model import (
    ASK_BEGIN,
    THERE,
    Artefacts,
    JourneyRequest,
    Question,
    Settings,
    TripAsked,
)
from groundwire.agents.journey_requests.names import parted
from groundwire.agents.journey_requests.not_held import ASK_AGAIN, ASK_END, ASK_WHERE, turned
from groundwire.agents.journey_requests.reading import is_off_topic, read_request
from groundwire.agents.journey_requests.rewriting import in_joined_english, language_of
from groundwire.agents.journey_requests.subagents import rows
from groundwire.agents.journey_requests.times import (
    clock_alone,
    counted_from,
    day_said,
    in_its_part,
)
from groundwire.agents.journey_requests.words import content
from groundwire.agents.journey_router_agent.understanding import (
    LONGEST_NAME,
    MOVES,
    Held,
    Row,
    Understood,
    begun_again,
    begun_at,
    beside_files,
    end_of,
    every_trip,
    held_before,
    listed_rows,
    meant_name,
    of_one_trip,
    of_the_stop,
    returns,
    with_another_end,
    with_another_place,
    words_of,
)
from groundwire.agents.runtime.contract import Turn
from groundwire.agents.runtime.model import Task
from groundwire.vocabulary import fold

_ASK_WHICH_TIME = "Which of the trips is that time for?"
_ASK_WHICH_SHIFT = "Which of the trips? Say, for example, “the second trip an hour later”."
_HALF_AN_HOUR = (
    "No time was said for “{way}”: it is read as half an hour. Say, for example, “an hour {way}”."
)
_SAME_TIME = (
    r"(?:(?:(?:at|for)\s+)?(?:exactly\s+)?(?:the\s+)?same\s+(?:time|hour)(?:\s+as\s+before)?)"
)
# A day alone is of all trips.
_DAY_LED = (
    r"(?:(?:no|all|i\s+mean(?:t)?|ich\s+meinte?|it['’]?s|of\s+it|on|for|please|that\s+is|ok(?:ay)?|and|but|then|sorry|actually|rather|"
    r"better|instead|make|do|move|can\s+we|could\s+we|please|that|it|(?:the\s+)?same|what\s+about|how\s+about|nein|doch|lieber|besser|不|还|吧|那)[\s,]+)*"
    rf"(?:{_SAME_TIME}[\s,]+(?:on\s+)?)?"
    r"(?P<day>today|tomorrow|the\s+day\s+after\s+tomorrow|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day)"
)
_DAY_ALONE = re.compile(
    rf"{_DAY_LED}(?:[\s,]+(?:please|instead|then|then\s+please|but|{_SAME_TIME}|吧))*\s*[.!?]*",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(rf"{_DAY_LED}[\s,]+(?P<rest>.{{4,40}})", re.IGNORECASE)
_HOUR = re.compile(r"(?<=[a-z] )(0\d|1[0-2])(:\d\d)\b")
_BY_THE_CLOCK = re.compile(r"uhr|\d[:.]\d|\b0\d|früh|morgens|vormittag|早|上午|凌晨", re.IGNORECASE)
Trip = Mapping[str, JsonValue]
_TIMES = ("date", "time", "time_is")

NOTHING_SAID = f"Nothing was said before that could be forgotten. {ASK_WHERE}"
AS_BEFORE = "The trip is as it was planned: what was not understood after it changes nothing."
SET_ASIDE = "It is set aside. Say the next trip as a whole."

_LEAD = (
    r"(?:(?:and|also|ok(?:ay)?|then|so|now|what\s+about|how\s+about|what\s+of|same\s+for|"
    r"the\s+same\s+for|is|are|for|on|no|sorry|i\s+mean(?:t)?)\b[\s,]*)+"
)
_TAIL = r"(?:[\s,]+(?:please|then|too|as\s+well|now|today|instead|thanks?))*[\s.!?]*"
_MORE = re.compile(rf"{_LEAD}(?P<what>[^,;.?!]{{1,60}}?){_TAIL}", re.IGNORECASE)
_SEVERAL = re.compile(rf"{_LEAD}(?P<what>[^;.?!]{{1,120}}?){_TAIL}", re.IGNORECASE)
_AT = re.compile(r"^(?:at|from|for|the\s+board\s+(?:at|of))\s+", re.IGNORECASE)
_JOINTS = re.compile(r"\b(?:lines?|the|and|or)\b|[,&/]", re.IGNORECASE)
_FORGET = re.compile(
    r"(?:(?:please|no|ok(?:ay)?|oh|actually|sorry|well|hm+|never\s*mind|can\s+you|could\s+you|just)\b[\s,]*)*"
    r"(?:(?:forget|scrap|drop|ignore|undo|cancel|take\s+back)\s+(?:about\s+)?"
    r"(?:all\s+)?(?:that|it|this|what\s+i\s+(?:just\s+)?said)(?:\s+(?:one|again))?|"
    rf"never\s*mind(?:\s+(?:that|it|about\s+(?:that|it)))?){_TAIL}",
    re.IGNORECASE,
)

_PLACES = ("starting_point", "destination", "via")
_ORDINAL = re.compile(
    r"(?:the\s+)?(first|second|third|fourth|fifth|sixth|[1-6])(?:\s+(?:one|option|place))?"
)
_LONGEST_REPLY = 80
_LEADS_FROM = re.compile(r"^(?:von|vom|ab|aus)\s+(?=\S)", re.IGNORECASE)
_NO_NAME = {"the", "one", "please", "in", "on"}


def understood(task: Task) -> Understood:
    """Read a task, and what it takes from earlier turns."""
    read = _understood(task)
    unheard = bool(task.turns) and task.turns[-1].result.get("unheard")
    if not unheard or read.asks or read.request.trips or not read.held.requested:
        return read
    if not (read.trips or read.request.artefacts or read.request.of_plans or read.recounts):
        return read
    return replace(read, request=replace(read.request, notes=(*read.request.notes, AS_BEFORE)))


def _understood(task: Task) -> Understood:
    language = language_of(task.text)
    english = in_joined_english(task.text)
    held = _held(task.turns)
    if held.requested and language != "en" and not _BY_THE_CLOCK.search(task.text):
        # "Lieber um acht": the trip at hand says in which half of the day.
        english = _HOUR.sub(lambda match: f"{int(match[1])}{match[2].removesuffix(':00')}", english)
    task = replace(task, text=parted(english))
    chosen = _chosen(task.text, held.options)
    if chosen is not None:
        trips = tuple(_settled(one, chosen) for one in held.requested)
        return Understood(JourneyRequest(artefacts=held.wanted), trips, "", held)
    reply = _going_on(task.text, task.turns, held) or _replied(task.text, held)
    reply = reply or with_another_place(task.text, held)
    if reply is not None:
        again = (counted_from(one, task.today) if task.today else one for one in reply.trips)
        return replace(reply, trips=tuple(again))
    request = read_request(english, task.today, of_a_trip=bool(held.requested), language=language)
    if held.pending is not None:
        trip = _filled(request, task.text, held.pending)
        if trip is not None:
            return Understood(replace(request, foreign=False, unread=()), (trip,), "", held)
    other_end = with_another_end(request, held)
    if other_end is not None:
        return other_end
    if request.trips and not request.asks:
        return _with_trips(request, held)
    limits = request.limit or request.changes
    if (request.wishes or (limits and not request.trips)) and held.requested:
        return _changed(replace(request, foreign=False), held)
    there = end_of(held) if request.there else ""
    if there and len(request.trips) == 1:
        only = replace(request.trips[0], destination=there)
        return _with_trips(replace(request, trips=(only,), asks=""), held)
    return _of_no_trip(request, task, held)


def _of_no_trip(request: JourneyRequest, task: Task, held: Held) -> Understood:
    """A request without a trip of its own: files of those at hand, a question, or what to ask."""
    if request.of_plans and held.journeys and not turned(request.unread):
        # "How many stops is that?"
        return Understood(replace(request, foreign=False, asks=""), (), "", held)
    asks = request.asks
    if not asks and not _says_something(request):
        asks = ASK_WHERE
    if request.foreign and held.requested and not is_off_topic(task.text) and not request.notes:
        # A reply about the trips at hand that was not understood.
        words = task.text.strip()[:_LONGEST_REPLY]
        request, asks = JourneyRequest(), f"{ASK_AGAIN} Not understood: “{words}”."
    made, bare = beside_files(task.text)
    if made is not None and held.requested and not (request.trips or asks) and MOVES.search(bare):
        # No file is made of a trip at a time that another time was to take the place of.
        return Understood(JourneyRequest(), (), "", held, f"{ASK_AGAIN} Not understood: “{bare}”.")
    request = replace(request, artefacts=_of_the_only(request.artefacts, held))
    if request.artefacts is not None and request.artefacts.whole_day and not request.trips:
        trips = tuple(trip for trip, _ in every_trip(task.turns))
        if len(trips) > len(held.requested):
            return Understood(request, trips, "", held)
    if request.artefacts is not None and not held.journeys and not request.trips:
        asks = f"There is no planned journey yet. {ASK_WHERE}"
    return Understood(request, (), "", held, asks)


def _of_the_only(made: Artefacts | None, held: Held) -> Artefacts | None:
    """Read "the second one" as a plan, where there is only one journey and no plan is named."""
    if made is None or made.journey is None or made.plan is not None or len(held.day) != 1:
        return made
    return made if made.journey == 0 else replace(made, plan=made.journey, journey=None)


def _held(turns: Sequence[Turn]) -> Held:
    found = held_before(turns)
    last = turns[-1].result if turns else {}
    pending = last.get("pending")
    if isinstance(pending, dict):
        return replace(found, pending=cast("Row", pending))
    asked = listed_rows(last.get("requested"))
    planned = any(one.get("plans") for one in listed_rows(last.get("journeys")))
    if len(asked) == 1 and not planned:
        begins, ends = (asked[0].get(name) for name in ("starting_point", "destination"))
        if not begins or not OWN_PLACES.isdisjoint((begins, ends)):
            return replace(found, pending=asked[0])
    return found


def _filled(request: JourneyRequest, text: str, pending: Row) -> Row | None:
    """The trip that was asked about with what the reply says of it; None if that is another."""
    if request.questions or request.artefacts or len(request.trips) > 1:
        return None
    if request.settings:
        # "I live in Angel", where a trip from home was asked for before.
        whole = not request.trips and all(pending.get(name) for name in _PLACES[:2])
        return pending if whole and request.settings.places else None
    said = request.trips[0].arguments() if request.trips else {}
    missing = [name for name in _PLACES[:2] if not pending.get(name)]
    if not said and len(missing) == 1 and not is_off_topic(text):
        # A reply of two words tells no language: "von Bank".
        name = _LEADS_FROM.sub("", " ".join(request.unread))
        said = {missing[0]: name} if 0 < len(name.split()) <= LONGEST_NAME else {}
    if not any(said.get(name) for name in missing):
        return None
    made = {**pending, **said}
    return made if all(made.get(name) for name in _PLACES[:2]) else None


def _with_trips(request: JourneyRequest, held: Held) -> Understood:
    """The trips with the places that only the conversation knows."""
    trips: list[TripAsked] = []
    if len(request.trips) == 1 and not request.trips[0].destination and returns(held):
        # "No tube on the way back", of a way back that is planned already.
        return _changed(replace(request, trips=(), wishes=request.trips[0].wishes, leg=-1), held)
    for number, trip in enumerate(request.trips):
        if not trip.destination:
            back = begun_at(held) if number == 0 else ""
            if not back:
                return Understood(request, (), "", held, ASK_END)
            trip = replace(trip, destination=back)
        trips.append(trip)
    first = trips[0]
    joins = held.journey_id if request.goes_on and first.starting_point in ("", THERE) else ""
    if first.starting_point == THERE and not joins:
        return Understood(request, (), "", held, ASK_WHERE)
    if first.destination == HOME and not first.starting_point and not joins:
        # Where no beginning is said, a trip begins at home; nobody goes there from there.
        if not end_of(held):
            return Understood(request, (), "", held, ASK_BEGIN.format(HOME))
        trips[0], joins = replace(first, starting_point=THERE), held.journey_id
    back = any(fold(str(one.get("from", ""))) == fold(first.destination) for one in held.day)
    if back and not first.starting_point and not joins:
        # "And back to Oval at 6", where the day began there.
        trips[0], joins = replace(first, starting_point=THERE), held.journey_id
    of_a_line = {"only_lines", "mode"} & set(first.wishes) and first.wishes.get("adjustment")
    if of_a_line and not first.starting_point and not joins:
        # The first service of a line is rarely one from home.
        return Understood(request, (), "", held, ASK_BEGIN.format(first.destination))
    return Understood(request, tuple(trip.arguments() for trip in trips), joins, held)


def _says_something(request: JourneyRequest) -> bool:
    others = request.questions or request.settings or request.artefacts
    return bool(others or request.trips or request.foreign or request.notes)


def _changed(request: JourneyRequest, held: Held) -> Understood:
    """The trips from before with other wishes: "by bus instead"."""
    if turned(request.unread):
        return Understood(request, (), "", held, ASK_AGAIN)
    wishes = dict(request.wishes)
    another_day = "date" in wishes and "time" not in wishes
    if "time" in wishes and len(held.requested) > 1:
        return Understood(request, (), "", held, _ASK_WHICH_TIME)
    trips: list[Mapping[str, JsonValue]] = []
    count, leg = len(held.requested), request.leg
    if leg is not None and (
        not -count <= leg < count or (count == 1 and leg == 0 and returns(held))
    ):
        return Understood(request, (), "", held, ASK_AGAIN)
    for number, one in enumerate(begun_again(held)):
        if leg is not None and number != leg % count:
            trips.append({key: value for key, value in one.items() if key != "journey_id"})
            continue
        kept = {key: value for key, value in one.items() if key != "journey_id"}
        if "time" in wishes:
            day = day_said(kept)
            gone = ("time", "time_is", "date") if day_said(wishes) else ("time", "time_is")
            kept = {key: value for key, value in kept.items() if key not in gone}
            kept |= {"date": day} if day and not day_said(wishes) else {}
        if another_day and "time" in kept:
            kept["time"] = clock_alone(str(kept["time"]))
        moved = dict(wishes)
        if "time" in wishes and not day_said(wishes):
            moved["time"] = in_its_part(str(wishes["time"]), one.get("time"))
        trips.append({**kept, **moved})
    return Understood(request, tuple(trips), "", held)


def _chosen(text: str, options: Sequence[Row]) -> Row | None:
    """The option that a reply names, or None."""
    if not options:
        return None
    text = meant_name(text, sure=False) or text
    said = fold(content(text)) or fold(text)
    ordinal = _ORDINAL.fullmatch(" ".join(text.lower().strip(" .!").split()))
    if ordinal is not None:
        first_asked = [one for one in options if one.get("raw") == options[0].get("raw")]
        at = ORDINALS.index(ordinal[1]) if ordinal[1].isalpha() else int(ordinal[1]) - 1
        return first_asked[at] if at < len(first_asked) else None
    exact = [one for one in options if fold(str(one.get("name", ""))) in (said, fold(text))]
    if len(exact) == 1 or (not said and exact):
        return exact[0]
    words = words_of(content(text) or text) - _NO_NAME
    # Each trip to or from a place that is not clear offers the same ones.
    held = {
        str(one.get("value", one.get("name"))): one
        for one in options
        if words and words <= words_of(f"{one.get('name', '')} {one.get('detail', '')}")
    }
    return next(iter(held.values())) if len(held) == 1 else None


def _settled(trip: Mapping[str, JsonValue], option: Row) -> dict[str, JsonValue]:
    """A trip in which the place that was asked about is the chosen one."""
    raw, value = fold(str(option.get("raw", ""))), option.get("value")
    made = {key: one for key, one in trip.items() if key != "journey_id"}
    for name in _PLACES:
        if isinstance(made.get(name), str) and fold(str(made[name])) == raw:
            made[name] = value
    return made


def _going_on(text: str, turns: Sequence[Turn], held: Held) -> Understood | None:
    """Return a reply's meaning by the turn before it; None where it is a request of its own."""
    said = " ".join(text.split())
    if _FORGET.fullmatch(said):
        return _forgotten(turns, held)
    question = (_elsewhere(said, turns[-1].result) or of_the_stop(said, turns)) if turns else None
    if question is None:
        return None
    return Understood(JourneyRequest(questions=(question,)), held=held)


def _forgotten(turns: Sequence[Turn], held: Held) -> Understood:
    """The settings of the turn before taken back; else its trips are set aside."""
    if not turns:
        return Understood(JourneyRequest(), asks=NOTHING_SAID)
    settings = read_request(turns[-1].question).settings
    names = (*settings.places, *settings.options)
    if names:
        return Understood(JourneyRequest(settings=Settings({}, {}, names)), held=held)
    return Understood(JourneyRequest(), held=Held(), asks=SET_ASIDE, set_aside=True)


def _elsewhere(said: str, before: Mapping[str, JsonValue]) -> Question | None:
    """The question of the turn before, about other lines or another stop."""
    tools = [one.get("tool") for one in rows(before, "outputs")]
    if tools[-1:] == ["get_line_status"]:
        match = _SEVERAL.fullmatch(said)
        return _of_lines(match["what"]) if match else None
    if tools[-1:] == ["get_arrivals"]:
        match = _MORE.fullmatch(said)
        stop = _AT.sub("", match["what"]) if match else ""
        is_name = bool(content(stop)) and not any(named_services(stop))
        return Question("get_arrivals", {"stop": stop}) if is_name else None
    return None


def _of_lines(what: str) -> Question | None:
    """A question about lines and modes; None where other words stand beside them."""
    lines, modes = named_services(what)
    rest = what
    for name in sorted((*lines, *modes), key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest, flags=re.IGNORECASE)
    if not (lines or modes) or content(_JOINTS.sub(" ", rest)):
        return None
    named = {"lines": lines, "modes": modes}
    arguments = {key: cast("JsonValue", value) for key, value in named.items() if value}
    return Question("get_line_status", arguments)


def _replied(text: str, held: Held) -> Understood | None:
    """Return what a reply asks of the journeys at hand; None where it is a request of its own."""
    if not held.requested or not any(rows(one, "plans") for one in held.journeys):
        return None
    of_trip = of_one_trip(text, held)
    if of_trip is not None:
        return of_trip
    request, bare = beside_files(text)
    if request is not None:
        reply = _replied(bare, held)
        if reply is None or not reply.trips:
            return None
        notes = (*reply.request.notes, *request.notes)
        again = replace(reply.request, artefacts=request.artefacts, notes=notes)
        return replace(reply, request=again)
    day = _DAY_ALONE.fullmatch(" ".join(text.split()))
    if day is not None:
        return _changed(JourneyRequest(wishes={"date": day["day"]}), held)
    moved = _DAY_FIRST.fullmatch(" ".join(text.split()))
    said = read_follow_up(moved["rest"] if moved else text)
    if said is None or (moved and not said.shift):
        return None
    if said.recount:
        unread = (said.beside,) if said.beside else ()
        return Understood(JourneyRequest(unread=unread), (), "", held, recounts=said.recount)
    if said.shift:
        return _shifted(said, held, moved["day"] if moved else "")
    if said.time:
        return _at_another_time(said, held)
    return _chosen_plan(said, held)


def _asking(held: Held, question: str) -> Understood:
    return Understood(JourneyRequest(), (), "", held, question)


def _shifted(said: FollowUp, held: Held, day: str = "") -> Understood:
    """The trips again, one of them later or earlier than its first plan, or so on another day."""
    count = len(held.requested)
    at = 0 if said.which is None else said.which
    if (said.which is None and count > 1) or not -count <= at < count:
        return _asking(held, _ASK_WHICH_SHIFT)
    if len(held.journeys) != count:
        return _asking(held, "Which place is meant has to be clear before the trip is moved.")
    asked = held.requested[at]
    plans = rows(held.journeys[at], "plans")
    if not plans:
        return _asking(held, "That trip has no plan to be moved.")
    # What arrives earlier is another service, however seldom it runs.
    beside = said.vague or said.neighbour
    earlier = beside and said.shift < 0
    arriving = earlier or (asked.get("time_is") == "arriving" and not beside)
    moment = datetime.fromisoformat(str(plans[0]["arrival" if arriving else "start"]))
    when = moment + timedelta(minutes=said.shift)
    times: dict[str, JsonValue] = {
        "date": day or when.date().isoformat(),
        "time": f"{when:%H:%M}",
        "time_is": "arriving" if arriving else "departing",
    }
    way = "later" if said.shift > 0 else "earlier"
    notes = (_HALF_AN_HOUR.format(way=way),) if said.vague else ()
    again = _again(held, at % count, times)
    return replace(again, request=replace(again.request, notes=notes))


def _at_another_time(said: FollowUp, held: Held) -> Understood:
    """The only trip again, at the time that the reply is."""
    if len(held.requested) > 1:
        return _asking(held, _ASK_WHICH_TIME)
    # "make it 6" keeps the day that was asked for, and its evening.
    only = next(iter(held.requested))
    times: dict[str, JsonValue] = {"time": in_its_part(said.time, only.get("time"))}
    if said.arriving:
        times["time_is"] = "arriving"
    if (day := day_said(only)) and not day_said(times):
        times["date"] = day
    return _again(held, 0, times)


def _again(held: Held, at: int, times: Trip) -> Understood:
    """All trips as they were asked for, one of them at other times."""
    trips: list[Trip] = []
    for number, one in enumerate(begun_again(held)):
        gone = ("journey_id", *_TIMES) if number == at else ("journey_id",)
        kept = {key: value for key, value in one.items() if key not in gone}
        trips.append({**kept, **times} if number == at else kept)
    return Understood(JourneyRequest(), tuple(trips), "", held)


def _chosen_plan(said: FollowUp, held: Held) -> Understood | None:
    """The text of the plan that is meant, or of the first plan of the trip that is."""
    planned: list[Row] = [one for one in held.journeys if rows(one, "plans")]
    which = said.which or 0
    several = len(planned) > 1
    wanted = Artefacts(("text",), journey=which) if several else Artefacts(("text",), plan=which)
    return Understood(JourneyRequest(artefacts=wanted), (), "", held)
