"""The answers that an estimate may rest on, read from the log.

Reviews that were undone are not among them, nor are those that only the model rated: an estimate
rests on what a comparison, the learner or an imported log says. How many of each there are is told
beside every estimate.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from groundwire.learning.results import SharesItem
from groundwire.learning.subjects import Subject, cards_of
from groundwire.learning.terms import LATEST_MS, ForecastSource, Reported

_COLUMNS = "card_id, rating, rated_by, confidence, predicted, at_ms, reported_by"


@dataclass(frozen=True, slots=True)
class Answered:
    """One review that counts.

    Attributes:
        card_id: the card.
        rating: 1 (again) to 4 (easy).
        rated_by: server, learner, host or import.
        confidence: what the learner gave for it beforehand, or None.
        predicted: what the schedule gave for it beforehand, or None.
        at_ms: when it was.
        reported_by: what of it the model sent: nothing (""), host, or host_confidence.
    """

    card_id: str
    rating: int
    rated_by: str
    confidence: float | None
    predicted: float | None
    at_ms: int
    reported_by: Reported = ""

    @property
    def right(self) -> bool:
        """Whether the card was recalled."""
        return self.rating > 1

    @property
    def heard(self) -> bool:
        """Whether somebody else than the model alone says so."""
        return self.rated_by != "host"

    def asked_for(self, source: ForecastSource) -> bool:
        """Whether nothing that a pair of a source rests on was sent by the model."""
        return not self.reported_by or (
            source == "schedule" and self.reported_by == "host_confidence"
        )


def answered(
    connection: sqlite3.Connection,
    owner: str,
    subject: Subject,
    until_ms: int = LATEST_MS,
    newest: int = -1,
) -> list[Answered]:
    """Return the reviews about a subject that count, up to a time, in their order.

    Args:
        connection: to the learner's file.
        owner: the learner.
        subject: what the reviews are about.
        until_ms: the time.
        newest: of more reviews only so many, the newest; all where it is below 0.
    """
    condition, values = cards_of(subject)
    # A few cards are found by the index of cards; the newest of all by that of times.
    order = "+at_ms" if subject.kind in ("card", "concept") else "at_ms"
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM reviews WHERE owner = :owner AND kind = 'review' "  # noqa: S608 - names of ours, no value of a caller
        f"AND at_ms <= :until AND {condition} AND review_id NOT IN (SELECT undoes FROM reviews "
        "WHERE owner = :owner AND kind = 'undo' AND undoes IS NOT NULL) "
        f"ORDER BY {order} DESC, sequence DESC LIMIT :newest",
        {"owner": owner, "until": until_ms, "newest": newest, **values},
    ).fetchall()
    return [Answered(*row) for row in reversed(rows)]


def shares(reviews: Sequence[Answered]) -> SharesItem:
    """Return how many reviews each rated."""
    counted = {"server": 0, "learner": 0, "host": 0, "import": 0}
    for one in reviews:
        counted[one.rated_by] += 1
    imported = counted.pop("import")
    reported = sum(one.reported_by == "host" and one.heard for one in reviews)
    return SharesItem(**counted, imported=imported, reported_by_host=reported or None)


def by_card(reviews: Sequence[Answered]) -> dict[str, list[Answered]]:
    """Return reviews card by card, each in its order."""
    ordered = sorted(reviews, key=lambda one: one.card_id)
    return {card: list(some) for card, some in groupby(ordered, key=lambda one: one.card_id)}
