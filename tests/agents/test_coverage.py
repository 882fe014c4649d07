"""How much of the agent runtime its own tests run: printed, and above 80 %."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROOM = "groundwire.agents.runtime"
RUNTIME = ROOT / "src" / "groundwire" / "agents" / "runtime"
LEAST = 80.0


def test_the_coverage_of_the_runtime_is_above_80_percent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pytest_cov", reason="needs pytest-cov")
    report = tmp_path / "coverage.json"
    # A process of its own: what this one has imported already would count as not run.
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", str(HERE / "runtime"), "-q"),
            *("-p", "no:xdist", "-p", "no:cacheprovider"),
            *(f"--cov={ROOM}", f"--cov-report=json:{report}"),
        ],
        cwd=ROOT,
        env={**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage"), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3_000:] + ran.stderr[-1_000:]
    modules = {path.stem for path in RUNTIME.glob("*.py")}
    rows = {
        Path(path).stem: (
            measured["summary"]["covered_lines"],
            measured["summary"]["num_statements"],
        )
        for path, measured in json.loads(report.read_text("utf-8"))["files"].items()
    }
    assert set(rows) == modules
    share = 100 * sum(run for run, _ in rows.values()) / sum(of for _, of in rows.values())
    with capsys.disabled():
        print("\n\nCoverage of the agent runtime by its own tests")
        for name, (run, of) in sorted(rows.items()):
            if of:
                print(f"{name:16}{run:5} of{of:5} statements{100 * run / of:7.1f} %")
        print(f"{'all':16}{share:38.1f} %")
    assert share > LEAST
