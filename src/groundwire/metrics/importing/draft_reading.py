"""A file that nobody has described, opened for a draft: its header row, and what its rows name.

Where a table of an undescribed file begins and ends, and what is told above it. Headings are the
rows of words right above the first row of numbers. What stands above them may name a unit, a year
or the metric; a row of words after a gap begins another table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from groundwire.errors import InputError
from groundwire.metrics.importing.cells import BadCell, UnitText, read_amount, read_unit
from groundwire.metrics.importing.draft_columns import MOST_ROWS, TOTALS, Column
from groundwire.metrics.importing.draft_roles import ROLE_OF, Roles
from groundwire.metrics.importing.heading_text import Region, Row, is_known, period_of, regions
from groundwire.metrics.importing.mapping import MISSING, Format, Layout
from groundwire.metrics.importing.table import Table, Unreadable, without_mark
from groundwire.quantities import resolve_unit

_NUMBER = re.compile(r"[^A-Za-z]{0,4}[0-9][0-9.,'’ \u00a0\u202f]*[^0-9]{0,6}")
# £000 and '000 are units, no numbers.
_THOUSANDS = re.compile(r"[^0-9A-Za-z]{0,4}0{3}s?")
_YEAR = re.compile(r"(?:1[89]|20|21)[0-9]{2}(?:\.0)?")
_YEARS_WITHIN = re.compile(r"(?<![0-9])(?:19|20|21)[0-9]{2}(?![0-9])")
_MONTH_NAME = re.compile(
    r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zäé]{0,6}\.?|"
    r"(?:1[0-2]|[1-9])月|q[1-4]|h[12]",
    re.IGNORECASE,
)
_TOLD = (
    re.compile(r"\bin ((?:[^\s,;:()]+\s?){1,5})", re.IGNORECASE),
    re.compile(r"\(([^()]{1,40})\)"),
    re.compile(r"(?:单位|單位|金额单位)[:：]\s*([^\s,，;；()（）]{1,12})"),
    re.compile(r"(?:figures|amounts|values|numbers|data)\s(?:are\s)?in\s([^,;.()]{1,40})", re.I),
)
_IN = re.compile(r"\b(?:all figures|figures|amounts|values|in)\b", re.IGNORECASE)
_BEHIND = re.compile(r"\b(?:unless|except|if|by|for|and)\b", re.IGNORECASE)
_BY = re.compile(r"\s(?:by|per|of the|nach|je)\s|,", re.IGNORECASE)
_MOST_HEADER_ROWS = 3
_RENMINBI = "人民币"
_LONGEST_TITLE = 60


@dataclass(slots=True)
class Arrangement:
    """How the rows of a region are a table.

    Attributes:
        layout: header rows and end.
        above: what stands above the headings, the nearest last, with the corner of the headings.
        units: the units that `above` tells, with the text that tells each.
        years: the years that `above` names.
        title: the text above that names what the table holds, or "".
        delimiter: what the cells of a CSV are cut by.
        repeats: whether a row below repeats the headings.
        data_rows: how many rows of numbers there are.
        notes: what a person must look at.
    """

    layout: Layout
    above: list[str] = field(default_factory=list[str])
    units: list[tuple[UnitText, str]] = field(default_factory=list[tuple[UnitText, str]])
    years: list[str] = field(default_factory=list[str])
    title: str = ""
    data_rows: int = 0
    delimiter: str = ""
    repeats: bool = False
    notes: list[str] = field(default_factory=list[str])


_MISSING = frozenset(MISSING)


@dataclass(slots=True)
class Found:
    """The names in the rows of a table, counted.

    Attributes:
        entities, metrics: (code, label) with how often they stand there; "" where there is none.
        channels: channels with how often.
        units: units of each metric, with how often.
        cell_units: of each metric the units that cells of values name, "" for none.
        column_units: of each column of values, by its index, what its column of units says.
        periods: texts of periods (or days from and to) with how often.
        repeated: how many values are of a metric, entity, channel and period seen before.
    """

    entities: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    metrics: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    channels: Counter[str] = field(default_factory=Counter[str])
    units: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    cell_units: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    column_units: dict[int, Counter[str]] = field(default_factory=dict[int, Counter[str]])
    channels_of: dict[tuple[str, str], set[str]] = field(
        default_factory=dict[tuple[str, str], set[str]]
    )
    periods: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    repeated: int = 0


def find_layout(path: Path, form: Format, told: Layout, header: int) -> Arrangement:
    """How a file can be opened: its sheet or table, header rows, delimiter and end.

    Args:
        path: the file.
        form: its format.
        told: what a person told of it: encoding, sheet.
        header: the row of the headings, if a person told it.

    Raises:
        InputError: no row looks like headings.
    """
    told = told.model_copy(update={"format": form})
    if form == "parquet":
        return Arrangement(told)
    found = [(_arrange(region, header), region) for region in regions(path, form, told)]
    if not found:
        raise InputError(f"{path.name} is empty: send a file with a row of headings")
    best, region = max(found, key=lambda pair: pair[0].data_rows)
    others = [one.name for one_best, one in found if one is not region and one_best.data_rows > 1]
    if others:
        shown = ", ".join(others[:5])
        way = "name one by --sheet" if form == "xlsx" else "set layout.table for another"
        best.notes.append(f"{region.name} was read; {shown} hold tables too: {way}")
    if form == "xlsx" and not told.sheet and best.layout.sheet:
        first = found[0][1].layout.sheet
        if best.layout.sheet == first:
            best.layout = best.layout.model_copy(update={"sheet": ""})
    return best


def read_found(table: Table, roles: Roles) -> Found:
    """Read what the rows of a table name."""
    found = Found()
    seen: set[int] = set()
    wide = roles.kind == "wide"
    for number, (_, cells) in enumerate(table.records):
        if number >= MOST_ROWS:
            break
        if isinstance(cells, Unreadable) or len(cells) < len(table.headings) // 2:
            continue
        values = [one for one in roles.values if _cell(cells, one) not in _MISSING]
        if not values:
            continue
        entity = _cell(cells, roles.entity_code), _cell(cells, roles.entity)
        metric = _cell(cells, roles.metric_code), _cell(cells, roles.metric)
        names = (entity[1] or metric[1], roles.period_text(cells))
        if roles.leave_out and any(map(TOTALS.fullmatch, names)):
            continue
        channel, unit = _cell(cells, roles.channel), _cell(cells, roles.unit)
        found.entities[entity] += 1
        found.metrics[metric] += 1
        found.channels[channel] += 1
        found.channels_of.setdefault(entity, set()).add(channel)
        found.units.setdefault(metric[1] or metric[0], Counter())[unit] += 1
        for one in values:
            own = _cell(cells, roles.unit_of.get(one.index))
            found.column_units.setdefault(one.index, Counter())[own] += 1
        if roles.metric is not None or roles.metric_code is not None:
            units = found.cell_units.setdefault(metric[1] or metric[0], Counter())
            units.update(unit_in_cell(_cell(cells, one)) for one in values)
        if not wide and not roles.values[0].when:
            when = roles.period_text(cells)
            found.periods[(_cell(cells, roles.start), when)] += 1
            when_key = when, _cell(cells, roles.start), _cell(cells, roles.as_of)
            key = hash((entity, metric, channel, when_key))
        else:
            key = hash((entity, metric, channel))
        found.repeated += key in seen
        seen.add(key)
    if wide and not roles.values[0].dated:
        found.periods.update(
            {("", text): 1 for column in roles.values if (text := roles.dated(column.heading))}
        )
    found.periods.update({("", one.when): 1 for one in roles.values if one.when})
    return found


def unit_in_cell(cell: str) -> str:
    """The unit that a cell of a value names, as a text that can be read again; "" for none."""
    if not cell.strip("0123456789.,-+ ()"):
        return ""
    for decimal_comma in (False, True):
        try:
            unit = read_amount(cell, decimal_comma).unit
        except BadCell:
            continue
        return unit.symbol if unit is not None else ""
    return ""


def _cell(cells: Sequence[str], column: Column | None) -> str:
    return cells[column.index].strip() if column is not None and column.index < len(cells) else ""


def _arrange(region: Region, header: int) -> Arrangement:
    """Find headings, end, and what is told above.

    Args:
        region: the rows.
        header: the row of the headings, if a person named it; 0 finds it.
    """
    rows = region.rows
    first = _first_data(rows, header)
    if first is None:
        return Arrangement(region.layout, list(region.above), notes=list(region.notes))
    top, count = _headings(rows, first, header)
    found = Arrangement(region.layout, delimiter=region.delimiter, notes=list(region.notes))
    ahead = [_texts(cells) for _, cells in rows[:top]]
    corner = rows[top][1][0].strip() if rows[top][1] else ""
    found.above = [*region.above, *(" ".join(texts) for texts in ahead if texts)]
    _told(found, corner)
    last = _end(rows, first, top, found)
    below = rows[last + 1 :]
    names = [cells for _, cells in rows[first : last + 1]]
    marks = any(without_mark(cell) != cell.strip() for cells in names for cell in cells)
    update: dict[str, object] = {"header_row": rows[top][0]}
    if count > 1:
        update["header_rows"] = count
        found.notes.append(
            f"rows {rows[top][0]} to {rows[top + count - 1][0]} were read as one heading"
        )
    if below:
        update["last_row"] = rows[last][0]
    if found.repeats:
        update["repeated_headings"] = True
    if marks:
        update["footnotes"] = True
        found.notes.append(
            "signs of footnotes behind names and numbers are cut off: read the notes"
        )
    width = max(len(cells) for _, cells in rows[first : last + 1])
    heads = [cells for _, cells in rows[top : top + count]]
    if any(
        _column_is_used(names, index)
        and not any(index < len(head) and head[index].strip() for head in heads)
        for index in range(width)
    ):
        update["blank_headings"] = True
    found.layout = region.layout.model_copy(update=update)
    found.data_rows = sum(_is_data(cells) for cells in names)
    return found


def _texts(cells: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in cells if cell.strip()]


def _column_is_used(rows: Sequence[Sequence[str]], index: int) -> bool:
    return any(index < len(cells) and cells[index].strip() for cells in rows)


def _is_period(text: str) -> bool:
    return bool(_YEAR.fullmatch(text) or _MONTH_NAME.fullmatch(text)) or (
        len(text) <= 24 and period_of(text) is not None
    )


def _is_data(cells: Sequence[str]) -> bool:
    """Whether a row holds a number other than a period, beside another cell."""
    texts = _texts(cells)
    return len(texts) > 1 and any(
        text[:1] == "="
        or (_NUMBER.fullmatch(text) and not _is_period(text) and not _THOUSANDS.fullmatch(text))
        for text in texts
    )


def _first_data(rows: Sequence[Row], header: int) -> int | None:
    for index, (number, cells) in enumerate(rows):
        if (
            number > header
            and _is_data(cells)
            and not (index == 0 and not header and len(rows) > 1 and _is_unit_row(cells))
        ):
            return index
    # Values that all look like years: the second row of full width is data then.
    full = [index for index, (_, cells) in enumerate(rows) if len(_texts(cells)) > 1]
    return full[1] if len(full) > 1 else None


def _is_unit_row(cells: Sequence[str]) -> bool:
    texts = _texts(cells)
    return bool(texts) and all(_is_unit(text) or _is_period(text) for text in texts)


def _is_unit(text: str) -> bool:
    return is_known(read_unit(text)) or text.lower() in ("persons", "number", "anzahl", "#")


def _headings(rows: Sequence[Row], first: int, header: int) -> tuple[int, int]:
    """The index of the first row of headings, and how many there are."""
    if header:
        named = [index for index, (number, _) in enumerate(rows) if number >= header]
        top = named[0] if named and named[0] < first else max(first - 1, 0)
        return top, max(1, _depth(rows, top, first))
    block: list[int] = []
    for index in range(first - 1, -1, -1):
        # One text alone is a title, but for the heading of the only other column.
        if len(_texts(rows[index][1])) < 2 and (block or len(rows[first][1]) > 2):
            break
        if block and rows[index][0] != rows[block[-1]][0] - 1:
            break
        block.append(index)
    if not block:
        return max(first - 1, 0), 1
    while len(block) > 1 and _is_record(rows[block[0]][1]):
        first = block.pop(0)
    for top in reversed(block[:_MOST_HEADER_ROWS]):
        depth = _depth(rows, top, first)
        if top + depth == first:
            return top, depth
    return block[-1], 1


def _is_record(cells: Sequence[str]) -> bool:
    """Whether a row without numbers is one of values that are missing: "Chad, 2020, n.a."."""
    texts = [cell.strip() for cell in cells]
    periods = sum(_is_period(text) for text in texts if text)
    words = sum(bool(text) and not _is_period(text) for text in texts[1:])
    return bool(texts and texts[0]) and periods == 1 and words > 0


def _depth(rows: Sequence[Row], top: int, first: int) -> int:
    """How many rows of headings begin at a row: a lower one fills gaps, or tells units."""
    depth = 1
    while top + depth < first and depth < _MOST_HEADER_ROWS:
        upper, lower = rows[top + depth - 1][1], rows[top + depth][1]
        if len(_texts(upper)) < 2:
            break
        gaps = any(
            cell.strip() and (at >= len(upper) or not upper[at].strip())
            for at, cell in enumerate(lower)
        )
        same = bool(upper and lower) and upper[0].strip() == lower[0].strip() != ""
        blank = bool(lower) and not lower[0].strip()
        filled = (blank and (gaps or _is_unit_row(lower))) or (same and len(_texts(lower)) > 1)
        if not filled and not _stands_over(upper, lower):
            break
        depth += 1
    return depth


def _stands_over(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether a row without a corner stands over one with it: years over metrics, or so."""
    over, under = _texts(upper), _texts(lower)
    if not upper or not lower or upper[0].strip() or not lower[0].strip():
        return False
    repeats = len(set(under[1:])) < len(under) - 1
    return len(under) > len(over) and (repeats or all(map(_is_period, over)))


