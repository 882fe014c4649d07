"""Things in a row: those that come first, those of the set, and what they are compared by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.stated_number import DIVISOR
from groundwire.evidence.claims.value_tables import Measure
from groundwire.evidence.claims.value_words import BOTH, Token

SETS = frozenset(("kind", "member", "number", "all", "shown"))
"""Kinds of words that tell a set of things."""


def first_ones(tokens: Sequence[Token]) -> Sequence[Sequence[Token]]:
    """Return the things that a row names as the first ones, each with its figure; else none.

    "The countries with the most maps are A (55), B (9) and C (7)".
    """
    start = next((at for at, one in enumerate(tokens) if one.kind == "thing"), 0)
    head = [one.kind for one in tokens[:start]]
    plain = {"kind", "member", "number", "name", "word", "of", "period", "all", "by"}
    ends = [kind for kind in head if kind in ("most", "least", "only")]
    named = [one.keys for one in tokens[:start] if one.kind in ("name", "word")]
    is_torn = bool(named) and not named[0].intersection(*named)  # "best-selling by margin"
    if is_torn or len(ends) != 1 or "kind" not in head or not set(head) <= plain | set(ends):
        return []
    rows = rows_of(tokens[start:])
    return rows if len(rows) > 1 else []


def rows_of(tokens: Sequence[Token]) -> Sequence[Sequence[Token]]:
    """Return things in a row, each with its figure if it has one; none where more is said."""
    rows: list[list[Token]] = []
    for one in tokens:
        if one.kind == "thing" and len(one.keys) == 1:
            rows.append([one])
        elif one.kind in ("figure", "number") and rows and len(rows[-1]) == 1:
            rows[-1].append(one)
        elif one.kind != "and":
            return []
    return rows


def in_order(rows: Sequence[Sequence[Token]], *, falling: bool) -> bool:
    """Whether the figures of a row fall, or rise, from one to the next."""
    told = [two.quantity.value for _, *rest in rows for two in rest if two.quantity is not None]
    return told == sorted(told, reverse=falling)


def without_members(tokens: Sequence[Token]) -> tuple[Sequence[Token], frozenset[str]]:
    """Return tokens without the things that make up their set, and these: 在A、B和C三国中."""
    start = next((at for at, one in enumerate(tokens) if one.kind == "thing"), 0)
    end = start
    while end < len(tokens) and tokens[end].kind in ("thing", "and"):
        end += 1
    rest = [*takewhile(lambda one: one.kind in (*SETS, "and"), tokens[end:])]
    behind = [one.kind for one in tokens[end + len(rest) : end + len(rest) + 1]]
    listed = [one.keys for one in tokens[start:end] if one.kind == "thing"]
    if behind != ["within"] or len(listed) < BOTH or any(len(keys) != 1 for keys in listed):
        return tokens, frozenset()
    members = frozenset(str(next(iter(keys))) for keys in listed)
    counts = [one.quantity.value for one in rest if one.quantity is not None]
    told = [*tokens[:start], *tokens[end + len(rest) + 1 :]]
    return (told, members) if counts in ([], [len(members)]) else (tokens, frozenset())


def lacks_divisor(
    context: PassageContext, measure: Measure | None, measures: Mapping[Measure, frozenset[str]]
) -> bool:
    """Whether a passage calls a quotient without what it is divided by: "the highest sales".

    Args:
        context: the passage.
        measure: the property that it tells of.
        measures: the words by which each property is called.
    """
    if measure is None or not any(map(DIVISOR.fullmatch, measures.get(measure, ()))):
        return False
    text = context.contexts.reading.text
    spans = ((context.passage.start, context.passage.end), *context.above)
    said = any(anchor.keys >= measure.names for anchor in context.names)
    return not said and not any(DIVISOR.search(text, *span) for span in spans)
