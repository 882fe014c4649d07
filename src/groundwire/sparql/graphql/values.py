"""Terms of a graph as the values that a GraphQL answer holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal

from groundwire.graph.terms import Term
from groundwire.sparql.label_store import LABEL_PROPERTIES
from groundwire.sparql.spasql.typed_rows import typed


def best_label(iri: str, values: Mapping[tuple[str, str], list[Term]]) -> str | None:
    """The best label: by property, then English or of no language, then the first."""
    for predicate in LABEL_PROPERTIES:
        found = [term for term in values.get((iri, predicate), ()) if term.kind == "literal"]
        if found:
            return min(found, key=_goodness).value
    return None


def _goodness(term: Term) -> tuple[int, str, str]:
    language = term.language.lower()
    rank = 0 if language.split("-")[0] == "en" else 1 if not language else 2
    return rank, language, term.value


def plain(term: Term) -> str | int | float | bool | None:
    """A value as JSON has it; what JSON has no number for is a text.

    A blank node is `_:` and a name that only this answer knows it by.
    """
    if term.kind == "bnode":
        return f"_:{term.value}"
    value = typed(term)
    if isinstance(value, (Decimal, Term)) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return term.value
    return value
