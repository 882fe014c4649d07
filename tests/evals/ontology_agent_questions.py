"""Whether the ontology agent answers what a question means: names, references, aggregates, zeros.

Questions over the embedded catalogue stand in ontology_agent_questions.toml with the calls that
mean the same. Thirty were seen while the rules were written; twice thirty were held out and looked
at when the rules were mended; the others are unread. The agent answers by its rules, above the real
server. An answer is right if the search behind it was applied as one of those calls is; it is
reported if something of the question is told as not understood or not searched; else it is wrong. A
question that has no right call is right when it is reported.

Run: python tests/evals/ontology_agent_questions.py [--show 20] [--unread 20] [--update]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.evals._report import Ratchet, arguments, table
from tests.evals.agents_world import World

AGENT = "ontology_search_agent"
RIGHT, REPORTED, WRONG = "right", "reported", "wrong"
LEAST_RIGHT, MOST_WRONG = 80.0, 1.0
_QUESTIONS = Path(__file__).with_suffix(".toml")


def _meant(applied: Any) -> str:
    """What was searched, without how many of the assets are shown."""
    if isinstance(applied, dict):
        kept = {key: value for key, value in applied.items() if key != "limit"}
        return json.dumps(kept, sort_keys=True)
    return ""


def _applied(world: World, call: dict[str, Any]) -> str:
    """What the server applies of a call that means the question.

    A call that the server does not take means nothing that an answer could be equal to.
    """
    made = world.runner.run(
        world.registry.call("submit_slots", {"interpretation": "The question.", **call})
    )
    data = made.data if isinstance(made.data, dict) else {}
    return _meant(data.get("applied")) if data.get("status") in ("results", "empty") else ""


def judged(world: World, asked: dict[str, Any]) -> tuple[str, str]:
    """The outcome of one question, and what the agent said."""
    output = world.ask(AGENT, asked["text"])
    result = output.result if isinstance(output.result, dict) else {}
    said = str(result.get("answer", output.error))
    searched = result.get("status") in ("results", "empty")
    if not searched or result.get("gaps") or result.get("confidence") == "low":
        return (REPORTED if "right" in asked else RIGHT), said
    meant = {_applied(world, call) for call in asked.get("right", ())} - {""}
    applied = _meant(result.get("applied"))
    return (RIGHT if applied in meant else WRONG), f"{applied} {said}"


def main() -> int:
    options: argparse.Namespace = arguments(
        __doc__,
        show=(0, "questions that were not read right to print"),
        unread=(0, "the same of those unread: not for tuning"),
    )
    questions = tomllib.loads(_QUESTIONS.read_text("utf-8"))["questions"]
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    lines: dict[bool, list[str]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as home:
        world = World(Path(home))
        try:
            for asked in questions:
                part = next((one for one in ("unread", "held_out") if asked.get(one)), "seen")
                part = part.replace("_", " ")
                outcome, said = judged(world, asked)
                for name in (f"{asked['kind']} ({part})", f"{part}, {asked['language']}", part):
                    tallies[name][outcome] += 1
                if outcome != RIGHT:
                    first = said.partition("\n")[0]
                    lines[part == "unread"].append(f"{outcome}: {asked['text']} -> {first[:400]}")
        finally:
            world.close()
    columns = ("class", "questions", RIGHT, REPORTED, WRONG)
    rows = [
        (name, count.total(), count[RIGHT], count[REPORTED], count[WRONG])
        for name, count in sorted(tallies.items())
    ]
    print(table(columns, rows))
    print(*lines[False][: options.show], *lines[True][: options.unread], sep="\n")
    figures = {
        name: {"right": count[RIGHT], "wrong": count[WRONG]} for name, count in tallies.items()
    }
    failed = any(
        100 * tallies[part][WRONG] > MOST_WRONG * tallies[part].total()
        or 100 * tallies[part][RIGHT] < LEAST_RIGHT * tallies[part].total()
        for part in ("seen", "held out", "unread")
    )
    settled = Ratchet(__file__, lower={"wrong"}).settle(figures, options)
    return 1 if failed else settled


if __name__ == "__main__":
    sys.exit(main())
