"""The embedded network: what it holds, where it comes from, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from shared_data import REASON, shared_folder

from groundwire.errors import ConfigurationError, NotFoundError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.profiles import FOLDER, london_network

FACTS = shared_folder("data", "tfl", "network", "london_network_joined.json")


def test_it_has_all_stops_lines_and_rides(network: Network) -> None:
    assert (len(network.stops), len(network.lines), len(network.edges)) == (509, 20, 1223)
    assert sum(edge.estimated for edge in network.edges) == 493


def test_a_stop_knows_its_lines_and_its_hub(network: Network) -> None:
    stop = network.stops["940GZZLUKSX"]
    assert stop.name == "King's Cross St. Pancras"
    assert {"victoria", "northern", "piccadilly"} < set(stop.lines)
    assert stop.modes == ("tube",)
    assert stop.place.stop_id == stop.id
    assert stop.id in network.hubs[stop.hub].stop_ids


def test_names_are_those_of_signs(network: Network) -> None:
    for stop in network.stops.values():
        assert not re.search(r"(Underground|Rail|DLR) Station|Tram Stop", stop.name), stop.name


def test_a_line_has_its_colour_and_its_older_names(network: Network) -> None:
    assert all(re.fullmatch("#[0-9A-F]{6}", line.colour) for line in network.lines.values())
    assert len({line.colour for line in network.lines.values()}) == len(network.lines)
    assert "East London line" in network.line("windrush").aliases
    with pytest.raises(NotFoundError, match="it has bakerloo, central"):
        network.line("east-london")


def test_quick_changes_are_between_lines_of_one_stop(network: Network) -> None:
    assert len(network.level_changes) >= 10
    for stop_id, lines in network.level_changes:
        assert len(lines) == 2
        assert lines <= set(network.stops[stop_id].lines)


def test_every_stretch_of_a_route_is_a_ride(network: Network) -> None:
    for line in network.lines.values():
        for route in line.routes:
            for start, end in zip(route.stop_ids, route.stop_ids[1:], strict=False):
                assert network.ride[line.id, start, end].minutes > 0


def test_near_stops_come_nearest_first(network: Network) -> None:
    tate_modern = Point(51.5076, -0.0994)
    near = network.near(tate_modern, 900)
    assert [stop.name for stop, _ in near][:2] == ["Blackfriars", "Southwark"]
    assert [metres for _, metres in near] == sorted(metres for _, metres in near)
    assert network.near(Point(52.2, 0.12), 3000) == []


def test_near_stops_of_different_hubs_are_linked_both_ways(network: Network) -> None:
    pairs = {(link.origin, link.destination): link.metres for link in network.links}
    assert 200 < pairs["940GZZLUKEN", "940GZZLUNKP"] < 700  # Kenton, Northwick Park
    assert all(pairs[end, start] == metres for (start, end), metres in pairs.items())
    hub = network.hubs["HUBKGX"].stop_ids
    assert not any(start in hub and end in hub for start, end in pairs)


def test_a_broken_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_network(tmp_path / "none.json")
    (tmp_path / "other.json").write_text('{"stops": [["A"]]}', "utf-8")
    with pytest.raises(ConfigurationError, match="no network file"):
        load_network(tmp_path / "other.json")


def test_its_sources_are_named(network: Network) -> None:
    assert network.credit.startswith("Powered by TfL Open Data")
    for file in (FOLDER / "SOURCES.md", FOLDER.parent / "NOTICE"):
        text = file.read_text("utf-8")
        assert london_network().name in text
        assert "Powered by TfL Open Data" in text


@pytest.mark.skipif(not FACTS.is_file(), reason=REASON)
def test_it_agrees_with_the_facts_it_was_made_from(network: Network) -> None:
    facts = json.loads(FACTS.read_text("utf-8"))
    assert {row["id"] for row in facts["stations"]} == set(network.stops)
    for row in facts["stations"]:
        stop = network.stops[row["id"]]
        assert (stop.hub or None, stop.ics, list(stop.lines)) == (
            row["hub"],
            row["ics"],
            sorted(row["lines"]),
        )
        assert (stop.point.lat, stop.point.lon) == pytest.approx((row["lat"], row["lon"]), abs=1e-6)
    for row in facts["edges"]:
        edge = network.ride[row["line"], row["from"], row["to"]]
        assert (edge.minutes, edge.estimated) == (
            row["minutes"],
            row["src"] == "distance_estimate",
        )
    for row in facts["lines"]:
        routes = [list(route.stop_ids) for route in network.line(row["id"]).routes]
        assert routes == [route["stationIds"] for route in row["routes"]]
