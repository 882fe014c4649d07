"""The tokens of a clause in the order of English: its set, its comparison, its change, its subject.

Chinese says 比 B 多 for "more than B" and 四国中 for "of the four countries", and each language may
put what it says of things before them: "third came A", "over 5 million has only A". Things in a row
are those that come first, those of the set, and what they are compared by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.stated_number import DIVISOR
from groundwire.evidence.claims.value_tables import Measure
from groundwire.evidence.claims.value_words import BOTH, Token, acts

MEASURES = frozenset(("name", "word", *acts()))
"""Kinds of words that name a property."""
PLACES = frozenset(("ordinal", "most", "least", "last", "next", "front", "middle"))
"""Kinds of words that tell a place in an order."""
WENT = frozenset(("rise", "fall"))
"""Kinds of words that tell a change."""
COMPARED = {"ahead": "more", "behind": "less"}
"""What "above the year before" compares as: "more than in" it."""

_PACES = frozenset(("faster", "slower"))
_PACED = _PACES | {"fastest"}
_DEGREES = frozenset(("slight", "narrow", "clear", "sharp", "far"))
_MOVED = _DEGREES | {"figure", "number"}
_OF_MOVE = _MOVED | {
    "by",
    "only",
    "more",
    "less",
    "than",
    "about",
    "near",
    "times",
    "double",
    "half",
}
_COMPARING = frozenset(("more", "less"))
_SAID = PLACES | _COMPARING | {"figure", "number", "ahead", "behind", "rise", "fall", "not"}
_SUBJECTS = frozenset(
    ("thing", "and", "only", "all", "none", "number", "both", "other", "except", "sum")
)
_LEADING = (
    PLACES | _DEGREES | {"near", "half", "fraction", "share", "rise", "fall", "fastest", "figure"}
)


def kinds_of(tokens: Sequence[Token]) -> list[str]:
    """Return the kinds of some tokens."""
    return [one.kind for one in tokens]


def is_percent(token: Token) -> bool:
    """Whether a token tells a part of a whole."""
    percent = token.quantity is not None and token.quantity.unit == "%"
    return percent or token.kind in ("fraction", "half")


def without_pointers(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens without what points back: "saw their sales grow", "verlor dagegen 5 %".

    Nor are "in relative terms" and "in absolute terms" kept where the clause tells just such.
    """
    rated = any(map(is_percent, tokens)) or not _PACED.isdisjoint(kinds_of(tokens))
    idle = "rate" if rated else "amount"
    return [
        one
        for at, one in enumerate(tokens)
        if one.kind != idle
        and not (at and one.kind == "pron" and MEASURES & {*kinds_of(tokens[at + 1 : at + 2])})
        and not (one.kind == "share" and not any(map(is_percent, tokens[at + 1 :])))
        and not (one.kind == "but" and kinds_of(tokens[at - 1 : at]) in (["rise"], ["fall"]))
    ]


def with_move(tokens: Sequence[Token], moved: str) -> Sequence[Token]:
    """Return tokens with the change that a clause carries on.

    "Both grew, but A faster", "..., B by 3 %", "..., B hardly at all", "twice as fast as B".
    """
    kinds = kinds_of(tokens)
    if not moved or not WENT.isdisjoint(kinds) or "period" in kinds:
        return tokens
    at = next((i for i, kind in enumerate(kinds) if kind in _PACES), 0)
    paced = "pace" in kinds
    if paced or (kinds[:1] == ["thing"] and set(kinds[1:]) & _MOVED and set(kinds[1:]) <= _OF_MOVE):
        at = next((i for i, kind in enumerate(kinds) if kind in _OF_MOVE), 0)
    elif not at:
        return tokens
    return [*tokens[:at], Token(moved), *tokens[at:]]


_NOR = frozenset(("and", "stay"))  # "weder A noch B"


def neither(core: Sequence[Token]) -> Sequence[Token]:
    """Return a clause of two things that both are denied something, with its denial behind them."""
    kinds = kinds_of(core[:4])
    if kinds[:2] != ["none", "thing"] or kinds[3:] != ["thing"] or kinds[2] not in _NOR:
        return core
    return [core[1], Token("and"), core[3], Token("not"), *core[4:]]


