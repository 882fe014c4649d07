"""How much of a learner there is, and how all of it is made again or removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from groundwire.errors import UnavailableError
from groundwire.learning.concepts.graph import SHARED
from groundwire.learning.concepts.history import forget_learner
from groundwire.learning.learner import Learner
from groundwire.learning.reviews.store import rebuild
from groundwire.learning.schedule.state import METHOD

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
