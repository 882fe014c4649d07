"""Suggestions sent as they stand: each is accepted in one step, and is no wider than what was sent.

What was refused has no set of assets to compare with, so width is read from the form: no condition
may go, no value of a list that all or none must have, no bound, and no unit of a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.results import GapItem
from groundwire.ontology.spellings import FILTER_OPERATORS, RANGE_OPERATORS, operator_key
from tests.evals.ontology_host import Reply, repaired, send
from tests.evals.ontology_worlds import World

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
    return found


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
