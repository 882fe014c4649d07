"""The table that a benchmark ends with: what ours costs beside something known, and its targets.

A benchmark measures both in one run, in turns, so that a busy machine hits both alike:

    from _table import Measured, report
    ...
    return report([Measured("start to tools/list", bare, ours, ratio=1.2)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Measured(NamedTuple):
    """One line.

    Attributes:
        name: what was measured.
        bare: seconds that the known thing takes; None if there is none.
        ours: seconds that ours takes.
        ratio: how many times `bare` ours may take; None if that has no target.
        seconds: how long ours may take; None if that has no target.
        paired: the ratio, where it is no quotient of the two (the median over pairs of runs).
    """

    name: str
    bare: float | None
    ours: float
    ratio: float | None = None
    seconds: float | None = None
    paired: float | None = None

    def quotient(self) -> float | None:
        if self.paired is not None or not self.bare:
            return self.paired
        return self.ours / self.bare

    def missed(self) -> bool:
        quotient = self.quotient()
        if self.ratio is not None and (quotient is None or quotient > self.ratio):
            return True
        return self.seconds is not None and self.ours > self.seconds


def duration(seconds: float | None) -> str:
    """Three digits with the unit that fits: 0.41 ms, 2.31 s."""
    if seconds is None:
        return ""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        value = seconds * factor
        if value >= 1 or unit == "µs":
            break
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def report(lines: Sequence[Measured]) -> int:
    """Print the table; 1 if a target was missed, else 0: the exit code of the benchmark."""
    width = max(len(line.name) for line in lines)
    print(f"{'':{width}}{'bare':>11}{'ours':>11}{'ratio':>8}{'target':>11}")
    for line in lines:
        quotient = line.quotient()
        targets = [f"{line.ratio:g} x"] if line.ratio is not None else []
        targets += [duration(line.seconds)] if line.seconds is not None else []
        print(
            f"{line.name:{width}}{duration(line.bare):>11}{duration(line.ours):>11}"
            f"{'' if quotient is None else f'{quotient:.2f}':>8}{', '.join(targets):>11}"
            f"{'  MISSED' if line.missed() else ''}"
        )
    missed = sum(line.missed() for line in lines)
    print(f"{missed} of {len(lines)} missed" if missed else "all targets met")
    return 1 if missed else 0
