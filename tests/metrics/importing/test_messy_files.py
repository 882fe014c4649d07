"""Drafts of messy files: no count has a currency, guesses are told, what is no table is refused."""

from __future__ import annotations

import tomllib
import zipfile
from pathlib import Path

import openpyxl
import pytest

from groundwire.cli import main
from groundwire.errors import GroundwireError, InputError, LimitError
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing import table as tables
from groundwire.metrics.importing.draft import draft
from groundwire.metrics.importing.draft_reading import told_unit
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.profile import parse_profile
from groundwire.quantities import resolve_unit
from tests.evals.import_writing import word, workbook

COUNTS = (
    "Stores", "Headcount", "FTE", "Vessels", "Number of sales", "Customers with loans",
    "Sales staff", "Tax inspectors", "Cash machines", "Sales (units)", "Loan officers", "Anzahl",
    "Mitarbeiter", "Widgets", "Alpha", "门店数", "收入人数", "Profit centres", "Cost centres",
)  # fmt: skip


def is_money(unit: str) -> bool:
    found = resolve_unit(unit.split()[-1]) if unit else None
    return found is not None and found.dimension.startswith("currency")


def units(path: Path) -> dict[str, str]:
    """The units of the drafted metrics by label."""
    profile = tomllib.loads(draft(path).profile_toml)
    return {one["label"]: one.get("unit", "") for one in profile["metrics"]}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(
    "text",
    [
        "(in EUR million)\nRegion,Year,{0},Revenue\nNorth,2022,12,34\nSouth,2022,5,6\n",
        "Region,Year,Currency,{0}\nNorth,2022,EUR,12\nSouth,2022,EUR,5\n",
        "Region,Year,{0},Currency,Revenue\nNorth,2022,12,EUR,34\nSouth,2022,5,EUR,6\n",
        "Region,Year,Revenue,Currency,{0}\nNorth,2022,34,EUR,12\nSouth,2022,6,EUR,5\n",
        "Item,Region,Year,Value (EUR)\n{0},North,2022,12\nRevenue,North,2022,5\n",
        "Amounts in thousands of EUR\n,2022,2023\n{0},12,13\nRevenue,14,15\nCosts,1,2\n",
        "{0}\n(EUR million)\n,2022,2023\nNorth,12,13\nSouth,14,15\n",
    ],
)
def test_a_count_never_has_a_currency(tmp_path: Path, text: str, count: str) -> None:
    path = tmp_path / "data.csv"
    path.write_text(text.format(count), "utf-8")
    found = units(path)
    of_count = {label: unit for label, unit in found.items() if label not in ("Revenue", "Costs")}
    assert of_count
    assert not any(map(is_money, of_count.values())), found


@pytest.mark.parametrize(
    ("text", "symbol", "exponent"),
    [
        ("(in millions of USD)", "USD", 6), ("（单位：人民币百万元）", "CNY", 6),
        ("(Angaben in Tsd. EUR, sofern nicht anders angegeben)", "EUR", 3),
        ("Alle Beträge in Mio. €", "EUR", 6), ("Figures in £000", "GBP", 3), ("£000", "GBP", 3),
        ("in CHF million", "CHF", 6), ("All amounts in thousands of pounds sterling", "GBP", 3),
        ("USD m", "USD", 6), ("TEUR", "EUR", 3), ("in Tsd. EUR", "EUR", 3), ("k€", "EUR", 3),
        ("Unless otherwise stated, in tonnes.", "t", 0), ("单位：万元", "CNY", 4),
        ("Order intake in EUR million", "EUR", 6), ("Revenue (EUR bn)", "EUR", 9),
        ("in thousands of Swiss francs", "CHF", 3),
    ],
)  # fmt: skip
def test_units_that_are_told_above(text: str, symbol: str, exponent: int) -> None:
    unit = told_unit(text)
    assert unit is not None
    assert (unit.symbol, unit.exponent) == (symbol, exponent)


@pytest.mark.parametrize("text", ["Year", "Alba Group", "2023", "m", "Trade grew in 2023.", ""])
def test_other_lines_tell_no_unit(text: str) -> None:
    assert told_unit(text) is None


