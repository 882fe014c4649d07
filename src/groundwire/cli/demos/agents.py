"""The demo of the agents server: every agent by its rules, on the embedded data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.cli.demo import Exchange

_SHOWN = ("run_id",)


def _first(answers: list[Mapping[str, Any]], agent: str) -> Mapping[str, Any]:
    """The first answer of an agent."""
    nothing: Mapping[str, Any] = {}
    return next((one for one in answers if one.get("agent") == agent), nothing)


def _going_on(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A question that goes on from what the metrics agent was asked before."""
    before = _first(answers, "metrics_agent")
    return {"question": "And in FY2023?", "continue_run_id": before.get("run_id", "")}


def _the_run(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    return {"run_id": _first(answers, "journey_router_agent").get("run_id", "")}


def _a_claim(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A draft of which one figure is invented."""
    found = _first(answers, "metrics_agent")
    return {
        "draft": "Revenue of Tolvarne China was 3,998,900,000 CNY in FY2024. It was 5.1 billion "
        "CNY in FY2023.",
        "evidence_ids": list(found.get("evidence_ids", ())),
    }


SCRIPT = [
    Exchange(
        "A question for the catalogue, with a typo",
        "ontology_search_agent",
        {"question": "HD maps of motorwy in Germany"},
        _SHOWN,
    ),
    Exchange(
        "A question for a figure, in Chinese and English",
        "metrics_agent",
        {"question": "Revenue of 中国内地 in FY2024?", "include_trace": True},
        ("reasoning", *_SHOWN),
    ),
    Exchange(
        "It goes on: metric and entity stay known",
        "metrics_agent",
        _going_on,
        _SHOWN,
    ),
    Exchange(
        "A question for a knowledge graph",
        "kg_agent",
        {"question": "What is SPARQL?"},
        _SHOWN,
    ),
    Exchange(
        "Two trips in one request, the second from where the first ends",
        "journey_router_agent",
        {"question": "From Paddington to Tate Modern tomorrow at 9, then to Greenwich at noon."},
        _SHOWN,
    ),
    Exchange(
        "The same run by its handle: it is kept for a week, whatever becomes of the server",
        "get_agent_result",
        _the_run,
        ("status", "metadata"),
    ),
    Exchange(
        "A budget of one millisecond: no answer, and the right error",
        "metrics_agent",
        {"question": "Revenue of 中国内地 in FY2024?", "budget": {"max_time_ms": 1}},
        ("success", "error"),
    ),
    Exchange(
        "The text that a model is about to show, with a figure that nothing proves",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
