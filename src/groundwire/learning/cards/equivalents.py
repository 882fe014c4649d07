"""Cards that say the same: forms that follow from one, and near duplicates, told, never merged.

A choice at the end of a question ("..., silver or copper?") asks for nothing else than the question
without it. An English relative clause between commas adds to its sentence and limits nothing, so
that the sentence holds without it, and the clause holds of the thing before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.language import Span
from groundwire.learning.cards.matching import is_token, language_of, read
from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.reversal import is_preposition
from groundwire.learning.cards.types import CardDraft, Passage
from groundwire.vocabulary.fold import split_words

_CHOICE = re.compile(r"[,:，：]\s*([^,:，：?？]{1,80})[?？]\s*$")
_ADDING = frozenset(("which", "who"))
_LEAST_CHOICES = 2
_THAN: dict[str, str] = {"en": "than", "de": "als"}


def without_choice(card: CardDraft) -> CardDraft | None:
    """Return a card whose question has lost the choice at its end; None where it has none.

    The back is one of what is chosen from.
    """
    found = _CHOICE.search(card.front)
    if found is None:
        return None
    tokens = read(found[1]).tokens
    at = [n for n, token in enumerate(tokens) if is_token(token, "choosing")]
    if len(at) != 1:
        return None
    back = {t.key for t in read(card.back).tokens if t.tag not in ("sign", "function")}
    sides = [
        {t.key for t in side if t.tag not in ("sign", "function")}
        for side in (tokens[: at[0]], tokens[at[0] + 1 :])
    ]
    chosen = [side for side in sides if side and side <= back]
    if not all(sides) or len(chosen) != 1:
        return None
    front = card.front[: found.start()]
    if any(span.kind == "comparison" for span in read(front).spans):
        # "Which is denser, lead or gold" asks for what is denser than the other.
        than = _THAN.get(language_of(card.front))
        if than is None:
            return None
        other = tokens[at[0] + 1 :] if chosen[0] is sides[0] else tokens[: at[0]]
        front = f"{front} {than} {found[1][other[0].start : other[-1].end]}"
    return replace(card, front=front + "?")


def sentences_apart(card: CardDraft, passage: Passage) -> Iterator[tuple[CardDraft, Passage]]:
    """Yield a card with its quote without an English relative clause, and with that clause alone.

    The clause stands between two commas behind the subject of its sentence, which has no other
    thing that it might be about.
    """
    place = locate(card.quote, passage.text)
    if place is None or language_of(passage.text) != "en":
        return
    quote = passage.text[place.start : place.stop]
    reading = read(quote)
    for sentence in reading.sentences:
        spans = [one for one in reading.spans if sentence.start <= one.start < sentence.end]
        cuts = [n for n, one in enumerate(spans) if one.text == ","]
        if len(cuts) < _LEAST_CHOICES or cuts[0] + 2 >= cuts[1]:
            continue
        first, last = spans[cuts[0]], spans[cuts[1]]
        if spans[cuts[0] + 1].text.lower() not in _ADDING or not _is_plain(spans[: cuts[0]]):
            continue
        if not _goes_on(spans[cuts[1] + 1 :]):
            continue
        behind = spans[cuts[1] + 1]
        subject = quote[spans[0].start : first.start]
        clause = quote[spans[cuts[0] + 1].end : last.start]
        end = spans[-1].end
        apart = [f"{subject} {quote[behind.start : end]}"]
        if any(token.tag == "verb" for token in spans[cuts[0] + 2].tokens):
            # In "which the cat bit" the thing is not the subject.
            apart.append(f"{subject} {clause.strip()}.")
        for sentence_text in apart:
            changed = quote[: spans[0].start] + sentence_text + quote[end:]
            text = passage.text[: place.start] + changed + passage.text[place.stop :]
            yield replace(card, quote=changed), replace(passage, text=text)


def _goes_on(spans: list[Span]) -> bool:
    """Whether a sentence goes on with its verb, which may be read as a noun: "causes the cells"."""
    if not spans or any(token.tag == "verb" for token in spans[0].tokens):
        return bool(spans)
    follows = spans[1].role if len(spans) > 1 else None
    leads = follows is not None and follows.sense in ("determiner", "preposition", "to")
    return leads and all(token.tag == "noun" for token in spans[0].tokens)


def _is_plain(spans: list[Span]) -> bool:
    """Whether a subject has one thing alone: no preposition, no conjunction and no verb."""
    return not any(
        is_preposition(one)
        or (one.role is not None and one.role.sense == "conjunction")
        or any(token.tag == "verb" for token in one.tokens)
        for one in spans
    )


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
        from rapidfuzz.utils import default_process

        self._process = default_process
        self._cards = list(cards)
        self._fronts = [default_process(front[:_LONGEST]) for _, front, _ in self._cards]

    def add(self, card_id: str, front: str, back: str) -> None:
        """Take one more card."""
        self._cards.append((card_id, front, back))
        self._fronts.append(self._process(front[:_LONGEST]))

    def twins(self, front: str, back: str, most: int = 3) -> list[Twin]:
        """Return the cards that a new one is like, the nearest first."""
        from rapidfuzz import fuzz, process

        form = _form(front, back)
        near = process.extract(
            self._process(front[:_LONGEST]),
            self._fronts,
            scorer=fuzz.token_sort_ratio,
            score_cutoff=LIKELY,
            limit=10 * most,
        )
        found: list[Twin] = []
        for _, _, place in near:
            card_id, its_front, its_back = self._cards[place]
            other = _form(its_front, its_back)
            if other.figures != form.figures:
                continue
            same = (other.front, other.back) == (form.front, form.back)
            found.append(Twin(card_id, its_front, its_back, "same" if same else "alike"))
        return sorted(found, key=lambda twin: twin.how != "same")[:most]
