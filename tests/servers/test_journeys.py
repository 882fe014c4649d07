"""The journeys server as a host sees it, through the in-memory client."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from groundwire.config import Settings
from groundwire.journeys.tfl.throttling import WITHOUT_KEY
from groundwire.servers import journeys as journeys_server
from groundwire.servers.journeys import build
from groundwire.serving import GroundwireServer, definitions_size
from groundwire.serving.exposure import http_app

sys.path.insert(0, str(Path(__file__).parents[1] / "journeys"))

from recorded import recorded
from replay import Replay

pytestmark = pytest.mark.anyio

KEY = "0123456789abcdef0123456789abcdef"
PATIENCE = 600.0
RIDE = {"starting_point": "King's Cross", "destination": "Waterloo"}
RIDE_PATH = "/Journey/JourneyResults/1000129/to/1000254"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> str:
    """Both protocol eras: 2026-07-28 and the handshake of 2025."""
    return request.param


class Host:
    """A host with one server."""

    def __init__(self, server: GroundwireServer, home: Path) -> None:
        self.server = server
        self.home = home

    @asynccontextmanager
    async def client(self, **rest: Any) -> AsyncIterator[Client]:
        async with Client(self.server, **rest) as client:
            yield client
        await self.server.aclose()

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        async with self.client() as client:
            return checked(await client.call_tool(tool, arguments))

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        async with self.client() as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error, result.content
        line: str = result.content[0].text
        assert "\n" not in line
        assert len(line) < 2_000
        assert ", reference " not in line, line
        return line


def checked(result: Any) -> dict[str, Any]:
    """The structured answer, the same as its text, within its budget."""
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == answer
    assert next(iter(answer)) == "answer"
    assert len(result.content[0].text) <= 20_000
    return answer


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Builds servers with a state folder, and closes them."""
    hosts: list[Host] = []

    def make(url: str = "offline", home: str = "home", **more: Any) -> Host:
        folder = tmp_path / home
        settings = Settings(home=folder, tfl_base_url=url, **more)
        hosts.append(Host(build(settings), folder))
        return hosts[-1]

    yield make
    for host in hosts:
        host.server.close()


@pytest.fixture
def offline(made: Callable[..., Host]) -> Host:
    return made()


@pytest.fixture
def replay() -> Iterator[Replay]:
    server = Replay().start()
    yield server
    server.close()


@pytest.fixture
def online(made: Callable[..., Host], replay: Replay) -> Host:
    return made(replay.url, "online", tfl_key=KEY)


def asked(replay: Replay) -> list[str]:
    return replay.asked("/Journey/JourneyResults")


# The whole path


async def test_from_a_request_to_map_calendar_and_text(offline: Host, era: str) -> None:
    async with offline.client(mode=era) as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            return checked(await client.call_tool(tool, arguments))

        computed = await call(
            "compute_journey_plans", starting_point="Brixton", destination="Kew Gardens"
        )
        assert computed["source"] == "offline_estimate"
        assert computed["answer"].endswith("Times are estimates.")
        (journey,) = computed["journeys"]
        assert (journey["from"], journey["to"]) == ("Brixton", "Kew Gardens")
        assert len(journey["plans"]) == 3
        assert all("legs" not in plan for plan in journey["plans"])
        which = {"journey_id": computed["journey_id"], "journey_index": 0}
        whole = await call("get_computed_journey", **which)
        assert [len(plan["legs"]) > 0 for plan in whole["plans"]] == [True] * 3
        told = await call("get_computed_journey_plan", **which, plan_index=1, detail="full")
        assert told["text"].endswith("Powered by TfL Open Data.")
        assert told["legs"] == whole["plans"][1]["legs"]
        calendar = await call("create_ics_file_for_plan", **which, alarm_minutes=10)
        assert Path(calendar["path"]).read_bytes().decode() == calendar["ics"]
        assert calendar["ics"].startswith("BEGIN:VCALENDAR")
        drawn = await client.call_tool("draw_map_for_plan", which | {"compare_plan_indices": [2]})
        answer = checked(drawn)
        assert Path(answer["svg_path"]).read_text("utf-8").startswith("<svg")
        assert "<html" in Path(answer["path"]).read_text("utf-8")
        assert [one.type for one in drawn.content] == ["text", "image"]
        assert drawn.content[1].mime_type == "image/png"


async def test_by_tfl_with_fares_and_the_key_in_a_header(
    online: Host, replay: Replay, caplog: pytest.LogCaptureFixture
) -> None:
    recorded("journey/ridgeview_journeyResultsKingsXToWaterlooNow.json")
    computed = await online.call("compute_journey_plans", **RIDE)
    assert computed["source"] == "tfl"
    plan = computed["journeys"][0]["plans"][0]
    assert plan["fare_pence"] == 300
    assert plan["lines"] == ["Victoria", "Bakerloo"]
    assert computed["answer"] == (
        "King's Cross St. Pancras to Waterloo: the first plan leaves at 14:41 on Friday 29 May, "
        "arrives at 14:55 (14 minutes), by the Victoria line and the Bakerloo line; 2 other plans."
    )
    assert asked(replay) == [RIDE_PATH]
    assert replay.requests[0].headers["app_key"] == KEY
    told = await online.call("get_computed_journey_plan", journey_id=computed["journey_id"])
    assert "Fare: £3.00 pay as you go" in told["text"]
    assert told["legs"][0]["stops"] == ["Euston", "Warren Street", "Oxford Circus"]
    assert no_key(online, caplog)


async def test_tools_are_described_within_their_budget(offline: Host) -> None:
    assert await definitions_size(offline.server) <= 20_000
    async with offline.client() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert len(tools) == 12
    read_only = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert set(tools) - read_only == {
        "draw_map_for_plan",
        "create_ics_file_for_plan",
        "set_default_journey_parameters",
    }
    assert tools["compute_journey_plans"].annotations.open_world_hint is True


async def test_nothing_is_written_by_starting_and_closing(made: Callable[..., Host]) -> None:
    host = made()
    async with host.client() as client:
        await client.list_tools()
    host.server.close()
    assert not host.home.exists()


# Several trips


