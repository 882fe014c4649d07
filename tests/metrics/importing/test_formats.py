"""One table in every format: the same facts, and no cell missed."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.importing.report import BadRowsError
from tests.metrics.importing.conftest import LONG, TODAY, Bench

HEADINGS = ("Metric", "Entity", "Period", "Value", "Published")
VALUES = (1, -20, 1234567890123, 0.1, 17963170521079.5, 2.5e-7, 1e22, None, 0, 3521418059.923445)
ROWS = [
    (
        "GDP" if i % 2 else "POP",
        ("China", "法国", "Chad")[i % 3],
        1900 + i,
        VALUES[i % 10],
        "2024-01-31",
    )
    for i in range(120)
]
MAPPING = parse_mapping(
    LONG | {"columns": LONG["columns"] | {"as_of": {"column": "Published"}}}, "m"
)
CELLS = sum(row[3] is not None for row in ROWS)


def write_csv(path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADINGS, *ROWS])


def write_xlsx(path: Path, rows: Sequence[Sequence[Any]] = (), title: str = "Facts") -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    sheet.append(HEADINGS)
    for row in rows or [(*row[:4], date.fromisoformat(row[4])) for row in ROWS]:
        sheet.append(list(row))
    book.save(path)


def write_parquet(path: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t (Metric VARCHAR, Entity VARCHAR, Period INT, Value DOUBLE, "
            "Published DATE)"
        )
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", ROWS)
        connection.execute(f"COPY t TO '{path}' (FORMAT parquet)")


def facts_of(path: Path, bench: Bench) -> dict[tuple[object, ...], Decimal]:
    with SqliteFacts(None) as store:
        report = import_file(path, MAPPING, bench.profile, store, today=TODAY)
        assert (report.rows_read, report.facts_new) == (len(ROWS), CELLS)
        assert report.missing_cells == len(ROWS) - CELLS
        return {
            (metric, entity, interval): fact.value
            for metric in store.metrics()
            for entity in bench.profile.entity_by_code
            for interval in store.intervals(metric, entity, "TOTAL")
            for fact in store.lookup(metric, entity, "TOTAL", *interval)
            if (fact.as_of, fact.source.doc) == (date(2024, 1, 31), path.name)
        }


def test_every_format_gives_the_same_facts(bench: Bench) -> None:
    found: list[dict[tuple[object, ...], Decimal]] = []
    for name, write in (("a.csv", write_csv), ("a.xlsx", write_xlsx), ("a.parquet", write_parquet)):
        write(bench.folder / name)
        found.append(facts_of(bench.folder / name, bench))
    assert len(found[0]) == CELLS
    assert found[0] == found[1] == found[2]
    assert Decimal("3521418059.923445") in found[0].values()


def imported(bench: Bench, name: str, mapping: dict[str, Any] = LONG) -> SqliteFacts:
    import_file(bench.folder / name, parse_mapping(mapping, "m"), bench.profile, bench.store)
    return bench.store


def test_cells_of_a_workbook_mean_what_they_show(bench: Bench) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Q{3}"
    sheet.append(["a title"])
    sheet.append(HEADINGS[:4])
    rows = [
        ("SHARE", "China", 2021, 0.125, "0.0%"),
        ("SHARE", "China", 2022, 7, "General"),
        ("SHARE", "China", 2023, 0.3, "0.00%"),
        ("GDP", "China", 2021, 12.0, '"$"#,##0'),
        ("GDP", "China", datetime(2022, 1, 1), "(1,234)", "General"),
    ]
    for number, (*cells, form) in enumerate(rows, 3):
        sheet.append(cells)
        sheet.cell(number, 4).number_format = form
    sheet["C7"].number_format = "yyyy"
    book.save(bench.folder / "shown.xlsx")
    imported(bench, "shown.xlsx", LONG | {"layout": {"sheet": "Q{3}", "header_row": 2}})
    assert bench.value("SHARE", "CHN", 2021) == ("12.5", "%")
    assert bench.value("SHARE", "CHN", 2022) == ("7", "%")
    assert bench.value("SHARE", "CHN", 2023) == ("30", "%")
    assert bench.value("GDP", "CHN", 2021) == ("12", "USD")
    assert bench.value("GDP", "CHN", 2022) == ("-1234", "USD")
    days = date(2021, 1, 1), date(2021, 12, 31)
    (fact,) = bench.store.lookup("GDP", "CHN", "TOTAL", *days)
    assert fact.source.locator == "sheet Q(3), cell D6"


def test_a_currency_format_is_a_unit(bench: Bench) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(HEADINGS[:4])
    sheet.append(["GDP", "China", 2021, 5])
    sheet["D2"].number_format = "#,##0 [$€-407]"
    book.save(bench.folder / "euro.xlsx")
    with pytest.raises(BadRowsError, match="cell D2: the unit is '€'"):
        imported(bench, "euro.xlsx")


def test_formulas_without_a_value_are_bad_not_missing(bench: Bench) -> None:
    write_xlsx(bench.folder / "formula.xlsx", [("GDP", "China", 2021, "=1+1", None)])
    with pytest.raises(BadRowsError, match="cell D2: the cell is a formula"):
        imported(bench, "formula.xlsx")


def test_a_missing_sheet_is_named(bench: Bench) -> None:
    write_xlsx(bench.folder / "a.xlsx")
    with pytest.raises(ConfigurationError, match="no sheet 'Fact': its sheets are Facts"):
        imported(bench, "a.xlsx", LONG | {"layout": {"sheet": "Fact"}})


def test_decimals_of_parquet_are_exact_and_days_are_days(bench: Bench) -> None:
    import duckdb

    path = bench.folder / "exact.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 'GDP' AS Metric, 'China' AS Entity, DATE '2021-01-01' AS \"From\", "
            "TIMESTAMP '2021-12-31 00:00:00' AS \"To\", "
            "12345678901234567890.123456789::DECIMAL(38, 9) AS Value, 0.1::FLOAT AS Small) "
            f"TO '{path}' (FORMAT parquet)"
        )
    columns = {name: LONG["columns"][name] for name in ("metric", "entity", "value")}
    days = {"start": {"column": "From"}, "end": {"column": "To"}}
    imported(bench, "exact.parquet", {"columns": columns | days})
    assert bench.value("GDP", "CHN", 2021)[0] == "12345678901234567890.123456789"


def test_parquet_reads_one_file_and_nothing_else(bench: Bench) -> None:
    write_parquet(bench.folder / "a*.parquet")
    with pytest.raises(InputError, match="rename the file"):
        imported(bench, "a*.parquet")


def test_a_table_without_its_package_says_what_to_install(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    write_xlsx(bench.folder / "a.xlsx")
    write_parquet(bench.folder / "a.parquet")
    for name, package in (("a.xlsx", "openpyxl"), ("a.parquet", "duckdb")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ConfigurationError, match=r"install groundwire\[import\]"):
            imported(bench, name)
