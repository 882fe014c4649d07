"""The router's rules over the real planner: whole requests, and conversations."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from journey_host import JourneyHost, result, used

from groundwire.agents.journey_requests.not_held import ASK_AGAIN
from groundwire.agents.journey_requests.subagents import values_of
from groundwire.agents.journey_router_agent.conversation import NOTHING_SAID, SET_ASIDE
from groundwire.agents.journey_router_agent.plan_lines import beside
from groundwire.agents.journey_router_agent.telling import DECLINE
from groundwire.agents.runtime.contract import AgentOutput

PLANNER = "journey_planner_agent"
ARTEFACTS = "journey_artefacts_agent"
DAY = (
    "from home to Tate Modern to be there by 10, at five go to Kew Gardens from there, and be home "
    "by early evening"
)


def test_a_day_of_trips_is_planned_trip_by_trip(host: JourneyHost) -> None:
    host.ask("My home is at Angel.")
    output = host.ask(DAY)
    journeys = result(output)["journeys"]
    assert used(output) == [PLANNER] * 3
    assert [(one["from"], one["to"]) for one in journeys] == [
        ("Angel", "Tate Modern"),
        ("Tate Modern", "Kew Gardens"),
        ("Kew Gardens", "Angel"),
    ]
    assert [one["journey_index"] for one in journeys] == [0, 1, 2]
    assert len({one["journey_id"] for one in journeys}) == 1
    first, second, third = (one["plans"][0] for one in journeys)
    assert first["arrival"][:16] <= "2026-11-23T10:00"
    assert second["start"] >= "2026-11-23T17:00"
    assert third["start"] >= second["arrival"]
    assert "early evening = 18:00" in "; ".join(output.reasoning.assumptions_made)
    assert output.evidence_ids
    assert not output.metadata.fabrication_guard_triggered


def test_map_calendar_and_text_come_on_demand(host: JourneyHost) -> None:
    host.ask("My home is at Angel.")
    day = host.ask(DAY)
    drawn = host.ask("draw a map and put it in my calendar", after=day.run_id)
    assert used(drawn) == [ARTEFACTS] * 3
    paths = [Path(one["path"]) for one in result(drawn)["outputs"]]
    assert sorted(path.suffix for path in paths) == [".html"] * 3 + [".ics"] * 3
    assert all(path.is_file() for path in paths)
    told = host.ask("describe the second trip", after=drawn.run_id)
    assert result(told)["answer"].startswith("Tate Modern to Kew Gardens on Monday 23 November")
    assert used(told) == [ARTEFACTS]


def test_trips_and_a_map_in_one_request(host: JourneyHost) -> None:
    output = host.ask("Morden to Angel, then to Bank, and draw me a map of it")
    assert used(output) == [PLANNER] * 2 + [ARTEFACTS] * 2


def test_an_ambiguous_place_is_asked_about_and_settled(host: JourneyHost) -> None:
    asked = host.ask("Angel to Heathrow by 10, with a map")
    first, lead, *rows = result(asked)["answer"].splitlines()
    assert first.startswith("Which place is meant by “Heathrow”: Heathrow Terminals 2 & 3, ")
    assert lead == ("Angel to Heathrow on Monday 23 November, the first plan to each, by estimate:")
    assert rows[0].startswith("- Heathrow Terminals 2 & 3: leaves at ")
    assert used(asked) == [PLANNER]
    settled = host.ask("Terminal 5 please", after=asked.run_id)
    (journey,) = result(settled)["journeys"]
    assert (journey["from"], journey["to"]) == ("Angel", "Heathrow Terminal 5")
    assert journey["plans"][0]["arrival"][:16] <= "2026-11-23T10:00"
    assert "options" not in result(settled)


def test_what_holds_of_several_trips_is_said_once() -> None:
    notes = [f"TfL cannot be reached: try again in {seconds} s." for seconds in (5, 4)]
    outputs = [{"notes": [note], "assumptions": ["9 = 09:00"]} for note in notes]
    assert list(beside(outputs)) == [notes[0], "Assumed: 9 = 09:00."]


def test_one_reply_settles_a_place_for_all_trips_and_what_was_wanted_of_them(
    host: JourneyHost,
) -> None:
    asked = host.ask("Angel to Heathrow at 9, then back at 6pm, and draw a map")
    assert "can be made when the place is clear" in result(asked)["answer"]
    settled = host.ask("Terminal 5", after=asked.run_id)
    assert used(settled) == [PLANNER] * 2 + [ARTEFACTS] * 2
    assert [(one["from"], one["to"]) for one in result(settled)["journeys"]] == [
        ("Angel", "Heathrow Terminal 5"),
        ("Heathrow Terminal 5", "Angel"),
    ]


def test_a_place_of_the_user_that_is_not_kept_is_asked_for(host: JourneyHost) -> None:
    assert result(host.ask("gym to Bank at 8"))["answer"].startswith("Where is gym? Say,")


def test_an_option_is_chosen_by_its_number(host: JourneyHost) -> None:
    asked = host.ask("Angel to Heathrow")
    names = [one["name"] for one in result(asked)["options"]]
    settled = host.ask("the second one", after=asked.run_id)
    assert [one["to"] for one in result(settled)["journeys"]] == [names[1]]


def test_a_conversation_goes_on_from_the_journeys_at_hand(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9")
    added = host.ask("and then to Richmond by 11", after=first.run_id)
    (journey,) = result(added)["journeys"]
    assert (journey["from"], journey["to"], journey["journey_index"]) == ("Bank", "Richmond", 1)
    back = host.ask("and back at 6pm", after=added.run_id)
    assert result(back)["journeys"][0]["from"] == "Richmond"


def test_wishes_alone_change_the_trip_before(host: JourneyHost) -> None:
    first = host.ask("Stratford to Oxford Circus at 9")
    assert "Central" in result(first)["journeys"][0]["plans"][0]["lines"]
    changed = host.ask("avoid the Central line", after=first.run_id)
    plans = result(changed)["journeys"][0]["plans"]
    assert all("Central" not in plan["lines"] for plan in plans)
    assert plans[0]["start"] >= "2026-11-23T09:00"


def starts(output: AgentOutput) -> list[str]:
    return [one["plans"][0]["start"][:16] for one in result(output)["journeys"]]


def test_a_trip_is_moved_from_its_first_plan(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9")
    later = host.ask("an hour later please", after=first.run_id)
    assert starts(later) == ["2026-11-23T10:00"]
    assert starts(host.ask("make it half an hour earlier", after=later.run_id)) == [
        "2026-11-23T09:30"
    ]
    assert starts(host.ask("make it 6", after=later.run_id)) == ["2026-11-23T18:00"]
    vague = host.ask("a bit later", after=later.run_id)
    assert starts(vague) == ["2026-11-23T10:30"]
    assert "it is read as half an hour" in result(vague)["answer"]
    assert starts(host.ask("früher?", after=later.run_id)) == ["2026-11-23T09:30"]


def test_a_place_of_the_trip_is_taken_for_another(host: JourneyHost) -> None:
    first = host.ask("Angel to Waterloo at 9")
    for said in ("No, Bank instead of Angel", "Nein, Bank statt Angel", "不是Angel，是Bank"):
        swapped = result(host.ask(said, after=first.run_id))["journeys"]
        assert [(one["from"], one["to"]) for one in swapped] == [("Bank", "Waterloo")]
    other = host.ask("Oval instead of Kilburn", after=first.run_id)
    assert not result(other)["journeys"] or "Not understood" in result(other)["answer"]


def test_an_arrival_is_moved_as_an_arrival(host: JourneyHost) -> None:
    first = host.ask("Brixton to Canary Wharf by 10")
    moved = host.ask("half an hour earlier", after=first.run_id)
    assert result(moved)["journeys"][0]["plans"][0]["arrival"][:16] <= "2026-11-23T09:30"


def test_of_several_trips_the_one_to_move_is_named(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9, Oval to Victoria at 10")
    assert result(host.ask("an hour later", after=first.run_id))["answer"].endswith("later”.")
    moved = host.ask("the second trip an hour later", after=first.run_id)
    assert starts(moved) == ["2026-11-23T09:00", "2026-11-23T11:00"]


def test_a_trip_that_went_on_can_be_moved_too(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank at 9")
    back = host.ask("and back at 6", after=first.run_id)
    moved = host.ask("an hour later", after=back.run_id)
    assert starts(moved) == ["2026-11-23T19:00"]
    assert result(moved)["journeys"][0]["from"] == "Bank"


def test_a_plan_is_chosen_by_its_number(host: JourneyHost) -> None:
    first = host.ask("Angel to Edgware Road at 9")
    second = result(first)["journeys"][0]["plans"][1]
    told = host.ask("the second one", after=first.run_id)
    assert used(told) == [ARTEFACTS]
    assert f"arrive at about {second['arrival'][11:16]}" in result(told)["answer"]
    gone = host.ask("the fifth one", after=first.run_id)
    assert result(gone)["answer"] == "There is no such plan: the journey has 3."


def test_plans_at_hand_are_told_again(host: JourneyHost) -> None:
    first = host.ask("Angel to Edgware Road at 9")
    for question in ("what are the alternatives?", "how long does it take?"):
        told = host.ask(question, after=first.run_id)
        lead, *plans = result(told)["answer"].splitlines()
        assert lead == "Angel to Edgware Road on Monday 23 November, by estimate:"
        assert [one.partition(":")[0] for one in plans] == ["- plan 1", "- plan 2", "- plan 3"]
        assert not told.metadata.fabrication_guard_triggered
    cost = host.ask("how much does it cost?", after=first.run_id)
    assert result(cost)["answer"].endswith("No fare of these plans is known.")


def test_a_stay_is_counted_from_the_arrival(host: JourneyHost) -> None:
    for text in ("stay for two hours, then go to Angel", "then two hours later to Angel"):
        output = host.ask(f"Victoria to Oval at 10, {text}")
        first, second = result(output)["journeys"]
        arrival = datetime.fromisoformat(first["plans"][0]["arrival"])
        start = datetime.fromisoformat(second["plans"][0]["start"])
        assert start - arrival == timedelta(hours=2)


def test_preferences_come_before_the_trips_that_need_them(host: JourneyHost) -> None:
    output = host.ask("My hotel is at Paddington. Take me from my hotel to Bank with my mum.")
    assert used(output) == ["journey_preferences_agent", PLANNER]
    assert result(output)["journeys"][0]["from"] == "Paddington"
    assert "Not taken into account: “mum”." in result(output)["answer"]


def test_questions_about_the_network_go_to_the_planner(host: JourneyHost) -> None:
    output = host.ask("Is the Victoria line running? And when is the next train from Brixton?")
    assert used(output) == [PLANNER] * 2
    tools = {one["tool"] for one in result(output)["outputs"]}
    assert tools == {"get_line_status", "get_arrivals"}


def test_other_things_are_declined_in_one_sentence(host: JourneyHost) -> None:
    for text in ("Write me a poem about the tube", "Translate this to French", "Hello"):
        output = host.ask(text)
        assert result(output)["answer"] == DECLINE
        assert used(output) == []


def test_what_is_missing_is_asked_for(host: JourneyHost) -> None:
    for text in ("I want to travel at 5pm", "How do I get there?", "from Angel at nine"):
        output = host.ask(text)
        assert result(output)["answer"].endswith("?")
        assert used(output) == []


def test_a_reply_gives_the_end_that_was_asked_for(host: JourneyHost) -> None:
    asked = host.ask("from Angel at nine")
    assert result(asked)["answer"].endswith("end?")
    (journey,) = result(host.ask("Bank please", after=asked.run_id))["journeys"]
    assert (journey["from"], journey["to"]) == ("Angel", "Bank")
    assert journey["plans"][0]["start"][11:16] >= "09:00"


def test_a_reply_gives_the_beginning_that_the_planner_lacked(host: JourneyHost) -> None:
    refused = host.ask("to Bank by 10")
    assert result(refused)["answer"].startswith("Where does the trip to Bank begin?")
    (journey,) = result(host.ask("from Angel", after=refused.run_id))["journeys"]
    assert (journey["from"], journey["to"]) == ("Angel", "Bank")
    declined = host.ask("write me a poem", after=refused.run_id)
    assert result(declined)["answer"] == DECLINE


def test_options_stay_open_over_another_question(host: JourneyHost) -> None:
    asked = host.ask("Angel to Heathrow")
    between = host.ask("Is the Victoria line running?", after=asked.run_id)
    settled = host.ask("Terminal 4", after=between.run_id)
    assert [one["to"] for one in result(settled)["journeys"]] == ["Heathrow Terminal 4"]


def test_what_the_planner_cannot_grant_is_told(host: JourneyHost) -> None:
    said = result(host.ask("Angel to Bank, last train please"))["answer"]
    assert said.startswith("Angel to Bank: no plan. The last train of a day is not known")


def test_one_trip_that_fails_does_not_spoil_the_others(host: JourneyHost) -> None:
    output = host.ask("Angel to Nowhereville, and from Bank to Oval")
    said = result(output)["answer"]
    assert "The trip to Nowhereville is not planned" in said
    assert [one["to"] for one in result(output)["journeys"] if one["plans"]] == ["Oval"]


def test_a_plan_that_is_not_there_is_not_made_up(host: JourneyHost) -> None:
    first = host.ask("Angel to Bank")
    output = host.ask("describe plan 9", after=first.run_id)
    assert result(output)["answer"].startswith("There is no such plan")
    assert result(host.ask("Show me plan 2"))["answer"].startswith("There is no planned journey")


def test_a_reference_date_is_the_today_of_a_request(host: JourneyHost) -> None:
    output = host.ask("Angel to Bank tomorrow at 9", reference_date="2026-12-01")
    assert result(output)["journeys"][0]["plans"][0]["start"].startswith("2026-12-02T09:")


def test_the_same_is_asked_about_another_line_or_stop(host: JourneyHost) -> None:
    first = host.ask("Is the Jubilee line running?")
    second = host.ask("and the Victoria?", after=first.run_id)
    third = host.ask("What about the DLR and the Bakerloo line?", after=second.run_id)
    sent = [sent_of(one) for one in (second, third)]
    assert sent == [
        {"get_line_status": {"lines": ["Victoria"]}},
        {"get_line_status": {"lines": ["DLR", "Bakerloo"]}},
    ]
    board = host.ask("When is the next train from Brixton?", after=third.run_id)
    other = host.ask("and from Oval?", after=board.run_id)
    assert sent_of(other) == {"get_arrivals": {"stop": "Oval"}}


def test_a_line_alone_is_no_question_after_anything_else(host: JourneyHost) -> None:
    trip = host.ask("Angel to Bank")
    answer = str(result(host.ask("and the Jubilee line?", after=trip.run_id))["answer"])
    assert answer.startswith(ASK_AGAIN)
    status = host.ask("Is the Jubilee line running?")
    assert result(host.ask("and the weather?", after=status.run_id))["answer"] == DECLINE


def test_a_setting_that_was_just_made_is_forgotten(host: JourneyHost) -> None:
    kept = host.ask("My home is at Angel and I walk slowly.")
    gone = host.ask("forget that", after=kept.run_id)
    assert used(gone) == ["journey_preferences_agent"]
    left = str(result(host.ask("What are my preferences?")))
    assert "Angel" not in left and "Slow" not in left


def test_a_trip_that_is_set_aside_is_changed_no_more(host: JourneyHost) -> None:
    trip = host.ask("Angel to Bank at 9")
    aside = host.ask("Never mind, forget it.", after=trip.run_id)
    assert (used(aside), result(aside)["answer"]) == ([], SET_ASIDE)
    later = host.ask("an hour later", after=aside.run_id)
    assert used(later) == []
    assert result(host.ask("Forget that"))["answer"] == NOTHING_SAID


def sent_of(output: AgentOutput) -> object:
    """The values that went along with the only call of a run."""
    (step,) = [one for one in output.reasoning.steps if one.action is not None]
    assert step.action is not None
    return values_of(str(step.action.input["input_prompt"]))