async def test_a_day_is_one_chain(offline: Host) -> None:
    await offline.call("set_default_journey_parameters", places={"home": "Kentish Town station"})
    day = await offline.call(
        "compute_journey_plans",
        date="tomorrow",
        trips=[
            {"destination": "Tate Modern", "time": "10:00", "time_is": "arriving"},
            {"destination": "Kew Gardens", "time": "1pm"},
            {"starting_point": "there", "destination": "home", "time": "early evening"},
        ],
    )
    first, second, third = day["journeys"]
    ends = [(one["from"], one["to"]) for one in day["journeys"]]
    assert ends == [
        ("Kentish Town", "Tate Modern"),
        ("Tate Modern", "Kew Gardens"),
        ("Kew Gardens", "Kentish Town"),
    ]
    assert first["plans"][0]["arrival"][11:16] == "10:00"
    assert second["plans"][0]["start"][11:16] == "13:00"
    assert third["plans"][0]["start"] >= second["plans"][0]["arrival"]
    assert len({one["plans"][0]["start"][:10] for one in day["journeys"]}) == 1
    assert "It begins at home, since no starting point was sent." in day["assumptions"]
    # What holds for all of them is told once.
    assert len(day["notes"]) == len(set(day["notes"])) == 2
    assert all("notes" not in one for one in day["journeys"])
    whole = await offline.call("get_computed_journey", journey_id=day["journey_id"])
    assert whole["notes"] == day["notes"]


async def test_a_trip_without_a_time_begins_when_the_one_before_arrives(offline: Host) -> None:
    trips = [
        {"starting_point": "Bank", "destination": "Angel", "time": "10:00", "date": "tomorrow"},
        {"destination": "Brixton"},
    ]
    day = await offline.call("compute_journey_plans", trips=trips)
    first, second = (one["plans"][0] for one in day["journeys"])
    assert second["start"] == first["arrival"]
    told = f"The trip to Brixton begins when the one before arrives, {first['arrival'][11:16]}."
    assert told in day["assumptions"]


@pytest.mark.parametrize("time_is", ["departing", "arriving"])
async def test_a_trip_cannot_begin_before_the_one_before_arrives(
    offline: Host, time_is: str
) -> None:
    trips = [
        {"starting_point": "Bank", "destination": "Heathrow Terminal 5", "time": "10:00"},
        {"destination": "Bank", "time": "10:20", "time_is": time_is},
    ]
    day = await offline.call("compute_journey_plans", date="tomorrow", trips=trips)
    first, second = (one["plans"][0] for one in day["journeys"])
    assert second["start"] == first["arrival"]
    assert [one for one in day["assumptions"] if "cannot be made as asked" in one] == [
        f"The trip to Bank cannot be made as asked: the one before arrives at "
        f"{first['arrival'][11:16]}, so it begins then."
    ]


async def test_trips_are_added_to_a_handle(offline: Host) -> None:
    first = await offline.call("compute_journey_plans", starting_point="Bank", destination="Angel")
    more = await offline.call(
        "compute_journey_plans", journey_id=first["journey_id"], destination="Brixton"
    )
    assert more["journey_id"] == first["journey_id"]
    assert [one["journey_index"] for one in more["journeys"]] == [1]
    assert more["journeys"][0]["from"] == "Angel"
    assert "It begins where the trip before ends, at Angel." in more["assumptions"]
    kept = await offline.call(
        "get_computed_journey", journey_id=first["journey_id"], journey_index=1
    )
    assert kept["to"] == "Brixton"


async def test_one_trip_that_fails_does_not_spoil_the_others(offline: Host) -> None:
    trips = [
        {"starting_point": "Bank", "destination": "Brighton"},
        {"starting_point": "Bank", "destination": "Angel"},
        {"destination": "Bank"},
    ]
    day = await offline.call("compute_journey_plans", trips=trips)
    assert [bool(one["plans"]) for one in day["journeys"]] == [False, True, True]
    assert "Brighton is a real place" in day["journeys"][0]["error"]
    assert day["answer"].startswith("Bank to Brighton: no plan. Brighton is a real place")
    assert day["journey_id"]


async def test_a_trip_after_one_without_an_end_says_so(offline: Host) -> None:
    trips = [{"starting_point": "Bank", "destination": "Ealing"}, {"destination": "Angel"}]
    day = await offline.call("compute_journey_plans", trips=trips)
    first, second, *others = day["journeys"]
    assert "send where this trip begins" in second["error"]
    # The second trip is in its position; the other readings of the first follow.
    assert [one["trip"] for one in day["journeys"]] == [1, 2, *(1 for _ in others)]
    assert first["plans"] and others


async def test_by_way_of_a_place(offline: Host) -> None:
    computed = await offline.call(
        "compute_journey_plans", starting_point="Bank", destination="Angel", via="Oxford Circus"
    )
    journey = computed["journeys"][0]
    assert journey["via"] == "Oxford Circus"
    assert "Bank to Angel via Oxford Circus" in computed["answer"]
    whole = await offline.call("get_computed_journey", journey_id=computed["journey_id"])
    passed = {
        stop
        for leg in whole["plans"][0]["legs"]
        for stop in (leg["from"], leg["to"], *leg.get("stops", ()))
    }
    assert "Oxford Circus" in passed


# Defaults


async def test_defaults_merge_persist_and_are_overridden(made: Callable[..., Host]) -> None:
    host = made()
    await host.call("set_default_journey_parameters", walking_speed="slow", avoid_lines=["jubilee"])
    both = await host.call("set_default_journey_parameters", places={"home": "Brixton"})
    assert both["effective"] == {"walking_speed": "Slow", "avoid_lines": ["jubilee"]}
    assert both["places"] == [{"name": "home", "value": "Brixton"}]
    assert "corrections" not in both
    host.server.close()
    again = made()
    assert (await again.call("get_default_journey_parameters"))["answer"] == both["answer"]
    trip = {"starting_point": "home", "destination": "Waterloo"}
    computed = await again.call("compute_journey_plans", **trip)
    assert computed["effective_preferences"] == both["effective"]
    assert all("Jubilee" not in plan["lines"] for plan in computed["journeys"][0]["plans"])
    faster = await again.call("compute_journey_plans", **trip, walking_speed="fast")
    assert faster["effective_preferences"]["walking_speed"] == "Fast"
    kept = await again.call("get_default_journey_parameters")
    assert kept["effective"]["walking_speed"] == "Slow"
    reset = await again.call("set_default_journey_parameters", reset=["all"])
    assert (reset["effective"], reset["places"]) == ({}, [])
    assert reset["answer"] == "No defaults are set."
    unset = await again.refused("compute_journey_plans", **trip)
    assert "store it among the places of the default parameters" in unset


