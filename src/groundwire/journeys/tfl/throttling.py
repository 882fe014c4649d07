"""Throttling of requests to TfL: how many a minute, none to what fails, none for what is kept.

Requests are counted by one process or by all servers of one database. Source: TfL's developer
portal: 50 requests a minute without a key, 500 with one. The times of the last so many requests are
kept, so no minute at all holds more, whichever minute TfL counts.

TfL counts by key, so servers with one key take their turns from one table. Each keeps its own count
besides: while the database does not answer, no server alone sends more than TfL takes.

Where no connection comes about, nothing is asked of the address for a while; where one service
(`Journey`, `Line`, ...) does not answer in time, only that one is left alone: a long journey may
take TfL longer than a caller can wait, while its other services are quick.

Answers are kept for as long as TfL says they hold. Sources: RFC 9111 sections 4.2.1 and 5.2.2, read
as a private cache does: `max-age` counts, and `s-maxage` where it is all there is; the `Age` that
TfL's own cache sends is taken off.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import anyio.to_thread

from groundwire.errors import UnavailableError
from groundwire.journeys.tfl.outcomes import TflDownError, TflTimeoutError, TflUnreachableError
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


FIRST_PAUSE = 20.0
LONGEST_PAUSE = 120.0

Down = TypeVar("Down", bound=TflDownError)

# The scope of what holds for every service of the address.
_ADDRESS = ""


@dataclass(frozen=True, slots=True)
class _Silence:
    error: TflDownError
    pause: float
    until: float


class Outages:
    """Failures by service, in seconds of `clock`; the pause doubles while they go on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._silences: dict[str, _Silence] = {}

    def check(self, path: str) -> None:
        """See that it is worth asking.

        Raises:
            TflDownError: what came of asking of late, and when TfL is asked again.
        """
        now = self._clock()
        for scope in (_ADDRESS, _service(path)):
            silence = self._silences.get(scope)
            if silence is not None and now < silence.until:
                raise _told(silence.error, silence.until - now)

    def unreachable(self, why: str) -> TflUnreachableError:
        """Remember that no connection came about; the error to raise."""
        error = TflUnreachableError(f"TfL cannot be reached: {why}")
        return _told(error, self._remember(_ADDRESS, error))

    def too_late(self, path: str, subject: str) -> TflTimeoutError:
        """Remember that a service did not answer in time; the error to raise.

        Args:
            path: what was asked for.
            subject: what was asked about, for the message.
        """
        # Whoever asks next asks about something else.
        error = TflTimeoutError("TfL did not answer in time the last time it was asked.")
        told = TflTimeoutError(f"TfL did not answer about {subject} in time.")
        return _told(told, self._remember(_service(path), error))

    def answered(self, path: str) -> None:
        """Forget the failures of a service that answers."""
        for scope in (_ADDRESS, _service(path)):
            self._silences.pop(scope, None)

    def _remember(self, scope: str, error: TflDownError) -> float:
        """Begin a pause, or a longer one; seconds until it ends."""
        now = self._clock()
        before = self._silences.get(scope)
        if before is not None and now < before.until:
            # Several calls were under way: their failures are one.
            return before.until - now
        pause = min(before.pause * 2, LONGEST_PAUSE) if before else FIRST_PAUSE
        self._silences[scope] = _Silence(error, pause, now + pause)
        return pause


def _service(path: str) -> str:
    return path.strip("/").partition("/")[0]


def _told(error: Down, seconds: float) -> Down:
    return type(error)(f"{error} It is asked again in {max(1, math.ceil(seconds))} s.")


MOST_ENTRIES = 256
MOST_BYTES = 16_777_216
LONGEST = 86_400.0

_SECONDS = re.compile(r"(?:^|[,\s])(?P<name>max-age|s-maxage)\s*=\s*\"?(?P<value>\d{1,9})")
_NOT_KEPT = re.compile(r"(?:^|[,\s])no-(?:store|cache)\b")

Key = tuple[str, tuple[tuple[str, str], ...]]


def freshness(headers: Mapping[str, str], default: float) -> float:
    """Seconds that an answer holds.

    Args:
        headers: of the answer, names in lower case.
        default: seconds where the headers do not say.
    """
    control = headers.get("cache-control", "").lower()
    if _NOT_KEPT.search(control):
        return 0.0
    said = {match["name"]: float(match["value"]) for match in _SECONDS.finditer(control)}
    if not said:
        return default
    age = headers.get("age", "").strip()
    spent = float(age[:9]) if age.isascii() and age.isdigit() else 0.0
    return min(LONGEST, max(0.0, said.get("max-age", said.get("s-maxage", 0.0)) - spent))


class AnswerCache:
    """Bodies by request, bounded in number and bytes; the one not used for longest goes first."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        most_entries: int = MOST_ENTRIES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._clock = clock
        self._most_entries = most_entries
        self._most_bytes = most_bytes
        self._entries: OrderedDict[Key, tuple[float, str]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def size(self) -> int:
        """Characters of all bodies; TfL's are next to all ASCII, one byte each."""
        return self._bytes

    def get(self, key: Key) -> str | None:
        """The body that is kept for a request and still holds, or None."""
        found = self._entries.get(key)
        if found is None:
            return None
        if found[0] <= self._clock():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return found[1]

    def put(self, key: Key, body: str, seconds: float) -> None:
        """Keep a body for some seconds; a body that is too large, or for no time, is not kept."""
        self._drop(key)
        if seconds <= 0 or len(body) > self._most_bytes // 4:
            return
        self._entries[key] = (self._clock() + seconds, body)
        self._bytes += len(body)
        while len(self._entries) > self._most_entries or self._bytes > self._most_bytes:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: Key) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self._bytes -= len(found[1])
