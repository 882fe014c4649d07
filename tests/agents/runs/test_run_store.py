"""The file of runs: whose they are, how long they are kept, and what a restart leaves of them."""

from __future__ import annotations

import multiprocessing
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_samples import answered, asked, progress, step
from state_places import ask

from groundwire.agents.runs import store as run_store
from groundwire.agents.runs.records import Asked, ended_early
from groundwire.agents.runs.store import RunStore
from groundwire.agents.runtime.contract import Turn
from groundwire.errors import LimitError, NotFoundError, UnavailableError
from groundwire.state import Database, StatePlace

Opened = Callable[..., RunStore]


def under_way(run_id: str = "run_1") -> Any:
    return ended_early(asked(run_id), "InterruptedError", progress(2), 1_500.0)


def test_a_result_outlives_the_process_that_made_it(opened: Opened) -> None:
    turns = (Turn(question="And before?", result={"answer": "6"}, assumptions=("a",)),)
    question = Asked("run_1", "ada", "find_agent", "What is it?", turns, "scripted", "1.2.0")
    first = opened()
    first.keep(question, "completed", answered())
    first.close()
    view = opened().get("ada", "run_1")
    assert (view.asked, view.status, view.output) == (question, "completed", answered())


def test_nothing_is_opened_before_it_is_needed(opened: Opened, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        opened().get("ada", "run_1")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("owner", "run_id"), [("bob", "run_1"), ("ada", "run_2"), ("ada", "rün"), ("ada", "r" * 5_000)]
)
def test_another_owners_and_unknown_handles_are_not_found(
    opened: Opened, owner: str, run_id: str
) -> None:
    store = opened()
    store.keep(asked(), "completed", answered())
    with pytest.raises(NotFoundError, match="unknown or has expired") as raised:
        store.get(owner, run_id)
    assert "\n" not in str(raised.value)


def test_a_run_is_forgotten_after_a_week(opened: Opened, clock: Any, place: StatePlace) -> None:
    store = opened()
    store.keep(asked(), "completed", answered())
    clock.on(days=run_store.DAYS_KEPT - 0.1)
    assert store.get("ada", "run_1").output == answered()
    clock.on(days=0.2)
    with pytest.raises(NotFoundError):
        store.get("ada", "run_1")
    store.keep(asked("run_2"), "completed", answered("run_2"))
    assert ask(place, "agent_runs", "SELECT run_id FROM runs") == [("run_2",)]


def test_a_run_that_ended_does_not_go_on_again(opened: Opened) -> None:
    store = opened()
    store.keep(asked(), "running", under_way())
    store.keep(asked(), "completed", answered())
    store.keep(asked(), "running", under_way())
    store.keep(asked(), "interrupted", under_way())
    assert store.get("ada", "run_1").status == "completed"


def test_a_run_that_is_to_end_stays_so_until_it_has(opened: Opened) -> None:
    store, other = opened("here|7|a"), opened("here|8|b")
    assert store.keep(asked(), "running", under_way()) is False
    other.stop("bob", "run_1")
    assert store.is_to_stop("run_1") is False
    other.stop("ada", "run_1")
    assert store.is_to_stop("run_1") is True
    assert store.keep(asked(), "running", under_way()) is True
    assert store.keep(asked(), "cancelled", under_way()) is False
    other.stop("ada", "run_1")
    assert (store.is_to_stop("run_1"), store.get("ada", "run_1").status) == (False, "cancelled")


def test_nothing_is_to_end_where_nothing_is_kept(opened: Opened, tmp_path: Path) -> None:
    store = opened()
    assert store.is_to_stop("run_1") is False
    assert not (tmp_path / "home").exists()


def test_another_process_is_told_how_far_a_run_is(opened: Opened, clock: Any) -> None:
    opened("elsewhere|7|a").keep(asked(), "running", under_way())
    clock.on(seconds=20)
    view = opened("here|7|b").get("ada", "run_1")
    assert (view.status, view.output) == ("running", None)
    assert view.steps == (step(1), step(2))
    assert view.seconds == 21.5


