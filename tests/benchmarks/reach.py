"""What it costs to know where values are stored, and to look for them where a search finds none.

    python tests/benchmarks/reach.py [--assets 100000] [--runs 3]

A generated catalogue is read from files up to its first answer, with and without the paths to its
values. Then searches that find nothing, or what lacks something, are timed whole, each after
one that warms up; how sure the answer is stands behind its name.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from _table import Measured, report
from search_data import assets_file, shapes_file

from groundwire.graph.queries import CompiledQuery
from groundwire.ontology import observed_paths
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.page_queries import Request
from groundwire.ontology.search import search
from groundwire.ontology.slots import Slots

# Finding the paths, beside reading the files.
RATIO = 1.3
WHOLE_CALL = 2.0
CALLS = 5

SEARCHES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("a batch of none", {"domains": ["recording"], "filters": {"batch": "batch-9999"}}),
    ("a text that is nowhere", {"domains": ["recording"], "filters": {"batch": {"contains": "q"}}}),
    (
        "two that never meet",
        {
            "domains": ["recording"],
            "filters": {"batch": "batch-1"},
            "ranges": {"length": {"gt": 1e9}},
        },
    ),
    ("longer than any", {"domains": ["recording"], "ranges": {"length": {"gt": 10_000_000}}}),
    ("none without a mode", {"domains": ["recording"], "filters": {"mode": {"exists": False}}}),
    ("not by day", {"domains": ["recording"], "filters": {"mode": {"none_of": ["day"]}}}),
    (
        "sites that nothing names",
        {"domains": ["site"], "references": [{"domain": "recording", "none": True}]},
    ),
)


async def opened(assets: Path, *, walked: bool) -> float:
    """Seconds from files to the first answer, with or without the paths to what they hold."""

    async def nothing(*_: Any) -> observed_paths.ObservedPaths:
        return observed_paths.NOT_LOOKED_AT

    left_out = nullcontext() if walked else patch.object(observed_paths, "observe_paths", nothing)
    with tempfile.TemporaryDirectory() as home, left_out:
        catalogue = Catalogue([shapes_file()], [assets], Path(home))
        started = time.perf_counter()
        await (await catalogue.state()).graph.ask(CompiledQuery("ASK { ?s ?p ?o }"), timeout=60)
        taken = time.perf_counter() - started
        await catalogue.close()
    return taken


async def measure(assets: int, runs: int) -> list[Measured]:
    """All lines of the table."""
    path = assets_file(assets)
    pairs = [
        (await opened(path, walked=False), await opened(path, walked=True)) for _ in range(runs)
    ]
    without, whole = (statistics.median(times) for times in zip(*pairs, strict=True))
    paired = statistics.median(whole / without for without, whole in pairs)
    lines = [Measured("from files to an answer", without, whole, ratio=RATIO, paired=paired)]
    with tempfile.TemporaryDirectory() as home:
        catalogue = Catalogue([shapes_file()], [path], Path(home))
        try:
            for name, slots in SEARCHES:
                request = Request(Slots.model_validate(slots))
                result, _ = await search(catalogue, request)
                times_of: list[float] = []
                for _ in range(CALLS):
                    started = time.perf_counter()
                    await search(catalogue, request)
                    times_of.append(time.perf_counter() - started)
                said = f"{name} ({result.total}, {result.confidence})"
                lines.append(Measured(said, None, statistics.median(times_of), seconds=WHOLE_CALL))
        finally:
            await catalogue.close()
    return lines


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    return report(asyncio.run(measure(arguments.assets, arguments.runs)))


if __name__ == "__main__":
    sys.exit(main())
