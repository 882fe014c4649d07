"""Shape indexes: of a large public set, and of a schema of the size of Brick.

    python tests/benchmarks/shape_index.py [--runs 7]

The public set is read cold and from its cache, beside the bare parse, which makes a list of all
triples of the same files; to let them pass by without keeping one is measured too, but has no
target. It is left out where it is not at hand.

The schema of the size of Brick has 1,014 classes in deep trees (`class_trees`): its index, the
first search and all connections are measured in a process of their own, with its memory. The
first search is set beside one of the same assets by shapes of eight classes.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import anyio
import class_trees
from _table import Measured, report
from shared_data import shared_folder

from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import discover_connections
from groundwire.ontology.index.files import shape_files
from groundwire.ontology.index.load import load_index
from groundwire.ontology.search import Request, search
from groundwire.ontology.slots import Slots

SHAPES = shared_folder("data", "ontology", "envited")
COLD_RATIO = 2.5
CACHED_SECONDS = 0.15
BRICK_ASSETS = 20_000
BRICK_SECONDS, BRICK_SEARCH, BRICK_CONNECTIONS = 10.0, 3.0, 3.0
BRICK_MEGABYTES = 700.0
# The assets are the same; starting a worker that reads them is most of a first search.
BRICK_RATIO = 2.5
MANY_KINDS = 10_000
MANY_SECONDS = 60.0


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    kept = work()
    took = time.perf_counter() - start
    del kept
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--class-tree", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.class_tree:
        print(json.dumps(anyio.run(measured_tree, arguments.class_tree)))
        return 0
    lines, megabytes = class_tree()
    missed = report([*public_set(arguments.runs), *lines])
    heavy = megabytes > BRICK_MEGABYTES
    print(
        f"1,014 kinds: {megabytes:.0f} MB at most, target {BRICK_MEGABYTES:.0f} MB"
        f"{'  MISSED' if heavy else ''}"
    )
    return int(missed or heavy)


def public_set(runs: int) -> list[Measured]:
    if not SHAPES.is_dir():
        print(f"left out: {SHAPES} is not there")
        return []
    import pyoxigraph as ox

    files = [file.path for file in shape_files([SHAPES])]

    def parse() -> list[list[ox.Quad]]:
        return [list(ox.parse(path=path)) for path in files]

    def pass_by() -> None:
        for path in files:
            for _ in ox.parse(path=path):
                pass

    load_index([SHAPES])
    bare: list[float] = []
    passing: list[float] = []
    cold: list[float] = []
    cached: list[float] = []
    whole: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder)
            bare.append(seconds(parse))
            passing.append(seconds(pass_by))
            cold.append(seconds(lambda: load_index([SHAPES], cache)))  # noqa: B023
            cached.append(seconds(lambda: load_index([SHAPES], cache)))  # noqa: B023
            whole.append(seconds(lambda: everything(cache)))  # noqa: B023
    quotients = [ours / known for ours, known in zip(cold, bare, strict=True)]
    middle = statistics.median
    return [
        Measured(
            "index cold, beside the bare parse",
            middle(bare),
            middle(cold),
            ratio=COLD_RATIO,
            paired=middle(quotients),
        ),
        Measured("index cold, beside triples passing by", middle(passing), middle(cold)),
        Measured("index from the cache", None, middle(cached), seconds=CACHED_SECONDS),
        Measured("the same, every domain read", None, middle(whole)),
    ]


def everything(cache: Path) -> int:
    index = load_index([SHAPES], cache)
    return len(index.connections) + sum(len(d.properties) for d in index.domains.values())


def class_tree() -> tuple[list[Measured], float]:
    """A schema of the size of Brick with its megabytes, and one of ten thousand classes."""
    with tempfile.TemporaryDirectory() as name:
        brick = grown(Path(name) / "brick", class_trees.BRICK_KINDS, BRICK_ASSETS)
        many = grown(Path(name) / "many", MANY_KINDS, 1_000)
    lines = [
        Measured("1,014 kinds: index", None, brick["index"], seconds=BRICK_SECONDS),
        Measured(
            "1,014 kinds: first search, beside 8 kinds",
            brick["few"],
            brick["search"],
            ratio=BRICK_RATIO,
            seconds=BRICK_SEARCH,
        ),
        Measured("1,014 kinds: connections", None, brick["ways"], seconds=BRICK_CONNECTIONS),
        Measured("10,000 kinds: index", None, many["index"], seconds=MANY_SECONDS),
        Measured("10,000 kinds: first search, beside 8 kinds", many["few"], many["search"]),
        Measured("10,000 kinds: connections", None, many["ways"]),
    ]
    return lines, brick["megabytes"]


def grown(folder: Path, kinds: int, assets: int) -> dict[str, float]:
    """Write a catalogue of so many classes and assets, and measure it in a process of its own."""
    folder.mkdir()
    (folder / "shapes.ttl").write_text(class_trees.shapes(kinds), "utf-8")
    (folder / "assets.ttl").write_text(class_trees.assets(assets, kinds), "utf-8")
    command = [sys.executable, __file__, "--class-tree", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return json.loads(done.stdout)


async def measured_tree(folder: Path) -> dict[str, float]:
    start = time.perf_counter()
    load_index([folder / "shapes.ttl"], folder / "home" / "shapes")
    indexed = time.perf_counter()
    (folder / "few.ttl").write_text(class_trees.shapes(8), "utf-8")
    for name in ("few.ttl", "shapes.ttl"):
        # The store of the assets is built once, whatever the shapes are.
        catalogue = Catalogue([folder / name], [folder / "assets.ttl"], folder / "home")
        await catalogue.state()
        await catalogue.close()
    catalogue = Catalogue([folder / "few.ttl"], [folder / "assets.ttl"], folder / "home")
    few = await first_search(catalogue)
    await catalogue.close()
    catalogue = Catalogue([folder / "shapes.ttl"], [folder / "assets.ttl"], folder / "home")
    first = await first_search(catalogue)
    searched = time.perf_counter()
    ways = await discover_connections(catalogue)
    assert ways.connections, ways.answer
    connected = time.perf_counter()
    await catalogue.close()
    # Kilobytes on Linux.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "index": indexed - start,
        "few": few,
        "search": first,
        "ways": connected - searched,
        "megabytes": peak,
    }


async def first_search(catalogue: Catalogue) -> float:
    """Seconds from a server's start to its first answer."""
    start = time.perf_counter()
    slots = Slots.model_validate({"domains": ["Equipment"], "references": [{"domain": "Point"}]})
    found, _ = await search(catalogue, Request(slots))
    assert found.results, found.answer
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
