"""Knowledge tracing and scores against other code: pyBKT's figures, scikit-learn, naive copies.

- `bkt real`: the 42 GLOP sets of github.com/CAHLR/pyBKT-examples (70,668 answers; no licence, so
  read from `data/learning/glops` below GROUNDWIRE_TEST_DATA), users 80 to 20. pyBKT 1.4.3 with five
  starts took 407 s on one such split and forecast the rest with log loss 0.6051, AUC 0.7047; the
  mean of each skill 0.6477. On one split of all 42 sets (seed 7 and the name of the set) pyBKT has
  0.60968 and this 0.61033: 40 sets differ by less than 0.001, and two (G5.214, 0.2959 to 0.2418;
  G7.202, 0.5219 to 0.5199) are forecast better by a slip of 1.0 or a guess of 0.53, which turn the
  meaning of "known" around and are not taken here.
- `bkt drawn`: forecasts against a sum over every hidden path, and answers drawn from known
  parameters: how far the fitted forecasts are from the true ones in log loss.
- `intervals`: how often the interval of being known holds what is true of simulated learners, half
  of whom forget; `below target` is 1 where that is less than 90 of 100 (the interval says 95).
- `scores`: Brier, its parts, ECE, RMSE over bins and AUC against a naive copy in exact fractions
  (and scikit-learn where it is installed): the largest difference, in units of 1e-12.

Run: python tests/evals/learning_knowing.py [--fraction 0.1] [--seed 7]
"""

from __future__ import annotations

import csv
import math
import os
import random
import sys
import time
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.learning.knowing.answers import (  # noqa: E402
    Parameters,
    fit,
    forecasts,
    known,
    known_interval,
)
from groundwire.learning.knowing.calibration import auc, brier, ece  # noqa: E402
from tests.evals._learning_log import log_loss  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

Log = dict[str, list[list[bool]]]
PYBKT_SECONDS = 407.0
TARGET_PERCENT = 90


def glops() -> dict[str, dict[str, list[bool]]]:
    """The answers of each user in each set; empty where the sets are not there."""
    folder = Path(os.environ.get("GROUNDWIRE_TEST_DATA", "/dev/null"), "data/learning/glops")
    found: dict[str, dict[str, list[bool]]] = {}
    for path in sorted(folder.glob("*.csv")) if folder.is_dir() else ():
        users: dict[str, list[bool]] = {}
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                users.setdefault(row["user_id"], []).append(row["correct"] == "1")
        found[path.stem] = users
    return found


def real(chance: random.Random) -> dict[str, float] | None:
    sets = glops()
    if not sets:
        return None
    said: list[tuple[float, bool]] = []
    means: list[tuple[float, bool]] = []
    seconds = 0.0
    for users in sets.values():
        names = sorted(users)
        chance.shuffle(names)
        split = round(len(names) * 0.8)
        train = [users[name] for name in names[:split]]
        started = time.perf_counter()
        found = fit(train).parameters
        seconds += time.perf_counter() - started
        rate = sum(map(sum, train)) / sum(map(len, train))
        for name in names[split:]:
            said += zip(forecasts(found, users[name]), users[name], strict=True)
            means += [(rate, right) for right in users[name]]
    return {
        "answers": len(said),
        "log loss x 10,000": round(log_loss(said) * 10_000),
        "means": log_loss(means),
        "auc": auc(said) or 0.0,
        "seconds": seconds,
    }


def by_paths(parameters: Parameters, answers: list[bool]) -> list[float]:
    """The probability of a right answer before each, from every hidden path."""
    likelihoods = [1.0]
    for length in range(1, len(answers) + 1):
        total = 0.0
        for path in product((False, True), repeat=length):
            weight = parameters.prior if path[0] else 1 - parameters.prior
            for at, knows in enumerate(path):
                if at and path[at - 1]:
                    weight *= 1.0 if knows else 0.0
                elif at:
                    weight *= parameters.learn if knows else 1 - parameters.learn
                p = 1 - parameters.slip if knows else parameters.guess
                weight *= p if answers[at] else 1 - p
            total += weight
        likelihoods.append(total)
    shares = [after / before for before, after in pairwise(likelihoods)]
    return [share if right else 1 - share for share, right in zip(shares, answers, strict=True)]