async def test_defaults_that_do_not_go_together_change_nothing(offline: Host) -> None:
    before = await offline.call(
        "set_default_journey_parameters", walking_speed="slow", places={"home": "Bank"}
    )
    said = await offline.refused(
        "set_default_journey_parameters",
        reset=["walking_speed"],
        mode=["tube"],
        avoid_modes=["tube"],
    )
    assert "leaves nothing to travel by" in said
    assert "Nothing is set under 'gym'" in await offline.refused(
        "set_default_journey_parameters", walking_speed="fast", reset=["gym"]
    )
    assert (await offline.call("get_default_journey_parameters"))["answer"] == before["answer"]


async def test_a_place_is_forgotten_by_an_empty_value(offline: Host) -> None:
    await offline.call("set_default_journey_parameters", places={"home": "Bank", "gym": "Angel"})
    left = await offline.call("set_default_journey_parameters", places={"gym": ""})
    assert left["places"] == [{"name": "home", "value": "Bank"}]


async def test_an_ambiguous_place_is_told_when_it_is_named(offline: Host) -> None:
    kept = await offline.call("set_default_journey_parameters", places={"aunt": "Ealing"})
    assert "journeys will ask which" in kept["notes"][0]
    computed = await offline.call(
        "compute_journey_plans", starting_point="aunt", destination="Bank"
    )
    assert {one["raw"] for one in computed["options"]} == {"aunt"}


# Ambiguous places


async def test_an_ambiguous_place_comes_back_as_options(offline: Host) -> None:
    computed = await offline.call(
        "compute_journey_plans", starting_point="Ealing", destination="Bank"
    )
    assert computed["answer"].startswith("Ealing may be Ealing Broadway")
    assert "ask which is meant, and send its value." in computed["answer"]
    assert 1 < len(computed["journeys"]) <= 4
    option = next(one for one in computed["options"] if one["name"] == "South Ealing")
    assert option["detail"] == "tube: Piccadilly"
    clear = await offline.call(
        "compute_journey_plans", starting_point=option["value"], destination="Bank"
    )
    assert "options" not in clear
    assert clear["journeys"][0]["from"] == "South Ealing"


def _offers(count: int, side: str) -> dict[str, Any]:
    options = [
        {
            "parameterValue": f"10{side}{n:04}",
            "matchQuality": 900 - n,
            "place": {
                "commonName": f"Foo {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[n]} Street",
                "placeType": "StopPoint",
                "icsCode": f"10{side}{n:04}",
                "modes": ["bus"],
                "lat": 51.5 + n / 100,
                "lon": -0.1,
            },
        }
        for n in range(count)
    ]
    return {"matchStatus": "list", "disambiguationOptions": options}


def ask_back(replay: Replay) -> None:
    """TfL asks back: 17 places on one side and 12 on the other, whose product is 204."""
    value = {
        "fromLocationDisambiguation": _offers(17, "4"),
        "toLocationDisambiguation": _offers(12, "5"),
        "viaLocationDisambiguation": {"matchStatus": "empty"},
    }
    replay.answer("/Journey/JourneyResults/Foo/to/Foo end", value, status=300)
    itinerary = {"journeys": [recorded("journey/ridgeview_journeyByTube.json")]}
    for origin in range(17):
        for end in range(12):
            if (origin, end) != (0, 1):
                path = f"/Journey/JourneyResults/104{origin:04}/to/105{end:04}"
                replay.answer(path, itinerary)


async def test_at_most_four_calls_are_made_for_an_ambiguous_request(
    online: Host, replay: Replay
) -> None:
    ask_back(replay)
    computed = await online.call(
        "compute_journey_plans", starting_point="Foo", destination="Foo end"
    )
    assert len(asked(replay)) == 4
    assert len(computed["journeys"]) == 3
    # One pair has no journey, and the others have theirs.
    assert [bool(one["plans"]) for one in computed["journeys"]] == [True, False, True]
    assert "TfL finds no journey" in computed["journeys"][1]["error"]
    assert {one["raw"] for one in computed["options"]} == {"Foo", "Foo end"}
    assert computed["options"][0]["detail"] == "bus"


@pytest.mark.parametrize("where", ["offline", "online"])
async def test_a_host_that_can_ask_asks_once(
    online: Host, offline: Host, replay: Replay, era: str, where: str
) -> None:
    questions: list[Any] = []

    async def choose(context: object, params: Any) -> ElicitResult:
        questions.append(params)
        offered = params.requested_schema["properties"]
        return ElicitResult(
            action="accept", content={name: one["enum"][1] for name, one in offered.items()}
        )

    if where == "online":
        ask_back(replay)
        host, arguments = online, {"starting_point": "Foo", "destination": "Foo end"}
    else:
        host, arguments = offline, {"starting_point": "Ealing", "destination": "Bank"}
    async with host.client(mode=era, elicitation_callback=choose) as client:
        answer = checked(await client.call_tool("compute_journey_plans", arguments))
    (params,) = questions
    properties = list(params.requested_schema["properties"].values())
    assert "options" not in answer
    (journey,) = answer["journeys"]
    if where == "online":
        assert params.message == "Which place is meant by “Foo” and “Foo end”?"
        assert [one["title"] for one in properties] == ["Foo", "Foo end"]
        assert asked(replay)[0] == "/Journey/JourneyResults/Foo/to/Foo end"
        assert asked(replay)[1:] == ["/Journey/JourneyResults/1040001/to/1050001"]
    else:
        assert params.message == "Which place is meant by “Ealing”?"
        assert "Ealing Common (tube: District, Piccadilly)" in properties[0]["enum"]
        assert journey["from"] == "Ealing Common"


