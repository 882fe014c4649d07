"""The embedded profile of the metrics server: names that resolve, and files that are there."""

from __future__ import annotations

import csv
import tomllib
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

import pytest
from babel import Locale
from babel.core import get_global
from shared_data import need, shared_folder

from groundwire.metrics.names import Names
from groundwire.metrics.profile import Profile, load_profile
from groundwire.metrics.wording import source_names
from groundwire.profiles import FOLDER, metrics_profile
from groundwire.vocabulary import Term, fold

ROOT = Path(__file__).parent.parent.parent
# The grouping changed between the two files; SOURCES.md tells how.
OTHER_GROUPS = {"MEA", "MNA", "SAS", "TMN", "TSA"}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile(metrics_profile())


@pytest.fixture(scope="module")
def names(profile: Profile) -> Names:
    return Names(profile)


def vocabularies(names: Names) -> dict[str, list[Term]]:
    found = {"metric": list(names.metrics)}
    found |= {f"entity of kind {kind}": list(terms) for kind, terms in names.entities.items()}
    found |= {f"channel of kind {kind}": list(terms) for kind, terms in names.channels.items()}
    return found


def test_it_has_countries_and_a_group_with_its_subsidiaries(profile: Profile) -> None:
    assert profile.profile.name == "default"
    kinds = [entity.kind for entity in profile.entities]
    assert kinds.count("country") == 265
    assert {e.code: e.geography for e in profile.entities if e.kind == "company"} == {
        "TVN": "",
        "CN": "CHN",
        "HK": "HKG",
        "JP": "JPN",
    }
    assert profile.kinds["company"].home == "TVN"
    assert profile.kinds["country"].home == ""


def test_the_japanese_subsidiary_names_its_years_by_their_start(profile: Profile) -> None:
    first, last = profile.calendar_of["JP"].part(2024, 0, 12)
    assert (first.isoformat(), last.isoformat()) == ("2024-04-01", "2025-03-31")
    assert profile.calendar_of["TVN"].is_calendar_year


def test_examples_are_codes_of_the_profile(profile: Profile) -> None:
    about = profile.profile
    assert about.example_metric in profile.metric_by_code
    assert about.example_entity in profile.entity_by_code
    entity = profile.entity_by_code[about.example_entity]
    assert profile.metric_by_code[about.example_metric].kind == entity.kind


def test_no_name_stands_for_two(names: Names) -> None:
    for what, terms in vocabularies(names).items():
        owners: dict[str, set[str]] = defaultdict(set)
        for term in terms:
            for form in (term.id, term.label, *term.aliases):
                owners[fold(form)].add(term.id)
        assert {form: ids for form, ids in owners.items() if len(ids) > 1} == {}, what


def test_no_alias_repeats_another_of_its_term(names: Names) -> None:
    for terms in vocabularies(names).values():
        for term in terms:
            forms = [fold(form) for form in term.aliases]
            assert len(set(forms)) == len(forms), term
            assert not set(forms) & {fold(term.label), fold(term.id)}, term


def test_competitors_are_no_entities(profile: Profile) -> None:
    ours = {
        fold(form)
        for entity in profile.entities
        for form in (entity.code, entity.name, *entity.aliases)
    }
    theirs = [fold(form) for one in profile.external for form in (one.name, *one.aliases)]
    assert len(set(theirs)) == len(theirs)
    assert not ours & set(theirs)


