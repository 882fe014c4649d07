"""Sentences about what the learning server answered of a deck of one's own, true and false."""

from __future__ import annotations

import datetime as dt
import tomllib
from pathlib import Path
from typing import Any

import pytest
from learning_worlds import World
from mcp import Client

from groundwire.config import Settings
from groundwire.learning.importing import import_into
from groundwire.servers.learning import build

pytestmark = pytest.mark.anyio

MATERIAL = tomllib.loads((Path(__file__).parent / "own_deck.toml").read_text("utf-8"))
JUDGED = ("Who described the bowline in 1627?", "What is the reef knot also called?")
NOW = dt.datetime(2026, 11, 27, 10, tzinfo=dt.UTC)


async def _asked(client: Client) -> None:
    """Ask for what is due, review two cards, and ask for every figure there is."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content or {}

    await call("list_cards")
    every = (await call("list_cards", state="all", limit=100))["cards"]
    cards = {one["front"]: one["card_id"] for one in every}
    await call("record_review", card_id=cards["Which knot makes a fixed loop?"], response="Bowline")
    await call("record_review", card_id=cards["How many feet is a fathom?"], response="5 feet")
    for of in ("Knots", *map(cards.__getitem__, JUDGED)):
        await call("query_mastery", of=of)
    await call("query_calibration")
    await call("query_calibration", source="schedule")
    await call("diagnose_reviews")
    await call("set_learning_policy", day_ends="03:00 Europe/Berlin")
    await call("list_cards", state="due")


async def test_true_sentences_are_supported_and_false_ones_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path / "home", int(NOW.timestamp() * 1_000))
    monkeypatch.setattr("groundwire.servers.learning.base", lambda _: world.base)
    for name in ("cards", "log"):
        path = tmp_path / f"{name}.csv"
        path.write_text(MATERIAL[name], "utf-8")
        import_into(world.learner, path)
    server = build(Settings(home=tmp_path / "home"))
    verdicts: dict[str, str] = {}
    async with Client(server) as client:
        await _asked(client)
        for draft in (*MATERIAL["true"], *MATERIAL["open"], *MATERIAL["false"]):
            result = await client.call_tool("verify_answer", {"draft": draft})
            verdicts[draft] = (result.structured_content or {})["verdict"]
    server.close()
    world.base.close()
    assert [one for one in MATERIAL["true"] if verdicts[one] != "supported"] == []
    assert [one for one in MATERIAL["false"] if verdicts[one] == "supported"] == []
    assert [one for one in MATERIAL["open"] if verdicts[one] == "supported"] == []
