"""What the check of a draft costs, and what the statements of a record add to writing it.

    python tests/benchmarks/claims.py [--turns 30]

The records are those of real calls over the embedded data, see tests/evals/claim_check_worlds.py.
Drafts of 2 kB are checked against twenty of them. Beside each stands the reading alone: the spans
and quantities of the draft, without any record; both are measured in turns, so that a busy machine
hits both alike. The check is made against records that are known already, as where a draft is
mended and checked again, and against records that it meets for the first time. Long drafts are of
the kinds that cost most, and each is compared with its half, so that what grows with the square
shows.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from _table import Measured, report  # noqa: E402

from groundwire.evidence import Ledger  # noqa: E402
from groundwire.evidence.canonical import encode, join  # noqa: E402
from groundwire.evidence.claims.check import check  # noqa: E402
from groundwire.evidence.claims.context import Contexts  # noqa: E402
from groundwire.evidence.claims.extraction import Reading, read  # noqa: E402
from groundwire.evidence.claims.knowledge import knowledge_of  # noqa: E402
from groundwire.evidence.records import Record  # noqa: E402
from groundwire.language import annotate  # noqa: E402
from groundwire.servers.composition import EVIDENCE_FILE  # noqa: E402
from tests.evals.claim_check_drafts import drafts  # noqa: E402
from tests.evals.claim_check_worlds import opened, worlds  # noqa: E402

RECORDS, MOST_RECORDS = 20, 50
SIZE, LONG = 2_000, 20_000
WITHIN = 0.015
RATIO = 5.0
FIRST_RATIO = 8.0
LONG_WITHIN = 10.0
# Twice the text, and a little more for what a passage has to look back at.
LONG_RATIO = 2.6
RECORD_RATIO = 2.0
RECORD_TURNS = 12


def records_by_world(folder: Path) -> dict[str, list[Record]]:
    """Make the calls of every world and return their records."""

    async def answered() -> dict[str, Sequence[str]]:
        async with opened(folder) as house:
            return {name: (await house.answered(name)).evidence_ids for name in worlds()}

    ids = asyncio.run(answered())
    with Ledger(folder / EVIDENCE_FILE) as ledger:
        return {name: [ledger.get(one, "local") for one in own] for name, own in ids.items()}


def cut(texts: Iterator[str], size: int) -> str:
    """Join texts until they have so many characters."""
    written = ""
    while len(written) < size:
        written += next(texts) + " "
    return written[:size]


def chosen(held: dict[str, list[Record]], count: int) -> tuple[list[Record], list[str]]:
    """Return so many records of as many worlds as that takes, and the drafts about these."""
    names: list[str] = []
    records: list[Record] = []
    known = [*dict.fromkeys(draft.world for draft in drafts(worlds(), ("seen",), ("en",)))]
    # Every third, so that they come from all domains.
    for name in [*known[::3], *known[1::3], *known[2::3]]:
        if len(records) + len(held[name]) <= count:
            records += held[name]
            names.append(name)
    texts = [one.text for one in drafts(worlds(), ("seen",), ("en",)) if one.world in names]
    return records, texts


def long_drafts(records: Sequence[Record], texts: Sequence[str]) -> dict[str, str]:
    """Return drafts of the greatest length, each of a kind that costs much."""
    values = [one for record in records for one in record.draft.values]
    numbers = [f"{v.entity or v.name}: {v.value}" for v in values if v.kind == "number"]
    names = list(dict.fromkeys(v.entity for v in values if v.entity and len(v.entity) < 60))
    rows = (f"| {name} | {n} | 2020 |\n" for n, name in enumerate(cycle(names)))
    words = [
        "revenue",
        "country",
        "map",
        "population",
        "lower",
        "higher",
        "road",
        "river",
        "trade",
        "of",
        "and",
        "the",
        "not",
    ]
    return {
        "prose": cut(cycle(texts), LONG),
        "one table": "| name | total | year |\n|---|---|---|\n" + "".join(islice(rows, 700))[:LONG],
        "2,000 claims": ("; ".join(islice(cycle(numbers), 2_000)))[:LONG],
        "5,000 words": " ".join(islice(cycle(words), 5_000)),
        "one name": cut(cycle([names[0] if names else "Germany"]), LONG),
        "many names": cut(cycle(names), LONG),
        "digits": cut(cycle(["1.5 million, 2020;", "12 of 34", "7%"]), LONG),
        "a list": "".join(f"{n}. {text}\n" for n, text in enumerate(islice(cycle(texts), 200)))[
            :LONG
        ],
    }


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of a piece of work: other work on the machine takes no part."""
    started = time.process_time()
    work()
    return time.process_time() - started