def _end(rows: Sequence[Row], first: int, top: int, found: Arrangement) -> int:
    """The index of the last row of the table; what stands below it is noted."""
    last = first
    heads = [text.casefold() for text in _texts(rows[top][1])]
    wide = len(_texts(rows[first][1])) > 1
    for index in range(first + 1, len(rows)):
        number, cells = rows[index]
        texts = _texts(cells)
        again = [text.casefold() for text in texts] == heads
        gap = number != rows[index - 1][0] + 1 or len(_texts(rows[index - 1][1])) < 2
        words = len(texts) > 1 and not _is_data(cells) and not set(texts) & _MISSING
        if wide and words and gap and index + 1 == len(rows):
            continue
        if wide and again and _same_cells(cells, rows[top][1]):
            if not found.repeats:
                found.notes.append(f"row {number} repeats the headings and is left out")
            found.repeats = True
            continue
        if wide and (words and gap) and index + 1 < len(rows):
            found.notes.append(
                f"the whole table ends at row {rows[last][0]}: another one begins at row {number}, "
                "which is not read; copy it into a file of its own"
            )
            return last
        if len(texts) > 1 or not wide:
            last = index
    rest = [text for _, cells in rows[last + 1 :] for text in _texts(cells)]
    within = [
        f"row {number}" for number, cells in rows[first:last] if wide and len(_texts(cells)) == 1
    ]
    if within:
        found.notes.append(
            f"{', '.join(within[:5])} of the table hold one text alone and give no values"
        )
    if rest:
        found.notes.append(f"what stands below the table is not read: {_short(rest[0])}")
        _units_of(found, [rest[-1], *rest[:3]])
    return last


