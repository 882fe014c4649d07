"""Workers that are lent out: started, given up, ended from outside, and none of them lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import DeadlineError, UnavailableError
from groundwire.graph import pool as pool_module
from groundwire.graph.pool import Call, Cancelled, Child, Pool

FAR = 60.0
QUICK = ("select", None, "SELECT ?o { ?s <http://example.org/born> ?o }", None, None, None)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Child]:
    """The children of all pools, in the order in which they were started."""
    children: list[Child] = []

    def start(module: str) -> Child:
        children.append(Child(module))
        return children[-1]

    monkeypatch.setattr(pool_module, "Child", start)
    return children


@pytest.fixture
def pool(people_store: Path, started: list[Child]) -> Iterator[Pool]:
    pool = Pool(people_store, size=1, memory=512 << 20)
    yield pool
    pool.close()


def ask(pool: Pool, seconds: float = FAR, call: Call | None = None) -> int:
    """How many rows the quick query has."""
    return pool.run(QUICK, time.monotonic() + seconds, call or Call())[4]


def test_a_worker_goes_on_opening_for_the_query_after_the_one_that_gave_up(
    pool: Pool, started: list[Child]
) -> None:
    for _ in range(3):
        with pytest.raises(DeadlineError, match="being opened"):
            ask(pool, 0.0)
    assert ask(pool) == 1
    assert len(started) == 1


def test_a_worker_goes_on_opening_when_its_query_is_cancelled(
    pool: Pool, started: list[Child]
) -> None:
    call = Call()
    failed: list[BaseException] = []

    def wait() -> None:
        try:
            ask(pool, call=call)
        except Cancelled as error:
            failed.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    call.cancel(pool)
    waiting.join(FAR)
    assert len(failed) == 1
    assert ask(pool) == 1
    assert len(started) == 1


def test_a_call_that_was_cancelled_before_it_came_to_the_pool_is_not_run(pool: Pool) -> None:
    call = Call()
    call.cancel(None)
    with pytest.raises(Cancelled):
        ask(pool, call=call)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_an_idle_worker_that_ended_is_replaced_and_no_query_fails(
    pool: Pool, started: list[Child]
) -> None:
    assert ask(pool) == 1
    os.kill(started[0].pid, signal.SIGKILL)
    while started[0].is_alive():
        time.sleep(0.001)
    assert ask(pool) == 1
    assert len(started) == 2


def test_a_store_that_cannot_be_opened_is_told_to_each_query(tmp_path: Path) -> None:
    (tmp_path / "quads.nq").write_text("no quads", "utf-8")
    pool = Pool(tmp_path, size=2, memory=512 << 20)
    for _ in range(2):
        with pytest.raises(UnavailableError, match="cannot be opened"):
            ask(pool)
    pool.close()


def test_a_pool_may_be_closed_at_any_moment(people_store: Path, started: list[Child]) -> None:
    for turn in range(12):
        pool = Pool(people_store, size=2, memory=512 << 20)
        outcomes: list[object] = []

        def work(pool: Pool = pool, outcomes: list[object] = outcomes) -> None:
            try:
                outcomes.append(ask(pool))
            except UnavailableError as error:
                outcomes.append(error)

        asking = [threading.Thread(target=work) for _ in range(3)]
        for thread in asking:
            thread.start()
        time.sleep(turn * 0.02)
        pool.close()
        for thread in asking:
            thread.join(FAR)
        assert len(outcomes) == 3
    assert not any(child.is_alive() for child in started)
