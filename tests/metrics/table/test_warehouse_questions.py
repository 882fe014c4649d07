"""Questions of the embedded warehouse: lists, shares, changes, and what is not understood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from groundwire.config import Settings
from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import FactBase, State
from groundwire.metrics.query import query_metric
from groundwire.metrics.questions import clarify_question
from groundwire.metrics.table.questions import read_table_question
from groundwire.metrics.table.stores import Tables
from groundwire.metrics.terms import TOTAL, Arguments
from groundwire.servers.metrics import places

TODAY = date(2026, 11, 23)
SALES = {"metrics": ["SHOP_SALES"]}
_MORE_OR_LESS = "Wie viele Besucher mehr oder weniger hatte Sha Tin 2025 als 2024?"
_SHARE = (["Kowloon", "total"], ["2025"], ["share"], None)
_CHANGE = (["2024", "2025"], ["delta", "percent_change"])


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    """The embedded facts with the embedded warehouse."""
    base = FactBase(places(Settings(home=tmp_path_factory.mktemp("home"))), today=lambda: TODAY)
    yield base.state()
    base.close()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Shop sales of Furniture and Lighting in 2025",
            {
                "by": ["products.category"],
                "where": {"products.category": ["Furniture", "Lighting"]},
                "period": "2025",
            },
        ),
        (
            "Did Kowloon or Hong Kong Island have higher shop sales in 2025?",
            {
                "by": ["shops.district"],
                "where": {"shops.district": ["Kowloon", "Hong Kong Island"]},
                "period": "2025",
            },
        ),
        ("Shop sales by month in 2030", {"by": ["period"], "grain": "month", "period": "2030"}),
        (
            "Filialumsatz 2024 im Vergleich zu 2025",
            {"by": ["period"], "grain": "year", "period": "2024-2025"},
        ),
        (
            "6-month moving average of shop sales as of December 2025",
            {"by": ["period"], "rolling_average": "6-month", "period": "December 2025"},
        ),
    ],
)
def test_all_that_is_named_is_asked_for(shops: State, question: str, asked: dict) -> None:
    assert read_table_question(shops, question, TODAY) == SALES | asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "In welcher Warengruppe haben die Filialen 2025 die meisten Stück verkauft?",
            {"by": ["products.category"], "order_by": ["-UNITS_SOLD"], "limit": 1},
        ),
        (
            "In which category did the shops sell the most units in 2025?",
            {"by": ["products.category"], "period": "2025"},
        ),
        (
            "Wie viele Stück hat die Filiale Central 2025 verkauft?",
            {"where": {"shops.shop": "Central"}},
        ),
        ("Wie viele Stück blau wurden 2025 verkauft?", None),
    ],
)
def test_words_of_its_own_name_say_nothing_more(
    shops: State, question: str, asked: dict | None
) -> None:
    read = read_table_question(shops, question, TODAY)
    if asked is None:
        assert read is None
        return
    assert read is not None
    assert read["metrics"] == ["UNITS_SOLD"]
    assert {name: read[name] for name in asked} == asked


_BY_CATEGORY = {"by": ["products.category"], "period": "2025"}
_GREW = {"compare": "previous_year", "order_by": ["-SHOP_SALES.percent_change"]}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Shop sales growth by category in 2025", _BY_CATEGORY | _GREW),
        ("Filialumsatzwachstum nach Warengruppe 2025", _BY_CATEGORY | _GREW),
        ("2025年各品类门店销售额同比增长率", _BY_CATEGORY | _GREW | {"period": "2025"}),
        ("Which category's shop sales grew fastest in 2025?", _BY_CATEGORY | _GREW | {"limit": 1}),
        (
            "Which 2 categories' shop sales fell most in 2025?",
            _BY_CATEGORY | _GREW | {"order_by": ["SHOP_SALES.percent_change"], "limit": 2},
        ),
        (
            "Shop sales by category 2025 vs 2024",
            _BY_CATEGORY | {"compare": "previous_year"},
        ),
        (
            "2025年第二季度各品类门店销售额环比增长",
            _BY_CATEGORY | _GREW | {"compare": "previous_period", "period": "2025Q2"},
        ),
        (
            "Which categories gained shop sales in 2025?",
            _BY_CATEGORY | _GREW,
        ),
        ("2025年各门店销售额", {"by": ["shops.shop"], "period": "2025年"}),
        (
            "Shop sales growth by month in 2025",
            {"by": ["period"], "grain": "month", "period": "2025", "compare": "previous_period"},
        ),
        (
            "Shop sales by category excluding Furniture in 2025",
            _BY_CATEGORY | {"where": {"products.category": {"none_of": ["Furniture"]}}},
        ),
        (
            "Shop sales by category and district in 2025",
            _BY_CATEGORY | {"by": ["products.category", "shops.district"]},
        ),
        (
            "Shop sales and units sold by category in 2025",
            _BY_CATEGORY | {"metrics": ["SHOP_SALES", "UNITS_SOLD"]},
        ),
        (
            "Which five shops sold most units in 2025?",
            {
                "metrics": ["UNITS_SOLD"],
                "by": ["shops.shop"],
                "period": "2025",
                "order_by": ["-UNITS_SOLD"],
                "limit": 5,
            },
        ),
    ],
)
def test_changes_and_breakdowns_are_asked_for_by_what_is_named(
    shops: State, question: str, asked: dict
) -> None:
    assert read_table_question(shops, question, TODAY) == SALES | asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Population growth by country in the EU in 2020",
            {"by": ["entity"], "where": {"group": "EUU"}, "metrics": ["POPULATION"]},
        ),
        (
            "Umsatzwachstum nach Gesellschaft 2020",
            {"by": ["entity"], "where": {"group": "TVN"}, "metrics": ["REVENUE"]},
        ),
    ],
)
def test_changes_of_facts_are_told_by_entity(shops: State, question: str, asked: dict) -> None:
    asked = asked | {"compare": "previous_year", "period": "2020"}
    asked["order_by"] = [f"-{asked['metrics'][0]}.percent_change"]
    assert read_table_question(shops, question, TODAY) == asked


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Revenue growth by region in 2024", 'not held by "region": it is held by company'),
        ("Umsatzwachstum nach Region", "nicht nach „Region“ vorhanden"),
        ("各地区收入增长", "没有按“地区”的数据"),
        ("Visitors by category in 2025", "it is held by Shop, District, time"),
        ("Which five shops sold most in 2025?", "Did you mean Units sold?"),
        ("Which shops grew in 2025?", "Did you mean Shop sales or"),
        ("Rent by district 2023 and 2025", "I do not see what is asked of Rent"),
        ("How many shops lost visitors in 2025?", "I do not see what is asked of Visitors"),
        ("Which shop's visitors changed least in 2025?", "I do not see what is asked of Visitors"),
        ("Shop sales of furnitur by month in 2025", "Did you mean Furniture?"),
    ],
)
def test_what_a_table_could_answer_is_asked_about(shops: State, question: str, says: str) -> None:
    asked = clarify_question(shops, question, "", TODAY)
    assert asked.mode == "ask_first" and says in (asked.question or "")


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Shop sales growth by district in 2025", "New Territories 53,455,402.61 CNY (+25.34577%,"),
        ("Filialumsatzwachstum nach Bezirk 2025", "(+25,34577 %, 2024: 42.646.355,53 CNY)"),
        ("Which shop's shop sales fell most in 2025?", "None of those that can be compared fell."),
        ("Share of each district in shop sales in 2025", "226200000.00 * 100 ≈ 43.870695%"),
        ("2025年Central的租金下降了多少？", "租金并未下降"),
        ("How did visitors in Quarry Bay grow in 2025?", "for 2025."),
    ],
)
def test_answers_tell_the_change_and_the_share(shops: State, question: str, says: str) -> None:
    assert says in ask(shops, question, TODAY).text


@pytest.mark.parametrize(
    "question",
    [
        "Shop sales in all districts but Kowloon in 2025",
        "Filialumsatz aller Bezirke außer Kowloon 2025",
        "Shop sales of Kowloon and Narnia in 2025",
        "filialumsatz kowloon 25",
    ],
)
def test_no_table_is_wider_than_the_question(shops: State, question: str) -> None:
    assert read_table_question(shops, question, TODAY) is None
    assert clarify_question(shops, question, "", TODAY).mode == "ask_first"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Shop sales of loyal customers in 2025", "loyal"),
        ("Wie hoch war der Filialumsatz mit Onlinekunden 2025?", "Onlinekunden"),
        ("Wie hoch war der Filialumsatz 2025 in Dollar?", "in CNY vorhanden"),
        ("2025年周六的门店销售额是多少？", "周六"),
        ("What are the shop sales?", "For which period"),
    ],
)
def test_what_is_not_understood_is_named(shops: State, question: str, says: str) -> None:
    asked = clarify_question(shops, question, "", TODAY)
    assert asked.mode == "ask_first"
    assert says in (asked.question or "")


@pytest.mark.parametrize(
    ("question", "entities", "periods", "derive", "premise"),
    [
        ("What share of shop sales came from Kowloon in 2025?", *_SHARE),
        ("Welchen Anteil am Filialumsatz hatte Kowloon 2025?", *_SHARE),
        ("Kowloon占2025年门店销售额的百分之几？", *_SHARE),
        ("How much did shop sales drop in Central in 2025?", ["Central"], *_CHANGE, "fall"),
        ("2025年门店销售额比2024年增长了百分之几？", ["total"], *_CHANGE, "rise"),
        ("How did rent change from 2024 to 2025?", ["total"], *_CHANGE, None),
        (_MORE_OR_LESS, ["Sha Tin"], *_CHANGE, None),
    ],
)
def test_shares_and_changes_are_computed_of_single_values(
    shops: State,
    question: str,
    entities: list[str],
    periods: list[str],
    derive: list[str],
    premise: str | None,
) -> None:
    intent = clarify_question(shops, question, "", TODAY).intent
    assert (intent.entities, intent.periods, intent.derive) == (entities, periods, derive)
    assert intent.premise == premise


def test_a_share_of_a_rate_is_not_computed(shops: State) -> None:
    asked = clarify_question(shops, "What share of the return rate was Kowloon in 2025?", "", TODAY)
    assert asked.mode == "ask_first"


@pytest.mark.parametrize(
    ("question", "period"), [("gdp usa 23 thx", "2023"), ("revenue hk q2 26", "2026Q2")]
)
def test_a_year_of_two_digits_is_read_and_told(shops: State, question: str, period: str) -> None:
    asked = clarify_question(shops, question, "", TODAY)
    assert asked.intent.periods == [period]
    assert f"is read as the year {period[:4]}" in (asked.assumption_note or "")
    assert clarify_question(shops, "gdp usa 99", "", TODAY).mode == "ask_first"


def test_what_is_held_of_an_unfinished_year_denies_no_rise(shops: State) -> None:
    question = "Rent in Kowloon rose by how much from 2024 to 2026?"
    assert clarify_question(shops, question, "", TODAY).intent.premise is None


@pytest.mark.parametrize(
    ("question", "raw", "near"),
    [
        ("Shop sales in Kowlon in 2025", "Kowlon", "Kowloon"),
        ("How many visitors did Mong Kock have in 2025?", "Mong Kock", "Mong Kok"),
        ("Units sold of Bath towls in 2025", "Bath towls", "Bath towel"),
        ("Shop sales of Texties in 2025", "Texties", "Textiles"),
    ],
)
def test_a_misspelt_value_is_asked_about_with_the_stored_one(
    shops: State, question: str, raw: str, near: str
) -> None:
    asked = clarify_question(shops, question, "", TODAY)
    assert asked.mode == "ask_first" and f'"{raw}"' in (asked.question or "")
    assert [one.value for one in asked.narrowing_options] == [near]


def test_a_misspelt_metric_of_the_warehouse_is_offered_by_query_metric(shops: State) -> None:
    result, _ = query_metric(shops, Arguments("visiters", "Mong Kok", "2025", TOTAL), TODAY)
    assert result.reason == "unknown"
    assert (result.candidates or [])[0].value == "VISITORS"


@pytest.mark.parametrize(
    "question",
    [
        "Growth of shop sales from 2024 to 2025 by shop",
        "How did shop sales change by district from 2024 to 2025?",
        "Growth of Tolvarne's revenue by channel from 2024 to 2025",
        "Tolvarne's revenue growth per channel from 2024 to 2025",
        "Growth of revenue by company from 2024 to 2025",
        "2024年到2025年托瓦恩集团各渠道营收增长",
    ],
)
def test_what_is_told_for_each_is_never_answered_of_the_total(shops: State, question: str) -> None:
    asked = clarify_question(shops, question, "", TODAY)
    assert asked.mode == "ask_first" or asked.intent.table


def _texts_read_for_a_table(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have every text that is read for a table noted, and read no table."""
    read: list[str] = []

    def note(_: State, question: str, __: date) -> None:
        read.append(question)

    monkeypatch.setattr("groundwire.metrics.questions.read_table_question", note)
    return read


@pytest.mark.parametrize(
    ("question", "of_table"),
    [
        ("What was the population of China in 2010?", False),
        ("Wie hoch war die Bevölkerung von Deutschland 2010?", False),
        ("中国2010年的人口是多少", False),
        ("Population of China and India in 2010", True),
        ("Population of China from 2010 to 2020", True),
        ("Population of China by year in 2010", True),
        ("Shop sales of Kowloon in 2025", True),
    ],
)
def test_a_question_for_one_value_of_the_facts_is_not_read_for_a_table(
    shops: State, monkeypatch: pytest.MonkeyPatch, question: str, of_table: bool
) -> None:
    read = _texts_read_for_a_table(monkeypatch)
    asked = clarify_question(shops, question, "", TODAY)
    assert bool(read) == of_table
    assert of_table or (asked.mode == "none" and asked.intent.metric == "POPULATION")


def test_a_name_that_the_warehouse_has_too_is_read_for_a_table(
    shops: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = _texts_read_for_a_table(monkeypatch)
    monkeypatch.setattr(Tables, "may_ask_warehouse", lambda _, raw: raw == "POPULATION")
    clarify_question(shops, "What was the population of China in 2010?", "", TODAY)
    assert len(read) == 1
