"""What `describe_schema` takes at a million triples: the first time, and when it is kept.

    python tests/benchmarks/schema.py [--triples 1000000] [--times 40]

The first answers read the graph within the budget of `reading.BUDGET_SECONDS`, and every count
that they tell is checked by the generator. The bare time beside them is that of the one query that
counts predicates and classes, run by the same engine; beside those that are kept, that of `ASK {}`
through `execute_query`.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from _table import Measured, report
from mcp import Client
from patterns import EACH, REGIONS, write

from groundwire.config import Settings
from groundwire.servers import sparql
from groundwire.sparql.schema.names import names_query
from groundwire.sparql.schema.reading import BUDGET_SECONDS

CACHED_WITHIN = 0.02
# Beside the budget of the queries: the record, the prose, and what a busy machine adds.
_MORE = 2.0


async def told(client: Client, **asked: Any) -> tuple[float, dict[str, Any]]:
    began = time.perf_counter()
    result = await client.call_tool("describe_schema", asked)
    seconds = time.perf_counter() - began
    assert not result.is_error, result.content
    return seconds, result.structured_content or {}


async def kept(client: Client, times: int, tool: str, asked: dict[str, Any]) -> float:
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        result = await client.call_tool(tool, asked)
        taken.append(time.perf_counter() - began)
        assert not result.is_error, result.content
    return statistics.median(taken)


def check(found: dict[str, Any], places: int) -> str:
    """What the answer claims of classes is so, or it is said that it is not."""
    said = {one["name"]: one for one in found["entries"] if one["kind"] == "class"}
    truth = {"example:Place": places, "example:Region": REGIONS}
    for name, count in truth.items():
        assert name in said, found
        if "basis" not in said[name]:
            assert said[name]["count"] == count, said[name]
    return "; ".join(found.get("not_looked_at", ())) or "all was looked at"


async def run(triples: int, times: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        places = write(home / "graph.nt", triples)
        registry = home / "registry.toml"
        registry.write_text(
            'default_endpoint = "default"\nfallback_endpoints = []\n'
            f'[[endpoints]]\nname = "default"\nfiles = ["{home / "graph.nt"}"]\n',
            "utf-8",
        )
        server = sparql.build(Settings(home=home / "state", endpoints=registry))
        try:
            async with Client(server) as client:
                ask = {"query_language": "sparql", "query_string": "ASK {}"}
                while (await client.call_tool("execute_query", ask)).is_error:
                    print("the graph is still being loaded")
                counting = {"query_language": "sparql", "query_string": str(names_query())}
                bare_count = await kept(client, 1, "execute_query", counting)
                first, overview = await told(client)
                print(f"first answer: {overview['answer']} ({check(overview, places)})")
                first_class, _ = await told(client, of="Place")
                bare = await kept(client, times, "execute_query", ask)
                cached = await kept(client, times, "describe_schema", {})
                cached_class = await kept(client, times, "describe_schema", {"of": "Place"})
                await told(client, search="area")
                search = await kept(client, times, "describe_schema", {"search": "region of place"})
                unknown = {"query_language": "sparql", "query_string": UNKNOWN}
                known = {"query_language": "sparql", "query_string": KNOWN}
                await kept(client, 2, "execute_query", unknown)
                known_taken = await kept(client, times, "execute_query", known)
                unknown_taken = await kept(client, times, "execute_query", unknown)
        finally:
            server.close()
    within = BUDGET_SECONDS + _MORE
    return report(
        [
            Measured("overview, first time", bare_count, first, seconds=within),
            Measured("one class, first time", bare_count, first_class, seconds=within),
            Measured("overview, kept", bare, cached, seconds=CACHED_WITHIN),
            Measured("one class, kept", bare, cached_class, seconds=CACHED_WITHIN),
            Measured("search (reads the predicates found)", bare, search),
            Measured("a query with an unknown predicate", known_taken, unknown_taken),
        ]
    )


KNOWN = "SELECT ?s { ?s <https://bench.example/area> -1 }"
UNKNOWN = "SELECT ?s { ?s <https://bench.example/aera> -1 }"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=40)
    options = parser.parse_args()
    assert options.triples >= 10 * EACH
    return asyncio.run(run(options.triples, options.times))


if __name__ == "__main__":
    sys.exit(main())
