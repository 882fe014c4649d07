"""Drafts for files that nothing is known of: they load, import every cell, and find it again."""

from __future__ import annotations

import csv
import json
import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from metrics_files import write_company_facts, write_world_bank
from shared_data import need, shared_folder

from groundwire.errors import InputError
from groundwire.metrics.facts.model import Fact
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.draft import Draft, draft
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import load_mapping
from groundwire.metrics.importing.report import ImportReport
from groundwire.metrics.importing.sec_facts import names_of
from groundwire.metrics.names import Names
from groundwire.metrics.profile import Profile, load_profile
from groundwire.quantities.period_grammar import read_period

SHARED = shared_folder("data", "metrics")


class Drafted:
    """A file with its draft, imported by it."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.draft: Draft = draft(path)
        (folder / "profile.toml").write_text(self.draft.profile_toml, "utf-8")
        (folder / "mapping.toml").write_text(self.draft.mapping_toml, "utf-8")
        self.profile: Profile = load_profile(folder / "profile.toml")
        self.mapping = load_mapping(folder / "mapping.toml")
        self.store = SqliteFacts(None)
        self.report: ImportReport = import_file(path, self.mapping, self.profile, self.store)

    def fact(self, metric: str, entity: str, period: str, channel: str = "TOTAL") -> Fact:
        """The fact that the written terms ask for."""
        names = Names(self.profile)
        term = names.metric(metric).term
        assert term is not None
        kind = self.profile.metric_by_code[term.id].kind
        who, where = names.entity(entity, kind).term, names.channel(channel, kind).term
        assert who is not None and where is not None
        expression = read_period(period)
        assert expression is not None
        (when,) = expression.on(self.profile.calendar_of[who.id], date(2024, 6, 1)).periods
        (fact,) = self.store.lookup(term.id, who.id, where.id, when.start, when.end)
        return fact

    def value(self, *terms: str) -> tuple[str, str]:
        """Value and unit."""
        fact = self.fact(*terms)
        return f"{fact.value:f}", fact.unit


@pytest.fixture
def drafted(tmp_path: Path):
    def run(name: str, content: str | bytes) -> Drafted:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        found = Drafted(path, tmp_path)
        opened.append(found)
        return found

    opened: list[Drafted] = []
    yield run
    for one in opened:
        one.store.close()


def test_chinese_headings_with_a_scaled_unit(drafted) -> None:
    found = drafted("人口.csv", "国家,年份,人口（万人）\n中国,2022,141175\n法国,2022,6793.5\n")
    assert found.report.facts_new == 2
    assert found.value("人口", "中国", "2022年") == ("1411750000", "people")
    assert found.value("population", "法国", "2022") == ("67935000", "people")
    assert found.fact("人口", "法国", "2022").source.raw == "6793.5"
    (metric,) = found.profile.metrics
    assert (metric.code, metric.measure, metric.unit) == ("POPULATION", "stock", "people")
    assert list(found.profile.kinds) == ["country"]


def test_wide_years_below_a_preamble(drafted) -> None:
    found = drafted(
        "API_NY.csv",
        '"Data Source","World Development Indicators",\n\n"Last Updated Date","2024-01-01",\n\n'
        '"Country Name","Country Code","Indicator Name","Indicator Code","2020","2021",\n'
        '"France","FRA","GDP (current US$)","NY.GDP.MKTP.CD","2647926","2959356",\n'
        '"China","CHN","GDP (current US$)","NY.GDP.MKTP.CD","14687744","",\n',
    )
    assert found.mapping.layout.kind == "wide"
    assert (found.report.facts_new, found.report.missing_cells) == (3, 1)
    assert found.value("NY.GDP.MKTP.CD", "FRA", "2021")[0] == "2959356"
    assert found.fact("GDP (current US$)", "China", "2020").source.locator == "row 7, column 2020"


def test_semicolons_with_the_decimal_comma(drafted) -> None:
    found = drafted(
        "umsatz.csv", "Company;Year;Revenue (EUR m)\nNord;2022;1.234,5\nSüd;2022;12,25\n"
    )
    assert found.mapping.values.decimal_comma
    assert found.value("Revenue", "Nord", "2022") == ("1234500000", "EUR")
    assert found.value("revenue", "süd", "2022") == ("12250000", "EUR")


def test_quarters_in_the_headings(drafted) -> None:
    found = drafted("sales.csv", "Store,2023Q1,2023Q2,Q3 2023\nNorth,1,2,3\nSouth,4,,6\n")
    assert (found.report.facts_new, found.report.missing_cells) == (5, 1)
    assert found.profile.metrics[0].grains == ("quarter",)
    assert found.value("Sales", "South", "2023Q3")[0] == "6"
    assert found.profile.kinds["store"].default_period == "latest"


def test_a_channel_column(drafted) -> None:
    found = drafted(
        "revenue.csv",
        "公司,渠道,季度,收入（万元）\n甲,线上,2023Q1,10.5\n甲,线下,2023Q1,20\n甲,合计,2023Q1,30.5\n",
    )
    assert len(found.profile.channels) == 2
    assert found.value("收入", "甲", "2023年第一季度", "线上") == ("105000", "CNY")
    assert found.value("revenue", "甲", "2023Q1") == ("305000", "CNY")
    assert any("HKD" in note for note in found.draft.notes)


def test_remarks_numbers_and_hectolitres_of_a_german_table(drafted) -> None:
    found = drafted(
        "absatz.csv",
        "Monat;Sorte;Sortennummer;Absatz (hl);Fässer (Holz);Bemerkung;Prüfung\n"
        "2024-01;Pils;0017;412,5;3;;ok\n2024-01;Weizen;0170;198;2;Fass defekt;\n"
        "2024-02;Pils;0017;398;4;Rückruf;\n2024-02;Weizen;0170;210,5;5;;\n"
        "2024-03;Pils;0017;400;4;;gut\n2024-03;Weizen;0170;211;5;;\n",
    )
    assert found.profile.channels == ()
    assert found.value("Absatz", "Weizen", "2024-01") == ("198", "hl")
    assert found.value("Fässer", "0170", "2024-02")[0] == "5"
    assert {one.label for one in found.profile.metrics} == {"Absatz", "Fässer (Holz)"}
    assert {one.code: one.name for one in found.profile.entities} == {
        "0017": "Pils", "0170": "Weizen",
    }  # fmt: skip


def test_several_metrics_side_by_side(drafted) -> None:
    found = drafted(
        "results.csv",
        "Company,Year,Revenue (USD m),Net profit (USD m),Headcount,Margin (%)\n"
        'Acme,2022,"1,200",(35.5),4100,-2.96\nBolt,2022,80,7,NA,8.75\n',
    )
    assert found.mapping.layout.kind == "metric_columns"
    assert found.value("Revenue", "Acme", "2022") == ("1200000000", "USD")
    assert found.value("net profit", "Acme", "2022") == ("-35500000", "USD")
    assert found.value("Headcount", "Acme", "2022")[0] == "4100"
    assert found.value("Margin", "Bolt", "2022") == ("8.75", "%")
    measures = {metric.label: metric.measure for metric in found.profile.metrics}
    assert measures == {
        "Revenue": "flow", "Net profit": "flow", "Headcount": "stock", "Margin": "rate",
    }  # fmt: skip


def test_percents_in_the_cells(drafted) -> None:
    found = drafted("unemployment rate.csv", "Region,Month,Value\nN,2023-01,5.5%\nS,2023-01,12%\n")
    assert found.value("unemployment rate", "S", "January 2023") == ("12", "%")
    assert found.profile.metrics[0].measure == "rate"
    assert found.profile.metrics[0].grains == ("month",)


def test_a_byte_order_mark_and_a_unit_column(drafted) -> None:
    found = drafted(
        "b.csv",
        "\ufeffIndicator,Country,Year,Value,Unit,Notes\nExports,Chad,2020,1.5,USD million,x\n"
        "Exports,Mali,2020,800,USD thousand,\nPopulation,Chad,2020,16.6,million people,\n",
    )
    assert found.value("Exports", "Chad", "2020") == ("1500000", "USD")
    assert found.value("Exports", "Mali", "2020") == ("800000", "USD")
    assert found.value("人口", "Chad", "2020") == ("16600000", "people")


def test_no_entity_is_one_entity_that_is_the_home(drafted) -> None:
    found = drafted("shop takings.csv", "date,takings\n2024-01-01,12.50\n2024-01-02,7\n")
    assert found.value("takings", "SELF", "2024-01-01")[0] == "12.50"
    assert found.profile.kinds["entity"].home == "SELF"
    assert any("no column names an entity" in note for note in found.draft.notes)


def test_days_from_and_to_and_the_day_of_publication(drafted) -> None:
    found = drafted(
        "c.csv",
        "Company,Start,End,Published,Sales in EUR\nAcme,2023-02-01,2023-04-30,2023-06-01,5\n",
    )
    (fact,) = found.store.lookup(
        found.profile.metrics[0].code, "ACME", "TOTAL", date(2023, 2, 1), date(2023, 4, 30)
    )
    assert (fact.value, fact.as_of, fact.unit) == (5, date(2023, 6, 1), "EUR")


@pytest.mark.parametrize(
    ("heading", "cell", "period"),
    [
        ("Quarter", "Q3", "2023Q3"), ("季度", "第三季度", "2023Q3"), ("Qtr", "3", "2023Q3"),
        ("Month", "3", "2023-03"), ("月份", "3月", "2023-03"), ("month", "March", "2023-03"),
    ],
)  # fmt: skip
def test_years_with_their_quarters_or_months_apart(
    drafted, heading: str, cell: str, period: str
) -> None:
    found = drafted("y.csv", f"Company,Year,{heading},Sales\nAcme,2023,{cell},5\n")
    assert found.value("Sales", "Acme", period)[0] == "5"


@pytest.mark.parametrize(
    ("written", "day", "doubtful"),
    [("31/12/2024", "2024-12-31", False), ("12/31/2024", "2024-12-31", False),
     ("03.04.2024", "2024-04-03", True)],
)  # fmt: skip
def test_dates_with_the_year_last(drafted, written: str, day: str, doubtful: bool) -> None:
    found = drafted("d.csv", f"Store,Date,Sales\nNorth,{written},5\n")
    assert found.value("Sales", "North", day)[0] == "5"
    assert any("3/4 is April" in note for note in found.draft.notes) == doubtful


def test_a_unit_in_the_name_of_a_metric(drafted) -> None:
    found = drafted(
        "q.csv", "Company,Metric,2022,2023\nA,Revenue ($m),1.5,2\nA,Margin (%),3,\nA,Staff,7,8\n"
    )
    assert found.value("Revenue", "A", "2022") == ("1500000", "USD")
    assert found.value("Margin", "A", "2022") == ("3", "%")
    assert found.value("Staff", "A", "2023") == ("8", "")


def test_headings_that_say_nothing_are_guessed_by_their_cells(drafted) -> None:
    found = drafted("x.tsv", "a\tb\tc\nLyon\t2020\t3\nNice\t2020\t4\nLyon\t2021\t5\n")
    assert found.value("X", "Lyon", "2021")[0] == "5"
    assert any("'b' was taken for the period" in note for note in found.draft.notes)
    assert any("'a' was taken for the entity" in note for note in found.draft.notes)
    assert found.report.facts_new == 3


def test_names_with_quotes_and_backslashes_survive(drafted) -> None:
    name = 'Bo"b\\s, \u007f"""Ltd"""\t#1'
    text = "Company,Year,Sales\n" + '"{}",2020,1\n'.format(name.replace('"', '""'))
    found = drafted("odd name's \\.csv", text)
    assert found.value("Sales", name, "2020")[0] == "1"


def test_markers_of_empty_cells_are_found(drafted) -> None:
    text = "Country,Year,GDP\nChad,2020,n.a.\nMali,2020,5\nTogo,2020,暂无\nPeru,2020,7\n"
    found = drafted("m.csv", text)
    assert (found.report.facts_new, found.report.missing_cells) == (2, 2)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "x,y\nfoo,bar\n"),
        ("a.csv", "a,b\n1,2\n3,4\n"),
        ("a.csv", "only\n"),
        ("a.json", "{}"),
        ("a.json", '{"entityName": "x", "facts": {}}'),
    ],
)
def test_what_holds_no_facts_is_refused(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError):
        draft(path)


def test_workbooks_and_parquet_are_drafted_alike(tmp_path: Path) -> None:
    import duckdb
    import openpyxl

    rows = [("Country", "Year", "GDP (USD bn)"), ("Chad", 2021, 11.78), ("Mali", 2021, 19.14)]
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE t (Country VARCHAR, Year INT, "GDP (USD bn)" DOUBLE)')
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows[1:])
        connection.execute(f"COPY t TO '{tmp_path / 't.parquet'}' (FORMAT parquet)")
    for name in ("t.xlsx", "t.parquet"):
        found = Drafted(tmp_path / name, tmp_path)
        assert found.value("GDP", "Mali", "2021") == ("19140000000", "USD")
        found.store.close()


@pytest.mark.parametrize("whose", ["recorded", "own"])
@pytest.mark.parametrize(
    ("name", "code", "label"),
    [("gdp.csv", "GDP", "GDP"), ("population.csv", "POPULATION", "Population")],
)
def test_public_tables_are_drafted_and_every_cell_is_found(
    tmp_path: Path, name: str, code: str, label: str, whose: str
) -> None:
    if whose == "own":
        write_world_bank(tmp_path)
    path = tmp_path / name if whose == "own" else need(SHARED / name)
    found = Drafted(path, tmp_path)
    (metric,) = found.profile.metrics
    assert (metric.code, metric.label) == (code, label)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert found.report.facts_new + found.report.missing_cells == len(rows)
    for row in rows:
        if row["Value"]:
            days = date(int(row["Year"]), 1, 1), date(int(row["Year"]), 12, 31)
            (fact,) = found.store.lookup(code, row["Country Code"], "TOTAL", *days)
            assert fact.value == Decimal(row["Value"])
    found.store.close()


@pytest.mark.parametrize("whose", ["recorded", "own"])
def test_company_facts_are_drafted_and_every_value_is_found(tmp_path: Path, whose: str) -> None:
    if whose == "own":
        path = tmp_path / "larchfield.json"
        company, count, amount = "LARCHFIELD", write_company_facts(path), "13130000"
    else:
        path = need(SHARED / "sec_snow_company_facts.json")
        company, count, amount = "SNOWFLAKE", 8163, "2065659000"
    found = Drafted(path, tmp_path)
    assert found.report.rows_read == found.report.facts_new == count
    assert (found.report.bad_total, found.report.skipped) == (0, ())
    (kind,) = found.profile.kinds.values()
    assert (kind.fiscal_year_start, kind.home) == ("02-01", company)
    revenue = "RevenueFromContractWithCustomerExcludingAssessedTax"
    assert found.value(revenue, company.title(), "FY2023") == (amount, "USD")
    tree = json.loads(path.read_text(), parse_float=Decimal)
    for taxonomy, concepts in tree["facts"].items():
        for concept, one in concepts.items():
            for unit, values in one["units"].items():
                metric = next(
                    metric
                    for name in names_of(taxonomy, concept, unit)
                    for metric in found.profile.metrics
                    if name in (metric.code, *metric.aliases)
                )
                for value in values:
                    days = [
                        date.fromisoformat(value.get(k, value["end"])) for k in ("start", "end")
                    ]
                    known = date.fromisoformat(value["filed"])
                    facts = found.store.lookup(metric.code, company, "TOTAL", *days, known)
                    assert value["val"] in [fact.value for fact in facts]
    found.store.close()


def test_a_draft_is_toml_with_its_doubts_as_comments(drafted) -> None:
    found = drafted("gdp.csv", "Country,Year,Value\nChad,2020,5\n")
    assert tomllib.loads(found.draft.profile_toml)["metrics"][0]["code"] == "GDP"
    for note in found.draft.notes:
        assert f"# Look at: {note}." in found.draft.profile_toml


def test_many_columns_without_a_unit_are_one_note(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    headings = ",".join(f"m{number}" for number in range(30))
    path.write_text(f"country,year,{headings}\nDE,2020,{','.join(map(str, range(30)))}\n")
    (note,) = [one for one in draft(path).notes if "nothing says the unit" in one]
    assert note.endswith("'m7' and 22 others: set it in the profile")


def test_a_column_of_few_numbers_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mixed.csv"
    rows = ("DE,2020,12", "FR,2020,twelve", "IT,2020,12 EUR", "ES,2020,2020-01-01")
    path.write_text("\n".join(("country,year,sales", *rows)))
    with pytest.raises(InputError, match=r"'sales' holds '.*' among its numbers"):
        draft(path)


def test_a_total_in_the_column_of_periods_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "tickets.csv"
    path.write_text(
        "month,team,tickets\nJan 2026,A,310\nJan 2026,B,120\nFeb 2026,A,295\nFeb 2026,B,99\n"
        "Total,,824\n",
        "utf-8",
    )
    found = Drafted(path, tmp_path)
    assert found.value("tickets", "A", "2026-02")[0] == "295"
    assert found.report.skipped
    found.store.close()


def test_a_column_with_one_value_for_each_entity_is_no_channel(tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_text(
        "Filiale;Region;2023;2024\nKöln;West;1;2\nBonn;West;3;4\nKiel;Nord;5;6\n", "utf-8"
    )
    found = Drafted(path, tmp_path)
    assert not found.profile.channels
    assert any("has one value for each entity" in note for note in found.draft.notes)
    found.store.close()


def test_a_unit_above_that_is_not_taken_is_told_with_its_scale(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(
        "(USD in millions),,\n,2023,2024\nRevenue,1,2\nServices,3,4\nEmployees,5,6\n", "utf-8"
    )
    (note,) = [one for one in draft(path).notes if "was not taken for" in one]
    assert "'Services'" in note and "Employees" not in note
    assert "SERVICES = '(USD in millions)' under [units.metric]" in note
