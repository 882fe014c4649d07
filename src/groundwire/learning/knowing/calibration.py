"""Calibration of forecasts: Brier score and its parts, calibration error, AUC, intervals.

A pair is a probability from 0 to 1 and whether the event came.

- Brier score and its parts: Brier 1950; reliability, resolution and uncertainty by Murphy 1973 over
  ten bins of equal width. Forecasts of one bin differ, so a rest `within` is left (Stephenson,
  Coelho and Jolliffe 2008): brier = reliability - resolution + uncertainty + within.
- Expected calibration error: the mean distance of said and came, weighted by bin (Naeini 2015).
- AUC: the probability that an event that came had the higher forecast, ties counting half (Mann and
  Whitney 1947).
- Intervals of shares: Wilson 1927.

A pair is a confidence that the learner gave, or a probability that the schedule gave for a review
on a later day, and whether the card was recalled. A rating of the model alone makes none. Without
30 pairs nothing is said, without 5 nothing of a bin. What a model reports without the learner being
asked is a pair only where the learner's policy counts it.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from groundwire.learning.knowing.answers import Answered, answered
from groundwire.learning.schedule.policy import Policy, local_text
from groundwire.learning.subjects import Subject
from groundwire.learning.terms import DAY_MS, LEAST_IN_BIN, LEAST_PAIRS, ForecastSource, Group

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


def wilson(came: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of the probability behind `came` of `n` events, n at least 1."""
    share, spread = came / n, Z_95 * Z_95 / n
    middle = (share + spread / 2) / (1 + spread)
    reach = Z_95 / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well some forecasts were met.

    Attributes:
        pairs: how many there are.
        brier: Brier score and its parts.
        ece: expected calibration error.
        auc: area under the ROC curve, or None where all or none came.
        bias: mean forecast less the share that came; above 0 too much was promised.
        bins: bins of enough pairs.
        left_out: pairs in bins of too few.
    """

    pairs: int
    brier: Brier
    ece: float
    auc: float | None
    bias: float
    bins: tuple[Bin, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The reviews that were looked at, and what they say.

    Attributes:
        reviews: the reviews about the subject, those of the model among them.
        pairs: pairs of forecast and outcome.
        left_out: pairs that are not among them, since the model sent what they rest on.
        whole: how well all were met, or None where there are too few.
        groups: the same for each group, by its name, with how many pairs it has.
    """

    reviews: tuple[Answered, ...]
    pairs: int
    left_out: int
    whole: Calibration | None
    groups: tuple[tuple[str, int, Calibration | None], ...]


def calibration(
    connection: sqlite3.Connection,
    owner: str,
    policy: Policy,
    subject: Subject,
    source: ForecastSource,
    by: Group,
) -> Judged:
    """Judge the forecasts about a subject.

    Args:
        connection: to the learner's file.
        owner: the learner.
        policy: the learner's, whose months are split by.
        subject: what the forecasts are about.
        source: whose forecasts: the learner's confidence, or the schedule's probability.
        by: what to split by, or "".
    """
    reviews = tuple(answered(connection, owner, subject))
    forecasts = list(counted_forecasts(reviews, policy, source))
    every = sum(1 for _ in forecasts_of(reviews, source))
    groups: dict[str, list[Pair]] = {}
    if by:
        names = _group_names(connection, owner, policy, by)
        for one, pair in forecasts:
            for name in names(one):
                groups.setdefault(name, []).append(pair)
    pairs = [pair for _, pair in forecasts]
    return Judged(
        reviews,
        len(pairs),
        every - len(forecasts),
        judge(pairs),
        tuple((name, len(some), judge(some)) for name, some in sorted(groups.items())),
    )


def counted_forecasts(
    reviews: Sequence[Answered], policy: Policy, source: ForecastSource
) -> Iterator[tuple[Answered, Pair]]:
    """Yield the forecasts that a policy counts: those that no model sent, unless it counts them."""
    for one, pair in forecasts_of(reviews, source):
        if policy.count_reported or one.asked_for(source):
            yield one, pair


def judge(pairs: Sequence[Pair]) -> Calibration | None:
    """Return how well some forecasts were met, or None where there are fewer than 30."""
    if len(pairs) < LEAST_PAIRS:
        return None
    every = bins(pairs)
    told = tuple(one for one in every if one.n >= LEAST_IN_BIN)
    said = sum(said for said, _ in pairs) / len(pairs)
    came = sum(came for _, came in pairs) / len(pairs)
    return Calibration(
        len(pairs),
        brier(pairs),
        ece(pairs),
        auc(pairs),
        said - came,
        told,
        len(pairs) - sum(one.n for one in told),
    )


def forecasts_of(
    reviews: Iterable[Answered], source: ForecastSource
) -> Iterator[tuple[Answered, Pair]]:
    """Yield the reviews that were forecast, each with forecast and outcome.

    The schedule is judged by reviews a day or more after the one before. A rating of
    the model alone tells no outcome; it still counts as a review before others.
    """
    last: dict[str, int] = {}
    for one in reviews:
        before = last.get(one.card_id)
        last[one.card_id] = one.at_ms
        if not one.heard:
            continue
        if source == "confidence":
            if one.confidence is not None:
                yield one, (one.confidence, one.right)
        elif one.predicted is not None and before is not None and one.at_ms - before >= DAY_MS:
            yield one, (one.predicted, one.right)


def _group_names(
    connection: sqlite3.Connection, owner: str, policy: Policy, by: Group
) -> Callable[[Answered], Sequence[str]]:
    """Return what tells the groups that a review belongs to."""
    if by == "month":
        return lambda one: (local_text(policy, one.at_ms)[:7],)
    held: dict[str, list[str]] = {}
    sql = _DECKS if by == "deck" else _CONCEPTS
    for card_id, name in connection.execute(sql, (owner,)):
        held.setdefault(card_id, []).append(name)
    return lambda one: held.get(one.card_id, ())


_DECKS = "SELECT card_id, name FROM cards JOIN decks USING (owner, deck_id) WHERE owner = ?"
_CONCEPTS = (
    "SELECT card_id, name FROM card_concepts JOIN nodes USING (owner, node_id) WHERE owner = ?"
)
