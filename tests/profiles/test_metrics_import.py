"""The facts of the embedded profile, taken in by its own mappings."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from groundwire.metrics.facts.model import Fact
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import load_mapping
from groundwire.metrics.importing.report import ImportReport
from groundwire.metrics.narrative.ingest import import_document
from groundwire.metrics.narrative.store import NarrativeStore, Scope
from groundwire.metrics.profile import Profile, load_profile
from groundwire.profiles import FOLDER, metrics_profile

TODAY = date(2026, 11, 21)
Reports = dict[str, ImportReport]


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile(metrics_profile())


@pytest.fixture(scope="module")
def imported(
    profile: Profile, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[SqliteFacts, Reports]]:
    store = SqliteFacts(tmp_path_factory.mktemp("facts") / "facts.sqlite")
    reports = {
        source.file: import_file(
            FOLDER / source.file, load_mapping(FOLDER / source.mapping), profile, store, today=TODAY
        )
        for source in profile.sources
    }
    yield store, reports
    store.close()


@pytest.fixture(scope="module")
def store(imported: tuple[SqliteFacts, Reports]) -> SqliteFacts:
    return imported[0]


def year(
    store: SqliteFacts, key: str, number: int, as_of: date | None = None, month: int = 1
) -> list[Fact]:
    """What is known of twelve months; the key is metric, entity and channel."""
    metric, entity, channel = key.split()
    last = date(number + 1, month, 1).toordinal() - 1
    first = date(number, month, 1)
    return list(store.lookup(metric, entity, channel, first, date.fromordinal(last), as_of))


def cells_with_a_value(name: str, columns: set[str] | None = None) -> int:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return sum(
            bool(cell)
            for row in csv.DictReader(file)
            for heading, cell in row.items()
            if columns is None or heading in columns
        )


def test_mappings_name_and_date_every_document(profile: Profile) -> None:
    documents = [load_mapping(FOLDER / source.mapping).document for source in profile.sources]
    assert all(document.name and document.publisher and document.date for document in documents)
    assert len({document.name for document in documents}) == len(documents)


def test_no_row_is_bad_or_left_out(imported: tuple[SqliteFacts, Reports]) -> None:
    for name, report in imported[1].items():
        assert (report.bad_total, report.skipped, report.facts_known) == (0, (), 0), name
        assert report.facts_new > 0, name


@pytest.mark.parametrize("name", ["world_bank_population.csv", "world_bank_gdp.csv"])
def test_every_value_of_the_world_bank_is_a_fact(
    imported: tuple[SqliteFacts, Reports], name: str
) -> None:
    codes = cells_with_a_value(name, {"Country Code"})
    assert imported[1][name].facts_new == cells_with_a_value(name) - codes


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tolvarne_quarterly.csv", {"Amount"}),
        ("tolvarne_japan.csv", {"金额"}),
        ("tolvarne_annual_2024.csv", {"FY2023", "FY2024"}),
        ("tolvarne_interim.csv", {"Revenue", "Net profit", "Gross margin", "Employees"}),
        ("retail_survey_2024.csv", {"Estimated sales"}),
    ],
)
def test_every_value_of_the_group_is_a_fact(
    imported: tuple[SqliteFacts, Reports], name: str, values: set[str]
) -> None:
    assert imported[1][name].facts_new == cells_with_a_value(name, values)


@pytest.mark.parametrize(
    ("key", "number", "value", "unit", "raw"),
    [
        ("REVENUE CN TOTAL", 2024, "3998900000", "CNY", "3,998.9"),
        ("NET_PROFIT HK TOTAL", 2024, "-12300000", "CNY", "(12.3)"),
        ("GROSS_MARGIN TVN TOTAL", 2025, "41.7", "%", "41.7%"),
        ("ROE HK TOTAL", 2024, "-5.0", "%", "-5.0%"),
        ("POPULATION DEU TOTAL", 2024, "83516593", "people", ""),
        ("GDP AFG TOTAL", 2000, "3521418059.923445", "USD", ""),
    ],
)
def test_values_are_exact_and_keep_their_cell(
    store: SqliteFacts, key: str, number: int, value: str, unit: str, raw: str
) -> None:
    (fact,) = year(store, key, number)
    assert (fact.value, fact.unit) == (Decimal(value), unit)
    assert fact.source.raw in (raw, raw or value)


def test_units_of_chinese_files_are_read(store: SqliteFacts) -> None:
    (fact,) = store.lookup("REVENUE", "TVN", "ONLINE", date(2025, 1, 1), date(2025, 1, 31))
    assert (fact.value, fact.unit) == (Decimal(182_800_000), "CNY")
    (fact,) = year(store, "REVENUE JP TOTAL", 2025, month=4)
    assert (fact.value, fact.unit) == (Decimal(495_000_000), "CNY")


def test_a_restated_year_is_known_both_ways(store: SqliteFacts) -> None:
    key = "REVENUE TVN TOTAL"
    (now,) = year(store, key, 2023)
    (before,) = year(store, key, 2023, date(2025, 3, 24))
    assert (before.value, now.value) == (Decimal(4_621_300_000), Decimal(4_602_700_000))
    assert year(store, key, 2023, date(2024, 3, 25)) == []


def test_two_publishers_disagree_on_hong_kong(store: SqliteFacts) -> None:
    own, other = year(store, "REVENUE HK RETAIL", 2024)
    assert (own.value, other.value) == (Decimal(228_100_000), Decimal(219_700_000))
    assert own.source.publisher == "Tolvarne Group"
    assert other.source.publisher == "Fictional Bureau of Retail Statistics"
    assert len(year(store, "REVENUE CN RETAIL", 2024)) == 1


def test_every_company_has_the_last_complete_year(store: SqliteFacts) -> None:
    for entity, month in (("TVN", 1), ("CN", 1), ("HK", 1), ("JP", 4)):
        for metric in ("REVENUE", "NET_PROFIT", "GROSS_MARGIN"):
            assert year(store, f"{metric} {entity} TOTAL", TODAY.year - 1, month=month)


def test_an_absent_cell_is_no_fact(store: SqliteFacts) -> None:
    quarter = (date(2023, 7, 1), date(2023, 9, 30))
    assert list(store.lookup("REVENUE", "HK", "ONLINE", *quarter)) == []
    assert len(store.lookup("REVENUE", "HK", "TOTAL", *quarter)) == 1


def test_importing_again_adds_nothing(
    profile: Profile, imported: tuple[SqliteFacts, Reports]
) -> None:
    source = next(one for one in profile.sources if one.file == "tolvarne_quarterly.csv")
    report = import_file(
        FOLDER / source.file,
        load_mapping(FOLDER / source.mapping),
        profile,
        imported[0],
        today=TODAY,
    )
    assert report.facts_new == 0
    assert report.facts_known == imported[1][source.file].facts_new


def test_documents_are_found_unless_they_are_restricted(profile: Profile, tmp_path: Path) -> None:
    documents = NarrativeStore(tmp_path / "documents.sqlite")
    for one in profile.documents:
        report = import_document(
            FOLDER / one.file,
            documents,
            profile,
            title=one.title,
            entity=one.entity,
            period_text=one.period,
            sensitivity=one.sensitivity,
            today=TODAY,
        )
        assert report.notes == ()
        assert report.document.period is not None
        assert report.chunks > 3
    scope = Scope(profile.sensitivity.quotable)
    (hotel, *_) = documents.find("hotels commission wholesale restated", scope)
    assert hotel.doc == "tolvarne_discussion_2024.md"
    (bus, *_) = documents.find("evening shifts bus parcel centres", scope)
    assert bus.doc == "tolvarne_staffing_memo_2025.txt"
    (fee, *_) = documents.find("平台佣金谈判", scope)
    assert fee.doc == "tolvarne_china_channels_2025.md"
    for query in ("Project Heron price", "acquisition", "关闭五家门店", "613.7", "苍鹭项目"):
        for passage in documents.find(query, scope):
            assert passage.doc != "tolvarne_acquisition_memo.md"
            assert "Heron" not in passage.text
