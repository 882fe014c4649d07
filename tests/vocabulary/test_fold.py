"""Which spellings are the same term, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.vocabulary import fold
from groundwire.vocabulary.fold import singular, split_words

ALIKE = [
    (
        "numberTrafficLights",
        "number traffic lights",
        "Number_Traffic-Light",
        "NUMBER TRAFFIC LIGHTS",
    ),
    ("HDMap", "hd-map", "hdmap", "HD Map", "hd_maps", "HDMaps"),
    ("CC-BY-4.0", "cc by 4.0", "ccBy4.0", "CC_BY_4_0"),
    ("Île-de-France", "ile de france", "ILE-DE-FRANCE"),
    ("Straße", "STRASSE", "strasse"),
    ("King's Cross", "Kings Cross", "King’s Cross"),
    ("ＧＤＰ总量", "GDP总量", "gdp 总量"),
    ("高速公路", "高速 公路", "「高速公路」"),
    ("URLs", "url", "URL"),
    ("RAID0Level", "raid0-level", "RAID0 levels"),
    ("ŁódźRoute", "lodz route", "Łódź-Route"),
    ("Æther", "aether"),
    ("é", "e\u0301", "E"),
]
APART = [
    ("C", "C++"),
    ("C", "C#"),
    ("3.7", "37"),
    ("OSI 3.7", "OSI 3.8"),
    ("GMT+5", "GMT-5"),
    ("-5", "5"),
    ("50 %", "50"),
    ("R&D", "RD"),
    ("ADAS", "ADA"),
    ("news", "new"),
    ("lens", "len"),
    ("means", "mean"),
    ("1990s", "1990"),
    ("か", "が"),
    ("ハ", "パ"),
    ("мой", "мои"),
    ("道路", "公路"),
    ("-", "*"),
    ("suburban", "urban"),
]


@pytest.mark.parametrize("spellings", ALIKE, ids=lambda group: group[0])
def test_spellings_of_one_term_fold_alike(spellings: tuple[str, ...]) -> None:
    assert len({fold(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_terms_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("lanes", "lane"),
        ("cars", "car"),
        ("countries", "country"),
        ("classes", "class"),
        ("buses", "bus"),
        ("statuses", "status"),
        ("houses", "house"),
        ("causes", "cause"),
        ("fuses", "fuse"),
        ("sizes", "size"),
        ("boxes", "box"),
        ("branches", "branch"),
        ("bushes", "bush"),
        ("shoes", "shoe"),
        ("vertices", "vertex"),
        ("lenses", "lens"),
        ("licenses", "license"),
        ("analyses", "analysis"),
    ],
)
def test_simple_plurals(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    "word",
    ["bus", "class", "species", "series", "analysis", "gas", "glass", "status", "1990s", "s"],
)
def test_words_that_only_look_like_plurals(word: str) -> None:
    assert singular(word) == word


def test_words_split_at_humps() -> None:
    assert split_words("numberTrafficLights").plain == ("number", "traffic", "lights")
    assert split_words("HDMapFormat").written == ("HD", "Map", "Format")
    assert split_words("RAID0Level").written == ("RAID0", "Level")
    assert split_words("GDP总量2024").plain == ("gdp", "总量", "2024")
    assert split_words("straßenÜbergang").plain == ("strassen", "ubergang")


def test_nothing_folds_to_nothing() -> None:
    assert fold("---") == "---"
    assert fold(" … ") == "…"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.text(st.characters(categories=["Ll"], codec="utf-8"), min_size=1), min_size=1),
    st.sampled_from([" ", "-", "_", " - ", "/"]),
)
def test_separators_never_matter(words: list[str], separator: str) -> None:
    assert fold(separator.join(words)) == fold(" ".join(words))


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_folds_to_something_and_stays_put(text: str) -> None:
    key = fold(text)
    assert bool(key) == bool(text.strip())
    assert fold(f"  {text} ") == key