def test_a_run_without_a_sign_of_life_was_interrupted_and_keeps_its_trace(
    opened: Opened, clock: Any
) -> None:
    opened("elsewhere|7|a").keep(asked(), "running", under_way())
    clock.on(seconds=run_store.SIGN_OF_LIFE_S + 1)
    store = opened("here|7|b")
    view = store.get("ada", "run_1")
    assert view.status == "interrupted"
    assert view.output is not None and view.output.error is not None
    assert view.output.error.code == "InterruptedError"
    assert "interrupted" in view.output.error.message
    assert view.output.reasoning.steps == (step(1), step(2))
    assert view.output.evidence_ids == ("ev_1", "ev_2")
    # A process that only slept may still bring its result.
    opened("elsewhere|7|a").keep(asked(), "completed", answered())
    assert store.get("ada", "run_1").status == "completed"


def test_a_run_of_a_process_that_has_ended_was_interrupted_at_once(
    opened: Opened, path: Path
) -> None:
    ended = multiprocessing.get_context("spawn").Process(target=int)
    ended.start()
    ended.join()
    host = platform.node()
    opened(f"{host}|{ended.pid}|a").keep(asked(), "running", under_way())
    opened(f"{host}|{os.getpid()}|a").keep(asked("run_2"), "running", under_way("run_2"))
    opened(f"{host}|{os.getppid()}|a").keep(asked("run_3"), "running", under_way("run_3"))
    store = opened()
    store.keep(asked("run_4"), "running", under_way("run_4"))
    found = [store.get("ada", f"run_{number}").status for number in (2, 3, 4)]
    # The number of this process is used again, as in a container that was restarted.
    assert found == ["interrupted", "running", "running"]
    if os.name == "posix":
        assert store.get("ada", "run_1").status == "interrupted"


def test_servers_of_one_database_know_each_other_by_signs_of_life(
    database: Database, clock: Any
) -> None:
    """In containers the names of hosts and the numbers of processes repeat."""
    mine = f"{platform.node()}|{os.getpid()}"
    with RunStore(database, clock, f"{mine}|a") as other, RunStore(database, clock) as store:
        other.keep(asked(), "running", under_way())
        clock.on(seconds=run_store.SIGN_OF_LIFE_S - 1)
        assert store.get("ada", "run_1").status == "running"
        clock.on(seconds=2)
        assert store.get("ada", "run_1").status == "interrupted"


def test_of_too_many_runs_of_one_owner_the_oldest_go(
    opened: Opened, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "MOST_RUNS", 3)
    store = opened()
    store.keep(asked("run_0", "bob"), "completed", answered("run_0"))
    for number in range(1, 6):
        clock.on(seconds=1)
        store.keep(asked(f"run_{number}"), "completed", answered(f"run_{number}"))
    for number in (1, 2):
        with pytest.raises(NotFoundError):
            store.get("ada", f"run_{number}")
    assert [store.get("ada", f"run_{number}").status for number in (3, 4, 5)] == ["completed"] * 3
    assert store.get("bob", "run_0").status == "completed"


def test_the_runs_of_one_owner_take_a_bounded_room(
    opened: Opened, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "MOST_BYTES_OF_OWNER", 100_000)
    store = opened()
    for number in range(4):
        clock.on(seconds=1)
        text = os.urandom(30_000).hex()
        store.keep(asked(f"run_{number}"), "completed", answered(f"run_{number}", text=text))
    with pytest.raises(NotFoundError):
        store.get("ada", "run_0")
    assert store.get("ada", "run_3").output is not None


def test_a_run_that_is_too_large_is_kept_without_what_tools_answered(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_store, "MOST_BYTES", 10_000)
    large = answered()
    heavy = large.reasoning.model_copy(update={"steps": (step(1, os.urandom(20_000).hex()),)})
    store = opened()
    store.keep(asked(), "completed", large.model_copy(update={"reasoning": heavy}))
    kept = store.get("ada", "run_1").output
    assert kept is not None and kept.result == large.result
    (only,) = kept.reasoning.steps
    assert only.action is not None and "left out" in str(only.action.output)
    with pytest.raises(LimitError, match="not kept"):
        store.keep(asked("run_2"), "completed", answered("run_2", text=os.urandom(20_000).hex()))


def test_what_is_no_run_any_more_is_not_found(opened: Opened, place: StatePlace) -> None:
    store = opened()
    store.keep(asked(), "completed", answered())
    ask(place, "agent_runs", "UPDATE runs SET data = x'00'")
    with pytest.raises(NotFoundError):
        store.get("ada", "run_1")


def test_a_file_of_another_program_is_left_alone(
    opened: Opened, tmp_path: Path, path: Path
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "runs.sqlite").write_text("no database, but longer than its header" * 9)
    with pytest.raises(UnavailableError, match="file of agent runs"):
        opened().keep(asked(), "completed", answered())
