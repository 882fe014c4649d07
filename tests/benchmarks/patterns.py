"""What `run_kg_workflow` takes to answer by pattern over a million triples.

    python tests/benchmarks/patterns.py [--triples 1000000] [--prompts 60]

The graph is generated: places with a label, a region, neighbours, an area and a date. The prompts
are of six patterns in turn, each about another place; every answer is checked by the generator.
The first prompts read the schema and the use of the properties, which is kept; they are told apart.
The bare time is that of the query of the pattern alone, run by the same engine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from _table import Measured, report
from mcp import Client

from groundwire.config import Settings
from groundwire.servers import sparql

BASE = "https://bench.example/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
XSD = "http://www.w3.org/2001/XMLSchema#"
WITHIN = 0.3
EACH = 8
REGIONS = 500


def write(path: Path, triples: int) -> int:
    """Write the graph; the number of its places."""
    count = triples // EACH
    with path.open("w", encoding="utf-8") as file:
        for region in range(REGIONS):
            file.write(f"<{BASE}r{region}> <{TYPE}> <{BASE}Region> .\n")
            file.write(f'<{BASE}r{region}> <{LABEL}> "Region {region}"@en .\n')
        for at in range(count):
            s = f"<{BASE}p{at}>"
            file.write(
                f'{s} <{TYPE}> <{BASE}Place> .\n{s} <{LABEL}> "Place {at}"@en .\n'
                f"{s} <{BASE}region> <{BASE}r{at % REGIONS}> .\n"
                f"{s} <{BASE}neighbour> <{BASE}p{(at + 1) % count}> .\n"
                f"<{BASE}p{(at + 1) % count}> <{BASE}neighbour> {s} .\n"
                f'{s} <{BASE}area> "{at * 7 % 99991}"^^<{XSD}integer> .\n'
                f'{s} <{BASE}foundingDate> "{1200 + at % 800}-01-01"^^<{XSD}date> .\n'
                f'{s} <{BASE}note> "note {at}" .\n'
            )
    return count


def prompts(count: int, many: int) -> list[tuple[str, str]]:
    """Prompts with a text that the answer has to have."""
    found: list[tuple[str, str]] = []
    for number in range(many):
        at = 1 + number * 7919 % (count - 3)
        other = at + 1
        area, rest = at * 7 % 99991, other * 7 % 99991
        winner = at if area > rest else other
        found.append(
            (
                (f"What is the area of Place {at}?", str(area)),
                (f"Which region is Place {at} in?", f"Region {at % REGIONS}"),
                (f"How many neighbours does Place {at} have?", "2"),
                (f"Is Place {at} a neighbour of Place {other}?", "Yes"),
                (f"Which has the larger area, Place {at} or Place {other}?", f"Place {winner} has"),
                (f"When was Place {at} founded?", str(1200 + at % 800)),
            )[number % 6]
        )
    return found


async def measured(
    folder: Path, triples: int, many: int
) -> tuple[list[float], list[float], list[float]]:
    """Seconds of the first prompts, of the others, and of their queries alone."""
    count = write(folder / "bench.nt", triples)
    registry = folder / "endpoints.toml"
    registry.write_text(
        'default_endpoint = "bench"\nfallback_endpoints = []\n[[endpoints]]\nname = "bench"\n'
        f'files = ["{folder / "bench.nt"}"]\n',
        "utf-8",
    )
    server = sparql.build(Settings(home=folder / "home", endpoints=registry, log_level="error"))
    first: list[float] = []
    rest: list[float] = []
    bare: list[float] = []
    try:
        async with Client(server) as client:

            async def call(tool: str, **arguments: str) -> tuple[dict[str, object], float]:
                begun = time.perf_counter()
                result = await client.call_tool(tool, arguments)
                took = time.perf_counter() - begun
                assert result.structured_content is not None, result.content
                return result.structured_content, took

            ask = "ASK { ?s ?p ?o }"
            # Loading and indexing go on behind a call that has given up.
            for _ in range(10):
                opening = {"query_language": "sparql", "query_string": ask}
                if not (await client.call_tool("execute_query", opening)).is_error:
                    break
            for number, (prompt, expected) in enumerate(prompts(count, many + 6)):
                told, took = await call("run_kg_workflow", prompt=prompt, endpoint="bench")
                assert told["status"] == "answered", (prompt, told["answer"])
                said = str(told["answer"]).replace(",", "")
                assert expected in str(told["answer"]) or expected in said, (prompt, told["answer"])
                (first if number < 6 else rest).append(took)
                at = 1 + number * 7919 % (count - 3)
                query = f"SELECT ?v {{ <{BASE}p{at}> <{BASE}area> ?v }}"
                _, took = await call("execute_query", query_language="sparql", query_string=query)
                bare.append(took)
    finally:
        server.close()
    return first, rest, bare


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--triples", type=int, default=1_000_000)
    parser.add_argument("--prompts", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        first, rest, bare = asyncio.run(measured(Path(name), options.triples, options.prompts))
    p95 = sorted(rest)[int(len(rest) * 0.95)]
    print(f"first prompts, which read the schema: {', '.join(f'{one:.2f}' for one in first)} s")
    return report(
        [
            Measured("pattern, median", statistics.median(bare), statistics.median(rest)),
            Measured("pattern, p95", None, p95, seconds=WITHIN),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
