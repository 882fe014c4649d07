"""Words that bound a figure, compare with another thing, or stand between two: over, between."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.counterparts import compared_told
from groundwire.evidence.claims.degrees import is_exact, is_told
from groundwire.evidence.claims.gaps import lies_between
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.ranges import WITHIN
from groundwire.evidence.claims.runs import APART, WITHIN_BOUND
from groundwire.evidence.claims.totals import tells_beyond
from groundwire.evidence.claims.value_cues import compared, compares_as
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_BEFORE_FIGURE = frozenset[str](cue_tables()["before_figure"])
# From a word to what stands right behind it, an article or an approximation between them.
_NEXT_WORD = 8
# From a bound to the figure of a mark: "below the mark of".
_TO_MARK = 20
# Before a figure that is a value: "with 610 MWh higher than B".
_LED = re.compile(r"(?:\b(?:with|at|mit|bei) |[,，(] ?)$", re.IGNORECASE)
# From a preposition to the name that it joins: "under the licence MIT".
_NEAR_NAME = 24


def judge_bound(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge over, under and at least with the number beside it, else a comparison or a preposition.

    "Above that of France" compares; "under the MIT licence" joins a name, which is a claim itself.
    """
    word = words[place]
    sense = sense_of(word)
    if sense == "exactly":
        near = any(_has_margin(proof, q.span[0]) for q in proof.context.quantities)
        return True if is_exact(proof, word) and not near else None
    if sense == "between":
        held = any(c.detail.startswith(WITHIN) for c in proof.claims)
        return True if held or lies_between(proof, word) else None
    if any(0 < c.start - word.end <= _NEXT_WORD + 2 and c.detail == APART for c in proof.claims):
        return (
            True if all(c.status == "derived" for c in proof.claims if c.detail == APART) else None
        )
    for quantity in proof.context.quantities:
        start, end = quantity.span
        before = start >= word.end and proof.text[word.end : start].strip(" *") in _BEFORE_FIGURE
        if before:
            strict = quantity.unit is None and sense in ("more_than", "less_than")
            told = quantity.bound is not None and not (strict and is_told(proof, quantity))
            told = told and not _has_margin(proof, start)
            return True if told else None  # "more than 13" is not 13
        closes = 0 <= word.start - end <= 2 and not proof.text[end : word.start].strip(" *")
        told = quantity.bound not in (None, "about") or _is_computed(proof, start)
        led = _LED.search(proof.text, max(0, start - _NEAR_NAME), start) is not None
        if closes and (told or (word.text.endswith(("than", "als")) and not led)):
            return told or None  # "135 minutes longer than B" is no figure of A
    if _is_kept(proof, word):
        return True
    way = {"more_than": "more", "at_least": "more", "less_than": "less", "at_most": "less"}
    values = [c for c in proof.claims if c.kind == "name" and c.facts]  # "under the licence MIT"
    joins = any(0 <= c.start - word.end <= _NEAR_NAME for c in values)
    pairs = [] if joins and not proof.context.quantities else compared(proof, words, place)
    if not pairs and compared_told(proof, words, place) is not None:
        return None
    if pairs and sense in way:
        return all(compares_as(way[sense], first, second) for first, second in pairs)
    moves = any(token.tag == "verb" for token in word.tokens)
    if len(word.tokens) > 1:
        return None  # "more than Austria" compares with it, and joins no name
    near = any(0 <= q.span[0] - word.end <= _NEAR_NAME for q in proof.context.quantities)
    reach = _NEXT_WORD if near else _NEAR_NAME
    named = [c for c in proof.claims if c.kind == "name" and c.status == "supported"]
    if moves:  # "you pass Mile End"
        named = [c for c in named if any(fact.value.item for fact in c.facts)]
    return True if any(0 <= c.start - word.end <= reach for c in named) else None


def _is_kept(proof: Proof, word: Word) -> bool:
    """Whether a figure beside a bound was judged with it: "below the mark of 2 trillion"."""
    held = [c for c in proof.claims if c.detail.endswith(WITHIN_BOUND)]
    beyond = any(c.end <= word.start <= c.end + 2 for c in proof.claims if tells_beyond(c))
    return beyond or any(0 < c.start - word.end <= _TO_MARK for c in held)


def _has_margin(proof: Proof, start: int) -> bool:
    """Whether a figure is an estimate with an interval, so that no bound stands at it."""
    own = {(f.evidence_id, f.entities) for c in proof.claims if c.start == start for f in c.facts}
    return any(
        (fact.evidence_id, fact.entities) in own and "interval" in fact.names
        for fact in (proof.known.facts.numbers() if own else ())
    )


def _is_computed(proof: Proof, start: int) -> bool:
    """Whether a figure was computed, and the way that the words behind it say with it."""
    return any(claim.start == start and claim.status == "derived" for claim in proof.claims)
