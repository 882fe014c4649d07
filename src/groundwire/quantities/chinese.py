"""Numbers written in Chinese characters: 一百二十三, 两万, 二〇二四, 三点五, 壹仟."""

from __future__ import annotations

import re
from decimal import Decimal

DIGITS = {
    **{c: i for i, c in enumerate("零一二三四五六七八九")},
    **{c: i for i, c in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "〇": 0,
    "○": 0,
    "两": 2,
    "兩": 2,
    "貳": 2,
    "參": 3,
    "陸": 6,
}
SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
SCALES = {**SMALL, **LARGE}

_DIGIT = "".join(DIGITS)
_RUN = re.compile(f"[{_DIGIT}{''.join(SCALES)}]{{1,40}}")
_FRACTION = re.compile(f"点([{_DIGIT}]{{1,30}})")


def read_chinese(text: str, position: int) -> tuple[Decimal, int, int] | None:
    """Read a number in Chinese characters that begins at a position.

    Returns:
        The value, its decimals and the position after it; None where no number begins. A scale
        character alone (万, 千) is no number, 十 is ten, and two or three digits side by side
        (三四, "three or four") are none either.
    """
    run = _RUN.match(text, position)
    if run is None:
        return None
    value = _whole(run[0])
    if value is None:
        return None
    fraction = _FRACTION.match(text, run.end())
    if fraction is None:
        return Decimal(value), 0, run.end()
    digits = "".join(str(DIGITS[c]) for c in fraction[1])
    return Decimal(f"{value}.{digits}"), len(digits), fraction.end()


def _whole(run: str) -> int | None:
    if all(c in DIGITS for c in run):
        if len(run) == 1 or len(run) >= 4 or run[0] in "〇零○":
            return int("".join(str(DIGITS[c]) for c in run))
        return None
    total = section = digit = 0
    seen_digit = False
    for c in run:
        if c in DIGITS:
            if digit:
                return None  # 二三十 is "twenty or thirty"
            digit = DIGITS[c]
            seen_digit = True
        elif c in SMALL:
            if not digit and (section or SMALL[c] != 10):
                return None
            section += (digit or 1) * SMALL[c]
            digit = 0
            seen_digit = True
        else:
            if not seen_digit:
                return None
            total = (
                (total + section + digit) * LARGE[c]
                if total < LARGE[c]
                else (total + (section + digit) * LARGE[c])
            )
            section = digit = 0
    return total + section + digit
