"""The tokens of a clause in the order of English: its set, its comparison, its change, its subject.

Chinese says 比 B 多 for "more than B" and 四国中 for "of the four countries", and each language may
put what it says of things before them: "third came A", "over 5 million has only A".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from groundwire.evidence.claims.value_rows import SETS
from groundwire.evidence.claims.value_words import Token, acts

MEASURES = frozenset(("name", "word", *acts()))
"""Kinds of words that name a property."""
PLACES = frozenset(("ordinal", "most", "least", "last", "next"))
"""Kinds of words that tell a place in an order."""
WENT = frozenset(("rise", "fall"))
"""Kinds of words that tell a change."""
COMPARED = {"ahead": "more", "behind": "less"}
"""What "above the year before" compares as: "more than in" it."""

_PACES = frozenset(("faster", "slower"))
_DEGREES = frozenset(("slight", "far"))
_COMPARING = frozenset(("more", "less"))
_SAID = PLACES | _COMPARING | {"figure", "number", "ahead", "behind", "rise", "fall", "not"}
_SUBJECTS = frozenset(
    ("thing", "and", "only", "all", "none", "number", "both", "other", "except", "sum")
)
_LEADING = PLACES | {"far", "rise", "fall", "fastest", "figure"}


def kinds_of(tokens: Sequence[Token]) -> list[str]:
    """Return the kinds of some tokens."""
    return [one.kind for one in tokens]


def is_percent(token: Token) -> bool:
    """Whether a token tells a part of a whole."""
    percent = token.quantity is not None and token.quantity.unit == "%"
    return percent or token.kind in ("fraction", "half")


def without_pointers(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without what points back: "saw their sales grow", "verlor dagegen 5 %"."""
    return [
        one
        for at, one in enumerate(tokens)
        if not (at and one.kind == "pron" and MEASURES & {*kinds_of(tokens[at + 1 : at + 2])})
        and not (one.kind == "share" and not any(map(is_percent, tokens[at + 1 :])))
        and not (one.kind == "but" and kinds_of(tokens[at - 1 : at]) in (["rise"], ["fall"]))
    ]


def with_move(tokens: Sequence[Token], moved: str) -> Sequence[Token]:
    """Return tokens with the change that a clause carries on: "both grew, but A faster"."""
    kinds = kinds_of(tokens)
    at = next((i for i, kind in enumerate(kinds) if kind in _PACES), 0)
    if not moved or not at or not WENT.isdisjoint(kinds) or "period" in kinds:
        return tokens
    return [*tokens[:at], Token(moved), *tokens[at:]]


def since_compared(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens with the time that a change is compared with as the one it began at.

    So are "compared with 2019" and 与2019年相比 read, and 其中 as nothing more than its set.
    """
    if kinds_of(tokens[:2]) == ["pron", "within"]:
        tokens = tokens[2:]
    kinds = kinds_of(tokens)
    last = max((i for i, kind in enumerate(kinds) if kind == "period"), default=0)
    if kinds[last - 1] in COMPARED and "period" in kinds[:last]:  # 2020年低于2019年
        compared = [Token(COMPARED[kinds[last - 1]]), Token("than")]
        return [*tokens[: last - 1], *compared, *tokens[last:]]
    at = kinds.index("against") if kinds.count("against") == 1 else -1
    if at < 0 or WENT.isdisjoint(kinds) or "period" not in kinds[max(0, at - 1) : at + 2]:
        return tokens
    first = at - 1 if kinds[at + 1 : at + 2] != ["period"] else at
    start = first - 1 if first < at and kinds[max(0, first - 1)] == "and" else first
    time = tokens[first] if first < at else tokens[at + 1]
    return [*tokens[:start], Token("from"), time, *tokens[max(at, tokens.index(time)) + 1 :]]


def in_plain_order(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a clause with sets and comparisons in the order of English."""
    return _than_behind(_of_before(_began_apart(list(tokens))))


def _began_apart(tokens: list[Token]) -> list[Token]:
    """Return tokens with the value that a change began at apart from what it came to.

    "Fell from 5 in 2010 to 3 in 2020", 从2010年的5降至3: its time leads on to the other.
    """
    at = next((i for i, one in enumerate(tokens) if one.kind in ("of", "from")), len(tokens))
    own = [*takewhile(lambda one: one.kind in ("figure", "period"), tokens[at + 1 : at + 3])]
    figures = [one.quantity for one in own if one.quantity is not None]
    behind = tokens[at + 1 + len(own) :]
    ended = next((one.quantity for one in behind if one.kind == "figure"), None)
    moves = any(one.kind in ("rise", "fall") for one in tokens)
    if not moves or len(figures) != 1 or ended is None or "to" not in kinds_of(behind):
        return tokens
    if figures[0].unit != ended.unit:
        return tokens  # "a fall of 3 % to 40"
    time = [Token("from"), *(one for one in own if one.kind == "period")]
    began = Token("began", quantity=figures[0])
    return [*tokens[:at], *(time if len(own) > 1 else ()), began, *behind]


def _of_before(tokens: list[Token]) -> list[Token]:
    """Return tokens with "of" before its set: 四国中 is "of the four countries"."""
    at = next((i for i, one in enumerate(tokens) if one.kind == "within"), 0)
    start = at
    while start and tokens[start - 1].kind in SETS:
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
