"""Line status and arrivals through the real client, from the replay server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

import anyio
import pytest
from replay import Replay

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.lines.arrivals import get_arrivals
from groundwire.journeys.lines.running import get_line_status
from groundwire.journeys.tfl.client import TflClient

Found = TypeVar("Found")
EVENING = datetime(2024, 11, 26, 18, 0, tzinfo=LONDON)
RUSH = datetime(2020, 8, 5, 17, 15, 32, tzinfo=LONDON)


def through(replay: Replay, ask: Callable[[TflClient], Awaitable[Found]]) -> Found:
    async def go() -> Found:
        client = TflClient(replay.url, clock=lambda: 0.0)
        try:
            return await ask(client)
        finally:
            await client.aclose()

    return anyio.run(go)


def test_the_status_of_all_rail_lines(replay: Replay) -> None:
    report = through(replay, lambda client: get_line_status(client, now=EVENING))
    assert report.answer.startswith("3 of 20 lines are disrupted: Elizabeth line (Part Suspended)")
    assert report.unread == ()


def test_lines_by_name_and_modes_at_once(replay: Replay) -> None:
    report = through(
        replay,
        lambda client: get_line_status(client, now=EVENING, lines=["the Vic"], modes=["DLR"]),
    )
    assert {state.line.line_id for state in report.states} == {"victoria", "dlr"}


def test_a_hub_is_answered_from_the_stations_under_it(replay: Replay) -> None:
    board = through(
        replay, lambda client: get_arrivals(client, "HUBKGX", now=RUSH, lines=["Northern"])
    )
    assert [stop.id for stop in board.boards] == ["940GZZLUKSX"]
    assert board.arrivals[0].goes_to == "High Barnet via Bank"
    assert board.total >= 20


def test_a_stop_without_trains_has_its_lines_status_told(replay: Replay) -> None:
    board = through(replay, lambda client: get_arrivals(client, "940GZZLUASL", now=EVENING))
    assert board.arrivals == ()
    assert board.reason == "TfL lists none now, though good service is reported on Piccadilly line"


def test_a_bus_route_that_tfl_does_not_know_is_its_own_outcome(replay: Replay) -> None:
    with pytest.raises(GroundwireError, match="999"):
        through(replay, lambda client: get_line_status(client, now=EVENING, lines=["bus 999"]))


@pytest.mark.parametrize("stop", ["synthetic-503", "synthetic-html", "synthetic-shape"])
def test_failures_of_tfl_are_told_as_such(replay: Replay, stop: str) -> None:
    with pytest.raises(UnavailableError):
        through(replay, lambda client: get_arrivals(client, stop, now=RUSH))
