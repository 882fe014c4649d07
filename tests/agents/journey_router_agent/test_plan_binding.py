"""Figures of one plan are not told of another, whatever was answered of both."""

from __future__ import annotations

import pytest
from journey_host import JourneyHost, calls, result

from groundwire.agents.journey_router_agent.plan_binding import mixed


def plan(start: str, arrival: str, minutes: int) -> dict[str, object]:
    day = "2026-11-23T"
    return {
        "start": f"{day}{start}:00+00:00",
        "arrival": f"{day}{arrival}:00+00:00",
        "duration_minutes": minutes,
    }


TRIP = {
    "from": "Angel",
    "to": "Kew",
    "plans": [plan("09:00", "09:48", 48), plan("10:00", "10:52", 52)],
}
BACK = {"from": "Kew", "to": "Angel", "plans": [plan("17:00", "17:40", 40)]}


@pytest.mark.parametrize(
    "draft",
    [
        "plan 1 takes 48 minutes and leaves at 10:00",
        "Plan 1 leaves at 9:00. It takes 52 minutes.",
        "The first plan takes 48 minutes and the second plan takes 48 minutes.",
        "Option 2 arrives at 09:48.",
        "You leave at 09:00 and arrive at 10:52.",
        "It takes 48 minutes: leave at 10.00.",
        "The second option, a 52-minute way, leaves at 9 am sharp, at 09:00.",
        "Angel to Kew: leave at 17:00.",
        "The second trip leaves at 09:00 and takes 48 minutes.",
        "Leave at 09:00, arrive at 10:52, and be back at 17:40.",
    ],
)
def test_figures_of_two_plans_are_not_said_of_one(draft: str) -> None:
    assert list(mixed(draft, [TRIP, BACK]))


@pytest.mark.parametrize(
    "draft",
    [
        "plan 1 takes 48 minutes and leaves at 09:00, plan 2 takes 52 minutes and leaves at 10:00",
        "Plan 2 leaves at 10:00 am. It takes 52 minutes.",
        "You can leave at 09:00 or 10:00.",
        "The plans take 48 and 52 minutes: 48 minutes or 52 minutes.",
        "Leave at 09:00, arrive at 09:48, and be back at 17:40.",
        "Angel to Kew: leave at 9:00, arrive at 09:48. Kew to Angel: leave at 17:00.",
        "The second trip leaves at 17:00 and takes 40 minutes.",
        "The walk takes 3 minutes; the first plan leaves at 09:00.",
        "",
    ],
)
def test_figures_that_belong_together_pass(draft: str) -> None:
    assert not list(mixed(draft, [TRIP, BACK]))


def test_a_time_of_the_request_may_be_repeated() -> None:
    said = "As you want to go by 10:00, plan 1 is best: it takes 48 minutes."
    assert not list(mixed(said, [TRIP], "Angel to Kew by 10:00"))
    assert list(mixed("Plan 1 leaves at 10:00.", [TRIP], "Angel to Kew by 10:00"))


def test_with_one_plan_nothing_can_be_mixed() -> None:
    assert not list(mixed("Leave at 17:00, arrive at 17:40.", [BACK]))


def test_a_model_that_mixes_plans_is_replaced(host: JourneyHost) -> None:
    request = "Angel to Edgware Road at 9"
    planned = calls(("journey_planner_agent", {"input_prompt": f"Plan {request}."}))
    first, second = result(host.ask(request))["journeys"][0]["plans"][:2]
    assert first["arrival"] != second["arrival"]
    honest = f"Plan 1 takes {first['duration_minutes']} minutes."
    assert result(host.ask(request, planned, honest))["answer"] == honest
    mix = f"Plan 1 takes {first['duration_minutes']} minutes and arrives at "
    output = host.ask(request, planned, f"{mix}{second['arrival'][11:16]}.")
    assert output.metadata.fabrication_guard_triggered
    assert mix not in result(output)["answer"]
