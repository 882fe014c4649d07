"""Importing and building without the cyclic garbage collector walking everything again and again.

The SDK makes some nine hundred model classes when it is imported. None of them is garbage, yet
each allocation threshold sends the collector over all of them: an eighth of a server's start.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Generator[None]:
    """Hold the cyclic collector while long-lived objects are made; nests, and restores its state.

    What exists at the end of the outermost pause is moved out of the collector's sight
    (`gc.freeze`), so that later collections walk only what requests leave behind.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
