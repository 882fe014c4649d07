"""Commands over the database that `GROUNDWIRE_STATE` names, and over one that is down."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from postgres_cluster import free_port
from state_places import url_of

from groundwire.evidence import Draft, Ledger, Value
from groundwire.learning.holdings import holdings
from groundwire.learning.learner import LearningBase
from groundwire.state import KEPT_HERE, Database

DRAFT = Draft((Value("length", "12.5", unit="km"),), payload=b"raw")


@pytest.fixture
def shared(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setenv("GROUNDWIRE_STATE", url_of(database))
    return database


@pytest.fixture
def down(monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"postgresql://me@127.0.0.1:{free_port()}/state"
    monkeypatch.setenv("GROUNDWIRE_STATE", url)
    return url


@pytest.fixture
def recorded(shared: Database) -> Iterator[str]:
    with Ledger(shared) as ledger:
        yield ledger.record("ada", "t", {"n": 1}, DRAFT).evidence_id


def checked(ran: Any, name: str) -> str:
    return next(line for line in ran.out.splitlines() if line[6:].startswith(f"{name} "))


def test_evidence_is_shown_verified_and_exported(
    run: Callable[..., Any], recorded: str, tmp_path: Path
) -> None:
    assert '"tool": "t"' in run("evidence", "show", recorded).out
    assert run("evidence", "head").out.startswith("1:")
    ran = run("evidence", "verify")
    assert (ran.code, ran.err) == (0, "")
    assert "1 record" in ran.out
    bundle = tmp_path / "bundle"
    assert run("evidence", "export", recorded, "-o", str(bundle)).code == 0
    assert run("evidence", "verify", str(bundle)).code == 0


def test_doctor_says_what_is_shared_and_what_is_not(
    run: Callable[..., Any], shared: Database
) -> None:
    ran = run("doctor")
    said = checked(ran, "state")
    assert said.startswith("ok")
    assert f"state is shared in {shared.shown}; on this machine alone stay" in said
    assert all(one in said for one in KEPT_HERE)


def test_a_database_that_is_down_fails_the_checks(run: Callable[..., Any], down: str) -> None:
    ran = run("doctor")
    assert ran.code == 1
    for name in ("state", "evidence"):
        said = checked(ran, name)
        assert said.startswith("FAIL")
        assert "see that the server runs and that GROUNDWIRE_STATE names it" in said
        assert "me@" not in said


def test_a_server_starts_without_its_database_and_says_so(down: str, environment: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "serve", "metrics"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0
    assert "The evidence in postgresql://127.0.0.1" in done.stderr
    assert "Until then answers say that they are not recorded." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("mysql://h/d", "is not of the form postgresql://host:port/database"),
        ("postgresql://me:hunter2@h/d", "goes into GROUNDWIRE_STATE_PASSWORD"),
        ("postgresql://h", "names no database"),
        ("~/state.sqlite", "leave GROUNDWIRE_STATE out to keep state in files"),
    ],
)
def test_what_is_no_database_is_refused(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    monkeypatch.setenv("GROUNDWIRE_STATE", value)
    ran = run("evidence", "head")
    assert ran.code != 0
    assert said in ran.err
    assert "hunter2" not in ran.err


def test_without_psycopg_the_extra_is_named(
    run: Callable[..., Any], down: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.state.stores.find_spec", lambda name: None)
    assert "pip install 'groundwire[postgres]'" in run("evidence", "head").err


def test_what_is_learnt_is_in_the_database(run: Callable[..., Any], shared: Database) -> None:
    assert run("learning", "sample").code == 0
    elsewhere = Database(url_of(shared), shared.home / "elsewhere")
    with LearningBase(elsewhere) as base:
        assert holdings(base.learner("local")).cards > 0
        assert run("learning", "lint").code in (0, 1)
        assert run("learning", "forget", "--yes").code == 0
        assert holdings(base.learner("local")).cards == 0


@pytest.mark.parametrize("command", ["lint", "report"])
def test_what_is_learnt_cannot_be_read_while_the_database_is_down(
    run: Callable[..., Any], down: str, command: str
) -> None:
    ran = run("learning", command)
    assert ran.code != 0
    assert "see that the server runs and that GROUNDWIRE_STATE names it" in ran.err
    assert "me@" not in ran.err and "Traceback" not in ran.err


# Facts


PROFILE = """
[profile]
name = "bakery"
example_metric = "SALES"
[kinds.shop]
label = "shop"
home = "A"
[[entities]]
code = "A"
kind = "shop"
name = "Alpha"
[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
unit = "EUR"
"""
MAPPING = """
[document]
name = "Sales book"
publisher = "Alpha"
date = 2025-03-01
[columns]
metric = { column = "Item" }
entity = { column = "Shop" }
period = { column = "Year" }
value = { column = "Amount" }
unit = { column = "Unit" }
"""
SALES = "Item,Shop,Year,Amount,Unit\nSales,Alpha,2024,77123,EUR\n"
QUESTION = "What were the sales of Alpha in 2024?"


@pytest.fixture
def bakery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("p.toml", PROFILE), ("m.toml", MAPPING), ("sales.csv", SALES)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("GROUNDWIRE_PROFILE", str(tmp_path / "p.toml"))
    return tmp_path


def served(server: str = "metrics") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "groundwire", "serve", server],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_facts_are_imported_into_the_database_and_answered_from_any_machine(
    run: Callable[..., Any], database: Database, bakery: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_FACTS", url_of(database))
    assert f"{database.shown} holds no facts yet: `groundwire metrics import" in served()
    ran = run("metrics", "ask", QUESTION)
    assert ran.code != 0
    assert "holds no facts yet: import some first" in ran.err
    ran = run("metrics", "import", str(bakery / "sales.csv"), "--mapping", str(bakery / "m.toml"))
    assert (ran.code, ran.err) == (0, "")
    assert "1 facts new, 0 known before, 0 cells empty" in ran.out
    assert f"into {database.shown}" in ran.out
    monkeypatch.setenv("GROUNDWIRE_HOME", str(bakery / "elsewhere"))
    assert f"facts are shared in {database.shown}" in served()
    assert "77,123 EUR" in run("metrics", "ask", QUESTION).out
    assert "1 facts" in checked(run("doctor"), "facts")
    assert run("metrics", "forget", "Sales book").code == 0
    assert "77,123" not in run("metrics", "ask", QUESTION).out


def test_facts_of_a_database_that_is_down_are_told(
    run: Callable[..., Any], down: str, bakery: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROUNDWIRE_STATE")
    monkeypatch.setenv("GROUNDWIRE_FACTS", down)
    remedy = "see that the server runs and that GROUNDWIRE_FACTS names it"
    assert remedy in served()
    said = checked(run("doctor"), "facts")
    assert said.startswith("FAIL")
    ran = run("metrics", "ask", QUESTION)
    assert ran.code != 0
    for line in (said, ran.err):
        assert remedy in line
        assert "me@" not in line
