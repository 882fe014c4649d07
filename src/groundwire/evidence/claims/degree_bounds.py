"""How far two values lie apart where a text says so in a word of degree: "slightly", "by far"."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files


@cache
def _bounds() -> Mapping[str, Mapping[str, tuple[Decimal, Decimal]]]:
    """Return the least and the most share for each degree, of differences and of changes."""
    text = (files("groundwire.evidence.claims") / "degree_bounds.toml").read_text("utf-8")
    return {
        kind: {degree: (Decimal(least), Decimal(most)) for degree, (least, most) in own.items()}
        for kind, own in tomllib.loads(text).items()
    }


def fits_degree(degree: str, one: Decimal, other: Decimal, *, over_time: bool = False) -> bool:
    """Return whether two values differ as much as a degree says; any do where it is "".

    Values of which one is negative are never far apart, as no share tells how far.

    Args:
        degree: slight, narrow, clear, sharp, far or "".
        one: a value; the later one of a change.
        other: the other value.
        over_time: whether the second value changed to the first one.
    """
    bounds = _bounds()["change" if over_time else "gap"].get(degree)
    if bounds is None:
        return True
    whole = abs(other) if over_time else max(abs(one), abs(other))
    least, most = bounds
    if not whole or (least and min(one, other) <= 0):
        return False
    return least <= abs(one - other) / whole <= most
