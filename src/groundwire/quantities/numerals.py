"""A number at a place in a text, as exact decimal: digits, words, Chinese, with scale words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Context, Decimal

from groundwire.quantities.chinese import LARGE, SCALES, read_chinese
from groundwire.quantities.english import SCALES as ENGLISH_SCALES
from groundwire.quantities.english import read_english

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
    """

    value: Decimal
    end: int
    decimals: int
    significant: int
    scale: Decimal
    words: bool


_DIGITS = re.compile(r"[0-9]+(?:[.,'][0-9]+)*+")
_GROUPED_BY_SPACE = re.compile(r"(?:[ \u00a0\u2009\u202f][0-9]{3}(?![0-9]))++(?:[.,][0-9]++)?")
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,4})(?![0-9A-Za-z])")
_POWER = re.compile(r" ?[x×·*] ?10(?:\^|\*\*)?([+-]?[0-9]{1,3}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![0-9])")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SCALE_WORD = re.compile(
    r"[ \u00a0-]?(?:(hundred|thousand|million|billion|trillion|quadrillion|dozen|bn|mn|mln|tn|trn|"
    r"tausend|millionen|milliarden?|billionen)(?![A-Za-z])"
    # German short forms end in a dot, which ends no sentence where a unit follows.
    r"|(mio|mrd|tsd)(?:\.(?= ?[A-Za-z€$£¥%])|(?![A-Za-z]))|(bio)\.(?= ?[A-Za-z€$£¥]))",
    re.IGNORECASE,
)
_SHORT_SCALES = {
    **ENGLISH_SCALES,
    "bn": 10**9,
    "mn": 10**6,
    "mln": 10**6,
    "tausend": 10**3,
    "tsd": 10**3,
    "millionen": 10**6,
    "mio": 10**6,
    "milliarde": 10**9,
    "milliarden": 10**9,
    "mrd": 10**9,
    "billionen": 10**12,
    "bio": 10**12,
    "tn": 10**12,
    "trn": 10**12,
}
_GERMAN_SCALE = re.compile(r"[ \u00a0](?:Millionen|Milliarden?|Billionen)\b", re.IGNORECASE)
_SUFFIX = re.compile(r"([kKM])(?![A-Za-z0-9²³])|(B)(?![A-Za-z0-9])")
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_HAN_SCALE = re.compile(f" ?([{''.join(SCALES)}]{{1,4}})(?![米克瓦赫分帕焦伏])")
_HAN_FIRST = frozenset("".join(SCALES))


def read_numeral(text: str, position: int) -> Numeral | None:
    """Read the number that begins at a position of a text that went through `plain`.

    Sign, currency and unit are not read. Grouping is accepted by comma, apostrophe or (thin)
    space in threes, by dot only where the dot cannot be a decimal mark ("1.234.567"), and in the
    Indian way ("12,34,567"). A comma is decimal only where it cannot group: "12,5", "0,123",
    "1.234,5", or where a German scale word follows ("3,888 Billionen").

    Returns:
        The number, or None where none begins, or where the digits are something else: more than
        40 of them, or a version such as "1.2.3".
    """
    character = text[position : position + 1]
    if character.isdigit() and character.isascii():
        return _from_digits(text, position)
    if character.isascii():
        word = read_english(text, position) if character.isalpha() else None
        if word is None:
            return None
        value, end = word
        return Numeral(value, end, 0, _significant(value, 0), Decimal(1), True)
    han = read_chinese(text, position)
    if han is None:
        return None
    value, decimals, end = han
    # "三百万": the characters of the run hold the scale; nothing more is known of precision.
    return Numeral(value, end, decimals, _significant(value, decimals), Decimal(1), True)


