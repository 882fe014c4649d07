"""Tables of metrics against brute force over the files, and sentences about tables.

Run: python tests/evals/metrics_tables.py [--fraction 0.1] [--seed 7] [--show 5] [--update]

A wrong table is one that was found and does not have the right rows; half of the templates, of
queries and of sentences, are held out of development and reported apart.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.errors import GroundwireError  # noqa: E402
from groundwire.evidence.claims.check import check  # noqa: E402
from groundwire.evidence.records import Draft, Record  # noqa: E402
from groundwire.metrics.factbase import (  # noqa: E402
    FactBase,
    Places,
    State,
)
from groundwire.metrics.table.answering import query_table  # noqa: E402
from groundwire.metrics.table.query import TableArguments  # noqa: E402
from groundwire.metrics.table.results import TableResult  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.metrics_tables_cases import Case, cases  # noqa: E402
from tests.evals.metrics_tables_drafts import drafts  # noqa: E402
from tests.evals.metrics_tables_truth import PROFILES, countries  # noqa: E402

TODAY = date(2026, 11, 21)
EACH = 60
# What such a sentence says of others than the record has is no more than not supported.
OPEN = ("bound", "widened")
LOWER = {"wrong", "false_supported", "true_contradicted_percent"}


def ask(state: State, sent: dict[str, Any]) -> tuple[TableResult | None, Draft | None, str]:
    """The answer to one call; None with the reason where it was refused as a whole."""
    try:
        result, draft = query_table(state, TableArguments(**sent), TODAY)
    except GroundwireError as refused:
        return None, None, str(refused)
    return result, replace(draft, answer=result.answer), ""


def rows_of(state: State, case: Case, result: TableResult) -> list[list[str | None]]:
    """The rows of all pages."""
    rows, page = [*(result.rows or [])], result
    while page.next_offset is not None:
        page, _, _ = ask(state, {**case.sent, "offset": page.next_offset})
        assert page is not None
        rows += page.rows or []
    return rows


def is_same(case: Case, rows: list[list[str | None]]) -> bool:
    """Whether the rows are right; rows of one value may stand in either order."""
    wanted = case.rows or []
    if rows == wanted:
        return True
    key = len(rows[0]) - 1 if rows and rows[0] else 0
    same_values = [row[key] for row in rows] == [row[key] for row in wanted]
    return same_values and sorted(map(str, rows)) == sorted(map(str, wanted))


def record_of(draft: Draft) -> Record:
    """The answer as the ledger would hold it."""
    return Record("ev", 1, "local", "query_metric_table", {}, "2026-11-21T00:00:00.000Z", draft,
                  None, None, False, "", "")  # fmt: skip


def told(
    counts: Counter[tuple[str, str, str]], said: Counter[tuple[str, str, str]]
) -> dict[str, dict[str, float]]:
    """Print both tables, and return the figures to hold."""
    figures: dict[str, dict[str, float]] = {}
    lines: list[list[object]] = []
    for kind, group in sorted({key[:2] for key in counts}):
        every, right = counts[kind, group, "all"], counts[kind, group, "right"]
        wrong = counts[kind, group, "wrong"]
        lines.append([f"{kind} ({group})", every, 100 * right / every, wrong])
        figures[f"{kind} ({group})"] = {"right_percent": 100 * right / every, "wrong": wrong}
    print(table(("tables", "cases", "right %", "wrong"), lines))
    lines = []
    for kind, group in sorted({key[:2] for key in said}):
        true, false = said[kind, group, "all true"], said[kind, group, "all false"]
        supported, against = (
            said[kind, group, "true supported"],
            said[kind, group, "true contradicted"],
        )
        caught, accepted = (
            said[kind, group, "false contradicted"],
            said[kind, group, "false supported"],
        )
        lines.append([f"{kind} ({group})", true, supported, against, false, caught, accepted])
        own = figures[f"sentence {kind} ({group})"] = {"false_supported": accepted}
        if true:
            if kind != "narrowed":  # names of groups differ too much from sample to sample
                own["true_supported_percent"] = 100 * supported / true
            own["true_contradicted_percent"] = 100 * against / true
        if false and kind not in OPEN:
            own["false_contradicted_percent"] = 100 * caught / false
    columns = (
        "sentences",
        "true",
        "supported",
        "contradicted",
        "false",
        "contradicted",
        "supported",
    )
    print(table(columns, lines))
    return figures


def main() -> int:
    options = arguments(__doc__, show=(3, "how many failures to print of each kind"))
    world = countries()
    counts: Counter[tuple[str, str, str]] = Counter()
    said: Counter[tuple[str, str, str]] = Counter()
    shown: Counter[str] = Counter()
    base = FactBase(Places(PROFILES / "metrics.toml", None, Path(tempfile.mkdtemp())))
    state = base.state()

    def show(kind: str, *what: object) -> None:
        shown[kind] += 1
        if shown[kind] <= options.show:
            print(kind, *what)

    for case in cases(options.seed, max(3, int(EACH * options.fraction)), world):
        group = "held out" if case.held else "known"
        result, draft, refusal = ask(state, case.sent)
        key = (case.kind, group)
        counts[(*key, "all")] += 1
        if result is None or draft is None:
            show(f"refused {case.kind} {group}", case.sent, refusal)
            continue
        rows = rows_of(state, case, result) if result.status == "found" else None
        right = result.status == case.status and (rows is None or is_same(case, rows))
        counts[(*key, "right")] += right
        wrong = rows is not None and not right
        counts[(*key, "wrong")] += wrong
        if not right:
            show(
                f"{case.kind} {group}",
                case.sent,
                result.answer[:200],
                (rows or [])[:3],
                (case.rows or [])[:3],
            )
        if not right or result.status != "found":
            continue
        rng = random.Random(f"{options.seed}/{case.sent}")
        record = record_of(draft)
        whole = check(result.answer, [record])
        said["own answer", "known", "all true"] += 1
        said["own answer", "known", "true supported"] += whole.verdict == "supported"
        for one in drafts(rng, case, world):
            verdict = check(one.text, [record]).verdict
            apart = "held out" if one.held else "known"
            truth = "true" if one.true else "false"
            said[one.kind, apart, f"all {truth}"] += 1
            said[one.kind, apart, f"{truth} {verdict}"] += 1
            if verdict != ("supported" if one.true else "contradicted"):
                show(f"{truth} {one.kind} {apart} {verdict}", one.text)
    base.close()
    figures = told(counts, said)
    return Ratchet(__file__, lower=LOWER).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
