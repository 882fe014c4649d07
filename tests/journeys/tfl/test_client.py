"""The client against a server on loopback that speaks the API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigurationError, InputError
from groundwire.journeys.tfl.client import TflClient
from groundwire.journeys.tfl.exchange import TFL
from groundwire.journeys.tfl.journey_payload import Itinerary
from groundwire.journeys.tfl.outcomes import (
    NoJourneyError,
    PlaceNotFoundError,
    RateLimitedError,
    TflDownError,
    UnexpectedAnswerError,
)
from groundwire.journeys.tfl.stop_payload import Disambiguation

KEY = "0123456789ABCDEF0123456789abcdef"
DATA = Path(__file__).parents[1] / "data"
JOURNEY = json.loads((DATA / "synthetic_journey.json").read_text("utf-8"))
BEFORE = "/Journey/JourneyResults/"


class Clock:
    """Seconds that pass only where a test or a wait lets them."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds


def using(
    url: str, work: Callable[[TflClient], Awaitable[Any]], key: str = "", **options: Any
) -> Any:
    """What `work` gives of a client that is closed afterwards."""

    async def run() -> Any:
        client = TflClient(url, key, **options)
        try:
            return await work(client)
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_a_journey_is_planned(replay) -> None:
    found = using(replay.url, lambda c: c.journey("1000098", "1000254", "", {"time": "0900"}))
    assert isinstance(found, Itinerary)
    assert found.plans[0].lines == ("Northern",)
    assert replay.requests[0].query == {"time": "0900"}


def test_an_ambiguous_place_gives_options(replay) -> None:
    found = using(replay.url, lambda c: c.journey("1000254", "Hampstead", "", {}))
    assert isinstance(found, Disambiguation)
    assert found.origin == ()
    assert {option.place.name for option in found.destination} >= {"Hampstead", "West Hampstead"}
    assert all(option.send for option in found.destination)


def test_options_are_known_by_their_shape_with_status_200_too(replay) -> None:
    value = json.loads((DATA / "synthetic_disambiguation.json").read_text("utf-8"))
    replay.answer(BEFORE + "1000254/to/Hampstead", value)
    found = using(replay.url, lambda c: c.journey("1000254", "Hampstead", "", {}))
    assert [option.send for option in found.destination] == ["1000098", "51.5561,-0.1742"]


def test_an_unknown_place_is_named_with_its_side(replay) -> None:
    with pytest.raises(PlaceNotFoundError, match='"Nowhereville"') as raised:
        using(replay.url, lambda c: c.journey("Hampstead", "Nowhereville", "", {}))
    assert raised.value.side == "destination"


def test_an_answer_without_plans_is_no_journey(replay) -> None:
    replay.answer(BEFORE + "1000098/to/1000254", {**JOURNEY, "journeys": []})
    with pytest.raises(NoJourneyError):
        using(replay.url, lambda c: c.journey("1000098", "1000254", "", {}))


def test_an_answer_whose_plans_cannot_be_read_is_told(replay) -> None:
    replay.answer(BEFORE + "1000098/to/1000254", {**JOURNEY, "journeys": [7, {"duration": 5}]})
    with pytest.raises(UnexpectedAnswerError, match="plan 1 has no legs"):
        using(replay.url, lambda c: c.journey("1000098", "1000254", "", {}))


@pytest.mark.parametrize(
    "name",
    [
        "Paddington/Bayswater",
        "A/../../StopPoint/B",
        "..%2f..%2fLine",
        "what? #1 & more",
        "51.5,-0.1",
        "SW1A 1AA",
        "Café ☕",
        "back\\slash",
    ],
)
def test_no_name_changes_the_path(replay, name: str) -> None:
    replay.answer(BEFORE + name + "/to/1000254", JOURNEY)
    using(replay.url, lambda c: c.journey(name, "1000254", "", {}))
    assert replay.requests[0].segments == ("Journey", "JourneyResults", name, "to", "1000254")
    assert replay.requests[0].path.count("/") == 5


@pytest.mark.parametrize("name", ["", "  ", ".", "..", " .. ", "x\x00y", "\ud800", "x" * 300])
def test_a_name_that_cannot_be_sent_is_refused(replay, name: str) -> None:
    for work in (
        lambda c: c.journey(name, "1000254", "", {}),
        lambda c: c.journey("1000254", name, "", {}),
        lambda c: c.stop(name),
        lambda c: c.search_stops(name),
        lambda c: c.arrivals(name),
        lambda c: c.line_status([name], []),
    ):
        with pytest.raises(InputError):
            using(replay.url, work)
    assert replay.requests == []


def test_via_is_a_parameter(replay) -> None:
    replay.answer(BEFORE + "1000098/to/1000254", JOURNEY)
    using(replay.url, lambda c: c.journey("1000098", "1000254", "Bank & Monument", {}))
    assert replay.requests[0].query == {"via": "Bank & Monument"}


