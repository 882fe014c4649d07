"""Checking of drafts that were made by rule, and the figures that they give by class and half."""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path

from tests.evals._report import Figures
from tests.evals.claim_check import FAULTS, Outcome, checked, listed, options_of, settled
from tests.evals.claim_check_drafts import Draft
from tests.evals.claim_check_worlds import House, opened

FALSE_PASSED, TRUE_PASSED = "false_supported_percent", "true_supported_percent"
TRUE_DENIED, CAUGHT = "true_contradicted_percent", "caught_percent"
LOWER = frozenset({FALSE_PASSED, TRUE_DENIED, *FAULTS})
COLUMNS = ("drafts", FALSE_PASSED, TRUE_PASSED, TRUE_DENIED, CAUGHT)
# How many failing drafts of a class are shown.
SHOWN = 6


def figures_of(
    outcomes: Sequence[Outcome], changed: Collection[str] = (), sampled: bool = False
) -> dict[str, dict[str, float]]:
    """Count by half and class, by half and language, and by half.

    Args:
        outcomes: what was checked.
        changed: classes whose false drafts are also counted together, as caught.
        sampled: only a part of each class was checked; then no share of it is told.
    """
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        half, truth, kind = one.draft.half, one.draft.truth, one.draft.kind
        groups[f"{half}, {truth}: {kind}"].append(one)
        groups[f"{half}, {truth}, {one.draft.language}"].append(one)
        groups[f"{half}, {truth}, all"].append(one)
        if truth == "false" and kind in changed:
            groups[f"{half}, changed value, all"].append(one)
    return {
        name: _faults(groups[name])
        | ({} if sampled else _shares(groups[name], "changed value" in name))
        for name in sorted(groups)
    }


def _faults(group: Sequence[Outcome]) -> dict[str, float]:
    faults = Counter(fault for one in group for fault in one.faults)
    truth = group[0].draft.truth
    return {name: faults[name] for name in FAULTS if name.startswith(f"{truth}_")}


def _shares(group: Sequence[Outcome], caught: bool) -> dict[str, float]:
    verdicts = Counter(one.verdict for one in group)
    figures: dict[str, float] = {"drafts": len(group)}
    passed = _percent(verdicts["supported"], len(group))
    if caught:
        figures[CAUGHT] = _percent(len(group) - verdicts["supported"], len(group))
    elif group[0].draft.truth == "true":
        figures[TRUE_PASSED] = passed
        figures[TRUE_DENIED] = _percent(verdicts["contradicted"], len(group))
    else:
        figures[FALSE_PASSED] = passed
    return figures


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def run(
    script: str,
    about: str | None,
    drafts_of: Callable[[House], Awaitable[Sequence[Draft]]],
    changed: Collection[str] = (),
    held: Callable[[Sequence[Outcome], bool], Figures] | None = None,
) -> int:
    """Make the drafts, check those that the options choose, and tell and settle the figures.

    Args:
        script: the file of the eval.
        about: its help text.
        drafts_of: makes all drafts from the answers of the worlds.
        changed: classes whose false drafts are also counted together, as caught.
        held: makes the figures to hold, of the outcomes and whether they are a sample; default:
            those that are told.
    """
    options = options_of(about)
    logging.disable(logging.CRITICAL)
    started = time.perf_counter()
    rng = random.Random(options.seed)

    async def outcomes_of() -> list[Outcome]:
        with tempfile.TemporaryDirectory() as folder:
            async with opened(Path(folder)) as house:
                chosen = [
                    one
                    for one in await drafts_of(house)
                    if options.half in ("all", one.half)
                    and options.language in ("all", one.language)
                    and options.only in ("", one.kind)
                    and rng.random() < options.fraction
                ]
                return await checked(house, chosen)

    outcomes = asyncio.run(outcomes_of())
    tell(outcomes, figures_of(outcomes, changed), options, time.perf_counter() - started)
    is_sample = options.fraction < 1
    kept = held(outcomes, is_sample) if held else figures_of(outcomes, changed, is_sample)
    return settled(script, kept, set(LOWER), options)


def tell(
    outcomes: Sequence[Outcome], figures: Figures, options: argparse.Namespace, seconds: float
) -> None:
    """Print the table, and with --show the failing drafts of the seen half."""
    print(listed(figures, COLUMNS))
    print(f"\n{len(outcomes)} drafts, {seconds:.1f} s")
    if options.show:
        _show(outcomes, options.half)


def _show(outcomes: Sequence[Outcome], half: str) -> None:
    """Tell failing drafts, a few of each class: held-out ones only where asked for by name."""
    shown: Counter[tuple[str, str]] = Counter()
    for one in outcomes:
        draft = one.draft
        key = (draft.truth, draft.kind)
        if one.right or (draft.half == "held_out" and half != "held_out") or shown[key] >= SHOWN:
            continue
        shown[key] += 1
        print(f"\n{draft.language}, {draft.truth}, {draft.kind}, {draft.world}: {one.verdict}")
        print(f"  {draft.text}\n  -> {' '.join(str(one.answer['answer']).split())}")
