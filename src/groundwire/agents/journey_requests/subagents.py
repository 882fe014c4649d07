"""Prompts from the router to the agents below it, and what these agents hand back.

A prompt is a sentence and the values that it stands for; the values go along as a block, so that
none is lost between two models. An agent hands back the output of its tools and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import ArtefactKind, Question, Settings
from groundwire.agents.journey_requests.names import is_same_place
from groundwire.agents.journey_requests.settings import read_settings
from groundwire.agents.runtime.contract import Evidence, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.evidence_guard import NOTHING_KNOWN
from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.wishes.reading import read_wishes, shown
from groundwire.vocabulary import fold

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
Row = dict[str, Any]
PLAN = "compute_journey_plans"
SENT = "arguments"
"""In an output: what was sent to its tool."""
REFUSED = "refused"
"""In the place of an output: why its tool refused."""
DONE = "The tools have answered."
"""How rules end a run whose answer is made of what its tools returned."""
_LEFT_OUT = frozenset({"credit"})
SET, GET = "set_default_journey_parameters", "get_default_journey_parameters"
NOTHING_CHANGED = "Nothing was changed: the request does not ask to keep or forget this ({})."
ASK = "Ask the user what is to be kept."
_ALL = "all"


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


@dataclass(frozen=True, slots=True)
class OutputGuard:
    """Returns what the tools answered; of the draft nothing passes, whatever it says.

    Attributes:
        result_from: makes the result, `answer` first, from what the tools of a run answered.
    """

    result_from: Callable[[Evidence], dict[str, JsonValue]]

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Return what the tools answered; of the draft nothing is repeated."""
        return Verdict(self.result_from(evidence))


def result_of(
    outputs: Sequence[Row], refused: Sequence[str] = (), lines: Sequence[str] = ()
) -> dict[str, JsonValue]:
    """The result of an agent that returns what its tools answered.

    Args:
        outputs: what they answered, each as `output_of` has it.
        refused: what they refused, in their words.
        lines: what is to be said beside it.
    """
    said = [sentence for one in outputs if (sentence := answered(one))]
    told = dict.fromkeys((*said, *refused, *lines))
    result: dict[str, JsonValue] = {"answer": "\n".join(told) or NOTHING_KNOWN}
    if outputs:
        result["outputs"] = list(outputs)
    if refused:
        result["refused"] = list(refused)
    return result


def refused_rows(evidence: Evidence) -> list[Row]:
    """Return the last few refusals of tools that nothing came of afterwards."""
    made = {one.tool for one in evidence.answers if not one.is_error}
    left = [one for one in evidence.answers if one.is_error and one.tool not in made]
    return [
        {"tool": one.tool, SENT: dict(one.arguments), REFUSED: one.refusal} for one in left[-3:]
    ]


def answered(output: Row) -> str:
    """The words of an answer that can be shown: the text of a plan, else its sentence."""
    for key in ("text", "answer"):
        said = output.get(key)
        if isinstance(said, str) and said.strip():
            return said.strip()
    return ""


def outputs_made(evidence: Evidence) -> list[Row]:
    """The outputs of a run, in the order of its calls."""
    return [output_of(one) for one in evidence.answers if not one.is_error]


def output_of(one: ToolAnswer) -> dict[str, JsonValue]:
    """An answer of a tool as agents return it: what was sent, and all that came back."""
    data = {key: value for key, value in one.data.items() if key not in _LEFT_OUT}
    return {"tool": one.tool, SENT: dict(one.arguments), **data}


def rows(tree: Mapping[str, Any], key: str) -> list[Row]:
    """The objects of a list in an answer; none where it has no such list."""
    listed = tree.get(key)
    found = cast("list[object]", listed) if isinstance(listed, list) else []
    return [cast("Row", one) for one in found if isinstance(one, dict)]


def texts(tree: Mapping[str, Any], key: str) -> list[str]:
    """The items of a list in an answer as texts; none where it has no such list."""
    listed = tree.get(key)
    return [str(one) for one in cast("list[object]", listed)] if isinstance(listed, list) else []


def outputs_of(data: Mapping[str, JsonValue]) -> list[Row]:
    """The outputs of tools in what an agent returned."""
    result = data.get("result")
    return rows(result, "outputs") if isinstance(result, dict) else []


def refusals_of(data: Mapping[str, JsonValue]) -> list[str]:
    """Why an agent has no output: what its tools refused, or how it failed."""
    result = data.get("result")
    if isinstance(result, dict):
        listed = result.get("refused")
        if isinstance(listed, list):
            return [str(one) for one in listed]
    error = data.get("error")
    if isinstance(error, dict):
        return [str(error.get("message", "it failed"))]
    return []


def own_places(outputs: Iterable[Row]) -> dict[str, str]:
    """The places that a user has named, as far as outputs tell them: name and value."""
    found: dict[str, str] = {}
    for output in outputs:
        found |= {str(one.get("name")): str(one.get("value")) for one in rows(output, "places")}
        named = (one for one in rows(output, "corrections") if one.get("how") == "named")
        found |= {str(one.get("raw")): str(one.get("resolved")) for one in named}
    return found


def settings_call(prompt: str) -> tuple[str, dict[str, JsonValue]]:
    """The call that a prompt asks for, by its values or else by its words."""
    for name, value in values_of(prompt).items():
        if isinstance(value, dict):
            return name, value
    arguments = settings_arguments(read_settings(sentence_of(prompt), alone=True).settings)
    return (SET, arguments) if arguments else (GET, {})


def exceeding(sent: Mapping[str, JsonValue], asked: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Names of what is sent and was not asked for.

    Args:
        sent: arguments that would change the defaults.
        asked: the arguments that the user's words ask for.
    """
    forgotten = {fold(name) for name in _texts_sent(asked.get("reset"))}
    beyond: list[str] = []
    for name, value in sent.items():
        if name == "reset":
            gone = {fold(one) for one in _texts_sent(value)}
            within = _ALL in forgotten or gone <= forgotten
        elif name == "places":
            kept = asked.get("places")
            within = _places_within(value, kept if isinstance(kept, dict) else {}, forgotten)
        else:
            within = value in (None, "", []) or _option(name, value) == _option(
                name, asked.get(name)
            )
        beyond += [] if within else [name]
    return tuple(beyond)


def _places_within(sent: JsonValue, asked: Mapping[str, JsonValue], forgotten: set[str]) -> bool:
    """Whether each place is one that was asked for; one without a value is forgotten."""
    known = {fold(name): str(value) for name, value in asked.items()}
    places = sent if isinstance(sent, dict) else {}
    return all(
        is_same_place(known[fold(name)], str(value))
        if value and fold(name) in known
        else not value and (fold(name) in forgotten or _ALL in forgotten)
        for name, value in places.items()
    )


def _option(name: str, value: JsonValue) -> object:
    """The value of an option in the planner's own spelling, so that "buses" is bus."""
    if value is None:
        return None
    try:
        read = shown(read_wishes({name: value}, datetime.now(LONDON), defaults=True).given)
    except InputError:
        return value
    return {key: sorted(cast("list[str]", one)) if isinstance(one, list) else one
            for key, one in read.items()}  # fmt: skip


def _texts_sent(value: JsonValue) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value] if value else [])]
