"""Simulated learners, each with the causes of failure that were planted, as processes of memory.

A learner meets new cards day by day, reviews what is due, forgets by an exponential curve, types
what comes to mind and says how sure they are. A cause changes what happens in the head or in the
day (a prerequisite that was never understood, a rushed evening, a holiday); it marks no row. All
learners make some mistakes for no reason. The `held_out` learners have other numbers throughout:
sizes, speeds, strengths of causes, shares of what is recorded.
"""

from __future__ import annotations

import math
import random
import sqlite3
from dataclasses import dataclass, field

FAMILIES = (
    "missing_prerequisite", "confusion", "leech", "overconfidence", "slip", "rushing", "long_gap",
    "overlong_sitting", "one_sided",
)  # fmt: skip
HOUR = 3_600_000
DAY = 24 * HOUR
BEGAN = 1_700_000_000_000


@dataclass
class Card:
    card_id: str
    note: int
    ordinal: int
    concept: int
    back: str
    hard: float = 1.0
    strength: float = 1.0
    interval: float = 1.0
    due: float = 0.0
    last: float | None = None
    seen: int = 0
    twin: Card | None = None


@dataclass
class Learner:
    """One learner's numbers and planted causes."""

    choose: random.Random
    causes: tuple[str, ...]
    held_out: bool
    cards: list[Card] = field(default_factory=list)
    needs: dict[int, list[int]] = field(default_factory=dict)
    confusable: list[tuple[int, int]] = field(default_factory=list)
    root: int = -1
    pauses: list[range] = field(default_factory=list)

    def between(self, seen: tuple[float, float], held: tuple[float, float]) -> float:
        """A number from the range of this side."""
        return self.choose.uniform(*(held if self.held_out else seen))


def drawn(choose: random.Random, held_out: bool) -> tuple[str, ...]:
    """The causes of one learner: mostly one, sometimes none or two."""
    count = choose.choices((0, 1, 2), (20, 65, 15))[0]
    return tuple(choose.sample(FAMILIES, count))


def planted(connection: sqlite3.Connection, owner: str, learner: Learner) -> None:
    """Simulate a learner and store what a server would have stored."""
    _world(learner)
    _live(connection, owner, learner)
    _store_world(connection, owner, learner)


def _world(one: Learner) -> None:
    choose = one.choose
    concepts = round(one.between((10, 14), (7, 18)))
    for concept in range(1, concepts):
        if choose.random() < 0.7:
            one.needs[concept] = choose.sample(
                range(concept), min(concept, choose.choice((1, 1, 2)))
            )
    notes = round(one.between((70, 110), (55, 130)))
    for note in range(notes):
        concept = note % concepts
        front = Card(f"c{note}a", note, 0, concept, f"answer {note}")
        one.cards.append(front)
        if choose.random() < 0.4:
            back = Card(f"c{note}b", note, 1, concept, f"question {note}", twin=front)
            one.cards.append(back)
    choose.shuffle(one.cards)
    _harden(one, concepts)
    pairs = round(one.between((3, 5), (2, 6)))
    places = choose.sample(range(len(one.cards)), 2 * pairs)
    one.confusable = list(zip(places[::2], places[1::2], strict=True))
    if "long_gap" in one.causes:
        for _ in range(choose.choice((2, 3))):
            start = choose.randrange(15, 75)
            one.pauses.append(range(start, start + round(one.between((10, 18), (8, 25)))))


def _harden(one: Learner, concepts: int) -> None:
    """Make cards harder whose cause lies in what they ask."""
    choose, cause = one.choose, set(one.causes)
    if "missing_prerequisite" in cause:
        needed = [c for c in range(concepts) if any(c in before for before in one.needs.values())]
        one.root = choose.choice(needed or [0])
        one.needs.setdefault(concepts - 1, [one.root])
        for card in one.cards:
            if card.concept == one.root:
                card.hard *= one.between((0.35, 0.5), (0.3, 0.55))
            elif one.root in one.needs.get(card.concept, ()):
                card.hard *= one.between((0.4, 0.55), (0.35, 0.6))
    if "leech" in cause:
        fronts = [card for card in one.cards if card.hard == 1.0]
        for card in choose.sample(fronts, min(len(fronts), choose.choice((2, 3, 4)))):
            card.hard *= one.between((0.1, 0.3), (0.05, 0.35))
    if "one_sided" in cause:
        for card in one.cards:
            if card.ordinal:
                card.hard *= one.between((0.4, 0.6), (0.35, 0.65))


