"""The agent's own rules: a question, read into one call of submit_slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.ontology_search_agent.differences import slots_of
from groundwire.agents.ontology_search_agent.function_words import EACH_KIND
from groundwire.agents.ontology_search_agent.reading import Reading, read_question
from groundwire.agents.ontology_search_agent.rephrasing import counts_kinds, rephrased
from groundwire.agents.ontology_search_agent.scopes import Slots
from groundwire.agents.ontology_search_agent.vocabulary import CURRENT
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)

# Kinds of asset that are counted one by one.
_MOST_COUNTED = 6


def build_rules() -> RulesModel:
    """The model that searches without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Submit what the question says, once; a question of nothing known lists what there is."""
    if any(isinstance(part, ToolResultPart) for part in messages[-1].parts):
        return saying("The tools have answered.")
    vocabulary = CURRENT.get()
    offered = {tool.name for tool in tools}
    if vocabulary is None or "submit_slots" not in offered:
        return saying("The catalogue cannot be searched.")
    asked = rephrased(_question(messages))
    reading = read_question(asked.text, vocabulary, _known(messages))
    kinds = reading.slots.get("domains", [])
    if asked.compares and not reading.count_by and len(kinds) < 2:
        # Which of two has more is told by counting both.
        filters = reading.slots.get("filters", {})
        several = [key for key, value in filters.items() if _has_several(value)] or [*filters]
        reading = replace(reading, count_by=several[0] if len(several) == 1 else "")
    if asked.place > 1 and reading.sort:
        reading = replace(reading, limit=asked.place)
    if reading.look is not None and reading.look.tool in offered:
        sent = cast("Mapping[str, JsonValue]", reading.look.arguments or {})
        looks = [(reading.look.tool, sent)]
        if "search" in sent:
            # What there is instead is told with it.
            looks.append((reading.look.tool, {}))
        return calling(*looks, thought="Looks up what the catalogue has.")
    if reading.slots:
        sure = reading.unconditioned() if reading.lacks_condition else reading
        arguments = cast("Mapping[str, JsonValue]", sure.arguments())
        sent = {**arguments, "interpretation": _interpretation(reading)}
        calls: list[tuple[str, Mapping[str, JsonValue]]] = [("submit_slots", sent)]
        counts = counts_kinds(asked.text) or EACH_KIND.search(asked.text)
        if 1 < len(kinds) <= _MOST_COUNTED and counts and not sure.gaps:
            # The number of each kind is told beside that of all.
            slots = cast("Mapping[str, JsonValue]", sure.slots)
            of_kinds = [cast("JsonValue", {**slots, "domains": [one]}) for one in kinds]
            calls += [("submit_slots", {"slots": one}) for one in of_kinds]
        return calling(*calls, thought="Reads the question into slots.")
    if "discover_domains" in offered:
        return calling(
            ("discover_domains", {}), thought="The question names nothing that is known."
        )
    return saying("The question names nothing that is known.")


def _has_several(value: object) -> bool:
    """Whether a filter takes any of several values."""
    if isinstance(value, Mapping):
        value = cast("Mapping[str, object]", value).get("any_of")
    return isinstance(value, list) and len(cast("list[object]", value)) > 1


def _question(messages: Sequence[Message]) -> str:
    for message in reversed(messages):
        for part in message.parts:
            if message.role == "user" and isinstance(part, TextPart) and part.data:
                said = part.data.get("question")
                if isinstance(said, str):
                    return said
    return ""


def _known(messages: Sequence[Message]) -> Slots | None:
    """The slots of the last turn of a conversation."""
    for message in reversed(messages):
        for part in message.parts:
            if message.role == "assistant" and isinstance(part, TextPart) and part.data:
                return slots_of(part.data)
    return None


def _interpretation(reading: Reading) -> str:
    """One sentence that says what was understood."""
    words = _asset(reading.slots, " or ".join(reading.slots.get("domains", [])) or "any asset")
    if reading.count_by:
        words += f", counted by {reading.count_by}"
    if reading.sort:
        down = reading.sort.startswith("-")
        words += f", sorted by {reading.sort.lstrip('-')}{', descending' if down else ''}"
    return words[:1].upper() + words[1:1000]


def _asset(slots: Slots, name: str) -> str:
    parts: list[str] = []
    for key, value in {**slots.get("filters", {}), **slots.get("ranges", {})}.items():
        parts.append(f"{key}: {_condition(value)}")
    for reference in slots.get("references", []):
        parts.append(f"a connected {_asset(reference, reference['domain'])}")
    return f"{name} with {'; '.join(parts)}" if parts else name


def _condition(value: Any) -> str:
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return ", ".join(f"{name} {_condition(held)}" for name, held in entries.items())
    if isinstance(value, list):
        return " or ".join(map(str, cast("list[Any]", value)))
    return str(value)
