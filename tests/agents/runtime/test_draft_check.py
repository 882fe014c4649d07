"""A model's own words against the records of its run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from agent_bench import Bench, call, calls, says
from pydantic import JsonValue

from groundwire.agents.runtime.contract import Evidence, ToolAnswer
from groundwire.agents.runtime.evidence_guard import LEFT_OUT, draft_text, is_proven
from groundwire.agents.runtime.model import RulesModel, saying
from groundwire.evidence import Draft, Ledger, Value

Make = Callable[..., Bench]
ANSWER = "Population of China in 2010: 1,337,705,000 people (World Bank, row 7)."
COMPOSED = "China had 1.3 billion people.\n- Not looked up: 2011.\nLeave at 09:02."
SEARCHED = ToolAnswer("list_metrics", {}, "", {"answer": "There are 3 metrics."})


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "evidence.sqlite") as opened:
        yield opened


@pytest.fixture
def evidence(ledger: Ledger) -> Evidence:
    value = Value(
        "POPULATION", "1337705000", unit="people", entity="China", period="2010",
        labels=("population",),
    )  # fmt: skip
    receipt = ledger.record("local", "query_metric", {}, Draft(values=(value,), answer=ANSWER))
    told: dict[str, JsonValue] = {"answer": ANSWER, "evidence_id": receipt.evidence_id}
    found = ToolAnswer("query_metric", {}, ANSWER, told, evidence_id=receipt.evidence_id)
    return Evidence((found, SEARCHED), (receipt.evidence_id,))


@pytest.mark.parametrize(
    ("draft", "proven"),
    [
        (ANSWER, True),
        ("The population of China in 2010 was 1,337,705,000.", True),
        ("The population of China in 2010 was about 1.34 billion people.", True),
        ({"answer": "The population of China in 2010 was 1,337,705,000 people."}, True),
        ("There are 3 metrics.", True),
        ("China had 1.3 billion people.", True),
        ("- Not looked up: 2011.", True),
        ("Leave at 09:02.\nChina had 1.3 billion people.", True),
        ("You leave at 09:02.", False),
        ("Not looked up: 2009.", False),
        ("Done.", True),
        ("", True),
        # The figure is recorded, and the sentence is of something else.
        ("The population of China in 2011 was 1,337,705,000.", False),
        ("The population of India in 2010 was 1,337,705,000.", False),
        ("The population of rural China in 2010 was 1,337,705,000.", False),
        ("The GDP of China in 2010 was 1,337,705,000.", False),
        ("The population of China in 2010 was 7.", False),
        ("The population of China in 2010 was 1,337,705,000, as Jane Quimby says.", False),
        ("China had 1.3 billion people, and shrank.", False),
        ({"answer": ANSWER, "value": 99}, False),
        (99, False),
        ("The line is closed today.", False),
        ("See https://evil.example/figures.", False),
        ("由张三负责。", False),
    ],
)
def test_a_draft_stands_only_if_every_word_of_it_is_proven(
    draft: JsonValue, proven: bool, evidence: Evidence, ledger: Ledger
) -> None:
    assert is_proven(draft, COMPOSED, evidence, ledger) is proven


def test_without_a_ledger_only_sentences_of_tools_are_proven(evidence: Evidence) -> None:
    assert is_proven(ANSWER, None, evidence, None)
    assert not is_proven("The population of China in 2010 was 1,337,705,000.", "", evidence, None)


def test_records_of_others_and_unknown_ones_prove_nothing(ledger: Ledger) -> None:
    value = Value("POPULATION", "7", entity="Mars")
    other = ledger.record("somebody", "query_metric", {}, Draft(values=(value,)))
    ids = (other.evidence_id, "ev_unknown")
    assert not is_proven("The population of Mars was 7.", "", Evidence((), ids), ledger)


def test_the_thoughts_of_an_agent_that_was_called_and_refusals_prove_nothing() -> None:
    called = ToolAnswer(
        "metrics_agent",
        {},
        "It is 42. Perhaps 43.",
        {"result": {"answer": "It is 42."}, "reasoning": {"steps": [{"thought": "It is 43."}]}},
    )
    refused = ToolAnswer("find", {}, "", {"answer": "It is 44."}, is_error=True)
    evidence = Evidence((called, refused))
    assert is_proven("It is 42.", "", evidence, None)
    assert not is_proven("It is 43.", "", evidence, None)
    assert not is_proven("It is 44.", "", evidence, None)


def test_a_draft_that_is_too_long_to_be_checked_is_not_proven(evidence: Evidence) -> None:
    assert is_proven(f"{ANSWER}\n" * 20, "", evidence, None)
    assert not is_proven(f"{ANSWER}\n" * 1_000, "", evidence, None)


def test_the_text_of_a_draft_is_all_that_it_says() -> None:
    told: JsonValue = {"answer": " Found. ", "rows": [{"n": 7, "of": None}, True], "note": ""}
    assert draft_text(told) == "Found.\n7\ntrue"


@pytest.mark.anyio
async def test_what_rules_say_is_codes_own_and_not_checked(bench: Bench) -> None:
    output = await bench.run(model=RulesModel(lambda messages, tools: saying("It is 99.")))
    assert not output.metadata.fabrication_guard_triggered


@pytest.mark.anyio
async def test_a_check_that_has_no_time_left_proves_nothing_and_the_answer_stays(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object) -> bool:
        anyio.from_thread.run(anyio.sleep, 60)
        return True

    monkeypatch.setattr("groundwire.agents.runtime.loop.is_proven", endless)
    bench = make_bench(behavior={"timeout_ms": 300})
    output = await bench.run(calls(call("look_up", thing="cars")), says("There are 42 cars."))
    assert output.result == {"answer": "There are 42 cars."}
    assert output.metadata.fabrication_guard_triggered
    assert LEFT_OUT in output.reasoning.assumptions_made


@pytest.mark.anyio
async def test_a_sentence_of_a_tool_is_no_fabrication(bench: Bench) -> None:
    output = await bench.run(calls(call("look_up", thing="cars")), says("There are 42 cars."))
    assert not output.metadata.fabrication_guard_triggered
    assert LEFT_OUT not in output.reasoning.assumptions_made
