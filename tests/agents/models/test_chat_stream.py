"""Chunks as servers of several makers send them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from groundwire.agents.models.chat_completions import StreamError, joined
from groundwire.agents.models.chat_form import read_completion


def stream(*deltas: dict[str, Any], reason: str = "stop") -> bytes:
    chunks = [{"choices": [{"delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"delta": {}, "finish_reason": reason}]})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode()


def part(name: str = "", arguments: Any = "", **fields: Any) -> dict[str, Any]:
    return {"tool_calls": [{"function": {"name": name, "arguments": arguments}, **fields}]}


def test_mistral_thinks_in_chunks_and_then_speaks_in_text() -> None:
    def thought(text: str) -> list[dict[str, Any]]:
        return [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]

    body = stream(
        {"content": ""},
        {"content": thought("Hm. ")},
        {"content": thought("Yes.")},
        {"content": "There are "},
        {"content": "42."},
    )
    read = read_completion(joined(body))
    assert read is not None
    assert read.text == "There are 42."
    assert read.thinking == "Hm. \nYes."


def test_text_before_chunks_is_kept() -> None:
    read = read_completion(joined(stream({"content": "A"}, {"content": [{"type": "text"}]})))
    assert read is not None
    assert read.text == "A"


def test_calls_without_an_index_are_told_apart_by_their_ids() -> None:
    body = stream(
        part("look", '{"at":', id="a"),
        part("", '"road"}'),
        part("look", {"at": "rail"}, id="b"),
        reason="tool_calls",
    )
    read = read_completion(joined(body))
    assert read is not None
    assert [(call.id, call.arguments) for call in read.calls] == [
        ("a", {"at": "road"}),
        ("b", {"at": "rail"}),
    ]


def test_calls_at_the_same_time_are_put_together_by_their_index() -> None:
    body = stream(
        part("look", '{"at":', id="a", index=0),
        part("look", '{"at":', id="b", index=1),
        part("", '"road"}', index=0),
        part("", '"rail"}', index=1),
    )
    read = read_completion(joined(body))
    assert read is not None
    assert [call.arguments for call in read.calls] == [{"at": "road"}, {"at": "rail"}]
    assert read.stop_reason == "tool_use"


def test_what_comes_after_the_end_does_not_count() -> None:
    body = stream({"content": "A"}) + b"data: [DONE]\n\ndata: {broken\n\n"
    assert joined(body)["choices"][0]["message"]["content"] == "A"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 500),
        (b"data: [DONE]\n\n", 500),
        (b'data: {"error": "down"}\n\n', 500),
        (b'data: {"error": {"message": "down", "code": 429}}\n\n', 429),
        (b'data: {"error": {"message": "down", "code": "overloaded"}}\n\n', 500),
        (b"data: [1]\n\n", 500),
        (b"data: \xff\n\n", 500),
    ],
)
def test_what_is_no_answer_is_an_error_with_a_status(body: bytes, status: int) -> None:
    with pytest.raises(StreamError) as caught:
        joined(body)
    assert caught.value.status == status
