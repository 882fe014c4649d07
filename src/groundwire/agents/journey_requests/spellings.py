"""Other spellings: umlauts as two letters, and days of a month in Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Mapping

from groundwire.agents.journey_requests.fillers import WORDS

_UMLAUTS: Mapping[str, str] = WORDS["umlauts"]
# A word that begins like one of those, and is in no name that stands in marks.
_AS_TWO = re.compile(
    rf"(?<![\w’'-])(?:{'|'.join(sorted(_UMLAUTS, key=len, reverse=True))})(?![^「」]{{0,80}}」)",
    re.IGNORECASE,
)
_DIGITS = "零一二三四五六七八九"
_DAY_OF_MONTH = re.compile(
    r"([一二三四五六七八九十]{1,2}|\d{1,2})\s?月\s?([一二三四五六七八九十]{1,3}|\d{1,2})\s?([日号])"
)


def plainly_spelled(text: str) -> str:
    """Return a request with umlauts and with days of a month in digits."""
    text = _AS_TWO.sub(lambda match: _with_umlaut(match[0]), text)
    return _DAY_OF_MONTH.sub(
        lambda match: f"{_number(match[1])}月{_number(match[2])}{match[3]}", text
    )


def _with_umlaut(word: str) -> str:
    said = _UMLAUTS[word.lower()]
    return said[0].upper() + said[1:] if word[0].isupper() else said


def _number(words: str) -> int:
    """A number below 100: "二十六" or "26"."""
    if words.isdecimal() and words.isascii():
        return int(words)
    tens, ten, ones = words.rpartition("十")
    return (_DIGITS.index(tens) if tens else 1) * bool(ten) * 10 + (
        _DIGITS.index(ones) if ones else 0
    )
