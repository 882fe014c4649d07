"""What a query asks for, and which of its words say what it is about."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.textindex import PASSAGES_TABLE, all_words, any_word, indexed, informative_parts
from groundwire.textindex.index import MOST_QUERY_WORDS


def bare(query: str) -> list[str]:
    return [part.split('"')[1] for part in informative_parts(query)]


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("What drove the growth of revenues?", ["drove", "growth", "revenue"]),
        ("what is it", []),
        ("revenue, Revenue and REVENUES", ["revenue"]),
        ("2024年营业收入是多少", ["2024", "年营", "营业", "业收", "收入"]),
        ("请问为什么利润下降了呢？", ["利润", "润下", "下降"]),
        ("是什么", []),
        ("GDP的总量", ["gdp", "总量"]),
        ("+ % #", []),
        ("", []),
    ],
)
def test_words_that_say_nothing_are_left_out(query: str, parts: list[str]) -> None:
    assert bare(query) == parts


def test_single_characters_are_asked_for_in_their_column() -> None:
    assert informative_parts("税") == ('characters : "税"',)
    assert all_words("税 A") == 'characters : "税" AND words : "a"'


@pytest.mark.parametrize(
    "query", ["word " * 100_000, "收入" * 100_000, "x" * 1_000_000, "\x00" * 9]
)
def test_long_queries_are_cut(query: str) -> None:
    for match in (all_words(query), any_word(query), " OR ".join(informative_parts(query))):
        assert match.count(" ") <= 6 * MOST_QUERY_WORDS


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.text(st.sampled_from("aZ9 \"'()*:^-+{}\x00收入的OR")), st.binary()))
def test_every_query_is_a_query(query: str | bytes) -> None:
    text = query if isinstance(query, str) else query.decode("latin-1")
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(PASSAGES_TABLE)
        connection.execute(
            "INSERT INTO passages (key, text, words, characters) VALUES (1, ?, ?, ?)",
            ("", *indexed(text)),
        )
        for match in (all_words(text), any_word(text), *informative_parts(text)):
            if match:
                found = connection.execute(
                    "SELECT key FROM passages WHERE passages MATCH ?", (match,)
                )
                assert len(found.fetchall()) == 1, match
    finally:
        connection.close()
