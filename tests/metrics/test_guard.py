"""What may be shown of what was looked up."""

from __future__ import annotations

import pytest

from groundwire.metrics.proof import guard, holds_figure
from groundwire.metrics.results import AvailableItem, Cell, IntervalItem, SourceItem

FOUND = Cell(
    answer="Revenue of Alpha for FY2024: 120 CNY (Annual report, row 3).",
    status="found",
    value=120,
    value_text="120",
    unit="CNY",
    metric="REVENUE",
    entity="A",
    period="FY2024",
    channel="TOTAL",
    interval=IntervalItem(start="2024-01-01", end="2024-12-31", grain="year"),
    source=SourceItem(doc="Annual report", locator="row 3"),
    as_of="2025-03-01",
)
NOT_FOUND = Cell(
    answer="No fact is held of Revenue of Alpha for FY2030.",
    status="not_found",
    normalized={"metric": "REVENUE", "entity": "A", "period": "FY2030", "channel": "TOTAL"},
    available=AvailableItem(periods=["FY2024"], entities=[], channels=["TOTAL"]),
)
UNRECOGNIZED = Cell(
    answer='"Alfa" is not a company that is held here; near to it: Alpha.',
    status="unrecognized_param",
    param="entity",
    raw="Alfa",
    reason="unknown",
    candidates=[],
)


def test_a_found_value_is_stated_from_the_fact() -> None:
    guarded = guard([FOUND])
    assert guarded.text == FOUND.answer
    assert guarded.verdict == "found"


def test_what_is_missing_beside_a_found_value_is_named() -> None:
    guarded = guard([FOUND, NOT_FOUND])
    assert guarded.text == f"{FOUND.answer} No fact is held of REVENUE of A for FY2030."


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_not_held_gets_a_fixed_refusal_without_any_number(language: str) -> None:
    guarded = guard([NOT_FOUND, UNRECOGNIZED], language)  # type: ignore[arg-type]
    assert guarded.verdict == "not_found"
    assert not holds_figure(guarded.text)


def test_only_unrecognized_parameters_are_named() -> None:
    guarded = guard([UNRECOGNIZED])
    assert guarded.text == UNRECOGNIZED.answer
    assert guarded.verdict == "unrecognized_param"


def test_without_a_tool_result_there_is_a_refusal_without_any_number() -> None:
    guarded = guard([])
    assert guarded.verdict == "refused"
    assert not holds_figure(guarded.text)


def test_names_for_people_stand_for_codes() -> None:
    names = {"REVENUE": "营收", "A": "甲公司"}
    guarded = guard([FOUND, NOT_FOUND], language="zh", names=names)
    assert guarded.text.endswith("没有甲公司 FY2030 营收的事实。")
