"""Sentences and numbers of each language."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.language.lexicon import Language
from groundwire.language.sentences import (
    Catalogue,
    catalogue,
    number_text,
)


def test_a_number_keeps_all_of_its_digits() -> None:
    exact = Decimal("-12345678901234567890.1230")
    assert number_text(exact, "en") == "-12,345,678,901,234,567,890.1230"
    assert number_text(exact, "de") == "-12.345.678.901.234.567.890,1230"
    assert number_text(1_400_000_000, "zh") == "1,400,000,000"


def test_a_sentence_is_said_in_each_language() -> None:
    languages: tuple[Language, ...] = ("en", "de", "zh")
    said = [catalogue().say("not_answered_of", one, text="X", why="Y") for one in languages]
    assert said == ["Not answered, “X”: Y", "Nicht beantwortet, „X“: Y", "未回答“X”：Y"]
    with pytest.raises(KeyError):
        catalogue().say("not_answered_of", "en")


def test_languages_with_other_gaps_are_refused() -> None:
    with pytest.raises(ValueError, match="k with its gaps"):
        Catalogue({"en": {"k": "{a}"}, "de": {"k": "{b}"}})
    with pytest.raises(ValueError, match="k with its gaps"):
        Catalogue({"en": {"k": "a"}, "de": {}})
