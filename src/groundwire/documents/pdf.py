"""PDF: the text of each page as paragraphs; lines that a hyphen ends are joined."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from groundwire.documents.blocks import Block, Progress, Reading, clean, flowing, tidy
from groundwire.documents.bounds import MOST_PAGES, broken, read_bytes, require
from groundwire.errors import GroundwireError, InputError, LimitError

# A step down that is larger than this many usual ones, or letters of another size, set paragraphs
# apart.
_GAP = 1.4
_OTHER_SIZE = 1.1


@dataclass(slots=True)
class _Line:
    text: str = ""
    height: float = 0.0
    size: float = 0.0

    def take(self, text: str, height: float, size: float) -> None:
        if text.strip() and not self.text.strip():
            self.height, self.size = height, size
        self.text += text


# A word that the end of a line cuts, and whether it has hyphens of its own.
_CUT_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010]$")
_HYPHENATED = re.compile(r"\w[-\u2010]\w+[-\u2010]$")
_ENDED = re.compile(r"[.!?:。！？：…]['\"”’」』）)\]]*$")
# A line that ends a sentence and is shorter than this part of the longest one ends a paragraph.
_FULL_LINE = 0.8
_MOST_NAMED = 10


def read_pdf(path: Path, progress: Progress | None = None) -> Reading:
    """Read a PDF; pages without text, such as scanned ones, are named in a note.

    Raises:
        InputError: it is broken, or needs a password.
        LimitError: it has more than `MOST_PAGES` pages.
        ConfigurationError: pypdf is not installed.
    """
    package = require("pypdf", path)
    data = read_bytes(path)
    blocks: list[Block] = []
    empty: list[int] = []
    with quiet():
        try:
            for number, lines in _pages(package.PdfReader(io.BytesIO(data)), path, progress):
                found = len(blocks)
                for count, text in enumerate(_paragraphs(lines), start=1):
                    blocks.append(Block(text, f"page {number}, paragraph {count}", ""))
                if len(blocks) == found:
                    empty.append(number)
        except GroundwireError:
            raise
        except Exception as error:  # a broken file fails in many ways inside pypdf
            raise broken(path, "PDF", error) from error
    return Reading(tuple(blocks), _notes(empty))


def _pages(reader: Any, path: Path, progress: Progress | None) -> Iterator[tuple[int, list[str]]]:
    """Each page's number and lines."""
    if reader.is_encrypted:
        unlock(reader, path)
    total = len(reader.pages)
    if total > MOST_PAGES:
        raise LimitError(
            f"The document {path.name} has {total} pages, {MOST_PAGES} may be: split it"
        )
    for number in range(1, total + 1):
        yield number, _page_lines(reader.pages[number - 1])
        if progress is not None:
            progress(path.name, number, total)


def unlock(reader: Any, path: Path) -> None:
    """Many files are encrypted with an empty password, against editing only."""
    try:
        unlocked = bool(reader.decrypt(""))
    except Exception:  # without the package for it, pypdf cannot decrypt AES at all
        unlocked = False
    if not unlocked:
        raise InputError(
            f"The document {path.name} is encrypted: save a copy without a password, import that"
        )


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Lines as paragraphs: an empty line ends one, and a short line that ends a sentence."""
    longest = max((len(line.strip()) for line in lines), default=0)
    gathered: list[str] = []
    for line in [*map(str.strip, lines), ""]:
        if line:
            _join(gathered, line)
        short = len(line) < longest * _FULL_LINE and _ENDED.search(line)
        if gathered and (not line or short):
            text = tidy(flowing(gathered))
            gathered = []
            if any(map(str.isalnum, text)):
                yield text


def _join(gathered: list[str], line: str) -> None:
    """Put a line after the others; a word that a hyphen cuts at the line's end is made whole."""
    cut = bool(gathered) and _CUT_WORD.search(gathered[-1]) is not None
    if not cut or not line[0].isalpha():
        gathered.append(line)
        return
    # The hyphen of "year-on-" and of "Asia-", before a capital, is the word's own.
    own = bool(_HYPHENATED.search(gathered[-1])) or not line[0].islower()
    gathered[-1] = (gathered[-1] if own else gathered[-1][:-1]) + line


def _notes(empty: list[int]) -> tuple[str, ...]:
    if not empty:
        return ()
    shown = ", ".join(map(str, empty[:_MOST_NAMED]))
    more = f" and {len(empty) - _MOST_NAMED} more" if len(empty) > _MOST_NAMED else ""
    pages = "page" if len(empty) == 1 else "pages"
    return (f"{pages} {shown}{more} without text: scanned pages need text recognition first",)


@contextmanager
def quiet() -> Generator[None]:
    """Pypdf logs every oddity of a file; the note or the one error is enough."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _page_lines(page: Any) -> list[str]:
    """The lines of a page of pypdf, an empty one where a paragraph ends visibly.

    Where pypdf does not tell the places of its text, the lines are as it gives them.
    """
    lines = [_Line()]

    def take(
        text: str, around: Sequence[float], own: Sequence[float], _: object, size: float
    ) -> None:
        height = own[4] * around[1] + own[5] * around[3] + around[5]
        for place, part in enumerate(clean(text).split("\n")):
            if place:
                lines.append(_Line())
            lines[-1].take(part, height, abs(size * own[3] * around[3]))

    whole = clean(page.extract_text(visitor_text=take))
    filled = [line for line in lines if line.text.strip()]
    if "".join("".join(line.text for line in filled).split()) != "".join(whole.split()):
        return whole.split("\n")
    usual = _usual_step(filled)
    spaced = [line.text for line in filled[:1]]
    for before, line in pairwise(filled):
        if before.height - line.height > usual * _GAP or _differ(before.size, line.size):
            spaced.append("")
        spaced.append(line.text)
    return spaced


def _usual_step(lines: Sequence[_Line]) -> float:
    steps = [before.height - line.height for before, line in pairwise(lines)]
    return median([step for step in steps if step > 0] or [0.0])


def _differ(one: float, other: float) -> bool:
    return max(one, other) > min(one, other) * _OTHER_SIZE
