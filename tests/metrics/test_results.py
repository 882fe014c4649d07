"""Results hold the fields of their status, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from groundwire.metrics.results import (
    AvailableItem,
    Cell,
    GridResult,
    IntervalItem,
    QueryResult,
    SourceItem,
)

FOUND: dict[str, Any] = {
    "answer": "Revenue of Alpha for 2024: 120 CNY (Report, row 3).",
    "status": "found",
    "value": 120,
    "value_text": "120",
    "unit": "CNY",
    "metric": "REVENUE",
    "entity": "A",
    "period": "2024",
    "channel": "TOTAL",
    "interval": IntervalItem(start="2024-01-01", end="2024-12-31", grain="year"),
    "source": SourceItem(doc="Report", locator="row 3"),
    "as_of": "2025-03-01",
}
NOT_FOUND: dict[str, Any] = {
    "answer": "No fact is held.",
    "status": "not_found",
    "normalized": {"metric": "REVENUE"},
    "available": AvailableItem(periods=[], entities=[], channels=[]),
}
UNRECOGNIZED: dict[str, Any] = {
    "answer": '"x" is no metric.',
    "status": "unrecognized_param",
    "param": "metric",
    "raw": "x",
    "reason": "unknown",
    "candidates": [],
}
ALL = [FOUND, NOT_FOUND, UNRECOGNIZED]


@pytest.mark.parametrize("fields", ALL, ids=lambda one: one["status"])
def test_each_status_has_all_its_fields(fields: dict[str, Any]) -> None:
    assert Cell(**fields).status == fields["status"]
    for name in fields.keys() - {"answer", "status"}:
        with pytest.raises(ValidationError, match=rf"lacks \['{name}'\]"):
            Cell(**{key: value for key, value in fields.items() if key != name})


@pytest.mark.parametrize("fields", ALL, ids=lambda one: one["status"])
def test_no_status_has_a_field_of_another(fields: dict[str, Any]) -> None:
    for other in ALL:
        for name in other.keys() - fields.keys():
            with pytest.raises(ValidationError, match=rf"has \['{name}'\]"):
                Cell(**fields, **{name: other[name]})


def test_only_a_value_has_conflicts() -> None:
    with pytest.raises(ValidationError, match=r"has \['conflicts'\]"):
        Cell(**NOT_FOUND, conflicts=[])


def test_a_score_is_a_word_since_a_number_could_be_read_as_a_value() -> None:
    offered = [{"value": "REVENUE", "label": "Revenue", "likeness": 0.93}]
    with pytest.raises(ValidationError):
        Cell(**UNRECOGNIZED | {"candidates": offered})


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        QueryResult(**FOUND, guess=125)


def test_a_page_that_is_cut_says_where_the_next_begins() -> None:
    cells = [Cell(**FOUND)] * 5
    page = GridResult(answer="Five.", cells=cells, derived=[], offset=10)
    kept = page.shortened(2)
    assert (page.item_count, kept.item_count, kept.next_offset) == (5, 2, 12)
