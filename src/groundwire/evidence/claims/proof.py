"""A passage with all that speaks for it, and the words of it that this explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.records import Names
from groundwire.language import Span as Word


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage with all that speaks for it.

    Attributes:
        text: the draft.
        context: the passage with its names, quantities and dates.
        claims: its claims.
        facts: the recorded values that support them.
        found: what statements of the records say of it.
        known: all that the records hold.
        used: recorded values by which its words were judged.
    """

    text: str
    context: PassageContext
    claims: tuple[Claim, ...]
    facts: tuple[Fact, ...]
    found: Found
    known: Knowledge
    used: list[Fact] = field(default_factory=list[Fact])

    @property
    def plain(self) -> list[Fact]:
        """The recorded numbers among the facts, without what was computed from them."""
        return [fact for fact in self.facts if fact.number is not None and not fact.operands]


class Taken:
    """The characters of a passage that something has explained."""

    def __init__(self, start: int, end: int) -> None:
        self._start, self._end = start, end
        self._marks = bytearray(end - start)

    def add(self, spans: Iterable[Span]) -> None:
        """Take ranges, as far as they lie in the passage."""
        for start, end in spans:
            low, high = max(start, self._start), min(end, self._end)
            if high > low:
                self._marks[low - self._start : high - self._start] = b"\x01" * (high - low)

    def leave(self, spans: Iterable[Span]) -> None:
        """Give ranges back, whoever took them."""
        for start, end in spans:
            low, high = max(start, self._start), min(end, self._end)
            self._marks[low - self._start : high - self._start] = bytes(max(0, high - low))

    def rest(self, word: Word) -> str:
        """Return the characters of a word that have not been taken."""
        marks = self._marks[word.start - self._start : word.end - self._start]
        return "".join(c for c, mark in zip(word.text, marks, strict=False) if not mark)

    def free(self, words: Sequence[Word]) -> list[Word]:
        """Return the words of which a part has not been taken."""
        marks, begin = self._marks, self._start
        return [word for word in words if 0 in marks[word.start - begin : word.end - begin]]

    def leaves(self, start: int, end: int) -> bool:
        """Whether a range, or a part of it, has not been taken."""
        return b"\x00" in self._marks[start - self._start : end - self._start]


Outcome = bool | None
"""Proven, contradicted, or neither."""


def sense_of(word: Word) -> str:
    """Return the sense that the lexicon gives a word, or "" where it gives none."""
    return word.role.sense if word.role else ""


def limit_before(words: Sequence[Word], place: int) -> str:
    """Return the sense of what bounds or rounds a word right before it, or ""."""
    for word in reversed(words[max(0, place - 2) : place]):
        if word.role is not None and word.role.role in ("bound", "approximation", "comparison"):
            return word.role.sense
    return ""


def negations_in(words: Sequence[Word]) -> Iterator[Word]:
    """Yield the words that deny, those of an empty set among them."""
    for word in words:
        if word.role is not None and (
            word.role.role == "negation"
            or (word.role.role == "quantifier" and word.role.sense == "none")
        ):
            yield word


def is_named_by(word: Word, names: Names) -> bool:
    """Whether a verb that denies is part of a name: "why answers fail" tells of failures."""
    is_verb = any(token.tag == "verb" for token in word.tokens)
    return is_verb and any(token.lemma in name.split() for token in word.tokens for name in names)
