"""What a search costs: on the sample catalogue, and on a million assets beside queries by hand.

    python tests/benchmarks/search.py [--assets 1000000] [--turns 7]

Ours and the hand-written query run in turns through the same worker processes. That both answer
the same is checked first, whole, on a smaller catalogue. Files and stores are kept in the
system's temporary folder, so only the first run builds them.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from _table import Measured, report
from search_cases import COMPUTED, COUNTED, PAGES, REFERENCES, SORTED, Case
from search_data import assets_file, folder, shapes_file

from groundwire import shapes as embedded
from groundwire.evidence import Ledger
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Rows
from groundwire.ontology.aggregates import Aggregate
from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.compile import aggregate_query, group_query, page_query
from groundwire.ontology.resolve import Resolver
from groundwire.ontology.search import Request, search
from groundwire.ontology.slots import Slots

CASES = (*PAGES, *REFERENCES, *SORTED, *COUNTED, *COMPUTED)
RATIO = 1.3
IN_SERVER = 0.005
# A page, its values, and a total that is given up after 0.2 s.
WHOLE_CALL = 0.4
CHECKED = 20_000
TIMEOUT = 120.0
SAMPLE = {
    "domains": ["scenario"],
    "filters": {"scenarioCategory": ["cut-in", "lane-change"], "license": ["CC-BY-4.0", "MIT"]},
    "ranges": {"duration": {"min": 5, "max": 600}},
    "references": [{"domain": "hdmap", "filters": {"country": "DE"}}],
}


async def compiled(state: State, case: Case, limit: int = 21) -> CompiledQuery:
    """What a search of the case runs."""
    resolver = Resolver(state.lexicon, state.graph, state.assets)
    sent = Aggregate.model_validate(case.aggregate) if case.aggregate else None
    plan = await resolver.plan(Slots.model_validate(case.slots), case.sort, case.count_by, sent)
    assert plan is not None, (case.name, resolver.findings.gaps)
    if plan.aggregation:
        return aggregate_query(plan, known=state.observed)
    if plan.grouping:
        return group_query(plan, limit=limit, known=state.observed)
    if plan.ordering:
        return page_query(plan, limit=limit, known=state.observed, having=True)
    return page_query(plan, limit=limit, known=state.observed, first_page=())


async def check() -> None:
    """Both queries of every case answer the same on a smaller catalogue."""
    catalogue = Catalogue([shapes_file()], [assets_file(CHECKED)], folder())
    state = await catalogue.state()
    for case in CASES:
        ours = await state.graph.select(await compiled(state, case, 100_000), timeout=TIMEOUT)
        hand = await state.graph.select(CompiledQuery(case.query(100_000)), timeout=TIMEOUT)
        assert _answer(ours, case) == _answer(hand, case), case.name
        assert hand.rows or case.name == "two filters and a range", case.name
    await catalogue.close()


def _answer(rows: Rows, case: Case) -> object:
    if case.sort:
        return [row[0] for row in rows.rows]
    return sorted(map(str, rows.rows))


async def pair(state: State, case: Case, turns: int) -> Measured:
    """Ours beside the hand-written query, in turns."""
    queries = (CompiledQuery(case.query()), await compiled(state, case))
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(-1, 3 if case.heavy else turns):
        for place in (0, 1) if turn % 2 else (1, 0):
            rows = await state.graph.select(queries[place], timeout=TIMEOUT)
            if turn >= 0:
                times[place].append(rows.elapsed_ms / 1000)
    ratio = statistics.median(ours / hand for hand, ours in zip(*times, strict=True))
    hand, ours = map(statistics.median, times)
    return Measured(case.name, hand, ours, RATIO, paired=ratio)


async def median_of(work: Callable[[], Awaitable[object]], calls: int, warm: int) -> float:
    """Median of the seconds that a call takes, after `warm` calls that do not count."""
    times: list[float] = []
    for _ in range(warm + calls):
        started = time.perf_counter()
        await work()
        times.append(time.perf_counter() - started)
    return statistics.median(times[warm:])


async def sample(home: Path) -> list[Measured]:
    """A call on the sample catalogue: as the server runs it, and through a client in memory."""
    from mcp import Client

    from groundwire.config import load_settings
    from groundwire.servers.ontology import build

    shapes, assets = list(map(str, embedded.shape_files())), [str(embedded.catalogue_file())]
    catalogue = Catalogue(shapes, assets, home)
    request = Request(Slots.model_validate(SAMPLE))
    with Ledger(home / "bench.sqlite") as ledger:

        async def proven() -> None:
            _, draft = await search(catalogue, request)
            ledger.record("local", "submit_slots", SAMPLE, draft)

        inside = await median_of(proven, 200, 30)
    await catalogue.close()
    server = build(load_settings({"GROUNDWIRE_HOME": str(home)}))
    async with Client(server) as client:

        async def called() -> None:
            result = await client.call_tool("submit_slots", {"slots": SAMPLE})
            assert not result.is_error, result.content

        through = await median_of(called, 200, 30)
    return [
        Measured("sample: search and record", None, inside, seconds=IN_SERVER),
        Measured("sample: called by a client", None, through, seconds=2 * IN_SERVER),
    ]


async def opened(assets: Path) -> Catalogue:
    """The generated catalogue, built where it was not yet; prints what that took."""
    seen: list[str] = []

    def told(kind: str, done: int, total: int) -> None:
        line = f"{kind} {100 * done // max(total, 1)} %"
        if not seen or seen[-1] != line:
            seen.append(line)
            print(f"\r{line:60}", end="", file=sys.stderr, flush=True)

    catalogue = Catalogue([shapes_file()], [assets], folder(), progress=told)
    started = time.perf_counter()
    state = await catalogue.state()
    took = time.perf_counter() - started
    assert state.statistics is not None
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"\n{assets.stat().st_size / 1e6:.0f} MB, {state.statistics.triples:,} triples: opened in "
        f"{took:.1f} s with {len(seen)} reports of progress, largest child so far {peak:.0f} MB"
    )
    return catalogue


async def whole_calls(catalogue: Catalogue, cases: Sequence[Case]) -> list[Measured]:
    """Whole searches, with values and totals."""
    found: list[Measured] = []
    for case in cases:
        request = Request(Slots.model_validate(case.slots), sort=case.sort)
        result, _ = await search(catalogue, request)
        assert result.results and result.total, case.name
        seconds = await median_of(lambda request=request: search(catalogue, request), 5, 1)
        total = f"{result.total:,}" if result.total_is_exact else f"at least {result.total:,}"
        found.append(Measured(f"call: {case.name} ({total})", None, seconds, seconds=WHOLE_CALL))
    first, _ = await search(catalogue, Request(Slots.model_validate(cases[0].slots)))
    later = Request(Slots.model_validate(cases[0].slots), offset=20, first_page=first.first_page)
    seconds = await median_of(lambda: search(catalogue, later), 5, 1)
    found.append(Measured(f"call: {cases[0].name}, page two", None, seconds, seconds=WHOLE_CALL))
    return found


async def measure(assets: int, turns: int) -> list[Measured]:
    """All lines of the table."""
    with tempfile.TemporaryDirectory() as home:
        lines = await sample(Path(home))
    await check()
    catalogue = await opened(assets_file(assets))
    await catalogue.close()
    catalogue = await opened(assets_file(assets))
    try:
        started = time.perf_counter()
        await search(catalogue, Request(Slots.model_validate(PAGES[0].slots)))
        print(f"first call {time.perf_counter() - started:.2f} s")
        state = await catalogue.state()
        for case in CASES:
            lines.append(await pair(state, case, turns))
        lines += await whole_calls(catalogue, (*PAGES, SORTED[0]))
    finally:
        await catalogue.close()
    return lines


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=7)
    arguments = parser.parse_args()
    return report(asyncio.run(measure(arguments.assets, arguments.turns)))


if __name__ == "__main__":
    sys.exit(main())
