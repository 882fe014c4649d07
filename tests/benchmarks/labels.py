"""What a label match costs over a million labels, and what it costs to build their index.

    python tests/benchmarks/labels.py [--labels 1000000] [--prompts 200]

The labels are generated: words by Zipf's law, a sixth of them Chinese, some worn by thousands of
entities. The prompts are of six kinds in turn: labels as they stand, words out of the middle of
labels, all words of a label in another order, questions about a label, words at random, and long
texts. Each is asked in three turns, and its median counts, since a machine is never quite idle. The
index is built in the system's temporary folder and removed.

Then the same search at a server without a text index: an Oxigraph server on loopback with labels of
the same kind (`--beside 350000`; 0 leaves it out), first by regular expressions, then by the index
that is kept beside it.
"""

from __future__ import annotations

import argparse
import bisect
import contextlib
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import anyio
from _table import Measured, report

from groundwire.graph.terms import literal
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.label_file import Label, write_labels
from groundwire.sparql.labels import LabelIndex
from groundwire.sparql.opening import Opener, Supplies

WITHIN = 0.025
BESIDE_WITHIN = 0.3
BESIDE_BUILT_WITHIN = 300.0
BUILT_WITHIN = 240.0
TURNS = 3
WORDS = 60_000
KINDS = tuple(f"https://example.org/type/{number}" for number in range(20))
NAME = "http://www.w3.org/2000/01/rdf-schema#label"
_ORDINARY = ("the", "of", "a", "in", "and", "to", "for", "on", "is", "with", "by", "what", "how")
_CHINESE = (
    "营业收入成本利润增长下降季度年度公司集团市场需求供应航运港口合同客户"
    "资产负债现金流投资项目风险预期比率同期主要由于增加减少影响"
)
_SYLLABLES = tuple(f"{first}{second}" for first in "bdfgklmnprstvz" for second in "aeiou")


class Words:
    """Words drawn by Zipf's law: the n-th comes a tenth as often as the tenth of n."""

    def __init__(self, made: random.Random) -> None:
        self.made = made
        self._words = [*_ORDINARY]
        while len(self._words) < WORDS:
            self._words.append("".join(made.choices(_SYLLABLES, k=made.randint(2, 4))))
        self._sums = list(accumulate(1 / place for place in range(1, WORDS + 1)))

    def draw(self, count: int) -> list[str]:
        whole = self._sums[-1]
        return [
            self._words[bisect.bisect(self._sums, self.made.random() * whole)] for _ in range(count)
        ]

    def label(self, number: int) -> str:
        if number % 6 == 5:
            return "".join(self.made.choices(_CHINESE, k=self.made.randint(3, 12)))
        return " ".join(self.draw(self.made.randint(1, 9)))


def labels(count: int) -> Iterator[Label]:
    words = Words(random.Random(7))
    for number in range(count):
        kinds = (KINDS[number % 3], KINDS[int(words.made.paretovariate(1)) % len(KINDS)])
        value = words.label(number)
        yield Label(f"https://example.org/entity/{number}", NAME, value, "", kinds)


