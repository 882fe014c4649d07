"""How much of a learner there is, how it is made again or removed, and contradictions in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.errors import UnavailableError
from groundwire.learning.concepts.graph import SHARED
from groundwire.learning.concepts.history import forget_learner
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.store import rebuild, reviews_of
from groundwire.learning.schedule.policy import read_policy, scheduler_of
from groundwire.learning.schedule.state import METHOD, Memory
from groundwire.learning.terms import CLOCK_SLACK_MS, LEECH_LAPSES

_OWNED = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN "
    "(SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
    "WHERE c.name = 'owner') ORDER BY name"
)
_COLUMNS = "card_id, deck_id, phase, step, stability, difficulty, due_ms, last_ms, reviews, lapses"


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many rows a learner has.

    Attributes:
        decks: decks.
        cards: cards in any state.
        reviews: rows of the log.
        scheduled: cards with a schedule.
    """

    decks: int
    cards: int
    reviews: int
    scheduled: int

    @property
    def said(self) -> str:
        """The same in words."""
        return (
            f"{_of(self.decks, 'deck')}, {_of(self.cards, 'card')}, {_of(self.reviews, 'row')} in "
            f"the log of reviews, {_of(self.scheduled, 'card')} scheduled"
        )


def holdings(learner: Learner) -> Holdings:
    """Return how much there is of a learner.

    Raises:
        UnavailableError: the file cannot be read.
    """
    with learner.reading() as connection:
        return Holdings(
            *(
                connection.execute(
                    f"SELECT count(*) FROM {table} WHERE owner = ?",  # noqa: S608 - names of ours, no value of a caller
                    (learner.owner,),
                ).fetchone()[0]
                for table in ("decks", "cards", "reviews", "schedule")
            )
        )


def rebuild_schedule(learner: Learner) -> tuple[int, int]:
    """Compute the schedule from the log.

    Returns:
        how many cards have one, and how many of them had another before.

    Raises:
        UnavailableError: the file cannot be written.
    """
    with learner.writing() as connection:
        before = set(_scheduled(connection, learner.owner))
        count = rebuild(connection, learner.owner)
        return count, len(set(_scheduled(connection, learner.owner)) - before)


def _scheduled(connection: sqlite3.Connection, owner: str) -> Iterator[tuple[object, ...]]:
    yield from connection.execute(
        f"SELECT {_COLUMNS} FROM schedule WHERE owner = ? AND how = ?",  # noqa: S608 - names of ours, no value of a caller
        (owner, METHOD),
    )


def forget(learner: Learner) -> int:
    """Erase everything that is held of a learner, also from the disk.

    Returns:
        how many rows there were.

    Raises:
        UnavailableError: the file cannot be written; or the rows are erased, and the disk holds
            what they were still.
    """
    with learner.writing() as connection:
        connection.execute("PRAGMA secure_delete=ON")
        tables = [name for (name,) in connection.execute(_OWNED)]
        rows = sum(
            connection.execute(
                f"SELECT count(*) FROM {table} WHERE owner = ?",  # noqa: S608 - names of ours, no value of a caller
                (learner.owner,),
            ).fetchone()[0]
            for table in tables
        )
        for table in tables:
            connection.execute(
                f"DELETE FROM {table} WHERE owner = ?",  # noqa: S608 - names of ours, no value of a caller
                (learner.owner,),
            )
        forget_learner(connection, learner.owner, SHARED)
    try:
        learner.file.scrub()
    except UnavailableError as error:
        raise UnavailableError(
            f"{_of(rows, 'row')} of {learner.owner} are erased, and on the disk still: {error}"
        ) from error
    return rows


def _of(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


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
