"""`submit_cards`: cards are kept where a passage proves them; what does not hold is said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.errors import InputError, LimitError
from groundwire.evidence.handle import new_handle
from groundwire.evidence.records import Draft, Statement, Value
from groundwire.learning.cards import store
from groundwire.learning.cards.checks import check_card, form_gaps
from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.duplicates import Known
from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.results import (
    AcceptedItem,
    CardCorrection,
    CardGap,
    DuplicateItem,
    SubmitResult,
)
from groundwire.learning.cards.searching import by_words
from groundwire.learning.cards.types import LONGEST_SIDE, CardDraft, Gap, Passage
from groundwire.safe_text import safe_characters, safe_name
from groundwire.statefile import StateFile
from groundwire.vocabulary.fold import fold

MOST_CARDS = 100
"""Cards that one call may send."""

LONGEST_DECK = 200
"""Characters that the name of a deck may have."""

_MOST_COMPARED = 20_000
_MOST_CONCEPTS = 20
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class SubmitRequest:
    """Cards that are sent.

    Attributes:
        cards: the cards.
        deck: id or name of their deck; a name that no deck has makes one.
        dry_run: whether they are only checked.
    """

    cards: tuple[CardDraft, ...]
    deck: str
    dry_run: bool = False


def submit_cards(
    state: StateFile, owner: str, request: SubmitRequest, now_ms: int
) -> tuple[SubmitResult, Draft]:
    """Check cards, and keep those that hold, all in one transaction.

    A card whose quote proves it is active and quoted. One without a quote is kept as a draft,
    unproven, and is never due. One whose quote does not prove it is not kept.

    Args:
        state: the file of learning.
        owner: whose cards.
        request: what was sent.
        now_ms: the present, milliseconds since 1970 in UTC.

    Returns:
        what became of each card, and what is recorded of it.

    Raises:
        InputError: no card or no deck was sent.
        LimitError: more than `MOST_CARDS` were sent.
        UnavailableError: the file cannot be written.
    """
    if not request.cards:
        raise InputError("`cards` is empty: send at least one card with a front and a back.")
    if len(request.cards) > MOST_CARDS:
        raise LimitError(f"At most {MOST_CARDS} cards are taken at once: send them in parts.")
    if not request.deck.strip() or len(request.deck) > LONGEST_DECK:
        raise InputError(f"`deck` is a name of 1 to {LONGEST_DECK} characters, or a deck's id.")
    if request.dry_run:
        with state.reading() as connection:
            return _Submission(connection, owner, request, now_ms).outcome()
    with state.writing() as connection:
        return _Submission(connection, owner, request, now_ms).outcome()


@dataclass(frozen=True, slots=True)
class _Checked:
    """A card that holds.

    Attributes:
        number: its place among those sent, from 1.
        card: the card, its quote as the passage has it.
        passage: the passage that proves it, or None.
        concepts: ids of concepts.
    """

    number: int
    card: CardDraft
    passage: Passage | None
    concepts: tuple[str, ...]


class _Submission:
    """One call: what was found of its cards."""

    def __init__(
        self,
        connection: sqlite3.Connection | None,
        owner: str,
        request: SubmitRequest,
        now_ms: int,
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._request = request
        self._now_ms = now_ms
        self._accepted: list[AcceptedItem] = []
        self._corrections: list[CardCorrection] = []
        self._gaps: list[CardGap] = []
        self._duplicates: list[DuplicateItem] = []
        self._proven: list[_Checked] = []
        self._refused: set[int] = set()
        self._held: set[int] = set()

    def outcome(self) -> tuple[SubmitResult, Draft]:
        """Check the cards, keep those that hold unless it is a dry run, and tell what became."""
        cards = map(_shown, self._request.cards)
        checked = [
            one for number, card in enumerate(cards, 1) if (one := self._check(number, card))
        ]
        deck = self._deck(create=bool(checked))
        known = Known(
            store.sides(self._connection, self._owner, _MOST_COMPARED) if self._connection else ()
        )
        for one in checked:
            self._take(one, deck, known)
        result = SubmitResult(
            answer=self._sentence(deck),
            deck=deck.name,
            deck_id=deck.deck_id or None,
            dry_run=self._request.dry_run or None,
            accepted=self._accepted,
            corrections=self._corrections or None,
            gaps=self._gaps or None,
            duplicates=self._duplicates or None,
        )
        return result, self._draft(deck)

    def _check(self, number: int, card: CardDraft) -> _Checked | None:
        gaps = form_gaps(card)
        passage: Passage | None = None
        if not gaps and card.quote.strip():
            passage, gaps = self._passage(number, card)
            if passage is not None:
                gaps = check_card(card, passage)
        self._tell(number, gaps)
        if gaps:
            self._refused.add(number)
            return None
        if passage is not None:
            card = self._corrected(number, card, passage)
        return _Checked(number, card, passage, tuple(self._concepts(number, card)))

    def _tell(self, number: int, gaps: Sequence[Gap]) -> None:
        self._gaps += [
            CardGap(
                card=number,
                reason=gap.reason,
                detail=gap.detail,
                suggestions=[text[:_SHOWN] for text in gap.suggestions],
            )
            for gap in gaps
        ]

    def _passage(self, number: int, card: CardDraft) -> tuple[Passage | None, list[Gap]]:
        """The passage that a card quotes: the one that it names, or the one with its quote."""
        connection = self._connection
        if card.passage_id:
            found = connection and store.passage(connection, self._owner, card.passage_id[:100])
            if found:
                return found, []
            said = f"There is no passage {safe_name(card.passage_id, 40)!r}: use search_sources."
            return None, [Gap("passage_unknown", said)]
        quote = card.quote.strip()
        found_in = store.passages_with(connection, self._owner, quote) if connection else []
        if not found_in and connection:
            near = by_words(connection, self._owner, quote, "", 5)
            found_in = [one for one in near if locate(quote, one.text)] or []
            if not found_in:
                said = "The quote stands in no passage letter by letter: use search_sources."
                return None, [Gap("quote_not_found", said, tuple(one.text for one in near[:2]))]
        if not found_in:
            return None, [Gap("quote_not_found", "No source was imported yet, so none is quoted.")]
        return found_in[0], []

    def _corrected(self, number: int, card: CardDraft, passage: Passage) -> CardDraft:
        """The card with its quote in the passage's own letters."""
        place = locate(card.quote, passage.text)
        if place is None:
            return card
        quote = passage.text[place.start : place.stop]
        if place.how == "folded":
            self._corrections.append(
                CardCorrection(
                    card=number,
                    slot="quote",
                    raw=card.quote[:_SHOWN],
                    resolved=quote[:_SHOWN],
                    how="case, spaces or marks as in the passage",
                )
            )
        return replace(card, quote=quote)

    def _concepts(self, number: int, card: CardDraft) -> Iterator[str]:
        """Ids of the concepts of a card; one that is not known is told and left out."""
        if not card.concepts:
            return
        known = store.concept_names(self._connection, self._owner) if self._connection else []
        ids = {node_id for node_id, _, _ in known}
        names = {folded: (node_id, name) for node_id, name, folded in known}
        for raw in card.concepts[:_MOST_CONCEPTS]:
            if raw in ids:
                yield raw
            elif fold(raw[:200]) in names:
                node_id, name = names[fold(raw[:200])]
                if raw != name:
                    self._corrections.append(
                        CardCorrection(
                            card=number, slot="concepts", raw=raw[:200], resolved=name, how="folded"
                        )
                    )
                yield node_id
            else:
                near = _near_names(raw[:200], [name for _, name, _ in known])
                self._gaps.append(
                    CardGap(
                        card=number,
                        reason="concept_unknown",
                        detail=f"There is no concept {safe_name(raw, 60)!r}; the card is kept "
                        "without it: add it with submit_graph_changes.",
                        suggestions=near,
                    )
                )

    def _deck(self, *, create: bool) -> store.Deck:
        raw = self._request.deck.strip()
        found = store.find_deck(self._connection, self._owner, raw) if self._connection else None
        if found is not None:
            return found
        if create and self._connection and not self._request.dry_run:
            return store.add_deck(self._connection, self._owner, raw, self._now_ms)
        return store.Deck("", raw)

    def _take(self, one: _Checked, deck: store.Deck, known: Known) -> None:
        """Keep a card, unless it stands there already; tell those that it is like."""
        card = one.card
        sides = list(_sides(card))
        twins = [known.twins(front, back) for front, back in sides]
        self._duplicates += [
            DuplicateItem(
                card=one.number,
                of=twin.card_id,
                front=twin.front[:_SHOWN],
                back=twin.back[:_SHOWN],
                how=twin.how,
            )
            for found in twins
            for twin in found
        ]
        if all(any(twin.how == "same" for twin in found) for found in twins):
            self._held.add(one.number)
            return
        if one.passage is not None:
            self._proven.append(one)
        ids = [new_handle("card") for _ in sides]
        if not self._request.dry_run:
            self._write(one, deck, sides, ids)
        for card_id, (front, back) in zip(ids, sides, strict=True):
            known.add(card_id, front, back)
            self._accepted.append(
                AcceptedItem(
                    card=one.number,
                    card_id=None if self._request.dry_run else card_id,
                    type=card.type,
                    front=front,
                    back=back,
                    state="active" if one.passage else "draft",
                    proof="quoted" if one.passage else "unproven",
                    passage_id=one.passage.passage_id if one.passage else None,
                    source=one.passage.source if one.passage else None,
                    locator=one.passage.locator if one.passage else None,
                    concepts=list(one.concepts) or None,
                )
            )

    def _write(
        self,
        one: _Checked,
        deck: store.Deck,
        sides: Sequence[tuple[str, str]],
        ids: Sequence[str],
    ) -> None:
        assert self._connection is not None
        card, passage = one.card, one.passage
        note_id = new_handle("note")
        names = ("Text", "Back Extra") if card.type == "cloze" else ("Front", "Back")
        note = store.Note(
            note_id,
            new_handle("gw"),
            card.type,
            (*names, "Source", "Locator"),
            (
                card.front,
                "" if card.type == "cloze" else card.back,
                passage.source if passage else "",
                passage.locator if passage else "",
            ),
            (),
            self._now_ms,
        )
        store.add_notes(self._connection, self._owner, [note])
        store.add_cards(
            self._connection,
            self._owner,
            (
                store.Card(
                    card_id,
                    note_id,
                    deck.deck_id,
                    ordinal,
                    card.type,
                    front,
                    back,
                    "active" if passage else "draft",
                    "quoted" if passage else "unproven",
                    self._now_ms,
                    card.quote if passage else "",
                    passage.passage_id if passage else "",
                )
                for ordinal, (card_id, (front, back)) in enumerate(zip(ids, sides, strict=True))
            ),
        )
        for card_id in ids:
            store.add_concepts(self._connection, self._owner, card_id, one.concepts)

    def _sentence(self, deck: store.Deck) -> str:
        sent = len(self._request.cards)
        proven = sum(item.proof == "quoted" for item in self._accepted)
        drafts = len(self._accepted) - proven
        verb = "would be accepted" if self._request.dry_run else "accepted"
        parts = [f"{proven} {_cards(proven)} {verb} with a quote"]
        if drafts:
            parts.append(f"{drafts} kept as {'a draft' if drafts == 1 else 'drafts'} without one")
        if self._held:
            parts.append(f"{len(self._held)} of {sent} there already")
        if self._refused:
            parts.append(f"{len(self._refused)} of {sent} not taken")
        return f"Deck {safe_name(deck.name, 80)}: {', '.join(parts)}."

    def _draft(self, deck: store.Deck) -> Draft:
        quotes = [
            Value(
                "quote",
                one.card.quote,
                "text",
                source=f"{one.passage.source}, {one.passage.locator}",
            )
            for one in self._proven
            if one.passage is not None
        ]
        count = Value("accepted", str(len(self._accepted)), "number", entity=deck.name)
        titles = dict.fromkeys(one.passage.source for one in self._proven if one.passage)
        return Draft(
            values=(count, *quotes),
            audit={
                "deck": deck.deck_id or deck.name,
                "dry_run": self._request.dry_run,
                "cards": [item.card_id for item in self._accepted if item.card_id],
                "not_taken": sorted(self._refused),
                "there_already": sorted(self._held),
            },
            statements=tuple(Statement("source", (title,)) for title in titles),
        )


def _shown(card: CardDraft) -> CardDraft:
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


def _sides(card: CardDraft) -> Iterator[tuple[str, str]]:
    """Front and back of each card of a note; a cloze has one for each number of its holes."""
    cloze = parse_cloze(card.front) if card.type == "cloze" else None
    if cloze is None:
        yield card.front, card.back
        return
    for number in cloze.numbers:
        yield cloze.masked(number), cloze.answer(number)


def _near_names(raw: str, names: Sequence[str]) -> list[str]:
    from rapidfuzz import process

    return [name for name, score, _ in process.extract(raw, names, limit=5) if score >= 60]


def _cards(count: int) -> str:
    return "card" if count == 1 else "cards"
