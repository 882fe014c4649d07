"""A unit that the values have changes nothing; another one is asked about."""

from __future__ import annotations

import pytest

from groundwire.metrics.intent.leftovers import unit_phrases


@pytest.mark.parametrize(
    "question",
    [
        "ROE of Hong Kong in 2024 as a percentage",
        "ROE of Hong Kong in 2024 in percent",
        "ROE (%) of Hong Kong in 2024",
        "GDP of France in 2020 in US dollars",
        "GDP of France in U.S. dollars for 2020.",
        "GDP of France 2020 (USD)",
        "GDP of France 2020 (unit: US$)",
        "How much revenue in yuan did Hong Kong generate in 2024?",
        "revenue and cash of Hong Kong in 2024 in CNY",
        "revenue of Hong Kong in 2024 in million CNY",
        "GDP of France in 2020 in billions",
        "法国2020年GDP（以美元计）",
        "法国2020年GDP（美元）",
        "法国2020年GDP，单位：美元",
        "中国香港2024年以人民币计的营业收入",
        "中国香港2024年的营业收入是多少（人民幣）",
        "中国香港2024年的净资产收益率（百分比）",
    ],
)
def test_the_unit_of_the_values_changes_nothing(embedded, question):
    intent = embedded.parse(question)
    assert intent.leftovers == ()
    assert len(intent.entities) == 1
    assert embedded.judge(intent).mode == "none"


@pytest.mark.parametrize(
    "question",
    [
        "revenue of Hong Kong in 2024 as a percentage",
        "revenue of Hong Kong in 2024 in US dollars",
        "revenue of Hong Kong in 2024 in Hong Kong dollars",
        "revenue and GDP of Hong Kong in 2024 in CNY",
        "GDP of France in 2020 in euros",
        "GDP of France in 2020 in constant US dollars",
        "GDP of France in 2020 in US",
        "ROE in percent change of Hong Kong 2024",
        "法国2020年GDP（欧元）",
        "法国2020年GDP（现价美元）",
        "中国香港2024年以美元计的营业收入",
        "中国香港2024年以人民币计划的营业收入",
        "中国香港2024年的营业收入，单位：万元",
    ],
)
def test_another_unit_is_asked_about(embedded, question):
    assert embedded.clarify(question).mode == "ask_first"


def test_a_unit_that_is_not_asked_for_takes_no_name(embedded):
    intent = embedded.parse("revenue of Hong Kong in US dollars in 2024")
    assert intent.entities == ("HK",)
    assert [one.text for one in intent.leftovers] == ["US dollars"]


def test_a_phrase_holds_the_words_that_show_it():
    units = frozenset(["USD", "%"])
    for text in ("in US dollars", "(in USD)", "以美元计", "单位：美元", "as a percentage"):
        (phrase,) = unit_phrases(text, units)[:1]
        assert phrase.span in ((0, len(text)), (1, len(text) - 1))
    assert unit_phrases("in euros, USD 5", units) == []
