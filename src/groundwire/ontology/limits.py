"""Limits of a value as expressions of a query."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.terms import XSD, literal_n3
from groundwire.ontology.plan import Bounds

# Engines keep decimals and integers of so many digits, and compare nothing with longer ones.
_MOST_DIGITS = 18


def within_any(alternatives: Sequence[Bounds], name: str) -> str:
    """An expression: the variable `name` lies within one of the bounds."""
    return " || ".join(f"({_within(name, bounds)})" for bounds in alternatives)


def _within(name: str, bounds: Bounds) -> str:
    parts: list[str] = []
    for bound, relation in (
        (bounds.lower, ">" if bounds.lower_open else ">="),
        (bounds.upper, "<" if bounds.upper_open else "<="),
    ):
        if bound is None:
            continue
        if not bounds.temporal:
            value = f"<{XSD}decimal>(STR({name}))" if bounds.cast else name
            parts.append(f"{value} {relation} {_number(bound)}")
        elif bounds.cast:
            # Dates and date-times in any zone begin with their ISO 8601 date; of a year or a
            # month the bound's own year or month is what can be compared.
            stored = f"SUBSTR(STR({name}), 1, {len(bound)})"
            parts.append(f"{stored} {relation} SUBSTR({literal_n3(bound)}, 1, STRLEN({stored}))")
        else:
            parts.append(f"{name} {relation} {literal_n3(bound)}^^<{XSD}date>")
    if bounds.temporal and bounds.cast:
        # A text that is no such date ("6 May 2020") is neither before nor after one.
        parts.append(f'REGEX(STR({name}), "^[0-9]{{4}}(-|$)")')
    return " && ".join(parts)


def _number(text: str) -> str:
    whole, _, fraction = text.lstrip("-").partition(".")
    kind = "decimal" if fraction else "integer"
    if max(len(whole), len(fraction)) > _MOST_DIGITS:
        kind = "double"
    return f"{literal_n3(text)}^^<{XSD}{kind}>"
