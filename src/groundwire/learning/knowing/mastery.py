"""Mastery of a card, a concept or a deck: a number with its interval, or none.

- Of a card and a deck: the probability of recall at a time, by FSRS-6. Its interval is what the
  learner's own record says: of the forecasts for later days that lay closest to this one, the share
  that came true (Wilson, 95 %). Without 30 such forecasts neither interval nor number is told.
- Of a concept: the probability that it is known, by Bayesian knowledge tracing of the answers about
  its cards, with parameters fitted to this learner. It needs 5 answers, and 30 behind the
  parameters, and an interval that does not hold nearly everything. The interval allows for all
  parameters that the answers allow for, and for forgetting, which the value's model leaves out.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.learning.knowing.answers import METHOD as BKT
from groundwire.learning.knowing.answers import (
    Answered,
    Parameters,
    answered,
    by_card,
    fit,
    known,
    known_interval,
)
from groundwire.learning.knowing.calibration import forecasts_of, wilson
from groundwire.learning.schedule.policy import Policy, scheduler_of
from groundwire.learning.schedule.state import METHOD as FSRS
from groundwire.learning.subjects import EVERYTHING, Subject
from groundwire.learning.terms import (
    LEAST_ANSWERS,
    LEAST_BEHIND_PARAMETERS,
    LEAST_PAIRS,
)

LEVEL = 0.95
_NEAREST = 100
_MOST_BEHIND = 1_000
# An interval that is wider fits what is known and what is not, so that no number is told.
_TELLS_NOTHING = 0.9
_MOST_TRACKED = 20_000
_NEAREST_CERTAIN = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number about a learner, with what it rests on.

    Attributes:
        value: the probability, from 0 to 1.
        kind: recall (of a card, or the mean of a deck's), or known (of a concept).
        method: fsrs-6 or bkt.
        parameters_id: the parameters that it was computed with.
        low: where its 95 % interval begins.
        high: where it ends.
        basis: what the interval rests on, in words.
        reviews: the reviews about the subject, those of the model among them.
        cards: cards of a deck or concept that were reviewed; None for a card.
        behind: reviews that the parameters or the interval rest on.
    """

    value: float
    kind: str
    method: str
    parameters_id: str
    low: float
    high: float
    basis: str
    reviews: tuple[Answered, ...]
    cards: int | None
    behind: int


@dataclass(frozen=True, slots=True)
class NotEnough:
    """The reason why no number is told.

    Attributes:
        needed: what would do, in words.
        reviews: the reviews about the subject, those of the model among them.
        least: how many answers or forecasts it takes, or None where it takes a first review.
        there: how many of these there are, or None.
    """

    needed: str
    reviews: tuple[Answered, ...]
    least: int | None = None
    there: int | None = None


def mastery(
    connection: sqlite3.Connection, owner: str, policy: Policy, subject: Subject, at_ms: int
) -> Estimate | NotEnough:
    """Return what is known of a subject at a time, from the reviews up to then.

    Args:
        connection: to the learner's file.
        owner: the learner.
        policy: the learner's, with the parameters of FSRS-6.
        subject: a card, a concept or a deck.
        at_ms: the time.
    """
    reviews = tuple(answered(connection, owner, subject, at_ms))
    heard = [one for one in reviews if one.heard]
    if not heard:
        return NotEnough(_nobody_said(reviews), reviews)
    if subject.kind == "concept":
        return _known(connection, owner, at_ms, reviews, heard)
    return _recalled(connection, owner, policy, subject, at_ms, reviews, heard)


def _nobody_said(reviews: Sequence[Answered]) -> str:
    if reviews:
        return (
            "a review that the learner typed or rated: until now the model alone rated "
            f"{'it' if len(reviews) == 1 else 'all of them'}"
        )
    return "a first review"


def _recalled(
    connection: sqlite3.Connection,
    owner: str,
    policy: Policy,
    subject: Subject,
    at_ms: int,
    reviews: tuple[Answered, ...],
    heard: Sequence[Answered],
) -> Estimate | NotEnough:
    every = answered(connection, owner, EVERYTHING, at_ms, _MOST_TRACKED)
    track = sorted(pair for _, pair in forecasts_of(every, "schedule"))
    if len(track) < LEAST_PAIRS:
        return NotEnough(
            f"{LEAST_PAIRS} reviews a day or more after the one before, of any cards: there are "
            f"{len(track)}",
            reviews,
            LEAST_PAIRS,
            len(track),
        )
    scheduler = scheduler_of(connection, owner, policy)
    values: list[float] = []
    for some in by_card(heard).values():
        memory = scheduler.replay((one.rating, one.at_ms) for one in some)
        if memory is not None:
            values.append(scheduler.retrievability(memory, at_ms))
    reached = [_interval(track, value) for value in values]
    value = _uncertain(math.fsum(values) / len(values))
    low = min(value, math.fsum(low for low, _ in reached) / len(reached))
    high = max(value, _uncertain(math.fsum(high for _, high in reached) / len(reached)))
    near = min(_NEAREST, len(track))
    return Estimate(
        value,
        "recall",
        FSRS,
        policy.parameters_id,
        low,
        high,
        f"what came of the {near} forecasts nearest to it, of {len(track)} for later days",
        reviews,
        None if subject.kind == "card" else len(values),
        len(track),
    )


