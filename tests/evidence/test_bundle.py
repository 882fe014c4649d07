"""Bundles are checked without the ledger, and no byte of one can be changed unseen."""

from __future__ import annotations

import json
import random
import stat
from pathlib import Path

import pytest

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.evidence import Draft, Ledger, Value
from groundwire.evidence.bundle import check_bundle, export_bundle, is_bundle


@pytest.fixture
def ids(ledger: Ledger) -> list[str]:
    """Five records, two of them another owner's, one with a response."""
    return [
        ledger.record(
            "ada" if number in (2, 3) else "local",
            "submit_slots",
            {"number": number},
            Draft(
                values=(Value("total", str(number), entity="Köln 科隆"),),
                payload=b"\x00response\xff" if number == 4 else None,
            ),
        ).evidence_id
        for number in range(1, 6)
    ]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "key.pem"


def test_a_whole_ledger_is_exported_and_checked(
    ids: list[str], path: Path, key: Path, tmp_path: Path
) -> None:
    target = tmp_path / "all.bundle"
    found = export_bundle(path, target, key)
    assert (found.ok, found.records, found.gaps, found.responses) == (True, 5, 0, 1)
    assert (found.first, found.last) == (1, 5)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    path.unlink()
    assert check_bundle(target) == found
    assert check_bundle(target, found.fingerprint[:12]).ok


def test_some_records_or_those_of_an_owner(
    ids: list[str], path: Path, key: Path, tmp_path: Path
) -> None:
    some = export_bundle(path, tmp_path / "some", key, [ids[4], ids[0]])
    assert (some.records, some.gaps, some.first, some.last) == (2, 1, 1, 5)
    hers = export_bundle(path, tmp_path / "hers", key, owner="ada")
    assert (hers.records, hers.gaps, hers.fingerprint) == (2, 0, some.fingerprint)
    with pytest.raises(NotFoundError):
        export_bundle(path, tmp_path / "none", key, [ids[0]], owner="ada")
    with pytest.raises(NotFoundError):
        export_bundle(path, tmp_path / "none", key, owner="nobody")
    with pytest.raises(NotFoundError):
        export_bundle(tmp_path / "no.db", tmp_path / "none", key)
    assert not (tmp_path / "none").exists() and not list(tmp_path.glob(".*"))


def test_no_byte_can_be_changed_removed_or_added_unseen(
    ids: list[str], path: Path, key: Path, tmp_path: Path
) -> None:
    target = tmp_path / "all.bundle"
    export_bundle(path, target, key, ids[2:])
    data = target.read_bytes()
    rng = random.Random(7)
    changed = tmp_path / "changed"
    for at in range(len(data)):
        other = bytes([data[at] ^ (1 << rng.randrange(8))])
        kind = at % 3
        forged = data[:at] + (
            other if kind == 0 else b"" if kind == 1 else other + data[at : at + 1]
        )
        forged += data[at + 1 :]
        changed.write_bytes(forged)
        assert not check_bundle(changed).ok, f"byte {at}, {kind}"
    for cut in (data[:-1], data + b"\n", data + b"{}\n", b"", data * 2):
        changed.write_bytes(cut)
        assert not check_bundle(changed).ok


def test_lines_cannot_change_places_or_go(
    ids: list[str], path: Path, key: Path, tmp_path: Path
) -> None:
    target = tmp_path / "all.bundle"
    export_bundle(path, target, key)
    lines = target.read_bytes().splitlines(keepends=True)
    for forged in (lines[:2] + lines[3:], [*lines[:1], lines[2], lines[1], *lines[3:]]):
        target.write_bytes(b"".join(forged))
        assert not check_bundle(target).ok


def test_who_signs_anew_has_another_fingerprint(
    ids: list[str], path: Path, key: Path, tmp_path: Path
) -> None:
    mine = export_bundle(path, tmp_path / "mine", key)
    other = export_bundle(path, tmp_path / "other", tmp_path / "other.pem")
    assert other.ok and other.fingerprint != mine.fingerprint
    refused = check_bundle(tmp_path / "other", mine.fingerprint)
    assert not refused.ok and refused.reason is not None and "another" in refused.reason


def test_what_is_no_bundle_is_told(ids: list[str], path: Path, key: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada", "utf-8")
    assert not is_bundle(letter) and not check_bundle(letter).ok
    with pytest.raises(InputError, match="is no bundle"):
        export_bundle(path, letter, key)
    with pytest.raises(InputError, match="cannot be written"):
        export_bundle(path, tmp_path / "none" / "b", key)
    with pytest.raises(InputError, match="cannot be read"):
        check_bundle(tmp_path)
    newer = tmp_path / "newer"
    newer.write_bytes(
        json.dumps({"groundwire_evidence": 2}, separators=(",", ":")).encode() + b"\n"
    )
    assert "update groundwire" in str(check_bundle(newer).reason)
    key.write_text("no key", "utf-8")
    with pytest.raises(UnavailableError, match="cannot be read or made"):
        export_bundle(path, tmp_path / "b", key)
