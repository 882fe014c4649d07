"""Answers of `query_metric_table`. Field names are public (design.md, "metrics").

A table has exactly the fields of its status: neither of the two refusals has a place where a value
could stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from groundwire.evidence.answers import Paged, Part, Proven, ResolvedItem, Settled
from groundwire.metrics.results import CandidateItem, Reason, Status

Role = Literal["key", "value", "before", "change", "percent_change"]

_FOUND_MAY_HAVE = frozenset(("total_rows", "sql", "chart", "differing", "sources"))
_OWN: Mapping[str, frozenset[str]] = {
    "found": frozenset(("columns", "rows", "is_complete")),
    "not_found": frozenset(("normalized", "available")),
    "unrecognized_param": frozenset(("param", "raw", "reason", "candidates")),
}


class ColumnItem(Part):
    """A column: a key of the rows, or a value with its unit.

    Attributes:
        code: code of the dimension or metric; of a computed column the metric's with its role.
        label: its name for people.
        role: what stands in it.
        unit: unit of its values, or None.
    """

    code: str
    label: str
    role: Role
    unit: str | None = None


class DifferingItem(Part):
    """The value of another source; the row is told by its place in the whole table."""

    row: int
    column: str
    value_text: str
    source: str


class TableResult(Settled, Paged, Proven):
    """Answer of `query_metric_table`: found, not_found or unrecognized_param.

    Attributes:
        columns: the keys, then the values.
        rows: for each column its exact `value_text`: a name, a period, or an exact decimal without
            grouping; null where there is none, which is not 0.
        total_rows: how many rows there are without the limit.
        is_complete: whether the rows of all pages are all that there are.
    """

    own = _OWN
    allowed: ClassVar[Mapping[str, frozenset[str]]] = {"found": _FOUND_MAY_HAVE}
    items: ClassVar[str] = "rows"
    unlisted: ClassVar[frozenset[str]] = frozenset(
        (
            *_FOUND_MAY_HAVE,
            *_OWN["not_found"],
            *_OWN["unrecognized_param"],
            "resolved",
            "notes",
            "answer_in_chinese",
            "answer_in_german",
        )
    )

    status: Status
    columns: list[ColumnItem] | None = None
    rows: list[list[str | None]] | None = None
    total_rows: int | None = None
    is_complete: bool | None = None
    differing: list[DifferingItem] | None = None
    sources: list[str] | None = None
    sql: str | None = None
    chart: dict[str, Any] | None = None
    normalized: dict[str, str] | None = None
    available: dict[str, list[str]] | None = None
    param: str | None = None
    raw: str | None = None
    reason: Reason | None = None
    candidates: list[CandidateItem] | None = None
    resolved: list[ResolvedItem] | None = None
    notes: list[str] | None = None
    answer_in_chinese: str | None = None
    answer_in_german: str | None = None

    @property
    def item_count(self) -> int:
        """How many rows this page holds."""
        return len(self.rows or ())

    def shortened(self, keep: int) -> Self:
        """The same page with its first rows; a refusal has none to leave out."""
        return self if self.rows is None else super().shortened(keep)
