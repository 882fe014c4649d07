"""The words of numbers and of time of each language, loaded when the first text needs them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

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
