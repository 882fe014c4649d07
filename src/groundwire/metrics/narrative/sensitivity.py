"""Which documents may be quoted, by the levels of a profile."""

from __future__ import annotations

from groundwire.errors import InputError
from groundwire.metrics.profile import Sensitivity


def open_levels(sensitivity: Sensitivity) -> frozenset[str]:
    """The levels whose documents may be quoted; a level that is not named here may not."""
    return frozenset(sensitivity.levels) - frozenset(sensitivity.withheld)


def read_level(raw: str, sensitivity: Sensitivity) -> str:
    """The level that a document's owner named; case does not matter.

    Raises:
        InputError: the profile has no such level.
    """
    for level in sensitivity.levels:
        if level.casefold() == raw.strip().casefold():
            return level
    raise InputError(
        f"No such sensitivity as {raw[:80]!r}: use one of {', '.join(sensitivity.levels)}"
    )


def stricter(one: str, other: str, sensitivity: Sensitivity) -> str:
    """The stricter of two levels: one that is withheld, else the later of the profile's list."""

    def strictness(level: str) -> tuple[bool, int]:
        return level in sensitivity.withheld, sensitivity.levels.index(level)

    return max(one, other, key=strictness)
