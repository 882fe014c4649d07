"""The way of a request through the agents: preferences, then questions, trips, artefacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import JsonValue

from groundwire.agents.journey_requests.driving import Answered
from groundwire.agents.journey_requests.model import Artefacts
from groundwire.agents.journey_requests.outputs import outputs_of, rows
from groundwire.agents.journey_requests.prompts import (
    artefact_prompt,
    question_prompt,
    settings_prompt,
    trip_prompt,
    values_of,
)
from groundwire.agents.journey_router_agent.conversation import chosen_journeys
from groundwire.agents.journey_router_agent.understanding import Row, Understood

PREFERENCES = "journey_preferences_agent"
PLANNER = "journey_planner_agent"
ARTEFACTS = "journey_artefacts_agent"
PLAN = "compute_journey_plans"
Call = tuple[str, dict[str, JsonValue]]


def next_calls(asked: Understood, answers: Sequence[Answered]) -> list[Call]:
    """The calls that come next; none when everything has been done.

    Trips are planned one after the other, since each may begin where the one before ends.
    """
    of = {name: [one for one in answers if one.tool == name] for name in (PREFERENCES, PLANNER)}
    request = asked.request
    if request.settings and not of[PREFERENCES]:
        return [(PREFERENCES, {"input_prompt": settings_prompt(request.settings)})]
    if asked.asks:
        return []
    done = len(of[PLANNER])
    questions = request.questions
    if done < len(questions):
        return [(PLANNER, {"input_prompt": question_prompt(one)}) for one in questions[done:]]
    number = done - len(questions)
    if number < len(asked.trips):
        return [(PLANNER, {"input_prompt": trip_prompt(_trip(asked, number, of[PLANNER]))})]
    if request.artefacts is None or any(one.tool == ARTEFACTS for one in answers):
        return []
    return _artefacts(request.artefacts, planned(answers) or _held(asked))


def _trip(asked: Understood, number: int, planned_by: Sequence[Answered]) -> dict[str, JsonValue]:
    """The arguments of a trip, with the journeys that it belongs to."""
    made = dict(asked.trips[number])
    held = asked.joins
    reached = bool(held)
    for one in planned_by[len(asked.request.questions) :]:
        outputs = [output for output in outputs_of(one.data) if output.get("tool") == PLAN]
        reached = any(_clear(output) for output in outputs)
        held = next((str(o["journey_id"]) for o in outputs if o.get("journey_id")), held)
    if held:
        made["journey_id"] = held
    made |= _after_a_stay(asked, number, planned_by)
    if "starting_point" not in made and number and not reached:
        # The trip before has no one end to begin at, so its own words say where this one begins.
        made["starting_point"] = asked.trips[number - 1].get("destination", "")
    return made


def _after_a_stay(
    asked: Understood, number: int, planned_by: Sequence[Answered]
) -> dict[str, JsonValue]:
    """When a trip begins after a stay where the one before ended; nothing where none was said."""
    said = asked.request.trips
    stay = said[number].stay if number < len(said) else 0
    before = planned(planned_by[-1:]) if stay else []
    plans = [plan for one in before for plan in rows(one, "plans")[:1]]
    if not plans:
        return {}
    when = datetime.fromisoformat(str(plans[0]["arrival"])) + timedelta(minutes=stay)
    return {"date": when.date().isoformat(), "time": f"{when:%H:%M}", "time_is": "departing"}


def _clear(output: Mapping[str, Any]) -> bool:
    """Whether a trip was planned to one end."""
    return bool(output.get("journeys")) and not output.get("options")


def planned(answers: Sequence[Answered]) -> list[Row]:
    """The journeys of this run, each with its handle."""
    found: list[Row] = []
    for one in answers:
        if one.tool != PLANNER:
            continue
        sent = values_of(str(one.arguments.get("input_prompt", ""))).get(PLAN)
        asked_to = sent.get("destination", "") if isinstance(sent, dict) else ""
        for output in outputs_of(one.data):
            if output.get("tool") != PLAN:
                continue
            for journey in rows(output, "journeys"):
                beside = {"journey_id": output.get("journey_id"), "asked_to": asked_to}
                found.append({**beside, **journey, "unsettled": bool(output.get("options"))})
    return found


def _held(asked: Understood) -> list[Row]:
    return [{"journey_id": asked.held.journey_id, **one} for one in asked.held.journeys]


def _artefacts(wanted: Artefacts, journeys: Sequence[Row]) -> list[Call]:
    """One call for each journey that is meant."""
    options: dict[str, JsonValue] = {}
    if wanted.alarm_minutes is not None:
        options["alarm_minutes"] = wanted.alarm_minutes
    if wanted.per_leg:
        options["per_leg"] = True
    if wanted.browser:
        options["browser_display"] = True
    calls: list[Call] = []
    for journey in chosen_journeys(wanted, journeys):
        plan = plan_index(wanted, journey)
        if plan is None:
            continue
        which: dict[str, JsonValue] = {
            "journey_id": journey["journey_id"],
            "journey_index": journey["journey_index"],
            "plan_index": plan,
        }
        prompt = artefact_prompt(wanted.kinds, options)
        calls.append((ARTEFACTS, {"input_prompt": prompt, "input_structured": which}))
    return calls


def plan_index(wanted: Artefacts, journey: Row) -> int | None:
    """The plan of a journey that is meant; None where it has no such plan."""
    plans = rows(journey, "plans")
    at = wanted.plan if wanted.plan is not None else 0
    at = len(plans) + at if at < 0 else at
    if not 0 <= at < len(plans):
        return None
    return int(plans[at].get("plan_index", at))
