"""What a step, a rebuild, a review with its evidence and a page of the queue cost.

Each stands beside something known, measured in the same run and in turns: a step and a rebuild
beside bare py-fsrs, a review with its evidence (two files, which go to the disk at one moment)
beside one bare transaction of one file that waits for the disk, a page of the queue of a million
cards beside the bare look-up of its rows along the index. All but the review is measured in
seconds of the processor.

Run: python tests/benchmarks/learning.py [--cards 1000000] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests"))

from _table import Measured, report  # noqa: E402
from fsrs import Card, Rating, Scheduler  # noqa: E402
from learning_worlds import World  # noqa: E402

from groundwire.evidence import Ledger  # noqa: E402
from groundwire.learning.concept_mastery import concept_mastery  # noqa: E402
from groundwire.learning.concepts.query import ConceptRequest, query_concepts  # noqa: E402
from groundwire.learning.concepts.rules import read_rules  # noqa: E402
from groundwire.learning.listing import ListRequest, list_cards  # noqa: E402
from groundwire.learning.reviewing import record_review  # noqa: E402
from groundwire.learning.reviews.recording import Sent  # noqa: E402
from groundwire.learning.reviews.store import rebuild  # noqa: E402
from groundwire.learning.schedule.policy import Policy  # noqa: E402
from groundwire.learning.schedule.queue import Scope, listed  # noqa: E402
from groundwire.learning.schedule.state import Fsrs, Memory  # noqa: E402
from groundwire.profiles import learning_profile  # noqa: E402
from groundwire.statefile import Flush  # noqa: E402
from tests.evals._learning_log import EPOCH, MILLISECOND, History, random_history  # noqa: E402

Clock = Callable[[], float]
TURNS = 15
CARDS_OF_LOG = 1_200


def seconds(work: Callable[[], object], clock: Clock = time.process_time) -> float:
    """The seconds that some work takes: of the processor, or of `clock`."""
    started = clock()
    work()
    return clock() - started


def in_turns(
    bare: Callable[[], object], ours: Callable[[], object], clock: Clock = time.process_time
) -> tuple[float, float]:
    """The medians of both, measured one after the other."""
    pairs = [(seconds(bare, clock), seconds(ours, clock)) for _ in range(TURNS)]
    return statistics.median(one for one, _ in pairs), statistics.median(one for _, one in pairs)


def step() -> Measured:
    chance = random.Random(3)
    histories = [random_history(chance) for _ in range(300)]
    count = sum(map(len, histories))
    scheduler, mine = Scheduler(enable_fuzzing=False), Fsrs()
    moments = {at: EPOCH + at * MILLISECOND for one in histories for _, at in one}

    def bare() -> None:
        for history in histories:
            card = Card(card_id=1)
            for rating, at in history:
                card, _ = scheduler.review_card(card, Rating(rating), moments[at])

    def ours() -> None:
        for history in histories:
            memory: Memory | None = None
            for rating, at in history:
                memory = mine.step(memory, rating, at)

    theirs, own = in_turns(bare, ours)
    return Measured("step", theirs / count, own / count, ratio=1.2)


def rebuilt(folder: Path) -> Measured:
    chance = random.Random(5)
    world = World(folder / "rebuild")
    logs: dict[str, History] = {}
    with world.learner.writing() as connection:
        for number in range(CARDS_OF_LOG):
            card = f"c{number:05}"
            logs[card] = random_history(chance)
            _card(connection, card)
            connection.executemany(
                "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, at_ms, "
                "recorded_ms) VALUES ('local', ?, ?, 'review', ?, 'server', ?, 0)",
                [(f"{card}:{n}", card, rating, at) for n, (rating, at) in enumerate(logs[card])],
            )
    scheduler = Scheduler(enable_fuzzing=False)

    def bare() -> None:
        for history in logs.values():
            card = Card(card_id=1)
            for rating, at in history:
                card, _ = scheduler.review_card(card, Rating(rating), EPOCH + at * MILLISECOND)

    def ours() -> None:
        with world.learner.writing() as connection:
            rebuild(connection, "local")

    theirs, own = in_turns(bare, ours)
    world.base.close()
    return Measured(f"rebuild of {sum(map(len, logs.values())):,} reviews", theirs, own, ratio=1.5)


def reviewed(folder: Path) -> Measured:
    world = World(folder / "review")
    world.card("c1")
    ledger = Ledger(folder / "review" / "evidence.sqlite")
    plain = sqlite3.connect(folder / "plain.db", isolation_level=None)
    plain.execute("PRAGMA journal_mode=WAL")
    plain.execute("PRAGMA synchronous=FULL")
    plain.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, content BLOB)")

    def bare() -> None:
        for _ in range(20):
            plain.execute("BEGIN IMMEDIATE")
            plain.execute("INSERT INTO rows (content) VALUES (?)", (b"x" * 400,))
            plain.execute("COMMIT")

    def ours() -> None:
        for _ in range(20):
            world.wait(minutes=10)
            flush = Flush()
            _, draft = record_review(world.learner, Sent("c1", "answer"), None, flush)
            assert draft is not None
            ledger.record("local", "record_review", {"card_id": "c1"}, draft, flush.start)
            flush.wait()

    # Whoever reviews waits for the disk, so that this is the time on the wall.
    theirs, own = in_turns(bare, ours, time.perf_counter)
    ledger.close()
    plain.close()
    world.base.close()
    return Measured("review with evidence", theirs / 20, own / 20, ratio=2)


def queued(folder: Path, cards: int) -> list[Measured]:
    chance = random.Random(7)
    world = World(folder / "queue")
    with world.learner.writing() as connection:
        connection.execute("INSERT INTO decks VALUES ('local', 'deck_1', 'Deck', 'deck', 0)")
        for number in range(cards):
            card = f"c{number:07}"
            _card(connection, card)
            last = world.now_ms - round(chance.uniform(1, 200) * 86_400_000)
            due = world.now_ms + round(chance.uniform(-5, 200) * 86_400_000)
            connection.execute(
                "INSERT INTO schedule VALUES ('local', ?, 'deck_1', 'review', NULL, ?, 5.0, ?, ?, "
                "5, 0, 'fsrs-6-defaults', 'fsrs-6', 1)",
                (card, chance.uniform(1, 300), due, last),
            )
    policy, scope = Policy(zone="UTC"), Scope()
    with world.learner.reading() as connection:

        def bare() -> None:
            for _ in range(50):
                connection.execute(
                    "SELECT card_id, front, due_ms, last_ms, stability FROM schedule "
                    "CROSS JOIN cards "
                    "USING (owner, card_id) WHERE owner = 'local' AND active = 1 "
                    "AND due_ms <= ? ORDER BY due_ms LIMIT 20",
                    (world.now_ms,),
                ).fetchall()

        def ours() -> None:
            for _ in range(50):
                listed(connection, "local", policy, scope, world.now_ms, state="due")

        theirs, own = in_turns(bare, ours)
    whole = statistics.median(
        seconds(lambda: list_cards(world.learner, ListRequest())) for _ in range(TURNS)
    )
    world.base.close()
    return [
        Measured(f"page of the queue of {cards:,} cards", theirs / 50, own / 50, ratio=3),
        Measured("list_cards with its counts", None, whole),
    ]


def mapped(folder: Path) -> list[Measured]:
    """A map of sixty concepts over a log of 26,747 reviews: first, again, and after one more."""
    chance = random.Random(9)
    world = World(folder / "map")
    cards = [f"c{number:04}" for number in range(600)]
    with world.learner.writing() as connection:
        connection.execute("INSERT INTO decks VALUES ('local', 'deck_1', 'Deck', 'deck', 0)")
        for number, card in enumerate(cards):
            _card(connection, card)
            connection.execute(
                "INSERT INTO card_concepts VALUES ('local', ?, ?)", (card, f"n{number % 60}")
            )
        for number in range(60):
            connection.execute(
                "INSERT INTO nodes VALUES ('local', ?, 'concept', ?, ?, '{}', 1)",
                (f"n{number}", f"Concept {number}", f"concept{number}"),
            )
        connection.executemany(
            "INSERT INTO edges VALUES ('local', ?, 'prerequisite', 'n59', '{}')",
            [(f"n{number}",) for number in range(59)],
        )
        connection.executemany(
            "INSERT INTO reviews (owner, review_id, card_id, kind, rating, rated_by, at_ms, "
            "recorded_ms) VALUES ('local', ?, ?, 'review', ?, 'server', ?, 0)",
            [
                (f"r{n}", chance.choice(cards), chance.choice((1, 3, 3, 3, 3, 4)), n * 60_000)
                for n in range(26_747)
            ],
        )
    rules = read_rules(learning_profile())

    def ask() -> None:
        known = concept_mastery(world.learner)
        query_concepts(world.learner.file, rules, "local", ConceptRequest("Concept 59"), known)

    times = [seconds(ask)]
    for _ in range(6):
        # Each call estimates some concepts that were left out before.
        ask()
    times.append(seconds(ask))
    world.review("c0001", "back")
    times.append(seconds(ask))
    world.base.close()
    names = ("the first time", "again", "after one more review")
    return [
        Measured(f"concepts of 26,747 reviews, {name}", None, one, seconds=limit)
        for name, one, limit in zip(names, times, (1.0, 0.2, 0.3), strict=True)
    ]


def _card(connection: sqlite3.Connection, card_id: str) -> None:
    connection.execute(
        "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, state, "
        "proof, created_ms) VALUES ('local', ?, '', 'deck_1', 0, 'atomic', 'front', 'back', "
        "'active', 'imported', 0)",
        (card_id,),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", type=int, default=1_000_000, help="cards of the queue")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        lines = [step(), rebuilt(folder), reviewed(folder), *mapped(folder)]
        lines += queued(folder, options.cards)
    return report(lines)


if __name__ == "__main__":
    sys.exit(main())
