"""What becomes of every attack on SPARQL execution: refused, or cut off, and the next answer right.

The attacks are those of tests/graph/test_attacks.py, run as a tool runs them. Those on SQL are the
statements of tests/tables/statements and of tests/sparql/sql/test_postgres_gate.py at the gates of
ClickHouse, Trino, Spark and PostgreSQL, beside the honest statements that have to pass. Run:
python tests/evals/attacks.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import importlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from groundwire.graph.engine import LocalGraph  # noqa: E402
from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY, Policy  # noqa: E402
from groundwire.graph.stores import build_store  # noqa: E402
from groundwire.sparql.outcome import Outcome, Request  # noqa: E402
from groundwire.sparql.sparql_runner import SparqlRunner  # noqa: E402
from groundwire.tables.bounds import Refused  # noqa: E402
from groundwire.tables.postgres.gate import check_tree  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.graph.conftest import PEOPLE  # noqa: E402
from tests.graph.test_attacks import (  # noqa: E402
    EVERYWHERE,
    QUICK,
    REGEX_BOMBS,
    RUNAWAY,
    VIRTUOSO,
)
from tests.sparql.sql import test_postgres_gate  # noqa: E402

STATEMENTS = 3_000
# What runs away is stopped after so many seconds; a bomb that does not go off ends before.
STOPPED_AFTER, ENDED_AFTER = 0.6, 20.0
_WHY = 70


class Attack(NamedTuple):
    """One attack.

    Attributes:
        kind: what it is against.
        name: what it is.
        text: the query.
        policy: what queries may do there.
        timeout: seconds that it has.
        wanted: the outcomes that are right.
    """

    kind: str
    name: str
    text: str
    policy: Policy
    timeout: float
    wanted: tuple[str, ...]


def attacks() -> Iterator[Attack]:
    """All of them."""
    stopped = ("error", "partial", "truncated")
    for name, (text, _, _) in EVERYWHERE.items():
        yield Attack("gate, any endpoint", name, text, REMOTE_POLICY, ENDED_AFTER, ("refused",))
        yield Attack("gate, Virtuoso", name, text, VIRTUOSO_POLICY, ENDED_AFTER, ("refused",))
    for name, (text, _, _) in VIRTUOSO.items():
        yield Attack("gate, Virtuoso", name, text, VIRTUOSO_POLICY, ENDED_AFTER, ("refused",))
    for name, text in RUNAWAY.items():
        yield Attack("limits", name, text, REMOTE_POLICY, STOPPED_AFTER, stopped)
    for number, text in enumerate(REGEX_BOMBS, 1):
        name = f"regular expression {number}"
        yield Attack("limits", name, text, REMOTE_POLICY, ENDED_AFTER, ("empty", "error"))


async def run(chosen: list[Attack], store: Path) -> list[tuple[Attack, Outcome, bool]]:
    """Each attack with its outcome, and whether the query after it was answered right."""
    graph = LocalGraph(store, memory=512 << 20)
    found: list[tuple[Attack, Outcome, bool]] = []
    quick = SparqlRunner(graph, REMOTE_POLICY)
    try:
        await graph.warm()
        for attack in chosen:
            runner = SparqlRunner(graph, attack.policy)
            outcome = await runner.run(Request("sparql", attack.text, 10, attack.timeout))
            after = await quick.run(Request("sparql", QUICK, 10, ENDED_AFTER))
            right = [cell.value for (cell,) in after.rows] == ["Bob"]
            found.append((attack, outcome, right))
    finally:
        await graph.close()
    return found


def sql_statements() -> Iterator[tuple[str, str, bool, Callable[[str], object]]]:
    """Dialect, statement, whether it is honest, and the gate, of every statement of SQL."""
    folder = ROOT / "tests/tables/statements"
    for dialect in ("clickhouse", "trino", "spark"):
        gate = importlib.import_module(f"groundwire.tables.{dialect}.engine").check
        for kind in ("attacks", "honest"):
            text = (folder / f"{dialect}_{kind}.txt").read_text("utf-8")
            marks = (("{port}", "9"), ("{secret}", "/etc/passwd"), ("{written}", "/tmp/gw-w"))
            for mark, value in marks:
                text = text.replace(mark, value)
            for one in text.splitlines():
                yield dialect, one, kind == "honest", gate
    for text in (*(text for text, _ in test_postgres_gate.ATTACKS), *test_postgres_gate.DISGUISED):
        yield "postgres", text, False, check_tree
    for text in (*test_postgres_gate.PASSING, *test_postgres_gate.ONLY_BY_THE_TREE):
        yield "postgres", text, True, check_tree


def at_the_gates_of_sql(rng: random.Random, fraction: float) -> Figures:
    """What share of attacks each gate refuses, and of honest statements it lets pass."""
    right: Counter[tuple[str, bool]] = Counter()
    count: Counter[tuple[str, bool]] = Counter()
    for dialect, text, is_honest, gate in sql_statements():
        if rng.random() >= fraction:
            continue
        try:
            gate(text)
            passed = True
        except Refused:
            passed = False
        count[dialect, is_honest] += 1
        right[dialect, is_honest] += passed is is_honest
        if passed is not is_honest:
            print(f"{dialect}: {'refused' if is_honest else 'THROUGH'}: {text}")
    rows = [
        (dialect, "honest" if is_honest else "attacks", number, right[dialect, is_honest])
        for (dialect, is_honest), number in count.items()
    ]
    print(table(("gate of SQL", "statements", "number", "right"), rows), end="\n\n")
    figures: Figures = {}
    for (dialect, is_honest), number in count.items():
        name = "honest_percent" if is_honest else "held_percent"
        share = round(100 * right[dialect, is_honest] / number, 2)
        figures.setdefault(f"gate, SQL of {dialect}", {})[name] = share
    return figures


def main() -> int:
    options = arguments(__doc__)
    rng = random.Random(options.seed)
    chosen = [one for one in attacks() if rng.random() < options.fraction]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "people.ttl").write_text(PEOPLE, "utf-8")
        numbers = (f"<urn:n{n}> <urn:n> {n} .\n" for n in range(STATEMENTS))
        (folder / "numbers.ttl").write_text("".join(numbers), "utf-8")
        store = build_store([folder], folder / "stores").path
        found = asyncio.run(run(chosen, store))
    held: Counter[str] = Counter()
    cases: Counter[str] = Counter()
    rows: list[tuple[str, ...]] = []
    for attack, outcome, right in found:
        cases[attack.kind] += 1
        held[attack.kind] += outcome.status in attack.wanted and right
        said = " ".join((outcome.reason or outcome.audit.result_summary).split())
        why = said if len(said) <= _WHY else f"{said[: _WHY - 1]}…"
        then = "right" if right else "WRONG"
        rows.append((attack.name, attack.kind, outcome.status, then, why))
    print(table(("attack", "against", "outcome", "next answer", "why"), rows), end="\n\n")
    shares: Figures = {
        kind: {"held_percent": round(100 * held[kind] / count, 2)} for kind, count in cases.items()
    }
    print(table(("against", "attacks", "held %"), [
        (kind, count, shares[kind]["held_percent"]) for kind, count in cases.items()
    ]))  # fmt: skip
    shares |= at_the_gates_of_sql(rng, options.fraction)
    print(f"{len(found)} attacks, {time.perf_counter() - started:.1f} s")
    short = [kind for kind, figures in shares.items() if min(figures.values()) < 100]
    for kind in short:
        print(f"not all held: {kind}")
    settled = Ratchet(__file__, lower=set()).settle(shares, options)
    return 1 if short else settled


if __name__ == "__main__":
    sys.exit(main())
