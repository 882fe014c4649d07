"""Parameters of FSRS-6 fitted to a learner's own log, where they forecast no worse than defaults.

They are fitted (by `fsrs-rs-python`, an extra) to the first 80 % of the reviews on later days, in
order of time, and judged on the rest. Parameters whose log loss there is worse than that of the
defaults by more than 0.001 are refused, and the learner keeps what they had.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby, pairwise
from operator import itemgetter

from groundwire.errors import ConfigurationError, InputError
from groundwire.learning.schedule.policy import read_policy, write_policy
from groundwire.learning.schedule.state import DEFAULTS_ID, Fsrs, Memory, within_bounds
from groundwire.learning.terms import DAY_MS

TRAINED_ON = 0.8
"""The share of the reviews, from the first, that parameters are fitted to."""

TOLERANCE = 0.001
"""How much worse than the defaults fitted parameters may be, in log loss."""

LEAST_JUDGED = 100
"""Reviews on later days among those judged on, without which nothing is fitted."""

Histories = Mapping[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit.

    Attributes:
        accepted: whether the parameters are used from now on.
        parameters_id: the id of the fitted parameters.
        values: the 21 parameters.
        trained: reviews that they were fitted to.
        judged: reviews that they were judged on.
        log_loss: of the fitted parameters on those.
        log_loss_defaults: of the defaults on those.
        log_loss_constant: of always forecasting the share that was recalled in training.
    """

    accepted: bool
    parameters_id: str
    values: tuple[float, ...]
    trained: int
    judged: int
    log_loss: float
    log_loss_defaults: float
    log_loss_constant: float


def fit(histories: Histories) -> Fit:
    """Fit parameters to the reviews of some cards, and judge them.

    Args:
        histories: rating and time of the reviews of each card, in order.

    Raises:
        InputError: there are too few reviews on later days to judge by.
        ConfigurationError: the extra that fits is not installed.
    """
    moments = sorted(at for reviews in histories.values() for at in _later(reviews))
    split = round(len(moments) * TRAINED_ON)
    if len(moments) - split < LEAST_JUDGED:
        wanted = round(LEAST_JUDGED / (1 - TRAINED_ON))
        raise InputError(
            f"A fit needs {wanted:,} reviews a day or more after the one before, and there are "
            f"{len(moments):,}: until then the defaults of FSRS-6 are used."
        )
    until = moments[split]
    values = _fitted(histories, until)
    ours, defaults = _forecasts(Fsrs(values), histories), _forecasts(Fsrs(), histories)
    judged = [(p, came) for at, p, came in ours if at >= until]
    by_defaults = [(p, came) for at, p, came in defaults if at >= until]
    before = [came for at, _, came in ours if at < until]
    rate = sum(before) / len(before)
    losses = log_loss(judged), log_loss(by_defaults)
    return Fit(
        losses[0] <= losses[1] + TOLERANCE,
        f"fsrs_{hashlib.sha256(json.dumps(values).encode()).hexdigest()[:13]}",
        values,
        len(before),
        len(judged),
        *losses,
        log_loss([(rate, came) for _, came in judged]),
    )


def fit_learner(connection: sqlite3.Connection, owner: str, at_ms: int) -> Fit:
    """Fit parameters to a learner's log and keep them with the log of the fit.

    Where they are accepted the policy names them from now on; the schedule is then to be rebuilt.

    Raises:
        InputError: there are too few reviews to judge by.
        ConfigurationError: the extra that fits is not installed.
    """
    found = fit(histories_of(connection, owner))
    log = {**asdict(found), "method": "fsrs-rs-python", "trained_on": TRAINED_ON}
    connection.execute(
        "INSERT OR REPLACE INTO parameters (owner, parameters_id, kind, scope, data, fitted_ms) "
        "VALUES (?, ?, 'fsrs', '', ?, ?)",
        (owner, found.parameters_id, json.dumps(log, sort_keys=True), at_ms),
    )
    if found.accepted:
        policy = replace(read_policy(connection, owner), parameters_id=found.parameters_id)
        write_policy(connection, owner, policy, at_ms)
    return found


def use_defaults(connection: sqlite3.Connection, owner: str, at_ms: int) -> None:
    """Go back to the parameters that FSRS-6 comes with; the schedule is then to be rebuilt."""
    policy = replace(read_policy(connection, owner), parameters_id=DEFAULTS_ID)
    write_policy(connection, owner, policy, at_ms)


def histories_of(connection: sqlite3.Connection, owner: str) -> dict[str, list[tuple[int, int]]]:
    """Return the reviews of a learner that count, card by card and in order.

    What only the model rated is left out: parameters are fitted to what was heard.
    """
    rows = connection.execute(
        "SELECT card_id, rating, at_ms FROM reviews WHERE owner = ? AND kind = 'review' "
        "AND rated_by <> 'host' AND review_id NOT IN (SELECT undoes FROM reviews "
        "WHERE owner = ? AND kind = 'undo' AND undoes IS NOT NULL) "
        "ORDER BY card_id, at_ms, sequence",
        (owner, owner),
    )
    grouped = groupby(rows, key=itemgetter(0))
    return {card: [(rating, at) for _, rating, at in some] for card, some in grouped}


def log_loss(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the mean negative logarithm of the probability that was given to what came."""
    smallest = 1e-15
    total = sum(math.log(min(max(p if came else 1 - p, smallest), 1.0)) for p, came in pairs)
    return -total / len(pairs)


def _later(reviews: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Yield the times of reviews 24 hours or more after the one before."""
    for (_, before), (_, at) in pairwise(reviews):
        if at - before >= DAY_MS:
            yield at


def _forecasts(scheduler: Fsrs, histories: Histories) -> list[tuple[int, float, bool]]:
    """Return time, forecast and outcome of every review on a later day."""
    found: list[tuple[int, float, bool]] = []
    for reviews in histories.values():
        memory: Memory | None = None
        for rating, at in reviews:
            if memory is not None and at - memory.last_ms >= DAY_MS:
                found.append((at, scheduler.retrievability(memory, at), rating > 1))
            memory = scheduler.step(memory, rating, at)
    return found


def _fitted(histories: Histories, until: int) -> tuple[float, ...]:
    """Return the parameters that fsrs-rs fits to the reviews before a time.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    try:
        from fsrs_rs_python import FSRS, FSRSItem, FSRSReview
    except ImportError as error:
        raise ConfigurationError(
            "Fitting needs the extra `learning`: pip install 'groundwire[learning]'."
        ) from error
    items: list[FSRSItem] = []
    for _, _, gaps in sorted(_examples(histories, until)):
        items.append(FSRSItem([FSRSReview(rating, days) for rating, days in gaps]))
    values = FSRS(Fsrs().parameters).compute_parameters(items)
    return within_bounds(values)


def _examples(histories: Histories, until: int) -> Iterable[tuple[int, str, list[tuple[int, int]]]]:
    """Yield what fsrs-rs learns from: each review on a later day with all before it."""
    for card_id, reviews in histories.items():
        gaps: list[tuple[int, int]] = []
        before: int | None = None
        for rating, at in reviews:
            days = 0 if before is None else (at - before) // DAY_MS
            gaps.append((rating, days))
            before = at
            if days and at < until:
                yield at, card_id, list(gaps)