async def test_places_of_a_later_trip_are_asked_about_as_well(offline: Host, era: str) -> None:
    questions: list[Any] = []

    async def choose(context: object, params: Any) -> ElicitResult:
        questions.append(params)
        offered = params.requested_schema["properties"]
        return ElicitResult(
            action="accept", content={name: one["enum"][0] for name, one in offered.items()}
        )

    trips = [
        {"starting_point": "Bank", "destination": "Ealing"},
        {"destination": "Heathrow"},
        {"destination": "Bank"},
    ]
    async with offline.client(mode=era, elicitation_callback=choose) as client:
        answer = checked(await client.call_tool("compute_journey_plans", {"trips": trips}))
    assert len(questions) == 1
    titles = [one["title"] for one in questions[0].requested_schema["properties"].values()]
    assert titles == ["Ealing", "Heathrow"]
    assert "options" not in answer
    assert len(answer["journeys"]) == 3


async def test_a_trip_that_is_added_may_ask_too(offline: Host, era: str) -> None:
    async def choose(context: object, params: Any) -> ElicitResult:
        (words,) = params.requested_schema["properties"].values()
        return ElicitResult(action="accept", content={"place_1": words["enum"][0]})

    first = await offline.call("compute_journey_plans", starting_point="Bank", destination="Angel")
    arguments = {"journey_id": first["journey_id"], "destination": "Ealing"}
    async with offline.client(mode=era, elicitation_callback=choose) as client:
        answer = checked(await client.call_tool("compute_journey_plans", arguments))
    assert [(one["from"], one["to"]) for one in answer["journeys"]] == [
        ("Angel", "Ealing Broadway")
    ]


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_user_who_does_not_choose_gets_the_options(
    offline: Host, era: str, action: Any
) -> None:
    async def refuse(context: object, params: Any) -> ElicitResult:
        return ElicitResult(action=action)

    arguments = {"starting_point": "Ealing", "destination": "Bank"}
    async with offline.client(mode=era, elicitation_callback=refuse) as client:
        answer = checked(await client.call_tool("compute_journey_plans", arguments))
    assert answer["options"]


async def test_an_answer_that_was_not_offered_counts_for_none(offline: Host, era: str) -> None:
    async def smuggle(context: object, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"place_1": "../../etc/passwd"})

    arguments = {"starting_point": "Ealing", "destination": "Bank"}
    async with offline.client(mode=era, elicitation_callback=smuggle) as client:
        result = await client.call_tool("compute_journey_plans", arguments)
    assert result.is_error or checked(result)["options"]
    assert "passwd" not in result.content[0].text


async def test_a_user_is_not_asked_where_nothing_is_unclear(offline: Host, era: str) -> None:
    async def fail(context: object, params: Any) -> ElicitResult:
        raise AssertionError(params)

    async with offline.client(mode=era, elicitation_callback=fail) as client:
        checked(await client.call_tool("compute_journey_plans", RIDE))


# What TfL does


async def test_lines_are_avoided_though_tfl_cannot(online: Host, replay: Replay) -> None:
    recorded("journey/ridgeview_journeyResultsKingsXToWaterlooNow.json")
    computed = await online.call("compute_journey_plans", **RIDE, avoid_lines=["the Victoria line"])
    assert computed["source"] == "offline_estimate"
    assert all("Victoria" not in plan["lines"] for plan in computed["journeys"][0]["plans"])
    assert computed["notes"][0] == (
        "TfL cannot leave out lines: 3 plans of its 3 use Victoria and are not shown."
    )
    assert computed["effective_preferences"] == {"avoid_lines": ["victoria"]}
    await online.call("compute_journey_plans", **RIDE, avoid_modes=["bus"])
    assert "bus" not in replay.requests[-1].query["mode"].split(",")


DOWN = {
    "500": {"status": 500, "value": {"message": "An error"}},
    "503": {"status": 503, "body": "<html>Unavailable</html>", "content_type": "text/html"},
    "html": {"body": "<!DOCTYPE html><html>Sign in</html>", "content_type": "text/html"},
    "420": {"status": 420, "body": "Enhance your calm"},
    "429": {"status": 429, "value": {"message": "Rate limit"}},
    "429-after": {"status": 429, "value": {}, "headers": {"retry-after": "3600"}},
}


@pytest.mark.parametrize("how", DOWN)
async def test_while_tfl_answers_nothing_the_embedded_network_plans(
    online: Host, replay: Replay, how: str
) -> None:
    replay.answer(RIDE_PATH, **DOWN[how])
    computed = await online.call("compute_journey_plans", **RIDE)
    assert computed["source"] == "offline_estimate"
    assert computed["notes"][0].endswith("Planned over the embedded network instead.")
    told = await online.call("get_computed_journey_plan", journey_id=computed["journey_id"])
    assert computed["notes"][0] in told["text"]


async def test_a_server_that_is_not_there(made: Callable[..., Host], replay: Replay) -> None:
    replay.close()
    host = made(replay.url, tfl_key=KEY)
    computed = await host.call("compute_journey_plans", **RIDE)
    assert computed["notes"][0].startswith("TfL cannot be reached")
    said = await host.refused("compute_journey_plans", starting_point="N1 9AG", destination="Bank")
    assert said.endswith("Or send a station near N1 9AG: those are planned for without TfL.")
    assert "TfL cannot be reached" in await host.refused("get_line_status")


async def test_a_server_that_is_not_there_uses_up_no_requests(
    made: Callable[..., Host], replay: Replay
) -> None:
    replay.close()
    host = made(replay.url)
    # Without a key TfL takes fifty a minute.
    for number in range(60):
        destination = f"51.5,-0.{100 + number}"
        computed = await host.call(
            "compute_journey_plans", starting_point="Euston", destination=destination
        )
        assert computed["source"] == "offline_estimate"
        assert computed["notes"][0].startswith("TfL cannot be reached")


async def test_where_the_requests_are_used_up_the_embedded_network_answers(
    made: Callable[..., Host], replay: Replay
) -> None:
    host = made(replay.url)
    for number in range(WITHOUT_KEY):
        await host.call("find_stops", query=f"Zorblax Road {number}")
    assert len(replay.requests) == WITHOUT_KEY
    computed = await host.call("compute_journey_plans", **RIDE)
    assert computed["source"] == "offline_estimate"
    assert computed["journeys"][0]["plans"]
    assert computed["notes"][0].startswith("TfL takes no more requests now: try again in ")
    assert computed["notes"][0].endswith("Planned over the embedded network instead.")
    found = await host.call("find_stops", query="Zorblax Road")
    assert (found["source"], found["stops"]) == ("offline_estimate", [])
    assert found["notes"][0].startswith("TfL takes no more requests now")
    for tool, arguments in (("get_line_status", {}), ("get_arrivals", {"stop": "Bank"})):
        said = await host.refused(tool, **arguments)
        assert re.match(r"TfL takes no more requests now: try again in \d+ s", said)
    assert len(replay.requests) == WITHOUT_KEY


