"""Kinds of tampering with a ledger, and what finds each.

`verify` finds all of them by itself but one: whoever rewrites the chain and the head beside it
alike. That is found by a head or a seal that was kept elsewhere, and by nothing else.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.errors import GroundwireError, InputError
from groundwire.evidence import Draft, Ledger, report

RECORDS = 9

# By its name: the statements, and words of what verify says.
STATEMENTS = {
    "edit a value": ("UPDATE records SET content = CAST(replace(CAST(content AS TEXT), '12.5', "
                     "'13.5') AS BLOB) WHERE sequence = 4", "record 4 was changed"),
    "edit the owner": ("UPDATE records SET owner = 'eve' WHERE sequence = 4", "4 was changed"),
    "edit the time": ("UPDATE records SET created = created - 1 WHERE sequence = 4", "4 was chan"),
    "edit a handle": ("UPDATE records SET evidence_id = 'ev_x' WHERE sequence = 4", "4 was chang"),
    "edit a hash": ("UPDATE records SET hash = zeroblob(32) WHERE sequence = 4", "4 was changed"),
    "edit the link": ("UPDATE records SET previous = zeroblob(32) WHERE sequence = 4", "4 was"),
    "delete the first": ("DELETE FROM records WHERE sequence = 1", "record 1 is missing"),
    "delete one within": ("DELETE FROM records WHERE sequence = 4", "record 4 is missing"),
    "delete the last": ("DELETE FROM records WHERE sequence = 9", "head in evidence.db.head"),
    "delete all": ("DELETE FROM records", "head in evidence.db.head"),
    "change places": ("UPDATE records SET sequence = CASE sequence WHEN 4 THEN -5 ELSE -4 END "
                      "WHERE sequence IN (4, 5); UPDATE records SET sequence = -sequence WHERE "
                      "sequence < 0", "4 was changed"),
    "insert a copy": ("INSERT INTO records SELECT 10, 'ev_copy', owner, created, payload, "
                      "previous, hash, content FROM records WHERE sequence = 9",
                      "record 10 was changed"),
    "insert before": ("INSERT INTO records SELECT 0, 'ev_copy', owner, created, payload, "
                      "previous, hash, content FROM records WHERE sequence = 9",
                      "record 0 follows"),
    "edit a payload": ("UPDATE payloads SET data = (SELECT data FROM payloads ORDER BY hash LIMIT "
                       "1)", "not the one that was stored"),
    "swap payloads": ("UPDATE records SET payload = (SELECT hash FROM payloads ORDER BY hash DESC "
                      "LIMIT 1)", "was changed"),
    "delete a payload": ("DELETE FROM payloads", "missing before its 30 days"),
    "add a trigger": ("CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records WHERE "
                      "sequence = new.sequence - 1; END", "there is a trigger t besides"),
    "add a view": ("CREATE VIEW v AS SELECT * FROM records", "there is a view v besides"),
    "shadow a table": ("ALTER TABLE records RENAME TO real; CREATE VIEW records AS SELECT * FROM "
                       "real", "tables are not those|cannot be used|damaged"),
    "add a table": ("CREATE TABLE more (x)", "there is a table more besides"),
    "drop an index": ("DROP INDEX records_by_owner", "index records_by_owner is missing"),
    "change the tables": ("ALTER TABLE records ADD COLUMN note TEXT", "the table records was chan"),
}  # fmt: skip


@pytest.fixture
def written(ledger: Ledger, answer: Draft) -> Ledger:
    """Nine records, each with a payload of its own."""
    for n in range(RECORDS):
        draft = Draft(answer.values, answer.derivations, payload=b"answer %d" % n)
        ledger.record("local", "submit_slots", {"n": n}, draft)
    return ledger


def verdict(ledger: Ledger, kept: str | None = None) -> str:
    """What verify says; empty where it calls the ledger unchanged."""
    try:
        found = ledger.verify(kept)
    except GroundwireError as error:
        return str(error)
    return "" if found.ok else str(found.reason)


@pytest.mark.parametrize("kind", STATEMENTS)
def test_verify_finds_each_kind(written: Ledger, path: Path, kind: str) -> None:
    statements, words = STATEMENTS[kind]
    assert verdict(written) == ""
    written.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.executescript(statements)
    said = verdict(written)
    assert any(word in said for word in words.split("|")), said


def fork(path: Path) -> None:
    """Let the last record follow the seventh, with a hash that is right for that."""
    from groundwire.evidence.store import COLUMNS, header_of

    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        rows = file.execute(f"SELECT {COLUMNS} FROM records ORDER BY sequence").fetchall()
        changed = list(rows[8])
        changed[1] = rows[6][6]
        header = header_of(rows[8])
        assert header is not None
        import dataclasses

        hashed = dataclasses.replace(header, previous=rows[6][6].hex()).hash(rows[8][7])
        file.execute(
            "UPDATE records SET previous = ?, hash = ? WHERE sequence = 9",
            (rows[6][6], bytes.fromhex(hashed)),
        )


def test_a_fork_is_found(written: Ledger, path: Path) -> None:
    written.close()
    fork(path)
    assert "does not follow the record before it: the chain forks behind record 7" in verdict(
        written
    )


def test_an_older_copy_is_found(written: Ledger, path: Path, answer: Draft) -> None:
    written.close()
    shutil.copy(path, path.with_name("older"))
    for n in range(3):
        written.record("local", "t", {"n": n}, answer)
    written.close()
    shutil.copy(path.with_name("older"), path)
    assert "record 12) is not in the chain" in verdict(written)
    # Also after the servers have gone on writing to it.
    for n in range(9):
        written.record("local", "t", {"n": n}, answer)
    assert "record 12) is not in the chain" in verdict(written)


def test_a_log_that_was_cut_is_found(path: Path, answer: Draft) -> None:
    with Ledger(path) as ledger:
        ledger.record("local", "t", {}, answer)
        ledger.close()
        ledger.record("local", "t", {}, answer)
        copies = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    for one in list(path.parent.iterdir()):
        one.unlink()
    for name, content in copies.items():
        if not name.endswith(("-wal", "-shm")):
            (path.parent / name).write_bytes(content)
    with Ledger(path) as ledger:
        assert "head in evidence.db.head" in verdict(ledger)


def test_a_removed_ledger_is_found(written: Ledger, path: Path) -> None:
    written.close()
    path.unlink()
    assert "head in evidence.db.head" in verdict(written)


def test_an_edited_head_is_found(written: Ledger, path: Path) -> None:
    beside = path.with_name("evidence.db.head")
    beside.write_bytes(beside.read_bytes()[:-10])
    assert "evidence.db.head, was changed" in verdict(written)


def rewritten(ledger: Ledger, path: Path, answer: Draft) -> None:
    """A chain and a head beside it that are both written anew."""
    ledger.close()
    for one in list(path.parent.iterdir()):
        one.unlink()
    for n in range(RECORDS):
        ledger.record("local", "submit_slots", {"n": n}, answer)


def test_a_chain_and_head_written_anew_are_found_only_by_what_was_kept_elsewhere(
    written: Ledger, path: Path, answer: Draft
) -> None:
    receipt = written.record("local", "t", {}, answer)
    (head,) = report.head(written)
    transcript = f'{{"evidence_id":"{receipt.evidence_id}","evidence_seal":"{receipt.seal}"}}'
    for kept in (head, transcript, f"{receipt.evidence_id}:{receipt.seal}"):
        assert verdict(written, kept) == ""
    rewritten(written, path, answer)
    assert verdict(written) == ""
    assert "the kept head is not in the chain" in verdict(written, head)
    assert "whose seal was kept, is not in the chain" in verdict(written, transcript)


def test_a_seal_anchors_its_record(written: Ledger, answer: Draft) -> None:
    receipt = written.record("local", "t", {}, answer)
    wrong = "0" * 12 if receipt.seal != "0" * 12 else "1" * 12
    assert "is not the one of the seal" in verdict(written, f"{receipt.evidence_id}:{wrong}")
    assert next(report.show(written, receipt.evidence_id, receipt.seal)).startswith("seal: ")
    with pytest.raises(InputError, match="is not the one of the seal"):
        list(report.show(written, receipt.evidence_id, wrong))


def test_a_head_of_another_place_is_found(written: Ledger) -> None:
    place, _, hashed = next(report.head(written)).partition(":")
    assert (place, verdict(written, f"{place}:{hashed}")) == ("9", "")
    assert "kept head is not in the chain" in verdict(written, f"8:{hashed}")


def test_a_ledger_without_a_head_beside_it_verifies(
    written: Ledger, path: Path, tamper: Callable[[str], None]
) -> None:
    """Ledgers that were written before there was one."""
    path.with_name("evidence.db.head").unlink()
    ok, lines = report.verify(written)
    assert ok
    assert any("No head is noted beside the ledger" in line for line in lines)
    written.record("local", "t", {}, Draft())
    tamper("DELETE FROM records WHERE sequence = 10")
    assert not written.verify().ok
