"""Who may decide what: the registry demands, its users only tighten, and it stays so."""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

import pytest

from groundwire.errors import InputError, UnavailableError
from groundwire.sparql.registry import Mode, Registry, parse_registry
from groundwire.sparql.workspace import (
    KgPolicies,
    KgPolicy,
    effective,
    in_force,
    result_limit,
    set_kg_policy,
)
from groundwire.state import StatePlace

ENFORCEMENT: dict[Mode, dict[str, object]] = {
    "off": {},
    "classes": {"must_run_kg_workflow_for_prompt_classes": ["fact_lookup"]},
    "strict": {"kg_mandatory_for_all_prompts": True},
}
RANK: dict[Mode, int] = {"off": 0, "classes": 1, "strict": 2}


def registry(mode: Mode = "off") -> Registry:
    tree = {
        "default_endpoint": "main",
        "endpoints": [
            {"name": "main", "url": "https://example.org/sparql"},
            {"name": "wide", "url": "https://wide.example.org/sparql", "limit": 40},
        ],
        "enforcement": ENFORCEMENT[mode],
    }
    return parse_registry(tree, "endpoints.toml", Path("/data"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "kg_policy.sqlite"


@pytest.fixture
def policies(place: StatePlace) -> Iterator[KgPolicies]:
    with KgPolicies(place) as store:
        yield store


@pytest.mark.parametrize(
    ("demanded", "stored", "enforce"),
    list(itertools.product(get_args(Mode), get_args(Mode), [None, *get_args(Mode)])),
)
def test_the_strictest_holds(demanded: Mode, stored: Mode, enforce: Mode | None) -> None:
    found = effective(registry(demanded), KgPolicy(stored), enforce)
    assert RANK[found] == max(RANK[demanded], RANK[stored], RANK[enforce or "off"])


def test_on_and_off_hold_for_later_prompts(policies: KgPolicies, place: StatePlace) -> None:
    found = set_kg_policy(policies, registry(), "local", kg="on")
    assert (found.mode, found.answer) == (
        "strict",
        "The KG workflow is mandatory for every prompt. Results are limited to 10.",
    )
    with KgPolicies(place) as another:
        assert another.stored("local") == KgPolicy("strict")
        assert set_kg_policy(another, registry(), "local", kg="off").mode == "off"
    assert policies.stored("local") == KgPolicy("off")


def test_showing_the_policy_makes_no_file(policies: KgPolicies, path: Path) -> None:
    found = set_kg_policy(policies, registry("classes"), "local")
    assert (found.mode, found.limit, found.demanded) == ("classes", 10, "classes")
    assert found.answer == (
        "The KG workflow is mandatory for some classes of prompts (fact_lookup), as the registry "
        "demands. Results are limited to 10."
    )
    assert not path.exists()


@pytest.mark.parametrize("demanded", ["classes", "strict"])
@pytest.mark.parametrize("change", ["off", "reset"])
def test_nobody_weakens_what_the_registry_demands(
    policies: KgPolicies, demanded: Mode, change: Literal["off", "reset"]
) -> None:
    set_kg_policy(policies, registry(demanded), "local", kg="on")
    if change == "off":
        found = set_kg_policy(policies, registry(demanded), "local", kg="off")
    else:
        found = set_kg_policy(policies, registry(demanded), "local", reset=True)
    assert found.mode == found.demanded == demanded
    assert "as the registry demands: only its administrator can lift that." in found.answer


def test_the_mode_classes_without_named_classes_is_about_all_three() -> None:
    found = in_force(registry(), KgPolicy("classes"))
    assert found.classes == ("fact_lookup", "citation_request", "citation_verification")
    assert in_force(registry("classes"), KgPolicy("classes")).classes == ("fact_lookup",)


def test_the_limit_is_kept_beside_the_mode_until_it_is_reset(policies: KgPolicies) -> None:
    set_kg_policy(policies, registry(), "local", kg="on")
    assert set_kg_policy(policies, registry(), "local", limit=25).limit == 25
    assert policies.stored("local") == KgPolicy("strict", 25)
    assert set_kg_policy(policies, registry(), "local", kg="off").limit == 25
    assert set_kg_policy(policies, registry(), "local", reset=True).limit == 10
    assert policies.stored("local") == KgPolicy()
    set_kg_policy(policies, registry(), "local", kg="on", limit=30)
    assert set_kg_policy(policies, registry(), "local", reset=True, limit=5).mode == "off"
    assert policies.stored("local") == KgPolicy("off", 5)


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**9])
def test_a_limit_out_of_bounds_changes_nothing(policies: KgPolicies, limit: int) -> None:
    set_kg_policy(policies, registry(), "local", limit=20)
    with pytest.raises(InputError, match="A result limit is from 1 to 1,000, not "):
        set_kg_policy(policies, registry(), "local", kg="on", limit=limit)
    assert policies.stored("local") == KgPolicy("off", 20)


