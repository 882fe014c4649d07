"""Digits that are no quantity: parts of names, times, ordinals, fractions and versions."""

from __future__ import annotations

import re

from groundwire.quantities.numerals import Numeral
from groundwire.quantities.surroundings import CLASSIFIER, unit_after
from groundwire.quantities.units import resolve_unit

_REST = re.compile(r"[0-9]++(?:[.,'_/-]?[0-9A-Za-z]+)*+")


def past(flat: str, start: int) -> int:
    """Position after the token that begins at a place where no quantity does."""
    rest = _REST.match(flat, start)
    return rest.end() if rest is not None else start + 1


def is_label(flat: str, start: int, numeral: Numeral) -> bool:
    """Whether the digits are part of a name, a time, an ordinal, a fraction or a version."""
    end = numeral.end
    before, after = flat[start - 1 : start], flat[end : end + 1]
    if numeral.words:
        return _is_no_han_number(flat, start, end) if not flat[start].isascii() else False
    if before and ((before.isascii() and before.isalpha()) or before in "_#@.\\第"):
        code = flat[max(0, start - 3) : start]
        return not (len(code) == 3 and code.isupper() and resolve_unit(code) is not None)
    if before in ("-", "/", ":", "'") and flat[max(0, start - 2) : start - 1].isalnum():
        # "10-12 km" is a range and "长度:12" a value; "BY-4.0", "1/2", "12:30" are neither.
        earlier = flat[start - 2]
        if before in "/'" or (before == "-" and earlier.isascii() and earlier.isalpha()):
            return True
        if before == ":" and earlier.isdigit():
            return True
    if _CLAUSE_BEFORE.search(flat, max(0, start - 6), start) is not None:
        return True
    if after in ("/", ":", ".", ",", "_") and flat[end + 1 : end + 2].isdigit():
        return True
    if after == "'" and flat[end + 1 : end + 2].isalnum():
        return True
    return after.isascii() and after.isalpha() and unit_after(flat, end) is None


# Numbers of clauses of a law.
_CLAUSE_BEFORE = re.compile(r"(?:§|\b(?:Abs|Art)\.) ?$")
_HAN_IDIOM = re.compile(
    "一[些样般直定旦起致切并下共边方面旁]|十分(?!钟|之)|万一|千万别|三[者角维]|四[周处轮]|二[维手者]"
    "|两[者侧旁]"
)
_HAN_WORD_STARTS = frozenset("统第唯单同")
_HAN_COPULAS = frozenset("为是：: |达")
_HAN_DETERMINERS = frozenset("每这那某任")


def _is_no_han_number(flat: str, start: int, end: int) -> bool:
    """Whether characters that could be a number are part of a word ("统一", "一些", "十分")."""
    if _HAN_IDIOM.match(flat, start) or flat[start - 1 : start] == "双":
        return True
    if end - start > 1:
        return False
    previous = flat[start - 1 : start]
    if previous in _HAN_WORD_STARTS:
        return True
    if CLASSIFIER.match(flat, end) or flat.startswith(("成", "个百分点", "个月"), end):
        return previous in _HAN_DETERMINERS
    if unit_after(flat, end) is not None:
        return False
    # "车道数为四。": alone after the word that says what it is.
    return not (previous in _HAN_COPULAS and not flat[end : end + 1].isalnum())