def test_the_key_is_no_parameter(replay) -> None:
    with pytest.raises(InputError, match="TFL_APP_KEY"):
        using(replay.url, lambda c: c.journey("1", "2", "", {"App_Key": "mine"}))


def test_the_key_travels_in_a_header_only(replay) -> None:
    using(replay.url, lambda c: c.journey("1000098", "1000254", "", {}), KEY)
    request = replay.requests[0]
    assert request.headers["app_key"] == KEY
    assert KEY not in request.path
    assert KEY not in str(request.query)


def test_without_a_key_none_is_sent(replay) -> None:
    using(replay.url, lambda c: c.stop("HUBPAD"))
    assert "app_key" not in replay.requests[0].headers


def test_the_key_is_hidden_in_errors_representation_and_payloads(replay) -> None:
    with pytest.raises(InputError) as raised:
        using(replay.url, lambda c: c.journey("synthetic-key", "1", "", {}), KEY)
    assert KEY.casefold() not in str(raised.value).casefold()
    assert "***" in str(raised.value)
    assert KEY not in repr(TflClient(replay.url, KEY))
    replay.answer("/StopPoint/1", {"id": "1", "url": f"/stop?app_key={KEY.lower()}"})
    assert using(replay.url, lambda c: c.stop("1"), KEY)["url"] == "/stop?app_key=***"


def test_a_kept_answer_is_not_asked_for_again(replay) -> None:
    async def twice(client: TflClient) -> list[Any]:
        first = await client.journey("1000098", "1000254", "", {})
        return [first, await client.journey("1000098", "1000254", "", {})]

    first, second = using(replay.url, twice)
    assert first == second
    assert len(replay.requests) == 1


def test_what_a_caller_does_to_an_answer_stays_with_it(replay) -> None:
    async def twice(client: TflClient) -> Any:
        (await client.stop("HUBPAD")).clear()
        return await client.stop("HUBPAD")

    assert using(replay.url, twice)["id"] == "HUBPAD"


@pytest.mark.parametrize(
    ("path", "value", "work", "seconds"),
    [
        ("/StopPoint/1", {"id": "1"}, lambda c: c.stop("1"), 43_200),
        ("/StopPoint/1/Arrivals", [], lambda c: c.arrivals("1"), 30),
        ("/Line/x/Status", [{"id": "x"}], lambda c: c.line_status(["x"], []), 30),
        (BEFORE + "1/to/2", JOURNEY, lambda c: c.journey("1", "2", "", {}), 150),
    ],
)
def test_answers_without_headers_hold_as_their_kind_does(
    replay, path: str, value: Any, work: Any, seconds: int
) -> None:
    replay.answer(path, value)
    clock = Clock()

    async def thrice(client: TflClient) -> None:
        await work(client)
        clock.seconds += seconds - 1
        await work(client)
        assert len(replay.requests) == 1
        clock.seconds += 1
        await work(client)

    using(replay.url, thrice, clock=clock, sleep=clock.sleep)
    assert len(replay.requests) == 2


def test_headers_say_how_long_an_answer_holds(replay) -> None:
    replay.answer("/StopPoint/1", {"id": "1"}, headers={"cache-control": "max-age=10", "age": "4"})
    clock = Clock()

    async def thrice(client: TflClient) -> None:
        await client.stop("1")
        clock.seconds += 5
        await client.stop("1")
        assert len(replay.requests) == 1
        clock.seconds += 1
        await client.stop("1")

    using(replay.url, thrice, clock=clock, sleep=clock.sleep)
    assert len(replay.requests) == 2


@pytest.mark.parametrize(
    "bad",
    [
        {"status": 500, "value": {}},
        {"status": 404, "value": {"message": "synthetic: unknown"}},
        {"body": "<html>synthetic</html>", "content_type": "text/html"},
        {"body": '{"id": "1"'},
        {"value": {"synthetic": 1}},
    ],
)
def test_errors_are_never_kept(replay, bad: dict[str, Any]) -> None:
    replay.answer("/StopPoint/1", **bad)
    replay.answer("/StopPoint/1", {"id": "1"})

    async def twice(client: TflClient) -> Any:
        with pytest.raises(Exception, match="TfL"):
            await client.stop("1")
        return await client.stop("1")

    assert using(replay.url, twice) == {"id": "1"}


def test_the_same_question_at_the_same_time_is_asked_once(replay) -> None:
    replay.holding.clear()

    async def together(client: TflClient) -> list[Any]:
        tasks = [asyncio.create_task(client.stop("HUBPAD")) for _ in range(5)]
        while not replay.requests:
            await asyncio.sleep(0.01)
        replay.holding.set()
        return await asyncio.gather(*tasks)

    found = using(replay.url, together)
    assert [stop["id"] for stop in found] == ["HUBPAD"] * 5
    assert len(replay.requests) == 1


