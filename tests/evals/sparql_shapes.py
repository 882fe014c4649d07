"""Questions that join, rank, compare in three and deny, which `run_kg_workflow` answers by pattern.

    python tests/evals/sparql_shapes.py                  all questions
    python tests/evals/sparql_shapes.py --half seen      those that may be looked at
    python tests/evals/sparql_shapes.py --show all       what failed, seen half (a kind, an outcome)

Outcomes are those of sparql_patterns.py; where the graph can say a thing only in part, a refusal is
right too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.profiles import sparql_countries  # noqa: E402
from tests.evals.sparql_facts import facts  # noqa: E402
from tests.evals.sparql_patterns import judge  # noqa: E402
from tests.evals.sparql_patterns_cases import Case  # noqa: E402
from tests.evals.sparql_patterns_worlds import geography  # noqa: E402
from tests.evals.sparql_runs import Put, asks, settle, whole_rows  # noqa: E402
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
    told = whole_rows(answer)
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


def puts() -> list[Put]:
    """Make the questions of both halves."""
    return [_put(one) for one in questions(facts(), geography())]


def _put(one: Question) -> Put:
    half = "held out" if one.held_out else "seen"
    hand = f"by {'hand' if one.by_hand else 'template'} {half}"
    return Put(
        {"prompt": one.prompt, "endpoint": one.world, "limit": 60},
        (f"kind {one.kind}", f"language {one.language}", hand),
        one.held_out,
        f"{one.shape.truth.kind} {one.shape.truth.items or one.shape.truth.number}",
        lambda answer: outcome(one, answer),
    )


def registry(folder: Path) -> str:
    """Write the invented geography into a folder and return the registry of both graphs."""
    return _REGISTRY.format(countries=sparql_countries(), geography=geography().write(folder))


def main(argv: Sequence[str] | None = None) -> int:
    # Kinds hold few cases, so that a sample must not be held to their shares.
    return settle(__file__, __doc__, puts, asks(registry), shares=False, argv=argv)


if __name__ == "__main__":
    sys.exit(main())
