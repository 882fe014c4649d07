"""The router's answer, made of what the agents below it returned and of nothing else.

The maps, calendar files and texts that were made are held against those that were asked for. What
was made of another plan than the one that is meant answers nothing, and what is not made is told
with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import JsonValue

from groundwire.agents.journey_requests.checked import Checked
from groundwire.agents.journey_requests.model import ASK_BEGIN, REPEATS, ArtefactKind, Artefacts
from groundwire.agents.journey_requests.names import without_marks
from groundwire.agents.journey_requests.not_held import ASK_END, ASK_WHERE, PRICE
from groundwire.agents.journey_requests.rewriting import in_english, language_of_all
from groundwire.agents.journey_requests.subagents import (
    ASK,
    PLAN,
    REFUSED,
    SENT,
    SET,
    answered,
    exceeding,
    outputs_of,
    refusals_of,
    rows,
    settings_arguments,
)
from groundwire.agents.journey_router_agent.conversation import (
    understood,
)
from groundwire.agents.journey_router_agent.plan_lines import (
    asked_places,
    beside,
    by_lines,
    caveats_once,
    either,
    has_fares,
    in_time,
    of_changes,
    of_lines,
    of_plans,
    of_steps,
    on_foot,
    recounted,
    trip_lines,
)
from groundwire.agents.journey_router_agent.route import (
    ARTEFACTS,
    PREFERENCES,
    CarriedOut,
    at_hand,
    carried_out,
    plan_index,
)
from groundwire.agents.journey_router_agent.understanding import (
    Row,
    Understood,
    chosen_journeys,
    meant_journeys,
)
from groundwire.agents.runtime.model import Answered, Task
from groundwire.agents.runtime.prompts import worded
from groundwire.safe_text import safe_name

_NAMES: Mapping[ArtefactKind, str] = {
    "map": "map",
    "calendar": "calendar file",
    "text": "description",
}
_MADE_BY: Mapping[str, ArtefactKind] = {
    "draw_map_for_plan": "map",
    "create_ics_file_for_plan": "calendar",
    "get_computed_journey_plan": "text",
}
# An answer from a timetable about the services of a day begins with this.
_BY_TIMETABLE = "By the timetable"
_WHICH = ("journey_id", "journey_index", "plan_index")


@dataclass(frozen=True, slots=True)
class CheckedArtefacts:
    """The artefacts that may be told.

    Attributes:
        outputs: those that were asked for.
        refused: why others were not made, in the words of their tools.
        missing: what was asked for and is not there, as sentences.
        not_counted: what was asked of them and is in no call, in words.
    """

    outputs: tuple[Row, ...] = ()
    refused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()


def checked_artefacts(
    asked: Understood, journeys: Sequence[Row], answers: Sequence[Answered]
) -> CheckedArtefacts:
    """Hold artefacts against what was asked.

    Args:
        asked: the request.
        journeys: the journeys of its trips.
        answers: what the agents have returned.
    """
    calls = [one for one in answers if one.tool == ARTEFACTS]
    made = [output for one in calls for output in outputs_of(one.data)]
    refused = tuple(why for one in calls for why in refusals_of(one.data))
    known = at_hand(asked, journeys)
    wanted = asked.request.artefacts
    if wanted is None:
        # The text of a plan changes nothing and says itself what it is of.
        texts = [one for one in made if _kind(one) == "text"]
        ours = {(one.get("journey_id"), one.get("journey_index")) for one in known}
        return CheckedArtefacts(
            tuple(one for one in texts if _which(one)[:2] in ours), refused if texts else ()
        )
    plans: dict[tuple[object, object, object], Row] = {
        (one.get("journey_id"), one.get("journey_index"), plan_index(wanted, one)): one
        for one in chosen_journeys(wanted, known)
        if plan_index(wanted, one) is not None
    }
    kept = [one for one in made if _which(one) in plans and _kind(one) in wanted.kinds]
    missing = tuple(_not_there(asked, wanted, known, bool(calls)))
    if not missing and not refused:
        missing = tuple(_not_made(wanted, plans, kept))
    return CheckedArtefacts(tuple(kept), refused, missing, tuple(_not_counted(wanted, kept)))


def _which(output: Row) -> tuple[object, object, object]:
    """The plan that an output was made of; indices that were not sent are the first."""
    sent: Row = output.get(SENT) or {}
    journey_id, journey, plan = (sent.get(name) for name in _WHICH)
    return journey_id, journey or 0, plan or 0


def _kind(output: Row) -> ArtefactKind | None:
    return _MADE_BY.get(str(output.get("tool")))


def _not_there(
    asked: Understood, wanted: Artefacts, known: Sequence[Row], called: bool
) -> Iterator[str]:
    """Yield what was wanted of journeys or plans that are not there."""
    if asked.asks or not known:
        return
    meant = meant_journeys(wanted, known)
    with_plans = [one for one in meant if rows(one, "plans")]
    files = either([_NAMES[kind] for kind in wanted.kinds])
    if any(one.get("unsettled") for one in meant):
        yield "What was asked for beside the plan can be made when the place is clear."
    elif not meant:
        ends = either([f"{one.get('from')} to {one.get('to')}" for one in known])
        yield f"Which journey is meant: {ends}?"
    elif wanted.plan is not None and with_plans and _no_such_plan(wanted, with_plans):
        counts = either([str(len(rows(one, "plans"))) for one in with_plans])
        yield f"There is no such plan: the journey has {counts}."
    else:
        for one in meant:
            if one not in with_plans:
                yield f"No {files} is made of the trip to {one.get('to')}, which is not planned."


def _no_such_plan(wanted: Artefacts, journeys: Sequence[Row]) -> bool:
    return all(plan_index(wanted, one) is None for one in journeys)


def _is_of_day(output: Row) -> bool:
    """Whether an output is of all trips of a day."""
    sent: Row = output.get(SENT) or {}
    return bool(sent.get("whole_day"))


def _not_made(
    wanted: Artefacts, plans: Mapping[tuple[object, object, object], Row], kept: Sequence[Row]
) -> Iterator[str]:
    made = {(_which(one), _kind(one)) for one in kept}
    # One of a whole day is of every journey with its handle.
    days = {(_which(one)[0], _kind(one)) for one in kept if _is_of_day(one)}
    for which, journey in plans.items():
        for kind in wanted.kinds:
            if (which, kind) not in made and (which[0], kind) not in days:
                ends = f"{journey.get('from')} to {journey.get('to')}"
                yield f"The {_NAMES[kind]} of {ends} is not made."


def _not_counted(wanted: Artefacts, kept: Sequence[Row]) -> Iterator[str]:
    """Yield what was asked of calendar files and maps and is in no call."""
    for output in kept:
        sent: Row = output.get(SENT) or {}
        if wanted.whole_day and _kind(output) != "text" and not _is_of_day(output):
            yield "one of the whole day"
        if _kind(output) == "calendar":
            if (
                wanted.alarm_minutes is not None
                and sent.get("alarm_minutes") != wanted.alarm_minutes
            ):
                yield f"a reminder {wanted.alarm_minutes} minutes before"
            if {name: sent[name] for name in REPEATS if sent.get(name)} != dict(wanted.repeats):
                yield "an entry that repeats"
            if wanted.per_leg and not sent.get("per_leg"):
                yield "one event for each leg"


DECLINE = (
    "I only plan journeys: trips with their times, maps, calendar entries and "
    "directions, your travel preferences, and how lines run now."
)
# How the planner says that a trip begins nowhere.
_LONGEST_PLACE = 80
_NO_BEGINNING = "starting_point is missing"
ASK_DAY = (
    "A part of this day has passed, so its trips lie on different days as they were read: is "
    "all of it meant for today, or for tomorrow? Say “tomorrow”, or another day."
)
_DAY = re.compile(
    r"\d{4}-\d\d|\b(?:today|tomorrow|tonight|\w+day|weekend|[A-Z][a-z]{2}\w* \d|\d+ [A-Z][a-z]{2})",
    re.IGNORECASE,
)
_NO_FARE = "No fare of these plans is known."
_NOT_KEPT = re.compile(r"no place is stored under the name '([^']+)'")
WORDING = Path(__file__).parent
"""Where the rules stand by which answers are said in other languages."""
_PARAMETER = re.compile(r"^(?:starting_point|destination|via|avoid_stops|avoid_changes): ")


def told(task: Task, answers: Sequence[Answered]) -> dict[str, JsonValue]:
    """The result of a run: `answer`, and what it is made of."""
    asked = understood(task)
    done = carried_out(task, asked, answers)
    made = checked_artefacts(asked, done.journeys, answers)
    extra = list(_beside(asked, done, made, answers))
    lines = [*caveats_once(_lines(task, asked, done, made, answers)), *extra]
    # A reply such as "Brixton" says nothing of its language: what was asked before does.
    language = language_of_all([task.text, *(turn.question for turn in reversed(task.turns))])
    answer = worded(
        "\n".join(dict.fromkeys(lines)) or DECLINE, language, WORDING, without_marks(task.text)
    )
    result: dict[str, JsonValue] = {"answer": answer}
    if not_applied := _not_applied(asked, done, made):
        result["not_applied"] = not_applied
    if extra or done.checked.missing:
        result["confidence"] = "low"
    plans = [one for one in done.checked.outputs if one["tool"] == PLAN]
    requested = _requested(done.checked)
    if done.journeys or requested:
        held = [str(one["journey_id"]) for one in done.journeys if one.get("journey_id")]
        result |= {"journey_id": held[-1]} if held else {}
        result |= {"journeys": [_short(one) for one in done.journeys], "requested": requested}
        options: list[JsonValue] = [option for one in plans for option in rows(one, "options")]
        if options:
            result["options"] = options
            if asked.request.artefacts is not None:
                wanted = asked.request.artefacts
                result["wanted"] = {**asdict(wanted), "kinds": list(wanted.kinds)}
    elif asked.held.journey_id:
        # What was planned before stays known to the conversation.
        result |= {
            "journey_id": asked.held.journey_id,
            "journeys": list(asked.held.journeys),
            "requested": list(asked.held.requested),
        }
        if asked.asks:
            result["unheard"] = True
        if asked.held.options:
            result["options"] = list(asked.held.options)
    if asked.set_aside:
        result["set_aside"] = True
    open_end = asked.asks in (ASK_END, ASK_WHERE) or asked.asks.startswith(
        ASK_BEGIN.partition("{")[0]
    )
    if open_end and len(asked.request.trips) <= 1:
        said = asked.request.trips[0].arguments() if asked.request.trips else asked.request.wishes
        result["pending"] = {**said}
    kept = [output for one in answers if one.tool == PREFERENCES for output in outputs_of(one.data)]
    others = [one for one in done.checked.outputs if one["tool"] != PLAN]
    if outputs := [*kept, *others, *made.outputs]:
        result["outputs"] = [_without_long(one) for one in outputs]
    return result


def _lines(
    task: Task,
    asked: Understood,
    done: CarriedOut,
    made: CheckedArtefacts,
    answers: Sequence[Answered],
) -> Iterator[str]:
    """The sentences of the answer, in the order in which they matter."""
    for one in answers:
        if one.tool == PREFERENCES:
            yield from _of_outputs(outputs_of(one.data))
            yield from (why.removesuffix(ASK).strip() for why in refusals_of(one.data))
    yield from _not_kept(asked, answers)
    yield from of_lines(asked.request.questions, done.checked.outputs)
    yield from _planned(done.checked)
    for number in done.checked.missing:
        yield _not_planned(asked, number)
    yield from _days_apart(done)
    yield from of_steps(asked.request.questions, done.checked.outputs)
    if not any(_BY_TIMETABLE in str(one.get("answer", "")) for one in done.checked.outputs):
        yield from (
            one.without_timetable for one in asked.request.questions if one.without_timetable
        )
    yield from of_plans(asked.request.of_plans, done.journeys if asked.trips else asked.asked_about)
    yield from on_foot(asked.trips, done.journeys)
    yield from in_time(asked.request.limit, done.journeys)
    yield from of_changes(asked.request.changes, done.journeys)
    yield from _of_outputs(made.outputs)
    yield from made.refused
    if asked.recounts:
        yield from recounted(asked.asked_about)
        if asked.recounts == "fares" and not has_fares(asked.asked_about):
            yield _NO_FARE
    elif (
        PRICE.search(in_english(task.text)) and done.checked.trips and not has_fares(done.journeys)
    ):
        yield _NO_FARE


def _beside(
    asked: Understood, done: CarriedOut, made: CheckedArtefacts, answers: Sequence[Answered]
) -> Iterator[str]:
    """Yield what of the request is in none of the answers, and what is in them and not in it."""
    found = done.checked
    yield from made.missing
    yield from found.lines
    request = asked.request
    if request.foreign and not asked.trips:
        if not found.outputs:
            yield from request.notes or (DECLINE,)
        return
    yield from by_lines(request.notes, done.journeys)
    unread = _unread(asked) if answers or request.trips or asked.recounts else ()
    words = ", ".join(f"“{one}”" for one in (*unread, *found.not_counted, *made.not_counted))
    if words and words not in asked.asks:
        yield f"Not taken into account: {words}."
    if asked.asks:
        yield asked.asks


def _unread(asked: Understood) -> tuple[str, ...]:
    """The words of a request that nothing was made of."""
    return tuple(one.strip() for one in asked.request.unread if one.strip())


def _not_applied(asked: Understood, done: CarriedOut, made: CheckedArtefacts) -> list[JsonValue]:
    """The conditions of planned trips that no plan keeps to, in words."""
    if not done.checked.trips:
        return []
    conditions = [
        str(one["asked"])
        for journey in done.journeys
        for one in rows(journey, "conditions")
        if one["standing"] == "not_applied"
    ]
    left = (*_unread(asked), *done.checked.not_counted, *made.not_counted, *conditions)
    return list(dict.fromkeys(left))


def _days_apart(done: CarriedOut) -> Iterator[str]:
    """Ask for the day, where trips of one request without any lie on different days.

    A day that lies partly in the past is read as such: what has passed is planned for tomorrow.
    """
    requested = [one.sent for one in done.checked.trips.values()]
    said = " ".join(f"{one.get('date') or ''} {one.get('time') or ''}" for one in requested)
    starts = [str(plan["start"]) for one in done.journeys for plan in rows(one, "plans")[:1]]
    met = len({str(one.get("destination")) for one in requested}) == 1
    in_order = met or starts == sorted(starts)
    if (
        len(requested) < 2
        or _DAY.search(said)
        or (in_order and len({one[:10] for one in starts}) < 2)
    ):
        return
    yield ASK_DAY


def _not_kept(asked: Understood, answers: Sequence[Answered]) -> Iterator[str]:
    """Yield what is to be kept, forgotten or told of the user, and was not."""
    settings = asked.request.settings
    outputs = [one for each in answers if each.tool == PREFERENCES for one in outputs_of(each.data)]
    sent: Row = {}
    for one in outputs:
        sent |= (one.get(SENT) or {}) if one.get("tool") == SET else {}
    left = exceeding(settings_arguments(settings), sent)
    if left:
        yield f"Not kept or forgotten as asked: {', '.join(left)}."
    if settings.show and not outputs:
        yield "The defaults have not been looked up."


def _not_planned(asked: Understood, number: int) -> str:
    """Of a trip for which nothing came back: what is missing of it, or that it is not planned."""
    trip = asked.trips[number]
    begin, end = _place(trip.get("starting_point")), _place(trip.get("destination"))
    if not begin and not number and not asked.joins:
        return ASK_BEGIN.format(end)
    return f"The trip {f'from {begin} ' if begin else ''}to {end} is not planned."


def _place(name: JsonValue) -> str:
    """A place as the user named it; what is longer than names are is quoted, and cut."""
    shown = safe_name(str(name or ""), _LONGEST_PLACE)
    return shown if len(shown) <= _LONGEST_PLACE // 2 else f"“{shown}”"


def _of_outputs(outputs: Sequence[Row]) -> Iterator[str]:
    """The words of outputs, and where their files are."""
    for output in outputs:
        said = answered(output)
        if said:
            yield said
        path = output.get("path")
        if isinstance(path, str) and path not in said:
            yield f"It is in {path}."


def _planned(found: Checked) -> Iterator[str]:
    """Yield what the planner returned: questions first, then each trip, then what it assumed.

    What holds for all of them is said once.
    """
    plans = [one for one in found.outputs if one.get("tool") == PLAN]
    yield from asked_places([option for one in plans for option in rows(one, "options")])
    for output in found.told:
        if REFUSED in output:
            yield _refused(output)
        elif output.get("tool") == PLAN:
            yield from trip_lines(output)
        elif said := answered(output):
            yield said
    yield from beside(plans)


def _refused(call: Row) -> str:
    """Why the planner returned no trip."""
    sent: Row = call.get(SENT) or {}
    end = _place(sent.get("destination")) if call.get("tool") == PLAN else ""
    why = str(call[REFUSED])
    if end and _NO_BEGINNING in why:
        return ASK_BEGIN.format(end)
    named = _NOT_KEPT.search(why)
    if named is not None:
        name = named[1].removeprefix("my ")
        return f"Where is {named[1]}? Say, for example, “my {name} is Angel”."
    why = _PARAMETER.sub("", why)
    return f"The trip to {end} is not planned: {why}" if end else why


def _requested(found: Checked) -> list[JsonValue]:
    """The arguments of the trips, as they were sent, so that a later turn can change them."""
    sent = [one.sent for _, one in sorted(found.trips.items()) if one.sent.get("destination")]
    return [{key: value for key, value in one.items() if key != "journey_id"} for one in sent]


def _short(journey: Row) -> dict[str, JsonValue]:
    kept = (
        "journey_id",
        "journey_index",
        "trip",
        "unsettled",
        "from",
        "to",
        "via",
        "asked_to",
        "source",
        "plans",
        "conditions",
        "step_free_stops",
        "error",
    )
    return {key: journey[key] for key in kept if journey.get(key) not in (None, "")}


def _without_long(output: Row) -> dict[str, JsonValue]:
    """An output without what can be had by its path or index."""
    return {
        key: value for key, value in output.items() if key not in (SENT, "ics", "legs", "steps")
    }
