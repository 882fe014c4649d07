"""Times in running text: of day, and how long something takes.

Times of day are 10:05, 6 pm, 11.45 pm, 17.45 Uhr, 晚上8:45, 9点半; how long something takes may be
said in several words: "an hour", "1 hour 10 minutes", 一小时10分钟. People also say times of day in
words: "a quarter to eight", "kurz nach elf Uhr abends", 九点半. A time that is said to be near
another one may mean any of the minutes that lie there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from groundwire.quantities.numerals import Numeral, small_letters

if TYPE_CHECKING:
    from groundwire.quantities.finder import Quantity


HALF_DAY = 12 * 60
_NOON = 12
_LATE = frozenset(("中午", "下午", "傍晚", "晚上", "夜里"))
# A number is a time of day where a colon parts its minutes, or where a half of the day follows.
# What follows a T, as in 2026-03-28T10:05, belongs to a moment; what follows a plus to its offset.
_HALVES = "上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|夜里"
_CLOCK = re.compile(
    rf"(?:(?P<han>{_HALVES}) ?"
    r"|(?<![\w:.+,])|(?-i:(?<=[\u3400-\u9fff])))"
    r"(?P<hour>[01]?[0-9]|2[0-4])"
    r"(?:(?P<mark>[:.])(?P<minute>[0-5][0-9])(?::[0-5][0-9])?)?"
    r"(?: ?(?P<half>[ap])(?:m\b|\.m\.)|(?P<uhr> ?Uhr\b))?(?![A-Za-z0-9_]|:[0-9]|\.[0-9])",
    re.IGNORECASE,
)
# 9点 alone may be nine points of an index: it is a time where something says so.
_HAN_CLOCK = re.compile(
    rf"(?:(?P<han>{_HALVES}) ?|(?<![\w:.+,])|(?<=[\u3400-\u9fff]))"
    r"(?P<hour>[01]?[0-9]|2[0-4])[点點]"
    r"(?:(?P<thirty>半)|(?P<minute>[0-5]?[0-9])分|[整钟鐘]|)(?![0-9])"
)
_AFTER_HOUR = frozenset("前后後从到出抵离之以")
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


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day as a text has it.

    Attributes:
        raw: the words.
        span: where they stand.
        minutes: minutes after midnight that it may mean: two where the half of the day is open
            (6:05), else one (18:05, 6:05 pm, 06:05).
    """

    raw: str
    span: tuple[int, int]
    minutes: tuple[int, ...]


def find_clock_times(text: str) -> list[ClockTime]:
    """Every time of day in a text of plain digits, in order."""
    found = [
        ClockTime(match[0], match.span(), minutes)
        for match in _CLOCK.finditer(text)
        if (minutes := _minutes(match))
    ]
    if "点" in text or "點" in text:
        found += _han_clock_times(text)
        found.sort(key=lambda one: one.span)
    return found


def _han_clock_times(text: str) -> Iterator[ClockTime]:
    """Times of day with the word for an hour: 9点半, 下午3点20分, 10点前."""
    for match in _HAN_CLOCK.finditer(text):
        follows = text[match.end() : match.end() + 1]
        told = match["han"] or match["thirty"] or match["minute"] or match[0][-1] in "整钟鐘"
        if not told and (follows not in _AFTER_HOUR or not follows):
            continue
        hour = int(match["hour"])
        at = hour % 24 * 60 + (30 if match["thirty"] else int(match["minute"] or 0))
        if match["han"] and hour <= _NOON:
            at = at % HALF_DAY + (HALF_DAY if match["han"] in _LATE else 0)
        is_open = 1 <= hour <= _NOON and not match["han"] and not match["hour"].startswith("0")
        minutes = (at, (at + HALF_DAY) % (2 * HALF_DAY)) if is_open else (at,)
        yield ClockTime(match[0], match.span(), minutes)


def _minutes(match: re.Match[str]) -> tuple[int, ...]:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if match["han"] and match["mark"] == ":" and hour <= _NOON:
        late = match["han"] in _LATE
        return (hour % _NOON * 60 + minute + (HALF_DAY if late else 0),)
    if match["half"]:
        if not 1 <= hour <= _NOON:
            return ()
        late = match["half"].lower() == "p"
        return (hour % _NOON * 60 + minute + (HALF_DAY if late else 0),)
    if (match["mark"] != ":" and not match["uhr"]) or (hour == 24 and minute):
        return ()
    at = hour % 24 * 60 + minute
    is_open = 1 <= hour <= _NOON and not match["hour"].startswith("0")
    return (at, (at + HALF_DAY) % (2 * HALF_DAY)) if is_open else (at,)


# An article before an hour is a number where it is not a rate ("60 km an hour"): behind a bound or
# a word of lasting, or before its minutes.
_AN_HOUR = re.compile(
    r"(?:an|einer?) (?=hour\b|Stunde\b)(?!\w+ (?:and|und) (?:an?|eine?) )", re.IGNORECASE
)
_LEADS = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|over|under|below|above|than|least|most"
    r"|exactly|just|only|takes?|took|taking|lasts?|lasted|in|within|for|to|of|is|was|be"
    r"|rund|etwa|ungefähr|knapp|gut|fast|nahezu|über|unter|als|genau|nur|dauert|dauerte|braucht"
    r"|brauchst|brauchen|in|von|um)|[~≈(:]) ?$",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"(?:hour|Stunde)(?:,? (?:and|und))? (?:[0-9]{1,2}|[a-zäöü]{3,24})[ -]min", re.IGNORECASE
)
_BETWEEN = re.compile(r"\.?,? ?(?:(?:and|und) |又|零)?")
_LEAD = 18
_SIXTY = Decimal(60)


def hour_by_article(flat: str, start: int) -> Numeral | None:
    """Read an article before "hour" as one, where it tells how long something takes."""
    match = _AN_HOUR.match(flat, start)
    if match is None or (start and flat[start - 1].isalnum()):
        return None
    led = _LEADS.search(flat, max(0, start - _LEAD), start) is not None
    if not led and _FOLLOWS.match(flat, match.end()) is None:
        return None
    return Numeral(Decimal(1), match.end() - 1, 0, 1, Decimal(1), words=True)


def with_hours(flat: str, text: str, hours: Quantity, minutes: Quantity) -> Quantity | None:
    """Return hours and the minutes right behind them as minutes; None where they are two times."""
    if (hours.unit, minutes.unit) != ("h", "min") or minutes.bound or hours.decimals:
        return None
    whole = hours.value >= 0 and hours.value == hours.value.to_integral_value()
    if not whole or not 0 < minutes.value < _SIXTY:
        return None
    if _BETWEEN.fullmatch(flat, hours.span[1], minutes.span[0]) is None:
        return None
    span = (hours.span[0], minutes.span[1])
    value = hours.value * _SIXTY + minutes.value
    return replace(
        minutes,
        value=value,
        span=span,
        raw=text[slice(*span)],
        significant=len(str(value.to_integral_value())) + minutes.decimals,
        bound=hours.bound,
    )


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
