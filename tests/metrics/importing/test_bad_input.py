"""What cannot be imported is refused with its place, and nothing half-done stays."""

from __future__ import annotations

import zipfile
from datetime import date
from typing import Any

import pytest

from groundwire.errors import ConfigurationError, GroundwireError, InputError, LimitError
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.importing.report import BadRowsError
from tests.metrics.importing.conftest import HEADINGS, LONG, Bench


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        ("GPD,China,2022,1", "Metric", "did you mean GDP"),
        ("GDP,Chin,2022,1", "Entity", "did you mean China (CHN)"),
        ("GDP,,2022,1", "Entity", "entity is empty"),
        ("GDP,The Shop,2022,1", "Entity", "no entity of kind country"),
        ("GDP,China,some day,1", "Period", "no period that is understood"),
        ("GDP,China,last year,1", "Period", "depends on the day"),
        ("GDP,China,2020-2022,1", "Period", "not one period"),
        ("GDP,China,2022Q1,1", "Period", "GDP is reported by year"),
        ("GDP,China,2022,abc", "Value", "'abc' is no number"),
        ("GDP,China,2022,EUR 5", "Value", "the unit is 'EUR', that of the metric is 'USD'"),
        ("GDP,China,2022,5%", "Value", "that of the metric is 'USD'"),
        ("GDP,China,2022,=1+1", "Value", "formula"),
        ("GDP,China,2022,#REF!", "Value", "spreadsheet error"),
        ("GDP,China,2022,1,234", "", "5 cells, the headings are 4"),
        ("GDP,China,2022", "", "3 cells, the headings are 4"),
        ('GDP,China,2022,"1"2', "", "cannot be read"),
    ],
)
def test_a_bad_row_is_told_with_its_place(bench: Bench, row: str, column: str, reason: str) -> None:
    with pytest.raises(BadRowsError) as caught:
        bench.load(f"{HEADINGS}GDP,China,2020,1\n{row}\nGDP,China,2021,1\n")
    (bad,) = caught.value.rows
    assert bad.place == (f"row 3, column {column}" if column else "row 3")
    assert bad.column == column
    assert reason in bad.reason
    assert "\n" not in str(caught.value)
    assert bench.store.count() == 0
    assert not bench.store.documents()


def test_one_bad_row_in_a_hundred_thousand_keeps_nothing_or_is_left_out(bench: Bench) -> None:
    mapping: dict[str, Any] = {
        "columns": {
            "metric": {"constant": "STAFF"}, "entity": {"constant": "SHOP"},
            "end": {"column": "Day"}, "value": {"column": "Value"},
        }
    }  # fmt: skip
    first = date(1700, 1, 1).toordinal()
    rows = [f"{date.fromordinal(first + i)},{i}" for i in range(100_000)]
    rows[50_000] = rows[50_000].replace(",50000", ",fifty-thousand-ish")
    text = "Day,Value\n" + "\n".join(rows)
    with pytest.raises(BadRowsError, match="row 50002, column Value: 'fifty-thousand-ish'"):
        bench.load(text, mapping)
    assert bench.store.count() == 0
    report = bench.load(text, mapping, skip_bad=True)
    assert (report.facts_new, report.bad_total) == (99_999, 1)
    assert report.bad[0].raw == "fifty-thousand-ish"


def test_a_wholly_wrong_column_ends_the_reading_early(bench: Bench) -> None:
    rows = "".join(f"GDP,Nowhere{i},2022,1\n" for i in range(12_000))
    with pytest.raises(BadRowsError, match="more than 10,000 bad rows") as caught:
        bench.load(HEADINGS + rows)
    assert len(caught.value.rows) == 100


def test_a_document_that_contradicts_itself_is_refused(bench: Bench) -> None:
    with pytest.raises(InputError, match="row 3"):
        bench.load(HEADINGS + "GDP,China,2022,1\nGDP,CHN,2022,2\n")
    assert bench.store.count() == 0
    assert bench.load(HEADINGS + "GDP,China,2022,1\nGDP,CHN,2022,1.0\n").facts_known == 1


