"""Lines called by letters, narrower modes, days that are no date, the service beside a plan."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.asides import named_services
from groundwire.agents.journey_requests.follow_ups import FollowUp, read_follow_up
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.rewriting import in_joined_english


@pytest.mark.parametrize(
    "text", ["take the A from Oval to Bank", "Oval to Bank by bus A", "Oval to Bank on the A"]
)
def test_a_line_called_by_a_letter_is_no_article(text: str) -> None:
    read = read_request(text)
    assert [(one.starting_point, one.destination) for one in read.trips] == [("Oval", "Bank")]
    assert any("only by the A" in one for one in read.notes)


def test_the_letter_of_a_line_to_keep_off_is_that_line() -> None:
    read = read_request("Oval to Bank without the T")
    assert read.trips[0].wishes["avoid_lines"] == ["T"]


def test_a_narrower_mode_is_not_its_mode() -> None:
    assert named_services("does the rack railway run") == (["rack railway"], [])


@pytest.mark.parametrize(
    ("text", "shift"),
    [
        ("what's the one after that?", 1),
        ("and the next one?", 1),
        ("the one before", -1),
        ("und die nächste?", 1),
        ("下一班呢？", 1),
    ],
)
def test_the_service_beside_a_plan_is_asked_for(text: str, shift: int) -> None:
    assert read_follow_up(in_joined_english(text)) == FollowUp(shift, neighbour=True)


def test_the_second_one_is_a_plan() -> None:
    assert read_follow_up("the second one") == FollowUp(which=1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("are the trams open at Christmas?", "at Christmas"),
        ("how often does the Z run in winter", "in winter"),
        ("will the Z run on Christmas Day", "on Christmas Day"),
    ],
)
def test_a_day_that_is_no_date_is_not_taken_for_today(text: str, day: str) -> None:
    asked = read_request(text).questions
    assert [one.arguments.get("date") for one in asked] == [day]
