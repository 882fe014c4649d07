"""Questions for what lies above or below a figure: "countries with more than 1 billion people"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.language import Span, annotate
from groundwire.metrics.table.breakdowns import read_parts
from groundwire.metrics.table.query import PERIOD
from groundwire.metrics.table.question_parts import (
    Parts,
    names_of,
    names_with_values,
    parts_of,
    split_compounds,
)

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_LONGEST = 200
# What the senses of a bound are called in the conditions of a table.
_SIGNS: Mapping[str, str] = {
    "more_than": "gt",
    "less_than": "lt",
    "at_least": "gte",
    "at_most": "lte",
}


def read_bounded(state: State, text: str) -> dict[str, Any] | None:
    """Return the arguments of the table of all that lies above or below a figure, or None.

    Args:
        state: the fact base.
        text: the question, which the gate has let pass.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if len(text) > _LONGEST:
        return None
    text = split_compounds(state.tables, text)
    bound, rest = _apart(annotate(text, names_of(state)).spans)
    if bound is None:
        return None
    parts = parts_of(rest, lenient=True)
    if parts is not None and _is_of_warehouse(state, parts):
        bound, rest = _apart(annotate(text, names_with_values(state)).spans)
    parts = parts_of(rest)
    if bound is None or parts is None or not _asks_for_all(parts):
        return None
    sign, value, unit = bound
    parts.metrics = parts.metrics or _measured(state, parts, unit)
    if len(parts.metrics) != 1:
        return None
    (code,) = parts.metrics
    if unit not in ("", state.tables.metrics[code][1].unit):
        return None
    parts.by_noun = True
    asked = read_parts(state, parts)
    if asked is None or PERIOD in asked["by"]:
        return None
    where = {**asked.get("where", {}), code: {sign: value}}
    return asked | {"where": where}


class Bound(NamedTuple):
    """A figure that values are held against: its sign, its digits and its unit or ""."""

    sign: str
    value: str
    unit: str


def _apart(spans: Sequence[Span]) -> tuple[Bound | None, list[Span]]:
    """Return the one bound with its figure, and the spans that are left."""
    found = [
        (at, _SIGNS[span.role.sense], figure)
        for at, span in enumerate(spans[:-1])
        if span.role is not None
        and span.role.sense in _SIGNS
        and (figure := spans[at + 1].quantity) is not None
    ]
    if len(found) != 1:
        return None, []
    ((at, sign, figure),) = found
    rest = [*spans[:at], *spans[at + 2 :]]
    return Bound(sign, f"{figure.value:f}", figure.unit or ""), rest


def _asks_for_all(parts: Parts) -> bool:
    """Whether nothing else is asked of what the values are of."""
    ranks = parts.ranks or parts.place or parts.count or parts.orders
    return bool(parts.nouns) and not (ranks or parts.follows or parts.compares)


def _is_of_warehouse(state: State, parts: Parts) -> bool:
    return any(state.tables.metrics[code][0] == "warehouse" for code in parts.metrics)


def _measured(state: State, parts: Parts, unit: str) -> tuple[str, ...]:
    """Return the metrics of what is named that a word hints at, or that have a unit."""
    hints, parts.hints = parts.hints, ()
    return tuple(
        code
        for code, (store, metric) in state.tables.metrics.items()
        if store == "facts"
        and (code in hints if hints else metric.unit == unit)
        and state.profile.metric_by_code[metric.code].kind in parts.nouns
    )
