"""Units by every name, and exact conversion."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.errors import InputError
from groundwire.quantities import convert, resolve_unit, sign_currencies
from groundwire.quantities.units import names


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("km", "km"),
        ("KM", "km"),
        ("Kilometers", "km"),
        ("kilometre", "km"),
        ("公里", "km"),
        ("千米", "km"),
        ("feet", "ft"),
        ("sq km", "km²"),
        ("square kilometres", "km²"),
        ("kilometres per hour", "km/h"),
        ("公里/小时", "km/h"),
        ("MB", "MB"),
        ("Mb", "Mbit"),
        ("GiB", "GiB"),
        ("％", "%"),
        ("percent", "%"),
        ("percentage points", "pp"),
        ("个百分点", "pp"),
        ("basis points", "bp"),
        ("℃", "°C"),
        ("摄氏度", "°C"),
        ("$", "USD"),
        ("US$", "USD"),
        ("dollars", "USD"),
        ("€", "EUR"),
        ("usd", "USD"),
        ("人民币", "CNY"),
        ("元", "CNY"),
        ("TRY", "TRY"),
        ("pence", "pence"),
        ("小时", "h"),
        ("个月", "month"),
    ],
)
def test_a_unit_has_many_names(text: str, symbol: str) -> None:
    unit = resolve_unit(text)
    assert unit is not None
    assert unit.symbol == symbol


@pytest.mark.parametrize("text", ["", "lanes", "try", "资产", "kmkm", "m m"])
def test_what_is_no_unit_is_not_guessed(text: str) -> None:
    assert resolve_unit(text) is None


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        ("12", "km", "m", "12000"),
        ("12000", "m", "km", "12"),
        ("1", "mi", "km", "1.609344"),
        ("36", "km/h", "m/s", "10"),
        ("100", "°C", "°F", "212"),
        ("-40", "°F", "°C", "-40"),
        ("0", "°C", "K", "273.15"),
        ("1.5", "GB", "MB", "1500"),
        ("1", "GiB", "MiB", "1024"),
        ("90", "min", "h", "1.5"),
        ("2", "year", "month", "24"),
        ("250", "pence", "GBP", "2.5"),
        ("25", "bp", "pp", "0.25"),
        ("1", "m³", "l", "1000"),
        ("3", "公顷", "m²", "30000"),
    ],
)
def test_conversion_is_exact(value: str, source: str, target: str, result: str) -> None:
    assert convert(Decimal(value), source, target) == Decimal(result)


def test_a_conversion_without_end_is_rounded_to_28_digits() -> None:
    assert str(convert(Decimal(10), "km", "mi")) == "6.213711922373339696174341844"


@pytest.mark.parametrize(
    ("source", "target"), [("USD", "EUR"), ("km", "kg"), ("%", "pp"), ("h", "month"), ("km", "px")]
)
def test_different_dimensions_do_not_convert(source: str, target: str) -> None:
    with pytest.raises(InputError, match="does not convert"):
        convert(Decimal(1), source, target)


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(InputError, match="unknown unit 'furlong'"):
        convert(Decimal(1), "furlong", "km")


def test_there_and_back_is_the_same_for_every_pair_of_units() -> None:
    units = {unit.symbol: unit for unit in names().values()}.values()
    for source in units:
        for target in units:
            if source.dimension == target.dimension:
                back = convert(convert(Decimal("12.5"), source, target), target, source)
                assert abs(back - Decimal("12.5")) < Decimal("1e-20"), (source, target)


def test_a_sign_may_stand_for_several_currencies() -> None:
    assert sign_currencies("¥") == ("CNY", "JPY")
    assert sign_currencies("dollars")[:2] == ("USD", "CAD")
    assert sign_currencies("USD") == ()
