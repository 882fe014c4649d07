"""A request for journeys read as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import pairwise

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import (
    named_services,
    read_artefacts,
    read_line_question,
    read_question,
    read_steps_question,
)
from groundwire.agents.journey_requests.beside_trips import (
    ended_there,
    in_order,
    read_plan_questions,
    read_service_question,
)
from groundwire.agents.journey_requests.clauses import with_arrows
from groundwire.agents.journey_requests.limits import (
    MOST_CHANGES,
    MOST_MINUTES,
    Stay,
    after_landing,
    ahead_of_time,
    few,
    find_stays,
    least,
    most_changes,
    most_minutes,
    with_few_changes,
)
from groundwire.agents.journey_requests.model import (
    THERE,
    Artefacts,
    JourneyRequest,
    Question,
    TripAsked,
)
from groundwire.agents.journey_requests.names import parted, with_joined_names
from groundwire.agents.journey_requests.not_held import (
    ASK_END,
    ASK_WHEN,
    ASK_WHERE,
    CAPITALIZED,
    DENIED,
    EXCEPTED,
    FOREIGN,
    MARGIN,
    NEVER,
    SAYS_WHEN,
    UNWANTED,
    doubt_of,
    is_off_topic,
    left_out,
    not_held,
    of_next_service,
    question_left_open,
    which_trip,
)
from groundwire.agents.journey_requests.recurring import (
    RECURS,
    begun,
    find_ends,
    first_day,
    frequencies,
    gathered,
    names_day,
    open_recurrence,
    repeating,
    told_of,
    within_next_week,
)
from groundwire.agents.journey_requests.rewriting import (
    Language,
    in_joined_english,
    language_of,
    not_understood,
)
from groundwire.agents.journey_requests.settings import blanked, read_settings, sentences
from groundwire.agents.journey_requests.times import (
    day_counted,
    find_said_times,
    half_open,
    is_another_day,
    on_day,
    times_said,
)
from groundwire.agents.journey_requests.tokens import Taken, tokens_of
from groundwire.agents.journey_requests.trips import WHENS, Assembled, assemble, first_or_last
from groundwire.agents.journey_requests.wishes import Wish, find_wishes
from groundwire.agents.journey_requests.words import content, is_motion
from groundwire.journeys.times.reading import find_times
from groundwire.journeys.wishes.readers import STOPS_AVOIDED
from groundwire.journeys.wording import count

_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " ", "\t": " "})
ASK_TRIP = "A station is avoided in one trip, and kept for none: say it with the trip."
_LASTS = re.compile(r"(?i)\b(?:always|never|from\s+now\s+on|in\s+future|generally|by\s+default)\b")
_OF_ALL_DAYS = re.compile(
    r"\b(?:daily|(?:every|each)\s+(?:single\s+)?day|week\s?days?|work\w*|and)\b", re.I
)
ASK_HALF = "Is that hour in the morning or in the evening? Say it once more with am or pm."


@lru_cache(maxsize=64)
def read_request(
    text: str,
    today: date | None = None,
    *,
    of_a_trip: bool = False,
    language: Language | None = None,
) -> JourneyRequest:
    """Read a request; the rules, the guard and the telling of one run each need the same.

    Args:
        text: what a user wrote.
        today: the day that relative days are counted from, where it is not the planner's own.
        of_a_trip: whether a trip was planned before, of which "I walk slowly" may be said.
        language: what it was written in, where the text is its plain English already.
    """
    english = with_joined_names(in_joined_english(text.translate(_QUOTES)))
    plain = gathered(ahead_of_time(after_landing(english)))
    return parted(_read(plain, today, of_a_trip, language or language_of(text)))


def _read(plain: str, today: date | None, of_a_trip: bool, written: Language) -> JourneyRequest:
    plain, ordered = in_order(plain)
    lacking, rest, beside, elsewhere = _not_held(plain, of_a_trip)
    of_plans, spans = read_plan_questions(rest)
    questions, rest, left = _questions(blanked(rest, spans), today)
    not_now = (*beside, *left)
    rest = _led(rest, today)
    made = read_artefacts(rest)
    bare = blanked(rest, made.spans)
    told = read_settings(bare, alone=False)
    if not of_a_trip and not _assembled(blanked(bare, told.spans), today).trips:
        told = read_settings(bare, alone=True)
    spoken = blanked(rest, (*made.spans, *told.spans))
    recurs = list(RECURS.finditer(spoken))
    limited = list(MOST_MINUTES.finditer(spoken))
    changing = list(MOST_CHANGES.finditer(spoken))
    often = [" ".join(one[0].split()) for one in recurs]
    ends = within_next_week(spoken, often, find_ends(spoken), today) if recurs else []
    counted = frequencies(spoken) if made.artefacts and "calendar" in made.artefacts.kinds else []
    spans = [one.span() for one in (*recurs, *limited, *changing, *counted)]
    spans += [(one.start, one.end) for one in ends]
    if recurs:
        excepted = list(EXCEPTED.finditer(blanked(spoken, spans)))
        spans += [one.span() for one in excepted]
        not_now = (*not_now, *(" ".join(one[0].strip(" ,").split()) for one in excepted))
    spoken, denied = _without_denials(blanked(spoken, spans))
    # The first day of a trip that recurs is the planner's to count, from its own clock.
    assembled = _assembled(spoken, None if recurs else today)
    unheard = (*not_now, *denied)
    asked_of = [str(q.arguments.get("query") or q.arguments.get("stop", "")) for q in questions]
    if assembled.trips and assembled.trips[0].starting_point == THERE and any(asked_of[-1:]):
        # "Which lines serve Bank, and how do I get from there to Angel?"
        begins = replace(assembled.trips[0], starting_point=asked_of[-1].removeprefix("near "))
        assembled = replace(assembled, trips=(begins, *assembled.trips[1:]), goes_on=False)
    # "Does the DLR stop at Oval? How do I get there from Bank?"
    kept = (*told.settings.places.values(),) or tuple(one for one in asked_of[-1:] if one)
    assembled = ended_there(assembled, kept, elsewhere, today)
    # "Put it in my calendar every Tuesday" is of the trip at hand.
    again = of_a_trip and made.artefacts is not None and "calendar" in made.artefacts.kinds
    recurring = tuple(often) if assembled.trips or again else ()
    of_first = _counted_from(first_day(recurring, planned=True), today)
    until, first = (ends[0].day, ends[0].first) if len(ends) == 1 else ("", "")
    first = first or str(_counted_from(first_day(recurring), today).get("date", ""))
    artefacts = repeating(made.artefacts, recurring, until)
    open_question = open_recurrence(recurring, ends, [one[0] for one in counted], artefacts)
    request = JourneyRequest(
        trips=with_few_changes(begun(assembled.trips, recurring, first), changing),
        settings=told.settings,
        artefacts=artefacts,
        questions=questions,
        wishes={} if assembled.trips else few(changing) | assembled.wishes | of_first,
        leg=assembled.leg,
        there=assembled.towards_there,
        goes_on=assembled.goes_on,
        unread=_said_by_user(_with(assembled.unread, unheard), written),
        notes=(
            *lacking,
            *(ordered if len(assembled.trips) > 1 else ()),
            *assembled.notes,
            *of_next_service(plain, assembled.trips),
        ),
        of_plans=of_plans,
        limit=least(limited, most_minutes),
        changes=least(changing, most_changes),
    )
    if lacking and not (request.trips or questions or told.settings or made.artefacts):
        return JourneyRequest(foreign=True, notes=lacking)
    judged = _judged(request, assembled, rest if lacking else plain, spoken)
    if judged.trips and not judged.asks:
        reminded = artefacts is not None and artefacts.alarm_minutes is not None
        margin = not reminded and MARGIN.search(spoken) is not None
        margin = margin and not any(one.expression.ahead for one in find_times(spoken))
        other_day = bool(recurring and assembled.unread) and any(map(names_day, assembled.trips))
        half = any(map(_OF_ALL_DAYS.search, recurring)) and any(
            half_open(str(one.wishes.get("time", ""))) for one in judged.trips
        )
        timed = any("time" in trip.wishes for trip in judged.trips)
        dated = timed or any("date" in trip.wishes for trip in judged.trips)
        # "Will it rain tomorrow? From Angel to Bank": the day may be that of the trip.
        times = [one for said in elsewhere for one in times_said(said)]
        margin = margin or (not dated and any(map(SAYS_WHEN.search, times)))
        asks = open_question or (ASK_WHEN if margin or other_day else ASK_HALF if half else "")
        # A word that no rule read may change a time that was read.
        left = not_understood(assembled.unread, written) if timed else ()
        if len({trip.destination for trip in judged.trips}) < len(judged.trips):
            # Who comes from where to one place is named.
            left = tuple(one for one in left if not CAPITALIZED.fullmatch(one))
        judged = replace(judged, asks=asks or (which_trip(judged.trips, left) if left else ""))
    follows = of_a_trip and (judged.goes_on or not _sound(judged.trips))
    if today is not None and not (follows or recurs):
        judged = replace(judged, trips=on_day(judged.trips, today))
    planned = not judged.asks
    said = tuple(one.words for one in ends)
    often = () if open_question else told_of(recurring, artefacts, said, planned=planned)
    reminding = _reminding(artefacts) if planned else ()
    return replace(judged, notes=(*judged.notes, *often, *reminding))


def _counted_from(day: Mapping[str, JsonValue], today: date | None) -> dict[str, JsonValue]:
    """A day as an argument, counted from one that is told."""
    return {name: day_counted(str(words), today) for name, words in day.items()}


def _reminding(made: Artefacts | None) -> tuple[str, ...]:
    """Say that a reminder is an alarm of the calendar file, since nothing is sent from here."""
    if made is None or made.alarm_minutes is None:
        return ()
    minutes = count(made.alarm_minutes, "minute")
    return (
        f"No reminder is sent from here: the calendar file has an alarm {minutes} before you "
        "leave, once it is in your calendar.",
    )


def _not_held(
    text: str, of_a_trip: bool
) -> tuple[tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]:
    """Return replies to what is asked and not held, and the text without it.

    Beside them stand the clauses taken out of a sentence, and the sentences taken out whole.
    """
    said: list[str] = []
    beside: list[str] = []
    whole: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end in _parts(text):
        of_line = read_line_question(text[start:end]) or read_service_question(text[start:end])
        answer = "" if of_line else not_held(text[start:end], of_a_trip=of_a_trip)
        if answer:
            said.append(answer)
            spans.append(_beside_a_trip(text, start, end, not_held))
            if spans[-1] != (start, end):
                beside.append(" ".join(text[slice(*spans[-1])].split()).strip(" ,;:?"))
            else:
                # "How busy is Bank, and is there parking?" asks for two things.
                parts = re.split(r",?\sand\s", text[start:end])
                said += filter(None, (not_held(one, of_a_trip=of_a_trip) for one in parts))
                whole.append(text[start:end])
    return tuple(dict.fromkeys(said)), blanked(text, spans), tuple(beside), tuple(whole)


def _beside_a_trip(
    text: str, start: int, end: int, asks: Callable[[str], object]
) -> tuple[int, int]:
    """Where the question of a sentence stands: a clause beside a trip, or all of it."""
    for first, last in _clauses(text, start, end):
        rest = blanked(text[start:end], [(first - start, last - start)])
        if asks(text[first:last]) and not asks(rest) and _sound(_assembled(rest, None).trips):
            return first, last
    return start, end


_CLAUSES = re.compile(
    r"[,;:]\s+(?:and\s+)?|\s[-–—]\s|"
    r"\sand\s+(?=(?:will|is|are|what|how|can|could|do|does|should|where)\s)"
)


def _clauses(text: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    """Where the clauses of a sentence stand."""
    return pairwise([start, *(one.end() for one in _CLAUSES.finditer(text, start, end)), end])


def _with(unread: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """Words that were not read, each once, also where a part of one was found before."""
    kept = tuple(one for one in unread if not any(one in other for other in words))
    return (*kept, *dict.fromkeys(words))


_MADE = re.compile(r"(?:(?:departures|on|the|now|and|of|at|in|to|an?|is|are)\s*)+", re.IGNORECASE)


def _said_by_user(unread: tuple[str, ...], written: Language) -> tuple[str, ...]:
    """Return the words without small English ones, which nobody wrote in another language."""
    return unread if written == "en" else tuple(one for one in unread if not _MADE.fullmatch(one))


def _without_denials(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without what it says is not to be, of places and days, and the words of that."""
    found = [one for said in (DENIED, UNWANTED) for one in said.finditer(text)]
    text = blanked(text, [match.span() for match in found])
    wanted = _veiled(text, [*find_wishes(text), *find_stays(text)])
    conditions = list(left_out(wanted))
    words = tuple(" ".join(match[0].split()) for match in (*found, *conditions))
    return blanked(text, [match.span() for match in conditions]), words


