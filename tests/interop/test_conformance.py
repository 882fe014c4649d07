"""The official conformance suite: scenarios that any server has to pass, on both revisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.interop

EVERY_REVISION = [
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
]
SCENARIOS = {
    "2025-11-25": [*EVERY_REVISION, "server-initialize", "ping", "server-session-lifecycle"],
    "2026-07-28": [
        *EVERY_REVISION,
        "server-stateless",
        "caching",
        "http-header-validation",
        "sep-2164-resource-not-found",
    ],
}
# These checks call a tool of the suite's own fixture server, `test_missing_capability`, and say
# nothing of a server that has no such tool.
NEEDS_FIXTURE_TOOL = {
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
}


@pytest.mark.parametrize(
    ("revision", "scenario"),
    [(revision, name) for revision, names in SCENARIOS.items() for name in names],
)
def test_scenario(revision: str, scenario: str, programs, endpoint: str, tmp_path: Path) -> None:
    run = programs.run(
        "conformance",
        *("server", "--url", endpoint),
        *("--scenario", scenario, "--spec-version", revision),
        *("--output-dir", str(tmp_path)),
    )
    # A scenario that does not apply exits with 0 as well, but leaves no checks behind.
    reports = list(tmp_path.rglob("checks.json"))
    assert len(reports) == 1, run.stdout + run.stderr
    checks = json.loads(reports[0].read_text("utf-8"))
    assert any(check["status"] == "SUCCESS" for check in checks)
    failed = {check["id"] for check in checks if check["status"] == "FAILURE"}
    assert failed <= NEEDS_FIXTURE_TOOL, run.stdout
    assert run.returncode == (1 if failed else 0)
