"""Cells of `query_metric_grid` whose metrics a warehouse has, and what is derived of them.

What is derived follows the rules of facts. Which values may be added, and what is a share of what,
is known from the model: a row of the warehouse has one value of each dimension, so values of one
dimension are apart and all within the total; values of two dimensions count the same rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING

from groundwire.errors import LimitError
from groundwire.evidence.records import Draft
from groundwire.metrics.derive import FROM_EARLIER, Derived, derive
from groundwire.metrics.derive_groups import Operand
from groundwire.metrics.facts.model import Fact, Lineage
from groundwire.metrics.names import Group
from groundwire.metrics.premises import earlier_periods
from groundwire.metrics.profile import Entity, Kind, Measure, Metric, Profile
from groundwire.metrics.proof import beside
from groundwire.metrics.results import Cell, NotDerivedItem
from groundwire.metrics.table.query import TableMetric
from groundwire.metrics.table.single import (
    WHOLE,
    Asked,
    Single,
    answer_singles,
    periods_with_values,
    read_singles,
    refused_single,
)
from groundwire.metrics.terms import OF_SHARES, THOSE_LISTED, TOTAL, Arguments, DerivedBy
from groundwire.metrics.wording import listed
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_KIND = "value"
_MEASURES: dict[str, Measure] = {"always": "flow", "at_once": "stock", "": "rate"}
_ADDING: tuple[DerivedBy, ...] = ("sum", *OF_SHARES)
_EVERY: tuple[DerivedBy, ...] = (
    "delta", "percent_change", "ratio", "share", "sum", "cagr", "growth", "growth_previous",
    "share_delta", "ratio_delta",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WarehouseGrid:
    """The part of a grid that the warehouse answers.

    Attributes:
        metrics: the metrics by what was sent, or the question which one is meant.
        entities, periods, channels: what was sent.
        derive: what is to be computed.
        as_of: what was sent.
        share_of: what was sent.
        most: most cells.
    """

    metrics: Sequence[tuple[str, TableMetric | Cell]]
    entities: Sequence[str]
    periods: Sequence[str]
    channels: Sequence[str]
    derive: Sequence[DerivedBy]
    as_of: str
    share_of: str
    most: int


@dataclass(slots=True)
class WarehouseCells:
    """The cells of a warehouse, and what is computed of them.

    Attributes:
        cells: the cells by the metric that was sent.
        profile: names of what the cells are of, for sentences.
        made: what was computed; operands are positions among the values of the draft.
        left: what was not computed, with the reason.
        draft: the record of the cells.
    """

    cells: dict[str, list[Cell]]
    profile: Profile
    made: list[Derived] = field(default_factory=list[Derived])
    left: list[NotDerivedItem] = field(default_factory=list[NotDerivedItem])
    draft: Draft = field(default_factory=Draft)


def warehouse_cells(state: State, asked: WarehouseGrid, today: date) -> WarehouseCells:
    """Answer the cells of the metrics of a warehouse.

    Raises:
        LimitError: there are more cells than `most`.
        UnavailableError: the warehouse cannot be asked.
    """
    singles: list[tuple[str, Single]] = []
    for raw, metric in asked.metrics:
        if isinstance(metric, Cell):
            singles.append((raw, refused_single(state, metric)))
            continue
        singles += [(raw, one) for one in _of_metric(state, asked, raw, metric, today)]
        if len(singles) > asked.most:
            raise _too_many(asked.most)
    earlier = _earlier(state, asked, singles, today)
    named = _named([*singles, *earlier])
    cells: dict[str, list[Cell]] = {}
    for raw, one in named:
        cells.setdefault(raw, []).append(one.cell)
    profile = _profile(state, [one for _, one in named])
    draft, operands, before = Draft(), list[Operand](), list[Operand]()
    for at, (_, one) in enumerate(named):
        if one.cell.status == "found":
            own = operands if at < len(singles) else before
            own.append(_operand(one, len(draft.values)))
        draft = beside(draft, one.draft)
    made = WarehouseCells(cells, profile, draft=draft)
    _derive(made, asked, operands, before, [one for _, one in named[: len(singles)]], today)
    return made


def _too_many(most: int) -> LimitError:
    return LimitError(
        f"The grid has more than {most} cells: ask for fewer metrics, entities, channels or "
        "periods at a time."
    )


def _of_metric(
    state: State, grid: WarehouseGrid, raw: str, metric: TableMetric, today: date
) -> list[Single]:
    """Every cell of one metric, in order: those refused, and those that are asked for."""
    entities = list(dict.fromkeys(grid.entities))
    if "share" in grid.derive and grid.share_of not in ("", THOSE_LISTED):
        entities = list(dict.fromkeys((*entities, grid.share_of)))
    made: list[Single | Asked] = []
    for entity, channel, period in product(entities, grid.channels or (TOTAL,), grid.periods):
        sent = Arguments(raw, entity, period, channel, grid.as_of)
        read = read_singles(state, sent, metric, today)
        if isinstance(read, Single):
            made.append(read)
        elif len(read) == 1:
            made += periods_with_values(state, read[0], grid.most + 1)
        else:
            made += read
        if len(made) > grid.most:
            raise _too_many(grid.most)
    wanted = [one for one in made if isinstance(one, Asked)]
    answered = iter(answer_singles(state, wanted, today))
    return [one if isinstance(one, Single) else next(answered) for one in made]


def _earlier(
    state: State, grid: WarehouseGrid, singles: Sequence[tuple[str, Single]], today: date
) -> list[tuple[str, Single]]:
    """The cells of the periods that growth is told from, each once; none without growth."""
    ways = [which for name, which in FROM_EARLIER.items() if name in grid.derive]
    held = {(raw, _whose(one), _label(one)) for raw, one in singles}
    wanted: dict[tuple[str, str, str], tuple[str, Asked]] = {}
    for raw, one in singles:
        label = _label(one)
        for way in ways if one.asked and label else ():
            for earlier in earlier_periods(label)[way:][:1]:
                key = (raw, _whose(one), earlier)
                if key not in held and one.asked:
                    sent = replace(one.asked.sent, period=earlier)
                    read = read_singles(state, sent, one.asked.metric, today)
                    if not isinstance(read, Single):
                        wanted.setdefault(key, (raw, read[0]))
    answered = answer_singles(state, [one for _, one in wanted.values()], today)
    return [(raw, one) for (raw, _), one in zip(wanted.values(), answered, strict=True)]


def _label(one: Single) -> str:
    return one.cell.period or (one.cell.normalized or {}).get("period", "")


def _whose(one: Single) -> str:
    return f"{one.asked.dimension}: {one.asked.entity}" if one.asked else ""


def _named(singles: Sequence[tuple[str, Single]]) -> list[tuple[str, Single]]:
    """The cells; where two entities are called alike, each with the dimension that it is of."""
    dimensions: dict[str, set[str]] = {}
    for _, one in singles:
        if one.asked:
            dimensions.setdefault(one.asked.entity, set()).add(one.asked.dimension)
    made: list[tuple[str, Single]] = []
    for raw, one in singles:
        if one.asked and len(dimensions[one.asked.entity]) > 1 and one.asked.dimension:
            asked = replace(one.asked, entity=_whose(one))
            told: dict[str, object] = {"entity": asked.entity}
            if one.cell.normalized:
                told = {"normalized": {**one.cell.normalized, "entity": asked.entity}}
            one = replace(one, cell=one.cell.model_copy(update=told), asked=asked)
        made.append((raw, one))
    return made


def _profile(state: State, singles: Sequence[Single]) -> Profile:
    """Return the subjects of the cells as a profile: derivations and sentences are made by one.

    Nothing in it is asked by name, so names are taken as they are stored.
    """
    asked = [one.asked for one in singles if one.asked is not None]
    metrics = {one.metric.code: one.metric for one in asked}
    codes = list(dict.fromkeys((WHOLE, *(one.entity for one in asked))))
    parts = tuple(code for code in codes if code != WHOLE)
    return Profile.model_construct(
        profile=state.profile.profile,
        kinds={_KIND: Kind(label="value")},
        entities=tuple(
            Entity.model_construct(
                code=code, kind=_KIND, name="the total" if code == WHOLE else code
            )
            for code in codes
        ),
        metrics=tuple(
            Metric.model_construct(
                code=one.code, kind=_KIND, label=one.label, unit=one.unit, derivations=_EVERY,
                measure=_MEASURES[one.adds_up],
            )
            for one in metrics.values()
        ),
        groups={WHOLE: Group.model_construct(members=parts, complete=True)},
        channels=(),
    )  # fmt: skip


def _operand(one: Single, position: int) -> Operand:
    cell, asked = one.cell, one.asked
    assert cell.value_text is not None and asked is not None and cell.source is not None
    start, end = (one.period.start, one.period.end) if one.period else (date.min, date.max)
    fact = Fact(
        asked.metric.code, asked.entity, TOTAL, start, end, date.max, Decimal(cell.value_text),
        asked.metric.unit, Lineage(cell.source.doc, cell.source.locator, "", "", ""),
    )  # fmt: skip
    return Operand(position, fact, cell.period or "")


def _derive(
    made: WarehouseCells,
    grid: WarehouseGrid,
    operands: list[Operand],
    earlier: list[Operand],
    singles: Sequence[Single],
    today: date,
) -> None:
    """Compute what was asked for; what would count a row twice is not, with the reason."""
    if not grid.derive or not made.profile.metrics:
        return
    plain: list[DerivedBy] = [one for one in grid.derive if one not in _ADDING]
    told, unfinished = _finished(operands, earlier, today)
    if unfinished:
        changes: list[DerivedBy] = [one for one in plain if one in _OVER_TIME]
        plain = [one for one in plain if one not in _OVER_TIME]
        for operation in changes:
            _leave(made, operation, _UNFINISHED.format(period=listed(unfinished)))
        if len({one.period for one in told}) > 1 or (told and earlier):
            _add(made, derive(made.profile, changes, told, earlier=earlier))
    _add(made, derive(made.profile, plain, operands, earlier=earlier))
    for operation in _ADDING:
        if operation in grid.derive:
            _derive_adding(made, grid, operation, operands, singles)


def _derive_adding(
    made: WarehouseCells,
    grid: WarehouseGrid,
    operation: DerivedBy,
    operands: list[Operand],
    singles: Sequence[Single],
) -> None:
    """Compute sums or shares of the metrics that add up."""
    known = made.profile.metric_by_code
    for code in dict.fromkeys(one.fact.metric for one in operands):
        if known[code].measure == "rate":
            _leave(made, operation, f"{known[code].label} {_NOT_ADDED}")
    adding = [one for one in operands if known[one.fact.metric].measure != "rate"]
    if operation == "sum" and all(fold(one) != WHOLE for one in grid.entities):
        # The total was looked up as the whole of shares.
        adding = [one for one in adding if one.fact.entity != WHOLE]
    if operands and not adding:
        return
    asked = [one.asked for one in singles if one.asked is not None]
    dimensions = list(dict.fromkeys(one.dimension for one in asked if one.dimension))
    whole = _share_of(grid.share_of, asked) if operation in OF_SHARES else ""
    if whole is None:
        _leave(made, operation, _WHOLE_UNKNOWN.format(raw=grid.share_of[:80]))
    elif len(dimensions) > 1 and (operation == "sum" or whole == THOSE_LISTED):
        _leave(made, operation, _OVERLAPPING.format(names=listed(dimensions)))
    else:
        cells = [one.cell for one in singles]
        _add(made, derive(made.profile, (operation,), adding, whole, cells))


def _finished(
    operands: Sequence[Operand], earlier: Sequence[Operand], today: date
) -> tuple[list[Operand], list[str]]:
    """The values of periods that are over, and the labels of other periods beside them.

    Where all values are of one period, nothing changes over time and none is left out.
    """
    if len({one.period for one in (*operands, *earlier)}) < 2:
        return list(operands), []
    over = [one for one in operands if one.fact.end < today]
    return over, list(dict.fromkeys(one.period for one in operands if one not in over))


_OVER_TIME: tuple[DerivedBy, ...] = (
    "delta", "percent_change", "growth", "growth_previous", "cagr",
)  # fmt: skip
_UNFINISHED = "{period} is not over, so its value is no whole to compare: ask for parts that are"
_NOT_ADDED = (
    "is not known to add up: it is no sum and no count of rows; ask for the entity total instead"
)
_OVERLAPPING = "values of {names} count the same rows: send values of one dimension"
_WHOLE_UNKNOWN = (
    'shares of a warehouse are of the total or of those listed, not of "{raw}": send one of these'
)


def _share_of(raw: str, asked: Sequence[Asked]) -> str | None:
    """The whole that shares are of; None for one that is not known to hold its parts."""
    if raw in ("", THOSE_LISTED):
        return raw
    named = {one.entity for one in asked if fold(one.sent.entity) == fold(raw)}
    return WHOLE if named == {WHOLE} else None


def _add(made: WarehouseCells, told: tuple[list[Derived], list[NotDerivedItem]]) -> None:
    made.made += told[0]
    made.left += [one for one in told[1] if one not in made.left]


def _leave(made: WarehouseCells, operation: DerivedBy, reason: str) -> None:
    made.left.append(NotDerivedItem(operation=operation, reason=reason))
