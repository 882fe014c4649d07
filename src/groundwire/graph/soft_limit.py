"""Soft limits in a worker: whoever is first answers, the query or the clock.

Most queries end long before their limit. So one thread watches for all of them, and it is neither
woken nor replaced when a query ends in time: it sleeps on until that query's limit, and looks.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

# How long a query that passed its soft limit may take to notice before it is called stuck.
_GRACE = 0.02

Reply = tuple[Any, ...]


class Answer:
    """The one reply to a request, sent by whoever is first: the query or its soft limit.

    Attributes:
        expired: whether the soft limit has passed, for the query to notice.
        partial: makes a reply of what was found until now; None where nothing can be said.
    """

    def __init__(self, send: Callable[[Reply], None]) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._sent = False
        self.expired = False
        self.partial: Callable[[], Reply] | None = None

    def expire(self) -> None:
        """Tell the query that its time is up; answer for it where it is stuck."""
        self.expired = True
        time.sleep(_GRACE)
        if self.partial is not None:
            self._give((*self.partial(), True))

    def finish(self, reply: Reply) -> None:
        """Send `reply` unless the soft limit has answered already."""
        self._give((*reply, False))

    def _give(self, reply: Reply) -> None:
        with self._lock:
            if not self._sent:
                self._sent = True
                self._send(reply)


class Watch:
    """The soft limit of one query at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._answer: Answer | None = None
        self._due = math.inf
        # When the thread looks again by itself; 0 while it is awake.
        self._wakes = 0.0
        self._thread: threading.Thread | None = None

    def start(self, answer: Answer, seconds: float) -> None:
        """Have `answer` expire in `seconds`, unless `stop` comes first."""
        with self._changed:
            self._answer, self._due = answer, time.monotonic() + seconds
            if self._thread is None or not self._thread.is_alive():
                self._wakes = 0.0
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            elif self._due < self._wakes:
                self._changed.notify()

    def stop(self) -> None:
        """The query has ended: its answer does not expire any more."""
        with self._changed:
            self._answer, self._due = None, math.inf

    def _run(self) -> None:
        while True:
            self._next().expire()

    def _next(self) -> Answer:
        """The answer whose limit has passed, once one has."""
        with self._changed:
            while (left := self._due - time.monotonic()) > 0 or self._answer is None:
                self._wakes = self._due
                self._changed.wait(min(left, threading.TIMEOUT_MAX) if left < math.inf else None)
            found, self._answer = self._answer, None
            self._due, self._wakes = math.inf, 0.0
            return found
