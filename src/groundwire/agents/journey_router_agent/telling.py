"""The router's answer, made of what the agents below it returned and of nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.driving import Answered, Task
from groundwire.agents.journey_requests.outputs import outputs_of, refusals_of, rows
from groundwire.agents.journey_requests.prompts import values_of
from groundwire.agents.journey_requests.reading import ASK_END, ASK_WHERE
from groundwire.agents.journey_router_agent.conversation import chosen_journeys, understood
from groundwire.agents.journey_router_agent.plan_lines import (
    asked_places,
    beside,
    either,
    has_fares,
    recounted,
    trip_lines,
)
from groundwire.agents.journey_router_agent.route import (
    ARTEFACTS,
    PLAN,
    PLANNER,
    PREFERENCES,
    plan_index,
    planned,
)
from groundwire.agents.journey_router_agent.understanding import Row, Understood

DECLINE = (
    "I only plan journeys in London: trips with their times, maps, calendar entries and "
    "directions, your travel preferences, and how lines run now."
)
# How the planner says that a trip begins nowhere.
_NO_BEGINNING = "starting_point is missing"
_NOT_KEPT = re.compile(r"no place is stored under the name '([^']+)'")
_PARAMETER = re.compile(r"^(?:starting_point|destination|via): ")


def told(task: Task, answers: Sequence[Answered]) -> dict[str, JsonValue]:
    """The result of a run: `answer`, and what it is made of."""
    asked = understood(task)
    lines = list(_lines(asked, answers))
    journeys = planned(answers)
    result: dict[str, JsonValue] = {"answer": "\n".join(dict.fromkeys(lines)) or DECLINE}
    requested = _requested(answers)
    if journeys or requested:
        held = [str(one["journey_id"]) for one in journeys if one.get("journey_id")]
        result |= {"journey_id": held[-1]} if held else {}
        result |= {"journeys": [_short(one) for one in journeys], "requested": requested}
        if options := _options(answers):
            result["options"] = options
            if asked.request.artefacts is not None:
                made = asked.request.artefacts
                kinds: list[JsonValue] = list(made.kinds)
                result["wanted"] = {
                    "kinds": kinds,
                    "plan": made.plan,
                    "alarm_minutes": made.alarm_minutes,
                }
    elif asked.held.journey_id:
        # What was planned before stays known to the conversation.
        result |= {
            "journey_id": asked.held.journey_id,
            "journeys": list(asked.held.journeys),
            "requested": list(asked.held.requested),
        }
        if asked.held.options:
            result["options"] = list(asked.held.options)
    if asked.set_aside:
        result["set_aside"] = True
    if asked.asks in (ASK_END, ASK_WHERE) and len(asked.request.trips) <= 1:
        said = asked.request.trips[0].arguments() if asked.request.trips else asked.request.wishes
        result["pending"] = {**said}
    others = [one for answer in answers for one in outputs_of(answer.data) if one["tool"] != PLAN]
    if others:
        result["outputs"] = [_without_long(one) for one in others]
    return result


def _lines(asked: Understood, answers: Sequence[Answered]) -> Iterator[str]:
    """The sentences of the answer, in the order in which they matter."""
    for one in answers:
        if one.tool == PREFERENCES:
            yield from _said(one)
    yield from _planned([one for one in answers if one.tool == PLANNER])
    for one in answers:
        if one.tool == ARTEFACTS:
            yield from _said(one)
    yield from _missing(asked, answers)
    if asked.recounts:
        yield from recounted(asked.held.journeys)
        if asked.recounts == "fares" and not has_fares(asked.held.journeys):
            yield "No fare of these plans is known."
    if asked.request.foreign and not asked.trips:
        yield DECLINE
        return
    yield from asked.request.notes
    if asked.request.unread and (answers or asked.request.trips):
        words = ", ".join(f"“{one}”" for one in asked.request.unread)
        yield f"Not taken into account: {words}."
    if asked.asks:
        yield asked.asks


def _said(one: Answered) -> Iterator[str]:
    for output in outputs_of(one.data):
        said = output.get("text") or output.get("answer")
        if isinstance(said, str):
            yield said.strip()
        path = output.get("path")
        if isinstance(path, str) and path not in str(said):
            yield f"It is in {path}."
    yield from refusals_of(one.data)


def _planned(answers: Sequence[Answered]) -> Iterator[str]:
    """What the planner returned: questions first, then each trip, then what was taken for granted.

    What holds for all of them is said once.
    """
    outputs = [one for answer in answers for one in outputs_of(answer.data)]
    plans = [one for one in outputs if one.get("tool") == PLAN]
    yield from asked_places([option for one in plans for option in rows(one, "options")])
    for one in answers:
        for output in outputs_of(one.data):
            if output.get("tool") == PLAN:
                yield from trip_lines(output)
            elif isinstance(output.get("answer"), str):
                yield str(output.get("text") or output["answer"]).strip()
        yield from _refused(one)
    yield from beside(plans)


def _refused(one: Answered) -> Iterator[str]:
    """Why the planner returned no trip."""
    refused = refusals_of(one.data)
    if refused:
        sent = values_of(str(one.arguments.get("input_prompt", ""))).get(PLAN)
        end = sent.get("destination") if isinstance(sent, dict) else None
        if end and any(_NO_BEGINNING in why for why in refused):
            yield f"Where does the trip to {end} begin?"
            return
        named = [one[1] for why in refused for one in _NOT_KEPT.finditer(why)]
        if named:
            yield f"Where is {named[0]}? Say, for example, “my {named[0]} is Angel”."
            return
        refused = [_PARAMETER.sub("", why) for why in refused]
        lead = f"The trip to {end} is not planned: " if end else ""
        yield lead + " ".join(refused)
    elif not outputs_of(one.data):
        yield one.text if one.is_error else "The planner gave no answer."


def _missing(asked: Understood, answers: Sequence[Answered]) -> Iterator[str]:
    """What was wanted of journeys or plans that are not there."""
    wanted = asked.request.artefacts
    if wanted is None or asked.asks or any(one.tool == ARTEFACTS for one in answers):
        return
    journeys = planned(answers) or list(asked.held.journeys)
    meant = chosen_journeys(wanted, journeys)
    if not journeys:
        return
    if any(one.get("unsettled") for one in journeys):
        yield "What was asked for beside the plan can be made when the place is clear."
    elif not any(rows(one, "plans") for one in journeys):
        return
    elif not meant:
        ends = either([f"{one['from']} to {one['to']}" for one in journeys])
        yield f"Which journey is meant: {ends}?"
    elif all(plan_index(wanted, one) is None for one in meant):
        counts = either([str(len(rows(one, "plans"))) for one in meant])
        yield f"There is no such plan: the journey has {counts}."


def _requested(answers: Sequence[Answered]) -> list[JsonValue]:
    """The arguments of the trips, as they were sent, so that a later turn can change them."""
    found: list[JsonValue] = []
    for one in answers:
        if one.tool == PLANNER:
            sent = values_of(str(one.arguments.get("input_prompt", ""))).get(PLAN)
            if isinstance(sent, dict):
                found.append({key: value for key, value in sent.items() if key != "journey_id"})
    return found


def _options(answers: Sequence[Answered]) -> list[JsonValue]:
    return [
        option
        for one in answers
        if one.tool == PLANNER
        for output in outputs_of(one.data)
        for option in rows(output, "options")
    ]


def _short(journey: Row) -> dict[str, JsonValue]:
    kept = (
        "journey_id",
        "journey_index",
        "from",
        "to",
        "via",
        "asked_to",
        "source",
        "plans",
        "error",
    )
    return {key: journey[key] for key in kept if journey.get(key) not in (None, "")}


def _without_long(output: Row) -> dict[str, JsonValue]:
    """An output without what can be had by its path or index."""
    return {key: value for key, value in output.items() if key not in ("ics", "legs", "steps")}
