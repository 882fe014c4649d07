"""Parameters fitted to a log: accepted where they forecast no worse than the defaults of FSRS-6.

Learners: the test log of py-fsrs (where GROUNDWIRE_TEST_DATA has it), and twenty that are drawn:
half have a memory of their own (parameters off the defaults), half have that of the defaults, and
two have a log that begins with somebody else's, who guessed: what is fitted to it must be refused.
Every fit is judged on reviews that it has not seen; what counts is that no accepted fit is worse
there than the defaults by more than 0.001, and that an own memory is found.

Run: python tests/evals/learning_fit.py [--fraction 0.1] [--seed 7]
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.learning.schedule.policy import TOLERANCE, fit  # noqa: E402
from groundwire.learning.schedule.state import Fsrs, Memory  # noqa: E402
from tests.evals._learning_log import DAY_MS, START_MS, History, real_log  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

LEARNERS = 20
CARDS = 250
REVIEWS = 12


def drawn_learner(chance: random.Random, own: bool, broken: bool) -> dict[str, History]:
    """The log of a learner whose memory is FSRS-6 with parameters of their own, or the defaults."""
    defaults = Fsrs()
    values = list(defaults.parameters)
    if own:
        for at in (0, 1, 2, 3):
            values[at] *= 0.2
        values[8] *= 0.5
    truth = Fsrs(values)
    cards: dict[str, History] = {}
    for number in range(CARDS):
        guessed = broken and number < CARDS * 0.85
        later = 400 if broken and not guessed else 0
        at = START_MS + round((later + chance.uniform(0, 200)) * DAY_MS)
        real: Memory | None = None
        planned: Memory | None = None
        history: History = []
        for _ in range(REVIEWS):
            if real is None:
                rating = chance.choices((1, 3), (1, 2))[0]
            else:
                recall = truth.retrievability(real, at)
                rating = 3 if chance.random() < (0.4 if guessed else recall) else 1
            history.append((rating, at))
            real, planned = truth.step(real, rating, at), defaults.step(planned, rating, at)
            at = planned.due_ms + round(chance.uniform(0, 0.3) * DAY_MS)
        cards[f"c{number}"] = history
    return cards


def main() -> int:
    options = arguments(__doc__)
    chance = random.Random(options.seed)
    count = max(4, round(LEARNERS * options.fraction))
    learners = {
        f"drawn {number}": (drawn_learner(chance, number % 2 == 0, number in (2, 3)), number % 2)
        for number in range(count)
    }
    if real := real_log():
        learners["real"] = (real, 1)
    rows, worse, missed, refused = [], 0, 0, 0
    for name, (log, usual) in learners.items():
        found = fit(log)
        difference = found.log_loss - found.log_loss_defaults
        broken = name in ("drawn 2", "drawn 3")
        worse += found.accepted and difference > TOLERANCE
        refused += broken and not found.accepted
        missed += not usual and not broken and not (found.accepted and difference < 0)
        if name == "real" or broken or name in ("drawn 0", "drawn 1"):
            said = "accepted" if found.accepted else "refused"
            losses = (found.log_loss, found.log_loss_defaults, found.log_loss_constant)
            rows.append((name, found.trained, found.judged, *(f"{x:.4f}" for x in losses), said))
    columns = ("learner", "trained", "judged", "fitted", "defaults", "constant", "")
    print(table(columns, rows))
    found_out = {"accepted and worse": worse, "own memory not found": missed, "refused": refused}
    figures = {"fits": found_out}
    lower = {"accepted and worse", "own memory not found"}
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
