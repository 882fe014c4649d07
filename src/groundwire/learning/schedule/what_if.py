"""Simulate each loadout, the work it asks for and the cards it keeps, to tell a choice's regret.

Every loadout plays the same cards forward with the same draws of chance, several times. The regret
of one is how many more cards would be remembered at the end by the best of those that ask for no
more reviews. Differences that are no larger than twice what chance makes of them are no regret.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean, stdev

from groundwire.learning.schedule.policy import Policy, loadouts
from groundwire.learning.schedule.simulate import simulate

ROUNDS = 4
"""How often each loadout is played."""

MOST_PLAYED = 100
"""Cards that are played each time; of more a sample stands for all."""

OWN = "own"
"""What a policy is called whose values are those of no loadout."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One policy, played forward.

    Attributes:
        loadout: its name, or `OWN`.
        in_force: whether it is the policy of now.
        reviews: expected reviews in all days.
        remembered: cards that are expected to be remembered at the end.
        spread: standard error of `remembered`, by chance.
        regret: cards that a policy of no more reviews keeps beyond this one; 0 where none does.
        better: the policy that keeps them, or "".
    """

    loadout: str
    in_force: bool
    reviews: int
    remembered: float
    spread: float
    regret: float
    better: str


@dataclass(frozen=True, slots=True)
class _Played:
    in_force: bool
    reviews: float
    remembered: tuple[float, ...]


def what_if(
    connection: sqlite3.Connection, owner: str, policy: Policy, at_ms: int
) -> list[Alternative]:
    """Play every loadout and the policy of now forward, and return them, the least regret first.

    Args:
        connection: to the learner's file.
        owner: whose cards.
        policy: the policy in force.
        at_ms: the time of now.

    Returns:
        the policies; none where the learner has no card that could be played.
    """
    every = {
        name: replace(
            policy,
            loadout=name,
            desired_retention=float(one["desired_retention"]),
            new_per_day=int(one["new_per_day"]),
        )
        for name, one in loadouts().items()
    }
    every.setdefault(policy.loadout or OWN, policy)
    played: dict[str, _Played] = {}
    for name, one in every.items():
        works = [
            simulate(connection, owner, one, at_ms, most=MOST_PLAYED, draw=number)
            for number in range(ROUNDS)
        ]
        if any(work.recall is None for work in works):
            return []
        played[name] = _Played(
            name == (policy.loadout or OWN),
            fmean(work.reviews for work in works),
            tuple((work.recall or 0.0) * work.cards for work in works),
        )
    found = [_judged(name, one, played) for name, one in played.items()]
    return sorted(found, key=lambda one: (one.regret, -one.remembered, one.loadout))


def _judged(name: str, own: _Played, played: Mapping[str, _Played]) -> Alternative:
    regret, better = 0.0, ""
    for other, one in played.items():
        if other == name or one.reviews > own.reviews:
            continue
        # The draws are the same, so that they are compared one by one.
        gains = [a - b for a, b in zip(one.remembered, own.remembered, strict=True)]
        gain = fmean(gains)
        if gain > max(regret, 2 * _error(gains)):
            regret, better = gain, other
    return Alternative(
        name,
        own.in_force,
        round(own.reviews),
        fmean(own.remembered),
        _error(own.remembered),
        regret,
        better,
    )


def _error(values: list[float] | tuple[float, ...]) -> float:
    return stdev(values) / math.sqrt(len(values))
