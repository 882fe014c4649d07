"""The agents of learning above the real learning server, with the sample and one more text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent_host import Host, hosted

from groundwire import profiles
from groundwire.learning.importing import Places, import_source, load_sample
from groundwire.learning.learner import LearningBase
from groundwire.servers import learning

SOURCE = Path(__file__).with_name("harbour_pilots.md")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with LearningBase(tmp_path) as base:
        learner = base.learner("local")
        load_sample(learner, Places(*profiles.learning_sample()))
        import_source(learner.file, "local", SOURCE, now_ms=learner.clock())
    with hosted(tmp_path, learning.build) as made:
        yield made


@pytest.fixture
def rows(tmp_path: Path) -> Any:
    """Reads the learner's file by SQL."""

    def read(sql: str) -> list[tuple[Any, ...]]:
        with LearningBase(tmp_path) as base, base.learner("local").reading() as connection:
            return connection.execute(sql).fetchall()

    return read
