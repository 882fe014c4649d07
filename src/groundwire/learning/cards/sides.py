"""The sides of a card as they are kept: without hidden characters, one pair for each hole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.types import LONGEST_SIDE, CardDraft
from groundwire.safe_text import safe_characters


def without_hidden(card: CardDraft) -> CardDraft:
    """The card without characters that nobody sees or that turn the direction of writing.

    One that is too long is refused as it is.
    """
    if max(len(card.front), len(card.back), len(card.quote)) > LONGEST_SIDE:
        return card
    return replace(
        card,
        front=safe_characters(card.front).strip(),
        back=safe_characters(card.back).strip(),
        quote=safe_characters(card.quote).strip(),
    )


def sides_of(card: CardDraft) -> Iterator[tuple[str, str]]:
    """Front and back of each card of a note; a cloze has one for each number of its holes."""
    cloze = parse_cloze(card.front) if card.type == "cloze" else None
    if cloze is None:
        yield card.front, card.back
        return
    for number in cloze.numbers:
        yield cloze.masked(number), cloze.answer(number)
