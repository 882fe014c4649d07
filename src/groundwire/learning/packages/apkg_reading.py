"""Packages of Anki taken in: decks, notes, cards and the log of reviews, all or nothing.

The learner's own material is active as it was there, its proof is `imported`. What the log calls
manual or rescheduled is kept as such and does not count as a review. The state of SM-2 is used only
for cards whose log is not in the package, and marked.
"""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from groundwire.documents.blocks import Progress
from groundwire.learning.cards import store
from groundwire.learning.packages.archive import keep_media, unpacked
from groundwire.learning.packages.collection import (
    AnkiCollection,
    StoredCard,
    StoredReview,
    open_collection,
)
from groundwire.learning.packages.templates import NoteType, Sides, keep_note_type, sides
from groundwire.learning.reviews.store import Imported, add_imported
from groundwire.safe_text import new_handle, safe_characters
from groundwire.statefile import StateFile

_DAY = 86_400
_STEP = 1_000
_LONGEST_ID = 200
_SUSPENDED, _DAY_QUEUE = -1, 3
_NEW, _LEARNING, _REVIEW, _RELEARNING = 0, 1, 2, 3
_PHASES = {_LEARNING: "learning", _REVIEW: "review", _RELEARNING: "relearning"}
_FILTERED, _MANUAL, _RESCHEDULED = 3, 4, 5
_KINDS = {_MANUAL: "manual", _RESCHEDULED: "reschedule"}


@dataclass(frozen=True, slots=True)
class PackageReport:
    """The content that was taken in.

    Attributes:
        decks: names of the decks with cards.
        notes: notes that are new.
        cards: cards that are new.
        known: cards that were here already; those of a note that changed since are brought up.
        reviews: entries of the log that are new.
        reviews_known: entries that were here already.
        schedules: cards whose state of SM-2 was kept, since their log is missing.
        left_out: what was not taken, and how often, for people.
        media: files of media that are new or changed.
    """

    decks: tuple[str, ...]
    notes: int
    cards: int
    known: int
    reviews: int
    reviews_known: int
    schedules: int
    left_out: Mapping[str, int]
    media: int = 0


def import_package(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    progress: Progress | None = None,
) -> PackageReport:
    """Take in a package of Anki, .apkg or .colpkg, all of it or nothing.

    Taken in again it adds only what is new. Media files are kept to go back with the cards.

    Args:
        state: the file of learning.
        owner: whose cards.
        path: the package.
        now_ms: the present, milliseconds since 1970 in UTC.
        progress: told of the name of the file, cards and reviews done, of how many.

    Raises:
        InputError: it cannot be read as a package, or is of an unknown version.
        LimitError: it is larger than is read.
        ConfigurationError: the package that unpacks it is not installed.
        UnavailableError: the file of learning cannot be written.
    """
    with (
        unpacked(path) as file,
        open_collection(file, path.name) as collection,
        state.writing() as connection,
    ):
        report = _Import(connection, owner, collection, path.name, now_ms, progress).run()
        with zipfile.ZipFile(path) as archive:
            media, _ = keep_media(connection, owner, archive, path)
        return replace(report, media=media)


