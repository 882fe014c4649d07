"""Names of places that mean one place, and those that do not."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.names import is_same_place, may_be, stands_in


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Angel", "Angel Underground Station"),
        ("kings x", "King's Cross St. Pancras"),
        ("St Pancras", "King's Cross"),
        ("brixtn", "Brixton"),
        ("Bank", "bank tube station"),
        ("Liverpool St", "Liverpool Street"),
        ("N1 9AG", "n19ag"),
    ],
)
def test_one_place_in_two_spellings(asked: str, name: str) -> None:
    assert is_same_place(asked, name)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("West Ham", "East Ham"),
        ("Kew", "Kew Gardens"),
        ("Victoria", "Victoria Park"),
        ("Heathrow Terminal 4", "Heathrow Terminal 5"),
        ("Heathrow", "Heathrow Terminal 5"),
        ("Oval", "Opal"),
        ("Bank", ""),
    ],
)
def test_two_places(asked: str, name: str) -> None:
    assert not is_same_place(asked, name)


def test_a_name_of_several_stations_may_be_each_of_them() -> None:
    assert may_be("Heathrow", "Heathrow Terminal 5")
    assert not may_be("Angel", "Bank")


def test_a_name_stands_in_a_text_of_any_script() -> None:
    assert stands_in("Angel", "从Angel到Bank")
    assert stands_in("King's Cross St. Pancras", "Wie komme ich von Kings Cross zur Bank?")
    assert not stands_in("Oval", "an ovally shaped table")
