"""The work that a policy makes, played forward day by day, and what each loadout would cost.

Each card is reviewed when it is due and recalled as likely as FSRS-6 says; new cards are begun as
the policy lets. It is an expectation by the model, no promise: one and the same card of chance is
drawn for one and the same collection, so that two policies differ by the policies alone.

Every loadout plays the same cards forward with the same draws of chance, several times. The regret
of one is how many more cards would be remembered at the end by the best of those that ask for no
more reviews. Differences that are no larger than twice what chance makes of them are no regret.
"""

from __future__ import annotations

import math
import random
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean, stdev

from groundwire.learning.schedule.policy import Policy, loadouts, scheduler_of
from groundwire.learning.schedule.state import METHOD, Fsrs, Memory
from groundwire.learning.terms import DAY_MS

DAYS = 30
"""Days that are played forward."""

MOST_CARDS = 1_000
"""Cards that are played; of more a sample stands for all."""

MOST_NEW = 1_000
# Of recalled cards: how often they are hard, good and easy. Of new ones how often again, too. These
# are the defaults of the simulator of fsrs-rs 0.9 (github.com/open-spaced-repetition/fsrs-rs, BSD).
_RECALLED = (0.224, 0.631, 0.145)
_FIRST = (0.24, 0.094, 0.495, 0.171)
_STEPS_A_DAY = 20


@dataclass(frozen=True, slots=True)
class Workload:
    """The work that a policy is expected to ask for, in the days to come.

    Attributes:
        days: how many days.
        reviews: expected reviews in all of them.
        begun: new cards that are begun.
        recall: expected share of the cards that are recalled at the end, or None without cards.
        sampled: whether a sample of the cards stands for all.
        cards: cards that are held or begun at the end.
    """

    days: int
    reviews: int
    begun: int
    recall: float | None
    sampled: bool
    cards: int = 0

    @property
    def reviews_per_day(self) -> float:
        """Expected reviews of one day, to one decimal."""
        return round(self.reviews / self.days, 1)


def simulate(
    connection: sqlite3.Connection,
    owner: str,
    policy: Policy,
    at_ms: int,
    *,
    most: int = MOST_CARDS,
    draw: int = 0,
) -> Workload:
    """Play the cards of a learner forward by a policy, for `DAYS` days.

    Args:
        connection: to the learner's file.
        owner: whose cards.
        policy: the policy; its retention decides when cards become due.
        at_ms: the time of now.
        most: cards, and new ones, that are played; of more a sample stands for all.
        draw: which draw of chance; the same one is the same for every policy.
    """
    scheduler = scheduler_of(connection, owner, policy)
    total, memories = _held(connection, owner, most)
    (waiting,) = connection.execute(
        "SELECT count(*) FROM new_cards WHERE owner = ?", (owner,)
    ).fetchone()
    scale = total / len(memories) if memories else 1.0
    chance = random.Random(20_260_101 + draw)
    end = at_ms + DAYS * DAY_MS
    reviews, recalled = 0.0, 0.0
    for memory in memories:
        due = scheduler.due_for(memory)
        done, after = _played(scheduler, chance, memory, max(due, at_ms), end)
        reviews += done * scale
        recalled += scheduler.retrievability(after, end) * scale
    begun = min(waiting, policy.new_per_day * DAYS)
    played = min(begun, MOST_NEW, most)
    for number in range(played):
        first = at_ms + (number * begun // played) // max(policy.new_per_day, 1) * DAY_MS
        rating = chance.choices((1, 2, 3, 4), _FIRST)[0]
        memory = scheduler.step(None, rating, first)
        done, after = _played(scheduler, chance, memory, memory.due_ms, end)
        reviews += (done + 1) * begun / played
        recalled += scheduler.retrievability(after, end) * begun / played
    cards = total + begun
    share = recalled / cards if cards else None
    is_sample = len(memories) < total or played < begun
    return Workload(DAYS, round(reviews), begun, share, is_sample, cards)


def _held(connection: sqlite3.Connection, owner: str, most: int) -> tuple[int, list[Memory]]:
    """Return how many active cards were reviewed, and the memories of them or of a sample."""
    where = f"FROM schedule WHERE owner = ? AND active = 1 AND how = '{METHOD}'"
    (total,) = connection.execute(f"SELECT count(*) {where}", (owner,)).fetchone()
    columns = "phase, step, stability, difficulty, due_ms, last_ms, reviews, lapses"
    if total <= most:
        sql = f"SELECT {columns} {where} ORDER BY card_id"
    else:
        # Every n-th by due date: a sample that has soon and late ones as the whole has.
        sql = (
            f"SELECT {columns} FROM (SELECT {columns}, row_number() "  # noqa: S608 - names of ours, no value of a caller
            f"OVER (ORDER BY due_ms) AS place {where}) WHERE place % {-(-total // most)} = 0"
        )
    return total, [Memory(*row) for row in connection.execute(sql, (owner,))]


def _played(
    scheduler: Fsrs, chance: random.Random, memory: Memory, due: int, end: int
) -> tuple[int, Memory]:
    """Return how often a card is reviewed before the end, and its memory then."""
    done = 0
    while due < end and done < _STEPS_A_DAY * DAYS:
        at = max(due, memory.last_ms)
        if chance.random() < scheduler.retrievability(memory, at):
            rating = chance.choices((2, 3, 4), _RECALLED)[0]
        else:
            rating = 1
        memory = scheduler.step(memory, rating, at)
        due = memory.due_ms
        done += 1
    return done, memory


ROUNDS = 4
"""How often each loadout is played."""

MOST_PLAYED = 100
"""Cards that are played each time; of more a sample stands for all."""

OWN = "own"
"""The name of a policy whose values no loadout has."""


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
