"""Whether planted causes of failure are found, and none is told that was not planted.

Learners are simulated with none, one or two causes (`learning_diagnosis_learners.py`). A third is
held out: their sizes, speeds and strengths come from other ranges, and no threshold was chosen by
them.

- precision_percent: of the families that are told, those that were planted; `below_target` is 1
  where that is less than 90.
- recall_percent: of the planted families, those that are told.
- majority_percent: the precision of always telling the family that is planted most often.
- healthy_told_percent: learners without a cause to whom one is told.
- shuffled_told_percent: learners whose outcomes were dealt out anew among their answers, so that no
  cause is left, to whom a family is told that compares answers.
- numbers_without_data: learners of few reviews to whom anything is told.

Thirty learners are of a third hand (`learning_diagnosis_third_hand.py`); after a rule had been
mended by them and others of the same processes, sixty more were `drawn_anew` to judge it.

Shares vary with few learners, so a sampled run holds the target alone.

Run: python tests/evals/learning_diagnosis.py [--fraction 0.1] [--seed 7] [--show 5]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))

from _report import Ratchet, arguments, table  # noqa: E402

from groundwire.learning.diagnosis.diagnosing import (  # noqa: E402
    DiagnosisRequest,
    diagnose_reviews,
)
from groundwire.learning.diagnosis.thresholds import read_thresholds  # noqa: E402
from groundwire.learning.learner import learning_file  # noqa: E402
from groundwire.profiles import FOLDER  # noqa: E402
from tests.evals import learning_diagnosis_third_hand as third_hand  # noqa: E402
from tests.evals.learning_diagnosis_learners import (  # noqa: E402
    FAMILIES,
    Learner,
    drawn,
    planted,
)

LEARNERS = 900
TARGET_PERCENT = 90
OF_THIRD_HAND = ("third_hand", "drawn_anew")
SIDES = ("seen", "held_out")
THRESHOLDS = read_thresholds(FOLDER / "learning.toml")


def main() -> int:
    options = arguments(__doc__, show=(0, "how many wrong learners to print"))
    choose = random.Random(options.seed)
    began = time.perf_counter()
    counts: Counter[tuple[str, str, str]] = Counter()
    learners = max(1, round(LEARNERS * options.fraction))
    with tempfile.TemporaryDirectory() as folder:
        state = learning_file(Path(folder))
        state._synchronous = "OFF"
        for number in range(learners):
            own = random.Random(choose.random())
            show = counts["seen", "shown", ""] < options.show
            one_learner(state, number, own, counts, show=show)
        for number, causes in enumerate(third_hand.LEARNERS):
            of_third_hand(state, number, causes, counts, show=bool(options.show))
        for number, causes in enumerate(2 * third_hand.LEARNERS):
            of_third_hand(state, number, causes, counts, side="drawn_anew")
        state.close()
    figures: dict[str, dict[str, float]] = {side: shares(counts, side) for side in SIDES}
    third = shares(counts, "third_hand")
    names = ("below_target", "precision_percent", "recall_percent", "healthy_told_percent")
    figures["third_hand"] = {name: third[name] for name in names}
    anew = shares(counts, "drawn_anew")
    figures["drawn_anew"] = {name: anew[name] for name in names}
    few = counts["", "few told", ""]
    figures["few reviews"] = {"numbers_without_data": few}
    kinds = ("planted", "told", "right")
    rows = [
        (f"{side} {family}", *(counts[side, kind, family] for kind in kinds))
        for side in (*SIDES, "third_hand", "drawn_anew")
        for family in FAMILIES
    ]
    print(table(("family", *kinds), rows))
    for side, values in figures.items():
        print(side, {name: round(value, 1) for name, value in values.items()})
    spent = counts["", "microseconds", ""] / 1000
    print(f"{time.perf_counter() - began:.0f} s, {spent / learners:.0f} ms a diagnosis")
    lower = {
        "below_target",
        "healthy_told_percent",
        "shuffled_told_percent",
        "numbers_without_data",
    }
    held = {
        kind: {
            name: value
            for name, value in values.items()
            if name != "majority_percent"
            and (options.fraction >= 1 or not name.endswith("percent") or kind in OF_THIRD_HAND)
        }
        for kind, values in figures.items()
    }
    return Ratchet(__file__, lower).settle(held, options)


def one_learner(
    state: Any,
    number: int,
    own: random.Random,
    counts: Counter[tuple[str, str, str]],
    *,
    show: bool,
) -> None:
    """Simulate and diagnose one learner."""
    held_out = number % 3 == 2
    side = SIDES[held_out]
    causes = drawn(own, held_out)
    owner = f"learner {number}"
    with state.writing() as connection:
        planted(connection, owner, Learner(own, causes, held_out))
    start = time.perf_counter()
    result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())
    counts["", "microseconds", ""] += round((time.perf_counter() - start) * 1e6)
    told = [one.family for one in result.families]
    for family in told:
        counts[side, "told", family] += 1
        counts[side, "right", family] += family in causes
    for family in causes:
        counts[side, "planted", family] += 1
    counts[side, "healthy", ""] += not causes
    counts[side, "healthy told", ""] += bool(told) and not causes
    counts[side, "learners", ""] += 1
    if set(told) != set(causes) and not held_out:
        counts[side, "shown", ""] += 1
        if show:
            found = [(one.family, one.support) for one in result.families]
            print(number, "planted", causes, "told", found)
    counts[side, "shuffled told", ""] += _told_of_shuffled(state, owner, own)
    counts["", "few told", ""] += _told_of_few(state, owner, own)


def of_third_hand(
    state: Any,
    number: int,
    causes: tuple[str, ...],
    counts: Counter[tuple[str, str, str]],
    *,
    show: bool = False,
    side: str = "third_hand",
) -> None:
    """Diagnose one learner of the third hand; all of them are the same in every run."""
    owner, kind = f"{side} {number}", number % len(third_hand.LEARNERS)
    seed = f"third hand {number}" if side == "third_hand" else f"drawn anew {number}"
    with state.writing() as connection:
        third_hand.lived(connection, owner, kind, random.Random(seed))
    result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())
    told = {one.family for one in result.families}
    for family in told:
        counts[side, "told", family] += 1
        counts[side, "right", family] += family in causes
    for family in causes:
        counts[side, "planted", family] += 1
    counts[side, "healthy", ""] += not causes
    counts[side, "healthy told", ""] += bool(told) and not causes
    counts[side, "learners", ""] += 1
    if told != set(causes) and show:
        print(f"third hand {number}: planted {causes}, told {told}, {result.status}")


def shares(counts: Counter[tuple[str, str, str]], side: str) -> dict[str, float]:
    """The shares of one side."""
    told, right, there = (
        sum(counts[side, kind, family] for family in FAMILIES)
        for kind in ("told", "right", "planted")
    )
    most = max(counts[side, "planted", family] for family in FAMILIES)
    learners, healthy = counts[side, "learners", ""], counts[side, "healthy", ""]
    precision = 100 * right / max(1, told)
    return {
        "below_target": float(precision < TARGET_PERCENT),
        "precision_percent": precision,
        "recall_percent": 100 * right / max(1, there),
        "majority_percent": 100 * most / max(1, learners),
        "shuffled_told_percent": 100 * counts[side, "shuffled told", ""] / max(1, learners),
        "healthy_told_percent": 100 * counts[side, "healthy told", ""] / max(1, healthy),
    }


def _told_of_shuffled(state: Any, owner: str, choose: random.Random) -> bool:
    """Whether a family is told where outcomes stand at answers that they do not belong to.

    Overconfidence is of all answers together, which dealing out anew leaves as it was.
    """
    with state.writing() as connection:
        # The log of this world is dealt out anew, as no log of a learner ever is.
        connection.execute("DROP TRIGGER IF EXISTS reviews_are_kept")
        rows = connection.execute(
            "SELECT sequence, rating, response FROM reviews WHERE owner = ?", (owner,)
        ).fetchall()
        dealt = choose.sample(rows, len(rows))
        connection.executemany(
            "UPDATE reviews SET rating = ?, response = ? WHERE sequence = ?",
            [(a[1], a[2], b[0]) for a, b in zip(dealt, rows, strict=True)],
        )
    result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())
    return any(one.family != "overconfidence" for one in result.families)


def _told_of_few(state: Any, owner: str, choose: random.Random) -> bool:
    """Whether anything is told of a learner of whom only the first reviews are looked at."""
    with state.writing() as connection:
        connection.execute("DELETE FROM reviews WHERE owner = ? AND review_id NOT IN (SELECT"
            " review_id FROM reviews WHERE owner = ? ORDER BY sequence LIMIT ?)",
            (owner, owner, choose.randrange(30)),
        )  # fmt: skip
    result, _ = diagnose_reviews(state, THRESHOLDS, owner, DiagnosisRequest())
    return result.status != "not_enough" or bool(result.families) or bool(result.patches)


if __name__ == "__main__":
    sys.exit(main())