def clauses_apart(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which what another thing changed by is a clause: ", against 3 % in B"."""
    found = [*tokens]
    kinds = kinds_of(tokens)
    for at, kind in enumerate(kinds):
        if kind == "against" and kinds[at + 1 : at + 3] == ["figure", "thing"]:
            found[at : at + 3] = [Token("and"), tokens[at + 2], tokens[at + 1]]
    return found if not WENT.isdisjoint(kinds) else [*tokens]


def since_compared(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens with the time that a change is compared with as the one it began at.

    So are "compared with 2019" and 与2019年相比 read, and 其中 as nothing more than its set.
    """
    if kinds_of(tokens[:2]) == ["pron", "within"]:
        tokens = tokens[2:]
    kinds = kinds_of(tokens)
    last = max((i for i, kind in enumerate(kinds) if kind == "period"), default=0)
    if last and kinds[last - 1] in COMPARED and "period" in kinds[:last]:  # 2020年低于2019年
        compared = [Token(COMPARED[kinds[last - 1]]), Token("than")]
        return [*tokens[: last - 1], *compared, *tokens[last:]]
    at = kinds.index("against") if kinds.count("against") == 1 else -1
    if at < 0 or WENT.isdisjoint(kinds) or "period" not in kinds[max(0, at - 1) : at + 2]:
        return tokens
    first = at - 1 if kinds[at + 1 : at + 2] != ["period"] else at
    start = first - 1 if first < at and kinds[max(0, first - 1)] == "and" else first
    time = tokens[first] if first < at else tokens[at + 1]
    return [*tokens[:start], Token("from"), time, *tokens[max(at, tokens.index(time)) + 1 :]]


def until_at(tokens: Sequence[Token]) -> int:
    """Return where a word leads to the one time that something changed to: "fell by 2024"; or 0."""
    kinds = kinds_of(tokens)
    at = kinds.index("period") - 1 if kinds.count("period") == 1 else 0
    leads = at > 0 and kinds[at] in ("to", "until", "by") and not WENT.isdisjoint(kinds)
    return at if leads else 0


def in_plain_order(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a clause with sets and comparisons in the order of English."""
    return _than_behind(_of_before(_began_apart(_verb_first(list(tokens)))))


def _verb_first(tokens: list[Token]) -> list[Token]:
    """Return tokens with a change before what it tells: "von 5 auf 3 gesunken" is "fell from"."""
    if kinds_of(tokens[-1:]) not in (["rise"], ["fall"]):
        return tokens
    for at, (one, behind) in enumerate(pairwise(tokens[:-1])):
        leads = one.kind in ("of", "from", "to", "by") and behind.kind == "figure"
        if leads or (one.kind in _DEGREES and behind.kind in ("to", "by")):
            return [*tokens[:at], tokens[-1], *tokens[at:-1]]
    return tokens


def _began_apart(tokens: list[Token]) -> list[Token]:
    """Return tokens with the value that a change began at apart from what it came to.

    "Fell from 5 in 2010 to 3 in 2020", 从2010年的5降至3: its time leads on to the other.
    """
    leads = [i for i, one in enumerate(tokens) if one.kind in ("of", "from")]
    told = ("figure", "period")
    at = next((i for i in leads if {*kinds_of(tokens[i + 1 : i + 2])} & {*told}), len(tokens))
    own = [*takewhile(lambda one: one.kind in told, tokens[at + 1 : at + 3])]
    figures = [one.quantity for one in own if one.quantity is not None]
    behind = tokens[at + 1 + len(own) :]
    ended = next((one.quantity for one in behind if one.kind == "figure"), None)
    moves = any(one.kind in ("rise", "fall") for one in tokens)
    if not moves or len(figures) != 1 or ended is None or "to" not in kinds_of(behind):
        return tokens
    if figures[0].unit not in (None, ended.unit):
        return tokens  # "a fall of 3 % to 40"
    time = [Token("from"), *(one for one in own if one.kind == "period")]
    began = Token("began", quantity=replace(figures[0], unit=ended.unit))
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


SETS = frozenset(("kind", "member", "number", "all", "shown"))
"""Kinds of words that tell a set of things."""


_OF_SET = frozenset(("kind", "member", "number", "name", "word", "of", "period", "all", "both"))
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
    of_several = not {"kind", "both", "number"}.isdisjoint(head)  # "the two smallest are"
    if is_torn or len(ends) != 1 or not of_several or not set(head) <= plain | set(ends):
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
        if one.kind == "narrow" and rows:
            continue  # "and Germany at just 0.04 %"
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


_STRUCTURE = frozenset(
    (*PLACES, *WENT, "more", "less", "ahead", "behind", "same", "share", "fraction", "half", "gap")
) | frozenset(("double", "times", "near", "as", "all", "any", "both", "none", "only", "stay"))


def is_structure(token: Token) -> bool:
    """Whether a token compares, tells a change, a share or a bound."""
    told = token.quantity
    return token.kind in _STRUCTURE or (
        told is not None and (told.unit == "%" or told.bound in ("over", "under"))
    )