def _led(text: str, today: date | None) -> str:
    """A text with dashes for arrows, where only that makes it a trip: "Angel - Bank"."""
    arrowed = with_arrows(text)
    if arrowed == text or is_off_topic(text) or _sound(_assembled(text, today).trips):
        return text
    return arrowed if _sound(_assembled(arrowed, today).trips) else text


def _questions(text: str, today: date | None) -> tuple[tuple[Question, ...], str, tuple[str, ...]]:
    """The questions about the network, the text without them, and their times, which none takes."""
    found: list[Question] = []
    left_out: list[str] = []
    spans: list[tuple[int, int]] = []
    for part in _parts(text):
        start, end = _beside_a_trip(text, *part, lambda said: read_question(f"{said}?"))
        said = text[start:end]
        of_steps = read_steps_question(said)
        if of_steps is not None:
            found.append(of_steps)
            spans.append((start, end))
            continue
        question = (of_services := read_service_question(said)) or read_question(f"{said}?")
        meant = _MEANS.match(said)
        if meant is not None and found and found[-1].tool == "get_line_status":
            # "Is the Overground running? I mean the Mildmay line."
            lines, _ = named_services(meant["what"])
            if lines:
                found[-1] = replace(found[-1], arguments={"lines": list(lines)})
                spans.append((start, end))
                continue
        if question is not None and question.tool == "get_arrivals":
            # "From Bank after 11 tonight": no time is part of a name.
            bare = blanked(said, [one.span for one in find_times(said)])
            question = read_question(f"{bare}?") or question
        of_stops = of_services or (question is not None and question.tool == "find_stops")
        if not of_stops and _goes_somewhere(said):
            continue
        if question is not None:
            times = times_said(said)
            name = WHENS.get(question.tool, "")
            another = len(times) == 1 and (name == "when" or is_another_day(times[0]))
            if name and another:
                when = day_counted(times[0], today) if name == "date" else times[0]
                question = replace(question, arguments={**question.arguments, name: when})
                times = []
            found.append(question)
            spans.append((start, end))
            left_out += times
            if read_line_question(f"{said}?") is not None:
                left_out += [one[0].strip() for one in _PART_OF_LINE.finditer(said)]
    return tuple(found), blanked(text, spans), tuple(dict.fromkeys(left_out))


