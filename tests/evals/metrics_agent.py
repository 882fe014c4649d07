"""Whether the metrics agent answers by its rules what the fact base itself answers, and no more.

The questions are those of the eval `metrics` over the embedded profile, a third of whose templates
is held out; the agent drives the tools of the real server. Run:
python tests/evals/metrics_agent.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.agents.runtime.agent import AgentFactory  # noqa: E402
from groundwire.agents.runtime.contract import AgentOutput  # noqa: E402
from groundwire.agents.runtime.registry import ToolRegistry  # noqa: E402
from groundwire.config import Settings  # noqa: E402
from groundwire.metrics.ask import Answered, ask  # noqa: E402
from groundwire.servers import metrics  # noqa: E402
from tests.evals import metrics_absent as absent  # noqa: E402
from tests.evals import metrics_answerable as answerable  # noqa: E402
from tests.evals import metrics_changed as changed  # noqa: E402
from tests.evals import metrics_derived as computed  # noqa: E402
from tests.evals import metrics_scope as scope  # noqa: E402
from tests.evals import metrics_times as times  # noqa: E402
from tests.evals import metrics_wholes as wholes  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.metrics_drawing import Draw  # noqa: E402
from tests.evals.metrics_judging import Case  # noqa: E402
from tests.evals.metrics_worlds import TODAY, World, open_default  # noqa: E402

# Each with the most questions that are asked of it.
CLASSES = (
    (answerable.questions, 200),
    (answerable.questions_folded, 80),
    (answerable.questions_with_codes, 60),
    (answerable.questions_in_chinese, 200),
    (answerable.questions_in_traditional, 60),
    (answerable.with_units, 40),
    (answerable.latest, 60),
    (absent.shifted, 60),
    (absent.other_grain, 60),
    (absent.near_misses, 60),
    (changed.qualified, 100),
    (changed.unknown_metrics, 60),
    (changed.other_kinds, 40),
    (scope.altered_entities, 80),
    (scope.lookalikes, 40),
    (scope.external, 80),
    (times.rolling, 40),
    (times.unreadable, 60),
    (times.altered, 60),
    (wholes.lists, 100),
    (wholes.missing_slots, 60),
    (wholes.withheld_texts, 40),
    (computed.derived, 100),
)
_SHOWN = 8


class Said(NamedTuple):
    """What an answer comes to, the same for the fact base and the agent."""

    ending: str
    mode: str
    values: frozenset[tuple[str, ...]]
    sources: frozenset[tuple[str, str]]
    derived: frozenset[str]


def of_facts(answered: Answered) -> Said:
    """What the fact base says."""
    values = frozenset(
        (str(one.metric), str(one.entity), str(one.channel), str(one.period), str(one.value_text))
        for one in answered.cells
        if one.status == "found"
    )
    sources = frozenset((one.doc, one.locator) for one in answered.sources)
    derived = frozenset(one.formula for one in answered.derived)
    return Said(_ending(answered.ending), answered.mode, values, sources, derived)


def of_agent(output: AgentOutput) -> Said:
    """What the agent says."""
    result: dict[str, Any] = output.result or {}
    names = ("metric", "entity", "channel", "period", "value_text")
    values = frozenset(
        tuple(str(one[name]) for name in names) for one in result.get("values") or ()
    )
    sources = frozenset((one["doc"], one["locator"]) for one in result.get("sources") or ())
    status = str(result.get("status") or (output.error and output.error.code))
    derived = frozenset(str(one["formula"]) for one in result.get("derived") or ())
    return Said(_ending(status), str(result.get("mode")), values, sources, derived)


def _ending(said: str) -> str:
    return "asked" if said == "ask_first" else said


def questions(world: World, options: Any) -> Iterator[tuple[str, Case]]:
    """Questions over the world as it is, by their class."""
    for make, most in CLASSES:
        name = f"{make.__module__.rpartition('_')[2]}: {make.__name__.replace('_', ' ')}"
        draw = Draw(world, random.Random(f"{options.seed}\n{name}"), 1.0)
        sample = random.Random(f"{options.seed}\n{name}\nsample")
        asked = 0
        for case in make(draw, most * 3):
            if asked >= most:
                break
            if isinstance(case.sent, str) and case.world is world:
                asked += 1
                if sample.random() < options.fraction:
                    yield name, case


def main() -> int:
    options = arguments(__doc__)
    logging.getLogger("of_agents").addHandler(logging.NullHandler())
    logging.getLogger("of_agents").propagate = False
    counts: Counter[str] = Counter()
    same: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    lines: list[str] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as home, asyncio.Runner() as runner:
        world = open_default(Path(home) / "facts")
        server = metrics.build(Settings(home=Path(home) / "server"))
        registry = ToolRegistry(server)
        agent = AgentFactory(registry, logger=logging.getLogger("of_agents")).create(
            "metrics_agent", behavior={"timeout_ms": 600_000}
        )
        for kind, case in questions(world, options):
            question = {"question": case.sent, "reference_date": TODAY.isoformat()}
            theirs = of_agent(runner.run(agent.execute(question)))
            ours = of_facts(ask(case.world.state, str(case.sent), TODAY))
            counts[kind] += 1
            same[kind] += theirs == ours
            wrong[kind] += bool(theirs.values - ours.values or theirs.derived - ours.derived)
            if theirs != ours:
                lines.append(f"{kind}: {case.sent}\n  facts: {ours}\n  agent: {theirs}")
        runner.run(registry.close())
        runner.run(server.aclose())
        server.close()
    figures: Figures = {
        kind: {
            "same_percent": round(100 * same[kind] / count, 2),
            "wrong_values": wrong[kind],
        }
        for kind, count in counts.items()
    }
    print(table(("class", "questions", "same %", "wrong values"), [
        (kind, count, figures[kind]["same_percent"], wrong[kind]) for kind, count in counts.items()
    ]))  # fmt: skip
    total, took = sum(counts.values()), time.perf_counter() - started
    print(f"{total} questions, {sum(same.values())} the same, {sum(wrong.values())} with a wrong "
          f"value, {took:.1f} s")  # fmt: skip
    for line in lines[:_SHOWN]:
        print(line)
    settled = Ratchet(__file__, lower={"wrong_values"}).settle(figures, options)
    return 1 if wrong.total() else settled


if __name__ == "__main__":
    sys.exit(main())
