"""Servers in the tests' own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from groundwire.serving.tools import GroundedTool

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
            lambda tool, arguments, delivery, _: equipped(tool, arguments, delivery, PATIENCE),
        )
        yield
