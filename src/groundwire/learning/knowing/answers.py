"""The answers that an estimate may rest on, read from the log.

Reviews that were undone are not among them, nor are those that only the model rated: an estimate
rests on what a comparison, the learner or an imported log says. How many of each there are is told
beside every estimate.

Bayesian knowledge tracing: is a concept known, told from right and wrong answers.

The model of Corbett and Anderson (1995): a concept is known from the start (`prior`), or becomes
known between two answers (`learn`), and is not forgotten; who does not know it guesses right with
`guess`, who knows it slips with `slip`. The parameters are found by expectation maximization from
five starts, of which the best two climb to the end, in plain Python; alike sequences are counted
once.
"""

from __future__ import annotations

import math
import random
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from groundwire.learning.results import SharesItem
from groundwire.learning.subjects import Subject, cards_of
from groundwire.learning.terms import LATEST_MS, ForecastSource, Reported

_COLUMNS = "card_id, rating, rated_by, confidence, predicted, at_ms, reported_by"


@dataclass(frozen=True, slots=True)
class Answered:
    """One review that counts.

    Attributes:
        card_id: the card.
        rating: 1 (again) to 4 (easy).
        rated_by: server, learner, host or import.
        confidence: what the learner gave for it beforehand, or None.
        predicted: what the schedule gave for it beforehand, or None.
        at_ms: when it was.
        reported_by: what of it the model sent: nothing (""), host, or host_confidence.
    """

    card_id: str
    rating: int
    rated_by: str
    confidence: float | None
    predicted: float | None
    at_ms: int
    reported_by: Reported = ""

    @property
    def right(self) -> bool:
        """Whether the card was recalled."""
        return self.rating > 1

    @property
    def heard(self) -> bool:
        """Whether somebody else than the model alone says so."""
        return self.rated_by != "host"

    def asked_for(self, source: ForecastSource) -> bool:
        """Whether nothing that a pair of a source rests on was sent by the model."""
        return not self.reported_by or (
            source == "schedule" and self.reported_by == "host_confidence"
        )


def answered(
    connection: sqlite3.Connection,
    owner: str,
    subject: Subject,
    until_ms: int = LATEST_MS,
    newest: int = -1,
) -> list[Answered]:
    """Return the reviews about a subject that count, up to a time, in their order.

    Args:
        connection: to the learner's file.
        owner: the learner.
        subject: what the reviews are about.
        until_ms: the time.
        newest: of more reviews only so many, the newest; all where it is below 0.
    """
    condition, values = cards_of(subject)
    # A few cards are found by the index of cards; the newest of all by that of times.
    order = "+at_ms" if subject.kind in ("card", "concept") else "at_ms"
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM reviews WHERE owner = :owner AND kind = 'review' "  # noqa: S608 - names of ours, no value of a caller
        f"AND at_ms <= :until AND {condition} AND review_id NOT IN (SELECT undoes FROM reviews "
        "WHERE owner = :owner AND kind = 'undo' AND undoes IS NOT NULL) "
        f"ORDER BY {order} DESC, sequence DESC LIMIT :newest",
        {"owner": owner, "until": until_ms, "newest": newest, **values},
    ).fetchall()
    return [Answered(*row) for row in reversed(rows)]


def shares(reviews: Sequence[Answered]) -> SharesItem:
    """Return how many reviews each rated."""
    counted = {"server": 0, "learner": 0, "host": 0, "import": 0}
    for one in reviews:
        counted[one.rated_by] += 1
    imported = counted.pop("import")
    reported = sum(one.reported_by == "host" and one.heard for one in reviews)
    return SharesItem(**counted, imported=imported, reported_by_host=reported or None)


def by_card(reviews: Sequence[Answered]) -> dict[str, list[Answered]]:
    """Return reviews card by card, each in its order."""
    ordered = sorted(reviews, key=lambda one: one.card_id)
    return {card: list(some) for card, some in groupby(ordered, key=lambda one: one.card_id)}


METHOD = "bkt"

Answers = Sequence[bool]

_STARTS = (
    (0.3, 0.1, 0.2, 0.1),
    (0.6, 0.05, 0.3, 0.2),
    (0.15, 0.3, 0.15, 0.15),
    (0.5, 0.02, 0.4, 0.05),
    (0.8, 0.15, 0.1, 0.3),
)
_LEAST, _MOST = 1e-4, 1 - 1e-4
_ROUNDS = 200
# Rounds of every start, and how many of the best then climb to the end.
_TRIED, _KEPT = 12, 2
# Gain in log likelihood by answer below which a start has converged.
_GAIN = 1e-7
_WALK = 1_200
_WEIGHED = 300


