"""The work that a policy makes: the learner's own cards, played forward day by day.

Each card is reviewed when it is due and recalled as likely as FSRS-6 says; new cards are begun as
the policy lets. It is an expectation by the model, no promise: one and the same card of chance is
drawn for one and the same collection, so that two policies differ by the policies alone.
"""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass

from groundwire.learning.schedule.policy import Policy, scheduler_of
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
    days: int = DAYS,
    *,
    most: int = MOST_CARDS,
    draw: int = 0,
) -> Workload:
    """Play the cards of a learner forward by a policy.

    Args:
        connection: to the learner's file.
        owner: whose cards.
        policy: the policy; its retention decides when cards become due.
        at_ms: the time of now.
        days: how many days.
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
    end = at_ms + days * DAY_MS
    reviews, recalled = 0.0, 0.0
    for memory in memories:
        due = scheduler.due_for(memory)
        done, after = _played(scheduler, chance, memory, max(due, at_ms), end)
        reviews += done * scale
        recalled += scheduler.retrievability(after, end) * scale
    begun = min(waiting, policy.new_per_day * days)
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
    return Workload(days, round(reviews), begun, share, is_sample, cards)


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