def test_fifty_requests_a_minute_without_a_key_then_it_is_told(replay) -> None:
    clock = Clock()

    async def many(client: TflClient) -> None:
        for number in range(50):
            replay.answer(f"/StopPoint/{number}", {"id": str(number)})
            await client.stop(str(number))
        with pytest.raises(RateLimitedError, match=r"in 60 s, or set TFL_APP_KEY") as raised:
            await client.stop("HUBPAD")
        assert raised.value.retry_after == 60
        await client.stop("0")  # kept: takes no turn
        clock.seconds += 57
        await client.stop("HUBPAD")

    using(replay.url, many, clock=clock, sleep=clock.sleep)
    assert clock.waits == [3.0]
    assert len(replay.requests) == 51


def test_too_many_requests_are_waited_for_once_where_that_is_short(replay) -> None:
    replay.answer("/StopPoint/1", {}, status=420, headers={"retry-after": "2"})
    replay.answer("/StopPoint/1", {"id": "1"})
    clock = Clock()
    found = using(replay.url, lambda c: c.stop("1"), clock=clock, sleep=clock.sleep)
    assert found == {"id": "1"}
    assert clock.waits == [2.0]


def test_too_many_requests_twice_are_told(replay) -> None:
    replay.answer("/StopPoint/1", {}, status=420, headers={"retry-after": "2"})
    clock = Clock()
    with pytest.raises(RateLimitedError, match="in 2 s"):
        using(replay.url, lambda c: c.stop("1"), clock=clock, sleep=clock.sleep)
    assert len(replay.requests) == 2


@pytest.mark.parametrize("wait", ["0", "Sun, 06 Nov 1994 08:49:37 GMT"])
def test_429_that_may_be_asked_again_at_once_is(replay, wait: str) -> None:
    replay.answer("/StopPoint/1", {}, status=429, headers={"retry-after": wait})
    replay.answer("/StopPoint/1", {"id": "1"})
    assert using(replay.url, lambda c: c.stop("1")) == {"id": "1"}
    assert len(replay.requests) == 2


def test_a_long_wait_is_told_and_kept_to(replay) -> None:
    clock = Clock()

    async def twice(client: TflClient) -> None:
        with pytest.raises(RateLimitedError, match="in 3600 s") as raised:
            await client.stop("synthetic-429-long")
        assert raised.value.retry_after == 3600
        with pytest.raises(RateLimitedError):
            await client.stop("HUBPAD")
        assert len(replay.requests) == 1
        clock.seconds += 300
        await client.stop("HUBPAD")

    using(replay.url, twice, clock=clock, sleep=clock.sleep)


def test_a_slow_server_is_down(replay) -> None:
    with pytest.raises(TflDownError, match="did not answer"):
        using(replay.url, lambda c: c.stop("synthetic-slow"), deadline=0.5)


def test_no_server_is_down(replay) -> None:
    replay.close()
    with pytest.raises(TflDownError, match="cannot be reached"):
        using(replay.url, lambda c: c.stop("HUBPAD"), KEY)


def test_no_redirect_is_followed(replay, canary) -> None:
    replay.answer("/StopPoint/1", {}, status=302, headers={"location": canary.url + "/collect"})
    with pytest.raises(UnexpectedAnswerError, match="TFL_BASE_URL"):
        using(replay.url, lambda c: c.stop("1"), KEY)
    assert canary.connections == 0


def test_lines_by_id_and_by_mode_are_one_list(replay) -> None:
    found = using(replay.url, lambda c: c.line_status(["victoria", "northern"], ["overground"]))
    assert {"victoria", "northern"} < {line["id"] for line in found}
    assert {line["modeName"] for line in found} == {"tube", "overground"}
    assert replay.asked("/Line") == [
        "/Line/victoria,northern/Status",
        "/Line/Mode/overground/Status",
    ]


def test_arrivals_of_a_stop(replay) -> None:
    board = using(replay.url, lambda c: c.arrivals("940GZZLUKSX"))
    assert {one["naptanId"] for one in board} == {"940GZZLUKSX"}
    assert using(replay.url, lambda c: c.arrivals("HUBKGX")) == []


def test_stops_are_searched(replay) -> None:
    found = using(replay.url, lambda c: c.search_stops("hampstead", ["overground"]))
    assert {stop.name for stop in found} >= {"West Hampstead", "Hampstead Heath"}
    assert replay.requests[0].query["modes"] == "overground"


@pytest.mark.parametrize(
    "url",
    [
        "http://tfl.example.org",
        "http://192.168.0.7",
        "https://user:pass@api.tfl.gov.uk",
        "https://api.tfl.gov.uk/?app_key=x",
        "ftp://api.tfl.gov.uk",
        "tfl",
    ],
)
def test_an_address_that_is_no_api_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="TFL_BASE_URL"):
        TflClient(url)


def test_tfl_is_asked_by_default() -> None:
    assert TFL in repr(TflClient())


def test_a_misspelt_offline_is_told_of_it() -> None:
    with pytest.raises(ConfigurationError, match="offline for the embedded network alone"):
        TflClient("ofline")


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_is_none_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ConfigurationError, match="TFL_APP_KEY") as raised:
        TflClient(key=key)
    assert key not in str(raised.value)
