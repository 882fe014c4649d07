"""Every change of a ledger is found."""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError, UnavailableError
from groundwire.evidence import Draft, Head, Ledger, verification
from groundwire.state import StatePlace

RECORDS = 12


@pytest.fixture
def written(ledger: Ledger, answer: Draft) -> Ledger:
    """A ledger of twelve records."""
    for n in range(RECORDS):
        ledger.record("local", "submit_slots", {"n": n}, answer)
    return ledger


def test_a_ledger_as_it_was_written_is_good(written: Ledger) -> None:
    found = written.verify()
    assert (found.ok, found.records, found.first_bad, found.reason) == (True, RECORDS, None, None)
    assert found.head == written.head() == Head(RECORDS, found.head.hash)


def test_the_hash_is_the_documented_one(written: Ledger, path: Path) -> None:
    """A reader who only has the documentation computes the same hashes."""
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT sequence, evidence_id, owner, created, payload, hash, content "
        "FROM records ORDER BY sequence"
    ).fetchall()
    connection.close()
    previous = "0" * 64
    for sequence, evidence_id, owner, created, payload, hashed, content in rows:
        header = [1, sequence, previous, evidence_id, owner, created, payload and payload.hex()]
        written_header = json.dumps(header, separators=(",", ":")).encode()
        assert hashlib.sha256(written_header + b"\n" + content).hexdigest() == hashed.hex()
        tree = json.loads(content)
        assert content.decode() == json.dumps(
            tree, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        )
        previous = hashed.hex()


@pytest.mark.parametrize(
    ("statement", "first_bad", "reason"),
    [
        ("DELETE FROM records WHERE sequence = 5", 5, "record 5 is missing"),
        ("DELETE FROM records WHERE sequence = 1", 1, "record 1 is missing"),
        ("UPDATE records SET owner = 'bob' WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET created = created + 1 WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET evidence_id = 'ev_x' WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET hash = zeroblob(32) WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET previous = zeroblob(32) WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET payload = x'00' WHERE sequence = 3", 3, "was changed"),
        ("UPDATE records SET content = x'7b7d' WHERE sequence = 12", 12, "was changed"),
        (
            "UPDATE records SET content = (SELECT content FROM records WHERE sequence = 4) "
            "WHERE sequence = 3",
            3,
            "was changed",
        ),
        ("UPDATE records SET sequence = 40 WHERE sequence = 12", 12, "record 12 is missing"),
    ],
)
def test_what_is_changed_is_found_where_it_is(
    written: Ledger, tamper: Callable[[str], None], statement: str, first_bad: int, reason: str
) -> None:
    tamper(statement)
    found = written.verify()
    assert (found.ok, found.first_bad, found.records) == (False, first_bad, first_bad - 1)
    assert found.reason is not None
    assert reason in found.reason


def test_records_that_changed_places_are_found(
    written: Ledger, tamper: Callable[[str], None]
) -> None:
    tamper("UPDATE records SET sequence = 100 WHERE sequence = 4")
    tamper("UPDATE records SET sequence = 4 WHERE sequence = 5")
    tamper("UPDATE records SET sequence = 5 WHERE sequence = 100")
    found = written.verify()
    assert (found.ok, found.first_bad) == (False, 4)


def test_a_record_with_a_new_hash_no_longer_fits_the_next(
    written: Ledger, path: Path, tamper: Callable[[str], None]
) -> None:
    """Someone edits a record and computes its hash anew, but not those after it."""
    record = written.inspect(written.recent("local", limit=200)[-4].evidence_id)
    connection = sqlite3.connect(path)
    (created, content) = connection.execute(
        "SELECT created, content FROM records WHERE sequence = 4"
    ).fetchone()
    connection.close()
    forged = content.replace(b'"n":3', b'"n":9')
    header = [1, 4, record.previous_hash, record.evidence_id, "local", created, None]
    text = json.dumps(header, separators=(",", ":")).encode() + b"\n" + forged
    hashed = hashlib.sha256(text).hexdigest()
    tamper(f"UPDATE records SET content = x'{forged.hex()}', hash = x'{hashed}' WHERE sequence = 4")
    found = written.verify()
    assert (found.ok, found.first_bad) == (False, 5)
    assert found.reason is not None
    assert "does not follow" in found.reason


