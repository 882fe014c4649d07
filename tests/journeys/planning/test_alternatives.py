"""The way around a disruption, and plans without some lines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from plans import KINGS_CROSS, OXFORD_CIRCUS, london, made, ride

from groundwire import profiles
from groundwire.journeys.itinerary import Disruption, Journey, Leg, Options, Plan
from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.journeys.planning.trips import way_around, without_lines

DELAYS = Disruption("Victoria", "Severe delays.", "victoria")
NINE = london(2026, 11, 23, 9, 0)


@cache
def network() -> Network:
    return load_network(profiles.london_network())


def plan(*legs: Leg) -> Plan:
    return made(*legs)[0]


VICTORIA = plan(ride(NINE, disruptions=(DELAYS,)))
PICCADILLY = plan(ride(NINE, 14, line_id="piccadilly", line="Piccadilly"))
BUS = plan(ride(NINE, 25, mode="bus", line_id="73", line="73"))
WALK = plan(ride(NINE, 40, mode="walking", line_id="", line="", direction=""))


def around(*plans: Plan, disruption: Disruption = DELAYS, options: Options | None = None) -> str:
    journey = Journey(KINGS_CROSS, OXFORD_CIRCUS, plans, "tfl")
    return way_around(disruption, plans[0], journey, network(), options or Options())


@pytest.mark.parametrize(
    ("others", "says"),
    [
        ((BUS, PICCADILLY), "plan 3 (plan_index 2), by the Piccadilly line, arrives at 09:14"),
        ((BUS,), "plan 2 (plan_index 1), by bus 73, arrives at 09:25"),
        ((WALK,), "plan 2 (plan_index 1), on foot, arrives at 09:40"),
        ((VICTORIA, BUS), "plan 3 (plan_index 2), by bus 73, arrives at 09:25"),
    ],
)
def test_the_plan_that_arrives_first_without_the_line(others: tuple[Plan, ...], says: str) -> None:
    assert around(VICTORIA, *others) == says


def test_where_every_plan_uses_the_line_the_network_knows_another_way() -> None:
    told = around(VICTORIA)
    assert told.endswith("by estimate")
    assert "Victoria" not in told
    assert told.startswith("by the ")


def test_what_the_traveller_avoids_is_no_way_around() -> None:
    nothing_left = Options(avoid_lines=tuple(network().lines))
    assert around(VICTORIA, options=nothing_left).startswith("on foot, about ")
    only_tube = Options(mode=("tube",), avoid_lines=tuple(network().lines), max_walking_minutes=5)
    assert around(VICTORIA, options=only_tube) == ""


def test_a_disruption_of_a_stop_or_of_a_line_elsewhere_has_no_way_of_the_network() -> None:
    at_stop = replace(DELAYS, line="Oxford Circus", line_id="")
    disrupted = plan(ride(NINE, disruptions=(at_stop,)))
    assert around(disrupted, disruption=at_stop) == ""
    assert (
        around(disrupted, BUS, disruption=at_stop)
        == "plan 2 (plan_index 1), by bus 73, arrives at 09:25"
    )
    rail = replace(DELAYS, line="Southern", line_id="southern")
    assert around(disrupted, disruption=rail) == ""


def test_plans_without_lines() -> None:
    kept, ruled_out = without_lines(
        (VICTORIA, BUS, PICCADILLY), Options(avoid_lines=("victoria", "73"))
    )
    assert kept == (PICCADILLY,)
    assert ruled_out == ("Victoria", "73")
    assert without_lines((BUS,), Options()) == ((BUS,), ())
    only = Options(only_lines=("victoria",))
    assert without_lines((VICTORIA, BUS), only) == ((VICTORIA,), ("73",))
