"""The embedded sample: a text, a deck of cards that quote it, and an invented log of reviews.

It is for demos and tests. The log tells times as days before now, so that some cards are always
due.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import ConfigurationError
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.store import Imported, add_imported
from groundwire.learning.terms import DAY_MS
from groundwire.vocabulary import fold

_SOURCE = "source_sample"
_PARAGRAPH = re.compile(r"\n{2,}")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the sample lies.

    Attributes:
        text: the text, Markdown.
        deck: its cards, CSV.
        log: the reviews, CSV.
    """

    text: Path
    deck: Path
    log: Path


def load_sample(learner: Learner, places: Places) -> int:
    """Give a learner the sample, unless they have it, and return how many cards were added.

    Raises:
        ConfigurationError: a file cannot be read, or a quote does not stand in the text.
        UnavailableError: the learner's file cannot be written.
    """
    try:
        text = places.text.read_text("utf-8")
        cards, log = _rows(places.deck), _rows(places.log)
    except OSError as error:
        raise ConfigurationError(
            f"The sample cannot be read ({error.strerror}): install Groundwire again."
        ) from error
    now = learner.clock()
    with learner.writing() as connection:
        held = connection.execute(
            "SELECT 1 FROM sources WHERE owner = ? AND source_id = ?", (learner.owner, _SOURCE)
        ).fetchone()
        if held:
            return 0
        passages = _add_source(connection, learner.owner, places.text.name, text, now)
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


def _add_source(
    connection: sqlite3.Connection, owner: str, name: str, text: str, now: int
) -> list[tuple[str, str]]:
    """Keep the text by paragraphs, and return each with its id."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    connection.execute(
        "INSERT INTO sources (owner, source_id, title, kind, hash, added_ms) "
        "VALUES (?, ?, ?, 'markdown', ?, ?)",
        (owner, _SOURCE, _title(text), digest, now),
    )
    passages: list[tuple[str, str]] = []
    for number, (start, stop) in enumerate(_paragraphs(text), 1):
        passage_id, body = f"passage_sample_{number}", text[start:stop]
        connection.execute(
            "INSERT INTO passages (owner, passage_id, source_id, ordinal, start, stop, locator, "
            "text, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                owner, passage_id, _SOURCE, number, start, stop, f"{name}, paragraph {number}",
                body, hashlib.sha256(body.encode()).hexdigest(),
            ),
        )  # fmt: skip
        passages.append((passage_id, body))
    return passages


def _title(text: str) -> str:
    return text.lstrip("# ").partition("\n")[0]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text.rstrip())


def _add_card(
    connection: sqlite3.Connection,
    owner: str,
    card: dict[str, str],
    passages: list[tuple[str, str]],
    now: int,
) -> None:
    quote = card["quote"]
    passage_id = next((one for one, body in passages if quote in " ".join(body.split())), None)
    if passage_id is None:
        raise ConfigurationError(f"The quote of the sample card {card['card_id']} is in no text.")
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
        node_id = f"node_{fold(name).replace(' ', '_')}"
        connection.execute(
            "INSERT OR IGNORE INTO nodes (owner, node_id, type, name, folded, data, version) "
            "VALUES (?, ?, 'concept', ?, ?, '{}', 1)",
            (owner, node_id, name, fold(name)),
        )
        connection.execute(
            "INSERT INTO card_concepts (owner, card_id, node_id) VALUES (?, ?, ?)",
            (owner, card_id, node_id),
        )
