"""Questions for a table: read as a whole, or not at all."""

from __future__ import annotations

import time
from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.table.questions import read_table_question

TODAY = date(2026, 11, 21)
RANK = {"metrics": ["POPULATION"], "by": ["entity"], "order_by": ["-POPULATION"]}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Top 5 countries by population in 2020?", {**RANK, "period": "2020", "limit": 5}),
        ("rank the countries by population", {**RANK, "limit": 10}),
        (
            "Which country had the largest population in 2015?",
            {**RANK, "period": "2015", "limit": 1},
        ),
        (
            "top ten countries in the EU by inhabitants",
            {**RANK, "where": {"group": "EUU"}, "limit": 10},
        ),
        ("2020年人口最多的5个国家", {**RANK, "period": "2020年", "limit": 5}),
        ("Top 5 Länder nach Bevölkerung 2020", {**RANK, "period": "2020", "limit": 5}),
        *(
            (
                question,
                {
                    **RANK,
                    "period": period,
                    "limit": limit,
                    "compare": "previous_year",
                    "order_by": [f"{sign}POPULATION.percent_change"],
                },
            )
            for question, period, limit, sign in (
                ("top 5 countries by population growth in 2020", "2020", 5, "-"),
                ("Which countries grew most by population in 2019?", "2019", 10, "-"),
                ("the 3 slowest-growing countries by population in 2018", "2018", 3, ""),
                ("Which 4 countries' population grew fastest in 2017?", "2017", 4, "-"),
                (
                    "Welche Länder sind 2019 nach Bevölkerung am stärksten gestiegen?",
                    "2019",
                    10,
                    "-",
                ),
                ("2018年人口增长最慢的3个国家", "2018", 3, ""),
            )
        ),
        (
            "trend of revenue of Hong Kong over the last 3 years",
            {
                "metrics": ["REVENUE"],
                "by": ["period"],
                "where": {"entity": "HK"},
                "period": "the last 3 years",
            },
        ),
        (
            "trend of revenue of Hong Kong since 2023",
            {
                "metrics": ["REVENUE"],
                "by": ["period"],
                "where": {"entity": "HK"},
                "period": "since 2023",
            },
        ),
        (
            "countries with a population above 50 million and a gdp below 1 trillion in 2020",
            {
                "metrics": ["POPULATION", "GDP"],
                "by": ["entity"],
                "where": {"POPULATION": {"gt": "50000000"}, "GDP": {"lt": "1000000000000"}},
                "period": "2020",
            },
        ),
        (
            "which countries had a gdp above 900m in 2020",
            {
                "metrics": ["GDP"],
                "by": ["entity"],
                "where": {"GDP": {"gt": "900000000"}},
                "period": "2020",
            },
        ),
        (
            "years with a population of China above 1 billion",
            {
                "metrics": ["POPULATION"],
                "by": ["period"],
                "where": {"entity": "CHN", "POPULATION": {"gt": "1000000000"}},
                "grain": "year",
            },
        ),
        (
            "2024年香港收入按渠道",
            {
                "metrics": ["REVENUE"],
                "by": ["channel"],
                "where": {"entity": "HK"},
                "period": "2024年",
            },
        ),
    ],
)
def test_what_is_read(state: State, question: str, asked: dict[str, object]) -> None:
    assert read_table_question(state, question, TODAY) == asked


@pytest.mark.parametrize(
    "question",
    [
        "top 5 cities by population",
        "top 5 countries by happiness",
        "top 5 countries by population in Atlantis",
        "top 5 rural countries by population",
        "top 5 companies by population",
        "top 5 countries by population growth",
        "top 5 countries by population in 2020 excluding China",
        "Which country did not have the largest population?",
        "trend of population of Chinatown since 2015",
        "trend of population since 2015",
        "population of China in 2020",
        "2020年幸福感最高的5个国家",
        "",
    ],
)
def test_what_is_left_over_keeps_a_question_from_being_read(state: State, question: str) -> None:
    assert read_table_question(state, question, TODAY) is None


@pytest.mark.parametrize(
    "question",
    ["a " * 79, "top 5 " + "in by " * 24, "trend of " * 17, "人口" * 79, "2020年" * 25 + "人口"],
)
def test_long_questions_take_no_time(state: State, question: str) -> None:
    read_table_question(state, "top 5 countries by population", TODAY)
    started = time.process_time()
    read_table_question(state, question, TODAY)
    assert time.thread_time() - started < 0.5
