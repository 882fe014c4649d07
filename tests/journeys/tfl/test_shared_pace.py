"""Servers that share a database send together no more than TfL takes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from postgres_cluster import free_port

from groundwire.journeys.tfl.throttling import LONGEST_HOLD, WINDOW, Pace, SharedTurns, Turns
from groundwire.state import Database

pytestmark = pytest.mark.anyio
SOON = 5.0
Open = Callable[..., SharedTurns]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def now() -> list[float]:
    return [1_000_000.0]


@pytest.fixture
def server(database: Database, now: list[float]) -> Iterator[Open]:
    made: list[SharedTurns] = []

    def open_one(limit: int = 3, key: str = "a-key") -> SharedTurns:
        made.append(SharedTurns(database, key, limit, lambda: now[0]))
        # Its clock is the test's, not the database's.
        made[-1]._clock = lambda: now[0]
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def test_the_turns_of_all_servers_fill_one_minute(server: Open, now: list[float]) -> None:
    one, other = server(), server()
    assert [some.take(SOON).seconds for some in (one, other, one)] == [0, 0, 0]
    late = other.take(SOON)
    assert WINDOW - 1 < late.seconds <= WINDOW
    # It was not taken, so the next one waits no longer.
    assert one.take(SOON).seconds == late.seconds
    now[0] += WINDOW + 1
    assert other.take(SOON).seconds == 0


def test_another_key_has_an_allowance_of_its_own(server: Open) -> None:
    one, other = server(limit=1), server(limit=1, key="another")
    assert [one.take(SOON).seconds, other.take(SOON).seconds] == [0, 0]
    assert one.take(SOON).seconds > SOON


def test_a_turn_that_was_given_back_is_another_servers(server: Open) -> None:
    one, other = server(limit=1), server(limit=1)
    turn = one.take(SOON)
    assert other.take(SOON).seconds > SOON
    one.give_back(turn.moment)
    assert other.take(SOON).seconds == 0


def test_what_tfl_asks_one_server_holds_all_back(server: Open, now: list[float]) -> None:
    one, other = server(), server()
    one.hold(20)
    one.hold(3)
    assert other.take(SOON).seconds == 20
    one.hold(86_400)
    assert other.take(SOON).seconds == LONGEST_HOLD
    now[0] += LONGEST_HOLD
    assert other.take(SOON).seconds == 0


def test_servers_that_ask_at_once_take_no_turn_twice(server: Open) -> None:
    taken: list[float] = []

    def work(turns: SharedTurns) -> None:
        for _ in range(10):
            turn = turns.take(SOON)
            if turn.seconds <= SOON:
                taken.append(turn.moment)

    threads = [threading.Thread(target=work, args=(server(limit=12),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(set(taken)) == 12


async def test_a_server_takes_a_turn_of_its_own_and_of_all(server: Open) -> None:
    clock = [0.0]
    one, other = (Turns(Pace(2, lambda: clock[0]), server(limit=3)) for _ in range(2))
    first = await one.take(SOON)
    for turns in (one, other):
        assert (await turns.take(SOON)).seconds == 0
    # Its own minute has room, that of all has none.
    assert (await other.take(SOON)).seconds > SOON
    await one.give_back(first)
    assert (await other.take(SOON)).seconds == 0
    await other.hold(30)
    assert (await one.take(SOON)).seconds > SOON


async def test_a_server_counts_alone_while_the_database_does_not_answer(tmp_path: Path) -> None:
    nowhere = Database(f"postgresql://me@127.0.0.1:{free_port()}/state", tmp_path)
    turns = Turns(Pace(1), SharedTurns(nowhere, "a-key", 1))
    turn = await turns.take(SOON)
    assert turn.seconds == 0
    assert (await turns.take(SOON)).seconds > SOON
    await turns.give_back(turn)
    assert (await turns.take(SOON)).seconds == 0
    await turns.hold(30)
    turns.close()
