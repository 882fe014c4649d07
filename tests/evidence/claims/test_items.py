"""Values of several alike things in one answer, such as the trips of a day, are told apart."""

from __future__ import annotations

import pytest

from groundwire.evidence.canonical import decode, encode, join
from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft, Item, Record, Value
from tests.evidence.drafts import refused

FIRST = Item(("Brixton to Bank", "Brixton - Bank", "first trip"))
SECOND = Item(("Bank to Tate Modern", "Bank - Tate Modern", "second trip", "trip to Tate Modern"))


def trip(item: Item, leaves: str, arrives: str, minutes: str, end: str) -> list[Value]:
    return [
        Value("departure", leaves, "time", labels=("leave", "leaves"), item=item),
        Value("arrival", arrives, "time", labels=("arrive", "arriving"), item=item),
        Value("duration", minutes, unit="min", labels=("takes",), item=item),
        Value("end of the journey", end, "name", item=item),
    ]


DRAFT = Draft(
    (
        *trip(FIRST, "08:00", "08:20", "20", "Bank"),
        *trip(SECOND, "17:00", "17:15", "15", "Tate Modern"),
        Value("number of journeys", "2"),
    )
)


def record(draft: Draft = DRAFT, evidence_id: str = "ev_1") -> Record:
    return Record(
        evidence_id=evidence_id, sequence=1, owner="ada", tool="compute_journey_plans",
        arguments={}, created="2026-11-21T09:00:00.000Z", draft=draft, payload_hash=None,
        payload_size=None, payload_cut=False, previous_hash="", hash="",
    )  # fmt: skip


def wrong(text: str, *records: Record) -> list[str]:
    found = check(text, records or [record()])
    return refused(found)


@pytest.mark.parametrize(
    "text",
    [
        "Brixton to Bank leaves at 08:00, arrives at 08:20 and takes 20 minutes.",
        "Brixton to Bank: 20 minutes; Bank to Tate Modern: 15 minutes.",
        "It takes 20 minutes from Brixton to Bank and 15 minutes from Bank to Tate Modern.",
        "The second trip takes 15 minutes and the first trip 20 minutes.",
        "Brixton → Bank takes 20 minutes.",
        "From Brixton to Bank at 08:00, arriving 08:20; leave for Tate Modern at 17:00.",
        "The trips Brixton to Bank and Bank to Tate Modern take 20 and 15 minutes.",
        "| Trip | Takes |\n|---|---|\n| Brixton to Bank | 20 minutes |\n"
        "| Bank to Tate Modern | 15 minutes |",
        "**Brixton to Bank**\n- leave at 08:00\n\n**Bank to Tate Modern**\n- leave at 17:00",
        "These are 2 journeys. You leave at 08:00, and it takes 20 minutes.",
    ],
)
def test_what_is_said_of_its_own_trip_is_supported(text: str) -> None:
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Brixton to Bank takes 15 minutes.", ["15 minutes"]),
        ("Brixton → Bank takes 15 minutes.", ["15 minutes"]),
        ("The trip to Tate Modern leaves at 08:00.", ["08:00"]),
        (
            "The second trip takes 20 minutes and the first trip 15 minutes.",
            ["20 minutes", "15 minutes"],
        ),
        (
            "| Trip | Takes |\n|---|---|\n| Brixton to Bank | 20 minutes |\n"
            "| Bank to Tate Modern | 20 minutes |",
            ["20 minutes"],
        ),
        ("**Brixton to Bank**\n- leave at 17:00", ["17:00"]),
    ],
)
def test_what_is_given_to_another_trip_is_contradicted(text: str, found: list[str]) -> None:
    assert wrong(text) == found
    assert check(text, [record()]).verdict == "contradicted"


def test_a_piece_of_one_item_may_be_called_as_another_item_is() -> None:
    piece = Item(("Brixton to Greenwich",), ("Brixton to Bank",))
    other = Draft(tuple(trip(piece, "09:00", "09:21", "21", "Bank")))
    both = (record(), record(other, "ev_2"))
    assert wrong("Travel from Brixton to Bank at 09:00, which takes 21 minutes.", *both) == []
    assert wrong("Brixton to Greenwich takes 20 minutes.", *both) == ["20 minutes"]


def test_an_item_is_written_with_its_value_and_changes_no_other() -> None:
    plain = Draft((Value("total", "3"),))
    assert b'["total","3","number",null,null,null,[],null,null]' in encode("t", {}, plain, False)[1]
    assert decode(join(*encode("t", {}, DRAFT, False))).draft == DRAFT
