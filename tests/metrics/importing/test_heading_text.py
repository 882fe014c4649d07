"""Headings that name a period beside name and unit."""

from __future__ import annotations

import pytest

from groundwire.metrics.importing.heading_text import read_dated


@pytest.mark.parametrize(
    ("text", "name", "exponent", "symbol", "when"),
    [
        ("Umsatz 2023 (Mio. EUR)", "Umsatz", 6, "EUR", "2023"),
        ("revenue_2022_usd_m", "revenue", 6, "USD", "2022"),
        ("营业收入（万元）2023", "营业收入", 4, "CNY", "2023"),
        ("Gewinn Q3/2023 (Tsd. CHF)", "Gewinn", 3, "CHF", "Q3/2023"),
        ("Bevölkerung 2020 (in 1.000)", "Bevölkerung", 3, "", "2020"),
        ("2023 (in Tausend Euro)", "", 3, "EUR", "2023"),
    ],
)
def test_a_heading_gives_name_unit_and_period(
    text: str, name: str, exponent: int, symbol: str, when: str
) -> None:
    found = read_dated(text)
    assert found is not None and found.unit is not None
    assert (found.name, found.unit.exponent, found.unit.symbol, found.when) == (
        name, exponent, symbol, when
    )  # fmt: skip
    assert not found.doubts


@pytest.mark.parametrize(
    "text",
    [
        "Umsatz 2021/22 (Mio. EUR)",
        "Change 2022-2023 (%)",
        "Index 2015=100",
        "GDP in 2015 prices",
        "2023年1-9月营业收入（万元）",
        "Model 2020i sales",
        "ISO 9001 2023 sites",
    ],
)
def test_a_year_that_is_no_period_of_its_own_is_left_alone(text: str) -> None:
    assert read_dated(text) is None


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("Revenue 2024E (USD m)", "no actual figure"),
        ("Revenue 2001 (DEM m)", "may be a unit or a scale"),
        ("Output 2023 (kt)", "not known"),
        ("Umsatz 2022 im Geschäftsjahr (Mio. EUR)", "fiscal year"),
    ],
)
def test_what_a_person_must_look_at_is_told(text: str, doubt: str) -> None:
    found = read_dated(text)
    assert found is not None
    assert doubt in " ".join(found.doubts)
