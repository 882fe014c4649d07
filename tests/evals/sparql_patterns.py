"""Questions that `run_kg_workflow` answers by pattern, over four graphs, judged by plain Python.

    python tests/evals/sparql_patterns.py                    all cases
    python tests/evals/sparql_patterns.py --half seen        those that may be looked at
    python tests/evals/sparql_patterns.py --show "two hops"  failing cases of a kind, seen half

Outcomes: right; wrong (told as `answered`); false no (nothing is said to be held, and it is); asked
and refused (fair where the case has no answer, which counts as right, and a loss where it has one).
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
from groundwire.servers import sparql  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.sparql_patterns_cases import Case, cases  # noqa: E402
from tests.evals.sparql_patterns_worlds import World, worlds  # noqa: E402

OUTCOMES = ("right", "wrong", "false no", "asked", "refused")
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


async def _run(asked: Sequence[Case], held: dict[str, World], folder: Path) -> list[Any]:
    lines = [_REGISTRY]
    for name, world in held.items():
        lines.append(f'[[endpoints]]\nname = "{name}"\nfiles = ["{world.write(folder)}"]\n')
    registry = folder / "endpoints.toml"
    registry.write_text("".join(lines), "utf-8")
    server = sparql.build(Settings(home=folder / "home", endpoints=registry, log_level="error"))
    told: list[Any] = []
    try:
        async with Client(server) as client:
            for case in asked:
                call: dict[str, Any] = {"prompt": case.prompt, "endpoint": case.world}
                if case.triples:
                    call["triples"] = list(case.triples)
                begun = perf_counter()
                answer = await client.call_tool("run_kg_workflow", call)
                assert answer.structured_content is not None, answer.content
                told.append((answer.structured_content, perf_counter() - begun))
    finally:
        server.close()
    return told


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(
        __doc__, argv, half=("", "seen or held_out"), show=("", "kind whose failures are printed")
    )
    held = worlds()
    asked = cases(held)
    if options.half:
        asked = [c for c in asked if c.held_out == (options.half == "held_out")]
    if options.fraction < 1:
        rng = random.Random(options.seed)
        asked = [c for c in asked if rng.random() < options.fraction]
    with tempfile.TemporaryDirectory() as name:
        told = asyncio.run(_run(asked, held, Path(name)))
    counts: dict[tuple[str, ...], Counter[str]] = {}
    for case, (answer, _) in zip(asked, told, strict=True):
        outcome = judge(case, answer)
        groups = [("kind", case.kind), ("language", case.language), ("all", "all")]
        groups.append(("half", "held out" if case.held_out else "seen"))
        if case.by_hand:
            groups.append(("by hand", "held out" if case.held_out else "seen"))
        for group in groups:
            count = counts.setdefault(group, Counter())
            count["cases"] += 1
            count[outcome] += 1
            if case.truth.answerable:
                count["answerable"] += 1
                count["answered right"] += outcome == "right"
        if outcome != "right" and not case.held_out and options.show in (case.kind, outcome, "all"):
            print(f"{outcome}: {case.world} [{case.kind}] {case.prompt}\n    {answer['status']}:"
                  f" {answer['answer'][:220]}\n    expected {case.truth.kind}"
                  f" {case.truth.items or case.truth.number}")  # fmt: skip
    rows = [
        (" ".join(dict.fromkeys(group)), n["cases"], *(n[o] for o in OUTCOMES),
         100 * n["answered right"] / n["answerable"] if n["answerable"] else "-")
        for group, n in sorted(counts.items())
    ]  # fmt: skip
    print(table(("", "cases", *OUTCOMES, "right of answerable %"), rows))
    seconds = sorted(took for _, took in told)
    print(f"p50 {seconds[len(seconds) // 2] * 1000:,.0f} ms, "
          f"p95 {seconds[int(len(seconds) * 0.95)] * 1000:,.0f} ms")  # fmt: skip
    figures = {
        " ".join(group): {
            "wrong": n["wrong"],
            "false_no": n["false no"],
            "right_percent": round(100 * n["right"] / n["cases"], 1),
        }
        for group, n in counts.items()
    }
    return Ratchet(__file__, lower={"wrong", "false_no"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
