"""Fronts that hold their own backs."""

from __future__ import annotations

from groundwire.language import Span
from groundwire.learning.cards.matching import MARKS, is_word, read
from groundwire.learning.cards.types import Gap


def hidden_in(front: str, back: str) -> Gap | None:
    """Return the gap of a front that holds its back, word after word; None where it does not."""
    spans = [span for span in read(back).spans if not span.is_silent or span.kind == "quantity"]
    kept = {token.start for span in spans for token in span.tokens}
    first = read(back).spans[0] if kept else None
    if first is None or is_word(first, "affirming") or is_word(first, "denying"):
        # A reply repeats the words of its question.
        return None
    marks = MARKS - frozenset("()")
    tokens = [token for token in read(back).tokens if token.text not in marks]
    # Articles and prepositions at the edges hide nothing.
    while tokens[0].start not in kept:
        tokens.pop(0)
    while tokens[-1].start not in kept and tokens[-1].tag != "sign":
        tokens.pop()
    answer = [token.key for token in tokens]
    shown = [token.key for token in read(front).tokens]
    for start in range(len(shown) - len(answer) + 1):
        stop = start + len(answer)
        if shown[start:stop] != answer or _is_choice(front, start, stop):
            continue
        said = "The front holds the back, so the card asks nothing: reword the front."
        return Gap("front_holds_back", said)
    figures = [span.quantity for span in spans if span.quantity is not None]
    asked = [span.quantity for span in read(front).spans if span.quantity is not None]
    values = {(figure.value, figure.unit) for figure in asked}
    if len(figures) == len(spans) and all((f.value, f.unit) in values for f in figures):
        return Gap("front_holds_back", "The front holds the figure of the back: reword the front.")
    return None


def _is_choice(front: str, start: int, stop: int) -> bool:
    """Whether tokens of a question are one of its choices: "tuples or lists"."""
    spans = read(front).spans
    tokens = read(front).tokens
    begin, end = tokens[start].start, tokens[stop - 1].end
    before = [span for span in spans if span.end <= begin and not _is_particle(span)][-1:]
    behind = [span for span in spans if span.start >= end][:1]
    return any(is_word(span, "choosing") for span in (*before, *behind))


def _is_particle(span: Span) -> bool:
    role = span.role
    return role is not None and role.role == "function" and role.sense != "conjunction"
