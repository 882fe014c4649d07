"""Questions with no endpoint named, put to the workflow's tool and to the agent.

    python tests/evals/sparql_endpoints.py                 all questions
    python tests/evals/sparql_endpoints.py --half seen     those that may be looked at
    python tests/evals/sparql_endpoints.py --show all      what failed, seen half

The graphs are the embedded ones: the default endpoint holds help and a catalogue, in which
countries are but names; `countries` holds their facts. Outcomes are those of sparql_runs.py. A no
that does not name both graphs is counted as "unnamed no", whatever else it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_worlds import Call, opened  # noqa: E402
from tests.evals.sparql_facts import facts  # noqa: E402
from tests.evals.sparql_facts import truth_of as fact_of  # noqa: E402
from tests.evals.sparql_patterns import judge  # noqa: E402
from tests.evals.sparql_patterns_cases import Case  # noqa: E402
from tests.evals.sparql_patterns_worlds import World  # noqa: E402
from tests.evals.sparql_runs import Answer, Put, asks, settle, whole_rows  # noqa: E402
from tests.evals.sparql_shapes import outcome  # noqa: E402
from tests.evals.sparql_shapes_cases import Question  # noqa: E402
from tests.evals.sparql_shapes_truth import Shape, shape  # noqa: E402

HAND = Path(__file__).with_suffix("")
GRAPHS = ("default", "countries")
_FACTS = ("kinded", "counted", "figure")
_CUT = re.compile(r"(\d+) (?:in all|insgesamt)\b")
_LINK = re.compile(r"\]\([^)]*\)|<[^>]*>")


def questions() -> list[Put]:
    """Make the questions of both halves, each for the tool and for the agent."""
    world = facts()
    found: list[Put] = []
    for half in ("seen", "held_out"):
        for one in tomllib.loads((HAND / f"{half}.toml").read_text("utf-8"))["case"]:
            found += [_put(world, one, half, asked) for asked in ("tool", "agent")]
    return found


def _put(world: World, one: dict[str, Any], half: str, asked: str) -> Put:
    spec = one["truth"]
    truth = Shape(fact_of(world, spec)) if spec[0] in _FACTS else shape(world, spec)
    question = Question("countries", one["kind"], one["language"], one["prompt"], truth,
                        half == "held_out", by_hand=True)  # fmt: skip

    case = Case("countries", one["kind"], one["language"], one["prompt"], truth.truth, by_hand=True)

    def judge_answer(answer: Answer) -> str:
        if spec[0] in (*_FACTS, "value"):
            return judge(case, whole_rows(answer))
        if cut := _CUT.search(answer["answer"]):
            # A list that says how many it has left out is judged by those that it has.
            texts = tuple(of for of in truth.truth.texts if any(t in answer["answer"] for t in of))
            is_counted = int(cut[1]) == len(truth.truth.texts) and len(texts) > 2
            part = replace(truth.truth, texts=texts)
            return judge(replace(case, truth=part), answer) if is_counted else "wrong"
        return outcome(question, answer)

    def marks(answer: Answer) -> Iterable[str]:
        text = f"{answer['answer']} {answer.get('markdown', '')}"
        if answer["status"] != "answered" and not all(graph in text for graph in GRAPHS):
            yield "unnamed no"

    groups = (f"{asked}, {half}", f"kind {one['kind']}", f"language {one['language']}")
    call = (
        {"prompt": one["prompt"], "limit": 60} if asked == "tool" else {"question": one["prompt"]}
    )
    expected = f"{truth.truth.kind} {truth.truth.items or truth.truth.number}"
    return Put(call, groups, half == "held_out", expected, judge_answer, marks)


def ask(puts: Sequence[Put], folder: Path) -> list[tuple[Answer, float]]:
    """Put each question to whom it is for."""
    tools = [put for put in puts if "prompt" in put.call]
    agents = [put for put in puts if "question" in put.call]
    told = dict(zip(map(id, tools), asks()(tools, folder), strict=True))
    told |= dict(zip(map(id, agents), asyncio.run(_agent(agents, folder)), strict=True))
    return [told[id(put)] for put in puts]


async def _agent(puts: Sequence[Put], folder: Path) -> list[tuple[Answer, float]]:
    told: list[tuple[Answer, float]] = []
    async with opened(folder / "agents") as house:
        for put in puts:
            begun = perf_counter()
            output = await house.call(Call("agents", "kg_agent", put.call))
            told.append((_as_tool(dict(output)), perf_counter() - begun))
    return told


def _as_tool(output: Answer) -> Answer:
    """Return an agent's answer with the fields that are judged; a reader has its text alone."""
    text = _LINK.sub("", str(output["answer"])).replace("\\", "")
    status = (output.get("result") or {}).get("status", "error")
    return {"status": status, "answer": text.partition("\n")[0], "markdown": text,
            "rows": [{"text": text}]}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    logging.disable(logging.CRITICAL)
    return settle(__file__, __doc__, questions, ask, shares=False, marks=("unnamed no",), argv=argv)


if __name__ == "__main__":
    sys.exit(main())
