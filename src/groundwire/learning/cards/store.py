"""Reading and writing decks, passages, notes and cards; every statement names the owner."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from groundwire.documents.chunks import Chunk
from groundwire.learning.cards.types import Passage
from groundwire.safe_text import new_handle
from groundwire.textindex import indexed
from groundwire.vocabulary.fold import fold

_PASSAGE = (
    "SELECT p.passage_id, p.text, s.title, p.locator, p.source_id FROM passages AS p "
    "JOIN sources AS s ON s.owner = p.owner AND s.source_id = p.source_id "
)


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of an owner.

    Attributes:
        deck_id: its id.
        name: as it was first written; parts of a deck within another are set apart by `::`.
    """

    deck_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Note:
    """The note that one or more cards are made of.

    Attributes:
        note_id: its id.
        guid: the id that it has in packages.
        type: atomic, cloze, image_occlusion, or the name of an imported note type.
        names: the names of its fields.
        fields: its fields.
        tags: its tags.
        changed_ms: when it was last changed, milliseconds since 1970 in UTC.
    """

    note_id: str
    guid: str
    type: str
    names: tuple[str, ...]
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    changed_ms: int


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it is kept.

    Attributes:
        card_id: its id.
        note_id: the note that it is made of.
        deck_id: its deck.
        ordinal: its place among the cards of its note, from 0.
        type: atomic, cloze or image_occlusion.
        front: the question.
        back: the answer.
        state: draft, active, suspended or archived.
        proof: quoted, imported or unproven.
        created_ms: when it was made, milliseconds since 1970 in UTC.
        quote: what proves it, or "".
        passage_id: the passage that it quotes, or "".
        aliases: other right answers.
    """

    card_id: str
    note_id: str
    deck_id: str
    ordinal: int
    type: str
    front: str
    back: str
    state: str
    proof: str
    created_ms: int
    quote: str = ""
    passage_id: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sides:
    """A draft, as it is held against a card that was proven.

    Attributes:
        card_id: its id.
        note_id: the note that it is made of.
        front: its question.
        back: its answer.
        quote: its quote, which left open whether it is right, or "".
    """

    card_id: str
    note_id: str
    front: str
    back: str
    quote: str


def fold_name(name: str) -> str:
    """Return the key under which two spellings of a deck's name are the same."""
    return "::".join(fold(part) for part in name.split("::"))


def find_deck(connection: sqlite3.Connection, owner: str, raw: str) -> Deck | None:
    """Return the deck of an id or a name, or None; case and spaces of a name do not matter."""
    row = connection.execute(
        "SELECT deck_id, name FROM decks WHERE owner = ? AND deck_id = ?", (owner, raw)
    ).fetchone()
    row = (
        row
        or connection.execute(
            "SELECT deck_id, name FROM decks WHERE owner = ? AND folded = ?",
            (owner, fold_name(raw)),
        ).fetchone()
    )
    return Deck(*row) if row else None


def add_deck(connection: sqlite3.Connection, owner: str, name: str, now_ms: int) -> Deck:
    """Make a deck, or return the one that has the name already."""
    found = find_deck(connection, owner, name)
    if found is not None:
        return found
    deck = Deck(new_handle("deck"), name.strip())
    connection.execute(
        "INSERT INTO decks (owner, deck_id, name, folded, created_ms) VALUES (?, ?, ?, ?, ?)",
        (owner, deck.deck_id, deck.name, fold_name(name), now_ms),
    )
    return deck


def add_passages(
    connection: sqlite3.Connection, owner: str, source_id: str, chunks: Iterable[Chunk]
) -> list[str]:
    """Keep the passages of a source with the index of their words, and return their ids."""
    ids: list[str] = []
    for ordinal, one in enumerate(chunks):
        passage_id = new_handle("passage")
        ids.append(passage_id)
        hashed = hashlib.sha256(one.text.encode()).hexdigest()
        place = (one.start, one.start + len(one.text), one.locator)
        connection.execute(
            "INSERT INTO passages (owner, passage_id, source_id, ordinal, start, stop, locator, "
            "text, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (owner, passage_id, source_id, ordinal, *place, one.text, hashed),
        )
        connection.execute(
            "INSERT INTO passage_words (owner, passage_id, words, characters) VALUES (?, ?, ?, ?)",
            (owner, passage_id, *indexed(f"{one.heading}\n{one.text}")),
        )
    return ids


def passage(connection: sqlite3.Connection, owner: str, passage_id: str) -> Passage | None:
    """Return a passage of the owner, or None; another owner's is not returned."""
    row = connection.execute(
        f"{_PASSAGE} WHERE p.owner = ? AND p.passage_id = ?", (owner, passage_id)
    ).fetchone()
    return Passage(*row) if row else None


def passages_with(connection: sqlite3.Connection, owner: str, quote: str) -> list[Passage]:
    """Return the first passages in which a quote stands letter by letter, at most two."""
    rows = connection.execute(
        f"{_PASSAGE} WHERE p.owner = ? AND instr(p.text, ?) > 0 "
        "ORDER BY p.source_id, p.ordinal LIMIT 2",
        (owner, quote),
    )
    return [Passage(*row) for row in rows]


