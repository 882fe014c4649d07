from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.evidence import Draft, Ledger, Value
from groundwire.serving import EvidenceTools, build_server
from groundwire.serving.evidence_tools import ClaimItem, Verified
from groundwire.serving.fitting import RESULT_CHARACTERS, fit

pytestmark = pytest.mark.anyio


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "evidence.sqlite") as ledger:
        yield ledger


@pytest.fixture
def call(bench: Any, ledger: Ledger) -> Any:
    from groundwire.config import Settings

    server = build_server(
        "proof",
        [EvidenceTools(ledger, bench.handles)],
        settings=Settings(Path("/nowhere")),
        handles=bench.handles,
        ledger=ledger,
    )

    async def called(tool: str, /, **arguments: Any) -> Any:
        async with Client(server) as client:
            result = await client.call_tool(tool, arguments)
        return result.content[0].text if result.is_error else result.structured_content

    return called


def lengths(*kilometres: str) -> Draft:
    return Draft(
        values=tuple(
            Value("length", text, unit="km", entity=f"Road {at}", source="urn:x")
            for at, text in enumerate(kilometres)
        ),
        audit={"query_text": "SELECT"},
    )


async def test_a_record_is_read_part_by_part(call: Any, ledger: Ledger) -> None:
    receipt = ledger.record("local", "find", {"a": 1}, lengths("12.5"))
    page = await call("get_evidence", evidence_id=receipt.evidence_id)
    assert page["answer"].startswith(f"The summary of {receipt.evidence_id} has ")
    assert json.loads(page["text"])["tool"] == "find"
    values = await call("get_evidence", evidence_id=receipt.evidence_id, part="Values")
    assert json.loads(values["text"])["value"] == "12.5"


async def test_a_long_part_is_paged_to_its_end(call: Any, ledger: Ledger) -> None:
    payload = ("0123456789" * 3_000).encode()
    receipt = ledger.record("local", "find", {}, Draft(payload=payload))
    text, cursor = "", None
    for _ in range(10):
        sent = {"evidence_id": receipt.evidence_id, "part": "payload"}
        page = await call("get_evidence", **sent, **({"cursor": cursor} if cursor else {}))
        text += page["text"]
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert text.encode() == payload


async def test_another_owners_record_is_not_found(call: Any, ledger: Ledger) -> None:
    receipt = ledger.record("user:else", "find", {}, lengths("12.5"))
    missing = await call("get_evidence", evidence_id="ev_nothing")
    hidden = await call("get_evidence", evidence_id=receipt.evidence_id)
    assert missing.replace("ev_nothing", receipt.evidence_id) == hidden
    line = await call("verify_answer", draft="12.5 km", evidence_ids=[receipt.evidence_id])
    assert line.startswith("there is no evidence")
    recent = await call("verify_answer", draft="Road 0 is 12.5 km long.")
    assert recent["records_used"] == 0
    assert "No evidence is recorded" in recent["answer"]


async def test_an_invented_number_is_caught(call: Any, ledger: Ledger) -> None:
    receipt = ledger.record("local", "find", {}, lengths("12.5"))
    good = await call("verify_answer", draft="Road 0 is 12.5 km long.")
    assert good["verdict"] == "supported"
    assert "nothing to correct" in good["answer"]
    bad = await call(
        "verify_answer", draft="Road 0 is 17.5 km long.", evidence_ids=receipt.evidence_id
    )
    assert bad["verdict"] == "contradicted"
    assert '"17.5 km"' in bad["answer"]
    wrong = [claim for claim in bad["claims"] if claim["status"] == "contradicted"]
    assert wrong[0]["evidence_id"] == receipt.evidence_id


async def test_a_text_without_claims_says_so(call: Any) -> None:
    checked = await call("verify_answer", draft="Good morning.")
    assert checked["verdict"] == "nothing_to_judge"
    assert "states no number" in checked["answer"]


async def test_of_a_long_draft_the_beginning_is_read_and_the_rest_is_said_to_be_unread(
    ledger: Ledger, call: Any
) -> None:
    receipt = ledger.record("local", "t", {}, Draft(values=(Value("population", "83.2"),)))
    padding = "Nothing more is said here. " * 1_500
    checked = await call(
        "verify_answer",
        draft=f"The population is 83.2. {padding} It is 99.9.",
        evidence_ids=[receipt.evidence_id],
    )
    assert "nothing to correct" not in checked["answer"]
    assert "characters of the text were not read" in checked["answer"]
    assert checked["answer"].endswith(checked["not_judged"][-1])
    assert not any("99.9" in claim["text"] for claim in checked["claims"])
    short = await call("verify_answer", draft="The population is 83.2.")
    assert "not read" not in short["answer"]


async def test_a_draft_of_over_a_million_characters_is_refused(call: Any) -> None:
    line = await call("verify_answer", draft="1 " * 600_000)
    assert "at most 1,000,000 characters" in line
    assert len(line) < 300


def test_the_worst_claims_survive_the_budget() -> None:
    claims = [
        ClaimItem(
            text=str(number),
            kind="number",
            status="contradicted" if number % 50 == 49 else "supported",
            detail="x" * 200,
        )
        for number in range(500)
    ]
    result = Verified(
        answer="Wrong.", verdict="contradicted", claims=claims, not_judged=[], records_used=1
    )
    fitted = fit(result)
    assert len(fitted.text) <= RESULT_CHARACTERS
    kept = fitted.wire["claims"]
    assert [one["text"] for one in kept if one["status"] == "contradicted"] == [
        str(number) for number in range(49, 500, 50)
    ]
    assert fitted.dropped == 500 - len(kept) > 0
