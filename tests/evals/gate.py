"""Whether the gate sees through every disguise, and how often it refuses ordinary texts.

Names are invented companies, disguised by class and at random; ordinary texts are judged with names
that are hard to tell from ordinary language. Run:
python tests/evals/gate.py [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.metrics.gate.screen import SecurityGate  # noqa: E402
from groundwire.metrics.profile import External  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.gate_disguises import (  # noqa: E402
    CARRIERS,
    CHINESE,
    COMBINED,
    ENGLISH,
    OTHERS,
    disguises,
)
from tests.evals.gate_ordinary import HARD, HARD_CHINESE, ordinary  # noqa: E402

ROUNDS = 25
TEXTS = 2_500
TARGET_CAUGHT, TARGET_REFUSED = 100.0, 2.0


def evasions(fraction: float, rng: random.Random, show: int) -> dict[str, dict[str, float]]:
    """For each class of disguise, how many cases there are and how many pass the gate."""
    gate = SecurityGate([External(name=name) for name in (*ENGLISH, *CHINESE, *OTHERS)], ["Home"])
    cases: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for name in (*ENGLISH, *CHINESE, *OTHERS):
        for _ in range(ROUNDS):
            for kind, disguised in disguises(name, rng):
                if rng.random() >= fraction * (1 if kind != COMBINED else 4):
                    continue
                carrier = rng.choice(CARRIERS)
                text = carrier.format(disguised)
                start = carrier.index("{}")
                cases[kind] += 1
                screen = gate.screen(text)
                rest = screen.masked[start : start + len(disguised)]
                caught = any(hit.name == name for hit in screen.hits)
                if not caught or any(map(str.isalnum, rest)) or len(screen.masked) != len(text):
                    missed[kind] += 1
                    if missed[kind] <= show:
                        print(f"    {kind}: {name!r} passes as {disguised!r}; left is {rest!r}")
    return {
        kind: {"cases": count, "caught_percent": round(100 * (1 - missed[kind] / count), 2)}
        for kind, count in sorted(cases.items())
    }


def refusals(fraction: float, seed: int, show: int) -> dict[str, dict[str, float]]:
    """For each class of ordinary text, how many there are and how many are refused."""
    gate = SecurityGate([External(name=name) for name in (*HARD, *HARD_CHINESE)], ["Home"])
    texts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    rng = random.Random(seed)
    for kind, text in ordinary(seed, TEXTS):
        if rng.random() >= fraction:
            continue
        texts[kind] += 1
        hits = gate.screen(text).hits
        if hits:
            refused[kind] += 1
            if refused[kind] <= show:
                print(f"    {kind}: {hits[0].alias!r} is read into {hits[0].raw!r}")
    return {
        kind: {"cases": count, "refused_percent": round(100 * refused[kind] / count, 3)}
        for kind, count in sorted(texts.items())
    }


def main() -> int:
    options = arguments(__doc__, show=(5, "wrong cases to print per class"))
    started = time.perf_counter()
    caught = evasions(options.fraction, random.Random(options.seed), options.show)
    refused = refusals(options.fraction, options.seed, options.show)
    for head, share, found in (("disguise", "caught", caught), ("text", "refused", refused)):
        rows = [(kind, *figures.values()) for kind, figures in found.items()]
        print(table((head, "cases", f"{share} %"), rows), end="\n\n")
    disguised, read = (
        sum(figures["cases"] for figures in found.values()) for found in (caught, refused)
    )
    print(f"{disguised} disguised names, {read} texts, {time.perf_counter() - started:.1f} s")
    figures: Figures = {
        kind: {name: value for name, value in found.items() if name != "cases"}
        for kind, found in (caught | refused).items()
    }
    short = [kind for kind, found in caught.items() if found["caught_percent"] < TARGET_CAUGHT]
    over = [kind for kind, found in refused.items() if found["refused_percent"] > TARGET_REFUSED]
    for kind in short:
        print(f"not all caught: {kind}")
    for kind in over:
        print(f"more than {TARGET_REFUSED} % refused: {kind}")
    held = Ratchet(__file__, lower={"refused_percent"}).settle(figures, options)
    return 1 if short or over else held


if __name__ == "__main__":
    sys.exit(main())
