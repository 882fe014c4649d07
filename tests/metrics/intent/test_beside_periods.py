"""Words of time beside a period: those that repeat it, and those that make another time of it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "words",
    [
        *("2024 quarter", "the quarter 2024", "2024 half", "half 2024", "half year 2024"),
        *("month 2024", "2024 month", "a quarter of 2024", "H1 2024 half of it"),
        *("a quarter of Q3 2024", "until 2024", "till 2024", "through 2024", "to 2024"),
        *("from 2024", "over 2024", "until the year 2024", "to Q3 2024", "annual Q3 2024"),
        *("the period ended March 2024", "fiscal quarter of 2024", "year Q3 2024"),
    ],
)
@pytest.mark.parametrize("question", ["revenue of HK {}", "what was, {}, HK revenue?"])
def test_a_word_that_makes_another_time_of_a_period_is_asked_about(desk, words, question):
    made = desk.clarify(question.format(words))
    assert made.mode == "ask_first"
    assert "period" in {option.slot for option in made.narrowing_options}


@pytest.mark.parametrize(
    ("words", "period"),
    [
        ("the year 2024", "2024"),
        ("annual 2024", "2024"),
        ("during the period 2024", "2024"),
        ("over the year 2024", "2024"),
        ("the quarter Q3 2024", "Q3 2024"),
        ("quarter 2024Q3", "2024Q3"),
        ("the month of March 2024", "March 2024"),
        ("the calendar month of March 2024", "March 2024"),
        ("the latest quarter", "latest quarter"),
        ("the period ended Q3 2024", "Q3 2024"),
        ("from 2022 to 2024", "from 2022 to 2024"),
        ("throughout 2024", "2024"),
    ],
)
def test_a_word_that_repeats_what_a_period_says_changes_nothing(desk, words, period):
    intent = desk.parse(f"revenue of HK, {words}")
    assert intent.leftovers == ()
    assert intent.period.raw.endswith(period)
    assert desk.judge(intent).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "revenue growth of HK from the year 2023 to the year 2024",
        "difference in HK revenue from 2023 to the full year 2024",
        "What did the revenue of HK come to in 2024?",
        "What did revenue of HK add up to in FY2024?",
        "What did the revenue of HK amount to for the year 2024?",
        "I would like to know the revenue of HK in 2024",
        "HK 2024 revenue from agency",
    ],
)
def test_from_and_to_join_what_is_compared_or_named(desk, question):
    assert desk.clarify(question).mode == "none"


@pytest.mark.parametrize(
    "question", ["look up 2024 employees of HK", "2024 employees, HK", "HK's 2024 employees please"]
)
def test_digits_before_the_name_of_a_metric_are_the_year(embedded, question):
    intent = embedded.parse(question)
    assert (intent.metric, intent.entity, intent.period.raw) == ("HEADCOUNT", "HK", "2024")
    assert embedded.judge(intent).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "Does HK have 2024 employees?",
        "HK had 2024 employees",
        "HK with 2024 employees",
        "more than 2024 employees at HK",
        "HK: 2024 employees in 2023",
    ],
)
def test_digits_that_state_an_amount_are_no_year(embedded, question):
    assert "2024" not in {one.raw for one in embedded.parse(question).periods}
    assert embedded.clarify(question).mode == "ask_first"
