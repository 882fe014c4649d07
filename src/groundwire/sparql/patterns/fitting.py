"""Checks by values and types whether steps fit, values have an order, or a value is a time."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.patterns.answers import key_of
from groundwire.sparql.patterns.compiling import MOST_ROWS, Step
from groundwire.sparql.patterns.reading import Option, Span, is_dated
from groundwire.sparql.schema.names import DATES, NUMERIC, Use, local

_TIMES = ("year", "date", "time", "period", "jahr", "datum")


def placed_classes(
    nodes: Sequence[frozenset[str]], classes: Sequence[Span]
) -> tuple[tuple[str, ...], ...] | None:
    """Return the class that the node after each hop has to be of; None where one fits no node."""
    placed: list[tuple[str, ...]] = [()] * len(nodes)
    for span in classes:
        wanted = frozenset(span.classes)
        free = [at for at in reversed(range(len(nodes))) if not placed[at]]
        fit = next((at for at in free if nodes[at] & wanted), None)
        if fit is None:
            fit = next((at for at in free if not nodes[at]), None)
        if fit is None:
            return None
        placed[fit] = span.classes
    return tuple(placed)


def may_stand(here: frozenset[str], types: Sequence[str], use: Use) -> bool:
    """Whether something of some types may stand where things of other types were seen."""
    if not types or not here:
        return bool(here) is bool(types) or use.untyped or not types
    return not here.isdisjoint(types)


def statements_of(start: Option, step: Step, end: Option) -> frozenset[tuple[str, str, str]]:
    """Return the statements that a step from one entity to another may be."""
    return frozenset(
        (end.iri, way.property, start.iri) if way.inverse else (start.iri, way.property, end.iri)
        for way in step
    )


def may_order(cue: Span, use: Use) -> bool:
    """Whether a word orders values of a kind: nothing is oldest by number, or largest by date."""
    dated = is_dated(cue)
    return dated is None or dated is use.is_date


def order_of(value: Cell) -> float | str | None:
    """Return what a literal is ordered by; None for what has no order."""
    if not isinstance(value, Term):
        return float(value) if isinstance(value, (int, float)) else None
    if value.datatype in NUMERIC:
        try:
            return float(value.value)
        except ValueError:
            return None
    return value.value if value.datatype in DATES else None


def is_time(name: Cell, value: Cell) -> bool:
    """Whether a literal of a node says the time that its other values hold for."""
    if not isinstance(value, Term):
        return False
    return value.datatype in DATES or any(word in local(key_of(name)).split() for word in _TIMES)


def is_true(cell: Cell) -> bool:
    """Whether a cell is the boolean true."""
    return key_of(cell) in ("true", "1", "True")


def is_cut_short(outcome: Outcome) -> bool:
    """Whether there may be more rows than an outcome has."""
    return outcome.status not in ("complete", "empty") or len(outcome.rows) >= MOST_ROWS


def count_of(outcome: Outcome) -> int:
    """Return the number that a count came to."""
    row = outcome.rows[0] if outcome.rows else (0,)
    return int(float(key_of(row[0]) or 0))


def gap_between(one: Span, other: Span) -> int:
    """Return how many words stand between two spans."""
    return max(other.first - one.last, one.first - other.last)


def rank_of(order: Sequence[str], name: str) -> int:
    """Return the place of the last part of an IRI in an order; what is not in it comes last."""
    last = name.rstrip("#/").replace("#", "/").rpartition("/")[2]
    return order.index(last) if last in order else len(order)
