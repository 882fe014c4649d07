"""`query_metric_grid`: every combination of metrics, entities, channels and periods, each a cell.

Found facts are shown, each missing cell is named, and what is derived has found facts alone as
operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import product

from groundwire.errors import InputError, LimitError
from groundwire.evidence.records import Derivation, Draft, Operation
from groundwire.metrics.derive import Derived, derive
from groundwire.metrics.derive_groups import Operand
from groundwire.metrics.factbase import State
from groundwire.metrics.proof import Outcome, prove
from groundwire.metrics.query import answer, within
from groundwire.metrics.reading import Arguments, read_arguments
from groundwire.metrics.results import Cell, GridResult, NotDerivedItem
from groundwire.metrics.terms import TOTAL, DerivedBy
from groundwire.metrics.wording import exact, grouped, listed, with_unit

MOST_CELLS = 400
_MOST_SPOKEN = 4
_OPERATIONS: dict[str, Operation] = {
    "delta": "difference",
    "percent_change": "percent_change",
    "ratio": "ratio",
    "share": "share",
    "sum": "sum",
}


@dataclass(frozen=True, slots=True)
class GridRequest:
    """What a caller asks of a grid.

    Attributes:
        metrics, entities, periods, channels: raw terms; a period may be a range.
        derive: what to compute from the facts found.
        as_of: the day whose knowledge is asked for, as it was sent; "" for now.
        offset: cells of earlier pages.
    """

    metrics: Sequence[str]
    entities: Sequence[str]
    periods: Sequence[str]
    channels: Sequence[str] = (TOTAL,)
    derive: Sequence[DerivedBy] = ()
    as_of: str = ""
    offset: int = 0


def query_grid(state: State, request: GridRequest, today: date) -> tuple[GridResult, Draft]:
    """Answer every cell of a grid.

    Raises:
        InputError: nothing is named for one of the axes.
        LimitError: there are more cells than one call answers.
        UnavailableError: the store cannot be read.
    """
    for name in ("metrics", "entities", "periods"):
        if not getattr(request, name):
            raise InputError(f"`{name}` is empty: send one or more.")
    outcomes = list(grid_outcomes(state, request, today))
    operands = operands_of(outcomes)
    made, left = derive(state.profile, request.derive, operands)
    derivations = [derivation_of(one) for one in made]
    cells = [one.cell for one in outcomes]
    result = GridResult(
        answer=_sentence(cells, made, left),
        cells=cells[request.offset :],
        derived=[one.item for one in made] if not request.offset else [],
        not_derived=(left or None) if not request.offset else None,
        offset=request.offset,
    )
    return result, prove(state, outcomes, derivations)


def grid_outcomes(state: State, request: GridRequest, today: date) -> Iterator[Outcome]:
    """The outcome of each cell, metrics first, then entities, channels and periods.

    Raises:
        LimitError: there are more cells than one call answers.
    """
    axes = [
        list(dict.fromkeys(axis))
        for axis in (
            request.metrics,
            request.entities,
            request.channels or (TOTAL,),
            request.periods,
        )
    ]
    count = 0
    for metric, entity, channel, period in product(*axes):
        sent = Arguments(metric, entity, period, channel, request.as_of)
        for outcome in _cells(state, sent, today):
            count += 1
            if count > MOST_CELLS:
                raise LimitError(
                    f"The grid has more than {MOST_CELLS} cells: ask for fewer metrics, entities, "
                    "channels or periods at a time."
                )
            yield outcome


def _cells(state: State, sent: Arguments, today: date) -> Iterator[Outcome]:
    """One cell, or those of each period of a range."""
    read = read_arguments(state, sent, today)
    if isinstance(read, Cell):
        yield Outcome(read)
    elif read.period.kind in ("several", "since"):
        for one in within(state, read):
            yield answer(state, one)
    else:
        yield answer(state, read)


def operands_of(outcomes: Sequence[Outcome]) -> list[Operand]:
    """Facts found, each once, at their positions among the values of the record."""
    found = [one for one in outcomes if one.facts]
    seen: set[object] = set()
    operands: list[Operand] = []
    for position, one in enumerate(found):
        fact = one.facts[0]
        key = (fact.metric, fact.entity, fact.channel, fact.start, fact.end)
        if key not in seen:
            seen.add(key)
            operands.append(Operand(position, fact, one.cell.period or ""))
    return operands


def derivation_of(made: Derived) -> Derivation:
    """A computed value as the ledger keeps it."""
    return Derivation(
        _OPERATIONS[made.item.operation],
        made.operands,
        exact(made.value),
        made.item.unit or None,
        made.item.formula,
    )


def _sentence(
    cells: Sequence[Cell], made: Sequence[Derived], left: Sequence[NotDerivedItem]
) -> str:
    """What was found, what is missing, what was computed and what was not."""
    found = [cell for cell in cells if cell.status == "found"]
    parts: list[str] = []
    if found:
        parts.append(" ".join(cell.answer for cell in found[:6]))
        if len(found) > 6:
            parts.append("The other values are in cells.")
    missing = [_name(cell) for cell in cells if cell.status == "not_found"]
    if missing:
        parts.append(f"Not held: {listed(missing)}.")
    refused = dict.fromkeys(cell.answer for cell in cells if cell.status == "unrecognized_param")
    parts += list(refused)[:3]
    parts += [f"{_spoken(one)}." for one in made[:_MOST_SPOKEN]]
    if len(made) > _MOST_SPOKEN:
        parts.append("The other computed values are in derived.")
    parts += [f"Not computed: {_words(one.operation)} ({one.reason})." for one in left[:2]]
    return " ".join(parts)


def _name(cell: Cell) -> str:
    named = cell.normalized or {}
    return _called(*(named.get(key, "") for key in ("metric", "channel", "entity", "period")))


def _called(metric: str, channel: str, entity: str, period: str) -> str:
    split = "" if channel == TOTAL else f" {channel}"
    return f"{metric}{split} {entity} {period}"


def _spoken(one: Derived) -> str:
    named = [_called(o.metric, o.channel, o.entity, o.period) for o in one.item.operands]
    if one.item.operation == "share":
        # What the whole is made of stands in the formula.
        named = named[:1]
    about = " and ".join(named) if len(named) <= 2 else listed(named)
    name = _words(one.item.operation).capitalize()
    return f"{name} of {about}: {with_unit(grouped(Decimal(one.item.value)), one.item.unit)}"


def _words(operation: str) -> str:
    return operation.replace("_", " ")
