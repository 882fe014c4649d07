"""Questions that `run_kg_workflow` answers by pattern, over four graphs, judged by plain Python.

    python tests/evals/sparql_patterns.py                    all cases
    python tests/evals/sparql_patterns.py --half seen        those that may be looked at
    python tests/evals/sparql_patterns.py --show "two hops"  failing cases of a kind, seen half

Outcomes: right; wrong (told as `answered`); false no (nothing is said to be held, and it is); asked
and refused (fair where the case has no answer, which counts as right, and a loss where it has one).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.sparql_patterns_cases import Case, cases  # noqa: E402
from tests.evals.sparql_patterns_worlds import worlds  # noqa: E402
from tests.evals.sparql_runs import Put, asks, settle  # noqa: E402

_REGISTRY = """default_endpoint = "default"
fallback_endpoints = []
[[endpoints]]
name = "default"
url = "local:help"
"""
_NOTHING = re.compile(
    r"no statement of this kind|has no answer|not stated|holds nothing|nichts dergleichen"
    r"|keine Aussage dieser Art|没有这类陈述",
    re.IGNORECASE,
)
_YES = re.compile(r"(yes|ja)\b|是(?!否)", re.IGNORECASE)
_NO = re.compile(r"(no|nein)\b(?! statement)|否|不是|不[，。]", re.IGNORECASE)


def judge(case: Case, told: dict[str, Any]) -> str:
    """The outcome of one case, by what a reader of the answer takes away."""
    status, expected = told["status"], case.truth
    sentence = told["answer"]
    rows = " | ".join(str(row.get("text", "")) for row in told.get("rows", ()))
    if status == "answered":
        if not expected.answerable:
            return "wrong"
        return "right" if _holds(case, sentence, rows) else "wrong"
    nothing = _NOTHING.search(sentence)
    if expected.answerable:
        if nothing or _NO.match(sentence):
            return "false no"
        return "asked" if status == "needs_decision" else "refused"
    if expected.kind == "unstated":
        return "right" if nothing else "refused"
    if expected.kind == "asked":
        everything = " ".join((sentence, rows, str(told.get("question", ""))))
        return "right" if any(t in everything for t in expected.texts[0]) else "refused"
    return "right"


def _holds(case: Case, sentence: str, rows: str) -> bool:
    expected = case.truth
    if expected.kind in ("yes", "no"):
        return bool((_YES if expected.kind == "yes" else _NO).match(sentence))
    if expected.kind == "number":
        plain = re.sub(r"(?<=\d)[,.  ](?=\d{3}\b)", "", sentence)
        asked = re.sub(r"(?<=\d)[,.](?=\d{3}\b)", "", case.prompt)
        numbers = re.findall(r"\d[\d-]*", plain)
        named = re.findall(r"\d+", asked)
        return expected.number in numbers and not [
            n for n in numbers if n != expected.number and n not in named and len(n) > 1
        ]
    if expected.kind == "compare":
        first = min(
            (at for texts in expected.texts for t in texts if (at := sentence.find(t)) >= 0),
            default=-1,
        )
        others = [p for p in expected.pool if 0 <= sentence.find(p) < first]
        return first >= 0 and not others and sentence.find(" or ") < 0
    text = f"{sentence} | {rows}"
    places: list[int] = []
    for texts in expected.texts:
        at = [rows.find(t) for t in texts if t in rows]
        if not at:
            return False
        places.append(min(at))
    if expected.kind == "list" and places != sorted(places):
        return False
    for mine in sorted((t for texts in expected.texts for t in texts), key=len, reverse=True):
        text = text.replace(mine, " ")
    question = case.prompt.casefold()
    for like in sorted(expected.pool, key=len, reverse=True):
        if like.casefold() not in question and re.search(rf"(?<!\w){re.escape(like)}(?!\w)", text):
            return False
    return True


def puts() -> list[Put]:
    """Make the questions of both halves."""
    return [_put(one) for one in cases(worlds())]


def _put(case: Case) -> Put:
    half = "held out" if case.held_out else "seen"
    call: dict[str, Any] = {"prompt": case.prompt, "endpoint": case.world}
    if case.triples:
        call["triples"] = list(case.triples)
    hand = (f"by hand {half}",) if case.by_hand else ()
    answerable = ("answerable",) if case.truth.answerable else ()
    return Put(
        call,
        (f"kind {case.kind}", f"language {case.language}", *hand, *answerable),
        case.held_out,
        f"{case.truth.kind} {case.truth.items or case.truth.number}",
        lambda answer: judge(case, answer),
    )


def registry(folder: Path) -> str:
    """Write the graphs into a folder and return their registry."""
    lines = [_REGISTRY]
    for name, world in worlds().items():
        lines.append(f'[[endpoints]]\nname = "{name}"\nfiles = ["{world.write(folder)}"]\n')
    return "".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    return settle(__file__, __doc__, puts, asks(registry), shares=True, argv=argv)


if __name__ == "__main__":
    sys.exit(main())
