"""Keeping a dead server cheap: after some failures it is not asked for a while.

Three states for every origin: closed (asked as usual), open (refused at once), half-open (one
request goes through as a probe; its outcome closes or opens again, for twice as long).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from groundwire.errors import NotReachedError, UnavailableError

FAILURES_TO_OPEN = 3
FIRST_PAUSE = 5.0
LONGEST_PAUSE = 300.0
# Origins remembered at once; the one not asked for longest is forgotten first.
MAX_ORIGINS = 1024

Origin = tuple[str, str]


@dataclass(slots=True)
class _State:
    failures: int = 0
    pause: float = FIRST_PAUSE
    open_until: float = 0.0
    probing: bool = False


class CircuitBreaker:
    """Failures by origin, and who may be asked now. Times are seconds of `clock`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: OrderedDict[Origin, _State] = OrderedDict()

    @contextmanager
    def attempt(self, origin: Origin) -> Generator[None]:
        """Around one exchange: `UnavailableError` inside counts as a failure of the server.

        Raises:
            NotReachedError: the origin failed repeatedly and its pause is not over.
        """
        state = self._states.setdefault(origin, _State())
        self._states.move_to_end(origin)
        while len(self._states) > MAX_ORIGINS:
            self._states.popitem(last=False)
        probe = self._enter(origin, state)
        try:
            yield
        except UnavailableError:
            self._failed(state, probe)
            raise
        else:
            state.failures, state.pause = 0, FIRST_PAUSE
        finally:
            if probe:
                state.probing = False

    def _enter(self, origin: Origin, state: _State) -> bool:
        if state.failures < FAILURES_TO_OPEN:
            return False
        wait = state.open_until - self._clock()
        if wait > 0 or state.probing:
            raise NotReachedError(
                f"{origin[1]} failed {state.failures} times in a row and is left alone for"
                f" {max(wait, 1):.0f} s more: try again then, or check that it is running."
            )
        state.probing = True
        return True

    def _failed(self, state: _State, probe: bool) -> None:
        state.failures += 1
        if probe:
            state.pause = min(state.pause * 2, LONGEST_PAUSE)
        if state.failures >= FAILURES_TO_OPEN:
            state.open_until = self._clock() + state.pause
