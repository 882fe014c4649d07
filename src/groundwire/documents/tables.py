"""The tables of a document, cell by cell: DOCX, HTML and PDF.

A table of HTML or DOCX is what its marks say. A PDF has only words at places: lines whose words
stand in the same columns are taken for a table, which is a guess that a person must look at.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.documents.blocks import clean
from groundwire.documents.bounds import MOST_PAGES, broken, read_bytes, require
from groundwire.documents.docx import check_package, own_parts, paragraphs_of
from groundwire.documents.html import is_dropped, parsed_page
from groundwire.documents.pdf import quiet, unlock
from groundwire.errors import GroundwireError, InputError, LimitError

if TYPE_CHECKING:
    from bs4 import Tag

MOST_CELLS = 2_000_000
"""Cells of all tables of a document; spans count as the cells that they cover."""

_MOST_SPAN = 1_000
_ABOVE = 4
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WORDS_APART = re.compile(r" {2,}")

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table of a document.

    Attributes:
        rows: its rows from top to bottom; a cell that spans columns stands in the first of them,
            one that spans rows stands in each.
        above: the lines of text that stand right above it, and its caption, the nearest last.
        place: where it stands: "table 2", "page 3, table 1".
        is_guess: whether the cells were found by their places on the page alone.
    """

    rows: Rows
    above: tuple[str, ...]
    place: str
    is_guess: bool = False


def read_tables(path: Path) -> tuple[DocumentTable, ...]:
    """The tables of a DOCX, HTML or PDF file in reading order.

    Raises:
        InputError: it is broken, encrypted, of another format, or holds no table.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path.name} is no document with tables: use {', '.join(_READERS)}")
    found = tuple(table for table in reader(path) if len(table.rows) > 1)
    if not found:
        raise InputError(f"The document {path.name} holds no table: send one with rows of cells")
    return found


def _docx(path: Path) -> Iterator[DocumentTable]:
    package = require("docx", path)
    data = read_bytes(path)
    try:
        check_package(data, path)
        body: Any = package.Document(io.BytesIO(data)).element.body
        above: list[str] = []
        count = cells = 0
        for element in body.iter(_W + "p", _W + "tbl"):
            if element.tag == _W + "tbl":
                count += 1
                rows = _docx_rows(element)
                cells = _bounded(cells, rows, path)
                yield DocumentTable(rows, tuple(above[-_ABOVE:]), f"table {count}")
                above = []
            elif not any(parent.tag == _W + "tbl" for parent in element.iterancestors()):
                above += [text for text in (" ".join(paragraphs_of(element)),) if text]
    except GroundwireError:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, AttributeError, SyntaxError) as error:
        raise broken(path, "DOCX", error) from error
    except Exception as error:  # python-docx and lxml have errors of their own
        raise broken(path, "DOCX", error) from error


def _docx_rows(table: Any) -> Rows:
    rows: list[tuple[str, ...]] = []
    for row in own_parts(table, "tr"):
        cells: list[str] = []
        for cell in own_parts(row, "tc"):
            inner = (
                paragraph
                for paragraph in cell.iter(_W + "p")
                if next(paragraph.iterancestors(_W + "tc")) is cell
            )
            text = " ".join(part for one in inner for part in paragraphs_of(one))
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            if merged is not None and merged.get(_W + "val", "continue") == "continue" and rows:
                text = rows[-1][len(cells)] if len(cells) < len(rows[-1]) else ""
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            width = int(span.get(_W + "val", "1")) if span is not None else 1
            cells += [text, *[""] * (min(width, _MOST_SPAN) - 1)]
        rows.append(tuple(cells))
    return tuple(rows)


def _html(path: Path) -> Iterator[DocumentTable]:
    soup = parsed_page(path)
    cells = 0
    for part in soup.find_all(is_dropped):
        part.decompose()
    innermost = [one for one in soup.find_all("table") if not one.find("table")]
    for count, table in enumerate(innermost, start=1):
        rows = _html_rows(table)
        cells = _bounded(cells, rows, path)
        caption = table.find("caption")
        near = table.find_all_previous(["h1", "h2", "h3", "h4", "p"], limit=2)
        above = [*reversed(near), *([caption] if caption else [])]
        texts = (" ".join(one.get_text(" ").split()) for one in above)
        yield DocumentTable(rows, tuple(text for text in texts if text), f"table {count}")


def _html_rows(table: Tag) -> Rows:
    rows: list[tuple[str, ...]] = []
    carried: dict[int, tuple[str, int]] = {}
    for row in table.find_all("tr"):
        cells: list[str] = []

        def carry(cells: list[str] = cells) -> None:
            while len(cells) in carried:
                text, left = carried.pop(len(cells))
                if left > 1:
                    carried[len(cells)] = (text, left - 1)
                cells.append(text)

        for cell in row.find_all(["td", "th"]):
            if cell.find_parent("tr") is not row:
                continue
            carry()
            for mark in cell.find_all("sup"):
                if _is_footnote(mark):
                    mark.decompose()  # no part of the cell
            text = _own_text(cell)
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            for at in range(across):
                if down > 1:
                    carried[len(cells)] = (text if not at else "", down - 1)
                cells.append(text if not at else "")
        carry()
        rows.append(tuple(cells))
    return tuple(rows)


def _own_text(cell: Any) -> str:
    """The text of a cell without that of others, which stand within it where no tag ends it."""
    parts = (
        str(text) for text in cell.find_all(string=True) if text.find_parent(["td", "th"]) is cell
    )
    return " ".join(" ".join(parts).split())


def _is_footnote(mark: Any) -> bool:
    """Whether a raised text is the sign of a footnote: m² and km³ are units."""
    text, before = mark.get_text(strip=True), str(mark.previous_sibling or "")
    return len(text) <= 4 and not (text in ("2", "3") and before.endswith("m"))


def _span(cell: Any, name: str) -> int:
    text = str(cell.get(name, "1"))
    return min(int(text), _MOST_SPAN) if text.isdecimal() and int(text) > 0 else 1


@dataclass(frozen=True, slots=True)
class _Run:
    """Words of a line that stand together: where they begin and end, in characters."""

    start: int
    end: int
    text: str


def _pdf(path: Path) -> Iterator[DocumentTable]:
    package = require("pypdf", path)
    data = read_bytes(path)
    cells = 0
    with quiet():
        try:
            reader: Any = package.PdfReader(io.BytesIO(data))
            if reader.is_encrypted:
                unlock(reader, path)
            if len(reader.pages) > MOST_PAGES:
                raise LimitError(f"The document {path.name} has too many pages: split it")
            for number, page in enumerate(reader.pages, start=1):
                text = clean(
                    page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False)
                )
                for count, (rows, above) in enumerate(_aligned(text.split("\n")), start=1):
                    cells = _bounded(cells, rows, path)
                    place = f"page {number}, table {count}"
                    yield DocumentTable(rows, above, place, is_guess=True)
        except GroundwireError:
            raise
        except Exception as error:  # a broken file fails in many ways inside pypdf
            raise broken(path, "PDF", error) from error


def _aligned(lines: Sequence[str]) -> Iterator[tuple[Rows, tuple[str, ...]]]:
    """The stretches of lines whose words stand in columns, with the lines above each."""
    block: list[list[_Run]] = []
    above: list[str] = []
    for line in [*lines, ""]:
        runs = list(_runs(line))
        if len(runs) > 1 or (block and runs and _is_within(runs[0], block)):
            block.append(runs)
            continue
        if not line.strip() and block:
            continue  # space between the rows of a table
        if len(block) > 1:
            yield _columned(block), tuple(above[-_ABOVE:])
            above = []
        block = []
        above += [run.text for run in runs]
    if len(block) > 1:
        yield _columned(block), tuple(above[-_ABOVE:])


def _is_within(run: _Run, block: Sequence[Sequence[_Run]]) -> bool:
    """Whether a line of one run is a label of the block's first column, not a sentence."""
    second = min((runs[1].start for runs in block if len(runs) > 1), default=0)
    return run.end < second and len(run.text) < 40 and not run.text.endswith(".")


