"""The heading of a column of an undescribed table: its name, its unit and its period.

A heading of one row may hold all three: "Umsatz 2023 (Mio. EUR)", revenue_2022_usd_m,
营业收入（万元）2023. What is left of it once the period is taken out is read like any heading.
The first rows of a file are read as they stand, before anybody knows which of them are headings.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from pathlib import Path

from groundwire.documents.tables import read_tables
from groundwire.errors import InputError
from groundwire.metrics.importing.cells import UnitText, read_scale, read_unit, unit_words
from groundwire.metrics.importing.flat_tables import (
    DELIMITERS,
    find_delimiter,
    inspect_text,
    notes_of,
)
from groundwire.metrics.importing.mapping import Format, Layout
from groundwire.metrics.importing.resolving import YEAR_LAST
from groundwire.metrics.importing.table import BETWEEN
from groundwire.quantities import resolve_unit
from groundwire.quantities.period_grammar import read_period
from groundwire.quantities.periods import CALENDAR_YEAR, Period
from groundwire.vocabulary import fold

MOST_FIRST_ROWS = 5_000
"""Rows that are looked at for headings and the end of a table."""

_SNIFFED = 200
_LONGEST = 100_000

Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of rows that may be a table.

    Attributes:
        layout: how it is opened: encoding, delimiter, sheet or table.
        rows: its first rows with their numbers; empty ones are left out.
        above: texts that stand above it and are no row of it.
        name: what to call it among the others of its file.
        notes: what a person must know of how it was found.
        is_whole: whether `rows` are all of its rows.
        delimiter: what its cells are cut by, of a CSV.
    """

    layout: Layout
    rows: tuple[Row, ...]
    above: tuple[str, ...] = ()
    name: str = ""
    notes: tuple[str, ...] = ()
    is_whole: bool = True
    delimiter: str = ""


def regions(path: Path, form: Format, layout: Layout) -> list[Region]:
    """The stretches of rows of a file: one of a CSV, one of each sheet, one of each table.

    Args:
        path: the file.
        form: its format; Parquet has no rows but its records.
        layout: what is told of it already: encoding, sheet.

    Raises:
        InputError, ConfigurationError, LimitError: as the readers do.
    """
    if form == "csv":
        return [_of_text(path, layout)]
    if form == "xlsx":
        from groundwire.metrics.importing.table import first_rows_of

        found = [
            Region(
                layout.model_copy(update={"sheet": title}), tuple(rows), (), f"sheet {title!r}", (),
                len(rows) < MOST_FIRST_ROWS,
            )
            for title, rows in first_rows_of(path, layout, MOST_FIRST_ROWS)
        ]  # fmt: skip
        return [one for one in found if one.rows]
    return [
        Region(
            layout.model_copy(update={"table": number}),
            tuple(
                (at, list(cells)) for at, cells in enumerate(table.rows, start=1) if any(cells)
            )[:MOST_FIRST_ROWS],
            table.above, table.place, notes_of(table), len(table.rows) <= MOST_FIRST_ROWS,
        )
        for number, table in enumerate(read_tables(path), start=1)
    ]  # fmt: skip


def _of_text(path: Path, layout: Layout) -> Region:
    known = inspect_text(path, layout.encoding, western=True)
    notes = (known.note,) if known.note else ()
    if known.encoding in ("cp1252",):
        layout = layout.model_copy(update={"encoding": known.encoding})
    with path.open("r", encoding=known.encoding, newline="") as file:
        lines = [line[:_LONGEST] for line in islice(_bounded(file, path), MOST_FIRST_ROWS)]
        is_whole = not file.read(1)
    delimiter = layout.delimiter or sniffed_delimiter(lines[:_SNIFFED], path)
    rows: list[Row] = []
    reader = csv.reader(lines, delimiter=delimiter)
    before = 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((before + 1, cells))
            before = reader.line_num
    except csv.Error:
        is_whole = False
    filled = [line for line in lines if line.strip()]
    if filled and find_delimiter(filled[0]) != delimiter:
        layout = layout.model_copy(update={"delimiter": delimiter})
    return Region(layout, tuple(rows), (), "", notes, is_whole, delimiter)


