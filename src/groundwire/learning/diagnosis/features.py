"""The features of each answer: its card, its sitting, what came before it, and how it was given.

Reviews that only a host rated are left out, and so are those that were undone: nobody knows that
the learner gave them. A review tests memory where the card was reviewed hours before.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from groundwire.learning.diagnosis.thresholds import Thresholds
from groundwire.vocabulary.fold import fold

_HOUR = 3_600_000
_MINUTE = 60_000
_AGAIN = 1

_REVIEWS = (
    "SELECT review_id, card_id, rating, rated_by, response, confidence, predicted, duration_ms,"
    " at_ms FROM reviews WHERE owner = ? AND kind = 'review' AND rating BETWEEN 1 AND 4"
    " AND review_id NOT IN (SELECT undoes FROM reviews WHERE owner = ? AND kind = 'undo'"
    " AND undoes IS NOT NULL) ORDER BY at_ms, sequence"
)


@dataclass(frozen=True, slots=True)
class Facet:
    """The features of a card: which note and which side of it, what it asks for, its concepts.

    `answers` are folded, `back` is as the card has it.
    """

    note_id: str
    ordinal: int
    answers: frozenset[str]
    concepts: frozenset[str]
    back: str = ""


@dataclass(slots=True)
class Answer:
    """One answer.

    Attributes:
        review_id: handle of the review.
        card_id: the card.
        failed: whether it was rated as forgotten.
        rated_by: server, learner or import.
        at_ms: when.
        gap_ms: time since the review of the card before, or None.
        earlier: how many reviews the card had before.
        run: right answers of the card in a row before this one.
        sitting: number of the sitting.
        place: place in the sitting, from 1.
        duration_ms: how long it took, or None.
        confidence: what was said before the answer was seen, 0 to 1, or None.
        predicted: recall that was to be expected, 0 to 1, or None.
        response: the typed answer, folded; None where none was typed.
        since_pause: whether a long pause lies between it and the card's review before.
        typed: the first 400 characters of the typed answer as they stand; None where none was.
    """

    review_id: str
    card_id: str
    failed: bool
    rated_by: str
    at_ms: int
    gap_ms: int | None
    earlier: int
    run: int
    sitting: int
    place: int
    duration_ms: int | None
    confidence: float | None
    predicted: float | None
    response: str | None
    since_pause: bool = False
    typed: str | None = None


@dataclass(slots=True)
class Trace:
    """Everything that is known of a learner's answers.

    Attributes:
        answers: every answer, in order.
        cards: what is known of each card.
        needs: by concept what it needs directly.
        usual_sitting: median length of sittings, in reviews.
        durations: median duration by sitting, where it is known.
        usual_duration: median of these, or None.
        rated_by: how many answers each kind of rater gave, with those left out.
    """

    answers: list[Answer]
    cards: Mapping[str, Facet]
    needs: Mapping[str, frozenset[str]]
    usual_sitting: float
    durations: Mapping[int, float]
    usual_duration: float | None
    rated_by: dict[str, int] = field(default_factory=dict[str, int])

    def tests(self, apart_hours: float) -> list[Answer]:
        """Return the answers that test memory."""
        apart = apart_hours * _HOUR
        return [one for one in self.answers if one.gap_ms is not None and one.gap_ms >= apart]


def read_trace(
    connection: sqlite3.Connection, owners: tuple[str, str], thresholds: Thresholds
) -> Trace:
    """Read a learner's answers with what stands around them.

    Args:
        connection: the file of learning.
        owners: whose answers, and the owner of the shared graph.
        thresholds: what makes a sitting, and a pause.
    """
    owner = owners[0]
    raters: dict[str, int] = {}
    answers: list[Answer] = []
    last: dict[str, Answer] = {}
    sitting, place, before = 0, 0, None
    for row in connection.execute(_REVIEWS, (owner, owner)):
        review_id, card_id, rating, rated_by, response, confidence, predicted, duration, at = row
        raters[rated_by] = raters.get(rated_by, 0) + 1
        if rated_by == "host":
            continue
        if before is None or at - before > thresholds.pause_minutes * _MINUTE:
            sitting, place = sitting + 1, 0
        before, place = at, place + 1
        earlier = last.get(card_id)
        one = Answer(
            review_id, card_id, rating == _AGAIN, rated_by, at,
            at - earlier.at_ms if earlier else None,
            earlier.earlier + 1 if earlier else 0,
            0 if earlier is None or earlier.failed else earlier.run + 1,
            sitting, place,
            duration if duration and duration > 0 else None,
            confidence, predicted,
            fold(response[:400]) if response is not None else None,
            typed=response[:400] if response is not None else None,
        )  # fmt: skip
        answers.append(one)
        last[card_id] = one
    _mark_pauses(answers, thresholds)
    sizes: dict[int, int] = {}
    taken: dict[int, list[int]] = {}
    for one in answers:
        sizes[one.sitting] = one.place
        if one.duration_ms is not None:
            taken.setdefault(one.sitting, []).append(one.duration_ms)
    durations = {key: float(median(some)) for key, some in taken.items() if len(some) >= 5}
    return Trace(
        answers,
        _facets(connection, owner),
        _needs(connection, owners),
        median(sizes.values()) if sizes else 0.0,
        durations,
        median(durations.values()) if durations else None,
        raters,
    )


def _mark_pauses(answers: list[Answer], thresholds: Thresholds) -> None:
    """Note which answers come after a long pause of the learner, with none of the card between."""
    begins: dict[int, int] = {}
    for one in answers:
        begins.setdefault(one.sitting, one.at_ms)
    starts = sorted(begins.values())
    gaps = [after - before for before, after in pairwise(starts)]
    if not gaps:
        return
    marks = thresholds.marks
    least = max(marks.pause_days * 24 * _HOUR, marks.pause_multiple * median(gaps))
    ends = [after for gap, after in zip(gaps, starts[1:], strict=True) if gap >= least]
    for one in answers:
        if one.gap_ms is not None:
            seen = one.at_ms - one.gap_ms
            one.since_pause = any(seen < end <= one.at_ms for end in ends)


def _facets(connection: sqlite3.Connection, owner: str) -> dict[str, Facet]:
    concepts: dict[str, set[str]] = {}
    for card_id, node_id in connection.execute(
        "SELECT card_id, node_id FROM card_concepts WHERE owner = ?", (owner,)
    ):
        concepts.setdefault(card_id, set()).add(node_id)
    found: dict[str, Facet] = {}
    for card_id, note_id, ordinal, back, aliases in connection.execute(
        "SELECT card_id, note_id, ordinal, back, aliases FROM cards WHERE owner = ?", (owner,)
    ):
        texts: Iterable[str] = (back, *json.loads(aliases))
        answers = frozenset(fold(text[:400]) for text in texts if text.strip())
        found[card_id] = Facet(
            note_id, ordinal, answers, frozenset(concepts.get(card_id, ())), back
        )
    return found


def _needs(connection: sqlite3.Connection, owners: tuple[str, str]) -> dict[str, frozenset[str]]:
    """Return what each concept needs directly, by the learner's graph and the shared one."""
    found: dict[str, set[str]] = {}
    for source, relation, target in connection.execute(
        "SELECT source_id, relation, target_id FROM edges WHERE owner IN (?, ?)"
        " AND relation IN ('prerequisite', 'depends_on')",
        owners,
    ):
        before, after = (source, target) if relation == "prerequisite" else (target, source)
        found.setdefault(after, set()).add(before)
    return {node_id: frozenset(before) for node_id, before in found.items()}


def read_misconceptions(
    connection: sqlite3.Connection, owners: tuple[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the names and aliases of the misconceptions of a learner's graph and the shared one.

    Args:
        connection: the file of learning.
        owners: the learner, and the owner of the shared graph.
    """
    rows = connection.execute(
        "SELECT node_id, name, data FROM nodes WHERE owner IN (?, ?) AND type = 'misconception'",
        owners,
    )
    return {
        node_id: (name, *(one for one in json.loads(data).get("aliases", ()) if one))
        for node_id, name, data in rows
    }
