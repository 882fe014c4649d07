"""Failures of TfL of late, so that only the first call waits for it.

Where no connection comes about, nothing is asked of the address for a while; where one service
(`Journey`, `Line`, ...) does not answer in time, only that one is left alone: a long journey may
take TfL longer than a caller can wait, while its other services are quick.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from groundwire.journeys.tfl.outcomes import TflDownError, TflTimeoutError, TflUnreachableError

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
