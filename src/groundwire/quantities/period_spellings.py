"""Other spellings of time, written as the period grammar reads them: German, 31.12.2024, 24Q1."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from groundwire.quantities.dates import whole_year
from groundwire.quantities.words import (
    LANGUAGES,
    language_of,
    tables,
)


@dataclass(frozen=True, slots=True)
class Respelt:
    """A text in the spelling of the grammar, and the way back to the text it was made of.

    Attributes:
        text: the text with its spellings replaced.
        changes: of each replacement where it begins and ends, here and in the first text.
    """

    text: str
    changes: Sequence[tuple[int, int, int, int]] = ()

    def back(self, position: int, *, end: bool = False) -> int:
        """The position in the first text: within a replacement its beginning, or its end."""
        i = bisect_right(self.changes, (position, -1 if end else 1 << 60)) - 1
        if i < 0:
            return position
        start, stop, first, last = self.changes[i]
        if position >= stop:
            return position - stop + last
        return last if end and position > start else first

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span in the first text."""
        return self.back(start), self.back(end, end=True)


_YEAR = "(?:1[5-9]|2[01])[0-9]{2}"
_ALONE = r"(?<![0-9A-Za-z_])(?<![0-9A-Za-z][./,_-])"
_END = r"(?![0-9A-Za-z_])(?![./,_-][0-9])"
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# What joins a period with another one, or leads from it to how its value is told.
_BESIDE = (
    r"(?:to|and|or|vs|versus|than|in|for|by|at|compared"
    r"|bis|und|oder|als|im|von|für|gegen|gegenüber|verglichen)\b"
)
_UNITS = r"(?!\s?(?:%|[$€£]|[a-zµ]{1,3}[²³]?(?![a-z])|million|billion|mio|mrd|points))"


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _dotted(match: re.Match[str]) -> str | None:
    return _iso(match[3], match[2], match[1])


def _slashed(match: re.Match[str]) -> str | None:
    """A day between strokes where it can be no month, or is both."""
    first, second = int(match[1]), int(match[2])
    if first > 12 or first == second:
        return _iso(match[3], match[2], match[1])
    return _iso(match[3], match[1], match[2]) if second > 12 else None


def _year_month(match: re.Match[str]) -> str | None:
    return f"{match[1]}-{int(match[2]):02}" if 1 <= int(match[2]) <= 12 else None


def _dotted_month(match: re.Match[str]) -> str | None:
    """2024.12 and 12.2024, which are decimals too: alone, or where a text writes months so."""
    year, month = (match[1], match[2]) if len(match[1]) == 4 else (match[2], match[1])
    text = match.string
    alone = text.strip() == match[0]
    german = language_of(text, match.start()) in ("de", "umlaut") and len(match[1]) < 4
    chinese = _HAN.search(text) is not None and len(match[1]) == 4
    if not (alone or german or chinese) or not 1 <= int(month) <= 12:
        return None
    return f"{year}-{int(month):02}"


def _month_year(match: re.Match[str]) -> str | None:
    """Dec-98 and Mar/2019; up to 31 the digits may be a day."""
    year = int(match[2])
    if year <= 31:
        return None
    return f"{match[1]} {whole_year(year) if year < 100 else year}"


def _year_quarter(match: re.Match[str]) -> str | None:
    return f"{whole_year(int(match[1]))}Q{match[2]}"


def _quarter_year(match: re.Match[str]) -> str | None:
    return f"Q{match[1]} {whole_year(int(match[3]))}"


