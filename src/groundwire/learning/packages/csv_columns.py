"""Columns and cells of tables of cards or reviews: what each column means, by its first rows.

Source: OWASP, "CSV Injection": a cell that begins with =, +, -, @, a tab or a carriage return.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from groundwire.documents.bounds import decoded, read_bytes
from groundwire.errors import InputError, LimitError
from groundwire.vocabulary.fold import fold

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_MARKED = re.compile(r"'+[=+\-@\t\r]")
_OWN = frozenset(("card_id", "locator", "proof"))


def neutral(cell: object) -> object:
    """Return a cell as it is written: text that a spreadsheet would run has an apostrophe first."""
    if isinstance(cell, str) and _RISKY.match(cell):
        return f"'{cell}"
    return cell


def original(cell: str) -> str:
    """Return the text of a cell that `neutral` wrote."""
    return cell[1:] if _MARKED.match(cell) else cell


def is_ours(header: Collection[str]) -> bool:
    """Return whether a table has the columns of an export of ours, whose cells are neutral.

    In tables from elsewhere an apostrophe is a part of the text.
    """
    return {name.strip().lower() for name in header} >= _OWN


MOST_ROWS = 1_000_000
LONGEST_CELL = 1_000_000
"""Characters that one cell may have."""

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "colon": ":", "space": " "}
_TRIED = (",", ";", "\t", "|")
_SAMPLE_LINES = 50
_SAMPLE = 200_000


@dataclass(frozen=True, slots=True)
class Columns:
    """How a table is read.

    Attributes:
        kind: whether its rows are cards or reviews.
        separator: what stands between two cells.
        has_header: whether its first row names the columns.
        roles: the place of each column whose role is known, by role.
        is_html: whether its cells are HTML.
        deck: the deck that the file names, or "".
        notes: what was assumed, for people.
    """

    kind: Literal["cards", "reviews"]
    separator: str
    has_header: bool
    roles: Mapping[str, int]
    is_html: bool = False
    deck: str = ""
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Directives:
    """The lines that Anki writes before a table: "#separator:tab".

    Source: the Anki manual, "Text files", "File headers".
    """

    separator: str = ""
    is_html: bool = False
    deck: str = ""
    columns: tuple[str, ...] = ()
    roles: dict[str, int] = field(default_factory=dict[str, int])
    lines: int = 0


def read_table(path: Path) -> tuple[Columns, Iterator[tuple[int, list[str]]]]:
    """Draft the columns of a table, and return them with its rows, each with its number from 1.

    Args:
        path: a file of text; the separator is found by itself.

    Raises:
        InputError: it is empty, no text, or its columns cannot be told.
        LimitError: it is too large; the rows raise it, too.
    """
    text = decoded(read_bytes(path), path).lstrip("\ufeff")
    directives = _directives(text)
    body = text.split("\n", directives.lines)[-1] if directives.lines else text
    if not body.strip():
        raise InputError(f"The table {path.name} is empty")
    separator = directives.separator or (
        "\t" if path.suffix.lower() == ".tsv" else _separator(body)
    )
    columns = _drafted(body, separator, directives, path)
    return columns, _rows(body, columns, directives.lines, path)


def _rows(body: str, columns: Columns, before: int, path: Path) -> Iterator[tuple[int, list[str]]]:
    ours = False
    for number, row in enumerate(_parsed(body, columns.separator, path), 1):
        if number == 1 and columns.has_header:
            ours = is_ours(row)
        elif ours:
            row = list(map(original, row))
        if number > MOST_ROWS:
            raise LimitError(f"The table {path.name} has more than {MOST_ROWS:,} rows: split it")
        if (number > 1 or not columns.has_header) and any(cell.strip() for cell in row):
            yield number + before, row


def _parsed(body: str, separator: str, path: Path) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        yield from csv.reader(io.StringIO(body, newline=""), delimiter=separator)
    except csv.Error as error:
        if "field larger" in str(error):
            raise LimitError(
                f"A cell of {path.name} has more than {LONGEST_CELL:,} characters"
            ) from error
        raise InputError(f"The table {path.name} cannot be read: {error}") from error


def _directives(text: str) -> _Directives:
    found = _Directives()
    for line in text.splitlines()[:_SAMPLE_LINES]:
        name, colon, value = line[1:].partition(":")
        if not line.startswith("#") or not colon:
            break
        found.lines += 1
        key, value = name.strip().lower(), value.rstrip("\r")
        if key == "separator":
            found.separator = _SEPARATORS.get(value.strip().lower(), value[:1])
        elif key == "html":
            found.is_html = value.strip().lower() == "true"
        elif key == "deck":
            found.deck = value.strip()
        elif key == "columns":
            found.columns = tuple(next(csv.reader([value], delimiter=found.separator or ",")))
        elif key.endswith(" column") and value.strip().isdigit() and int(value) > 0:
            found.roles[key.removesuffix(" column")] = int(value) - 1
    return found


def _separator(body: str) -> str:
    """The separator that cuts the first lines in the same number of cells, and most of them."""
    sample = body[:_SAMPLE]
    best = (0, 0, ",")
    for place, separator in enumerate(_TRIED):
        counts: Counter[int] = Counter()
        csv.field_size_limit(LONGEST_CELL)
        try:
            for number, row in enumerate(csv.reader(io.StringIO(sample), delimiter=separator)):
                if number >= _SAMPLE_LINES:
                    break
                counts[len(row)] += 1
        except csv.Error:
            continue
        width, rows = max(counts.items(), key=lambda item: (item[1], item[0]))
        if width > 1:
            best = max(best, (rows, -place, separator))
    return best[2]


@cache
def _known() -> dict[str, dict[str, list[str]]]:
    text = (files("groundwire.learning.packages") / "columns.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def ratings() -> Mapping[str, int]:
    """Return the ratings by their names, folded."""
    return {fold(name): int(one) for one, names in _known()["ratings"].items() for name in names}


def _roles(names: list[str], kind: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for role, words in _known()[kind].items():
        folded = {fold(word) for word in words}
        place = next((at for at, name in enumerate(names) if fold(name[:100]) in folded), None)
        if place is not None and place not in found.values():
            found[role] = place
    return found


def _drafted(body: str, separator: str, directives: _Directives, path: Path) -> Columns:
    first = next(_parsed(body[:_SAMPLE], separator, path), list[str]())
    names = list(directives.columns) or first
    named = not directives.columns
    log = _roles(names, "reviews")
    cards = _roles(names, "cards")
    if {"card", "rating", "at"} <= log.keys() and "front" not in cards:
        return Columns("reviews", separator, named, log)
    if {"front", "back"} <= cards.keys() or ("front" in cards and len(names) == 1):
        roles, has_header, notes = {**cards, **directives.roles}, named, ()
    elif len(first) >= 2 or directives.roles:
        taken = set(directives.roles.values())
        free = [place for place in range(len(first)) if place not in taken]
        if len(free) < 2:
            raise InputError(f"The table {path.name} needs two columns: a front and a back")
        roles = {**directives.roles, "front": free[0], "back": free[1]}
        has_header = False
        notes = (
            f"no column is called front or back, so column {free[0] + 1} is taken for the front "
            f"and column {free[1] + 1} for the back",
        )
    else:
        raise InputError(
            f"The columns of {path.name} cannot be told: name them front and back in its first row"
        )
    return Columns(
        "cards", separator, has_header, roles, directives.is_html, directives.deck, notes
    )
