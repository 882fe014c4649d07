"""Makes the tables of the shops of Tolvarne Hong Kong, an invention, in `profiles/tolvarne_shops`.

    python -m tests.profiles.tolvarne_shops

What the shops sold in a quarter is what the quarterly figures say of Hong Kong's channel Retail, to
the cent: the two stores of the metrics server never contradict each other. Everything else is drawn
with a fixed seed. A test holds that the files are those that this module makes.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

PROFILES = Path(__file__).parents[2] / "profiles"
FOLDER = PROFILES / "tolvarne_shops"
MILLION = 1_000_000

# id, name, district, floor area, first month, last month, manager, how much it sells, visitors
SHOPS = (
    (1, "Causeway Bay", "Hong Kong Island", 1_450, "2016-03", "", "Lai Wing Yan", 1.60, 61_000),
    (2, "Central", "Hong Kong Island", 620, "2018-09", "", "Chow Ka Ming", 0.85, 34_000),
    (3, "Quarry Bay", "Hong Kong Island", 880, "2019-05", "2024-12", "Tse Siu Fan", 0.60, 19_000),
    (4, "Mong Kok", "Kowloon", 1_120, "2015-11", "", "Yip Chun Kit", 1.30, 72_000),
    (5, "Tsim Sha Tsui", "Kowloon", 1_300, "2017-06", "", "Ho Mei Ling", 1.45, 66_000),
    (6, "Kwun Tong", "Kowloon", 960, "2020-08", "", "Fung Wai Lun", 0.75, 28_000),
    (7, "Sha Tin", "New Territories", 1_080, "2016-10", "", "Ng Hoi Yan", 0.95, 41_000),
    (8, "Tsuen Wan", "New Territories", 900, "2021-02", "", "Mak Tsz Ho", 0.65, 25_000),
    (9, "Tung Chung", "New Territories", 740, "2025-04", "", "Leung Pui Shan", 0.40, 17_000),
)
# name, category, country of the supplier, list price, part of the price that it costs
PRODUCTS = (
    ("Oak dining table", "Furniture", "VN", "6890.00", "0.58"),
    ("Folding desk", "Furniture", "CN", "2190.00", "0.55"),
    ("Rattan armchair", "Furniture", "ID", "3450.00", "0.57"),
    ("Shoe cabinet", "Furniture", "CN", "1590.00", "0.52"),
    ("Pendant lamp", "Lighting", "CN", "890.00", "0.49"),
    ("Reading lamp", "Lighting", "DK", "1290.00", "0.60"),
    ("Paper lantern", "Lighting", "JP", "320.00", "0.44"),
    ("Cotton bed set", "Textiles", "IN", "780.00", "0.48"),
    ("Wool throw", "Textiles", "PT", "990.00", "0.53"),
    ("Bath towel", "Textiles", "TR", "180.00", "0.41"),
    ("Curtain pair", "Textiles", "IN", "650.00", "0.46"),
    ("Cast iron pot", "Kitchen", "FR", "1980.00", "0.62"),
    ("Bamboo steamer", "Kitchen", "CN", "240.00", "0.43"),
    ("Knife set", "Kitchen", "JP", "1680.00", "0.59"),
    ("Stoneware bowl", "Kitchen", "CN", "120.00", "0.38"),
    ("Storage box", "Storage", "CN", "150.00", "0.40"),
    ("Wall shelf", "Storage", "VN", "560.00", "0.50"),
    ("Laundry basket", "Storage", "ID", "290.00", "0.45"),
    ("Scented candle", "Decoration", "FR", "210.00", "0.36"),
    ("Wall clock", "Decoration", "CN", "480.00", "0.47"),
)
REASONS = ("damaged", "wrong size", "changed mind", "late delivery")
# Parts of a quarter's sales that its months have.
MONTHS = {1: 1.18, 2: 0.86, 3: 0.96, 4: 0.98, 5: 0.99, 6: 1.03, 7: 0.98, 8: 1.0, 9: 1.02,
          10: 0.95, 11: 0.99, 12: 1.06}  # fmt: skip


def months() -> Iterator[tuple[str, list[date]]]:
    """Yield each quarter from 2024 to the third of 2026 with the first days of its months."""
    for year in (2024, 2025, 2026):
        for quarter in (1, 2, 3, 4):
            if (year, quarter) <= (2026, 3):
                first = 3 * quarter - 2
                yield f"{year}Q{quarter}", [date(year, first + at, 1) for at in range(3)]


def stated() -> dict[str, int]:
    """Return what Retail in Hong Kong sold in each quarter, in cents, as the figures state it."""
    with (PROFILES / "tolvarne_quarterly.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["Quarter"].removeprefix("FY"): int(
                Decimal(row["Amount"].replace(",", "")) * MILLION * 100
            )
            for row in csv.DictReader(file)
            if (row["Company"], row["Item"], row["Channel"]) == ("Hong Kong", "Revenue", "Retail")
        }


def is_open(shop: tuple[Any, ...], month: date) -> bool:
    """Return whether a shop sells anything in a month."""
    said = f"{month:%Y-%m}"
    return shop[4] <= said and (not shop[5] or said <= shop[5])


def made() -> dict[str, tuple[str, list[tuple[Any, ...]]]]:
    """Return the columns and rows of each table."""
    chance = random.Random("the shops of Tolvarne Hong Kong")
    totals = stated()
    taste = {(s[0], p): chance.uniform(0.6, 1.5) for s in SHOPS for p in range(len(PRODUCTS))}
    sales: list[tuple[Any, ...]] = []
    returns: list[tuple[Any, ...]] = []
    shop_months: list[tuple[Any, ...]] = []
    stock: list[tuple[Any, ...]] = []
    for quarter, days in months():
        cells = [
            (day, shop, at, MONTHS[day.month] * shop[7] * taste[shop[0], at] * _draw(chance))
            for day in days
            for shop in SHOPS
            if is_open(shop, day)
            for at in range(len(PRODUCTS))
        ]
        whole = sum(weight for *_, weight in cells)
        left = totals[quarter]
        for number, (day, shop, at, weight) in enumerate(cells):
            last = number == len(cells) - 1
            cents = left if last else int(totals[quarter] * weight / whole)
            left -= cents
            _, _, _, price, part = PRODUCTS[at]
            # Some are sold below the price of the list.
            units = max(1, round(cents / 100 / (float(price) * chance.uniform(0.86, 0.97))))
            cost = (Decimal(units) * Decimal(price) * Decimal(part)).quantize(Decimal("0.01"))
            sales.append((day, shop[0], at + 1, units, Decimal(cents) / 100, cost))
            if chance.random() < 0.14:
                back = max(1, round(units * chance.uniform(0.01, 0.05)))
                on = day + timedelta(days=chance.randrange(28))
                amount = (Decimal(cents) / 100 / units * back).quantize(Decimal("0.01"))
                returns.append((on, shop[0], at + 1, back, amount, chance.choice(REASONS)))
            end = (day + timedelta(days=32)).replace(day=1) - timedelta(days=1)
            stock.append((end, shop[0], at + 1, max(0, round(units * chance.uniform(0.4, 1.6)))))
        for day in days:
            for shop in SHOPS:
                if is_open(shop, day):
                    visitors = round(shop[8] * MONTHS[day.month] * chance.uniform(0.93, 1.08))
                    rent = Decimal(shop[3]) * (310 + 9 * (day.year - 2024))
                    staff = Decimal(round(shop[3] * 260 * chance.uniform(0.98, 1.02)))
                    shop_months.append((day, shop[0], visitors, rent, staff))
    shops = [(n, name, place, area, date.fromisoformat(f"{since}-01"), boss)
             for n, name, place, area, since, _, boss, *_ in SHOPS]  # fmt: skip
    products = [(at + 1, name, category, country, Decimal(price))
                for at, (name, category, country, price, _) in enumerate(PRODUCTS)]  # fmt: skip
    return {
        "shops": ("shop_id INTEGER, name VARCHAR, district VARCHAR, area_m2 INTEGER, "
                  "opened_on DATE, manager VARCHAR", shops),
        "products": ("product_id INTEGER, name VARCHAR, category VARCHAR, "
                     "supplier_country VARCHAR, list_price DECIMAL(10,2)", products),
        "sales": ("month DATE, shop_id INTEGER, product_id INTEGER, units INTEGER, "
                  "net_sales DECIMAL(14,2), cost DECIMAL(14,2)", sales),
        "returns": ("returned_on DATE, shop_id INTEGER, product_id INTEGER, units INTEGER, "
                    "amount DECIMAL(14,2), reason VARCHAR", returns),
        "shop_months": ("month DATE, shop_id INTEGER, visitors INTEGER, rent DECIMAL(14,2), "
                        "staff_cost DECIMAL(14,2)", shop_months),
        "stock": ("day DATE, shop_id INTEGER, product_id INTEGER, units INTEGER", stock),
    }  # fmt: skip


def _draw(chance: random.Random) -> float:
    return chance.uniform(0.75, 1.3)


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    with duckdb.connect() as connection:
        for name, (columns, rows) in made().items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            marks = ", ".join("?" for _ in rows[0])
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
            path = FOLDER / f"{name}.parquet"
            connection.execute(f"COPY {name} TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
            print(f"{name}: {len(rows):,} rows, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
