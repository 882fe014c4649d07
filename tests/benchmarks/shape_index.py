"""The shape index of a large public set, cold and from its cache, beside the bare parse.

    python tests/benchmarks/shape_index.py [--runs 7]

The bare parse makes a list of all triples of the same files; to let them pass by without keeping
one is measured too, but has no target.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from _table import Measured, report
from shared_data import shared_folder

from groundwire.ontology.index import load_index
from groundwire.ontology.index.files import shape_files

SHAPES = shared_folder("data", "ontology", "envited")
COLD_RATIO = 2.5
CACHED_SECONDS = 0.15


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
    runs = parser.parse_args().runs
    if not SHAPES.is_dir():
        print(f"skipped: {SHAPES} is not there")
        return 0
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
    return report(
        [
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
    )


def everything(cache: Path) -> int:
    index = load_index([SHAPES], cache)
    return len(index.connections) + sum(len(d.properties) for d in index.domains.values())


if __name__ == "__main__":
    sys.exit(main())
