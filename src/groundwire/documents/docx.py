"""DOCX: the body in its order, with tables; headers, footers and deleted text are left out."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groundwire.documents.blocks import Outline, Progress, Reading
from groundwire.documents.bounds import (
    MOST_PARTS,
    MOST_UNPACKED_BYTES,
    broken,
    read_bytes,
    require,
)
from groundwire.errors import GroundwireError, LimitError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# Deleted text, the old place of moved text, and the second copy of a text box.
_LEFT_OUT = frozenset({_W + "del", _W + "moveFrom", _W + "pPr", _W + "rPr", _FALLBACK})
_SPACES = {_W + "tab": "\t", _W + "br": " ", _W + "cr": " ", _W + "noBreakHyphen": "-"}
_HEADING_STYLE = re.compile(r"(?:heading \d|title)$", re.IGNORECASE)


def read_docx(path: Path, progress: Progress | None = None) -> Reading:
    """Read a Word document. Text boxes are read where they are anchored; footnotes are not.

    Raises:
        InputError: the file is not a DOCX, or is broken.
        LimitError: it unpacks to more than `MOST_UNPACKED_BYTES`.
        ConfigurationError: python-docx is not installed.
    """
    package = require("docx", path)
    data = read_bytes(path)
    outline = Outline()
    try:
        notes = check_package(data, path)
        document: Any = package.Document(io.BytesIO(data))
        headings = _heading_styles(document)
        for element in _blocks(document.element.body):
            _take(element, outline, headings)
    except GroundwireError:
        raise
    except Exception as error:  # a broken package fails in python-docx, lxml or zipfile alike
        raise broken(path, "DOCX", error) from error
    if progress is not None:
        progress(path.name, 1, 1)
    return Reading(tuple(outline.blocks), notes)


def check_package(data: bytes, path: Path) -> tuple[str, ...]:
    """Bound what the package unpacks to; zipfile holds every part to the size that it names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
        raise LimitError(
            f"The document {path.name} unpacks to more than {MOST_UNPACKED_BYTES // 1024**2} MB "
            f"or {MOST_PARTS} parts: split it"
        )
    names = {part.filename for part in parts}
    if names & {"word/footnotes.xml", "word/endnotes.xml"}:
        return ("footnotes and endnotes are not read",)
    return ()


def _heading_styles(document: Any) -> frozenset[str]:
    """Ids of the styles that make a heading, by their name or outline level."""
    found: set[str] = set()
    for style in document.styles.element.iter(_W + "style"):
        name = style.find(_W + "name")
        named = name is not None and _HEADING_STYLE.match(name.get(_W + "val", ""))
        if named or _outline_level(style.find(_W + "pPr")):
            found.add(style.get(_W + "styleId", ""))
    return frozenset(found)


def _outline_level(properties: Any) -> bool:
    level = None if properties is None else properties.find(_W + "outlineLvl")
    return level is not None and level.get(_W + "val", "9") < "9"


def _blocks(container: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, also inside content controls and insertions."""
    for child in container:
        if child.tag in (_W + "p", _W + "tbl"):
            yield child
        elif child.tag not in _LEFT_OUT and isinstance(child.tag, str):
            yield from _blocks(child)


def _take(element: Any, outline: Outline, headings: frozenset[str]) -> None:
    if element.tag == _W + "tbl":
        rows = (
            " | ".join(" ".join(paragraphs_of(cell)) for cell in own_parts(row, "tc"))
            for row in own_parts(element, "tr")
            if row.find(f"{_W}trPr/{_W}del") is None
        )
        outline.paragraph("\n".join(rows), "table")
        return
    properties = element.find(_W + "pPr")
    style = None if properties is None else properties.find(_W + "pStyle")
    named = style is not None and style.get(_W + "val", "") in headings
    text = "".join(_text(element))
    if named or _outline_level(properties):
        outline.heading(text)
    else:
        outline.paragraph(text)
    for box in element.iter(_W + "txbxContent"):
        if not any(parent.tag == _FALLBACK for parent in box.iterancestors()):
            for inner in _blocks(box):
                _take(inner, outline, headings)


def own_parts(element: Any, name: str) -> Iterator[Any]:
    """The rows of a table or cells of a row, also in content controls, without inner tables."""
    for found in element.iter(_W + name):
        if next(found.iterancestors(element.tag)) is element:
            yield found


def paragraphs_of(cell: Any) -> Iterator[str]:
    """The shown text of the paragraphs of a cell, or of a paragraph, without empty ones."""
    for paragraph in cell.iter(_W + "p"):
        text = " ".join("".join(_text(paragraph)).split())
        if text and not any(parent.tag in _LEFT_OUT for parent in paragraph.iterancestors()):
            yield text


def _text(element: Any) -> Iterator[str]:
    """The shown text of a paragraph, but for the paragraphs of its text boxes."""
    for child in element:
        if child.tag in _LEFT_OUT or child.tag == _W + "txbxContent" or _is_hidden(child):
            continue
        if child.tag == _W + "t":
            yield child.text or ""
        elif child.tag in _SPACES:
            yield _SPACES[child.tag]
        else:
            yield from _text(child)


def _is_hidden(element: Any) -> bool:
    if element.tag != _W + "r":
        return False
    vanish = element.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(_W + "val", "true") not in ("false", "0", "off")
