"""Words of operators over recorded figures, in every language: sum, mean, share, loss, rise, fall.

They stand in `operators.toml`, with the same keys for each language; a key is read in all languages
at once, since a draft may mix them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.evidence.claims.words import cue_tables, key_of
from groundwire.language import Span as Word

LANGUAGES = ("en", "de", "zh")


@cache
def _tables() -> Mapping[str, Any]:
    text = (files("groundwire.evidence.claims") / "operators.toml").read_text("utf-8")
    return tomllib.loads(text)


def words_of_operator(key: str) -> tuple[str, ...]:
    """Return the words of an operator as they are listed, those of all languages."""
    return tuple(word for language in LANGUAGES for word in _tables()[language][key])


@cache
def operator(key: str) -> re.Pattern[str]:
    """Return a pattern that finds the words of an operator: whole words, or Chinese ones anywhere.

    Raises:
        KeyError: `operators.toml` has no such operator.
    """
    spaced = [_pattern(word) for word in words_of_operator(key) if not _is_han(word)]
    han = [_pattern(word) for word in words_of_operator(key) if _is_han(word)]
    return re.compile(rf"\b(?:{'|'.join(spaced)})\b|{'|'.join(han)}", re.IGNORECASE)


@cache
def right_before(key: str, between: str) -> re.Pattern[str]:
    """Return a pattern for an operator right before a figure, with other words between them.

    Args:
        key: the operator.
        between: the operator whose words may stand between, and signs of currencies.
    """
    spaced = "|".join(_pattern(word) for word in words_of_operator(key) if not _is_han(word))
    han = "|".join(re.escape(word) for word in words_of_operator(key) if _is_han(word))
    mids = "|".join(_pattern(word) for word in words_of_operator(between) if not _is_han(word))
    return re.compile(rf"(?:\b(?:{spaced})(?: (?:{mids}))*|{han})[ $€£¥约近]*$", re.IGNORECASE)


@cache
def quality_tables() -> tuple[
    Mapping[str, tuple[str, frozenset[str], frozenset[str]]], Mapping[str, str]
]:
    """Return what adjectives compare by, by operator: which end comes first, names, dimensions.

    The second table has which end comes first by the end of a German compound.
    """
    tables = _tables()
    of = {
        key: (
            one["way"],
            frozenset(map(key_of, one["names"])),
            frozenset(one.get("dimensions", ())),
        )
        for key, one in tables["qualities"].items()
    }
    return of, tables["compounds"]


@cache
def factors() -> Mapping[str, Decimal]:
    """Return, by each word of a factor, how many times another value it makes one."""
    return {
        word: Decimal(factor)
        for key, factor in _tables()["factors"].items()
        for word in words_of_operator(key)
    }


def _is_han(word: str) -> bool:
    return "\u3400" <= word[-1] <= "\u9fff"


def _pattern(word: str) -> str:
    gap = ".{1,20}" if _is_han(word) else "[^.;]{0,80}?"
    parts = (re.escape(part).replace(r"\*", r"\w*") for part in word.split("…"))
    joined = (gap if _is_han(word) else gap + r"\b").join(parts)
    return joined.replace(r"\ " + gap, " " + gap).replace(r"\b\ ", r"\b")


_PACE = {way: frozenset[str](words) for way, words in cue_tables()["pace"].items()}
_NEAR_FACTOR = Decimal("0.05")
_NEARLY = Decimal("0.9")


def factor_of(word: Word) -> Decimal | None:
    """Return how many times a word says, or None where it says no number."""
    return next((factors()[t.lemma] for t in word.tokens if t.lemma in factors()), None)


def pace_of(word: Word) -> str:
    """Return "more" for a faster change and "less" for a slower one, "" for other words."""
    said = {word.text.casefold(), *(token.lemma for token in word.tokens)}
    return next((way for way, words in _PACE.items() if said & words), "")


def is_multiple(first: Decimal, second: Decimal, factor: Decimal, limit: str) -> bool:
    """Whether a value is so many times another, as far as such words are exact."""
    if not second:
        return False
    ratio = first / second
    if limit in ("more_than", "at_least", "more"):
        return factor < ratio < factor + 1
    if limit in ("less_than", "at_most", "less"):
        return factor - 1 < ratio < factor
    if limit == "nearly":
        return factor * _NEARLY <= ratio < factor
    return abs(ratio - factor) <= factor * _NEAR_FACTOR