def _interval(track: Sequence[tuple[float, bool]], value: float) -> tuple[float, float]:
    """Return the interval of what came of the forecasts nearest to a value."""
    low = high = bisect_left(track, (value,))
    while high - low < min(_NEAREST, len(track)):
        below = value - track[low - 1][0] if low else math.inf
        above = track[high][0] - value if high < len(track) else math.inf
        if below <= above:
            low -= 1
        else:
            high += 1
    near = track[low:high]
    return wilson(sum(came for _, came in near), len(near))


def _known(
    connection: sqlite3.Connection,
    owner: str,
    at_ms: int,
    reviews: tuple[Answered, ...],
    heard: Sequence[Answered],
) -> Estimate | NotEnough:
    if len(heard) < LEAST_ANSWERS:
        return NotEnough(
            f"{LEAST_ANSWERS} answers about its cards: there {_are(len(heard))}",
            reviews,
            LEAST_ANSWERS,
            len(heard),
        )
    behind = _behind(connection, owner, at_ms, heard)
    count = sum(map(len, behind))
    if count < LEAST_BEHIND_PARAMETERS:
        return NotEnough(
            f"{LEAST_BEHIND_PARAMETERS} answers about cards of any concept, to estimate the "
            f"parameters from: there {_are(count)}",
            reviews,
            LEAST_BEHIND_PARAMETERS,
            count,
        )
    parameters, value, low, high = _traced(
        tuple(map(bytes, behind)), bytes(one.right for one in heard)
    )
    if high - low > _TELLS_NOTHING:
        return NotEnough(
            "more answers about its cards: those that there are fit a concept that is known and "
            "one that is not",
            reviews,
        )
    text = repr((parameters.prior, parameters.learn, parameters.guess, parameters.slip))
    return Estimate(
        value,
        "known",
        BKT,
        f"bkt_{hashlib.sha256(text.encode()).hexdigest()[:13]}",
        low,
        high,
        f"parameters, forgetting among them, that {count} answers of this learner allow for",
        reviews,
        len({one.card_id for one in heard}),
        count,
    )


@lru_cache(maxsize=1_024)
def _traced(behind: tuple[bytes, ...], answers: bytes) -> tuple[Parameters, float, float, float]:
    """Return parameters, value and interval of a concept; the same answers are traced once.

    Args:
        behind: the answers behind the parameters, 1 for a right one.
        answers: those about the concept.
    """
    sequences = [list(map(bool, one)) for one in behind]
    own = list(map(bool, answers))
    parameters = fit(sequences).parameters
    value = _uncertain(known(parameters, own))
    low, high = map(_uncertain, known_interval(sequences, own, parameters, LEVEL))
    return parameters, value, min(low, value), max(high, value)


def traces() -> int:
    """Return how many times answers were traced in this process, and not taken from before."""
    return _traced.cache_info().misses


def _uncertain(value: float) -> float:
    """Return a probability that sums of doubles have not made certain: answers never are proof."""
    return min(max(value, _NEAREST_CERTAIN), 1 - _NEAREST_CERTAIN)


def _are(count: int) -> str:
    return f"is {count}" if count == 1 else f"are {count}"


def _behind(
    connection: sqlite3.Connection,
    owner: str,
    at_ms: int,
    heard: Sequence[Answered],
) -> list[list[bool]]:
    """Return the answers that parameters are fitted to, concept by concept.

    They are those of the concept alone where they suffice, else those of all concepts.
    """
    if len(heard) >= LEAST_BEHIND_PARAMETERS:
        return [[one.right for one in heard[-_MOST_BEHIND:]]]
    by_concept: dict[str, list[Answered]] = {}
    concepts: dict[str, list[str]] = {}
    for card_id, node_id in connection.execute(
        "SELECT card_id, node_id FROM card_concepts WHERE owner = ?", (owner,)
    ):
        concepts.setdefault(card_id, []).append(node_id)
    for one in answered(connection, owner, EVERYTHING, at_ms, _MOST_BEHIND):
        if one.heard:
            for node_id in concepts.get(one.card_id, ()):
                by_concept.setdefault(node_id, []).append(one)
    return [[one.right for one in some] for some in by_concept.values()]
