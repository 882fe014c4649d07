"""The real SDK against a scripted Messages API server."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from typing import Any

import pytest
from scripted_messages import KEY, MessagesServer, failure, message, text, thinking, tool_use
from starlette.responses import RedirectResponse, Response, StreamingResponse

from groundwire.agents.models.anthropic import AnthropicModel
from groundwire.agents.models.costs import cost_of
from groundwire.agents.models.keys import ApiKey
from groundwire.agents.models.options import TEMPERATURE, Options
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolChoice,
    ToolResultPart,
    ToolSpec,
    Usage,
)

SUBMIT = ToolSpec(
    "submit_slots",
    "Submits.",
    {
        "type": "object",
        "properties": {"domain": {"type": "string", "minLength": 1}},
        "required": ["domain"],
        "additionalProperties": False,
    },
    strict=True,
)
LOOK = ToolSpec("look", "Looks.", {"type": "object", "properties": {}})
QUESTION = (Message("user", (TextPart("Which roads?"),)),)
SUBMITTED = tool_use("submit_slots", {"domain": "hdmap"})


def model_on(server: MessagesServer, name: str = "claude-opus-5-5", **options: Any):
    return AnthropicModel(
        ApiKey(KEY, "ANTHROPIC_API_KEY"), name, transport=server.transport, **options
    )


def ask(
    model: AnthropicModel,
    messages=QUESTION,
    tools=(LOOK, SUBMIT),
    choice: ToolChoice = "auto",
    system: str = "You search.",
) -> ModelResponse:
    async def run() -> ModelResponse:
        try:
            return await model.create(system, messages, tools, choice)
        finally:
            await model.aclose()

    return asyncio.run(run())


def failed(model: AnthropicModel, **options: Any) -> LLMFailure:
    with pytest.raises(LLMFailure) as caught:
        ask(model, **options)
    error: BaseException | None = caught.value
    # Nothing that hangs on the failure tells the key either.
    while error is not None:
        assert KEY not in str(error)
        assert KEY not in repr(error)
        error = error.__cause__
    return caught.value


def test_a_question_with_tools_and_its_answer() -> None:
    server = MessagesServer(
        message(
            thinking("Slots first."),
            text("I submit."),
            SUBMITTED,
            stop="tool_use",
            usage={"cache_read_input_tokens": 900, "cache_creation_input_tokens": 50},
        )
    )
    answer = ask(model_on(server))
    assert answer.text == "I submit."
    assert answer.thinking == "Slots first."
    assert answer.tool_calls == (ToolCallPart("toolu_1", "submit_slots", {"domain": "hdmap"}),)
    assert answer.stop_reason == "tool_use"
    assert answer.usage == Usage(prompt=100, completion=20, cache_read=900, cache_write=50)
    [sent] = server.requests
    assert sent["model"] == "claude-opus-5-5"
    assert sent["messages"][0]["role"] == "user"
    assert [tool["name"] for tool in sent["tools"]] == ["look", "submit_slots"]
    assert "tool_choice" not in sent
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_what_does_not_change_is_marked_to_be_cached() -> None:
    server = MessagesServer(message(text("Done.")))
    ask(model_on(server))
    [sent] = server.requests
    mark = {"type": "ephemeral"}
    assert sent["system"] == [{"type": "text", "text": "You search.", "cache_control": mark}]
    assert [tool.get("cache_control") for tool in sent["tools"]] == [None, mark]
    assert sent["messages"][-1]["content"][-1]["cache_control"] == mark


def test_a_strict_tool_is_sent_without_what_no_grammar_holds() -> None:
    server = MessagesServer(message(text("Done.")))
    ask(model_on(server))
    look, submit = server.requests[0]["tools"]
    assert "strict" not in look
    assert submit["strict"] is True
    assert submit["input_schema"]["properties"]["domain"] == {"type": "string"}


@pytest.mark.parametrize(
    "name", ["claude-haiku-5-5", "claude-opus-5", "claude-opus-4-8", "claude-sonnet-5"]
)
def test_a_tool_is_forced_where_the_model_allows_it(name: str) -> None:
    server = MessagesServer(message(SUBMITTED, stop="tool_use"))
    answer = ask(model_on(server, name), choice=("tool", "submit_slots"))
    [sent] = server.requests
    assert sent["tool_choice"] == {"type": "tool", "name": "submit_slots"}
    assert "thinking" not in sent
    assert answer.tool_calls[0].name == "submit_slots"


@pytest.mark.parametrize("name", ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-2"])
def test_where_it_is_not_the_tool_is_held_to_its_schema(name: str) -> None:
    server = MessagesServer(message(text("Roads are fine.")))
    loose = ToolSpec("submit_slots", "Submits.", SUBMIT.input_schema)
    answer = ask(model_on(server, name), tools=(LOOK, loose), choice=("tool", "submit_slots"))
    # Asking again is the loop's.
    assert (answer.text, answer.tool_calls) == ("Roads are fine.", ())
    [sent] = server.requests
    assert "tool_choice" not in sent
    assert [tool.get("strict") for tool in sent["tools"]] == [None, True]


def test_a_turn_goes_back_as_it_came() -> None:
    server = MessagesServer(
        message(thinking("Hm."), text("I submit."), SUBMITTED, stop="tool_use"),
        message(text("Done.")),
    )
    model = model_on(server)
    answer = ask(model)
    ask(
        model,
        messages=(
            *QUESTION,
            Message("assistant", (TextPart("(another wording)"),), answer.raw),
            Message("user", (ToolResultPart("toolu_1", "submit_slots", "3 roads"),)),
        ),
    )
    _, turn, told = server.requests[1]["messages"]
    assert turn == {
        "role": "assistant",
        "content": [thinking("Hm."), text("I submit."), SUBMITTED],
    }
    assert told["content"][0]["tool_use_id"] == "toolu_1"


def test_a_model_that_nobody_knows_learns_what_its_server_refuses() -> None:
    refusal = "tool_choice: this model does not support forced tool use"
    server = MessagesServer(
        failure(400, "invalid_request_error", refusal),
        message(SUBMITTED, stop="tool_use"),
        message(SUBMITTED, stop="tool_use"),
    )
    model = model_on(server, "claude-opus-5")
    assert ask(model, choice=("tool", "submit_slots")).tool_calls
    assert ask(model, choice=("tool", "submit_slots")).tool_calls
    forced = ["tool_choice" in sent for sent in server.requests]
    assert forced == [True, False, False]


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_the_sdk_asks_again_when_the_server_says_later(status: int, kind: str) -> None:
    later = failure(status, kind, "Later.", retry_after_ms="1")
    server = MessagesServer(later, later, message(text("Now.")))
    assert ask(model_on(server, retries=2)).text == "Now."
    assert len(server.requests) == 3


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_without_retries_the_failure_tells_when_to_come_back(status: int, kind: str) -> None:
    server = MessagesServer(failure(status, kind, f"Later, {KEY}.", retry_after="7"))
    told = failed(model_on(server))
    assert told.recoverable
    assert told.retry_after_s == 7.0
    assert told.details == {"status": status, "model": "claude-opus-5-5"}
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "kind", "told", "recoverable"),
    [
        (401, "authentication_error", "check ANTHROPIC_API_KEY", False),
        (403, "permission_error", "check ANTHROPIC_API_KEY", False),
        (404, "not_found_error", "knows no model claude-opus-5-5", False),
        (400, "invalid_request_error", "refuses the request", False),
        (413, "request_too_large", "too long", False),
        (500, "api_error", "try again later", True),
    ],
)
def test_a_failure_is_one_line_without_the_key(
    status: int, kind: str, told: str, recoverable: bool
) -> None:
    echo = f"invalid x-api-key: {KEY}\nin line 2"
    failure_told = failed(model_on(MessagesServer(failure(status, kind, echo))))
    assert told in str(failure_told)
    assert "\n" not in str(failure_told)
    assert failure_told.recoverable is recoverable


def test_the_key_is_in_no_answer_no_log_and_no_representation(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    echoed = tool_use("look", {"key": f"is {KEY}", "all": [KEY.upper()]})
    server = MessagesServer(message(thinking(KEY), text(f"The key is {KEY}."), echoed))
    model = model_on(server)
    answer = ask(model)
    assert answer.text == "The key is ***."
    assert answer.thinking == "***"
    assert answer.tool_calls[0].arguments == {"key": "is ***", "all": ["***"]}
    assert KEY not in repr(answer)
    assert KEY not in repr(model)
    assert {record.name.split(".")[0] for record in caplog.records} >= {"anthropic"}
    assert KEY not in "\n".join(record.getMessage() for record in caplog.records)


def test_streamed_events_make_the_same_answer() -> None:
    whole = message(thinking("Hm."), text("I submit."), SUBMITTED, stop="tool_use")
    plain = ask(model_on(MessagesServer(whole)))
    server = MessagesServer(whole)
    streamed = ask(model_on(server, stream=True))
    assert server.requests[0]["stream"] is True
    assert streamed == plain


def test_what_may_become_long_is_streamed() -> None:
    server = MessagesServer(message(text("Long.")))
    assert ask(model_on(server, options=Options(max_tokens=30_000))).text == "Long."
    assert server.requests[0]["stream"] is True


def test_an_error_within_a_stream_has_the_status_of_its_kind() -> None:
    async def events():
        yield 'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error",'
        yield '"message": "Overloaded"}}\n\n'

    broken = StreamingResponse(events(), media_type="text/event-stream")
    told = failed(model_on(MessagesServer(broken), stream=True))
    assert told.recoverable
    assert told.details is not None
    assert told.details["status"] == 529


def test_a_refusal_is_told_and_nothing_of_it_is_used() -> None:
    server = MessagesServer(message(text("Here is"), SUBMITTED, stop="refusal"))
    answer = ask(model_on(server))
    assert answer.stop_reason == "refusal"
    assert (answer.text, answer.tool_calls, answer.raw) == ("", (), None)
    assert answer.cost_usd is not None
    assert answer.cost_usd > 0


def test_a_paused_turn_can_be_sent_back_to_go_on() -> None:
    server = MessagesServer(
        message(text("First half."), stop="pause_turn"), message(text("Second half."))
    )
    model = model_on(server)
    first = ask(model)
    assert (first.text, first.stop_reason) == ("First half.", "pause_turn")
    going_on = (*QUESTION, Message("assistant", (TextPart(first.text),), first.raw))
    assert ask(model, messages=going_on).text == "Second half."
    assert server.requests[1]["messages"][-1] == {
        "role": "assistant",
        "content": [text("First half.")],
    }


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_that_was_cut_off_is_not_made(reason: str) -> None:
    server = MessagesServer(message(text("I submit."), SUBMITTED, stop=reason))
    answer = ask(model_on(server), choice=("tool", "submit_slots"))
    assert answer.stop_reason == reason
    assert answer.tool_calls == ()
    assert len(server.requests) == 1


def test_each_response_costs_what_its_own_tokens_cost() -> None:
    used = {"input_tokens": 1000, "cache_read_input_tokens": 5000, "output_tokens": 200}
    server = MessagesServer(message(text("Done."), usage=used))
    cost = ask(model_on(server)).cost_usd
    assert cost == cost_of(Usage(1000, 200, 5000, 0), "claude-opus-5-5", "anthropic")
    # 4 and 20 dollars for a million tokens in and out; what is read from the cache costs less.
    assert cost is not None
    assert 0.008 < cost < 0.008 + 5000 * 4e-6


def test_a_model_without_a_price_costs_nobody_knows_what() -> None:
    server = MessagesServer(message(text("Done."), model="made-up-model"))
    assert ask(model_on(server, "made-up-model")).cost_usd is None


def test_effort_and_summaries_go_to_current_models_and_sampling_to_older_ones() -> None:
    wishes = Options(temperature=0.0, top_p=None, effort="high", thinking_budget=2000)
    new, old = MessagesServer(message(text("a"))), MessagesServer(message(text("b")))
    ask(model_on(new, options=wishes, stream=False))
    ask(model_on(old, "claude-haiku-4-5", options=Options(temperature=0.0, effort="high")))
    [sent] = new.requests
    assert sent["output_config"] == {"effort": "high"}
    assert sent["thinking"] == {"type": "adaptive", "display": "summarized"}
    assert "temperature" not in sent
    # What is thought comes on top of the answer.
    assert sent["max_tokens"] == 2_000 + 16_000
    [sent] = old.requests
    assert sent["temperature"] == 0.0
    assert "output_config" not in sent
    assert "thinking" not in sent
    assert sent["max_tokens"] == 2_000


def test_a_thinking_budget_acts_where_a_model_takes_one() -> None:
    server = MessagesServer(message(text("a")))
    wishes = Options(temperature=0.0, thinking_budget=500)
    ask(model_on(server, "claude-haiku-4-5-20251001", options=wishes))
    [sent] = server.requests
    assert sent["thinking"] == {"type": "enabled", "budget_tokens": 1024}
    assert sent["max_tokens"] == 2_000 + 1024
    assert "temperature" not in sent


def test_an_unknown_model_is_sent_nothing_that_nobody_asked_for() -> None:
    server = MessagesServer(
        message(text("a")),
        failure(400, "invalid_request_error", "temperature: not supported"),
        message(text("b")),
    )
    ask(model_on(server, "claude-next", options=Options(temperature=0.7)))
    told = Options(temperature=0.0, asked_for=frozenset({TEMPERATURE}))
    assert ask(model_on(server, "claude-next", options=told)).text == "b"
    careful, tried, without = server.requests
    assert not {"temperature", "thinking", "output_config", "tool_choice"} & set(careful)
    assert tried["temperature"] == 0.0
    assert "temperature" not in without


def test_results_come_before_texts_and_foreign_turns_are_rebuilt() -> None:
    server = MessagesServer(message(text("Done.")))
    call = ToolCallPart("call.1", "look", {"at": "road"})
    ask(
        model_on(server),
        messages=(
            *QUESTION,
            Message("assistant", (TextPart(""), call), {"of": "another provider"}),
            Message(
                "user", (TextPart("Go on."), ToolResultPart("call.1", "look", "3 roads", True))
            ),
        ),
        choice="none",
    )
    [sent] = server.requests
    _, asked, told = sent["messages"]
    assert asked["content"] == [
        {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": "road"}}
    ]
    assert [block["type"] for block in told["content"]] == ["tool_result", "text"]
    assert told["content"][0]["is_error"] is True
    assert sent["tool_choice"] == {"type": "none"}


def test_a_slow_server_is_cancelled_at_the_deadline() -> None:
    import anthropic  # noqa: F401  (its import alone may take longer)

    server = MessagesServer(600.0, message(text("Too late.")))
    told = failed(model_on(server, deadline=2.0))
    assert "did not answer within 2 s" in str(told)
    assert told.recoverable
    assert server.cancelled == 1


def test_no_redirect_carries_the_key_elsewhere() -> None:
    server = MessagesServer(RedirectResponse("https://elsewhere.example.org/v1/messages", 307))
    assert not failed(model_on(server)).recoverable
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "line",
    [
        Response(b"<html>", media_type="text/html"),
        Response(b"{", media_type="application/json"),
        Response(b"[1]", media_type="application/json"),
        Response(b'{"content": 3, "stop_reason": "end_turn"}', media_type="application/json"),
        Response(b"{}", media_type="application/json"),
    ],
)
def test_what_is_no_message_is_a_failure(line: Response) -> None:
    told = failed(model_on(MessagesServer(line)))
    assert "no usable answer" in str(told)


def test_an_address_that_is_not_allowed_is_not_asked() -> None:
    """The guarded transport serves the SDK: a name of the maker's may not lead to loopback."""
    model = AnthropicModel(ApiKey(KEY, "ANTHROPIC_API_KEY"))
    model._base_url = "http://127.0.0.1:9"
    told = failed(model)
    assert "not allowed" in str(told)
    assert not told.recoverable


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_an_address_may_name_the_version_or_not(hostile, path: str) -> None:
    answer = json.dumps(message(text("Done.")))
    hostile.on("v1/messages", lambda x: x.answer(answer, Content_Type="application/json"))
    key = ApiKey(KEY, "ANTHROPIC_API_KEY")
    assert ask(AnthropicModel(key, base_url=hostile.url + path)).text == "Done."