def test_options_say_what_cannot_be_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "polish.csv"
    path.write_bytes("Miasto,Year,Fees (PLN)\nŁódź,2022,1\nŁódź,2023,2\n".encode("cp1250"))
    assert (
        main(["metrics", "init", str(path), "-o", str(tmp_path / "d"), "--encoding", "cp1250"]) == 0
    )
    assert "Łódź" in (tmp_path / "d" / "profile.toml").read_text("utf-8")
    assert 'encoding = "cp1250"' in (tmp_path / "d" / "mapping.toml").read_text("utf-8")
    book = workbook(
        "b.xlsx",
        {"Big": [["City", "Year", "Fees (PLN)"], *[["A", year, 1] for year in range(2000, 2020)]],
         "Small": [["x"], ["City", "Year", "Costs (PLN)"], ["A", 2022, 1], ["A", 2023, 2]]},
    )(tmp_path)  # fmt: skip
    assert "Small" in str(draft(book).notes)
    chosen = draft(book, sheet="Small", header=2)
    assert "COSTS" in chosen.profile_toml
    assert tomllib.loads(chosen.mapping_toml)["layout"]["header_row"] == 2
    capsys.readouterr()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"encoding": "no-such"}, "no encoding is called"),
        ({"encoding": "utf-16"}, "not in the encoding"),
        ({"encoding": "ascii"}, "not in the encoding"),
        ({"header": 5000}, "from 1 to 1000"),
    ],
)
def test_options_that_lie(tmp_path: Path, options: dict[str, object], said: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("Ort,Jahr,Kosten (€)\nKöln,2022,1\nKöln,2023,2".encode())
    with pytest.raises(GroundwireError, match=said):
        draft(path, **options)  # type: ignore[arg-type]


BAD = {
    "one column": "Country\nChile\nPeru\n",
    "one number": "1\n",
    "only a title": "Report of the year\n",
    "only blanks": "\n\n  \n",
    "binary": b"\x00\x01\x02\x03" * 50,
    "a mark that lies": b"\xef\xbb\xbfCity,Year,Fees\nK\xf6ln,2022,1\n",
    "no period": "Country,Fees (EUR)\nChile,1\nPeru,2\n",
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_table_of_facts_is_refused_in_one_line(tmp_path: Path, kind: str) -> None:
    content = BAD[kind]
    path = tmp_path / "bad.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as caught:
        draft(path)
    assert "\n" not in str(caught.value)


def test_ragged_rows_and_text_among_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text(
        "City,Year,Fees (EUR)\nUlm,2022,1\nUlm,2023,NaN\nJena\nJena,2022,2,3,4\nJena,2023,n.a.\n",
        "utf-8",
    )
    made = draft(path)
    assert "NaN" in str(made.notes) or "NaN" in made.mapping_toml


def test_two_units_in_one_column_are_told(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text(
        "City,Year,Rent\nUlm,2022,€1\nUlm,2023,€2\nBonn,2022,£3\nBonn,2023,€4\n", "utf-8"
    )
    assert any("'Rent'" in note and "EUR" in note for note in draft(path).notes)


def test_a_workbook_that_unpacks_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workbook("a.xlsx", {"S": [["City", "Year", "Fees"], ["Ulm", 2022, 1]]})(tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/zeros.bin", b"\0" * 20_000_000)
    monkeypatch.setattr(tables, "MOST_RATIO", 50)
    with pytest.raises(LimitError, match="unpacks to"):
        draft(path)


def test_an_empty_workbook_and_a_document_without_tables(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.save(tmp_path / "empty.xlsx")
    with pytest.raises(InputError, match="is empty"):
        draft(tmp_path / "empty.xlsx")
    with pytest.raises(InputError, match="holds no table"):
        draft(word("prose.docx", ["Only prose."])(tmp_path))


_AMOUNTS = "Ferries,1,2,3,4\nFreight,5,6,7,8\nPorts,9,10,11,12\n"


@pytest.mark.parametrize(
    ("heads", "wanted"),
    [
        (
            ",2023,,2024,\nSegment,Revenue (USD m),Margin %,Revenue (USD m),Margin %\n",
            {"REVENUE": ["2023", "2024"], "MARGIN": ["2023", "2024"]},
        ),
        (
            ",Revenue (USD m),,Margin %,\nSegment,2023,2024,2023,2024\n",
            {"REVENUE": ["2023", "2024"], "MARGIN": ["2023", "2024"]},
        ),
    ],
)
def test_headings_of_two_rows_name_metrics_and_periods(
    tmp_path: Path, heads: str, wanted: dict[str, list[str]]
) -> None:
    path = tmp_path / "data.csv"
    path.write_text(heads + _AMOUNTS, "utf-8")
    drafted = draft(path)
    mapping = tomllib.loads(drafted.mapping_toml)
    found: dict[str, list[str]] = {}
    for one in mapping["value_columns"]:
        found.setdefault(one["metric"], []).append(one["period"])
    assert found == wanted
    assert mapping["layout"]["header_rows"] == 2
    assert any("read as one heading" in one for one in drafted.notes)


def test_a_year_over_its_halves_is_one_period(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f",2023,2023,2024,2024\nSegment,H1,H2,H1,H2\n{_AMOUNTS}", "utf-8")
    drafted = draft(path)
    mapping = parse_mapping(tomllib.loads(drafted.mapping_toml), "test")
    profile = parse_profile(tomllib.loads(drafted.profile_toml), "test")
    with SqliteFacts(None) as store:
        import_file(path, mapping, profile, store)
        (metric,) = store.metrics()
        starts = {one.start.isoformat() for one in store.periods(metric)}
    assert starts == {"2023-01-01", "2023-07-01", "2024-01-01", "2024-07-01"}


def test_two_texts_above_a_table_are_no_headings(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(",Quarterly report,Draft\nStore,2023,2024\nA,1,2\nB,3,4\nC,5,6\n", "utf-8")
    layout = tomllib.loads(draft(path).mapping_toml)["layout"]
    assert layout["header_row"] == 2 and "header_rows" not in layout
