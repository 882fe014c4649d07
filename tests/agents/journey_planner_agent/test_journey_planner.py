"""The planner alone: prompts into calls, and the output of its tools as it is."""

from __future__ import annotations

from journey_host import JourneyHost, calls, result, used

NAME = "journey_planner_agent"


def test_a_prompt_in_plain_english_is_planned(host: JourneyHost) -> None:
    output = host.ask("Plan a journey from Angel to Bank, to be there by 10.", agent=NAME)
    (made,) = result(output)["outputs"]
    assert made["tool"] == "compute_journey_plans"
    assert made["journeys"][0]["to"] == "Bank"
    assert made["journeys"][0]["plans"][0]["arrival"][:16] <= "2026-11-23T10:00"
    assert result(output)["answer"] == made["answer"]


def test_several_trips_of_a_prompt_share_a_handle(host: JourneyHost) -> None:
    output = host.ask("Angel to Bank at 9, then to Oval at 12", agent=NAME)
    (made,) = result(output)["outputs"]
    assert [one["journey_index"] for one in made["journeys"]] == [0, 1]


def test_variable_values_are_sent_as_they_stand(host: JourneyHost) -> None:
    prompt = (
        "Plan this.\n\n=== Variable values ===\n"
        '{"compute_journey_plans": {"starting_point": "Oval", "destination": "Bank"}}'
    )
    output = host.ask(prompt, agent=NAME)
    assert output.reasoning.steps[0].action is not None
    assert output.reasoning.steps[0].action.input == {
        "starting_point": "Oval",
        "destination": "Bank",
    }


def test_a_refusal_is_the_answer(host: JourneyHost) -> None:
    output = host.ask("Plan a journey from Angel to Nowhereville.", agent=NAME)
    assert "Nowhereville" in result(output)["refused"][0]
    assert "outputs" not in result(output)


def test_what_no_call_could_say_is_told_beside_the_output(host: JourneyHost) -> None:
    prompt = "Angel to Bank with my umbrella, stay two hours, then to Oval, preferably by tube"
    output = host.ask(prompt, agent=NAME)
    told = result(output)
    assert [one["tool"] for one in told["outputs"]] == ["compute_journey_plans"]
    assert told["not_counted"] == ["umbrella", "a stay of 120 minutes"]
    (note,) = told["notes"]
    assert "preferably by tube" in note
    assert told["answer"].startswith(told["outputs"][0]["answer"])
    assert "Not taken into account: “umbrella”, “a stay of 120 minutes”." in told["answer"]


def test_what_a_model_left_out_of_the_prompt_is_told(host: JourneyHost) -> None:
    call = calls(("compute_journey_plans", {"starting_point": "Angel", "destination": "Bank"}))
    output = host.ask("Angel to Bank with my umbrella, then to Oval", call, "Done.", agent=NAME)
    assert result(output)["not_counted"] == ["the trip to Oval", "umbrella"]
    assert output.reasoning.confidence <= 0.3


def test_a_plan_between_other_places_is_not_returned(host: JourneyHost) -> None:
    call = calls(("compute_journey_plans", {"starting_point": "Oval", "destination": "Bank"}))
    told = result(host.ask("Brixton to Angel", call, agent=NAME))
    assert "outputs" not in told
    assert "the trip to Angel" in told["not_counted"]


def test_what_a_model_adds_is_dropped(host: JourneyHost) -> None:
    call = calls(("find_stops", {"query": "Angel"}))
    output = host.ask("Find stops called Angel.", call, "Angel has 99 platforms.", agent=NAME)
    assert "99 platforms" not in str(result(output))
    assert output.metadata.fabrication_guard_triggered


def test_the_output_ends_the_run_without_another_word(host: JourneyHost) -> None:
    call = calls(("compute_journey_plans", {"starting_point": "Angel", "destination": "Bank"}))
    output = host.ask("Angel to Bank", call, "I choose plan 7.", agent=NAME)
    assert output.metadata.iterations == 1
    assert used(output) == ["compute_journey_plans"]


def test_a_prompt_without_a_trip_is_asked_back(host: JourneyHost) -> None:
    output = host.ask("Plan something nice.", agent=NAME)
    assert used(output) == []
