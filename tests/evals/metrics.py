"""How often the metrics server gives a wrong value (never), answers, and refuses in vain.

Every case is made from a fact store and its profile, so what is right is known by construction. A
third of the templates of questions is held out; nothing is tuned on what becomes of them.

Run: python tests/evals/metrics.py [--fraction 0.1] [--seed 7] [--show 5] [--only TEXT] [--update]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.evals import metrics_absent as absent
from tests.evals import metrics_answerable as answerable
from tests.evals import metrics_changed as changed
from tests.evals import metrics_derived as computed
from tests.evals import metrics_scope as scope
from tests.evals import metrics_times as times
from tests.evals import metrics_wholes as wholes
from tests.evals._report import Ratchet, arguments, table
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import Case, Verdict, judge
from tests.evals.metrics_worlds import REAL, World, open_default, open_real

Generator = Callable[[Draw, int], Iterator[Case]]

# Cases of each class: of the embedded world, and of each world of public data.
CLASSES: tuple[tuple[Generator, int, int], ...] = (
    (answerable.queries_exact, 900, 300),
    (answerable.queries_folded, 900, 300),
    (answerable.queries_by_alias, 900, 300),
    (answerable.questions, 1600, 500),
    (answerable.questions_folded, 600, 200),
    (answerable.questions_with_codes, 300, 0),
    (answerable.questions_in_chinese, 1600, 0),
    (answerable.questions_in_traditional, 400, 0),
    (answerable.mixed_script, 0, 150),
    (answerable.with_units, 300, 100),
    (answerable.latest, 300, 100),
    (absent.withheld, 1200, 300),
    (absent.shifted, 600, 200),
    (absent.other_grain, 500, 150),
    (absent.calendar_year, 150, 60),
    (absent.no_such_channel_fact, 150, 0),
    (absent.absent_entities, 1, 1),
    (absent.near_misses, 900, 300),
    (absent.ambiguous_names, 200, 60),
    (absent.nowhere, 300, 100),
    (changed.qualified, 1200, 300),
    (changed.unknown_metrics, 500, 150),
    (changed.other_units, 400, 100),
    (changed.other_kinds, 300, 0),
    (scope.containing_names, 600, 150),
    (scope.altered_entities, 900, 200),
    (scope.lookalikes, 300, 100),
    (scope.external, 600, 0),
    (changed.unknown_channels, 200, 40),
    (times.rolling, 200, 60),
    (times.unreadable, 500, 100),
    (times.altered, 700, 150),
    (times.quarter_alone, 200, 40),
    (times.before_known, 300, 150),
    (times.restated, 300, 200),
    (times.conflicting, 200, 0),
    (wholes.lists, 400, 100),
    (computed.derived, 400, 100),
    (wholes.missing_slots, 450, 150),
    (wholes.odd_arguments, 500, 100),
    (wholes.withheld_texts, 200, 0),
)
# Shares of fewer cases than this are not held by a sampled run.
ENOUGH = 400
_LOWER = {
    "wrong_values", "fabricated_numbers", "crashed", "over_refused_percent",
    "not_as_stored", "not_cited",
}  # fmt: skip
COLUMNS = (
    "class", "cases", "right %", "wrong", "over-refused %", "missed %", "fabricated", "crashed",
    "held out", "right %", "wrong",
)  # fmt: skip


@dataclass
class Tally:
    """What became of the cases of one class."""

    answerable: bool = False
    outcomes: Counter[str] = field(default_factory=Counter)
    fabricated: int = 0
    held: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return self.outcomes.total()

    def share(self, outcome: str) -> float:
        return percent(self.outcomes[outcome], self.total)

    def add(self, other: Tally) -> None:
        self.outcomes += other.outcomes
        self.held += other.held
        self.fabricated += other.fabricated


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 100.0


class Eval:
    """All cases over all worlds."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.tallies: dict[str, Tally] = {}
        self.gates: Counter[str] = Counter()
        self.lines: dict[tuple[str, str], list[str]] = defaultdict(list)

    def run(self, world: World) -> None:
        """All classes of cases over one world."""
        for make, embedded, public in CLASSES:
            count = public if world.label else embedded
            if not count:
                continue
            fraction, seed = self.options.fraction, self.options.seed
            draw = Draw(world, random.Random(f"{seed}\n{world.label}\n{make.__name__}"), fraction)
            # A sampled run asks a part of the very cases of the full one.
            sample = random.Random(f"{seed}\n{make.__name__}\nsample")
            for case in make(draw, count):
                chosen = make is absent.absent_entities or sample.random() < fraction
                if chosen and self.options.only in case.kind:
                    self.count(case, judge(case))

    def count(self, case: Case, verdict: Verdict) -> None:
        label = case.world.label
        kind = f"{label}: {case.kind}" if label else case.kind
        tally = self.tallies.setdefault(kind, Tally(case.answerable))
        tally.outcomes[verdict.outcome] += 1
        tally.fabricated += verdict.fabricated
        if case.held_out:
            tally.held[verdict.outcome] += 1
        gates = self.gates
        gates["values"] += verdict.values
        gates["not as stored"] += verdict.numeric
        gates["not cited"] += verdict.cited
        if case.kind.startswith("external"):
            gates["external"] += 1
            gates["refused"] += verdict.outcome == "right"
        if verdict.mode is not None:
            gates["modes"] += 1
            gates["as expected"] += verdict.mode
        line = f"{case.sent!r} -> {verdict.note}"
        if verdict.outcome != "right":
            self.lines[verdict.outcome, kind].append(line)
        if verdict.fabricated:
            self.lines["fabricated", kind].append(line)
        if verdict.mode is False and verdict.outcome == "right":
            self.lines["mode", kind].append(line)

    def totals(self) -> dict[str, Tally]:
        """The tallies of all classes together, of what can be answered and of what cannot."""
        found: dict[str, Tally] = {}
        for kind, tally in self.tallies.items():
            world = "real" if kind.startswith("real ") else "default"
            part = "answerable" if tally.answerable else "counterfactual"
            for name in ("all", f"all {part}", f"all {part}, {world}"):
                found.setdefault(name, Tally(tally.answerable)).add(tally)
        return found

    def gate_figures(self) -> dict[str, dict[str, float]]:
        """The four gates."""
        gates = self.gates
        return {
            "gate: numeric": {"not_as_stored": gates["not as stored"]},
            "gate: citation": {"not_cited": gates["not cited"]},
            "gate: refusal": {"refused_percent": percent(gates["refused"], gates["external"])},
            "gate: clarification": {
                "as_expected_percent": percent(gates["as expected"], gates["modes"])
            },
        }


