"""What can be boarded where, how long one waits, and where it goes on."""

from __future__ import annotations

import pytest

from groundwire.journeys.network.graph import (
    LONGEST_WAIT,
    Boarding,
    Services,
    direct_rides,
    read_services,
)
from groundwire.journeys.network.model import Network

CAMDEN_TOWN, EUSTON, MORNINGTON_CRESCENT = "940GZZLUCTN", "940GZZLUEUS", "940GZZLUMTC"
KENNINGTON, OVAL, BRIXTON, BARKING = "940GZZLUKNG", "940GZZLUOVL", "940GZZLUBXN", "940GZZLUBKG"
VICTORIA, TOWER_HILL = "940GZZLUVIC", "940GZZLUTWH"


@pytest.fixture(scope="module")
def services(network: Network) -> Services:
    return read_services(network)


def onward(services: Services, boarding: Boarding) -> set[str]:
    return {services.stop_ids[ahead.state] for ahead in services.ahead[boarding.state]}


def test_one_direction_of_a_line_is_boarded_at_a_terminus(services: Services) -> None:
    (boarding,) = services.boardings[BRIXTON]
    assert services.line_ids[boarding.state] == "victoria"
    assert boarding.wait == 1.0  # a train every two minutes


def test_trains_part_where_the_line_does(services: Services) -> None:
    south, north = sorted(
        services.boardings[CAMDEN_TOWN], key=lambda b: EUSTON not in onward(services, b)
    )
    assert onward(services, south) == {EUSTON, MORNINGTON_CRESCENT}
    assert len(onward(services, north)) == 2
    # Those who want only a part of the trains wait longer.
    assert all(ahead.wait > 0 for ahead in services.ahead[south.state])


def test_who_came_by_one_branch_does_not_leave_by_another(services: Services) -> None:
    bank = {
        state
        for state, stop_id in enumerate(services.stop_ids)
        if stop_id == KENNINGTON and services.line_ids[state] == "northern"
    }
    southward = [
        state
        for state in bank
        if OVAL in {services.stop_ids[ahead.state] for ahead in services.ahead[state]}
    ]
    # From Bank a train goes on to Oval only; from Charing Cross to either branch.
    assert {len(services.ahead[state]) for state in southward} == {1, 2}


def test_nobody_waits_longer_than_the_longest_wait(services: Services) -> None:
    waits = [boarding.wait for found in services.boardings.values() for boarding in found]
    assert min(waits) > 0
    assert max(waits) <= LONGEST_WAIT


def test_rides_without_a_change_know_their_minutes(network: Network) -> None:
    rides = direct_rides(network)
    found = list(rides.between(VICTORIA, TOWER_HILL))
    assert {ride.line.id for ride in found} == {"district", "circle"}
    assert all(15 < ride.minutes < 25 for ride in found)
    assert list(rides.between(BRIXTON, BARKING)) == []


def test_a_heading_names_all_ends_and_no_way_where_it_does_not_matter(network: Network) -> None:
    rides = direct_rides(network)
    assert rides.heading("northern", (KENNINGTON, OVAL)) == "Morden"
    northward = rides.heading("northern", (OVAL, KENNINGTON))
    assert northward == "Edgware or High Barnet or Mill Hill East"
