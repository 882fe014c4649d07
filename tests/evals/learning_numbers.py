"""Learners of whom too little is known: no tool says a number that reads as an estimate.

Each case is a learner whose log lacks what an estimate needs, in one of nine ways: nothing, a few
reviews, reviews that the model alone rated, reviews that were undone, reviews of one day, few
answers about a concept, few behind its parameters, few pairs of confidence, or nothing by the day
that is asked about. `told` counts answers with a value, an interval or a score in them, or with a
number in their sentence that is no count of the log, no limit and no day. As many learners with
enough are asked the same; of them `missed` counts answers without an estimate.

Run: python tests/evals/learning_numbers.py [--fraction 0.1] [--seed 7] [--show 3]
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests"))

from learning_worlds import DAY_MS, START_MS, World  # noqa: E402

from groundwire.learning.estimating import query_calibration, query_mastery  # noqa: E402
from groundwire.learning.results import CalibrationResult, MasteryResult  # noqa: E402
from groundwire.learning.reviews.store import Row, append  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

CASES = 10_000
ENOUGH = 300
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LIMITS = {"30", "5"}
_ESTIMATES = ("value", "value_text", "interval", "brier", "ece", "auc", "bias", "bins")

Case = list[tuple[str, Row]]


class Drawn:
    """Draws the rows of one learner's log."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def rows(
        self,
        count: int,
        *,
        rated_by: str = "server",
        gap: float = 2.0,
        sure: float = 1.0,
        cards: tuple[str, ...] = ("c1", "c2"),
        first: int = 0,
    ) -> list[Row]:
        """So many reviews, the last an hour before now; `gap` days between those of one card."""
        chance, found = self.chance, []
        for number in range(count):
            back = (count - number - 1) // len(cards) * gap * DAY_MS + 3_600_000
            right = chance.random() < 0.8
            found.append(
                Row(
                    f"r{first + number}",
                    cards[number % len(cards)],
                    "review",
                    3 if right else 1,
                    rated_by,
                    START_MS - round(back),
                    START_MS,  # type: ignore[arg-type]
                    "right" if right else "wrong",
                    "exact",
                    confidence=round(chance.uniform(0.2, 1), 2) if chance.random() < sure else None,
                    predicted=chance.uniform(0.5, 1) if number >= len(cards) else None,
                )
            )
        return found

    def undone(self, count: int) -> list[Row]:
        rows = self.rows(count)
        return rows + [
            Row(f"undo:{one.review_id}", one.card_id, "undo", None, "host", one.at_ms, START_MS,
                undoes=one.review_id)
            for one in rows
        ]  # fmt: skip


KINDS: dict[str, Callable[[Drawn], list[Row]]] = {
    "nothing": lambda _: [],
    "a few reviews": lambda d: d.rows(d.chance.randint(1, 4)),
    "below the limit": lambda d: d.rows(d.chance.randint(5, 29), sure=0.5),
    "the model's": lambda d: d.rows(d.chance.randint(1, 90), rated_by="host"),
    "undone": lambda d: d.undone(d.chance.randint(1, 60)),
    "of one day": lambda d: d.rows(d.chance.randint(5, 28), gap=0.001),
    "mostly the model's": lambda d: (
        d.rows(d.chance.randint(1, 29), gap=4)
        + d.rows(d.chance.randint(30, 90), rated_by="host", first=1_000)
    ),
    "no confidence": lambda d: d.rows(d.chance.randint(1, 25), sure=0),
    "later than asked": lambda d: d.rows(d.chance.randint(30, 60), gap=0.3),
}


def asked(world: World, owner: str, kind: str) -> list[MasteryResult | CalibrationResult]:
    learner = world.other(owner)
    day = "2025-01-01" if kind == "later than asked" else ""
    found: list[MasteryResult | CalibrationResult] = [
        query_mastery(learner, of, day)[0] for of in ("c1", "deck: Spanish", "concept: verbs")
    ]
    if kind != "later than asked":
        found += [
            query_calibration(learner, "c1")[0],
            query_calibration(learner, source="schedule")[0],
        ]
    return found


def tells(result: MasteryResult | CalibrationResult, log: list[Row]) -> bool:
    """Whether a result has a number that reads as an estimate."""
    if result.status == "estimated":
        return True
    if any(getattr(result, name, None) is not None for name in _ESTIMATES):
        return True
    counts = {str(number) for number in range(len(log) + 1)} | _LIMITS
    text = re.sub(r"\d{4}-\d\d-\d\d", "", result.answer.replace('"c1"', "").replace("of c1", ""))
    return any(number not in counts for number in _NUMBER.findall(text))


def filled(world: World, owners: dict[str, list[Row]]) -> None:
    """Write decks, cards and logs of learners in one transaction."""
    with world.learner.writing() as connection:
        for owner, rows in owners.items():
            connection.execute(
                "INSERT INTO decks VALUES (?, 'deck_1', 'Spanish', 'spanish', 0)", (owner,)
            )
            connection.execute(
                "INSERT INTO nodes VALUES (?, 'node_1', 'concept', 'verbs', 'verb', '{}', 1)",
                (owner,),
            )
            for card in ("c1", "c2"):
                connection.execute(
                    "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, "
                    "back, state, proof, created_ms) VALUES (?, ?, ?, 'deck_1', 0, 'atomic', ?, "
                    "'x', 'active', 'imported', 0)",
                    (owner, card, card, card),
                )
                connection.execute(
                    "INSERT INTO card_concepts VALUES (?, ?, 'node_1')", (owner, card)
                )
            for row in rows:
                append(connection, owner, row)


def main() -> int:
    options = arguments(__doc__, show=(0, "answers to print"))
    drawn = Drawn(random.Random(options.seed))
    kinds = list(KINDS)
    cases = {
        f"owner{number}": (kinds[number % len(kinds)], KINDS[kinds[number % len(kinds)]](drawn))
        for number in range(round(CASES * options.fraction))
    }
    # Drawn apart from the others, so that a sampled run asks the first of those that all are.
    apart = Drawn(random.Random(f"{options.seed} enough"))
    enough = {
        f"full{number}": apart.rows(90, gap=1.5)
        for number in range(max(20, round(ENOUGH * options.fraction)))
    }
    told: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        filled(world, {owner: rows for owner, (_, rows) in cases.items()} | enough)
        for owner, (kind, rows) in cases.items():
            for result in asked(world, owner, kind):
                answers[kind] += 1
                if tells(result, rows):
                    told[kind] += 1
                    if options.show > 0:
                        print(kind, len(rows), result.answer)
                        options.show -= 1
        for owner in enough:
            missed += sum(one.status != "estimated" for one in asked(world, owner, ""))
        world.base.close()
    lines = [(kind, answers[kind], told[kind]) for kind in kinds]
    print(table(("learners", "answers", "told"), lines))
    print(f"\nof {len(enough) * 5} answers about learners with enough, {missed} had no estimate")
    figures = {"too little": {"told": sum(told.values())}, "enough": {"missed": missed}}
    return Ratchet(__file__, lower={"told", "missed"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
