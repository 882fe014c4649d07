"""The choices of a learner: how well to remember, how much is new, when the day ends.

A learner's day ends at `day_ends` on the clock of their zone, so that a review after midnight is
still of the evening. A card in review is due from the beginning of its day; one that is being
learnt is due to the minute.

Parameters of FSRS-6 are fitted to the learner's own log (by `fsrs-rs-python`, an extra): to the
first 80 % of the reviews on later days, in order of time, and judged on the rest. Parameters whose
log loss there is worse than that of the defaults by more than 0.001 are refused, and the learner
keeps what they had.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import re
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.errors import ConfigurationError, InputError
from groundwire.learning.schedule.state import (
    DEFAULT_RETENTION,
    DEFAULTS_ID,
    Fsrs,
    Memory,
    fsrs,
    within_bounds,
)
from groundwire.learning.terms import DAY_MS

LEAST_RETENTION, MOST_RETENTION = 0.70, 0.97
MOST_NEW = 9_999
_WHOLE = ""
_DAY_ENDS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?:\s+([\w+\-/]{1,64}))?")
_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of one learner.

    Attributes:
        loadout: the loadout that was chosen, or "" where single values differ from it.
        desired_retention: the probability of recall at which a card becomes due.
        new_per_day: how many new cards are begun on a day.
        day_ends: when the learner's day ends, HH:MM.
        zone: the learner's time zone by its IANA name; "" for that of this machine.
        parameters_id: the parameters of FSRS-6 in force.
        count_reported: whether calibration counts answers that a model reports, which it could
            have made up.
    """

    loadout: str = "steady"
    desired_retention: float = DEFAULT_RETENTION
    new_per_day: int = 20
    day_ends: str = "04:00"
    zone: str = ""
    parameters_id: str = DEFAULTS_ID
    count_reported: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a learner.

    Attributes:
        date: what the day is called.
        start_ms: when it begins, milliseconds since 1970 in UTC.
        end_ms: when the next one begins.
    """

    date: dt.date
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change that a learner wants; None leaves a value as it is.

    Attributes:
        loadout: name of a loadout.
        desired_retention: from 0.70 to 0.97.
        new_per_day: from 0 to 9,999.
        day_ends: `04:00`, or `04:00 Europe/Berlin` with a zone.
        reset: whether to begin from the defaults.
    """

    loadout: str | None = None
    desired_retention: float | None = None
    new_per_day: int | None = None
    day_ends: str | None = None
    reset: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be changed."""
        return self == Change()


@cache
def loadouts() -> Mapping[str, Mapping[str, Any]]:
    """Return the loadouts by name: label, desired_retention and new_per_day of each."""
    text = files("groundwire.learning.schedule").joinpath("loadouts.toml").read_text("utf-8")
    return tomllib.loads(text)


def read_policy(connection: sqlite3.Connection, owner: str) -> Policy:
    """Return the policy of a learner; the defaults where none was set."""
    row = connection.execute(
        "SELECT data FROM policies WHERE owner = ? AND scope = ?", (owner, _WHOLE)
    ).fetchone()
    return Policy() if row is None else Policy(**json.loads(row[0]))


def write_policy(
    connection: sqlite3.Connection, owner: str, policy: Policy, changed_ms: int
) -> None:
    """Keep a policy; due dates are moved by whoever changes what they depend on."""
    connection.execute(
        "INSERT OR REPLACE INTO policies (owner, scope, data, changed_ms) VALUES (?, ?, ?, ?)",
        (owner, _WHOLE, json.dumps(asdict(policy), sort_keys=True), changed_ms),
    )


def changed(policy: Policy, change: Change) -> Policy:
    """Return a policy after a change.

    Raises:
        InputError: a value is none that can be chosen; the message says what can.
    """
    made = _begun_anew(policy) if change.reset else policy
    if change.loadout is not None:
        known = loadouts()
        chosen = known.get(change.loadout.strip().casefold().replace("-", "_"))
        if chosen is None:
            raise InputError(
                f"There is no loadout {change.loadout[:40]!r}: send one of {', '.join(known)}."
            )
        made = replace(
            made,
            desired_retention=float(chosen["desired_retention"]),
            new_per_day=int(chosen["new_per_day"]),
        )
    if change.desired_retention is not None:
        made = replace(made, desired_retention=_retention(change.desired_retention))
    if change.new_per_day is not None:
        if not 0 <= change.new_per_day <= MOST_NEW:
            raise InputError(f"new_per_day is a whole number from 0 to {MOST_NEW:,}.")
        made = replace(made, new_per_day=change.new_per_day)
    if change.day_ends is not None:
        clock, zone = _day_ends(change.day_ends)
        made = replace(made, day_ends=clock, zone=made.zone if zone is None else zone)
    return replace(made, loadout=_name_of(made))


def _begun_anew(policy: Policy) -> Policy:
    """Return the defaults, with what no tool may change."""
    return Policy(parameters_id=policy.parameters_id, count_reported=policy.count_reported)


def _name_of(policy: Policy) -> str:
    """Return the loadout that has just these values, or ""."""
    values = policy.desired_retention, policy.new_per_day
    every = loadouts().items()
    return next(
        (name for name, one in every if values == (one["desired_retention"], one["new_per_day"])),
        "",
    )


def _retention(wanted: float) -> float:
    if math.isfinite(wanted) and LEAST_RETENTION <= wanted <= MOST_RETENTION:
        return wanted
    hint = f": send {wanted / 100:g} for {wanted:g} %" if 70 <= wanted <= 97 else ""
    raise InputError(
        f"desired_retention is a probability from {LEAST_RETENTION:.2f} to "
        f"{MOST_RETENTION:.2f}{hint}."
    )


def _day_ends(sent: str) -> tuple[str, str | None]:
    """Return hour and minute, and the zone where one was sent."""
    found = _DAY_ENDS.fullmatch(sent.strip())
    if found is None:
        raise InputError(
            f"day_ends is a time such as 04:00, or 04:00 Europe/Berlin with a zone, not "
            f"{sent[:40]!r}."
        )
    hour, minute, zone = found.groups()
    if zone is not None:
        _zone(zone)
    return f"{int(hour):02}:{minute}", zone


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InputError(
            f"There is no time zone {name[:40]!r}: send its IANA name, such as Europe/Berlin."
        ) from error


def day_of(policy: Policy, at_ms: int) -> Day:
    """Return the learner's day that a time belongs to. Days with a change of clocks differ."""
    known = _days.get((policy.day_ends, policy.zone))
    if known is not None and known.start_ms <= at_ms < known.end_ms:
        return known
    if len(_days) >= _MOST_DAYS:
        _days.clear()
    found = _days[policy.day_ends, policy.zone] = _day_of(policy, at_ms)
    return found


