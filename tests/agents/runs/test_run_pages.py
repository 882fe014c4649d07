"""A trace of any length reaches its reader: in short at first, then in pages, and whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from groundwire.agents.runs.showing import Cut, brief, first_page, page_after
from groundwire.agents.runtime.contract import (
    Action,
    AgentExecutionMetadata,
    AgentOutput,
    AgentReasoning,
    ReasoningStep,
)

ROOM = 18_000
TIME = "2026-11-21T12:00:00.000+00:00"


def step(number: int, output: Any = None, thought: str = "Look it up.") -> ReasoningStep:
    return ReasoningStep(
        step=number,
        thought=thought,
        action=Action(tool="find", input={"query": f"q{number}"}, output=output),
        observation=json.dumps(output)[:8_000],
        timestamp=TIME,
    )


def output(*steps: ReasoningStep, **result: Any) -> AgentOutput:
    return AgentOutput(
        run_id="run_1",
        success=True,
        result={"answer": "It is 7.", **result},
        reasoning=AgentReasoning(steps=steps, decision="Found.", confidence=0.9),
        metadata=AgentExecutionMetadata(
            execution_time_ms=3, iterations=1, model="rules", agent_version="1.0.0"
        ),
        evidence_ids=("ev_1",),
    )


def size(tree: object) -> int:
    return len(to_json(tree).decode())


def rest(cuts: tuple[Cut, ...], room: int = ROOM) -> dict[str, str]:
    """What was cut, put together from all pages."""
    found: dict[str, str] = {}
    offset: int | None = 0
    pages = 0
    while offset is not None:
        pieces, following = page_after(cuts, offset, room)
        assert size([[one.of, one.text] for one in pieces]) <= room + 200
        assert following is None or following > offset
        for piece in pieces:
            assert len(found.get(piece.of, "")) == piece.begin
            found[piece.of] = found.get(piece.of, "") + piece.text
        offset = following
        pages += 1
    return found


def test_what_fits_is_whole() -> None:
    one = output(step(1, {"value": 7}))
    tree, cuts = first_page(one, ROOM)
    assert (tree, cuts) == (one.dumped(), ())
    assert page_after(cuts, 0, ROOM) == ((), None)


def test_long_answers_of_tools_are_shortened_first_and_paged_whole() -> None:
    rows = [{"row": at, "text": "x" * 40} for at in range(400)]
    one = output(*(step(at, {"rows": rows}) for at in range(1, 6)), rows=rows[:20])
    tree, cuts = first_page(one, ROOM)
    assert size(tree) <= ROOM
    assert tree["result"] == one.dumped()["result"]
    assert [shown["thought"] for shown in tree["reasoning"]["steps"]] == ["Look it up."] * 5
    assert [shown["action"]["input"] for shown in tree["reasoning"]["steps"]] == [
        {"query": f"q{at}"} for at in range(1, 6)
    ]
    assert "characters left out)" in tree["reasoning"]["steps"][0]["action"]["output"]
    whole = rest(cuts)
    for at in range(5):
        assert json.loads(whole[f"reasoning.steps[{at}].action.output"]) == {"rows": rows}
        assert whole[f"reasoning.steps[{at}].observation"] == one.reasoning.steps[at].observation


def test_the_end_of_a_trace_of_very_many_steps_is_on_the_pages_after() -> None:
    one = output(*(step(at, {"value": at}) for at in range(1, 601)))
    tree, cuts = first_page(one, ROOM)
    assert size(tree) <= ROOM
    shown = tree["reasoning"]["steps"]
    assert 10 < len(shown) < 600
    assert [entry["step"] for entry in shown] == list(range(1, len(shown) + 1))
    (name,) = (cut.of for cut in cuts if cut.of.endswith(":]"))
    assert name == f"reasoning.steps[{len(shown)}:]"
    others = json.loads(rest(cuts)[name])
    assert [entry["step"] for entry in others] == list(range(len(shown) + 1, 601))
    assert others == one.dumped()["reasoning"]["steps"][len(shown) :]


def test_a_result_that_is_too_long_keeps_its_answer_and_the_first_of_its_items() -> None:
    rows = [{"row": at, "text": "y" * 60} for at in range(2_000)]
    one = output(step(1, {"value": 7}), rows=rows)
    tree, cuts = first_page(one, ROOM)
    assert size(tree) <= ROOM
    assert tree["result"]["answer"] == "It is 7."
    shown = tree["result"]["rows"]
    assert shown == rows[: len(shown)] and shown
    assert json.loads(rest(cuts)["result.rows"]) == rows


@pytest.mark.parametrize("room", [900, 5_000])
def test_pages_are_small_whatever_is_in_them(room: int) -> None:
    text = '"\\\n\x00é中' * 3_000
    one = output(step(1, text, thought=text))
    tree, cuts = first_page(one, ROOM)
    assert size(tree) <= ROOM
    whole = rest(cuts, room)
    assert whole["reasoning.steps[0].action.output"] == text
    assert whole.get("reasoning.steps[0].thought", text) == text


@given(
    st.lists(
        st.tuples(st.text(max_size=50), st.integers(0, 3_000), st.integers(0, 3_000)),
        min_size=1,
        max_size=40,
    )
)
def test_nothing_of_any_trace_is_lost(parts: list[tuple[str, int, int]]) -> None:
    one = output(
        *(
            step(at, {"text": text * count}, thought=text * thought)
            for at, (text, count, thought) in enumerate(parts, 1)
        )
    )
    tree, cuts = first_page(one, ROOM)
    assert size(tree) <= ROOM
    whole = rest(cuts)
    dropped = next((json.loads(text) for of, text in whole.items() if of.endswith(":]")), [])
    shown = tree["reasoning"]["steps"]
    assert len(shown) + len(dropped) == len(parts)
    assert dropped == one.dumped()["reasoning"]["steps"][len(shown) :]
    for at, (entry, kept) in enumerate(
        zip(shown, one.dumped()["reasoning"]["steps"], strict=False)
    ):
        for key in ("thought", "observation"):
            assert whole.get(f"reasoning.steps[{at}].{key}", entry[key]) == kept[key]
        cut = whole.get(f"reasoning.steps[{at}].action.output")
        assert (json.loads(cut) if cut else entry["action"]["output"]) == kept["action"]["output"]


def test_a_brief_output_names_what_it_leaves_out() -> None:
    rows = [{"row": at, "text": "x" * 40} for at in range(400)]
    one = output(step(1, {"value": 7}), rows=rows, markdown="m" * 5_000)
    tree, left_out = brief(one, ROOM)
    assert "steps" not in tree["reasoning"] and tree["result"]["answer"] == "It is 7."
    assert left_out == ("the trace (1 step)", "result.markdown", "result.rows")
    assert 0 < len(tree["result"]["rows"]) < 400 and size(tree) < 4_000


def test_a_brief_output_of_a_long_answer_fits_too() -> None:
    one = output().model_copy(update={"result": {"answer": "7 " * 20_000}})
    tree, left_out = brief(one, ROOM)
    assert size(tree) <= ROOM and left_out == ("result.answer",)
