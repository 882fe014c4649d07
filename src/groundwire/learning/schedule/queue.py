"""Which cards come next: due ones by their due dates, new ones by their age.

A card in review is due from the beginning of the learner's day, one that is being learnt to the
minute. Every list is read along an index, page by page, however many cards there are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from groundwire.learning.schedule.policy import Day, Policy, day_of, scheduler_of
from groundwire.learning.schedule.state import Fsrs
from groundwire.learning.terms import LEECH_LAPSES, CardState, SessionMode

MOST_COUNTED = 100_000
"""Cards of one kind that are counted; of more it is only said that there are more."""

# One session orders what it takes from the front of the queue.
_SESSION = 500
_COLUMNS = (
    "cards.card_id, front, back, cards.deck_id, state, proof, due_ms, last_ms, "
    "coalesce(lapses, 0), phase, coalesce(reviews, 0), stability"
)
_LAST, _STABILITY = 7, 11
_SCHEDULED = "FROM schedule CROSS JOIN cards USING (owner, card_id)"
# Cards in review are due from the beginning of their day, those that move by minutes to the minute.
_DUE = "due_ms < :end AND (phase = 'review' OR due_ms <= :now)"
_NOT_YET = "due_ms > :now AND (due_ms >= :end OR phase <> 'review')"
_OF_CONCEPT = (
    "{table}.card_id IN (SELECT card_id FROM card_concepts WHERE owner = :owner "
    "AND node_id = :node)"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which cards are looked at.

    Attributes:
        deck_id: those of one deck, or "" for all.
        node_id: those about one concept, or "" for all.
    """

    deck_id: str = ""
    node_id: str = ""

    def where(self, table: str) -> str:
        """Return the condition on rows of a table that has owner, card_id and deck_id."""
        parts = [f"{table}.owner = :owner"]
        if self.deck_id:
            parts.append(f"{table}.deck_id = :deck")
        if self.node_id:
            parts.append(_OF_CONCEPT.format(table=table))
        return " AND ".join(parts)