def _runs(line: str) -> Iterator[_Run]:
    at = 0
    for piece in _WORDS_APART.split(line):
        if piece.strip():
            start = line.index(piece, at)
            lead = len(piece) - len(piece.lstrip())
            yield _Run(start + lead, start + len(piece.rstrip()), piece.strip())
            at = start + len(piece)


def _columned(block: Sequence[Sequence[_Run]]) -> Rows:
    """Cells by columns, which are where the runs of the fullest lines stand."""
    most = max(len(runs) for runs in block)
    columns: list[list[int]] = []
    for runs in block:
        if len(runs) == most:
            if not columns:
                columns = [[run.start, run.end] for run in runs]
            for column, run in zip(columns, runs, strict=True):
                column[0], column[1] = min(column[0], run.start), max(column[1], run.end)
    middles = [(before[1] + after[0]) / 2 for before, after in pairwise(columns)]
    rows: list[tuple[str, ...]] = []
    for runs in block:
        cells = [""] * most
        for run in runs:
            overlaps = [min(run.end, right) - max(run.start, left) for left, right in columns]
            at = max(range(most), key=overlaps.__getitem__)
            if overlaps[at] <= 0:
                centre = (run.start + run.end) / 2
                at = sum(centre > middle for middle in middles)
            cells[at] = f"{cells[at]} {run.text}".strip()
        rows.append(tuple(cells))
    return tuple(rows)


def _bounded(cells: int, rows: Rows, path: Path) -> int:
    """The count of cells with those of another table.

    Raises:
        LimitError: they are more than a document may hold.
    """
    cells += sum(map(len, rows))
    if cells > MOST_CELLS:
        raise LimitError(
            f"The tables of {path.name} hold more than {MOST_CELLS:,} cells: send them as CSV"
        )
    return cells


_READERS: dict[str, Callable[[Path], Iterator[DocumentTable]]] = {
    ".docx": _docx,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
