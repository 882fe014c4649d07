"""The result of every reader of tables: headings, records with their places, and how far it is.

Rows can be put in order first: headings of several rows, an end, marks cut off. Of an XLSX workbook
one sheet is read, cell by cell, as the text that the cells stand for.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from groundwire.errors import ConfigurationError, InputError, LimitError
from groundwire.metrics.importing.mapping import Layout


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read at all.

    Attributes:
        reason: why.
    """

    reason: str


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
