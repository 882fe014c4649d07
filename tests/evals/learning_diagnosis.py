"""Whether planted causes of failure are found, and none is told that was not planted.

Learners are simulated with none, one or two causes (`learning_diagnosis_learners.py`). A third is
held out: their sizes, speeds and strengths come from other ranges, and no threshold was chosen by
them.

- precision_percent: of the families that are told, those that were planted.
- recall_percent: of the planted families, those that are told.
- majority_percent: the precision of always telling the family that is planted most often.
- healthy_told_percent: learners without a cause to whom one is told.
- numbers_without_data: learners of few reviews to whom anything is told.

Run: python tests/evals/learning_diagnosis.py [--fraction 0.1] [--seed 7] [--show 5]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))

from _report import Ratchet, arguments, table  # noqa: E402

from groundwire.learning.diagnosis.diagnosing import (  # noqa: E402
    DiagnosisRequest,
    diagnose_reviews,
)
from groundwire.learning.diagnosis.thresholds import read_thresholds  # noqa: E402
from groundwire.learning.tables import learning_file  # noqa: E402
from groundwire.profiles import FOLDER  # noqa: E402
from tests.evals.learning_diagnosis_learners import (  # noqa: E402
    FAMILIES,
    Learner,
    drawn,
    planted,
)

LEARNERS = 900
THRESHOLDS = read_thresholds(FOLDER / "learning.toml")


def main() -> int:
    options = arguments(__doc__, show=(0, "how many wrong learners to print"))
    choose = random.Random(options.seed)
    began = time.perf_counter()
    counts: Counter[tuple[str, str, str]] = Counter()
    few = 0
    spent = 0.0
    with tempfile.TemporaryDirectory() as folder:
        state = learning_file(Path(folder))
        state._synchronous = "NORMAL"
        for number in range(round(LEARNERS * options.fraction)):
            held_out = number % 3 == 2
            side = "held_out" if held_out else "seen"
            own = random.Random(choose.random())
            causes = drawn(own, held_out)
            owner = f"learner {number}"
            with state.writing() as connection:
                planted(connection, owner, Learner(own, causes, held_out))
            start = time.perf_counter()
            result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())
            spent += time.perf_counter() - start
            told = [one.family for one in result.families]
            for family in told:
                counts[side, "told", family] += 1
                counts[side, "right", family] += family in causes
            for family in causes:
                counts[side, "planted", family] += 1
            counts[side, "healthy", ""] += not causes
            counts[side, "healthy told", ""] += bool(told) and not causes
            counts[side, "learners", ""] += 1
            wrong = set(told) ^ set(causes)
            if wrong and not held_out and options.show > 0:
                options.show -= 1
                print(
                    number,
                    "planted",
                    causes,
                    "told",
                    [(f.family, f.support) for f in result.families],
                )
            few += _told_of_few(state, owner, own)
        state.close()
    figures: dict[str, dict[str, float]] = {}
    rows = []
    for side in ("seen", "held_out"):
        for family in FAMILIES:
            made = [counts[side, kind, family] for kind in ("planted", "told", "right")]
            rows.append((f"{side} {family}", *made))
        told, right, there = (
            sum(counts[side, kind, family] for family in FAMILIES)
            for kind in ("told", "right", "planted")
        )
        most = max(counts[side, "planted", family] for family in FAMILIES)
        figures[side] = {
            "precision_percent": 100 * right / max(1, told),
            "recall_percent": 100 * right / max(1, there),
            "majority_percent": 100 * most / max(1, counts[side, "learners", ""]),
            "healthy_told_percent": 100
            * counts[side, "healthy told", ""]
            / max(1, counts[side, "healthy", ""]),
        }
    figures["few reviews"] = {"numbers_without_data": few}
    print(table(("family", "planted", "told", "right"), rows))
    for side, values in figures.items():
        print(side, {name: round(value, 1) for name, value in values.items()})
    learners = max(1, round(LEARNERS * options.fraction))
    print(f"{time.perf_counter() - began:.0f} s, {1000 * spent / learners:.0f} ms a diagnosis")
    lower = {"healthy_told_percent", "numbers_without_data", "majority_percent"}
    return Ratchet(__file__, lower).settle(figures, options)


def _told_of_few(state: object, owner: str, choose: random.Random) -> bool:
    """Whether anything is told of a learner of whom only the first reviews are looked at."""
    with state.writing() as connection:  # type: ignore[attr-defined]
        connection.execute("DELETE FROM reviews WHERE owner = ? AND review_id NOT IN (SELECT"
            " review_id FROM reviews WHERE owner = ? ORDER BY sequence LIMIT ?)",
            (owner, owner, choose.randrange(30)),
        )  # fmt: skip
    result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())  # type: ignore[arg-type]
    return result.status != "not_enough" or bool(result.families) or bool(result.patches)


if __name__ == "__main__":
    sys.exit(main())
