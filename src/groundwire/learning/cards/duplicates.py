"""Cards that say the same or nearly the same; they are told, and never merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from groundwire.vocabulary.fold import split_words

LIKELY = 85.0
"""Likeness of two fronts, of 100, from which they are told as alike."""

_LONGEST = 600


@dataclass(frozen=True, slots=True)
class Twin:
    """A card that another is like.

    Attributes:
        card_id: its id.
        front: its front.
        back: its back.
        how: same where both sides fold alike, alike where the fronts are near and their figures
            are the same.
    """

    card_id: str
    front: str
    back: str
    how: Literal["same", "alike"]


@dataclass(frozen=True, slots=True)
class _Form:
    front: str
    back: str
    figures: tuple[str, ...]


def _form(front: str, back: str) -> _Form:
    words = split_words(front[:_LONGEST]).singular
    own = split_words(back[:_LONGEST]).singular
    figures = tuple(sorted(word for word in words if any(map(str.isdigit, word))))
    return _Form(" ".join(words), " ".join(own), figures)


class Known:
    """The cards that there are, to find those that new ones are like."""

    def __init__(self, cards: Iterable[tuple[str, str, str]]) -> None:
        """Take id, front and back of each card, those to be told first at the front."""
        self._cards = list(cards)
        self._forms = [_form(front, back) for _, front, back in self._cards]
        self._fronts = [form.front for form in self._forms]

    def add(self, card_id: str, front: str, back: str) -> None:
        """Take one more card."""
        self._cards.append((card_id, front, back))
        self._forms.append(_form(front, back))
        self._fronts.append(self._forms[-1].front)

    def twins(self, front: str, back: str, most: int = 3) -> list[Twin]:
        """Return the cards that a new one is like, the nearest first."""
        from rapidfuzz import fuzz, process

        form = _form(front, back)
        near = process.extract(
            form.front,
            self._fronts,
            scorer=fuzz.token_sort_ratio,
            score_cutoff=LIKELY,
            limit=10 * most,
        )
        found: list[Twin] = []
        for _, _, place in near:
            other = self._forms[place]
            if other.figures != form.figures:
                continue
            card_id, its_front, its_back = self._cards[place]
            same = (other.front, other.back) == (form.front, form.back)
            found.append(Twin(card_id, its_front, its_back, "same" if same else "alike"))
        return sorted(found, key=lambda twin: twin.how != "same")[:most]
