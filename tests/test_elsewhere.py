"""The package works without the parts that only Linux has: they are forced off here."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.graph import child
from groundwire.process_lock import alone
from groundwire.serving import limits, meters


def test_every_domain_answers_and_is_recorded(tmp_path: Path) -> None:
    program = Path(__file__).with_name("elsewhere.py")
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path)],
        capture_output=True, text=True, timeout=240, check=False,
        env={name: one for name, one in os.environ.items() if not name.startswith("GROUNDWIRE_")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert "1,337,705,000 people" in said["query_metric"]
    assert "hdmap assets match with country = DE" in said["submit_slots"]
    assert said["execute_query"] == "3 rows at default, complete."
    assert said["execute_query again"] == "1 row at sample, complete."
    assert "by the Victoria line" in said["compute_journey_plans"]
    assert "nothing to correct" in said["verify_answer"]
    assert said["chain"] is True


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fcntl", "resource"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(sys, "platform", "elsewhere")
    monkeypatch.delattr(select, "poll", raising=False)


def test_what_the_platform_lacks_is_left_out(elsewhere: None, tmp_path: Path) -> None:
    assert child.hold_lock(tmp_path) is None
    assert not child.refuse_sockets()
    child.limit_memory(1)
    child.open_nothing_more()
    child.end_with_parent(0)
    assert limits.room() == limits.MOST_CONNECTIONS
    assert "groundwire_worker_processes" not in meters.Meters([], ()).text().decode()


def test_without_locks_nobody_is_kept_out(elsewhere: None, tmp_path: Path) -> None:
    with alone(tmp_path / "a.lock", 0) as first, alone(tmp_path / "a.lock", 0) as second:
        assert (first, second) == (True, True)