@dataclass(frozen=True, slots=True)
class Parameters:
    """The four parameters of the model, each a probability.

    Attributes:
        prior: that a concept is known before the first answer.
        learn: that it becomes known between two answers.
        guess: that who does not know it answers right.
        slip: that who knows it answers wrong.
    """

    prior: float
    learn: float
    guess: float
    slip: float


@dataclass(frozen=True, slots=True)
class Fitted:
    """The result of a fit.

    Attributes:
        parameters: those of the best start.
        log_likelihood: of all answers under them.
        answers: how many there were.
        rounds: rounds of the best start.
    """

    parameters: Parameters
    log_likelihood: float
    answers: int
    rounds: int


def known(parameters: Parameters, answers: Iterable[bool]) -> float:
    """Return the probability that a concept is known after some answers."""
    now, learn = parameters.prior, parameters.learn
    guess, slip = parameters.guess, parameters.slip
    for right in answers:
        if right:
            knows, guesses = now * (1 - slip), (1 - now) * guess
        else:
            knows, guesses = now * slip, (1 - now) * (1 - guess)
        posterior = knows / (knows + guesses)
        now = posterior + (1 - posterior) * learn
    return now


def forecasts(parameters: Parameters, answers: Answers) -> list[float]:
    """Return the probability of a right answer before each answer."""
    probability, found = parameters.prior, list[float]()
    for right in answers:
        found.append(probability * (1 - parameters.slip) + (1 - probability) * parameters.guess)
        probability = _after(parameters, probability, right)
    return found


def _after(parameters: Parameters, probability: float, right: bool) -> float:
    slip, guess = parameters.slip, parameters.guess
    knows = probability * ((1 - slip) if right else slip)
    guesses = (1 - probability) * (guess if right else (1 - guess))
    posterior = knows / (knows + guesses)
    return posterior + (1 - posterior) * parameters.learn


def fit(sequences: Iterable[Answers]) -> Fitted:
    """Return the parameters under which some sequences of answers are the most likely.

    Args:
        sequences: the answers of one learner about one concept each, in order; at least one answer.
    """
    counted = Counter(tuple(map(bool, one)) for one in sequences if one)
    answers = sum(len(one) * times for one, times in counted.items())
    begun = [_climbed(counted, Parameters(*start), answers, _TRIED) for start in _STARTS]
    begun.sort(key=lambda one: -one.log_likelihood)
    kept = [_climbed(counted, one.parameters, answers, _ROUNDS) for one in begun[:_KEPT]]
    return max(kept, key=lambda one: one.log_likelihood)


def _climbed(
    counted: Counter[tuple[bool, ...]], parameters: Parameters, answers: int, most: int
) -> Fitted:
    before, rounds = -math.inf, 0
    while True:
        likelihood, following = _round(counted, parameters)
        rounds += 1
        if likelihood - before < _GAIN * answers or rounds >= most:
            return Fitted(parameters, likelihood, answers, rounds)
        before, parameters = likelihood, following


def _round(counted: Counter[tuple[bool, ...]], parameters: Parameters) -> tuple[float, Parameters]:
    """Return the log likelihood of the answers, and the parameters after one round.

    Since nothing is forgotten, the probability of having known it earlier given all answers follows
    backwards from the last by one product for each answer.
    """
    prior, learn, guess, slip = (
        parameters.prior, parameters.learn, parameters.guess, parameters.slip,
    )  # fmt: skip
    likelihood = first = sequences = 0.0
    learnt = could_learn = 0.0
    unknown = unknown_right = knew = knew_wrong = 0.0
    for answers, times in counted.items():
        # Forward: the probability before each answer, and after it.
        before, after = list[float](), list[float]()
        now, product = prior, 1.0
        for right in answers:
            if right:
                knows, guesses = now * (1 - slip), (1 - now) * guess
            else:
                knows, guesses = now * slip, (1 - now) * (1 - guess)
            both = knows + guesses
            product *= both
            if product < 1e-200:
                likelihood += times * math.log(product)
                product = 1.0
            posterior = knows / both
            before.append(now)
            after.append(posterior)
            now = posterior + (1 - posterior) * learn
        likelihood += times * math.log(product)
        # Backward: the same probabilities, given all answers.
        smooth = after[-1]
        at = len(answers) - 1
        while True:
            if answers[at]:
                unknown_right += times * (1 - smooth)
            else:
                knew_wrong += times * smooth
            knew += times * smooth
            unknown += times * (1 - smooth)
            if not at:
                break
            earlier = smooth * after[at - 1] / before[at]
            learnt += times * (smooth - earlier)
            could_learn += times * (1 - earlier)
            smooth, at = earlier, at - 1
        first += times * smooth
        sequences += times
    return likelihood, Parameters(
        _bounded(first / sequences),
        _bounded(learnt / could_learn if could_learn else learn),
        _bounded(unknown_right / unknown if unknown else guess, 0.5),
        _bounded(knew_wrong / knew if knew else slip, 0.5),
    )