def prompts(count: int) -> list[str]:
    """Prompts, the kinds in turn; their labels are some of the index."""
    words = Words(random.Random(7))
    stand = [words.label(number) for number in range(20_000)]
    made = random.Random(13)
    found: list[str] = []
    for number in range(count):
        label = made.choice(stand)
        parts = label.split()
        if number % 6 == 1:
            label = " ".join(parts[len(parts) // 3 :])
        elif number % 6 == 2:
            label = " ".join(made.sample(parts, len(parts)))
        elif number % 6 == 3:
            label = f"What is the {label} of {' '.join(words.draw(2))}?"
        elif number % 6 == 4:
            label = " ".join(words.draw(made.randint(2, 8)))
        elif number % 6 == 5:
            label = " ".join((label, *words.draw(30)))
        found.append(label)
    return found


def ask(index: LabelIndex, asked: list[str], kinds: tuple[str, ...], slowest: int) -> float:
    """The 95th percentile of the seconds of a match, each prompt by the median of its turns."""
    taken: dict[str, list[float]] = {text: [] for text in asked}
    found: dict[str, int] = {}
    for _ in range(TURNS):
        for text in asked:
            started = time.perf_counter()
            found[text] = len(index.match(text, types=kinds))
            taken[text].append(time.perf_counter() - started)
    usual = {text: statistics.median(seconds) for text, seconds in taken.items()}
    for text in sorted(usual, key=lambda text: -usual[text])[:slowest]:
        print(f"{usual[text] * 1000:9.1f} ms {found[text]:3} found  {text[:90]}")
    first = statistics.quantiles([seconds[0] for seconds in taken.values()], n=20)[-1]
    hits = sum(map(bool, found.values()))
    print(f"{hits} of {len(found)} find something; the first turn's p95 is {first * 1000:.1f} ms")
    return statistics.quantiles(usual.values(), n=20)[-1]


def find_oxigraph() -> str:
    """Return the program of the Oxigraph server: beside Python, beside the package, or on PATH.

    Raises:
        SystemExit: it is nowhere.
    """
    # A package that another environment holds has its programs beside that environment's library.
    roots = [Path(sys.executable).parent]
    roots += [Path(one).parents[2] / "bin" for one in sys.path if one.endswith("site-packages")]
    places = os.pathsep.join((*map(str, roots), os.environ.get("PATH", "")))
    program = shutil.which("oxigraph", path=places)
    if program is None:
        raise SystemExit(
            "The program oxigraph is missing, which --beside needs: pip install oxigraph, or leave "
            "that part out with --beside 0."
        )
    return program


@contextlib.contextmanager
def oxigraph(folder: Path, count: int) -> Iterator[str]:
    """Around the life of an Oxigraph server with so many labels; its URL."""
    program = find_oxigraph()
    store = ["--location", str(folder / "store")]
    file = folder / "labels.nt"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    with file.open("w", encoding="utf-8") as out:
        for label in labels(count):
            out.write(f"<{label.iri}> <{NAME}> {literal(label.value).n3()} .\n")
            out.write(f"<{label.iri}> {kind} <{label.types[0]}> .\n")
    subprocess.run([program, "load", *store, "--file", file], check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    bind = ["--bind", f"127.0.0.1:{port}"]
    server = subprocess.Popen([program, "serve-read-only", *store, *bind])
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(30)


def beside(folder: Path, count: int, asked: list[str]) -> list[Measured]:
    """Searches at a server, by regular expressions and by the index beside it."""

    async def times(search: str, texts: list[str]) -> tuple[list[float], float]:
        where = Endpoint(
            name="far", url=url, dialect="oxigraph", allow_private=True, text_search=search
        )
        opener = Opener(Supplies(folder, (), None))
        try:
            runner = await opener.graph_runner(where)
            source = await opener.source(where, runner)
            began = time.perf_counter()
            if search == "index":
                index = await anyio.to_thread.run_sync(opener.mirror(where).wait, 900.0)
                assert index is not None, opener.mirror(where).problem
                print(f"{len(index):,} labels beside the server")
            building = time.perf_counter() - began
            taken: list[float] = []
            for text in texts:
                began = time.perf_counter()
                await source.search(text, (), 10, 60.0)
                taken.append(time.perf_counter() - began)
            return taken, building
        finally:
            await opener.close()

    with oxigraph(folder, count) as url:
        slow, _ = anyio.run(times, "regex", asked[:3])
        quick, building = anyio.run(times, "index", asked)
    usual = statistics.quantiles(quick, n=20)[-1]
    return [
        Measured("build beside a server", None, building, seconds=BESIDE_BUILT_WITHIN),
        Measured("match there, p95", statistics.median(slow), usual, seconds=BESIDE_WITHIN),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Time label matches.")
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--prompts", type=int, default=200)
    parser.add_argument("--beside", type=int, default=350_000, help="labels of the server")
    parser.add_argument("--slowest", type=int, default=0, help="show so many slow prompts")
    options = parser.parse_args()
    if options.beside:
        find_oxigraph()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.sqlite"
        started = time.perf_counter()
        count = write_labels(path, labels(options.labels))
        building = time.perf_counter() - started
        print(f"{count:,} labels, {path.stat().st_size / 1e6:,.0f} MB")
        asked = prompts(options.prompts)
        with LabelIndex(path) as index:
            plain = ask(index, asked, (), options.slowest)
            typed = ask(index, asked, KINDS[15:17], options.slowest)
        far = beside(Path(folder), options.beside, asked) if options.beside else []
    return report(
        [
            Measured("build", None, building, seconds=BUILT_WITHIN),
            Measured("match, p95", None, plain, seconds=WITHIN),
            Measured("match of rare types, p95", None, typed, seconds=WITHIN),
            *far,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