# "Which stops does the Victoria line have after Euston": all its stops are told.
_PART_OF_LINE = re.compile(
    r"\b(?:after|before|between|beyond|past|(?:north|south|east|west)\s+of)\s+(?-i:[A-Z])[^,.;?!]*",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"^\W*(?:(?:well|sorry|specifically)\W+)*i\s+mean(?:t)?\s+(?P<what>[^.?!]+)", re.IGNORECASE
)
_TURN = re.compile(
    r"(?:,\s+|(?<![,\s])\s+)(?:and|but|so|also)\s+(?=(?:how|what|which|when|can|could|should|shall|please|get|take|if|is|are|tell\s+me|let\s+me\s+know|check|say)\b)",
    re.IGNORECASE,
)


def _parts(text: str) -> list[tuple[int, int]]:
    # "Is the Victoria line running, and how do I get to Bank?" is a question and a trip.
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        turn = _TURN.search(text, start, end)
        first = text[start : turn.start()] if turn is not None else ""
        if turn is not None and (
            _goes_somewhere(text[turn.end() : end])
            or _sound(_assembled(first, None).trips)
            or read_question(f"{first}?") is not None
            or not_held(first)
        ):
            found += [(start, turn.start()), (turn.end(), end)]
        else:
            found.append((start, end))
    return found


