"""No column of a drafted profile has the unit of another, and no count a currency."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.metrics.importing.draft import draft
from groundwire.metrics.importing.draft_columns import is_money
from groundwire.metrics.importing.mapping import load_mapping
from groundwire.metrics.profile import load_profile
from tests.metrics.importing.test_draft import Drafted

HEAD = "Branch,Year"


@pytest.mark.parametrize(
    ("headings", "row", "units"),
    [
        ("Revenue,Currency,Units sold", "1,EUR,2", {"Revenue": "EUR", "Units sold": ""}),
        ("Revenue,Units sold,Currency", "1,2,EUR", {"Revenue": "EUR", "Units sold": ""}),
        ("Currency,Revenue,Costs", "EUR,1,2", {"Revenue": "EUR", "Costs": "EUR"}),
        ("Currency,Revenue,Staff", "EUR,1,2", {"Revenue": "EUR", "Staff": ""}),
        ("Revenue,Currency,Weight,Unit", "1,EUR,2,t", {"Revenue": "EUR", "Weight": "t"}),
        ("Revenue,Units,Revenue currency", "1,2,EUR", {"Revenue": "EUR", "Units": ""}),
        ("Revenue,Currency,Growth rate", "1,EUR,2", {"Revenue": "EUR", "Growth rate": ""}),
        ("Alpha,Beta,Currency", "1,2,EUR", {"Alpha": "", "Beta": ""}),
        ("Revenue (EUR),Units sold", "1,2", {"Revenue": "EUR", "Units sold": ""}),
        ("Revenue,Units sold", "€1,2", {"Revenue": "EUR", "Units sold": ""}),
        ("Units sold,Currency", "1,EUR", {"Units sold": ""}),
        ("Revenue,Currency", "1,EUR", {"Revenue": "EUR"}),
        ("销售额,销量,币种", "1,2,CNY", {"销售额": "CNY", "销量": ""}),
    ],
)  # fmt: skip
def test_each_column_has_a_unit_of_its_own(
    tmp_path: Path, headings: str, row: str, units: dict[str, str]
) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{HEAD},{headings}\nNorth,2023,{row}\nSouth,2023,{row}\n", "utf-8")
    found = Drafted(path, tmp_path)
    names = {one.label: one.code for one in found.profile.metrics}
    assert set(names) == set(units)
    for label, unit in units.items():
        assert found.value(label, "North", "2023")[1] == unit, label
    open_ones = [label for label, unit in units.items() if not unit]
    for label in open_ones:
        assert any(f"nothing says the unit of {label!r}" in note for note in found.draft.notes)
    found.store.close()


def test_a_currency_that_is_given_to_a_second_column_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{HEAD},Revenue,Costs,Currency\nN,2023,1,2,EUR\nS,2023,3,4,EUR\n", "utf-8")
    notes = draft(path).notes
    assert any("was taken for the unit of 'Revenue' too" in note for note in notes)


@pytest.mark.parametrize(
    ("value", "wanted"), [("Value (EUR)", "3400"), ("Value (EUR thousand)", "3400000")]
)
def test_a_heading_in_a_currency_gives_counts_in_its_rows_none(
    tmp_path: Path, value: str, wanted: str
) -> None:
    path = tmp_path / "data.csv"
    rows = "N,2023,Revenue,3400\nN,2023,Units sold,120\n"
    path.write_text(f"{HEAD},Item,{value}\n{rows}", "utf-8")
    found = Drafted(path, tmp_path)
    assert found.value("Revenue", "N", "2023") == (wanted, "EUR")
    assert found.value("Units sold", "N", "2023") == ("120", "")
    found.store.close()


def test_a_currency_in_the_cells_of_one_metric_is_of_that_alone(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rows = "N,2023,Revenue,€3400\nN,2023,Units sold,120\nS,2023,Revenue,€1\nS,2023,Units sold,2\n"
    path.write_text(f"{HEAD},Item,Value\n{rows}", "utf-8")
    found = Drafted(path, tmp_path)
    assert found.value("Revenue", "N", "2023") == ("3400", "EUR")
    assert found.value("Units sold", "N", "2023") == ("120", "")
    found.store.close()


def test_rows_of_several_currencies_keep_their_own(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{HEAD},Revenue,Currency,Staff\nN,2023,1,EUR,5\nS,2023,3,GBP,6\n", "utf-8")
    found = Drafted(path, tmp_path)
    assert found.value("Revenue", "N", "2023") == ("1", "EUR")
    assert found.value("Revenue", "S", "2023") == ("3", "GBP")
    assert found.value("Staff", "S", "2023") == ("6", "")
    assert any("rows keep their own unit" in note for note in found.draft.notes)
    found.store.close()


def test_a_draft_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"{HEAD},Revenue,Currency,Staff\nN,2023,1,EUR,5\nS,2023,3,EUR,6\n", "utf-8")
    made = draft(path)
    (tmp_path / "profile.toml").write_text(made.profile_toml, "utf-8")
    (tmp_path / "mapping.toml").write_text(made.mapping_toml, "utf-8")
    load_profile(tmp_path / "profile.toml")
    revenue, staff = load_mapping(tmp_path / "mapping.toml").value_columns
    assert (revenue.unit_column, staff.unit_column) == ("Currency", "")


@pytest.mark.parametrize(
    ("name", "money"),
    [
        ("Revenue", True), ("Cost per unit", True), ("Umsatz", True), ("Staff costs", True),
        ("Loans to customers", True), ("Operating profit before tax", True), ("Alpha", False),
        ("Sales staff", False), ("Sales (units)", False), ("Customers with loans", False),
        ("Tax inspectors", False), ("Cash machines", False), ("Gewinner", False),
        ("Units sold", False), ("Number of orders", False), ("员工人数", False), ("Ratio", False),
    ],
)  # fmt: skip
def test_counts_and_rates_are_no_money(name: str, money: bool) -> None:
    assert is_money(name) is money
