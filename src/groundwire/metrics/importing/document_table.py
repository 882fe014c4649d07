"""Tables in documents: DOCX, HTML and PDF, as a table like any other."""

from __future__ import annotations

from pathlib import Path

from groundwire.documents.tables import DocumentTable, read_tables
from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.importing.mapping import Layout
from groundwire.metrics.importing.table import Table, headings_of, template


def open_document(path: Path, layout: Layout) -> Table:
    """Open one table of a document, named by `layout.table`.

    Raises:
        ConfigurationError: it has no such table, or a package is missing.
        InputError: it cannot be read, or has no headings.
        LimitError: it is too large.
    """
    tables = read_tables(path)
    if layout.table > len(tables):
        raise ConfigurationError(
            f"{path.name} has no table {layout.table}: it has {len(tables)}; set layout.table"
        )
    chosen = tables[layout.table - 1]
    if layout.header_row > len(chosen.rows):
        raise InputError(
            f"{chosen.place} of {path.name} has no headings in row {layout.header_row}: "
            "set layout.header_row"
        )
    headings = headings_of(chosen.rows[layout.header_row - 1], f"{chosen.place} of {path.name}")
    records = (
        (number, row)
        for number, row in enumerate(chosen.rows, start=1)
        if number > layout.header_row and any(row)
    )
    return Table(
        headings, records,
        lambda index: f"{chosen.place}, row {{}}, column {template(headings[index])}",
        lambda: len(chosen.rows), len(chosen.rows), lambda: None, notes_of(chosen),
    )  # fmt: skip


def notes_of(table: DocumentTable) -> tuple[str, ...]:
    """Return notes for a person on how a table was found."""
    if not table.is_guess:
        return ()
    return ("the columns were found by where words stand on the page: compare a few rows",)
