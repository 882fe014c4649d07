"""The unit of a numeric property, where its annotations or its texts state one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.quantities.units import resolve_unit

# "in km", "in metres per second", "in MB (megabyte)", "as a percentage"; "[m]", "(km/h)".
_STATED = re.compile(
    r"\b(?:in|as an?) ([a-zA-Z°%µ]+(?:(?: per |/)[a-zA-Z]+)?(?: (?!in\b)[a-z]+)?)(?![\w-])"
    r"|(?<![^\s])[\[(]([^\[\]()\d]{1,20})[\])]"
)
_PERCENT = {"percentage": "%", "percentages": "%"}


def unit_of(annotations: Iterable[str], texts: Iterable[str]) -> str | None:
    """The canonical symbol of a unit, or None where none is stated or two are.

    Args:
        annotations: IRIs or names of units that the files attach to the property.
        texts: its names and descriptions.
    """
    named = {symbol for text in annotations if (symbol := _named(_words(text)))}
    if named:
        return named.pop() if len(named) == 1 else None
    prose: set[str] = set()
    brackets: set[str] = set()
    for text in texts:
        for match in _STATED.finditer(text):
            symbol = _spelled_out(match[1]) if match[1] else _named(match[2])
            if symbol:
                (prose if match[1] else brackets).add(symbol)
    # Brackets also hold symbols of formulas ("resolution (s) in metres"): prose goes first.
    stated = prose or brackets
    return stated.pop() if len(stated) == 1 else None


def _spelled_out(text: str) -> str | None:
    """The unit that the words behind "in" begin with ("metres per second of ...")."""
    words = text.split()
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        # One letter after "in" is a variable as often as a unit.
        if len(name) > 1 or name == "%":
            symbol = _named(name)
            if symbol:
                return symbol
    return None


def _named(text: str) -> str | None:
    unit = resolve_unit(_PERCENT.get(text.strip().lower(), text.strip()))
    if unit is None or unit.dimension.startswith("currency"):
        return None
    return unit.symbol


def _words(annotation: str) -> str:
    """What a unit's IRI says: `.../unit/KiloM-PER-HR` is no name, `.../unit/Metre` is."""
    name = re.split(r"[/#:]", annotation.rstrip("/#"))[-1] if "//" in annotation else annotation
    return _QUDT.get(name, name)


# QUDT's codes for the units that data in this field uses (qudt.org/vocab/unit).
_QUDT = {
    "KiloM": "km",
    "M": "m",
    "CentiM": "cm",
    "MilliM": "mm",
    "KiloM-PER-HR": "km/h",
    "M-PER-SEC": "m/s",
    "DEG": "°",
    "DEG_C": "°C",
    "SEC": "s",
    "MilliSEC": "ms",
    "MIN": "min",
    "HR": "h",
    "HZ": "Hz",
    "KiloGM": "kg",
    "BYTE": "B",
    "KiloBYTE": "kB",
    "MegaBYTE": "MB",
    "GigaBYTE": "GB",
    "PERCENT": "%",
    "MilliM-PER-HR": "mm/h",
}
