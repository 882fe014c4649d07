"""The Thames flows between the right stations."""

from __future__ import annotations

from itertools import pairwise

import pytest
from drawn_plans import stop

from groundwire.journeys.artefacts.map_drawing import THAMES
from groundwire.journeys.itinerary import Point


def crosses(one: Point, other: Point) -> bool:
    """Whether one who goes straight from one point to the other gets to the other bank."""
    return (
        sum(_cut(one, other, *stretch) for reach in THAMES for stretch in pairwise(reach.points))
        % 2
        == 1
    )


def _cut(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> bool:
        return (q.lon - p.lon) * (r.lat - p.lat) > (q.lat - p.lat) * (r.lon - p.lon)

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Embankment", "Waterloo"),
        ("Westminster", "Waterloo"),
        ("Blackfriars", "Southwark"),
        ("Cannon Street", "London Bridge"),
        ("Tower Hill", "Bermondsey"),
        ("Wapping", "Rotherhithe"),
        ("Canary Wharf", "Canada Water"),
        ("Canary Wharf", "North Greenwich"),
        ("Canning Town", "North Greenwich"),
        ("Island Gardens", "Cutty Sark (for Maritime Greenwich)"),
        ("King George V", "Woolwich Arsenal"),
        ("Pimlico", "Vauxhall"),
        ("Sloane Square", "Battersea Power Station"),
        ("Imperial Wharf", "Clapham Junction"),
        ("Putney Bridge", "East Putney"),
        ("Gunnersbury", "Kew Gardens"),
        ("Custom House", "Woolwich"),
    ],
)
def test_stations_on_opposite_banks(one: str, other: str, network) -> None:
    ends = [stop(network, name).point for name in (one, other)]
    assert crosses(*ends)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Southwark", "London Bridge"),
        ("Temple", "Blackfriars"),
        ("Tower Hill", "Wapping"),
        ("Rotherhithe", "Canada Water"),
        ("Canary Wharf", "Island Gardens"),
        ("Blackwall", "East India"),
        ("East India", "Canning Town"),
        ("West Silvertown", "King George V"),
        ("Cutty Sark (for Maritime Greenwich)", "Greenwich"),
        ("Vauxhall", "Waterloo"),
        ("Pimlico", "Westminster"),
        ("Kew Gardens", "Richmond"),
        ("Hammersmith (District & Piccadilly)", "Putney Bridge"),
        ("Gunnersbury", "Hammersmith (District & Piccadilly)"),
    ],
)
def test_stations_on_one_bank(one: str, other: str, network) -> None:
    ends = [stop(network, name).point for name in (one, other)]
    assert not crosses(*ends)


def test_its_reaches_follow_one_another() -> None:
    for one, other in pairwise(THAMES):
        assert one.points[-1] == other.points[0]
        assert one.below == other.above
