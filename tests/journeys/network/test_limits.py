"""What options mean without a connection, and what is said of those that mean nothing."""

from __future__ import annotations

from datetime import datetime

from groundwire.journeys.itinerary import Options
from groundwire.journeys.network.limits import (
    NIGHT_NOTE,
    OFFLINE_NOTE,
    STEP_FREE_NOTE,
    WORKS_NOTE,
    notes,
    read_limits,
)
from groundwire.journeys.network.model import Network


def test_a_mode_that_is_avoided_closes_its_lines(network: Network) -> None:
    closed = read_limits(network, Options(avoid_modes=("overground",))).closed_lines
    assert closed == {"liberty", "lioness", "mildmay", "suffragette", "weaver", "windrush"}


def test_a_line_that_is_not_in_the_network_closes_nothing(network: Network) -> None:
    assert read_limits(network, Options(avoid_lines=("73",))).closed_lines == frozenset()


def test_one_walks_all_the_way_only_where_walking_is_allowed(network: Network) -> None:
    assert read_limits(network, Options()).on_foot
    assert not read_limits(network, Options(mode=("tube",))).on_foot


def test_notes_say_what_is_not_known() -> None:
    monday, night = datetime(2026, 11, 23, 10), datetime(2026, 11, 23, 3)
    assert notes(Options(), monday) == (OFFLINE_NOTE,)
    assert notes(Options(), night) == (OFFLINE_NOTE, NIGHT_NOTE)
    step_free = Options(accessibility_preference=("StepFreeToVehicle",))
    assert notes(step_free, monday) == (OFFLINE_NOTE, STEP_FREE_NOTE)
    assert notes(Options(accessibility_preference=("NoRequirements",)), monday) == (OFFLINE_NOTE,)


def test_engineering_works_are_said_to_be_unknown_at_weekends() -> None:
    for day in (28, 29):
        assert notes(Options(), datetime(2026, 11, day, 10)) == (OFFLINE_NOTE, WORKS_NOTE)
    cycling = notes(Options(mode=("cycle",)), datetime(2026, 11, 28, 10))
    assert WORKS_NOTE not in cycling


def test_limits_name_lines_as_people_do(network: Network) -> None:
    avoided = Options(avoid_lines=("victoria", "dlr", "73"), max_walking_minutes=5)
    told = read_limits(network, avoided).told
    assert told == "without Victoria line, DLR, 73 with at most 5 minutes on foot"
