"""What it takes to export all rows of a query, beside the engine's own time for writing them.

    python tests/benchmarks/exports.py [--rows 1000000] [--turns 3]

The graph is generated and lies on disk. The engine's own time is that of a process which opens the
same store and has pyoxigraph write the same rows to a file; ours is a call of `execute_query` with
`export`. Memory is the most that this process held on to during the calls, above what it held
before; the worker has the engine's own.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _table import Measured, report
from mcp import Client

from groundwire.config import Settings
from groundwire.servers import sparql

BASE = "https://bench.example/"
WITHIN = 1.2
MEGABYTES = 200
QUERY = f"SELECT ?s ?name ?area WHERE {{ ?s <{BASE}name> ?name ; <{BASE}area> ?area }}"
_BARE = """
import sys, time
import pyoxigraph as ox
store = ox.Store.read_only(sys.argv[1])
start = time.perf_counter()
store.query(sys.argv[2]).serialize(sys.argv[3], format=ox.QueryResultsFormat.CSV)
print(time.perf_counter() - start)
"""


def write(path: Path, rows: int) -> None:
    """Write the graph."""
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    with path.open("w", encoding="utf-8") as file:
        for at in range(rows):
            s = f"<{BASE}p{at}>"
            file.write(f'{s} <{BASE}name> "Place {at}, of many"@en .\n')
            file.write(f'{s} <{BASE}area> "{at * 7 % 99991}"^^<{integer}> .\n')


async def measure(folder: Path, turns: int, rows: int) -> tuple[list[float], list[float], float]:
    """Seconds of the engine and of ours, in turns, and the megabytes that this process grew by."""
    registry = folder / "endpoints.toml"
    registry.write_text(
        f'default_endpoint = "bench"\nfallback_endpoints = []\n[[endpoints]]\nname = "bench"\n'
        f'files = ["{folder / "graph.nt"}"]\n', "utf-8",
    )  # fmt: skip
    home = folder / "home"
    server = sparql.build(Settings(home=home, endpoints=registry, log_level="error"))
    bare: list[float] = []
    ours: list[float] = []
    try:
        async with Client(server) as client:
            call = {"query_language": "sparql", "query_string": QUERY, "endpoint": "bench"}
            await client.call_tool("execute_query", call | {"limit": 1})
            [database] = home.glob("stores/*/database")
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for turn in range(turns):
                target = str(folder / f"bare{turn}.csv")
                said = subprocess.run(
                    [sys.executable, "-c", _BARE, str(database), QUERY, target],
                    capture_output=True, text=True, check=True,
                )  # fmt: skip
                bare.append(float(said.stdout))
                begun = time.perf_counter()
                answer = await client.call_tool(
                    "execute_query", call | {"limit": 1, "export": "csv"}
                )
                ours.append(time.perf_counter() - begun)
                told = answer.structured_content
                assert told is not None, answer.content
                assert f"{rows:,} rows" in told["answer"], told["answer"]
                assert Path(told["export_path"]).stat().st_size == Path(target).stat().st_size
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            begun = time.perf_counter()
            answer = await client.call_tool(
                "execute_query", call | {"limit": 1, "export": "parquet"}
            )
            print(f"parquet {time.perf_counter() - begun:.2f} s")
    finally:
        server.close()
    return bare, ours, grown / 1024


def main() -> int:
    """Measure, report, and fail where a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "graph.nt", options.rows)
        bare, ours, grown = asyncio.run(measure(folder, options.turns, options.rows))
    print(f"memory {grown:.0f} MB (goal {MEGABYTES})")
    line = Measured(
        f"export of {options.rows:,} rows", statistics.median(bare), statistics.median(ours), WITHIN
    )
    return max(report([line]), int(grown > MEGABYTES))


if __name__ == "__main__":
    raise SystemExit(main())
