"""One cell as an exact number."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.metrics.importing.cells import BadCell, read_amount


def number(cell: str, decimal_comma: bool = False) -> tuple[str, str]:
    amount = read_amount(cell, decimal_comma)
    shown = Decimal(amount.mantissa).scaleb(amount.exponent)
    return f"{shown:f}", amount.unit.symbol if amount.unit else ""


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("3626396000", "3626396000", ""),
        ("-3.50", "-3.50", ""),
        ("007", "7", ""),
        ("+5", "5", ""),
        ("1.2E+09", "1200000000", ""),
        ("1e-7", "0.0000001", ""),
        ("1,234,567.8", "1234567.8", ""),
        ("12,34,567", "1234567", ""),
        ("1 234", "1234", ""),
        ("1\u202f234.5", "1234.5", ""),
        ("(1,234)", "-1234", ""),
        ("$(1,234)", "-1234", "USD"),
        ("-$5", "-5", "USD"),
        ("−5", "-5", ""),
        ("１２３", "123", ""),
        ("12%", "12", "%"),
        ("(12.5%)", "-12.5", "%"),
        ("-12.5 %", "-12.5", "%"),
        ("百分之十二", "12", "%"),
        ("US$ 3.6 billion", "3600000000", "USD"),
        ("€5m", "5000000", "EUR"),
        ("1.2 million", "1200000", ""),
        ("3.5万人", "35000", "people"),
        ("1亿2000万", "120000000", ""),
        ("一百二十三", "123", ""),
        ("三百万", "3000000", ""),
        ("12 people", "12", "people"),
        ("5 kg", "5", "kg"),
    ],
)
def test_a_cell_is_read_exactly(cell: str, value: str, unit: str) -> None:
    assert number(cell) == (value, unit)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1.234,5", "1234.5"), ("12,5", "12.5"), ("1.234", "1234"), ("1 234,50 €", "1234.50")],
)
def test_the_decimal_comma_is_a_matter_of_the_whole_file(cell: str, value: str) -> None:
    assert number(cell, decimal_comma=True)[0] == value


@pytest.mark.parametrize(
    "cell",
    [
        "nan", "-inf", "#REF!", "#N/A", "#DIV/0!", "=A1+B1", "+SUM(A1)", "2024-03-31", "31/12/2024",
        "Q1", "about 5", "≈5", "12[1]", "12*", "1/2", "(-5)", "--5", "1e400", "12,5", "1.234.567",
        "TRUE", "5 or 6", "1" * 41, "9" * 81, "text", "12:30", "1.2.3", "٣",
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused(cell: str) -> None:
    with pytest.raises(BadCell):
        read_amount(cell)


@pytest.mark.parametrize("cell", ["1.5", "1,234,567", "1,23,456"])
def test_a_dot_does_not_group_by_chance(cell: str) -> None:
    with pytest.raises(BadCell, match="decimal_comma be false"):
        read_amount(cell, decimal_comma=True)


def test_the_cell_is_kept_where_it_is_not_the_plain_value() -> None:
    assert read_amount("-12.50").raw is None
    assert read_amount("1,250").raw == "1,250"
    assert read_amount("12E2").raw == "12E2"


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20))
def test_every_plain_decimal_comes_back(value: Decimal) -> None:
    text = f"{value:f}"
    if len(text.partition(".")[2]) <= 30:
        amount = read_amount(text)
        assert Decimal(f"{amount.mantissa}E{amount.exponent}") == value


@given(st.integers(-(10**18), 10**18), st.integers(0, 4))
def test_grouping_changes_nothing(whole: int, places: int) -> None:
    value = Decimal(whole).scaleb(-places)
    assert Decimal(number(f"{value:,f}")[0]) == value
    swapped = f"{value:,f}".translate(str.maketrans(",.", ".,"))
    assert Decimal(number(swapped, decimal_comma=True)[0]) == value


@given(st.text(max_size=40))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    try:
        amount = read_amount(text)
    except BadCell as error:
        assert "\n" not in str(error)
    else:
        assert isinstance(amount.mantissa, int)
