"""Questions about the embedded graph of countries that `run_kg_workflow` answers, judged in Python.

    python tests/evals/sparql_facts.py                 all questions
    python tests/evals/sparql_facts.py --half seen     those that may be looked at
    python tests/evals/sparql_facts.py --show all      what failed, seen half

Outcomes are those of sparql_patterns.py.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import pyoxigraph  # noqa: E402

from groundwire.profiles import sparql_countries  # noqa: E402
from tests.evals.sparql_patterns import judge  # noqa: E402
from tests.evals.sparql_patterns_cases import Case  # noqa: E402
from tests.evals.sparql_patterns_truth import Truth, truth  # noqa: E402
from tests.evals.sparql_patterns_worlds import BASES, Lit, World  # noqa: E402
from tests.evals.sparql_runs import Put, asks, settle, whole_rows  # noqa: E402

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


def puts() -> list[Put]:
    """Make the questions of both halves."""
    return [_put(one) for one in cases(facts())]


def _put(case: Case) -> Put:
    return Put(
        {"prompt": case.prompt, "endpoint": case.world, "limit": 60},
        (f"kind {case.kind}", f"language {case.language}"),
        case.held_out,
        f"{case.truth.kind} {case.truth.items or case.truth.number}",
        lambda answer: judge(case, whole_rows(answer)),
    )


def main(argv: Sequence[str] | None = None) -> int:
    return settle(__file__, __doc__, puts, asks(), shares=True, argv=argv)


if __name__ == "__main__":
    sys.exit(main())
