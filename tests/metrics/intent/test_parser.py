"""Questions to slots and routes."""

from __future__ import annotations

import time

import pytest

from groundwire.errors import InputError


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("What was HK's revenue in 2024?", "structured"),
        ("How much did we make in 2024?", "structured"),
        ("Why did revenue fall in HK in 2024?", "composite"),
        ("如何看待香港2024年的营收", "composite"),
        ("What is the outlook for retail?", "narrative"),
        ("What does the report say about customers?", "narrative"),
        ("公司的战略是什么", "narrative"),
        ("", "narrative"),
    ],
)
def test_the_route_follows_metrics_and_cues(desk, question, route):
    assert desk.parse(question).route == route


def test_the_seeds_question(desk):
    intent = desk.parse("中国内地FY2024的REVENUE是多少")
    assert (intent.metric, intent.entity, intent.kind) == ("REVENUE", "CN", "company")
    assert intent.period.raw == "FY2024"
    assert intent.leftovers == ()
    assert desk.judge(intent).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "revenue and profit of CN and HK, 2023 and 2024",
        "中国内地和香港2023年、2024年的营收和净利润",
        "2023年和2024年中国内地、香港的营收与净利润分别是多少",
    ],
)
def test_listed_composites_are_crossed(desk, question):
    intent = desk.parse(question)
    assert intent.metrics == ("REVENUE", "NET_PROFIT")
    assert intent.entities == ("CN", "HK")
    assert [one.raw.rstrip("年") for one in intent.periods] == ["2023", "2024"]
    assert desk.judge(intent).mode == "none"


def test_a_name_resolves_within_the_kind_of_the_metric(desk):
    assert desk.parse("中国2023年人口").entity == "CHN"
    assert desk.parse("中国2023年营收").entity == "CN"
    assert desk.parse("中国2023年的人口和营收").entities == ("CHN", "CN")


def test_the_raw_question_is_kept_as_it_came(desk):
    question = "  ＨＫ 2024\u200b 营收 "
    assert desk.parse(question).raw_question == question


def test_a_masked_name_leaves_no_remnant(desk):
    intent = desk.parse("中国伊尼2024年营收")
    assert (intent.entity, intent.external_entity) == (None, "China Initech")


@pytest.mark.parametrize(
    ("question", "derive"),
    [
        ("revenue growth of HK from 2023 to 2024", ("percent_change",)),
        ("difference between CN and HK revenue in 2024", ("delta",)),
        ("ratio of net profit to revenue of HK in 2024", ("ratio",)),
        ("share of CN in the revenue of CN and HK together 2024", ("share",)),
        ("内地和香港2024年营收合计", ("sum",)),
        ("revenue of HK in 2024", ()),
        ("revenue growth of HK in 2024", ("growth",)),
        ("ROE growth of HK from 2023 to 2024", ()),
    ],
)
def test_derivations_need_listed_operands(desk, question, derive):
    intent = desk.parse(question)
    assert intent.derive == derive
    if not derive and "growth" in question:
        assert [one.category for one in intent.leftovers] == ["derivation"]


@pytest.mark.parametrize(
    ("question", "text", "category"),
    [
        ("revenue per employee of HK 2024", "per employee", "qualifier"),
        ("HK: excluding agency, revenue 2024", "excluding", "qualifier"),
        ("香港2024年人均营收", "人均", "qualifier"),
        ("Prudential revenue of 2024 and Wonka", "Wonka", "name"),
        ("中国平安2024年营收", "中国平安", "name"),
        ("香港2024年毛利润", "毛利润", "name"),
        ("China Mobile revenue 2024", "China Mobile", "name"),
        ("Guinea-Bissau population 2020", "Guinea-Bissau", "name"),
        ("revenue of HK ; TRUNCATE 2024", "TRUNCATE", "name"),
        ("revenue of mobile in 2024", "mobile", "other"),
    ],
)
def test_what_is_not_explained_is_left_over_with_its_kind(desk, question, text, category):
    found = {one.text: one.category for one in desk.parse(question).leftovers}
    assert found.get(text) == category


def test_leftovers_have_the_places_of_the_question(desk):
    question = "rev\u200benue of Won\u200bka in 2024"
    (leftover,) = desk.parse(question).leftovers
    assert question[slice(*leftover.span)] == leftover.text == "Won\u200bka"


def test_periods_have_the_places_of_the_question(desk):
    question = "HK\u200b2024年 营收, HK２０２３年GDP"
    periods = desk.parse(question).periods
    assert len(periods) == 2
    for period in periods:
        assert question[slice(*period.span)].rstrip("年") in ("2024", "２０２３")
        assert "\u2009" not in period.raw


def test_a_question_that_is_too_long_is_refused(desk):
    assert desk.parse("revenue " * 500).metric == "REVENUE"
    with pytest.raises(InputError, match="at most 4,000"):
        desk.parse("revenue " * 501)


@pytest.mark.parametrize(
    "piece",
    ["中国", "中国平", "China ", "2024年和", "HK-", "revenue, GDP ", "为", "China and France, "],
)
@pytest.mark.parametrize("ending", ["", "平", " Xx"])
def test_the_longest_questions_are_read_in_time_that_grows_with_them(desk, piece, ending):
    question = (piece * 4_000)[: 4_000 - len(ending)] + ending
    started = time.process_time()
    desk.parse(question)
    # Some tenths of a second; where every name was compared with every other it was minutes.
    assert time.process_time() - started < 5
