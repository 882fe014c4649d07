"""Words for what one thing needs before it: "A needs B", "B is needed for A"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.passage_statements import Hit
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.language import Entry
from groundwire.language import Span as Word

NEEDED = Entry("relation", "dependent")
"""What "A needs B" says where a relation tells what must be learned first."""

DIRECT = frozenset(word for one in cue_tables()["direct"] for word in words_of(one))
"""Words that say that nothing stands between two things of which one is recorded of the other."""

_NEEDS = frozenset[str](cue_tables()["needs"])
_FIRST = frozenset[str](cue_tables()["beforehand"])
_SHOULD, _LEARNS, _LEADS_TO_LEARNING = (
    frozenset[str](cue_tables()[key]) for key in ("should", "learns", "leads_to_learning")
)
# Before the name of what needs something.
_FOR = re.compile(
    r"\b(?:for|by|before|to [a-z]+|für|von|vor)\s+(?:(?:the|der|die|das|den|dem)\s+)?[\"“„»«'`]?$",
    re.IGNORECASE,
)
_LONGEST_FOR, _NEXT = 24, 3
_AS = re.compile(r"(?:\b(?:as|als)\s+(?:(?:an?|the|its|eine?)\s+)?|作?为)$", re.IGNORECASE)
# Such words go on from a name to the concept on which it builds.
_GOES_ON = re.compile(r"[,;，；]|\b(?:and|which|that|und|die|der|das|this)\b", re.IGNORECASE)
_ON = re.compile(
    r"\b(?:von|vom|auf|on|upon)\s+(?:(?:dem|der|den|the)\s+)?"
    r"(?:(?:konzept|begriff|concept)\s+)?[\"“”„»«'`]*$",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"\s+to [a-z]+\s", re.IGNORECASE)


def tells_need(word: Word) -> bool:
    """Whether a word says that something is needed."""
    return any(token.lemma in _NEEDS or token.key in _NEEDS for token in word.tokens)


def is_beforehand(word: Word) -> bool:
    """Whether a word says of what is needed that it comes first."""
    return word.text.casefold() in _FIRST


def is_needed_for(text: str, cue: Word, name: Hit) -> bool:
    """Whether something is needed for what is named: "for A", "to understand A"."""
    start = max(0, name.start - _LONGEST_FOR)
    if start <= cue.end <= name.start:
        verb = _TO_DO.match(text, cue.end, name.start)  # "need to know A"
        start = verb.end() if verb else cue.end
    return _FOR.search(text, start, name.start) is not None


def is_turned_need(text: str, first: Hit, second: Hit, cue: Word) -> bool:
    """Whether the words turn a need: "A has B as a prerequisite", "on A builds B"."""
    if cue.start >= second.end:
        return _AS.search(text, second.end, cue.start) is not None
    depends = cue.role is not None and cue.role.sense == "dependent"
    if not depends or cue.start <= first.end or _GOES_ON.search(text, first.end, cue.start):
        return False  # "on A, which builds on B": "on" is of the verb before
    return _ON.search(text, 0, first.start) is not None


def told_as_learned(words: Sequence[Word]) -> list[Span]:
    """Return the words that tell a need as an order of learning: "before learning A, know B".

    "You know A" tells no need, unless one should.
    """
    should = [w for w in words if w.text.casefold() in _SHOULD or tells_need(w)]
    learns = [
        word
        for before, word in pairwise(words)
        if any(token.lemma in _LEARNS or token.key in _LEARNS for token in word.tokens)
        and (should or before.text.casefold() in _LEADS_TO_LEARNING)
    ]
    return [(word.start, word.end) for word in (*should, *learns)]


def says_direct(word: Word) -> bool:
    """Whether a word of a relation says that nothing stands between: "builds directly on"."""
    return len(word.tokens) > 1 and any(token.key in DIRECT for token in word.tokens)


def needed_in_vain(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield the names of properties by which one thing is said to need another right behind it.

    What stands behind may be a value of that property.
    """
    things = [(mention.start, mention.end) for mention in context.mentions]
    held = {key for claim in claims for fact in claim.facts for key in fact.names}
    called = {m.start for m in context.mentions if m.named.names and not m.named.names & held}
    for word in context.words:
        needs = any({token.key, token.lemma} & _NEEDS for token in word.tokens)
        is_told = any(end <= word.start for _, end in things)
        behind = any(0 < start - word.end <= _NEXT for start, _ in things)
        if needs and is_told and behind and word.start in called:
            yield word.start, word.end
