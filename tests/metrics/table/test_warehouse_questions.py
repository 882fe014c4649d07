"""Questions of the embedded warehouse: lists, shares, changes, and what is not understood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from groundwire.config import Settings
from groundwire.metrics.factbase import FactBase, State
from groundwire.metrics.query import query_metric
from groundwire.metrics.questions import clarify_question
from groundwire.metrics.reading import Arguments
from groundwire.metrics.table.questions import read_table_question
from groundwire.metrics.terms import TOTAL
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
