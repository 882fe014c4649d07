"""What an answer means for the next steps, and that the loop uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from agent_bench import Bench, call, calls, says

from groundwire.agents.runtime.contract import ToolAnswer
from groundwire.agents.runtime.hints import AgentHints, hints_of, least, merged


def hints(data: dict[str, Any], **more: Any) -> AgentHints:
    return hints_of(ToolAnswer("query", {}, "", data), **more)


@pytest.mark.parametrize(
    ("data", "quality"),
    [
        ({"status": "found"}, "high"),
        ({"status": "not_found"}, "high"),
        ({"status": "found", "resolved": [{"how": "alias"}]}, "high"),
        ({"status": "results", "corrections": [{"how": "corrected"}]}, "medium"),
        ({"status": "results", "confidence": "low"}, "low"),
        ({"status": "found", "conflicts": [{}]}, "medium"),
        ({"status": "results", "gaps": [{"term": "x"}]}, "low"),
        ({"status": "partial"}, "medium"),
        ({"status": "rejected"}, "low"),
        ({"source": "offline_estimate"}, "medium"),
        ({"evidence_id": "ev_1"}, "high"),
        ({"evidence_id": None, "evidence_error": "disk"}, "medium"),
        ({"success": True, "reasoning": {"confidence": 0.6}}, "medium"),
        ({"success": True, "reasoning": {"confidence": 0.9}}, "high"),
        ({"success": False, "reasoning": {"confidence": 0.3}}, "low"),
        ({}, "unknown"),
    ],
)
def test_source_quality_is_the_least_of_what_an_answer_says(
    data: dict[str, Any], quality: str
) -> None:
    assert hints(data).source_quality == quality


def test_the_least_of_qualities() -> None:
    assert least(["high", "low", "medium"]) == "low"
    assert least(["high", "unknown"]) == "high"
    assert least([]) == "unknown"


@pytest.mark.parametrize(
    ("data", "action"),
    [
        (
            {"status": "unrecognized_param", "param": "entity", "candidates": ["Ireland"]},
            "call query again with entity one of Ireland",
        ),
        ({"options": [{"name": "Bank"}, {"name": "Angel"}]}, "choose one of Bank, Angel"),
        (
            {"status": "rejected", "gaps": [{"term": "colour", "suggestions": ["color"]}]},
            "instead of colour send one of color",
        ),
        ({"status": "running", "run_id": "kg_1"}, "call query again with run_id"),
        ({"status": "needs_decision", "question": "Which?"}, "decide: Which?"),
        ({"status": "not_found", "available": {"periods": ["2023"]}}, "what is held is periods"),
        ({"status": "results", "next_cursor": "cu_1"}, "cursor = next_cursor"),
        ({"status": "empty", "explanation_of_empty": "no x"}, "leave out the condition"),
    ],
)
def test_next_actions_follow_from_the_answer(data: dict[str, Any], action: str) -> None:
    assert action in hints(data).next_actions[0].text


def test_next_actions_come_by_what_they_bring() -> None:
    found = hints(
        {
            "status": "rejected",
            "next_cursor": "cu_1",
            "candidates": ["a"],
            "gaps": [{"term": "t", "suggestions": ["u"]}],
        }
    )
    impacts = [action.impact for action in found.next_actions]
    assert impacts == sorted(impacts, reverse=True)
    assert len(impacts) == 3


def test_validity_period_follows_from_what_the_tool_reaches() -> None:
    found = {"status": "found"}
    assert hints(found, open_world=False).validity_period == 3_600
    assert hints(found, open_world=True).validity_period == 30
    assert hints(found, read_only=False).validity_period == 0
    assert hints({"status": "running"}).validity_period == 0
    assert hints({"status": "unrecognized_param"}).validity_period == 0


def test_risk_factors_and_dependencies() -> None:
    found = hints(
        {
            "journey_id": "jo_1",
            "evidence_id": "ev_1",
            "source": "offline_estimate",
            "conflicts": [{}],
            "left_out": "10 more",
            "gaps": [{"term": "lanes"}],
        }
    )
    assert found.dependencies == ("journey_id=jo_1",)
    assert found.risk_factors == (
        "sources disagree: tell the conflict",
        "times are estimates of an embedded network",
        "something was left out: do not call it complete",
        "not covered: lanes",
    )
    assert "Later calls need: journey_id=jo_1" in found.lines()


def test_estimated_impact_grows_with_what_was_found() -> None:
    impacts = [
        hints({"status": status}).estimated_impact
        for status in ("rejected", "not_found", "partial", "found")
    ]
    assert impacts == sorted(impacts)
    assert all(0 <= impact <= 1 for impact in impacts)


def test_a_refusal_asks_for_other_arguments() -> None:
    refused = hints_of(ToolAnswer("query", {}, "send more", {}, is_error=True))
    assert refused.superseded_by_success
    assert refused.source_quality == "low"
    assert refused.next_actions[0].tool == "query"


@pytest.mark.anyio
async def test_the_loop_offers_next_actions_and_keeps_what_was_not_done_as_alternatives(
    bench: Bench,
) -> None:
    output = await bench.run(calls(call("look_up", thing="carz")), says("There is none."))
    assert output.reasoning.steps[0].observation is not None
    offered = "call look_up again with the argument one of cars"
    assert f"Next: {offered}" in output.reasoning.steps[0].observation
    (alternative,) = output.reasoning.alternatives
    assert alternative.approach == offered
    assert alternative.estimated_impact == 0.9


@pytest.mark.anyio
async def test_the_quality_of_sources_lowers_the_confidence(
    make_bench: Callable[..., Bench],
) -> None:
    bench = make_bench()
    low = await bench.run(calls(call("look_up", thing="carz")), says("There is none."))
    high = await bench.run(
        calls(call("look_up", thing="carz")),
        calls(call("look_up", thing="cars")),
        says("There are 42 cars."),
    )
    assert (low.reasoning.confidence, high.reasoning.confidence) == (0.3, 0.9)
    assert low.reasoning.source_quality == "low"


def test_hints_have_the_eleven_fields_of_the_specification() -> None:
    data = {
        "status": "not_enough",
        "needed": "5 answers",
        "assumptions": ["today is Monday"],
        "corrections": [{"slot": "deck", "raw": "Tide", "how": "folded"}],
        "gaps": [{"term": "shelf"}],
        "cards": [{"card_id": "c1", "front": "x"}],
        "evidence_id": "ev_1",
    }
    sent = {"deck": "Tide", "shelf": "A", "limit": 5, "cursor": ""}
    found = hints_of(ToolAnswer("query", sent, "", data), open_world=False)
    told = found.dumped()
    assert len(told) == 11
    assert told["related_resources"] == ["card_id=c1", "evidence_id=ev_1"]
    assert told["context_needed"] == ["5 answers"]
    assert told["assumptions"] == ["today is Monday"]
    assert (told["source_quality"], told["confidence"]) == ("low", 0.3)
    assert found.preference_alignment == (
        ("deck", "moderate"),
        ("shelf", "conflict"),
        ("limit", "strong"),
    )


def test_hints_of_several_answers_are_as_sure_as_the_least() -> None:
    sure, unsure = hints({"status": "found", "evidence_id": "ev_1"}), hints({"status": "partial"})
    both = merged([sure, unsure])
    assert (both.source_quality, both.confidence) == ("medium", 0.6)
    assert both.related_resources == ("evidence_id=ev_1",)
    assert both.estimated_impact == max(sure.estimated_impact, unsure.estimated_impact)
    refused = hints({"status": "unrecognized_param", "param": "deck"})
    assert merged([sure, refused]) == merged([sure])
    assert merged([]).context_needed
