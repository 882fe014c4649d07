"""What characters fold to, and where each folded one came from."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.metrics.gate.readings import FOLDS, GAP, fold_with_offsets, read_table, read_words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Héngqi", "hengqi"),
        ("ＡＢ１２", "ab12"),
        ("ﬁ ﬀ", "fiff"),
        ("ß", "ss"),
        ("İ ı", "ii"),
        ("Аре", "ape"),
        ("Νικος", "nikoo"),
        ("ϲ", "c"),
        ("𝓐𝔹ⓒ⒟🄴🅕🅶🇭", "abcdefgh"),
        ("ʜᴇ", "he"),
        ("x²", "x2"),
        ("Orvex™", "orvex"),
        ("o\u02bcr", "or"),
        ("a\u200bb\u00adc\u202ed\u3164e\u2800f\ue000g\u0378h", "abcdefgh"),
        ("競爭國", "竞争国"),
        ("竜関", "龙关"),
        ("⼈⺟", "人母"),
        ("中㊥", "中中"),
        # KATAKANA KA looks like the character for strength; the mark stays.
        ("ガ", "力\u3099"),
        ("ｶﾞ", "力\u3099"),
        ("한", "\u1112\u1161\u1102"),
    ],
)
def test_a_text_folds(text: str, folded: str) -> None:
    assert fold_with_offsets(text).text == folded


def test_offsets_lead_back() -> None:
    text = "Ｈé\u0301\u200bﬁ-競"
    folded = fold_with_offsets(text)
    assert folded.text == "hefi竞"
    assert [text[first:last] for first, last in zip(folded.starts, folded.ends, strict=True)] == [
        "Ｈ",
        "é\u0301",
        "ﬁ",
        "ﬁ",
        "競",
    ]
    assert [folded.joined(at) for at in range(5)] == [False, True, True, True, False]
    assert folded.whole(0, 4)
    assert not folded.whole(0, 3)


@given(st.text())
def test_offsets_are_in_order_and_in_the_text(text: str) -> None:
    folded = fold_with_offsets(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends) == len(folded.words)
    assert folded.starts == sorted(folded.starts)
    assert all(
        0 <= first < last <= len(text)
        for first, last in zip(folded.starts, folded.ends, strict=True)
    )


def test_every_character_folds_to_letters_that_stay_or_a_gap_or_nothing() -> None:
    for code in range(sys.maxunicode + 1):
        piece = FOLDS[chr(code)]
        assert piece in ("", GAP) or GAP not in piece
        assert all(FOLDS[char] == char for char in piece), ascii(chr(code))


@pytest.mark.parametrize("name", ["lookalike_letters", "lookalike_symbols", "han"])
def test_a_table_leads_each_character_to_what_folds_no_further(name: str) -> None:
    table = read_table(name)
    assert table
    for source, target in table.items():
        assert not source.isascii()
        assert not source.isspace()
        if name != "lookalike_symbols":
            assert FOLDS[source] == target
        assert "".join(FOLDS[char] for char in target) == target, (source, target)


def test_simplified_characters_stay_as_they_are() -> None:
    for char in "中国内地营业收入净利润香港特别行政区":
        assert FOLDS[char] == char


def test_word_lists_hold_words() -> None:
    assert {"the", "or", "with"} <= read_words("function_words")
    assert len(read_words("common_words")) == 3000
    for name in ("function_words", "common_words"):
        assert all(word.isalpha() and word.islower() for word in read_words(name))


def test_marks_fold_away_but_not_those_of_kana() -> None:
    for mark in map(chr, range(0x300, 0x370)):
        if unicodedata.category(mark) == "Mn":
            assert FOLDS[mark] == ""
    assert FOLDS["\u3099"] == "\u3099"
