"""Reading a narrative document: text, Markdown, HTML, DOCX or PDF, as paragraphs in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from groundwire.documents.blocks import Block, Progress, Reading
from groundwire.documents.docx import read_docx
from groundwire.documents.html import read_html
from groundwire.documents.markdown import read_markdown
from groundwire.documents.pdf import read_pdf
from groundwire.documents.text import read_text
from groundwire.errors import InputError

__all__ = ["Block", "Reading", "read", "read_document"]

_READERS: dict[str, Callable[[Path, Progress | None], Reading]] = {
    ".txt": read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".docx": read_docx,
    ".pdf": read_pdf,
}


def read(path: Path, progress: Progress | None = None) -> Reading:
    """Read a document with what it says of itself and what could not be read of it.

    Args:
        path: the file; its ending says its format.
        progress: told of the name of the file, pages read, of how many.

    Raises:
        InputError: it is not there, broken, encrypted, without text, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"The document {path.name} is of no known format: use one of {', '.join(_READERS)}"
        )
    reading = reader(path, progress)
    if not reading.blocks:
        raise InputError(
            f"The document {path.name} holds no text: if its pages are pictures, "
            "run text recognition over them first"
        )
    return reading


def read_document(path: Path) -> list[Block]:
    """The paragraphs of a document in reading order; the errors are those of `read`."""
    return list(read(path).blocks)
