"""Runs outlive the call that began them, belong to one owner, and end some day."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.errors import LimitError, NotFoundError, UnavailableError
from groundwire.sparql import runs as module
from groundwire.sparql.runs import KEPT_SECONDS, Runs
from groundwire.sparql.workflow.model import Asked, Report

pytestmark = pytest.mark.anyio
ASKED = Asked("x")
REPORT = Report("answered", "", (), (), ())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def done() -> Report:
    return REPORT


async def never() -> Report:
    await asyncio.Event().wait()
    return REPORT


async def test_a_run_goes_on_when_nobody_waits() -> None:
    runs, ready = Runs(), asyncio.Event()

    async def work() -> Report:
        await ready.wait()
        return REPORT

    run_id = runs.start("me", ASKED, "a", work)
    assert await runs.wait("me", run_id, 0.02) is None
    assert runs.under_way("me", run_id) and runs.report("me", run_id) is None
    ready.set()
    assert await runs.wait("me", run_id, 60) is REPORT
    assert runs.report("me", run_id) is REPORT
    assert runs.asked("me", run_id) == (ASKED, "a")


async def test_a_wait_that_is_cancelled_ends_nothing() -> None:
    runs = Runs()
    run_id = runs.start("me", ASKED, "a", never)
    waiting = asyncio.ensure_future(runs.wait("me", run_id, 10))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert runs.under_way("me", run_id)
    runs.close()


async def test_another_owner_has_no_such_run() -> None:
    runs = Runs()
    run_id = runs.start("me", ASKED, "a", done)
    for ask in (runs.asked, runs.report, runs.under_way, runs.end):
        with pytest.raises(NotFoundError):
            ask("you", run_id)
    with pytest.raises(NotFoundError):
        await runs.wait("you", run_id, 60)
    # What another owner tried to end is still there.
    assert await runs.wait("me", run_id, 60) is REPORT


async def test_a_run_that_was_ended_is_stopped_and_gone() -> None:
    runs = Runs()
    run_id = runs.start("me", ASKED, "a", never)
    waiting = asyncio.ensure_future(runs.wait("me", run_id, 10))
    await asyncio.sleep(0.01)
    runs.end("me", run_id)
    with pytest.raises(UnavailableError):
        await waiting
    with pytest.raises(NotFoundError):
        runs.asked("me", run_id)


async def test_what_ends_a_run_reaches_who_waits() -> None:
    async def fails() -> Report:
        raise UnavailableError("it is gone")

    runs = Runs()
    run_id = runs.start("me", ASKED, "a", fails)
    with pytest.raises(UnavailableError, match="it is gone"):
        await runs.wait("me", run_id, 60)
    assert runs.report("me", run_id) is None


async def test_a_run_that_nobody_asks_for_is_forgotten() -> None:
    now = [0.0]
    runs = Runs(lambda: now[0])
    kept, old = (runs.start("me", ASKED, "a", done) for _ in range(2))
    now[0] = KEPT_SECONDS - 1
    assert await runs.wait("me", kept, 60) is REPORT
    now[0] = KEPT_SECONDS + 1
    runs.start("me", ASKED, "a", done)
    assert await runs.wait("me", kept, 60) is REPORT
    with pytest.raises(NotFoundError):
        runs.asked("me", old)


async def test_one_owner_has_so_many_runs_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNDER_WAY", 2)
    runs = Runs()
    for _ in range(2):
        runs.start("me", ASKED, "a", never)
    with pytest.raises(LimitError):
        runs.start("me", ASKED, "a", never)
    runs.start("you", ASKED, "a", never)
    runs.close()


async def test_runs_that_have_ended_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 3)
    now = [0.0]
    runs = Runs(lambda: now[0])
    ids: list[str] = []
    for _ in range(5):
        now[0] += 1
        ids.append(runs.start("me", ASKED, "a", done))
        await runs.wait("me", ids[-1], 60)
    with pytest.raises(NotFoundError):
        runs.asked("me", ids[0])
    assert runs.report("me", ids[-1]) is REPORT


async def test_closing_stops_every_run() -> None:
    runs = Runs()
    run_id = runs.start("me", ASKED, "a", never)
    runs.close()
    with pytest.raises(NotFoundError):
        await runs.wait("me", run_id, 60)
