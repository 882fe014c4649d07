"""The model that needs no key: it splits the prompt by rules and has the workflow run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from groundwire.agents.kg_agent.answer import WORKFLOW, digits_of
from groundwire.agents.runtime.model import (
    Message,
    Model,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolResultPart,
    ToolSpec,
    calling,
    saying,
)
from groundwire.sparql.workflow.breakdown import break_down, variants_of

_DONE = "The workflow has ended."
_MOST_VARIANTS = 3
_LONGEST = 400


def build_rules() -> Model:
    """The rules of this agent."""
    return RulesModel(respond)


def respond(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Run the workflow, wait for it, and end."""
    last = messages[-1].parts[-1] if messages else None
    if isinstance(last, ToolResultPart):
        data = last.data or {}
        if data.get("status") == "running" and isinstance(run_id := data.get("run_id"), str):
            return calling((WORKFLOW, {"run_id": run_id}), thought="The workflow is running.")
        return saying(_DONE)
    asked: Mapping[str, JsonValue] = (last.data or {}) if isinstance(last, TextPart) else {}
    if "ready" not in asked or not tools:
        return saying(_DONE)
    return calling(
        (WORKFLOW, _arguments(str(asked["question"]))), thought="The graph is asked first."
    )


def _arguments(prompt: str) -> dict[str, JsonValue]:
    """The prompt as it is, other ways to say it, and what it asks."""
    arguments: dict[str, JsonValue] = {"prompt": prompt}

    def keeps(*parts: str) -> bool:
        """Whether the figures of a wording are the prompt's: words are taken apart at a comma."""
        digits = "".join(map(digits_of, parts))
        return digits in ("", digits_of(prompt)) and all(len(one) <= _LONGEST for one in parts)

    variants = list(filter(keeps, variants_of(prompt)))[:_MOST_VARIANTS]
    if variants:
        arguments["variants"] = cast("list[JsonValue]", variants)
    triples = [one for one in break_down(prompt) if keeps(*one)]
    if triples:
        arguments["triples"] = [one._asdict() for one in triples]
    return arguments
