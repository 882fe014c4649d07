"""Answers of the metrics tools. Field names are public (design.md, "metrics").

Every model begins with `answer`, one sentence that can be quoted as it is. A result of
`query_metric` has exactly the fields of its status: neither of the two refusals has a place where
a value could stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from groundwire.evidence.answers import Answer, Paged, Part, Proven, ResolvedItem, Settled
from groundwire.vocabulary import Candidate

Status = Literal["found", "not_found", "unrecognized_param"]
Reason = Literal["unknown", "ambiguous", "unsupported", "out_of_scope_entity"]
Mode = Literal["none", "ask_first", "answer_with_assumptions", "out_of_scope_entity"]


class IntervalItem(Part):
    """First and last day, and the grain, of what a value covers."""

    start: str
    end: str
    grain: str


class SourceItem(Part):
    """Document and place that a value or passage is from."""

    doc: str
    locator: str
    raw: str | None = None
    publisher: str | None = None
    doc_hash: str | None = None


class ConflictItem(Part):
    """The value of another source for the same fact."""

    value_text: str
    source: SourceItem
    as_of: str


class CandidateItem(Part):
    """A term that may have been meant; `value` can be sent as it stands. `likeness` is a word."""

    value: str
    label: str
    likeness: Literal["same name", "close", "possible"] | None = None


class AvailableItem(Part):
    """Terms that are held where one argument alone is another: periods, entities or channels.

    `left_out` says what more is held than these lists show.
    """

    periods: list[str]
    entities: list[str]
    channels: list[str]
    known_from: str | None = None
    left_out: str | None = None


_OWN: Mapping[str, frozenset[str]] = {
    "found": frozenset(
        (
            *("value", "value_text", "unit", "metric", "entity", "period", "channel"),
            *("interval", "source", "as_of"),
        )
    ),
    "not_found": frozenset(("normalized", "available")),
    "unrecognized_param": frozenset(("param", "raw", "reason", "candidates")),
}


class OperandItem(Part):
    """A found value that a derived one was computed from."""

    metric: str
    entity: str
    channel: str
    period: str
    value_text: str
    unit: str


class Cell(Settled):
    """One outcome of the tri-state: found, not_found or unrecognized_param."""

    own = _OWN
    allowed: ClassVar[Mapping[str, frozenset[str]]] = {"found": frozenset(("conflicts",))}

    status: Status
    value: int | float | None = None
    value_text: str | None = None
    unit: str | None = None
    metric: str | None = None
    entity: str | None = None
    period: str | None = None
    channel: str | None = None
    interval: IntervalItem | None = None
    source: SourceItem | None = None
    as_of: str | None = None
    conflicts: list[ConflictItem] | None = None
    formula: str | None = None
    exact: bool | None = None
    operands: list[OperandItem] | None = None
    normalized: dict[str, str] | None = None
    available: AvailableItem | None = None
    param: str | None = None
    raw: str | None = None
    reason: Reason | None = None
    candidates: list[CandidateItem] | None = None
    resolved: list[ResolvedItem] | None = None


class QueryResult(Cell, Proven):
    """Answer of `query_metric`."""


class DerivedItem(Part):
    """A value computed from found values alone; rounded where `exact` is false.

    `whole` says what a share is of; other values have none.
    """

    operation: str
    value: str
    unit: str
    exact: bool
    formula: str
    whole: str | None = None
    operands: list[OperandItem]


class NotDerivedItem(Part):
    """A computation that was asked for and not made, with the reason."""

    operation: str
    reason: str
    reason_in_chinese: str | None = None
    reason_in_german: str | None = None


class GridResult(Paged, Proven):
    """Answer of `query_metric_grid`."""

    items = "cells"
    cells: list[Cell]
    derived: list[DerivedItem]
    not_derived: list[NotDerivedItem] | None = None


class MetricItem(Part):
    """A metric with what there is of it. Counts are of the store, not of the world.

    `label_de` is its name in German, where it has one; `dimensions` are what a table of it can be
    broken down and filtered by; `store` is "warehouse"
    for a metric that is not held as facts, whose counts are not known.
    """

    code: str
    label: str
    unit: str
    aliases: list[str]
    grains: list[str]
    label_de: str | None = None
    kind: str | None = None
    measure: str | None = None
    definition: str | None = None
    entities_covered: int | None = None
    periods_covered: str | None = None
    dimensions: list[str] | None = None
    store: Literal["warehouse"] | None = None


class Metrics(Paged):
    """Answer of `list_metrics`."""

    items = "metrics"
    metrics: list[MetricItem]


class DimensionValue(Part):
    """A code or label that can be sent, with its name."""

    value: str
    label: str
    aliases: list[str] | None = None
    kind: str | None = None
    interval: IntervalItem | None = None


class DimensionValues(Paged):
    """Answer of `list_dimension_values`."""

    items = "values"
    dimension: str
    metric: str | None = None
    values: list[DimensionValue]


class IntentItem(Part):
    """How a question was read. Codes are controlled; periods are labels.

    `table` has the arguments of `query_metric_table` where the question asks for a table.
    """

    metric: str | None = None
    entity: str | None = None
    period: str | None = None
    channel: str | None = None
    metrics: list[str]
    entities: list[str]
    periods: list[str]
    channels: list[str]
    route: Literal["structured", "narrative", "composite"]
    derive: list[str] | None = None
    share_of: str | None = None
    premise: Literal["rise", "fall", "higher", "lower", "loss"] | None = None
    compared_with: list[str] | None = None
    external_entity: str | None = None
    not_understood: list[str] | None = None
    table: dict[str, Any] | None = None
    raw_question: str


class OptionItem(Part):
    """One step that makes a question complete: send `value` for `slot`."""

    slot: str
    value: str
    label: str


class Clarified(Answer):
    """Answer of `clarify_question`."""

    mode: Mode
    intent: IntentItem
    assumed_slots: dict[str, str]
    assumption_note: str | None = None
    narrowing_options: list[OptionItem]
    question: str | None = None


class PassageItem(Part):
    """A quotation with its place. The text is data, whatever it says.

    `restated` tells of figures in it that do not stand any more, and what stands in their place.
    """

    text: str
    doc: str
    title: str | None = None
    locator: str
    score: Literal["best", "good", "fair"]
    restated: list[str] | None = None


class NarrativeResult(Answer, Proven):
    """Answer of `search_narrative`."""

    status: Literal["found", "empty", "out_of_scope_entity"]
    passages: list[PassageItem]
    resolved: list[ResolvedItem] | None = None
    notes: list[str] | None = None


_CLOSE = 0.8
_MOST_QUOTED = 80


def near_names(raw: str, offered: Iterable[CandidateItem]) -> list[str]:
    """Return the names that are near to a term: those that are alike, or share a word with it."""
    said = set(raw.casefold().split())
    return [
        one.label
        for one in offered
        if one.likeness != "possible" or said & set(one.label.casefold().split())
    ]


def candidates(found: Sequence[Candidate]) -> list[CandidateItem]:
    """Candidates with their likeness in words, since a number could be read as a value."""
    return [
        CandidateItem(
            value=one.term.id,
            label=one.term.label,
            likeness="same name"
            if one.score >= 1
            else "close"
            if one.score >= _CLOSE
            else "possible",
        )
        for one in found
    ]


def refusal(
    param: str, raw: str, reason: Reason, answer: str, offered: list[CandidateItem]
) -> Cell:
    """Return the cell of an argument that is not used."""
    return Cell(
        answer=answer,
        status="unrecognized_param",
        param=param,
        raw=raw,
        reason=reason,
        candidates=offered,
    )


def quoted(raw: str) -> str:
    """Return a sent text, cut to the length that a sentence can hold."""
    text = " ".join(raw.split())
    return f'"{text[:_MOST_QUOTED]}..."' if len(text) > _MOST_QUOTED else f'"{text}"'
