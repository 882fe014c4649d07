"""Fixtures of the models: scripted servers that speak the two APIs, and agents of the runtime."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "runtime"))

from agent_bench import Bench


@pytest.fixture
async def make_bench(anyio_backend: str) -> AsyncIterator[Callable[..., Bench]]:
    """Agents over a toy server, as the runtime is tested with them."""
    made: list[Bench] = []

    def make(**changes: object) -> Bench:
        made.append(Bench(**changes))
        return made[-1]

    yield make
    for one in made:
        await one.registry.close()
