"""A learner with a clock of the test's own, whose state is in a file or in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from learning_worlds import World

from groundwire.state import StatePlace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def world(place: StatePlace) -> Iterator[World]:
    made = World(place)
    yield made
    made.base.close()