# The day that was last asked for, by the hour at which days end, and the zone.
_days: dict[tuple[str, str], Day] = {}
_MOST_DAYS = 1_000


def _day_of(policy: Policy, at_ms: int) -> Day:
    hour, minute = map(int, policy.day_ends.split(":"))
    local = _local(policy, at_ms)
    date = local.date()
    # An hour that comes twice is compared by time and not by the clock.
    if at_ms < _since_1970(policy, date, hour, minute):
        date -= _DAY
    elif at_ms >= _since_1970(policy, date + _DAY, hour, minute):
        date += _DAY
    start = _since_1970(policy, date, hour, minute)
    return Day(date, start, _since_1970(policy, date + _DAY, hour, minute))


def _local(policy: Policy, at_ms: int) -> dt.datetime:
    moment = dt.datetime.fromtimestamp(at_ms / 1000, tz=dt.UTC)
    return moment.astimezone(_zone(policy.zone) if policy.zone else None)


def _since_1970(policy: Policy, date: dt.date, hour: int, minute: int) -> int:
    zone = _zone(policy.zone) if policy.zone else None
    moment = dt.datetime(date.year, date.month, date.day, hour, minute, tzinfo=zone)
    return round(moment.timestamp()) * 1000


def local_text(policy: Policy, at_ms: int) -> str:
    """Return a time on the learner's clock, as 2026-03-01 14:30."""
    return _local(policy, at_ms).strftime("%Y-%m-%d %H:%M")


def scheduler_of(connection: sqlite3.Connection, owner: str, policy: Policy) -> Fsrs:
    """Return FSRS-6 with the parameters and the retention of a policy."""
    return fsrs(parameters_of(connection, owner, policy.parameters_id), policy.desired_retention)


def parameters_of(
    connection: sqlite3.Connection, owner: str, parameters_id: str
) -> tuple[float, ...]:
    """Return the parameters of an id; none stands for the defaults of FSRS-6."""
    if parameters_id == DEFAULTS_ID:
        return ()
    row = connection.execute(
        "SELECT data FROM parameters WHERE owner = ? AND parameters_id = ?",
        (owner, parameters_id),
    ).fetchone()
    return () if row is None else tuple(json.loads(row[0])["values"])


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
