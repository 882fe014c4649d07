"""Importing and building without the cyclic garbage collector walking everything again and again.

The SDK makes some nine hundred model classes when it is imported. None of them is garbage, yet
each allocation threshold sends the collector over all of them: an eighth of a server's start.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

# Extensions that report every type and instance of theirs that is still alive when Python ends.
_COUNTED_AT_EXIT = frozenset({"_duckdb"})


@contextmanager
def paused_collector(*, lasting: bool = False) -> Generator[None]:
    """Hold the cyclic collector while many objects are made; nests, and restores its state.

    Args:
        lasting: what exists at the end lives as long as the process, so no collection ever walks
            it again (`gc.freeze`). Where an extension counts at exit what of it is alive, the
            collector gets all of it back first.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if lasting:
            gc.freeze()
            if not _COUNTED_AT_EXIT.isdisjoint(sys.modules):
                atexit.unregister(gc.unfreeze)
                atexit.register(gc.unfreeze)
        if was_enabled:
            gc.enable()
