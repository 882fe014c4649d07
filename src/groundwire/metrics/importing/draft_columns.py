"""The columns of a table that nobody has described: their cells, names, units and periods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from groundwire.metrics.importing.arranged_table import BETWEEN
from groundwire.metrics.importing.cells import BadCell, UnitText, read_amount, read_unit
from groundwire.metrics.importing.heading_text import (
    DatedHeading,
    is_known,
    period_of,
    period_of_rows,
    split_unit,
)
from groundwire.metrics.importing.mapping import MISSING
from groundwire.metrics.importing.resolving import YEAR_LAST
from groundwire.metrics.importing.table import Table, Unreadable

MOST_ROWS = 2_000_000
"""Rows that a draft reads of a file; later ones may name what the draft does not."""

_MOST_DISTINCT = 100_000
_SAMPLE = 500
_MOST_MARKERS = 3
_LONGEST_MARKER = 12

TOTALS = re.compile(
    r"(?:grand |sub-?)?totals?(?: \([a-z ]{1,20}\))?:?|sum(?:me|ma)?:?|insgesamt:?|"
    r"gesamt:?|zusammen:?|zwischensumme:?|totaux|ensemble|合计|总计|總計|小计|合計|overall|"
    r"all (?:countries|regions|stores)",
    re.IGNORECASE,
)
"""Names of rows that add up others."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        index: where it stands.
        heading: its heading.
        seen: its cells without the empty ones, with how often each stands there.
        is_whole: whether `seen` holds all of them.
        dated: the heading with its period taken out, where the table has its periods there.
    """

    index: int
    heading: str
    seen: Counter[str]
    is_whole: bool
    dated: DatedHeading | None = None

    @cached_property
    def when(self) -> str:
        """The period that its heading names beside something else: "Revenue 2023"; or ""."""
        if self.dated is not None:
            return self.dated.when
        parts = self.heading.split(BETWEEN)
        return period_of_rows(parts)[0] if len(parts) > 1 else ""

    @cached_property
    def filled(self) -> int:
        """How many cells are not empty."""
        return self.seen.total()

    @cached_property
    def words(self) -> str:
        """The heading without its unit, in lower case, words apart."""
        return " ".join(re.split(r"[\s_\-./]+", self.label)).casefold()

    @cached_property
    def _label_and_unit(self) -> tuple[str, UnitText | None]:
        if self.dated is not None:
            return self.dated.name, self.dated.unit
        return split_unit(self.heading)

    @property
    def label(self) -> str:
        """The heading without its unit."""
        return self._label_and_unit[0]

    @property
    def unit(self) -> UnitText | None:
        """The unit that the heading names."""
        return self._label_and_unit[1]

    @cached_property
    def sample(self) -> list[str]:
        """Some of its cells that are values, the frequent ones first."""
        cells = (cell for cell, _ in self.seen.most_common(_SAMPLE + len(MISSING)))
        return [cell for cell in cells if cell not in MISSING][:_SAMPLE]

    @cached_property
    def numeric(self) -> float:
        """The share of cells that are numbers, however the decimal mark is written.

        A few different words among more numbers are markers of empty cells and do not count.
        """
        words = [cell for cell in self.sample if not is_number(cell)]
        numbers = len(self.sample) - len(words)
        markers = [word for word in words if may_be_missing(word)]
        if len(markers) == len(words) <= min(_MOST_MARKERS, numbers):
            return 1.0 if numbers else 0.0
        return numbers / len(self.sample)

    @cached_property
    def periodic(self) -> float:
        """The share of cells that are single periods or days."""
        return _share(
            [cell for cell in self.sample if not TOTALS.fullmatch(cell)],
            lambda cell: period_of(cell) is not None or YEAR_LAST.fullmatch(cell) is not None,
        )

    @cached_property
    def order(self) -> tuple[str, bool]:
        """Which number of dates with the year last is the day, and whether any cell proves it."""
        found = [match for cell in self.seen if (match := YEAR_LAST.fullmatch(cell))]
        if not found:
            return "iso", True
        if any(int(match[2]) > 12 for match in found):
            return "month_first", True
        return "day_first", any(int(match[1]) > 12 for match in found)

    @cached_property
    def units(self) -> float:
        """The share of cells that are units."""
        return _share(self.sample, lambda cell: is_known(read_unit(cell)))

    @property
    def is_year(self) -> bool:
        """Whether all cells are four digits that may be years."""
        years = [cell for cell in self.sample if re.fullmatch(r"(?:1[6-9]|20|21)\d\d(\.0)?", cell)]
        return bool(self.sample) and len(years) == len(self.sample)

    def reads(self, decimal_comma: bool) -> int:
        """How many of the sampled cells are numbers with this decimal mark."""
        return sum(_reads(cell, decimal_comma) for cell in self.sample)


def read_columns(table: Table) -> tuple[list[Column], int]:
    """The columns of a table, and how many rows were read."""
    counts: list[Counter[str]] = [Counter() for _ in table.headings]
    rows = 0
    for _, cells in table.records:
        if isinstance(cells, Unreadable):
            continue
        rows += 1
        for count, cell in zip(counts, cells, strict=False):
            text = cell.strip()
            if text and (text in count or len(count) < _MOST_DISTINCT):
                count[text] += 1
        if rows >= MOST_ROWS:
            break
    return [
        Column(index, heading, count, len(count) < _MOST_DISTINCT)
        for index, (heading, count) in enumerate(zip(table.headings, counts, strict=True))
    ], rows


def is_number(cell: str) -> bool:
    """Whether a cell is a number with either decimal mark."""
    return _reads(cell, False) or _reads(cell, True)


def may_be_missing(cell: str) -> bool:
    """Whether a cell of words may mark a missing number."""
    return (
        len(cell) <= _LONGEST_MARKER
        and not any(character.isdigit() for character in cell)
        and not cell.startswith(("=", "#"))
    )


def _reads(cell: str, decimal_comma: bool) -> bool:
    try:
        read_amount(cell, decimal_comma)
    except BadCell:
        return False
    return True


def _share(cells: list[str], holds: Callable[[str], bool]) -> float:
    return sum(holds(cell) for cell in cells) / len(cells) if cells else 0.0
