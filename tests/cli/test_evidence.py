"""`groundwire evidence show|open|export|verify|head` over a ledger that a server wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.evidence import Ledger
from groundwire.evidence.records import Draft, Value
from groundwire.servers.composition import EVIDENCE_FILE


@pytest.fixture
def ledger(environment: Path) -> list[str]:
    """Three records; their ids."""
    with Ledger(environment / EVIDENCE_FILE) as written:
        return [
            written.record(
                "local",
                "submit_slots",
                {"slots": {"domains": ["hdmap"]}},
                Draft(values=(Value("total", str(number), unit="assets"),)),
            ).evidence_id
            for number in (7, 8, 9)
        ]


def test_show_prints_tool_arguments_and_values(run: Callable[..., Any], ledger: list[str]) -> None:
    ran = run("evidence", "show", ledger[1])
    assert ran.code == 0
    for text in (ledger[1], "submit_slots", "hdmap", "total", "8"):
        assert text in ran.out


def test_open_writes_a_page_with_the_claims_of_a_draft(
    run: Callable[..., Any], ledger: list[str], tmp_path: Path
) -> None:
    draft, page = tmp_path / "draft.txt", tmp_path / "page.html"
    draft.write_text("There are 8 assets, and 12 assets.", "utf-8")
    ran = run("evidence", "open", *ledger[:2], "--draft", str(draft), "--output", str(page))
    assert ran.code == 0 and "The chain holds: 3 records" in ran.out
    text = page.read_text("utf-8")
    assert ledger[0] in text and ledger[1] in text and ledger[2] not in text
    assert "8 assets" in text and "12" in text and "<script" not in text


def test_open_says_how_much_of_a_response_it_shows(
    run: Callable[..., Any], ledger: list[str], tmp_path: Path, environment: Path
) -> None:
    with Ledger(environment / EVIDENCE_FILE) as written:
        long = written.record("local", "ask", {}, Draft(payload=b"x" * 9_000)).evidence_id
    page = tmp_path / "page.html"
    assert run("evidence", "open", long, "--output", str(page)).code == 0
    assert "the first 8,000 characters of 9,000 bytes" in page.read_text("utf-8")


def test_open_of_a_changed_ledger_says_so(
    run: Callable[..., Any], ledger: list[str], tmp_path: Path, environment: Path
) -> None:
    with closing(sqlite3.connect(environment / EVIDENCE_FILE)) as connection, connection:
        connection.execute("UPDATE records SET owner = 'x' WHERE evidence_id = ?", (ledger[0],))
    page = tmp_path / "page.html"
    ran = run("evidence", "open", ledger[1], "--output", str(page))
    assert ran.code == 1 and "The chain does not hold at record 1" in ran.out
    assert "does not hold" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--draft", "none.txt"), "cannot be read as text"),
        (("--output", "no_folder/page.html"), "cannot be written"),
    ],
)
def test_what_open_cannot_do_is_told(
    run: Callable[..., Any], ledger: list[str], options: tuple[str, str], told: str
) -> None:
    ran = run("evidence", "open", ledger[0], *options)
    assert ran.code != 0 and told in ran.err


def test_an_unknown_record_is_not_found(run: Callable[..., Any], ledger: list[str]) -> None:
    ran = run("evidence", "show", "ev_0000000000000")
    assert (ran.code, ran.out) == (7, "")
    assert "ev_0000000000000" in ran.err


def test_verify_and_head(run: Callable[..., Any], ledger: list[str]) -> None:
    head = run("evidence", "head")
    assert (head.code, head.out.count("\n")) == (0, 1)
    ran = run("evidence", "verify", head.out.strip())
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Unchanged: 3 records, 0 payloads.")
    assert "The kept head is in the chain." in ran.out
    assert run("evidence", "verify").code == 0


def test_a_ledger_that_is_not_there_is_not_called_unchanged(
    run: Callable[..., Any], environment: Path
) -> None:
    ran = run("evidence", "verify")
    assert (ran.code, ran.out) == (7, "")
    assert str(environment / EVIDENCE_FILE) in ran.err
    assert "GROUNDWIRE_HOME" in ran.err
    named = run("evidence", "verify", "./no-such-bundle")
    assert (named.code, named.err) == (2, "groundwire: There is no file ./no-such-bundle.\n")


def test_a_changed_byte_is_found_and_exits_with_1(
    run: Callable[..., Any], ledger: list[str], environment: Path
) -> None:
    with closing(sqlite3.connect(environment / EVIDENCE_FILE)) as database:
        for (trigger,) in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        rows = database.execute("SELECT rowid, content FROM records").fetchall()
        rowid, content = rows[1]
        changed = bytes([*content[:-3], content[-3] ^ 1, *content[-2:]])
        database.execute("UPDATE records SET content = ? WHERE rowid = ?", (changed, rowid))
        database.commit()
    ran = run("evidence", "verify")
    assert ran.code == 1
    assert ran.out.startswith("NOT AS WRITTEN: ")


def test_a_removed_end_is_found_against_a_kept_head(
    run: Callable[..., Any],
    ledger: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = run("evidence", "head").out.strip()
    other = tmp_path / "other"
    with Ledger(other / EVIDENCE_FILE) as fresh:
        fresh.record("local", "submit_slots", {}, Draft())
    monkeypatch.setenv("GROUNDWIRE_HOME", str(other))
    assert run("evidence", "verify", head).code == 1
    assert run("evidence", "verify", "not a hash").code == 2
    missing = run("evidence", "verify", "no/such.jsonl")
    assert missing.code == 2 and "There is no file no/such.jsonl" in missing.err
    other = run("evidence", "verify", __file__)
    assert other.code == 2 and "is no bundle, and holds no head" in other.err


def test_a_bundle_is_exported_and_verified_without_the_ledger(
    run: Callable[..., Any], ledger: list[str], tmp_path: Path, environment: Path
) -> None:
    bundle = tmp_path / "answers.bundle"
    ran = run("evidence", "export", ledger[0], ledger[2], "--output", str(bundle))
    assert ran.code == 0 and "2 records (places 1 to 3; 1 gaps" in ran.out
    fingerprint = ran.out.split("fingerprint ")[1].split()[0]
    (environment / EVIDENCE_FILE).unlink()
    assert run("evidence", "verify", str(bundle), "--key", fingerprint[:16]).code == 0
    other = run("evidence", "verify", str(bundle), "--key", "0" * 64)
    assert other.code == 1 and "another was asked for" in other.out
    bundle.write_bytes(bundle.read_bytes().replace(b"hdmap", b"hdmop", 1))
    changed = run("evidence", "verify", str(bundle))
    assert changed.code == 1 and "was changed after it was written" in changed.out
    mixed = run("evidence", "verify", str(bundle), "ev_1:0123456789ab")
    assert mixed.code == 2 and "by themselves" in mixed.err
