"""Controlled terms in free text."""

from __future__ import annotations

import pytest


def codes(desk, text, kind=None):
    return [one.candidates[0][0] for one in desk.mentions.find(text) if kind in (None, one.kind)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("population of China", ["POPULATION", "CHN"]),
        ("Papua New Guinea", ["PNG"]),
        ("Guinea", ["GIN"]),
        ("Guinea-Bissau", []),
        ("Côte d’Ivoire and Cote dIvoire", ["CIV", "CIV"]),
        ("Congo, Dem. Rep.", ["COD"]),
        ("Congo Dem Rep", ["COD"]),
        ("heroes", []),
        ("non-revenue", []),
        ("the return on equity", ["ROE"]),
        ("net-profit, NetProfit and NET_PROFIT", ["NET_PROFIT"] * 3),
        ("China's population", ["CHN", "POPULATION"]),
        ("People's Republic of China", ["CHN"]),
        ("e-commerce, ecommerce, e commerce", ["ONLINE"] * 3),
        ("中国香港", ["HKG"]),
        ("中国,香港", ["CHN", "HKG"]),
        ("印度尼西亚", ["IDN"]),
        ("印度", ["IND"]),
        ("中国内地的净利润", ["CN", "NET_PROFIT"]),
        ("HK营收", ["HKG", "REVENUE"]),
    ],
)
def test_whole_words_and_the_longest_first(desk, text, expected):
    assert codes(desk, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("US GDP", ["USA"]),
        ("us gdp", []),
        ("usa gdp", ["USA"]),
        ("U.S. GDP", ["USA"]),
        ("IT GDP", ["ITA"]),
        ("it", []),
        ("hk", ["HKG"]),
        ("REVENUE AND PROFIT OF HK", ["HKG"]),
        ("WHAT IS THE GDP OF US", ["USA"]),
        ("SHOW US THE GDP OF FRANCE", ["FRA"]),
        ("GDP of AND", ["AND"]),
        ("GDP of IN", ["IND"]),
        ("what IS the GDP", []),
        ("per u", []),
    ],
)
def test_short_codes_are_found_as_they_are_written(desk, text, expected):
    assert codes(desk, text, "entity") == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [("ROE", ["ROE"]), ("roe", []), ("gdp", ["GDP"]), ("Roe", [])],
)
def test_a_metric_that_is_a_word_is_found_in_capitals_alone(desk, text, found):
    assert codes(desk, text, "metric") == found


def test_one_name_keeps_the_readings_of_every_kind(desk):
    (mention,) = desk.mentions.find("中国")
    assert set(mention.candidates) == {("CHN", "country"), ("CN", "company")}


@pytest.mark.parametrize(
    ("text", "how"),
    [("REVENUE", "exact"), ("revenues", "folded"), ("turnover", "alias"), ("Revenue", "exact")],
)
def test_how_a_term_was_found_is_said(desk, text, how):
    assert desk.mentions.find(text)[0].how == how


def test_what_shows_nothing_hides_nothing_and_places_are_those_of_the_text(desk):
    text = "the rev\u200benue of \u202aHK\u202c"
    revenue, entity = desk.mentions.find(text)
    assert (revenue.candidates[0][0], entity.candidates[0][0]) == ("REVENUE", "HKG")
    assert text[slice(*revenue.span)] == revenue.raw == "rev\u200benue"
    assert text[slice(*entity.span)] == "HK"


def test_every_name_of_the_profile_is_found_as_itself(desk):
    for entity in desk.profile.entities:
        for name in (entity.code, entity.name, *entity.aliases):
            found = desk.mentions.find(f"of {name}")
            assert (entity.code, entity.kind) in found[0].candidates, name
            assert found[0].raw.rstrip(".") == name.rstrip(".")
