"""Which of several names or periods in a passage a claim belongs to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from groundwire.language import Span as Word

Key = TypeVar("Key", bound=Hashable)

# What joins a figure to the name or period right after it: "41.4 % in FY2024", "9 (China)".
_JOINT = re.compile(
    r" ?(?:\(|(?:in|for|during|as of|at|as|from|im|für|am|als|bei|aus)\b)"
    r"(?: (?:the|year|fiscal|Jahr|der|dem|den))* ?| ",
    re.IGNORECASE,
)
# A figure in brackets, behind a colon or "with" is that of the name before it: "China (1.41
# billion)", "the Lyon one with 8.9 km".
_LED = re.compile(r" ?[(（:：] ?|,? (?:one )?(?:with|mit) ")
_LONGEST_LED = 10
# A name or period behind one of these is what something is compared with, and no more than that.
_BASE = re.compile(
    r"(?:[比较](?:(?:现在|目前|当前|现行)的?)?"
    r"|\b(?:(?:than|(?<=[eh]r )als)(?: in)?|compared (?:to|with)|versus|vs\.?|against|from"
    r"|gegenüber))"
    r"\s*(?:the )?[\"“„«「]?$",
    re.IGNORECASE,
)
# 与上年基本持平, "about the same as the year before"
_JOINED_BASE = re.compile(r"[与和跟同][^，。；、]{1,10}?(?:基本|大致|大体)?(?:持平|相比|相当|相同)")
_BREAK = re.compile(
    r"[,;:()\[\]|，；：（）、]|\s[–—-]\s|\b(?:and|or|while|whereas|but|with|versus|vs|against)\b|而|但是?|以及|与|和|并(?![不非未没无列])"
)


# The later figure is told first: "rose to 384, from 378".
_TO = re.compile(r"\b(?:to|auf) $", re.IGNORECASE)
_FROM_BEHIND = re.compile(r",? (?:(?:up|down) )?(?:from|von) ", re.IGNORECASE)


def are_names(words: Sequence[Word], names: Sequence[Stands]) -> bool:
    """Whether a passage has names and no other word: it heads what follows, or answers."""
    spans = [(one.start, one.end) for one in names]
    return bool(spans) and all(
        word.kind == "sign" or any(a <= word.start and word.end <= b for a, b in spans)
        for word in words
    )


def led_back(text: str, spans: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    """The "to" of "to 384, from 378", where two figures stand so."""
    if len(spans) != 2:
        return None
    (start, end), (other, _) = spans
    joint = _FROM_BEHIND.fullmatch(text, end, other)
    return _TO.search(text, max(0, start - 5), start) if joint else None


class Anchor(NamedTuple, Generic[Key]):
    """A name or period in a passage, with the keys that it stands for."""

    start: int
    end: int
    keys: frozenset[Key]


Force = Literal["own", "hard", "soft", ""]
"""Said in the passage itself, by what stands over it, shortly before, or not at all."""


class Slot(NamedTuple, Generic[Key]):
    """The answers that a passage allows to one question: which entity, period or property.

    Attributes:
        keys: the answers that it allows; empty where it says nothing.
        force: own, hard, soft, or "" where it says nothing.
    """

    keys: frozenset[Key]
    force: Force

    @property
    def binding(self) -> bool:
        """Whether a value of something else contradicts it."""
        return self.force in ("own", "hard")

    def allows(self, keys: frozenset[Key]) -> bool:
        """Whether a fact with these keys may be meant."""
        return not self.keys or not keys or bool(self.keys & keys)


def is_base(text: str, start: int) -> bool:
    """Whether what begins at a place is what something is compared with: "than China"."""
    joined = _JOINED_BASE.match(text, start - 1) if start else None
    return joined is not None or _BASE.search(text, max(0, start - 20), start) is not None


# "The second largest after China", 仅次于中国
_NEXT_TO = re.compile(
    r"(?:\b(?:after|behind|following|nach|hinter) (?:the )?|次于)$", re.IGNORECASE
)


def is_before_it(text: str, start: int) -> bool:
    """Return whether what begins at a place is said to have the place before another thing."""
    return _NEXT_TO.search(text, max(0, start - 20), start) is not None


def clause_breaks(text: str, start: int, end: int, kept: Sequence[tuple[int, int]]) -> list[int]:
    """Where the clauses of a passage begin, apart from the first.

    Args:
        text: the draft.
        start: where the passage begins.
        end: where it ends.
        kept: spans in the passage that hold no break: names, quantities, dates.
    """
    breaks: list[int] = []
    ordered = sorted(kept)
    k = 0
    for match in _BREAK.finditer(text, start, end):
        while k < len(ordered) and ordered[k][1] < match.end():
            k += 1
        if k == len(ordered) or ordered[k][0] > match.start():
            breaks.append(match.end())
    return breaks


def joined(
    text: str, claims: Sequence[int], ends: Mapping[int, int], anchors: Sequence[Anchor[Key]]
) -> dict[int, Anchor[Key]]:
    """Claims with the name or period that stands right after them: "41.4 % in FY2024".

    Args:
        text: the draft.
        claims: where the claims begin.
        ends: where each of them ends.
        anchors: names or periods, in order.
    """
    held: dict[int, Anchor[Key]] = {}
    leading = _leading(text, claims, anchors)
    leads = {id(anchor) for anchor in leading.values()}
    starts = [anchor.start for anchor in anchors]
    for claim in claims:
        end = ends.get(claim, claim)
        led = leading.get(claim)
        if led is not None:
            held[claim] = led
            continue
        place = bisect_left(starts, end)
        following = anchors[place] if place < len(anchors) else None
        if (
            following is not None
            and id(following) not in leads
            and _JOINT.fullmatch(text, end, following.start)
        ):
            held[claim] = following
    return held


def _leading(
    text: str, claims: Sequence[int], anchors: Sequence[Anchor[Key]]
) -> dict[int, Anchor[Key]]:
    """Claims with the name or period right before the bracket or colon that they stand behind."""
    by_end: dict[int, Anchor[Key]] = {}
    for anchor in anchors:
        by_end.setdefault(anchor.end, anchor)
    return {
        claim: by_end[end]
        for claim in claims
        for end in range(claim - 1, claim - _LONGEST_LED - 1, -1)
        if end in by_end and _LED.fullmatch(text, end, claim)
    }


def subjects(text: str, claim: int, anchors: Sequence[Anchor[Key]]) -> list[Anchor[Key]]:
    """Anchors without those that what stands before the claim is only compared with."""
    kept = [a for a in anchors if a.start > claim or not is_base(text, a.start)]
    return kept or list(anchors)


def bind(
    claim: int,
    anchors: Sequence[Anchor[Key]],
    claims: Sequence[int],
    breaks: Sequence[int],
    *,
    back: bool = False,
) -> frozenset[Key]:
    """Keys that a claim may belong to, by the usual ways in which sentences are built.

    Names and claims in the same number and separate rows pair in order ("A and B are 12 and 8
    km"); a claim goes with the names of its own clause, else with those of the nearest clause
    before that makes no claim of its own, else with the nearest, though with none of a later clause
    that makes claims. Where a sentence can be read in
    two ways, both are returned.

    Args:
        claim: where the claim begins.
        anchors: what it may belong to, in order.
        claims: where all claims of its sort begin, this one among them, in order.
        breaks: where clauses begin.
        back: the claims tell what comes later first.
    """
    if not anchors:
        return frozenset()
    if len({anchor.keys for anchor in anchors}) == 1:
        return frozenset() if _leads_others(claim, anchors, claims, breaks) else anchors[0].keys
    place = claims.index(claim)
    paired = _paired(len(claims) - 1 - place if back else place, anchors, claims)
    if paired is not None:
        keys, certain = paired
        if certain:
            return keys
    else:
        keys = frozenset[Key]()
    return keys | _by_clause(claim, anchors, claims, breaks)


def _leads_others(
    claim: int, anchors: Sequence[Anchor[Key]], claims: Sequence[int], breaks: Sequence[int]
) -> bool:
    """Whether what is named stands in a later clause, right before a claim of that clause.

    "It rose by 41 % there, in Spain by 26.9 %" says nothing of the thing that rose by 41 %.
    """
    first = anchors[0].start
    if first < claim or bisect_right(breaks, first) == bisect_right(breaks, claim):
        return False
    clause = bisect_right(breaks, first)
    own = [other for other in claims if bisect_right(breaks, other) == clause]
    return bool(own) and own[0] > first


def _paired(
    place: int, anchors: Sequence[Anchor[Key]], claims: Sequence[int]
) -> tuple[frozenset[Key], bool] | None:
    if len(anchors) != len(claims) or len(claims) < 2:
        return None
    if anchors[-1].start < claims[0] or claims[-1] < anchors[0].start:
        return anchors[place].keys, True
    follows = all(c < a.start for c, a in zip(claims, anchors, strict=True))
    return (anchors[place].keys, False) if follows else None


def _by_clause(
    claim: int, anchors: Sequence[Anchor[Key]], claims: Sequence[int], breaks: Sequence[int]
) -> frozenset[Key]:
    here = bisect_right(breaks, claim)
    clause_of = [bisect_right(breaks, anchor.start) for anchor in anchors]
    own = [a for a, clause in zip(anchors, clause_of, strict=True) if clause == here]
    if own:
        rivals = [c for c in claims if bisect_right(breaks, c) == here]
        keys = _within_clause(claim, own, rivals)
        if keys or min(clause_of) == here:
            return keys
    claimed = {bisect_right(breaks, c) for c in claims}
    earlier = [clause for clause in clause_of if clause < here]
    free = [clause for clause in earlier if clause not in claimed]
    if not earlier and min(clause_of) in claimed:
        return frozenset()  # "Surveyed in 2019, created in 2020": what comes later has its own
    nearest = max(free) if free else max(earlier) if earlier else min(clause_of)
    keys = (a.keys for a, clause in zip(anchors, clause_of, strict=True) if clause == nearest)
    return frozenset[Key]().union(*keys)


def _within_clause(claim: int, own: Sequence[Anchor[Key]], rivals: Sequence[int]) -> frozenset[Key]:
    before = [a for a in own if a.start < claim]
    after = [a for a in own if a.start > claim]
    previous = [c for c in rivals if c < claim]
    if not before:
        later = [c for c in rivals if c > claim]
        led = len(later) == len(after) and all(
            a.start < c for a, c in zip(after, later, strict=True)
        )
        return frozenset() if later and led else after[0].keys
    if not previous:
        return frozenset[Key]().union(*(a.keys for a in before))
    since = [a for a in before if a.start > previous[-1]]
    if since:
        return since[-1].keys
    following = [a for a in after if not any(claim < c < a.start for c in rivals)]
    return (following[0] if following else before[-1]).keys


class Stands(Protocol):
    """A thing that stands somewhere in a text."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


Standing = TypeVar("Standing", bound=Stands)


def joined_things(text: str, things: Sequence[Standing], joint: re.Pattern[str]) -> list[Standing]:
    """Return the first of some things, with those that it is joined with: "A, B and C".

    Args:
        text: the draft.
        things: in the order of the text, or from its end.
        joint: what stands between two things that are joined.
    """
    found = list(things[:1])
    for thing in things[1:]:
        first, second = sorted((found[-1], thing), key=lambda one: one.start)
        if not joint.fullmatch(text, first.end, second.start):
            break
        found.append(thing)
    return found


# Between a thing and the multiple of it: 新西兰的两倍, 西山区2,600的三倍.
_OF_MULTIPLE = re.compile("[0-9.,万亿]{0,12}的(?:大?约|近|将近|几乎|超过)?")


def places_of_things(
    text: str, things: Sequence[Anchor[str]], position: int, begin: int
) -> dict[str, int]:
    """Return in which order a figure compares things, by key: its subject first, its base last.

    The subject is the first of them, or the one that the clause of the figure names alone behind
    another figure, or one that is named once more: "A had 3 and B had 5, so B had 2 more".

    Args:
        text: the whole text.
        things: where it names them.
        position: where the figure begins.
        begin: where its clause begins.
    """
    order = {key: place for place, thing in [*enumerate(things)][::-1] for key in thing.keys}
    bases = [
        one
        for one in things
        if is_base(text, one.start) or _OF_MULTIPLE.fullmatch(text, one.end, position)
    ]
    order |= {key: len(things) for one in bases for key in one.keys}
    before = [one for one in things if one.end <= position and one not in bases]
    if before:
        own = before[-1]
        others = [one for one in before[:-1] if not one.keys & own.keys]
        ends = [one.end for one in others]
        told = any(sign.isdigit() for sign in text[max(ends, default=own.start) : own.start])
        alone = told and own.start >= begin and all(end <= begin for end in ends)
        again = any(one.keys & own.keys for one in before[:-1])
        if others and (alone or again):
            order |= dict.fromkeys(own.keys, -1)
    return order
