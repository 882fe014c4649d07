"""The log of reviews, which is the truth, and the schedule, which is computed from it.

A review counts unless a row of kind `undo` names it. The schedule of a card is what FSRS-6 makes of
its reviews that count, in the order of their times, with the learner's parameters and retention of
now; so it can be computed again at any time, bit for bit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from groundwire.errors import InputError
from groundwire.learning.schedule.policy import Policy, read_policy, scheduler_of
from groundwire.learning.schedule.state import METHOD, Fsrs, Memory
from groundwire.learning.terms import EARLIEST_MS, LATEST_MS, RatedBy, Reported

_UNDONE = "SELECT undoes FROM reviews WHERE owner = ? AND kind = 'undo' AND undoes IS NOT NULL"
_OF_CARD = (
    "SELECT rating, at_ms FROM reviews WHERE owner = ? AND card_id = ? AND kind = 'review' "
    "AND review_id NOT IN (SELECT undoes FROM reviews AS undo WHERE undo.owner = reviews.owner "
    "AND undo.card_id = reviews.card_id AND undo.kind = 'undo' AND undo.undoes IS NOT NULL) "
    "ORDER BY at_ms, sequence"
)
_OF_ALL = (
    "SELECT card_id, rating, at_ms, review_id FROM reviews WHERE owner = ? AND kind = 'review' "
    "ORDER BY card_id, at_ms, sequence"
)
_INSERT = (
    "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, outcome, how, "
    "response, confidence, predicted, duration_ms, undoes, at_ms, recorded_ms, reported_by) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SCHEDULE = (
    "INSERT INTO schedule (owner, card_id, deck_id, phase, step, stability, difficulty, due_ms, "
    "last_ms, reviews, lapses, parameters_id, how, active) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_UPSERT = (
    f"{_SCHEDULE} ON CONFLICT (owner, card_id) DO UPDATE SET deck_id = excluded.deck_id, "
    "phase = excluded.phase, step = excluded.step, stability = excluded.stability, "
    "difficulty = excluded.difficulty, due_ms = excluded.due_ms, last_ms = excluded.last_ms, "
    "reviews = excluded.reviews, lapses = excluded.lapses, "
    "parameters_id = excluded.parameters_id, how = excluded.how, active = excluded.active"
)
_HELD = (
    "SELECT owner, card_id, deck_id, phase, step, stability, difficulty, due_ms, last_ms, reviews, "
    "lapses, parameters_id, how, active FROM schedule WHERE owner = ?"
)
_PLACE_OF_HOW = 12
_MEMORY = (
    "SELECT phase, step, stability, difficulty, due_ms, last_ms, reviews, lapses FROM schedule "
    "WHERE owner = ? AND card_id = ? AND how = ? AND parameters_id = ?"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the log as it is written.

    Attributes:
        review_id: the id that makes it one review, whoever sends it how often.
        card_id: the card.
        kind: review, manual, reschedule or undo; only reviews count.
        rating: 1 (again) to 4 (easy), or None where there is none.
        rated_by: who decided the rating.
        outcome: right or wrong, or "".
        how: how it was found out: exact, folded, alias, number, gave_up, said.
        response: what was typed, or None.
        confidence: what the learner gave for it beforehand, from 0 to 1, or None.
        predicted: the probability of recall that the schedule gave for it beforehand, or None.
        duration_ms: how long it took, or None.
        undoes: the review that it undoes, or None.
        at_ms: when it was.
        recorded_ms: when it was written here.
        reported_by: host where the model sent the answer, host_confidence where it sent the
            confidence alone, else "".
    """

    review_id: str
    card_id: str
    kind: str
    rating: int | None
    rated_by: RatedBy
    at_ms: int
    recorded_ms: int
    outcome: str = ""
    how: str = ""
    response: str | None = None
    confidence: float | None = None
    predicted: float | None = None
    duration_ms: int | None = None
    undoes: str | None = None
    reported_by: Reported = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """One entry of a log from elsewhere.

    Attributes:
        review_id: an id that the same entry always has, such as that of the log with its time.
        card_id: a card that is here.
        rating: 1 to 4; None for `manual` and `reschedule`.
        at_ms: when it was, milliseconds since 1970 in UTC.
        kind: review, manual or reschedule.
        duration_ms: how long it took, or None.
        confidence: what the learner gave for it beforehand, from 0 to 1, or None.
    """

    review_id: str
    card_id: str
    rating: int | None
    at_ms: int
    kind: str = "review"
    duration_ms: int | None = None
    confidence: float | None = None


