"""Undoing a review: a row that names it, and the card scheduled as if it had never been."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from groundwire.errors import InputError, NotFoundError
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.recording import Card, find_card
from groundwire.learning.reviews.store import Row, append, memory_of, recompute
from groundwire.learning.schedule.policy import Policy, read_policy
from groundwire.learning.schedule.state import Memory

_PREFIX = "undo:"
_LAST = (
    "SELECT review_id, at_ms FROM reviews WHERE owner = ? AND card_id = ? AND kind = 'review' "
    "AND NOT EXISTS (SELECT 1 FROM reviews AS undo WHERE undo.owner = reviews.owner "
    "AND undo.kind = 'undo' AND undo.undoes = reviews.review_id "
    "AND undo.card_id = reviews.card_id) ORDER BY sequence DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Undone:
    """A review that counts no more.

    Attributes:
        review_id: the review that was undone.
        card: its card.
        before: the memory before the undoing.
        after: the memory after it, or None where the card is new again.
        again: whether it had been undone before.
        policy: the learner's policy.
    """

    review_id: str
    card: Card
    before: Memory | None
    after: Memory | None
    again: bool
    policy: Policy


def undo(learner: Learner, card_id: str, review_id: str | None = None) -> Undone:
    """Undo a review of a card: the one that is named, else the one that was recorded last.

    Undoing a review twice undoes it once.

    Raises:
        NotFoundError: the learner has no such card, or the card no such review.
        InputError: the card has no review that counts, or the one named does not count as one.
        UnavailableError: the file cannot be written.
    """
    with learner.writing() as connection:
        card = find_card(connection, learner.owner, card_id)
        policy = read_policy(connection, learner.owner)
        review_id, at_ms = _meant(connection, learner.owner, card_id, review_id)
        before = memory_of(connection, learner.owner, card_id, policy)
        known = connection.execute(
            "SELECT 1 FROM reviews WHERE owner = ? AND review_id = ?",
            (learner.owner, _PREFIX + review_id),
        ).fetchone()
        if known is None:
            now = learner.clock()
            row = Row(
                _PREFIX + review_id, card_id, "undo", None, "host", at_ms, now, undoes=review_id
            )
            append(connection, learner.owner, row)
            recompute(connection, learner.owner, [card_id])
        after = memory_of(connection, learner.owner, card_id, policy)
        return Undone(review_id, card, before, after, known is not None, policy)


def _meant(
    connection: sqlite3.Connection, owner: str, card_id: str, review_id: str | None
) -> tuple[str, int]:
    """Return the id and the time of the review that is to be undone."""
    if review_id is None:
        row = connection.execute(_LAST, (owner, card_id)).fetchone()
        if row is None:
            raise InputError("This card has no review that could be undone.")
        return row
    row = connection.execute(
        "SELECT review_id, at_ms, kind FROM reviews "
        "WHERE owner = ? AND review_id = ? AND card_id = ?",
        (owner, review_id.removeprefix(_PREFIX), card_id),
    ).fetchone()
    if row is None:
        raise NotFoundError(
            "This card has no such review: send the review_id that record_review returned, or "
            "leave it out to undo the last one."
        )
    if row[2] != "review":
        raise InputError("Only a review can be undone: send the review_id of one.")
    return row[:2]
