"""Drafts about a table and a catalogue of a user's own are judged as those about embedded data."""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import metrics, ontology
from groundwire.servers.composition import compose, state

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import Call, House, World  # noqa: E402
from tests.own_material import prepared  # noqa: E402

DATA: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("own_material.toml").read_text("utf-8")
)


def _prepared(folder: Path) -> dict[str, str]:
    return prepared(folder, DATA["table"], DATA["books"])


@asynccontextmanager
async def _opened(environ: dict[str, str]) -> AsyncIterator[House]:
    settings = load_settings(environ)
    shared = state(settings)
    known = {
        one["name"]: World(one["name"], [Call(**call) for call in one["call"]])
        for one in DATA["world"]
    }
    async with AsyncExitStack() as stack:
        clients: dict[str, Client] = {}
        for name, tools in (
            ("metrics", metrics.toolset(settings)),
            ("ontology", ontology.toolset(settings)),
        ):
            server = compose(name, [tools], settings, title=tools.title, shared=shared)
            stack.callback(server.close)
            clients[name] = await stack.enter_async_context(Client(server))
        yield House(clients, known)


async def _verdicts(folder: Path) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    async with _opened(_prepared(folder)) as house:
        for worlds in (DATA["holds"], DATA["wrong"]):
            for world, drafts in worlds.items():
                for draft in drafts:
                    answer = await house.check(world, draft)
                    found[world, draft] = answer["verdict"]
    return found


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    return asyncio.run(_verdicts(tmp_path_factory.mktemp("own")))


def test_what_the_table_and_the_catalogue_answered_is_supported(verdicts) -> None:
    drafts = ((world, one) for world, some in DATA["holds"].items() for one in some)
    assert [one for one in drafts if verdicts[one] != "supported"] == []


def test_what_they_did_not_answer_is_not(verdicts) -> None:
    drafts = ((world, one) for world, some in DATA["wrong"].items() for one in some)
    assert [one for one in drafts if verdicts[one] == "supported"] == []


def test_the_kind_of_things_is_called_as_the_column_is(tmp_path: Path) -> None:
    _prepared(tmp_path)
    profile = tomllib.loads((tmp_path / "drafted/profile.toml").read_text("utf-8"))
    assert profile["kinds"] == {"ward": {"label": "ward"}}