def append(connection: sqlite3.Connection, owner: str, row: Row) -> None:
    """Add one row to the log."""
    connection.execute(_INSERT, _values(owner, row))


def _values(owner: str, row: Row) -> tuple[object, ...]:
    return (
        owner, row.review_id, row.card_id, row.kind, row.rating, row.rated_by, row.outcome,
        row.how, row.response, row.confidence, row.predicted, row.duration_ms, row.undoes,
        row.at_ms, row.recorded_ms, row.reported_by,
    )  # fmt: skip


def reviews_of(connection: sqlite3.Connection, owner: str, card_id: str) -> list[tuple[int, int]]:
    """Return rating and time of the reviews of a card that count, in order."""
    return connection.execute(_OF_CARD, (owner, card_id)).fetchall()


def memory_of(
    connection: sqlite3.Connection, owner: str, card_id: str, policy: Policy
) -> Memory | None:
    """Return the memory that the schedule holds of a card, or None where it must be computed."""
    row = connection.execute(_MEMORY, (owner, card_id, METHOD, policy.parameters_id)).fetchone()
    return None if row is None else Memory(*row)


def schedule(
    connection: sqlite3.Connection, owner: str, card_id: str, memory: Memory, parameters_id: str
) -> None:
    """Write the schedule of one card that is there."""
    deck_id, state = connection.execute(
        "SELECT deck_id, state FROM cards WHERE owner = ? AND card_id = ?", (owner, card_id)
    ).fetchone()
    values = _scheduled(owner, card_id, deck_id, memory, parameters_id, state)
    connection.execute(_UPSERT, values)


def _scheduled(
    owner: str, card_id: str, deck_id: str, memory: Memory, parameters_id: str, state: str
) -> tuple[object, ...]:
    return (
        owner, card_id, deck_id, memory.phase, memory.step, memory.stability, memory.difficulty,
        memory.due_ms, memory.last_ms, memory.reviews, memory.lapses, parameters_id, METHOD,
        int(state == "active"),
    )  # fmt: skip


def recompute(connection: sqlite3.Connection, owner: str, card_ids: Iterable[str]) -> None:
    """Compute the schedule of some cards from their reviews; cards that are gone are left out.

    A card without reviews that count is new again, unless its schedule was imported without any.
    """
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    for card_id in card_ids:
        known = connection.execute(
            "SELECT 1 FROM cards WHERE owner = ? AND card_id = ?", (owner, card_id)
        ).fetchone()
        memory = scheduler.replay(reviews_of(connection, owner, card_id)) if known else None
        if memory is not None:
            schedule(connection, owner, card_id, memory, policy.parameters_id)
        else:
            connection.execute(
                "DELETE FROM schedule WHERE owner = ? AND card_id = ? AND how = ?",
                (owner, card_id, METHOD),
            )


def rebuild(connection: sqlite3.Connection, owner: str) -> int:
    """Compute the whole schedule of a learner from the log, and return how many cards it has.

    Rows that are as they should be are left alone.
    """
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    cards = {
        card_id: (deck_id, state)
        for card_id, deck_id, state in connection.execute(
            "SELECT card_id, deck_id, state FROM cards WHERE owner = ?", (owner,)
        )
    }
    held = {
        row[1]: row for row in connection.execute(_HELD, (owner,)) if row[_PLACE_OF_HOW] == METHOD
    }
    count, wrong = 0, list[tuple[object, ...]]()
    for card_id, memory in _replayed(connection, owner, scheduler):
        if card_id not in cards:
            continue
        deck_id, state = cards[card_id]
        row = _scheduled(owner, card_id, deck_id, memory, policy.parameters_id, state)
        count += 1
        if held.pop(card_id, None) != row:
            wrong.append(row)
    connection.executemany(_UPSERT, wrong)
    connection.executemany(
        "DELETE FROM schedule WHERE owner = ? AND card_id = ?", [(owner, card) for card in held]
    )
    return count


def _replayed(
    connection: sqlite3.Connection, owner: str, scheduler: Fsrs
) -> Iterator[tuple[str, Memory]]:
    undone = {row[0] for row in connection.execute(_UNDONE, (owner,))}
    rows = connection.execute(_OF_ALL, (owner,))
    for card_id, group in groupby(rows, key=itemgetter(0)):
        if undone:
            counted = [(rating, at) for _, rating, at, one in group if one not in undone]
        else:
            counted = [(rating, at) for _, rating, at, _ in group]
        memory = scheduler.replay(counted)
        if memory is not None:
            yield card_id, memory


