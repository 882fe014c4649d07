"""A table query as SQL, and what its result means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from groundwire.errors import ConfigurationError, ForbiddenError, InputError
from groundwire.metrics.table.query import AmbiguousQueryError
from groundwire.tables.engine import Engine, Limits, Result

if TYPE_CHECKING:
    from sqlglot import exp

Span = tuple[date, date] | None
AskSpan = Callable[[str], Span]
"""Runs a SELECT of a first and a last day, and returns them; None: there are none."""


class UnreachableError(AmbiguousQueryError):
    """A metric has no such dimension: the message says why; candidates are those that it has."""


@dataclass(frozen=True, slots=True)
class Output:
    """One value of the answer's rows.

    Attributes:
        column: where the engine's own value stands in a row of the result.
        tree: what it is computed from, over the names of `parts`; None: nothing is computed.
        parts: where the measures that it is computed from stand.
    """

    column: int
    tree: exp.Expr | None
    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A query as SQL.

    Attributes:
        sql: one SELECT: keys, measures, values, and last the number of all rows.
        keys: type of each key's field, "date" of a period; "" where it is not known.
        values: one for each metric.
        before: one for each metric, with `compare`.
        sources: tables that are read.
        plan: how it is answered, one sentence each.
        joined: relationships that it joins along, by their place in the model.
    """

    sql: str
    keys: tuple[str, ...]
    values: tuple[Output, ...]
    before: tuple[Output, ...]
    sources: tuple[str, ...]
    plan: tuple[str, ...]
    joined: tuple[int, ...] = ()


def run_for_model(engine: Engine, sql: str, limits: Limits) -> Result:
    """Run what was compiled from a model.

    Raises:
        ConfigurationError: the engine refuses it, since the model does not fit its tables.
        UnavailableError: the engine cannot be asked, or not in time.
    """
    try:
        return engine.run(sql, limits)
    except (ForbiddenError, InputError) as error:
        said = str(error).removesuffix(" Mend the query.")[:240]
        raise ConfigurationError(
            f"The model does not fit the tables of the warehouse ({said}): correct the model, or "
            "draft it anew with `groundwire metrics model draft`."
        ) from error
