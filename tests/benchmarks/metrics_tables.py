"""Tables over a million facts, beside hand-written SQL on the same file in the same run.

A thousand entities have a thousand days of one metric each. The hand-written SQL gives the same
rows in the same order and says how many there are in all. It knows the numbers of the codes: it has
no versions to weigh, no sources, no seals, no record. Both are measured in the processor time of
their thread, in turns; the goal is 5 ms and 5 % over the SQL.

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

from groundwire.metrics.factbase import FactBase, Places
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments

DAYS = 1_000
FIRST = date(2021, 1, 1)
TURNS = 21
TODAY = date(2026, 11, 21)
_OF = """
    FROM series s JOIN facts f ON f.series = s.id JOIN entities e ON e.id = s.entity
    WHERE s.metric = 1 AND s.channel = 1 AND f.end_day = f.start_day
    AND f.start_day BETWEEN ? AND ?"""
_COUNT = f"SELECT count(*) {_OF.replace('JOIN entities e ON e.id = s.entity', '')}"
_RANK = f"SELECT e.text, f.mantissa, f.exponent {_OF} ORDER BY 2 DESC, 1 LIMIT 100"
_EACH_DAY = f"SELECT e.text, f.start_day, f.mantissa, f.exponent {_OF} ORDER BY 1, 2 LIMIT 100"
_TREND = f"SELECT f.start_day, f.mantissa, f.exponent {_OF} AND e.text = ? ORDER BY 1 LIMIT 200"
_SUM = f"SELECT sum(f.mantissa), count(*) {_OF.replace('JOIN entities e ON e.id = s.entity', '')}"
_NEWEST = "SELECT max(last_day) FROM series WHERE metric = 1"
_COMPARED = f"""
    SELECT e.text, f.mantissa, f.exponent, g.mantissa, g.exponent
    {
    _OF.replace(
        "WHERE",
        "LEFT JOIN facts g ON g.series = f.series AND g.start_day = f.start_day - 1 "
        "AND g.end_day = g.start_day WHERE",
    )
} ORDER BY 2 DESC, 1 LIMIT 100"""


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
    started = time.thread_time()
    work()
    return time.thread_time() - started


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

    def sql(*asked: tuple[object, ...]) -> Callable[[], object]:
        return lambda: [bare.execute(text, values).fetchall() for text, *values in asked]

    one, seven = (day.toordinal(), day.toordinal()), (day.toordinal(), week.toordinal())
    last = FIRST.toordinal() + DAYS - 1
    every = (FIRST.toordinal(), last)
    works = (
        (
            f"rank {entities:,} entities on one day",
            sql((_RANK, *one), (_COUNT, *one)),
            ask(by=["entity"], period=day.isoformat()),
        ),
        (
            f"first 10 of {entities:,} on the newest day",
            sql((_NEWEST,), (_RANK, last, last), (_COUNT, last, last)),
            ask(by=["entity"], limit=10),
        ),
        (
            f"rank {entities:,}, with the day before",
            sql((_COMPARED, *one), (_COUNT, *one)),
            ask(by=["entity"], period=day.isoformat(), compare="previous_period"),
        ),
        (
            "trend of one entity over 1,000 days",
            sql((_TREND, *every, "S17"), (f"{_COUNT} AND s.entity = 18", *every)),
            ask(by=["period"], where={"entity": "S17"}, limit=1_000),
        ),
        (
            f"sum of {entities:,} entities on one day",
            sql((_SUM, *one)),
            ask(where={"kind": "shop"}, period=day.isoformat()),
        ),
        (
            f"{entities:,} entities over a week by day",
            sql((_EACH_DAY, *seven), (_COUNT, *seven)),
            ask(by=["entity", "period"], period=f"{day.isoformat()} to {week.isoformat()}"),
        ),
    )
    lines: list[Measured] = []
    started = time.perf_counter()
    works[0][2]()
    print(f"first table after the import: {time.perf_counter() - started:.2f} s")
    for name, plain, ours in works:
        ours()
        pairs = [(timed(plain), timed(ours)) for _ in range(TURNS)]
        engine = statistics.median(a for a, _ in pairs)
        whole = statistics.median(b for _, b in pairs)
        lines.append(Measured(name, engine, whole, seconds=engine * 1.05 + 0.005))
    base.close()
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
