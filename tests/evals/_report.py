"""What every eval prints at its end, and the ratchet that keeps its figures from getting worse.

An eval is a script `tests/evals/NAME.py`; the figures it must hold are committed beside it in
`NAME.json`, by class of cases and name of figure. It ends with

    options = arguments(__doc__)
    ...
    print(table(("class", "cases", "right"), rows))
    return Ratchet(__file__, lower={"wrongly_applied"}).settle(figures, options)
"""

from __future__ import annotations

import argparse
import gc
import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

Figures = Mapping[str, Mapping[str, float]]
Case = TypeVar("Case")

# A sampled run meets other cases than the full one; its shares may be this much worse.
SLACK_PERCENT = 1.5


def arguments(
    description: str | None, argv: Sequence[str] | None = None, **more: tuple[float, str]
) -> argparse.Namespace:
    """The options that every eval has; `more` are numbers of its own, with default and help."""
    # What is imported by now is no garbage: to look through it over and over takes a sixth of the
    # time of a tenth of the evals.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--fraction", type=float, default=1.0, help="share of the cases to run")
    parser.add_argument("--seed", type=int, default=7, help="of the random choices")
    parser.add_argument("--update", action="store_true", help="write the figures to hold")
    for name, (default, text) in more.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=text)
    options = parser.parse_args(argv)
    if not 0 < options.fraction <= 1:
        parser.error("--fraction is a number above 0, at most 1")
    if options.update and options.fraction < 1:
        parser.error("--update writes the figures of a full run: leave --fraction out")
    return options


def drawn_halves(
    described: str | None, halves: Sequence[str], cases: Callable[[str], Sequence[Case]]
) -> tuple[argparse.Namespace, tuple[str, ...], list[tuple[str, Case]]]:
    """Read the options of an eval whose cases stand in halves, and draw its cases.

    Args:
        described: the docstring of the eval.
        halves: the names of its halves; `--half` chooses one, or all.
        cases: returns the cases of a half.

    Returns:
        the options, `half` and `show` among them; the halves that were chosen; the drawn cases,
        each with its half.
    """
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--half", choices=(*halves, "all"), default="all")
    own.add_argument("--show", action="store_true", help="what failed of the seen half")
    chosen, rest = own.parse_known_args()
    options = arguments(described, rest)
    options.half, options.show = chosen.half, chosen.show
    wanted = tuple(halves) if chosen.half == "all" else (chosen.half,)
    rng = random.Random(options.seed)
    drawn = [
        (half, case) for half in wanted for case in cases(half) if rng.random() < options.fraction
    ]
    return options, wanted, drawn


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as text: the first column to the left, the others to the right; floats to 2 places."""
    cells = [list(columns)]
    cells += [
        [f"{cell:,.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )


def settle_answers(
    script: str | Path,
    outcomes: Sequence[str],
    counts: Mapping[tuple[str, str], int],
    options: argparse.Namespace,
) -> int:
    """Print how questions of each group were answered, and hold that; the exit code of the eval.

    Args:
        script: the eval.
        outcomes: the columns, "wrong" and "not answered" among them.
        counts: how many questions by group and outcome.
        options: its options.
    """
    groups = sorted({group for group, _ in counts})
    rows = [(one, *(counts.get((one, what), 0) for what in outcomes)) for one in groups]
    print(table(("cases", *outcomes), rows))
    figures = {
        one: {what.replace(" ", "_"): counts.get((one, what), 0) for what in _NOT_RIGHT}
        for one in groups
    }
    return Ratchet(script, lower={"wrong", "not_answered"}).settle(figures, options)


_NOT_RIGHT = ("wrong", "not answered")


class Ratchet:
    """The committed figures of one eval.

    Figures named in `lower` are better when lower, all others when higher. A sampled run must
    hold counts as they are, since a part of the cases cannot fail more often than all; names that
    end in "percent" are shares, which vary with the cases.
    """

    def __init__(self, script: str | Path, lower: Collection[str]) -> None:
        self.path = Path(script).with_suffix(".json")
        self.lower = frozenset(lower)

    def settle(self, figures: Figures, options: argparse.Namespace) -> int:
        """Compare, or write with `--update`; the exit code of the eval."""
        if options.update:
            self.path.write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n", "utf-8")
            print(f"wrote {self.path.name}")
            return 0
        if not self.path.is_file():
            print(f"{self.path.name} is not there: write it with --update")
            return 1
        held: Figures = json.loads(self.path.read_text("utf-8"))
        worse = list(self.worse(figures, held, full=options.fraction >= 1))
        print(*worse, sep="\n") if worse else print(f"no figure is worse than in {self.path.name}")
        return 1 if worse else 0

    def worse(self, figures: Figures, held: Figures, full: bool) -> Iterable[str]:
        """A line for each figure that is worse than the held one, or of a full run and missing."""
        for kind, limits in held.items():
            for name, limit in limits.items():
                value = figures.get(kind, {}).get(name)
                if value is None:
                    if full:
                        yield f"missing: {kind}: {name}, held is {limit}"
                    continue
                beyond = value - limit if name in self.lower else limit - value
                if beyond > (SLACK_PERCENT if name.endswith("percent") and not full else 0):
                    yield f"worse: {kind}: {name} is {value}, held is {limit}"
        for kind in figures.keys() - held.keys():
            if full:
                yield f"not held yet: {kind}: write its figures with --update"
