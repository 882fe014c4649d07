"""Worlds of a user's own, set up by the commands of the documents."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client

from groundwire.config import load_settings
from groundwire.servers import metrics
from groundwire.servers.composition import compose, state
from tests.evals.claim_check_worlds import Call, House, World
from tests.own_material import groundwire


def prepared(own: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Write a user's material into a folder, set it up there, and return its environment."""
    home = {"GROUNDWIRE_HOME": str(folder / "home")}
    if "file" in own:
        path = folder / own["file"]
        path.with_suffix(".csv").write_text(own["text"].lstrip(), "utf-8")
        if path.suffix == ".parquet":
            import duckdb

            duckdb.read_csv(str(path.with_suffix(".csv"))).write_parquet(str(path))
        profile = {"GROUNDWIRE_PROFILE": str(folder / "drafted/profile.toml")}
        groundwire(folder, home, "metrics", "init", own["file"], "-o", "drafted")
        mapping = ("--mapping", "drafted/mapping.toml")
        groundwire(folder, home | profile, "metrics", "import", own["file"], *mapping)
        return home | profile
    kind, _, name = own["warehouse"].partition(":")
    path = folder / name
    if kind == "duckdb":
        import duckdb

        with duckdb.connect(str(path)) as database:
            database.execute(own["text"])
    else:
        with sqlite3.connect(path) as database:
            database.executescript(own["text"])
        database.close()
    url = f"{kind}:{path}"
    groundwire(folder, home, "metrics", "model", "draft", url, "-o", "model.yaml")
    return home | {"GROUNDWIRE_WAREHOUSE": url, "GROUNDWIRE_MODELS": str(folder / "model.yaml")}


@asynccontextmanager
async def opened(
    environ: Mapping[str, str], worlds: Sequence[Mapping[str, Any]]
) -> AsyncIterator[House]:
    """Open the metrics server on a user's own material, with worlds to be called on it."""
    settings = load_settings(environ)
    tools = metrics.toolset(settings)
    known = {
        one["name"]: World(one["name"], [Call("metrics", **call) for call in one["call"]])
        for one in worlds
    }
    async with AsyncExitStack() as stack:
        server = compose("metrics", [tools], settings, title=tools.title, shared=state(settings))
        stack.callback(server.close)
        yield House({"metrics": await stack.enter_async_context(Client(server))}, known)
