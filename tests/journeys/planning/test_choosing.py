"""Choosing among TfL's options, and planning for the best within a few calls."""

from __future__ import annotations

import itertools

import pytest
from places_known import place_reader

from groundwire.journeys.itinerary import Place, PlaceKind, Point
from groundwire.journeys.places.sides import MOST_CALLS, pairs, triples
from groundwire.journeys.planning.trips import choose, offer
from groundwire.journeys.tfl.stop_payload import PlaceOption

# Positions: Hampstead station, its pond, West Hampstead, London Bridge, Uxbridge, Putney.
HAMPSTEAD, POND, WEST = (51.5562, -0.1775), (51.5561, -0.1742), (51.5466, -0.1911)
BRIDGE, UXBRIDGE, PUTNEY = (51.5057, -0.0889), (51.5466, -0.4779), (51.4612, -0.2165)


def stop(
    name: str,
    ics: str,
    at: tuple[float, float],
    quality: int = 900,
    modes: tuple[str, ...] = ("tube",),
) -> PlaceOption:
    place = Place(name, Point(*at), "stop", f"940GZZ{ics}", ics)
    return PlaceOption(place, ics, quality, modes, "StopPoint")


def spot(
    name: str, at: tuple[float, float], quality: int = 900, kind: PlaceKind = "point_of_interest"
) -> PlaceOption:
    return PlaceOption(Place(name, Point(*at), kind), f"{at[0]},{at[1]}", quality)


def names(options: tuple[PlaceOption, ...]) -> list[str]:
    return [option.place.name for option in options]


def test_the_name_wins_over_the_quality_of_the_match() -> None:
    uxbridge = stop("Uxbridge Underground Station", "1000246", UXBRIDGE, quality=1000)
    bridge = stop("London Bridge", "1000139", BRIDGE, quality=780)
    street = spot("London Bridge Street", BRIDGE, quality=990)
    choice = choose([uxbridge, street, bridge], "London Bridge")
    assert (choice.chosen, choice.top) == (bridge, (bridge,))


@pytest.mark.parametrize(
    "asked", ["hampstead", "Hampstead Station", "Hampstead tube", " HAMPSTEAD "]
)
def test_a_name_without_its_kind_is_the_same_name(asked: str) -> None:
    station = stop("Hampstead Underground Station", "1000098", HAMPSTEAD)
    west = stop("West Hampstead Underground Station", "1000263", WEST, quality=1000)
    assert choose([west, station], asked).chosen == station


def test_a_nickname_is_known_without_tfl() -> None:
    kings_cross = stop("King's Cross St. Pancras Underground Station", "1000129", (51.53, -0.123))
    charing_cross = stop("Charing Cross Underground Station", "1000045", (51.507, -0.127), 1000)
    known = place_reader().read("Kings X").place
    assert choose([charing_cross, kings_cross], "Kings X", known).chosen == kings_cross
    assert choose([charing_cross, kings_cross], "Kings X").chosen is None


def test_a_misspelt_name_is_offered_not_chosen() -> None:
    bridge = stop("London Bridge", "1000139", BRIDGE, quality=500)
    uxbridge = stop("Uxbridge", "1000246", UXBRIDGE, quality=1000)
    choice = choose([uxbridge, bridge], "Londn Bridge")
    assert (choice.chosen, names(choice.top)) == (None, ["London Bridge", "Uxbridge"])


def test_places_of_one_name_far_apart_are_offered() -> None:
    high_streets = [spot("High Street", HAMPSTEAD), spot("High Street", PUTNEY)]
    choice = choose(high_streets, "High Street")
    assert choice.chosen is None
    assert len(choice.top) == 2
    greens = [
        stop("Bethnal Green Underground Station", "1000022", (51.5272, -0.0555)),
        stop("Bethnal Green Rail Station", "1001023", (51.5239, -0.0596), modes=("overground",)),
    ]
    assert choose(greens, "Bethnal Green").chosen is None
    assert choose(greens, "Bethnal Green overground").chosen == greens[1]


def test_a_station_wins_over_what_stands_beside_it() -> None:
    station = stop("Hampstead Underground Station", "1000098", HAMPSTEAD)
    pond = spot("Hampstead", POND, quality=1000)
    assert choose([pond, station], "Hampstead").chosen == station
    far = spot("Hampstead", PUTNEY, quality=1000)
    assert choose([far, station], "Hampstead").chosen is None


def test_the_stops_of_one_station_are_one_place() -> None:
    tube = stop("Hampstead Underground Station", "1000098", HAMPSTEAD, quality=700)
    bus = stop("Hampstead Station", "1012345", POND, quality=1000, modes=("bus",))
    assert choose([bus, tube], "Hampstead").chosen == tube


def test_a_part_of_names_is_offered_in_their_order() -> None:
    ealing = [
        stop("Reading Rail Station", "1000972", (51.4588, -0.9719), 1000),
        stop("Ealing Common Underground Station", "1000063", (51.5101, -0.2883), 600),
        stop("Ealing Broadway Underground Station", "1000062", (51.515, -0.3015), 700),
    ]
    assert names(choose(ealing, "Ealing").top)[2] == "Reading Rail Station"
    assert choose(ealing, "Ealing", limit=2).chosen is None
    assert len(choose(ealing, "Ealing", limit=2).top) == 2


def test_a_name_with_its_district_is_chosen_when_alone() -> None:
    waterloo = spot("Lambeth, Waterloo Bridge Cafe", BRIDGE)
    assert choose([waterloo], "Waterloo Bridge Cafe").chosen == waterloo
    twice = [waterloo, spot("Ealing, Waterloo Bridge Cafe", PUTNEY)]
    assert choose(twice, "Waterloo Bridge Cafe").chosen is None


def test_nothing_is_chosen_of_nothing() -> None:
    assert choose([], "Bank") == choose([], "")
    assert choose([], "Bank").top == ()


def test_an_option_tells_what_it_is_and_what_to_send() -> None:
    told = offer(stop("Bank", "1000013", BRIDGE, modes=("tube", "dlr")))
    assert (told.name, told.detail, told.value_to_send) == ("Bank", "tube and dlr", "1000013")
    assert "51.5057" in offer(spot("A cafe", BRIDGE)).detail


def test_four_calls_where_the_product_would_make_204() -> None:
    origins, destinations = list(range(12)), list(range(17))
    assert len(list(itertools.product(origins, destinations))) == 204
    planned = pairs(origins, destinations)
    assert planned == [(0, 0), (0, 1), (1, 0)]
    assert 1 + len(planned) == MOST_CALLS


def test_a_clear_side_leaves_the_calls_to_the_other() -> None:
    assert pairs(["home"], ["a", "b", "c", "d"]) == [("home", "a"), ("home", "b"), ("home", "c")]
    assert pairs(["a", "b"], ["x"], budget=1) == [("a", "x")]
    assert pairs(["a"], [], budget=3) == []
    assert pairs(["a"], ["b"], budget=0) == []
    assert pairs(["a"], ["b"], budget=-1) == []


def test_no_pair_is_planned_twice_and_none_beyond_the_budget() -> None:
    for sizes in itertools.product(range(1, 6), range(1, 6), range(6)):
        found = pairs(range(sizes[0]), range(sizes[1]), sizes[2])
        assert len(found) == len(set(found)) == min(sizes[0] * sizes[1], sizes[2])
        assert found == sorted(found, key=sum)


def test_a_journey_by_way_of_a_place() -> None:
    assert triples("ab", "v", "xy") == [("a", "v", "x"), ("a", "v", "y"), ("b", "v", "x")]
    assert len(triples(range(9), range(9), range(9))) == 3
