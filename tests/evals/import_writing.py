"""Writers of the files of the import eval, and what a case of it is."""

from __future__ import annotations

import io
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]


class Cell(NamedTuple):
    """One cell that a person reads out of the file: the truth.

    `metric` and `entity` are the words that name it ("*": any entity), `start` and `end` the
    days that it covers, `value` the number in `unit`; unit "" is a bare count.
    """

    metric: str
    entity: str
    start: date
    end: date
    value: Decimal
    unit: str


@dataclass(frozen=True)
class Case:
    """A file, how it is given to `init`, and what it says.

    Attributes:
        format: of the file, as the report groups the figures.
        write: writes the file into a folder; returns its path.
        truth: every cell that a person reads from the table that is meant.
        options: options of `init`, if a person would give any.
        undecidable: no reader can know what the cells are without asking, so a mark is right.
    """

    name: str
    format: str
    write: Callable[[Path], Path]
    truth: tuple[Cell, ...]
    options: tuple[str, ...] = ()
    undecidable: bool = False
    places: Mapping[str, str] = field(default_factory=dict[str, str])


def span(period: str) -> tuple[date, date]:
    """First and last day of "2023", "2023Q2", "2023-05", a day, or "FIRST..LAST" of two days."""
    if "Q" in period:
        year, quarter = int(period[:4]), int(period[-1])
        start = date(year, quarter * 3 - 2, 1)
        after = date(year + quarter // 4, quarter * 3 % 12 + 1, 1)
        return start, after - timedelta(days=1)
    first, between, last = period.partition("..")
    if between:
        return date.fromisoformat(first), date.fromisoformat(last)
    parts = [int(part) for part in period.split("-")]
    if len(parts) == 1:
        return date(parts[0], 1, 1), date(parts[0], 12, 31)
    if len(parts) == 2:
        year, month = parts
        return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return date(*parts), date(*parts)


def cells(
    metric: str, unit: str, scale: str | int, held: Mapping[str, Mapping[str, str | int]]
) -> tuple[Cell, ...]:
    """Truth of one metric: entity -> period -> the number as shown, times `scale`."""
    return tuple(
        Cell(metric, entity, *span(period), Decimal(str(value)) * Decimal(scale), unit)
        for entity, row in held.items()
        for period, value in row.items()
    )


def heading_files(half: str) -> list[Case]:
    """Read the files whose headings carry period, unit and scale, from `import_headings/`.

    A cell stands as "metric | entity | period | number as shown | unit | scale".
    """
    path = Path(__file__).with_name("import_headings") / f"{half}.toml"
    return [
        Case(
            one["name"],
            "csv",
            text_file("table.csv", one["text"].lstrip()),
            joined(*(_written_cell(cell) for cell in one["truth"])),
            undecidable=one.get("undecidable", False),
        )
        for one in tomllib.loads(path.read_text("utf-8"))["file"]
    ]


def _written_cell(text: str) -> tuple[Cell, ...]:
    metric, entity, period, number, unit, scale = (part.strip() for part in text.split("|"))
    return cells(metric, unit, scale, {entity: {period: number}})


def text_file(name: str, text: str, encoding: str = "utf-8") -> Callable[[Path], Path]:
    """Writer of a text file."""

    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def workbook(name: str, sheets: Mapping[str, Rows], **more: Any) -> Callable[[Path], Path]:
    """Writer of an XLSX file.

    `merges`: {sheet: [range, ...]}; `formats`: {sheet: {cell: number format}}; `first`: where the
    rows begin, (row, column); `cached`: {sheet: {cell: value}} gives formulas the result that a
    spreadsheet program would have stored.
    """

    def write(folder: Path) -> Path:
        import openpyxl

        book = openpyxl.Workbook()
        book.remove(book.active)
        down, right = more.get("first", (1, 1))
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for r, row in enumerate(rows):
                for c, value in enumerate(row):
                    if value is not None:
                        sheet.cell(r + down, c + right, value)
            for merged in more.get("merges", {}).get(title, ()):
                sheet.merge_cells(merged)
            for where, form in more.get("formats", {}).get(title, {}).items():
                for line in sheet[where] if ":" in where else ((sheet[where],),):
                    for cell in line:
                        cell.number_format = form
        path = folder / name
        book.save(path)
        if "cached" in more:
            _cache(path, list(sheets), more["cached"])
        return path

    return write


def _cache(path: Path, titles: list[str], cached: Mapping[str, Mapping[str, object]]) -> None:
    """Store results beside formulas, which openpyxl itself does not."""
    source = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for item in source.infolist():
            body = source.read(item)
            for at, title in enumerate(titles, start=1):
                if item.filename == f"xl/worksheets/sheet{at}.xml":
                    for where, value in cached.get(title, {}).items():
                        head, cell, tail = body.decode().partition(f'<c r="{where}"')
                        assert cell, where
                        before, formula, after = tail.partition("</f>")
                        after = after.removeprefix("<v></v>").removeprefix("<v />")
                        after = after.removeprefix("<v/>")
                        body = f"{head}{cell}{before}{formula}<v>{value}</v>{after}".encode()
            out.writestr(item, body)


def word(name: str, parts: Sequence[str | Rows]) -> Callable[[Path], Path]:
    """Writer of a DOCX file: text is a paragraph, rows are a table; None in a row is merged
    with the cell to its left."""

    def write(folder: Path) -> Path:
        import docx

        document = docx.Document()
        for part in parts:
            if isinstance(part, str):
                document.add_paragraph(part)
                continue
            table = document.add_table(rows=len(part), cols=max(map(len, part)))
            for r, row in enumerate(part):
                for c, value in enumerate(row):
                    if value is None:
                        table.cell(r, c - 1).merge(table.cell(r, c))
                    elif value != "":
                        table.cell(r, c).text = str(value)
        path = folder / name
        document.save(str(path))
        return path

    return write


def printed(
    name: str, parts: Sequence[str | Rows], ruled: bool = False, right: bool = True
) -> Callable[[Path], Path]:
    """Writer of a PDF of one page: text is a line, rows are a table set in columns.

    The first column stands to the left, the others to the right (unless `right` is false), as
    accounts are printed. `ruled` draws lines between the rows.
    """

    def write(folder: Path) -> Path:
        ops: list[str] = []
        y = 780.0
        for part in parts:
            if isinstance(part, str):
                ops.append(_shown(56, y, part))
                y -= 20
                continue
            count = max(map(len, part))
            step = 330 / max(count - 1, 1)
            for row in part:
                for c, value in enumerate(row):
                    if value in (None, ""):
                        continue
                    text = str(value)
                    edge = 56.0 if c == 0 else 190 + step * c
                    if c and right:
                        edge -= len(text) * 5.0
                    elif c:
                        edge -= step * 0.8
                    ops.append(_shown(edge, y, text))
                if ruled:
                    ops.append(f"50 {y - 5:.1f} m 540 {y - 5:.1f} l S")
                y -= 18
            y -= 10
        _pdf(folder / name, "\n".join(ops))
        return folder / name

    return write


def _shown(x: float, y: float, text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 10 Tf 1 0 0 1 {x:.1f} {y:.1f} Tm ({escaped}) Tj ET"


def _pdf(path: Path, content: str) -> None:
    stream = content.encode("cp1252")
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        font,
    ]
    out = bytearray(b"%PDF-1.4\n")
    places: list[int] = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )
    path.write_bytes(bytes(out))


def parquet(name: str, select: str) -> Callable[[Path], Path]:
    """Writer of a Parquet file: the rows of a SELECT of DuckDB."""

    def write(folder: Path) -> Path:
        import duckdb

        path = folder / name
        connection = duckdb.connect()
        connection.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
        connection.close()
        return path

    return write


def joined(*groups: Iterable[Cell]) -> tuple[Cell, ...]:
    """The cells of several metrics."""
    return tuple(cell for group in groups for cell in group)
