"""What did not answer is left alone for a while, and what does answer is asked as ever."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.errors import DeadlineError, NotReachedError, UnavailableError
from groundwire.journeys.tfl.exchange import Exchange, Kind, SecretKey
from groundwire.journeys.tfl.outcomes import (
    RateLimitedError,
    TflTimeoutError,
    TflUnreachableError,
)
from groundwire.journeys.tfl.throttling import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    AnswerCache,
    Outages,
    Pace,
    Turns,
)
from groundwire.transport.messages import Response

STATUS, BOARD = "/Line/victoria/Status", "/StopPoint/1/Arrivals"
ANY = Kind(0.0, lambda value: True)


class Clock:
    seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Server:
    """Answers, or fails as it is told to."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.asked: list[str] = []

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Response:
        self.asked.append(url)
        if self.failure is not None:
            raise self.failure
        return Response(200, {}, b"[]", url, 0.0)


def exchange(server: Server, clock: Clock, limit: int = 50) -> Exchange:
    return Exchange(
        "",
        SecretKey(""),
        server,
        turns=Turns(Pace(limit, clock)),
        outages=Outages(clock),
        cache=AnswerCache(clock),
        sleep=None,
        now=lambda: datetime(2026, 11, 21, tzinfo=UTC),
    )


def ask(asking: Exchange, path: str = STATUS) -> Any:
    return asyncio.run(asking.ask(path, {}, ANY, "it"))


def test_only_the_first_call_tries_to_connect() -> None:
    server, clock = Server(), Clock()
    server.failure = NotReachedError("No address is known for it.")
    asking = exchange(server, clock)
    with pytest.raises(TflUnreachableError, match=r"No address .* asked again in 20 s\.$"):
        ask(asking)
    clock.seconds += 5
    for path in (STATUS, BOARD):
        with pytest.raises(TflUnreachableError, match=r"No address .* asked again in 15 s\.$"):
            ask(asking, path)
    assert server.asked == [STATUS]


def test_it_is_asked_again_after_a_pause_that_doubles() -> None:
    server, clock = Server(), Clock()
    server.failure = NotReachedError("No address is known for it.")
    asking = exchange(server, clock)
    pause, pauses = FIRST_PAUSE, []
    while len(pauses) < 5:
        with pytest.raises(TflUnreachableError):
            ask(asking)
        pauses.append(pause)
        assert len(server.asked) == len(pauses)
        clock.seconds += pause
        pause = min(pause * 2, LONGEST_PAUSE)
    server.failure = None
    assert ask(asking) == []
    # An answer ends it: the next failure begins with the first pause.
    server.failure = NotReachedError("No address is known for it.")
    with pytest.raises(TflUnreachableError, match=f"asked again in {FIRST_PAUSE:.0f} s"):
        ask(asking)


def test_a_service_that_is_slow_is_left_alone_and_no_other() -> None:
    server, clock = Server(), Clock()
    server.failure = DeadlineError("It did not answer.")
    asking = exchange(server, clock)
    with pytest.raises(TflTimeoutError, match="did not answer about it in time"):
        ask(asking)
    server.failure = None
    with pytest.raises(TflTimeoutError, match="the last time it was asked"):
        ask(asking, "/Line/Mode/tube/Status")
    assert ask(asking, BOARD) == []
    assert server.asked == [STATUS, BOARD]


def test_a_connection_that_broke_off_may_have_been_chance() -> None:
    server, clock = Server(), Clock()
    server.failure = UnavailableError("It broke off.")
    asking = exchange(server, clock)
    with pytest.raises(TflUnreachableError, match="broke off"):
        ask(asking)
    server.failure = None
    assert ask(asking) == []


def test_what_never_came_to_tfl_counts_for_no_request() -> None:
    server, clock = Server(), Clock()
    asking = exchange(server, clock, limit=2)
    for number in range(10):
        server.failure = NotReachedError("No address is known for it.")
        with pytest.raises(TflUnreachableError):
            ask(asking)
        clock.seconds += FIRST_PAUSE * 2**number
    server.failure = None
    clock.seconds += LONGEST_PAUSE
    assert [ask(asking), ask(asking)] == [[], []]
    with pytest.raises(RateLimitedError, match="in 60 s"):
        ask(asking)


def test_several_failures_at_once_are_one() -> None:
    clock = Clock()
    outages = Outages(clock)
    for _ in range(4):
        assert str(outages.unreachable("no network.")).endswith("again in 20 s.")