def _bounded(file: io.TextIOBase, path: Path) -> Iterator[str]:
    while line := file.readline(1_000_000):
        if len(line) == 1_000_000 and line[-1] not in "\r\n":
            raise InputError(
                f"{path.name} has a line of more than 1,000,000 characters: it is no table"
            )
        yield line


def sniffed_delimiter(lines: list[str], path: Path) -> str:
    """The delimiter that cuts the most lines into equally many cells."""
    best, chosen = (0, 0), ""
    for delimiter in DELIMITERS:
        try:
            widths = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        except csv.Error:
            continue
        widths.pop(1, None)
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        if (count, width) > best:
            best, chosen = (count, width), delimiter
    return chosen or ("\t" if path.suffix.lower() == ".tsv" else ",")


_REFERENCE = CALENDAR_YEAR.first_day(2000)
_BRACKETED = re.compile(r"^(.+?) ?[（(\[]([^（()）\[\]]+)[)）\]]$")
_TAIL = re.compile(r"^(.+?)(?:,? in |[,:：_] ?|[ _-])((?:[^ _,]+[ _])?[^ _,]+)$")
_COUNTS = frozenset(("number", "persons", "anzahl", "count", "#", "fte", "stück", "heads"))
_WORLD_BANK_YEAR = re.compile(r"(\d{4}) \[YR\d{4}\]")
_NO_PERIOD_CODE = re.compile(r"[0-9]{1,3}|[A-Za-z]{1,3}")

# A year of four digits, or of two behind the mark of a fiscal year, a quarter or a half.
_YEAR = re.compile(
    r"(?<![0-9])(?:1[89]|20|21)[0-9]{2}(?![0-9])|"
    r"(?<![A-Za-z])(?:FY|GJ|[1-4]Q|[QH][1-4][ /-]?|[12]H)[ ']?[0-9]{2}(?![0-9])",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"[0-9]+|[A-Za-zÀ-ɏ]+|[^\W_]|\s+|.", re.DOTALL)
# Behind a year: actual, estimate, forecast, plan, budget.
_KIND_OF_FIGURE = re.compile(r"([AaEeFfPpBb])(?![A-Za-z0-9])")
# These marks join a period to the text beside it, so that it is a part of something longer.
_GOES_ON = re.compile(r"[\s_]*(?:[/–_.-]?\s?[0-9]|[=%至到]|前)|[A-Za-z]")
_CAME_BEFORE = re.compile(r"[0-9][\s_/–.,-]*$|[A-Za-z]$|[至到]\s*$")
_OF_PRICES = re.compile(
    r"[0-9] prices\b|\bprices of\b|\bpreisen\b|\b(?:constant|chained|base)\b|不变价|可比价|基期",
    re.IGNORECASE,
)
_FISCAL = re.compile(r"\b(?:GJ|Geschäftsjahr|fiscal year)\b|财年|会计年度", re.IGNORECASE)
_LEADS_TO_PERIOD = re.compile(
    r"(?:^|[\s_,;:(（])(?:as of|as at|at|on|for|in|of|per|zum|am|für|im|von|des|stand|截至|于)\s*$",
    re.IGNORECASE,
)
_EMPTY_BRACKETS = re.compile(r"[(（\[][\s,;:]*[)）\]]")
_IN_BRACKETS = re.compile(r"[(（\[]([^()（）\[\]]*)[)）\]]")
_SHORT_UNIT = re.compile(
    r"[A-Za-z]{2,4}|[A-Za-z0-9.³²]{1,6}/[A-Za-z0-9³²]{1,6}|[\u4e00-\u9fff/]{1,4}"
)
_MOST_TOKENS = 9


