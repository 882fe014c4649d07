"""What the record of a table holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.evidence.records import Draft
from groundwire.metrics.table.query import TableRows
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.table.results import TableResult

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State


def prove_refusal(state: State, result: TableResult, statement: str = "") -> Draft:
    """Return the record of a table without rows."""
    return Draft(
        audit={"profile": state.profile.profile.name, "status": result.status, "sql": statement}
    )


def prove_table(state: State, read: Understood, found: TableRows, units: Sequence[str]) -> Draft:
    """Return the record of a table."""
    return Draft(audit={"profile": state.profile.profile.name, "sql": found.statement})
