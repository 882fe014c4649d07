"""The words of a clause about recorded values in the order in which it is read.

Chinese says 比 B 多 for "more than B" and 四国中 for "of the four countries", and each language may
put what it says of things before them: "third came A", "over 5 million has only A".
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.value_words import Token

PLACES = frozenset(("ordinal", "most", "least", "last", "next"))
"""Kinds of words that tell a place in an order."""

_DEGREES = frozenset(("slight", "far"))
_COMPARING = frozenset(("more", "less"))
_SETS = frozenset(("kind", "member", "number", "all", "shown"))
_SAID = PLACES | _COMPARING | {"figure", "number", "ahead", "behind", "rise", "fall", "not"}

_SUBJECTS = frozenset(
    ("thing", "and", "only", "all", "none", "number", "both", "other", "except", "sum")
)
_LEADING = PLACES | {"far", "rise", "fall"}


def in_plain_order(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a clause with sets and comparisons in the order of English."""
    return _than_behind(_of_before(list(tokens)))


def _of_before(tokens: list[Token]) -> list[Token]:
    """Return tokens with "of" before its set: 四国中 is "of the four countries"."""
    at = next((i for i, one in enumerate(tokens) if one.kind == "within"), 0)
    start = at
    while start and tokens[start - 1].kind in _SETS:
        start -= 1
    if start == at:
        return tokens
    return [*tokens[:start], Token("of"), *tokens[start:at], *tokens[at + 1 :]]


def _than_behind(tokens: list[Token]) -> list[Token]:
    """Return tokens with a comparison before what it compares with: 比 B 多 is "more than B"."""
    kinds = [one.kind for one in tokens]
    start = kinds.index("than") if "than" in kinds else 0
    end = next((i for i in range(start, len(kinds)) if kinds[i] in _COMPARING), 0)
    if not start or not end or not _COMPARING.isdisjoint(kinds[:start]):
        return tokens
    first = end - 1 if kinds[end - 1] in _DEGREES else end
    figure = end + 1 if kinds[end + 1 : end + 2] in (["figure"], ["number"]) else end
    compared = [*tokens[first:end], *tokens[end + 1 : figure + 1], tokens[end]]
    return [*tokens[:start], *compared, *tokens[start:first], *tokens[figure + 1 :]]


def subject_first(core: Sequence[Token]) -> Sequence[Token]:
    """Return a clause that begins with what it says in the usual order.

    So begin "third came A", 超过一亿的只有 A, and German clauses such as "stieg in A".
    """
    kinds = [one.kind for one in core]
    only = kinds.index("only") if "only" in kinds else 0
    if only and kinds[0] in _SAID and set(kinds[only + 1 :]) <= {"thing", "and"}:
        return [*core[only:], *core[:only]]
    at = next((i for i, kind in enumerate(kinds) if kind not in _LEADING), 0)
    if at and set(kinds[at:]) <= _SUBJECTS:
        return [*core[at:], *core[:at]]
    if not at or kinds[at] != "thing":
        return core
    return [core[at], *core[:at], *core[at + 1 :]]
