"""The router's answer, made of what the agents below it returned and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import JsonValue

from groundwire.agents.journey_requests.driving import Answered, Task
from groundwire.agents.journey_requests.outputs import outputs_of, refusals_of, rows, texts
from groundwire.agents.journey_requests.prompts import values_of
from groundwire.agents.journey_requests.reading import ASK_END, ASK_WHERE
from groundwire.agents.journey_router_agent.conversation import (
    Row,
    Understood,
    chosen_journeys,
    understood,
)
from groundwire.agents.journey_router_agent.route import (
    ARTEFACTS,
    PLAN,
    PLANNER,
    PREFERENCES,
    plan_index,
    planned,
)
from groundwire.vocabulary import fold

DECLINE = (
    "I only plan journeys in London: trips with their times, maps, calendar entries and "
    "directions, your travel preferences, and how lines run now."
)
_MOST_NAMED = 6


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
    elif asked.held.journey_id:
        # What was planned before stays known to the conversation.
        result |= {
            "journey_id": asked.held.journey_id,
            "journeys": list(asked.held.journeys),
            "requested": list(asked.held.requested),
        }
        if asked.held.options:
            result["options"] = list(asked.held.options)
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
    for one in answers:
        if one.tool == PLANNER:
            yield from _planner(one)
    for one in answers:
        if one.tool == ARTEFACTS:
            yield from _said(one)
    yield from _missing(asked, answers)
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


def _planner(one: Answered) -> Iterator[str]:
    """What the planner returned: journeys, or what it told of the network."""
    outputs = outputs_of(one.data)
    for output in outputs:
        if output.get("tool") == PLAN:
            yield from _journeys(output)
        elif isinstance(output.get("answer"), str):
            yield str(output.get("text") or output["answer"]).strip()
    refused = refusals_of(one.data)
    if refused:
        sent = values_of(str(one.arguments.get("input_prompt", ""))).get(PLAN)
        end = sent.get("destination") if isinstance(sent, dict) else None
        lead = f"The trip to {end} is not planned: " if end else ""
        yield lead + " ".join(refused)
    elif not outputs:
        yield one.text if one.is_error else "The planner gave no answer."


def _journeys(output: Row) -> Iterator[str]:
    options = rows(output, "options")
    if not options:
        yield str(output.get("answer", "")).strip()
    else:
        yield from _asked_places(options)
        for journey in rows(output, "journeys"):
            yield _journey(journey) if rows(journey, "plans") else _unplanned(journey)
    for journey in rows(output, "journeys"):
        first = next(iter(rows(journey, "plans")), Row())
        for trouble in rows(first, "disruptions"):
            way = f" {trouble['alternative']}" if trouble.get("alternative") else ""
            yield f"Mind: {trouble['line']}: {trouble['reason']}{way}"
    for note in texts(output, "notes"):
        # That times are estimates is said of each journey already.
        if not note.startswith("Times are estimates"):
            yield note
    if assumed := texts(output, "assumptions"):
        yield "Assumed: " + "; ".join(one.rstrip(".") for one in assumed) + "."
    for one in rows(output, "corrections"):
        if one.get("how") not in ("named", "code") and not _same(one):
            yield f"“{one['raw']}” was read as {one['resolved']}."


def _asked_places(options: Sequence[Row]) -> Iterator[str]:
    """A question for each name that may mean several places."""
    for raw in dict.fromkeys(str(one.get("raw", "")) for one in options):
        names = [str(one.get("name", "")) for one in options if str(one.get("raw", "")) == raw]
        yield f"Which place is meant by “{raw}”: {_either(names[:_MOST_NAMED])}?"


def _journey(journey: Row) -> str:
    """The first plan of a journey in one sentence."""
    plan = rows(journey, "plans")[0]
    lines = ", ".join(dict.fromkeys(texts(plan, "lines")))
    by = f", by {lines}" if lines else ""
    estimated = " (estimated)" if journey.get("source") == "offline_estimate" else ""
    return (
        f"{journey['from']} to {journey['to']}: leaves at {_clock(plan['start'])}, arrives at "
        f"{_clock(plan['arrival'])} ({plan['duration_minutes']} minutes){by}{estimated}."
    )


def _same(correction: Row) -> bool:
    """Whether a correction only leaves out an article or a mark."""
    raw = str(correction.get("raw", "")).lower().removeprefix("the ")
    return fold(raw) == fold(str(correction.get("resolved", "")))


def _unplanned(journey: Row) -> str:
    why = journey.get("error") or "no plan was found."
    return f"{journey.get('from')} to {journey.get('to')}: {why}"


def _clock(moment: Any) -> str:
    return str(moment)[11:16]


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
        ends = _either([f"{one['from']} to {one['to']}" for one in journeys])
        yield f"Which journey is meant: {ends}?"
    elif all(plan_index(wanted, one) is None for one in meant):
        counts = _either([str(len(rows(one, "plans"))) for one in meant])
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


def _either(names: Sequence[str]) -> str:
    *others, last = names or [""]
    return f"{', '.join(others)} or {last}" if others else last
