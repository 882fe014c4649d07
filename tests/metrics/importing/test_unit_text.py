"""Units as files write them, and how they agree with those of the profile."""

from __future__ import annotations

import pytest

from groundwire.metrics.importing.cells import UnitConflict, read_unit, settle


@pytest.mark.parametrize(
    ("text", "exponent", "symbol"),
    [
        ("USD", 0, "USD"),
        ("US dollars", 0, "USD"),
        ("million USD", 6, "USD"),
        ("USD million", 6, "USD"),
        ("USD, millions", 6, "USD"),
        ("in thousands of USD", 3, "USD"),
        ("US$ bn", 9, "USD"),
        ("$m", 6, "USD"),
        ("€000", 3, "EUR"),
        ("USD '000", 3, "USD"),
        ("'000", 3, ""),
        ("thousand", 3, ""),
        ("万元", 4, "CNY"),
        ("单位：万元", 4, "CNY"),
        ("亿美元", 8, "USD"),
        ("万人", 4, "people"),
        ("persons", 0, "people"),
        ("m", 0, "m"),
        ("pure", 0, ""),
        ("USD/shares", 0, "USD/shares"),
        ("% of GDP", 0, "% of GDP"),
    ],
)
def test_a_unit_text_is_a_power_of_ten_and_a_symbol(text: str, exponent: int, symbol: str) -> None:
    unit = read_unit(text)
    assert (unit.exponent, unit.symbol) == (exponent, symbol)


@pytest.mark.parametrize(
    ("wanted", "stated", "shift", "unit"),
    [
        ("USD", [], 0, "USD"),
        ("USD", ["thousand USD"], 3, "USD"),
        ("USD", ["USD", "million"], 6, "USD"),
        ("million USD", [], 6, "USD"),
        ("million USD", ["USD"], 0, "USD"),
        ("CAD", ["$"], 0, "CAD"),
        ("", ["万人"], 4, "people"),
        ("%", ["‰"], -1, "%"),
        ("m", ["km"], 3, "m"),
        ("GBP", ["pence"], -2, "GBP"),
        ("USD", ["million", "million USD"], 6, "USD"),
    ],
)
def test_units_settle_by_a_power_of_ten(
    wanted: str, stated: list[str], shift: int, unit: str
) -> None:
    assert settle(wanted, [read_unit(text) for text in stated]) == (shift, unit)


@pytest.mark.parametrize(
    ("wanted", "stated"),
    [
        ("USD", ["EUR"]),
        ("USD", ["¥"]),
        ("", ["$"]),
        ("m", ["mi"]),
        ("USD", ["USD", "EUR"]),
        ("USD", ["thousand", "million"]),
        ("%", ["pp"]),
        ("°C", ["K"]),
        ("people", ["shares"]),
    ],
)
def test_units_that_contradict_each_other_are_refused(wanted: str, stated: list[str]) -> None:
    with pytest.raises(UnitConflict):
        settle(wanted, [read_unit(text) for text in stated])
