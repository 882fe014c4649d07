"""Fixtures of the journeys room: a server on loopback that speaks the TfL API, and a London."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from opened import opened
from replay import Replay

from groundwire.journeys.london import London


@pytest.fixture
def replay() -> Iterator[Replay]:
    """`.url`, `.requests`, `.answer(path, value, status=..., headers=..., body=...)`."""
    server = Replay().start()
    yield server
    server.close()


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[London]:
    """A London without a connection."""
    london = opened(tmp_path / "offline")
    yield london
    london.close()


@pytest.fixture
def online(tmp_path: Path, replay: Replay) -> Iterator[London]:
    """A London that asks `replay`."""
    london = opened(tmp_path / "online", replay.url)
    yield london
    london.close()
