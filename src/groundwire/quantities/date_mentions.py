"""Dates of a text as intervals: written dates, and years with the part of them that is meant."""

from __future__ import annotations

import re
from datetime import date
from typing import cast, get_args

from groundwire.quantities.dates import DateMention, Grain, find_written_dates
from groundwire.quantities.period_grammar import scan
from groundwire.quantities.period_meaning import Point, Span, read_meaning
from groundwire.quantities.periods import CALENDAR_YEAR

# Words and marks of which a text with a part of a year has one; the rest is not read for them.
_PART = re.compile(
    r"(?<![A-Za-z])(?:[1-4]st|[1-4]nd|3rd|4th|quarter|quartal|qtr|half|hälfte|halbjahr|halfyear"
    r"|year[ -]?end|end[ -]|ende |months?\b|monat|jahres|jän|jaen|jan|feb|mär|mae?r|apr|may|mai"
    r"|jun|jul|aug|sep"
    r"|o[ck]t|nov|de[cz]|Q[ '-]?[1-4]|H[ '-]?[12]|f[qh][1-4]|q[ua]|FY)"
    r"|[0-9](?:[QHM](?![A-Za-z])|Q)|[半季月报底末]"
    r"|[0-9][./][12][0-9]{3}(?![0-9])|(?<![0-9])[12][0-9]{3}[./][0-9]",
    re.IGNORECASE,
)
_GRAINS: frozenset[str] = frozenset(get_args(Grain))


def find_dates(text: str) -> list[DateMention]:
    """Find every date with a year, in order, without overlap.

    Read are ISO days, times and months, English, Chinese and German dates, months, quarters,
    halves and other parts of a year, fiscal and calendar years. Four digits are no year where they
    count something ("2024 assets"). Dates that could be read in two ways (03/05/2024) are not read.
    """
    written = find_written_dates(text)
    if _PART.search(text) is None:
        return written
    parts = _parts(text)
    if not parts:
        return written
    kept: list[DateMention] = []
    i = 0
    for mention in written:
        while i < len(parts) and parts[i].span[1] <= mention.span[0]:
            kept.append(parts[i])
            i += 1
        if i < len(parts) and parts[i].span[0] < mention.span[1]:
            part = parts[i]
            finer = part.end - part.start <= mention.end - mention.start
            if finer and part.span[0] <= mention.span[0] and mention.span[1] <= part.span[1]:
                continue  # its part is read instead
            i += 1
        kept.append(mention)
    return kept + parts[i:]


def _parts(text: str) -> list[DateMention]:
    """The parts of years that a text names, as the period grammar reads them."""
    found = scan(text)
    parts: list[DateMention] = []
    for mark in found.marks:
        meaning = mark.meaning
        if isinstance(meaning, Point):
            if meaning.year is None or (meaning.part is None and not meaning.closing):
                continue
        elif (
            not isinstance(meaning, Span)
            or meaning.first.year is None
            or not meaning.first.part
            or meaning.first.year != meaning.last.year
        ):
            continue
        reading = read_meaning(meaning, "", CALENDAR_YEAR, date(2000, 1, 1))
        if not reading.periods:
            continue
        first, last = reading.periods[0], reading.periods[-1]
        span = found.respelt.span(mark.start, mark.end)
        grain: Grain = "part"
        if len(reading.periods) == 1 and first.grain in _GRAINS:
            grain = cast("Grain", first.grain)
        raw = text[slice(*span)]
        parts.append(DateMention(first.start, last.end, grain, span, raw, bool(first.fiscal)))
    return parts
