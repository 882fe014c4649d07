"""`groundwire ask AGENT "question"`: answers, sources, assumptions, traces, exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.agents.offers import offers
from groundwire.cli.registry import AGENTS

QUESTION = "Revenue of 中国内地 in FY2024?"


@pytest.fixture(autouse=True)
def by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AI_MODEL", "AI_BASE_URL", "LLM_MAX_AGENT_STEPS", "LLM_EFFORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AI_PROVIDER", "rules")
    monkeypatch.setenv("TFL_BASE_URL", "offline")


def test_an_answer_has_its_source_its_evidence_and_the_id_of_its_run(
    run: Callable[..., Any], environment: Path
) -> None:
    ran = run("ask", "metrics_agent", QUESTION)
    assert ran.code == 0, ran.err
    assert re.search("3,998,900,000 (CNY|元)", ran.out.splitlines()[0])
    assert "\nSource: Tolvarne Group annual report 2025, row 9, column FY2024\n" in ran.out
    assert "\nEvidence: ev_" in ran.out
    assert "\nRun: run_" in ran.out and "(rules, " in ran.out
    assert "metrics_agent calls query_metric" in ran.err
    assert not any(line.startswith("{") for line in ran.err.splitlines())
    assert (environment / "runs.sqlite").exists()


def test_json_is_the_whole_output(run: Callable[..., Any]) -> None:
    ran = run("ask", "metrics_agent", QUESTION, "--json")
    output = json.loads(ran.out)
    assert output["success"] and output["metadata"]["model"] == "rules"
    tools = [step["action"]["tool"] for step in output["reasoning"]["steps"] if "action" in step]
    assert "query_metric" in tools
    assert output["evidence_ids"]


def test_the_trace_is_printed_if_it_is_asked_for(run: Callable[..., Any]) -> None:
    ran = run("ask", "metrics_agent", QUESTION, "--trace")
    assert "\n   query_metric metric=REVENUE, entity=CN, period=FY2024\n" in ran.out
    assert "\n   -> found, ev_" in ran.out
    assert "\n\nDecision: Called clarify_question" in ran.out
    trace = ran.out[ran.out.index("\n1. ") :]
    assert all(len(line) <= 110 for line in trace.splitlines())


def test_what_the_answer_says_itself_is_not_said_twice(run: Callable[..., Any]) -> None:
    ran = run("ask", "journey_router_agent", "From Oval to Bank tomorrow at 9")
    assert ran.out.count("9 = 09:00") == 1
    ran = run("ask", "ontology_search_agent", "HD maps in Germany")
    assert len(set(re.findall(r"ev_\w+", ran.out))) == len(re.findall(r"ev_\w+", ran.out)) == 1
    ran = run("ask", "kg_agent", "What is SPARQL?")
    assert ran.out.count("<https://groundwire.example/help#what-is-sparql>") == 1


def test_a_conversation_goes_on_by_the_id_of_the_run(run: Callable[..., Any]) -> None:
    first = json.loads(run("ask", "metrics_agent", QUESTION, "--json").out)
    ran = run("ask", "metrics_agent", "And in FY2023?", "--continue-run", first["run_id"], "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["run_id"] != first["run_id"]
    lost = run("ask", "metrics_agent", QUESTION, "--continue-run", "run_lost")
    assert (lost.code, lost.out) == (7, "")
    assert "unknown or has expired" in lost.err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--reference-date", "someday"), 2, "No answer: "),
        (("--max-seconds", "0.001"), 4, "No answer: The time of this run is over"),
        (("--max-seconds", "0"), 2, "above 0"),
        (("--variable", "alone"), 2, "name=value"),
    ],
)
def test_a_failure_is_one_line_and_an_exit_code(
    run: Callable[..., Any], words: tuple[str, ...], code: int, says: str
) -> None:
    ran = run("ask", "metrics_agent", QUESTION, *words)
    assert ran.code == code
    assert says in ran.out + ran.err
    assert "Traceback" not in ran.out + ran.err
    assert "{" not in ran.err, "what is said already is not logged as well"


def test_a_provider_that_cannot_be_used_is_told(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AI_PROVIDER", "oracle")
    ran = run("ask", "metrics_agent", QUESTION)
    assert (ran.code, ran.out) == (3, "")
    assert "AI_PROVIDER='oracle' is unknown" in ran.err


def test_variables_reach_the_agent_beside_the_question(run: Callable[..., Any]) -> None:
    ran = run(
        "ask",
        "journey_artefacts_agent",
        "Draw the map.",
        *("--variable", "journey_id=jo_lost", "--variable", "journey_index=0", "--json"),
    )
    output = json.loads(ran.out)
    assert {"journey_id", "journey_index"} <= set(output["reasoning"]["context_used"])


def test_every_agent_that_hosts_are_offered_can_be_asked() -> None:
    assert set(offers()) <= set(AGENTS)
