"""`groundwire agents metrics`: what the kept runs of the agents took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))


def test_without_a_run_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "metrics"]) == 0
    assert "no run of the last 7 days is kept" in capsys.readouterr().out


def test_it_counts_the_runs_that_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["ask", "calibration_agent", "Am I sure?"]) == 0
    capsys.readouterr()
    assert main(["agents", "metrics"]) == 0
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split() == ["agent", "runs", "errors", "steps", "tokens", "cost_usd", "ms"]
    assert row.split()[:4] == ["calibration_agent", "2", "0", "3.0"]
    assert main(["agents", "metrics", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["agents"]["calibration_agent"]
    assert found["executions"] == 2 and found["tool_calls"] == {"query_calibration": 4}
    assert main(["agents", "metrics", "--owner", "somebody"]) == 0
    assert "no run" in capsys.readouterr().out