async def test_a_slow_server_is_not_waited_for_again_and_again(
    made: Callable[..., Host], replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.journeys.london._PATIENCE", 1.0)
    replay.holding.clear()
    names = ["Waterloo", "Bank", "Angel", "Brixton", "Kew Gardens"]
    trips = [{"starting_point": "Euston", "destination": name} for name in names]
    computed = await made(replay.url).call("compute_journey_plans", trips=trips)
    assert [bool(one["plans"]) for one in computed["journeys"]] == [True] * 5
    assert len(asked(replay)) == 1
    assert all("in time" in one["notes"][0] for one in computed["journeys"])


TOLD = {
    "404": ({"status": 404, "value": {"message": "No journey found for your inputs."}}, "finds no"),
    "404-place": ({"status": 404, "value": {"message": "Not recognised."}}, "TfL does not know"),
    "400": ({"status": 400, "value": {"message": "The date is not valid"}}, "cannot use"),
    "401": ({"status": 401, "value": {"message": "invalid key"}}, "check TFL_APP_KEY"),
    "truncated": ({"body": '{"journeys": [{"duration": 1'}, "broke off: ask again"),
    "breaks-off": (
        {"body": '{"journeys": [', "headers": {"content-length": "4096"}},
        "broke off",
    ),
    "shape": ({"value": {"of": "another shape"}}, "a shape that is not known"),
    "empty": ({"value": {"journeys": []}}, "finds no journey"),
}


@pytest.mark.parametrize("how", TOLD)
async def test_other_outcomes_are_told_as_they_are(online: Host, replay: Replay, how: str) -> None:
    answer, says = TOLD[how]
    replay.answer(RIDE_PATH, **answer)
    said = await online.refused("compute_journey_plans", **RIDE)
    assert says in said
    assert "1000129" not in said
    # Among several trips it is an error of its own trip.
    trips = [RIDE, {"starting_point": "51.5,-0.1", "destination": "synthetic-503"}]
    day = await online.call("compute_journey_plans", trips=trips)
    assert day["journeys"][0]["plans"] == []
    assert "HTTP 503" in day["journeys"][1]["error"]
    assert "journey_id" not in day


async def test_the_key_is_redacted_everywhere(
    online: Host, replay: Replay, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    body = {"message": f"app_key={KEY} and {KEY.upper()} are bad"}
    replay.answer(RIDE_PATH, body, status=400)
    said = await online.refused("compute_journey_plans", **RIDE)
    assert "***" in said and KEY not in said.casefold()
    day = await online.call("compute_journey_plans", trips=[RIDE, RIDE])
    assert KEY not in json.dumps(day).casefold()
    journey = recorded("journey/ridgeview_journeyByTube.json")
    journey["legs"][0]["instruction"]["summary"] = f"Go by {KEY}"
    journey["legs"][0]["arrivalPoint"]["commonName"] = f"Stop {KEY}"
    replay.answer("/Journey/JourneyResults/1000129/to/1000013", {"journeys": [journey]})
    computed = await online.call(
        "compute_journey_plans", starting_point="King's Cross", destination="Bank"
    )
    whole = await online.call("get_computed_journey", journey_id=computed["journey_id"])
    assert KEY not in json.dumps([computed, whole]).casefold()
    assert no_key(online, caplog)
    assert KEY not in "".join(capfd.readouterr()).casefold()


def no_key(host: Host, caplog: pytest.LogCaptureFixture) -> bool:
    """Whether the key is in no file of the state folder, and in no log."""
    held = b"".join(path.read_bytes() for path in host.home.rglob("*") if path.is_file())
    return KEY.encode() not in held.lower() and KEY not in caplog.text.casefold()


async def test_a_disrupted_plan_names_line_reason_and_the_way_around(
    online: Host, replay: Replay
) -> None:
    journey = recorded("journey/ridgeview_journeyWithLongDisruptionMessage.json")
    replay.answer(RIDE_PATH, {"journeys": [journey]})
    computed = await online.call("compute_journey_plans", **RIDE)
    plan = computed["journeys"][0]["plans"][0]
    told = plan["disruptions"]
    assert {one["line"] for one in plan["notices"]} == {"Kings Cross St Pancras Station"}
    for one in told:
        assert one["line"] and one["reason"]
        assert len(one["reason"]) <= 300
    whole = await online.call("get_computed_journey_plan", journey_id=computed["journey_id"])
    longer = [one for kind in ("disruptions", "notices") for one in whole.get(kind, [])]
    assert max(len(one["reason"]) for one in longer) > 300


async def test_live_tools(online: Host, offline: Host) -> None:
    recorded("line/ridgeview_lineStatusesToday.json")
    status = await online.call("get_line_status")
    assert "disrupted" in status["answer"]
    severities = [one["severity"] for one in status["lines"] if one["standing"] == "disrupted"]
    assert severities == sorted(severities)
    assert status["evidence_id"]
    found = await online.call("find_stops", query="Kings X")
    assert found["stops"][0]["id"] == "HUBKGX"
    board = await online.call("get_arrivals", stop="Kings X")
    assert board["stop"].startswith("King's Cross")
    for tool, arguments in (("get_line_status", {}), ("get_arrivals", {"stop": "Bank"})):
        unknown = await offline.call(tool, **arguments)
        assert "without TfL's live service" in unknown["answer"]
        assert unknown["evidence_id"].startswith("ev_")
        checked = await offline.call("verify_answer", draft="The Victoria line has no disruptions.")
        assert checked["verdict"] != "supported"
    offered = await online.call("get_arrivals", stop="Tate Modern")
    assert offered["answer"].startswith("Tate Modern is no one stop; there, or near it, are ")
    near = await online.call("find_stops", query="Tate Modern")
    assert [one["value"] for one in offered["options"]] == [
        one["id"] for one in near["stops"][: len(offered["options"])]
    ]
    assert near["stops"][0]["why"].endswith("m from Tate Modern")
    assert (await offline.refused("get_arrivals", stop="Zorblax Road")).startswith("stop: ")


# Bad input


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"starting_point": "Bank", "destination": "Bank"}, "send another destination"),
        ({"starting_point": "Bank", "destination": "51.3,-2.5"}, "outside the area around London"),
        ({"starting_point": "Bank", "destination": "M1 1AA"}, "no postcode of London"),
        ({"starting_point": "Bank", "destination": "Brighton"}, "Brighton is a real place"),
        ({"starting_point": "Bank", "destination": "Zorblax"}, "no station or well-known place"),
        ({"starting_point": "Bank", "destination": "N1 9AG"}, "only TfL knows"),
        ({"starting_point": "gym", "destination": "Bank"}, "no place is stored under the name"),
        ({"starting_point": "Bank"}, "`destination` is missing"),
        ({"destination": "Bank"}, "starting_point is missing"),
        ({}, "`destination` is missing"),
        ({**RIDE, "trips": [RIDE]}, "leave them out beside `trips`"),
        ({**RIDE, "mode": ["tub"]}, "The nearest is tube"),
        ({**RIDE, "avoid_lines": ["Zorblax line"]}, "Zorblax"),
        ({**RIDE, "date": "2026-02-30"}, "2026"),
        ({**RIDE, "date": "31 June"}, "June"),
        ({**RIDE, "date": "1999-01-01"}, "1999"),
        ({**RIDE, "time": "25:00"}, "25:00"),
        ({**RIDE, "time": "half past"}, "half past"),
        ({**RIDE, "time_is": "arriving"}, "needs a time to arrive by"),
        ({**RIDE, "starting_pont": "x"}, "did you mean `starting_point`?"),
        ({**RIDE, "max_walking_minutes": -1}, "`max_walking_minutes`"),
        ({"starting_point": "x" * 301, "destination": "Bank"}, "`starting_point`"),
        ({"starting_point": "\ud800", "destination": "Bank"}, "`starting_point`"),
        ({"starting_point": "Bank", "destination": "\x00\x01"}, "destination"),
        ({"trips": [RIDE] * 13}, "`trips`"),
        ({**RIDE, "journey_id": "jo_unknown"}, "unknown or has expired"),
        ({**RIDE, "journey_id": "x" * 65}, "`journey_id`"),
    ],
)
async def test_what_cannot_be_planned_is_refused_in_one_line(
    offline: Host, arguments: dict[str, Any], says: str
) -> None:
    assert says in await offline.refused("compute_journey_plans", **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("get_computed_journey", {"journey_index": 1}, "There is no journey_index 1"),
        ("get_computed_journey", {"journey_index": -1}, "`journey_index`"),
        ("get_computed_journey_plan", {"plan_index": 3}, "send 0 to 2"),
        ("draw_map_for_plan", {"plan_index": 50}, "There is no plan_index 50"),
        ("draw_map_for_plan", {"compare_plan_indices": [7]}, "There is no plan_index 7"),
        ("create_ics_file_for_plan", {"journey_index": 4}, "There is no journey_index 4"),
        ("create_ics_file_for_plan", {"alarm_minutes": -5}, "`alarm_minutes`"),
    ],
)
async def test_indices_out_of_range(
    offline: Host, tool: str, arguments: dict[str, Any], says: str
) -> None:
    computed = await offline.call("compute_journey_plans", **RIDE)
    said = await offline.refused(tool, journey_id=computed["journey_id"], **arguments)
    assert says in said


