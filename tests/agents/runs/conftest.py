"""Stores of runs whose clocks are the tests' own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.agents.runs.store import RunStore
from groundwire.state import StatePlace

sys.path.insert(0, str(Path(__file__).parent))


class Hands:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def on(self, seconds: float = 0.0, days: float = 0.0) -> None:
        self.now += seconds + days * 86_400


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "runs.sqlite"


@pytest.fixture
def opened(place: StatePlace, clock: Hands) -> Iterator[Callable[..., RunStore]]:
    """Opens the same store of runs, as another process if it is named."""
    stores: list[RunStore] = []

    def opener(process: str = "") -> RunStore:
        stores.append(RunStore(place, clock, process))
        return stores[-1]

    yield opener
    for store in stores:
        store.close()
