"""Tokens and sentences."""

from __future__ import annotations

import pytest

from groundwire.language import language_of, tokens
from groundwire.language.text import sentences


def words(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def parts(text: str) -> list[tuple[str, str]]:
    return [(s.kind, text[s.start : s.end].strip()) for s in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Germany isn't small.", ["Germany", "is", "n't", "small", "."]),
        ("It won’t grow", ["It", "wo", "n’t", "grow"]),
        ("Germany's GDP", ["Germany", "'s", "GDP"]),
        ("1,234.5 km, or 5.", ["1,234.5", "km", ",", "or", "5", "."]),
        ("non-urban", ["non", "-", "urban"]),
        ("see https://x.org/a_(b).", ["see", "https://x.org/a_(b", ")", "."]),
        ("<b>5</b> &nbsp; <it fell>", ["<b>", "5", "</b>", "&nbsp;", "<", "it", "fell", ">"]),
        ("_GDP_ road_types", ["_", "GDP", "_", "road_types"]),
        ("中国人口为5亿", ["中国", "人口", "为", "5", "亿"]),
        ("i.e. the U.S. one", ["i.e.", "the", "U.S.", "one"]),
        ("<td title='5'>", ["<", "td", "title", "=", "'", "5", "'", ">"]),
    ],
)  # fmt: skip
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_word_has_its_lemma_and_part_of_speech() -> None:
    read = {token.text: token for token in tokens("Rural China shrank while prices were rising.")}
    assert (read["shrank"].lemma, read["shrank"].tag) == ("shrink", "verb")
    assert (read["prices"].lemma, read["prices"].tag) == ("price", "noun")
    assert read["Rural"].tag == "adjective" and read["China"].tag == "name"
    read = {token.text: token for token in tokens("In Ostdeutschland lebten viele Menschen.")}
    assert (read["lebten"].lemma, read["Menschen"].lemma) == ("leben", "mensch")


def test_the_word_before_tells_a_noun_from_a_verb() -> None:
    noun = next(t for t in tokens("The increase of prices") if t.text == "increase")
    verb = next(t for t in tokens("Prices did increase") if t.text == "increase")
    assert (noun.tag, verb.tag) == ("noun", "verb")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The population of Germany was 83 million.", "en"),
        ("Die Bevölkerung von Deutschland betrug 83 Millionen.", "de"),
        ("Frankreich hat mehr Einwohner als Spanien.", "de"),
        ("中国人口为14亿。", "zh"),
        ("2023年GDP为5万亿USD", "zh"),
        ("GDP of China (中国) was 5", "en"),
        ("La population de la France est de 67 millions et elle augmente dans les villes.", ""),
        ("Население Германии составляет 83 миллиона.", ""),
        ("日本の人口は1億です。", ""),
        ("Germany: 83", "en"),
        ("El Salvador and Los Angeles are in the list.", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_a_sentence_without_any_sign_has_the_language_of_its_text() -> None:
    text = "Die Länder sind nach der Größe geordnet:\n- Berlin: 5\n- Hamburg: 3"
    assert {s.language for s in sentences(text)} == {"de"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It fell. It rose!", [("sentence", "It fell."), ("sentence", "It rose!")]),
        ("About 5.4 percent, i.e. 5 of U.S. states.", None),
        ("Am 3. Mai 2024 waren es ca. 5 Mio. Menschen.", None),
        ("Heinrich VIII. schloss das Kloster.", None),
        ("It is\n83. That is all.", [("sentence", "It is\n83."), ("sentence", "That is all.")]),
        ("List:\n1. One\n2. Two", [("sentence", "List:"), ("item", "1. One"), ("item", "2. Two")]),
        ("# Head\n> said", [("heading", "# Head"), ("quote", "> said")]),
        ("```\nx = 1. y\n```", [("code", "```"), ("code", "x = 1. y"), ("code", "```")]),
        ("人口增加。收入下降！", [("sentence", "人口增加。"), ("sentence", "收入下降！")]),
        ("<ul><li>One</li><li>Two</li></ul>", [
            ("sentence", "<ul>"), ("item", "<li>One"), ("sentence", "</li>"), ("item", "<li>Two"),
            ("sentence", "</li>"), ("sentence", "</ul>"),
        ]),
    ],
)  # fmt: skip
def test_sentences(text: str, expected: list[tuple[str, str]] | None) -> None:
    assert parts(text) == (expected or [("sentence", text)])


def test_cells_have_their_row_and_column() -> None:
    text = "| Country | 2020 |\n|---|---|\n| India | 5 |"
    rest = [("cell", 2, 0, False), ("cell", 2, 1, False)]
    cells = [(c.kind, c.row, c.column, c.is_header) for c in sentences(text)]
    assert cells == [("cell", 0, 0, True), ("cell", 0, 1, True), *rest]


def test_a_german_abbreviation_is_one_word_with_or_without_gaps() -> None:
    for written in ("z.B.", "z. B.", "z.\u202fB."):
        texts = [token.text for token in tokens(f"Er spricht sie {written} in Brasilien.")]
        assert written in texts
    assert "A. B." not in [token.text for token in tokens("Plan A. B. is another.")]
