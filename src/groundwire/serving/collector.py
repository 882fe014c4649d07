"""Importing and building without the cyclic garbage collector walking everything again and again.

The SDK makes some nine hundred model classes when it is imported. None of them is garbage, yet
each allocation threshold sends the collector over all of them: an eighth of a server's start.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused_collector(*, lasting: bool = False) -> Generator[None]:
    """Hold the cyclic collector while many objects are made; nests, and restores its state.

    Args:
        lasting: what exists at the end lives as long as the process, so no collection ever walks
            it again (`gc.freeze`).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if lasting:
            gc.freeze()
        if was_enabled:
            gc.enable()
