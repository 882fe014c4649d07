"""Tables of cards or reviews: what each column means, by its first rows, and cards written as one.

Source: OWASP, "CSV Injection": a cell that begins with =, +, -, @, a tab or a carriage return.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from groundwire.documents.bounds import decoded, is_western, read_bytes
from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.learning.cards import store
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile
from groundwire.vocabulary.fold import fold

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_MARKED = re.compile(r"'+[=+\-@\t\r]")
_TAG = re.compile(r"</[a-z]{1,10}>|<br ?/?>|<img ", re.IGNORECASE)
_OWN = frozenset(("card_id", "locator", "proof"))


def neutral(cell: object) -> object:
    """Return a cell as exported: text that a spreadsheet would run has an apostrophe first."""
    if isinstance(cell, str) and _RISKY.match(cell):
        return f"'{cell}"
    return cell


def original(cell: str) -> str:
    """Return the text of a cell that `neutral` wrote."""
    return cell[1:] if _MARKED.match(cell) else cell


def is_ours(header: Collection[str]) -> bool:
    """Return whether a table has the columns of an export of this project, with neutral cells.

    In tables from elsewhere an apostrophe is a part of the text.
    """
    return {name.strip().lower() for name in header} >= _OWN


MOST_ROWS = 1_000_000
LONGEST_CELL = 1_000_000
"""Characters that one cell may have."""

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "colon": ":", "space": " "}
_TRIED = (",", ";", "\t", "|")
_SAMPLE_LINES = 50
# A row of its own behind the last one, unless a quotation mark is open there.
_END = "\ue000end of the table\ue000"
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
        unread: names of the columns that are not read.
    """

    kind: Literal["cards", "reviews"]
    separator: str
    has_header: bool
    roles: Mapping[str, int]
    is_html: bool = False
    deck: str = ""
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


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
    data, western = read_bytes(path), False
    try:
        text = decoded(data, path).lstrip("\ufeff")
    except InputError:
        western = is_western(data)
        if not western:
            raise
        text = data.decode("cp1252")
    directives = _directives(text)
    body = text.split("\n", directives.lines)[-1] if directives.lines else text
    if not body.strip():
        raise InputError(f"The table {path.name} is empty")
    separator = directives.separator or (
        "\t" if path.suffix.lower() == ".tsv" else _separator(body)
    )
    columns = _drafted(body, separator, directives, path)
    if western:
        note = "read as cp1252 (Western Europe), since it is no UTF-8: look at its letters"
        columns = replace(columns, notes=(*columns.notes, note))
    return columns, _rows(body, columns, directives.lines, path)


def is_anki_text(path: Path) -> bool:
    """Return whether a text begins as the notes do that Anki exports in plain text."""
    try:
        with path.open("rb") as file:
            return file.read(200).removeprefix(codecs.BOM_UTF8).startswith(b"#separator:")
    except OSError:
        return False


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
    """Yield the rows; a quotation mark that is never closed would swallow the rest of the file."""
    csv.field_size_limit(LONGEST_CELL)
    end = _END if body.endswith(("\n", "\r")) else f"\n{_END}"
    begun = 0
    try:
        reader = csv.reader(io.StringIO(body + end, newline=""), delimiter=separator)
        for cells in reader:
            if cells == [_END]:
                return
            if cells and cells[-1].endswith(_END):
                raise InputError(
                    f"The table {path.name} opens a quotation mark in line {begun + 1:,} that is "
                    "never closed: close it, or double the marks that belong to the text"
                )
            begun = reader.line_num
            yield cells
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
    known = [fold(name[:100]) for name in names]
    for role, words in _known()[kind].items():
        places = [known.index(word) for word in map(fold, words) if word in known]
        place = next(iter(places), None)
        if place is not None and place not in found.values():
            found[role] = place
    return found


