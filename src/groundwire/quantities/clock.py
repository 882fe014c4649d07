"""Times in running text: of day, and how long something takes.

Times of day are 10:05, 6 pm, 11.45 pm, 17.45 Uhr, 晚上8:45, 9点半; how long something takes may be
said in several words: "an hour", "1 hour 10 minutes", 一小时10分钟.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from groundwire.quantities.numerals import Numeral

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
