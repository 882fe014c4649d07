"""Nearly the name of a metric, beside an entity and a period: a number is wanted, and asked."""

from __future__ import annotations

import time

import pytest


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("net inome, Hong Kong SAR, FY2024", "NET_PROFIT"),
        ("Which net yncome did Japan report for the second quarter of 2025?", "NET_PROFIT"),
        ("I would like to know the bottm line of the Tolvarne group in Q3 FY2023.", "NET_PROFIT"),
        ("毛利远：中国香港，2024年Q3", "GROSS_MARGIN"),
        ("我想知道伊拉克在FY11的总人安口", "POPULATION"),
    ],
)
def test_a_near_miss_is_asked_about_with_its_candidate_first(embedded, question, code):
    intent = embedded.parse(question)
    assert (intent.route, intent.metric) == ("structured", None)
    made = embedded.judge(intent)
    assert made.mode == "ask_first"
    assert made.narrowing_options[0][:2] == ("metric", code)


@pytest.mark.parametrize(
    "question",
    [
        "Could you report the non-gross domestic product of France for FY 1968, please?",
        "anti-revenue of Hong Kong in 2024",
    ],
)
def test_a_metric_that_a_hyphen_joins_to_a_word_is_no_text(embedded, question):
    assert embedded.parse(question).metric is None
    assert embedded.clarify(question).mode == "ask_first"


@pytest.mark.parametrize(
    "question",
    [
        "Tell me about the acquisition in Japan in 2025",
        "Who leads Tolvarne Japan in 2025?",
        "What did management say about Japan in 2025?",
        "heroes of HK in 2024",
        "香港2024年员工培训情况",
        "香港2024年开了哪些新店",
        "日本2025年的收购情况",
    ],
)
def test_what_is_like_no_metric_is_for_the_documents(embedded, question):
    assert embedded.parse(question).route == "narrative"


def test_a_near_miss_in_a_long_text_takes_no_long_search(embedded):
    question = "Japan in 2025: " + "the stores that we leased, and " * 120
    embedded.parse(question)
    started = time.process_time()
    assert embedded.parse(question).route == "narrative"
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("Um wie viel war die Bevölkerung Japans 2024 kleiner als 2010?", "delta"),
        ("埃及2015年的人口比2005年多了多少？", "delta"),
        ("2024年日本人口比2010年少了多少", "delta"),
    ],
)
def test_how_much_less_or_more_is_a_difference(embedded, question, operation):
    assert embedded.parse(question).derive == (operation,)