def move_due_dates(connection: sqlite3.Connection, owner: str) -> int:
    """Move the due dates of a learner's cards to the retention of now; the memory stays.

    Returns:
        how many cards have another due date.
    """
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    rows = connection.execute(
        "SELECT card_id, phase, step, stability, difficulty, due_ms, last_ms, reviews, lapses "
        "FROM schedule WHERE owner = ? AND phase = 'review' AND how = ?",
        (owner, METHOD),
    ).fetchall()
    moved = [
        (due, owner, card_id)
        for card_id, *memory in rows
        if (due := scheduler.due_for(Memory(*memory))) != memory[4]
    ]
    connection.executemany("UPDATE schedule SET due_ms = ? WHERE owner = ? AND card_id = ?", moved)
    return len(moved)


def add_imported(
    connection: sqlite3.Connection, owner: str, entries: Sequence[Imported], recorded_ms: int
) -> tuple[int, int]:
    """Add a log from elsewhere, with what the schedule would have forecast for each review.

    Entries whose `review_id` is there already are passed over, so a log can be imported twice.

    Args:
        connection: in a transaction; the cards of the log are there.
        owner: the learner.
        entries: the log, in any order.
        recorded_ms: when it is imported; nothing lies after it.

    Returns:
        how many entries were added, and how many were there already.

    Raises:
        InputError: an entry has no rating from 1 to 4, a time outside of 1970 to now, or an unknown
            kind or card; nothing is to be kept then.
    """
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    known = {
        row[0] for row in connection.execute("SELECT card_id FROM cards WHERE owner = ?", (owner,))
    }
    for entry in entries:
        _check_imported(entry, known, recorded_ms)
    before = {
        row[0]
        for row in connection.execute("SELECT review_id FROM reviews WHERE owner = ?", (owner,))
    }
    added: dict[str, list[Imported]] = {}
    for entry in sorted(entries, key=lambda one: one.at_ms):
        if entry.review_id not in before:
            before.add(entry.review_id)
            added.setdefault(entry.card_id, []).append(entry)
    for card_id, new in added.items():
        held = reviews_of(connection, owner, card_id)
        for row in _forecast(scheduler, held, new, recorded_ms):
            append(connection, owner, row)
    recompute(connection, owner, added)
    count = sum(map(len, added.values()))
    return count, len(entries) - count


def _check_imported(entry: Imported, known: set[str], recorded_ms: int) -> None:
    what = f"The entry {entry.review_id[:60]!r} of the log"
    if entry.kind not in ("review", "manual", "reschedule"):
        raise InputError(f"{what} is of the unknown kind {entry.kind[:20]!r}.")
    rated = entry.rating in (1, 2, 3, 4)
    if rated != (entry.kind == "review") or isinstance(entry.rating, bool):
        raise InputError(
            f"{what} has the rating {entry.rating!r}: a review has 1, 2, 3 or 4, and nothing else "
            "has any."
        )
    if not EARLIEST_MS <= entry.at_ms <= min(recorded_ms, LATEST_MS):
        raise InputError(f"{what} lies before 1970 or in the future: mend its time.")
    if entry.confidence is not None and not 0 <= entry.confidence <= 1:
        raise InputError(f"{what} has a confidence that is no probability from 0 to 1.")
    if entry.card_id not in known:
        raise InputError(f"{what} is of the card {entry.card_id[:60]!r}, which is not here.")


def _forecast(
    scheduler: Fsrs, held: list[tuple[int, int]], new: list[Imported], recorded_ms: int
) -> Iterator[Row]:
    """Yield the rows of a card's new entries, each forecast from what came before it."""
    memory: Memory | None = None
    waiting = iter([*held, (0, LATEST_MS + 1)])
    rating, at_ms = next(waiting)
    for entry in new:
        while at_ms <= entry.at_ms:
            memory = scheduler.step(memory, rating, at_ms)
            rating, at_ms = next(waiting)
        predicted = None
        if entry.rating is not None:
            if memory is not None:
                predicted = scheduler.retrievability(memory, entry.at_ms)
            memory = scheduler.step(memory, entry.rating, entry.at_ms)
        outcome = "" if entry.rating is None else "wrong" if entry.rating == 1 else "right"
        yield Row(
            entry.review_id,
            entry.card_id,
            entry.kind,
            entry.rating,
            "import",
            entry.at_ms,
            recorded_ms,
            outcome,
            "said",
            confidence=entry.confidence,
            predicted=predicted,
            duration_ms=entry.duration_ms,
        )