@pytest.mark.parametrize(
    "name", ["../../escape", "..", "/etc/passwd", "a/b", "a\\b", "jo_x\x00", "%2e%2e%2f", "."]
)
async def test_path_characters_reach_no_path(offline: Host, name: str) -> None:
    computed = await offline.call("compute_journey_plans", **RIDE)
    for tool in ("draw_map_for_plan", "create_ics_file_for_plan", "get_computed_journey"):
        assert await offline.refused(tool, journey_id=name)
    await offline.call("set_default_journey_parameters", places={f"{name} place": "51.5,-0.1"})
    named = await offline.call(
        "compute_journey_plans", starting_point=f"{name} place", destination="Bank"
    )
    for one in (computed, named):
        await offline.call("draw_map_for_plan", journey_id=one["journey_id"])
        await offline.call("create_ics_file_for_plan", journey_id=one["journey_id"])
    assert {path.name for path in offline.home.parent.iterdir()} == {"home"}
    written = [path for path in offline.home.rglob("*") if path.is_file()]
    beside = {path.name.partition(".sqlite")[0] for path in written if path.parent == offline.home}
    assert beside == {"evidence", "journeys", "journey_preferences"}
    drawn = {path.name for path in written if path.parent != offline.home}
    assert drawn == {f"journey-1-plan-1.{kind}" for kind in ("html", "svg", "ics")}
    folders = {path.parent.name for path in written if path.parent != offline.home}
    assert folders == {computed["journey_id"], named["journey_id"]}


async def test_a_handle_is_its_owners_alone_and_expires(
    offline: Host, made: Callable[..., Host]
) -> None:
    computed = await offline.call("compute_journey_plans", **RIDE)
    other = made(home="other")
    said = await other.refused("get_computed_journey", journey_id=computed["journey_id"])
    assert said.startswith("This journey_id is unknown or has expired: compute it again")
    with sqlite3.connect(offline.home / "journeys.sqlite") as connection:
        connection.execute("UPDATE ids SET owner = 'somebody'")
    connection.close()
    which = {"journey_id": computed["journey_id"]}
    assert await offline.refused("get_computed_journey", **which) == said
    with sqlite3.connect(offline.home / "journeys.sqlite") as connection:
        connection.execute("UPDATE ids SET owner = 'local', expires = 1")
    connection.close()
    assert await offline.refused("draw_map_for_plan", **which) == said


async def test_a_handle_survives_a_restart(made: Callable[..., Host]) -> None:
    first = made()
    computed = await first.call("compute_journey_plans", **RIDE)
    first.server.close()
    again = await made().call("get_computed_journey", journey_id=computed["journey_id"])
    assert [plan["start"] for plan in again["plans"]] == [
        plan["start"] for plan in computed["journeys"][0]["plans"]
    ]


