"""Answers that wait for the disk while they are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import Settings
from groundwire.errors import UnavailableError
from groundwire.evidence.answers import Answer, Proven
from groundwire.evidence.records import Draft
from groundwire.serving import Grounded, Toolset, build_server, tool

pytestmark = pytest.mark.anyio


class Kept(Answer, Proven):
    pass


class Keeping(Toolset):
    name = "keeping"

    def __init__(self) -> None:
        self.settled = 0
        self.started = 0

    @tool("Keep", read_only=False, idempotent=False, open_world=False, changes_state=True)
    async def keep(self, well: bool = True) -> Grounded[Kept]:
        """Keep something."""

        return Grounded(Kept(answer="Kept."), Draft(answer="Kept."), settle=Disk(self, well))


class Disk:
    def __init__(self, keeping: Keeping, well: bool) -> None:
        self.keeping, self.well = keeping, well

    def start(self) -> None:
        self.keeping.started += 1

    def wait(self) -> None:
        if not self.well:
            raise UnavailableError("The file cannot be used (full): free some space.")
        self.keeping.settled += 1


async def test_nobody_is_answered_before_the_disk_has_it(make_bench: Any) -> None:
    keeping = Keeping()
    bench = make_bench()
    server = build_server(
        "keeping",
        [keeping],
        settings=Settings(home=Path("/nowhere")),
        handles=bench.handles,
        ledger=bench.ledger,
    )
    async with Client(server) as client:
        told = await client.call_tool("keep", {})
        assert not told.is_error and keeping.settled == 1
        # It went to the disk at the same moment as the record of the answer.
        assert keeping.started == 1 and told.structured_content["evidence_id"]
        refused = await client.call_tool("keep", {"well": False})
    assert refused.is_error
    assert "free some space" in refused.content[0].text
    assert "Kept." not in refused.content[0].text
