"""The place where an answer stands in a sentence of its quote, and the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.language import Reading, Span
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.matching import denies, keys
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.types import Gap

COMMAS = frozenset(",，、;；:：")
# Kinds of spans that only shade a statement and cannot be an answer themselves.
_SHADING = frozenset(("approximation", "bound", "quantifier", "comparison", "time", "order"))


@dataclass(frozen=True, slots=True)
class Window:
    """The shortest part of a sentence that holds all of an answer.

    Attributes:
        spans: the spans of the sentence.
        start: the place of the first span of the answer.
        stop: the place of the last one.
        own: the places of all of its spans.
    """

    spans: Sequence[Span]
    start: int
    stop: int
    own: frozenset[int]

    @property
    def text(self) -> str:
        """The answer as the sentence has it."""
        return " ".join(span.text for span in self.spans[self.start : self.stop + 1])


def doubt(window: Window, instead: str) -> Gap:
    """Return the gap of an answer beside which something else may be meant."""
    detail = f"The quote says that of {window.text[:60]!r} beside {instead[:60]!r}: it is not clear"
    return Gap("attachment", f"{detail} which of both the question asks for.")


def is_content(span: Span) -> bool:
    """Return whether a span says something by itself: no article, mark, helping verb or adverb."""
    if span.kind == "sign" or denies(span) or any(t.lemma in MODAL for t in span.tokens):
        return False
    if any(token.tag in ("verb", "noun", "name") for token in span.tokens):
        # "Lowers" compares elsewhere; here it is what is done.
        return span.role is None or span.role.role not in ("function", "being", "question")
    if span.kind in _SHADING:
        return False
    role = span.role
    if role is not None and role.role in ("function", "being", "having", "question"):
        return False
    return not all(token.tag in ("function", "sign", "adverb") for token in span.tokens)


def items_of(asked: Reading) -> list[Span]:
    """Return the spans of a question that say something, without the kind that it asks for."""
    spans = asked.spans
    return [one for n, one in enumerate(spans) if is_content(one) and not names_kind(spans, n)]


def known_words(asked: Reading) -> frozenset[str]:
    """Return the folded words of a question."""
    return frozenset(key for span in asked.spans for key in keys(span))


def is_in(span: Span, known: frozenset[str]) -> bool:
    """Return whether a span has a word among some."""
    return bool(known.intersection(keys(span)))


def joins(span: Span) -> bool:
    """Return whether a span is a conjunction."""
    return span.role is not None and span.role.sense == "conjunction"


def places_in(span: Span, window: Window) -> list[int]:
    """Return the places of a span in a sentence, without those of the answer."""
    known = frozenset(keys(span))
    return [n for n, one in enumerate(window.spans) if is_in(one, known) and n not in window.own]


def is_article(span: Span) -> bool:
    """Return whether a span is an article."""
    return span.role is not None and span.role.sense == "determiner"


def part_of(window: Window) -> tuple[int, int]:
    """Return where the part begins and ends, exclusive, that no comma parts from the answer."""
    low, high = window.start, window.stop + 1
    while low and window.spans[low - 1].text not in COMMAS:
        low -= 1
    while high < len(window.spans) and window.spans[high].text not in COMMAS:
        high += 1
    return low, high
