"""What records of journeys call modes and values, in English, German and Chinese."""

from __future__ import annotations

import pytest

from groundwire.evidence.answers import other_names
from groundwire.journeys.lines.names import LINES, MODE_NAMES
from groundwire.journeys.statements import PACKAGE, mode_names
from groundwire.vocabulary import fold


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        ("tube", {"tube", "Underground", "U-Bahn", "地铁"}),
        ("walking", {"walking", "on foot", "zu Fuß", "步行"}),
        ("bus", {"bus", "公交车"}),
        ("river-bus", {"Boat", "Fähre", "渡轮"}),
        ("national-rail", {"Train", "Zug", "火车"}),
    ],
)
def test_a_mode_has_its_names_in_each_language(mode: str, names: set[str]) -> None:
    assert names <= set(mode_names(mode))


def test_a_mode_without_other_names_has_its_id() -> None:
    assert mode_names("plane") == ("plane",)


def test_no_name_is_of_two_modes_or_of_a_line_of_another() -> None:
    modes = {*MODE_NAMES, *other_names(PACKAGE, "modes")}
    owners: dict[str, set[str]] = {}
    for mode in modes:
        for name in mode_names(mode):
            owners.setdefault(fold(name), set()).add(mode)
    for line in LINES:
        owners.setdefault(fold(line.name), set()).add(line.mode)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("departure", {"leaves", "Abfahrt", "出发"}),
        ("arrival", {"arrives", "Ankunft", "到达"}),
        ("duration", {"takes", "dauert", "分钟"}),
        ("interchanges", {"changes", "Umstiege", "umsteigen", "换乘"}),
        ("cost", {"costs", "Fahrpreis", "票价"}),
        ("walking", {"walk", "zu Fuß", "步行"}),
        ("platform", {"Gleis", "站台"}),
    ],
)
def test_a_value_has_its_labels_in_each_language(value: str, names: set[str]) -> None:
    assert names <= set(other_names(PACKAGE, "values")[value])


def test_a_table_that_the_file_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError):
        other_names(PACKAGE, "nothing")
