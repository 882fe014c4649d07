"""The change of a value against the one that it is compared with."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

POINTS = "percentage points"
_QUOTIENT = Context(prec=28)
_EXACT = Context(prec=400)
_ROUND = Context(prec=60)
_HUNDRED = Decimal(100)
_PLACES = Decimal("0.000001")


def changes(value: Decimal | None, before: Decimal | None) -> tuple[Decimal | None, Decimal | None]:
    """Return the exact change, and the percent change to six places.

    A missing value has neither; a value of zero or less has no percent change from it.
    """
    if value is None or before is None:
        return None, None
    change = _EXACT.subtract(value, before)
    if before <= 0:
        return change, None
    percent = _QUOTIENT.multiply(_QUOTIENT.divide(change, before), _HUNDRED)
    return change, percent.quantize(_PLACES, ROUND_HALF_EVEN, _ROUND).normalize()
