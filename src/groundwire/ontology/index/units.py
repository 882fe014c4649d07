"""The unit of a numeric property, where its annotations or its texts state one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from groundwire.ontology.index.model import Measure
from groundwire.ontology.index.qudt import read_unit
from groundwire.quantities.units import resolve_unit

if TYPE_CHECKING:
    from groundwire.ontology.index.triples import Graph

# "in km", "in metres per second", "in MB (megabyte)", "as a percentage"; "[m]", "(km/h)".
_STATED = re.compile(
    r"\b(?:in|as an?) ([a-zA-Z°%µ]+(?:(?: per |/)[a-zA-Z]+)?(?: (?!in\b)[a-z]+)?)(?![\w-])"
    r"|(?<![^\s])[\[(]([^\[\]()\d]{1,20})[\])]"
)
_PERCENT = {"percentage": "%", "percentages": "%"}


def unit_of(
    graph: Graph, annotations: Iterable[str], texts: Iterable[str]
) -> tuple[str | None, Measure | None]:
    """The symbol of a unit, with its scale if `groundwire.quantities` does not know it.

    Both are None where no unit is stated, or two are.

    Args:
        graph: what the files say of units.
        annotations: IRIs or names of units that the files attach to the property.
        texts: its names and descriptions.
    """
    named = {found for text in annotations if (found := _annotated(graph, text))}
    if named:
        return named.pop() if len(named) == 1 else (None, None)
    return unit_in(texts), None


def unit_in(texts: Iterable[str]) -> str | None:
    """The symbol of the unit that texts state ("length in metres"), or None for none or several."""
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


def unit_called(text: str) -> str | None:
    """The symbol of the unit that a text or the end of an IRI names, or None."""
    return _named(re.split(r"[/#:]", text.rstrip("/#"))[-1] if "//" in text else text)


def _annotated(graph: Graph, text: str) -> tuple[str, Measure | None] | None:
    """The unit that an IRI stands for, or that a text names."""
    if "//" not in text:
        return (symbol, None) if (symbol := _named(text)) else None
    found = read_unit(graph, text)
    if found is not None:
        return found
    symbol = unit_called(text)
    return (symbol, None) if symbol else None


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
