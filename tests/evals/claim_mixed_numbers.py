"""Whether a figure told in mixed form or in words is read for what it says, in en, de and zh.

A recorded figure is told as "1½ trillion", "eineinhalb Billionen", "14亿5千万" and the like: as it
is, and 1,000 or 10 times too large or too small. No false one may be supported. Run:
python tests/evals/claim_mixed_numbers.py [--half seen|held_out|all] [--language en|de|zh|all]
    [--show] [--only "FORM"] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_amounts import mixed  # noqa: E402
from tests.evals.claim_check_drafts import LANGUAGES, Draft, Truth  # noqa: E402
from tests.evals.claim_check_worlds import House  # noqa: E402
from tests.evals.claim_facts import Figure  # noqa: E402
from tests.evals.claim_runs import run  # noqa: E402
from tests.evals.claim_templates import SEED, Facts, facts_of_all  # noqa: E402
from tests.evals.claim_wording import figure_of, sentences  # noqa: E402

FALSE, TRUE = 1_000, 600
FACTORS = ("1000", "0.001", "10", "0.1")


def made(facts: Facts) -> list[Draft]:
    """Make 1,000 false drafts and 600 true ones, of each form and language as many as there are."""
    rng = random.Random(SEED)
    false = [
        draft
        for one in facts.figures
        for factor in FACTORS
        if facts.apart(changed := replace(one, value=abs(one.value) * Decimal(factor)))
        for draft in _told(changed, "false")
    ]
    true = [draft for one in facts.single() if one.value > 0 for draft in _told(one, "true")]
    return [*_drawn(false, FALSE, rng), *_drawn(true, TRUE, rng)]


def _told(figure: Figure, truth: Truth) -> list[Draft]:
    """Tell a figure in every wording, in every form that is near enough to it."""
    if figure.unit == "%":
        return []
    found: list[Draft] = []
    for language in LANGUAGES:
        for form, amount in mixed(figure.value, figure.unit, language):
            slots = {**figure_of(figure, language), "amount": amount}
            for index, text in sentences("figure", language, slots):
                half = "held_out" if index % 2 else "seen"
                found.append(Draft(figure.world, text, truth, form, (), language, half))
    return found


def _drawn(drafts: list[Draft], count: int, rng: random.Random) -> list[Draft]:
    """Draw drafts in turn from each form, language and half."""
    groups: dict[tuple[str, str, str], list[Draft]] = defaultdict(list)
    for one in sorted(set(drafts), key=lambda one: (one.world, one.text)):
        groups[one.kind, one.language, one.half].append(one)
    for group in groups.values():
        rng.shuffle(group)
    found: list[Draft] = []
    while len(found) < count and any(groups.values()):
        found += [group.pop() for group in groups.values() if group]
    return found[:count]


async def drafts_of(house: House) -> list[Draft]:
    """Make the drafts from the facts of all worlds."""
    return made(await facts_of_all(house))


def main() -> int:
    return run(__file__, __doc__, drafts_of)


if __name__ == "__main__":
    sys.exit(main())
