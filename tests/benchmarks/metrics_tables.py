"""Tables over a million facts, beside hand-written SQL on the same file in the same run.

A thousand entities have a thousand days of one metric each. The hand-written SQL knows the numbers
of the codes and names nothing: it has no versions to weigh, no sources, no labels and no seals.

Run: python tests/benchmarks/metrics_tables.py [--entities N]. Prints a table and exits 1 where a
target is missed.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from _table import Measured, report

from groundwire.metrics.factbase import FactBase
from groundwire.metrics.facts.writing import FactRow, SourceDocument
from groundwire.metrics.places import Places
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.reading import TableArguments

DAYS = 1_000
FIRST = date(2021, 1, 1)
TURNS = 9
TODAY = date(2026, 11, 21)
_RANK = """
    SELECT e.text, f.mantissa FROM series s JOIN facts f ON f.series = s.id
    JOIN entities e ON e.id = s.entity
    WHERE s.metric = 1 AND f.start_day = ? AND f.end_day = ? ORDER BY 2 DESC LIMIT 100"""
_TREND = """
    SELECT f.start_day, f.mantissa FROM series s JOIN facts f ON f.series = s.id
    JOIN entities e ON e.id = s.entity WHERE e.text = ? ORDER BY 1 LIMIT 200"""
_SUM = """
    SELECT sum(f.mantissa) FROM series s JOIN facts f ON f.series = s.id
    WHERE s.metric = 1 AND f.start_day BETWEEN ? AND ?"""


def profile(entities: int) -> str:
    """A profile of so many shops, none within another."""
    listed = "".join(
        f'[[entities]]\ncode = "S{n}"\nkind = "shop"\nname = "Shop number {n}"\n'
        for n in range(entities)
    )
    return (
        '[profile]\nname = "many"\n[kinds.shop]\nlabel = "shop"\n'
        f'[[metrics]]\ncode = "SALES"\nkind = "shop"\nlabel = "Sales"\nunit = "EUR"\n'
        f'grains = ["day"]\n{listed}'
    )


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--entities", type=int, default=1_000, help="each has 1,000 days")
    entities = parser.parse_args().entities
    folder = Path(tempfile.mkdtemp())
    (folder / "profile.toml").write_text(profile(entities), "utf-8")
    base = FactBase(Places(folder / "profile.toml", None, folder / "home"))
    state = base.state()
    first = FIRST.toordinal()
    with state.store.writer() as writer:
        number = writer.document(SourceDocument("Book", "0" * 64, "House", None))
        for entity in range(entities):
            writer.add(
                [
                    FactRow("SALES", f"S{entity}", "TOTAL", first + day, first + day, first + 2_000,
                            entity * 7919 % 10_007 + day, 0, "EUR", number, "row {}", day, None)
                    for day in range(DAYS)
                ]
            )  # fmt: skip
    path = next(one for one in (folder / "home").rglob("*.sqlite") if "narrative" not in one.name)
    bare = sqlite3.connect(path)
    day = FIRST + timedelta(days=500)
    week = day + timedelta(days=6)

    def ask(**sent: object) -> Callable[[], object]:
        return lambda: query_table(state, TableArguments(["SALES"], **sent), TODAY)  # type: ignore[arg-type]

    def sql(text: str, *values: object) -> Callable[[], object]:
        return lambda: bare.execute(text, values).fetchall()

    ordinal = day.toordinal()
    works = (
        (
            f"rank {entities:,} entities on one day",
            sql(_RANK, ordinal, ordinal),
            ask(by=["entity"], period=day.isoformat()),
        ),
        (
            "trend of one entity over 1,000 days",
            sql(_TREND, "S17"),
            ask(by=["period"], where={"entity": "S17"}, limit=1_000),
        ),
        (
            f"sum of {entities:,} entities on one day",
            sql(_SUM, ordinal, ordinal),
            ask(where={"kind": "shop"}, period=day.isoformat()),
        ),
        (
            f"{entities:,} entities over a week by day",
            sql(_SUM, ordinal, week.toordinal()),
            ask(by=["entity", "period"], period=f"{day.isoformat()} to {week.isoformat()}"),
        ),
    )
    lines: list[Measured] = []
    for name, plain, ours in works:
        ours()
        pairs = [(timed(plain), timed(ours)) for _ in range(TURNS)]
        lines.append(
            Measured(name, statistics.median(a for a, _ in pairs),
                     statistics.median(b for _, b in pairs), seconds=0.5)
        )  # fmt: skip
    base.close()
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
