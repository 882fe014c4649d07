"""Which labels hold enough of what a text is about, and how well they fit it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from groundwire.sparql.label_words import Asked, Part, tokens_of
from groundwire.textindex import any_part

# Of the words that say what a text is about, by weight, so many are enough.
ENOUGH = 0.5

Weights = dict[Part, float]


def together(matches: Iterable[str]) -> str:
    """All of some MATCH texts; FTS5 steps through the first and looks the others up."""
    return " AND ".join(matches)


def enough(known: Sequence[tuple[float, Part]], total: float) -> Iterator[str]:
    """MATCH texts that together find every label with enough of the words, rarest words first.

    A label that has none of the rarest words, up to where the rest weigh too little, has not
    enough; one of these words that is not enough by itself needs another beside it.
    """
    if len(known) > 1:
        yield together(part.match for _, part in known)
    rest = sum(weight for weight, _ in known)
    for place, (weight, part) in enumerate(known):
        if rest < ENOUGH * total:
            return
        rest -= weight
        if weight >= ENOUGH * total:
            yield part.match
        elif others := [other.match for _, other in known[place + 1 :]]:
            yield f"{part.match} AND ({any_part(others)})"


def held(label: str, weights: Weights) -> float:
    """Return the weight of those words of a text that a label holds."""
    words, characters = tokens_of(label)
    return weighing(frozenset(words), characters, weights)


def weighing(words: frozenset[str], characters: frozenset[str], weights: Weights) -> float:
    """Return the weight of those words of a text that are among some words and CJK characters."""
    columns = {"words": words, "characters": characters}
    return sum(
        weight for part, weight in weights.items() if columns[part.column].issuperset(part.tokens)
    )


def covered(label: str, question: Asked) -> float:
    """Which share of a label's words the text has."""
    words = tokens_of(label)[0]
    said = {token for part in question.words for token in part.tokens}
    return sum(word in said for word in words) / len(words) if words else 0.0


def partial_score(share: float, covered: float) -> float:
    """The score, below 0.6, of a label that holds a share of a text and is covered so far by it."""
    return 0.59 * share * (0.5 + 0.5 * covered)
