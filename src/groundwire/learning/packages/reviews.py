"""Reviews from elsewhere, as they are handed to whoever keeps the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportedReview:
    """One entry of a log from elsewhere.

    Attributes:
        review_id: an id that the same entry always has.
        card_id: a card that is here.
        rating: 1 to 4; None for `manual` and `reschedule`.
        at_ms: when it was, milliseconds since 1970 in UTC.
        kind: review, manual or reschedule; only the first is a review.
        duration_ms: how long it took, or None.
    """

    review_id: str
    card_id: str
    rating: int | None
    at_ms: int
    kind: str = "review"
    duration_ms: int | None = None


Record = Callable[[sqlite3.Connection, str, Sequence[ImportedReview], int], tuple[int, int]]
"""Adds a log, in a transaction: connection, owner, entries, the present in milliseconds.

Returns how many entries were added, and how many were there already."""


def add_reviews(
    connection: sqlite3.Connection, owner: str, entries: Sequence[ImportedReview], now_ms: int
) -> tuple[int, int]:
    """Add entries to the log as they are, rated by `import`; the schedule is not computed.

    Returns:
        how many were added, and how many were there already.
    """
    added = 0
    for entry in entries:
        outcome = "" if entry.rating is None else "wrong" if entry.rating == 1 else "right"
        added += connection.execute(
            "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, outcome, "
            "duration_ms, at_ms, recorded_ms) VALUES (?, ?, ?, ?, ?, 'import', ?, ?, ?, ?) "
            "ON CONFLICT (owner, review_id) DO NOTHING",
            (
                owner,
                entry.review_id,
                entry.card_id,
                entry.kind,
                entry.rating,
                outcome,
                entry.duration_ms,
                entry.at_ms,
                now_ms,
            ),
        ).rowcount
    return added, len(entries) - added
