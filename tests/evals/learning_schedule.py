"""The schedule against py-fsrs, bit by bit, and its forecasts against what came.

Classes: `real` (the test log of py-fsrs, where GROUNDWIRE_TEST_DATA has it) and `random` (histories
of one to twelve reviews at gaps from milliseconds to years). `different` counts reviews after which
phase, step, stability, difficulty or due date is not exactly that of py-fsrs without fuzz.

Of the real log: the log loss of our forecasts for reviews 24 hours or more after the one before,
and for all on a later day, beside a constant and beside py-fsrs, which floors the days.

Run: python tests/evals/learning_schedule.py [--fraction 0.1] [--seed 7] [--show 3]
"""

from __future__ import annotations

import datetime as dt
import random
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from fsrs import Card, Rating, Scheduler  # noqa: E402

from groundwire.learning.schedule.state import Fsrs, Memory  # noqa: E402
from tests.evals._learning_log import (  # noqa: E402
    DAY_MS,
    EPOCH,
    MILLISECOND,
    History,
    constant,
    log_loss,
    random_history,
    real_log,
)
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

RANDOM = 100_000


def their_steps(scheduler: Scheduler, history: History) -> list[tuple[object, ...]]:
    card, found = Card(card_id=1), []
    for rating, at_ms in history:
        card, _ = scheduler.review_card(card, Rating(rating), EPOCH + at_ms * MILLISECOND)
        due = (card.due - EPOCH) // MILLISECOND
        found.append((card.state.name.lower(), card.step, card.stability, card.difficulty, due))
    return found


def our_steps(ours: Fsrs, history: History) -> list[tuple[object, ...]]:
    memory: Memory | None = None
    found = []
    for rating, at_ms in history:
        memory = ours.step(memory, rating, at_ms)
        found.append(
            (memory.phase, memory.step, memory.stability, memory.difficulty, memory.due_ms)
        )
    return found


def compared(
    histories: list[History], scheduler: Scheduler, ours: Fsrs, show: int
) -> dict[str, float]:
    """How many reviews there are, and after how many the two differ."""
    reviews = different = 0
    for history in histories:
        theirs, mine = their_steps(scheduler, history), our_steps(ours, history)
        whole = ours.replay(history)
        last = (whole.phase, whole.step, whole.stability, whole.difficulty, whole.due_ms)
        wrong = sum(a != b for a, b in zip(theirs, mine, strict=True)) + (last != theirs[-1])
        # A new retention moves due dates as a replay with it would.
        other = Fsrs(ours.parameters, 0.83)
        wrong += other.due_for(whole) != other.replay(history).due_ms
        reviews += len(history)
        different += wrong
        if wrong and show > 0:
            print("different:", history, theirs[-1], last)
            show -= 1
    return {"different": different, "reviews": reviews}


def forecasts(histories: list[History], ours: Fsrs) -> dict[str, list[tuple[float, float, bool]]]:
    """Our forecast, that of py-fsrs and the outcome of later reviews, by class of gap."""
    found: dict[str, list[tuple[float, float, bool]]] = {"24 h and more": [], "later day": []}
    for history in histories:
        memory = None
        for rating, at_ms in history:
            if memory is not None:
                gap = at_ms - memory.last_ms
                later = _day(at_ms) > _day(memory.last_ms)
                floored = ours.recall(memory.stability, gap // DAY_MS * DAY_MS)
                one = (ours.retrievability(memory, at_ms), floored, rating > 1)
                if gap >= DAY_MS:
                    found["24 h and more"].append(one)
                if later:
                    found["later day"].append(one)
            memory = ours.step(memory, rating, at_ms)
    return found


def _day(at_ms: int) -> dt.date:
    return (EPOCH + at_ms * MILLISECOND).date()


def main() -> int:
    options = arguments(__doc__, show=(0, "differences to print"))
    chance = random.Random(options.seed)
    scheduler, ours = Scheduler(enable_fuzzing=False), Fsrs()
    figures: dict[str, dict[str, float]] = {}
    drawn = [random_history(chance) for _ in range(round(RANDOM * options.fraction))]
    figures["random"] = compared(drawn, scheduler, ours, options.show)
    rows = [("random", len(drawn), figures["random"]["reviews"], figures["random"]["different"])]
    real = list(real_log().values())
    if real:
        figures["real"] = compared(real, scheduler, ours, options.show)
        rows.append(("real", len(real), figures["real"]["reviews"], figures["real"]["different"]))
    print(table(("histories", "cards", "reviews", "different"), rows))
    if real:
        print()
        lines = []
        for name, found in forecasts(real, ours).items():
            mine = [(p, came) for p, _, came in found]
            loss = log_loss(mine)
            line = (loss, log_loss(constant(mine)), log_loss([(q, came) for _, q, came in found]))
            figures[name] = {"log loss x 100,000": round(loss * 100_000)}
            lines.append((name, len(found), *(f"{one:.5f}" for one in line)))
        print(table(("forecasts", "reviews", "ours", "constant", "floored"), lines))
    else:
        print("without the real log: set GROUNDWIRE_TEST_DATA to judge it too")
    for one in figures.values():
        one.pop("reviews", None)
    lower = {"different", "log loss x 100,000"}
    if options.update and not real:
        raise SystemExit("--update needs the real log: set GROUNDWIRE_TEST_DATA")
    ratchet = Ratchet(__file__, lower=lower)
    if not real:
        # What needs the log is not missed where the log is not there.
        options.fraction = min(options.fraction, 0.999)
    return ratchet.settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