@pytest.mark.parametrize("place", ["中国", "香港", "China", "Hong Kong"])
def test_some_competitors_have_the_name_of_a_subsidiary_within_theirs(
    profile: Profile, place: str
) -> None:
    assert any(place in form for one in profile.external for form in (one.name, *one.aliases))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("中国", "CHN"), ("美国", "USA"), ("英国", "GBR"), ("德国", "DEU"), ("法国", "FRA"),
        ("日本", "JPN"), ("韩国", "KOR"), ("朝鲜", "PRK"), ("俄罗斯", "RUS"), ("印度", "IND"),
        ("印尼", "IDN"), ("意大利", "ITA"), ("西班牙", "ESP"), ("葡萄牙", "PRT"), ("荷兰", "NLD"),
        ("比利时", "BEL"), ("瑞士", "CHE"), ("奥地利", "AUT"), ("瑞典", "SWE"), ("挪威", "NOR"),
        ("丹麦", "DNK"), ("芬兰", "FIN"), ("波兰", "POL"), ("捷克", "CZE"), ("希腊", "GRC"),
        ("土耳其", "TUR"), ("沙特", "SAU"), ("阿联酋", "ARE"), ("伊朗", "IRN"), ("以色列", "ISR"),
        ("埃及", "EGY"), ("南非", "ZAF"), ("尼日利亚", "NGA"), ("尼日尔", "NER"), ("巴西", "BRA"),
        ("阿根廷", "ARG"), ("墨西哥", "MEX"), ("加拿大", "CAN"), ("澳大利亚", "AUS"),
        ("澳洲", "AUS"), ("新西兰", "NZL"), ("新加坡", "SGP"), ("香港", "HKG"),
        ("中国香港", "HKG"), ("澳门", "MAC"), ("越南", "VNM"), ("泰国", "THA"),
        ("刚果（金）", "COD"), ("刚果（布）", "COG"), ("多米尼克", "DMA"), ("多米尼加", "DOM"),
        ("德國", "DEU"), ("欧盟", "EUU"), ("欧元区", "EMU"), ("全世界", "WLD"),
        ("经合组织", "OED"), ("南亚", "SAS"),
        ("USA", "USA"), ("U.S.", "USA"), ("America", "USA"), ("UK", "GBR"), ("Britain", "GBR"),
        ("South Korea", "KOR"), ("North Korea", "PRK"), ("Russia", "RUS"), ("Iran", "IRN"),
        ("Czech Republic", "CZE"), ("Turkey", "TUR"), ("Ivory Coast", "CIV"), ("Egypt", "EGY"),
        ("Viet Nam", "VNM"), ("Holland", "NLD"), ("Burma", "MMR"), ("Hong Kong SAR, China", "HKG"),
        ("Trinidad & Tobago", "TTO"), ("Saint Lucia", "LCA"), ("St. Lucia", "LCA"),
        ("Georgia", "GEO"), ("World", "WLD"), ("European Union", "EUU"), ("eurozone", "EMU"),
    ],
)  # fmt: skip
def test_countries_have_their_names(names: Names, name: str, code: str) -> None:
    found = names.entity(name, "country").term
    assert found is not None, name
    assert found.id == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Deutschland", "DEU"), ("Deutschlands", "DEU"), ("Bundesrepublik Deutschland", "DEU"),
        ("Österreich", "AUT"), ("Schweiz", "CHE"), ("Frankreich", "FRA"), ("Italien", "ITA"),
        ("Spanien", "ESP"), ("Griechenland", "GRC"), ("Großbritannien", "GBR"),
        ("Vereinigtes Königreich", "GBR"), ("Niederlande", "NLD"), ("Niederlanden", "NLD"),
        ("Vereinigte Staaten", "USA"), ("Vereinigten Staaten", "USA"), ("Indien", "IND"),
        ("Hongkong", "HKG"), ("Volksrepublik China", "CHN"), ("Südkorea", "KOR"),
        ("Nordkorea", "PRK"), ("Türkei", "TUR"), ("Tschechien", "CZE"), ("Polen", "POL"),
        ("Russland", "RUS"), ("Elfenbeinküste", "CIV"), ("Niger", "NER"), ("Nigeria", "NGA"),
        ("Äquatorialguinea", "GNQ"), ("Guinea", "GIN"), ("Kongo-Kinshasa", "COD"),
        ("Kongo-Brazzaville", "COG"), ("Dominikanische Republik", "DOM"), ("Südsudan", "SSD"),
        ("Irland", "IRL"), ("Australien", "AUS"), ("Europäische Union", "EUU"),
        ("Euroraum", "EMU"), ("Welt", "WLD"), ("Südasien", "SAS"), ("OECD-Länder", "OED"),
    ],
)  # fmt: skip
def test_countries_have_their_german_names(names: Names, name: str, code: str) -> None:
    found = names.entity(name, "country").term
    assert found is not None, name
    assert found.id == code