def _bounded(probability: float, most: float = _MOST) -> float:
    # Above one half, guess and slip turn the meaning of "known" around (Baker, Corbett and Aleven
    # 2008): who answers everything right would be said to guess.
    return min(max(probability, _LEAST), most)


def known_interval(
    sequences: Sequence[Answers], answers: Answers, start: Parameters, mass: float = 0.95
) -> tuple[float, float]:
    """Return the interval that holds the probability of being known with a given mass.

    The model that gives the value says that nothing is forgotten, so a row of right answers makes
    it certain. The interval does not rest on that: what is known may be forgotten between two
    answers with a probability of its own, which the answers bound but do not exclude. Beforehand
    one half is on a memory that forgets nothing, and otherwise every parameter is as likely as any
    other, up to one half for guess, slip and forgetting. A
    walk through them (Metropolis 1953, the same for the same answers) stays at each as long as the
    sequences make it likely; the interval is what the parameters on its way say of `answers`.

    Args:
        sequences: the answers behind the parameters; the last 300 of them are weighed.
        answers: those about the concept.
        start: where the walk begins, such as the parameters that were fitted.
        mass: share of the walk that lies within the interval.
    """
    counted = Counter(tuple(map(bool, one)) for one in _last(sequences) if one)
    # The last answers decide how probable knowledge is now; the recursion forgets earlier ones.
    recent = answers[-_WEIGHED:]
    chance = random.Random(_WEIGHED)
    place = _unbounded((start.prior, start.learn, start.guess * 2, start.slip * 2, 0.5))
    alone = len(counted) == 1 and tuple(map(bool, recent)) in counted
    density, here = _density(counted, place, recent, alone=alone)
    width, found = 0.5, list[float]()
    for number in range(_WALK):
        there = [one + chance.gauss(0, width) for one in place]
        other, reached = _density(counted, there, recent, alone=alone)
        if math.log(1 - chance.random()) < other - density:
            place, density = there, other
            here = reached if alone else _known_at(there, recent)
            width *= 1.1 if number < _WALK // 4 else 1
        elif number < _WALK // 4:
            width *= 0.96
        found.append(here)
    walked = sorted(found[_WALK // 4 :])
    tail = (1 - mass) / 2 * len(walked)
    return walked[math.floor(tail)], walked[math.ceil(len(walked) - tail) - 1]


def _density(
    counted: Counter[tuple[bool, ...]], place: Sequence[float], answers: Answers, *, alone: bool
) -> tuple[float, float]:
    """Return the log likelihood at a place, with the logarithm of the volume of a step there.

    Where the answers about the concept are alone behind it, the probability of being known after
    them is returned as well, else 0.
    """
    shares = _shares(place)
    volume = sum(math.log(share) + math.log1p(-share) for share in shares)
    if alone:
        reached, likelihood = _passed(shares, answers)
        return volume + likelihood, reached
    return volume + math.fsum(
        times * _passed(shares, one)[1] for one, times in counted.items()
    ), 0.0


def _known_at(place: Sequence[float], answers: Answers) -> float:
    return _passed(_shares(place), answers)[0]


def _passed(shares: Sequence[float], answers: Answers) -> tuple[float, float]:
    """Return the probability of being known after some answers, and their log likelihood."""
    now, learn, guess, slip, forget = shares
    # The lower half of the last share is a memory that forgets nothing.
    guess, slip, forget = guess / 2, slip / 2, max(0.0, forget - 0.5)
    right_known, wrong_guess, kept = 1 - slip, 1 - guess, 1 - forget - learn
    likelihood, product = 0.0, 1.0
    for right in answers:
        if right:
            knows, both = now * right_known, now * right_known + (1 - now) * guess
        else:
            knows, both = now * slip, now * slip + (1 - now) * wrong_guess
        product *= both
        if product < 1e-200:
            likelihood += math.log(product)
            product = 1.0
        now = learn + knows / both * kept
    return now, likelihood + math.log(product)


def _unbounded(shares: Sequence[float]) -> list[float]:
    bounded = map(_bounded, shares)
    return [math.log(share / (1 - share)) for share in bounded]


def _shares(place: Sequence[float]) -> list[float]:
    """Return each parameter at a place as a share of what it may be at most."""
    return [_bounded(1 / (1 + math.exp(-min(max(one, -20.0), 20.0)))) for one in place]


def _last(sequences: Sequence[Answers]) -> list[Answers]:
    kept: list[Answers] = []
    room = _WEIGHED
    for one in reversed(sequences):
        if room <= 0:
            break
        kept.append(one[-room:])
        room -= len(one)
    return kept
