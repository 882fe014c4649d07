"""Sentences and numbers of each language."""

from __future__ import annotations

from decimal import Decimal

import pytest

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
    said = [catalogue().say("not_held", language, name="X") for language in ("en", "de", "zh")]
    assert said == ["X is not held here.", "X ist hier nicht vorhanden.", "此处没有X。"]
    with pytest.raises(KeyError):
        catalogue().say("not_held", "en")


def test_languages_with_other_gaps_are_refused() -> None:
    with pytest.raises(ValueError, match="k with its gaps"):
        Catalogue({"en": {"k": "{a}"}, "de": {"k": "{b}"}})
    with pytest.raises(ValueError, match="k with its gaps"):
        Catalogue({"en": {"k": "a"}, "de": {}})
