"""Questions with two readings are asked about; lists and words that say nothing are not."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "question",
    [
        "Georgia, USA: GDP in 2018?",
        "GDP of Georgia, United States in 2018",
        "Georgia，USA 2018年的GDP",
    ],
)
def test_a_place_with_its_country_is_no_list(embedded, question):
    made = embedded.clarify(question)
    assert made.mode == "ask_first"
    assert {option.value for option in made.narrowing_options} == {"GEO", "USA"}


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("GDP of Georgia and USA in 2018", ("GEO", "USA")),
        ("GDP of Georgia as well as the USA in 2018", ("GEO", "USA")),
        ("GDP of Georgia; USA in 2018", ("GEO", "USA")),
        ("格鲁吉亚，美国2018年的GDP", ("GEO", "USA")),
        ("GDP of France, Germany, Japan in 2018", ("FRA", "DEU", "JPN")),
        ("revenue of Tolvarne China, Tolvarne Japan in 2024", ("CN", "JP")),
        ("profit and revenue of Tolvarne Group as well as Hong Kong for FY2022", ("TVN", "HK")),
    ],
)
def test_a_list_is_one_where_it_says_so_or_its_members_are_siblings(embedded, question, entities):
    intent = embedded.parse(question)
    assert (intent.entities, intent.leftovers) == (entities, ())
    assert embedded.judge(intent).mode == "none"


@pytest.mark.parametrize(
    "question", ["GDP of France and MAR 2020", "GDP of FRA, MAR in 2020", "GDP of France, MAR 2020"]
)
def test_a_code_that_is_a_month_too_is_asked_about(embedded, question):
    made = embedded.clarify(question)
    assert made.mode == "ask_first"
    assert made.narrowing_options[0][:2] == ("entity", "MAR")


@pytest.mark.parametrize(
    "question",
    ["GDP of France in Mar 2020", "revenue of Hong Kong in MAR 2024", "MAR: GDP in 2020"],
)
def test_a_month_that_is_no_name_of_the_kind_asked_is_a_month(embedded, question):
    assert embedded.clarify(question).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "amount China revenue 2024",
        "the amount Hong Kong revenue in 2024",
        "value China GDP 2020",
        "the check China revenue 2024",
    ],
)
def test_a_noun_right_before_a_term_qualifies_it(embedded, question):
    made = embedded.clarify(question)
    assert made.mode == "ask_first"


@pytest.mark.parametrize(
    "question",
    ["check China revenue 2024", "figures for China revenue 2024", "data: China GDP 2020"],
)
def test_a_request_before_a_term_does_not(embedded, question):
    assert embedded.clarify(question).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "阿塞拜疆2020财年的人口数字",
        "1990年坦桑尼亚的人口数据",
        "坦桑尼亚1990年人口數據",
        "法国2020年人口数",
    ],
)
def test_the_end_of_a_name_is_no_beginning_of_the_next_word(embedded, question):
    intent = embedded.parse(question)
    assert (intent.metric, intent.leftovers) == ("POPULATION", ())


def test_a_total_stands_before_what_it_is_of(embedded):
    assert embedded.clarify("法国2020年的总人口").mode == "none"
    assert embedded.clarify("法国2020年的人口总有多少").mode == "ask_first"


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("塞内加尔1998GDP几何？", "1998"),
        ("塞内加尔FY1998GDP", "FY1998"),
        ("2020GDP, 塞内加尔", "2020"),
        ("Yemen, Rep.2020年GDP", "2020年"),
        ("IDA only一九六五年GDP", "一九六五年"),
        ("最新IDA only的GDP", "最新"),
    ],
)
def test_a_year_needs_no_space_beside_a_name(embedded, question, period):
    intent = embedded.parse(question)
    assert (intent.metric, intent.period.raw, intent.leftovers) == ("GDP", period, ())
    assert question[slice(*intent.period.span)] == period


@pytest.mark.parametrize("question", ["法国2000BC人口", "法国2020th人口", "法国2020s人口"])
def test_what_makes_no_year_of_digits_is_no_name(embedded, question):
    assert embedded.clarify(question).mode == "ask_first"
