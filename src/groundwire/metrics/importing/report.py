"""The report of an import, and the counters of one that runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from groundwire.errors import InputError

MOST_SHOWN = 100
"""Bad rows that a report lists; all of them are counted."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be used.

    Attributes:
        place: where it stands: "row 12, column Value", "sheet Q3, cell C12", a JSON path.
        column: the heading of the cell that is wrong, or "".
        raw: the cell as it was written.
        reason: what is wrong with it.
    """

    place: str
    column: str
    raw: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of the rows that an import read and kept.

    Attributes:
        documents: names of the documents that the facts are from.
        rows_read: rows that were read (SEC company facts: values).
        facts_new: facts that are in the store since.
        facts_known: facts that were in it with all their parts, or stood twice in the file.
        missing_cells: cells of value columns that hold no value.
        skipped: rows that were left out on purpose, as (why, how many), the most first.
        bad: the first bad rows.
        bad_total: how many bad rows there are.
        notes: what was assumed, for people.
        seconds: how long it took.
    """

    documents: tuple[str, ...]
    rows_read: int
    facts_new: int
    facts_known: int
    missing_cells: int
    skipped: tuple[tuple[str, int], ...]
    bad: tuple[BadRow, ...]
    bad_total: int
    notes: tuple[str, ...]
    seconds: float


class BadRowsError(InputError):
    """A file has bad rows, so that nothing of it was kept.

    Attributes:
        rows: the first of them.
        total: how many there are.
    """

    def __init__(self, name: str, rows: tuple[BadRow, ...], total: int, stopped: bool) -> None:
        """Say what is wrong with a file.

        Args:
            name: name of the file.
            rows: the first bad rows.
            total: how many there are.
            stopped: whether the file was not read to its end.
        """
        shown = "; ".join(str(row) for row in rows[:3])
        count = f"{'more than ' if stopped else ''}{total:,}"
        super().__init__(
            f"Nothing of {name} was imported, {count} bad row{'s' if total != 1 else ''}: {shown}"
            f"{' ...' if total > 3 else ''} (mend them, or import the others by skipping bad rows)"
        )
        self.rows = rows
        self.total = total


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