_GOES = re.compile(
    r"\bfrom\s+(?:(?!\bfrom\s).)+\bto\s+\S|\b(?:go|get|travel|take\s+me|head|way|route|journey|trip)\s+(?:back\s+)?(?:to|from)\b|\bget\s+home\b|"
    r"\b(?:need|want|have)\s+to\s+be\b|\bavoid\w*\b|\b(?:get|go)\s+there\s+from\b",
    re.IGNORECASE,
)


def _goes_somewhere(said: str) -> bool:
    """Whether a sentence asks for a trip, of which the state of a line is but a part."""
    return _GOES.search(said) is not None


def _assembled(text: str, today: date | None) -> Assembled:
    wishes = find_wishes(text)
    stays = find_stays(text)
    times = find_said_times(_veiled(text, [*wishes, *stays]), today)
    taken = [Taken("wish", one.start, one.end, index) for index, one in enumerate(wishes)]
    taken += [Taken("time", one.start, one.end, index) for index, one in enumerate(times)]
    taken += [
        Taken("stay", one.start, one.end, one.minutes)
        for one in stays
        if not any(other.start < one.end and one.start < other.end for other in taken)
    ]
    return assemble(tokens_of(text, taken), times, wishes)


def _veiled(text: str, wishes: list[Wish | Stay]) -> str:
    """Blank out wishes and stays, so that "at most ten minutes walking" is not read as a time."""
    letters = list(text)
    for wish in wishes:
        for at in range(wish.start, wish.end):
            if not letters[at].isspace():
                # An hour before a word would count what the word says.
                letters[at] = ","
    return "".join(letters)


