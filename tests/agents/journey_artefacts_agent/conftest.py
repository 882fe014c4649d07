"""The journey agents of these tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from journey_host import JourneyHost, hosted


@pytest.fixture
def host(tmp_path: Path) -> Iterator[JourneyHost]:
    with hosted(tmp_path) as made:
        yield made
