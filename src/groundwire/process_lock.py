"""A lock that processes of one machine hold in turns, and that ends with whoever holds it."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCK_PAUSE = 0.02


@contextmanager
def alone(path: Path, seconds: float) -> Generator[bool]:
    """Hold the lock that the file at `path` stands for, unless another process keeps it too long.

    It is made if it is not there, and left there; it ends with the process that holds it. Where no
    lock can be had, because the disk is read-only or the platform has none, nobody is kept out.

    Args:
        path: the file of the lock.
        seconds: how long to wait for whoever holds it.

    Yields:
        False where another process still holds it after that time.
    """
    descriptor = None
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor is None or _locked(descriptor, seconds)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _locked(descriptor: int, seconds: float) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
        except OSError:
            return True
        time.sleep(_LOCK_PAUSE)
