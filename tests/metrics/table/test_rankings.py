"""Rankings, counts and trends in any order of their words, over facts and a warehouse."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.table.question_parts import place_asked
from groundwire.metrics.table.questions import read_table_question

TODAY = date(2026, 11, 21)
GDP = {"metrics": ["GDP"], "by": ["entity"], "order_by": ["-GDP"]}


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("third largest GDP in 2020?", GDP | {"period": "2020", "limit": 3}),
        ("Welches Land hatte 2020 das drittgrößte BIP?", GDP | {"period": "2020", "limit": 3}),
        ("2022年GDP排名第四的国家是哪个？", GDP | {"period": "2022年", "limit": 4}),
        (
            "In which year was the population of Japan highest?",
            {
                "metrics": ["POPULATION"],
                "by": ["period"],
                "grain": "year",
                "where": {"entity": "JPN"},
                "order_by": ["-POPULATION"],
                "limit": 1,
            },
        ),
        (
            "How has the revenue of Hong Kong developed since 2022?",
            {
                "metrics": ["REVENUE"],
                "by": ["period"],
                "where": {"entity": "HK"},
                "grain": "year",
                "period": "since 2022",
            },
        ),
        (
            "Which countries had more than 100 million people in 2020?",
            {
                "metrics": ["POPULATION"],
                "by": ["entity"],
                "period": "2020",
                "where": {"POPULATION": {"gt": "100000000"}},
            },
        ),
        (
            "2020年GDP低于10亿美元的国家",
            {
                "metrics": ["GDP"],
                "by": ["entity"],
                "period": "2020年",
                "where": {"GDP": {"lt": "1000000000"}},
            },
        ),
        (
            "Which countries had a lower population in 2023 than in 2022?",
            {
                "metrics": ["POPULATION"],
                "by": ["entity"],
                "period": "2023",
                "compare": "previous_year",
                "order_by": ["POPULATION.percent_change"],
            },
        ),
    ],
)
def test_what_is_ranked_or_followed_is_read(
    state: State, question: str, asked: dict[str, object]
) -> None:
    assert read_table_question(state, question, TODAY) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Which country has the largest happiness?",
        "Which countries had more than 100 million euros of GDP in 2020?",
        "Which countries had more than 100 million urban people in 2020?",
        "Did Germany have more than 80 million people in 2020?",
        "third largest rural population in 2020?",
        "Why is China the largest country by GDP?",
        "What is the highest revenue of Tolvarne?",
        "Welches Land hat nicht das größte BIP?",
        "Which is bigger, Poland or Ukraine?",
    ],
)
def test_a_word_too_many_keeps_a_ranking_from_being_read(state: State, question: str) -> None:
    assert read_table_question(state, question, TODAY) is None


@pytest.mark.parametrize(
    ("question", "place"),
    [("the second largest country", 2), ("auf Platz zwei", 2), ("排名第四", 4), ("the largest", 0)],
)
def test_the_place_that_is_asked_for(question: str, place: int) -> None:
    assert place_asked(question) == place
