"""Every recorded answer goes from the replay server through the real client to what is used.

Recorded payloads: Powered by TfL Open Data (data/tfl of the real data).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from recorded import recorded, recorded_names

from groundwire.journeys.tfl.client import TflClient
from groundwire.journeys.tfl.journey_payload import Itinerary
from groundwire.journeys.tfl.line_payload import read_line_statuses
from groundwire.journeys.tfl.stop_payload import read_stop

HERE = Path(__file__).parents[1]
JOURNEYS = recorded_names("journey")


def using(url: str, work: Callable[[TflClient], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        client = TflClient(url)
        try:
            return await work(client)
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_every_recorded_journey_goes_through_the_client(replay) -> None:
    async def all_of_them(client: TflClient) -> dict[str, Itinerary]:
        found: dict[str, Itinerary] = {}
        for name in JOURNEYS:
            value, stem = recorded(name), Path(name).stem
            value = value if "journeys" in value else {"journeys": [value]}
            replay.answer(f"/Journey/JourneyResults/{stem}/to/recorded", value)
            answer = await client.journey(stem, "recorded", "", {})
            assert isinstance(answer, Itinerary)
            found[stem.removeprefix("ridgeview_")] = answer
        return found

    found = using(replay.url, all_of_them)
    assert len(found) == 14
    assert sum(len(one.plans) for one in found.values()) == 20
    legs = [leg for one in found.values() for plan in one.plans for leg in plan.legs]
    assert len(legs) == 47
    assert sum(len(leg.steps) for leg in legs) == 69
    assert {leg.mode for leg in legs} == {
        "tube", "walking", "cycle", "bus", "national-rail", "river-bus", "cable-car", "overground",
    }  # fmt: skip
    assert all(not one.new_fields and not one.unread for one in found.values())
    later = found["journeyResultsKingsXToWaterlooLater"]
    [delay] = later.plans[2].disruptions
    assert (delay.line, delay.reason) == (
        "Victoria",
        "Victoria Line: Minor delays due to train cancellations.",
    )
    assert delay.begins is not None
    tube = found["journeyByTube"].plans[0]
    assert tube.lines == ("Piccadilly", "Northern")
    assert tube.step_free is False
    assert tube.legs[1].direction == "Heathrow Terminal 5"
    boat = found["journeyByBoat"].plans[0].legs[0]
    assert (boat.line, boat.line_id, boat.origin.platform) == ("RB6", "rb6", "westbound")
    rail = found["journeyByNationalRail"].plans[0]
    assert rail.fare is not None
    assert (rail.fare.total_pence, rail.fare.zones) == (1200, "1-6")


def test_the_recorded_answers_are_served_by_their_paths(replay) -> None:
    async def several(client: TflClient) -> list[Any]:
        return [
            await client.journey("1000129", "1000254", "", {"time": "1425"}),
            await client.journey("1000129", "1000254", "", {"mode": "cycle"}),
            await client.stop("940GZZLUASL"),
            await client.arrivals("940GZZLUKSX"),
            await client.line_status([], ["tube", "overground"]),
        ]

    trains, cycle, stop, board, lines = using(replay.url, several)
    assert [len(plan.rides) for plan in trains.plans] == [2, 2, 2]
    assert cycle.plans[0].modes == ("cycle",)
    assert read_stop(stop).name == "Arsenal Underground Station"
    assert len(board) == 20
    assert len(read_line_statuses(lines).lines) > 10


def test_the_server_runs_by_hand() -> None:
    command = [sys.executable, str(HERE / "replay.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            name, _, url = server.stdout.readline().strip().partition("=")
            assert name == "TFL_BASE_URL"
            assert using(url, lambda client: client.stop("HUBPAD"))["id"] == "HUBPAD"
        finally:
            server.terminate()
