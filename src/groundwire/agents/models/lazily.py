"""Imports that take seconds, made while other work goes on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module


async def imported(*names: str) -> None:
    """Import modules in a thread; what is there already costs nothing."""
    missing = [name for name in names if name not in sys.modules]
    if missing:
        import anyio

        await anyio.to_thread.run_sync(_import, missing, abandon_on_cancel=True)


def _import(names: Sequence[str]) -> None:
    for name in names:
        import_module(name)
