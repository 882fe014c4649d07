"""Quantifiers and bounds held against the records: all, each, only, both, some, half, most, over.

A bound stands beside a figure, compares with another thing, or stands between two: over, between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.change_spans import leaps
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.counted_nouns import is_of_answer
from groundwire.evidence.claims.counterparts import agrees_with_figure, compared_told, lies_between
from groundwire.evidence.claims.counts import COUNT_OF_ALL, TOTALS, within_bound
from groundwire.evidence.claims.degrees import (
    is_exact,
    is_far,
    is_of_multiple,
    is_told,
    judge_fraction,
    limits_exact_count,
)
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.runs import (
    APART,
    EVERY_PERIOD,
    WITHIN,
    WITHIN_BOUND,
    is_decade,
    judge_named_steps,
    lies_within_each,
    years_apart,
)
from groundwire.evidence.claims.set_cues import (
    are_values_of_all,
    holds_for_all,
    holds_for_each,
    is_of_whole_journey,
    is_total,
)
from groundwire.evidence.claims.stated_values import alike, is_of_more
from groundwire.evidence.claims.superlatives import judge_superlative
from groundwire.evidence.claims.told_properties import are_ends
from groundwire.evidence.claims.told_sets import splits_set
from groundwire.evidence.claims.totals import tells_beyond
from groundwire.evidence.claims.untold_bearers import bounds_row
from groundwire.evidence.claims.value_cues import compared, compares_as, is_slight
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_IN_ORDER = frozenset[str](cue_tables()["in_order"])
# From a quantifier to the figure or the noun right behind it.
_NEXT_WORD = 8
_NEAR_FIGURE = 12
# "All 38 minutes" are of one trip, "every train" is another.
_EVERY = ("every", "each", "jede", "每")
# These Chinese adverbs tell of each thing or time ahead of them the words behind them.
_EACH_AHEAD = frozenset(("都", "均", "皆", "全都"))
_TEN = 10
# Words of these roles may stand between "all" and the words that tell of all.
_JOINS = frozenset(("being", "function", "pronoun"))
_COMMAS = frozenset(",;，；、")
_ALL_HAN = re.compile(r"(?:所有|全部)[^，。；]{0,24}?[都均]")
_POINTS_HAN = re.compile(r"符合|匹配|找到|结果|这些|查到|条件")


def judge_quantifier(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Both, only, some: by how many things the passage names, or by a complete count."""
    sense = sense_of(words[place])
    if words[place].text.casefold() in _IN_ORDER:
        figures = [c for c in proof.claims if c.kind in ("number", "percent", "time")]
        return True if len(figures) > 1 and all(c.facts for c in figures) else None
    if (sense == "both" or words[place].text in _EACH_AHEAD) and _holds_for_row(
        proof, words[place]
    ):
        return True
    if sense == "both":
        return _judge_both(proof)
    if sense in ("half", "most"):
        judge = judge_fraction if sense == "half" else _judge_most
        return judge(proof, words, place)
    if sense == "many":
        return True if is_far(proof, words, place) or is_of_multiple(proof, words, place) else None
    if sense == "few":
        return True if is_slight(proof, words, place) else None
    if sense in ("all", "each", "every"):
        if _are_told_to_be_most(words, place):
            return None
        held = _of_all(proof, words, place)
        if held is not None:
            return held or None
    if sense == "some":
        return True if proof.facts or proof.found.facts else None
    if sense == "only" and (limited := _limits(proof, words, place)) is not None:
        return limited or None
    return _every(proof, words, place) if sense in ("only", "all", "each", "every") else None


def _judge_both(proof: Proof) -> Outcome:
    """Both are two things or two times that a passage names, or the two that there are."""
    entities = {key for anchor in proof.context.entities for key in anchor.keys}
    periods = {anchor.keys for anchor in proof.context.periods}
    longest = [one for one in periods if not any(one < other for other in periods)]
    if not are_values_of_all(proof, entities if len(entities) == 2 else proof.known.entities):
        return None
    if len(entities) == 2 or 2 in (len(periods), len(longest)):
        return True
    return True if len(proof.known.entities) == 2 and not entities else None


