"""The audit block of one query: every field of the seed, whichever engine answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.sparql.outcome import QueryAudit

LOCAL = QueryAudit(
    query_language="sql",
    query_text="SELECT 1",
    endpoint="facts",
    endpoint_url="local:facts",
    start_timestamp="2026-11-22T08:00:00.000Z",
    end_timestamp="2026-11-22T08:00:00.001Z",
    status_code=None,
    per_query_status_and_error="complete",
    result_summary="1 row of 1 column",
)


@pytest.mark.parametrize(
    ("ended", "code"),
    [
        ("complete", "ok"),
        ("empty", "ok"),
        ("truncated: cut at 10 rows", "ok"),
        ("refused: no update is run", "refused"),
        ("error: no such table", "error"),
    ],
)
def test_without_http_the_status_is_a_word(ended: str, code: str) -> None:
    assert replace(LOCAL, per_query_status_and_error=ended).block()["status_code"] == code


def test_an_http_status_stays_a_number() -> None:
    audit = replace(LOCAL, status_code=429, per_query_status_and_error="error: too many")
    assert audit.block()["status_code"] == 429


def test_no_field_of_the_block_is_null_and_so_left_out_of_an_answer() -> None:
    block = replace(LOCAL, raw=b"1", raw_size=1).block()
    assert None not in [*block.values(), *block["raw_response"].values()]