def test_every_country_has_the_german_and_the_chinese_name_of_cldr(names: Names) -> None:
    three_letters = {
        long: short[0]
        for long, short in get_global("territory_aliases").items()
        if len(long) == 3 and long.isalpha()
    }
    # German "Island" is an English word, and Kosovo has no code of three letters.
    left_out = {("ISL", "de")}
    countries = [one for one in names.profile.entities if one.code in three_letters]
    assert len(countries) > 200
    for entity in countries:
        for language in ("de", "zh"):
            name = Locale(language).territories[three_letters[entity.code]]
            found = names.entity(name, "country").term if entity.kind == "country" else None
            known = found.id if found is not None else None
            assert (known == entity.code) != ((entity.code, language) in left_out), name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Bevölkerung", "POPULATION"), ("Einwohnerzahl", "POPULATION"), ("BIP", "GDP"),
        ("Bruttoinlandsprodukt", "GDP"), ("Umsatz", "REVENUE"), ("Umsatzerlöse", "REVENUE"),
        ("Gewinn", "NET_PROFIT"), ("Nettogewinn", "NET_PROFIT"), ("Jahresüberschuss", "NET_PROFIT"),
        ("Bruttomarge", "GROSS_MARGIN"), ("Eigenkapitalrendite", "ROE"),
        ("Mitarbeiterzahl", "HEADCOUNT"), ("Barmittel", "CASH"),
    ],
)  # fmt: skip
def test_metrics_have_their_german_names(names: Names, name: str, code: str) -> None:
    found = names.metric(name).term
    assert found is not None, name
    assert found.id == code


@pytest.mark.parametrize(
    "name",
    ["Rohgewinn", "reales BIP", "Umsatzwachstum", "Personal", "Ertrag"],
)
def test_a_german_term_of_several_metrics_or_of_none_is_left_open(names: Names, name: str) -> None:
    assert names.metric(name).term is None


@pytest.mark.parametrize(
    ("name", "code"),
    [("Onlinehandel", "ONLINE"), ("Einzelhandel", "RETAIL"), ("Großhandel", "WHOLESALE")],
)
def test_channels_have_their_german_names(names: Names, name: str, code: str) -> None:
    found = names.channel(name, "company").term
    assert found is not None, name
    assert found.id == code


def test_document_names_are_of_documents_that_are_there(profile: Profile) -> None:
    mapped = {
        tomllib.loads((FOLDER / one.mapping).read_text("utf-8"))["document"]["name"]
        for one in profile.sources
    }
    titles = {one.title for one in profile.documents}
    assert {one.name for one in profile.document_names} == mapped | titles


@pytest.mark.parametrize("name", ["Geschäftsbericht 2024", "2024年年度报告", "annual report 2024"])
def test_a_document_is_named_in_each_language(profile: Profile, name: str) -> None:
    publisher = "Tolvarne Group"
    names = source_names(profile, "Tolvarne Group annual report 2024", "", publisher)
    others = source_names(profile, "Tolvarne Group annual report 2023", "", publisher)
    assert name in names
    assert name not in others


@pytest.mark.parametrize(
    "name",
    ["Island", "Amerika", "Kongo", "Korea", "Congo", "刚果", "Virgin Islands", "Europe", "England"],
)
def test_a_name_of_several_or_of_none_is_left_open(names: Names, name: str) -> None:
    assert names.entity(name, "country").term is None


