"""Suggestions sent as they stand: each is accepted in one step, and is no wider than what was sent.

Width is proven by running: what a suggestion finds is compared with what the conditions that were
not refused find. It finds nothing beyond them, and it demands more than they do. What a refused
condition says itself is read from its form: no value of a list that all or none must have may go,
no bound, no unit of a figure and no figure. Corrections sent in place of what they correct find
the same assets; so do the nearest values of an empty search, beside its other conditions.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.ontology.compile import page_query
from groundwire.ontology.conditions import FILTER_OPERATORS, RANGE_OPERATORS, operator_key
from groundwire.ontology.explain import explain
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.plan import Join, Plan
from groundwire.ontology.results import Correction, GapItem
from tests.evals.ontology_host import Reply, located, plain, repaired, send
from tests.evals.ontology_worlds import World

# More assets than any catalogue of the eval has.
_ALL_ASSETS = 10_000
_WITH_UNIT = re.compile(r"[<>=≥≤ ]{0,4}\d[\d.,]*\s*([^\W\d_]+(?:/[a-z]+)?|%|°)")


async def faults(
    world: World, reply: Reply, sort: str, count_by: str, lexicon: Lexicon | None
) -> list[str]:
    """A line for each suggestion of a refused submission that is refused again, or is wider."""
    found: list[str] = []
    for gap in reply.gaps:
        for suggestion in (
            gap.suggestions if gap.slot and gap.slot not in ("sort", "count_by") else ()
        ):
            alone = gap.model_copy(update={"suggestions": [suggestion]})
            slots = repaired(reply.slots, [alone])
            again = await send(world, slots, sort, count_by, lexicon)
            told = f"{reply.slots} {gap.slot} {suggestion}"
            if (
                again.error
                or _is_left(gap, again.gaps)
                or (again.meaning is None and len(reply.gaps) == 1)
            ):
                found.append(f"refused again: {told}")
            found += [f"wider, {how}: {told}" for how in _lost(reply.slots, slots, gap)]
            if again.plan is not None:
                rest = await send(world, _without(reply.slots, gap), "", "", lexicon)
                found += [f"{how}: {told}" for how in await _beyond(world, again.plan, rest.plan)]
    return found


async def _beyond(world: World, plan: Plan, rest: Plan | None) -> list[str]:
    """What a suggestion finds beyond the conditions that were not refused."""
    if rest is None:
        return []
    found, allowed = await _assets(world, plan), await _assets(world, rest)
    if {b.domain.name for b in plan.branches} <= {b.domain.name for b in rest.branches}:
        if not found <= allowed:
            return ["wider, assets that the other conditions leave out"]
        if _demands(plan) <= _demands(rest):
            return ["wider, nothing is demanded in place of what was refused"]
    return []


async def _assets(world: World, plan: Plan) -> set[str]:
    bare = plan._replace(ordering=None, grouping=None)
    query = page_query(bare, limit=_ALL_ASSETS, known=world.state.observed)
    rows = (await world.state.graph.select(query, timeout=30.0)).rows
    return {row[0].value for row in rows if row[0] is not None}


def _demands(plan: Plan) -> int:
    """How many conditions and references every branch of a plan has at least."""

    def of(tests: Sequence[Any], joins: Sequence[Join]) -> int:
        return len(tests) + sum(1 + of(join.tests, join.joins) for join in joins)

    return min(of(branch.tests, branch.joins) for branch in plan.branches)


def _without(sent: dict[str, Any], gap: GapItem) -> dict[str, Any]:
    """Slots without the condition that was refused."""
    slots = plain(copy.deepcopy(sent))
    holder, kind, key = located(slots, gap.slot or "")
    if kind in ("filters", "ranges") and isinstance(holder.get(kind), dict):
        holder[kind].pop(key, None)
    return slots


async def faults_of_corrections(
    world: World, reply: Reply, sort: str, count_by: str, lexicon: Lexicon | None
) -> list[str]:
    """A line for each correction that finds other assets, sent in place of what it corrects."""
    found: list[str] = []
    if reply.plan is None:
        return found
    for correction in reply.corrections:
        if correction.slot in ("sort", "count_by"):
            continue
        slots = repaired(reply.slots, [_as_gap(correction)])
        told = f"{reply.slots} {correction.slot} {correction.raw!r} -> {correction.resolved!r}"
        if correction.raw != correction.resolved and slots == plain(reply.slots):
            found.append(f"no place: {told}")
            continue
        again = await send(world, slots, sort, count_by, lexicon)
        if again.plan is None:
            found.append(f"refused: {told}")
        elif await _assets(world, again.plan) != await _assets(world, reply.plan):
            found.append(f"other assets: {told}")
    return found


async def faults_of_nearest(world: World, reply: Reply, lexicon: Lexicon | None) -> list[str]:
    """A line for each nearest value of an empty search that is refused, or finds too much."""
    found: list[str] = []
    if reply.plan is None or await _assets(world, reply.plan):
        return found
    for one in await explain(world.state, reply.plan._replace(ordering=None, grouping=None)):
        for value in one.nearest:
            slots = plain(copy.deepcopy(reply.slots))
            holder, kind, key = located(slots, one.slot)
            if key not in holder.get(kind, {}):
                continue
            holder[kind][key] = value
            again = await send(world, slots, "", "", lexicon)
            told = f"{reply.slots} {one.slot} {value!r}"
            if again.plan is None:
                found.append(f"nearest, refused: {told}")
            elif _demands(again.plan) < _demands(reply.plan):
                found.append(f"nearest, wider: {told}")
    return found


def _as_gap(correction: Correction) -> GapItem:
    return GapItem(
        term=correction.raw,
        reason="unmapped",
        slot=correction.slot,
        suggestions=[correction.resolved],
    )


def _is_left(gap: GapItem, gaps: Sequence[GapItem]) -> bool:
    return any((one.slot, one.term) == (gap.slot, gap.term) for one in gaps)


def _lost(sent: dict[str, Any], slots: dict[str, Any], gap: GapItem) -> Iterator[str]:
    """What a suggestion leaves out of what was sent."""
    before, after = list(_conditions(sent)), list(_conditions(slots))
    if len(after) < len(before):
        yield "a condition"
    units = [match[1] for _, value in before for match in _figures(value)]
    kept = " ".join(str(value) for _, value in after)
    if any(not re.search(rf"\d\s*{re.escape(unit)}", kept) for unit in units):
        yield "a unit"
    if _operators(before) - _operators(after) - {"any_of", "contains", "exists"}:
        yield "an operator"


def _figures(value: Any) -> Iterator[re.Match[str]]:
    """The values of a condition that are a figure with its unit and nothing else."""
    inner = value.values() if isinstance(value, dict) else value
    for text in inner if isinstance(value, dict | list) else [value]:
        match = _WITH_UNIT.fullmatch(str(text).strip())
        if match:
            yield match


def _conditions(slots: Any) -> Iterator[tuple[str, Any]]:
    """Every condition of slots, those of references too."""
    if not isinstance(slots, dict):
        return
    for part in ("filters", "ranges"):
        held = slots.get(part)
        yield from held.items() if isinstance(held, dict) else ()
    references = slots.get("references") or []
    for reference in references if isinstance(references, list) else [references]:
        yield from _conditions(reference)


def _operators(conditions: Sequence[tuple[str, Any]]) -> set[str]:
    """What conditions demand of their values, bounds by their side."""
    names = {str(name) for _, value in conditions if isinstance(value, dict) for name in value}
    known = {FILTER_OPERATORS.get(operator_key(name), "") for name in names}
    sides = {RANGE_OPERATORS.get(operator_key(name), "") for name in names}
    known |= {
        {"min": "low", "gt": "low", "max": "high", "lt": "high"}.get(one, one) for one in sides
    }
    return known - {""}
