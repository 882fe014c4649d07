"""The word files of all languages have the same keys, and every pattern in them compiles."""

from __future__ import annotations

import re

import pytest

from groundwire.quantities.numerals import LANGUAGES, language_of, number_words, tables


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys(language: str) -> None:
    first = tables(LANGUAGES[0])
    assert {kind: table.keys() for kind, table in tables(language).items()} == {
        kind: table.keys() for kind, table in first.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_patterns_of_time_compile(language: str) -> None:
    time = tables(language)["time"]
    for pattern in time["unread"]:
        re.compile(pattern)
    for pattern, written in time["spellings"]:
        re.compile(pattern)
        assert isinstance(written, str)


def test_scale_words_are_exact() -> None:
    assert number_words("de").scales["billion"] == 10**12
    assert number_words("en").scales["billion"] == 10**9
    assert number_words("zh").scales["亿"] == 10**8


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the number of people is 5", "en"),
        ("die Zahl der Einwohner ist 5", "de"),
        ("5", ""),
        ("Köln 5", "umlaut"),
        ("the Zahl der 5", "both"),
    ],
)
def test_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text, text.index("5")) == language
