"""`submit_cards`: cards are kept where a passage proves them; what does not hold is said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.errors import InputError, LimitError
from groundwire.evidence.answers import predicate_names
from groundwire.evidence.records import Condition, Draft, Statement, Value
from groundwire.learning.cards import store
from groundwire.learning.cards.checks import check_card
from groundwire.learning.cards.equivalents import Known
from groundwire.learning.cards.form import form_gaps
from groundwire.learning.cards.quoting import locate
from groundwire.learning.cards.results import (
    AcceptedItem,
    CardCorrection,
    CardGap,
    DuplicateItem,
    SubmitResult,
)
from groundwire.learning.cards.searching import by_words
from groundwire.learning.cards.types import (
    LONGEST_SUGGESTION,
    CardDraft,
    Gap,
    Passage,
    SubmitRequest,
    leaves_open,
    sides_of,
    without_hidden,
)
from groundwire.safe_text import new_handle, safe_name
from groundwire.statefile import StateFile
from groundwire.vocabulary.fold import fold

PACKAGE = "groundwire.learning.cards"
"""Where the names of what is recorded are."""

MOST_CARDS = 100
"""Cards that one call may send."""

LONGEST_DECK = 200
"""Characters that the name of a deck may have."""

_MOST_COMPARED = 20_000
_MOST_CONCEPTS = 20


def submit_cards(
    state: StateFile, owner: str, request: SubmitRequest, now_ms: int
) -> tuple[SubmitResult, Draft]:
    """Check cards, and keep those that hold, all in one transaction.

    A card whose quote proves it is active and quoted. One without a quote is kept as a draft,
    unproven, and is never due; so is one whose quote leaves open whether it is right. One that its
    quote shows to be wrong is not kept. A draft that is sent again with a quote that proves it
    becomes active.

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
    submission = _Submission(owner, request, now_ms)
    with state.reading() as connection:
        submission.look_up(connection)
    # Nobody waits for the checks.
    submission.check()
    keeps = submission.holds and not request.dry_run
    with state.writing() if keeps else state.reading() as connection:
        return submission.outcome(connection)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A card that holds.

    Attributes:
        number: its place among those sent, from 1.
        card: the card, its quote as the passage has it.
        passage: the passage that proves it, or None.
        concepts: ids of concepts.
        quoted: the passage that it quotes, which need not prove it, or None.
    """

    number: int
    card: CardDraft
    passage: Passage | None
    concepts: tuple[str, ...]
    quoted: Passage | None = None


class _Submission:
    """One call: what was found of its cards."""

    def __init__(self, owner: str, request: SubmitRequest, now_ms: int) -> None:
        self._connection: sqlite3.Connection | None = None
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
        self._sent = list(enumerate(map(without_hidden, request.cards), 1))
        self._passages: dict[int, tuple[Passage | None, list[Gap]]] = {}
        self._known_concepts: list[tuple[str, str, str]] = []
        self._checked: list[_Checked] = []
        self._sides: list[tuple[str, str, str]] = []
        self._newest = (0, 0)
        self._known = Known(())

    @property
    def holds(self) -> bool:
        """Whether any card may be kept."""
        return bool(self._checked)

    def look_up(self, connection: sqlite3.Connection | None) -> None:
        """Read the passages and concepts that the cards name; None before the file exists."""
        self._connection = connection
        for number, card in self._sent:
            if card.quote.strip() and not form_gaps(card):
                self._passages[number] = self._passage(card)
        if connection is not None:
            self._newest = store.newest(connection, self._owner)
            self._sides = list(store.sides(connection, self._owner, _MOST_COMPARED))
            if any(card.concepts for _, card in self._sent):
                self._known_concepts = store.concept_names(connection, self._owner)
        self._connection = None

    def check(self) -> None:
        """Check the cards, without the file."""
        self._checked = [one for number, card in self._sent if (one := self._check(number, card))]
        if self._checked:
            self._known = Known(self._sides)

    def outcome(self, connection: sqlite3.Connection | None) -> tuple[SubmitResult, Draft]:
        """Keep the cards that hold, unless it is a dry run, and tell what became of all."""
        self._connection = connection
        checked = self._checked
        deck = self._deck(create=bool(checked))
        if connection is not None and store.newest(connection, self._owner) != self._newest:
            # Another call was quicker, perhaps with the same cards.
            self._known = Known(store.sides(connection, self._owner, _MOST_COMPARED))
        for one in checked:
            self._take(one, deck, self._known)
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
            passage, gaps = self._passages[number]
            if passage is not None:
                gaps = check_card(card, passage)
        self._tell(number, gaps)
        in_doubt = passage is not None and leaves_open(gaps)
        is_draft = bool(gaps) or passage is None
        if (gaps and not in_doubt) or (is_draft and self._request.proven_only):
            self._refused.add(number)
            return None
        if passage is not None:
            card = self._corrected(number, card, passage)
        concepts = tuple(self._concepts(number, card))
        return _Checked(number, card, None if gaps else passage, concepts, passage)

    def _tell(self, number: int, gaps: Sequence[Gap]) -> None:
        self._gaps += [
            CardGap(
                card=number,
                reason=gap.reason,
                detail=gap.detail,
                suggestions=[text[:LONGEST_SUGGESTION] for text in gap.suggestions],
            )
            for gap in gaps
        ]

    def _passage(self, card: CardDraft) -> tuple[Passage | None, list[Gap]]:
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
                    raw=card.quote[:LONGEST_SUGGESTION],
                    resolved=quote[:LONGEST_SUGGESTION],
                    how="case, spaces or marks as in the passage",
                )
            )
        return replace(card, quote=quote)

    def _concepts(self, number: int, card: CardDraft) -> Iterator[str]:
        """Ids of the concepts of a card; one that is not known is told and left out."""
        if not card.concepts:
            return
        known = self._known_concepts
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
        sides = list(sides_of(card))
        if one.passage is not None and (draft := self._draft_of(card, deck)):
            self._prove(one, draft)
            return
        twins = [known.twins(front, back) for front, back in sides]
        self._duplicates += [
            DuplicateItem(
                card=one.number,
                of=twin.card_id,
                front=twin.front[:LONGEST_SUGGESTION],
                back=twin.back[:LONGEST_SUGGESTION],
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
            self._accept(one, card_id, front, back)

    def _accept(self, one: _Checked, card_id: str, front: str, back: str) -> None:
        self._accepted.append(
            AcceptedItem(
                card=one.number,
                card_id=None if self._request.dry_run else card_id,
                type=one.card.type,
                front=front[:LONGEST_SUGGESTION],
                back=back[:LONGEST_SUGGESTION],
                state="active" if one.passage else "draft",
                proof="quoted" if one.passage else "unproven",
                passage_id=one.quoted.passage_id if one.quoted else None,
                source=one.quoted.source if one.quoted else None,
                locator=one.quoted.locator if one.quoted else None,
                concepts=list(one.concepts) or None,
            )
        )

    def _draft_of(self, card: CardDraft, deck: store.Deck) -> store.Sides | None:
        """The draft of a deck that a proven card takes the place of.

        It asks the same, and its quote left it open, or it has the same answer.
        """
        if self._connection is None or card.type != "atomic" or not deck.deck_id:
            return None
        for draft in store.drafts(self._connection, self._owner, deck.deck_id):
            if fold(draft.front) == fold(card.front) and (
                draft.quote or fold(draft.back) == fold(card.back)
            ):
                return draft
        return None

    def _prove(self, one: _Checked, draft: store.Sides) -> None:
        """Make a draft active as the card that was proven."""
        assert self._connection is not None and one.passage is not None
        self._proven.append(one)
        if not self._request.dry_run:
            fields = (one.card.front, one.card.back, one.passage.source, one.passage.locator)
            store.prove(
                self._connection,
                self._owner,
                replace(draft, front=one.card.front, back=one.card.back, quote=one.card.quote),
                one.passage.passage_id,
                fields,
                self._now_ms,
            )
            store.add_concepts(self._connection, self._owner, draft.card_id, one.concepts)
        self._known.add(draft.card_id, one.card.front, one.card.back)
        self._accept(one, draft.card_id, one.card.front, one.card.back)

    def _write(
        self,
        one: _Checked,
        deck: store.Deck,
        sides: Sequence[tuple[str, str]],
        ids: Sequence[str],
    ) -> None:
        assert self._connection is not None
        card, passage = one.card, one.quoted
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
                    "active" if one.passage else "draft",
                    "quoted" if one.passage else "unproven",
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
        counts = self._counts()
        proven, drafts, open_ = (counts.get(key, 0) for key in ("quoted", "drafts", "doubtful"))
        verb = "would be accepted" if self._request.dry_run else "accepted"
        parts = [f"{proven} {_cards(proven)} {verb} with a quote"]
        if drafts:
            parts.append(f"{drafts} kept as {'a draft' if drafts == 1 else 'drafts'} without one")
        if open_:
            kept = "a draft" if open_ == 1 else "drafts"
            parts.append(f"{open_} kept as {kept} that the quote leaves open")
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
        titles = dict.fromkeys(one.passage.source for one in self._proven if one.passage)
        counts = self._counts()
        names = predicate_names(PACKAGE)
        deck_is = Condition(names["deck"], "is", ((deck.name,),))
        of_state = {
            key: (deck_is, Condition(names["state"], "is", (names[key],))) for key in counts
        }
        return Draft(
            values=(*(Value(names[key][0], str(counts[key])) for key in counts), *quotes),
            audit={
                "deck": deck.deck_id or deck.name,
                "dry_run": self._request.dry_run,
                "cards": [item.card_id for item in self._accepted if item.card_id],
                "not_taken": sorted(self._refused),
                "there_already": sorted(self._held),
            },
            statements=(
                *(
                    Statement(
                        "scope",
                        names["cards"],
                        conditions=of_state[key],
                        value=place,
                        complete="all_counted",
                    )
                    for place, key in enumerate(counts)
                ),
                *(Statement("source", (title,)) for title in titles),
            ),
        )

    def _counts(self) -> dict[str, int]:
        """How many cards there are of each state that the answer tells."""
        drafts = [item for item in self._accepted if item.proof != "quoted"]
        counts = {
            "quoted": len(self._accepted) - len(drafts),
            "drafts": sum(item.passage_id is None for item in drafts),
            "doubtful": sum(item.passage_id is not None for item in drafts),
            "held": len(self._held),
            "refused": len(self._refused),
            "sent": len(self._request.cards),
        }
        return {key: n for key, n in counts.items() if n or key in ("quoted", "sent")}


def _near_names(raw: str, names: Sequence[str]) -> list[str]:
    from rapidfuzz import process

    return [name for name, score, _ in process.extract(raw, names, limit=5) if score >= 60]


def _cards(count: int) -> str:
    return "card" if count == 1 else "cards"