def test_units_may_not_be_mixed_in_a_file(bench: Bench) -> None:
    mapping = {"columns": LONG["columns"] | {"unit": {"column": "Unit"}}}
    text = "Metric,Entity,Period,Value,Unit\nGDP,China,2021,1,thousand USD\nGDP,China,2022,1,EUR\n"
    assert "the unit is 'EUR'" in bench.reason(text, mapping)
    free = "Metric,Entity,Period,Value,Unit\nSTAFF,SHOP,FY2021,1,people\nSTAFF,SHOP,FY2022,1,%\n"
    with pytest.raises(InputError, match="unit"):
        bench.load(free, mapping)
    assert bench.store.count() == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"Metric,Entity,Period,Value\n", "headings but no rows"),
        (bytes(range(256)) * 64, "no text file"),
        (b"x" * 10_000_000, "more than 1,000,000 characters"),
        ("Metric,Entity,Period,Value\nGDP,Côte d'Ivoire,2022,1\n".encode("latin-1"), "encoding"),
        (b"\xff\xfeM", "encoding"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no text file"),
    ],
)
def test_what_is_no_table_is_refused(bench: Bench, content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        bench.load(content)
    assert "\n" not in str(caught.value)
    assert bench.store.count() == 0


def test_an_unclosed_quote_does_not_swallow_the_file(bench: Bench) -> None:
    rows = "".join(f"GDP,China,{1500 + i % 500},{i % 500}\n" for i in range(20_000))
    with pytest.raises(BadRowsError, match="row 2: the row cannot be read"):
        bench.load(HEADINGS + 'GDP,"China,2022,1\n' + rows)


def test_a_missing_column_names_the_nearest(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match="'Value': did you mean 'Values'"):
        bench.load("Metric,Entity,Period,Values\nGDP,China,2022,1\n")
    with pytest.raises(ConfigurationError, match="2 columns are headed 'Value'"):
        bench.load("Metric,Entity,Period,Value,Value\nGDP,China,2022,1,2\n")


def test_a_declared_encoding_must_fit(bench: Bench) -> None:
    latin = (HEADINGS + "GDP,Españe,2022,1\n").encode("latin-1")
    declared = LONG | {"layout": {"encoding": "ascii"}}
    with pytest.raises(InputError, match="not in the encoding 'ascii'"):
        bench.load(latin, declared)
    skipping = LONG | {"layout": {"encoding": "latin-1"}}
    assert "'Españe'" in bench.reason(latin, skipping)


def test_a_packed_bomb_is_not_unpacked(bench: Bench) -> None:
    path = bench.folder / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(LimitError, match="unpacks to 50,000,000 bytes"):
        import_file(path, parse_mapping(LONG, "test"), bench.profile, bench.store)


@pytest.mark.parametrize("name", ["data.xlsx", "data.parquet", "data.json"])
@pytest.mark.parametrize("content", [b"", b"junk", b"PAR1junkPAR1", b"PK\x03\x04junk", b"[1, 2]"])
def test_junk_of_every_format_is_one_line(bench: Bench, name: str, content: bytes) -> None:
    with pytest.raises(GroundwireError) as caught:
        bench.load(content, name=name)
    assert "\n" not in str(caught.value)
    assert bench.store.count() == 0


def test_a_file_needs_a_mapping_and_a_known_format(bench: Bench) -> None:
    path = bench.folder / "data.csv"
    path.write_text(HEADINGS)
    with pytest.raises(ConfigurationError, match="metrics init"):
        import_file(path, None, bench.profile, bench.store)
    with pytest.raises(ConfigurationError, match=r"layout\.format"):
        bench.load(HEADINGS, name="data.ods")
    with pytest.raises(InputError, match="is no file"):
        import_file(bench.folder / "absent.csv", None, bench.profile, bench.store)
