"""Runs of the KG workflow are known to every process of a place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from postgres_cluster import free_port

from groundwire.errors import NotFoundError, UnavailableError
from groundwire.evidence.records import Value
from groundwire.sparql import runs
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import QueryAudit
from groundwire.sparql.runs import KEPT_SECONDS, SIGN_OF_LIFE_S, KgRun, KgRunStore, Runs
from groundwire.sparql.workflow.model import Asked, Report, Row, StatedTriple, Steps, Triple
from groundwire.state import Database, StatePlace

pytestmark = pytest.mark.anyio
ASKED = Asked("x", ("y",), (Triple("a", "", "b"),), tried=frozenset({"k"}))
AUDIT = QueryAudit("sparql", "ASK {}", "e", "local:e", "t", "t", 200, "complete", "1", b"\xff\x00")
REPORT = Report(
    "answered",
    "**x**",
    (
        Row(
            "urn:a", "A", "text", 0.5, Endpoint(name="e", url="local:e"), kind="how_to",
            steps=Steps(("one",), (1,)), triples=(StatedTriple("s", "p", "o", "said"),),
        ),
    ),
    (),
    (AUDIT,),
    tried=frozenset({"k"}),
    values=(Value("length", "12.50", unit="km"),),
)  # fmt: skip

Open = Callable[..., KgRunStore]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kg_runs.sqlite"


@pytest.fixture
def stored(place: StatePlace) -> Iterator[Open]:
    """Open the store as one more process does."""
    made: list[KgRunStore] = []

    def open_one(clock: Callable[[], float] = time.time) -> KgRunStore:
        made.append(KgRunStore(place, clock))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


async def done() -> Report:
    return REPORT


async def never() -> Report:
    await asyncio.Event().wait()
    return REPORT


def test_a_run_is_read_as_it_was_kept(stored: Open) -> None:
    run = KgRun(asked=ASKED, endpoint="e", report=REPORT)
    assert stored().get("me", "kg_1") is None
    stored().keep("me", "kg_1", run)
    assert stored().get("me", "kg_1") == run
    for owner, run_id in (("you", "kg_1"), ("me", "kg_2"), ("me", "kg\x00"), ("me", "k" * 99)):
        assert stored().get(owner, run_id) is None


def test_runs_are_forgotten_with_time_and_number(
    stored: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_RUNS", 2)
    now = [1_000.0]
    store = stored(lambda: now[0])
    run = KgRun(asked=ASKED, endpoint="e", report=REPORT)
    for number in range(3):
        now[0] += 1
        store.keep("me", f"kg_{number}", run)
    store.keep("you", "kg_3", run)
    known = [store.get("me", f"kg_{number}") is not None for number in range(3)]
    assert known == [False, True, True]
    now[0] += KEPT_SECONDS
    assert store.get("me", "kg_1") is None
    assert store.get("you", "kg_3") is not None


def test_a_run_without_a_sign_of_life_is_lost(stored: Open) -> None:
    now = [1_000.0]
    store = stored(lambda: now[0])
    store.keep("me", "kg_1", KgRun(asked=ASKED, endpoint="e"))
    now[0] += SIGN_OF_LIFE_S - 1
    store.beat("kg_1")
    now[0] += SIGN_OF_LIFE_S - 1
    found = store.get("me", "kg_1")
    assert found is not None and not found.is_lost
    now[0] += 2
    found = store.get("me", "kg_1")
    assert found is not None and found.is_lost


def test_what_is_too_large_keeps_its_report(stored: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_BYTES", 10)
    store = stored()
    store.keep("me", "kg_1", KgRun(asked=ASKED, endpoint="e", report=REPORT))
    found = store.get("me", "kg_1")
    assert found is not None and found.report is not None
    assert (found.report.rows, found.report.audits[0].raw) == (REPORT.rows, b"")
    assert found.report.audits[0].raw_size == len(AUDIT.raw)


async def test_another_process_waits_for_a_run_and_shows_it(
    stored: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_LOOK_SECONDS", 0.01)
    one, other, ready = Runs(store=stored()), Runs(store=stored()), asyncio.Event()

    async def work() -> Report:
        await ready.wait()
        return REPORT

    run_id = one.start("me", ASKED, "e", work)
    while stored().get("me", run_id) is None:
        await asyncio.sleep(0.01)
    await other.find("me", run_id)
    assert other.under_way("me", run_id)
    assert await other.wait("me", run_id, 0.05) is None
    ready.set()
    assert await other.wait("me", run_id, 60) == REPORT
    assert other.asked("me", run_id) == (ASKED, "e")
    late = Runs(store=stored())
    await late.find("me", run_id)
    assert late.report("me", run_id) == REPORT and not late.under_way("me", run_id)
    await late.find("you", run_id)
    with pytest.raises(NotFoundError):
        late.asked("you", run_id)


async def test_what_ended_a_run_is_told_elsewhere_too(
    stored: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails() -> Report:
        raise UnavailableError("it is gone")

    monkeypatch.setattr(runs, "_LOOK_SECONDS", 0.01)
    now = [time.time()]
    one, other = Runs(store=stored()), Runs(store=stored(lambda: now[0]))
    failed, stopped = one.start("me", ASKED, "e", fails), one.start("me", ASKED, "e", never)
    with pytest.raises(UnavailableError):
        await one.wait("me", failed, 60)
    await other.find("me", failed)
    with pytest.raises(UnavailableError, match="it is gone"):
        await other.wait("me", failed, 60)
    while stored().get("me", stopped) is None:
        await asyncio.sleep(0.01)
    await other.find("me", stopped)
    one.close()
    with pytest.raises(UnavailableError, match="The run was stopped"):
        await other.wait("me", stopped, 60)


async def test_a_run_whose_server_was_killed_is_interrupted(
    stored: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "_LOOK_SECONDS", 0.01)
    now = [time.time()]
    stored().keep("me", "kg_1", KgRun(asked=ASKED, endpoint="e"))
    other = Runs(store=stored(lambda: now[0]))
    await other.find("me", "kg_1")
    assert await other.wait("me", "kg_1", 0.05) is None
    now[0] += SIGN_OF_LIFE_S + 1
    with pytest.raises(UnavailableError, match="its server ended"):
        await other.wait("me", "kg_1", 60)


async def test_a_run_goes_on_while_it_cannot_be_kept(tmp_path: Path) -> None:
    nowhere = Database(f"postgresql://me@127.0.0.1:{free_port()}/state", tmp_path)
    held = Runs(store=KgRunStore(nowhere))
    run_id = held.start("me", ASKED, "e", done)
    assert await held.wait("me", run_id, 60) is REPORT
    with pytest.raises(UnavailableError, match="see that the server runs"):
        await held.find("me", "kg_other")
    held.close()
