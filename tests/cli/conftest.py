"""Commands run in this process, with a state folder of their own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

# Takes hold of standard error when it is imported, which no test must have replaced by then.
import mcp.client.stdio  # noqa: F401
import pytest

from groundwire.cli import main


class Ran(NamedTuple):
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No variable of whoever runs the tests; a fresh state folder."""
    for name in list(os.environ):
        if name.startswith(("GROUNDWIRE_", "TFL_", "AI_", "LLM_")):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    monkeypatch.setenv("GROUNDWIRE_HOME", str(home))
    return home


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run `groundwire` with the given words."""

    def runner(*words: str) -> Ran:
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return runner
