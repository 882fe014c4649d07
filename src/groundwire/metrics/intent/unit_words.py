"""Units in a question: one that the metric has changes nothing, any other is left over."""

from __future__ import annotations

import re

from groundwire.quantities import resolve_unit

_SCALE = re.compile("(?:万亿|千万|百万|[万亿])?")
_LONGEST_UNIT = 3
_PEOPLE = frozenset(["people", "persons", "人", "名"])


def is_unit(text: str, units: frozenset[str]) -> bool:
    """Whether a text names one of some units.

    Args:
        text: the text, as it is written.
        units: unit symbols, as profiles have them.
    """
    if not text or not units:
        return False
    if "people" in units and text in _PEOPLE:
        return True
    found = resolve_unit(text)
    return text in units or (found is not None and found.symbol in units)


def unit_after(text: str, units: frozenset[str]) -> str:
    """The scale word and unit that a text begins with, as after 多少: 亿元; or ""."""
    scale = _SCALE.match(text)
    start = scale.end() if scale else 0
    for length in range(_LONGEST_UNIT, 0, -1):
        if len(text) >= start + length and is_unit(text[start : start + length], units):
            return text[: start + length]
    return ""
