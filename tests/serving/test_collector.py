from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.serving import paused_collector

# A run of tests that fail while their frames hold DuckDB's objects, in a process that has frozen
# what it imported, as `groundwire serve` does.
FAILING = """
import gc

from groundwire.serving import paused_collector

import duckdb
import pytest


@pytest.fixture(scope="session")
def kept():
    yield duckdb.connect()


def test_freezes():
    with paused_collector(lasting=True):
        pass
    assert gc.get_freeze_count()


def test_fails_with_a_connection():
    connection = duckdb.connect()
    described = connection.execute("SELECT 1 AS a").description
    raise AssertionError(described)


def test_fails_with_types(kept):
    relation = kept.sql("SELECT 1 AS a")
    types = relation.types
    assert not types


def test_fails_with_a_class():
    assert duckdb.DuckDBPyConnection is None
"""


def test_the_collector_rests_and_goes_on() -> None:
    assert gc.isenabled()
    with paused_collector():
        assert not gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled(), "the outer pause goes on"
    assert gc.isenabled()


def test_a_failure_ends_the_pause() -> None:
    with pytest.raises(ValueError, match="x"), paused_collector():
        raise ValueError("x")
    assert gc.isenabled()


@pytest.fixture
def thawed() -> Iterator[None]:
    """Give back to the collector what the test has frozen, also where the test fails."""
    yield
    gc.unfreeze()
    gc.collect()
    # What is left lasts as long as the tests.
    gc.freeze()


@pytest.mark.usefixtures("thawed")
def test_only_what_lasts_is_frozen() -> None:
    before = gc.get_freeze_count()
    with paused_collector():
        pass
    assert gc.get_freeze_count() == before
    with paused_collector(lasting=True):
        kept = [[] for _ in range(10)]
    assert gc.get_freeze_count() > before
    assert len(kept) == 10


@pytest.mark.parametrize("twice", [False, True])
def test_duckdb_finds_nothing_alive_when_python_ends(twice: bool) -> None:
    code = (
        "from groundwire.serving import paused_collector\n"
        "import duckdb\n"
        f"for _ in range({1 + twice}):\n"
        "    with paused_collector(lasting=True):\n"
        "        duckdb.connect().close()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr == ""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_failing_tests_that_hold_duckdb_leave_no_leak_report(tmp_path: Path, workers: str) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (tmp_path / "test_failing.py").write_text(FAILING, "utf-8")
    command = [sys.executable, "-m", "pytest", "-n", workers, "-p", "no:cacheprovider"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "3 failed, 1 passed" in ran.stdout
    assert "nanobind" not in ran.stdout + ran.stderr