def _judged(
    request: JourneyRequest, assembled: Assembled, text: str, spoken: str
) -> JourneyRequest:
    """A request with what has to be asked, or that it is none at all."""
    others = bool(request.questions or request.settings or request.artefacts)
    if _is_foreign(request, text):
        return JourneyRequest(foreign=True, unread=request.unread)
    if request.trips:
        missing = [trip for trip in request.trips if not trip.destination]
        if missing and not assembled.returns:
            if len(request.trips) == 1 and (board := first_or_last(missing[0])):
                return replace(request, trips=(), questions=(*request.questions, board))
            if others and not any(trip.starting_point for trip in missing):
                return replace(request, trips=())
            return replace(request, asks=ASK_END)
        doubt = question_left_open(request, assembled, text)
        if doubt:
            return replace(request, asks=doubt)
        doubtful = request.unread and not others and not _sound(request.trips)
        if doubtful and not is_motion(text):
            return replace(request, asks=doubt_of(request.trips))
        return request
    if others:
        return request
    if not STOPS_AVOIDED.isdisjoint(request.wishes) and _LASTS.search(text):
        return replace(request, wishes={}, asks=ASK_TRIP)
    if assembled.towards_there or request.wishes or request.notes:
        return request
    if is_motion(text) and not FOREIGN.search(text):
        return replace(request, asks=ASK_WHERE)
    # A name alone may answer what was asked before: whoever knows the conversation decides.
    return replace(request, foreign=True, unread=(content(spoken),) if content(spoken) else ())


def _is_foreign(request: JourneyRequest, text: str) -> bool:
    """Whether a request is for something else than journeys."""
    never, foreign = NEVER.search(text), FOREIGN.search(text)
    made = request.artefacts
    # "Write instructions for a cake" asks for no text of a plan.
    text_alone = made is not None and made.kinds == ("text",) and made.plan is None
    others = bool(request.questions or request.settings or (made and not text_alone))
    if others:
        return False
    return (never is not None and not is_motion(text)) or (
        (never or foreign) is not None and not _sound(request.trips)
    )


def _sound(trips: tuple[TripAsked, ...]) -> bool:
    """Whether trips say both where they begin and where they end."""
    return bool(trips) and all(trip.destination and trip.starting_point for trip in trips)
