"""Cards and passages as they are sent, checked and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.learning.cards.cloze import parse_cloze
from groundwire.safe_text import safe_characters

CardType = Literal["atomic", "cloze", "image_occlusion"]
GapReason = Literal[
    "attachment",
    "cloze",
    "date",
    "empty",
    "front_holds_back",
    "front_word",
    "image",
    "kind",
    "name",
    "negation",
    "number",
    "off_topic",
    "passage_unknown",
    "quote_not_found",
    "sign",
    "too_long",
    "unit",
    "word",
]

_UNKNOWN: frozenset[GapReason] = frozenset(("front_word", "name", "word"))
_OPEN: frozenset[GapReason] = _UNKNOWN | frozenset(("attachment", "kind", "off_topic"))

LONGEST_SIDE = 4_000
"""Characters that a front or a back may have."""

LONGEST_SUGGESTION = 300
"""Characters of a suggestion that are shown."""

LONGEST_QUOTE = 2_000
"""Characters that a quote may have."""


@dataclass(frozen=True, slots=True)
class CardDraft:
    """A card as it was sent.

    Attributes:
        type: atomic (a question and its answer), cloze (a sentence with holes, as
            `{{c1::answer::hint}}`) or image_occlusion (an image with covered parts).
        front: the question, the sentence with its holes, or the image.
        back: the answer; of a cloze the text of its first hole, or "".
        quote: what proves it, letter by letter from a passage; "" leaves the card unproven.
        passage_id: the passage that the quote is from; "" looks for it.
        concepts: ids of concepts that it is about.
    """

    type: CardType
    front: str
    back: str
    quote: str = ""
    passage_id: str = ""
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a source that may be quoted.

    Attributes:
        passage_id: its id.
        text: as it stands in the source.
        source: the title of the source.
        locator: where in the source it stands.
        source_id: the id of the source, or "".
    """

    passage_id: str
    text: str
    source: str
    locator: str
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """Why a card is not taken, with what would do.

    Attributes:
        reason: a code.
        detail: one sentence that says what is wrong.
        suggestions: what may be sent instead, the best first.
    """

    reason: GapReason
    detail: str
    suggestions: tuple[str, ...] = ()


def leaves_open(gaps: Sequence[Gap]) -> bool:
    """Return whether gaps leave open if a card is right, so that it may be kept as a draft.

    Other gaps say that it is wrong as it stands. A negation that is not the quote's is wrong where
    every word of the card is understood; beside words that the quote does not have it may belong to
    another way to say the same.
    """
    reasons = {gap.reason for gap in gaps}
    if reasons & _UNKNOWN:
        reasons.discard("negation")
    return reasons <= _OPEN


@dataclass(frozen=True, slots=True)
class SubmitRequest:
    """Cards that are sent.

    Attributes:
        cards: the cards.
        deck: id or name of their deck; a name that no deck has makes one.
        dry_run: whether they are only checked.
        proven_only: whether no drafts are kept.
    """

    cards: tuple[CardDraft, ...]
    deck: str
    dry_run: bool = False
    proven_only: bool = False


def without_hidden(card: CardDraft) -> CardDraft:
    """Return the card without invisible characters and those that turn the writing direction.

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
