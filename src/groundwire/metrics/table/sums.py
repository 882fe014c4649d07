"""Which values of facts may be added to one, and which must not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import product

from groundwire.metrics.derive_groups import overlap
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.terms import TOTAL
from groundwire.quantities import Period

_EXACT = Context(prec=400)


@dataclass(frozen=True, slots=True)
class Term:
    """A fact on its way into a row.

    Attributes:
        facts: the fact that answers, then those of sources that differ.
        period: what its days are called.
    """

    facts: tuple[Fact, ...]
    period: Period

    @property
    def fact(self) -> Fact:
        """The fact that answers."""
        return self.facts[0]


def why_not_over(profile: Profile, metric: Metric, axis: str, codes: Sequence[str]) -> str:
    """Return why values of a metric must not be added over an axis, or "" where they may.

    Args:
        profile: what holds what.
        metric: the metric.
        axis: "entity", "channel" or "period".
        codes: the entities or channels that would be added.
    """
    if "sum" not in metric.derivations:
        return f"the profile allows no sum of {metric.label}"
    if metric.measure == "rate":
        return f"{metric.label} is a rate, which does not add up"
    if axis == "period" and metric.measure == "stock":
        return f"{metric.label} is held at a day, and several days do not add up"
    if axis == "channel" and TOTAL in codes:
        return "the total channel holds the other channels already"
    if axis == "entity":
        wholes = [one for one in codes if one in profile.membership.parts]
        for one, other in product(wholes, codes):
            if one != other and (why := overlap(profile, one, other)):
                return why.english
    return ""


def total(terms: Sequence[Term]) -> Decimal:
    """Return the exact sum of some facts."""
    value = Decimal(0)
    for one in terms:
        value = _EXACT.add(value, one.fact.value)
    return value
