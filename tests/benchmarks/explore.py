"""What a query at a local endpoint costs: twelve explore queries beside pyoxigraph alone.

    python tests/benchmarks/explore.py [--rounds 30] [--unseen 40]

Both have the same store of a million triples on disk and the same LIMIT. Bare is pyoxigraph in
this process, until every term of the answer is a Python object. Ours is `SparqlRunner.run`: gate,
worker process, rows, raw response and audit. Of a seen query the gate remembers its verdict. Every
answer is compared once. The targets hold for the mix, which is the sum of the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox
from _table import Measured, report
from explore_data import Shop, write_shop
from explore_queries import QUERIES, Query, texts

from groundwire.graph.engine import LocalGraph
from groundwire.graph.stores import build_store
from groundwire.graph.terms import Term
from groundwire.graph.worker import open_store
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.opening import policy_of
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner

RATIO = 1.15
PER_QUERY = 0.001
GATE = 0.015
# Texts of each query that are seen again and again.
SEEN = 5
LIMIT = 200


class Both(NamedTuple):
    """What is compared: a store in this process, and the runner over its workers."""

    store: ox.Store
    runner: SparqlRunner

    def bare(self, text: str) -> tuple[float, list[tuple[Any, ...]]]:
        """Seconds and rows of pyoxigraph alone, with the LIMIT that ours would add."""
        limited = text if "LIMIT" in text else f"{text} LIMIT {LIMIT + 1}"
        started = time.perf_counter()
        found: Any = self.store.query(limited)
        rows = [tuple(row) for row in found]
        return time.perf_counter() - started, rows

    async def ours(self, text: str) -> tuple[float, Outcome]:
        """Seconds and outcome of a whole run."""
        started = time.perf_counter()
        outcome = await self.runner.run(Request("sparql", text, LIMIT))
        return time.perf_counter() - started, outcome

    async def pair(self, text: str, turn: int) -> tuple[float, float]:
        """Seconds of bare and of ours, the one or the other first."""
        if turn % 2:
            alone, _ = self.bare(text)
            ours, _ = await self.ours(text)
        else:
            ours, _ = await self.ours(text)
            alone, _ = self.bare(text)
        return alone, ours

    async def check(self, text: str) -> int:
        """Both answer the same; how many rows."""
        _, rows = self.bare(text)
        _, outcome = await self.ours(text)
        assert outcome.status == ("complete" if rows else "empty"), (text, outcome.reason)
        assert outcome.audit.raw
        assert sorted(map(_plain, rows)) == sorted(map(str, outcome.rows)), text
        return len(rows)


def _plain(row: Sequence[object]) -> str:
    """A row of pyoxigraph's as ours are written."""
    return str(tuple(None if term is None else _term(term) for term in row))


def _term(term: object) -> Term:
    if isinstance(term, ox.NamedNode):
        return Term("iri", term.value)
    assert isinstance(term, ox.Literal), term
    return Term("literal", term.value, term.datatype.value, term.language or "")


def _times(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    alone, ours = map(statistics.median, zip(*pairs, strict=True))
    return alone, ours


async def seen(both: Both, shop: Shop, rounds: int) -> list[tuple[float, float]]:
    """Medians of each query, of bare and ours, for texts that were run before."""
    chosen = [list(islice(texts(query, shop, "seen"), SEEN)) for query in QUERIES]
    for query, same in zip(QUERIES, chosen, strict=True):
        rows = [await both.check(text) for text in same]
        assert any(rows), query.name
    pairs: list[list[tuple[float, float]]] = [[] for _ in QUERIES]
    for turn in range(rounds):
        for place, same in enumerate(chosen):
            pairs[place] += [await both.pair(text, turn) for text in same]
    return list(map(_times, pairs))


async def unseen(both: Both, shop: Shop, count: int) -> list[tuple[float, float]]:
    """The same for texts that are run for the first time; then what they answered is compared."""
    fresh = [_fresh(query, shop) for query in QUERIES]
    pairs: list[list[tuple[float, float]]] = [[] for _ in QUERIES]
    ran: list[str] = []
    for turn in range(count):
        for place, more in enumerate(fresh):
            text = next(more)
            pairs[place].append(await both.pair(text, turn))
            ran.append(text)
    for text in ran:
        await both.check(text)
    return list(map(_times, pairs))


def _fresh(query: Query, shop: Shop) -> Iterator[str]:
    known = set(islice(texts(query, shop, "seen"), SEEN))
    return (text for text in texts(query, shop, "unseen") if text not in known)


def lines(kind: str, medians: Sequence[tuple[float, float]], gate: float) -> list[Measured]:
    """A line for each query, and the mix with its target."""
    found = [
        Measured(f"{kind}: {query.name}", alone, ours)
        for query, (alone, ours) in zip(QUERIES, medians, strict=True)
    ]
    alone, ours = (sum(column) for column in zip(*medians, strict=True))
    most = alone * RATIO + len(medians) * (PER_QUERY + gate)
    return [*found, Measured(f"{kind}: mix of {len(medians)}", alone, ours, seconds=most)]


async def measure(rounds: int, fresh: int) -> list[Measured]:
    """All lines of the table."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shop.nt"
        shop = write_shop(file)
        started = time.perf_counter()
        store = build_store([file], Path(folder) / "stores")
        took = time.perf_counter() - started
        assert store.triples == shop.triples
        assert store.ordered, "the store is a database on disk"
        print(
            f"{store.triples:,} triples, {file.stat().st_size / 1e6:.0f} MB: built in {took:.1f} s"
        )
        graph = LocalGraph(store.path)
        policy = policy_of(Endpoint(name="shop", files=(file,)))
        both = Both(open_store(store.path), SparqlRunner(graph, policy, endpoint="shop"))
        try:
            again = lines("seen", await seen(both, shop, rounds), 0)
            return again + lines("unseen", await unseen(both, shop, fresh), GATE)
        finally:
            await both.runner.close()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--unseen", type=int, default=40)
    arguments = parser.parse_args()
    return report(asyncio.run(measure(arguments.rounds, arguments.unseen)))


if __name__ == "__main__":
    sys.exit(main())
