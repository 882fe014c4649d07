"""What each word of a question is there for: a term, a period, a cue, grammar, or nothing known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from groundwire.metrics.gate.letters import read_table
from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import derivations
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.derivations import Operation
from groundwire.metrics.intent.mentions import Mention
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.tokens import Token

Role = Literal[
    "term",
    "period",
    "function",
    "own",
    "cue",
    "movement",
    "derivation",
    "qualifier",
    "time",
    "loose",
]

_PHRASES: dict[tuple[str, ...], Role] = {
    ("per", "capita"): "qualifier",
    ("like", "for", "like"): "qualifier",
    ("at", "risk"): "qualifier",
    ("how", "come"): "cue",
    ("by", "how", "much"): "function",
    ("how", "big"): "function",
    ("how", "high"): "function",
    ("how", "large"): "function",
    ("how", "low"): "function",
    ("according", "to"): "function",
    ("look", "up"): "function",
    ("looking", "up"): "function",
    ("year", "to", "date"): "time",
    ("full", "year"): "function",
    ("as", "well", "as"): "function",
    ("break", "down"): "qualifier",
    ("other", "than"): "qualifier",
    ("rather", "than"): "qualifier",
}
_BEFORE_HOME = frozenset(["the", "our", "my", "whole", "entire", "this", "s"])
_BESIDE_PERIOD = english.BESIDE_PERIOD | {"from", "to", "until", "till", "through"}
# "Like to know", "revenue from agents"; but "sales to China" are not those of China.
_AFTER: dict[str, tuple[Role, ...]] = {"to": ("period", "function"), "from": ("period", "term")}


@dataclass(slots=True)
class Explained:
    """The tokens of a question with what each is there for.

    Attributes:
        tokens: the tokens.
        roles: the role of each.
        terms: for each token the numbers of the mentions that it is part of.
        operations: derivations that are asked for, as (operation, first token, token after).
    """

    tokens: Sequence[Token]
    roles: list[Role]
    terms: list[tuple[int, ...]]
    operations: list[tuple[Operation, int, int]] = field(
        default_factory=list[tuple[Operation, int, int]]
    )

    def give(self, first: int, last: int, role: Role) -> None:
        """Give tokens a role."""
        for at in range(first, last):
            self.roles[at] = role

    def has(self, role: Role) -> bool:
        """Whether any token has a role."""
        return role in self.roles


def explain(
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    periods: Sequence[Span],
    times: Sequence[Span],
    units: frozenset[str] = frozenset(),
) -> Explained:
    """Find what each token is there for.

    Args:
        tokens: the tokens of a cleaned question.
        mentions: the terms in it, spans of the same text.
        periods: spans of the periods in it.
        times: spans of time words that no period explains.
        units: folded words of the units of the metrics that are asked for.
    """
    explained = Explained(tokens, ["loose"] * len(tokens), [()] * len(tokens))
    _mark(explained, times, "time")
    _mark(explained, periods, "period")
    for number, mention in enumerate(mentions):
        for at in _inside(tokens, mention.span):
            explained.roles[at] = "term"
            explained.terms[at] += (number,)
    _explain_phrases(explained)
    _explain_words(explained, units)
    _explain_beside_periods(explained)
    _explain_chinese(explained)
    _split_compounds(explained)
    return explained


def _inside(tokens: Sequence[Token], span: Span) -> Iterator[int]:
    return (at for at, one in enumerate(tokens) if one.start < span[1] and one.end > span[0])


def _mark(explained: Explained, spans: Sequence[Span], role: Role) -> None:
    for span in spans:
        for at in _inside(explained.tokens, span):
            explained.roles[at] = role


def _free(explained: Explained, first: int, last: int) -> bool:
    return last <= len(explained.tokens) and all(
        role in ("loose", "time") for role in explained.roles[first:last]
    )


def _explain_phrases(explained: Explained) -> None:
    """Phrases of several words, and words that ask for a derivation."""
    tokens = explained.tokens
    at = 0
    while at < len(tokens):
        following = [token.plain for token in tokens[at : at + 3]]
        length = 1
        for size in (3, 2):
            role = _PHRASES.get(tuple(following[:size]))
            if role is not None and _free(explained, at, at + size):
                explained.give(at, at + size, role)
                length = size
                break
        else:
            found = derivations.longest_phrase(following)
            if found is not None and _free(explained, at, at + found[1]):
                operation, length = found
                explained.give(at, at + length, "derivation")
                explained.operations.append((operation, at, at + length))
        at += length


def _explain_words(explained: Explained, units: frozenset[str]) -> None:
    """Single words of English."""
    tokens = explained.tokens
    for at, token in enumerate(tokens):
        if explained.roles[at] != "loose" or token.kind not in ("word", "mark"):
            continue
        before = tokens[at - 1].plain if at else ""
        word = token.plain
        either = {word, token.singular}
        if word in english.NARRATIVE:
            explained.roles[at] = "cue"
        elif either & english.QUALIFIERS:
            explained.roles[at] = "qualifier"
        elif _looks_like_a_code(explained, at):
            continue
        elif either & english.GRAMMAR or (word == "us" and before in english.BEFORE_US):
            explained.roles[at] = "function"
        elif (word in english.OWN and token.text != "US" and word != "us") or (
            word in english.HOME and before in _BEFORE_HOME and not token.text.isupper()
        ):
            explained.roles[at] = "own"
        elif word in units and (before == "in" or before == "many"):
            explained.roles[at] = "function"
        elif word in english.MOVEMENTS:
            explained.roles[at] = "movement"


def _looks_like_a_code(explained: Explained, at: int) -> bool:
    """Whether a word of grammar is in capitals as no other word is, and joins no two terms."""
    token = explained.tokens[at]
    if token.plain not in english.CONNECTIVES or not (
        len(token.text) == 3 and token.text.isupper()
    ):
        return False
    if "term" == _role(explained, at - 1) == _role(explained, at + 1):
        return False
    return any(one.kind == "cjk" or one.text.islower() for one in explained.tokens)


def _role(explained: Explained, at: int) -> Role | None:
    return explained.roles[at] if 0 <= at < len(explained.roles) else None


def _explain_beside_periods(explained: Explained) -> None:
    """Words of time that say nothing beside a period: "the year 2024", "from 2023 to 2024"."""
    for at in (*range(len(explained.tokens)), *reversed(range(len(explained.tokens)))):
        token = explained.tokens[at]
        if explained.roles[at] not in ("loose", "time") or token.plain not in _BESIDE_PERIOD:
            continue
        if token.plain in ("from", "to", "through", "until", "till"):
            near = _next_role(explained, at, +1) in _AFTER.get(token.plain, ("period",))
        else:
            near = "period" in (_next_role(explained, at, +1), _next_role(explained, at, -1))
        if near:
            explained.roles[at] = "function"


def _next_role(explained: Explained, at: int, step: int) -> Role | None:
    """The role of the next token that is no article or preposition."""
    at += step
    while 0 <= at < len(explained.tokens):
        if explained.tokens[at].plain not in ("the", "of", "in", "for", "and", "to"):
            return explained.roles[at]
        at += step
    return None


def _explain_chinese(explained: Explained) -> None:
    """Runs of characters that are no term and no period, by the longest known english."""
    tokens = explained.tokens
    at = 0
    while at < len(tokens):
        if tokens[at].kind != "cjk" or explained.roles[at] not in ("loose", "time"):
            at += 1
            continue
        end = at + 1
        while (
            end < len(tokens)
            and tokens[end].kind == "cjk"
            and not tokens[end].broken
            and explained.roles[end] in ("loose", "time")
        ):
            end += 1
        _explain_run(explained, at, end)
        at = end


@cache
def _simplified() -> dict[str, str]:
    """The simplified form of each traditional character."""
    return read_table("han")


def _explain_run(explained: Explained, first: int, last: int) -> None:
    simplified = _simplified()
    run = "".join(simplified.get(token.text, token.text) for token in explained.tokens[first:last])
    at = 0
    single = False
    while at < len(run):
        word, role = _chinese_word(run, at)
        place = first + at
        if role == "function" and not _allowed(explained, place, word, single):
            role = "loose"
            if len(word) == 1 and single:
                explained.roles[place - 1] = "loose"
        for offset in range(len(word)):
            if role != "loose":
                explained.roles[place + offset] = role
        if role == "derivation":
            explained.operations.append((derivations.CHINESE[word], place, place + len(word)))
        single = len(word) == 1 and role == "function" and word not in chinese.SOFT_SINGLES
        at += len(word)
    for place in range(first + 1, last - 1):
        _cue_in_name(explained, place, last)


def _cue_in_name(explained: Explained, first: int, end: int) -> None:
    """A cue between unexplained characters is a part of what they name (受影响地区)."""
    last = first
    while last < end and explained.roles[last] == "cue":
        last += 1
    if first < last < end and explained.roles[first - 1] == explained.roles[last] == "loose":
        explained.give(first, last, "loose")


def _chinese_word(run: str, at: int) -> tuple[str, Role]:
    """The longest known word at a place in a run of characters, with its role."""
    best, role = run[at], "loose"
    for known, named in _CHINESE:
        for word in known:
            if len(word) >= len(best) + (role != "loose") and run.startswith(word, at):
                best, role = word, named
                break
    return best, role


_CHINESE: tuple[tuple[Sequence[str], Role], ...] = (
    (chinese.NARRATIVE, "cue"),
    (sorted(derivations.CHINESE, key=len, reverse=True), "derivation"),
    (chinese.QUALIFIERS, "qualifier"),
    (chinese.GRAMMAR, "function"),
    (chinese.YEARLY, "time"),
    (chinese.MOVEMENTS, "movement"),
)


def _allowed(explained: Explained, place: int, word: str, single: bool) -> bool:
    """Whether a word of grammar can be one here, rather than a part of a name."""
    if word == "集团" and place and explained.roles[place - 1] == "term":
        return False
    return not (len(word) == 1 and single and word not in chinese.SOFT_SINGLES)


def _split_compounds(explained: Explained) -> None:
    """A word that a hyphen joins to an unknown one is a part of that: "so-called"."""
    for at in range(1, len(explained.tokens)):
        if not explained.tokens[at].hyphenated or explained.tokens[at].before not in ("-", "_"):
            continue
        pair = explained.roles[at - 1 : at + 1]
        if "loose" in pair or "qualifier" in pair:
            for place in (at - 1, at):
                if explained.roles[place] in ("function", "cue", "movement", "own"):
                    explained.roles[place] = "loose"


def settle(explained: Explained, keep: Callable[[Operation], bool]) -> tuple[Operation, ...]:
    """Accept the derivations whose operands are listed; the others stay as they are.

    Args:
        explained: the question; tokens of what is accepted become grammar.
        keep: whether the operands of an operation are listed.

    Returns:
        the operations that are asked for, each once.
    """
    accepted: dict[Operation, None] = {}
    for operation, first, last in explained.operations:
        if keep(operation):
            accepted[operation] = None
            explained.give(first, last, "function")
    for at, token in enumerate(explained.tokens):
        if accepted and token.plain in ("to", "from") and explained.roles[at] == "loose":
            explained.roles[at] = "function"
    return tuple(accepted)
