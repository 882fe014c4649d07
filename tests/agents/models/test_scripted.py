"""Models that are scripts and models that are programs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from groundwire.agents.models.scripted import Request, ScriptedModel
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import (
    Message,
    Model,
    ModelResponse,
    RulesModel,
    TextPart,
    ToolSpec,
    Usage,
    calling,
    saying,
)

QUESTION = (Message("user", (TextPart("Where?"),)),)
LOOK = ToolSpec("look", "Looks.", {"type": "object"})


def ask(model: Model, choice="auto", tools: Sequence[ToolSpec] = (LOOK,)) -> ModelResponse:
    return asyncio.run(model.create("System.", QUESTION, tools, choice))


def test_a_script_is_played_line_by_line() -> None:
    async def later(request: Request) -> ModelResponse:
        return ModelResponse(text=f"later: {request.messages[0].role}")

    model = ScriptedModel(
        "said",
        calling(("look", {"at": 1})),
        lambda request: ModelResponse(text=f"{len(request.tools)} tools"),
        later,
        LLMFailure("Down."),
    )
    assert ask(model).text == "said"
    assert ask(model).tool_calls[0].arguments == {"at": 1}
    assert ask(model).text == "1 tools"
    assert ask(model).text == "later: user"
    with pytest.raises(LLMFailure, match=r"Down\."):
        ask(model)
    with pytest.raises(LLMFailure, match="ends after 5 answers") as ended:
        ask(model, ("tool", "look"))
    assert not ended.value.recoverable
    assert model.requests[-1].tool_choice == ("tool", "look")
    assert model.requests[-1].system == "System."


def test_the_last_line_may_go_on_for_ever() -> None:
    model = ScriptedModel("a", "b", forever=True)
    assert [ask(model).text for _ in range(4)] == ["a", "b", "b", "b"]


def test_a_script_without_lines_has_ended() -> None:
    with pytest.raises(LLMFailure, match="ends after 0 answers"):
        ask(ScriptedModel(forever=True))


def test_rules_answer_by_the_conversation_and_cost_nothing() -> None:
    def rules(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        if not tools:
            return saying("Here.", "No tool may be called.")
        return calling((tools[0].name, {"at": len(messages)}), thought="I look.")

    model = RulesModel(rules)
    assert (model.name, model.native_tools, model.free) == ("rules", True, True)
    acts = ask(model)
    assert (acts.text, acts.stop_reason) == ("I look.", "tool_use")
    assert acts.tool_calls[0].arguments == {"at": 1}
    says = ask(model, "none")
    assert (says.text, says.thinking, says.stop_reason) == (
        "Here.",
        "No tool may be called.",
        "end_turn",
    )
    for response in (acts, says):
        assert (response.cost_usd, response.usage) == (0.0, Usage())


def test_the_same_calls_have_the_same_ids_and_different_ones_others() -> None:
    first, second = (calling(("look", {"at": 1}), ("look", {"at": 1})) for _ in range(2))
    assert first == second
    assert len({call.id for call in first.tool_calls}) == 2


def test_rules_may_wait() -> None:
    async def rules(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
        return saying("Here.")

    assert ask(RulesModel(rules, name="mine")).text == "Here."
