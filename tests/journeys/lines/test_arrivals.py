"""What comes next at a stop, from recorded boards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import anyio
import pytest
from recorded import recorded

from groundwire.errors import InputError, UnavailableError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.arrivals import ArrivalBoard, get_arrivals

NORTHERN = "stoppoint/ridgeview_arrivals_northernLineArrivals.json"
MILDMAY = "stoppoint/ridgeview_arrivals_mildmayLineArrivals.json"
RUSH = datetime(2020, 8, 5, 17, 15, 32, tzinfo=LONDON)
EVENING = datetime(2025, 11, 4, 21, 17, tzinfo=LONDON)


def stop(stop_id: str, name: str, lines: list[str], mode: str, *children: Any) -> dict[str, Any]:
    """Synthetic stops, in the shape of the OpenAPI."""
    hub = stop_id.startswith("HUB")
    return {
        "id": stop_id,
        "commonName": name,
        "stopType": "TransportInterchange" if hub else "NaptanMetroStation",
        "modes": [mode],
        "lines": [{"id": line, "name": line.title()} for line in lines],
        "children": list(children),
    }


KINGS_CROSS = stop(
    "940GZZLUKSX", "King's Cross St. Pancras Underground Station", ["northern", "victoria"], "tube"
)
ACTON = stop("910GACTNCTL", "Acton Central Rail Station", ["mildmay"], "overground")
TRAINS = stop(
    "910GSTPX", "London St Pancras International Rail Station", ["thameslink"], "national-rail"
)
BUSES = stop("490000129R", "King's Cross Station", ["73"], "bus")
HUB = stop("HUBKGX", "King's Cross & St Pancras International", ["northern"], "tube",
           KINGS_CROSS, ACTON, TRAINS, BUSES)  # fmt: skip
BANK = stop("940GZZLUBNK", "Bank Underground Station", ["waterloo-city"], "tube")


class Stops:
    """A source of synthetic stops and recorded boards; keeps what was asked."""

    def __init__(
        self,
        place: Any,
        boards: dict[str, Any],
        status: Any = (),
    ) -> None:
        self.place = place
        self.boards = boards
        self.status = status
        self.asked: list[str] = []

    async def stop(self, stop_id: str) -> Any:
        assert stop_id == self.place["id"]
        return self.place

    async def arrivals(self, stop_id: str) -> Any:
        self.asked.append(stop_id)
        board = self.boards.get(stop_id, [])
        if isinstance(board, Exception):
            raise board
        return board

    async def line_status(self, lines: Sequence[str], modes: Sequence[str]) -> Any:
        if isinstance(self.status, Exception):
            raise self.status
        return [one for one in self.status if one["id"] in lines]


def ask(source: Stops, now: datetime, **options: Any) -> ArrivalBoard:
    async def go() -> ArrivalBoard:
        return await get_arrivals(source, source.place["id"], now=now, **options)

    return anyio.run(go)


def test_the_next_train_comes_first_in_london_time() -> None:
    board = ask(Stops(KINGS_CROSS, {"940GZZLUKSX": recorded(NORTHERN)}), RUSH, limit=3)
    assert board.answer == (
        "Next at King's Cross St. Pancras: Northern line to High Barnet via Bank at 17:15 (due now,"
        " Northbound - Platform 7); 19 more follow; the first 3 are told."
    )
    assert [(one.goes_to, one.minutes(RUSH), one.platform) for one in board.arrivals] == [
        ("High Barnet via Bank", 0, "Northbound - Platform 7"),
        ("Morden via Bank", 1, "Southbound - Platform 8"),
        ("Morden via Bank", 3, "Southbound - Platform 8"),
    ]
    assert board.total == 20
    assert board.reason == ""


def test_cancelled_trains_are_told_and_are_not_the_next() -> None:
    now = datetime(2025, 11, 4, 21, 17, 30, tzinfo=LONDON)
    board = ask(Stops(ACTON, {"910GACTNCTL": recorded(MILDMAY)}), now)
    assert board.answer == (
        "Next at Acton Central: Mildmay line to Stratford at 21:25 (in 7 minutes, Platform 2);"
        " 14 more follow; 2 are cancelled; the first 10 are told."
    )
    assert board.notes == ("1 service on the board should have left already",)
    assert board.arrivals[0].outlook == "cancelled"


def test_a_hub_is_answered_from_the_stations_under_it() -> None:
    boards = {"940GZZLUKSX": recorded(NORTHERN), "910GACTNCTL": recorded(MILDMAY)}
    source = Stops(HUB, boards)
    board = ask(source, RUSH, limit=100)
    assert source.asked == ["940GZZLUKSX", "910GACTNCTL"]
    assert board.total == 38
    assert {one.stop for one in board.arrivals} == {"King's Cross St. Pancras", "Acton Central"}
    assert board.notes == (
        "TfL has no board of the National Rail trains at St Pancras International",
        "Buses were not asked for (1 bus stop): name a bus route for its board",
    )


def test_a_named_line_asks_only_the_boards_that_have_it() -> None:
    source = Stops(HUB, {"490000129R": [], "940GZZLUKSX": recorded(NORTHERN)})
    board = ask(source, RUSH, lines=["Northern"])
    assert source.asked == ["940GZZLUKSX"]
    assert {one.line_id for one in board.arrivals} == {"northern"}
    ask(source, RUSH, lines=["bus 73"])
    assert source.asked == ["940GZZLUKSX", "490000129R"]


def test_a_line_that_does_not_call_there_is_told() -> None:
    source = Stops(KINGS_CROSS, {"940GZZLUKSX": recorded(NORTHERN)})
    board = ask(source, RUSH, lines=["Bakerloo"])
    assert board.reason == (
        "it is not served by Bakerloo line, but by Northern line and Victoria line"
    )
    assert source.asked == []


def test_a_line_that_calls_there_but_is_not_on_the_board_has_its_status_told() -> None:
    payload = recorded("line/pydantic_lineStatusByMode_tube_overground_None_Line.json")
    source = Stops(KINGS_CROSS, {"940GZZLUKSX": recorded(NORTHERN)}, payload)
    board = ask(source, RUSH, lines=["Victoria"])
    assert board.arrivals == ()
    assert board.reason == ("TfL lists none now, though good service is reported on Victoria line")


def test_no_trains_is_told_from_a_closed_line() -> None:
    items = recorded("line/alexa_tfl-line-statuses.bundle.json")["items"]
    status = [line for item in items for line in item["contentJson"]]
    now = datetime(2019, 10, 20, 10, 0, tzinfo=LONDON)
    board = ask(Stops(BANK, {}, status), now)
    assert board.answer == (
        "No arrivals at Bank: nothing runs: Waterloo & City line: Service Closed (The service will"
        " resume again at 06:00 on Monday)."
    )


def test_an_empty_board_of_a_disrupted_line_names_the_disruption() -> None:
    status = recorded("line/pydantic_lineStatus_piccadilly_northern_None_Line.json")
    arsenal = recorded("stoppoint/pydantic_stopPointById_940GZZLUASL_None_StopPoint.json")
    board = ask(Stops(arsenal, {}, status), datetime(2024, 7, 15, 16, 0, tzinfo=LONDON))
    assert board.reason == (
        "TfL lists none now: Piccadilly line: Part Suspended (No service between Rayners Lane and"
        " Uxbridge due to a points failure at Uxbridge)"
    )


def test_where_the_status_cannot_be_asked_nothing_is_presumed() -> None:
    board = ask(Stops(BANK, {}, UnavailableError("TfL is down")), RUSH)
    assert board.reason == ("TfL lists none now, and how its lines run could not be asked")


def test_one_board_that_fails_does_not_spoil_the_others() -> None:
    boards = {"940GZZLUKSX": recorded(NORTHERN), "910GACTNCTL": UnavailableError("no answer")}
    board = ask(Stops(HUB, boards), RUSH)
    assert board.total == 20
    assert "Acton Central: no answer" in board.notes


def test_when_every_board_fails_the_failure_is_the_answer() -> None:
    with pytest.raises(UnavailableError, match="no answer"):
        ask(Stops(ACTON, {"910GACTNCTL": UnavailableError("no answer")}), RUSH)


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InputError, match="limit of 1 or more"):
        ask(Stops(ACTON, {}), RUSH, limit=0)


def test_offline_nothing_is_presumed() -> None:
    async def go() -> ArrivalBoard:
        return await get_arrivals(None, "940GZZLUKSX", now=RUSH)

    board = anyio.run(go)
    assert board.arrivals == ()
    assert board.as_of is None, "nothing is told, of no moment"
    assert "cannot be known" in board.reason
