"""Words for what one thing needs before it: "A needs B", "B is needed for A"."""

from __future__ import annotations

import re

from groundwire.evidence.claims.passage_statements import Hit
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Entry
from groundwire.language import Span as Word

NEEDED = Entry("relation", "dependent")
"""What "A needs B" says where a relation tells what must be learned first."""

_NEEDS = frozenset[str](cue_tables()["needs"])
_FIRST = frozenset[str](cue_tables()["beforehand"])
# Before the name of what needs something.
_FOR = re.compile(
    r"\b(?:for|by|before|to [a-z]+|für|von|vor)\s+(?:(?:the|der|die|das|den|dem)\s+)?[\"“„»«'`]?$",
    re.IGNORECASE,
)
_LONGEST_FOR = 24
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
