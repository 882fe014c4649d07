"""Drafts about graphs of a user's own, by queries, described entities and questions."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import sparql
from groundwire.servers.composition import compose, state

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import Call, House, World  # noqa: E402

FOLDER = Path(__file__).with_name("own_graphs")
NAMES = ("theatre", "huetten")


async def _misjudged(name: str, worlds: list[dict[str, Any]], home: Path) -> list[str]:
    """Return the drafts that are not judged as they hold."""
    home.joinpath("endpoints.toml").write_text(
        'default_endpoint = "own"\n[[endpoints]]\nname = "own"\n'
        f'files = ["{(FOLDER / name).as_posix()}.ttl"]\n',
        "utf-8",
    )
    settings = load_settings(
        {
            "GROUNDWIRE_HOME": str(home / "state"),
            "GROUNDWIRE_ENDPOINTS": str(home / "endpoints.toml"),
        }
    )
    tools = sparql.toolset(settings)
    server = compose("sparql", [tools], settings, title=tools.title, shared=state(settings))
    known = {
        one["name"]: World(one["name"], [Call("sparql", **call) for call in one["call"]])
        for one in worlds
    }
    found: list[str] = []
    async with Client(server) as client:
        house = House({"sparql": client}, known)
        for one in worlds:
            for key in ("holds", "open", "wrong"):
                for draft in one.get(key, ()):
                    verdict = (await house.check(one["name"], draft))["verdict"]
                    is_held = verdict == "supported"
                    if is_held != (key == "holds") or (key == "open" and verdict == "contradicted"):
                        found.append(f"{one['name']}, {key}: {draft} ({verdict})")
    server.close()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_reports_of_an_own_graph_are_judged_as_they_hold(name: str, tmp_path: Path) -> None:
    """True ones are supported, false ones never; those that are open are true and not proven."""
    worlds = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["world"]
    assert asyncio.run(_misjudged(name, worlds, tmp_path)) == []
