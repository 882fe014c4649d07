"""Quantifiers held against the records: all, each, only, both, some, half, most, many, few."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.change_spans import leaps
from groundwire.evidence.claims.counted_nouns import is_of_answer
from groundwire.evidence.claims.counts import COUNT_OF_ALL, within_bound
from groundwire.evidence.claims.degrees import is_far, is_of_multiple, limits_exact_count
from groundwire.evidence.claims.fractions import judge_fraction
from groundwire.evidence.claims.labelled_members import splits_set
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.runs import EVERY_PERIOD, lies_within_each
from groundwire.evidence.claims.set_cues import (
    are_values_of_all,
    holds_for_all,
    holds_for_each,
    is_of_whole_journey,
    is_total,
)
from groundwire.evidence.claims.stated_values import is_of_more
from groundwire.evidence.claims.superlatives import judge_superlative, moved_alone
from groundwire.evidence.claims.value_cues import is_slight, judge_named_steps
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_IN_ORDER = frozenset[str](cue_tables()["in_order"])
# From a quantifier to the figure or the noun right behind it.
_NEXT_WORD = 8
_NEAR_FIGURE = 12
_COMMAS = frozenset(",;，；、")


def judge_quantifier(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Both, only, some: by how many things the passage names, or by a complete count."""
    sense = sense_of(words[place])
    if words[place].text.casefold() in _IN_ORDER:
        figures = [c for c in proof.claims if c.kind in ("number", "percent", "time")]
        return True if len(figures) > 1 and all(c.facts for c in figures) else None
    entities = {key for anchor in proof.context.entities for key in anchor.keys}
    periods = {anchor.keys for anchor in proof.context.periods}
    longest = [one for one in periods if not any(one < other for other in periods)]
    if sense == "both":
        if not are_values_of_all(proof, entities if len(entities) == 2 else proof.known.entities):
            return None
        if len(entities) == 2 or 2 in (len(periods), len(longest)):
            return True
        return True if len(proof.known.entities) == 2 and not entities else None
    if sense in ("half", "most"):
        judge = judge_fraction if sense == "half" else _judge_most
        return judge(proof, words, place)
    if sense == "many":
        return True if is_far(proof, words, place) or is_of_multiple(proof, words, place) else None
    if sense == "few":
        return True if is_slight(proof, words, place) else None
    if sense in ("all", "each", "every"):
        held = _of_all(proof, words, place)
        if held is not None:
            return held or None
    if sense == "some":
        return True if proof.facts or proof.found.facts else None
    if sense == "only" and (
        limits_exact_count(proof, words[place])
        or _only_within(proof, words)
        or moved_alone(proof, words, place)
    ):
        return True
    return _every(proof, words, place) if sense in ("only", "all", "each", "every") else None


def _only_within(proof: Proof, words: Sequence[Word]) -> bool:
    """Whether what a passage names is all that lies within its bound: "only X has fewer than 9"."""
    here = {key for anchor in proof.context.entities for key in anchor.keys}
    for word in words:
        held = within_bound(word.quantity, proof.context, proof.known) if word.quantity else None
        if held is not None and {key for fact in held[0] for key in fact.entities} == here:
            proof.used.extend(held[1])
            return True
    return False


def _judge_most(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Most people are the largest number of them: "die meisten Einwohner hatte China"."""
    behind = words[place + 1].role if place + 1 < len(words) else None
    counts = behind is not None and behind.role == "unit_noun"
    return judge_superlative(proof, words, place) if counts else None


def _is_every_period(proof: Proof, word: Word) -> bool:
    """Whether "all eight quarters" are those of a series, and a range holds for every value."""
    counted = (c for c in proof.claims if c.detail == EVERY_PERIOD and c.status == "derived")
    near = any(0 < claim.start - word.end <= _NEXT_WORD for claim in counted)
    return near and lies_within_each(proof.claims, "")


def _of_all(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Whether all of what a passage speaks of is told; None where more must say so."""
    word = words[place]
    if leaps(proof.claims, proof.context.clause(word.start)):
        return False  # 每年增长6.6%
    if is_of_more(proof, word):
        return False
    behind = proof.text[word.end : word.end + _NEXT_WORD]
    if not proof.context.entities and lies_within_each(proof.claims, behind):
        return True
    if splits_set(words, place, proof.claims, proof.found.met) or not are_values_of_all(proof):
        return False
    is_all = sense_of(word) == "all" and (
        is_total(proof.claims, proof.known)
        or is_of_answer(proof.claims, word, proof.context)
        or _is_every_period(proof, word)
        or holds_for_all(proof, words, place)
        or any(is_of_whole_journey(fact) for fact in proof.facts)
    )
    return True if is_all else None


def _every(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """All, each, only: by the values that are told of each time, else by a complete set."""
    sense = sense_of(words[place])
    if sense != "only" and judge_named_steps(proof, words, place):
        return True
    if sense != "only" and holds_for_each(proof) is False:
        return None
    if sense != "only":
        return True if proof.found.holds_for_all() else None
    end = words[place].end
    counts = (c for c in proof.claims if c.detail != COUNT_OF_ALL and c.start >= end)
    figures = (c for c in counts if c.kind == "number" and c.facts)
    gaps = (proof.text[end : c.start] for c in figures)
    near = any(len(gap) <= _NEAR_FIGURE and not _COMMAS & set(gap) for gap in gaps)
    return True if proof.found.is_complete and near else None
