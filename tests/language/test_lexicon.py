"""Lexicons: the same tables in every language, each with its reason."""

from __future__ import annotations

import pytest

from groundwire.language import LANGUAGES, Entry, Language, lexicon
from groundwire.language.lexicon import ROLES, Form, Lexicon, split_phrase
from groundwire.vocabulary.fold import fold_word


def test_every_language_has_the_same_tables() -> None:
    tables = {language: set(lexicon(language).reasons) for language in LANGUAGES}
    for language in LANGUAGES:
        assert tables[language] ^ tables["en"] == set(), language
    assert {entry.role for entry in tables["en"]} == ROLES
    assert set(lexicon("").reasons) <= tables["en"]


@pytest.mark.parametrize("language", [*LANGUAGES, ""])
def test_every_table_has_words_and_a_reason(language: Language) -> None:
    words = set(lexicon(language).entries.values())
    for entry, reason in lexicon(language).reasons.items():
        assert entry in words, entry
        assert reason.endswith(".") and len(reason.split()) > 3, entry


def test_words_that_change_a_claim_are_never_silent() -> None:
    for language in LANGUAGES:
        for word, entry in lexicon(language).entries.items():
            if entry.role in ("negation", "quantifier", "bound", "direction", "order", "cause"):
                assert not entry.is_silent, word
    assert Entry("function", "determiner").is_silent
    assert not Entry("question", "why").is_silent


@pytest.mark.parametrize(
    ("language", "word", "role", "sense"),
    [
        ("en", "shrink", "direction", "down"),
        ("de", "zunehmen", "direction", "up"),
        ("zh", "下降", "direction", "down"),
        ("en", "at least", "bound", "at_least"),
        ("de", "mindestens", "bound", "at_least"),
        ("zh", "至少", "bound", "at_least"),
        ("de", "größten", "superlative", "most"),
        ("de", "älterer", "comparison", "quality"),
        ("en", "without", "negation", "without"),
        ("", "↑", "direction", "up"),
    ],
)
def test_a_word_has_its_role(language: Language, word: str, role: str, sense: str) -> None:
    assert lexicon(language).role_of(fold_word(word)) == Entry(role, sense)  # pyright: ignore


def test_the_longest_phrase_is_matched() -> None:
    forms = [Form(word, word) for word in ["no", "more", "than", "five"]]
    assert lexicon("en").match(forms, 0) == (3, Entry("bound", "at_most"))
    forms = [Form("went", "go"), Form("up", "up")]
    assert lexicon("en").match(forms, 0) == (2, Entry("direction", "up"))
    forms = [Form(word, word) for word in ("year", "-", "on", "-", "year")]
    assert lexicon("en").match(forms, 0) == (5, Entry("time", "recurrence"))


def test_a_word_in_two_tables_is_refused() -> None:
    table = {"reason": "Because.", "words": ["x"]}
    with pytest.raises(ValueError, match="two tables"):
        Lexicon("en", {"filler": {"a": table, "b": table}})
    with pytest.raises(ValueError, match="no role"):
        Lexicon("en", {"nonsense": {"a": table}})


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_word_is_found_as_it_is_written(language: Language) -> None:
    known = lexicon(language)
    for word, entry in known.entries.items():
        forms = [Form(part, part) for part in split_phrase(word)]
        assert known.match(forms, 0) == (len(forms), entry), word
