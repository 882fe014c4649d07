"""The choices of a learner: how well to remember, how much is new, when the day ends.

A learner's day ends at `day_ends` on the clock of their zone, so that a review after midnight is
still of the evening. A card in review is due from the beginning of its day; one that is being
learnt is due to the minute.
"""

from __future__ import annotations

import datetime as dt
import json
import math
import re
import sqlite3
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.errors import InputError
from groundwire.learning.schedule.state import DEFAULT_RETENTION, DEFAULTS_ID, Fsrs, fsrs

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
