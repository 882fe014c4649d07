"""The embedded sample: a text, a deck of cards that quote it, and an invented log of reviews.

It is for demos and tests. The log tells times as days before now, so that some cards are always
due.
"""

from __future__ import annotations

import csv
import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.errors import ConfigurationError
from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.importing import import_source
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.store import Imported, add_imported
from groundwire.learning.terms import DAY_MS
from groundwire.vocabulary import fold

_TITLE = "Tides and harbours"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the sample lies.

    Attributes:
        text: the text, Markdown.
        deck: its cards, CSV.
        log: the reviews, CSV.
        graph: the concepts and their edges, operations as JSON.
        rules: what a concept graph may hold, TOML.
    """

    text: Path
    deck: Path
    log: Path
    graph: Path
    rules: Path


def load_sample(learner: Learner, places: Places) -> int:
    """Give a learner the sample, unless they have it, and return how many cards were added.

    Raises:
        ConfigurationError: a file cannot be read, or a quote does not stand in the text.
        UnavailableError: the learner's file cannot be written.
    """
    try:
        cards, log = _rows(places.deck), _rows(places.log)
        operations: list[dict[str, Any]] = json.loads(places.graph.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"The sample cannot be read ({error.strerror}): install Groundwire again."
        ) from error
    now = learner.clock()
    with learner.reading() as connection:
        held = connection.execute(
            "SELECT 1 FROM cards WHERE owner = ? AND card_id = ?",
            (learner.owner, cards[0]["card_id"]),
        ).fetchone()
    if held:
        return 0
    source = import_source(learner.file, learner.owner, places.text, now_ms=now, title=_TITLE)
    passages = _passages(learner, source.source_id)
    for card in cards:
        _passage_of(card, passages)
    _add_concepts(learner, operations, places.rules)
    with learner.writing() as connection:
        for card in cards:
            _add_card(connection, learner.owner, card, passages, now)
        entries = [
            Imported(
                f"sample:{number}",
                row["card_id"],
                int(row["rating"]),
                now - round(float(row["days_ago"]) * DAY_MS),
                duration_ms=int(row["duration_ms"]),
                confidence=float(row["confidence"]) if row["confidence"] else None,
            )
            for number, row in enumerate(log, 1)
        ]
        add_imported(connection, learner.owner, entries, now)
    return len(cards)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _passages(learner: Learner, source_id: str) -> list[tuple[str, str]]:
    """Return the passages of a source, each with its id and its text in one line."""
    with learner.reading() as connection:
        rows = connection.execute(
            "SELECT passage_id, text FROM passages WHERE owner = ? AND source_id = ?",
            (learner.owner, source_id),
        )
        return [(passage_id, " ".join(text.split())) for passage_id, text in rows]


def _passage_of(card: dict[str, str], passages: list[tuple[str, str]]) -> str:
    """Return the passage that has the quote of a card."""
    found = next((one for one, text in passages if card["quote"] in text), None)
    if found is None:
        raise ConfigurationError(f"The quote of the sample card {card['card_id']} is in no text.")
    return found


def _add_concepts(learner: Learner, operations: list[dict[str, Any]], rules: Path) -> None:
    """Add the concepts and edges that the learner does not have yet."""
    with learner.reading() as connection:
        names = {
            folded
            for (folded,) in connection.execute(
                "SELECT folded FROM nodes WHERE owner = ?", (learner.owner,)
            )
        }
    new = [one for one in operations if one["op"] != "add_node" or fold(one["name"]) not in names]
    request = ChangeRequest(new, "The concepts of the sample")
    result, _ = submit_graph_changes(learner.file, read_rules(rules), learner.owner, request)
    if result.status != "committed":
        raise ConfigurationError(f"The concepts of the sample do not fit: {result.answer}")


def _add_card(
    connection: sqlite3.Connection,
    owner: str,
    card: dict[str, str],
    passages: list[tuple[str, str]],
    now: int,
) -> None:
    quote, passage_id = card["quote"], _passage_of(card, passages)
    deck_id = f"deck_{fold(card['deck']).replace(' ', '_')}"
    connection.execute(
        "INSERT OR IGNORE INTO decks (owner, deck_id, name, folded, created_ms) "
        "VALUES (?, ?, ?, ?, ?)",
        (owner, deck_id, card["deck"], fold(card["deck"]), now),
    )
    card_id, sides = card["card_id"], [card["front"], card["back"]]
    connection.execute(
        "INSERT INTO notes (owner, note_id, guid, type, names, fields, tags, changed_ms) "
        "VALUES (?, ?, ?, ?, ?, ?, '[]', ?)",
        (
            owner, f"note_{card_id}", card_id, card["type"], json.dumps(["Front", "Back"]),
            json.dumps(sides, ensure_ascii=False), now,
        ),
    )  # fmt: skip
    aliases = [one for one in card["aliases"].split("|") if one]
    connection.execute(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, aliases, "
        "quote, passage_id, state, proof, created_ms) "
        "VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 'active', 'quoted', ?)",
        (
            owner, card_id, f"note_{card_id}", deck_id, card["type"], *sides,
            json.dumps(aliases, ensure_ascii=False), quote, passage_id, now,
        ),
    )  # fmt: skip
    for name in filter(None, card["concepts"].split("|")):
        connection.execute(
            "INSERT OR IGNORE INTO card_concepts (owner, card_id, node_id) "
            "SELECT owner, ?, node_id FROM nodes WHERE owner = ? AND folded = ?",
            (card_id, owner, fold(name)),
        )
