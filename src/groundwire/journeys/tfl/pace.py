"""How many requests TfL takes in a minute, by one process or by all servers of one database.

Source: TfL's developer portal: 50 requests a minute without a key, 500 with one. The times of the
last so many requests are kept, so no minute at all holds more, whichever minute TfL counts.

TfL counts by key, so servers with one key take their turns from one table. Each keeps its own count
besides: while the database does not answer, no server alone sends more than TfL takes.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import anyio.to_thread

from groundwire.errors import UnavailableError
from groundwire.state import Connection, Database, Layout, opened

WITHOUT_KEY = 50
WITH_KEY = 500
WINDOW = 60.0
# A longer wait is told to whoever asks, but does not keep others from trying again.
LONGEST_HOLD = 300.0


class Turn(NamedTuple):
    """A turn for one request.

    Attributes:
        moment: when it comes, by the clock.
        seconds: until it comes.
        shared: when it comes by the clock that several servers share, or 0.
    """

    moment: float
    seconds: float
    shared: float = 0.0


class Pace:
    """Turns for requests, in seconds of `clock`."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # When each of the last requests is sent; a request that waits has its turn already.
        self._turns: deque[float] = deque(maxlen=limit)
        self._held_until = 0.0

    def wait(self) -> float:
        """Seconds until the next request may be sent; 0 for at once."""
        now = self._clock()
        free = self._turns[0] + WINDOW if len(self._turns) == self._turns.maxlen else now
        return max(0.0, free - now, self._held_until - now)

    def take(self) -> Turn:
        """Take the next turn."""
        seconds = self.wait()
        turn = Turn(self._clock() + seconds, seconds)
        self._turns.append(turn.moment)
        return turn

    def give_back(self, turn: Turn) -> None:
        """Free a turn whose request never came to TfL."""
        if turn.moment in self._turns:
            self._turns.remove(turn.moment)

    def hold(self, seconds: float) -> None:
        """Send nothing for so many seconds, at most `LONGEST_HOLD`: TfL asked for it."""
        self._held_until = max(self._held_until, self._clock() + min(seconds, LONGEST_HOLD))


_TABLES = (
    """CREATE TABLE turns (
        account TEXT NOT NULL,
        moment REAL NOT NULL,
        PRIMARY KEY (account, moment)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE holds (
        account TEXT PRIMARY KEY,
        moment REAL NOT NULL
    ) STRICT""",
)
_LAYOUT = Layout(
    "tfl_pace",
    "allowance of TfL",
    application=0x47575450,  # "GWTP"
    version=1,
    tables=_TABLES,
    synchronous="NORMAL",
    busy_seconds=1.0,
)
_RETRY_SECONDS = 5.0
# Turns that come at the same moment are kept apart by so much.
_APART = 1e-4
_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class SharedTurns:
    """The turns of the servers that share a database; its methods may be called from any thread."""

    def __init__(
        self, database: Database, key: str, limit: int, clock: Callable[[], float] = time.time
    ) -> None:
        """Take the database, the API key and how many requests a minute holds."""
        self._state = opened(database, _LAYOUT)
        self._clock = database.clock(clock)
        self._limit = limit
        # The key itself goes nowhere.
        self._account = hashlib.sha256(f"groundwire:{key}".encode()).hexdigest()[:16]

    def take(self, longest: float) -> Turn:
        """Take the next turn, unless it comes later than in `longest` seconds.

        Raises:
            UnavailableError: the database does not answer.
        """
        with self._state.writing() as connection:
            now = self._clock()
            seconds = self._wait(connection, now)
            last = connection.execute(
                "SELECT max(moment) FROM turns WHERE account = ?", (self._account,)
            ).fetchone()[0]
            turn = Turn(max(now + seconds, (last or 0.0) + _APART), seconds)
            if seconds <= longest:
                connection.execute(
                    "INSERT INTO turns (account, moment) VALUES (?, ?)",
                    (self._account, turn.moment),
                )
                connection.execute("DELETE FROM turns WHERE moment < ?", (now - WINDOW,))
        return turn

    def give_back(self, moment: float) -> None:
        """Free the turn at a moment, whose request never came to TfL.

        Raises:
            UnavailableError: the database does not answer.
        """
        with self._state.writing() as connection:
            connection.execute(
                "DELETE FROM turns WHERE account = ? AND moment = ?", (self._account, moment)
            )

    def hold(self, seconds: float) -> None:
        """Let no server send anything for so many seconds: TfL asked for it.

        Raises:
            UnavailableError: the database does not answer.
        """
        with self._state.writing() as connection:
            until = self._clock() + min(seconds, LONGEST_HOLD)
            connection.execute(
                "INSERT INTO holds (account, moment) VALUES (?, ?) ON CONFLICT (account) DO "
                "UPDATE SET moment = excluded.moment WHERE holds.moment < excluded.moment",
                (self._account, until),
            )

    def close(self) -> None:
        """Close the connection; a later call makes a new one."""
        self._state.close()

    def _wait(self, connection: Connection, now: float) -> float:
        """Seconds until the next request may be sent."""
        row = connection.execute(
            "SELECT moment FROM turns WHERE account = ? ORDER BY moment DESC LIMIT 1 OFFSET ?",
            (self._account, self._limit - 1),
        ).fetchone()
        held = connection.execute(
            "SELECT moment FROM holds WHERE account = ?", (self._account,)
        ).fetchone()
        free = row[0] + WINDOW if row else now
        return max(0.0, free - now, (held[0] if held else now) - now)


class Turns:
    """Turns of one server, and of all servers of a database where they share one."""

    def __init__(self, own: Pace, shared: SharedTurns | None = None) -> None:
        """Take the server's own count, and that of all servers."""
        self._own, self._shared = own, shared
        self._retry_at = 0.0

    async def take(self, longest: float) -> Turn:
        """Return the next turn; it is taken only where it comes within `longest` seconds."""
        seconds = self._own.wait()
        if seconds > longest:
            return Turn(0.0, seconds)
        own = self._own.take()
        found = await self._asked(lambda shared: shared.take(longest))
        if found is None:
            return own
        if found.seconds > longest:
            self._own.give_back(own)
            return found
        return Turn(own.moment, max(own.seconds, found.seconds), found.moment)

    async def give_back(self, turn: Turn) -> None:
        """Free a turn whose request never came to TfL."""
        self._own.give_back(turn)
        if turn.shared:
            await self._asked(lambda shared: shared.give_back(turn.shared))

    async def hold(self, seconds: float) -> None:
        """Send nothing for so many seconds: TfL asked for it."""
        self._own.hold(seconds)
        await self._asked(lambda shared: shared.hold(seconds))

    def close(self) -> None:
        """Close the connection to the database."""
        if self._shared is not None:
            self._shared.close()

    async def _asked(self, ask: Callable[[SharedTurns], _Answer]) -> _Answer | None:
        """Return what the database answers; None where none is shared, or it does not answer."""
        if self._shared is None or time.monotonic() < self._retry_at:
            return None
        try:
            return await anyio.to_thread.run_sync(ask, self._shared)
        except UnavailableError as error:
            self._retry_at = time.monotonic() + _RETRY_SECONDS
            _log.warning("requests to TfL are counted by this server alone for now: %s", error)
            return None
