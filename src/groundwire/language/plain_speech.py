"""Short and spoken forms of words written out: "whats", "pls", "w/", "half an hour", "in October".

Who reads questions reads the text that these functions return; what is shown to a user is what
they wrote.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.quantities import CALENDAR_YEAR, PeriodExpression, find_periods, find_undated
from groundwire.quantities.numerals import any_of, time_words
from groundwire.quantities.period_meaning import Part, Point, Rolling
from groundwire.quantities.periods import MONTHS, later
from groundwire.quantities.units import resolve_unit

_HAN = re.compile(r"[\u3400-\u9fff]")
_NO_NUMBER = r"(?<!\d )"
_HALF = re.compile(r"(?<!\w)half (?:an?|1) (?=\w)", re.IGNORECASE)
_POINT = re.compile(r"(?<![\w.,])\.(?=\d+(?!\w))")
_GLUED = re.compile(r"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?)(?P<unit>[a-zµ]{1,3}[²³23]?)(?!\w)")
_AHEAD = 45
"""Days from today in which a month without a year may begin."""

_THOUSANDS = re.compile(r"(?<![\w.,])(\d{2,3}|\d+[.,]\d+)k(?![\w])", re.IGNORECASE)


def plain_speech(text: str) -> str:
    """Return a text with short and spoken forms written out; thanks and greetings are left out."""
    return _replaced(text, "forms")


def plain_adjectives(text: str) -> str:
    """Return a text with the adjective of a continent as its name: "Africa country"."""
    return _replaced(text, "adjectives")


def plain_amounts(text: str) -> str:
    """Return a text with a time in words as a figure: "half an hour" is "30 minutes"."""
    return _HALF.sub("0.5 ", _replaced(text, "amounts"))


def plain_numbers(text: str) -> str:
    """Return a text with short numbers written out: ".3" is 0.3, "50k" is 50000, "5kg" is 5 kg.

    One figure before a k is left: "4k" is what a picture is called.
    """
    text = _GLUED.sub(_apart, _POINT.sub("0.", text))
    return _THOUSANDS.sub(lambda found: f"{Decimal(found[1].replace(',', '.')) * 1000:.0f}", text)


def plain_dates(text: str, today: date) -> str:
    """Return a text with the year of its days and months that name none, and of "last month".

    A month is the one that lies nearest, half a quarter ahead at most; behind "since" it is past.
    """
    text = _day_of_month().sub(lambda found: _with_month(found, today), text)
    later_one: tuple[int, Part, int] | None = None
    found = [*_told_from(text), *_undated(text)]
    for one in sorted(found, key=lambda one: one.span, reverse=True):
        part, (start, end) = _part(one), one.span
        before = text[:start]
        if part is None:
            text = _on_days(one, before, today) + text[end:]
            continue
        joined = later_one is not None and text[end : later_one[0]].strip().lower() in _joints()
        if later_one is not None and joined:
            year = later_one[2] - (
                (part.skipped, part.day) > (later_one[1].skipped, later_one[1].day)
            )
        else:
            year = _year(part, today, is_past=_since().search(before) is not None)
        later_one = start, part, year
        said = f"{year}年{one.raw}" if "月" in one.raw else f"{one.raw} {year}"
        text = before + said + text[end:]
    return text


def _told_from(text: str) -> list[PeriodExpression]:
    """Return the times that are told from today: "last month", "the last two years", 上个月."""
    return [one for one in find_periods(text) if one.relative and _grain(one) in (*MONTHS, "day")]


def _grain(one: PeriodExpression) -> str:
    """Return the length of a time that is told from today, or "" for a range of such times."""
    if isinstance(one.meaning, Rolling):
        return one.meaning.grain or ""
    return "year" if isinstance(one.meaning, Point) else ""


def _on_days(one: PeriodExpression, before: str, today: date) -> str:
    """Return the text before a time that is told from today, with that time as dates."""
    is_han, led = _HAN.search(one.raw) is not None, _at().search(before)
    if isinstance(one.meaning, Rolling):
        count, grain = one.meaning.count, one.meaning.grain or "day"
        ahead = any(word in one.raw.lower() for word in _data()["times"]["ahead"])
        step = count if ahead else -count
        months = MONTHS.get(grain)
        day = later(today, months * step) if months else today + timedelta(days=step)
        if is_han:
            return before + (f"{today}到{day}" if ahead else f"{day}以来")
        head = before[: led.start()] if led else before
        return f"{head}between {today} and {day}" if ahead else f"{head}since {day}"
    period = one.on(CALENDAR_YEAR, today).periods[0]
    year, month, grain = period.start.year, period.start.month, period.grain
    if grain not in MONTHS or (before.lower().endswith("the ") and not led):
        return before + one.raw
    if is_han:
        return f"{before}{year}年" + (f"{month}月" if grain == "month" else "")
    shown = f"{period.start:%B %Y}" if grain == "month" else period.label
    is_bound = led or before.lower().endswith((" of ", " for ", "'s "))
    return f"{before}{'' if is_bound else 'in '}{shown}"


def _undated(text: str) -> list[PeriodExpression]:
    """Return the days and months without a year that a word of time stands before: no names."""
    found: list[PeriodExpression] = []
    for one in find_undated(text):
        between = text[found[-1].span[1] : one.span[0]] if found else ""
        is_joined = between.strip().lower() in _joints()
        is_led = _at().search(text[: one.span[0]]) and not _name().match(text, one.span[0])
        if "月" in one.raw or is_joined or is_led:
            found.append(one)
    return found


def _part(one: PeriodExpression) -> Part | None:
    """Return the day or month of an expression that names no year, else None."""
    return one.meaning.part if isinstance(one.meaning, Point) and not one.relative else None


def _year(part: Part, today: date, *, is_past: bool) -> int:
    """Return the year of a day or month that names none."""
    last = today if is_past else today + timedelta(days=_AHEAD)
    return last.year - ((part.skipped + 1, part.day or 1) > (last.month, last.day))


def _with_month(found: re.Match[str], today: date) -> str:
    """Return a day with its month, the last one that had it: "since the 16th"."""
    month = today.month - (int(found["day"]) > today.day)
    return f"{found[0].rstrip('.')} {date(2000, month or 12, 1):%B}"


@cache
def _joints() -> frozenset[str]:
    return time_words("range") | time_words("both") | time_words("each")


@cache
def _day_of_month() -> re.Pattern[str]:
    """Return what finds a day alone behind a word of time: "since the 16th", "ab dem 16."."""
    return re.compile(
        rf"{_at().pattern[:-1]}(?P<day>[12]?\d|3[01])(?:st|nd|rd|th|\.)(?=\W*$)", re.IGNORECASE
    )


@cache
def _at() -> re.Pattern[str]:
    """Return what finds a word of time at the end of a text."""
    words = any_of((*_data()["times"]["at"], *_data()["times"]["since"]))
    return re.compile(rf"(?<!\w)(?:{words}) (?:(?:the|dem|den) )?$", re.IGNORECASE)


@cache
def _name() -> re.Pattern[str]:
    """Return what finds a name of a person that begins like a month: "by May Reed"."""
    return re.compile(rf"(?:{any_of(_data()['times']['names'])}) [A-Z]")


@cache
def _since() -> re.Pattern[str]:
    words = any_of(_data()["times"]["since"])
    return re.compile(rf"(?<!\w)(?:{words}) ?(?:(?:the|dem|den) )?$", re.IGNORECASE)


def _apart(found: re.Match[str]) -> str:
    """Return a number and its unit with a space between them; anything else as it is written."""
    unit = found["unit"]
    # "1990s", "3d" and "2x" are no figures in a unit.
    is_unit = resolve_unit(unit) is not None and (len(unit) > 1 or unit in "mhtg")
    return f"{found['number']} {unit}" if is_unit else found[0]


def _replaced(text: str, table: str) -> str:
    words, pattern = _table(table)
    made = pattern.sub(lambda found: words[found[0].casefold()], text)
    if made == text:
        return text
    made = re.sub(r"(?<!\s)\s+(?=[?.!,，。？！]|$)", "", re.sub(r"[ \t]{2,}", " ", made))
    # Who only says thanks asks nothing, and is left as they are.
    return made.strip(" ,，、") or text


def _slips(word: str) -> Iterator[str]:
    """Yield a word with two letters turned round, one left out or one doubled, not the first."""
    for at in range(1, len(word)):
        yield f"{word[:at]}{word[at]}{word[at:]}"
        if word[at : at + 2] != word[at : at + 2][::-1]:
            yield f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}"
        if len(word) > _LEAST_WORD:
            yield f"{word[:at]}{word[at + 1 :]}"


_LEAST_WORD = 4


@cache
def _data() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads((files(__package__ or "") / "plain_speech.toml").read_text("utf-8"))


@cache
def _table(name: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    words = {form.casefold(): word for word, forms in _data()[name].items() for form in forms}
    if name == "forms":
        said = _data()["misspelt"]
        slips = {form: word for word in said["words"] for form in _slips(word)}
        words |= {one: slips[one] for one in slips.keys() - words.keys() - {*said["spared"]}}
    # One letter behind a number is a unit: "300 w".
    parts = [
        re.escape(one)
        if _HAN.search(one)
        else rf"(?<![\w'’]){_NO_NUMBER if len(one) == 1 else ''}{re.escape(one)}(?![\w'’/&])"
        for one in sorted(words, key=len, reverse=True)
    ]
    return words, re.compile("|".join(parts), re.IGNORECASE)
