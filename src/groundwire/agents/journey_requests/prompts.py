"""Prompts from the router to the agents below it: a sentence, and the values that it stands for.

The values go along as a block, so that none is lost between two models.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import ArtefactKind, Question, Settings

BLOCK = "=== Variable values ==="
_STATUS = "Tell how these run now: "
_STATUS_ON = "Tell how these run ({}): "
_ASKED = {
    "mode": "by",
    "avoid_modes": "not by",
    "avoid_lines": "without the line",
    "only_lines": "only by the line",
    "avoid_stops": "not via",
    "avoid_changes": "not changing at",
    "journey_preference": "with",
    "accessibility_preference": "with",
}


def with_values(sentence: str, values: Mapping[str, JsonValue]) -> str:
    """A prompt of a sentence and its values."""
    return f"{sentence}\n\n{BLOCK}\n{json.dumps(dict(values), ensure_ascii=False)}"


def values_of(prompt: str) -> dict[str, JsonValue]:
    """Return the values in the JSON block of a prompt; empty without such a block."""
    _, mark, block = prompt.partition(BLOCK)
    if not mark:
        return {}
    try:
        found, _ = json.JSONDecoder().raw_decode(block.strip())
    except ValueError:
        return {}
    return cast("dict[str, JsonValue]", found) if isinstance(found, dict) else {}


def sentence_of(prompt: str) -> str:
    """A prompt without its values."""
    return prompt.partition(BLOCK)[0].strip()


def trip_prompt(arguments: Mapping[str, JsonValue]) -> str:
    """Return the prompt that asks the planner for a trip."""
    said = ["Plan a journey"]
    begins = arguments.get("starting_point")
    if begins:
        said.append(f"from {begins}")
    said.append(f"to {arguments['destination']}")
    if arguments.get("via"):
        said.append(f"via {arguments['via']}")
    when = " ".join(str(arguments[key]) for key in ("date", "time") if arguments.get(key))
    if when:
        said.append(f"({when}, {arguments.get('time_is', 'departing')})")
    for name, word in _ASKED.items():
        value = arguments.get(name)
        if value:
            told = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            said.append(f"{word} {told}")
    if not begins and arguments.get("journey_id"):
        said.append("from where the journeys before it end")
    return with_values(" ".join(said) + ".", {"compute_journey_plans": dict(arguments)})


def question_prompt(question: Question) -> str:
    """Return the prompt that asks the planner about the network."""
    arguments = dict(question.arguments)
    named = [*_texts(arguments.get("lines")), *_texts(arguments.get("modes"))]
    day = arguments.get("date")
    sentence = {
        "get_line_status": (_STATUS if not day else _STATUS_ON.format(day))
        + (", ".join(named) or "all lines"),
        "get_arrivals": f"Tell the next services at {arguments.get('stop', '')}"
        + (f" ({arguments['when']})" if arguments.get("when") else ""),
        "find_stops": f"Find stops called {arguments.get('query', '')}",
    }[question.tool]
    return with_values(f"{sentence}.", {question.tool: arguments})


def settings_prompt(settings: Settings) -> str:
    """Return the prompt for the agent of preferences."""
    if not (settings.places or settings.options or settings.forget):
        return with_values("Tell my defaults and places.", {"get_default_journey_parameters": {}})
    said = [f"my {name} is {value}" for name, value in settings.places.items()]
    said += [f"{name} is {_told(value)}" for name, value in settings.options.items()]
    sentence = f"Remember that {' and '.join(said)}." if said else ""
    if settings.forget:
        sentence = f"{sentence} Forget {', '.join(settings.forget)}.".strip()
    return with_values(sentence, {"set_default_journey_parameters": settings_arguments(settings)})


def settings_arguments(settings: Settings) -> dict[str, JsonValue]:
    """The arguments that keep and forget what settings say."""
    arguments: dict[str, JsonValue] = dict(settings.options)
    if settings.places:
        arguments["places"] = dict(settings.places)
    if settings.forget:
        arguments["reset"] = list(settings.forget)
    return arguments


def artefact_prompt(kinds: tuple[ArtefactKind, ...], options: Mapping[str, JsonValue]) -> str:
    """Return the prompt for the agent of artefacts."""
    names = {"map": "draw the map", "calendar": "write the calendar file", "text": "describe it"}
    sentence = f"Of this plan, {' and '.join(names[kind] for kind in kinds)}."
    return with_values(sentence, {"kinds": list(kinds), **options})


def _texts(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _told(value: JsonValue) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