@dataclass(frozen=True, slots=True)
class DatedHeading:
    """A heading that names its period.

    Attributes:
        name: what is left without period and unit; may be empty.
        unit: the unit that it names.
        when: the text of the period.
        doubts: what a person must look at, without the heading itself.
    """

    name: str
    unit: UnitText | None
    when: str
    doubts: tuple[str, ...] = ()


def read_dated(text: str) -> DatedHeading | None:
    """Read a heading of one row that names one period beside its name or its unit, or None.

    A year within a range or a split year ("2021/22") is left alone, and so is the year of a base
    ("2015 = 100") or of prices.
    """
    if BETWEEN in text or _OF_PRICES.search(text):
        return None
    found = _period_within(text)
    if found is None:
        return None
    start, end = found
    when = text[start:end].strip()
    kind = _KIND_OF_FIGURE.match(text, end)
    behind = text[kind.end() if kind else end :]
    before = _LEADS_TO_PERIOD.sub("", text[:start])
    rest = _tidied(f"{before} {behind}")
    unit = read_unit(rest)
    if resolve_unit(unit.symbol) is not None if unit.symbol else unit.exponent:
        name = ""
    else:
        name, unit = split_unit(_with_code(rest) if "_" in text else rest)
    doubts: list[str] = []
    if _FISCAL.search(name):
        name = _tidied(_FISCAL.sub(" ", name))
        doubts.append("a fiscal year was taken for the calendar year")
    if kind is not None and kind[1] not in "Aa":
        doubts.append(f"{when}{kind[1]} is no actual figure")
    bracket = _IN_BRACKETS.search(name)
    if bracket is not None:
        own = bracket[1].strip()
        if unit is None and _SHORT_UNIT.fullmatch(own):
            name, unit = _tidied(name.replace(bracket[0], " ")), read_unit(own)
            doubts.append(f"the unit {own!r} is not known")
        else:
            doubts.append(f"{own!r} is not understood: it may be a unit or a scale")
    return DatedHeading(name, unit, when, tuple(doubts))


def names_a_year(text: str) -> bool:
    """Whether a heading holds a year that `read_dated` may not have been able to read."""
    return _YEAR.search(text) is not None


def _period_within(text: str) -> tuple[int, int] | None:
    """Where the only period of a text stands: the longest run of words that is one."""
    spans: list[tuple[int, int]] = []
    edges = [0, *(match.end() for match in _TOKENS.finditer(text))]
    for year in _YEAR.finditer(text):
        if spans and spans[-1][1] >= year.end():
            continue
        starts = [edge for edge in edges if edge <= year.start()][-_MOST_TOKENS:]
        ends = [edge for edge in edges if edge >= year.end()][:_MOST_TOKENS]
        runs = [
            (start, end)
            for start in starts
            for end in ends
            if not (text[start].isspace() or text[end - 1].isspace()) and period_of(text[start:end])
        ]
        if not runs:
            return None
        spans.append(max(runs, key=lambda run: run[1] - run[0]))
    if len(spans) != 1:
        return None
    start, end = spans[0]
    kind = _KIND_OF_FIGURE.match(text, end)
    if _GOES_ON.match(text, kind.end() if kind else end) or _CAME_BEFORE.search(text[:start]):
        return None
    return start, end


def _with_code(text: str) -> str:
    """A name in small letters with the code of its currency in capitals: "revenue usd m"."""
    before, _, last = text.rpartition(" ")
    head, _, code = before.rpartition(" ")
    if head and len(code) == 3 and read_scale(last) is not None:
        return f"{head} {code.upper()} {last}"
    return text


