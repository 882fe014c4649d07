"""`query_metric_grid`: every combination of metrics, entities, channels and periods, each a cell.

Cells of metrics of facts come first, then those of a warehouse.

Found facts are shown, each missing cell is named, and what is derived has found facts alone as
operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import product

from groundwire.errors import InputError, LimitError
from groundwire.evidence.records import Derivation, Draft, Operation
from groundwire.metrics.derive import FROM_EARLIER, SUM_OF_LISTED, Derived, derive
from groundwire.metrics.derive_groups import Operand, names_in
from groundwire.metrics.factbase import State
from groundwire.metrics.premises import earlier_periods
from groundwire.metrics.profile import Profile
from groundwire.metrics.proof import Outcome, beside, prove
from groundwire.metrics.query import answer, read_arguments, refused
from groundwire.metrics.results import Cell, DerivedItem, GridResult, NotDerivedItem
from groundwire.metrics.standing import (
    Days,
    days_of_cells,
    differing_days,
    label_with_days,
    periods_since,
)
from groundwire.metrics.terms import OF_SHARES, THOSE_LISTED, TOTAL, Arguments, DerivedBy, Read
from groundwire.metrics.wording import exact, grouped, listed, subject, with_unit
from groundwire.quantities import PeriodReading

MOST_CELLS = 400
_MOST_SPOKEN = 4
_MOST_NAMED = 80
_OPERATIONS: dict[str, Operation] = {
    "delta": "difference",
    "percent_change": "percent_change",
    "ratio": "ratio",
    "share": "share",
    "sum": "sum",
    "mean": "mean",
}


@dataclass(frozen=True, slots=True)
class GridRequest:
    """The arguments of a grid.

    Attributes:
        metrics, entities, periods, channels: raw terms; a period may be a range.
        derive: what to compute from the facts found.
        as_of: the day whose knowledge is asked for, as it was sent; "" for now.
        offset: cells of earlier pages.
        share_of: raw name of the entity that shares are of, `THOSE_LISTED` for the sum of what is
            listed; "" takes what the profile declares.
    """

    metrics: Sequence[str]
    entities: Sequence[str]
    periods: Sequence[str]
    channels: Sequence[str] = (TOTAL,)
    derive: Sequence[DerivedBy] = ()
    as_of: str = ""
    offset: int = 0
    share_of: str = ""


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
    stored, request = _of_warehouse(state, request, today)
    if not request.metrics and stored is not None:
        cells = [one for own in stored.cells.values() for one in own]
        return _result(request, cells, stored.made, stored.left, (stored.sentence,)), stored.draft
    outcomes = list(grid_outcomes(state, request, today))
    asked = len(operands_of(outcomes))
    outcomes += earlier_outcomes(state, request, outcomes, today)
    operands = operands_of(outcomes)
    cells = [one.cell for one in outcomes]
    made, left = derive_found(state, request, operands[:asked], cells, operands[asked:])
    derivations = derivations_of(made)
    draft = prove(state, outcomes, derivations, names_in(state.profile, left))
    if stored is not None and "ratio" in request.derive:
        left = [one for one in left if one.operation != "ratio"]
        left.append(NotDerivedItem(operation="ratio", reason=_TWO_STORES))
    said = (_sentence(state.profile, cells, made, left),)
    if stored is None:
        return _result(request, cells, made, left, said), draft
    cells += [one for own in stored.cells.values() for one in own]
    made, left, said = made + stored.made, left + stored.left, (*said, stored.sentence)
    return _result(request, cells, made, left, said), beside(draft, stored.draft)


_TWO_STORES = "metrics of facts and of the warehouse are not divided by one another"


def _result(
    request: GridRequest,
    cells: list[Cell],
    made: Sequence[Derived],
    left: list[NotDerivedItem],
    said: Sequence[str],
) -> GridResult:
    return GridResult(
        answer=" ".join(said),
        cells=cells[request.offset :],
        derived=[one.item for one in made] if not request.offset else [],
        not_derived=(left or None) if not request.offset else None,
        offset=request.offset,
    )


@dataclass(frozen=True, slots=True)
class _Stored:
    """The cells of the metrics of a warehouse."""

    cells: Mapping[str, list[Cell]]
    made: list[Derived]
    left: list[NotDerivedItem]
    draft: Draft
    sentence: str


def _of_warehouse(
    state: State, request: GridRequest, today: date
) -> tuple[_Stored | None, GridRequest]:
    """The part of a grid that the warehouse answers, and the rest of the request."""
    if state.warehouse is None:
        return None, request
    from groundwire.metrics.table.grid import WarehouseGrid, warehouse_cells
    from groundwire.metrics.table.single import warehouse_metric

    metrics = [(raw, warehouse_metric(state, raw)) for raw in dict.fromkeys(request.metrics)]
    own = [(raw, one) for raw, one in metrics if one is not None]
    rest = [raw.removeprefix("facts:") for raw, one in metrics if one is None]
    if not own:
        return None, replace(request, metrics=rest)
    asked = WarehouseGrid(
        own, request.entities, request.periods, request.channels,
        [one for one in request.derive if not rest or one != "ratio"], request.as_of,
        request.share_of, MOST_CELLS,
    )  # fmt: skip
    found = warehouse_cells(state, asked, today)
    cells = [one for some in found.cells.values() for one in some]
    draft = replace(found.draft, derivations=(
        *found.draft.derivations, *derivations_of(found.made),
    ))  # fmt: skip
    sentence = _sentence(found.profile, cells, found.made, found.left)
    return _Stored(found.cells, found.made, found.left, draft, sentence), replace(
        request, metrics=rest
    )


def derive_found(
    state: State,
    request: GridRequest,
    operands: Sequence[Operand],
    cells: Sequence[Cell],
    earlier: Sequence[Operand],
) -> tuple[list[Derived], list[NotDerivedItem]]:
    """Compute what a grid asks for from the facts that were found.

    The whole that shares are of is named once, and may be of another kind for each metric. Growth
    alone is told from facts of earlier periods.
    """
    if request.share_of in ("", THOSE_LISTED):
        return derive(state.profile, request.derive, operands, request.share_of, cells, earlier)
    made: list[Derived] = []
    left: list[NotDerivedItem] = []
    others: list[DerivedBy] = [one for one in request.derive if one not in OF_SHARES]
    of_shares: list[DerivedBy] = [one for one in request.derive if one in OF_SHARES]
    if others:
        made, left = derive(state.profile, others, operands, earlier=earlier)
    if of_shares:
        wholes = _named_wholes(state, request)
        for kind, code in wholes.items():
            own = [one for one in operands if _kind(state, one) == kind]
            shares, refused = derive(state.profile, of_shares, own, code) if own else ([], [])
            made, left = made + shares, left + refused
        if not wholes:
            reason = f"the whole {with_unit(request.share_of[:_MOST_NAMED], '')} is not known"
            left += [NotDerivedItem(operation=one, reason=reason) for one in of_shares]
    return made, left


def _named_wholes(state: State, request: GridRequest) -> dict[str, str]:
    """The entity that shares are of, for each kind of entity that is asked about."""
    metrics = [state.names.metric(raw).term for raw in request.metrics]
    known = state.profile.metric_by_code
    kinds = dict.fromkeys(known[one.id].kind for one in metrics if one is not None)
    found = {kind: state.names.entity(request.share_of, kind).term for kind in kinds}
    return {kind: term.id for kind, term in found.items() if term is not None}


def _kind(state: State, one: Operand) -> str:
    return state.profile.metric_by_code[one.fact.metric].kind


def _entities(state: State, request: GridRequest) -> list[str]:
    """The entities that are looked up, with the whole that shares are of."""
    entities = list(dict.fromkeys(request.entities))
    if request.share_of in ("", THOSE_LISTED) or not set(OF_SHARES) & set(request.derive):
        return entities
    wholes = _named_wholes(state, request)
    held = {
        term.id
        for kind in wholes
        for raw in entities
        if (term := state.names.entity(raw, kind).term) is not None
    }
    if wholes and held >= set(wholes.values()):
        return entities
    return list(dict.fromkeys((*entities, request.share_of)))


def grid_outcomes(state: State, request: GridRequest, today: date) -> Iterator[Outcome]:
    """The outcome of each cell, metrics first, then entities, channels and periods.

    Raises:
        LimitError: there are more cells than one call answers.
    """
    axes = [
        list(dict.fromkeys(axis))
        for axis in (
            request.metrics,
            _entities(state, request),
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
        yield refused(state, sent, read)
    elif read.period.kind in ("several", "since"):
        for one in _within(state, read):
            yield answer(state, one)
    else:
        yield answer(state, read)


def operands_of(outcomes: Sequence[Outcome]) -> list[Operand]:
    """Return the facts found, each once, at their positions among the values of the record."""
    found = [one for one in outcomes if one.facts]
    seen: set[object] = set()
    operands: list[Operand] = []
    for position, one in enumerate(found):
        fact = one.facts[0]
        key = (fact.metric, fact.entity, fact.channel, fact.start, fact.end)
        if key not in seen:
            seen.add(key)
            operands.append(
                Operand(position, fact, one.cell.period or "", one.cell.exact is not False)
            )
    return operands


def earlier_outcomes(
    state: State, request: GridRequest, outcomes: Sequence[Outcome], today: date
) -> list[Outcome]:
    """The outcomes for the periods that growth is told from, each once; none without growth."""
    ways = [which for name, which in FROM_EARLIER.items() if name in request.derive]
    if not ways:
        return []
    wanted: dict[Arguments, None] = {}
    for one in outcomes:
        label = one.cell.period or (one.cell.normalized or {}).get("period", "")
        for way in ways:
            for earlier in earlier_periods(label)[way:][:1]:
                named = one.cell.normalized or {
                    "metric": one.cell.metric or "",
                    "entity": one.cell.entity or "",
                    "channel": one.cell.channel or TOTAL,
                }
                sent = (named["metric"], named["entity"], earlier, named["channel"])
                wanted[Arguments(*sent, request.as_of)] = None
    cells = [one.cell for one in outcomes]
    held = {(one.metric, one.entity, one.period, one.channel) for one in cells}
    return [
        outcome
        for sent in wanted
        if (sent.metric, sent.entity, sent.period, sent.channel) not in held
        for outcome in _cells(state, sent, today)
    ]


def derivations_of(made: Sequence[Derived]) -> list[Derivation]:
    """Return the derivations for the ledger; it has no annual rates and differences of shares."""
    return [derivation_of(one) for one in made if one.item.operation in _OPERATIONS]


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
    profile: Profile, cells: Sequence[Cell], made: Sequence[Derived], left: Sequence[NotDerivedItem]
) -> str:
    """Tell the found values, the missing ones, the computed ones and those that could not be."""
    found = [cell for cell in cells if cell.status == "found"]
    parts: list[str] = []
    if found:
        parts.append(" ".join(cell.answer for cell in found[:6]))
        if len(found) > 6:
            parts.append("The other values are in cells.")
    missing = [_name(profile, cell) for cell in cells if cell.status == "not_found"]
    if missing:
        parts.append(f"Not held: {listed(missing)}.")
    refused = dict.fromkeys(cell.answer for cell in cells if cell.status == "unrecognized_param")
    parts += list(refused)[:3]
    days = {(one.entity, one.label): one for one in days_of_cells(found)}
    parts += [f"{_spoken(profile, one, days)}." for one in made[:_MOST_SPOKEN]]
    if len(made) > _MOST_SPOKEN:
        parts.append("The other computed values are in derived.")
    parts += [f"Not computed: {_words(one.operation)} ({one.reason})." for one in left[:2]]
    parts.append(differing_days(profile, days_of_cells(cells), "en"))
    return " ".join(filter(None, parts))


def _name(profile: Profile, cell: Cell) -> str:
    asked = cell.normalized or {}
    return subject(profile, *(asked[key] for key in ("metric", "entity", "channel", "period")))


def _spoken(profile: Profile, one: Derived, days: Mapping[tuple[str, str], Days]) -> str:
    value = with_unit(grouped(Decimal(one.item.value)), one.item.unit)
    operands = [
        of.model_copy(update={"period": label_with_days(of.period, held.start, held.end, "en")})
        if (held := days.get((of.entity, of.period)))
        else of
        for of in one.item.operands
    ]
    return f"{_about(profile, one.item.model_copy(update={'operands': operands}))}: {value}"


def _about(profile: Profile, item: DerivedItem) -> str:
    """Name a computed value: "Percent change of Population of China from 2010 to 2020"."""
    named = [subject(profile, o.metric, o.entity, o.channel, o.period) for o in item.operands]
    if item.operation == "share":
        return f"Share of {named[0]}{share_whole(profile, item)}"
    if item.operation in ("share_delta", "ratio_delta"):
        return _about_difference(profile, item, named)
    if item.operation == "ratio":
        return f"Ratio of {named[0]} to {named[1]}"
    if item.operation in ("sum", "mean"):
        return f"{_words(item.operation).capitalize()} of {listed(named)}"
    later, earlier = item.operands
    if (later.metric, later.entity, later.channel) != (
        earlier.metric,
        earlier.entity,
        earlier.channel,
    ):
        return f"Difference of {named[0]} and {named[1]}"
    name = _NAMES.get(item.operation) or _words(item.operation).capitalize()
    what = subject(profile, later.metric, later.entity, later.channel, "")
    return f"{name} of {what} from {earlier.period} to {later.period}"


_NAMES = {"delta": "Change", "cagr": "Compound annual growth rate"}


def _about_difference(profile: Profile, item: DerivedItem, named: Sequence[str]) -> str:
    """Name a difference of two shares or ratios, by what differs."""
    half = len(item.operands) // 2
    one, other = item.operands[0], item.operands[half]
    if one.period == other.period:
        return f"Share of {named[0]} less that of {named[half]}{share_whole(profile, item)}"
    over, under = (subject(profile, o.metric, o.entity, o.channel, "") for o in item.operands[:2])
    of_share = item.operation == "share_delta"
    what = (
        f"share of {over}{share_whole(profile, item)}"
        if of_share
        else f"ratio of {over} to {under}"
    )
    return f"Change in the {what} from {other.period} to {one.period}"


def share_whole(profile: Profile, item: DerivedItem) -> str:
    """Name the whole of a share for a sentence: " in European Union"; "" for that of a channel."""
    part, *others = item.operands
    if item.whole == SUM_OF_LISTED:
        if all(one.entity == part.entity for one in others):
            names = [profile.channel_by_code[one.channel].label for one in item.operands]
        else:
            names = [profile.entity_by_code[one.entity].name for one in item.operands]
        return f" in the sum of those listed ({listed(names)})"
    return f" in {item.whole}" if others and others[0].entity != part.entity else ""


def _words(operation: str) -> str:
    return operation.replace("_", " ")


def _within(state: State, read: Read) -> list[Read]:
    """Return one query for each period of a range; of an open one for each that has the fact."""
    periods = read.period.periods
    if read.period.kind == "since":
        periods = periods_since(state, read, periods[0]) or periods[:1]
    return [
        replace(read, period=PeriodReading("single", (one,), None, read.period.raw, ""))
        for one in periods
    ]
