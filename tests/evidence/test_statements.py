"""Statements of an answer are written into its record and read back as they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.evidence import Condition, Draft, Ledger, Statement, Value
from groundwire.evidence.canonical import decode, encode, join

MAPS = Statement(
    "scope",
    subject=("hdmap", "HD map", "maps"),
    objects=(("A 9", "urn:asset:a9"),),
    conditions=(
        Condition(("country", "Land"), "is", (("DE", "Germany", "German"),)),
        Condition(("length",), "more_than", (("20",),), "km"),
        Condition(("license",), "missing"),
    ),
    value=0,
    complete="page",
)
LEG = Statement(
    "part",
    subject=("plan 1", "Brixton to Bank"),
    conditions=(Condition(("line",), "is", (("Victoria", "Victoria line"),)),),
    position=1,
)
STATEMENTS = (
    MAPS,
    LEG,
    Statement(
        "order", ("plan 1",), ("change",), (("Stockwell",), ("Bank",)), complete="all_listed"
    ),
    Statement("relation", ("Sea water", "urn:c:1"), ("broader",), (("Water",),)),
    Statement("absence", ("Victoria line",), ("disruption",), source="TfL"),
    Statement("source", ("World Bank", "World Development Indicators")),
)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.kind)
def test_a_statement_is_read_back_as_it_was_written(statement: Statement) -> None:
    written = Draft(statements=(statement,), answer="There are 13 maps.")
    context, facts = encode("submit_slots", {}, written, payload_cut=False)
    assert decode(join(context, facts)).draft == written


def test_names_that_repeat_are_written_once() -> None:
    subject = ("hdmap", "HD map", "HD-Karte")
    groups = tuple(
        Statement("scope", subject, conditions=(Condition(("country",), "is", ((code,), subject)),))
        for code in ("DE", "FR", "IT")
    )
    _, facts = encode("submit_slots", {}, Draft(statements=groups), payload_cut=False)
    assert facts.count(b"HD-Karte") == 1
    assert decode(join(b'{"tool":"t","arguments":{}}', facts)).draft.statements == groups


def test_a_record_written_before_there_were_statements_is_read() -> None:
    context, facts = encode("tool", {}, Draft(values=(Value("total", "3"),)), payload_cut=False)
    assert b"statements" not in facts
    assert decode(join(context, facts)).draft == Draft(values=(Value("total", "3"),))


def test_statements_are_a_part_of_their_own(tmp_path: Path) -> None:
    with Ledger(tmp_path / "evidence.db") as ledger:
        receipt = ledger.record("local", "submit_slots", {}, Draft(statements=STATEMENTS))
        summary = json.loads(ledger.page(receipt.evidence_id, "local").text)
        lines = ledger.page(receipt.evidence_id, "local", "statements").text.splitlines()
        assert ledger.verify().ok
    assert (summary["statements"], "statements" in summary["parts"]) == (6, True)
    assert [json.loads(line)["kind"] for line in lines] == [one.kind for one in STATEMENTS]
