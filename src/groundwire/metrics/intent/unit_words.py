"""Units in a question: one that the metric has changes nothing, any other is left over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent.parsed import Span
from groundwire.quantities import resolve_unit

_SCALE = re.compile("(?:万亿|千万|百万|[万亿])?")
_SCALE_WORD = re.compile(
    r"(?:thousand|million|billion|trillion)s?|mio|mrd|mn|bn|tausend|millionen|milliarden|billionen",
    re.IGNORECASE,
)
_LONGEST_UNIT = 3
_PEOPLE = frozenset(["people", "persons", "人", "名"])
_PERCENT = frozenset(["percentage", "percentages", "百分比", "百分数", "百分率"])

# "In US dollars", "as a percentage"; the unit is the longest of the words that follow.
_OPENING = re.compile(r"\b(?:in|as)\s+(?:an?\s+)?", re.IGNORECASE)
_FOLLOWING = re.compile(r"[^\s\d,;:?!()\[\]]+(?:\s+[^\s\d,;:?!()\[\]]+){0,2}")
# （人民币）, (in USD), (unit: CNY): nothing but a unit between brackets.
_BRACKETED = re.compile(
    r"[(（\[【]\s*(?:(?:(?:in|as|units?)\b|单位|單位)\s*[:：为為是]?\s*|[以按用])?"
    r"(?P<unit>[^()（）\[\]【】]{1,24}?)\s*(?:[计計](?:价|價|算|量)?)?\s*[)）\]】]",
    re.IGNORECASE,
)
# 以人民币计, 按美元计价.
_COUNTED = re.compile(
    r"[以按用](?P<unit>[^\s\d,，。;；:：、?？()（）]{1,6}?)"
    r"(?:[计計][价價算量]?|为单位|為單位|表示)"
)
# 单位：元; unit: CNY.
_NAMED = re.compile(
    r"(?:(?:单位|單位)\s*[:：为為是]?|\bunits?\s*:)\s*"
    r"(?P<unit>[^\s\d,，。;；:：、?？!！()（）.]{1,16})(?=$|[\s,，。;；、?？!！)）.])",
    re.IGNORECASE,
)


class UnitPhrase(NamedTuple):
    """A unit that a question asks for.

    Attributes:
        span: its place, with the words that show that it is one.
        unit: how it is written.
    """

    span: Span
    unit: str


def is_unit(text: str, units: frozenset[str]) -> bool:
    """Whether a text names one of some units.

    Args:
        text: the text, as it is written.
        units: unit symbols, as profiles have them.
    """
    if not text or not units:
        return False
    if "people" in units and text in _PEOPLE:
        return True
    named = _symbol(text)
    return (
        text in units
        or named in units
        or any(one.startswith(f"{named}/") for one in units if named)
    )


@lru_cache(maxsize=4096)
def _symbol(text: str) -> str:
    """The symbol of a unit; "" for what is none."""
    if text.casefold() in _PERCENT:
        return "%"
    simple = chinese.simplified(text)
    found = resolve_unit(simple) or resolve_unit(simple.replace(".", ""))
    return found.symbol if found else ""


def unit_phrases(text: str, units: frozenset[str]) -> list[UnitPhrase]:
    """The phrases of a question that ask for a value in one of some units.

    A scale ("in millions", 万元) says nothing, and its unit is "" where it names none: values are
    given as they are held.

    Args:
        text: the question.
        units: unit symbols of the metrics of a profile.
    """
    return [*_worded(text, units), *_written(text, units)]


def _worded(text: str, units: frozenset[str]) -> Iterator[UnitPhrase]:
    for opening in _OPENING.finditer(text):
        following = _FOLLOWING.match(text, opening.end())
        if following is None:
            continue
        words = list(re.finditer(r"\S+", following[0]))
        scale = _SCALE_WORD.fullmatch(words[0][0].rstrip(".'\""))
        for last in reversed(words):
            unit = following[0][: last.end()].rstrip(".'\"")
            if is_unit(unit, units):
                yield UnitPhrase((opening.start(), opening.end() + len(unit)), unit)
                break
            after = ""
            if scale and len(words) > 1:
                after = unit[words[1].start() :].removeprefix("of ")
            elif _SCALE_WORD.fullmatch(unit.rpartition(" ")[2]):
                after = unit.rpartition(" ")[0]
            if after and is_unit(after, units):
                yield UnitPhrase((opening.start(), opening.end() + len(unit)), after)
                break
        else:
            if scale:
                yield UnitPhrase((opening.start(), opening.end() + len(scale[0])), "")


def _written(text: str, units: frozenset[str]) -> Iterator[UnitPhrase]:
    for pattern in (_BRACKETED, _COUNTED, _NAMED):
        for match in pattern.finditer(text):
            if is_unit(match["unit"], units):
                yield UnitPhrase(match.span(), match["unit"])


def unit_after(text: str, units: frozenset[str]) -> str:
    """The scale word and unit that a text begins with, as after 多少: 亿元; or ""."""
    scale = _SCALE.match(text)
    start = scale.end() if scale else 0
    for length in range(_LONGEST_UNIT, 0, -1):
        if len(text) >= start + length and is_unit(text[start : start + length], units):
            return text[: start + length]
    return ""
