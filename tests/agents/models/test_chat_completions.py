"""Chat completions: a scripted server on loopback, asked through the guarded client."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.agents.models.chat_completions import CHAT_PROVIDERS, ChatCompletionsModel
from groundwire.agents.models.costs import cost_of
from groundwire.agents.models.keys import ApiKey
from groundwire.agents.models.options import Options
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

KEY = "sk-proj-very-secret-key"
SUBMIT = ToolSpec(
    "submit_slots",
    "Submits.",
    {
        "type": "object",
        "properties": {"domain": {"type": "string"}},
        "required": ["domain"],
        "additionalProperties": False,
    },
    strict=True,
)
LOOK = ToolSpec("look", "Looks.", {"type": "object", "properties": {"at": {"type": "string"}}})
QUESTION = (Message("user", (TextPart("Which roads?"),)),)


def completion(content: Any = None, *calls: tuple[str, str, Any], **fields: Any) -> dict[str, Any]:
    """An answer; calls are (id, name, arguments as they go over the wire)."""
    reason = fields.pop("reason", "tool_calls" if calls else "stop")
    message: dict[str, Any] = {"role": "assistant", "content": content, **fields.pop("more", {})}
    if calls:
        message["tool_calls"] = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id, name, arguments in calls
        ]
    return {
        "id": "chatcmpl-1",
        "model": "gpt-4.1",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "prompt_tokens_details": {"cached_tokens": 60},
        },
        **fields,
    }


class ChatServer:
    """Plays a script over HTTP; `requests` holds the bodies, `heads` the headers that came in."""

    def __init__(self, hostile: Any) -> None:
        self.url = f"{hostile.url}/v1"
        self.requests: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self._script: list[Callable[[Any], None]] = []
        hostile.on("v1/chat/completions", self._answer)

    def plays(self, *script: Any) -> ChatServer:
        """Completions, or handlers of an exchange."""
        for line in script:
            self._script.append(line if callable(line) else answering(line))
        return self

    def _answer(self, exchange: Any) -> None:
        self.requests.append(json.loads(exchange.body))
        self.heads.append(exchange.head)
        self._script.pop(0)(exchange)


def answering(tree: Any, status: str = "200 OK", **headers: Any) -> Callable[[Any], None]:
    body = json.dumps(tree)
    return lambda x: x.answer(body, status, Content_Type="application/json", **headers)


def refusing(status: str, said: str, param: str = "", **headers: Any) -> Callable[[Any], None]:
    error = {"message": said, "type": "invalid_request_error", "param": param or None}
    return answering({"error": error}, status, **headers)


@pytest.fixture
def server(hostile) -> ChatServer:
    return ChatServer(hostile)


def model_on(
    server: ChatServer, name: str = "gpt-4.1", provider: str = "openai", **options: Any
) -> ChatCompletionsModel:
    return ChatCompletionsModel(
        CHAT_PROVIDERS[provider],
        ApiKey(KEY, "OPENAI_API_KEY"),
        name,
        base_url=server.url,
        **options,
    )


def ask(
    model: ChatCompletionsModel,
    messages=QUESTION,
    tools=(LOOK, SUBMIT),
    choice: ToolChoice = "auto",
) -> ModelResponse:
    async def run() -> ModelResponse:
        try:
            return await model.create("You search.", messages, tools, choice)
        finally:
            await model.aclose()

    return asyncio.run(run())


def failed(model: ChatCompletionsModel) -> LLMFailure:
    with pytest.raises(LLMFailure) as caught:
        ask(model)
    assert KEY not in str(caught.value)
    assert KEY not in repr(caught.value.details)
    assert caught.value.__cause__ is None
    return caught.value


def test_a_question_with_tools_and_its_answer(server: ChatServer) -> None:
    server.plays(completion("I submit.", ("call_1", "submit_slots", '{"domain": "hdmap"}')))
    answer = ask(model_on(server))
    assert answer.text == "I submit."
    assert answer.tool_calls == (ToolCallPart("call_1", "submit_slots", {"domain": "hdmap"}),)
    assert answer.stop_reason == "tool_use"
    assert answer.usage == Usage(prompt=40, completion=20, cache_read=60)
    assert answer.cost_usd == cost_of(answer.usage, "gpt-4.1", "openai")
    assert answer.cost_usd
    [sent] = server.requests
    assert [turn["role"] for turn in sent["messages"]] == ["system", "user"]
    look, submit = (tool["function"] for tool in sent["tools"])
    assert "strict" not in look
    assert submit["strict"] is True
    assert "tool_choice" not in sent
    assert f"authorization: bearer {KEY}" in server.heads[0]


def test_a_server_named_without_a_path_has_its_version(server: ChatServer) -> None:
    server.plays(completion("a"), completion("b"))
    server.url = server.url.removesuffix("/v1")
    assert ask(model_on(server)).text == "a"
    server.url += "/"
    assert ask(model_on(server)).text == "b"


def test_a_conversation_goes_on_in_the_form_of_the_api(server: ChatServer) -> None:
    server.plays(
        completion(None, ("call_1", "look", '{"at": "road"}')), completion("3 roads, all long.")
    )
    model = model_on(server)
    first = ask(model)
    results = (ToolResultPart("call_1", "look", "3 roads"), TextPart("Go on."))
    answer = ask(
        model,
        messages=(*QUESTION, Message("assistant", (), first.raw), Message("user", results)),
        choice="none",
    )
    assert (answer.text, answer.stop_reason) == ("3 roads, all long.", "end_turn")
    sent = server.requests[1]
    assert sent["tool_choice"] == "none"
    assert sent["messages"][2]["tool_calls"][0]["id"] == "call_1"
    assert sent["messages"][3:] == [
        {"role": "tool", "tool_call_id": "call_1", "content": "3 roads"},
        {"role": "user", "content": "Go on."},
    ]


def test_turns_of_other_providers_are_rebuilt_with_ids_that_the_server_takes(
    server: ChatServer,
) -> None:
    server.plays(completion("Done."))
    calls = (TextPart("I look."), ToolCallPart("toolu_01.long", "look", {"at": "road"}))
    told = (ToolResultPart("toolu_01.long", "look", "3 roads", True),)
    history = (*QUESTION, Message("assistant", calls, {"of": "another"}), Message("user", told))
    ask(model_on(server, "mistral-large-latest", "mistral"), messages=history)
    assistant, tool = server.requests[0]["messages"][2:]
    id = assistant["tool_calls"][0]["id"]
    assert len(id) == 9
    assert id.isalnum()
    assert tool["tool_call_id"] == id
    assert json.loads(assistant["tool_calls"][0]["function"]["arguments"]) == {"at": "road"}


def test_ids_of_the_server_itself_are_left_as_they_are(server: ChatServer) -> None:
    server.plays(completion(None, ("functions.look:0", "look", "{}")), completion("Done."))
    model = model_on(server)
    first = ask(model)
    told = Message("user", (ToolResultPart("functions.look:0", "look", "3 roads"),))
    ask(model, messages=(*QUESTION, Message("assistant", (), first.raw), told))
    assistant, tool = server.requests[1]["messages"][2:]
    assert assistant["tool_calls"][0]["id"] == tool["tool_call_id"] == "functions.look:0"


@pytest.mark.parametrize("provider", ["openai", "mistral", "copilot"])
def test_a_tool_is_forced_where_the_model_allows_it(server: ChatServer, provider: str) -> None:
    name = {"mistral": "mistral-large-latest"}.get(provider, "gpt-4.1")
    server.plays(completion(None, ("call_1", "submit_slots", '{"domain": "a"}')))
    ask(model_on(server, name, provider), choice=("tool", "submit_slots"))
    forced = {"type": "function", "function": {"name": "submit_slots"}}
    assert server.requests[0]["tool_choice"] == forced


def test_a_server_that_passes_over_it_is_not_sent_it(server: ChatServer) -> None:
    server.plays(completion("Roads are fine."))
    answer = ask(model_on(server, "llama3.3", "ollama"), choice=("tool", "submit_slots"))
    assert answer.tool_calls == ()
    assert "tool_choice" not in server.requests[0]


def test_reasoning_families_get_their_own_fields(server: ChatServer) -> None:
    server.plays(*[completion("a")] * 4)
    wishes = Options(temperature=0.0, effort="max")
    for name, provider in (
        ("o4-mini", "openai"),
        ("gpt-5.6", "openai"),
        ("magistral-medium-latest", "mistral"),
        ("gpt-4.1", "openai"),
    ):
        ask(model_on(server, name, provider, options=wishes))
    o4, gpt5, magistral, plain = server.requests
    assert o4["reasoning_effort"] == "high"
    assert o4["max_completion_tokens"] > 2_000
    assert not {"temperature", "max_tokens"} & set(o4)
    # Beside tools this family takes no effort.
    assert gpt5["reasoning_effort"] == "none"
    assert magistral["temperature"] == 0.0
    assert magistral["max_tokens"] > 2_000
    assert "reasoning_effort" not in magistral
    assert (plain["temperature"], plain["max_completion_tokens"]) == (0.0, 2_000)


def test_an_unknown_model_learns_what_its_server_refuses(server: ChatServer) -> None:
    server.plays(
        refusing("400 Bad Request", "Unsupported parameter", "max_tokens"),
        refusing("400 Bad Request", "Unsupported value: no such reasoning_effort here"),
        completion("a"),
        completion("b"),
    )
    model = model_on(server, "brand-new", options=Options(temperature=0.7, effort="high"))
    assert ask(model).text == "a"
    assert ask(model).text == "b"
    first, second, third, fourth = server.requests
    assert (first["max_tokens"], first["reasoning_effort"]) == (2_000, "high")
    assert "temperature" not in first
    assert (second["max_completion_tokens"], "max_tokens" in second) == (2_000, False)
    assert "reasoning_effort" not in third
    assert set(fourth) == set(third)


def test_ollama_says_so_where_a_model_does_not_think(server: ChatServer) -> None:
    server.plays(refusing("400 Bad Request", '"llama3.3" does not support thinking'))
    server.plays(completion("a"))
    model = model_on(server, "llama3.3", "ollama", options=Options(effort="low"))
    assert ask(model).text == "a"
    assert ["reasoning_effort" in sent for sent in server.requests] == [True, False]


def test_a_refusal_of_what_is_needed_is_a_failure(server: ChatServer) -> None:
    server.plays(refusing("400 Bad Request", f"messages: too many, {KEY}"))
    told = failed(model_on(server))
    assert "messages: too many, ***" in str(told)
    assert not told.recoverable


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ('{"at": "road"}', {"at": "road"}),
        ({"at": "road"}, {"at": "road"}),
        ('"{\\"at\\": \\"road\\"}"', {"at": "road"}),
        ("", {}),
        (None, {}),
        ('{"at": "ro', '{"at": "ro'),
        ('["road"]', '["road"]'),
        ('{"at": NaN}', '{"at": NaN}'),
    ],
)
def test_arguments_that_are_no_object_are_passed_on_as_they_came(
    server: ChatServer, sent: Any, read: Any
) -> None:
    """The runtime refuses them with a word to the model; what goes back is JSON all the same."""
    server.plays(completion(None, ("call_1", "look", sent)), completion("Done."))
    model = model_on(server)
    answer = ask(model)
    assert answer.tool_calls[0].arguments == read
    ask(model, messages=(*QUESTION, Message("assistant", (), answer.raw)))
    again = server.requests[1]["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(again) == (read if isinstance(read, dict) else {})


def test_a_call_without_an_id_gets_one(server: ChatServer) -> None:
    server.plays(completion(None, ("", "look", "{}"), ("", "look", "{}"), reason="stop"))
    answer = ask(model_on(server, "llama3.3", "ollama"))
    first, second = answer.tool_calls
    assert first.id
    assert first.id != second.id
    assert answer.stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("message", "text", "thinking"),
    [
        (completion("Yes.", more={"reasoning_content": "Hm."}), "Yes.", "Hm."),
        (completion("Yes.", more={"reasoning": "Hm."}), "Yes.", "Hm."),
        (completion("<think>Hm.</think>\n\nYes."), "Yes.", "Hm."),
        (
            completion(
                [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                    {"type": "text", "text": "Yes."},
                ]
            ),
            "Yes.",
            "Hm.",
        ),
    ],
)
def test_thoughts_are_told_from_what_is_said(
    server: ChatServer, message: Any, text: str, thinking: str
) -> None:
    answer = ask(model_on(server.plays(message)))
    assert (answer.text, answer.thinking) == (text, thinking)


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("model_length", "model_context_window_exceeded"),
    ],
)
def test_why_an_answer_ended(server: ChatServer, reason: str, stop: str) -> None:
    assert ask(model_on(server.plays(completion("Half", reason=reason)))).stop_reason == stop


def test_a_refusal_in_words_is_a_refusal(server: ChatServer) -> None:
    server.plays(completion(None, more={"refusal": "I cannot help with that."}))
    answer = ask(model_on(server))
    assert (answer.stop_reason, answer.text, answer.raw) == ("refusal", "", None)


def test_streamed_events_make_the_same_answer(server: ChatServer) -> None:
    def chunk(delta: dict[str, Any], reason: str | None = None, **fields: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return f"data: {json.dumps({'model': 'gpt-4.1', 'choices': [choice], **fields})}\r\n\r\n"

    whole = completion("I submit.", ("call_1", "submit_slots", '{"domain": "hdmap"}'))

    def part(**fields: Any) -> dict[str, Any]:
        return {"tool_calls": [{"index": 0, **fields}]}

    stream = "".join(
        (
            ": a comment\r\n\r\n",
            chunk({"role": "assistant", "content": "I "}),
            chunk({"content": "submit."}),
            chunk(part(id="call_1", function={"name": "submit_slots", "arguments": ""})),
            chunk(part(function={"arguments": '{"domain": '})),
            chunk(part(function={"arguments": '"hdmap"}'})),
            chunk({}, "tool_calls"),
            f"data: {json.dumps({'choices': [], 'usage': whole['usage']})}\n\n",
            "data: [DONE]\n\n",
        )
    )
    server.plays(whole, lambda x: x.answer(stream, Content_Type="text/event-stream; charset=utf-8"))
    plain = ask(model_on(server))
    streamed = ask(model_on(server, stream=True))
    assert streamed == plain
    assert server.requests[1]["stream"] is True
    assert server.requests[1]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        ('data: {"choices": [{"delta": {"content": "Ha"}}]}\n\n', "ended before"),
        (f'data: {{"error": {{"message": "key {KEY} broke", "code": 503}}}}\n\n', "key *** broke"),
        ("data: {broken\n\n", "no JSON"),
    ],
)
def test_a_stream_that_is_not_whole_is_a_failure(
    server: ChatServer, stream: str, told: str
) -> None:
    server.plays(lambda x: x.answer(stream, Content_Type="text/event-stream"))
    failure = failed(model_on(server, stream=True))
    assert told in str(failure)
    assert failure.recoverable


def test_it_is_asked_again_as_late_as_the_server_says(server: ChatServer) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    server.plays(
        # Longer than the deadline, so the guarded client does not wait for it by itself.
        refusing("429 Too Many Requests", "Later.", Retry_After="900"),
        refusing("529 Overloaded", "Later."),
        completion("Now."),
    )
    model = model_on(server, retries=2, sleep=sleep)
    assert ask(model).text == "Now."
    assert waited == [900.0, 1.0]


def test_without_retries_the_failure_tells_when_to_come_back(server: ChatServer) -> None:
    server.plays(refusing("429 Too Many Requests", "Later.", Retry_After="900"))
    told = failed(model_on(server))
    assert told.recoverable
    assert told.retry_after_s == 900.0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "told", "recoverable"),
    [
        ("401 Unauthorized", "check OPENAI_API_KEY", False),
        ("402 Payment Required", "billing", False),
        ("404 Not Found", "knows no model gpt-4.1", False),
        ("413 Too Large", "too long", False),
        ("500 Broken", "try again later", True),
        ("302 Found", "refuses the request", False),
    ],
)
def test_a_failure_is_one_line_without_the_key(
    server: ChatServer, status: str, told: str, recoverable: bool
) -> None:
    server.plays(refusing(status, f"Incorrect API key provided: {KEY}\nline 2"))
    failure = failed(model_on(server))
    assert told in str(failure)
    assert "\n" not in str(failure)
    assert failure.recoverable is recoverable


def test_the_key_is_in_no_answer_and_no_representation(server: ChatServer) -> None:
    server.plays(completion(f"It is {KEY}.", ("c", "look", json.dumps({KEY: [KEY.upper()]}))))
    model = model_on(server)
    answer = ask(model)
    assert answer.text == "It is ***."
    assert answer.tool_calls[0].arguments == {"***": ["***"]}
    assert KEY not in repr(answer) + repr(model)


@pytest.mark.parametrize("body", ["<html>", "{", "[]", '{"choices": []}', '{"choices": [{}]}'])
def test_what_is_no_completion_is_a_failure(server: ChatServer, body: str) -> None:
    server.plays(lambda x: x.answer(body))
    assert "no usable answer" in str(failed(model_on(server)))


def test_an_answer_that_breaks_off_is_a_failure_that_may_pass(server: ChatServer) -> None:
    def half(exchange: Any) -> None:
        exchange.answer('{"choices": ', length=1_000)
        exchange.connection.shutdown(socket.SHUT_RDWR)

    server.plays(half)
    told = failed(model_on(server))
    assert "broke off" in str(told)
    assert told.recoverable


def test_a_slow_server_is_cancelled_at_the_deadline(server: ChatServer) -> None:
    server.plays(lambda x: x.pause(600))
    told = failed(model_on(server, deadline=0.5))
    assert "did not answer within 0.5 s" in str(told)
    assert told.recoverable


def test_a_server_that_is_not_there_is_told(server: ChatServer) -> None:
    model = ChatCompletionsModel(
        CHAT_PROVIDERS["openai"],
        ApiKey(None, "OPENAI_API_KEY"),
        "gpt-4.1",
        base_url="http://127.0.0.1:9/v1",
    )
    told = failed(model)
    assert "cannot be reached" in str(told)
    assert told.recoverable


def test_without_a_key_none_is_sent(server: ChatServer) -> None:
    server.plays(completion("a"))
    key = ApiKey(None, "OPENAI_API_KEY")
    provider = CHAT_PROVIDERS["ollama"]
    model = ChatCompletionsModel(provider, key, "llama3.3:8b", base_url=server.url)
    answer = ask(model)
    assert "authorization" not in server.heads[0]
    # A model on the user's own machine costs nothing; one that Ollama only passes on does.
    assert (model.free, answer.cost_usd) == (True, 0.0)
    assert not ChatCompletionsModel(provider, key, "gpt-oss:120b-cloud").free


def test_a_model_without_a_price_costs_nobody_knows_what(server: ChatServer) -> None:
    server.plays(completion("a", model="house-model"))
    assert ask(model_on(server, "house-model")).cost_usd is None
