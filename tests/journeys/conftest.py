"""Fixtures of the journeys room: a server on loopback that speaks the TfL API."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from replay import Replay


@pytest.fixture
def replay() -> Iterator[Replay]:
    """`.url`, `.requests`, `.answer(path, value, status=..., headers=..., body=...)`."""
    server = Replay().start()
    yield server
    server.close()
