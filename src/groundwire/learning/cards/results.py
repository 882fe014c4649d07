"""The answers of the tools of cards and sources."""

from __future__ import annotations

from typing import ClassVar, Literal

from groundwire.evidence.answers import Answer, Part, Proven
from groundwire.learning.cards.types import CardType, GapReason

CardState = Literal["draft", "active", "suspended", "archived"]
Proof = Literal["quoted", "imported", "unproven"]


class AcceptedItem(Part):
    """A card that was taken; a dry run gives it no id. `card` counts from 1 as they were sent.

    Of a long front or back the beginning is shown.
    """

    card: int
    card_id: str | None = None
    type: CardType
    front: str
    back: str
    state: CardState
    proof: Proof
    passage_id: str | None = None
    source: str | None = None
    locator: str | None = None
    concepts: list[str] | None = None


class CardCorrection(Part):
    """A term that was read otherwise than sent."""

    card: int
    slot: str
    raw: str
    resolved: str
    how: str


class CardGap(Part):
    """Why a card was not taken, or what of it was not. Suggestions can be sent as they stand."""

    card: int
    reason: GapReason | Literal["concept_unknown"]
    detail: str
    suggestions: list[str]


class DuplicateItem(Part):
    """A card that says the same or nearly; nothing was merged. `how`: same or alike."""

    card: int
    of: str
    front: str
    back: str
    how: Literal["same", "alike"]


class SubmitResult(Answer, Proven):
    """The answer to cards that were sent: those taken, mended, open and refused."""

    unlisted: ClassVar[frozenset[str]] = frozenset(("deck_id", "dry_run"))

    deck: str
    deck_id: str | None = None
    dry_run: bool | None = None
    accepted: list[AcceptedItem]
    corrections: list[CardCorrection] | None = None
    gaps: list[CardGap] | None = None
    duplicates: list[DuplicateItem] | None = None


class PassageItem(Part):
    """A passage that may be quoted."""

    passage_id: str
    text: str
    source: str
    locator: str


class SourcesResult(Answer, Proven):
    """Passages that were found, the best first, each whole, so that it can be quoted."""

    unlisted: ClassVar[frozenset[str]] = frozenset(("candidates",))

    status: Literal["found", "empty", "unrecognized_param"]
    passages: list[PassageItem]
    left_out: str | None = None
    candidates: list[str] | None = None
