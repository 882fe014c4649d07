"""Conversations: each question after the first says only what is new."""

from __future__ import annotations

import pytest
from agent_host import Host, answer, turn

NAME = "metrics_agent"

# Turns, each with what its answer says, and what it does not say.
TALKS: dict[str, list[tuple[str, str, str]]] = {
    "an answer to what was asked back completes it": [
        ("difference between France and Germany", "Which metric", ""),
        ("population 2020", "Difference (France, Germany): 67,601,110 - 83,160,871 = -15,5", ""),
    ],
    "a comparison adds to what was asked": [
        ("population of France in 2020", "67,601,110 people", ""),
        ("compare with Italy", "Population of France for 2020: 67,601,110", "2010"),
        ("and in 2010?", "Population of Italy for 2010", "for 2020"),
    ],
    "a channel is kept until another is named": [
        ("online revenue of Hong Kong 2024", "Revenue (Online)", ""),
        ("and in 2023?", "Revenue (Online) of Tolvarne Hong Kong for 2023: 94,800,000", ""),
        ("total?", "Revenue of Tolvarne Hong Kong for 2023: 375,500,000", "Online"),
        ("why?", "“", ""),
    ],
    "a ranking is kept for another year": [
        ("In which category were the most units sold in 2025?", "Kitchen 159,282", ""),
        ("and 2024?", "Kitchen 160,020", "604,816"),
    ],
    "a ranking is turned round": [
        ("which shop had the highest rent in 2025?", "Causeway Bay", ""),
        ("and the least?", "lowest first: ", "Causeway"),
    ],
    "a ranking is turned round in German": [
        ("Welche Filiale hatte 2025 die höchste Miete?", "Causeway Bay", ""),
        ("Und die niedrigste?", "Tung Chung 2.124.540,00", "Causeway"),
    ],
    "a ranking is turned round in Chinese": [
        ("2025年哪家店卖得最多？", "Causeway Bay", ""),
        ("最少的呢？", "Tung Chung", "Causeway"),
    ],
    "a year later is told from the year before": [
        ("population of Kenya in 2010", "41,598,567", ""),
        ("and a year later?", "for 2011: 42,758,461", "2010"),
    ],
    "a part of a year is kept for another year": [
        ("revenue of the group in Q4 2024", "for 2024Q4", ""),
        ("and 2023?", "for 2023Q4: 1,284,400,000", ""),
        ("and in the full year 2022?", "for 2022:", "Q4"),
    ],
    "in Chinese": [
        ("香港2024年营收", "384,100,000 元", ""),
        ("那线上呢", "托瓦恩香港 2024 营收（线上）：103,200,000 元", ""),
        ("和2023年相比", "托瓦恩香港 2023 营收（线上）：94,800,000 元", ""),
        ("为什么", "“", ""),
        ("今天天气怎么样", "文档中没有能回答此问题的内容。", "营收（线上）"),
    ],
    "only says nothing of its own": [
        ("revenue of Tolvarne in 2025", "5,113,700,000", ""),
        ("and online only?", "Revenue (Online) of Tolvarne Group for 2025: 2,469,600,000", ""),
    ],
    "codes have their names in Chinese": [
        ("托瓦恩集团2024年第三季度营收", "1,172,000,000", ""),
        ("上一季度呢？", "托瓦恩集团 2024Q2 营收", "TVN"),
        ("只看线上呢？", "（线上）", "REVENUE"),
        ("同比呢？", "变化率（2023Q", ""),
    ],
    "a reason that no document gives": [
        ("托瓦恩集团2024年第三季度营收", "1,172,000,000", ""),
        ("为什么？", "原因", ""),
    ],
    "yes to what was meant": [
        ("people of France 2015", "Did you mean Population?", ""),
        ("yes", "Population of France for 2015: 66,548,272", ""),
    ],
    "a typo is corrected and said": [
        ("popluation of France 2015", "“popluation” is read as Population. Population of", ""),
        ("and Spain?", "Population of Spain for 2015", ""),
    ],
    "a table is gone on from with its time": [
        ("旺角店2025年的客流量", "872,699", ""),
        ("铜锣湾店呢？", "Causeway Bay 2025 客流量：726,151", ""),
        ("中环店的租金呢？", "Central 2025 租金", ""),
    ],
    "there is what was asked about": [
        ("Tolvarne Hong Kong revenue 2025", "392,500,000", ""),
        ("how many people work there", "Headcount of Tolvarne Hong Kong for 2025: 378", ""),
        ("and how high was the revenue there", "Revenue of Tolvarne Hong Kong for 2025", ""),
    ],
    "what was not understood is left behind": [
        ("revenue of Globex in 2024", "Globex", ""),
        ("Hong Kong", "Revenue of Tolvarne Hong Kong for 2024: 384,100,000", ""),
        ("hello", "Figures that can be asked for", "384,100,000"),
        ("What does the outlook say about 2026?", "“", "Revenue of Tolvarne"),
    ],
}


