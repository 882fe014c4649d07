"""Find contradictions in a learner's cards, log and schedule."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.learning.learner import Learner
from groundwire.learning.reviews.store import reviews_of
from groundwire.learning.schedule.policy import read_policy, scheduler_of
from groundwire.learning.schedule.state import METHOD, Memory
from groundwire.learning.terms import CLOCK_SLACK_MS, LEECH_LAPSES

_MOST_NAMED = 5
_QUESTIONS: tuple[tuple[str, str, str], ...] = (
    (
        "unproven",
        "{n} active cards have no quote and were not imported, so nothing proves them",
        "SELECT card_id FROM cards WHERE owner = :owner AND state = 'active' "
        "AND proof = 'unproven' ORDER BY card_id",
    ),
    (
        "gone",
        "{n} cards have reviews and are not there any more",
        "SELECT DISTINCT card_id FROM reviews WHERE owner = :owner AND card_id NOT IN "
        "(SELECT card_id FROM cards WHERE owner = :owner) ORDER BY card_id",
    ),
    (
        "future",
        "{n} reviews lie in the future: undo them, or set the clock",
        "SELECT review_id FROM reviews WHERE owner = :owner AND kind = 'review' "
        "AND at_ms > :soon ORDER BY review_id",
    ),
    (
        "no_deck",
        "{n} cards are in a deck that is not there",
        "SELECT card_id FROM cards WHERE owner = :owner AND deck_id NOT IN "
        "(SELECT deck_id FROM decks WHERE owner = :owner) ORDER BY card_id",
    ),
    (
        "leech",
        f"{{n}} cards were forgotten {LEECH_LAPSES} times or more: rewrite or suspend them",
        "SELECT card_id FROM schedule WHERE owner = :owner AND active = 1 AND lapses >= 8 "
        "ORDER BY card_id",
    ),
    (
        "host",
        "{n} cards were rated by a model alone, which counts for no estimate",
        "SELECT card_id FROM reviews WHERE owner = :owner AND kind = 'review' GROUP BY card_id "
        "HAVING min(rated_by = 'host') = 1 ORDER BY card_id",
    ),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit.

    Attributes:
        kind: what sort of thing.
        message: one line that names it.
    """

    kind: str
    message: str


def lint(learner: Learner) -> list[Finding]:
    """Return what does not fit together, worst first.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with learner.reading() as connection:
        return [*_stale(connection, learner.owner), *_asked(connection, learner)]


def _asked(connection: sqlite3.Connection, learner: Learner) -> Iterator[Finding]:
    bound = {"owner": learner.owner, "soon": learner.clock() + CLOCK_SLACK_MS}
    for kind, message, sql in _QUESTIONS:
        found = [str(name) for (name,) in connection.execute(sql, bound)]
        if found:
            yield Finding(kind, f"{message.format(n=f'{len(found):,}')}: {_named(found)}")


def _stale(connection: sqlite3.Connection, owner: str) -> Iterator[Finding]:
    """Yield whether the schedule is another than the log gives."""
    policy = read_policy(connection, owner)
    scheduler = scheduler_of(connection, owner, policy)
    rows = connection.execute(
        "SELECT card_id, phase, step, stability, difficulty, due_ms, last_ms, reviews, lapses "
        "FROM schedule WHERE owner = ? AND how = ? ORDER BY card_id",
        (owner, METHOD),
    ).fetchall()
    wrong = [
        card_id
        for card_id, *held in rows
        if scheduler.replay(reviews_of(connection, owner, card_id)) != Memory(*held)
    ]
    if wrong:
        yield Finding(
            "stale",
            f"{len(wrong):,} cards are not scheduled as their reviews say (`groundwire learning "
            f"rebuild` mends it): {_named(wrong)}",
        )


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
