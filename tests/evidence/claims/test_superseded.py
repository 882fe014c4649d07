"""A later answer about a state replaces the earlier ones; a wish is held for no fact."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.evidence.canonical import decode, encode, join
from groundwire.evidence.claims.check import check
from groundwire.evidence.claims.superseded import standing
from groundwire.evidence.records import Draft, Record, Value
from tests.evidence.drafts import record


def _told(
    number: int, *values: Value, stale: tuple[str, ...] | None = (), tool: str = "t"
) -> Record:
    one = record(values, evidence_id=f"ev_{number}", tool=tool, arguments={"n": number})
    return replace(one, sequence=number, draft=replace(one.draft, stale=stale, answer="So it is."))


def _due(day: str) -> Value:
    return Value("due", day, "date", entity="Bowline")


def test_the_later_day_stands_alone() -> None:
    records = [_told(2, _due("2027-07-03")), _told(1, _due("2027-03-04"))]
    assert check("Bowline is due on 2027-07-03.", records).verdict == "supported"
    assert check("Bowline is due on 2027-03-04.", records).verdict != "supported"
    first = standing(records)[1].draft
    assert (first.values, first.answer) == ((), "")


def test_answers_that_hold_for_ever_are_not_replaced() -> None:
    records = [
        _told(2, _due("2027-07-03"), stale=None),
        _told(1, _due("2027-03-04"), stale=None),
        _told(3, Value("due", "4")),
    ]
    assert standing(records) == tuple(records)


def test_counts_that_a_change_makes_out_of_date_no_longer_stand() -> None:
    listed = _told(1, Value("due", "2"), Value("held", "8"), _due("2026-11-24"))
    changed = _told(2, _due("2027-07-03"), stale=("due",))
    left = standing([changed, listed])[1].draft
    assert [value.name for value in left.values] == ["held"]


def test_the_same_call_replaces_the_whole_answer() -> None:
    first = _told(1, Value("due", "2"), Value("new", "3"))
    again = replace(_told(2, Value("due", "1")), arguments=first.arguments)
    assert standing([again, first])[1].draft.values == ()


@pytest.mark.parametrize("stale", [None, (), ("due",)])
def test_what_is_out_of_date_is_kept_with_the_record(stale: tuple[str, ...] | None) -> None:
    written = join(*encode("t", {}, Draft(stale=stale), payload_cut=False))
    assert decode(written).draft.stale == stale


@pytest.mark.parametrize(
    ("draft", "holds"),
    [
        ("The desired retention is 90 %.", True),
        ("The retention is 90 %.", False),
        ("The target revenue is 120 EUR.", True),
        ("The revenue is 120 EUR.", False),
        ("The score is 0.16.", True),
        ("The schedule's score is 0.13.", True),
        ("The score is 0.13.", False),
        ("The schedule's score is 0.16.", False),
    ],
)
def test_a_figure_that_is_wished_for_or_of_a_schedule_is_told_as_such(
    draft: str, holds: bool
) -> None:
    values = (
        Value("desired retention", "90", unit="%"),
        Value("target revenue", "120", unit="EUR"),
        Value("score", "0.16"),
        Value("score", "0.13", entity="schedule", labels=("schedule",)),
    )
    assert (check(draft, [record(values)]).verdict == "supported") is holds
