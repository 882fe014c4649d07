"""Words of the contract that arguments, profile and results share."""

from collections.abc import Mapping
from typing import Literal

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

Dimension = Literal["entity", "period", "channel"]
"""What a metric is split by."""

MOST_PERIODS = 24
"""Periods that a refusal offers at most."""

MOST_ENTITIES = 20
"""Entities that a refusal offers at most."""
