"""Ten million facts: what one costs on the disk, to import and to look up, beside bare SQLite.

Lookups and the import are measured in turns with the plainest statements on the same tables: a
SELECT by the primary key with integers, and an executemany of rows that are coded already. All
facts have their full lineage, and every tenth its raw text.

Run: python tests/benchmarks/facts.py [--facts N]. Prints a table and exits 1 where a target is
missed.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from _table import Measured, report

from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.schema import SCHEMA
from groundwire.metrics.facts.store import SqliteFacts

METRICS, CHANNELS, INTERVALS = 100, 2, 50
DOCUMENTS = 20
MOST_BYTES, MOST_RATIO = 70, 3.0
PAIRS, PAIR = 5, 200_000
TURNS, TURN = 40, 500

_BARE = (
    "INSERT INTO facts (series, start_day, end_day, as_of, document, mantissa, exponent, place, "
    "number, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
Place = tuple[int, int, int, int]


def quarter(number: int) -> tuple[int, int]:
    """First and last day of one of the quarters from 2012 on, as `date.toordinal` counts."""
    year, part = divmod(number, 4)
    first = date(2012 + year, 3 * part + 1, 1)
    after = date(2012 + year + (part == 3), (3 * part + 3) % 12 + 1, 1)
    return first.toordinal(), after.toordinal() - 1


QUARTERS = [quarter(number) for number in range(INTERVALS)]


def rows(facts: int, document: Callable[[int], int]) -> Iterator[FactRow]:
    """Facts of companies one after the other, as an import of filings brings them."""
    count = 0
    entity = 0
    while True:
        number = document(entity % DOCUMENTS)
        for metric in range(METRICS):
            for channel in range(CHANNELS):
                for start, end in QUARTERS:
                    if count == facts:
                        return
                    mantissa = (count * 2_654_435_761) % 100_000_000_000
                    yield FactRow(
                        f"METRIC_{metric}",
                        f"ENTITY_{entity}",
                        f"CHANNEL_{channel}",
                        start,
                        end,
                        end + 40,
                        mantissa,
                        -2 if metric % 2 else 0,
                        "USD" if metric % 3 else "",
                        number,
                        "row {}, column Value",
                        count % 1_000_000 + 2,
                        f"$ {mantissa / 100:,.2f}" if count % 10 == 0 else None,
                    )
                    count += 1
        entity += 1


def fill(store: SqliteFacts, facts: int) -> tuple[float, float]:
    """Import all; seconds with the making of the rows, and seconds of making them alone."""
    started = time.perf_counter()
    with store.writer() as writer:
        numbers = [
            writer.document(
                SourceDocument(f"filings-{n}.csv", f"{n:064x}", f"PUBLISHER_{n % 4}", None)
            )
            for n in range(DOCUMENTS)
        ]
        added = writer.add(rows(facts, numbers.__getitem__))
    took = time.perf_counter() - started
    assert added == facts
    started = time.perf_counter()
    for _ in rows(min(facts, PAIR), numbers.__getitem__):
        pass
    return took, (time.perf_counter() - started) * facts / min(facts, PAIR)


def coded(facts: list[FactRow]) -> list[tuple[object, ...]]:
    """The same rows as the table has them."""
    series: dict[tuple[str, str, str], int] = {}
    return [
        (
            series.setdefault(fact[:3], len(series) + 1),
            *fact[3:6],
            fact.document,
            fact.mantissa,
            fact.exponent,
            1,
            fact.number,
            fact.raw,
        )
        for fact in facts
    ]


def bare_import(path: Path, table: list[tuple[object, ...]]) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA cache_size=-128000")
    for statement in SCHEMA:
        connection.execute(statement)
    started = time.perf_counter()
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(_BARE, table)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    took = time.perf_counter() - started
    connection.close()
    return took


def our_import(path: Path, facts: list[FactRow]) -> float:
    with SqliteFacts(path) as store:
        store.count()
        started = time.perf_counter()
        with store.writer() as writer:
            writer.document(SourceDocument("a.csv", "0" * 64, "A", None))
            assert writer.add(facts) == len(facts)
        return time.perf_counter() - started


def imports(folder: Path) -> Measured:
    """Import of the same facts into a new file, in turns."""
    facts = list(rows(PAIR, lambda _: 1))
    table = coded(facts)
    pairs = [
        (bare_import(folder / f"bare{n}", table), our_import(folder / f"ours{n}", facts))
        for n in range(PAIRS)
    ]
    bare, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(ours / bare for bare, ours in pairs)
    return Measured("import, one fact", bare / PAIR, ours / PAIR, ratio=MOST_RATIO, paired=ratio)


def lookups(path: Path, entities: int) -> list[Measured]:
    """Facts that are there and that are not, anywhere in the file, in turns with a bare SELECT."""
    chance = random.Random(5)
    bare = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
    bare.execute("PRAGMA cache_size=-32000")
    series = {
        (metric, entity, channel): number
        for metric, entity, channel, number in bare.execute(
            "SELECT m.text, e.text, c.text, s.id FROM series s JOIN metrics m ON m.id = s.metric "
            "JOIN entities e ON e.id = s.entity JOIN channels c ON c.id = s.channel"
        )
    }
    query = (
        "SELECT as_of, document, mantissa, exponent, place, number, raw FROM facts "
        "WHERE series = ? AND start_day = ? AND end_day = ? AND as_of = ? AND document = ?"
    )
    documents = [number for (number,) in bare.execute("SELECT id FROM documents ORDER BY id")]
    measured: list[Measured] = []
    with SqliteFacts(path) as store:
        for name, later in (("lookup, found", 0), ("lookup, not found", 1)):
            pairs: list[tuple[float, float]] = []
            for turn in range(TURNS + 1):
                asked: list[tuple[str, str, str, date, date]] = []
                keys: list[tuple[int, ...]] = []
                for _ in range(TURN):
                    place = chance.randrange(entities)
                    names = (
                        f"METRIC_{chance.randrange(METRICS)}",
                        f"ENTITY_{place}",
                        f"CHANNEL_{chance.randrange(CHANNELS)}",
                    )
                    start, end = chance.choice(QUARTERS)
                    end += later
                    asked.append((*names, date.fromordinal(start), date.fromordinal(end)))
                    document = documents[place % DOCUMENTS]
                    keys.append((series[names], start, end, end - later + 40, document))

                def ours(asked=asked) -> int:
                    return sum(len(store.lookup(*one)) for one in asked)

                def known(keys=keys) -> int:
                    return sum(bare.execute(query, key).fetchone() is not None for key in keys)

                # Who goes second finds the pages in the system's memory: each does in turn.
                order = (known, ours) if turn % 2 else (ours, known)
                times: dict[object, float] = {}
                for work in order:
                    started = time.perf_counter()
                    found = work()
                    times[work] = (time.perf_counter() - started) / TURN
                    assert found == (0 if later else TURN)
                if turn:
                    pairs.append((times[known], times[ours]))
            middle = [statistics.median(times) for times in zip(*pairs, strict=True)]
            ratio = statistics.median(second / first for first, second in pairs)
            measured.append(Measured(name, *middle, ratio=MOST_RATIO, paired=ratio))
    bare.close()
    return measured


def once(work: Callable[[], object], rounds: int = 20) -> float:
    times: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def questions(path: Path) -> list[Measured]:
    """What answering asks besides: no bare counterpart."""
    start, end = (date.fromordinal(day) for day in QUARTERS[7])
    series = ("METRIC_7", "ENTITY_3", "CHANNEL_1")
    with SqliteFacts(path, read_only=True) as store:
        assert len(store.intervals(*series)) == INTERVALS
        assert store.coverage("METRIC_7") is not None
        return [
            Measured("intervals", None, once(lambda: store.intervals(*series))),
            Measured("coverage", None, once(lambda: store.coverage("METRIC_7"))),
            Measured("entities", None, once(lambda: store.entities("METRIC_7", start, end))),
            Measured("channels", None, once(lambda: store.channels(*series[:2]))),
            Measured("first_known", None, once(lambda: store.first_known(*series, start, end))),
            Measured("periods, first time", None, once(lambda: store.periods("METRIC_8"), 1)),
            Measured("periods, again", None, once(lambda: store.periods("METRIC_8"))),
            Measured("count", None, once(store.count)),
            Measured("check", None, once(store.check, 1)),
        ]


def forgetting(path: Path) -> Measured:
    """Removing one of the documents."""
    with SqliteFacts(path) as store:
        started = time.perf_counter()
        assert store.forget("filings-1.csv")
        took = time.perf_counter() - started
        assert store.check() is None
    return Measured("forget a document", None, took)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000_000, help="at least 200,000")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    arguments = parser.parse_args()
    facts = max(200_000, arguments.facts)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        path = folder / "facts.sqlite"
        with SqliteFacts(path) as store:
            took, making = fill(store, facts)
        size = path.stat().st_size / facts
        print(f"{facts:,} facts: {size:.1f} bytes each (target {MOST_BYTES})")
        print(f"imported in {took:.1f} s: {facts / (took - making):,.0f} a second, without the")
        print(f"{making:.1f} s that making them takes")
        lines = [
            imports(folder),
            *lookups(path, facts // (METRICS * CHANNELS * INTERVALS)),
            *questions(path),
            forgetting(path),
        ]
    code = report(lines)
    if size > MOST_BYTES:
        print(f"MISSED: {size:.1f} bytes a fact, not {MOST_BYTES}")
    return 1 if code or size > MOST_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
