"""Numbers written in English words: twelve, twenty-one, two hundred and five, half a million."""

from __future__ import annotations

import re
from decimal import Decimal

# fmt: off
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
ONES = {word: value for value, word in enumerate(_ONES)}
TENS = {word: 10 * (i + 2) for i, word in enumerate(_TENS)}
SCALES = {
    "hundred": 100,
    "dozen": 12,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
}

_FIRST = re.compile(
    r"(?:half an? |an? |)(" + "|".join([*_ONES, *_TENS, *SCALES]) + r")\b", re.IGNORECASE
)
_NEXT = re.compile(r"(?:-| and | |-and-)([a-z]+)\b", re.IGNORECASE)


def read_english(text: str, position: int) -> tuple[Decimal, int] | None:
    """Read a number in English words that begins at a position (which starts a word).

    Returns:
        The value and the position after it, or None. "hundreds", "dozens", ordinals and a
        scale word alone ("million") are no numbers.
    """
    first = _FIRST.match(text, position)
    if first is None:
        return None
    word = first[1].lower()
    article = first.start(1) > position
    if (word in SCALES) != article:
        return None
    half = text[position : position + 4].lower() == "half"
    total = 0
    current = ONES.get(word, TENS.get(word, 0))
    ceiling = 10**18
    if word in SCALES:
        if SCALES[word] < 1_000:
            current = SCALES[word]
        else:
            total, ceiling = SCALES[word], SCALES[word]
    end = first.end()
    while not half and (following := _NEXT.match(text, end)):
        step = _add(total, current, ceiling, following[1].lower(), following[0][:-1])
        if step is None:
            break
        total, current, ceiling = step
        end = following.end()
    value = Decimal(total + current)
    return (value / 2 if half else value), end


def _add(
    total: int, current: int, ceiling: int, word: str, joint: str
) -> tuple[int, int, int] | None:
    joined = " and " in joint or "-and-" in joint
    if joined and not (total or current >= 100):
        return None
    if word in ONES and word != "zero":
        ten = current % 100
        fits = ten == 0 if ONES[word] > 9 else ten == 0 or (ten >= 20 and ten % 10 == 0)
        if not fits or (ten == 0 and current == 0 and not total):
            return None
        return total, current + ONES[word], ceiling
    if word in TENS:
        return (total, current + TENS[word], ceiling) if current % 100 == 0 else None
    if word not in SCALES or joined:
        return None
    scale = SCALES[word]
    if scale < 1_000:
        return (total, current * scale, ceiling) if 0 < current < 100 else None
    if scale >= ceiling or not current:
        return None
    return total + current * scale, 0, scale
