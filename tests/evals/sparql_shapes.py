"""Questions that join, rank, compare in three and deny, which `run_kg_workflow` answers by pattern.

    python tests/evals/sparql_shapes.py                  all questions
    python tests/evals/sparql_shapes.py --half seen      those that may be looked at
    python tests/evals/sparql_shapes.py --show all       what failed, seen half (a kind, an outcome)

Outcomes are those of sparql_patterns.py; where the graph can say a thing only in part, a refusal is
right too.
"""

from __future__ import annotations

import asyncio
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from mcp import Client  # noqa: E402

from groundwire.config import Settings  # noqa: E402
from groundwire.profiles import sparql_countries  # noqa: E402
from groundwire.servers import sparql  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.sparql_facts import facts  # noqa: E402
from tests.evals.sparql_patterns import OUTCOMES, judge  # noqa: E402
from tests.evals.sparql_patterns_cases import Case  # noqa: E402
from tests.evals.sparql_patterns_worlds import geography  # noqa: E402
from tests.evals.sparql_shapes_cases import Question, questions  # noqa: E402

_REGISTRY = """default_endpoint = "countries"
fallback_endpoints = []
[[endpoints]]
name = "countries"
files = ["{countries}"]
[[endpoints]]
name = "geography"
files = ["{geography}"]
"""


def outcome(question: Question, answer: dict[str, Any]) -> str:
    """What a reader of the answer takes away."""
    # A long list has no room for all its rows: it is told whole in the sentence.
    whole = {"text": answer["answer"]} if answer.get("left_out") else {}
    told = answer | {"rows": [*answer.get("rows", ()), whole]}
    expected = question.shape.truth
    if told["status"] == "answered":
        if expected.kind == "values":
            return "right" if _holds_values(expected.texts, told) else "wrong"
        if expected.kind == "number":
            # The count stands first; what is counted follows, with its values.
            first = re.search(r"\d[\d,.]*(?<=\d)", told["answer"])
            return "right" if first and first[0] == expected.number else "wrong"
        if expected.kind == "compare":
            first = min(
                (at for t in expected.texts[0] if (at := told["answer"].find(t)) >= 0), default=-1
            )
            others = [p for p in expected.pool if 0 <= told["answer"].find(p) < first]
            return "right" if first >= 0 and not others else "wrong"
    case = Case(question.world, question.kind, question.language, question.prompt, expected,
                by_hand=question.by_hand, held_out=question.held_out)  # fmt: skip
    judged = judge(case, told)
    if question.shape.may_refuse and judged in ("asked", "refused"):
        return "right"
    return judged


def _holds_values(texts: tuple[tuple[str, ...], ...], told: dict[str, Any]) -> bool:
    """Every value is told, a number in whatever grouping of its digits."""
    rows = " | ".join(str(row.get("text", "")) for row in told["rows"])
    text = re.sub(r"(?<=\d)[,.\u202f\u00a0 ](?=\d{3}\b)", "", f"{told['answer']} | {rows}")
    return all(any(t in text for t in one) for one in texts)


async def _run(asked: Sequence[Question], folder: Path) -> list[tuple[dict[str, Any], float]]:
    registry = folder / "endpoints.toml"
    registry.write_text(
        _REGISTRY.format(countries=sparql_countries(), geography=geography().write(folder)),
        "utf-8",
    )
    server = sparql.build(Settings(home=folder / "home", endpoints=registry, log_level="error"))
    told: list[tuple[dict[str, Any], float]] = []
    try:
        async with Client(server) as client:
            for one in asked:
                call = {"prompt": one.prompt, "endpoint": one.world, "limit": 60}
                begun = perf_counter()
                answer = await client.call_tool("run_kg_workflow", call)
                assert answer.structured_content is not None, answer.content
                told.append((answer.structured_content, perf_counter() - begun))
    finally:
        server.close()
    return told


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(
        __doc__, argv, half=("", "seen or held_out"), show=("", "outcome or kind to print, or all")
    )
    asked = questions(facts(), geography())
    if options.half:
        asked = [one for one in asked if one.held_out == (options.half == "held_out")]
    if options.fraction < 1:
        rng = random.Random(options.seed)
        asked = [one for one in asked if rng.random() < options.fraction]
    with tempfile.TemporaryDirectory() as name:
        told = asyncio.run(_run(asked, Path(name)))
    counts: dict[str, Counter[str]] = {}
    for one, (answer, _) in zip(asked, told, strict=True):
        judged = outcome(one, answer)
        half = "held out" if one.held_out else "seen"
        hand = (f"by hand {half}",) if one.by_hand else (f"by template {half}",)
        for group in (f"kind {one.kind}", f"language {one.language}", f"half {half}", "all", *hand):
            count = counts.setdefault(group, Counter())
            count["cases"] += 1
            count[judged] += 1
        if judged != "right" and not one.held_out and options.show in (one.kind, judged, "all"):
            print(f"{judged}: {one.world} [{one.kind}] {one.prompt}\n    {answer['status']}: "
                  f"{answer['answer'][:300]}\n    expected {one.shape.truth.kind} "
                  f"{one.shape.truth.items or one.shape.truth.number}")  # fmt: skip
    rows = [
        (group, n["cases"], *(n[o] for o in OUTCOMES), 100 * n["right"] / n["cases"])
        for group, n in sorted(counts.items())
    ]
    print(table(("", "cases", *OUTCOMES, "right %"), rows))
    seconds = sorted(took for _, took in told)
    print(f"p50 {seconds[len(seconds) // 2] * 1000:,.0f} ms, "
          f"p95 {seconds[int(len(seconds) * 0.95)] * 1000:,.0f} ms")  # fmt: skip
    # Kinds hold few cases, so that a sample must not be held to their shares.
    figures = {
        group: {
            "not_right": n["cases"] - n["right"],
            "wrong": n["wrong"],
            "false_no": n["false no"],
        }
        for group, n in counts.items()
    }
    return Ratchet(__file__, lower={"wrong", "false_no", "not_right"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