class Listed(NamedTuple):
    """One card of a list.

    Attributes:
        card_id: its id.
        front: its question.
        back: its answer.
        deck_id: its deck.
        state: draft, active, suspended or archived.
        proof: quoted, imported or unproven.
        due_ms: when it is due, or None where it was never reviewed.
        last_ms: when it was last reviewed, or None.
        lapses: how often it was forgotten in review.
        phase: learning, review or relearning; None where it was never reviewed.
        reviews: reviews that count.
        retrievability: the probability that it is recalled now, or None where it was never
            reviewed.
    """

    card_id: str
    front: str
    back: str
    deck_id: str
    state: str
    proof: str
    due_ms: int | None
    last_ms: int | None
    lapses: int
    phase: str | None
    reviews: int
    retrievability: float | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cards there are to do.

    Attributes:
        due: cards that are due now, at most `MOST_COUNTED`.
        new: cards that were never reviewed, at most `MOST_COUNTED`.
        begun: new cards that were begun on this day of the learner.
        new_today: new cards that the policy lets begin today still.
        next_due_ms: when the next card is due that is not due yet, or None.
        day: the learner's day.
    """

    due: int
    new: int
    begun: int
    new_today: int
    next_due_ms: int | None
    day: Day


def counts(
    connection: sqlite3.Connection, owner: str, policy: Policy, scope: Scope, at_ms: int
) -> Counts:
    """Return how many cards of a scope are due and new."""
    day = day_of(policy, at_ms)
    bound = _bound(owner, scope, day, at_ms)
    scheduled = f"{scope.where('schedule')} AND active = 1"
    due = _count(connection, f"schedule WHERE {scheduled} AND {_DUE}", bound)
    new = _count(connection, f"new_cards WHERE {scope.where('new_cards')}", bound)
    following = connection.execute(
        f"SELECT due_ms FROM schedule WHERE {scheduled} AND {_NOT_YET} "  # noqa: S608 - names of ours, no value of a caller
        "ORDER BY due_ms LIMIT 1",
        bound,
    ).fetchone()
    begun = connection.execute(_BEGUN, bound).fetchone()[0]
    left = min(new, max(0, policy.new_per_day - begun))
    return Counts(due, new, begun, left, following[0] if following else None, day)


_BEGUN = (
    "SELECT count(DISTINCT card_id) FROM reviews AS one WHERE owner = :owner "
    "AND at_ms >= :start AND at_ms < :end AND kind = 'review' "
    "AND EXISTS (SELECT 1 FROM schedule WHERE owner = one.owner AND card_id = one.card_id) "
    "AND NOT EXISTS (SELECT 1 FROM reviews AS other WHERE other.owner = one.owner "
    "AND other.card_id = one.card_id AND other.kind = 'review' AND other.at_ms < :start)"
)


def _bound(owner: str, scope: Scope, day: Day, at_ms: int) -> dict[str, Any]:
    return {
        "owner": owner,
        "deck": scope.deck_id,
        "node": scope.node_id,
        "now": at_ms,
        "start": day.start_ms,
        "end": day.end_ms,
    }


def _count(connection: sqlite3.Connection, rows: str, bound: dict[str, Any]) -> int:
    return connection.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM {rows} LIMIT {MOST_COUNTED})",  # noqa: S608 - names of ours, no value of a caller
        bound,
    ).fetchone()[0]


def listed(
    connection: sqlite3.Connection,
    owner: str,
    policy: Policy,
    scope: Scope,
    at_ms: int,
    *,
    state: CardState = "",
    mode: SessionMode = "goal-driven",
    limit: int = 20,
    offset: int = 0,
) -> list[Listed]:
    """Return one page of the cards of a scope.

    Args:
        connection: to the learner's file.
        owner: whose cards.
        policy: the learner's.
        scope: which decks and concepts.
        at_ms: the time of now.
        state: which cards; "" for those of a session, due ones and as many new ones as the policy
            lets begin today.
        mode: the order of a session: due before new (goal-driven), new before due (exploration),
            the least likely recalled first and nothing new (exam), decks in turn (synthesis).
        limit: cards of the page.
        offset: cards before it.
    """
    scheduler = scheduler_of(connection, owner, policy)
    reader = _Reader(connection, scheduler, _bound(owner, scope, day_of(policy, at_ms), at_ms))
    if state == "due":
        return reader.scheduled(scope, _DUE, "due_ms", limit, offset)
    if state == "new":
        return reader.new(scope, limit, offset)
    if state == "leech":
        condition = f"lapses >= {LEECH_LAPSES}"
        return reader.scheduled(scope, condition, "lapses DESC, card_id", limit, offset)
    if state == "draft":
        return reader.every(scope, "state = 'draft'", limit, offset)
    if state == "all":
        return reader.every(scope, "1", limit, offset)
    new_today = counts(connection, owner, policy, scope, at_ms).new_today
    if mode == "goal-driven":
        return reader.in_turn(scope, limit, offset, new_today)
    due = reader.scheduled(scope, _DUE, "due_ms", _SESSION, 0)
    if mode == "exam":
        session: Iterable[Listed] = sorted(due, key=lambda one: one.retrievability or 0.0)
    else:
        new = reader.new(scope, min(new_today, _SESSION), 0)
        session = [*new, *due] if mode == "exploration" else _mixed([*due, *new])
    return list(session)[offset : offset + limit]


class _Reader:
    """Reads cards along the indexes, with the probability that each is recalled now."""

    def __init__(
        self, connection: sqlite3.Connection, scheduler: Fsrs, bound: dict[str, Any]
    ) -> None:
        self._connection = connection
        self._scheduler = scheduler
        self._bound = bound

    def scheduled(
        self, scope: Scope, condition: str, order: str, limit: int, offset: int
    ) -> list[Listed]:
        """Return cards that were reviewed."""
        return self._read(
            f"SELECT {_COLUMNS} {_SCHEDULED} WHERE {scope.where('schedule')} "
            f"AND active = 1 AND {condition} ORDER BY {order}",
            limit,
            offset,
        )

    def new(self, scope: Scope, limit: int, offset: int) -> list[Listed]:
        """Return active cards that were never reviewed, oldest first."""
        return self._read(
            "SELECT cards.card_id, front, back, cards.deck_id, state, proof, NULL, NULL, 0, NULL, "  # noqa: S608 - names of ours, no value of a caller
            "0, NULL FROM new_cards CROSS JOIN cards USING (owner, card_id) "
            f"WHERE {scope.where('new_cards')} ORDER BY new_cards.created_ms, card_id",
            limit,
            offset,
        )

    def every(self, scope: Scope, condition: str, limit: int, offset: int) -> list[Listed]:
        """Return cards of any kind, deck by deck."""
        return self._read(
            f"SELECT {_COLUMNS} FROM cards LEFT JOIN schedule USING (owner, card_id) "  # noqa: S608 - names of ours, no value of a caller
            f"WHERE {scope.where('cards')} AND {condition} "
            "ORDER BY cards.deck_id, state, cards.card_id",
            limit,
            offset,
        )

    def in_turn(self, scope: Scope, limit: int, offset: int, new_today: int) -> list[Listed]:
        """Return due cards, and behind the last of them those that may be begun today."""
        found = self.scheduled(scope, _DUE, "due_ms", limit, offset)
        if len(found) < limit and new_today:
            due = offset + len(found) if found else self._due(scope)
            first = max(0, offset - due)
            room = min(limit - len(found), new_today - first)
            found += self.new(scope, room, first) if room > 0 else []
        return found

    def _due(self, scope: Scope) -> int:
        rows = f"schedule WHERE {scope.where('schedule')} AND active = 1 AND {_DUE}"
        return _count(self._connection, rows, self._bound)

    def _read(self, sql: str, limit: int, offset: int) -> list[Listed]:
        bound = {**self._bound, "limit": limit, "offset": offset}
        rows = self._connection.execute(f"{sql} LIMIT :limit OFFSET :offset", bound)
        return list(self._listed(rows))

    def _listed(self, rows: Iterable[Sequence[Any]]) -> Iterator[Listed]:
        now, recall = self._bound["now"], self._scheduler.recall
        for row in rows:
            stability, last = row[_STABILITY], row[_LAST]
            likely = None if stability is None or last is None else recall(stability, now - last)
            yield Listed._make((*row[:_STABILITY], likely))


def _mixed(cards: Iterable[Listed]) -> list[Listed]:
    """Return cards of several decks in turn, each deck in its order."""
    decks: dict[str, list[Listed]] = {}
    for card in cards:
        decks.setdefault(card.deck_id, []).append(card)
    rounds = zip_longest(*decks.values())
    return [card for one in rounds for card in one if card is not None]
