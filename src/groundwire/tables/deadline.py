"""Work on an engine elsewhere that is cancelled there when its time is up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from groundwire.errors import DeadlineError

Found = TypeVar("Found")

# Seconds that an engine has to take note that a query is cancelled.
_GRACE = 1.0


def within(seconds: float, work: Callable[[], Found], cancel: Callable[[], None]) -> Found:
    """Return the result of `work`, if it ends in time.

    Args:
        seconds: the time.
        work: asks the engine; runs in a thread of its own.
        cancel: has the engine stop; its errors are passed over.

    Raises:
        DeadlineError: the time was up, and `cancel` was called.
        Exception: what `work` raised.
    """
    found: list[Found] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            failed.append(error)

    def stop() -> None:
        try:
            cancel()
        except Exception:
            # The engine is gone, or does not let us: its own limit of time stands behind this.
            return

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if found:
        return found[0]
    if failed:
        raise failed[0]
    stopper = threading.Thread(target=stop, daemon=True)
    stopper.start()
    stopper.join(_GRACE)
    raise late(seconds)


def late(seconds: float) -> DeadlineError:
    """The error of a query that passed its time."""
    return DeadlineError(
        f"The query passed its time limit of {seconds:g} s and was stopped: narrow it, or "
        "aggregate less."
    )
