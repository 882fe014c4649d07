"""An agent on a bench: a server of toys, a scripted model, and time that tests move."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from agent_bench import Bench


@pytest.fixture
async def bench(anyio_backend: str) -> AsyncIterator[Bench]:
    made = Bench()
    yield made
    await made.registry.close()
    made.server.close()


@pytest.fixture
async def make_bench(anyio_backend: str) -> AsyncIterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(**changes: object) -> Bench:
        made.append(Bench(**changes))
        return made[-1]

    yield make
    for one in made:
        await one.registry.close()
        one.server.close()