def _drafted(body: str, separator: str, directives: _Directives, path: Path) -> Columns:
    first = next(_parsed(body, separator, path), list[str]())
    names = list(directives.columns) or first
    named = not directives.columns
    log = _roles(names, "reviews")
    cards = _roles(names, "cards")
    if {"card", "rating", "at"} <= log.keys() and "front" not in cards:
        return Columns("reviews", separator, named, log, unread=_unread(names, log))
    notes: tuple[str, ...] = ()
    if {"front", "back"} <= cards.keys() or ("front" in cards and len(names) == 1):
        roles, has_header = {**cards, **directives.roles}, named
    elif named and (heading := _heading(first, cards)):
        front = cards.get("front", int(cards.get("back") == 0))
        sides = {"front": front, "back": cards.get("back", 1 - front)}
        roles, has_header = {**cards, **directives.roles, **sides}, True
        shown = [first[place].strip() for place in sides.values()]
        notes = (
            f"{heading} shows that the first row names the columns, so "
            f'"{shown[0]}" is taken for the front and "{shown[1]}" for the back',
        )
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
    if not directives.is_html and _TAG.search(body[:_SAMPLE]):
        notes += (
            "cells hold HTML tags, which stay as they are: a first line #html:true has them read",
        )
    unread = _unread(names, roles) if has_header else ()
    return Columns(
        "cards", separator, has_header, roles, directives.is_html, directives.deck, notes, unread
    )


def _heading(first: list[str], cards: Mapping[str, int]) -> str:
    """The cell behind the first two that names a column, or both where they name languages."""
    named = [place for role, place in cards.items() if role not in ("front", "back")]
    sides = {place for role, place in cards.items() if role in ("front", "back")}
    if named and min(named) > 1 and sides <= {0, 1}:
        return f'"{first[named[0]].strip()}"'
    languages = set(map(fold, _known()["headings"]["language"]))
    if len(first) > 1 and all(fold(cell[:100]) in languages for cell in first[:2]):
        return "the name of a language"
    return ""


def _unread(names: list[str], roles: Mapping[str, int]) -> tuple[str, ...]:
    read = set(roles.values())
    return tuple(name.strip() for at, name in enumerate(names) if at not in read and name.strip())


COLUMNS = (
    *("guid", "deck", "type", "front", "back", "tags", "state", "proof", "quote", "source"),
    *("locator", "due", "stability", "difficulty", "reviews", "lapses", "card_id"),
)
_TAGS, _DUE = COLUMNS.index("tags"), COLUMNS.index("due")


def export_table(state: StateFile, owner: str, path: Path, *, deck: str = "") -> int:
    """Write an owner's cards as CSV, or as TSV where the file is called so; archived ones are not.

    No cell is run by a spreadsheet: see `spreadsheet_cells`.

    Args:
        state: the file of learning.
        owner: whose cards.
        path: the table; a file there is replaced.
        deck: id or name of a deck, taken with the decks within it; "" for all.

    Returns:
        how many rows were written.

    Raises:
        InputError: the path cannot be written.
        NotFoundError: the deck is unknown, or has no card to write.
        UnavailableError: the file of learning cannot be read.
    """
    statement = (files("groundwire.learning.packages") / "export_table.sql").read_text("utf-8")
    with state.reading() as connection:
        name = ""
        if connection is not None and deck.strip():
            found = store.find_deck(connection, owner, deck.strip())
            if found is None:
                raise NotFoundError(f"There is no deck {safe_name(deck, 80)!r}.")
            name = found.name
        rows = (
            connection.execute(statement, {"owner": owner, "deck": name}).fetchall()
            if connection is not None
            else []
        )
    if not rows:
        raise NotFoundError("There is no card to write.")
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=separator, lineterminator="\n")
            writer.writerow(COLUMNS)
            for row in rows:
                cells = list(row)
                cells[_TAGS] = " ".join(json.loads(cells[_TAGS] or "[]"))
                if cells[_DUE] is not None:
                    moment = datetime.fromtimestamp(cells[_DUE] / 1_000, UTC)
                    cells[_DUE] = moment.isoformat(timespec="milliseconds")
                writer.writerow("" if cell is None else neutral(cell) for cell in cells)
    except OSError as error:
        raise InputError(
            f"The table {path} cannot be written ({error.strerror}): check its folder"
        ) from error
    return len(rows)
