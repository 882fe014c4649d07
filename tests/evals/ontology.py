"""How the ontology server treats wrong submissions: corrected, asked about, or wrongly applied.

Every case is made from a catalogue, so the right outcome is known by construction: the terms,
properties and bounds of the plan are compared with those that were meant. A third of the
templates is held out; nothing is tuned by their figures.

Run: python tests/evals/ontology.py [--fraction 0.1] [--seed 7] [--show 5] [--update]
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

from groundwire.ontology.results import Correction
from tests.evals._report import Ratchet, arguments, table
from tests.evals.ontology_absent import absent
from tests.evals.ontology_arrays import arrays
from tests.evals.ontology_clean import as_it_should_be
from tests.evals.ontology_drawing import Case, Draw
from tests.evals.ontology_forms import operators
from tests.evals.ontology_host import Reply, repaired, send
from tests.evals.ontology_invented import invented
from tests.evals.ontology_places import labels, wrong_places
from tests.evals.ontology_suggested import faults, faults_of_corrections, faults_of_nearest
from tests.evals.ontology_templates import Template, other_words, spelling, two_mistakes
from tests.evals.ontology_worlds import World, open_worlds

# What a case may come to.
CORRECTED, ASKED, OVER_ASKED, UNHELPED, WRONG = (
    "corrected",
    "asked",
    "over-asked",
    "unhelped",
    "wrong",
)
# Draws for one case of a template that the world may not have.
TRIES = 12
# Shares of fewer cases than this are not held by a sampled run.
ENOUGH = 1_500


@dataclass
class Tally:
    """What became of the cases of one class."""

    outcomes: Counter[str] = field(default_factory=Counter)
    repairable: int = 0
    repaired: int = 0
    refused: int = 0

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())

    @property
    def rightly(self) -> float:
        """Percent that were corrected or asked about as they should be."""
        return _percent(self.outcomes[CORRECTED] + self.outcomes[ASKED], self.total)

    @property
    def one_step(self) -> float:
        return _percent(self.repaired, self.repairable)

    def add(self, other: Tally) -> None:
        self.outcomes += other.outcomes
        self.repairable += other.repairable
        self.repaired += other.repaired
        self.refused += other.refused


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 100.0


class Eval:
    """All cases over all worlds."""

    def __init__(self, worlds: list[World], fraction: float, seed: int) -> None:
        self.worlds = worlds
        self.fraction = fraction
        self.seed = seed
        self.tallies: dict[tuple[str, str, bool], Tally] = defaultdict(Tally)
        self.by_template: dict[tuple[str, str, str], Tally] = defaultdict(Tally)
        self.lines: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.suggestions = 0
        self.corrections = 0
        self.faults: list[str] = []

    async def run(self) -> None:
        for world in self.worlds:
            others = [other for other in self.worlds if other is not world]
            for kind, name, held, case in self._cases(world, others):
                await self._judge(world, kind, name, held, case)

    def _cases(self, world: World, others: list[World]) -> Iterator[tuple[str, str, bool, Case]]:
        """The first part of what a full run has, so that a sampled run meets no other cases."""
        templates = [
            *as_it_should_be(), *spelling(), *two_mistakes(), *other_words(), *labels(),
            *wrong_places(), *invented(), *operators(), *arrays(),
        ]  # fmt: skip
        for template in templates:
            for case in self._made(world, template):
                yield template.kind, template.name, template.held_out, case
        left_out = list(absent(world, others, self.seed))
        yield from left_out[: round(len(left_out) * self.fraction)]

    def _made(self, world: World, template: Template) -> Iterator[Case]:
        rng = random.Random(f"{self.seed} {world.name} {template.kind} {template.name}")
        draw = Draw(world, rng, template.held_out)
        wanted = max(1, round(template.cases * self.fraction))
        seen: set[str] = set()
        for _ in range(wanted * TRIES):
            case = template.make(draw)
            if case is None or repr(case.slots) in seen:
                continue
            seen.add(repr(case.slots))
            yield case
            if len(seen) == wanted:
                return

    async def _judge(self, world: World, kind: str, name: str, held: bool, case: Case) -> None:
        lexicon = case.lacking() if case.lacking else None
        world.known.hidden = case.hidden
        try:
            reply = await send(world, case.slots, case.sort, case.count_by, lexicon)
            self.suggestions += sum(len(gap.suggestions) for gap in reply.gaps)
            self.corrections += len(reply.corrections) if reply.plan else 0
            sent = (world, reply, case.sort, case.count_by, lexicon)
            self.faults += await faults(*sent)
            self.faults += await faults_of_corrections(*sent)
            self.faults += await faults_of_nearest(world, reply, lexicon)
        finally:
            world.known.hidden = frozenset()
        outcome, mended = await self._outcome(world, case, reply)
        for tally in (
            self.tallies[kind, world.name, held],
            self.by_template[kind, name, world.name],
        ):
            tally.outcomes[outcome] += 1
            tally.refused += bool(reply.error)
            if case.repaired:
                tally.repairable += 1
                tally.repaired += mended
        if outcome in (WRONG, OVER_ASKED, UNHELPED) or (case.repaired and not mended):
            gaps = "; ".join(
                f"{gap.slot} {gap.term!r}: {gap.detail} {gap.suggestions}" for gap in reply.gaps
            )
            told = reply.error or gaps or _told(reply)
            self.lines[outcome, kind].append(f"{world.name}, {name}: {case.slots} -> {told}")

    async def _outcome(self, world: World, case: Case, reply: Reply) -> tuple[str, bool]:
        """What a case came to, and whether it was right by the next call."""
        if reply.meaning is not None:
            right = world.means(reply.meaning, case.right) and bool(
                reply.corrections or not case.reported
            )
            if not case.right and all(map(_only_addresses, reply.corrections)):
                # What was sent is searched, and finds nothing: a zero, and no other value.
                return ASKED, False
            return (CORRECTED if right else WRONG), right
        if not case.repaired:
            return ASKED, False
        mended = await self._mended(world, case, reply, 0)
        if case.must:
            return OVER_ASKED, mended
        offered = mended
        for choice in range(1, 8):
            offered = offered or await self._mended(world, case, reply, choice)
        return (ASKED if offered else UNHELPED), mended

    async def _mended(self, world: World, case: Case, reply: Reply, choice: int) -> bool:
        """Whether the next call of a host that follows the answer is right."""
        if any(len(gap.suggestions) > choice for gap in reply.gaps):
            slots = repaired(case.slots, reply.gaps, choice)
            again = await send(world, slots, case.sort, case.count_by)
            return again.meaning is not None and world.means(again.meaning, case.repaired)
        told = reply.error or " ".join(gap.detail or "" for gap in reply.gaps)
        if choice or case.canonical is None or not case.form:
            return False
        if not all(word in told for word in case.form):
            return False
        again = await send(world, case.canonical)
        return again.meaning is not None and world.means(again.meaning, case.repaired)


def _told(reply: Reply) -> str:
    corrections = [f"{c.slot}: {c.raw} -> {c.resolved} ({c.how})" for c in reply.corrections]
    return f"applied; corrections {corrections}"


def _figures(tallies: dict[str, Tally], full: bool) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    for name, tally in tallies.items():
        figures[name] = {"wrongly_applied": tally.outcomes[WRONG]}
        if full or tally.total >= ENOUGH:
            figures[name]["rightly_percent"] = tally.rightly
            if tally.repairable:
                figures[name]["repaired_in_one_step_percent"] = tally.one_step
    return figures


def _only_addresses(correction: Correction) -> bool:
    """Whether a correction tells where a property stands that was sent by one of its names."""
    return correction.slot.endswith(correction.raw) and correction.how in ("alias", "stored")


def _rows(tallies: dict[str, Tally]) -> Iterator[list[object]]:
    for name, tally in tallies.items():
        count = tally.outcomes
        yield [
            name, tally.total, count[CORRECTED], count[ASKED], count[OVER_ASKED], count[UNHELPED],
            tally.refused, count[WRONG], _percent(count[WRONG], tally.total), tally.rightly,
            f"{tally.repairable}", tally.one_step,
        ]  # fmt: skip


COLUMNS = (
    "class", "cases", "corrected", "asked", "over-asked", "unhelped", "refused", "wrongly",
    "wrongly %", "rightly %", "repairable", "one step %",
)  # fmt: skip


async def _run(options: argparse.Namespace) -> int:
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as home:
        worlds, missing = await open_worlds(Path(home))
        print(*missing, sep="\n", end="\n" if missing else "")
        opened = time.perf_counter()
        evaluation = Eval(worlds, options.fraction, options.seed)
        try:
            await evaluation.run()
        finally:
            for world in worlds:
                await world.catalogue.close()
    groups: dict[str, Tally] = defaultdict(Tally)
    totals: dict[str, Tally] = defaultdict(Tally)
    for (kind, world, held), tally in evaluation.tallies.items():
        groups[f"{kind} ({world})"].add(tally)
        totals[f"all ({world})"].add(tally)
        totals["held out" if held else "development"].add(tally)
        totals["all"].add(tally)
    print(table(COLUMNS, _rows(groups)), table(COLUMNS, _rows(totals)), sep="\n\n")
    for (outcome, kind), lines in evaluation.lines.items():
        shown = lines if outcome == WRONG else lines[: options.show]
        print(
            *(f"{outcome}, {kind}: {line}" for line in shown), sep="\n", end="\n" if shown else ""
        )
    print(
        f"{totals['all'].total:,} cases in {time.perf_counter() - started:.1f} s, "
        f"{opened - started:.1f} s of them to open {len(worlds)} catalogues"
    )
    if missing and options.update:
        print("--update needs every catalogue")
        return 1
    if missing:
        # A part of the cases: no figure of a catalogue that is not there is missed.
        options.fraction = min(options.fraction, 0.99)
    print(*evaluation.faults[:20], sep="\n")
    offered = f"{evaluation.suggestions:,} suggestions, {evaluation.corrections:,} corrections"
    print(f"{offered} and the nearest values of empty searches: {len(evaluation.faults)} at fault")
    figures = _figures(dict(groups) | dict(totals), options.fraction >= 1)
    figures["suggestions"] = {"refused_or_wider": len(evaluation.faults)}
    lower = {"wrongly_applied", "refused_or_wider"}
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    choices = arguments(__doc__, show=(0, "cases of each outcome and class to print"))
    sys.exit(asyncio.run(_run(choices)))