@pytest.mark.parametrize("limit", [1, 1000])
def test_the_bounds_are_limits_too(policies: KgPolicies, limit: int) -> None:
    assert set_kg_policy(policies, registry(), "local", limit=limit).limit == limit


def test_the_nearest_limit_counts() -> None:
    found = registry()
    main, wide = found.endpoints
    assert result_limit(found, main, KgPolicy()) == 10
    assert result_limit(found, wide, KgPolicy()) == 40
    assert result_limit(found, wide, KgPolicy(limit=15)) == 15
    assert result_limit(found, wide, KgPolicy(limit=15), asked=3) == 3
    with pytest.raises(InputError, match="from 1 to 1,000"):
        result_limit(found, main, KgPolicy(), asked=0)


def test_each_owner_has_a_policy_of_their_own(policies: KgPolicies) -> None:
    policies.change("anna", mode="strict", limit=7)
    assert policies.stored("ben") == KgPolicy()
    policies.change("ben", limit=9)
    assert policies.stored("anna") == KgPolicy("strict", 7)
    assert policies.stored("ben'; DROP TABLE policies") == KgPolicy()


WRITER = """
import sys
from pathlib import Path
from groundwire.sparql import workspace
# It waits for the others however slow the disk is.
workspace._BUSY_SECONDS = 120.0
with workspace.KgPolicies(Path(sys.argv[1])) as policies:
    for turn in range(1, 16):
        policies.change(sys.argv[2], mode="strict" if turn % 2 else "off", limit=turn)
        policies.change("all", limit=turn)
"""


def test_several_processes_write_to_one_file(path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), f"owner{number}"],
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for child in children:
        _, said = child.communicate(timeout=120)
        assert (child.returncode, said) == (0, "")
    with KgPolicies(path) as policies:
        assert {policies.stored(f"owner{number}") for number in range(4)} == {
            KgPolicy("strict", 15)
        }
        assert policies.stored("all").limit == 15


def test_threads_share_one_store(policies: KgPolicies) -> None:
    def write(owner: str) -> None:
        for turn in range(1, 21):
            policies.change(owner, limit=turn)

    threads = [threading.Thread(target=write, args=(f"owner{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert {policies.stored(f"owner{n}").limit for n in range(4)} == {20}


def test_another_writer_who_does_not_end_is_waited_for_and_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.sparql.workspace._BUSY_SECONDS", 0.1)
    policies = KgPolicies(path)
    policies.change("local", limit=7)
    policies.close()
    holding = sqlite3.connect(path, isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(UnavailableError, match="another process"):
            policies.change("local", limit=8)
    finally:
        holding.execute("ROLLBACK")
        holding.close()
    assert policies.stored("local").limit == 7
    assert policies.change("local", limit=8).limit == 8
    policies.close()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with KgPolicies(tmp_path / "file" / "kg_policy.sqlite") as policies:
        with pytest.raises(UnavailableError) as caught:
            policies.change("local", mode="strict")
        assert policies.stored("local") == KgPolicy()
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("The file of KG policies kg_policy.sqlite cannot be used (")
    assert "set GROUNDWIRE_HOME" in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_is_read_only_is_one_line(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o500)
    try:
        with KgPolicies(path) as policies, pytest.raises(UnavailableError, match="writable"):
            policies.change("local", mode="strict")
    finally:
        path.parent.chmod(0o700)


def test_a_file_of_something_else_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("These are my notes, and no database at all. " * 50, "utf-8")
    before = path.read_bytes()
    with KgPolicies(path) as policies:
        for attempt in (lambda: policies.stored("local"), lambda: policies.change("local")):
            with pytest.raises(UnavailableError, match="move it away; a new one begins by itself"):
                attempt()
    assert path.read_bytes() == before


def test_a_database_of_something_else_is_not_used(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE policies (owner, mode, result_limit)")
    connection.commit()
    connection.close()
    with KgPolicies(path) as policies, pytest.raises(UnavailableError, match="of this version"):
        policies.stored("local")


def test_a_file_that_was_removed_begins_again(policies: KgPolicies, path: Path) -> None:
    policies.change("local", mode="strict")
    for file in path.parent.iterdir():
        file.unlink()
    assert policies.stored("local") == KgPolicy()
    assert policies.change("local", limit=3) == KgPolicy("off", 3)


def test_the_file_is_its_users_alone(policies: KgPolicies, path: Path) -> None:
    policies.change("local", mode="strict")
    assert path.stat().st_mode & 0o077 == 0