@dataclass
class Habits:
    """How one learner answers, drawn once."""

    pace: float
    says_confidence: bool
    says_duration: bool
    types: bool
    careless: float
    tires: float
    effort: float
    swap: float
    usual: int
    confused: dict[int, Card]


def _habits(one: Learner) -> Habits:
    choose, cause = one.choose, set(one.causes)
    confused: dict[int, Card] = {}
    if "confusion" in cause:
        for a, b in one.confusable:
            confused[id(one.cards[a])] = one.cards[b]
            confused[id(one.cards[b])] = one.cards[a]
    return Habits(
        pace=one.between((6, 10), (4, 14)),
        says_confidence="overconfidence" in cause
        or choose.random() < (0.6 if one.held_out else 0.7),
        says_duration=bool(cause & {"slip", "rushing"}) or choose.random() < 0.85,
        types="confusion" in cause or choose.random() < 0.75,
        careless=one.between((0.01, 0.03), (0.0, 0.05)),
        tires=one.between((0.015, 0.03), (0.01, 0.035)),
        effort=one.between((0.7, 0.85), (0.65, 0.88)) if "overconfidence" in cause else 1.0,
        swap=one.between((0.4, 0.6), (0.35, 0.65)),
        usual=round(one.between((25, 40), (18, 50))),
        confused=confused,
    )


def _live(connection: sqlite3.Connection, owner: str, one: Learner) -> None:
    choose, cause = one.choose, set(one.causes)
    habits = _habits(one)
    waiting = list(one.cards)
    rows: list[tuple[object, ...]] = []
    for day in range(round(one.between((80, 110), (70, 130)))):
        if any(day in pause for pause in one.pauses) or choose.random() < 0.06:
            continue
        for card in waiting[: choose.choice((1, 2, 3))]:
            card.due = day
            waiting.remove(card)
        met = [card for card in one.cards if card not in waiting]
        due = sorted((card for card in met if card.due <= day), key=lambda card: card.due)
        long = "overlong_sitting" in cause and choose.random() < one.between(
            (0.12, 0.2), (0.1, 0.25)
        )
        rushed = "rushing" in cause and choose.random() < one.between((0.25, 0.4), (0.2, 0.45))
        fresh = 5 + 1.2 * min(len(due), habits.usual)
        if long:
            # Everything at once: what is due soon as well.
            due += [card for card in met if day < card.due <= day + 12]
        due = due[: habits.usual * (3 if long else 1)]
        choose.shuffle(due)
        at = BEGAN + day * DAY + round(choose.uniform(17, 20) * HOUR)
        for place, card in enumerate(due):
            tired = max(0, place - fresh) if long else 0.0
            row, at = _answered(one, habits, card, (day, at), rushed=rushed, tired=tired)
            rows.append((owner, f"{owner} r{len(rows)}", card.card_id, "review", *row))
    connection.executemany(
        "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, response,"
        " confidence, predicted, duration_ms, at_ms, recorded_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def _answered(
    one: Learner, habits: Habits, card: Card, when: tuple[int, int], *, rushed: bool, tired: float
) -> tuple[tuple[object, ...], int]:
    """One answer as it is stored, and when the next one begins."""
    choose, cause = one.choose, set(one.causes)
    day, at = when
    elapsed = 0.0 if card.last is None else (at - card.last) / DAY
    true = 0.9 ** (elapsed / max(card.strength, 0.2)) if card.seen else 0.3
    predicted = 0.9 ** (elapsed / max(card.interval, 0.2)) if card.seen else None
    known = true * card.hard * (1 - habits.careless)
    felt = known
    known *= habits.effort * max(0.15, 1 - habits.tires * tired)
    other = habits.confused.get(id(card))
    if other is not None:
        known *= 1 - habits.swap
    if rushed:
        known *= one.between((0.5, 0.65), (0.45, 0.7))
    slipped = (
        "slip" in cause
        and card.seen >= 3
        and (predicted or 0) >= 0.85
        and choose.random() < one.between((0.1, 0.18), (0.08, 0.2))
    )
    right = choose.random() < known and not slipped
    seconds = habits.pace * math.exp(choose.gauss(0, 0.3)) * (1 if right else 1.25)
    if rushed:
        seconds *= one.between((0.25, 0.35), (0.22, 0.42))
    if slipped:
        seconds *= one.between((0.2, 0.3), (0.15, 0.35))
    rating = choose.choices((2, 3, 4), (15, 70, 15))[0] if right else 1
    taken = round(seconds * 1000)
    row = (
        rating,
        "server" if habits.types else "learner",
        _response(one, habits, card, right=right),
        _confidence(one, habits, felt),
        predicted,
        taken if habits.says_duration else None,
        at,
        at,
    )
    _remember(card, right, elapsed, day, "overconfidence" in cause, choose)
    card.last = at
    return row, at + taken + choose.randrange(500, 4000)


