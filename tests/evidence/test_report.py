"""The lines of the command line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.errors import NotFoundError
from groundwire.evidence import Draft, Ledger, report


def test_show_prints_the_record_of_any_owner(ledger: Ledger, answer: Draft) -> None:
    payload = b"line\n" * 3_000
    draft = Draft(answer.values, answer.derivations, answer.audit, payload, answer.vocabulary)
    handle = ledger.record("alice", "submit_slots", {"limit": 5}, draft).evidence_id
    lines = list(report.show(ledger, handle))
    assert lines[:2] == ["owner: alice", "summary:"]
    heads = [line for line in lines if not line.startswith(" ")]
    assert heads[1:] == [
        "summary:", "arguments:", "values:", "derivations:", "audit:", "vocabulary:", "payload:",
    ]  # fmt: skip
    assert any('"entity":"Ring 环路"' in line for line in lines)
    assert lines[-1] == "  (7,000 more characters)"


def test_show_leaves_out_what_is_empty(ledger: Ledger) -> None:
    handle = ledger.record("local", "t", {}, Draft()).evidence_id
    text = "\n".join(report.show(ledger, handle))
    assert "values:" not in text.replace('"values": 0', "")
    assert text.endswith("payload:\n  This record has no payload.")


def test_show_prints_every_page_of_values(ledger: Ledger, answer: Draft) -> None:
    draft = Draft(answer.values * 100)
    handle = ledger.record("local", "t", {}, draft).evidence_id
    lines = list(report.show(ledger, handle))
    assert sum(line.startswith('  {"name"') for line in lines) == 300


def test_show_of_what_is_not_there_says_what_to_do(ledger: Ledger) -> None:
    with pytest.raises(NotFoundError, match="copy the evidence_id"):
        list(report.show(ledger, "nothing"))


def test_head_prints_what_verify_takes(ledger: Ledger) -> None:
    for _ in range(2):
        (line,) = report.head(ledger)
        assert report.verify(ledger, line)[0]
        ledger.record("local", "t", {}, Draft())


def test_verify_tells_what_it_found(ledger: Ledger, tamper: Callable[[str], None]) -> None:
    for n in range(3):
        ledger.record("local", "t", {}, Draft(payload=b"%d" % n))
    kept = ledger.head().hash
    ok, lines = report.verify(ledger)
    assert ok
    assert lines[0] == "Unchanged: 3 records, 3 payloads."
    assert "groundwire evidence head" in lines[1]
    assert report.verify(ledger, kept)[1][-1] == "The kept head is in the chain."
    tamper("UPDATE records SET owner = 'x' WHERE sequence = 2")
    assert report.verify(ledger, kept) == (
        False,
        [
            "NOT AS WRITTEN: record 2 was changed after it was written.",
            "Records before that, unchanged: 1.",
        ],
    )
