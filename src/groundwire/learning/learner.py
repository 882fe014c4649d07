"""The file of what is learnt, opened when it is first needed, and one learner in it.

    base = LearningBase(home)
    learner = base.learner("local")
    with learner.reading() as connection: ...

Every verb of the domain takes a `Learner`, and sees that owner's rows alone. The tables of the file
are those of `schema.sql`: one file for every learner, the owner in every key.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from groundwire.state import Database, Layout, StatePlace
from groundwire.statefile import Flush, Kept, StateFile

FILE = "learning.sqlite"
Clock = Callable[[], int]

_APPLICATION = 0x47574C45  # "GWLE"
_VERSION = 2


def now_ms() -> int:
    """Return the time of this machine, milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000


@cache
def schema() -> tuple[str, ...]:
    """Return the statements of `schema.sql`, which lay out the file."""
    found: list[str] = []
    statement = ""
    for line in (files("groundwire.learning") / "schema.sql").read_text("utf-8").splitlines():
        # Comments stand between statements; a trigger has a semicolon in every line.
        if line and not line.startswith("--"):
            statement += line + "\n"
            if sqlite3.complete_statement(statement):
                found.append(statement.rstrip(";\n"))
                statement = ""
    return tuple(found)


def learning_file(place: StatePlace) -> StateFile:
    """Return the file of what is learnt, in a state folder or in a database that servers share.

    Nothing is opened before it is needed. A review that was acknowledged survives a power cut.
    """
    tables = schema()
    media = next(one for one in tables if one.startswith("CREATE TABLE media "))
    undone = next(one for one in tables if one.startswith("CREATE INDEX reviews_undone "))
    reported = "ALTER TABLE reviews ADD COLUMN reported_by TEXT NOT NULL DEFAULT ''"
    upgrades = {1: (reported, media, undone)}
    what = "file of learning"
    if isinstance(place, Database):
        from groundwire.state.shared_file import SharedFile

        return SharedFile(
            place, Layout("learning", what, _APPLICATION, _VERSION, tables, upgrades=upgrades)
        )
    return StateFile(
        place / FILE,
        what,
        application=_APPLICATION,
        version=_VERSION,
        schema=tables,
        upgrades=upgrades,
    )


@dataclass(frozen=True, slots=True)
class Learner:
    """One owner's cards and reviews.

    Attributes:
        owner: whose they are: `local` on stdio, the token's subject over HTTP.
        file: the file that holds them beside those of others.
        clock: milliseconds since 1970 in UTC.
    """

    owner: str
    file: StateFile
    clock: Clock = now_ms

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Yield a connection to read from; where the file is missing, one without any rows.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self.file.reading() as connection:
            if connection is not None:
                yield connection
                return
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
            for statement in schema():
                empty.execute(statement)
            yield empty

    @contextmanager
    def writing(self, flush: Flush | None = None) -> Generator[sqlite3.Connection]:
        """Yield a connection in a transaction that is safe on disk once the block ends.

        Args:
            flush: where the caller waits for the disk itself, before anybody is answered.

        Raises:
            UnavailableError: the file cannot be written now.
        """
        with self.file.writing(flush) as connection:
            yield connection


class LearningBase(Kept[StateFile]):
    """The learners of one place. Nothing is opened before it is needed; threads share it."""

    def __init__(self, place: StatePlace, clock: Clock = now_ms) -> None:
        """Name the place.

        Args:
            place: the state folder, or the database that servers share.
            clock: milliseconds since 1970 in UTC.
        """
        self._state = learning_file(place)
        self._clock = clock
        if isinstance(place, Database):
            agreed = place.clock(lambda: clock() / 1000)
            self._clock = lambda: round(agreed() * 1000)

    def learner(self, owner: str) -> Learner:
        """Return one learner, who need not have any rows yet."""
        return Learner(owner, self._state, self._clock)
