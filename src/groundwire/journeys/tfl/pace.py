"""How many requests TfL takes in a minute, kept on our side.

Source: TfL's developer portal: 50 requests a minute without a key, 500 with one. The times of the
last so many requests are kept, so no minute at all holds more, whichever minute TfL counts.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

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
