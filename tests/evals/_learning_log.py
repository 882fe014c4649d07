"""The reviews that the evals of learning read: the test log of py-fsrs, and random histories.

The log (github.com/open-spaced-repetition/py-fsrs, tests, MIT; 12,580 reviews of 1,205 cards) is no
part of the repository. It is read from `data/learning/py_fsrs_reviews.csv` in the folder that
`GROUNDWIRE_TEST_DATA` names.
"""

from __future__ import annotations

import csv
import datetime as dt
import math
import os
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MILLISECOND = dt.timedelta(milliseconds=1)
DAY_MS = 86_400_000
START_MS = 1_700_000_000_000

History = list[tuple[int, int]]


def real_log() -> dict[str, History]:
    """Rating and time of the reviews of each card, in order; empty where the log is not there."""
    folder = os.environ.get("GROUNDWIRE_TEST_DATA", "")
    path = Path(folder, "data/learning/py_fsrs_reviews.csv")
    if not folder or not path.is_file():
        return {}
    cards: dict[str, History] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            at = dt.datetime.fromisoformat(row["review_time"])
            cards.setdefault(row["card_id"], []).append(
                (int(row["review_rating"]), (at - EPOCH) // MILLISECOND)
            )
    return {card: sorted(reviews, key=lambda one: one[1]) for card, reviews in cards.items()}


def random_history(chance: random.Random) -> History:
    """Between one and twelve reviews at gaps from milliseconds to years."""
    at, found = START_MS + chance.randrange(DAY_MS), History()
    for _ in range(chance.randint(1, 12)):
        found.append((chance.choices((1, 2, 3, 4), (2, 1, 6, 1))[0], at))
        at += round(math.exp(chance.uniform(0, math.log(900 * DAY_MS))))
    return found


def log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    """Mean negative logarithm of the probability that was given to what came."""
    return -sum(math.log(max(p if came else 1 - p, 1e-15)) for p, came in pairs) / len(pairs)


def constant(pairs: Iterable[tuple[float, bool]]) -> list[tuple[float, bool]]:
    """The same outcomes, each forecast by how often they came."""
    outcomes = [came for _, came in pairs]
    rate = sum(outcomes) / len(outcomes)
    return [(rate, came) for came in outcomes]
