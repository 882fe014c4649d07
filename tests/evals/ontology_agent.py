"""How the rules of the ontology agent read questions: exactly, asked about, or silently wrong.

Questions are made from catalogues by wordings in English and German, so that what each means is
known: the plan of the slots that the rules send is compared with it. A third of the wordings is
held out: the rules were not written with them in view; by the fourth and the eighth round they were
mended once, the ninth is unread. A question is read exactly if the plan is
the one that was meant and no term of it is called a gap; it is wrong if another plan is searched
without a word.

Run: python tests/evals/ontology_agent.py [--fraction 0.1] [--seed 7] [--show 5] [--update]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from groundwire.agents.ontology_search_agent.reading import read_question
from groundwire.agents.ontology_search_agent.vocabulary import QuestionVocabulary
from groundwire.ontology.terms import terms_of
from tests.evals._report import Ratchet, arguments, table
from tests.evals.ontology_agent_drawing import Asked, Wording, Words
from tests.evals.ontology_agent_rounds import all_wordings
from tests.evals.ontology_host import send
from tests.evals.ontology_worlds import World, open_worlds

EXACT, REPORTED, WRONG = "exact", "reported", "wrong"
CASES = 40
TRIES = 15
LEAST_EXACT, MOST_WRONG = 80.0, 2.0
# Shares of fewer cases than this are not held by a sampled run.
ENOUGH = 300
# Likewise the goals themselves.
ENOUGH_TO_FAIL = 800


@dataclass
class Tally:
    """What became of the questions of one class, and how long reading them took."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())

    def percent(self, outcome: str) -> float:
        return round(100 * self.outcomes[outcome] / self.total, 2) if self.total else 100.0

    def slow(self) -> float:
        """Milliseconds that 95 of 100 questions took at most."""
        ordered = sorted(self.seconds)
        return round(1e3 * ordered[int(len(ordered) * 0.95)], 2) if ordered else 0.0

    def add(self, other: Tally) -> None:
        self.outcomes += other.outcomes
        self.seconds += other.seconds


class Eval:
    """All questions over all catalogues."""

    def __init__(self, fraction: float, seed: int) -> None:
        self.fraction = fraction
        self.seed = seed
        self.tallies: dict[tuple[str, str, bool, str], Tally] = defaultdict(Tally)
        self.unread = Tally()
        self.lines: dict[tuple[str, bool], list[str]] = defaultdict(list)

    async def run(self, world: World) -> None:
        vocabulary = QuestionVocabulary(await terms_of(world.state))
        for wording in all_wordings():
            for case in self._made(world, wording):
                await self._judge(world, vocabulary, wording, case)

    def _made(self, world: World, wording: Wording) -> Iterator[Asked]:
        rng = random.Random(f"{self.seed} {world.name} {wording.name}")
        words = Words(world, rng, wording.language)
        wanted = max(1, round(CASES * self.fraction))
        seen: set[str] = set()
        for _ in range(wanted * TRIES):
            case = wording.make(words)
            if case is None or case.question in seen:
                continue
            seen.add(case.question)
            yield case
            if len(seen) == wanted:
                return

    async def _judge(
        self, world: World, vocabulary: QuestionVocabulary, wording: Wording, case: Asked
    ) -> None:
        started = time.perf_counter()
        reading = read_question(case.question, vocabulary)
        taken = time.perf_counter() - started
        reply = await send(world, dict(reading.slots), reading.sort, reading.count_by)
        told = [gap.term for gap in reading.gaps]
        if reply.meaning is None or told:
            outcome = REPORTED
        else:
            outcome = EXACT if world.means(reply.meaning, case.right) else WRONG
        tally = self.tallies[wording.kind, wording.language, wording.held_out, world.name]
        tally.outcomes[outcome] += 1
        tally.seconds.append(taken)
        if wording.unread:
            self.unread.outcomes[outcome] += 1
            self.unread.seconds.append(taken)
        if outcome != EXACT:
            why = reply.error or "; ".join(gap.detail or gap.term for gap in reply.gaps)
            self.lines[outcome, wording.held_out].append(
                f"{world.name}, {wording.name}: {case.question} -> {reading.arguments()} {why}"
            )


COLUMNS = ("class", "questions", EXACT, REPORTED, WRONG, "exact %", "wrong %", "p95 ms")


def _rows(tallies: dict[str, Tally]) -> Iterator[list[object]]:
    for name, tally in tallies.items():
        count = tally.outcomes
        yield [
            name, tally.total, count[EXACT], count[REPORTED], count[WRONG],
            tally.percent(EXACT), tally.percent(WRONG), tally.slow(),
        ]  # fmt: skip


def _figures(tallies: dict[str, Tally], full: bool) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for name, tally in tallies.items():
        figures[name] = {"wrong": tally.outcomes[WRONG]}
        if full or tally.total >= ENOUGH:
            figures[name]["exact_percent"] = tally.percent(EXACT)
    return figures


async def _run(options: argparse.Namespace) -> int:
    evaluation = Eval(options.fraction, options.seed)
    with tempfile.TemporaryDirectory() as home:
        worlds, missing = await open_worlds(Path(home))
        print(*missing, sep="\n", end="\n" if missing else "")
        try:
            for world in worlds:
                await evaluation.run(world)
        finally:
            for world in worlds:
                await world.catalogue.close()
    classes: dict[str, Tally] = defaultdict(Tally)
    totals: dict[str, Tally] = defaultdict(Tally)
    for (kind, language, held, world), tally in evaluation.tallies.items():
        part = "held out" if held else "development"
        classes[f"{kind} ({part})"].add(tally)
        for name in (f"{part}, {language}", f"{part}, {world}", part, "all"):
            totals[name].add(tally)
    totals["unread"].add(evaluation.unread)
    print(table(COLUMNS, _rows(classes)), table(COLUMNS, _rows(totals)), sep="\n\n")
    for (outcome, held), lines in sorted(evaluation.lines.items()):
        # What is held out is shown only if asked for by its own option.
        shown = lines[: options.held if held else options.show]
        part = "held out" if held else "development"
        print(*(f"{outcome}, {part}: {line}" for line in shown), sep="\n")
    judged = totals["held out"]
    # The goals hold for every language and every catalogue, not only on the whole.
    failed = any(
        (tally.percent(EXACT) < LEAST_EXACT or tally.percent(WRONG) > MOST_WRONG)
        and tally.total >= ENOUGH_TO_FAIL
        for name, tally in totals.items()
        if name.startswith("held out")
    )
    print(
        f"held out: {judged.percent(EXACT)} % exact (at least {LEAST_EXACT}), "
        f"{judged.percent(WRONG)} % silently wrong (at most {MOST_WRONG})"
    )
    if missing and options.update:
        print("--update needs every catalogue")
        return 1
    if missing:
        # A part of the questions: no figure of a catalogue that is not there is missed.
        options.fraction = min(options.fraction, 0.99)
    figures = _figures(dict(classes) | dict(totals), options.fraction >= 1)
    settled = Ratchet(__file__, lower={"wrong"}).settle(figures, options)
    return 1 if failed else settled


if __name__ == "__main__":
    choices = arguments(
        __doc__,
        show=(0, "questions of each outcome to print"),
        held=(0, "held-out questions of each outcome to print: not for tuning"),
    )
    sys.exit(asyncio.run(_run(choices)))
