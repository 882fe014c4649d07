"""Times of day as people say them: "a quarter to eight", "kurz nach elf Uhr abends", 九点半.

A time that is said to be near another one may mean any of the minutes that lie there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.quantities.clock import HALF_DAY, ClockTime, find_clock_times
from groundwire.quantities.numerals import small_letters

# How far from a time the words around it reach, in minutes, the nearest first.
_REACH: Mapping[str, Sequence[int]] = {
    "until": range(0, -16, -1),
    "soon_before": range(-1, -16, -1),
    "soon_after": range(1, 16),
    "roughly": sorted(range(-5, 6), key=abs),
}
_MOST_BEFORE = 40
_DAY = 2 * HALF_DAY
_END = r"(?=\s*(?:[.,;:!?)。，；：！？）]|$))"
_HAN_HOUR = r"(?<![一二两三四五六七八九十0-9第])"


def find_spoken_times(text: str) -> list[ClockTime]:
    """Return every time of day in a text, those in words too, in order.

    Args:
        text: a text of plain digits that is known to speak of times of day.
    """
    written, small = find_clock_times(text), small_letters(text)
    taken = [one.span for one in written]
    found = [
        one
        for pattern, language, needed in _patterns()
        if any(word in small for word in needed)
        for match in pattern.finditer(small)
        if (one := _read(match, language)) is not None
        and not any(a < one.span[1] and one.span[0] < b for a, b in taken)
    ]
    longest: list[ClockTime] = []
    for one in sorted([*written, *found], key=lambda it: (it.span[0], -it.span[1])):
        if not longest or one.span[0] >= longest[-1].span[1]:
            longest.append(one)
    return [_placed(one, text) for one in longest]


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    path = files("groundwire.quantities") / "spoken_clock.toml"
    return tomllib.loads(path.read_text("utf-8"))


def _any(words: Sequence[str]) -> str:
    return "|".join(words) or "(?!)"


@cache
def _patterns() -> Sequence[tuple[re.Pattern[str], str, Sequence[str]]]:
    """Return the patterns of times in words, in small letters.

    Beside each stand its language and texts of which one is in whatever it matches.
    """
    found: list[tuple[re.Pattern[str], str, Sequence[str]]] = []
    for language, own in _tables().items():
        longest = sorted(own["hours"], key=len, reverse=True)
        hour = rf"(?P<hour>{_any(longest)})"
        minutes = rf"(?P<minutes>{_any(sorted(own['minutes'], key=len, reverse=True))})"
        oclock, half = _any(own["oclock"]), _any([*own["early"], *own["late"]])
        if language == "zh":
            behind = rf"(?:{minutes}|{oclock}|(?={_any(own['follows'])})|{_END})"
            patterns = {
                rf"(?:{half}) ?(?:{hour}|(?P<digits>1[0-2]|[1-9]))点(?:{minutes}|{oclock})?": "点",
                rf"{_HAN_HOUR}(?:{hour}|(?P<digits>1[0-2]|[1-9]))点{behind}": "点",
            }
        else:
            sides = rf"(?:{_any(own['past'])}|(?P<to>{_any(own['to'])}))"
            any_hour = rf"(?:{hour}|(?P<digits>1[0-2]|[1-9]))(?![\w:])"
            goes_on = rf"(?!\w)(?:{_END}|(?=\s+(?:{_any(own['follows'])}|{half})\b))"
            patterns = {
                rf"\b(?P<half>{_any(own['half'])})\s{any_hour}": own["half"],
                rf"\b{minutes}\s{sides}\s{any_hour}(?!\s(?:min|stop|stat|halt))": [" "],
                rf"\b{hour}\s(?:{oclock})(?!\w)": own["oclock"],
                rf"\b(?:{_any(own['leads'])})\s(?P<time>{hour}{goes_on})": own["leads"],
            }
        found += [(re.compile(one), language, needed) for one, needed in patterns.items()]
    return found


def _read(match: re.Match[str], language: str) -> ClockTime | None:
    own, said = _tables()[language], match.groupdict()
    span = match.span("time" if "time" in said else 0)
    before = match.string[max(0, span[0] - _MOST_BEFORE) : span[0]]
    if re.search(_any(own["not_behind"]), before, re.IGNORECASE):
        return None
    digits = said.get("digits")
    hour = int(digits) if digits else _place(said["hour"], own["hours"])
    at = hour * 60
    if said.get("half"):
        at += -30 if own["half_before"] else 30
    worded = said.get("minutes")
    if worded:
        minutes = next(n for word, n in own["minutes"].items() if re.fullmatch(word, worded, re.I))
        at += -minutes if said.get("to") else minutes
    return ClockTime(match.string[slice(*span)], span, (at % _DAY, (at + HALF_DAY) % _DAY))


def _place(word: str, words: Sequence[str]) -> int:
    """Return the number of an hour that is written as a word."""
    return next(n for n, one in enumerate(words, 1) if re.fullmatch(one, word, re.IGNORECASE))


def _placed(clock: ClockTime, text: str) -> ClockTime:
    """Return a time with the words around it that say its half of the day, or that it is near."""
    start, end = clock.span
    minutes = clock.minutes
    for language, own in _tables().items():
        han = language == "zh"
        for name in ("early", "late"):
            behind = re.compile(rf"\s*(?:{_any(own[name])})(?!\w)", re.IGNORECASE)
            if han and re.match(_any(own[name]), clock.raw):
                minutes = _of_half(minutes, name)
            elif not han and (match := behind.match(text, end)):
                minutes, end = _of_half(minutes, name), match.end()
        for name in _REACH:
            space = r"\s*" if han else r"\s+"
            if han or name in ("until", "roughly"):
                match = re.compile(rf"{space}(?:{_any(own[name])})", re.I).match(text, end)
                end = match.end() if match else end
            else:
                pattern = re.compile(rf"\b(?:{_any(own[name])})\s+$", re.I)
                match = pattern.search(text, max(0, start - 28), start)
                start = match.start() if match else start
            if match:
                minutes = _near(minutes, name)
    return replace(clock, raw=text[start:end], span=(start, end), minutes=minutes)


def _of_half(minutes: Sequence[int], name: str) -> tuple[int, ...]:
    own = tuple(at for at in minutes if (at < HALF_DAY) == (name == "early"))
    return own or tuple(minutes)


def _near(minutes: Sequence[int], name: str) -> tuple[int, ...]:
    """Return the minutes that lie before, after or around some."""
    return tuple((at + offset) % _DAY for at in minutes for offset in _REACH[name])
