"""Several processes write one ledger, and one of them dies."""

from __future__ import annotations

import contextlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from state_places import url_of

from groundwire.errors import UnavailableError
from groundwire.evidence import Draft, Ledger, connections
from groundwire.state import StatePlace

# Records until it is told how many or is killed; tells each id once it is acknowledged.
WRITER = """
import os
import sys
from dataclasses import replace
from pathlib import Path
from groundwire.evidence import Draft, Ledger, Value, connections
from groundwire.state import Database

# It waits for the others however slow the disk is.
connections.BUSY_SECONDS = 120.0
connections.LAYOUT = replace(connections.LAYOUT, busy_seconds=120.0)
where, owner, count, payload = sys.argv[1:]
# It notes no head.
place = Database(where, Path(os.devnull)) if "://" in where else Path(where)
draft = Draft(tuple(Value("n", str(n), source="urn:x:" + "y" * 80) for n in range(20)))
with Ledger(place) as ledger:
    for n in range(int(count)):
        raw = (f"{owner} {n} ".encode() * 20_000) if payload == "payload" and n % 3 == 0 else None
        kept = Draft(draft.values, payload=raw)
        print(ledger.record(owner, "t", {"n": n}, kept).evidence_id, n, flush=True)
"""


def start(
    place: StatePlace, owner: str, count: int, payload: str = "none"
) -> subprocess.Popen[str]:
    where = str(place) if isinstance(place, Path) else url_of(place)
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, where, owner, str(count), payload],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def acknowledged(output: str) -> list[tuple[str, int]]:
    """The ids that a writer told; a line without its end was not told."""
    lines = output.splitlines(keepends=True)
    told = [line.split() for line in lines if line.endswith("\n")]
    return [(handle, int(n)) for handle, n in told]


def test_writers_of_one_place_lose_nothing(place: StatePlace) -> None:
    count = 150
    writers = {owner: start(place, owner, count) for owner in ("alice", "bob", "carol")}
    outputs = {owner: writer.communicate(timeout=120) for owner, writer in writers.items()}
    with Ledger(place) as ledger:
        for owner, (output, errors) in outputs.items():
            assert writers[owner].returncode == 0, errors
            told = acknowledged(output)
            assert len(told) == count
            for handle, n in told:
                assert ledger.get(handle, owner).arguments == {"n": n}
        assert ledger.verify().records == count * len(writers)
        assert ledger.verify().ok


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("payload", ["none", "payload"])
def test_a_killed_writer_loses_no_acknowledged_record(
    place: StatePlace, payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 120.0)
    monkeypatch.setattr(connections, "LAYOUT", replace(connections.LAYOUT, busy_seconds=120.0))
    chance = random.Random(3)
    told: dict[str, int] = {}
    with Ledger(place) as survivor:
        for _ in range(6):
            victim = start(place, "victim", 100_000, payload)
            assert victim.stdout is not None
            first = victim.stdout.readline()  # it is at work
            deadline = time.monotonic() + chance.uniform(0, 0.15)
            while time.monotonic() < deadline:
                survivor.record("survivor", "t", {}, Draft())
            victim.kill()
            output = victim.stdout.read()  # what `readline` has read ahead is of it
            victim.communicate(timeout=120)
            assert victim.returncode == -signal.SIGKILL
            told.update(acknowledged(first + output))
            survivor.record("survivor", "t", {}, Draft())
        found = survivor.verify()
        assert found.ok, found.reason
        for handle, n in told.items():
            assert survivor.get(handle, "victim").arguments == {"n": n}
    assert len(told) > 6


def test_a_killed_writer_alone_loses_nothing(place: StatePlace) -> None:
    """Nobody else has it open: the next one to open a file mends its log."""
    writer = start(place, "victim", 100_000)
    assert writer.stdout is not None
    lines = [writer.stdout.readline() for _ in range(50)]
    writer.kill()
    rest = writer.stdout.read()
    writer.communicate(timeout=120)
    told = acknowledged("".join(lines) + rest)
    with Ledger(place) as ledger:
        assert ledger.verify().ok
        assert all(ledger.get(handle, "victim").arguments == {"n": n} for handle, n in told)


def test_processes_that_lay_it_out_together_agree(place: StatePlace) -> None:
    writers = [start(place, f"owner{n}", 3) for n in range(4)]
    outputs = [writer.communicate(timeout=120) for writer in writers]
    assert [errors for _, errors in outputs if errors] == []
    with Ledger(place) as ledger:
        assert ledger.verify().records == 12


def test_a_writer_waits_only_so_long_and_then_goes_on(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch, on_time
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.2)
    ledger.record("local", "t", {}, Draft())
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        for _ in on_time(2.0, least=0.1):
            with pytest.raises(UnavailableError, match=re.escape("another process held it")):
                ledger.record("local", "t", {}, Draft())
        assert len(ledger.recent("local")) == 1  # readers do not wait
        holder.execute("ROLLBACK")
    assert ledger.record("local", "t", {}, Draft()).sequence == 2


def test_a_thread_that_is_interrupted_leaves_no_transaction(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.record("local", "t", {}, Draft())

    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(ledger, "_now", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ledger.record("local", "t", {}, Draft())
    monkeypatch.undo()
    assert ledger.record("local", "t", {}, Draft()).sequence == 2
