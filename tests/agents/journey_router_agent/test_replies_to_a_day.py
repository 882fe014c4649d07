"""Replies about several trips at hand: one map of a day, one leg of it, another end."""

from __future__ import annotations

from typing import Any

from journey_host import JourneyHost, result

ARTEFACTS = "journey_artefacts_agent"


def made(output: Any) -> list[str]:
    return [str(one["path"]).rsplit("/", 1)[1] for one in result(output)["outputs"]]


def ends(output: Any) -> list[tuple[str, str]]:
    return [(one["from"], one["to"]) for one in result(output)["journeys"]]


def test_one_map_and_one_calendar_hold_a_day(host: JourneyHost) -> None:
    day = host.ask("Angel to Bank at 9 and back at 5, one map of the whole day and one calendar")
    assert made(day) == ["day-2-trips-plans-1-1.html", "day-2-trips-plans-1-1.ics"]


def test_trips_of_several_turns_are_planned_as_one_day(host: JourneyHost) -> None:
    first = host.ask("Mile End to Holborn at 10")
    second = host.ask("Holborn to Angel at 3pm", after=first.run_id)
    both = host.ask("put both of them on one map", after=second.run_id)
    assert made(both) == ["day-2-trips-plans-1-1.html"]
    each = host.ask("put both in my calendar", after=second.run_id)
    assert made(each) == ["journey-1-plan-1.ics", "journey-1-plan-1.ics"]


def test_trips_of_several_days_are_refused_on_one_map(host: JourneyHost) -> None:
    output = host.ask("Angel to Bank tomorrow at 9, back on Thursday at 5, all on one map")
    assert "one map or calendar file holds those of one day" in result(output)["answer"]
    assert "outputs" not in result(output)


def test_the_way_back_is_changed_and_no_third_way_is_planned(host: JourneyHost) -> None:
    out = host.ask("Von Oval nach Kew Gardens um 9")
    back = host.ask("und um 18 Uhr zurück", after=out.run_id)
    changed = host.ask("die Rückfahrt bitte ohne Victoria Line", after=back.run_id)
    assert ends(changed) == [("Kew Gardens", "Oval")]
    plans = result(changed)["journeys"][0]["plans"]
    assert all("Victoria" not in one["lines"] for one in plans)


def test_another_end_or_day_keeps_the_rest(host: JourneyHost) -> None:
    trip = host.ask("Oval to Bank tomorrow at 9")
    moved = host.ask("no, from Kennington", after=trip.run_id)
    assert ends(moved) == [("Kennington", "Bank")]
    again = host.ask("and the same on Friday", after=trip.run_id)
    assert result(again)["journeys"][0]["plans"][0]["start"].startswith("2026-11-27T09:00")


def test_a_limit_of_changes_is_held_against_the_plans(host: JourneyHost) -> None:
    trip = host.ask("Oval to Kew Gardens")
    limited = host.ask("and no more than one change", after=trip.run_id)
    assert "plan 1 has 1 change, within the 1 asked for" in result(limited)["answer"]


def test_people_who_meet_wait_for_nobody(host: JourneyHost) -> None:
    output = host.ask(
        "my mate's coming from Brixton and I'm at Oval, we both need to be at Bank for 7pm"
    )
    arrivals = [one["plans"][0]["arrival"][:16] for one in result(output)["journeys"]]
    assert arrivals == ["2026-11-23T19:00"] * 2
