"""Words on the map: harmless, short enough, and as travellers say them."""

from __future__ import annotations

from datetime import timedelta
from xml.etree.ElementTree import fromstring

import pytest
from drawn_plans import NINE, journey, on_foot, plan, ride, stop, to_tate_modern
from hypothesis import given
from hypothesis import strategies as st

from groundwire.journeys.artefacts.map_words import (
    leg_detail,
    leg_name,
    markup,
    minutes,
    place_name,
    plan_facts,
    shorten,
    source_mark,
    text_width,
    wrap,
)
from groundwire.journeys.itinerary import Leg, Place
from groundwire.safe_text import safe_line


def leg(mode: str, line: str = "", **more) -> Leg:
    later = NINE + timedelta(minutes=6)
    return Leg(mode, Place("A"), Place("B"), NINE, later, line=line, **more)


@given(st.text())
def test_any_text_stands_in_xml(text: str) -> None:
    written = markup(text)
    assert "<" not in written and '"' not in written and "'" not in written
    assert "".join(fromstring(f"<a>{written}</a>").itertext()) == safe_line(text)
    assert fromstring(f'<a b="{written}"/>').get("b") == safe_line(text)


def test_no_name_turns_the_direction_of_what_follows() -> None:
    assert safe_line("Bank\u202e\u2066 egdirB\u200f\u061c\x00\x1b[31m") == "Bank egdirB"
    assert safe_line("two\n  lines\t") == "two lines"


@given(st.text(max_size=60), st.floats(20, 400), st.sampled_from([11, 13.5, 24]), st.booleans())
def test_what_is_cut_fits(text: str, width: float, size: float, bold: bool) -> None:
    cut = shorten(text, width, size, bold)
    assert cut == "…" or text_width(cut, size, bold) <= width


def test_long_titles_are_broken_between_words() -> None:
    lines = wrap("King's Cross St. Pancras to the Royal Observatory", 200, 15, 2)
    assert lines == ["King's Cross St. Pancras to", "the Royal Observatory"]
    assert wrap("one", 200, 15, 2) == ["one"]
    assert wrap("a b c d e f g h i j k", 30, 15, 2)[1].endswith("…")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Oxford Circus Underground Station", "Oxford Circus"),
        ("London Paddington Rail Station", "Paddington"),
        ("Wimbledon Tram Stop", "Wimbledon"),
        ("\u202eBank Underground Station", "Bank"),
    ],
)
def test_stations_go_without_their_kind(name: str, short: str) -> None:
    assert place_name(Place(name)) == short


@pytest.mark.parametrize(
    ("mode", "line", "name"),
    [
        ("tube", "Victoria", "Victoria line"),
        ("elizabeth-line", "Elizabeth line", "Elizabeth line"),
        ("overground", "Mildmay", "Mildmay line"),
        ("bus", "73", "Bus 73"),
        ("river-bus", "RB6", "Boat RB6"),
        ("dlr", "", "DLR"),
        ("walking", "", "Walk"),
        ("cycle", "", "Cycle"),
        ("space-lift", "", "Space lift"),
    ],
)
def test_legs_are_named_as_people_name_them(mode: str, line: str, name: str) -> None:
    assert leg_name(leg(mode, line)) == name


def test_details_of_legs() -> None:
    stops = (Place("X"), Place("B"))
    assert leg_detail(leg("tube", "Victoria", stops=stops, direction="Brixton")) == (
        "6 min · 2 stops · towards Brixton"
    )
    assert leg_detail(leg("walking", distance_metres=1240)) == "6 min · 1.2 km"
    assert minutes(59) == "59 min" and minutes(60) == "1 h" and minutes(125) == "2 h 5 min"


def test_facts_of_a_plan(network) -> None:
    assert (
        plan_facts(to_tate_modern(network).plans[0]) == "09:00–09:31 · 31 min · 2 changes · £3.10"
    )
    direct = plan(ride(network, "jubilee", ["London Bridge", "Southwark"], 20, 2))
    assert plan_facts(direct) == "09:20–09:22 · 2 min · direct"
    walk = plan(on_foot(stop(network, "Bank"), stop(network, "Moorgate"), 0, 12))
    assert plan_facts(walk) == "09:00–09:12 · 12 min"


def test_only_estimates_are_marked(network) -> None:
    walk = plan(on_foot(stop(network, "Bank"), stop(network, "Moorgate"), 0, 12))
    assert source_mark(journey(walk).source) == "Estimated times, embedded network"
    assert source_mark(journey(walk, estimated=False).source) == ""
