"""Thirty learners of a third hand, who had not read how causes are told apart or simulated before.

Each learner is a table of odds: an answer is right with a logit that is the sum of what the person
can, what the card asks, how long it was away, and what the planted cause takes away. Cards come in
a round of boxes (1, 2, 4, 8, 16, 32 days), not by an interval that grows by success. Learners one
to three of each family have that cause alone; the last three have none.
"""

from __future__ import annotations

import math
import random
import sqlite3
from dataclasses import dataclass

FAMILIES = (
    "missing_prerequisite", "confusion", "leech", "overconfidence", "slip", "rushing", "long_gap",
    "overlong_sitting", "one_sided",
)  # fmt: skip
LEARNERS: tuple[tuple[str, ...], ...] = (
    *((family,) for family in FAMILIES for _ in range(3)),
    (), (), (),
)  # fmt: skip
_BOXES = (1, 2, 4, 8, 16, 32)
_DAY = 86_400_000
_BEGAN = 1_735_700_000_000


@dataclass
class _Card:
    number: int
    concept: int
    side: int
    asks: float
    box: int = 0
    due: int = 0
    last: int | None = None
    times: int = 0

    @property
    def name(self) -> str:
        return f"k{self.number}.{self.side}"

    @property
    def back(self) -> str:
        return f"{'term' if self.side else 'meaning'} {self.number}"


def lived(connection: sqlite3.Connection, owner: str, number: int, choose: random.Random) -> None:
    """Store what a server would have stored of one learner's ninety days."""
    cause = LEARNERS[number][0] if LEARNERS[number] else ""
    concepts = 9
    needs = {child: [child // 2] for child in range(1, concepts)}
    cards = [
        _Card(one, one % concepts, side, choose.gauss(0, 0.45))
        for one in range(60)
        for side in ((0, 1) if one % 3 == 0 else (0,))
    ]
    root = choose.choice((1, 2))
    leeches = {one.name for one in choose.sample(cards, 3)} if cause == "leech" else set[str]()
    pairs = _pairs(cards, choose) if cause == "confusion" else {}
    away = set[int]()
    if cause == "long_gap":
        away = {*range(28, 44), *range(60, 78)}
    ability = choose.uniform(1.9, 2.4)
    rows: list[tuple[object, ...]] = []
    for day in range(90):
        if day in away or choose.random() < 0.08:
            continue
        for one in cards:
            if one.times == 0 and one.number % 30 == day % 30 and day < 30:
                one.due = day
        waiting = [one for one in cards if (one.times or one.number % 30 <= day) and one.due <= day]
        choose.shuffle(waiting)
        sitting = cause == "overlong_sitting" and day % 6 == 5
        hurried = cause == "rushing" and choose.random() < 0.35
        if sitting:
            more = [one for one in cards if one.times and one not in waiting]
            waiting += choose.sample(more, min(len(more), 65))
        at = _BEGAN + day * _DAY + choose.randrange(2 * 3_600_000)
        for place, one in enumerate(waiting[: 110 if sitting else 30]):
            odds = ability - one.asks
            days = day - one.last if one.last is not None else 0
            wanted = _BOXES[one.box]
            odds -= 0.8 * max(0.0, math.log2((days + 1) / (wanted + 1))) if one.times else 2.2
            predicted = 1 / (1 + 2 ** (-3.0 + 1.2 * days / wanted)) if one.times else None
            felt = odds
            odds -= _taken(cause, one, root, needs, leeches, place, hurried, sitting)
            twin = pairs.get(one.name)
            mixed = twin is not None and choose.random() < 0.4
            slipped = cause == "slip" and one.times >= 3 and choose.random() < 0.14
            right = choose.random() < 1 / (1 + math.exp(-odds)) and not mixed and not slipped
            typed = one.back if right else choose.choice(("", "?", "forgot", f"x{place}"))
            if mixed and twin is not None:
                typed = twin.back
            seconds = 7 * math.exp(choose.gauss(0, 0.25))
            seconds *= 0.3 if hurried else 0.25 if slipped else 1.0
            said = 0.95 if cause == "overconfidence" else 1 / (1 + math.exp(-felt))
            said = min(1.0, max(0.0, choose.gauss(said, 0.08)))
            taken = round(seconds * 1000)
            rows.append(
                (owner, f"{owner} {len(rows)}", one.name, "review", 3 if right else 1, "server",
                 typed, said, predicted, taken, at, at)
            )  # fmt: skip
            at += taken + choose.randrange(800, 3000)
            one.box = min(one.box + 1, 5) if right else 0
            one.last, one.times, one.due = day, one.times + 1, day + _BOXES[one.box]
    connection.executemany(
        "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, response,"
        " confidence, predicted, duration_ms, at_ms, recorded_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    _kept(connection, owner, cards, concepts, needs)


def _pairs(cards: list[_Card], choose: random.Random) -> dict[str, _Card]:
    some = choose.sample([one for one in cards if not one.side], 8)
    found: dict[str, _Card] = {}
    for a, b in zip(some[::2], some[1::2], strict=True):
        found[a.name], found[b.name] = b, a
    return found


def _taken(
    cause: str,
    card: _Card,
    root: int,
    needs: dict[int, list[int]],
    leeches: set[str],
    place: int,
    hurried: bool,
    sitting: bool,
) -> float:
    """What the planted cause takes from the odds of one answer, as a logit."""
    if cause == "missing_prerequisite":
        return 2.4 if card.concept == root else 2.0 if root in needs.get(card.concept, ()) else 0.0
    if cause == "leech":
        return 4.5 if card.name in leeches else 0.0
    if cause == "overconfidence":
        return 1.3
    if cause == "rushing":
        return 1.9 if hurried else 0.0
    if cause == "overlong_sitting":
        return 0.05 * max(0, place - 35) if sitting else 0.0
    if cause == "one_sided":
        return 2.0 if card.side else 0.0
    return 0.0


def _kept(
    connection: sqlite3.Connection,
    owner: str,
    cards: list[_Card],
    concepts: int,
    needs: dict[int, list[int]],
) -> None:
    connection.executemany(
        "INSERT INTO nodes VALUES (?, ?, 'concept', ?, ?, '{}', 1)",
        [(owner, f"t{c}", f"topic {c}", f"topic{c}") for c in range(concepts)],
    )
    connection.executemany(
        "INSERT INTO edges VALUES (?, ?, 'prerequisite', ?, '{}')",
        [(owner, f"t{a}", f"t{b}") for b, before in needs.items() for a in before],
    )
    connection.executemany(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, state,"
        " proof, created_ms) VALUES (?, ?, ?, 'deck', ?, 'basic', ?, ?, 'active', 'imported', 0)",
        [
            (owner, c.name, f"n{c.number}", c.side, f"asks {c.name}", c.back)
            for c in cards
        ],
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO card_concepts VALUES (?, ?, ?)",
        [(owner, c.name, f"t{c.concept}") for c in cards],
    )
