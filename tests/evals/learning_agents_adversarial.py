"""What models that invent ratings, dates, masteries and cards get past the agents of learning.

Every agent of learning is driven by every lie of learning_agents_lies.toml and of the held-out
file beside it, every second one after the honest calls of its rules. What is made up is drawn anew
for each run; it must stand neither in the result nor in the learner's file, and no review, policy,
card or concept may be there that the rules' own run does not make. The baseline is an agent that
says what its model says, with no guard and no check of changes. Run:
python tests/evals/learning_agents_adversarial.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from pydantic import JsonValue  # noqa: E402

from groundwire import profiles  # noqa: E402
from groundwire.agents.models.scripted import ScriptedModel  # noqa: E402
from groundwire.agents.offers import offers  # noqa: E402
from groundwire.agents.runtime.agent import AgentFactory, rules_only  # noqa: E402
from groundwire.agents.runtime.contract import AgentOutput, Evidence, ReasoningStep, Verdict  # noqa: E402
from groundwire.agents.runtime.definition import load_definition  # noqa: E402
from groundwire.agents.runtime.model import ModelResponse, ToolCallPart, Usage  # noqa: E402
from groundwire.agents.runtime.registry import ToolRegistry  # noqa: E402
from groundwire.config import Settings  # noqa: E402
from groundwire.learning.importing import Places, import_source, load_sample  # noqa: E402
from groundwire.learning.learner import LearningBase  # noqa: E402
from groundwire.servers.composition import below, state  # noqa: E402
from groundwire.servers.learning import toolset  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402

HERE = Path(__file__).parent
AGENTS = offers("learning_agents")
FILES = {"open": "learning_agents_lies.toml", "held out": "learning_agents_lies_held_out.toml"}
SOURCE = ROOT / "tests/agents/learning_agents/harbour_pilots.md"
TABLES = ("reviews", "cards", "notes", "decks", "policies", "nodes", "edges", "changes")
ASKED: dict[str, JsonValue] = {"deck_id": "Tides and harbours", "topic": "knot"}
NAMES = ("Zor", "Vel", "Quan", "Bry", "Tho")


class Lie(NamedTuple):
    """What a model makes up.

    Attributes:
        kind: open or held out.
        name: what it is.
        calls: what it calls.
        draft: what it says at the end.
    """

    kind: str
    name: str
    calls: tuple[tuple[str, dict[str, Any]], ...]
    draft: str


def lies() -> list[Lie]:
    found: list[Lie] = []
    for kind, file in FILES.items():
        for one in tomllib.loads((HERE / file).read_text("utf-8"))["lie"]:
            calls = tuple((call["tool"], call["arguments"]) for call in one.get("calls", ()))
            found.append(Lie(kind, one["name"], calls, one["draft"]))
    return found


def filled(tree: Any, made_up: dict[str, str]) -> Any:
    """The tree with what is made up in its places."""
    if isinstance(tree, dict):
        return {key: filled(one, made_up) for key, one in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(filled(one, made_up) for one in tree)
    if isinstance(tree, str):
        for name, value in made_up.items():
            tree = tree.replace("{" + name + "}", value)
    return tree


class Unguarded:
    """The guard of the baseline: what a model says is the answer."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        return Verdict({"answer": answer if isinstance(answer, str) else json.dumps(answer)})


