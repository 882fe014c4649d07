"""What it takes to export all rows of a query, beside the engine's own time for writing them.

    python tests/benchmarks/exports.py [--rows 1000000] [--turns 3]

The graph is generated and lies on disk. The engine's own time is that of a process which opens the
same store and has pyoxigraph write the same rows to a file; ours is `execute_query` with `export`
beneath its tool, in the processor time of this process and of its workers together, so that what
else runs on the machine does not count. Memory is the most that this process held on to during the
calls, above what it held before; the worker has the engine's own. For Parquet the engine has no
time of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from _table import Measured, report

from groundwire.sparql import answering
from groundwire.sparql.execution import Execution
from groundwire.sparql.exports import Format
from groundwire.sparql.opening import Supplies
from groundwire.sparql.workspace import Workspace

BASE = "https://bench.example/"
WITHIN = 1.2
MEGABYTES = 200
QUERY = f"SELECT ?s ?name ?area WHERE {{ ?s <{BASE}name> ?name ; <{BASE}area> ?area }}"
TRIPLES = f"CONSTRUCT {{ ?s <{BASE}name> ?name }} WHERE {{ ?s <{BASE}name> ?name }}"
_BARE = """
import sys, time
import pyoxigraph as ox
store = ox.Store.read_only(sys.argv[1])
start, used = time.perf_counter(), time.process_time()
store.query(sys.argv[2]).serialize(sys.argv[3], format=ox.FORMAT)
print(time.perf_counter() - start, time.process_time() - used)
"""


def write(path: Path, rows: int) -> None:
    """Write the graph."""
    integer = "http://www.w3.org/2001/XMLSchema#integer"
    with path.open("w", encoding="utf-8") as file:
        for at in range(rows):
            s = f"<{BASE}p{at}>"
            file.write(f'{s} <{BASE}name> "Place {at}, of many"@en .\n')
            file.write(f'{s} <{BASE}area> "{at * 7 % 99991}"^^<{integer}> .\n')


@dataclass(frozen=True)
class Took:
    """What an export took: seconds on the clock, and seconds of processors."""

    clock: float
    processor: float


def own_seconds() -> float:
    """Processor seconds of this process and of the children that it has now, by /proc."""
    ticks = 0
    for children in Path("/proc/self/task").glob("*/children"):
        for child in children.read_text().split():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def bare(script: str, *arguments: str) -> Took:
    """The engine's own time, in a process of its own."""
    said = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    clock, processor = map(float, said.stdout.split())
    return Took(clock, processor)


async def ours(
    workspace: Workspace, folder: Path, query: str, format: Format, rows: int
) -> tuple[Took, Path]:
    """One query with an export, and its file."""
    asked = Execution("sparql", query, "bench", 1)
    begun, used = time.perf_counter(), own_seconds()
    told, _ = await answering.execute_query(workspace, asked, "local", 0, folder, format)
    took = Took(time.perf_counter() - begun, own_seconds() - used)
    assert f"{rows:,} " in told.answer, told.answer
    assert told.export_path
    return took, Path(told.export_path)


async def measure(folder: Path, turns: int, rows: int) -> tuple[dict[str, list[Took]], float]:
    """What each way took, in turns, and the megabytes that this process grew by."""
    registry = folder / "endpoints.toml"
    registry.write_text(
        f'default_endpoint = "bench"\nfallback_endpoints = []\n[[endpoints]]\nname = "bench"\n'
        f'files = ["{folder / "graph.nt"}"]\n', "utf-8",
    )  # fmt: skip
    home = folder / "home"
    # A loaded machine is measured too; the tool itself ends an export before a host does.
    answering.EXPORT_SECONDS = 900.0
    workspace = Workspace(registry, Supplies(home, (), None))
    took: dict[str, list[Took]] = {}
    try:
        first = Execution("sparql", QUERY, "bench", 1)
        await answering.execute_query(workspace, first, "local")
        [database] = home.glob("stores/*/database")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for turn in range(turns):
            for name, query, format in (
                ("csv", QUERY, "QueryResultsFormat.CSV"),
                ("ntriples", TRIPLES, "RdfFormat.N_TRIPLES"),
            ):
                target = folder / f"bare{turn}.{name}"
                script = _BARE.replace("FORMAT", format)
                alone = bare(script, str(database), query, str(target))
                took.setdefault(f"engine {name}", []).append(alone)
                mine, path = await ours(workspace, folder / "exports", query, name, rows)
                took.setdefault(name, []).append(mine)
                assert path.stat().st_size == target.stat().st_size
                target.unlink()
                path.unlink()
            mine, path = await ours(workspace, folder / "exports", QUERY, "parquet", rows)
            took.setdefault("parquet", []).append(mine)
            path.unlink()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    finally:
        workspace.close_now()
    return took, grown / 1024


def main() -> int:
    """Measure, report, and fail where a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "graph.nt", options.rows)
        took, grown = asyncio.run(measure(folder, options.turns, options.rows))
    for name, every in took.items():
        clock = statistics.median(one.clock for one in every)
        used = statistics.median(one.processor for one in every)
        print(f"{name:16} on the clock {clock:6.2f} s, of processors {used:6.2f} s")
    print(f"memory {grown:.0f} MB (goal {MEGABYTES})")
    lines = [
        Measured(
            f"{options.rows:,} as {name}",
            statistics.median(one.processor for one in took[f"engine {name}"]),
            statistics.median(one.processor for one in took[name]),
            WITHIN,
        )
        for name in ("csv", "ntriples")
    ]
    return max(report(lines), int(grown > MEGABYTES))


if __name__ == "__main__":
    raise SystemExit(main())
