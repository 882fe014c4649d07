"""Rows as a CSV file (RFC 4180), readable by its owner alone.

Spreadsheets run a cell that begins like a formula, and cells come from strangers: such a cell gets
an apostrophe in front, which spreadsheets take for "this is text". Numbers are left as they are.
"""

from __future__ import annotations

import contextlib
import csv
import os
import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from groundwire.errors import UnavailableError
from groundwire.sparql.results import CellValue

# What spreadsheets take for the beginning of a formula, its full-width forms among them.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d++(?:\.\d*+)?|\.\d++)([eE][+-]?\d++)?")


@dataclass(frozen=True, slots=True)
class Export:
    """A file that was written.

    Attributes:
        path: where it is.
        rows: how many rows it has beside the header.
        prefixed: cells that begin with an apostrophe now.
    """

    path: Path
    rows: int
    prefixed: int


def write_csv(folder: Path, columns: Sequence[str], rows: Iterable[Sequence[CellValue]]) -> Export:
    """Write a new file of a random name into `folder`; nothing that is there is changed.

    Args:
        folder: made where it is not there, for its owner alone.
        columns: the header.
        rows: one sequence a row, a cell a column; None is an empty field.

    Raises:
        UnavailableError: it cannot be written.
    """
    path = folder / f"rows_{secrets.token_urlsafe(12)}.csv"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8", errors="replace", newline="") as file:
            written, prefixed = _write(file, columns, rows)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise UnavailableError(
            f"The rows cannot be exported to {folder} ({error.strerror}): send the query without "
            "export, or set GROUNDWIRE_HOME to a folder that can be written."
        ) from error
    return Export(path, written, prefixed)


def _write(
    file: IO[str], columns: Sequence[str], rows: Iterable[Sequence[CellValue]]
) -> tuple[int, int]:
    """Rows and prefixed cells that were written."""
    # RFC 4180 ends lines by CR LF and doubles quotation marks, as this writer does.
    writer = csv.writer(file, lineterminator="\r\n")
    count = prefixed = 0
    for row in (columns, *rows):
        fields = [_field(cell) for cell in row]
        prefixed += sum(
            isinstance(cell, str) and field != cell for cell, field in zip(row, fields, strict=True)
        )
        writer.writerow(fields)
        count += 1
    return count - 1, prefixed


def _field(cell: CellValue) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return str(cell)
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
