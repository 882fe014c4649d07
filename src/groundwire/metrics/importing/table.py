"""The result of every reader of tables: headings, records with their places, and how far it is.

Rows can be put in order first: headings of several rows, an end, marks cut off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.importing.mapping import Layout


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read at all.

    Attributes:
        reason: why.
    """

    reason: str


class Record(NamedTuple):
    """One record of a table.

    Attributes:
        number: the first line or row of it, counted from 1.
        cells: its cells as text, "" for an empty one.
    """

    number: int
    cells: Sequence[str] | Unreadable


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is read once, from its first record to its last.

    Attributes:
        headings: the headings.
        records: what follows them; rows without any cell are left out.
        place: the locator of a column's cells, with `{}` where the number of the record belongs.
        position: how much was read, in the unit of `total`.
        total: bytes or rows of the whole.
        close: closes the file, however far it was read.
        notes: what was assumed in reading it, for people.
    """

    headings: tuple[str, ...]
    records: Iterator[tuple[int, Sequence[str] | Unreadable]]
    place: Callable[[int], str]
    position: Callable[[], int]
    total: int
    close: Callable[[], None]
    notes: tuple[str, ...] = ()

    def column(self, heading: str) -> int:
        """The index of a heading.

        Raises:
            ConfigurationError: no column has it, or several do; the nearest are named.
        """
        wanted = heading.strip()
        found = [index for index, name in enumerate(self.headings) if name == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            raise ConfigurationError(
                f"{len(found)} columns are headed {wanted!r}: rename all but one of them"
            )
        from groundwire.vocabulary import KnownWords, Policy, Term, Vocabulary

        names = [name for name in dict.fromkeys(self.headings) if name]
        near = Vocabulary([Term(name, name) for name in names], KnownWords(languages=()))
        likely = near.resolve(wanted, Policy.CANDIDATES_ONLY)
        alike = [likely.term.id] if likely.term else [one.term.id for one in likely.candidates]
        shown = ", ".join(repr(name) for name in (alike or names)[:5])
        way_out = f"did you mean {shown}?" if alike else f"the columns are {shown}"
        raise ConfigurationError(f"No column is headed {wanted!r}: {way_out}")


def headings_of(cells: Sequence[str], where: str) -> tuple[str, ...]:
    """The headings of a table, trimmed.

    Raises:
        InputError: there are none.
    """
    headings = tuple(" ".join(cell.split()) for cell in cells)
    while headings and not headings[-1]:
        headings = headings[:-1]
    if not headings:
        raise InputError(f"{where} has no headings in its header row: set layout.header_row")
    return headings


def template(text: str) -> str:
    """A text as a part of a locator, without the braces that stand for its number."""
    return text.replace("{", "(").replace("}", ")")


BETWEEN = " | "
"""The text that joins the rows of a heading."""

_MARKS = "*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰"
_BEHIND_NAME = re.compile(
    r"(?<=\S)(?: ?\((?:[0-9]{1,2}|[a-f])\)| ?\[(?:[0-9]{1,2}|[a-f])\]| [0-9]\))$"
)
# (1,100) is a negative number: only square brackets are a mark behind a number.
_BEHIND_NUMBER = re.compile(r"(?<=[0-9%)]) ?\[[0-9a-z]{1,2}\]$")
_LETTER = re.compile(r"[^\W\d_]")


def arranged(table: Table, layout: Layout) -> Table:
    """The table as its layout says it is to be read.

    Raises:
        InputError: it ends within its headings.
    """
    if not layout.is_arranged:
        return table
    first = layout.header_row
    rows: list[Sequence[str]] = [table.headings]
    records = table.records
    ahead: tuple[int, Sequence[str] | Unreadable] | None = None
    for number, cells in records:
        if number >= first + layout.header_rows:
            ahead = number, cells
            break
        if isinstance(cells, Unreadable):
            raise InputError(f"row {number}, a row of headings, cannot be read: {cells.reason}")
        rows += [()] * (number - first - len(rows))
        rows.append(cells)
    headings = joined_headings(rows)
    if layout.footnotes:
        headings = tuple(without_mark(heading) for heading in headings)
    known = len(table.headings)

    def place(index: int) -> str:
        if index < known and (layout.format == "xlsx"):
            return table.place(index)
        start = table.place(0).rpartition(", column ")[0]
        if layout.format == "xlsx":
            from groundwire.metrics.importing.xlsx_table import column_letters

            return table.place(0).rpartition(" ")[0] + f" {column_letters(index)}{{}}"
        return f"{start}, column {template(headings[index])}"

    return replace(
        table, headings=headings, records=_kept(ahead, records, layout, rows[0]), place=place
    )


def joined_headings(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """One heading for each column of several rows of headings.

    A text stands over the empty cells to its right, in all rows but the last. A column without
    any is called by its number.
    """
    width = max(map(len, rows))
    spread: list[list[str]] = []
    for at, row in enumerate(rows):
        cells = [" ".join(cell.split()) for cell in row] + [""] * (width - len(row))
        if at < len(rows) - 1:
            for index in range(1, width):
                below = any(index < len(one) and one[index].strip() for one in rows[at + 1 :])
                cells[index] = cells[index] or (cells[index - 1] if below else "")
        spread.append(cells)
    columns = [[row[index] for row in spread if row[index]] for index in range(width)]
    named = (BETWEEN.join(dict.fromkeys(column)) for column in columns)
    return tuple(name or f"column {index}" for index, name in enumerate(named, start=1))


def without_mark(cell: str) -> str:
    """A cell without the sign of a footnote at its end: "Chile (1)", "800*", "9¹"."""
    text = cell.strip()
    bare = text if text.endswith(("m²", "m³")) else text.rstrip(_MARKS).rstrip()
    behind = _BEHIND_NAME if _LETTER.search(bare) else _BEHIND_NUMBER
    return behind.sub("", bare) or text


def _kept(
    ahead: tuple[int, Sequence[str] | Unreadable] | None,
    records: Iterator[tuple[int, Sequence[str] | Unreadable]],
    layout: Layout,
    heads: Sequence[str],
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    if ahead is not None:
        yield from _changed(ahead, layout)
    for record in records:
        if layout.last_row and record[0] > layout.last_row:
            return
        if layout.repeated_headings and _repeats(record[1], heads):
            continue
        yield from _changed(record, layout)


def _repeats(cells: Sequence[str] | Unreadable, heads: Sequence[str]) -> bool:
    if isinstance(cells, Unreadable):
        return False
    texts = [" ".join(cell.split()) for cell in cells]
    return texts[: len(heads)] == [" ".join(head.split()) for head in heads]


def _changed(
    record: tuple[int, Sequence[str] | Unreadable], layout: Layout
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    number, cells = record
    if layout.last_row and number > layout.last_row:
        return
    if isinstance(cells, Unreadable) or not layout.footnotes:
        yield record
    else:
        yield number, [without_mark(cell) for cell in cells]
