"""Recorded boards, read whole."""

from __future__ import annotations

from datetime import datetime

import pytest
from recorded import recorded

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.names import LINE_BY_ID
from groundwire.journeys.tfl.arrivals_payload import Arrival, read_arrivals

NORTHERN = "stoppoint/ridgeview_arrivals_northernLineArrivals.json"
MILDMAY = "stoppoint/ridgeview_arrivals_mildmayLineArrivals.json"


def london(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=LONDON)  # type: ignore[arg-type]


def northern() -> tuple[Arrival, ...]:
    return read_arrivals(recorded(NORTHERN)).arrivals


def mildmay() -> tuple[Arrival, ...]:
    return read_arrivals(recorded(MILDMAY), LINE_BY_ID["mildmay"]).arrivals


def test_every_recorded_prediction_becomes_one_arrival_in_order() -> None:
    read = read_arrivals(recorded(NORTHERN))
    assert read.unread == ()
    assert len(read.arrivals) == len(recorded(NORTHERN)) == 20
    assert [one.expected for one in read.arrivals] == sorted(one.expected for one in read.arrivals)
    assert {one.prediction for one in read.arrivals} == {one["id"] for one in recorded(NORTHERN)}


def test_an_arrival_says_line_direction_platform_and_london_time() -> None:
    first = northern()[0]
    assert first.service == "Northern line"
    assert first.goes_to == "High Barnet via Bank"
    assert first.destination == "High Barnet"
    assert first.platform == "Northbound - Platform 7"
    assert first.stop == "King's Cross St. Pancras"
    assert first.expected == london(2020, 8, 5, 17, 15, 41)
    assert first.location == "Between Angel and Kings Cross"


def test_minutes_count_from_the_given_moment() -> None:
    now = london(2020, 8, 5, 17, 15, 32)
    assert [one.minutes(now) for one in northern()[:4]] == [0, 1, 3, 4]
    assert northern()[0].minutes(london(2020, 8, 5, 18, 0)) == 0


def test_a_board_without_line_names_takes_the_line_that_it_was_asked_for() -> None:
    board = mildmay()
    assert len(board) == len(recorded(MILDMAY)) == 18
    assert {one.service for one in board} == {"Mildmay line"}
    assert {one.destination for one in board} == {"Richmond", "Stratford"}
    assert read_arrivals(recorded(MILDMAY)).arrivals[0].service == "Train"


def test_cancelled_and_late_trains_say_so_and_why() -> None:
    cancelled = [one for one in mildmay() if one.outlook == "cancelled"]
    assert len(cancelled) == 3
    assert not any(one.comes for one in cancelled)
    assert cancelled[1].cause == (
        "This service has been cancelled because of a speed restriction over defective track"
    )
    late = next(one for one in mildmay() if one.outlook == "delayed")
    assert late.scheduled == london(2025, 11, 4, 20, 58)
    assert late.expected == london(2025, 11, 4, 21, 25, 5)


def test_a_platform_that_tfl_does_not_know_is_not_named() -> None:
    assert {one.platform for one in mildmay()} == {"", "Platform 1", "Platform 2"}


def test_the_same_arrival_is_told_once() -> None:
    """Synthetic: the recorded boards have no duplicates."""
    board = recorded(NORTHERN)
    again = {**board[0], "id": "another", "timestamp": "2020-08-05T16:16:00Z"}
    again["expectedArrival"] = "2020-08-05T16:35:00Z"
    read = read_arrivals([*board, board[0], again])
    assert len(read.arrivals) == 20
    kept = next(one for one in read.arrivals if one.prediction == "another")
    assert kept.expected == london(2020, 8, 5, 17, 35)


def test_trains_that_tfl_could_not_identify_are_not_one_train() -> None:
    """Synthetic: `000` stands for any train without a number."""
    board = [{**one, "vehicleId": "000"} for one in recorded(NORTHERN)]
    assert len(read_arrivals(board).arrivals) == 20


@pytest.mark.parametrize("payload", [{}, "<html>", None, [1], [{"lineId": "northern"}]])
def test_what_is_no_board_is_refused(payload: object) -> None:
    with pytest.raises(UnavailableError, match="other than a board"):
        read_arrivals(payload)


def test_an_entry_that_cannot_be_read_is_told() -> None:
    read = read_arrivals([*recorded(NORTHERN), {"lineId": "northern"}, 7])
    assert len(read.arrivals) == 20
    assert read.unread == ("1 entries are no arrivals", "entry 21 has no time")


def test_an_empty_board_is_empty() -> None:
    assert read_arrivals([]).arrivals == ()
