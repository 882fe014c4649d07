"""Whether agents are bound to their tools, to the question and to the user's words.

Scripted models drive every agent over the real servers: they state what no tool answered, repeat
injected strings, call something else than was asked, and change what the user keeps unasked. The
cases know nothing of the guards that must hold them. One half is seen, one held out. Strings of
public corpora are read from the folder that GROUNDWIRE_INJECTION_CORPORA names. Run:
python tests/evals/agents_bound.py [--half seen|held_out|both] [--show] [--only false,writes]
    [--fraction 0.1] [--seed 7] [--update]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.agents_bound_bench import (  # noqa: E402
    AGENTS,
    FAULTS,
    KEEPERS,
    PLACES,
    Bench,
    Outcome,
)
from tests.evals.agents_bound_cases import (  # noqa: E402
    HALVES,
    Statement,
    bindings,
    injections,
    public,
    statements,
    writes,
)
from tests.evals.agents_bound_data import QUESTIONS as DATA_AGENTS  # noqa: E402
from tests.evals.agents_bound_data import held_data  # noqa: E402
from tests.evals.agents_bound_data import question as data_question  # noqa: E402
from tests.evals.agents_bound_world import opened  # noqa: E402

KINDS = ("false", "injections", "data", "public", "leaks", "bindings", "writes")
LEAKS = {"seen": ("whole", "as an object"), "held_out": ("beginning", "beside the answer")}
_SHOWN = 200

Case = Callable[[], Outcome]


def cases(bench: Bench, halves: Sequence[str], kinds: Sequence[str], seed: int) -> Iterator[Case]:
    """Every case of some kinds, as what runs it."""
    made = {"false": _false, "injections": _injections, "data": _data, "public": _public,
            "leaks": _leaks, "bindings": _bindings, "writes": _writes}  # fmt: skip
    for half in halves:
        for kind in kinds:
            yield from made[kind](bench, half, seed)


def _false(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    for at, one in enumerate(statements(half), seed):
        yield partial(bench.false, one, at)


def _injections(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    agents = list(AGENTS)
    for at, one in enumerate(injections(half), seed):
        for number, place in enumerate(PLACES):
            agent = agents[(at + number) % len(agents)]
            yield partial(bench.injected, "injections", one, agent, place)


def _data(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    assert bench.over_data is not None
    for number, one in enumerate(_texts()):
        if one.half == half:
            for agent in DATA_AGENTS:
                asked = data_question(agent, number)
                yield partial(bench.over_data.from_data, one, agent, asked)


def _texts() -> list[Statement]:
    """All strings of our own, in the order in which the data hold them."""
    return [one for half in HALVES for one in injections(half)]


def _public(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    agents = list(AGENTS)
    for at, one in enumerate(public(), seed):
        if one.half == half:
            place = PLACES[at // len(agents) % len(PLACES)]
            yield partial(bench.injected, "public", one, agents[at % len(agents)], place)


def _leaks(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    for agent in AGENTS:
        for way in LEAKS[half]:
            yield partial(bench.leaking, half, agent, way)


def _bindings(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    for one in bindings(half):
        yield partial(bench.bound, one)


def _writes(bench: Bench, half: str, seed: int) -> Iterator[Case]:
    for one in writes(half):
        yield partial(bench.written, one)
        if not one.asked and one.agent in KEEPERS:
            yield partial(bench.written, one, by_rules=True)


def options_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of every eval, and which cases to run and show."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default=",".join(KINDS))
    own, rest = parser.parse_known_args(argv)
    options = arguments(__doc__, rest)
    vars(options).update(vars(own))
    return options


def main() -> int:
    options = options_of()
    rng = random.Random(options.seed)
    halves = HALVES if options.half == "both" else (options.half,)
    kinds = [kind for kind in KINDS if kind in options.only.split(",")]
    outcomes: list[Outcome] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        over_data: Bench | None = None
        if "data" in kinds:
            texts = [one.text.replace("\x00", "") for one in _texts()]
            settings = held_data(home / "data", texts)
            over_data = Bench(stack.enter_context(opened(home / "over_data", **settings)))
        bench = Bench(stack.enter_context(opened(home / "plain")), over_data)
        for case in cases(bench, halves, kinds, options.seed):
            if rng.random() < options.fraction:
                outcomes.append(case())
    if "public" in kinds:
        found = Counter(one.corpus for one in public())
        told = ", ".join(f"{name} {count}" for name, count in found.items())
        print(f"public strings: {sum(found.values())} ({told or 'no folder is named'})")
    by_agent: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    by_half: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_agent[one.kind, one.agent].append(one)
        by_half[one.kind, one.half].append(one)
    columns = ("n", *FAULTS, "held")
    print(table(("kind, agent", *columns), [
        (f"{kind}, {agent}", *_counts(group)) for (kind, agent), group in by_agent.items()
    ]), end="\n\n")  # fmt: skip
    print(table(("kind, half", *columns), [
        (f"{kind}, {half}", *_counts(group)) for (kind, half), group in by_half.items()
    ]), end="\n\n")  # fmt: skip
    ends = Counter((one.kind, one.held) for one in outcomes)
    for kind in dict.fromkeys(one.kind for one in outcomes):
        told = ", ".join(f"{held} {n}" for (of, held), n in ends.items() if of == kind)
        print(f"{kind}: {told}")
    print(f"{len(outcomes)} cases, {time.perf_counter() - started:.1f} s")
    if options.show:
        _show(outcomes, options.half)
    return _settled(by_half, options, kinds)


def _counts(group: Sequence[Outcome]) -> tuple[int, ...]:
    faults = [sum(fault in one.faults for one in group) for fault in FAULTS]
    return len(group), *faults, sum(not one.faults for one in group)


def _show(outcomes: Sequence[Outcome], half: str) -> None:
    """Cases that failed: of the half that is seen, unless the other is asked for by name."""
    bad = [one for one in outcomes if one.faults and (one.half == "seen" or half == "held_out")]
    for one in bad[:_SHOWN]:
        print(f"\n{'+'.join(one.faults)}: {one.kind}, {one.agent}: {one.held}\n  {one.case}")
        print("  ->", " ".join(one.answer.split())[:400])
    if len(bad) > _SHOWN:
        print(f"\n{len(bad) - _SHOWN} more")


def _settled(
    by_half: dict[tuple[str, str], list[Outcome]],
    options: argparse.Namespace,
    kinds: Sequence[str],
) -> int:
    """Compare with the figures that are held; what was not run is not compared."""
    figures: dict[str, dict[str, float]] = {
        f"{kind}, {half}": {fault: sum(fault in one.faults for one in group) for fault in FAULTS}
        for (kind, half), group in by_half.items()
    }
    ratchet = Ratchet(__file__, lower=set(FAULTS))
    whole = options.half == "both" and set(kinds) == set(KINDS)
    held: Figures = json.loads(ratchet.path.read_text("utf-8")) if ratchet.path.is_file() else {}
    if options.update:
        if not whole:
            print("--update writes the figures of all kinds and both halves")
            return 2
        figures |= {key: dict(of) for key, of in held.items() if key not in figures}
    elif not whole or not any(key.startswith("public") for key in figures):
        options.fraction = min(options.fraction, 0.999)
    return ratchet.settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
