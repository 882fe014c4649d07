"""Plain characters, and the digits at a place in a text as an exact decimal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

EXACT = Context(prec=90)
"""Arithmetic in which no number that this package reads is rounded."""

MAX_DIGITS = 40
MAX_EXPONENT = 30

# One to one, so that every offset stays: full-width forms, digits and signs that look alike.
_PLAIN = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code) not in "，；：？！～"},
    **{code: 0x20 for code in range(0x20) if code not in (0x09, 0x0A)},
    **dict.fromkeys((0x7F, 0x200B, 0x200E, 0x200F, 0x2060, 0x3000, 0xFEFF), 0x20),
    **dict.fromkeys((0x2212, 0x2010, 0x2011, 0xFE63), 0x2D),
    0x2044: 0x2F,
    0xFFE5: 0xA5,
    0x2019: 0x27,
}


def plain(text: str) -> str:
    """Write full-width digits and letters, minus signs and controls as their plain characters.

    The result is as long as the text, so that offsets into one are offsets into the other.
    """
    return text.translate(_PLAIN)


def small_letters(text: str) -> str:
    """Return a text in small letters; offsets into it are offsets into the text.

    >>> small_letters("İstanbul, GDP")
    'İstanbul, gdp'
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number without sign or unit, as it was written.

    Attributes:
        value: the number, scale words applied.
        end: position after it.
        decimals: digits after the decimal mark.
        significant: digits that carry meaning; trailing zeros of whole numbers are not counted,
            since nobody knows whether they do.
        scale: product of the scale words ("million", 万), 1 without any.
        words: whether it was written in words or characters, not digits.
        spoken: product of the scale words at its end, of numbers in words too.
        parts: into how many parts one is divided by the fraction that was written: 4 of "2¼".
    """

    value: Decimal
    end: int
    decimals: int
    significant: int
    scale: Decimal
    words: bool
    spoken: Decimal = Decimal(1)
    parts: int = 1


_DIGITS = re.compile(r"[0-9]+(?:[.,'][0-9]+)*+")
_GROUPED_BY_SPACE = re.compile(r"(?:[ \u00a0\u2009\u202f][0-9]{3}(?![0-9]))++(?:[.,][0-9]++)?")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,4})(?![0-9A-Za-z])")
_POWER = re.compile(r" ?[x×·*] ?10(?:\^|\*\*)?([+-]?[0-9]{1,3}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![0-9])")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


def digits_at(text: str, position: int) -> Numeral | None:
    """Read the digits that begin at a position of a text that went through `plain`.

    Grouping is accepted by comma, apostrophe or (thin) space in threes, by dot only where the dot
    cannot be a decimal mark ("1.234.567"), and in the Indian way ("12,34,567"). A comma is decimal
    only where it cannot group: "12,5", "0,123", "1.234,5". Powers of ten belong to the digits,
    scale words do not.

    Returns:
        The number, or None where none begins, or where the digits are something else: more than
        40 of them, or a version such as "1.2.3".
    """
    run = _DIGITS.match(text, position)
    if run is None or len(run[0]) > MAX_DIGITS:
        return None
    raw, end = run[0], run.end()
    if len(raw) <= 3 and raw.isdigit() and raw[0] != "0":
        spaced = _GROUPED_BY_SPACE.match(text, end)
        if spaced is not None and len(spaced[0]) < MAX_DIGITS:
            raw, end = raw + re.sub(r"[^0-9.,]", "", spaced[0]), spaced.end()
    written = ungroup(raw)
    if written is None:
        return None
    decimals = len(written.partition(".")[2])
    value = Decimal(written)
    significant = significant_digits(value, decimals)
    scale = Decimal(1)
    power = _EXPONENT.match(text, end) or _POWER.match(text, end)
    if power is not None:
        exponent = int(power[1].translate(_SUPERSCRIPT))
        if abs(exponent) > MAX_EXPONENT:
            return None
        scale, end = Decimal(1).scaleb(exponent), power.end()
    value = EXACT.multiply(value, scale)
    return Numeral(value, end, decimals, significant, scale, False)


def ungroup(raw: str) -> str | None:
    """Return digits with grouping and decimal marks as a plain decimal, or None for other texts.

    Args:
        raw: digits joined by single commas, dots or apostrophes.
    """
    if raw.isdigit():
        return raw
    marks = [c for c in raw if not c.isdigit()]
    parts = re.split(r"[.,']", raw)
    last, others = marks[-1], set(marks[:-1])
    if not others and last == ".":
        return raw
    if _grouped(parts) and len({*marks}) == 1 and (last != "." or len(marks) > 1):
        return "".join(parts)
    if last in ".," and last not in others and len(others) == 1 and _grouped(parts[:-1]):
        return "".join(parts[:-1]) + "." + parts[-1]
    if not others and last == "," and (len(parts[1]) != 3 or len(parts[0]) > 3 or raw[0] == "0"):
        return ".".join(parts)
    return None


def _grouped(parts: list[str]) -> bool:
    if not 1 <= len(parts[0]) <= 3 or parts[0][0] == "0" or len(parts[-1]) != 3:
        return len(parts) == 1
    middle = {len(part) for part in parts[1:-1]}
    return middle <= {3} or (middle == {2} and len(parts[0]) <= 2)


def significant_digits(value: Decimal, decimals: int) -> int:
    """How many digits of a number carry meaning, trailing zeros of whole ones not counted."""
    digits = str(abs(value)).replace(".", "").lstrip("0")
    return max(1, len(digits if decimals else digits.rstrip("0")))


def exact_decimal(value: Fraction) -> Decimal:
    """A fraction as a decimal: exact where it ends, else to 28 digits."""
    bottom = value.denominator
    for prime in (2, 5):
        while bottom % prime == 0:
            bottom //= prime
    context = EXACT if bottom == 1 else Context(prec=28)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))
