"""Scores of forecasts against what came: Brier and its parts, calibration error, AUC, intervals.

A pair is a probability from 0 to 1 and whether the event came.

- Brier score and its parts: Brier 1950; reliability, resolution and uncertainty by Murphy 1973 over
  ten bins of equal width. Forecasts of one bin differ, so a rest `within` is left (Stephenson,
  Coelho and Jolliffe 2008): brier = reliability - resolution + uncertainty + within.
- Expected calibration error: the mean distance of said and came, weighted by bin (Naeini 2015).
- AUC: the probability that an event that came had the higher forecast, ties counting half (Mann and
  Whitney 1947).
- Intervals of shares: Wilson 1927.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

Pair = tuple[float, bool]

BINS = 10
Z_95 = 1.959963984540054
"""The quantile of the normal distribution for intervals of 95 %."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts that lie close together.

    Attributes:
        low: where the bin begins.
        high: where it ends.
        n: pairs in it.
        said: mean forecast.
        came: share that came.
        interval: 95 % interval of that share.
    """

    low: float
    high: float
    n: int
    said: float
    came: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Brier:
    """The Brier score with its parts.

    Attributes:
        score: mean squared distance of forecast and outcome; 0 is best.
        reliability: how far what is said lies from what comes; 0 is best.
        resolution: how far the forecasts tell what comes apart; more is better.
        uncertainty: what a constant forecast of the mean would score.
        within: what is left because the forecasts of one bin differ.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(pairs: Sequence[Pair]) -> Brier:
    """Return the Brier score of some pairs, at least one, with its parts."""
    n = len(pairs)
    found = bins(pairs)
    rate = sum(came for _, came in pairs) / n
    score = math.fsum((said - came) ** 2 for said, came in pairs) / n
    reliability = math.fsum(one.n * (one.said - one.came) ** 2 for one in found) / n
    resolution = math.fsum(one.n * (one.came - rate) ** 2 for one in found) / n
    uncertainty = rate * (1 - rate)
    within = score - (reliability - resolution + uncertainty)
    return Brier(score, reliability, resolution, uncertainty, within)


def ece(pairs: Sequence[Pair]) -> float:
    """Return the expected calibration error of some pairs, at least one; 0 is best."""
    return math.fsum(one.n * abs(one.said - one.came) for one in bins(pairs)) / len(pairs)


def bins(pairs: Iterable[Pair], count: int = BINS) -> list[Bin]:
    """Return the bins of equal width that hold any pair, lowest first; 1.0 is in the last."""
    held: dict[int, list[Pair]] = {}
    for said, came in pairs:
        held.setdefault(min(int(said * count), count - 1), []).append((said, came))
    found: list[Bin] = []
    for at, some in sorted(held.items()):
        n, came = len(some), sum(one for _, one in some)
        said = math.fsum(one for one, _ in some) / n
        found.append(Bin(at / count, (at + 1) / count, n, said, came / n, wilson(came, n)))
    return found


def auc(pairs: Sequence[Pair]) -> float | None:
    """Return the area under the ROC curve, or None where all or none came."""
    positives = sum(came for _, came in pairs)
    negatives = len(pairs) - positives
    if not positives or not negatives:
        return None
    doubled = below = 0
    for _, same in groupby(sorted(pairs), key=lambda pair: pair[0]):
        outcomes = [came for _, came in same]
        came = sum(outcomes)
        doubled += came * (2 * below + len(outcomes) - came)
        below += len(outcomes) - came
    return doubled / (2 * positives * negatives)


def rmse_bins(pairs: Sequence[Pair]) -> float:
    """Return the root of the mean squared distance of said and came over bins."""
    return math.sqrt(brier(pairs).reliability)


def wilson(came: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """Return the interval of the probability behind `came` of `n` events, n at least 1."""
    share, spread = came / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    reach = z / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)
