"""Plain characters, digits at a place in a text as an exact decimal, and the words of numbers.

The words of numbers and of time of each language are loaded when the first text needs them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

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


LANGUAGES = ("en", "de", "zh")
"""The languages that are read; each has a file `words.LANGUAGE.toml`."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@cache
def tables(language: str) -> Mapping[str, Any]:
    """The whole word file of a language."""
    file = resources.files("groundwire.quantities").joinpath(f"words.{language}.toml")
    return tomllib.loads(file.read_text("utf-8"))


@cache
def words_beside(kind: str) -> tuple[str, ...]:
    """Return the words of one kind that stand beside a number, of all languages."""
    return tuple(word for language in LANGUAGES for word in tables(language)["beside"][kind])


@cache
def time_words(kind: str) -> frozenset[str]:
    """Return the words of time of one kind, of all languages, in lower case."""
    return frozenset(
        word.lower() for language in LANGUAGES for word in tables(language)["time"][kind]
    )


def times_of(kind: str) -> dict[str, Any]:
    """Return what the words of time of one kind mean, of all languages."""
    tables_of = (tables(language)["time"][kind] for language in LANGUAGES)
    return {word: meaning for table in tables_of for word, meaning in table.items()}


def spelling(word: str) -> str:
    """A word as the tables have it: lower case, umlauts and sharp s as two letters."""
    return word.lower().translate(_UMLAUTS)


@dataclass(frozen=True, slots=True)
class NumberWords:
    """The words of numbers of one language, each with its value.

    Attributes:
        language: code of the language.
        ones, tens, scales, digit_scales, fractions, plurals, mixed, fraction_endings,
            fraction_prefixes: words by `spelling`; the word file says what each kind is.
        articles, joints, of, point, vague, vague_after, ordinals, unclear_scales, parts, evidence,
            doubtful: words.
        scale_endings: endings of words that look like scale words.
    """

    language: str
    ones: Mapping[str, int]
    tens: Mapping[str, int]
    scales: Mapping[str, int]
    digit_scales: Mapping[str, int]
    fractions: Mapping[str, Fraction]
    plurals: Mapping[str, Fraction]
    mixed: Mapping[str, Fraction]
    fraction_endings: Mapping[str, Fraction]
    fraction_prefixes: Mapping[str, Fraction]
    articles: frozenset[str]
    joints: frozenset[str]
    of: frozenset[str]
    point: frozenset[str]
    vague: frozenset[str]
    vague_after: frozenset[str]
    ordinals: frozenset[str]
    unclear_scales: frozenset[str]
    scale_endings: tuple[str, ...]
    parts: tuple[str, ...]
    evidence: frozenset[str]
    doubtful: frozenset[str]


_WHOLE = ("ones", "tens", "scales", "digit_scales")
_FRACTIONS = ("fractions", "plurals", "mixed", "fraction_endings", "fraction_prefixes")
_WORDS = (
    "articles",
    "joints",
    "of",
    "point",
    "vague",
    "vague_after",
    "ordinals",
    "evidence",
    "doubtful",
)


@cache
def number_words(language: str) -> NumberWords:
    """The words of numbers of a language."""
    table: Mapping[str, Any] = tables(language)["numbers"]
    held: dict[str, Any] = {
        **{kind: {spelling(k): int(v) for k, v in table[kind].items()} for kind in _WHOLE},
        **{kind: {spelling(k): Fraction(v) for k, v in table[kind].items()} for kind in _FRACTIONS},
        **{kind: frozenset(map(spelling, table[kind])) for kind in _WORDS},
    }
    return NumberWords(
        language,
        **held,
        unclear_scales=frozenset(table["unclear_scales"]),
        scale_endings=tuple(table["scale_endings"]),
        parts=tuple(table["parts"]),
    )


def any_of(words: Iterable[str]) -> str:
    """A pattern of alternatives, the longest first."""
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda w: (-len(w), w)))


_NEAR = 200
_WORD = re.compile(r"[A-Za-zÄÖÜäöüß]+")


def language_of(text: str, position: int) -> str:
    """The language that the words around a position are in: en, de, "both", or "" if none tells.

    "umlaut" where no word tells and a letter is German.
    """
    window = text[max(0, position - _NEAR) : position + _NEAR]
    found: set[str] = set()
    umlaut = False
    for word in _WORD.findall(window):
        folded = spelling(word)
        umlaut |= folded != word.lower()
        found.update(
            language for language in ("en", "de") if folded in number_words(language).evidence
        )
    if not found and umlaut:
        return "umlaut"
    return "both" if len(found) > 1 else "".join(found)