@pytest.mark.parametrize(
    ("name", "country", "company"),
    [
        ("中国", "CHN", "CN"),
        ("中国内地", "CHN", "CN"),
        ("香港", "HKG", "HK"),
        ("Japan", "JPN", "JP"),
    ],
)
def test_one_name_is_a_country_and_a_subsidiary(
    names: Names, name: str, country: str, company: str
) -> None:
    for kind, code in (("country", country), ("company", company)):
        found = names.entity(name, kind).term
        assert found is not None
        assert found.id == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("人口", "POPULATION"), ("number of people", "POPULATION"), ("SP.POP.TOTL", "POPULATION"),
        ("国内生产总值", "GDP"), ("nominal GDP", "GDP"), ("NY.GDP.MKTP.CD", "GDP"),
        ("REVENUE", "REVENUE"), ("turnover", "REVENUE"), ("营收", "REVENUE"),
        ("纯利", "NET_PROFIT"), ("earnings", "NET_PROFIT"), ("毛利率", "GROSS_MARGIN"),
        ("净资产收益率", "ROE"), ("人数", "HEADCOUNT"), ("staff", "HEADCOUNT"), ("现金", "CASH"),
    ],
)  # fmt: skip
def test_metrics_have_their_names(names: Names, name: str, code: str) -> None:
    found = names.metric(name).term
    assert found is not None
    assert found.id == code


@pytest.mark.parametrize(
    "name",
    [
        "GDP growth", "population growth", "population density",
        "人口密度", "gross profit", "operating profit", "毛利", "revenue per employee",
    ],
)  # fmt: skip
def test_other_metrics_are_not_taken_for_these(names: Names, name: str) -> None:
    assert names.metric(name).term is None


@pytest.mark.parametrize(
    ("name", "code"),
    [("线上", "ONLINE"), ("e-commerce", "ONLINE"), ("门店", "RETAIL"), ("批发", "WHOLESALE")],
)
def test_channels_are_those_of_the_company(names: Names, name: str, code: str) -> None:
    found = names.channel(name, "company").term
    assert found is not None
    assert found.id == code
    assert names.channel(name, "country").term is None


def test_every_file_is_there_and_in_the_wheel(profile: Profile) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    patterns = settings["package-data"]["*"]
    files = {source.file for source in profile.sources}
    files |= {source.mapping for source in profile.sources}
    files |= {document.file for document in profile.documents}
    for name in sorted(files):
        assert (FOLDER / name).is_file(), name
        assert any(fnmatch(name, pattern) for pattern in patterns), name
    there = {path.name for path in FOLDER.iterdir() if path.is_file()}
    of_others = {"countries.ttl", "endpoints.toml", "openlink.toml", "tolvarne_shops.yaml"}
    begins = ("help_", "sparql_", "london_", "learning")
    of_others |= {name for name in there if name.startswith(begins)}
    assert there - files - of_others == {"__init__.py", "SOURCES.md", "metrics.toml"}


def test_what_is_marked_restricted_in_its_text_is_so_in_the_profile(profile: Profile) -> None:
    marks = {"restricted": "RESTRICTED", "for use within": "INTERNAL", "内部使用": "INTERNAL"}
    found = dict.fromkeys(profile.sensitivity.levels, 0)
    for document in profile.documents:
        text = (FOLDER / document.file).read_text("utf-8").casefold()
        wanted = next((level for mark, level in marks.items() if mark in text), "PUBLIC")
        assert document.sensitivity == wanted, document.file
        found[wanted] += 1
    assert all(found.values())
    assert profile.sensitivity.withheld == ("RESTRICTED",)


@pytest.mark.parametrize(("name", "left_out"), [("population", set[str]()), ("gdp", OTHER_GROUPS)])
def test_world_bank_values_are_those_of_the_source(name: str, left_out: set[str]) -> None:
    source = need(shared_folder("data", "metrics", f"{name}.csv"))
    with source.open(encoding="utf-8", newline="") as file:
        wanted = {
            (row["Country Code"], row["Year"]): row["Value"]
            for row in csv.DictReader(file)
            if row["Country Code"] not in left_out
        }
    with (FOLDER / f"world_bank_{name}.csv").open(encoding="utf-8", newline="") as file:
        found = {
            (row["Country Code"], year): value
            for row in csv.DictReader(file)
            for year, value in row.items()
            if year != "Country Code" and value
        }
    assert found == wanted
