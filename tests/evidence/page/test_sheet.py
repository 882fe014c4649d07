"""What a page of evidence shows of a record, and that nothing of it can act."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from groundwire.apps import write_page
from groundwire.errors import InputError
from groundwire.evidence import Draft, Ledger, Statement, Value
from groundwire.evidence.page.rendering import (
    MARK,
    Sheet,
    ShownClaim,
    app_page,
    chain_line,
    evidence_page,
    fragment,
    shown_record,
)
from groundwire.evidence.records import Condition

EVIL = "<img src=x onerror=alert(1)>\u202e{{ 7 * 7 }}"


def sheet(*records: object, claims: tuple[ShownClaim, ...] = ()) -> Sheet:
    return Sheet("Evidence", "", True, "", "", claims, records)  # pyright: ignore[reportArgumentType]


def cells(html: str) -> list[str]:
    return [unescape(one) for one in re.findall(r"<td[^>]*>(.*?)</td>", html, re.DOTALL)]


def test_a_value_has_its_source_and_a_sum_its_formula(ledger: Ledger, answer: Draft) -> None:
    receipt = ledger.record("local", "submit_slots", {"limit": 2}, answer)
    shown = shown_record(ledger.inspect(receipt.evidence_id))
    length, ring = shown.values[:2]
    assert (length.about, length.name, length.value) == ("A 9", "length", "12.5 km")
    assert (ring.period, ring.source) == ("2024", "catalogue.ttl#ring")
    assert shown.computed[0].startswith("sum: ") and shown.computed[0].endswith("19.75 km")
    assert shown.hash.startswith(shown.seal) and shown.sequence == 1
    html = fragment(sheet(shown))
    assert {"12.5 km", "catalogue.ttl#ring"} <= set(cells(html))
    assert shown.previous_hash in html and '"limit": 2' in unescape(html)


def test_a_record_tells_its_sets_and_what_was_not_held(ledger: Ledger) -> None:
    country = Condition(("country", "Land"), objects=(("DE", "Germany"),))
    draft = Draft(
        values=(Value("total", "2"),),
        statements=(
            Statement(
                "scope", ("map",), objects=(("A",), ("B",)), conditions=(country,), value=0,
                complete="all_listed",
            ),
            Statement("absence", ("Northern line",), ("disruption",)),
            Statement("relation", ("Niger",), ("borders",), (("Mali",),), complete="page"),
            Statement("part", ("plan 1",), position=2, conditions=(country,)),
            Statement("source", ("the embedded network",)),
        ),
        audit={
            "query_text": "SELECT ?a WHERE { ?a ?b ?c }", "endpoint": "local",
            "status_code": "ok", "raw_response": {"sha256": "ab" * 32},
        },
    )  # fmt: skip
    receipt = ledger.record("local", "submit_slots", {}, draft)
    shown = shown_record(ledger.inspect(receipt.evidence_id))
    assert shown.statements == (
        "set of map with country = DE: A, B [all are listed]",
        "looked for and not held: disruption Northern line",
        "Niger — borders — Mali [only a page was seen]",
        "part 2 of plan 1: country = DE",
        "source: the embedded network",
    )
    assert (
        shown.queries[0].text.startswith("SELECT") and shown.queries[0].response_hash == "ab" * 32
    )


def test_the_query_of_a_table_is_shown(ledger: Ledger) -> None:
    audit = {"sql": "SELECT 1", "status": "found"}
    receipt = ledger.record("local", "query_metric_table", {}, Draft(audit=audit))
    [query] = shown_record(ledger.inspect(receipt.evidence_id)).queries
    assert (query.text, query.outcome) == ("SELECT 1", "found")


def test_texts_of_data_do_nothing(ledger: Ledger) -> None:
    draft = Draft(
        values=(Value(EVIL, EVIL, kind="text", entity=EVIL, source=EVIL),),
        audit={"query_text": EVIL, "outcomes": [{"source": EVIL, "raw": EVIL}]},
        answer=EVIL,
        payload=EVIL.encode(),
    )
    receipt = ledger.record("local", "ask", {EVIL: EVIL}, draft)
    record = ledger.inspect(receipt.evidence_id)
    page = evidence_page(
        sheet(
            shown_record(record, EVIL.encode()),
            claims=(ShownClaim(EVIL, "supported", EVIL, ""),),
        )
    )
    assert "<img" not in page and "<script" not in page and "\u202e" not in page
    assert "{{ 7 * 7 }}" in page, "a text is no template"


def test_a_long_record_is_cut_and_says_so(ledger: Ledger) -> None:
    values = tuple(Value("n", str(one), entity=f"e{one}") for one in range(40))
    receipt = ledger.record("local", "ask", {}, Draft(values=values, answer="x" * 900))
    shown = shown_record(ledger.inspect(receipt.evidence_id), rows=25, text=100)
    assert len(shown.values) == 25 and len(shown.answer) == 100
    assert shown.left_out == "15 more values"
    assert "15 more values" in fragment(sheet(shown))


def test_the_chain_is_told(ledger: Ledger, answer: Draft) -> None:
    ledger.record("local", "ask", {}, answer)
    assert chain_line(ledger.verify()) == (
        "The chain holds: 1 record checked from the first to the last, none was changed."
    )


def test_only_a_page_of_its_kind_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_page(path, evidence_page(sheet()), MARK)
    write_page(path, evidence_page(sheet()), MARK)
    with pytest.raises(InputError, match="is no page of another"):
        write_page(path, "x", "another")
    with pytest.raises(InputError, match="cannot be written"):
        write_page(tmp_path / "none" / "page.html", "x", MARK)


def test_the_app_runs_one_script_and_fetches_nothing() -> None:
    page = app_page()
    assert page.count("<script>") == 1 and "default-src 'none'" in page
    assert not re.findall(r"(?:src|href)=\"?https?:", page)