async def test_read_only_hides_what_writes_files_or_keeps_defaults(
    made: Callable[..., Host],
) -> None:
    host = made(read_only=True)
    async with host.client() as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    assert offered.isdisjoint(
        {"draw_map_for_plan", "create_ics_file_for_plan", "set_default_journey_parameters"}
    )
    # A handle is no state that a user set: without it there would be no journey to look at.
    assert "compute_journey_plans" in offered
    computed = await host.call("compute_journey_plans", **RIDE)
    assert await host.call("get_computed_journey", journey_id=computed["journey_id"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
async def test_a_folder_that_cannot_be_written(made: Callable[..., Host], tmp_path: Path) -> None:
    host = made()
    tmp_path.chmod(0o500)
    try:
        assert "cannot be used" in await host.refused("compute_journey_plans", **RIDE)
    finally:
        tmp_path.chmod(0o700)


async def test_a_state_folder_that_is_a_file(made: Callable[..., Host]) -> None:
    host = made()
    host.home.write_text("no folder")
    computed = await host.call("compute_journey_plans", **RIDE)
    assert "journey_id" not in computed
    assert "set GROUNDWIRE_HOME" in computed["not_kept"]
    assert computed["journeys"][0]["plans"] and "The plans are not kept" in computed["answer"]
    assert "set GROUNDWIRE_HOME" in await host.refused(
        "set_default_journey_parameters", walking_speed="slow"
    )


async def test_a_map_and_a_calendar_are_answered_where_no_file_can_be_written(
    offline: Host,
) -> None:
    computed = await offline.call("compute_journey_plans", **RIDE)
    which = {"journey_id": computed["journey_id"]}
    folder = offline.home / "journeys"
    folder.write_text("no folder")
    async with offline.client() as client:
        result = await client.call_tool("draw_map_for_plan", which)
    drawn = result.structured_content or {}
    assert [part.type for part in result.content] == ["text", "image"]
    assert "is not written to a file" in drawn["answer"]
    calendar = await offline.call("create_ics_file_for_plan", **which)
    assert "is not written to a file" in calendar["answer"]
    assert calendar["ics"].startswith("BEGIN:VCALENDAR")
    for answer in (drawn, calendar):
        assert not answer.keys() & {"path", "svg_path", "shown_in_browser"}
        assert "cannot be written" in answer["path_error"]
        assert "set GROUNDWIRE_HOME" in answer["path_error"]
        assert str(offline.home) not in json.dumps(answer)
    folder.unlink()
    calendar = await offline.call("create_ics_file_for_plan", **which)
    assert Path(calendar["path"]).is_file() and "path_error" not in calendar


async def test_a_browser_opens_only_when_asked_and_only_on_stdio(
    offline: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def show(path: Path) -> bool:
        opened.append(path)
        return True

    monkeypatch.setattr(journeys_server, "_in_browser", show)
    computed = await offline.call("compute_journey_plans", **RIDE)
    which = {"journey_id": computed["journey_id"]}
    drawn = await offline.call("draw_map_for_plan", **which)
    assert opened == [] and "shown_in_browser" not in drawn
    drawn = await offline.call("draw_map_for_plan", **which, browser_display=True)
    assert [str(path) for path in opened] == [drawn["path"]]
    assert drawn["shown_in_browser"] is True


async def test_a_browser_never_opens_over_http(
    made: Callable[..., Host], era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def show(path: Path) -> bool:
        raise AssertionError(path)

    monkeypatch.setattr(journeys_server, "_in_browser", show)
    app = http_app(made().server, "127.0.0.1", 80, None)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http,
            Client(
                streamable_http_client("http://127.0.0.1/mcp", http_client=http), mode=era
            ) as client,
        ):
            computed = checked(await client.call_tool("compute_journey_plans", RIDE))
            which = {"journey_id": computed["journey_id"], "browser_display": True}
            drawn = checked(await client.call_tool("draw_map_for_plan", which))
    assert "shown_in_browser" not in drawn


# Long answers


async def test_a_full_day_with_long_disruptions_keeps_to_the_budget(
    online: Host, replay: Replay
) -> None:
    journey = recorded("journey/ridgeview_journeyWithLongDisruptionMessage.json")
    replay.answer(RIDE_PATH, {"journeys": [journey] * 4})
    day = await online.call("compute_journey_plans", trips=[RIDE] * 12)
    assert [one["journey_index"] for one in day["journeys"]] == list(range(12))
    assert all(one["plans"] for one in day["journeys"])
    assert day["left_out"].endswith("get_computed_journey tells more of one journey")
    last = await online.call("get_computed_journey", journey_id=day["journey_id"], journey_index=11)
    assert len(last["plans"]) == 4


RECORDED = (
    "journeyByBike", "journeyByBoat", "journeyByBusLong", "journeyByBusShort",
    "journeyByCableCar", "journeyByNationalRail", "journeyByOverground", "journeyByTube",
    "journeyByWalking", "journeyWithLongDisruptionMessage", "journeyWithLongTitleName",
)  # fmt: skip


@pytest.mark.parametrize("name", RECORDED)
async def test_every_recorded_journey_is_told_in_every_way(
    online: Host, replay: Replay, name: str
) -> None:
    journey = recorded(f"journey/ridgeview_{name}.json")
    replay.answer(RIDE_PATH, {"journeys": [journey] * 3})
    computed = await online.call("compute_journey_plans", **RIDE)
    which = {"journey_id": computed["journey_id"]}
    whole = await online.call("get_computed_journey", **which)
    assert len(whole["plans"]) == 3
    full = await online.call("get_computed_journey_plan", **which, detail="full")
    assert len(full["legs"]) == len(journey["legs"])
    calendar = await online.call("create_ics_file_for_plan", **which, per_leg=True)
    file = Path(calendar["path"]).read_bytes().decode()
    assert calendar["ics"] == file or calendar["path"] in calendar["left_out"]
    assert file.count("BEGIN:VEVENT") == calendar["events"]
    await online.call("draw_map_for_plan", **which, compare_plan_indices=[1, 2])


async def test_a_way_of_many_turns_says_what_it_leaves_out(online: Host, replay: Replay) -> None:
    journey = recorded("journey/ridgeview_journeyByBike.json")
    steps = journey["legs"][0]["instruction"]["steps"]
    journey["legs"][0]["instruction"]["steps"] = steps * 12
    replay.answer(RIDE_PATH, {"journeys": [journey]})
    computed = await online.call("compute_journey_plans", **RIDE)
    which = {"journey_id": computed["journey_id"]}
    full = await online.call("get_computed_journey_plan", **which, detail="full")
    assert full["legs"][0]["summary"].startswith("cycle to Waterloo")
    assert "get_evidence pages what was recorded" in full["left_out"]
    assert "left_out" not in await online.call("get_computed_journey_plan", **which)


# What is said of journeys is checked


async def test_a_true_draft_is_supported_and_a_changed_one_is_not(
    online: Host, replay: Replay
) -> None:
    recorded("journey/ridgeview_journeyResultsKingsXToWaterlooNow.json")
    computed = await online.call("compute_journey_plans", **RIDE)
    ids = [computed["evidence_id"]]
    true = (
        "On 29 May 2026 you leave King's Cross St. Pancras at 14:41 and arrive at Waterloo at "
        "14:55. It takes 14 minutes on the Victoria and Bakerloo lines, with 1 change, and costs "
        "£3.00."
    )
    assert await verdict(online, true, ids) == ("supported", [])
    for right, wrong in (
        ("at 14:41", "at 14:31"),
        ("at 14:55", "at 15:55"),
        ("14 minutes", "24 minutes"),
        ("Victoria and", "Jubilee and"),
        ("£3.00", "£2.40"),
        ("29 May", "28 May"),
    ):
        assert right in true
        found, texts = await verdict(online, true.replace(right, wrong), ids)
        assert found != "supported", wrong
        assert any(one in wrong or wrong in one for one in texts), (wrong, texts)


async def verdict(host: Host, draft: str, ids: list[str]) -> tuple[str, list[str]]:
    checked = await host.call("verify_answer", draft=draft, evidence_ids=ids)
    bad = [one for one in checked["claims"] if one["status"] not in ("supported", "derived")]
    return checked["verdict"], [one["text"] for one in bad]


@pytest.mark.parametrize("detail", ["brief", "full"])
async def test_the_text_of_a_plan_is_supported_by_its_record(online: Host, detail: str) -> None:
    recorded("journey/ridgeview_journeyResultsKingsXToWaterlooNow.json")
    computed = await online.call("compute_journey_plans", **RIDE)
    told = await online.call(
        "get_computed_journey_plan", journey_id=computed["journey_id"], detail=detail
    )
    assert await verdict(online, told["text"], [told["evidence_id"]]) == ("supported", [])
    assert await verdict(online, computed["answer"], [computed["evidence_id"]]) == (
        "supported", [],
    )  # fmt: skip


async def test_the_text_of_an_estimate_is_supported_by_its_record(offline: Host) -> None:
    computed = await offline.call(
        "compute_journey_plans", starting_point="Brixton", destination="Tate Modern"
    )
    for answer in (
        computed,
        await offline.call("get_computed_journey", journey_id=computed["journey_id"]),
    ):
        ids = [answer["evidence_id"]]
        assert await verdict(offline, answer["answer"], ids) == ("supported", [])
    told = await offline.call("get_computed_journey_plan", journey_id=computed["journey_id"])
    assert await verdict(offline, told["text"], [told["evidence_id"]]) == ("supported", [])


async def test_what_the_live_tools_say_is_supported(online: Host) -> None:
    recorded("line/ridgeview_lineStatusesToday.json")
    status = await online.call("get_line_status")
    ids = [status["evidence_id"]]
    assert await verdict(online, status["answer"], ids) == ("supported", [])
    for line in status["lines"][:3]:
        told = f"{line['line']}: {line['description']}. {line['statuses'][0]['reason']}"
        checked = await online.call("verify_answer", draft=told, evidence_ids=ids)
        found = {one["status"] for one in checked["claims"]}
        assert "supported" in found
        assert not found & {"contradicted", "unsupported"}
    assert await verdict(online, "The Jubilee line has minor delays.", ids) == ("supported", [])
    for stop in ("Stratford", "Gospel Oak"):
        board = await online.call("get_arrivals", stop=stop)
        found = await verdict(online, board["answer"], [board["evidence_id"]])
        assert found == ("supported", [])
    found, _ = await verdict(online, "The Jubilee line has a good service.", ids)
    assert found != "supported"


# Hosts that do two things at once


@pytest.mark.parametrize("where", ["offline", "online"])
async def test_calls_at_once_do_not_disturb_each_other(
    online: Host, offline: Host, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A slow machine is no slow TfL.
    monkeypatch.setattr("groundwire.journeys.london._PATIENCE", PATIENCE)
    host = {"offline": offline, "online": online}[where]
    answers: list[dict[str, Any]] = []
    refusals: list[str] = []
    async with host.client() as client, anyio.create_task_group() as tasks:

        async def plan(destination: str) -> None:
            arguments = {"starting_point": "King's Cross", "destination": destination}
            found = await client.call_tool("compute_journey_plans", arguments)
            if found.is_error:
                refusals.append(found.content[0].text)
            else:
                answers.append(checked(found))

        for _ in range(3):
            for name in ("Waterloo", "King's Cross", "Zorblax"):
                tasks.start_soon(plan, name)
    # Every refusal is of a trip that cannot be made, and says so.
    assert not [said for said in refusals if "Zorblax" not in said and "destination" not in said]
    assert len(refusals) == 6
    assert {one["journeys"][0]["to"] for one in answers} == {"Waterloo"}
    assert {one["source"] for one in answers} == {
        "tfl" if where == "online" else "offline_estimate"
    }
    assert len({one["journey_id"] for one in answers}) == len(answers) == 3


async def test_the_page_of_maps_and_the_prompt(offline: Host) -> None:
    async with offline.client() as client:
        page = await client.read_resource("ui://groundwire/journey-map")
        prompt = await client.get_prompt("plan_journey", {"request": "To Kew for lunch."})
    assert "<html" in page.contents[0].text
    text = prompt.messages[0].content.text
    assert text.startswith("To Kew for lunch.")
    assert "the embedded network, as estimates" in text
