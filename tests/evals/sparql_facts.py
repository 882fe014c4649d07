"""Questions about the embedded graph of countries that `run_kg_workflow` answers, judged in Python.

    python tests/evals/sparql_facts.py                 all questions
    python tests/evals/sparql_facts.py --half seen     those that may be looked at
    python tests/evals/sparql_facts.py --show all      what failed, seen half

Outcomes are those of sparql_patterns.py.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import pyoxigraph  # noqa: E402
from mcp import Client  # noqa: E402

from groundwire.config import Settings  # noqa: E402
from groundwire.profiles import sparql_countries  # noqa: E402
from groundwire.servers import sparql  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.sparql_patterns import OUTCOMES, judge  # noqa: E402
from tests.evals.sparql_patterns_cases import Case  # noqa: E402
from tests.evals.sparql_patterns_truth import Truth, truth  # noqa: E402
from tests.evals.sparql_patterns_worlds import BASES, Lit, World  # noqa: E402

HAND = Path(__file__).parent / "sparql_facts"
_SPACES = {BASES[name]: f"{name}:" for name in ("rdf", "rdfs", "skos")}


def facts() -> World:
    """The embedded graph as a world: names are local names, those of RDF with their prefix."""
    world = World("countries")
    for s, p, o, *_ in pyoxigraph.parse(path=str(sparql_countries())):
        value = Lit(o.value, o.language or "") if isinstance(o, pyoxigraph.Literal) else _short(o)
        world.triples.append((_short(s), _short(p), value))
    return world


def _short(node: Any) -> str:
    value: str = node.value
    for space, prefix in _SPACES.items():
        if value.startswith(space):
            return prefix + value.removeprefix(space)
    return value.partition("#")[2] or value


def truth_of(world: World, spec: list[Any]) -> Truth:
    """The truth of a case: the verbs of the pattern eval, and those that know a class."""
    verb, *rest = spec
    if verb == "kinded":
        kind, start, step = rest
        members = set(world.members(kind))
        found = [s for s in world.subjects(step.removeprefix("^"), start) if s in members]
        texts = tuple(tuple(one.text for one in world.labels(name)) for name in found)
        like = members - set(found)
        return Truth("set", tuple(found), texts,
                     tuple({one.text for name in like for one in world.labels(name)}))  # fmt: skip
    if verb == "counted":
        kind, p, value = rest
        members = set(world.members(kind))
        return Truth(
            "number", number=str(len([s for s in world.subjects(p, value) if s in members]))
        )
    if verb == "figure":
        country, year = rest
        return Truth(
            "number", number=world.objects(f"population-{country}-{year}", "population")[0].text
        )
    return truth(world, spec)


def cases(world: World) -> list[Case]:
    """The cases of both halves."""
    found: list[Case] = []
    for half in ("seen", "held_out"):
        for one in tomllib.loads((HAND / f"{half}.toml").read_text("utf-8"))["case"]:
            found.append(Case("countries", one["kind"], one["language"], one["prompt"],
                              truth_of(world, one["truth"]), by_hand=True,
                              held_out=half == "held_out"))  # fmt: skip
    return found


async def _run(asked: Sequence[Case], folder: Path) -> list[tuple[dict[str, Any], float]]:
    server = sparql.build(Settings(home=folder, log_level="error"))
    told: list[tuple[dict[str, Any], float]] = []
    try:
        async with Client(server) as client:
            for case in asked:
                call = {"prompt": case.prompt, "endpoint": case.world, "limit": 60}
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
    asked = cases(facts())
    if options.half:
        asked = [c for c in asked if c.held_out == (options.half == "held_out")]
    if options.fraction < 1:
        rng = random.Random(options.seed)
        asked = [c for c in asked if rng.random() < options.fraction]
    with tempfile.TemporaryDirectory() as name:
        told = asyncio.run(_run(asked, Path(name)))
    counts: dict[str, Counter[str]] = {}
    for case, (answer, _) in zip(asked, told, strict=True):
        # A long list has no room for all its rows: it is told whole in the sentence.
        whole = {"text": answer["answer"]} if answer.get("left_out") else {}
        outcome = judge(case, answer | {"rows": [*answer["rows"], whole]})
        half = "held out" if case.held_out else "seen"
        for group in (f"kind {case.kind}", f"language {case.language}", f"half {half}", "all"):
            count = counts.setdefault(group, Counter())
            count["cases"] += 1
            count[outcome] += 1
        if outcome != "right" and not case.held_out and options.show in (case.kind, outcome, "all"):
            print(f"{outcome}: [{case.kind}] {case.prompt}\n    {answer['status']}: "
                  f"{answer['answer'][:300]}\n    expected {case.truth.kind} "
                  f"{case.truth.items or case.truth.number}")  # fmt: skip
    rows = [
        (group, n["cases"], *(n[o] for o in OUTCOMES), 100 * n["right"] / n["cases"])
        for group, n in sorted(counts.items())
    ]
    print(table(("", "cases", *OUTCOMES, "right %"), rows))
    seconds = sorted(took for _, took in told)
    print(f"p50 {seconds[len(seconds) // 2] * 1000:,.0f} ms")
    figures = {
        group: {
            "wrong": n["wrong"],
            "false_no": n["false no"],
            "right_percent": round(100 * n["right"] / n["cases"], 1),
        }
        for group, n in counts.items()
    }
    return Ratchet(__file__, lower={"wrong", "false_no"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