class _Import:
    """One package that is taken in."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        owner: str,
        collection: AnkiCollection,
        name: str,
        now_ms: int,
        progress: Progress | None,
    ) -> None:
        self._connection = connection
        self._owner = owner
        self._collection = collection
        self._name = name
        self._now_ms = now_ms
        self._progress = progress
        self._decks: dict[int, store.Deck] = {}
        self._types: dict[int, str] = {}
        self._left_out: Counter[str] = Counter()
        # The card here, guid and ordinal of each of the package's cards.
        self._cards: dict[int, tuple[str, str, int]] = {}
        self._counts: Counter[str] = Counter()
        self._suspended: list[str] = []

    def run(self) -> PackageReport:
        """Take in cards, then the log, then the states of cards without a log."""
        held = {
            guid: (note_id, changed)
            for guid, note_id, changed in self._connection.execute(
                "SELECT guid, note_id, changed_ms FROM notes WHERE owner = ?", (self._owner,)
            )
        }
        held_cards: dict[tuple[str, int], str] = {
            (note_id, ordinal): card_id
            for note_id, ordinal, card_id in self._connection.execute(
                "SELECT note_id, ordinal, card_id FROM cards WHERE owner = ?", (self._owner,)
            )
        }
        stored: list[StoredCard] = []
        notes: list[store.Note] = []
        cards: list[store.Card] = []
        for number, card in enumerate(self._collection.stored_cards(), 1):
            self._take(card, held, held_cards, notes, cards)
            if card.type != _NEW:
                stored.append(card._replace(fields="", tags=""))
            if number % _STEP == 0:
                self._write(notes, cards)
                self._tell(number)
        self._write(notes, cards)
        reviews = [
            one for review in self._collection.stored_reviews() if (one := self._entry(review))
        ]
        added, known = add_imported(self._connection, self._owner, reviews, self._now_ms)
        logged = {one.card_id for one in reviews if one.kind == "review"}
        for card in stored:
            self._keep_schedule(card, logged)
        # Last, so that whoever watches the states of cards sees this change.
        self._connection.executemany(
            "UPDATE cards SET state = 'suspended' WHERE owner = ? AND card_id = ?",
            ((self._owner, card_id) for card_id in self._suspended),
        )
        self._tell(self._collection.cards + self._collection.reviews)
        return PackageReport(
            tuple(sorted(deck.name for deck in self._decks.values())),
            self._counts["notes"],
            self._counts["cards"],
            self._counts["known"],
            added,
            known,
            self._counts["schedules"],
            dict(self._left_out),
        )

    def _take(
        self,
        card: StoredCard,
        held: dict[str, tuple[str, int]],
        held_cards: dict[tuple[str, int], str],
        notes: list[store.Note],
        cards: list[store.Card],
    ) -> None:
        kind = self._collection.note_types.get(card.note_type)
        guid = safe_characters(card.guid)[:_LONGEST_ID]
        if kind is None or not guid:
            self._left_out["cards without a note type"] += 1
            return
        values = card.fields.split("\x1f")
        note_id, changed = held.get(guid, ("", -1))
        # Anki counts whole seconds.
        if not note_id or changed < card.changed * 1_000:
            is_new = not note_id
            note_id = note_id or new_handle("note")
            held[guid] = (note_id, card.changed * 1_000)
            notes.append(self._note(note_id, guid, card, kind, values))
            self._counts["notes"] += is_new
        both = sides(kind, values, card.ordinal)
        card_id = held_cards.get((note_id, card.ordinal), "")
        deck = self._deck(card.deck)
        if card_id:
            self._counts["known"] += 1
            self._bring_up(card_id, both, is_newer=changed < card.changed * 1_000)
        else:
            card_id = held_cards[note_id, card.ordinal] = new_handle("card")
            self._counts["cards"] += 1
            cards.append(self._card(card_id, note_id, deck.deck_id, card, both))
            if card.queue == _SUSPENDED:
                self._suspended.append(card_id)
        self._cards[card.card] = (card_id, guid, card.ordinal)

    def _note(
        self, note_id: str, guid: str, card: StoredCard, kind: NoteType, values: list[str]
    ) -> store.Note:
        if card.note_type not in self._types:
            self._types[card.note_type] = keep_note_type(self._connection, self._owner, kind)
        return store.Note(
            note_id,
            guid,
            self._types[card.note_type],
            kind.fields,
            tuple(values),
            tuple(card.tags.split()),
            card.changed * 1_000,
        )

    def _card(
        self, card_id: str, note_id: str, deck_id: str, card: StoredCard, both: Sides
    ) -> store.Card:
        return store.Card(
            card_id,
            note_id,
            deck_id,
            card.ordinal,
            both.type,
            safe_characters(both.front),
            safe_characters(both.back),
            "active",
            "imported",
            # Anki's id of a card is the time at which it was made.
            min(max(card.card, 0), self._now_ms),
        )

    def _bring_up(self, card_id: str, both: Sides, *, is_newer: bool) -> None:
        """Change a card whose note was changed since; one that was quoted here stays."""
        if is_newer:
            self._connection.execute(
                "UPDATE cards SET front = ?, back = ? "
                "WHERE owner = ? AND card_id = ? AND proof = 'imported'",
                (safe_characters(both.front), safe_characters(both.back), self._owner, card_id),
            )

    def _deck(self, number: int) -> store.Deck:
        if number not in self._decks:
            name = safe_characters(self._collection.decks.get(number, "Default")).strip()
            self._decks[number] = store.add_deck(
                self._connection, self._owner, (name or "Default")[:_LONGEST_ID], self._now_ms
            )
        return self._decks[number]

    def _write(self, notes: list[store.Note], cards: list[store.Card]) -> None:
        store.add_notes(self._connection, self._owner, notes)
        store.add_cards(self._connection, self._owner, cards)
        notes.clear()
        cards.clear()

    def _entry(self, review: StoredReview) -> Imported | None:
        """The entry of the log as it is kept, or None where it is none; that is counted."""
        if review.card not in self._cards:
            self._left_out["reviews of cards that are not in the package"] += 1
            return None
        card_id, guid, ordinal = self._cards[review.card]
        if not 0 < review.at_ms <= self._now_ms:
            self._left_out["reviews before 1970 or in the future"] += 1
            return None
        kind = _KINDS.get(review.type, "review")
        if kind == "review":
            if review.type == _FILTERED and review.factor == 0:
                self._left_out["reviews in filtered decks that changed no schedule"] += 1
                return None
            if review.ease not in (1, 2, 3, 4) or not 0 <= review.type <= _FILTERED:
                self._left_out["reviews without a rating"] += 1
                return None
        return Imported(
            f"anki:{guid}:{ordinal}:{review.at_ms}",
            card_id,
            review.ease if kind == "review" else None,
            review.at_ms,
            kind,
            review.duration_ms if review.duration_ms >= 0 else None,
        )

    def _keep_schedule(self, card: StoredCard, logged: set[str]) -> None:
        """Keep what SM-2 knows of a card, where no review of it is in the log."""
        card_id = self._cards.get(card.card, ("",))[0]
        if not card_id or card_id in logged or card.type not in _PHASES:
            return
        days = card.type == _REVIEW or card.queue == _DAY_QUEUE
        due = self._collection.created + card.due * _DAY if days else card.due
        memory = _memory(card.data)
        self._counts["schedules"] += self._connection.execute(
            "INSERT INTO schedule (owner, card_id, deck_id, phase, step, stability, difficulty, "
            "due_ms, last_ms, reviews, lapses, parameters_id, how) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 'sm-2') "
            "ON CONFLICT (owner, card_id) DO NOTHING",
            (
                self._owner,
                card_id,
                self._deck(card.deck).deck_id,
                _PHASES[card.type],
                None if card.type == _REVIEW else 0,
                memory.get("s", float(max(card.interval, 1)) if card.interval > 0 else None),
                memory.get("d"),
                min(max(due, 0), 32_503_680_000) * 1_000,
                None,
                max(card.reviews, 0),
                max(card.lapses, 0),
            ),
        ).rowcount

    def _tell(self, done: int) -> None:
        if self._progress is not None:
            total = self._collection.cards + self._collection.reviews
            self._progress(self._name, done, total)


def _memory(data: str) -> dict[str, float]:
    """Stability and difficulty of FSRS, where a card has them."""
    try:
        read: Any = json.loads(data) if data else {}
    except ValueError:
        return {}
    if not isinstance(read, dict):
        return {}
    known = cast("dict[str, Any]", read)
    return {
        key: float(known[key])
        for key in ("s", "d")
        if isinstance(known.get(key), int | float) and 0 < known[key] < 1e6
    }