def _from_digits(text: str, position: int) -> Numeral | None:
    run = _DIGITS.match(text, position)
    if run is None or len(run[0]) > MAX_DIGITS:
        return None
    raw, end = run[0], run.end()
    if len(raw) <= 3 and raw.isdigit() and raw[0] != "0":
        spaced = _GROUPED_BY_SPACE.match(text, end)
        if spaced is not None and len(spaced[0]) < MAX_DIGITS:
            raw, end = raw + re.sub(r"[^0-9.,]", "", spaced[0]), spaced.end()
    written = ungroup(raw)
    if raw.count(",") == 1 and _GERMAN_SCALE.match(text, end):
        written = raw.replace(",", ".") if "." not in raw else written  # "3,888 Billionen"
    if written is None:
        return None
    decimals = len(written.partition(".")[2])
    value = Decimal(written)
    significant = _significant(value, decimals)
    scale = Decimal(1)
    power = _EXPONENT.match(text, end) or _POWER.match(text, end)
    if power is not None:
        exponent = int(power[1].translate(_SUPERSCRIPT))
        if abs(exponent) > MAX_EXPONENT:
            return None
        scale, end = Decimal(1).scaleb(exponent), power.end()
    words, end = _scale(text, end)
    scale *= words
    value = EXACT.multiply(value, scale)
    if words > 1 and text[end : end + 1].isdigit() and text[end - 1] in LARGE:
        rest = _from_digits(text, end)  # 1亿2000万
        if rest is not None and rest.scale < scale and rest.value < scale:
            return Numeral(
                EXACT.add(value, rest.value),
                rest.end,
                rest.decimals,
                significant + rest.significant,
                rest.scale,
                False,
            )
    return Numeral(value, end, decimals, significant, scale, False)


def _scale(text: str, end: int) -> tuple[Decimal, int]:
    """Product of the scale words that follow a number, and the position after them."""
    scale = Decimal(1)
    suffix = _SUFFIX.match(text, end)
    if suffix is not None:
        return Decimal(_SUFFIXES[suffix[0]]), suffix.end()
    for _ in range(2):
        word = _SCALE_WORD.match(text, end)
        if word is None:
            break
        scale *= _SHORT_SCALES[(word[1] or word[2] or word[3]).lower()]
        end = word.end()
    if scale == 1 and (text[end : end + 1] in _HAN_FIRST or text[end : end + 2][1:] in _HAN_FIRST):
        han = _HAN_SCALE.match(text, end)
        if han is not None:
            for character in han[1]:
                scale *= SCALES[character]
            end = han.end()
    return scale, end


def ungroup(raw: str) -> str | None:
    """Digits with grouping and decimal marks as a plain decimal, or None where they are none.

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


def _significant(value: Decimal, decimals: int) -> int:
    digits = str(abs(value)).replace(".", "").lstrip("0")
    return max(1, len(digits if decimals else digits.rstrip("0")))


_SIGN = re.compile(r"(?:([+-])|(minus|negative) |([负負]))", re.IGNORECASE)


def parse_number(text: str) -> Decimal | None:
    """Read a text that is one number and nothing else.

    Accepted are grouped digits, decimal marks, exponents, scale words and suffixes ("1.2
    million", "3k", "1.2万"), English words, Chinese numerals, full-width digits, minus signs of
    every kind, and accounting parentheses. A percent sign divides by 100.

    Returns:
        The exact value, or None where the text is something else: a unit or a noun beside the
        number, an ordinal, a version, or a mark that could be read in two ways and is not.
    """
    if len(text) > 200:
        return None
    rest = plain(text).strip()
    negative = False
    if rest.startswith("(") and rest.endswith(")"):
        negative, rest = True, rest[1:-1].strip()
    sign = _SIGN.match(rest)
    if sign is not None:
        if negative:
            return None
        negative = sign[1] != "+"
        rest = rest[sign.end() :].lstrip()
    percent = rest.startswith("百分之")
    if percent:
        rest = rest[3:]
    elif rest.endswith("%") or rest.lower().endswith((" percent", " per cent")):
        percent = True
        rest = rest.removesuffix("%") if rest.endswith("%") else rest[: rest.lower().rfind(" per")]
        rest = rest.rstrip()
    numeral = read_numeral(rest, 0)
    if numeral is None or numeral.end != len(rest):
        return None
    value = EXACT.divide(numeral.value, Decimal(100)) if percent else numeral.value
    return -value if negative else value
