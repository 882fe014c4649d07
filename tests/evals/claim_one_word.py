"""Whether a true draft with one word of structure changed still passes: more, not, second, since.

Each true draft of the claim check that is supported is written again with one word of
`claim_check/one_word.toml` in place of another, and checked. What still passes is a false draft
that is told as right, apart from the few that the other word makes no less true. Run:
python tests/evals/claim_one_word.py [--show 1] [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.claim_check_drafts import LANGUAGES, Draft, drafts  # noqa: E402
from tests.evals.claim_check_worlds import FOLDER, House, opened, worlds  # noqa: E402

PASSED = "changed_supported"
# How often a word is changed within one draft, each time alone.
MOST_PLACES = 2


@dataclass(frozen=True, slots=True)
class Changed:
    """A true draft that was changed.

    Attributes:
        draft: as it was.
        change: what was changed.
        text: the draft with the change.
    """

    draft: Draft
    change: str
    text: str

    @property
    def told(self) -> str:
        """The changed draft with where it comes from, as a line."""
        draft = self.draft
        return f"{draft.language}, {draft.half}, {draft.world}, {self.change}: {self.text}"


def changed(draft: Draft, pairs: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Yield which word is changed, and the draft with that change."""
    for old, new in pairs:
        pattern = re.escape(old) if draft.language == "zh" else rf"\b{re.escape(old)}\b"
        for found in list(re.finditer(pattern, draft.text))[:MOST_PLACES]:
            text = draft.text[: found.start()] + new + draft.text[found.end() :]
            yield f"{old} -> {new or 'nothing'}", re.sub("  +", " ", text)


async def passing(
    house: House,
    drawn: Sequence[Draft],
    change: Callable[[Draft], Iterable[tuple[str, str]]],
    group: Callable[[Changed], str],
) -> tuple[Counter[str], list[Changed]]:
    """Change those of some drafts that are supported, and check them again.

    Args:
        house: the servers.
        drawn: true drafts.
        change: yields for a draft what is changed, and its text with that change.
        group: what a changed draft is counted by.

    Returns:
        how many were changed, by group; and those that are supported still.
    """
    answers = await house.check_all([(draft.world, draft.text) for draft in drawn])
    cases = [
        Changed(draft, *one)
        for draft, answer in zip(drawn, answers, strict=True)
        if answer["verdict"] == "supported"
        for one in change(draft)
    ]
    answers = await house.check_all([(case.draft.world, case.text) for case in cases])
    passed = [
        case
        for case, answer in zip(cases, answers, strict=True)
        if answer["verdict"] == "supported"
    ]
    return Counter(map(group, cases)), passed


async def run(fraction: float, seed: int) -> tuple[Counter[str], list[Changed]]:
    """Check the changed drafts; count them by language, and list those that pass."""
    pairs = tomllib.loads((FOLDER / "one_word.toml").read_text("utf-8"))
    rng = random.Random(seed)
    drawn = [d for d in drafts(worlds()) if d.truth == "true" and rng.random() < fraction]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as house:
            return await passing(
                house,
                drawn,
                lambda draft: changed(draft, pairs[draft.language]["pairs"]),
                lambda one: one.draft.language,
            )


def told_by(
    script: str,
    about: str | None,
    run: Callable[[float, int], Coroutine[Any, Any, tuple[Counter[str], list[Changed]]]],
    groups: Sequence[str],
    group: Callable[[Changed], str],
) -> int:
    """Print how many changed drafts of each group pass, and hold the figures.

    Args:
        script: path of the eval, beside which its figures lie.
        about: what its help says.
        run: checks the drafts of a fraction with a seed; counts them, and lists what passes.
        groups: the groups, in the order of the table.
        group: the group of a changed draft.

    Returns:
        The exit code of the eval.
    """
    logging.disable(logging.CRITICAL)
    options = arguments(about, show=(0, "1 lists what passes"))
    began = time.perf_counter()
    checked, passed = asyncio.run(run(options.fraction, options.seed))
    if options.show:
        print("\n".join(one.told for one in passed))
    of = Counter(map(group, passed))
    rows = [(one, checked[one], of[one]) for one in groups]
    print(table(("group", "changed", "supported"), rows))
    print(f"{checked.total():,} changed drafts, {time.perf_counter() - began:.0f} s")
    figures = {one: {PASSED: of[one]} for one in groups}
    return Ratchet(script, lower={PASSED}).settle(figures, options)


def main() -> int:
    """Run the eval; its exit code."""
    return told_by(__file__, __doc__, run, LANGUAGES, lambda one: one.draft.language)


if __name__ == "__main__":
    sys.exit(main())
