"""The counters of a running import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from groundwire.metrics.importing.report import MOST_SHOWN, BadRow

Progress = Callable[[str, int, int], None]
MOST_BAD = 10_000
"""Bad rows after which a file that must be wholly good is not read on."""

_MOST_REASONS = 10_000
_SKIPS_SHOWN = 20


class TooManyBadRows(Exception):
    """So many rows are bad that reading on tells nothing."""


@dataclass(slots=True)
class Tally:
    """Counts of one import.

    Attributes:
        name: what progress is told of.
        skip_bad: whether bad rows are left out, rather than ending the import.
        progress: told of how far it is, or None.
        rows: rows that were read.
        facts: facts that were handed to the store.
        missing: cells without a value.
        bad: the first bad rows.
        bad_total: how many there are.
        skipped: rows that were left out on purpose, by why.
    """

    name: str
    skip_bad: bool
    progress: Progress | None = None
    rows: int = 0
    facts: int = 0
    missing: int = 0
    bad: list[BadRow] = field(default_factory=list[BadRow])
    bad_total: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])

    def refuse(self, place: str, column: str, raw: str, reason: str) -> None:
        """Count a bad row.

        Raises:
            TooManyBadRows: the file must be wholly good, and is far from it.
        """
        self.bad_total += 1
        if len(self.bad) < MOST_SHOWN:
            shown = raw if len(raw) <= 200 else raw[:199] + "…"
            self.bad.append(BadRow(place, column, shown, reason))
        elif not self.skip_bad and self.bad_total >= MOST_BAD:
            raise TooManyBadRows

    def skip(self, reason: str) -> None:
        """Count a row that is left out on purpose."""
        if reason in self.skipped or len(self.skipped) < _MOST_REASONS:
            self.skipped[reason] += 1
        else:
            self.skipped["other reasons"] += 1

    def skips(self) -> tuple[tuple[str, int], ...]:
        """Why rows were left out and how many, the most first."""
        return tuple(self.skipped.most_common(_SKIPS_SHOWN))

    def tell(self, done: int, total: int) -> None:
        """Tell how far the import is."""
        if self.progress is not None:
            self.progress(self.name, done, total)
