"""Times of day in running text: 10:05, 6 pm, 11.45 pm, 17.45 Uhr, 晚上8:45, 9点半."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HALF_DAY = 12 * 60
_NOON = 12
_LATE = frozenset(("中午", "下午", "傍晚", "晚上", "夜里"))
# A number is a time of day where a colon parts its minutes, or where a half of the day follows.
# What follows a T, as in 2026-03-28T10:05, belongs to a moment; what follows a plus to its offset.
_HALVES = "上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|夜里"
_CLOCK = re.compile(
    rf"(?:(?P<han>{_HALVES}) ?"
    r"|(?<![\w:.+,])|(?<=[\u3400-\u9fff]))"
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