def _holds_for_row(proof: Proof, word: Word) -> bool:
    """Whether what is told of each of some things or times ahead of a word is so of each: 都.

    A bound must hold for each; two that are compared, or that move, are judged by that.
    """
    context = proof.context
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.start > word.end]
    if figures:
        rows = [bounds_row(claim, context) for claim in figures]
        proof.used.extend(fact for row in rows if row is not None for fact in row[1])
        return all(row is not None and row[0] for row in rows)
    things = {anchor.keys for anchor in context.entities if anchor.end <= word.start}
    told = [c for c in proof.claims if c.kind == "statement"]
    if told and len(things) > 1:
        return all(claim.status == "supported" for claim in told)
    times = {anchor.keys for anchor in context.periods if anchor.end <= word.start}
    told = any(q.value == 2 and q.span[1] <= word.start for q in context.quantities)
    return (told or 2 in (len(things), len(times))) and _judge_both(proof) is True


def _limits(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Whether "only" limits a count, or what a passage names is all within its bound."""
    if limits_exact_count(proof, words[place]):
        return True
    return _only_within(proof, words)


def only_predicates(proof: Proof, word: Word) -> bool:
    """Return whether what narrows a set is told of it behind "all": 所有课程的学分都不少于4."""
    told = _ALL_HAN.match(proof.text, word.start)
    if told is None or not proof.found.conditions or _POINTS_HAN.search(told[0]):
        return False
    met = [one for one in proof.found.met if proof.text[slice(*one)] not in proof.known.kinds]
    in_subject = [told.start() <= start < told.end() for start, _ in met]
    return not all(in_subject) or not met


def _have_it_too(proof: Proof, figures: Sequence[Claim]) -> bool:
    """Whether other things than a passage names have its figure, or a value within its bound."""
    named = {key for anchor in proof.context.entities for key in anchor.keys}
    bounds = {q.span[0]: (q.bound, q.value) for q in proof.context.quantities}
    for claim in figures:
        bound, value = bounds.get(claim.start, (None, None))
        for own in (f for f in claim.facts if f.entities and f.entities & named):
            others = [f for f in alike(proof.known, own) if not f.entities & named]
            for number in (f.number for f in others if f.number is not None):
                over, under = bound == "over", bound == "under"
                if value is not None and (over or under):
                    if number > value if over else number < value:
                        return True
                elif number == own.number:
                    return True
    return False


def _only_within(proof: Proof, words: Sequence[Word]) -> Outcome:
    """Whether what a passage names is all that lies within its bound: "only X has fewer than 9".

    None where it tells no bound.
    """
    here = {key for anchor in proof.context.entities for key in anchor.keys}
    bounds = [
        held
        for word in words
        if word.quantity and (held := within_bound(word.quantity, proof.context, proof.known))
    ]
    for within, used in bounds:
        if {key for fact in within for key in fact.entities} == here:
            proof.used.extend(used)
            return True
    return False if bounds and here else None


def _judge_most(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Most people are the largest number of them: "die meisten Einwohner hatte China".

    Most of a set are more than half of it, where a passage tells both: "4 of the 5 maps".
    """
    if _is_more_than_half(proof):
        return True
    behind = [one for one in words[place + 1 :] if one.tokens[-1].tag != "adjective"][:1]
    counts = any(one.role is not None and one.role.role == "unit_noun" for one in behind)
    counts = counts or any(a.start == one.start for a in proof.context.names for one in behind)
    return judge_superlative(proof, words, place) if counts else None


def _is_more_than_half(proof: Proof) -> bool:
    """Whether the two figures of a passage are a whole answer and the larger part of it."""
    figures = [c for c in proof.claims if c.kind in ("number", "percent")]
    facts = [c.facts[0] for c in figures if c.status == "supported" and c.facts]
    wholes = [fact for fact in facts if not fact.entities and fact.names & TOTALS]
    parts = [f for f in facts if f.entities and {f.value.unit} == {w.value.unit for w in wholes}]
    if len(figures) != 2 or len(wholes) != 1 or len(parts) != 1:
        return False
    alone = all(anchor.keys & parts[0].entities for anchor in proof.context.entities)
    return alone and 2 * (parts[0].number or 0) > (wholes[0].number or 0)


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
    ahead = words[place + 1].quantity if place + 1 < len(words) else None
    is_rate = word.text.casefold() == "alle" and ahead is not None and ahead.unit is not None
    is_every = word.text.casefold().startswith(_EVERY) or is_rate  # "alle 28 Minuten"
    is_all = sense_of(word) == "all" and (
        is_total(proof.claims, proof.known)
        or is_of_answer(proof.claims, word, proof.context)
        or _is_every_period(proof, word)
        or holds_for_all(proof, words, place)
        or (not is_every and any(is_of_whole_journey(fact) for fact in proof.facts))
    )
    return True if is_all else None


def _are_told_to_be_most(words: Sequence[Word], place: int) -> bool:
    """Whether all are told to have the value that leads: "they are all in the commonest form"."""
    roles = [word.role for word in words[place + 1 :]]
    behind = next((one for one in roles if one is None or one.role not in _JOINS), None)
    return behind is not None and behind.role == "superlative"


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
    named = [a.start for a in proof.context.entities if a.start >= end]
    # "Only Brazil had 200 million" says that no other had, and not that they are few.
    counts = (c for c in counts if not any(start < c.start for start in named))
    figures = [c for c in counts if c.kind == "number" and c.facts]
    if _have_it_too(proof, figures):
        return None
    gaps = (proof.text[end : c.start] for c in figures)
    near = any(len(gap) <= _NEAR_FIGURE and not _COMMAS & set(gap) for gap in gaps)
    return True if proof.found.is_complete and near else None


_BEFORE_FIGURE = frozenset[str](cue_tables()["before_figure"])
_WAYS = {"more_than": "more", "at_least": "more", "less_than": "less", "at_most": "less"}
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
        told = [c.facts[0] for c in proof.claims if c.kind == "number" and c.facts]
        held = held or (len(told) == 2 and are_ends(*told))
        return True if held or lies_between(proof, word) else None
    if any(0 < c.start - word.end <= _NEXT_WORD + 2 and c.detail == APART for c in proof.claims):
        return (
            True if all(c.status == "derived" for c in proof.claims if c.detail == APART) else None
        )
    if any(map(is_decade, words[place + 1 : place + 3])) and years_apart(proof.context) == _TEN:
        return True  # "over the decade" spans the two times that are told
    beside, outcome = _beside_figure(proof, words, place)
    if beside:
        return outcome
    if _is_kept(proof, word):
        return True
    values = [c for c in proof.claims if c.kind == "name" and c.facts]  # "under the licence MIT"
    joins = any(0 <= c.start - word.end <= _NEAR_NAME for c in values)
    far = all(abs(q.span[0] - word.end) > _NEAR_NAME for q in proof.context.quantities)
    joins = joins and far
    pairs = [] if joins else compared(proof, words, place)
    if not pairs and not joins and compared_told(proof, words, place) is not None:
        return None
    if pairs and sense in _WAYS:
        return all(compares_as(_WAYS[sense], first, second) for first, second in pairs)
    moves = any(token.tag == "verb" for token in word.tokens)
    if len(word.tokens) > 1:
        return None  # "more than Austria" compares with it, and joins no name
    near = any(0 <= q.span[0] - word.end <= _NEAR_NAME for q in proof.context.quantities)
    reach = _NEXT_WORD if near else _NEAR_NAME
    named = [c for c in proof.claims if c.kind == "name" and c.status == "supported"]
    if moves or _WAYS.get(sense) == "more":  # "you pass Mile End", "über Baker Street"
        named = [c for c in named if any(fact.value.item for fact in c.facts)]
    return True if any(0 <= c.start - word.end <= reach for c in named) else None


def _beside_figure(proof: Proof, words: Sequence[Word], place: int) -> tuple[bool, Outcome]:
    """Return whether a bound stands right at a figure, and whether that was judged with it."""
    word = words[place]
    sense = sense_of(word)
    for quantity in proof.context.quantities:
        start, end = quantity.span
        before = start >= word.end and proof.text[word.end : start].strip(" *") in _BEFORE_FIGURE
        if before:
            strict = quantity.unit is None and sense in ("more_than", "less_than")
            told = quantity.bound is not None and not (strict and is_told(proof, quantity))
            told = told and not _has_margin(proof, start)
            return True, True if told else None  # "more than 13" is not 13
        closes = 0 <= word.start - end <= 2 and not proof.text[end : word.start].strip(" *")
        told = quantity.bound not in (None, "about")
        if closes and not told and _is_computed(proof, start):
            if any(0 < q.span[0] - word.end <= 1 for q in proof.context.quantities):
                return True, True  # "by 15 % over thirty years"
            return True, agrees_with_figure(proof, words, place, _WAYS.get(sense, "")) or None
        led = _LED.search(proof.text, max(0, start - _NEAR_NAME), start) is not None
        if closes and (told or (word.text.endswith(("than", "als")) and not led)):
            return True, told or None  # "135 minutes longer than B" is no figure of A
    return False, None


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
    """Whether a figure was computed."""
    return any(claim.start == start and claim.status == "derived" for claim in proof.claims)
