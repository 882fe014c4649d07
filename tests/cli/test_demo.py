"""`groundwire demo ontology`, end to end: a real server over stdio."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_the_demo_shows_what_is_promised(
    run: Callable[..., Any], environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is configured does not disturb it: the demo has data of its own.
    monkeypatch.setenv("GROUNDWIRE_SHAPES", "no-such-file.ttl")
    monkeypatch.setenv("GROUNDWIRE_TOOLS", "get_asset")
    ran = run("demo", "ontology")
    assert ran.code == 0, ran.err
    exchanges = [line for line in ran.out.splitlines() if line[:1].isdigit()]
    assert len(exchanges) >= 8
    for text in (
        "'motorwy' read as 'motorway' (corrected)",
        "'suburban' unmapped",
        "'version'",
        "(stored_variant)",
        "surface-model",
        "roadTypes all of motorway, rural",
        "containsPII",
        "No asset matches",
        "did you mean `slots`?",
        "is contradicted",
        "is supported",
        "evidence: ev_",
    ):
        assert text in ran.out, text
    assert (environment / "evidence.sqlite").exists()


def test_a_server_that_cannot_be_started_is_one_line(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.cli.demo.command_of", lambda server: ["/no/such/program"])
    ran = run("demo")
    assert ran.code == 4
    assert ran.err == (
        "groundwire: /no/such/program cannot be started (No such file or directory): run "
        "`groundwire doctor`.\n"
    )
