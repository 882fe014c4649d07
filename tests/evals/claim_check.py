"""Whether verify_answer tells true drafts from false ones, as a user meets it.

Real calls are made over the embedded data, drafts about them were written by hand before the reader
was looked at, and each is checked by the tool itself. One half is seen, one held out: --show lists
failing drafts of the seen half, of the held-out one only where it is asked for by name. Run:
python tests/evals/claim_check.py [--half seen|held_out|second_seen|...|fourteenth_held_out|all]
    [--language en|de|zh|all] [--show] [--only "CLASS"] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.claim_check_drafts import HALVES, LANGUAGES, Draft, drafts  # noqa: E402
from tests.evals.claim_check_worlds import House, opened, worlds  # noqa: E402

ALL = "all"
# Faults, counted; a part of the drafts cannot have more of them than all.
FAULTS = ("false_supported", "true_refused", "true_contradicted", "open_supported")
# Percent: false and open drafts that pass, true ones that pass and that are called contradicted.
FALSE_PASSED, TRUE_PASSED = "false_supported_percent", "true_supported_percent"
OPEN_PASSED, TRUE_DENIED = "open_supported_percent", "true_contradicted_percent"
GOALS = {FALSE_PASSED: 1.0, TRUE_PASSED: 90.0, TRUE_DENIED: 0.5, OPEN_PASSED: 0.0}
LOWER = {FALSE_PASSED, TRUE_DENIED, OPEN_PASSED, *FAULTS}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A draft and what verify_answer said of it."""

    draft: Draft
    answer: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        return str(self.answer["verdict"])

    @property
    def right(self) -> bool:
        """True drafts are supported; false and open ones are not."""
        return not self.faults

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the verdict."""
        if self.draft.truth != "true":
            return (f"{self.draft.truth}_supported",) if self.verdict == "supported" else ()
        if self.verdict == "contradicted":
            return "true_refused", "true_contradicted"
        return () if self.verdict == "supported" else ("true_refused",)


async def checked(house: House, chosen: Sequence[Draft]) -> list[Outcome]:
    """Have every draft checked; the calls of each world are made once."""
    answers = await house.check_all([(one.world, one.text) for one in chosen])
    return [Outcome(*both) for both in zip(chosen, answers, strict=True)]


def figures_of(outcomes: Sequence[Outcome], sampled: bool = False) -> Figures:
    """Count by half and language, and by class within them.

    Args:
        outcomes: what was checked.
        sampled: only a part of each class was checked; then no share of it is told.
    """
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        place = f"{one.draft.half}, {one.draft.language}"
        groups[f"{place}, {ALL}"].append(one)
        groups[f"{place}, {one.draft.truth}: {one.draft.kind}"].append(one)
    return {
        name: _faults(groups[name]) | ({} if sampled else _shares(groups[name]))
        for name in sorted(groups)
    }


def _faults(group: Sequence[Outcome]) -> dict[str, float]:
    faults = Counter(fault for one in group for fault in one.faults)
    truths = {one.draft.truth for one in group}
    return {name: faults[name] for name in FAULTS if name.partition("_")[0] in truths}


def _shares(group: Sequence[Outcome]) -> dict[str, float]:
    counts = Counter((one.draft.truth, one.verdict) for one in group)
    of = Counter(one.draft.truth for one in group)
    figures: dict[str, float] = {"drafts": len(group)}
    for name, truth, verdict in (
        (FALSE_PASSED, "false", "supported"),
        (TRUE_PASSED, "true", "supported"),
        (TRUE_DENIED, "true", "contradicted"),
        (OPEN_PASSED, "open", "supported"),
    ):
        if of[truth]:
            figures[name] = round(100 * counts[truth, verdict] / of[truth], 2)
    return figures


def options_of(description: str | None, argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the options of every eval, and which drafts to check and show."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--half", choices=(*HALVES, ALL), default=ALL)
    parser.add_argument("--language", choices=(*LANGUAGES, ALL), default=ALL)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="", help="a class of drafts")
    own, rest = parser.parse_known_args(argv)
    options = arguments(description, rest)
    vars(options).update(vars(own))
    options.whole = options.half == options.language == ALL and not options.only
    if options.update and not options.whole:
        parser.error("--update writes the figures of all drafts")
    return options


def chosen_drafts(options: argparse.Namespace) -> list[Draft]:
    """Read the drafts that the options name; a fraction is drawn at random."""
    halves = HALVES if options.half == ALL else (options.half,)
    languages = LANGUAGES if options.language == ALL else (options.language,)
    rng = random.Random(options.seed)
    return [
        one
        for one in drafts(worlds(), halves, languages)
        if options.only in ("", one.kind) and rng.random() < options.fraction
    ]


def listed(figures: Figures, columns: Sequence[str]) -> str:
    """Return some figures as a table, shares in percent."""
    short = tuple(name.removesuffix("_percent").replace("_", " ") for name in columns)
    rows = [(name, *(of.get(column, "-") for column in columns)) for name, of in figures.items()]
    return table(("half, language, class", *short), rows)


def settled(script: str, figures: Figures, lower: set[str], options: argparse.Namespace) -> int:
    """Compare with the committed figures; figures of what was not run are not missed."""
    if not options.whole:
        options.fraction = min(options.fraction, 0.999)
    return Ratchet(script, lower=lower).settle(figures, options)


def main() -> int:
    options = options_of(__doc__)
    logging.disable(logging.CRITICAL)
    started = time.perf_counter()
    outcomes = asyncio.run(_run(chosen_drafts(options)))
    figures = figures_of(outcomes)
    columns = ("drafts", FALSE_PASSED, TRUE_PASSED, TRUE_DENIED, OPEN_PASSED)
    print(listed(figures, columns), end="\n\n")
    for truth in ("false", "true", "open"):
        verdicts = Counter(one.verdict for one in outcomes if one.draft.truth == truth)
        told = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
        print(f"{truth} drafts: {told or 'none'}")
    _tell_goals(figures)
    print(f"{len(outcomes)} drafts, {time.perf_counter() - started:.1f} s")
    if options.show:
        _show(outcomes, options.half)
    return settled(__file__, figures_of(outcomes, options.fraction < 1), LOWER, options)


async def _run(chosen: Sequence[Draft]) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as house:
            return await checked(house, chosen)


def _tell_goals(figures: Figures) -> None:
    for name, of in figures.items():
        if name.endswith(f", {ALL}"):
            for figure, goal in GOALS.items():
                value = of.get(figure, goal)
                if value > goal if figure in LOWER else value < goal:
                    print(f"goal missed: {name}: {figure} is {value}, the goal {goal}")


def _show(outcomes: Sequence[Outcome], half: str) -> None:
    """Tell the drafts that failed: of the held-out half only where it is asked for by name."""
    for one in outcomes:
        if one.right or (one.draft.half.endswith("held_out") and half != one.draft.half):
            continue
        draft = one.draft
        print(f"\n{draft.language}, {draft.truth}, {draft.kind}, {draft.world}: {one.verdict}")
        print(f"  {draft.text}")
        if draft.wrong:
            print(f"  wrong: {', '.join(draft.wrong)}")
        print(f"  -> {' '.join(str(one.answer['answer']).split())}")
        for claim in one.answer["claims"]:
            print(f"     {claim['status']}: {claim['text']!r}: {claim['detail']}")
        if one.answer.get("not_judged"):
            print(f"     not judged: {one.answer['not_judged']}")


if __name__ == "__main__":
    sys.exit(main())
