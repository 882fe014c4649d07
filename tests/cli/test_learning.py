"""`groundwire learning`: the sample, rebuilding, fitting, checking and forgetting."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_from_the_sample_to_nothing(run: Run, environment: Path) -> None:
    added = run("learning", "sample").out
    assert added.startswith("added 22 cards with their reviews\n")
    assert "invented" in added and "GROUNDWIRE_HOME" in added
    assert run("learning", "sample").out == "the sample is there already\n"
    assert "0 had another schedule before" in run("learning", "rebuild").out
    assert run("learning", "lint", "--strict").out == "nothing found\n"
    assert "add --yes" in run("learning", "forget").out
    assert run("learning", "forget", "--owner", "eve", "--yes").out.startswith("erased 0 rows")
    assert run("learning", "forget", "--yes").out.startswith("erased 237 rows of local")
    assert run("learning", "sample").code == 0


def test_too_short_a_log_is_not_fitted(run: Run, environment: Path) -> None:
    run("learning", "sample")
    ran = run("learning", "fit")
    assert ran.code == 2
    assert "A fit needs 500 reviews" in ran.err and "there are 51" in ran.err
    assert "defaults of FSRS-6 are in force" in run("learning", "fit", "--defaults").out


def test_a_damaged_schedule_is_found_and_mended(run: Run, environment: Path) -> None:
    run("learning", "sample")
    file = sqlite3.connect(environment / "learning.sqlite")
    with file:
        file.execute("UPDATE schedule SET stability = 99 WHERE card_id = 'nav_mile'")
    file.close()
    ran = run("learning", "lint", "--json", "--strict")
    assert ran.code == 1
    assert [one["kind"] for one in json.loads(ran.out)] == ["stale"]
    assert "1 had another schedule before" in run("learning", "rebuild").out
    assert run("learning", "lint", "--strict").code == 0


@pytest.mark.parametrize("command", ["rebuild", "lint", "forget"])
def test_without_a_file_nothing_is_wrong(run: Run, environment: Path, command: str) -> None:
    assert run("learning", command).code == 0
