"""Writers of one ledger are killed, over and over: no acknowledged record is lost.

Each victim records answers, some with payloads, and tells each id once it is acknowledged; it is
killed after a random while. In the end the chain is verified and every told record is read.

Run: python tests/evals/kills.py [--fraction 0.1] [--seed 7]. Exits 1 if a record is lost or the
chain is broken.
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

from groundwire.errors import GroundwireError  # noqa: E402
from groundwire.evidence import Ledger  # noqa: E402
from tests.evals._report import arguments  # noqa: E402

KILLS = 310
WRITER = """
import sys
from pathlib import Path
from groundwire.evidence import Draft, Ledger, Value, connections  # noqa: E402

connections.BUSY_SECONDS = 120.0
draft = Draft(tuple(Value("n", str(n), source="urn:x:" + "y" * 80) for n in range(20)))
with Ledger(Path(sys.argv[1])) as ledger:
    for n in range(100_000):
        payload = b"payload %d " % n * 5_000 if n % 5 == 0 else None
        kept = Draft(draft.values, payload=payload)
        print(ledger.record("victim", "t", {"n": n}, kept).evidence_id, n, flush=True)
"""


def killed(path: Path, after: float) -> dict[str, int]:
    """What one writer acknowledged before it was killed, so many seconds after its first record."""
    victim = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout is not None
    first = victim.stdout.readline()
    time.sleep(after)
    victim.kill()
    # Read from the same buffer as the first line, which may hold the beginning of the rest.
    with victim.stdout:
        lines = (first + victim.stdout.read()).splitlines(keepends=True)
    victim.wait(timeout=120)
    # A line without its end was not told.
    told = [line.split() for line in lines if line.endswith("\n")]
    return {handle: int(number) for handle, number in told}


def lost(ledger: Ledger, handle: str, number: int) -> bool:
    """Whether a record that was told is not there as it was written."""
    try:
        return ledger.get(handle, "victim").arguments != {"n": number}
    except GroundwireError:
        return True


def main() -> int:
    options = arguments(__doc__)
    kills = round(KILLS * options.fraction)
    chance = random.Random(options.seed)
    told: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.sqlite"
        for _ in range(kills):
            told |= killed(path, chance.uniform(0, 0.05))
        with Ledger(path) as ledger:
            found = ledger.verify()
            gone = sum(lost(ledger, handle, number) for handle, number in told.items())
    print(f"{kills} kills lost {gone:,} of {len(told):,} acknowledged records")
    if not found.ok:
        print(f"the chain is not as it was written: {found.reason}")
    return 1 if gone or not found.ok else 0


if __name__ == "__main__":
    sys.exit(main())
