"""Tables in XLSX workbooks: one sheet, cell by cell, as the text that the cells stand for."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from groundwire.errors import ConfigurationError, InputError, LimitError
from groundwire.metrics.importing.mapping import Layout
from groundwire.metrics.importing.table import Table, Unreadable, headings_of, template

MOST_UNPACKED = 2_000_000_000
MOST_RATIO = 200
_SMALL = 10_000_000  # Unpacked bytes up to which the ratio says nothing: an empty sheet packs well.
_CHUNK = 1 << 20
_SHEETS = 50
_QUOTED = re.compile(r'"[^"]*"|\\.|\[(?!\$)[^\[\]]*\]')
_CURRENCY = re.compile(r"\[\$([^\[\]-]+)(?:-[^\[\]]*)?\]|([A-Z]{0,2}[$€£¥])")


def open_xlsx(path: Path, layout: Layout) -> Table:
    """Open one sheet of a workbook as a table.

    Floats are written as the shortest digits that are the same float, cells with a percent
    format as percents, cells with a currency format with that currency.

    Raises:
        ConfigurationError: openpyxl is not installed.
        InputError: it is not a workbook, or has no such sheet or no headings.
        LimitError: it unpacks to more than a table can hold.
    """
    book = _workbook(path)
    try:
        sheet = _sheet(book, layout.sheet, path)
        formulas: Any = None
        if _has_formulas(path, sheet):
            formulas = _workbook(path, formulas=True)
        sheet.reset_dimensions()
        rows = sheet.iter_rows(min_row=layout.header_row)
        first = next(rows, ())
        headings = headings_of([_heading(cell) for cell in first], f"sheet {sheet.title}")
        other = None
        if formulas is not None:
            twin = formulas[sheet.title]
            twin.reset_dimensions()
            other = twin.iter_rows(min_row=layout.header_row + 1)
    except BaseException:
        book.close()
        raise
    reached = [layout.header_row]
    total = _declared_rows(path, sheet)
    books = [one for one in (book, formulas) if one is not None]
    return Table(
        headings,
        _records(rows, other, layout.header_row + 1, reached, books, path),
        lambda index: f"sheet {template(sheet.title)}, cell {column_letters(index)}{{}}",
        lambda: min(reached[0], total) if total else reached[0],
        total,
        lambda: _close(books),
    )


def first_rows_of(
    path: Path, layout: Layout, most: int
) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
    """Each sheet's title with its first rows that hold anything; one sheet if it is named.

    Raises:
        ConfigurationError, InputError, LimitError: as `open_xlsx` does.
    """
    book, twins = _workbook(path), _workbook(path, formulas=True)
    try:
        named = [_sheet(book, layout.sheet, path)] if layout.sheet else book.worksheets[:_SHEETS]
        for sheet in named:
            sheet.reset_dimensions()
            twin = twins[sheet.title]
            twin.reset_dimensions()
            rows: list[tuple[int, list[str]]] = []
            pairs = zip(sheet.iter_rows(max_row=most), twin.iter_rows(max_row=most), strict=False)
            for number, (cells, others) in enumerate(pairs, start=1):
                values = [_text(cell) for cell in cells]
                _keep_formulas(values, others)
                if any(value.strip() for value in values):
                    rows.append((number, values))
            yield sheet.title, rows
    except (ValueError, KeyError, TypeError, SyntaxError, zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{path.name} is damaged: {_line(error)}") from error
    finally:
        _close([book, twins])


def _workbook(path: Path, *, formulas: bool = False) -> Any:
    """Open a workbook with the values of its cells, or with the formulas that some have instead."""
    try:
        import openpyxl
    except ImportError as error:
        raise ConfigurationError(
            "Reading XLSX files needs openpyxl: install groundwire[import]"
        ) from error
    _check_archive(path)
    try:
        return openpyxl.load_workbook(path, read_only=True, data_only=not formulas)
    except Exception as error:  # openpyxl raises whatever the broken part makes it raise
        raise InputError(f"{path.name} is no XLSX workbook: {_line(error)}") from error


def _check_archive(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{path.name} is no XLSX workbook: {_line(error)}") from error
    unpacked = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts) or 1
    if unpacked > MOST_UNPACKED or (unpacked > _SMALL and unpacked > MOST_RATIO * packed):
        raise LimitError(
            f"{path.name} unpacks to {unpacked:,} bytes, {unpacked // packed} times its size: "
            f"the limits are {MOST_UNPACKED:,} bytes and {MOST_RATIO} times; send it as CSV"
        )


def _sheet(book: Any, name: str, path: Path) -> Any:
    names: list[str] = [sheet.title for sheet in book.worksheets]
    if not names:
        raise InputError(f"{path.name} has no sheet of cells")
    if name and name not in names:
        shown = ", ".join(names[:10])
        raise ConfigurationError(f"{path.name} has no sheet {name!r}: its sheets are {shown}")
    return book[name] if name else book.worksheets[0]


def _part(sheet: Any) -> str:
    return str(sheet._worksheet_path).lstrip("/")  # pyright: ignore


def _has_formulas(path: Path, sheet: Any) -> bool:
    """Whether any cell of a sheet holds a formula, whose stored value could be missing."""
    tail = b""
    with zipfile.ZipFile(path) as archive, archive.open(_part(sheet)) as part:
        while chunk := part.read(_CHUNK):
            window = tail + chunk
            if b"<f>" in window or b"<f " in window or b":f>" in window:
                return True
            tail = window[-8:]
    return False


def _declared_rows(path: Path, sheet: Any) -> int:
    """The rows that the sheet says it has, 0 where it does not say."""
    with zipfile.ZipFile(path) as archive, archive.open(_part(sheet)) as part:
        found = re.search(rb'dimension ref="[A-Z]+[0-9]+:[A-Z]+([0-9]+)"', part.read(4096))
    return int(found[1]) if found else 0


def _records(
    rows: Iterator[Sequence[Any]],
    formulas: Iterator[Sequence[Any]] | None,
    number: int,
    reached: list[int],
    books: list[Any],
    path: Path,
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    try:
        for cells in rows:
            reached[0] = number
            values = [_text(cell) for cell in cells]
            if formulas is not None:
                _keep_formulas(values, next(formulas, ()))
            while values and not values[-1]:
                values.pop()
            if values:
                yield number, values
            number += 1
    except (ValueError, KeyError, TypeError, SyntaxError, zipfile.BadZipFile, OSError) as error:
        raise InputError(f"{path.name} is damaged after row {number}: {_line(error)}") from error
    finally:
        _close(books)


def _close(books: list[Any]) -> None:
    for book in books:
        book.close()


def _keep_formulas(values: list[str], twins: Sequence[Any]) -> None:
    """Show a formula whose value was never computed, instead of an empty cell."""
    for index, twin in enumerate(twins):
        if index < len(values) and not values[index] and isinstance(twin.value, str):
            values[index] = twin.value


def _heading(cell: Any) -> str:
    return _text(cell)


def _text(cell: Any) -> str:
    """A cell as the text that it stands for."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, cell.number_format)
    if isinstance(value, datetime):
        return _day(value, cell.number_format)
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def _number(value: float, form: str) -> str:
    percent, currency = _meaning(form)
    if percent:
        shown = (Decimal(repr(value)) * 100).normalize()
        return f"{shown:f}%"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)  # 12.0 and 12 are one number in a workbook, which stores no type
    return f"{currency} {value!r}" if currency else repr(value)


@lru_cache(1024)
def _meaning(form: str) -> tuple[bool, str]:
    """Return whether a number format is one of percents, and its currency."""
    if form == "General":
        return False, ""
    bare = _QUOTED.sub("", form)
    currency = _CURRENCY.search(form)
    return "%" in bare, (currency[1] or currency[2]).strip() if currency else ""


def _day(value: datetime, form: str) -> str:
    """A date as precisely as its format shows it: a day, a month or a year."""
    shown = _QUOTED.sub("", form).lower()
    if (value.hour, value.minute, value.second) != (0, 0, 0):
        return value.isoformat(sep=" ")
    if "d" not in shown and "y" in shown and value.day == 1:
        return f"{value:%Y-%m}" if "m" in shown else f"{value:%Y}"
    return f"{value:%Y-%m-%d}"


def column_letters(index: int) -> str:
    """The letters of a column that is counted from 0: A, B, AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
