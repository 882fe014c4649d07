"""The clients of the servers that agents call: opened once, by whoever comes first."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp
import pytest
from agent_bench import Bench, Ledger, NoHandles, Shelf

from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.serving import build_server

pytestmark = pytest.mark.anyio


async def test_clients_are_opened_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    entering = mcp.Client.__aenter__

    async def counted(self: mcp.Client) -> mcp.Client:
        opened.append(self)
        return await entering(self)

    monkeypatch.setattr(mcp.Client, "__aenter__", counted)
    await asyncio.gather(*(bench.registry.call("who", {}) for _ in range(5)))
    assert len(opened) == 1


async def test_a_closed_registry_opens_again(bench: Bench) -> None:
    await bench.registry.call("who", {})
    await bench.registry.close()
    answer = await bench.registry.call("who", {})
    assert answer.data["answer"] == "This reached me."


async def test_a_caller_who_leaves_while_it_opens_spoils_nothing(bench: Bench) -> None:
    leaving = asyncio.create_task(bench.registry.open())
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    answer = await bench.registry.call("who", {})
    assert answer.data["answer"] == "This reached me."


def test_a_registry_outlives_an_event_loop(anyio_backend: str, tmp_path: Any) -> None:
    shelf = build_server(
        "toys", [Shelf()], settings=Settings(home=tmp_path), handles=NoHandles(), ledger=Ledger()
    )
    registry = ToolRegistry(shelf)

    async def one() -> str:
        answer = await registry.call("look_up", {"thing": "cars"})
        await registry.close()
        return str(answer.data["answer"])

    assert asyncio.run(one()) == asyncio.run(one()) == "There are 42 cars."
