"""Words and values of the contract that arguments, profile and results share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from groundwire.evidence.answers import ResolvedItem
    from groundwire.metrics.profile import Metric
    from groundwire.quantities import PeriodGrain, PeriodReading

TOTAL = "TOTAL"
"""The channel that all others add up to."""

THOSE_LISTED = "those listed"
"""Sent as the whole of shares: the sum of the entities, or channels, that are listed."""

DerivedBy = Literal[
    "delta",
    "percent_change",
    "ratio",
    "share",
    "sum",
    "mean",
    "growth",
    "growth_previous",
    "cagr",
    "share_delta",
    "ratio_delta",
]
"""What may be computed from found facts.

`growth` is the percent change from the same period a year before, `growth_previous` that from the
period before; both look the earlier period up. `cagr` is the compound annual growth rate.
`share_delta` is the difference of two shares in percentage points, `ratio_delta` that of ratios.
"""

ALLOWED_AS: Mapping[str, DerivedBy] = {
    "growth": "percent_change",
    "growth_previous": "percent_change",
    "share_delta": "share",
    "ratio_delta": "ratio",
    "mean": "sum",
}
"""Operations that a profile allows by the name of another."""

OF_SHARES: tuple[DerivedBy, ...] = ("share", "share_delta")
"""Operations over a part and its whole."""

MOST_PERIODS = 24
"""Periods that a refusal offers at most."""

MOST_ENTITIES = 20
"""Entities that a refusal offers at most."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a query, as they came.

    Attributes:
        metric, entity, period, channel: raw terms.
        as_of: the day whose knowledge is asked for, as it was sent; "" for now.
    """

    metric: str
    entity: str
    period: str
    channel: str
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """Arguments that were all understood.

    Attributes:
        metric: the metric.
        entity, channel: controlled codes.
        period: what the period text says; of kind single, several, since or latest.
        as_of: the day whose knowledge is asked for; None for now.
        resolved: how each was read.
    """

    metric: Metric
    entity: str
    channel: str
    period: PeriodReading
    as_of: date | None
    resolved: tuple[ResolvedItem, ...]

    @property
    def grain(self) -> PeriodGrain | None:
        """The grain that "latest" was asked with."""
        return self.period.grain
