"""Questions about small graphs of a user's own: what is told is right, and most is told."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import sparql
from groundwire.servers.composition import compose, state

FOLDER = Path(__file__).with_name("own_graphs")
# Questions of the read half that are answered right, or rightly not answered.
RIGHT = {"seeds": 4, "club": 13, "parts": 12, "musik": 9, "klinik": 10, "ships": 12}


@asynccontextmanager
async def _host(folder: Path, data: dict[str, Any]) -> AsyncIterator[Client]:
    """Yield a client of a server over one graph."""
    (folder / "own.ttl").write_text(data["graph"], "utf-8")
    registry = 'default_endpoint = "own"\n[[endpoints]]\nname = "own"\nfiles = ["own.ttl"]\n'
    (folder / "endpoints.toml").write_text(registry, "utf-8")
    environ = {
        "GROUNDWIRE_HOME": str(folder / "home"),
        "GROUNDWIRE_ENDPOINTS": str(folder / "endpoints.toml"),
    }
    settings = load_settings(environ)
    tools = sparql.toolset(settings)
    server = compose("sparql", [tools], settings, title=tools.title, shared=state(settings))
    try:
        async with Client(server) as client:
            yield client
    finally:
        server.close()


async def _judged(folder: Path, data: dict[str, Any], half: str) -> dict[str, str]:
    """Return `right`, `wrong` or `refused` for each question."""
    found: dict[str, str] = {}
    async with _host(folder, data) as client:
        for prompt, must, never in data[half]:
            told = await client.call_tool("run_kg_workflow", {"prompt": prompt})
            answer = told.structured_content or {}
            text = str(answer.get("answer", ""))
            if answer.get("status") != "answered":
                found[prompt] = "refused" if must else "right"
            else:
                is_right = must and all(one in text for one in must)
                is_right = is_right and not any(one in text for one in never)
                found[prompt] = "right" if is_right else "wrong"
    return found


async def _verdict(folder: Path, data: dict[str, Any], prompts: tuple[str, ...], draft: str) -> str:
    """Return the verdict on a draft about the answers to some prompts."""
    async with _host(folder, data) as client:
        for prompt in prompts:
            await client.call_tool("run_kg_workflow", {"prompt": prompt})
        told = await client.call_tool("verify_answer", {"draft": draft})
    return str((told.structured_content or {})["verdict"])


@pytest.mark.parametrize("half", ["seen", "held_out"])
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_told_about_an_own_graph_is_right(name: str, half: str, tmp_path: Path) -> None:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    found = asyncio.run(_judged(tmp_path, data, half))
    assert [prompt for prompt, kind in found.items() if kind == "wrong"] == []
    if half == "seen":
        assert list(found.values()).count("right") >= RIGHT[name]


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Anna is 42.5 m long.", "supported"),
        ("The length of Anna is 42.5 m.", "supported"),
        ("Anna is 42.5 km long.", "contradicted"),
        ("Anna is 61 m long.", "contradicted"),
        ("Berta was built in 1998.", "unsupported"),
    ],
)
def test_a_unit_in_the_label_of_a_property_is_that_of_its_values(
    draft: str, verdict: str, tmp_path: Path
) -> None:
    data = tomllib.loads((FOLDER / "ships.toml").read_text("utf-8"))
    prompts = ("Is Anna longer than Berta?",)
    assert asyncio.run(_verdict(tmp_path, data, prompts, draft)) == verdict