def _same_cells(one: Sequence[str], other: Sequence[str]) -> bool:
    return [cell.strip() for cell in one] == [cell.strip() for cell in other]


def _told(found: Arrangement, corner: str) -> None:
    """Read units, years and a title out of what stands above."""
    _units_of(found, [*found.above, *([corner] if corner else [])])
    for text in found.above:
        found.years += _YEARS_WITHIN.findall(text)
    # The nearest text that names something: not only a unit, no sentence.
    for text in reversed(found.above):
        named = _title_of(text)
        if named and len(named) <= _LONGEST_TITLE and not named.endswith((".", "!", "?")):
            found.title = named
            break


def _units_of(found: Arrangement, texts: Sequence[str]) -> None:
    for text in texts:
        unit = told_unit(text)
        if unit is not None and unit.symbol not in [one.symbol for one, _ in found.units]:
            found.units.append((unit, text))


def told_unit(text: str) -> UnitText | None:
    """The unit that a line of text tells: "(in millions of USD)", "Figures in £000", 单位：万元."""
    text = text.strip()
    whole = _unit_of(text)
    if whole is not None:
        return whole
    for pattern in _TOLD:
        for match in pattern.finditer(text):
            words = _BEHIND.split(match[1], maxsplit=1)[0].strip(" .:;,")
            words = words.removeprefix("in ")
            parts = words.split()
            for end in range(len(parts), 0, -1):
                unit = _unit_of(" ".join(parts[:end]).rstrip("."))
                if unit is not None:
                    return unit
    tail = text.split(",")[-1]
    return _unit_of(tail) if tail != text else None


def _unit_of(text: str) -> UnitText | None:
    if not text or len(text) > 40 or _YEAR.fullmatch(text) or text.casefold() in ROLE_OF:
        return None
    unit = read_unit(text.removeprefix(_RENMINBI))
    if text.startswith(_RENMINBI) and unit.symbol == "CNY":
        unit = replace(unit, currencies=(), raw=text)
    if not is_known(unit) or (len(text) == 1 and text.isalpha() and text != "t"):
        return None
    return unit if unit.symbol and resolve_unit(unit.symbol) is not None else None


def _title_of(text: str) -> str:
    """Return the subject of a title, without its unit, its years and how it is broken down."""
    if told_unit(text) is not None:
        text = re.sub(r"[(（][^()（）]{0,60}[)）]", " ", text)
        tail = _IN.search(text)
        text = text[: tail.start()] if tail is not None else text
        if told_unit(text) is not None:
            return ""
    text = _YEARS_WITHIN.sub(" ", text)
    return " ".join(_BY.split(text, maxsplit=1)[0].split()).strip(" -–:,")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