_HAN = re.compile("[\u4e00-\u9fff]")
_NUMERIC: tuple[tuple[str, Callable[[re.Match[str]], str | None]], ...] = (
    (rf"{_ALONE}([0-9]{{1,2}})\.([0-9]{{1,2}})\.({_YEAR}){_END}", _dotted),
    (rf"{_ALONE}([0-9]{{1,2}})/([0-9]{{1,2}})/({_YEAR}){_END}", _slashed),
    (rf"{_ALONE}({_YEAR})/([1-9]){_END}", _year_month),
    (rf"{_ALONE}({_YEAR})\.([01][0-9]){_END}{_UNITS}", _dotted_month),
    (rf"{_ALONE}([0-9]{{1,2}})\.({_YEAR}){_END}{_UNITS}", _dotted_month),
    (rf"{_ALONE}({_MONTHS})-([0-9]{{2}}){_END}(?!,?\s?(?:1[5-9]|2[01])[0-9]{{2}})", _month_year),
    (rf"{_ALONE}({_MONTHS})/({_YEAR}){_END}", _month_year),
    (rf"{_ALONE}([0-9]{{2}})Q([1-4]){_END}", _year_quarter),
    (
        rf"{_ALONE}Q([1-4])([-/ ])([0-9]{{2}}){_END}(?!\s?[%$€£]|\s?(?!{_BESIDE})[A-Za-z])",
        _quarter_year,
    ),
)


_Writing = str | Callable[[re.Match[str]], str | None]


@cache
def _spellings() -> tuple[re.Pattern[str], tuple[tuple[str, _Writing], ...]]:
    """One pattern that finds every spelling, and the source of each one's own with its writing."""
    own: list[tuple[str, _Writing]] = []
    latin: list[str] = []
    han: list[str] = []
    groups = re.compile(r"(?<!\\)\((?!\?)")

    def add(pattern: str, written: _Writing, forms: list[str]) -> None:
        forms.append(f"(?P<n{len(own)}>{groups.sub('(?:', pattern)})")
        own.append((pattern, written))

    for pattern, build in _NUMERIC:
        add(pattern, build, latin)
    for language in LANGUAGES:
        for pattern, written in tables(language)["time"]["spellings"]:
            if language == "zh":
                add(pattern, written, han)
                continue
            end = "" if pattern.endswith(" ") or "(?=" in pattern else "(?![A-Za-zÄÖÜäöüß])"
            add(f"(?:{pattern}){end}", written, latin)
    # What begins no spelling is passed over at once.
    pattern = (
        rf"(?<![A-Za-zÄÖÜäöüß0-9])(?=[0-9adefghijklmnoqstvzä])(?:{'|'.join(latin)})"
        rf"|(?=[0-9第前后头的半公年最一中])(?:{'|'.join(han)})"
    )
    return _compiled(pattern), tuple(own)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when a text first has what it finds: most texts have few."""
    return re.compile(pattern, re.IGNORECASE)


def respell(text: str) -> Respelt:
    """Write a folded text as the period grammar reads it."""
    pattern, own = _spellings()
    if not text.isascii() or _NEEDS.search(text) is not None:
        return _respell(text, pattern, own)
    return Respelt(text)


# What every spelling of plain letters and digits has: a mark between digits, or one of its words.
_NEEDS = re.compile(
    r"[0-9][./][0-9]|[0-9][Qq]|[Qq][1-4][-/ ]|-[0-9]"
    r"|[A-Za-z]/[0-9]|-?W[0-9]|qtr|quart|month of|hal[bf]"
    r"|jan|feb|mae?r|mai|jun|jul|okt|dez|jahr|gj|monat|ende|[0-9]\. |[5-9]th",
    re.IGNORECASE,
)


def _respell(text: str, pattern: re.Pattern[str], own: Sequence[tuple[str, _Writing]]) -> Respelt:
    """Replace each spelling that a pattern finds."""
    pieces: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    at = length = 0
    for match in pattern.finditer(text):
        form, written = own[int(str(match.lastgroup)[1:])]
        again = _compiled(form).match(text, match.start())
        if again is None:
            continue
        new = again.expand(written) if isinstance(written, str) else written(again)
        if new is None:
            continue
        pieces += (text[at : again.start()], new)
        start = length + again.start() - at
        length = start + len(new)
        changes.append((start, length, again.start(), again.end()))
        at = again.end()
    if not changes:
        return Respelt(text)
    return Respelt("".join((*pieces, text[at:])), tuple(changes))
