"""The way of a request through the agents: preferences, then questions, trips, artefacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from groundwire.agents.journey_requests.binding import time_after
from groundwire.agents.journey_requests.model import Artefacts
from groundwire.agents.journey_requests.outputs import PLAN, outputs_of, rows
from groundwire.agents.journey_requests.prompts import (
    artefact_prompt,
    question_prompt,
    settings_prompt,
    trip_prompt,
)
from groundwire.agents.journey_router_agent.carried_out import (
    ARTEFACTS,
    PLANNER,
    PREFERENCES,
    carried_out,
)
from groundwire.agents.journey_router_agent.conversation import understood
from groundwire.agents.journey_router_agent.understanding import (
    Row,
    Understood,
    chosen_journeys,
    counted,
)
from groundwire.agents.runtime.model import Answered, Task

Call = tuple[str, dict[str, JsonValue]]


def next_calls(task: Task, answers: Sequence[Answered]) -> list[Call]:
    """The calls that come next; none when everything has been done.

    Trips are planned one after the other, since each may begin where the one before ends.
    """
    asked = understood(task)
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
    return artefact_calls(
        request.artefacts, at_hand(asked, carried_out(task, asked, answers).journeys)
    )


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
    outputs = [one for answer in planned_by[-1:] for one in outputs_of(answer.data)]
    journeys = [journey for one in outputs for journey in rows(one, "journeys")] if stay else []
    plans = [plan for one in journeys for plan in rows(one, "plans")[:1]]
    if not plans:
        return {}
    return time_after(datetime.fromisoformat(str(plans[0]["arrival"])), stay)


def _clear(output: Mapping[str, Any]) -> bool:
    """Whether a trip was planned to one end."""
    return bool(output.get("journeys")) and not output.get("options")


def at_hand(asked: Understood, journeys: Sequence[Row]) -> list[Row]:
    """The journeys that artefacts may be wanted of.

    Those of this request, or if it asks for no trip those of the turn before; a journey that is
    named by its place is counted among all journeys of the day.
    """
    wanted = asked.request.artefacts
    named = wanted is not None and (
        wanted.journey is not None or bool(wanted.towards) or wanted.whole_day or wanted.every
    )
    if asked.trips and not (named and asked.joins):
        return list(journeys)
    if wanted is not None and wanted.every and not wanted.whole_day:
        rows_of_all = [{"journey_id": asked.held.journey_id, **one} for one in asked.held.every]
        return counted([*rows_of_all, *(journeys if asked.trips else ())])
    held = asked.held.day if named else asked.held.journeys
    rows_held = [{"journey_id": asked.held.journey_id, **one} for one in held]
    return counted([*rows_held, *journeys])


def artefact_calls(wanted: Artefacts, journeys: Sequence[Row]) -> list[Call]:
    """One call for each journey that is meant, or one of a whole day and its texts."""
    options: dict[str, JsonValue] = {}
    if wanted.alarm_minutes is not None:
        options["alarm_minutes"] = wanted.alarm_minutes
    if wanted.per_leg:
        options["per_leg"] = True
    options |= wanted.repeats
    if wanted.browser:
        options["browser_display"] = True
    if wanted.whole_day:
        options["whole_day"] = True
    kinds = wanted.kinds
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
        prompt = artefact_prompt(kinds, options)
        calls.append((ARTEFACTS, {"input_prompt": prompt, "input_structured": which}))
        if wanted.whole_day:
            kinds = ("text",) if "text" in kinds else ()
        if not kinds:
            break
    return calls


def plan_index(wanted: Artefacts, journey: Row) -> int | None:
    """The plan of a journey that is meant; None where it has no such plan."""
    plans = rows(journey, "plans")
    at = wanted.plan if wanted.plan is not None else 0
    at = len(plans) + at if at < 0 else at
    if not 0 <= at < len(plans):
        return None
    return int(plans[at].get("plan_index", at))