def drawn(chance: random.Random, cases: int) -> dict[str, float]:
    """Forecasts against every hidden path; and fits against the truth, in log loss."""
    worst = 0.0
    for _ in range(cases):
        parameters = Parameters(*(chance.uniform(0.02, 0.98) for _ in range(2)),
                                *(chance.uniform(0.02, 0.48) for _ in range(2)))  # fmt: skip
        answers = [chance.random() < 0.6 for _ in range(chance.randint(1, 8))]
        pairs = zip(forecasts(parameters, answers), by_paths(parameters, answers), strict=True)
        worst = max(worst, *(abs(a - b) for a, b in pairs))
    losses = []
    for _ in range(max(2, cases // 50)):
        truth = Parameters(chance.uniform(0.1, 0.6), chance.uniform(0.05, 0.3),
                           chance.uniform(0.1, 0.3), chance.uniform(0.05, 0.2))  # fmt: skip
        log = [simulated(chance, truth, 8) for _ in range(400)]
        found = fit(log[:300]).parameters
        pairs = [
            [pair for one in log[300:] for pair in zip(forecasts(p, one), one, strict=True)]
            for p in (found, truth)
        ]
        losses.append(log_loss(pairs[0]) - log_loss(pairs[1]))
    return {
        "difference in 1e-12": math.ceil(worst * 1e12),
        "loss above truth percent": round(sum(losses) / len(losses) * 100, 2),
    }


def simulated(chance: random.Random, truth: Parameters, length: int) -> list[bool]:
    knows, found = chance.random() < truth.prior, []
    for _ in range(length):
        found.append(chance.random() < (1 - truth.slip if knows else truth.guess))
        knows = knows or chance.random() < truth.learn
    return found


def covered(chance: random.Random, cases: int) -> dict[str, float]:
    """How often the interval of being known holds the truth, of learners who forget or do not.

    The truth is what who knows the learner's parameters would say after the same answers. A third
    has answers of the concept alone, the others a few and those of other concepts behind them.
    """
    held = narrow = 0
    widths: list[float] = []
    for number in range(cases):
        truth = Parameters(chance.uniform(0.05, 0.95), chance.uniform(0.01, 0.4),
                           chance.uniform(0.05, 0.4), chance.uniform(0.02, 0.3))  # fmt: skip
        forget = chance.uniform(0, 0.12) if number % 2 else 0.0
        own = forgetting(chance, truth, forget, chance.choice((8, 15, 30, 60, 120)))
        behind = [own]
        if len(own) < 30:
            behind += [forgetting(chance, truth, forget, 12) for _ in range(8)]
        fitted = fit(behind).parameters
        low, high = known_interval(behind, own, fitted)
        value = known(fitted, own)
        low, high = min(low, value), max(high, value)
        right = truly_known(truth, forget, own)
        held += low <= right <= high
        # Told to a tenth of a percent, as an answer tells it.
        narrow += high - low < 0.0015
        widths.append(high - low)
    return {
        "covered percent": 100 * held / cases,
        "no width percent": 100 * narrow / cases,
        "mean width": sum(widths) / cases,
    }


def forgetting(chance: random.Random, truth: Parameters, forget: float, length: int) -> list[bool]:
    knows, found = chance.random() < truth.prior, []
    for _ in range(length):
        found.append(chance.random() < (1 - truth.slip if knows else truth.guess))
        knows = chance.random() >= forget if knows else chance.random() < truth.learn
    return found


def truly_known(truth: Parameters, forget: float, answers: list[bool]) -> float:
    now = truth.prior
    for right in answers:
        knows = now * ((1 - truth.slip) if right else truth.slip)
        guesses = (1 - now) * (truth.guess if right else 1 - truth.guess)
        after = knows / (knows + guesses)
        now = after * (1 - forget) + (1 - after) * truth.learn
    return now


def naive(pairs: list[tuple[float, bool]]) -> dict[str, float]:
    exact = [(Fraction(said), Fraction(int(came))) for said, came in pairs]
    n, rate = len(exact), sum(came for _, came in exact) / len(exact)
    held: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for one in exact:
        held.setdefault(min(int(float(one[0]) * 10), 9), []).append(one)
    means = [
        (len(some), sum(s for s, _ in some) / len(some), sum(c for _, c in some) / len(some))
        for some in held.values()
    ]
    reliability = sum(k * (s - c) ** 2 for k, s, c in means) / n
    came = [s for s, c in exact if c]
    failed = [s for s, c in exact if not c]
    wins = sum((a > b) + Fraction(a == b) / 2 for a in came for b in failed)
    return {
        "brier": float(sum((s - c) ** 2 for s, c in exact) / n),
        "reliability": float(reliability),
        "resolution": float(sum(k * (c - rate) ** 2 for k, _, c in means) / n),
        "uncertainty": float(rate * (1 - rate)),
        "ece": float(sum(k * abs(s - c) for k, s, c in means) / n),
        "rmse": math.sqrt(reliability),
        "auc": float(wins / (len(came) * len(failed))),
    }


def scores(chance: random.Random, cases: int) -> dict[str, float]:
    """The largest difference to the naive copy and to scikit-learn."""
    theirs: Any = None
    if find_spec("sklearn"):
        theirs = import_module("sklearn.metrics")
    else:
        print("without scikit-learn: scores are judged by the naive copy alone")
    worst = 0.0
    for _ in range(cases):
        digits = chance.choice((1, 2, 16))
        said = [round(chance.random(), digits) for _ in range(chance.randint(30, 120))]
        pairs = [(one, chance.random() < one) for one in said] + [(0.5, True), (0.5, False)]
        parts, expected = brier(pairs), naive(pairs)
        ours = {
            "brier": parts.score, "reliability": parts.reliability,
            "resolution": parts.resolution, "uncertainty": parts.uncertainty,
            "ece": ece(pairs), "rmse": math.sqrt(parts.reliability), "auc": auc(pairs) or 0.0,
        }  # fmt: skip
        worst = max(worst, *(abs(ours[name] - value) for name, value in expected.items()))
        if theirs is not None:
            came, forecast = [one for _, one in pairs], [one for one, _ in pairs]
            worst = max(
                worst,
                abs(parts.score - theirs.brier_score_loss(came, forecast)),
                abs(ours["auc"] - theirs.roc_auc_score(came, forecast)),
            )
    return {"difference in 1e-12": math.ceil(worst * 1e12)}


def main() -> int:
    options = arguments(__doc__)
    chance = random.Random(options.seed)
    cases = max(20, round(500 * options.fraction))
    figures: dict[str, dict[str, float]] = {
        "bkt drawn": drawn(chance, cases),
        "scores": scores(chance, cases),
    }
    intervals = covered(random.Random(options.seed + 1), max(100, round(400 * options.fraction)))
    figures["intervals"] = {"below target": float(intervals["covered percent"] < TARGET_PERCENT)}
    rows = [(kind, name, value) for kind, some in figures.items() for name, value in some.items()]
    rows += [("intervals", name, value) for name, value in intervals.items()]
    found = real(random.Random(options.seed))
    if found:
        figures["bkt real"] = {"log loss x 10,000": found["log loss x 10,000"]}
        rows += [
            ("bkt real", "answers forecast", found["answers"]),
            ("bkt real", "log loss", f"{found['log loss x 10,000'] / 10_000:.4f}"),
            ("bkt real", "log loss of means", f"{found['means']:.4f}"),
            ("bkt real", "auc", f"{found['auc']:.4f}"),
            ("bkt real", "seconds to fit", f"{found['seconds']:.1f}"),
            ("bkt real", "share of pyBKT's 407 s", f"{found['seconds'] / PYBKT_SECONDS:.4f}"),
        ]
    else:
        print("without the GLOP sets: set GROUNDWIRE_TEST_DATA to judge them too")
        if options.update:
            raise SystemExit("--update needs the GLOP sets")
        options.fraction = min(options.fraction, 0.999)
    print(table(("class", "figure", "value"), rows))
    lower = {"below target", "log loss x 10,000", "difference in 1e-12", "loss above truth percent"}
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
