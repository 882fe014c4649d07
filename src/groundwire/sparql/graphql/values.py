"""Terms of a graph as the values that a GraphQL answer holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal

from groundwire.graph.terms import Term
from groundwire.sparql.label_store import LABEL_PROPERTIES
from groundwire.sparql.spasql.typed_rows import typed


def best_label(
    iri: str, values: Mapping[tuple[str, str], list[Term]], wanted: str = ""
) -> str | None:
    """The best label: by property, then English or of no language, then the first.

    Args:
        iri: the thing.
        values: what is said of it, by predicate.
        wanted: a language that comes before all of that; a label in it, whatever its property.
    """
    held = [
        (place, term)
        for place, predicate in enumerate(LABEL_PROPERTIES)
        for term in values.get((iri, predicate), ())
        if term.kind == "literal"
    ]
    if not held:
        return None
    return min(held, key=lambda one: (not (wanted and is_in(one[1], wanted)), one[0],
                                      _goodness(one[1])))[1].value  # fmt: skip


def is_in(term: Term, language: str) -> bool:
    """Whether a literal is of a language: "de" is that of "de-AT" too (RFC 4647, section 3.3.1)."""
    tag, wanted = term.language.lower(), language.lower()
    return tag == wanted or tag.startswith(f"{wanted}-")


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