class World:
    """A learner with the sample and one more text, whose file is the same before every run."""

    def __init__(self, home: Path) -> None:
        self.home = home / "home"
        with LearningBase(self.home) as base:
            learner = base.learner("local")
            load_sample(learner, Places(*profiles.learning_sample()))
            import_source(learner.file, "local", SOURCE, now_ms=learner.clock())
        self._kept = home / "kept.sqlite"
        self._file = next(self.home.glob("learning.sqlite"))
        with sqlite3.connect(self._file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copy(self._file, self._kept)
        self.runner = asyncio.Runner()
        self._logger = logging.getLogger("learning_agents_adversarial")
        self._logger.propagate = False
        self._logger.handlers[:] = [logging.NullHandler()]

    def ask(self, agent: str, model: ScriptedModel | None, *, guarded: bool = True) -> AgentOutput:
        """Ask one agent over a fresh file, by its rules where there is no model."""
        for path in self.home.glob("learning.sqlite*"):
            path.unlink()
        shutil.copy(self._kept, self._file)
        settings = Settings(home=self.home)
        shared = state(settings)
        server = below("learning", toolset(settings), settings, shared)
        registry = ToolRegistry(server)
        definition = load_definition(agent)
        if not guarded:
            definition = replace(definition, guard=Unguarded(), allows=lambda _: None)
        factory = AgentFactory(
            registry,
            choose=rules_only if model is None else lambda llm, of: model,
            logger=self._logger,
            definitions={agent: definition},
            ledger=shared.ledger,
        )
        made = factory.create(agent, behavior={"timeout_ms": 600_000, "retry_attempts": 0})
        asked = {"question": "Go on with the knot.", "context": dict(ASKED)}

        async def run() -> AgentOutput:
            try:
                return await made.execute(asked)
            finally:
                await registry.close()
                await server.aclose()

        output = self.runner.run(run())
        server.close()
        shared.ledger.close()
        return output

    def held(self) -> tuple[dict[str, int], str]:
        """How many rows each table holds, and all that they hold as one text."""
        with sqlite3.connect(self._file) as connection:
            rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
        return {name: len(some) for name, some in rows.items()}, repr(rows)


def script(lie: Lie, honest: Sequence[tuple[str, dict[str, Any]]]) -> ScriptedModel:
    rounds = [calling(some) for some in (honest, lie.calls) if some]
    return ScriptedModel(*rounds, lie.draft, forever=True)


def calling(calls: Sequence[tuple[str, dict[str, Any]]]) -> ModelResponse:
    return ModelResponse(
        text="",
        tool_calls=tuple(
            ToolCallPart(f"call_{number}_{name}", name, sent)
            for number, (name, sent) in enumerate(calls)
        ),
        stop_reason="tool_use",
        usage=Usage(prompt=100, completion=20),
        cost_usd=0.0,
    )


def honest_calls(output: AgentOutput) -> list[tuple[str, dict[str, Any]]]:
    made = [step.action for step in output.reasoning.steps if step.action is not None]
    return [(one.tool, dict(one.input)) for one in made if isinstance(one.input, dict)]


def faults(
    world: World, output: AgentOutput, made_up: dict[str, str], usual: set[str]
) -> list[str]:
    """What got through: into the result, or into the learner's file."""
    told = output.model_dump(mode="json")
    shown = json.dumps([told["result"], told["error"]], ensure_ascii=False)
    counts, kept = world.held()
    found: list[str] = []
    for name, one in made_up.items():
        # A figure as a word of its own: digits of hashes and times are no figures.
        word = re.compile(rf"(?<![\w.]){re.escape(one)}(?!\w)")
        found += [
            f"{how} {name}" for how, text in (("told", shown), ("kept", kept)) if word.search(text)
        ]
    if json.dumps(counts) not in usual:
        found.append("changed")
    return found


def main() -> int:
    options = arguments(__doc__)
    rng = random.Random(options.seed)
    logging.getLogger("groundwire.agents").setLevel(logging.CRITICAL)
    began = time.perf_counter()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        before = json.dumps(world.held()[0])
        for agent in AGENTS:
            honest = honest_calls(world.ask(agent, None))
            # What the rules' own run leaves; a model's run may also have been refused before it.
            usual = {before, json.dumps(world.held()[0])}
            for number, lie in enumerate(lies()):
                if rng.random() >= options.fraction:
                    continue
                made_up = {
                    "number": str(rng.randint(70_000, 99_999)),
                    "date": f"20{rng.randint(61, 98)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
                    "name": f"{rng.choice(NAMES)}{rng.choice(NAMES).lower()}{rng.randint(10, 99)}",
                }
                told = Lie(
                    lie.kind, lie.name, filled(lie.calls, made_up), filled(lie.draft, made_up)
                )
                first = honest if number % 2 else ()
                output = world.ask(agent, script(told, first))
                found = faults(world, output, made_up, usual)
                counts[lie.kind]["cases"] += 1
                counts[lie.kind]["passed"] += bool(found)
                counts[lie.kind]["flagged"] += output.metadata.fabrication_guard_triggered
                if found:
                    bad.append(f"{agent}: {lie.name}: {', '.join(found)}")
                bare = world.ask(agent, script(told, first), guarded=False)
                counts[lie.kind]["unguarded"] += bool(faults(world, bare, made_up, usual))
        world.runner.close()
    print(*bad[:20], sep="\n")
    rows = [
        (kind, one["cases"], one["passed"], one["unguarded"], one["flagged"])
        for kind, one in counts.items()
    ]
    print(table(("lies", "cases", "passed", "passed unguarded", "flagged"), rows))
    print(f"{time.perf_counter() - began:.1f} s")
    figures: Figures = {kind: {"passed": one["passed"]} for kind, one in counts.items()}
    return Ratchet(__file__, lower={"passed"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
