"""Drafts about catalogues of a user's own, whose shapes and data nothing else was built on."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import ontology
from groundwire.servers.composition import compose, state

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import Call, House, World  # noqa: E402

FOLDER = Path(__file__).with_name("own_catalogues")
NAMES = ("museum", "labor", "rezept", "jobs", "marina", "kecheng")


async def _verdicts(name: str, worlds: list[dict[str, Any]], home: Path) -> dict[str, list[str]]:
    """Return the drafts of each key that are not judged as the key says."""
    settings = load_settings(
        {
            "GROUNDWIRE_HOME": str(home),
            "GROUNDWIRE_SHAPES": str(FOLDER / f"{name}.shapes.ttl"),
            "GROUNDWIRE_ASSETS": str(FOLDER / f"{name}.ttl"),
        }
    )
    tools = ontology.toolset(settings)
    server = compose("ontology", [tools], settings, title=tools.title, shared=state(settings))
    known = {
        one["name"]: World(one["name"], [Call("ontology", **call) for call in one["call"]])
        for one in worlds
    }
    wrong: dict[str, list[str]] = {"holds": [], "wrong": [], "open": []}
    async with Client(server) as client:
        house = House({"ontology": client}, known)
        for one in worlds:
            for key, drafts in wrong.items():
                for draft in one.get(key, ()):
                    verdict = (await house.check(one["name"], draft))["verdict"]
                    as_told = {
                        "holds": verdict == "supported",
                        "wrong": verdict != "supported",
                        "open": verdict not in ("supported", "contradicted"),
                    }
                    if not as_told[key]:
                        drafts_of = f"{one['name']}: {draft} ({verdict})"
                        drafts.append(drafts_of)
    server.close()
    return wrong


@pytest.mark.parametrize("name", NAMES)
def test_reports_of_an_own_catalogue_are_judged_as_they_hold(name: str, tmp_path: Path) -> None:
    """True ones are supported, false ones never; those that are open are true and not proven."""
    worlds = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["world"]
    assert asyncio.run(_verdicts(name, worlds, tmp_path)) == {"holds": [], "wrong": [], "open": []}