def test_a_server_that_is_not_there_is_told(hostile) -> None:
    hostile.on("v1/messages", lambda x: x.send(b"nonsense\r\n\r\n"))
    model = AnthropicModel(ApiKey(KEY, "ANTHROPIC_API_KEY"), base_url=hostile.url)
    told = failed(model)
    assert "cannot be reached or broke off" in str(told)
    assert told.recoverable


@pytest.mark.parametrize(
    "events",
    [
        "",
        "data: nonsense\n\n",
        'event: message_stop\ndata: {"type": "message_stop"}\n\n',
        'event: content_block_stop\ndata: {"type": "content_block_stop", "index": 3}\n\n',
        'event: message_start\ndata: {"type": "message_start", "message": {"content": []}}\n\n',
    ],
)
def test_a_stream_that_is_none_is_a_failure(events: str) -> None:
    server = MessagesServer(Response(events, media_type="text/event-stream"))
    assert "no usable answer" in str(failed(model_on(server, stream=True)))


def test_a_stream_that_breaks_off_is_a_failure_that_may_pass(hostile) -> None:
    def half(exchange) -> None:
        exchange.answer("event: ping\n", length=9_000, Content_Type="text/event-stream")
        exchange.connection.shutdown(socket.SHUT_RDWR)

    hostile.on("v1/messages", half)
    key = ApiKey(KEY, "ANTHROPIC_API_KEY")
    told = failed(AnthropicModel(key, base_url=hostile.url, stream=True))
    assert "broke off" in str(told)
    assert told.recoverable
