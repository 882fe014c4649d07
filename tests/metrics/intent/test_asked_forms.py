"""Ways to ask for a metric without its name, those of the embedded profile."""

from __future__ import annotations

import pytest

ASKED = [
    ("How many people lived in China in 2010?", "POPULATION", "CHN"),
    ("Wie viele Menschen lebten 2010 in China?", "POPULATION", "CHN"),
    ("Wie viele Leute wohnten 1999 in China?", "POPULATION", "CHN"),
    ("Can you tell me how many people were living in Nigeria in 1999?", "POPULATION", "NGA"),
    ("how many people did India have in 1960", "POPULATION", "IND"),
    ("2010年中国有多少人?", "POPULATION", "CHN"),
    ("2010年中国有多少人口", "POPULATION", "CHN"),
    ("2015年有多少人住在法国", "POPULATION", "FRA"),
    ("How big was Germany's economy in 2020?", "GDP", "DEU"),
    ("How many people did Hong Kong employ in 2024?", "HEADCOUNT", "HK"),
    ("How many people worked for Tolvarne Japan in FY2024?", "HEADCOUNT", "JP"),
    ("香港2024年有多少名员工", "HEADCOUNT", "HK"),
    ("How much did Tolvarne China earn in 2024?", "NET_PROFIT", "CN"),
    ("香港2024年赚了多少钱", "NET_PROFIT", "HK"),
    ("How much did Hong Kong sell in 2024?", "REVENUE", "HK"),
]
OTHERS = [
    "How many people in China can read?",
    "How many people in China were employed in 2010?",
    "how many people died in China in 2010",
    "how many people came to live in China in 2010",
    "How many people lived in China in 2010 and found work?",
    "How many people live in rural China in 2010?",
    "How many people live in cities in China in 2010?",
    "How many people live in China per household in 2010?",
    "How much did employees earn in 2024?",
    "how much did China earn from exports in 2024",
    "how much did people in China earn in 2010",
    "How many people work in China in 2010?",
    "2010年中国有多少人知道",
    "2010年中国有多少人生活在农村",
    "2010年中国有多少人死亡",
    "2010年法国有多少人次",
    "中国2010年有多少人家",
    "2024年员工赚了多少钱",
]


@pytest.mark.parametrize(("question", "metric", "entity"), ASKED)
def test_a_metric_is_found_by_how_it_is_asked_for(embedded, question, metric, entity):
    intent = embedded.parse(question)
    assert (intent.metrics, intent.entities) == ((metric,), (entity,))
    assert embedded.judge(intent).mode == "none"


@pytest.mark.parametrize("question", OTHERS)
def test_what_asks_for_another_number_is_asked_about(embedded, question):
    assert embedded.clarify(question).mode == "ask_first"


def test_the_own_company_stands_in_a_gap(embedded):
    for question in (
        "How much did we earn in 2024?",
        "2024年我们赚了多少",
        "how many staff do we employ",
    ):
        made = embedded.clarify(question)
        assert made.assumed_slots["entity"] == "TVN", question


def test_a_unit_is_not_cut_in_two(embedded):
    intent = embedded.parse("香港2024年营收多少人民币")
    assert (intent.metrics, intent.leftovers) == (("REVENUE",), ())
