"""What a record costs, beside a bare SQLite insert of the same bytes with the same durability.

Both are measured in one run, in turns, on one disk; the target is on the ratio of their quicker
fifths.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from groundwire.evidence import Draft, Ledger, Value

RATIO = 3.0
LONGEST_MS = 0.4
TURNS, TURN = 30, 40

DRAFT = Draft(
    values=tuple(
        Value(
            "length",
            f"{n}.25",
            unit="km",
            entity=f"Asset number {n}",
            entity_iri=f"https://example.org/catalogue/asset-{n}",
            source=f"catalogue.ttl#asset-{n}",
        )
        for n in range(20)
    ),
    audit={"query_text": "SELECT ?asset WHERE { ?asset a ?class } " * 12, "status_code": 200},
)
ARGUMENTS = {"slots": {"domains": ["hdmap"], "filters": {"country": "DE"}}, "limit": 20}


def milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def measure(folder: Path) -> dict[str, list[float]]:
    """Times in milliseconds of a record, of a bare insert and of reading a record."""
    bare = sqlite3.connect(folder / "bare.db", isolation_level=None)
    bare.execute("PRAGMA journal_mode=WAL")
    bare.execute("PRAGMA synchronous=FULL")
    bare.execute("CREATE TABLE records (sequence INTEGER PRIMARY KEY, content BLOB)")
    times: dict[str, list[float]] = {"record": [], "bare insert": [], "read": []}
    with Ledger(folder / "evidence.db") as ledger:
        handle = ledger.record("local", "submit_slots", ARGUMENTS, DRAFT).evidence_id
        reader = sqlite3.connect(folder / "evidence.db")
        (content,) = reader.execute("SELECT content FROM records").fetchone()
        reader.close()
        print(f"content of a record: {len(content):,} bytes")
        for _ in range(TURNS):
            for _ in range(TURN):
                times["record"].append(
                    milliseconds(lambda: ledger.record("local", "submit_slots", ARGUMENTS, DRAFT))
                )
            for _ in range(TURN):
                times["bare insert"].append(
                    milliseconds(
                        lambda: bare.execute("INSERT INTO records (content) VALUES (?)", (content,))
                    )
                )
            for _ in range(TURN):
                times["read"].append(milliseconds(lambda: ledger.get(handle, "local")))
    bare.close()
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        times = measure(Path(folder))
    # Of a machine that has other work the quick fifth shows what the code itself costs.
    quick = {name: statistics.quantiles(values, n=5)[0] for name, values in times.items()}
    print(f"{'':12} {'p20 ms':>8} {'median ms':>10} {'p95 ms':>8} {'ratio':>6}")
    for name, values in times.items():
        median, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
        ratio = quick[name] / quick["bare insert"]
        print(f"{name:12} {quick[name]:8.3f} {median:10.3f} {p95:8.3f} {ratio:6.2f}")
    ratio = quick["record"] / quick["bare insert"]
    met = ratio <= RATIO and quick["record"] <= LONGEST_MS
    print(
        f"record: {ratio:.2f} times a bare insert (target {RATIO:g}), "
        f"{quick['record']:.3f} ms (target {LONGEST_MS:g}): {'met' if met else 'MISSED'}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
