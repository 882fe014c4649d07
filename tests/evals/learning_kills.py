"""A device records 1,000 reviews and is killed over and over: none is lost, none counts twice.

The victim records numbered reviews of forty cards with their evidence, as the server does: both
files are written, and go to the disk at one moment. It tells the id of each once that is done.
After a random while it is killed and started again; as a host does that got no answer, it sends
everything again from the last id that it knows of. In the end the log has to hold each review once,
in order, the schedule has to be what the log gives, and the chain of the ledger has to be whole,
with every record that was told.

Run: python tests/evals/learning_kills.py [--fraction 0.1] [--seed 7]
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests"))

from learning_worlds import World  # noqa: E402

from groundwire.evidence import Ledger  # noqa: E402
from groundwire.learning.holdings import rebuild_schedule  # noqa: E402
from tests.evals._report import arguments  # noqa: E402

REVIEWS = 1_000
CARDS = 40
DEVICE = """
import sys
from pathlib import Path
from groundwire.evidence import Ledger
from groundwire.learning.learner import LearningBase
from groundwire.learning.reviewing import record_review
from groundwire.learning.reviews.recording import Sent
from groundwire.statefile import Flush

home, first, last, cards = Path(sys.argv[1]), *map(int, sys.argv[2:5])
with LearningBase(home) as base, Ledger(home / "evidence.sqlite") as ledger:
    learner = base.learner("local")
    for n in range(first, last):
        answer = "answer" if n % 7 else "no idea"
        sent, flush = Sent(f"c{n % cards}", answer, review_id=f"r{n}"), Flush()
        _, draft = record_review(learner, sent, None, flush)
        receipt = ledger.record("local", "record_review", {"n": n}, draft, flush.start)
        flush.wait()
        print(n, receipt.evidence_id, flush=True)
"""


def killed(home: Path, first: int, last: int, after: float) -> list[tuple[int, str]]:
    """Let the device record from one review on; the reviews that it told, with their evidence."""
    device = subprocess.Popen(
        [sys.executable, "-c", DEVICE, str(home), str(first), str(last), str(CARDS)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert device.stdout is not None
    told = device.stdout.readline()
    time.sleep(after)
    device.kill()
    rest, _ = device.communicate(timeout=120)
    # A line without its end was not told.
    lines = [line for line in (told + rest).splitlines(keepends=True) if line.endswith("\n")]
    return [(int(line.split()[0]), line.split()[1]) for line in lines]


def main() -> int:
    options = arguments(__doc__)
    chance = random.Random(options.seed)
    wanted = round(REVIEWS * options.fraction)
    kills = told = 0
    evidence: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for number in range(CARDS):
            world.card(f"c{number}")
        while told < wanted:
            # Some of what was acknowledged is sent once more, as if the answer had been lost.
            again = max(0, told - chance.randrange(4))
            for number, evidence_id in killed(Path(folder), again, wanted, chance.uniform(0, 0.06)):
                told = max(told, number + 1)
                evidence.add(evidence_id)
            kills += 1
        rows = world.rows("SELECT review_id FROM reviews WHERE kind = 'review' ORDER BY sequence")
        held = [str(row[0]) for row in rows]
        lost = len({f"r{n}" for n in range(wanted)} - set(held))
        doubled = len(held) - len(set(held))
        _, other = rebuild_schedule(world.learner)
        counted = sum(int(str(row[9])) for row in world.schedule())
        world.base.close()
        with Ledger(Path(folder) / "evidence.sqlite") as ledger:
            broken = not ledger.verify().ok
            proven = {one.evidence_id for one in ledger.recent("local", limit=10 * REVIEWS)}
        unproven = len(evidence - proven)
    print(
        f"{kills} kills in {wanted:,} reviews: lost {lost}, doubled {doubled}; {other} cards were "
        f"scheduled otherwise than the log says; {counted:,} reviews count; of {len(evidence):,} "
        f"records of evidence {unproven} were lost; chain {'broken' if broken else 'whole'}"
    )
    return 1 if lost or doubled or other or counted != wanted or unproven or broken else 0


if __name__ == "__main__":
    sys.exit(main())
