"""Whether a true draft passes with two names or figures swapped, or a word put in or taken out.

Each true draft of the claim check that is supported is changed in the ways of
`claim_swap_changes.py`, one at a time, and checked. What still passes is told as right and is
mostly false; some changes leave a draft true or make no sentence of it. A fraction is one of the
worlds, so that few need to be made. Run:
python tests/evals/claim_swaps.py [--show 1] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_drafts import LANGUAGES, drafts  # noqa: E402
from tests.evals.claim_check_worlds import FOLDER, opened, worlds  # noqa: E402
from tests.evals.claim_one_word import Changed, passing, told_by  # noqa: E402
from tests.evals.claim_swap_changes import CLASSES, changes, recorded  # noqa: E402


async def run(fraction: float, seed: int) -> tuple[Counter[str], list[Changed]]:
    """Check the changed drafts of some worlds; count them by class, and list those that pass."""
    tables = tomllib.loads((FOLDER / "swaps.toml").read_text("utf-8"))
    words = {language: tables[language] for language in LANGUAGES}
    rng = random.Random(seed)
    known = worlds()
    true = [draft for draft in drafts(known) if draft.truth == "true"]
    drawn = {name for name in known if rng.random() < fraction}
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as house:
            of = {
                name: recorded(
                    (await house.answered(name)).results,
                    [draft for draft in true if draft.world == name],
                    words,
                )
                for name in drawn
            }
            return await passing(
                house,
                [draft for draft in true if draft.world in drawn],
                lambda draft: changes(draft, of[draft.world], words[draft.language]),
                lambda one: one.change,
            )


def main() -> int:
    """Run the eval; its exit code."""
    return told_by(__file__, __doc__, run, CLASSES, lambda one: one.change)


if __name__ == "__main__":
    sys.exit(main())
