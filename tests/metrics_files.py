"""Files in the form of public ones, with figures that are invented: World Bank tables and the
company facts of the SEC. The real ones are part of the real data; these stand for them."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

COUNTRIES = {
    "Afghanistan": "AFG", "Brazil": "BRA", "China": "CHN", "Cote d'Ivoire": "CIV",
    "Egypt, Arab Rep.": "EGY", "France": "FRA", "Germany": "DEU", "Korea, Rep.": "KOR",
    "United States": "USA",
}  # fmt: skip
COMPANY = "LARCHFIELD INC."


def write_world_bank(folder: Path) -> None:
    """Write `population.csv` and `gdp.csv`: a row a country and year, some without a value."""
    for name, first, exact in (("population", 1_000_003, True), ("gdp", 7_000_000_019, False)):
        rows = ["Country Name,Country Code,Year,Value"]
        for number, (country, code) in enumerate(COUNTRIES.items(), start=1):
            written = f'"{country}"' if "," in country else country
            for year in range(1990, 2023):
                value = f"{first * number * (year - 1950)}" + ("" if exact else f".{year * 7}")
                rows.append(f"{written},{code},{year},{'' if (number + year) % 29 == 0 else value}")
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", "utf-8")


def write_company_facts(path: Path) -> int:
    """Write the facts of a company whose year ends on 31 January; the number of values.

    `fy` and `fp` describe the filing, not the period, as those of the SEC do: a year is told
    again in the next filing, in the second one restated. Quarters are told alone and summed up.
    """
    flows = {
        "RevenueFromContractWithCustomerExcludingAssessedTax": ("USD", 1_000_000),
        "ComprehensiveIncomeNetOfTax": ("USD", -400_000),
        "EarningsPerShareBasic": ("USD/shares", -0.25),
        "EffectiveIncomeTaxRateContinuingOperations": ("pure", 0.013),
    }
    stocks = {
        "CashAndCashEquivalentsAtCarryingValue": ("USD", 900_000),
        "CommonStockSharesOutstanding": ("shares", 70_001),
        "NumberOfReportableSegments": ("segment", 1),
    }
    us_gaap: dict[str, Any] = {}
    for concept, (unit, size) in flows.items():
        values = [one for year in range(2019, 2025) for one in _flow(year, size)]
        us_gaap[concept] = _concept(concept, unit, values)
    for concept, (unit, size) in stocks.items():
        values = [one for year in range(2019, 2025) for one in _stock(year, size)]
        us_gaap[concept] = _concept(concept, unit, values)
    shares = [
        _filed(year, {"end": f"{year}-03-01", "val": 70_000 + year}) for year in range(2020, 2025)
    ]
    dei = {"EntityCommonStockSharesOutstanding": _concept("Shares on the cover", "shares", shares)}
    tree = {"cik": 9_999_999, "entityName": COMPANY, "facts": {"dei": dei, "us-gaap": us_gaap}}
    path.write_text(json.dumps(tree), "utf-8")
    return sum(
        len(values)
        for concepts in tree["facts"].values()
        for concept in concepts.values()
        for values in concept["units"].values()
    )


def _concept(name: str, unit: str, values: list[dict[str, Any]]) -> dict[str, Any]:
    label = "".join(f" {letter}" if letter.isupper() else letter for letter in name).strip()
    return {"label": label, "description": f"Invented: {label}.", "units": {unit: values}}


def _filed(year: int, value: dict[str, Any], quarter: int = 4) -> dict[str, Any]:
    """A value with its filing: by the fiscal year and quarter at whose end it was filed."""
    filed = _quarter(year, quarter)[1] + timedelta(days=35 if quarter < 4 else 58)
    return value | {
        "accn": f"0009999999-{filed:%y}-{quarter:06}",
        "fy": year,
        "fp": "FY" if quarter == 4 else f"Q{quarter}",
        "form": "10-K" if quarter == 4 else "10-Q",
        "filed": filed.isoformat(),
    }


def _quarter(year: int, number: int) -> tuple[date, date]:
    """First and last day of a quarter of the fiscal year that ends in January of `year`."""
    starts = [date(year - 1, month, 1) for month in (2, 5, 8, 11)] + [date(year, 2, 1)]
    return starts[number - 1], starts[number] - timedelta(days=1)


def _flow(year: int, size: float) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    first = _quarter(year, 1)[0]
    amount = size * (year - 2010)
    for number in (1, 2, 3):
        start, end = _quarter(year, number)
        alone = {"start": f"{start}", "end": f"{end}", "val": _exact(amount / 8)}
        found.append(_filed(year, alone | {"frame": f"CY{year - 1}Q{number}"}, number))
        if number > 1:
            summed = {"start": f"{first}", "end": f"{end}", "val": _exact(amount / 8 * number)}
            found.append(_filed(year, summed, number))
    whole = {"start": f"{first}", "end": f"{year}-01-31", "val": _exact(amount)}
    found.append(_filed(year, whole))
    found.append(_filed(year + 1, whole | {"val": _exact(amount * 1.01)}))
    return found


def _stock(year: int, size: float) -> list[dict[str, Any]]:
    ends = [_quarter(year, number)[1] for number in (1, 2, 3, 4)]
    return [
        _filed(year, {"end": f"{end}", "val": _exact(size * (year - 2000) + number)}, number)
        for number, end in enumerate(ends, start=1)
    ]


def _exact(value: float) -> int | float:
    """As a file writes it: whole numbers without a point, others with few digits."""
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded
