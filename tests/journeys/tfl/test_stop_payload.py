"""Stops: matches of a search (synthetic) and stops by id (recorded where they are here)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from recorded import recorded

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.tfl.stop_payload import StopMatch, read_matches, read_stop

DATA = Path(__file__).parents[1] / "data"


def test_matches_of_a_search() -> None:
    first, hub = read_matches(json.loads((DATA / "synthetic_search.json").read_text("utf-8")))
    assert first == StopMatch(
        "940GZZLUHTD",
        "Hampstead Underground Station",
        ("tube",),
        (),
        Point(51.5569, -0.1779),
        "2+3",
        "1000098",
    )
    assert (hub.id, hub.hub, hub.lines) == ("HUBWHD", "HUBWHD", ("jubilee",))


def test_a_recorded_station() -> None:
    stop = read_stop(recorded("stoppoint/pydantic_stopPointById_940GZZLUASL_None_StopPoint.json"))
    assert (stop.id, stop.name) == ("940GZZLUASL", "Arsenal Underground Station")
    assert (stop.modes, stop.lines) == (("tube",), ("piccadilly",))
    assert (stop.ics, stop.hub) == ("1000010", "")
    assert stop.point == Point(51.558655, -0.107457)
    assert next(child.id for child in stop.calling()) == "940GZZLUASL"
    # Its entrance is a part of it; the cluster of bus stops under it is a stop.
    assert "490G00010W" in {child.id for child in stop.children}
    assert not any("Entrance" in child.name for child in stop.children)


def test_the_recorded_stations_of_a_line() -> None:
    stops = [
        read_stop(one)
        for one in recorded("stoppoint/pydantic_stopPointsByLineId_victoria_None_StopPoint.json")
    ]
    assert len(stops) == 7
    assert all("victoria" in stop.lines and stop.ics and stop.zone for stop in stops)
    assert all(stop.point for stop in stops)
    assert {stop.hub for stop in stops} >= {"HUBBHO"}


def test_a_hub_has_the_stops_under_it() -> None:
    def stop(stop_id: str, lines: list[str], *under: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": stop_id,
            "commonName": stop_id.title(),
            "hubNaptanCode": "HUBPAD",
            "modes": ["tube"] if lines or under else [],
            "lines": [{"id": line} for line in lines],
            "children": list(under),
            "lat": 0.0,
            "lon": 0.0,
        }

    entrance = {**stop("4900X", []), "stopType": "NaptanMetroEntrance", "modes": ["tube"]}
    hub = read_stop(
        stop(
            "HUBPAD",
            ["bakerloo", "elizabeth"],
            stop("940GZZLUPAC", ["bakerloo", "bakerloo"], entrance),
            stop("910GPADTLL", ["elizabeth"]),
            stop("9400ZZ1", []),
        )
    )
    assert (hub.hub, hub.point) == ("HUBPAD", None)
    assert [child.id for child in hub.calling()] == ["940GZZLUPAC", "910GPADTLL"]
    assert hub.children[0].lines == ("bakerloo",)
    assert hub.children[0].children == ()


@pytest.mark.parametrize("value", [None, [], "text", {}, {"matches": 7}, {"commonName": "x"}])
def test_what_is_no_stop_is_refused(value: Any) -> None:
    with pytest.raises(UnavailableError):
        read_stop(value)
    with pytest.raises(UnavailableError):
        read_matches(value)


def test_matches_without_a_name_or_id_are_left_out() -> None:
    assert read_matches({"matches": [{"id": "1"}, {"name": "x"}, None, 7]}) == ()