def test_a_removed_end_is_found_with_a_kept_head(
    written: Ledger, path: Path, tamper: Callable[[str], None]
) -> None:
    kept = written.head().hash
    tamper("DELETE FROM records WHERE sequence > 9")
    noted = written.verify()
    assert not noted.ok
    assert noted.reason is not None
    assert "the head in evidence.db.head (record 12) is not in the chain" in noted.reason
    path.with_name("evidence.db.head").unlink()
    assert written.verify().ok  # nothing tells of what is gone
    found = written.verify(kept)
    assert (found.ok, found.records, found.first_bad) == (False, 9, None)
    assert found.reason is not None
    assert "the kept head is not in the chain" in found.reason


def test_a_ledger_written_anew_is_found_with_a_kept_head(
    written: Ledger, path: Path, answer: Draft
) -> None:
    kept = written.head().hash
    written.close()
    path.unlink()
    for n in range(RECORDS):
        written.record("local", "submit_slots", {"n": n}, answer)
    assert not written.verify().ok
    path.with_name("evidence.db.head").unlink()
    assert written.verify().ok
    assert not written.verify(kept).ok


def test_an_old_head_stays_good_while_the_chain_grows(written: Ledger, answer: Draft) -> None:
    kept = written.head().hash
    written.record("local", "t", {}, answer)
    assert written.verify(kept).ok
    assert written.verify(f"  {kept.upper()}\n").ok
    assert written.verify("0" * 64).ok  # the head of the empty ledger


def test_a_missing_ledger_fails_a_kept_head(ledger: Ledger) -> None:
    assert not ledger.verify("ab" * 32).ok


@pytest.mark.parametrize("head", ["", "ev_1", "12", "g" * 64])
def test_what_is_no_head_is_refused(ledger: Ledger, head: str) -> None:
    with pytest.raises(InputError, match="64 hexadecimal digits"):
        ledger.verify(head)


def test_any_changed_byte_of_a_record_is_found(written: Ledger, path: Path) -> None:
    """Bytes are changed in the file itself, wherever a part of a record stands."""
    record = written.inspect(written.recent("local")[3].evidence_id)
    connection = sqlite3.connect(path)
    (content,) = connection.execute(
        "SELECT content FROM records WHERE sequence = ?", (record.sequence,)
    ).fetchone()
    connection.close()
    written.close()
    good = path.read_bytes()
    chance = random.Random(7)
    parts = [
        content,
        bytes.fromhex(record.hash),
        bytes.fromhex(record.previous_hash),
        record.evidence_id.encode(),
    ]
    places = [place for part in parts for place in spans(good, part)]
    assert len(places) >= len(parts) + 2  # hashes and handles stand in two places
    offsets = {chance.randrange(start, end) for start, end in places for _ in range(12)}
    for offset in sorted(offsets):
        changed = bytearray(good)
        changed[offset] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        with Ledger(path) as ledger:
            assert not ledger.verify().ok, offset


def test_a_changed_byte_anywhere_is_found_or_harmless(written: Ledger, path: Path) -> None:
    """Every verdict "unchanged" over a changed file is true: all records read as they were."""
    handles = [record.evidence_id for record in written.recent("local")]
    records = [written.inspect(handle) for handle in handles]
    written.close()
    good = path.read_bytes()
    chance = random.Random(11)
    refused = 0
    for _ in range(250):
        changed = bytearray(good)
        changed[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        with Ledger(path) as ledger:
            try:
                if ledger.verify().ok:
                    assert [ledger.inspect(handle) for handle in handles] == records
                else:
                    refused += 1
            except UnavailableError:
                refused += 1
    assert refused > 50


def test_the_check_tells_how_far_it_is(written: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "_STEP", 5)
    written.record("local", "t", {}, Draft(payload=b"x"))
    seen: list[tuple[int, int]] = []
    assert written.verify(progress=lambda done, total: seen.append((done, total))).ok
    assert seen == [(5, 14), (10, 14), (14, 14), (14, 14)]


def test_the_check_does_not_stop_writers(written: Ledger, answer: Draft, place: StatePlace) -> None:
    with Ledger(place) as other:

        def write(done: int, total: int) -> None:
            other.record("local", "t", {}, answer)

        other.record("local", "t", {}, Draft(payload=b"x"))
        assert written.verify(progress=write).records == RECORDS + 1
    assert written.verify().records > RECORDS + 1


def spans(data: bytes, part: bytes) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = data.find(part)
    while at >= 0:
        found.append((at, at + len(part)))
        at = data.find(part, at + 1)
    return found
