"""A learner with decks and cards, for the tests and evals of learning."""

from __future__ import annotations

import json
from collections.abc import Iterable

from groundwire.learning.learner import Learner, LearningBase
from groundwire.learning.reviews.recording import Recorded, Sent, record
from groundwire.state import StatePlace
from groundwire.vocabulary import fold

DAY_MS = 86_400_000
# 2026-03-02, a Monday, 09:00 UTC.
START_MS = 1_772_442_000_000


class World:
    """Learners of one place with a clock that stands until it is moved."""

    def __init__(self, place: StatePlace, now_ms: int = START_MS) -> None:
        self.now_ms = now_ms
        self.base = LearningBase(place, lambda: self.now_ms)
        self.learner = self.base.learner("local")

    def other(self, owner: str) -> Learner:
        return self.base.learner(owner)

    def wait(self, days: float = 0, minutes: float = 0) -> None:
        self.now_ms += round(days * DAY_MS + minutes * 60_000)

    def deck(self, name: str, owner: str = "local") -> str:
        deck_id = f"deck_{fold(name).replace(' ', '_')}"
        with self.base.learner(owner).writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO decks VALUES (?, ?, ?, ?, ?)",
                (owner, deck_id, name, fold(name), self.now_ms),
            )
        return deck_id

    def card(
        self,
        card_id: str,
        front: str = "",
        back: str = "answer",
        *,
        aliases: Iterable[str] = (),
        deck: str = "Spanish",
        state: str = "active",
        owner: str = "local",
        concepts: Iterable[str] = (),
    ) -> str:
        deck_id = self.deck(deck, owner)
        with self.base.learner(owner).writing() as connection:
            connection.execute(
                "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, "
                "aliases, state, proof, created_ms) "
                "VALUES (?, ?, ?, ?, 0, 'atomic', ?, ?, ?, ?, 'imported', ?)",
                (
                    owner, card_id, f"note_{card_id}", deck_id, front or f"front of {card_id}",
                    back, json.dumps([*aliases]), state, self.now_ms,
                ),
            )  # fmt: skip
            for name in concepts:
                node = f"node_{fold(name).replace(' ', '_')}"
                connection.execute(
                    "INSERT OR IGNORE INTO nodes VALUES (?, ?, 'concept', ?, ?, '{}', 1)",
                    (owner, node, name, fold(name)),
                )
                connection.execute(
                    "INSERT INTO card_concepts VALUES (?, ?, ?)", (owner, card_id, node)
                )
        return card_id

    def state(self, card_id: str, state: str) -> None:
        with self.learner.writing() as connection:
            connection.execute(
                "UPDATE cards SET state = ? WHERE owner = 'local' AND card_id = ?",
                (state, card_id),
            )

    def review(self, card_id: str, response: str | None = "answer", **more: object) -> Recorded:
        said = more.pop("said", None)
        done = record(self.learner, Sent(card_id, response, **more), said)
        assert isinstance(done, Recorded)
        return done

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        with self.learner.reading() as connection:
            return connection.execute(sql, values).fetchall()

    def schedule(self) -> list[tuple[object, ...]]:
        return self.rows("SELECT * FROM schedule ORDER BY owner, card_id")
