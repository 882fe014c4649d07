"""The agent above the real metrics server with its embedded defaults."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent_host import Host, hosted

from groundwire.servers import metrics


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosted(tmp_path_factory.mktemp("home"), metrics.build) as made:
        yield made
