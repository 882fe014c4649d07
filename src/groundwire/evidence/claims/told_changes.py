"""Figures that are told as the size of a change: only a change proves them, and never a value.

"The population grew by 83.2 million" is not proven by a population of 83.2 million.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.claims.change_spans import change_ends
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_MOVES = frozenset(("up", "down", "up_sharply", "down_sharply", "change"))
_ENDS = frozenset(",;:.!?，；：。！？()（）|")
# How operations and properties are called that are changes.
_OF_CHANGE = ("change", "delta", "difference", "growth", "cagr", "increase", "decrease", "decline")
_RESULTS = frozenset[str](cue_tables()["result_moves"])
_PARTICLES = frozenset(("up", "down"))
_REACHES = frozenset("至到为")
# What may stand between a figure and a word before it that tells what it is the size of.
_VAGUE = frozenset(
    (("approximation", "about"), ("approximation", "nearly"), ("function", "determiner"))
)
_VERBS = frozenset(("being", "counting"))
_TIES = frozenset(("preposition", "determiner", "pronoun"))


def without_values(words: Sequence[Word], claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims; a value that is told as the size of a change is unsupported.

    Args:
        words: the words of one passage.
        claims: its claims.
    """
    places = {word.start: place for place, word in enumerate(words) if word.quantity is not None}
    return [
        replace(
            claim,
            status="unsupported",
            detail=f"{claim.detail}; the text tells it as the size of a change, and it is none",
        )
        if claim.status in ("supported", "derived")
        and claim.kind in ("number", "percent")
        and (place := places.get(claim.start)) is not None
        and _is_told_as_change(words, place, claim.facts)
        and not _is_change(claim)
        else claim
        for claim in claims
    ]


def _is_change(claim: Claim) -> bool:
    of_journey = any(fact.value.item is not None for fact in claim.facts)
    if not claim.facts or of_journey or change_ends(claim) is not None:
        return True
    said = " ".join(f"{f.operation} {f.value.name} {' '.join(f.value.labels)}" for f in claim.facts)
    if any(one in said.casefold() for one in _OF_CHANGE):
        return True
    return any(operator(way).search(said) is not None for way in ("rises", "falls"))


def _is_told_as_change(words: Sequence[Word], place: int, facts: Sequence[Fact]) -> bool:
    at = place - 1
    while at >= 0 and _is_vague(words[at]):
        at -= 1
    if at < 0 or (role := words[at].role) is None:
        return False
    if role.role == "direction":
        particle = at > 0 and words[at].text in _PARTICLES and _is_act(words[at - 1])
        reaches = words[at].text[-1] in _REACHES
        return _moves(words[at], facts) and not (particle or reaches)  # "takes up 506 MB"
    if role.role == "function" and role.sense == "by":
        return any(_moves(word, facts) for word in _clause(words, place))
    return any(_moves(word, facts) for word in _heads(words[: at + 1]))


def _is_act(word: Word) -> bool:
    """Whether a word is a verb that a particle may belong to."""
    is_being = word.role is not None and word.role.role == "being"
    return word.tokens[-1].tag == "verb" and not is_being


def _is_vague(word: Word) -> bool:
    if word.role is None:
        return False
    if word.role.role == "bound":
        return " " in word.text  # "more than", while "above" leads to what is reached
    return (word.role.role, word.role.sense) in _VAGUE


def _moves(word: Word, facts: Sequence[Fact]) -> bool:
    """Whether a word tells a change; a loss or a gain of a result is a value."""
    if word.role is None or word.role.role != "direction" or word.role.sense not in _MOVES:
        return False
    is_result = any(token.lemma in _RESULTS for token in word.tokens)
    names = {
        part
        for fact in facts
        for part in " ".join((fact.value.name, *fact.value.labels))
        .casefold()
        .replace("_", " ")
        .split()
    }
    return not (is_result and names & {"profit", "loss", "result", "income", "margin"})


def _clause(words: Sequence[Word], place: int) -> Iterator[Word]:
    """Yield the words of the clause of a figure, on both sides of it."""
    for side in (words[place + 1 :], reversed(words[:place])):
        for word in side:
            if word.text in _ENDS:
                break
            yield word


def _heads(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the noun that a figure behind some words is the size of: "the growth of A in B was"."""
    verb = False
    for word in reversed(words):
        role = word.role
        if role is not None and role.role == "direction" and word.tokens[-1].tag == "noun":
            yield word
        elif role is not None and role.role in _VERBS:
            if verb:
                return
            verb = True
        elif word.text in _ENDS or word.quantity is not None:
            return
        elif role is None and word.period is None and word.kind != "sign":
            if not verb and word.kind != "time":
                return
        elif role is not None and role.role != "set_noun" and role.sense not in _TIES:
            return