@pytest.mark.parametrize("name", TALKS)
def test_a_conversation_goes_on(host: Host, name: str) -> None:
    before = []
    for question, says, nothing_of in TALKS[name]:
        output = host.ask(NAME, question, turns=before)
        said = answer(output)
        assert says in said, question
        assert not nothing_of or nothing_of not in said, question
        before = [turn(question, output)]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "how much revenue did hong kong make in 2025 and how many people work there",
            ("Revenue of Tolvarne Hong Kong for 2025: 392,500,000", "Headcount of Tolvarne Hong"),
        ),
        (
            "Wie hoch war die Bruttomarge der Tolvarne-Gruppe im dritten Quartal 2025, und wie hoch"
            " die Eigenkapitalrendite 2024?",
            ("für 2025Q3: 41,5 %", "Eigenkapitalrendite von Tolvarne Group für 2024: 9,7 %"),
        ),
        ("香港2024财年营收多少？日本呢？", ("384,100,000 元", "479,200,000 元")),
    ],
)
def test_each_request_is_answered(host: Host, question: str, says: tuple[str, ...]) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["status"] == "found"
    assert all(one in answer(output) for one in says)


@pytest.mark.parametrize(
    ("before", "question", "says"),
    [
        ("What share of revenue was online in FY2025?", "And in FY2024?", "47.140827%"),
        ("2025财年线上收入占比是多少？", "2024财年呢？", "47.140827%"),
        ("How much did Tolvarne's revenue grow in FY2025?", "and in FY2024?", "(FY2023 to FY2024)"),
    ],
)
def test_what_was_computed_is_computed_of_another_year(
    host: Host, before: str, question: str, says: str
) -> None:
    first = host.ask(NAME, before)
    assert says in answer(host.ask(NAME, question, turns=[turn(before, first)]))


def test_nothing_is_told_of_what_was_not_understood(host: Host) -> None:
    told = answer(
        host.ask(NAME, "How many sofas were sold in 2025 and what was their gross margin?")
    )
    assert "%" not in told


def test_a_request_without_an_answer_is_named(host: Host) -> None:
    output = host.ask(NAME, "What was the GDP of Kenya in 2020 and what is its share price?")
    assert output.result is not None
    assert "100,657,505,750.545 USD" in answer(output)
    assert output.result["not_answered"] == ["what is its share price?"]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("which countries have the biggest economies 2022", "United States 25,744,108,000,000.0"),
        ("Welches Land hat die größte Wirtschaft?", "Vereinigte Staaten"),
        ("size of france's economy in 2019", "GDP (current US$) of France for 2019"),
        ("is poland's economy bigger than Sweden's? (2023)", "Poland has the most"),
    ],
)
def test_an_economy_is_as_large_as_its_gdp(host: Host, question: str, says: str) -> None:
    assert says in answer(host.ask(NAME, question))