def apart(records: Sequence[Record], number: int) -> list[Record]:
    """Return records that hold the same and that no check has met."""
    return [replace(one, hash=f"{number:02}{one.hash[2:]}") for one in records]


def measure_check(records: list[Record], texts: list[str], turns: int) -> list[Measured]:
    """Measure the check of drafts of 2 kB, beside the reading of their words and quantities.

    Told are its stages as well: the draft as passages, then with what each is about, then all.
    """
    some = cycle(texts)
    made = [cut(some, SIZE) for _ in range(turns)]
    for draft in made:
        check(draft, records)
    known = knowledge_of(records)

    def passages(draft: str) -> Reading:
        return read(draft, known.names, known.partial_names)

    times: dict[str, list[float]] = {}

    def measured(stage: str, work: Callable[[], object]) -> None:
        times.setdefault(stage, []).append(seconds(work))

    for number, draft in enumerate(made):
        new = apart(records, number)
        measured("reading", partial(annotate, draft))
        measured("passages", partial(passages, draft))
        measured("contexts", partial(Contexts, passages(draft), known))
        measured("check", partial(check, draft, records))
        measured("first check", partial(check, draft, new))
    for stage, own in times.items():
        p95 = statistics.quantiles(own, n=20)[-1]
        cuts = (("min", min(own)), ("median", statistics.median(own)), ("p95", p95))
        print(f"{stage:12} " + ", ".join(f"{name} {cut * 1e3:.1f} ms" for name, cut in cuts))
    bare, checking, first = (times[stage] for stage in ("reading", "check", "first check"))
    usual = statistics.median(bare)
    name = f"{SIZE:,} characters, {len(records)} records"
    return [
        Measured(f"{name}, p95", None, statistics.quantiles(checking, n=20)[-1], seconds=WITHIN),
        Measured(f"{name}, beside reading", usual, statistics.median(checking), RATIO),
        Measured(f"{name}, first check", usual, statistics.median(first), FIRST_RATIO),
    ]


def measure_long(records: list[Record], texts: list[str]) -> list[Measured]:
    """Measure drafts of 20 kB, each beside the text that it has twice."""
    check("x", records)
    lines: list[Measured] = []
    for kind, draft in long_drafts(records, texts).items():
        half = draft[: len(draft) // 2]
        whole = f"{half}\n{half}"
        once = seconds(lambda: check(half, records))  # noqa: B023 - called at once
        twice = seconds(lambda: check(whole, records))  # noqa: B023 - called at once
        name = f"{len(whole):,} characters: {kind}"
        lines.append(Measured(name, once, twice, LONG_RATIO, LONG_WITHIN))
    return lines


def measure_recording(folder: Path, records: Sequence[Record]) -> Measured:
    """Measure the writing of records with and without their statements, in turns."""
    plain = [replace(one.draft, statements=()) for one in records]
    sizes: list[int] = []
    times: tuple[list[float], list[float]] = ([], [])
    with Ledger(folder / "recorded.sqlite") as ledger:
        for _ in range(RECORD_TURNS):
            for one, bare in zip(records, plain, strict=True):
                for kept, draft in zip(times, (bare, one.draft), strict=True):
                    started = time.perf_counter()
                    ledger.record("local", one.tool, one.arguments, draft)
                    kept.append(time.perf_counter() - started)
    for one, bare in zip(records, plain, strict=True):
        both = [len(join(*encode(one.tool, one.arguments, d, False))) for d in (bare, one.draft)]
        sizes += both
    without, held = sum(sizes[::2]) / len(records), sum(sizes[1::2]) / len(records)
    print(f"bytes per record: {without:,.0f} without statements, {held:,.0f} with them")
    # Of a disk that has other work the quick fifth shows what the code itself costs.
    quick = [statistics.quantiles(kept, n=5)[0] for kept in times]
    return Measured("recording with statements", quick[0], quick[1], RECORD_RATIO)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=30, help="drafts of 2 kB")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        held = records_by_world(folder)
        records, texts = chosen(held, RECORDS)
        # No server holds all worlds: a collection of them is no cost of the check.
        gc.collect()
        gc.freeze()
        lines = measure_check(records, texts, arguments.turns)
        lines += measure_long(*chosen(held, MOST_RECORDS))
        every = [record for own in held.values() for record in own]
        lines.append(measure_recording(folder, every))
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