def passages_by_words(
    connection: sqlite3.Connection, owner: str, match: str, source_id: str, limit: int
) -> list[Passage]:
    """Return the passages that match a query of FTS5, the best first.

    Args:
        connection: the file.
        owner: whose passages.
        match: the query, made by `textindex`.
        source_id: only passages of this source, or "" for all.
        limit: how many at most.
    """
    rows = connection.execute(
        "SELECT p.passage_id, p.text, s.title, p.locator, p.source_id FROM ("
        "SELECT owner, passage_id, bm25(passage_words) AS away FROM passage_words "
        "WHERE passage_words MATCH ? AND owner = ?) AS found "
        "JOIN passages AS p ON p.owner = found.owner AND p.passage_id = found.passage_id "
        "JOIN sources AS s ON s.owner = p.owner AND s.source_id = p.source_id "
        "WHERE ? IN ('', p.source_id) ORDER BY found.away, p.passage_id LIMIT ?",
        (match, owner, source_id, limit),
    )
    return [Passage(*row) for row in rows]


def passages_of(
    connection: sqlite3.Connection, owner: str, source_id: str, limit: int
) -> list[Passage]:
    """Return the first passages of a source, in its order."""
    rows = connection.execute(
        "SELECT p.passage_id, p.text, s.title, p.locator, p.source_id FROM passages AS p "
        "JOIN sources AS s USING (owner, source_id) WHERE owner = ? AND source_id = ? "
        "ORDER BY p.ordinal LIMIT ?",
        (owner, source_id, limit),
    )
    return [Passage(*row) for row in rows]


def add_notes(connection: sqlite3.Connection, owner: str, notes: Iterable[Note]) -> None:
    """Keep notes; one of the same id is replaced."""
    connection.executemany(
        "INSERT OR REPLACE INTO notes (owner, note_id, guid, type, names, fields, tags, "
        "changed_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                owner,
                note.note_id,
                note.guid,
                note.type,
                _listed(note.names),
                _listed(note.fields),
                _listed(note.tags),
                note.changed_ms,
            )
            for note in notes
        ),
    )


def add_cards(connection: sqlite3.Connection, owner: str, cards: Iterable[Card]) -> None:
    """Keep new cards."""
    connection.executemany(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, aliases, "
        "quote, passage_id, state, proof, created_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                owner,
                card.card_id,
                card.note_id,
                card.deck_id,
                card.ordinal,
                card.type,
                card.front,
                card.back,
                _listed(card.aliases),
                card.quote,
                card.passage_id,
                card.state,
                card.proof,
                card.created_ms,
            )
            for card in cards
        ),
    )


def add_concepts(
    connection: sqlite3.Connection, owner: str, card_id: str, nodes: Iterable[str]
) -> None:
    """Tie a card to concepts."""
    connection.executemany(
        "INSERT OR IGNORE INTO card_concepts (owner, card_id, node_id) VALUES (?, ?, ?)",
        ((owner, card_id, node) for node in nodes),
    )


def sides(connection: sqlite3.Connection, owner: str, limit: int) -> Iterator[tuple[str, str, str]]:
    """Yield id, front and back of the newest cards that are not archived."""
    yield from connection.execute(
        "SELECT card_id, front, back FROM cards WHERE owner = ? AND state <> 'archived' "
        "ORDER BY created_ms DESC, card_id LIMIT ?",
        (owner, limit),
    )


def drafts(connection: sqlite3.Connection, owner: str, deck_id: str) -> Iterator[Sides]:
    """Yield the drafts of a deck that have a question and its answer."""
    rows = connection.execute(
        "SELECT card_id, note_id, front, back, quote FROM cards WHERE owner = ? AND deck_id = ? "
        "AND state = 'draft' AND proof = 'unproven' AND type = 'atomic' ORDER BY card_id",
        (owner, deck_id),
    )
    yield from (Sides(*row) for row in rows.fetchall())


def prove(
    connection: sqlite3.Connection,
    owner: str,
    card: Sides,
    passage_id: str,
    fields: tuple[str, ...],
    now_ms: int,
) -> None:
    """Make a draft an active card, with the sides and the quote that prove it.

    Args:
        connection: the file.
        owner: whose card.
        card: the card as it is from now on, with the ids of the draft.
        passage_id: the passage that it quotes.
        fields: the fields of its note.
        now_ms: the present, milliseconds since 1970 in UTC.
    """
    connection.execute(
        "UPDATE cards SET front = ?, back = ?, quote = ?, passage_id = ?, state = 'active', "
        "proof = 'quoted' WHERE owner = ? AND card_id = ?",
        (card.front, card.back, card.quote, passage_id, owner, card.card_id),
    )
    connection.execute(
        "UPDATE notes SET fields = ?, changed_ms = ? WHERE owner = ? AND note_id = ?",
        (_listed(fields), now_ms, owner, card.note_id),
    )


def newest(connection: sqlite3.Connection, owner: str) -> tuple[int, int]:
    """Return how many cards an owner has, and when the last was made: another one shows in it."""
    row = connection.execute(
        "SELECT count(*), coalesce(max(created_ms), 0) FROM cards WHERE owner = ?", (owner,)
    ).fetchone()
    return int(row[0]), int(row[1])


def cards_of(connection: sqlite3.Connection, owner: str, guid: str) -> list[str]:
    """Return the ids of the cards of a note, in their order."""
    rows = connection.execute(
        "SELECT card_id FROM cards JOIN notes USING (owner, note_id) "
        "WHERE owner = ? AND guid = ? ORDER BY ordinal",
        (owner, guid),
    )
    return [card_id for (card_id,) in rows]


def concept_names(connection: sqlite3.Connection, owner: str) -> list[tuple[str, str, str]]:
    """Return id, name and folded name of the owner's concepts."""
    return connection.execute(
        "SELECT node_id, name, folded FROM nodes WHERE owner = ? ORDER BY name", (owner,)
    ).fetchall()


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _listed(texts: Sequence[str]) -> str:
    return _encode(texts) if texts else "[]"
