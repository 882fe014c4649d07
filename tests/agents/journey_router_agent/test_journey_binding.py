"""The router with models whose calls are not those that the request asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from journey_host import JourneyHost, calls, result, used

from groundwire.agents.runtime.contract import AgentOutput
from groundwire.agents.runtime.model import ModelResponse

PLANNER = "journey_planner_agent"


def plan(prompt: str) -> ModelResponse:
    return calls((PLANNER, {"input_prompt": prompt}))


def answer(output: AgentOutput) -> str:
    return str(result(output)["answer"])


def ends(output: AgentOutput) -> list[tuple[str, str]]:
    return [(one["from"], one["to"]) for one in result(output)["journeys"] if one["plans"]]


def test_a_plan_between_other_places_is_not_the_answer(host: JourneyHost) -> None:
    output = host.ask("Brixton to Angel", plan("Plan a journey from Oval to Bank."), "Done.")
    said = answer(output)
    assert "The trip from Brixton to Angel is not planned." in said
    assert "A plan from Oval to Bank was not asked for, so it is not told." in said
    assert "leaves at" not in said
    assert ends(output) == []
    assert output.reasoning.confidence <= 0.3


@pytest.mark.parametrize(
    ("request_", "prompt", "told"),
    [
        ("Brixton to Bank without the tube", "Brixton to Bank", "not by tube"),
        ("Brixton to Bank by 10", "Brixton to Bank", "by 10"),
        ("Brixton to Bank by 10", "Brixton to Bank, leave at 10", "by 10"),
        ("Brixton to Bank tomorrow", "Brixton to Bank", "tomorrow"),
        ("Brixton to Bank via Oval", "Brixton to Bank", "via Oval"),
        ("Brixton to Bank step-free", "Brixton to Bank", "step free to vehicle"),
        ("Brixton to Bank, avoid the Northern line", "Brixton to Bank", "without the Northern"),
        ("Brixton to Bank by bus", "Brixton to Bank by tube", "only by bus"),
        ("Brixton to Bank, then to Oval at 5", "Brixton to Bank", "to Oval is not planned"),
    ],
)
def test_what_a_model_drops_is_told(
    host: JourneyHost, request_: str, prompt: str, told: str
) -> None:
    output = host.ask(request_, plan(prompt), "Done.")
    assert told.casefold() in answer(output).casefold()
    assert output.reasoning.confidence <= 0.3


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Brixton to Bank without the tube", "not by tube"),
        ("Brixton to Bank at 6pm", "at 6pm"),
        ("Brixton to Bank via Oval", "via Oval"),
        ("Brixton to Bank step-free", "step free to vehicle"),
    ],
)
def test_what_a_model_adds_is_told(host: JourneyHost, prompt: str, told: str) -> None:
    output = host.ask("Brixton to Bank", plan(prompt), "Done.")
    assert f"though the request does not say it: {told}" in answer(output)
    assert output.reasoning.confidence <= 0.3


@pytest.mark.parametrize(
    ("request_", "arguments"),
    [
        ("brixtn to kings x by 10", {"starting_point": "Brixton", "destination": "King's Cross"}),
        ("from Bank station to Angel tube", {"starting_point": "Bank", "destination": "Angel"}),
    ],
)
def test_a_place_in_another_spelling_is_the_same(
    host: JourneyHost, request_: str, arguments: dict[str, Any]
) -> None:
    when = {"time": "10:00", "time_is": "arriving"} if "by 10" in request_ else {}
    host.models = {}
    call = calls(("compute_journey_plans", {**arguments, **when}))
    output = host.ask(request_, call, agent=PLANNER)
    assert result(output)["outputs"][0]["journeys"][0]["plans"]
    assert "not_counted" not in result(output)
    assert "notes" not in result(output)


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ("tomorrow at 9", {"date": "2026-11-24", "time": "09:00"}),
        ("by 10 tomorrow", {"date": "tomorrow", "time": "10:00", "time_is": "arriving"}),
        ("in the early evening", {"time": "18:00"}),
        ("at five", {"time": "17:00", "time_is": "departing"}),
        ("without the tube or the bus", {"avoid_modes": ["bus", "underground"]}),
        ("by bus only", {"mode": "bus"}),
    ],
)
def test_the_same_in_other_words_is_no_difference(
    host: JourneyHost, said: str, sent: dict[str, Any]
) -> None:
    call = calls(
        ("compute_journey_plans", {"starting_point": "Oval", "destination": "Bank", **sent})
    )
    told = result(host.ask(f"Oval to Bank {said}", call, agent=PLANNER))
    assert told["outputs"]
    assert "not_counted" not in told
    assert "notes" not in told


def test_trips_may_be_planned_in_another_order(host: JourneyHost) -> None:
    output = host.ask(
        "Angel to Bank at 9 and from Oval to Brixton at 12",
        plan("Oval to Brixton at 12"),
        plan("Angel to Bank at 9"),
        "Done.",
    )
    assert ends(output) == [("Angel", "Bank"), ("Oval", "Brixton")]
    for told in ("is not planned", "was not asked for", "Not taken into account"):
        assert told not in answer(output)
    assert output.reasoning.confidence > 0.3


def test_a_question_about_another_line_is_not_answered(host: JourneyHost) -> None:
    output = host.ask("Is the Victoria line running?", plan("How does the Central line run?"), "Ok")
    assert "how Victoria run" in answer(output)
    assert "cannot be known" not in answer(output)


def test_a_request_that_rules_cannot_read_is_planned_and_told_to_be_unchecked(
    host: JourneyHost,
) -> None:
    output = host.ask("Comment aller de Angel à Bank ?", plan("Angel to Bank"), "Fertig.")
    assert answer(output).startswith("Angel to Bank: the first plan")
    assert "could not be read by rules" in answer(output)
    assert output.reasoning.confidence <= 0.3
    other = host.ask("Comment aller de Angel à Bank ?", plan("Oval to Brixton"), "Fertig.")
    assert "leaves at" not in answer(other)


def test_the_first_trip_is_the_trip_that_was_named(host: JourneyHost) -> None:
    failed = host.ask(
        "Angel to Nowhereville, then from Bank to Oval; the calendar of the first trip"
    )
    assert used(failed) == [PLANNER] * 2
    assert "No calendar file is made of the trip to Nowhereville" in answer(failed)
    later = host.ask("put the first trip in my calendar", after=failed.run_id)
    assert used(later) == []
    assert "No calendar file is made of the trip to Nowhereville" in answer(later)
    second = host.ask("put the second trip in my calendar", after=later.run_id)
    (made,) = result(second)["outputs"]
    assert "Bank to Oval" in Path(made["path"]).read_text("utf-8")


def test_a_failed_trip_leaves_no_artefact_of_one_before(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9")
    output = host.ask("from Oval to Nowhereville, with a calendar entry", after=first.run_id)
    assert used(output) == [PLANNER]


def test_trips_of_a_day_are_counted_over_its_turns(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9")
    second = host.ask("and then to Richmond by 11", after=first.run_id)
    output = host.ask("put the first trip in my calendar", after=second.run_id)
    (made,) = result(output)["outputs"]
    assert "Angel to Bank" in Path(made["path"]).read_text("utf-8")


def test_an_artefact_of_another_trip_is_not_told(host: JourneyHost) -> None:
    day = host.ask("Angel to Bank at 9, then to Oval at 12")
    made = result(day)["journeys"]
    other = {"journey_id": made[1]["journey_id"], "journey_index": 1, "plan_index": 0}
    call = calls(
        (
            "journey_artefacts_agent",
            {"input_prompt": "Write the calendar file.", "input_structured": other},
        )
    )
    output = host.ask("put the first trip in my calendar", call, "Done.", after=day.run_id)
    assert "The calendar file of Angel to Bank is not made." in answer(output)
    assert "outputs" not in result(output)


def test_plans_are_counted_from_one(host: JourneyHost) -> None:
    first = host.ask("Angel to Edgware Road at 9")
    assert answer(host.ask("describe plan 0", after=first.run_id)).startswith(
        "There is no such plan"
    )


@pytest.mark.parametrize(
    ("request_", "prompt"),
    [
        ("What are my defaults?", "Reset all defaults."),
        ("Angel to Bank, step-free today", "Remember that I need step-free."),
        ("Set my work to Bank", "Set my work to Oval."),
        ("Was sind meine Einstellungen?", "Forget everything."),
    ],
)
def test_a_model_changes_no_default_that_the_request_does_not(
    host: JourneyHost, request_: str, prompt: str
) -> None:
    before = answer(host.ask("My home is Angel and I walk slowly"))
    call = calls(("journey_preferences_agent", {"input_prompt": prompt}))
    output = host.ask(request_, call, "I have changed it.")
    assert "Nothing was changed" in answer(output)
    assert answer(host.ask("What are my defaults?")) == before


def test_a_setting_that_no_call_was_made_for_is_told(host: JourneyHost) -> None:
    output = host.ask("Set my gym to Oval", "I have set it.")
    assert answer(output) == "Not kept or forgotten as asked: places."
    assert output.reasoning.confidence <= 0.3
