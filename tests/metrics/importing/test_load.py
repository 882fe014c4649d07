"""Files into the store: layouts, terms, units, periods, days of knowledge."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from groundwire.metrics.facts.model import Fact
from tests.metrics.importing.conftest import HEADINGS, LONG, Bench


def only(bench: Bench, metric: str, entity: str, first: date, last: date) -> Fact:
    (fact,) = bench.store.lookup(metric, entity, "TOTAL", first, last)
    return fact


def test_a_long_table_is_read_with_its_lineage(bench: Bench) -> None:
    report = bench.load(HEADINGS + "GDP,China,2022,17963170521079\nPOP,中国,2022,\nPOP,FRA,2022,..")
    assert (report.rows_read, report.facts_new, report.missing_cells) == (3, 1, 2)
    fact = only(bench, "GDP", "CHN", date(2022, 1, 1), date(2022, 12, 31))
    assert (str(fact.value), fact.unit) == ("17963170521079", "USD")
    assert fact.as_of == date(2024, 6, 1)
    assert fact.source.doc == "data.csv"
    assert fact.source.locator == "row 2, column Value"
    assert len(fact.source.doc_hash) == 64


def test_one_name_is_resolved_within_the_kind_of_the_metric(bench: Bench) -> None:
    bench.load(HEADINGS + "GDP,中国,2022,1\nSALES,中国,2022-02-01 to 2023-01-31,2\n".replace(
        "2022-02-01 to 2023-01-31", "FY2023"))  # fmt: skip
    assert bench.value("GDP", "CHN", 2022)[0] == "1"
    assert only(bench, "SALES", "SHOP_CN", date(2022, 2, 1), date(2023, 1, 31)).value == 2


def test_the_same_file_again_brings_nothing_new(bench: Bench) -> None:
    text = HEADINGS + "GDP,China,2022,1\nGDP,France,2022,2\n"
    assert bench.load(text, today=None).facts_new == 2
    again = bench.load(text, today=date.today() + timedelta(days=30))
    assert (again.facts_new, again.facts_known) == (0, 2)
    assert "nothing is new" in again.notes[-1]


def test_a_wide_table_has_its_periods_in_the_headings(bench: Bench) -> None:
    mapping: dict[str, Any] = {
        "layout": {"kind": "wide", "period_columns": r"^(\d{4}) \[YR"},
        "columns": {"metric": {"constant": "GDP"}, "entity": {"column": "Country"}},
    }
    report = bench.load(
        "Country,Note,2020 [YR2020],2021 [YR2021]\nChina,a,1.5,2\nFrance,,..,4\n", mapping
    )
    assert (report.rows_read, report.facts_new, report.missing_cells) == (2, 3, 1)
    assert bench.value("GDP", "CHN", 2020)[0] == "1.5"
    fact = only(bench, "GDP", "FRA", date(2021, 1, 1), date(2021, 12, 31))
    assert fact.source.locator == "row 3, column 2021 [YR2021]"


def test_a_table_may_have_a_column_for_each_metric(bench: Bench) -> None:
    mapping: dict[str, Any] = {
        "layout": {"kind": "metric_columns"},
        "columns": {"entity": {"column": "国家"}, "period": {"column": "年份"}},
        "value_columns": [
            {"column": "人口（万人）", "metric": "人口", "unit": "万人"},
            {"column": "GDP", "metric": "GDP", "scale": "billion"},
        ],
    }
    assert (
        bench.load("国家,年份,人口（万人）,GDP\n法国,2022,6793.5,2779.1\n", mapping).facts_new == 2
    )
    assert bench.value("POP", "FRA", 2022) == ("67935000", "people")
    assert bench.value("GDP", "FRA", 2022) == ("2779100000000", "USD")
    fact = only(bench, "POP", "FRA", date(2022, 1, 1), date(2022, 12, 31))
    assert fact.source.raw == "6793.5"


def test_channels_aliases_and_an_own_day_of_knowledge(bench: Bench) -> None:
    mapping: dict[str, Any] = {
        "columns": {
            "metric": {"constant": "SALES"}, "entity": {"column": "Unit"},
            "channel": {"column": "Channel"}, "period": {"column": "Quarter"},
            "value": {"column": "Sales"}, "as_of": {"column": "Published"},
        },
        "aliases": {"entity": {"HQ": "SHOP"}, "channel": {"web": "ONLINE"}},
    }  # fmt: skip
    bench.load(
        "Unit,Channel,Quarter,Sales,Published\nHQ,web,FY2024Q1,\"1,000\",2023-06-01\n"
        "HQ,,FY2024Q1,3000,2023-06-02\n", mapping,
    )  # fmt: skip
    days = date(2023, 2, 1), date(2023, 4, 30)
    (online,) = bench.store.lookup("SALES", "SHOP", "ONLINE", *days)
    (total,) = bench.store.lookup("SALES", "SHOP", "TOTAL", *days)
    assert (online.value, online.source.raw, online.as_of) == (1000, "1,000", date(2023, 6, 1))
    assert (total.value, total.as_of) == (3000, date(2023, 6, 2))


def test_intervals_are_given_by_their_days(bench: Bench) -> None:
    mapping: dict[str, Any] = {
        "document": {"name": "Report", "publisher": "Shop", "date": date(2024, 1, 5)},
        "columns": {
            "metric": {"column": "Metric"}, "entity": {"constant": "SHOP"},
            "start": {"column": "From"}, "end": {"column": "To"}, "value": {"column": "Value"},
        },
    }  # fmt: skip
    bench.load(
        "Metric,From,To,Value\nSALES,2023-02-01,2023-04-30,10\nSTAFF,,2023-04-30,7\n", mapping
    )
    assert only(bench, "SALES", "SHOP", date(2023, 2, 1), date(2023, 4, 30)).value == 10
    staff = only(bench, "STAFF", "SHOP", date(2023, 4, 30), date(2023, 4, 30))
    assert (staff.value, staff.as_of, staff.source.publisher) == (7, date(2024, 1, 5), "Shop")


def test_percents_and_fractions(bench: Bench) -> None:
    bench.load(HEADINGS + "SHARE,China,2021,12.5%\nSHARE,China,2022,0.3\nSHARE,China,2023,(3)%\n")
    assert bench.value("SHARE", "CHN", 2021) == ("12.5", "%")
    assert bench.value("SHARE", "CHN", 2022) == ("0.3", "%")
    assert bench.value("SHARE", "CHN", 2023) == ("-3", "%")
    fraction = LONG | {"values": {"percent": "fraction"}}
    bench.load(HEADINGS + "SHARE,France,2021,0.125\nSHARE,France,2022,13%\n", fraction)
    assert bench.value("SHARE", "FRA", 2021)[0] == "12.5"
    assert bench.value("SHARE", "FRA", 2022)[0] == "13"


def test_a_scale_word_of_mapping_or_cell_is_applied_once(bench: Bench) -> None:
    scaled = LONG | {"values": {"scale": "million"}}
    bench.load(HEADINGS + "GDP,China,2021,3.50\nGDP,China,2022,2 million\n", scaled)
    assert bench.value("GDP", "CHN", 2021)[0] == "3500000"
    assert bench.value("GDP", "CHN", 2022)[0] == "2000000"
    assert "two scales" in bench.reason(HEADINGS + "GDP,China,2023,2 thousand\n", scaled)


def test_semicolons_and_the_decimal_comma(bench: Bench) -> None:
    comma = LONG | {"values": {"decimal_comma": True}}
    bench.load("Metric;Entity;Period;Value\nGDP;China;2021;1.234,5\nGDP;China;2022;12,25\n", comma)
    assert bench.value("GDP", "CHN", 2021)[0] == "1234.5"
    assert bench.value("GDP", "CHN", 2022)[0] == "12.25"


def test_unknown_entities_may_be_left_out_and_are_counted(bench: Bench) -> None:
    skipping = LONG | {"unknown": {"entity": "skip"}}
    report = bench.load(
        HEADINGS + "GDP,China,2022,1\nGDP,Narnia,2022,2\nGDP,Narnia,2023,2\n", skipping
    )
    assert (report.facts_new, report.bad_total) == (1, 0)
    assert report.skipped == (("'Narnia' is no entity of kind country of the profile", 2),)


def test_rows_of_several_lines_keep_the_number_of_their_first(bench: Bench) -> None:
    headings = 'Metric,Entity,Period,Value,"Note\nof two lines"\n'
    bench.load(headings + 'GDP,China,2021,1,"a\nb\nc"\n\nGDP,China,2022,2,x\n')
    first = only(bench, "GDP", "CHN", date(2021, 1, 1), date(2021, 12, 31))
    second = only(bench, "GDP", "CHN", date(2022, 1, 1), date(2022, 12, 31))
    assert first.source.locator == "row 3, column Value"
    assert second.source.locator == "row 7, column Value"


def test_encodings_are_found_and_said(bench: Bench) -> None:
    text = HEADINGS + "人口,中国,{},7\n"
    for number, encoding in enumerate(("utf-8-sig", "utf-16", "utf-16-le", "gb18030")):
        report = bench.load(text.format(2015 + number).encode(encoding), name=f"{number}.csv")
        assert bench.value("POP", "CHN", 2015 + number)[0] == "7"
        assert [note for note in report.notes if "GB18030" in note] == list(report.notes)
    assert report.notes


def test_progress_ends_at_the_whole(bench: Bench) -> None:
    told: list[tuple[str, int, int]] = []
    rows = "".join(f"GDP,China,{year},{year}\n" for year in range(1900, 2020))
    bench.load(HEADINGS + rows, progress=lambda *parts: told.append(parts))
    assert told[-1] == ("data.csv", len(HEADINGS + rows), len(HEADINGS + rows))
