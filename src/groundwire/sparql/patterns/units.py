"""Units in which a graph states the values of its properties."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from groundwire.graph.queries import CompiledQuery
from groundwire.quantities.units import resolve_unit
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.patterns.answers import key_of
from groundwire.sparql.patterns.asking import cells_of
from groundwire.sparql.patterns.compiling import COMMENT, units_query
from groundwire.sparql.patterns.naming import unit_commented

Units = Mapping[str, str]
"""Canonical symbols of units, by property."""

_MOST_UNITS = 200


async def units_of(ask: Callable[[CompiledQuery, int], Awaitable[Outcome]]) -> Units:
    """Return the units that a graph states of its properties, or writes in their comments.

    Args:
        ask: runs a query with a limit.
    """
    found: dict[str, set[str]] = {}
    for row in cells_of(await ask(units_query(), _MOST_UNITS)):
        said = key_of(row["unit"])
        unit = resolve_unit(unit_commented(said) if key_of(row["by"]) == COMMENT else said)
        if unit is not None:
            found.setdefault(key_of(row["p"]), set()).add(unit.symbol)
    return {iri: own.pop() for iri, own in found.items() if len(own) == 1}
