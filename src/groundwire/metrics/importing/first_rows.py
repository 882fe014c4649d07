"""The first rows of a file as they stand, before anybody knows which of them are headings."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from groundwire.documents.tables import read_tables
from groundwire.errors import InputError
from groundwire.metrics.importing.flat_tables import (
    DELIMITERS,
    find_delimiter,
    inspect_text,
    notes_of,
)
from groundwire.metrics.importing.mapping import Format, Layout

MOST_FIRST_ROWS = 5_000
"""Rows that are looked at for headings and the end of a table."""

_SNIFFED = 200
_LONGEST = 100_000

Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of rows that may be a table.

    Attributes:
        layout: how it is opened: encoding, delimiter, sheet or table.
        rows: its first rows with their numbers; empty ones are left out.
        above: texts that stand above it and are no row of it.
        name: what to call it among the others of its file.
        notes: what a person must know of how it was found.
        is_whole: whether `rows` are all of its rows.
        delimiter: what its cells are cut by, of a CSV.
    """

    layout: Layout
    rows: tuple[Row, ...]
    above: tuple[str, ...] = ()
    name: str = ""
    notes: tuple[str, ...] = ()
    is_whole: bool = True
    delimiter: str = ""


def regions(path: Path, form: Format, layout: Layout) -> list[Region]:
    """The stretches of rows of a file: one of a CSV, one of each sheet, one of each table.

    Args:
        path: the file.
        form: its format; Parquet has no rows but its records.
        layout: what is told of it already: encoding, sheet.

    Raises:
        InputError, ConfigurationError, LimitError: as the readers do.
    """
    if form == "csv":
        return [_of_text(path, layout)]
    if form == "xlsx":
        from groundwire.metrics.importing.xlsx_table import first_rows_of

        found = [
            Region(
                layout.model_copy(update={"sheet": title}), tuple(rows), (), f"sheet {title!r}", (),
                len(rows) < MOST_FIRST_ROWS,
            )
            for title, rows in first_rows_of(path, layout, MOST_FIRST_ROWS)
        ]  # fmt: skip
        return [one for one in found if one.rows]
    return [
        Region(
            layout.model_copy(update={"table": number}),
            tuple(
                (at, list(cells)) for at, cells in enumerate(table.rows, start=1) if any(cells)
            )[:MOST_FIRST_ROWS],
            table.above, table.place, notes_of(table), len(table.rows) <= MOST_FIRST_ROWS,
        )
        for number, table in enumerate(read_tables(path), start=1)
    ]  # fmt: skip


def _of_text(path: Path, layout: Layout) -> Region:
    known = inspect_text(path, layout.encoding, western=True)
    notes = (known.note,) if known.note else ()
    if known.encoding in ("cp1252",):
        layout = layout.model_copy(update={"encoding": known.encoding})
    with path.open("r", encoding=known.encoding, newline="") as file:
        lines = [line[:_LONGEST] for line in islice(_bounded(file, path), MOST_FIRST_ROWS)]
        is_whole = not file.read(1)
    delimiter = layout.delimiter or sniffed_delimiter(lines[:_SNIFFED], path)
    rows: list[Row] = []
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((before + 1, cells))
            before = reader.line_num
    except csv.Error:
        is_whole = False
    filled = [line for line in lines if line.strip()]
    if filled and find_delimiter(filled[0]) != delimiter:
        layout = layout.model_copy(update={"delimiter": delimiter})
    return Region(layout, tuple(rows), (), "", notes, is_whole, delimiter)


def _bounded(file: io.TextIOBase, path: Path) -> Iterator[str]:
    while line := file.readline(1_000_000):
        if len(line) == 1_000_000 and line[-1] not in "\r\n":
            raise InputError(
                f"{path.name} has a line of more than 1,000,000 characters: it is no table"
            )
        yield line


def sniffed_delimiter(lines: list[str], path: Path) -> str:
    """The delimiter that cuts the most lines into equally many cells."""
    best, chosen = (0, 0), ""
    for delimiter in DELIMITERS:
        try:
            widths = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        except csv.Error:
            continue
        widths.pop(1, None)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        if (count, width) > best:
            best, chosen = (count, width), delimiter
    return chosen or ("\t" if path.suffix.lower() == ".tsv" else ",")
