"""Whether a refused draft can be mended in one step from what verify_answer says.

A scripted model knows nothing but the answer of the tool: it drops or replaces the words and
sentences that are named, and asks again. Counted are the false and open drafts of the claim check
that are refused, alone and after a true draft about the same world that is supported alone, so that
something is left. A mended text that is supported and holds the wrong words still is a fault. Run:
python tests/evals/claim_repair.py [--half seen|held_out|all] [--language en|de|zh|all] [--show]
    [--only "CLASS"] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals._report import Figures  # noqa: E402
from tests.evals.claim_check import ALL, chosen_drafts, listed, options_of, settled  # noqa: E402
from tests.evals.claim_check_drafts import Draft, drafts  # noqa: E402
from tests.evals.claim_check_worlds import House, opened, worlds  # noqa: E402
from tests.evals.claim_repair_script import repaired  # noqa: E402

GOAL = 95.0
MENDED, EMPTIED, REFUSED = "supported", "nothing left", "refused again"
ALONE, BESIDE = "alone", "after a true draft"
# Percent of the refused drafts: supported or nothing left; of these with text; faults.
REPAIRED, WITH_TEXT = "repaired_percent", "text_left_percent"
BESIDE_REPAIRED, LEFT_WRONG = "after_true_repaired_percent", "wrong_words_left_percent"
# Faults, counted; a part of the drafts cannot have more of them than all.
FAULTS = (AGAIN, WRONG) = ("refused_again", "supported_with_wrong_words")
COLUMNS = (REPAIRED, WITH_TEXT, BESIDE_REPAIRED, LEFT_WRONG)


@dataclass(frozen=True, slots=True)
class Repair:
    """A refused draft, what one step made of it, and what verify_answer said then.

    Attributes:
        draft: the draft.
        way: alone, or after a true draft.
        before: what was checked first.
        told: the first answer's sentence.
        text: that text after one step.
        verdict: the verdict on that; "" where no text was left.
        told_then: the second answer's sentence.
    """

    draft: Draft
    way: str
    before: str
    told: str
    text: str
    verdict: str
    told_then: str

    @property
    def end(self) -> str:
        """How it ended: supported, nothing left, or refused again."""
        if not self.text or self.verdict == "nothing_to_judge":
            return EMPTIED
        return MENDED if self.verdict == "supported" else REFUSED

    @property
    def still_wrong(self) -> bool:
        """Every wrong word is still there, and the text passed."""
        if self.end != MENDED or not self.draft.wrong:
            return False
        return all(
            re.search(rf"(?<!\w){re.escape(one)}(?!\w)", self.text) for one in self.draft.wrong
        )


async def mended(house: House, draft: Draft, truth: str) -> list[Repair]:
    """Have a draft checked, mended and checked again, alone and after a true one.

    Args:
        house: the servers.
        draft: a false or open draft.
        truth: a text about the same world that is supported, or "".

    Returns:
        What became of it each way; nothing where it is not refused.
    """
    repairs: list[Repair] = []
    ways = {ALONE: draft.text} | ({BESIDE: f"{truth}\n\n{draft.text}"} if truth else {})
    for way, before in ways.items():
        first = await house.check(draft.world, before)
        if first["verdict"] in ("supported", "nothing_to_judge"):
            continue
        text = repaired(before, first)
        then = await house.check(draft.world, text) if text else {"verdict": "", "answer": ""}
        repairs.append(
            Repair(draft, way, before, first["answer"], text, then["verdict"], then["answer"])
        )
    return repairs


class Truths:
    """For each world, half and language the first true draft that is supported alone."""

    def __init__(self, house: House, every: Sequence[Draft]) -> None:
        self._house = house
        self._every = [one for one in every if one.truth == "true"]
        self._found: dict[tuple[str, str, str], str] = {}

    async def beside(self, draft: Draft) -> str:
        """Return the text for a draft, or "" where there is none."""
        place = (draft.world, draft.half, draft.language)
        if place not in self._found:
            self._found[place] = ""
            for one in self._every:
                if (one.world, one.half, one.language) != place:
                    continue
                if (await self._house.check(one.world, one.text))["verdict"] == "supported":
                    self._found[place] = one.text
                    break
        return self._found[place]


def figures_of(repairs: Sequence[Repair], sampled: bool = False) -> Figures:
    """Count by half and language: what became of the drafts that were refused.

    Args:
        repairs: what was mended.
        sampled: only a part of each class was mended; then no share of it is told.
    """
    groups: dict[str, list[Repair]] = defaultdict(list)
    for one in repairs:
        groups[f"{one.draft.half}, {one.draft.language}, {ALL}"].append(one)
        groups[f"{one.draft.half}, {one.draft.language}, {one.draft.kind}"].append(one)
    return {
        name: _faults(group) | ({} if sampled else _shares(group))
        for name, group in sorted(groups.items())
    }


def _faults(group: Sequence[Repair]) -> dict[str, float]:
    return {
        AGAIN: sum(one.end == REFUSED for one in group),
        WRONG: sum(one.still_wrong for one in group),
    }


def _shares(group: Sequence[Repair]) -> dict[str, float]:
    figures = {LEFT_WRONG: _percent([one.still_wrong for one in group])}
    alone = [one.end for one in group if one.way == ALONE]
    beside = [one.end for one in group if one.way == BESIDE]
    if alone:
        figures[REPAIRED] = _percent([end != REFUSED for end in alone])
        figures[WITH_TEXT] = _percent([end == MENDED for end in alone])
    if beside:
        figures[BESIDE_REPAIRED] = _percent([end == MENDED for end in beside])
    return figures


def _percent(hits: Sequence[bool]) -> float:
    return round(100 * sum(hits) / len(hits), 2)


def main() -> int:
    options = options_of(__doc__)
    logging.disable(logging.CRITICAL)
    started = time.perf_counter()
    chosen = [one for one in chosen_drafts(options) if one.truth != "true"]
    repairs = asyncio.run(_run(chosen))
    figures = figures_of(repairs)
    print(listed(figures, COLUMNS), end="\n\n")
    for (way, end), count in Counter((one.way, one.end) for one in repairs).most_common():
        print(f"{way}: {end} {count}")
    for name, of in figures.items():
        for column in (REPAIRED, BESIDE_REPAIRED):
            if name.endswith(f", {ALL}") and of.get(column, GOAL) < GOAL:
                print(f"goal missed: {name}: {column} is {of[column]}, the goal {GOAL}")
    refused = sum(one.way == ALONE for one in repairs)
    told = f"{refused} refused of {len(chosen)} false and open drafts"
    print(f"{told}, {time.perf_counter() - started:.1f} s")
    if options.show:
        _show(repairs, options.half)
    lower = {LEFT_WRONG, *FAULTS}
    return settled(__file__, figures_of(repairs, options.fraction < 1), lower, options)


async def _run(chosen: Sequence[Draft]) -> list[Repair]:
    repairs: list[Repair] = []
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as house:
            truths = Truths(house, drafts(worlds()))
            for one in chosen:
                repairs += await mended(house, one, await truths.beside(one))
    return repairs


def _show(repairs: Sequence[Repair], half: str) -> None:
    """Tell what was not mended: of the held-out half only where it is asked for by name."""
    for one in repairs:
        hidden = one.draft.half == "held_out" and half != "held_out"
        mended_so = one.end == MENDED or (one.end == EMPTIED and one.way == ALONE)
        if hidden or (mended_so and not one.still_wrong):
            continue
        kind = "wrong words stayed" if one.still_wrong else one.end
        print(f"\n{kind}, {one.way}: {one.draft.language}, {one.draft.kind}, {one.draft.world}")
        print(f"  {one.before}\n  -> {' '.join(one.told.split())}")
        print(f"  {one.text}\n  -> {one.verdict}: {' '.join(one.told_then.split())}")


if __name__ == "__main__":
    sys.exit(main())
