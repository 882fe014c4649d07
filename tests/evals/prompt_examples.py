"""Whether the agents answer the prompts of the pages and the examples of the specifications.

The cases stand in `prompt_examples.toml`; each is asked above the real servers, without network.
A case of a page fails where the page has its prompt no more. Specifications are read from the
folder `seeds` of `GROUNDWIRE_TEST_DATA`; without it their cases are skipped.

Run: python tests/evals/prompt_examples.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.evals._report import Ratchet, arguments, table
from tests.evals.agent_questions import OUTCOMES, UNANSWERED, WRONG, answers, outcome_of
from tests.shared_data import VARIABLE

_ROOT = Path(__file__).parents[2]
_SEEDS = Path(os.environ.get(VARIABLE) or _ROOT / "nowhere") / "seeds"


def cases() -> list[dict[str, Any]]:
    """Read the cases whose page or specification is at hand.

    Raises:
        ValueError: a page or a specification has a prompt no more.
    """
    held: list[dict[str, Any]] = []
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["question"]:
        found = _text_of(one)
        if found is None:
            print(f"skipped, since its specification is not there: {one['text']}")
        elif _joined(one.get("part", one["text"])) not in _joined(found):
            raise ValueError(
                f"{one.get('page') or one['source']} has no such prompt: {one['text']}"
            )
        else:
            held.append(one)
    return held


def _text_of(case: Mapping[str, Any]) -> str | None:
    """Return the text that has a case, or None where it is a specification that is not there."""
    if "page" in case:
        return (_ROOT / case["page"]).read_text("utf-8")
    found = next(iter(sorted(_SEEDS.glob(f"{case['source']}_*.txt"))), None)
    return found.read_text("utf-8", errors="replace") if found else None


def _joined(text: str) -> str:
    return " ".join(text.split())


def main() -> int:
    options = arguments(__doc__)
    logging.disable(logging.CRITICAL)
    rng = random.Random(options.seed)
    chosen = [one for one in cases() if rng.random() < options.fraction]
    tally: Counter[str] = Counter()
    for asked, output in zip(chosen, asyncio.run(answers(chosen)), strict=True):
        outcome = outcome_of(asked, output)
        tally[outcome] += 1
        if outcome in (UNANSWERED, WRONG):
            answer = " ".join(str(output["answer"]).split())[:300]
            print(f"{outcome}: {asked['agent']}: {asked['text']}\n  -> {answer}")
    print(table(("prompts", *OUTCOMES), [(tally.total(), *(tally[one] for one in OUTCOMES))]))
    figures = {"prompts": {WRONG: tally[WRONG], UNANSWERED: tally[UNANSWERED]}}
    return Ratchet(__file__, lower={WRONG, UNANSWERED}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
