"""Questions for a share: which of the entities that are named is the whole.

"Germany's share of EU GDP" and 德国占欧盟GDP的比重 name the whole, and so does "our" in "what share
of our revenue does Hong Kong have". A question that names none is asked which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.chinese_words import simplified
from groundwire.metrics.intent.roles import Explained
from groundwire.metrics.intent.slots import Value
from groundwire.metrics.intent.tokens import inside
from groundwire.metrics.profile import Profile
from groundwire.metrics.terms import TOTAL

_PERCENT = frozenset(["pct", "percent", "percentage", "total", "whole", "overall", "within"])
_INTO = frozenset(["in", "within", "among", "of"])
_CHINESE_BESIDE = re.compile(
    r"百分之(?:几|多少)|多大比[例重]|多少比[例重]|比例|几成|[中里内所的了]"
)
_PLACES = frozenset("中里内")
_CHINESE_HOME = re.compile(r"我们的?|[我本][司方]|本?公司|本?集团")


class SharedOf(NamedTuple):
    """What a question for a share is read as, beyond what it lists.

    Attributes:
        whole: code of the entity that is the whole, or "".
        channels: channels that are looked up too: the total that others are shares of.
        asks: codes of the wholes that may be meant, where the question names none.
    """

    whole: str = ""
    channels: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


def read_share(
    explained: Explained, values: Sequence[Value], profile: Profile, kinds: frozenset[str]
) -> SharedOf | None:
    """Find the whole of a share that a question asks for.

    Args:
        explained: the question.
        values: the values of its slots, in the order of the text.
        profile: which entity holds which.
        kinds: kinds of the metrics that are asked for.

    Returns:
        None where it asks for no share, or lists what there are shares of.
    """
    if not any(one == "share" for one, _, _ in explained.operations) or len(kinds) != 1:
        return None
    (kind,) = kinds
    homes = frozenset(filter(None, (profile.kinds[kind].home,)))
    named = whole_of(explained, values, homes)
    if named is not None:
        codes = [code for code in named if profile.entity_by_code[code].kind == kind]
        return SharedOf(whole=codes[0]) if codes else None
    channels = {code for one in values if one.slot == "channel" for code in one.codes}
    entities = {code for one in values if one.slot == "entity" for code in one.codes}
    if channels - {TOTAL}:
        return SharedOf(channels=(TOTAL,)) if len(entities) < 2 else SharedOf()
    if len(entities) != 1:
        return None
    return SharedOf(asks=profile.membership.wholes_of(*entities))


def explain_shares(explained: Explained) -> None:
    """Explain the words beside a word for a share that only say who has it, and of what."""
    places = [at for one, first, last in explained.operations if one == "share"
              for at in range(first, last)]  # fmt: skip
    if not places:
        return
    tokens, roles = explained.tokens, explained.roles
    for at, token in enumerate(tokens):
        if roles[at] not in ("loose", "qualifier", "movement"):
            continue
        if token.plain in english.HAVING_A_SHARE or (
            token.plain in _PERCENT and explained.role(at + 1) != "term"
        ):
            roles[at] = "function"
        elif token.plain in english.HOME and explained.role(at + 1) in ("term", "function"):
            roles[at] = "own"
        elif token.plain in ("total", "overall", "whole") and explained.role(at + 1) == "term":
            roles[at] = "function"
    for first, text in _runs(explained):
        for match in _CHINESE_HOME.finditer(text):
            explained.give(first + match.start(), first + match.end(), "own")
        for match in _CHINESE_BESIDE.finditer(text):
            start = first + match.start()
            if match[0] not in _PLACES or explained.role(start - 1) == "term":
                explained.give(start, first + match.end(), "function")


def whole_of(
    explained: Explained, values: Sequence[Value], homes: frozenset[str]
) -> tuple[str, ...] | None:
    """The codes of the entity that a question for a share names as the whole.

    Args:
        explained: the question.
        values: the values of its slots, in the order of the text.
        homes: the home entities of the metrics that are asked for, which "our" stands for.

    Returns:
        the codes, or None where it names no whole, or several that may be it.
    """
    places = [first for one, first, _ in explained.operations if one == "share"]
    entities = [value for value in values if value.slot == "entity"]
    if not places or not entities:
        return None
    if len({value.codes for value in entities}) == 1 and explained.has("own") and homes:
        return tuple(sorted(homes))
    if len({value.codes for value in entities}) < 2:
        return None
    tokens = explained.tokens
    if any(token.kind == "cjk" for token in (tokens[at] for at in places)):
        return _chinese_whole(explained, places[0], entities)
    at = tokens[places[0]].start
    before = [value for value in entities if value.span[0] < at]
    after = [value for value in entities if value.span[0] > at]
    if before and after:
        return after[0].codes if len(after) == 1 else None
    if len(after) < 2:
        return None
    if english.BEFORE_A_SHARER & _words_between(explained, after[0], after[1]):
        return after[0].codes
    return after[-1].codes if _INTO & _words_between(explained, after[-2], after[-1]) else None


def _chinese_whole(
    explained: Explained, place: int, entities: Sequence[Value]
) -> tuple[str, ...] | None:
    """A whole after 占, or before 中: 德国占欧盟, 德国在欧盟中, 欧盟GDP中德国."""
    tokens = explained.tokens
    for at, token in enumerate(tokens):
        if token.text in ("占", "佔") and not (
            at + 1 < len(tokens) and tokens[at + 1].text == "比"
        ):
            after = [one for one in entities if one.span[0] > token.start]
            if after:
                return after[0].codes
    marks = [
        at
        for at, one in enumerate(tokens)
        if one.text in _PLACES and explained.roles[at] == "function"
    ]
    if marks:
        before = [one for one in entities if one.span[1] <= tokens[marks[0]].start]
        return before[-1].codes if before else None
    for one, following in pairwise(entities):
        between = inside(tokens, one.span[1], following.span[0])
        if any(tokens[at].text == "在" for at in between):
            return following.codes
    return None


def _words_between(explained: Explained, one: Value, other: Value) -> frozenset[str]:
    places = inside(explained.tokens, one.span[1], other.span[0])
    return frozenset(explained.tokens[at].plain for at in places)


def _runs(explained: Explained) -> list[tuple[int, str]]:
    """Runs of characters that nothing explains, with the number of the first."""
    runs: list[tuple[int, str]] = []
    end = -1
    for at, token in enumerate(explained.tokens):
        if token.kind != "cjk" or explained.roles[at] not in ("loose", "qualifier", "function"):
            continue
        if at == end and token.glued:
            runs[-1] = (runs[-1][0], runs[-1][1] + simplified(token.text))
        else:
            runs.append((at, simplified(token.text)))
        end = at + 1
    return runs
