"""A host that knows nothing goes from `describe_schema` to a right query in three calls.

python tests/evals/schema_tasks.py                        all tasks
python tests/evals/schema_tasks.py --half seen            those that may be looked at
python tests/evals/schema_tasks.py --half seen --show     with what went wrong
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from mcp import Client  # noqa: E402

from groundwire.config import Settings  # noqa: E402
from groundwire.servers import sparql  # noqa: E402
from tests.evals import schema_worlds as worlds  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.schema_host import Host, LostError  # noqa: E402

HERE = Path(__file__).parent
HALVES = {"seen": "schema_tasks.toml", "held out": "schema_tasks_held_out.toml"}
MOST_BYTES = 4_096
_PREFIXES = {
    "w": "https://worlds.example/",
    "l": "http://www.w3.org/2000/01/rdf-schema#",
    "k": "http://www.w3.org/2004/02/skos/core#",
    "s": "http://schema.org/",
    "h": "https://example.org/groundwire/hdmap/v1/",
    "c": "https://example.org/groundwire/core/v1/",
    "q": worlds.CODES,
}


def cell(value: object) -> str:
    text = str(value)
    try:
        return f"{float(text):.6g}"
    except ValueError:
        return text


class Truth:
    """What bare engines say of the same data."""

    def __init__(self, files: dict[str, Path], home: Path, port: int | None) -> None:
        self._files, self._home, self._port = files, home, port
        self._stores: dict[str, Any] = {}

    def __call__(self, task: dict[str, Any]) -> list[str]:
        truth, endpoint = task["truth"], task["endpoint"]
        if isinstance(truth, list):
            return sorted(map(cell, truth))
        if endpoint == "sample":
            import duckdb

            [file] = (self._home / "samples").rglob("*.duckdb")
            with duckdb.connect(str(file), read_only=True) as connection:
                return sorted(cell(row[0]) for row in connection.execute(truth).fetchall())
        if endpoint == "shop":
            import psycopg

            with psycopg.connect(
                host="127.0.0.1", port=self._port, user="postgres", dbname="postgres"
            ) as connection:
                return sorted(cell(row[0]) for row in connection.execute(truth).fetchall())
        return sorted(
            {cell(row[0].value) for row in self._store(endpoint).query(self._with(truth))}
        )

    def _with(self, truth: str) -> str:
        return "".join(f"PREFIX {k}: <{v}> " for k, v in _PREFIXES.items()) + truth

    def _store(self, endpoint: str) -> Any:
        import pyoxigraph as ox

        if endpoint not in self._stores:
            store = self._stores[endpoint] = ox.Store()
            if endpoint == "default":
                files = [*ROOT.glob("profiles/*.ttl"), *ROOT.glob("shapes/*.ttl")]
            else:
                files = [self._files[endpoint]]
            for file in files:
                store.bulk_load(path=str(file))
        return self._stores[endpoint]


def registry(files: dict[str, Path], url: str, port: int | None) -> str:
    lines = ['default_endpoint = "default"', "fallback_endpoints = []"]
    blocks = [
        'name = "default"\nurl = "local:help"',
        'name = "sample"\nkind = "sql"\nurl = "local:sample"',
        f'name = "library"\nkind = "graphql"\nurl = "{url}"\nallow_private = true',
        *(f'name = "{name}"\nfiles = ["{file}"]' for name, file in files.items()),
    ]
    if port is not None:
        blocks.append(
            f'name = "shop"\nkind = "sql"\nurl = "postgresql://127.0.0.1:{port}/postgres"\n'
            'username_env = "SHOP_USER"\npassword_env = "SHOP_PASSWORD"\nallow_private = true'
        )
    return "\n".join(lines) + "".join(f"\n[[endpoints]]\n{block}\n" for block in blocks)


async def run(
    options: Any, home: Path, tasks: Sequence[tuple[str, dict[str, Any]]]
) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    sizes: list[int] = []
    with ExitStack() as stack:
        files = worlds.graphs(home)
        url, port = stack.enter_context(worlds.library()), stack.enter_context(worlds.shop())
        os.environ |= {"SHOP_USER": "reader", "SHOP_PASSWORD": "read-only"}
        path = home / "registry.toml"
        path.write_text(registry(files, url, port), "utf-8")
        truth = Truth(files, home / "state", port)
        server = sparql.build(Settings(home=home / "state", endpoints=path))
        stack.callback(server.close)
        async with Client(server) as client:

            async def call(name: str, **sent: Any) -> dict[str, Any]:
                result = await client.call_tool(name, sent)
                if result.is_error:
                    raise LostError(result.content[0].text)  # type: ignore[union-attr]
                return result.structured_content or {}

            for half, task in tasks:
                if task["endpoint"] == "shop" and port is None:
                    continue
                host = Host(call, task)
                try:
                    told = sorted({cell(one) for one in await host.texts()})
                    why = ""
                except LostError as lost:
                    told, why = [], str(lost)
                right = bool(told) and told == truth(task)
                kept = figures.setdefault(half, {"tasks": 0, "right": 0, "calls": 0})
                kept["tasks"] += 1
                kept["right"] += right
                kept["calls"] += host.calls
                sizes += host.sizes
                if not right and options.show and half == "seen":
                    asked = {k: v for k, v in task.items() if k != "truth"}
                    print(asked, why or told, truth(task), host.query, sep="\n  ")
    for kept in figures.values():
        kept["right_percent"] = round(100 * kept["right"] / kept["tasks"], 2)
        kept["calls"] = round(kept["calls"] / kept["tasks"], 2)
    figures["answers"] = {
        "within_4096_bytes_percent": round(
            100 * sum(size <= MOST_BYTES for size in sizes) / max(1, len(sizes)), 2
        ),
        "largest_bytes": max(sizes, default=0),
    }
    return figures


def main() -> int:
    argv = sys.argv[1:]
    half = argv.pop(argv.index("--half") + 1) if "--half" in argv else ""
    argv = [one for one in argv if one != "--half"]
    show = "--show" in argv
    options = arguments(__doc__, [one for one in argv if one != "--show"])
    options.show = show
    tasks = [
        (name, task)
        for name, file in HALVES.items()
        if half in ("", name)
        for task in tomllib.loads((HERE / file).read_text("utf-8"))["tasks"]
    ]
    if options.fraction < 1:
        rng = random.Random(options.seed)
        tasks = rng.sample(tasks, max(12, round(len(tasks) * options.fraction)))
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(run(options, Path(folder), tasks))
    halves = [name for name in HALVES if name in figures]
    rows = [
        (name, int(figures[name]["tasks"]), int(figures[name]["right"]), figures[name]["calls"])
        for name in halves
    ]
    print(table(("tasks", "run", "right", "calls each"), rows))
    answers = figures["answers"]
    print(
        f"answers within {MOST_BYTES:,} bytes: {answers['within_4096_bytes_percent']} %; "
        f"the largest has {int(answers['largest_bytes']):,}"
    )
    if half:
        return 0
    held = {
        name: {"missed": figures[name]["tasks"] - figures[name]["right"]} for name in halves
    } | {"answers": {"within_4096_bytes_percent": answers["within_4096_bytes_percent"]}}
    return Ratchet(__file__, lower={"missed"}).settle(held, options)


if __name__ == "__main__":
    sys.exit(main())
