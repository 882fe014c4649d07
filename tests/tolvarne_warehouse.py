"""Makes the tables of the embedded warehouse: `python tests/tolvarne_warehouse.py`.

Orders of Tolvarne China and Tolvarne Hong Kong add up, for each quarter and channel, to the revenue
that the group reports for it. How they fall on outlets, products and months is drawn from a fixed
seed, as is all else.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

PROFILES = Path(__file__).parents[1] / "profiles"
COMPANIES = {"Mainland China": "Tolvarne China", "Hong Kong": "Tolvarne Hong Kong"}
CHANNELS = ("Online", "Retail", "Wholesale")
QUARTERS = [(year, quarter) for year in (2023, 2024, 2025, 2026) for quarter in (1, 2, 3, 4)][:15]

OUTLETS = [
    # id, name, company, channel, city, floor space in square metres
    (1, "Tolvarne.cn", "Tolvarne China", "Online", "Hangzhou", None),
    (2, "Tolvarne Nanjing Road", "Tolvarne China", "Retail", "Shanghai", 2400),
    (3, "Tolvarne Sanlitun", "Tolvarne China", "Retail", "Beijing", 2100),
    (4, "Tolvarne Tianhe", "Tolvarne China", "Retail", "Guangzhou", 1900),
    (5, "Tolvarne Taikoo Li", "Tolvarne China", "Retail", "Chengdu", 1500),
    (6, "Tolvarne West Lake", "Tolvarne China", "Retail", "Hangzhou", 1200),
    (7, "Yangtze Home Supply", "Tolvarne China", "Wholesale", "Wuhan", None),
    (8, "Pearl River Interiors", "Tolvarne China", "Wholesale", "Shenzhen", None),
    (9, "Tolvarne.hk", "Tolvarne Hong Kong", "Online", "Hong Kong", None),
    (10, "Tolvarne Causeway Bay", "Tolvarne Hong Kong", "Retail", "Hong Kong", 1100),
    (11, "Tolvarne Mong Kok", "Tolvarne Hong Kong", "Retail", "Hong Kong", 700),
    (12, "Tolvarne Sha Tin", "Tolvarne Hong Kong", "Retail", "Hong Kong", 900),
    (13, "Harbour Contract Furnishing", "Tolvarne Hong Kong", "Wholesale", "Hong Kong", None),
]
PRODUCTS = [
    # id, name, category, brand, list price in CNY
    (1, "Oak dining table", "Furniture", "Varne", "3299.00"),
    (2, "Linen sofa", "Furniture", "Varne", "5899.00"),
    (3, "Shelf system", "Furniture", "Tolva Basic", "899.00"),
    (4, "Paper floor lamp", "Lighting", "Lumeo", "499.00"),
    (5, "Desk lamp", "Lighting", "Tolva Basic", "199.00"),
    (6, "Cotton bed set", "Textiles", "Varne", "629.00"),
    (7, "Wool rug", "Textiles", "Nordufer", "1499.00"),
    (8, "Stoneware set", "Kitchen", "Nordufer", "459.00"),
    (9, "Cast-iron pan", "Kitchen", "Lumeo", "369.00"),
]
SURNAMES = [
    "Aldane",
    "Breck",
    "Corvin",
    "Dunmar",
    "Elstow",
    "Farrow",
    "Galdin",
    "Hestor",
    "Ivarne",
    "Jorvik",
]
GIVEN = ["Anning", "Bowen", "Chunhua", "Daiyu", "Enlai", "Fengge"]
SEGMENTS = ("Household", "Small business", "Hotel and office")
REASONS = ("Damaged", "Wrong size", "Changed mind", "Late delivery")
DEPOTS = [
    (1, "Suzhou depot", "Tolvarne China"),
    (2, "Foshan depot", "Tolvarne China"),
    (3, "Kwai Chung depot", "Tolvarne Hong Kong"),
]
DEVICES = ("Phone", "Computer")

Rows = dict[str, tuple[Sequence[str], list[Sequence[object]]]]


def _amount(text: str) -> Decimal:
    return Decimal(text.replace(",", "")) * 1_000_000


def quarterly_revenue() -> dict[tuple[str, str, int, int], Decimal]:
    """Revenue in CNY by company, channel, year and quarter, as it is known last."""
    years: dict[tuple[str, str, int], Decimal] = {}
    for year in (2023, 2024, 2025):
        with (PROFILES / f"tolvarne_annual_{year}.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                for told in (year, year - 1):
                    text = row.get(f"FY{told}")
                    if row["Item"] == "Revenue" and row["Company"] in COMPANIES and text:
                        years[row["Company"], row["Channel"], told] = _amount(text)
    found: dict[tuple[str, str, int, int], Decimal] = {}
    with (PROFILES / "tolvarne_quarterly.csv").open(encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["Published"])
    for row in rows:
        if row["Item"] == "Revenue" and row["Company"] in COMPANIES and row["Amount"]:
            year, quarter = int(row["Quarter"][2:6]), int(row["Quarter"][-1])
            found[row["Company"], row["Channel"], year, quarter] = _amount(row["Amount"])
    for (company, channel, year), total in years.items():
        missing = [q for q in (1, 2, 3, 4) if (company, channel, year, q) not in found]
        if len(missing) == 1:
            known = sum(found[company, channel, year, q] for q in (1, 2, 3, 4) if q not in missing)
            found[company, channel, year, missing[0]] = total - known
        elif not missing and year > 2022:
            parts = sum(found[company, channel, year, q] for q in (1, 2, 3, 4))
            assert parts == total, (company, channel, year, parts, total)
    return found


def _shares(draw: random.Random, total: Decimal, weights: Sequence[float]) -> list[Decimal]:
    """Parts of a total in whole fen, near the weights; the last one takes what is left."""
    weighed = [weight * draw.uniform(0.8, 1.2) for weight in weights]
    parts = [
        (total * Decimal(str(round(one / sum(weighed), 6)))).quantize(Decimal("0.01"))
        for one in weighed[:-1]
    ]
    return [*parts, total - sum(parts)]


def _month_end(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def tables() -> Rows:
    """All tables: their columns and rows."""
    draw = random.Random(20261103)
    customers = [
        (number, f"{GIVEN[number % 6]} {SURNAMES[number % 10]}", SEGMENTS[number % 3])
        for number in range(1, 61)
    ]  # fmt: skip
    sales = list(_sales(draw))
    return {
        "outlets": (("outlet_id", "name", "company", "channel", "city", "floor_space"), OUTLETS),
        "products": (("product_id", "name", "category", "brand", "list_price"), PRODUCTS),
        "customers": (("customer_id", "name", "segment"), customers),
        "depots": (("depot_id", "name", "company"), DEPOTS),
        "order_lines": (
            ("line_id", "ordered_on", "outlet_id", "product_id", "customer_id", "units", "amount"),
            sales,
        ),
        "return_lines": (
            ("return_id", "line_id", "returned_on", "reason", "units", "refund"),
            list(_returns(draw, sales)),
        ),
        "stock": (("day", "depot_id", "product_id", "units"), list(_stock(draw))),
        "visits": (("day", "outlet_id", "device", "visits", "carts"), list(_visits(draw))),
    }  # fmt: skip


def _sales(draw: random.Random) -> Iterable[Sequence[object]]:
    line = 0
    revenue = quarterly_revenue()
    for year, quarter in QUARTERS:
        for company, name in COMPANIES.items():
            for channel in CHANNELS:
                outlets = [one[0] for one in OUTLETS if one[2:4] == (name, channel)]
                slots = [
                    (outlet, month, product)
                    for outlet in outlets
                    for month in range(3 * quarter - 2, 3 * quarter + 1)
                    for product in draw.sample(PRODUCTS, 4)
                ]
                weights = [
                    float(product[4]) ** 0.4 / (2 + outlet % 5) for outlet, _, product in slots
                ]
                total = revenue[company, channel, year, quarter]
                for (outlet, month, product), amount in zip(
                    slots, _shares(draw, total, weights), strict=True
                ):
                    line += 1
                    day = date(year, month, draw.randint(1, 28))
                    units = max(1, round(amount / Decimal(product[4]) / Decimal("0.9")))
                    customer = draw.randint(1, 60)
                    yield line, day, outlet, product[0], customer, units, amount


def _returns(draw: random.Random, sales: Sequence[Sequence[object]]) -> Iterable[Sequence[object]]:
    number = 0
    for line, day, _, _, _, units, amount in sales:
        for _ in range(draw.choice((0, 0, 0, 0, 1, 1, 2))):
            number += 1
            share = Decimal(draw.randint(2, 30)) / 1000
            back = max(1, round(int(str(units)) * share))
            refund = (Decimal(str(amount)) * share).quantize(Decimal("0.01"))
            later = date.fromisoformat(str(day)) + timedelta(days=draw.randint(2, 40))
            yield number, line, later, draw.choice(REASONS), back, refund


def _stock(draw: random.Random) -> Iterable[Sequence[object]]:
    for depot in DEPOTS:
        for product in PRODUCTS:
            units = draw.randint(4_000, 20_000) // depot[0]
            for year, quarter in QUARTERS:
                for month in range(3 * quarter - 2, 3 * quarter + 1):
                    units = max(300, units + draw.randint(-900, 950) // depot[0])
                    yield _month_end(year, month), depot[0], product[0], units


def _visits(draw: random.Random) -> Iterable[Sequence[object]]:
    for outlet, size in ((1, 2_400_000), (9, 160_000)):
        for year, quarter in QUARTERS:
            for month in range(3 * quarter - 2, 3 * quarter + 1):
                for device, share in zip(DEVICES, (0.72, 0.28), strict=True):
                    growth = 1 + 0.06 * (year - 2023)
                    visits = round(size * share * growth * draw.uniform(0.9, 1.1))
                    carts = round(visits * draw.uniform(0.04, 0.07))
                    yield date(year, month, 1), outlet, device, visits, carts


def write(folder: Path) -> None:
    """Write each table as a CSV file."""
    for name, (columns, rows) in tables().items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(["" if one is None else one for one in row] for row in rows)


if __name__ == "__main__":
    write(PROFILES / "warehouse")
