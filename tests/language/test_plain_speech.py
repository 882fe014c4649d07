"""Short and spoken forms, and ordinals before superlatives."""

from __future__ import annotations

from datetime import date
from importlib import import_module

import pytest

from groundwire.language.ordinals import ranked_place
from groundwire.language.plain_speech import (
    plain_adjectives,
    plain_amounts,
    plain_dates,
    plain_numbers,
    plain_speech,
)
from groundwire.vocabulary import KnownWords

MODULE = import_module("groundwire.language.plain_speech")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("whats the capital of bolivia pls", "what is the capital of bolivia"),
        ("scenarios w/ snow thx", "scenarios with snow"),
        ("machines under 300 w", "machines under 300 w"),
        ("你好，日本的首都是哪里？", "日本的首都是哪里？"),
        ("How many plants are there?", "How many plants are there?"),
        ("thx", "thx"),
    ],
)
def test_short_forms_are_written_out(text: str, plain: str) -> None:
    assert plain_speech(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("friction under .3", "friction under 0.3"),
        ("dues over 50k or 1.5k", "dues over 50000 or 1500"),
        ("4k textures of version v1.5 or 2.5", "4k textures of version v1.5 or 2.5"),
        ("lighter than 5kg, built in the 1990s", "lighter than 5 kg, built in the 1990s"),
        ("3d models over 200m", "3d models over 200 m"),
    ],
)
def test_short_numbers_are_written_out(text: str, plain: str) -> None:
    assert plain_numbers(text) == plain


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("bikes in october", "bikes in october 2026"),
        ("orders since the 12th of october", "orders since the 12th of october 2026"),
        ("sold in december", "sold in december 2026"),
        ("sold in march", "sold in march 2026"),
        ("sold since january", "sold since january 2026"),
        ("from november to january", "from november 2026 to january 2027"),
        ("seit dem 9. November verkauft", "seit dem 9. November 2026 verkauft"),
        ("ab dem 28.", "ab dem 28 October 2026"),
        ("11月清点了什么", "2026年11月清点了什么"),
        ("orders last month", "orders in October 2026"),
        ("maps of last year", "maps of 2025"),
        ("bought in the last two years", "bought since 2024-11-23"),
        ("out within the next two months", "out between 2026-11-23 and 2027-01-23"),
        ("上个月的订单", "2026年10月的订单"),
        ("in October 2025", "in October 2025"),
        ("a note of 3 March by May Reed", "a note of 3 March by May Reed"),
    ],
)
def test_a_day_without_a_year_is_of_the_nearest(text: str, dated: str) -> None:
    assert plain_dates(text, date(2026, 11, 23)) == dated


def test_half_of_a_unit_is_a_figure() -> None:
    assert plain_amounts("under half a metre") == "under 0.5 metre"
    assert plain_amounts("below half a minute") == "below 0.5 minute"


def test_continents_stand_for_their_adjectives() -> None:
    assert plain_adjectives("Which African country?") == "Which Africa country?"
    assert plain_adjectives("welches afrikanische Land") == "welches Afrika Land"


@pytest.mark.parametrize(
    ("text", "place", "rest"),
    [
        ("the second longest map", 2, "the longest map"),
        ("Welche ist die drittlängste Karte?", 3, "Welche ist die längste Karte?"),
        ("第二长的地图", 2, "最长的地图"),
        ("the longest second", 0, "the longest second"),
    ],
)
def test_a_place_is_read_with_its_superlative(text: str, place: int, rest: str) -> None:
    assert ranked_place(text) == (place, rest)


def test_slips_of_the_pen_are_no_words_of_their_own() -> None:
    """Every form that is read as another word is in no dictionary."""
    words, _ = MODULE._table("forms")
    known = KnownWords()
    slips = {
        form
        for word in MODULE._data()["misspelt"]["words"]
        for form in MODULE._slips(word)
        if words.get(form) == word
    }
    assert slips
    assert not {one for one in slips if known.of_language(one)} - {"wich"}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Whcih countrys", "which countrys"),
        ("how mnay maps", "how many maps"),
        ("Wleche Karten", "welche Karten"),
        ("Welche Karten", "Welche Karten"),
        ("wlche", "welche"),
        ("three counties", "three counties"),
        ("were there", "were there"),
    ],
)
def test_a_slip_of_the_pen_is_read(text: str, plain: str) -> None:
    assert plain_speech(text) == plain
