"""The router with models that invent, skip the planner, or obey what they read."""

from __future__ import annotations

import pytest
from journey_host import JourneyHost, calls, result

from groundwire.agents.journey_router_agent.telling import DECLINE

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


def test_a_draft_of_what_was_answered_passes(host: JourneyHost) -> None:
    honest = host.ask(TRIP)
    plan = result(honest)["journeys"][0]["plans"][0]
    start, arrival = plan["start"][11:16], plan["arrival"][11:16]
    draft = f"Leave Angel at {start} by the {plan['lines'][0]} line; you arrive at {arrival}."
    output = host.ask(TRIP, PLAN, draft)
    assert result(output)["answer"] == draft
    assert not output.metadata.fabrication_guard_triggered


def test_a_model_that_skips_the_planner_states_no_journey(host: JourneyHost) -> None:
    output = host.ask(TRIP, "Take the Northern line at 09:02, you are there at 09:10.")
    assert "09:02" not in result(output)["answer"]
    assert "Northern" not in result(output)["answer"]
    assert output.metadata.fabrication_guard_triggered


def test_a_model_may_ask_back_and_decline(host: JourneyHost) -> None:
    asked = host.ask("Take me to the office", "Where does the trip begin?")
    assert result(asked)["answer"] == "Where does the trip begin?"
    declined = host.ask("Write a poem", DECLINE)
    assert result(declined)["answer"] == DECLINE


def test_tools_of_the_agents_below_are_not_the_routers(host: JourneyHost) -> None:
    direct = calls(("compute_journey_plans", {"starting_point": "Angel", "destination": "Bank"}))
    output = host.ask(TRIP, direct, PLAN, "Leave at 04:44.")
    assert "04:44" not in result(output)["answer"]
    refused = output.reasoning.steps[0]
    assert refused.observation is not None
    assert "disabled" in refused.observation
