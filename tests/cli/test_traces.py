"""Traces as a terminal shows them."""

from __future__ import annotations

from typing import Any

from groundwire.cli.terminal import traced


def step(number: int, thought: str, **more: Any) -> dict[str, Any]:
    return {"step": number, "thought": thought, "timestamp": "2026-11-21T12:00:00Z", **more}


def told(*steps: dict[str, Any], width: int = 80, **more: Any) -> list[str]:
    return list(traced({"steps": list(steps), "decision": "Done.", **more}, width))


def test_a_step_is_its_thought_its_call_and_the_sentence_of_the_answer() -> None:
    output = {"answer": "It is 7.", "status": "found", "evidence_id": "ev_1", "value": 7}
    action = {"tool": "find", "input": {"query": "it", "limit": 3}, "output": output}
    observation = '{"answer":"It is 7."}\nSource quality: medium\nMind: sources disagree'
    lines = told(
        step(1, "It has to be looked up.", action=action, observation=observation),
        step(2, "Gives the final answer."),
        alternatives=[{"approach": "ask the user"}],
    )
    assert lines == [
        "1. It has to be looked up.",
        "   find query=it, limit=3",
        "   -> found, ev_1: It is 7.",
        "      Source quality: medium",
        "      Mind: sources disagree",
        "2. Gives the final answer.",
        "",
        "Decision: Done.",
        "Not done: ask the user",
    ]


def test_a_long_call_has_an_argument_a_line_and_keeps_to_the_width() -> None:
    sent = {"query": "many words " * 60, "slots": {"domains": ["hdmap"]}}
    action = {"tool": "find", "input": sent, "output": {"answer": "words " * 200}}
    lines = told(step(1, "Looks.", action=action), width=60)
    assert lines[1] == "   find"
    assert lines[2].startswith("      query: many words")
    assert '      slots: {"domains": ["hdmap"]}' in lines
    assert sum(line.endswith(" ...") for line in lines) == 2
    assert max(map(len, lines)) <= 60


def test_what_was_refused_or_stopped_says_so() -> None:
    error = {"code": "ToolExecutionError", "message": "there is no such tool"}
    refused = {"tool": "fnd", "input": {}, "output": {"error": error}}
    stopped = {"tool": "wait", "input": {}}
    lines = told(
        step(1, "Looks.", action=refused, observation="Refused: there is no such tool"),
        step(2, "Waits.", action=stopped, observation="Stopped: the run ended before."),
        step(3, "Says nothing.", observation="Call find first."),
    )
    assert "   -> refused: there is no such tool" in lines
    assert "   -> Stopped: the run ended before." in lines
    assert "   -> Call find first." in lines


def test_the_steps_of_an_agent_stand_within_the_step_that_called_it() -> None:
    inner = {"steps": [step(1, "Plans.")], "decision": "Done."}
    output = {"answer": "Planned.", "evidence_ids": ["ev_1", "ev_2"], "reasoning": inner}
    action = {"tool": "planner", "input": {"input_prompt": "Plan."}, "output": output}
    lines = told(step(1, "Calls.", action=action))
    assert lines[1:4] == [
        "   planner input_prompt=Plan.",
        "   1.1. Plans.",
        "   -> ev_1, ev_2: Planned.",
    ]
    assert [line for line in lines if "Decision" in line] == ["Decision: Done."]