def figures(tallies: dict[str, Tally], full: bool) -> dict[str, dict[str, float]]:
    """For each class the figures to hold on to."""
    found: dict[str, dict[str, float]] = {}
    for kind, tally in tallies.items():
        held: dict[str, float] = {
            "wrong_values": tally.outcomes["wrong"],
            "fabricated_numbers": tally.fabricated,
            "crashed": tally.outcomes["crashed"],
        }
        if full or tally.total >= ENOUGH:
            held["right_percent"] = tally.share("right")
            if tally.answerable:
                held["over_refused_percent"] = tally.share("over-refused")
        found[kind] = held
    return found


def rows(tallies: dict[str, Tally]) -> Iterator[list[object]]:
    """A line of the table for each class."""
    for kind, tally in tallies.items():
        held = tally.held
        yield [
            kind, tally.total, tally.share("right"), tally.outcomes["wrong"],
            tally.share("over-refused") if tally.answerable else "-",
            "-" if tally.answerable else tally.share("missed"),
            tally.fabricated, tally.outcomes["crashed"], held.total(),
            percent(held["right"], held.total()) if held else "-", held["wrong"],
        ]  # fmt: skip


def _worlds(folder: Path) -> Iterator[World]:
    yield open_default(folder)
    if REAL.is_dir():
        yield from open_real(folder)


def main(options: argparse.Namespace) -> int:
    """Run all cases, print the tables and hold the figures."""
    started = time.perf_counter()
    evaluation = Eval(options)
    with tempfile.TemporaryDirectory() as folder:
        for world in _worlds(Path(folder)):
            evaluation.run(world)
    totals = evaluation.totals()
    print(table(COLUMNS, rows(evaluation.tallies)), table(COLUMNS, rows(totals)), sep="\n\n")
    for (outcome, kind), lines in evaluation.lines.items():
        shown = lines if outcome in ("wrong", "crashed") else lines[: options.show]
        for line in shown[:100]:
            print(f"{outcome}, {kind}: {line}")
    gates = evaluation.gate_figures()
    print()
    for name, held in gates.items():
        print(f"{name}: {', '.join(f'{key} {value:g}' for key, value in held.items())}")
    print(
        f"{evaluation.gates['values']:,} values found; {totals['all'].total:,} cases in "
        f"{time.perf_counter() - started:.1f} s"
    )
    if not REAL.is_dir():
        print(f"real facts were not asked for: {REAL.name} is not in the shared data")
        if options.update:
            print("--update needs the shared data")
            return 1
        # A part of the cases: no figure of a world that is not there is missed.
        options.fraction = min(options.fraction, 0.99)
    if options.only:
        return 0
    held = figures(evaluation.tallies | totals, options.fraction >= 1) | gates
    return Ratchet(__file__, lower=_LOWER).settle(held, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--only", default="", help="ask the classes with this in their name")
    known, rest = parser.parse_known_args()
    options = arguments(__doc__, rest, show=(0, "cases of each outcome and class to print"))
    options.only = known.only
    return options


if __name__ == "__main__":
    sys.exit(main(_options()))
