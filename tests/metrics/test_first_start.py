"""Several processes open a fact base on a fresh home at once: each is answered."""

from __future__ import annotations

import multiprocessing
import os
import threading
from datetime import date
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.metrics import factbase
from groundwire.metrics.factbase import FactBase, Places
from groundwire.metrics.query import query_metric
from groundwire.metrics.terms import Arguments
from groundwire.process_lock import alone
from groundwire.profiles import metrics_profile

PROCESSES = 4
ROUNDS = int(os.environ.get("GROUNDWIRE_TEST_ROUNDS", "5"))
TODAY = date(2026, 11, 21)


def opening(home: Path, rounds: int, barrier: Barrier, said: multiprocessing.Queue[str]) -> None:
    """Open a fresh fact base with the others, over and over, and ask each as a server does."""
    for number in range(rounds):
        base = FactBase(Places(metrics_profile(), None, home / str(number)), today=lambda: TODAY)
        barrier.wait(300)
        try:
            state = base.state()
            facts, documents = state.store.count(), len(state.narrative.documents())
            said.put(f"{facts} facts, {documents} documents, problems {state.problems}")
        except Exception as error:
            said.put(f"{type(error).__name__}: {error}")
        base.close()


def test_processes_that_start_together_are_all_answered(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier, said = context.Barrier(PROCESSES), context.Queue()
    children = [
        context.Process(target=opening, args=(tmp_path, ROUNDS, barrier, said))
        for _ in range(PROCESSES)
    ]
    for child in children:
        child.start()
    lines = [said.get(timeout=600) for _ in range(PROCESSES * ROUNDS)]
    for child in children:
        child.join(60)
    assert len(set(lines)) == 1, sorted(set(lines))
    assert not lines[0].startswith(("0 facts", "UnavailableError"))
    assert lines[0].endswith("problems ()")


def test_who_waits_too_long_is_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factbase, "IMPORT_SECONDS", 0.1)
    places = Places(metrics_profile(), None, tmp_path)
    base = FactBase(places, today=lambda: TODAY)
    from groundwire.metrics.profile import load_profile

    lock = places.narrative_of(load_profile(places.profile)).with_suffix(".lock")
    lock.parent.mkdir(parents=True)
    with alone(lock, 1.0) as held:
        assert held
        with pytest.raises(UnavailableError, match=r"imported by another process.*try again in"):
            base.state()
    found, _ = query_metric(base.state(), Arguments("revenue", "x", "2024", "TOTAL"), TODAY)
    assert found.status == "unrecognized_param"
    base.close()


def test_a_lock_is_waited_for_and_ends_with_its_block(tmp_path: Path) -> None:
    path, order = tmp_path / "lock", list[str]()

    def second() -> None:
        with alone(path, 60.0) as held:
            order.append(f"second {held}")

    with alone(path, 1.0):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.1)
        order.append("first")
    waiting.join(60)
    assert order == ["first", "second True"]


def test_where_no_lock_can_be_had_nobody_is_kept_out(tmp_path: Path) -> None:
    with alone(tmp_path / "missing" / "lock", 0.0) as held:
        assert held
