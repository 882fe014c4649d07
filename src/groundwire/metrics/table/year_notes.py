"""Sentences of a table over facts about entities whose years are not calendar years."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.metrics.table.axes import ENTITY
from groundwire.metrics.table.query import TableRows
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.unlike_years import (
    differing_days,
    fiscal_beside,
    fiscal_days,
    held_beside,
    without_such_years,
)
from groundwire.metrics.wording import Language

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_MOST_OF = 3


def year_notes(state: State, read: Understood, found: TableRows, language: Language) -> str:
    """Return the sentences for the end of an answer that has rows; "" where all years are alike."""
    if read.store != "facts":
        return ""
    profile, query = state.profile, read.query
    periods = query.periods or tuple(row.period for row in found.rows[:1] if row.period)
    lacking = without_such_years(
        profile, state.store, read.metrics[0].base or read.metrics[0].code, found.lacking,
        periods, language,
    )  # fmt: skip
    unlike = differing_days(profile, found.days, language)
    ends = found.rows[:1] + found.rows[-1:]
    fiscal = [row.period for row in ends if row.period is not None and row.period.fiscal]
    if fiscal and not unlike and not any(one.fiscal for one in query.periods):
        # "Since 2019" was answered by fiscal years.
        unlike = fiscal_days(max(fiscal, key=lambda one: one.end), language)
    return "".join(f"{'' if language == 'zh' else ' '}{one}" for one in (lacking, unlike) if one)


def years_held(state: State, read: Understood, language: Language) -> str:
    """Return the fiscal years that are held of the entities that were named, or ""."""
    if read.store != "facts":
        return ""
    metric = read.metrics[0].base or read.metrics[0].code
    named = [
        str(code)
        for one in read.query.conditions
        if one.dimension == ENTITY and one.op == "in"
        for code in one.values
    ]
    told: list[str] = []
    for entity in named[:_MOST_OF]:
        held = {
            one.label: one
            for period in read.query.periods
            for one in fiscal_beside(state.profile, state.store, (metric, entity, TOTAL), period)
        }
        if held:
            told.append(held_beside(state.profile, entity, [*held.values()], language))
    return "".join(f"{'' if language == 'zh' else ' '}{one}" for one in told)