def _response(one: Learner, habits: Habits, card: Card, *, right: bool) -> str | None:
    """What the learner types: the answer, that of a card it is confused with, or something."""
    choose, other = one.choose, habits.confused.get(id(card))
    if not habits.types:
        return None
    if right:
        return card.back
    if other is not None and choose.random() < 0.8:
        return other.back
    if choose.random() < 0.12:
        return choose.choice(one.cards).back
    return choose.choice(("", "no idea", f"thing {choose.randrange(999)}"))


def _confidence(one: Learner, habits: Habits, felt: float) -> float | None:
    """How sure the learner says to be, as it feels."""
    choose = one.choose
    if not habits.says_confidence or choose.random() < 0.1:
        return None
    sure = "overconfidence" in one.causes
    said = choose.gauss(0.92, 0.06) if sure else felt + choose.gauss(0, 0.12)
    return min(1.0, max(0.0, said))


def _remember(
    card: Card, right: bool, elapsed: float, day: int, overconfident: bool, choose: random.Random
) -> None:
    """What a review does to memory, and when the card comes again."""
    card.seen += 1
    if right:
        card.strength = max(card.strength, 1.0) * (
            1 + 1.2 * min(1.5, elapsed / card.strength + 0.3)
        )
        card.interval = max(1.0, max(card.interval, elapsed) * 1.9)
        if overconfident:
            # Who is sure puts cards off.
            card.interval *= 1.25
    else:
        card.strength = max(0.7, card.strength * 0.45)
        card.interval = 1.0
    card.due = day + max(1, round(card.interval * choose.uniform(0.9, 1.1)))


def _store_world(connection: sqlite3.Connection, owner: str, one: Learner) -> None:
    concepts = sorted({card.concept for card in one.cards})
    connection.executemany(
        "INSERT INTO nodes VALUES (?, ?, 'concept', ?, ?, '{}', 1)",
        [(owner, f"n{c}", f"concept {c}", f"concept{c}") for c in concepts],
    )
    edges = [
        (owner, f"n{a}", "prerequisite", f"n{b}")
        for b, before in one.needs.items()
        for a in set(before)
        if a != b
    ]
    connection.executemany("INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, '{}')", edges)
    connection.executemany(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, state,"
        " proof, created_ms) VALUES (?, ?, ?, 'deck', ?, 'basic', ?, ?, 'active', 'imported', 0)",
        [
            (owner, c.card_id, f"note {c.note}", c.ordinal, f"front {c.card_id}", c.back)
            for c in one.cards
        ],
    )
    connection.executemany(
        "INSERT INTO card_concepts VALUES (?, ?, ?)",
        [(owner, c.card_id, f"n{c.concept}") for c in one.cards],
    )
