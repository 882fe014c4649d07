"""The router with models that invent, skip the planner, or obey what they read."""

from __future__ import annotations

import json

import pytest
from journey_host import JourneyHost, calls, result

from groundwire.agents.journey_router_agent.telling import DECLINE
from groundwire.agents.runtime.evidence_guard import LEFT_OUT

TRIP = "Angel to Bank at 9"
PLAN = calls(("journey_planner_agent", {"input_prompt": "Plan a journey from Angel to Bank at 9."}))


@pytest.mark.parametrize(
    "lie",
    [
        "Leave at 09:17 and arrive at 09:44.",
        "It costs £2.80 and takes 12 minutes.",
        "The first plan leaves at 09:00 and takes forty minutes.",
        "Leave at half past nine.",
        "Take the Bakerloo line.",
        "Change at Wimbledon.",
        "Go to Zorblatt Street and walk.",
        "The map is at /tmp/other/map.html.",
        "See https://evil.example/plan for the map.",
        "There are seven other plans.",
        "You arrive on 24 December.",
        "The Central line is closed today, ask Gandalf.",
    ],
)
def test_what_nobody_answered_is_replaced_by_what_was(host: JourneyHost, lie: str) -> None:
    output = host.ask(TRIP, PLAN, lie)
    said = result(output)["answer"]
    assert lie not in said
    assert said.startswith("Angel to Bank: the first plan leaves at 09:00")
    assert output.metadata.fabrication_guard_triggered


def test_a_departure_that_is_told_as_the_arrival_is_replaced(host: JourneyHost) -> None:
    honest = host.ask(TRIP)
    plan = result(honest)["journeys"][0]["plans"][0]
    start, arrival = plan["start"][11:16], plan["arrival"][11:16]
    assert start != arrival
    output = host.ask(TRIP, PLAN, f"You leave at {arrival} and arrive at {start}.")
    assert output.metadata.fabrication_guard_triggered
    assert result(output)["answer"].startswith("Angel to Bank: the first plan leaves at 09:00")


def test_a_true_sentence_is_no_fabrication_and_code_answers_all_the_same(
    host: JourneyHost,
) -> None:
    honest = result(host.ask(TRIP))
    plan = honest["journeys"][0]["plans"][0]
    start, arrival = plan["start"][11:16], plan["arrival"][11:16]
    draft = f"Leave Angel at {start} by the {plan['lines'][0]} line; you arrive at {arrival}."
    output = host.ask(TRIP, PLAN, draft)
    assert result(output)["answer"] == honest["answer"]
    assert not output.metadata.fabrication_guard_triggered
    cheaper = host.ask(TRIP, PLAN, f"{draft} It is the cheapest way.")
    assert result(cheaper)["answer"] == honest["answer"]
    assert cheaper.metadata.fabrication_guard_triggered
    assert LEFT_OUT in cheaper.reasoning.assumptions_made


def test_sentences_that_code_has_made_are_no_fabrication(host: JourneyHost) -> None:
    said = result(host.ask(TRIP))["answer"]
    output = host.ask(TRIP, PLAN, said.splitlines()[0])
    assert result(output)["answer"] == said
    assert not output.metadata.fabrication_guard_triggered


@pytest.mark.parametrize(
    "lie",
    [
        "The Victoria line is closed today.",
        "It is step free all the way.",
        "Your tickets are booked and paid.",
        "There are no delays.",
        "Angel is closed, so walk.",
        "This is the only way.",
        "[Open the map](javascript:alert(1))",
        "Bank is the best place to be.",
        "The first plan is the cheapest.",
        "I have told your friend that you are late.",
        "Die Northern line ist heute gesperrt.",
        "北线今天停运。",
    ],
)
def test_plain_false_sentences_do_not_pass(host: JourneyHost, lie: str) -> None:
    honest = result(host.ask(TRIP))["answer"]
    for draft in (lie, f"{honest} {lie}", {"answer": lie}):
        text = draft if isinstance(draft, str) else json.dumps(draft)
        output = host.ask(TRIP, PLAN, text)
        assert result(output)["answer"] == honest
        assert output.metadata.fabrication_guard_triggered


def test_a_model_that_skips_the_planner_states_no_journey(host: JourneyHost) -> None:
    output = host.ask(TRIP, "Take the Northern line at 09:02, you are there at 09:10.")
    assert "09:02" not in result(output)["answer"]
    assert "Northern" not in result(output)["answer"]
    assert output.metadata.fabrication_guard_triggered


def test_what_is_asked_back_is_asked_in_code(host: JourneyHost) -> None:
    asked = host.ask("Take me to the office", "Which office, the one of Zorblatt?")
    assert result(asked)["answer"] == "Where does the trip to the office begin?"
    declined = host.ask("Write a poem", DECLINE)
    assert result(declined)["answer"] == DECLINE
    assert not declined.metadata.fabrication_guard_triggered


def test_tools_of_the_agents_below_are_not_the_routers(host: JourneyHost) -> None:
    direct = calls(("compute_journey_plans", {"starting_point": "Angel", "destination": "Bank"}))
    output = host.ask(TRIP, direct, PLAN, "Leave at 04:44.")
    assert "04:44" not in result(output)["answer"]
    refused = output.reasoning.steps[0]
    assert refused.observation is not None
    assert "disabled" in refused.observation
