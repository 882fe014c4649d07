"""The agent of artefacts: what it makes of the plan that it is handed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from journey_host import JourneyHost, result, used

NAME = "journey_artefacts_agent"


@pytest.fixture
def plan(host: JourneyHost) -> dict[str, Any]:
    planned = result(host.ask("Brixton to Stratford at 9"))
    return {"journey_id": planned["journey_id"], "journey_index": 0, "plan_index": 1}


def test_everything_that_is_wanted_is_made_of_the_plan(
    host: JourneyHost, plan: dict[str, Any]
) -> None:
    prompt = "Draw the map, describe it step by step and remind me 15 minutes before I leave."
    output = host.ask(prompt, agent=NAME, variables=plan)
    made = {one["tool"]: one for one in result(output)["outputs"]}
    assert set(made) == {
        "draw_map_for_plan",
        "create_ics_file_for_plan",
        "get_computed_journey_plan",
    }
    assert Path(made["draw_map_for_plan"]["path"]).is_file()
    assert "TRIGGER:-PT15M" in made["create_ics_file_for_plan"]["ics"].replace("\r\n ", "")
    assert made["get_computed_journey_plan"]["plan_index"] == 1


def test_no_browser_is_opened_unless_it_is_asked_for(
    host: JourneyHost, plan: dict[str, Any]
) -> None:
    output = host.ask("Draw a map.", agent=NAME, variables=plan)
    assert output.reasoning.steps[0].action is not None
    assert output.reasoning.steps[0].action.input == plan


def test_without_a_plan_nothing_is_made(host: JourneyHost) -> None:
    assert used(host.ask("Draw a map.", agent=NAME)) == []


def test_the_values_of_the_plan_reach_every_model(host: JourneyHost, plan: dict[str, Any]) -> None:
    host.ask("Draw a map.", "Nothing to do.", agent=NAME, variables=plan)
    model = host.models[NAME]
    system = model.requests[0].system  # type: ignore[attr-defined]
    block = system.partition("=== Variable values ===")[2]
    assert plan["journey_id"] in block
