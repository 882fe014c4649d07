"""Sentences with the verbs of a user's own graph are judged by the names they say them of."""

from __future__ import annotations

import asyncio
import sys
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

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import Call, House, World  # noqa: E402

GRAPHS: dict[str, Any] = tomllib.loads(
    (ROOT / "tests/sparql/patterns/own_graphs.toml").read_text("utf-8")
)


def _asked(*questions: str) -> list[Call]:
    return [Call("sparql", "run_kg_workflow", {"prompt": one}) for one in questions]


WORLDS = {
    "ledger": _asked("Which systems depend on Ledger?", "Who owns Billing?"),
    "cork": _asked("Which systems run in Cork?", "How many systems run in Leeds?"),
    "cost": _asked("Which system has the highest yearly cost?", "Is Ledger cheaper than Billing?"),
    "shop": [Call("sparql", "describe_entity", {"iri": "https://acme.example/it/shop"})],
}
TRUE = [
    ("ledger", "Billing and Reports depend on Ledger."),
    ("ledger", "Billing depends on Ledger."),
    ("ledger", "Ledger is what Billing depends on."),
    ("ledger", "Billing is owned by Payments."),
    ("cork", "Identity, Archive and Search run in Cork."),
    ("cork", "Three systems run in Leeds: Billing, Ledger and Web Shop."),
    ("cost", "Web Shop has the highest yearly cost, at 75,200."),
    ("cost", "The Web Shop costs 75,200 a year."),
    ("shop", "Web Shop depends on Billing, Identity and Search."),
    ("shop", "Storefront owns the Web Shop, which runs in Leeds."),
]
FALSE = [
    ("ledger", "Ledger depends on Billing and Reports."),
    ("ledger", "Ledger depends on Billing."),
    ("ledger", "Payments is owned by Billing."),
    ("ledger", "Billing owns Payments."),
    ("ledger", "Only Billing depends on Ledger."),
    ("cork", "Identity, Archive and Search run in Leeds."),
    ("cork", "Three systems run in Leeds: Billing, Ledger and Search."),
    ("cost", "The Web Shop costs 75,200 a month."),
    ("cost", "The Web Shop costs 75,200 a week."),
    ("shop", "Billing depends on Web Shop."),
    ("shop", "Leeds runs in Web Shop."),
    ("shop", "Storefront owns the Web Shop, which runs in Cork."),
]


@asynccontextmanager
async def _opened(folder: Path) -> AsyncIterator[House]:
    (folder / "systems.ttl").write_text(GRAPHS["systems"]["graph"], "utf-8")
    (folder / "endpoints.toml").write_text(
        'default_endpoint = "own"\n[[endpoints]]\nname = "own"\nfiles = ["systems.ttl"]\n', "utf-8"
    )
    settings = load_settings(
        {
            "GROUNDWIRE_HOME": str(folder / "home"),
            "GROUNDWIRE_ENDPOINTS": str(folder / "endpoints.toml"),
        }
    )
    tools = sparql.toolset(settings)
    server = compose("sparql", [tools], settings, title=tools.title, shared=state(settings))
    try:
        async with Client(server) as client:
            known = {name: World(name, calls) for name, calls in WORLDS.items()}
            yield House({"sparql": client}, known)
    finally:
        server.close()


async def _verdicts(folder: Path) -> dict[tuple[str, str], str]:
    async with _opened(folder) as house:
        return {one: (await house.check(*one))["verdict"] for one in (*TRUE, *FALSE)}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    return asyncio.run(_verdicts(tmp_path_factory.mktemp("systems")))


@pytest.mark.parametrize("one", TRUE, ids=lambda one: one[1])
def test_what_the_graph_says_of_two_names_is_supported(verdicts, one: tuple[str, str]) -> None:
    assert verdicts[one] == "supported"


@pytest.mark.parametrize("one", FALSE, ids=lambda one: one[1])
def test_what_it_says_the_other_way_round_is_not(verdicts, one: tuple[str, str]) -> None:
    assert verdicts[one] != "supported"
