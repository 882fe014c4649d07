"""The invented figures agree with one another, as those of a real group would."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import pytest

from groundwire.profiles import FOLDER

YEARS = range(2022, 2026)
CHANNELS = ("Online", "Retail", "Wholesale")
PARTS = ("Mainland China", "Hong Kong", "Japan")
GROUP = "Tolvarne Group"
CHINESE = {
    "日本": "Japan",
    "营业收入": "Revenue",
    "净利润": "Net profit",
    "毛利率": "Gross margin",
    "员工人数": "Employees",
    "线上": "Online",
    "零售": "Retail",
    "合计": "Total",
}


class Key(NamedTuple):
    item: str
    company: str
    channel: str
    period: str


Figures = dict[Key, Decimal]


def number(cell: str) -> Decimal:
    """A cell as these files write it; parentheses are negative."""
    digits = cell.strip("()%").replace(",", "")
    return -Decimal(digits) if cell.startswith("(") else Decimal(digits)


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def annual(year: int) -> Figures:
    return {
        Key(row["Item"], row["Company"], row["Channel"], period): number(cell)
        for row in rows(f"tolvarne_annual_{year}.csv")
        for period, cell in row.items()
        if period.startswith("FY") and cell
    }


def latest_annual() -> Figures:
    found: Figures = {}
    for year in YEARS:
        found |= annual(year)
    return found


def quarterly(until: str = "9999") -> Figures:
    """What was published last until a day."""
    found: Figures = {}
    for row in sorted(rows("tolvarne_quarterly.csv"), key=lambda row: row["Published"]):
        if row["Published"] <= until:
            key = Key(row["Item"], row["Company"], row["Channel"], row["Quarter"])
            found[key] = number(row["Amount"])
    return found


def japan() -> Figures:
    return {
        Key(CHINESE[row["指标"]], "Japan", CHINESE[row["渠道"]], row["期间"]): number(row["金额"])
        for row in rows("tolvarne_japan.csv")
    }


def quarters(year: int) -> list[str]:
    return [f"FY{year}Q{quarter}" for quarter in range(1, 5)]


def in_japan(period: str) -> str:
    """The same three months by the fiscal year from April, named by its start."""
    year, quarter = int(period[2:6]), int(period[-1])
    return f"FY{year}Q{quarter - 1}" if quarter > 1 else f"FY{year - 1}Q4"


def published_quarters() -> Iterator[str]:
    for year in (*YEARS, 2026):
        yield from quarters(year)[: 3 if year == 2026 else 4]


def test_channels_add_up_to_the_total() -> None:
    compared = 0
    for figures in (quarterly(), japan(), *map(annual, YEARS)):
        for key, total in figures.items():
            if key.item != "Revenue" or key.channel != "Total":
                continue
            parts = [figures.get(key._replace(channel=channel)) for channel in CHANNELS]
            known = [part for part in parts if part is not None]
            # Japan has no wholesale; elsewhere an absent channel leaves nothing to compare.
            if len(known) == (2 if key.company == "Japan" else 3):
                assert sum(known) == total, key
                compared += 1
    assert compared > 90


@pytest.mark.parametrize("item", ["Revenue", "Net profit"])
def test_quarters_add_up_to_the_year(item: str) -> None:
    years, by_quarter = latest_annual(), quarterly()
    compared = 0
    for key, value in years.items():
        if key.item == item:
            year = int(key.period[2:])
            parts = [by_quarter.get(key._replace(period=period)) for period in quarters(year)]
            known = [part for part in parts if part is not None]
            if len(known) == 4:
                assert sum(known) == value, key
                compared += 1
    assert compared >= len(YEARS) * 3


def test_quarters_of_japan_add_up_to_its_year() -> None:
    figures = japan()
    for year in YEARS:
        for item in ("Revenue", "Net profit"):
            parts = [figures[Key(item, "Japan", "Total", period)] for period in quarters(year)]
            assert sum(parts) == figures[Key(item, "Japan", "Total", f"FY{year}")]


def test_two_quarters_are_the_half_year() -> None:
    by_quarter = quarterly()
    for row in rows("tolvarne_interim.csv"):
        year = int(row["Half year"][2:6])
        for item in ("Revenue", "Net profit"):
            parts = [
                by_quarter[Key(item, row["Company"], "Total", period)]
                for period in quarters(year)[:2]
            ]
            assert sum(parts) == number(row[item]), row


@pytest.mark.parametrize("channel", [*CHANNELS, "Total"])
def test_subsidiaries_add_up_to_the_group_over_the_same_days(channel: str) -> None:
    group, in_april_years = quarterly(), japan()
    for period in published_quarters():
        parts = [group.get(Key("Revenue", part, channel, period)) for part in PARTS[:2]]
        if None in parts:
            continue
        last = Key("Revenue", "Japan", channel, in_japan(period))
        known = [part for part in parts if part is not None]
        total = sum(known) + in_april_years.get(last, Decimal(0))
        assert total == group[Key("Revenue", GROUP, channel, period)], period


def test_months_add_up_to_the_quarter() -> None:
    (row,) = rows("tolvarne_online_monthly.csv")
    by_quarter = quarterly()
    for period in published_quarters():
        year, quarter = int(period[2:6]), int(period[-1])
        if year >= 2025:
            names = [f"{year}-{month:02}" for month in range(3 * quarter - 2, 3 * quarter + 1)]
            total = sum(number(row[name]) for name in names) / 100
            assert total == by_quarter[Key("Revenue", GROUP, "Online", period)], period


def test_the_group_employs_its_subsidiaries_staff_and_a_head_office() -> None:
    figures = latest_annual()
    for year in YEARS:
        staff = {
            company: figures[Key("Employees", company, "Total", f"FY{year}")]
            for company in (GROUP, *PARTS[:2])
        }
        in_march = japan()[Key("Employees", "Japan", "Total", f"FY{year}")]
        assert 50 < staff.pop(GROUP) - sum(staff.values()) - in_march < 200


def test_two_annual_reports_restate_the_year_before() -> None:
    changed: dict[int, set[tuple[str, str, str]]] = {}
    for year in YEARS[1:]:
        before, after = annual(year - 1), annual(year)
        changed[year] = {key[:3] for key, value in before.items() if after.get(key, value) != value}
    assert changed[2023] == set()
    assert {
        ("Revenue", "Mainland China", "Wholesale"),
        ("Revenue", "Mainland China", "Total"),
        ("Revenue", GROUP, "Wholesale"),
        ("Revenue", GROUP, "Total"),
    } <= changed[2024]
    assert {("Net profit", "Hong Kong", "Total"), ("Net profit", GROUP, "Total")} <= changed[2025]


def test_quarters_were_restated_on_the_day_of_the_annual_report() -> None:
    key = Key("Revenue", GROUP, "Total", "FY2023Q4")
    assert quarterly("2025-03-24")[key] != quarterly("2025-03-25")[key] == quarterly()[key]
    key = Key("Net profit", "Hong Kong", "Total", "FY2024Q4")
    assert quarterly("2026-03-23")[key] != quarterly("2026-03-24")[key] == quarterly()[key]


def test_two_publishers_disagree_on_one_figure_and_agree_on_another() -> None:
    figures = latest_annual()
    survey = {
        row["Company"]: number(row["Estimated sales"].removesuffix("亿元")) * 100
        for row in rows("retail_survey_2024.csv")
    }
    own = {company: figures[Key("Revenue", company, "Retail", "FY2024")] for company in survey}
    assert survey["Mainland China"] == own["Mainland China"]
    assert survey["Hong Kong"] != own["Hong Kong"]


def test_some_cells_are_absent() -> None:
    assert Key("Revenue", "Hong Kong", "Online", "FY2023Q3") not in quarterly()
    assert Key("Revenue", "Hong Kong", "Total", "FY2023Q3") in quarterly()
    assert Key("Return on equity", "Hong Kong", "Total", "FY2022") not in latest_annual()


def test_the_last_complete_year_is_there_for_every_company() -> None:
    figures = latest_annual() | japan()
    for company in (GROUP, *PARTS):
        for item in ("Revenue", "Net profit", "Gross margin", "Employees"):
            assert Key(item, company, "Total", "FY2025") in figures


@pytest.mark.parametrize(
    ("document", "company", "period"),
    [
        ("tolvarne_discussion_2024.md", GROUP, "FY2024"),
        ("tolvarne_discussion_2024.md", "Mainland China", "FY2024"),
        ("tolvarne_outlook_2026.txt", GROUP, "FY2025"),
    ],
)
def test_texts_quote_the_figures(document: str, company: str, period: str) -> None:
    text = " ".join((FOLDER / document).read_text("utf-8").split())
    revenue = latest_annual()[Key("Revenue", company, "Total", period)]
    assert f"CNY {revenue:,} million" in text


def test_chinese_texts_quote_the_figures() -> None:
    text = (FOLDER / "tolvarne_third_quarter_2026.md").read_text("utf-8")
    figures = quarterly()
    for company in (GROUP, "Mainland China"):
        revenue = figures[Key("Revenue", company, "Total", "FY2026Q3")]
        assert f"{(revenue / 100).normalize()}亿元" in text


def test_no_fact_is_a_figure_of_the_restricted_memo() -> None:
    """So that whatever shows one of them can only have it from the memo."""
    text = (FOLDER / "tolvarne_acquisition_memo.md").read_text("utf-8")
    secret = ["613.7", "547.5", "588", "377.9", "46.7", "33.6", "34.8", "268", "5,871", "455.2"]
    secret += ["5,702", "431.6"]
    assert all(figure in text for figure in secret)
    others = latest_annual() | quarterly() | japan()
    clashes = {figure for figure in secret if number(figure) in others.values()}
    assert clashes == set()
