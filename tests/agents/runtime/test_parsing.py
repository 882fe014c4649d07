"""What a text-only model writes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from groundwire.agents.runtime.errors import ParseFailure
from groundwire.agents.runtime.loop import (
    extract_action,
    extract_final_answer,
    extract_thought,
    parse_response,
)


def test_parse_response_reads_thought_and_action() -> None:
    parsed = parse_response(
        'Thought: I need the card.\nAction: get-card\nAction Input: { "cardId": "card_123" }'
    )
    assert parsed.thought == "I need the card."
    assert parsed.action is not None
    assert (parsed.action.tool, parsed.action.input) == ("get-card", {"cardId": "card_123"})
    assert not parsed.done


def test_parse_response_reads_thought_and_final_answer() -> None:
    parsed = parse_response('Thought: I have all.\nFinal Answer: {"answer": "yes", "n": [1]}')
    assert (parsed.thought, parsed.done) == ("I have all.", True)
    assert parsed.result == {"answer": "yes", "n": [1]}
    assert parsed.action is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('Action: find\nAction Input: {"a": 1}', {"a": 1}),
        ('**Action:** `find`\n**Action Input:** ```json\n{"a": 1}\n```', {"a": 1}),
        ('ACTION: find\nACTION INPUT: {"a": 1} and then I wait', {"a": 1}),
        ('action : find\naction input : {\n  "a": [1,\n 2]\n}', {"a": [1, 2]}),
        ('Action: find({"a": 1})', {"a": 1}),
        ("Action: find", {}),
        ("Action: find\nAction Input:", {}),
        ("Action: find\nAction Input: None", {}),
        ('Action: find\nAction Input: {"a": 1}\nObservation: x\nFinal Answer: y', {"a": 1}),
        ('Action:find\nAction Input:{"größe": "大"}', {"größe": "大"}),
    ],
)
def test_extract_action_reads_every_usual_form(written: str, read: Any) -> None:
    action = extract_action(written)
    assert action is not None
    assert (action.tool, action.input) == ("find", read)


@pytest.mark.parametrize("text", ["", "Thought: so", "Final Answer: x\nAction: find", "In action:"])
def test_extract_action_finds_none_where_there_is_none(text: str) -> None:
    assert extract_action(text) is None


def test_an_observation_that_a_model_wrote_itself_is_not_read() -> None:
    parsed = parse_response(
        "Thought: a\nAction: find\nAction Input: {}\nObservation: 7\nThought: b\nFinal Answer: 7"
    )
    assert (parsed.thought, parsed.done) == ("a", False)
    assert parsed.action is not None


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("Thought: one\ntwo\nAction: find", "one\ntwo"),
        ("thought: it is\nFinal Answer: x", "it is"),
        ("I just say\nAction: find", "I just say"),
        ("Action: find", ""),
        ("no marks", "no marks"),
        ("", ""),
    ],
)
def test_extract_thought_stops_at_the_next_mark(text: str, thought: str) -> None:
    assert extract_thought(text) == thought


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('Final Answer: {"a": 1}', {"a": 1}),
        ('Final Answer: ```json\n{"a": 1}\n```', {"a": 1}),
        ("Final Answer: 42", 42),
        ("Final Answer: 42 cars", "42 cars"),
        ("Final Answer: [1, 2]", [1, 2]),
        ("Final Answer: {not json", "{not json"),
        ("Final Answer: NaN", "NaN"),
        ("Final Answer: two\nAction: lines", "two\nAction: lines"),
        ("Thought: no answer", None),
    ],
)
def test_extract_final_answer_is_json_where_it_is_some(text: str, answer: Any) -> None:
    assert extract_final_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The response is empty."),
        ("I wonder.", "no action and no final answer"),
        ("Action:\nAction Input: {}", "names no tool"),
        ("Action: find\nAction Input: a, b", "no JSON"),
        ("Action: find\nAction Input: {'a': 1}", "no JSON"),
    ],
)
def test_malformed_responses_say_what_to_write(text: str, told: str) -> None:
    with pytest.raises(ParseFailure, match=told) as failure:
        parse_response(text)
    assert "Final Answer:" in str(failure.value)


@pytest.mark.parametrize("filling", ["\n", " \n", "\t", "`", "*", "Thought: ", "{", "[1,"])
@pytest.mark.parametrize("opening", ["", "```", "```json\n", "Final Answer: ```\n", "Action: a\n"])
def test_a_long_response_is_read_in_time(opening: str, filling: str) -> None:
    content = opening + filling * (100_000 // len(filling))
    began = time.process_time()
    try:
        parse_response(f"Final Answer: {content}")
        parse_response(content)
    except ParseFailure:
        pass
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}\n``` and more', {"a": 1}),
        ("``` json \n\n[1]\n ```", [1]),
        ("```\nwords\n```", "```\nwords\n```"),
        ('```{"a": 1}```', {"a": 1}),
    ],
)
def test_json_in_a_code_fence_is_read(text: str, read: object) -> None:
    assert extract_final_answer(f"Final Answer: {text}") == read
