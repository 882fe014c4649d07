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


_OF_SET = frozenset(("kind", "member", "number", "name", "word", "of", "period", "all"))
_FIRST = frozenset(("most", "least"))
_TWO = 2


def first_ones(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Sequence[Token]]]:
    """Return tokens with the things of a row last that it names as the first ones, and these.

    "The countries with the most maps are A (55), B (9) and C (7)": each thing stands with its
    figure. There are none where the tokens say something else.
    """
    tokens = _things_last(tokens)
    start = next((at for at, one in enumerate(tokens) if one.kind == "thing"), 0)
    head = [one.kind for one in tokens[:start]]
    plain = _OF_SET | {"by"}
    ends = [kind for kind in head if kind in ("most", "least", "only")]
    named = [one.keys for one in tokens[:start] if one.kind in ("name", "word")]
    is_torn = bool(named) and not named[0].intersection(*named)  # "best-selling by margin"
    if is_torn or len(ends) != 1 or "kind" not in head or not set(head) <= plain | set(ends):
        return tokens, []
    rows = rows_of(tokens[start:])
    return tokens, rows if len(rows) > 1 else []


def _things_last(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens that name things and call them the first ones, with the things last.

    "A, B and C were the most populous countries" says that the most populous ones were these.
    """
    start = next((at for at, one in enumerate(tokens) if one.kind == "thing"), 0)
    row = [*takewhile(lambda one: one.kind in ("thing", "and"), tokens[start:])]
    rest = tokens[start + len(row) :]
    if sum(one.kind == "thing" for one in row) == _TWO:
        rest = [one for one in rest if one.kind != "both"]  # "A and B are the two largest"
    kinds = {one.kind for one in rest}
    are_first = "kind" in kinds and not kinds.isdisjoint(_FIRST) and kinds <= _OF_SET | _FIRST
    return [*tokens[:start], *rest, *row] if are_first and len(row) > 1 else tokens


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
