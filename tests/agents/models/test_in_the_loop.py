"""The runtime's loop over the real SDK and over chat completions: who asks again, and what for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from agent_bench import Bench
from scripted_messages import KEY, MessagesServer, failure, message, text, thinking, tool_use

from groundwire.agents.models.anthropic import AnthropicModel
from groundwire.agents.models.chat_completions import CHAT_PROVIDERS, ChatCompletionsModel
from groundwire.agents.models.costs import cost_of
from groundwire.agents.models.keys import ApiKey
from groundwire.agents.runtime.contract import AgentOutput
from groundwire.agents.runtime.model import Usage

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]

LOOKS = message(thinking("Look."), tool_use("look_up", {"thing": "cars"}), stop="tool_use")
ANSWERS = message(text("There are 42 cars."))
FORCED = {"forced_tool": "look_up"}


async def run(bench: Bench, server: MessagesServer, name: str = "claude-opus-5-5") -> AgentOutput:
    model = AnthropicModel(ApiKey(KEY, "ANTHROPIC_API_KEY"), name, transport=server.transport)
    try:
        return await bench.run(model=model)
    finally:
        await model.aclose()


async def test_a_tool_is_forced_and_every_response_is_counted(make_bench: Make) -> None:
    server = MessagesServer(LOOKS, ANSWERS)
    output = await run(make_bench(behavior=FORCED), server, "claude-haiku-5-5")
    assert output.success
    assert output.result is not None
    assert output.result["answer"] == "There are 42 cars."
    first, second = server.requests
    assert first["tool_choice"] == {"type": "tool", "name": "look_up"}
    assert "tool_choice" not in second
    # The turn went back as it came, thoughts and signature included.
    assert second["messages"][1]["content"] == LOOKS["content"]
    assert output.metadata.token_usage.prompt_tokens == 200
    one = cost_of(Usage(prompt=100, completion=20), "claude-opus-5-5", "anthropic")
    assert one is not None
    assert output.metadata.estimated_cost_usd == pytest.approx(2 * one)


async def test_where_no_tool_can_be_forced_it_is_strict_and_asked_for_once_more(
    make_bench: Make,
) -> None:
    server = MessagesServer(message(text("Cars are nice.")), LOOKS, ANSWERS)
    output = await run(make_bench(behavior=FORCED), server)
    assert output.success
    assert [step.action.tool for step in output.reasoning.steps if step.action] == ["look_up"]
    first, second, _ = server.requests
    strict = {tool["name"] for tool in first["tools"] if tool.get("strict")}
    assert strict == {"look_up"}
    assert not any("tool_choice" in request for request in server.requests)
    assert "look_up" in second["messages"][-1]["content"][0]["text"]


async def test_a_model_that_never_calls_is_asked_once_and_has_its_way(make_bench: Make) -> None:
    server = MessagesServer(*[message(text("Cars are nice."))] * 2)
    await run(make_bench(behavior=FORCED), server)
    assert len(server.requests) == 2


async def test_the_loop_asks_again_as_late_as_the_server_says(make_bench: Make) -> None:
    server = MessagesServer(
        failure(429, "rate_limit_error", "Later.", retry_after="3"),
        failure(529, "overloaded_error", "Later.", retry_after="4"),
        LOOKS,
        ANSWERS,
    )
    bench = make_bench()
    output = await run(bench, server)
    assert output.success
    assert bench.time.slept == [3.0, 4.0]


async def test_a_server_that_stays_down_is_asked_as_often_as_configured(make_bench: Make) -> None:
    server = MessagesServer(*[failure(529, "overloaded_error", f"Down, {KEY}.")] * 9)
    output = await run(make_bench(behavior={"retry_attempts": 2}), server)
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("LLMError", True)
    assert len(server.requests) == 3
    assert KEY not in output.model_dump_json()


async def test_a_paused_turn_goes_on(make_bench: Make) -> None:
    paused = message(text("Half of it."), stop="pause_turn")
    server = MessagesServer(paused, LOOKS, ANSWERS)
    output = await run(make_bench(), server)
    assert output.success
    assert server.requests[1]["messages"][-1] == {
        "role": "assistant",
        "content": paused["content"],
    }


async def test_a_refusal_ends_the_run(make_bench: Make) -> None:
    server = MessagesServer(message(text("No"), stop="refusal"))
    output = await run(make_bench(), server)
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("LLMError", False)
    assert len(server.requests) == 1


async def test_a_server_that_refuses_the_key_does_not_make_it_known(make_bench: Make) -> None:
    bench = make_bench()
    server = MessagesServer(failure(401, "authentication_error", f"invalid x-api-key {KEY}"))
    output = await run(bench, server)
    assert output.error is not None
    assert "check ANTHROPIC_API_KEY" in output.error.message
    assert KEY not in output.model_dump_json()
    assert KEY not in json.dumps(bench.log.lines)


async def test_a_slow_server_is_left_at_the_deadline_of_the_run(make_bench: Make) -> None:
    import anthropic  # noqa: F401  (its import alone may take longer than this run has)

    server = MessagesServer(600.0, ANSWERS)
    output = await run(make_bench(behavior={"timeout_ms": 3_000}), server)
    assert output.error is not None
    assert output.error.code == "TimeoutError"
    assert server.cancelled == 1


async def test_arguments_that_are_no_json_are_refused_with_a_word_to_the_model(
    make_bench: Make, hostile: Any
) -> None:
    asked: list[dict[str, Any]] = []
    broken, whole = '{"thing": "ca', '{"thing": "cars"}'

    def answer(exchange: Any) -> None:
        asked.append(json.loads(exchange.body))
        told: dict[str, Any] = {"role": "assistant", "content": "There are 42 cars."}
        if len(asked) <= 2:
            function = {"name": "look_up", "arguments": (broken, whole)[len(asked) - 1]}
            call = {"id": f"call_{len(asked)}", "type": "function", "function": function}
            told = {"role": "assistant", "content": None, "tool_calls": [call]}
        exchange.answer(json.dumps({"choices": [{"message": told, "finish_reason": "stop"}]}))

    hostile.on("v1/chat/completions", answer)
    key = ApiKey(None, "OPENAI_API_KEY")
    url = f"{hostile.url}/v1"
    model = ChatCompletionsModel(CHAT_PROVIDERS["ollama"], key, "llama3.3", base_url=url)
    bench = make_bench()
    try:
        output = await bench.run(model=model)
    finally:
        await model.aclose()
    assert output.success
    assert bench.shelf.calls == ["look_up cars 2024"]
    assert "must be one JSON object" in asked[1]["messages"][-1]["content"]
    assert output.metadata.estimated_cost_usd == 0.0
