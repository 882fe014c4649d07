"""Which stops have the boards of a place."""

from __future__ import annotations

from typing import Any

import pytest
from recorded import recorded

from groundwire.errors import UnavailableError
from groundwire.journeys.lines.arrivals import read_board_place

ARSENAL = "stoppoint/pydantic_stopPointById_940GZZLUASL_None_StopPoint.json"
VICTORIA = "stoppoint/pydantic_stopPointsByLineId_victoria_None_StopPoint.json"


def stop(stop_id: str, lines: list[str], kind: str, mode: str, *children: Any) -> dict[str, Any]:
    """Synthetic: no hub is recorded; in the shape of the OpenAPI."""
    return {
        "id": stop_id,
        "commonName": "King's Cross & St Pancras International",
        "icsCode": "1000129",
        "stopType": kind,
        "modes": [mode],
        "lines": [{"id": line, "name": line.title()} for line in lines],
        "children": list(children),
    }


HUB = stop(
    "HUBKGX",
    ["northern", "thameslink", "73"],
    "TransportInterchange",
    "tube",
    stop(
        "940GZZLUKSX",
        ["northern"],
        "NaptanMetroStation",
        "tube",
        stop("9400ZZLUKSX1", ["northern"], "NaptanMetroPlatform", "tube"),
        stop("4900ZZLUKSX1", [], "NaptanMetroEntrance", "tube"),
    ),
    stop("910GSTPX", ["thameslink"], "NaptanRailStation", "national-rail"),
    stop(
        "490G00129R",
        ["73"],
        "NaptanOnstreetBusCoachStopCluster",
        "bus",
        stop("490000129R", ["73"], "NaptanPublicBusCoachTram", "bus"),
    ),
)


def test_a_recorded_station_has_its_own_board() -> None:
    place = read_board_place(recorded(ARSENAL))
    assert [board.id for board in place.boards] == ["940GZZLUASL"]
    assert place.stop.name == "Arsenal"
    assert place.stop.ics == "1000010"
    assert [line.id for line in place.lines] == ["piccadilly"]


def test_every_recorded_station_of_a_line_is_read() -> None:
    for payload in recorded(VICTORIA):
        place = read_board_place(payload)
        assert [board.id for board in place.boards] == [payload["id"]]
        assert {line.id for line in place.lines} == {line["id"] for line in payload["lines"]}
        assert all(line.mode for line in place.lines)


def test_a_hub_is_the_stations_and_stops_under_it_at_any_depth() -> None:
    place = read_board_place(HUB)
    assert [(board.id, board.is_for_buses) for board in place.boards] == [
        ("940GZZLUKSX", False),
        ("910GSTPX", False),
        ("490000129R", True),
    ]


def test_a_stop_that_comes_once_a_group_of_lines_has_the_lines_of_all() -> None:
    groups = [
        stop("940GZZLUKSX", lines, "NaptanRailStation", "tube")
        for lines in (["circle", "metropolitan"], ["northern"], ["circle"])
    ]
    place = read_board_place({**HUB, "children": groups})
    assert [[line.id for line in board.lines] for board in place.boards] == [
        ["circle", "metropolitan", "northern"]
    ]


def test_a_hub_without_children_is_known_by_the_stops_its_line_groups_name() -> None:
    groups = [
        {"stationAtcoCode": "940GZZLUKSX", "lineIdentifier": ["northern", "victoria"]},
        {"naptanIdReference": "490000129R", "stationAtcoCode": "490G1", "lineIdentifier": ["73"]},
    ]
    place = read_board_place({**HUB, "children": [], "lineGroup": groups})
    assert [(board.id, [line.id for line in board.lines]) for board in place.boards] == [
        ("940GZZLUKSX", ["northern", "victoria"]),
        ("490000129R", ["73"]),
    ]


@pytest.mark.parametrize("payload", [{}, [], None, "text", {"commonName": "Nowhere"}])
def test_what_is_no_stop_is_refused(payload: object) -> None:
    with pytest.raises(UnavailableError, match="other than a stop"):
        read_board_place(payload)