def _tidied(text: str) -> str:
    """A heading without its period: no empty brackets, no marks at its ends or before commas."""
    text = _EMPTY_BRACKETS.sub(" ", text.replace("_", " "))
    text = re.sub(r"([(（\[])[\s,;:]+|(?<![\s,;:])[\s,;:]+([)）\]])", r"\1\2", text)
    text = re.sub(r"(?<!\s)\s+([,;:])", r"\1", text)
    return " ".join(text.split()).strip(" ,;:-–|/").removesuffix("的")


def period_of(text: str, dates: str = "iso") -> Period | None:
    """The one period that a text names, whatever the day and on a calendar year.

    Args:
        text: the text.
        dates: which number of a date with its year last is the day, as a mapping says it.
    """
    last = YEAR_LAST.fullmatch(text) if dates != "iso" else None
    if last is not None:
        day, month = (last[1], last[2]) if dates == "day_first" else (last[2], last[1])
        text = f"{last[3]}-{int(month):02}-{int(day):02}"
    bank = _WORLD_BANK_YEAR.fullmatch(text)
    if _NO_PERIOD_CODE.fullmatch(text):
        return None
    expression = read_period(bank[1] if bank else text.removesuffix(".0"))
    if expression is None or expression.relative:
        return None
    reading = expression.on(CALENDAR_YEAR, _REFERENCE)
    return reading.periods[0] if reading.kind == "single" else None


def split_unit(text: str) -> tuple[str, UnitText | None]:
    """A name and the unit that stands behind it: "Revenue (USD m)", revenue_usd, 人口（万人）.

    Of a heading of several rows the periods are no part of the name, and one row may be the unit.
    """
    if BETWEEN in text:
        return _split_rows(text.split(BETWEEN))
    bracketed = _BRACKETED.match(text)
    if bracketed is not None:
        unit = read_unit(bracketed[2])
        if is_known(unit):
            return bracketed[1].strip(), unit
    parts = text.replace("_", " ").rsplit(maxsplit=2)
    if len(parts) == 3:  # inventory_eur_thousand, "Sales EUR million"
        unit = read_unit(f"{parts[1]} {parts[2]}")
        if is_currency(unit) and unit.exponent:
            return text[: len(parts[0])].strip(" _,-"), unit
    tail = _TAIL.match(text)
    if tail is not None:
        unit = read_unit(tail[2].replace("_", " "))
        if unit.exponent or unit.symbol == "%" or is_currency(unit):
            return tail[1].strip(), unit
    return text, None


def period_of_rows(parts: Sequence[str]) -> tuple[str, list[str]]:
    """Return the period that the rows of a heading name, or "", and the rows that do not name it.

    A year over its half is one period: "2023" over "H1".
    """
    whole = [one for one in parts if period_of(one)]
    for pair in permutations(parts, 2) if len(whole) < 2 else ():
        if period_of(" ".join(pair)):
            return " ".join(pair), [one for one in parts if one not in pair]
    return (whole[0] if len(whole) == 1 else ""), [one for one in parts if one not in whole]


def _split_rows(parts: list[str]) -> tuple[str, UnitText | None]:
    names: list[str] = []
    unit: UnitText | None = None
    for part in period_of_rows(parts)[1]:
        own = read_unit(part)
        if names and (is_known(own) or fold(part) in _COUNTS):
            unit = own if is_known(own) else unit
            continue
        name, inner = split_unit(part)
        names.append(name)
        unit = inner or unit
    return " ".join(dict.fromkeys(names)), unit


def is_known(unit: UnitText) -> bool:
    """Whether a text is a unit for certain, not only a word."""
    if unit.exponent:
        return True
    return bool(unit.symbol) and (
        resolve_unit(unit.symbol) is not None or fold(unit.symbol) != fold(unit_words(unit.raw))
        or unit.symbol in ("people", "shares", "households", "employees")
    )  # fmt: skip


def is_currency(unit: UnitText) -> bool:
    """Whether a unit is money, for certain."""
    found = resolve_unit(unit.symbol) if unit.symbol else None
    return found is not None and found.dimension.startswith("currency")
