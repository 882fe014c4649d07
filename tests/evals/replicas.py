"""Three servers behind a round-robin proxy share one PostgreSQL, and one by one is killed.

Mixed calls in both eras: figures of shared facts, evidence of other replicas' answers, journeys
that one replica computes and the next one tells, reviews that are sent again where no answer came.
In the end every acknowledged record and review is looked for and the chain is verified.

Run: python tests/evals/replicas.py [--fraction 0.1] [--calls 50000] [--clients 64] [--kill 20]
[--seed 7]. Exits 1 if a record or review is lost or stands there twice, an answer is wrong or the
chain is broken; skips where PostgreSQL is not installed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from postgres_cluster import cluster  # noqa: E402
from replicas import Load, keep_cards, keep_facts, proxied, replicas  # noqa: E402
from state_places import url_of  # noqa: E402

from groundwire.evidence import Ledger  # noqa: E402
from groundwire.state import Database  # noqa: E402
from tests.evals._report import arguments  # noqa: E402

CALLS, CLIENTS, KILL_EVERY = 50_000, 64, 20.0
# Where a part is asked for, it is one of so many calls, with losses that come sooner.
SAMPLED, KILL_SOONER = 20_000, 1.0


def main() -> int:
    options = arguments(
        __doc__,
        calls=(CALLS, "calls of all clients"),
        clients=(CLIENTS, "clients at once"),
        kill=(KILL_EVERY, "seconds between two losses of a replica"),
    )
    calls, kill = options.calls, options.kill
    if options.fraction < 1:
        calls = round(min(calls, SAMPLED) * options.fraction)
        kill = min(kill, KILL_SOONER)
    with cluster("") as server, tempfile.TemporaryDirectory() as folder:
        database = Database(url_of(server), Path(folder))
        keep_cards(database)
        keep_facts(database)
        with replicas(url_of(server), Path(folder)) as servers, proxied(servers) as url:
            outcome = Load(servers, url, options.seed).run(options.clients, calls, kill)
        twice_or_lost = outcome.reviews_lost(database)
        with Ledger(database) as ledger:
            lost = outcome.lost(ledger)
            found = ledger.verify()
    median = statistics.median(outcome.times) * 1000
    late = statistics.quantiles(outcome.times, n=100)[-1] * 1000
    print(f"{sum(outcome.calls.values()):,} calls answered in {outcome.seconds:.0f} s, "
          f"median {median:.0f} ms, p99 {late:.0f} ms: {dict(outcome.calls)}")  # fmt: skip
    print(f"{outcome.kills} kills; {sum(outcome.told.values()):,} failed and told so: "
          f"{dict(outcome.told)}")  # fmt: skip
    print(f"lost {len(lost):,} of {len(outcome.acknowledged):,} acknowledged records; "
          f"{len(outcome.wrong):,} wrong answers; chain of {found.records:,}: "
          f"{'as it was written' if found.ok else found.reason}")  # fmt: skip
    print(f"lost or doubled {len(twice_or_lost):,} of {len(outcome.reviewed):,} acknowledged "
          f"reviews, {len(outcome.sent_again):,} of them sent again")  # fmt: skip
    print(f"{sum(outcome.calls.values()) / outcome.seconds:.0f} calls a second")
    for line in [*lost[:5], *twice_or_lost[:5], *outcome.wrong[:5]]:
        print(f"  {line}")
    return 1 if lost or twice_or_lost or outcome.wrong or not found.ok else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except pytest.skip.Exception as reason:
        print(f"skipped: {reason}")
