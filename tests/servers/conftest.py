"""Servers in the tests' own process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.serving.tools import GroundedTool

# Modules that several test modules share stand beside them.
sys.path.insert(0, str(Path(__file__).parent))

PATIENCE = 600.0


@pytest.fixture(scope="module", autouse=True)
def patient_tools() -> Iterator[None]:
    """No tool is stopped for being slow: what a first call has to load takes long where the
    machine is busy. That a tool's time is limited is tested in `tests/serving`."""
    equipped = GroundedTool.equipped
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            GroundedTool,
            "equipped",
            lambda tool, arguments, delivery, _, **more: equipped(
                tool, arguments, delivery, PATIENCE, **more
            ),
        )
        yield


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest) -> str:
    """Both protocol eras: 2026-07-28 and the handshake of 2025."""
    return request.param


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")
