"""Questions answered without a model: what is said is what is held."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.metrics.ask import Answered, ask
from groundwire.metrics.factbase import State

TODAY = date(2026, 11, 21)


def answered(state: State, question: str) -> Answered:
    return ask(state, question, TODAY)


def test_the_question_of_the_seed(state: State) -> None:
    answer = answered(state, "中国内地FY2024的REVENUE是多少")
    assert (answer.ending, answer.mode, answer.route) == ("found", "none", "structured")
    assert "3,998,900,000 元" in answer.text
    assert answer.text.startswith("托瓦恩中国 FY2024 营收：")
    (source,) = answer.sources
    assert source.doc == "Tolvarne Group annual report 2025"
    value, _ = answer.draft.values
    assert (value.value, value.unit) == ("3998900000", "CNY")


def test_what_is_assumed_is_said_before_the_value(state: State) -> None:
    answer = answered(state, "What is our revenue?")
    assert (answer.ending, answer.mode) == ("found", "answer_with_assumptions")
    assert answer.text.startswith("No company is named, so Tolvarne Group is assumed")
    assert "5,113,700,000 CNY" in answer.text
    assert answer.options


def test_a_composite_shows_what_is_found_and_names_what_is_missing(state: State) -> None:
    answer = answered(state, "revenue and ROE of CN and JP, FY2023 and FY2024")
    assert answer.ending == "found"
    assert len(answer.cells) == 8
    for cell in answer.cells:
        if cell.status == "found":
            assert f"{cell.value_text}" in answer.text.replace(",", "")
        else:
            assert "No fact is held of Return on equity of Tolvarne Japan for FY" in answer.text


def test_changes_are_computed_and_shown(state: State) -> None:
    answer = answered(state, "How much did the revenue of HK change from FY2023 to FY2024?")
    assert answer.ending == "found"
    assert answer.derived
    assert any(one.formula in answer.text for one in answer.derived)
    assert answer.draft.derivations


def test_an_explanation_has_the_value_and_quotations(state: State) -> None:
    answer = answered(state, "Why did the revenue of the group grow in FY2024?")
    assert (answer.ending, answer.route) == ("found", "composite")
    assert "4,856,300,000 CNY" in answer.text
    assert answer.passages
    assert all(one.text in answer.text for one in answer.passages)
    told = {"REVENUE", "REVENUE WHOLESALE", "NET_PROFIT"}
    assert {value.name for value in answer.draft.values} == {*told, "passage", "document"}


def test_a_narrative_question_is_answered_by_quotations(state: State) -> None:
    answer = answered(state, "Why did customers come back to the stores?")
    assert answer.route == "narrative"
    assert answer.ending == "quoted"
    assert answer.cells == ()
    assert all(f"“{one.text}” ({one.doc}, {one.locator})" in answer.text for one in answer.passages)


@pytest.mark.parametrize(
    ("question", "ending", "says"),
    [
        ("What was the revenue of Tangyuju in FY2024?", "out_of_scope_entity", "Tangyuju China"),
        ("What was the revenue of Zorblax in FY2024?", "asked", "Zorblax"),
        ("How is Hong Kong in 2024, what number?", "asked", "Which metric"),
        ("What was the revenue of HK in FY2012?", "not_found", "No fact is held"),
        ("香港FY2012的营收是多少", "not_found", "查不到"),
        ("GDP of Germany for 2024Q3", "not_found", "No fact is held"),
        ("What did the zeppelin xylophone say?", "empty", "No passage"),
    ],
)
def test_an_honest_no_holds_no_number(state: State, question: str, ending: str, says: str) -> None:
    answer = answered(state, question)
    assert answer.ending == ending
    assert says in answer.text
    assert not re.search(r"\d", answer.text.replace("FY2024", "").replace("2024", ""))
    assert {value.kind for value in answer.draft.values} <= {"name"}


def test_a_restricted_memo_answers_no_question(state: State) -> None:
    for question in (
        "Why Project Heron?",
        "What price does the board expect for Heron?",
        "苍鹭项目为什么",
    ):
        answer = answered(state, question)
        assert "613.7" not in answer.text
        assert all(one.doc != "tolvarne_acquisition_memo.md" for one in answer.passages)


def test_a_question_that_is_too_long_is_refused(state: State) -> None:
    with pytest.raises(InputError):
        answered(state, "revenue " * 600)


WORDS = [
    "revenue", "profit", "population", "GDP", "ROE", "HK", "China", "Germany", "Tolvarne",
    "Zorblax", "Tangyuju", "2024", "FY2023", "2024Q3", "latest", "2022-2024", "TTM", "online",
    "total", "excluding", "why", "and", "of", "growth", "share", "ratio", "sum", "compare", "?",
    "since 2023", "last year", "how much", "per employee", "营收", "人口", "中国", "线上", "为什么",
    "是多少", "和", "的", ",",
]  # fmt: skip


def test_any_question_comes_to_an_end_and_says_only_what_is_held(state: State) -> None:
    @settings(max_examples=300, deadline=None)
    @given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=9))
    def holds(words: list[str]) -> None:
        question = " ".join(words)
        assume(question.strip())
        answer = answered(state, question)
        if answer.ending == "found":
            assert any(one.status == "found" for one in answer.cells)
        else:
            kinds = {"name", "text", *(("number",) if answer.passages else ())}
            assert {value.kind for value in answer.draft.values} <= kinds
        if answer.mode in ("ask_first", "out_of_scope_entity"):
            assert answer.cells == () and answer.passages == ()
        if "Tangyuju" in words:
            assert answer.ending == "out_of_scope_entity"

    holds()


def test_one_name_is_the_entity_of_each_metrics_kind(state: State) -> None:
    answer = answered(state, "population of China and revenue of China in 2024")
    assert [(cell.metric, cell.entity) for cell in answer.cells] == [
        ("POPULATION", "CHN"),
        ("REVENUE", "CN"),
    ]


@pytest.mark.parametrize(
    "said", ["the country Germany", "country Germany", "the Germany country", "Germany"]
)
def test_the_label_of_its_kind_beside_an_entity_says_nothing_more(state: State, said: str) -> None:
    answer = answered(state, f"What was the population of {said} in 2020?")
    assert answer.ending == "found"
    assert "83,160,871 people" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Revenue of the country HK in FY2024",
        "Population of the company China in 2020",
        "Population of the Germany Country Club in 2020",
        "Population of the Germany country office in 2020",
        "Population by country, Germany in 2020",
    ],
)
def test_the_label_of_another_kind_or_name_is_asked_about(state: State, question: str) -> None:
    assert answered(state, question).ending == "asked"


def test_the_change_of_a_range_is_told_by_its_ends(state: State) -> None:
    answer = answered(state, "How did the population of China change from 2010 to 2020?")
    assert [one.period for one in answer.cells] == ["2010", "2020"]
    assert "1411100000 - 1337705000 = 73395000 people." in answer.text
    assert len(answer.derived) == 2


def test_every_step_of_a_range_is_told_where_it_is_asked_for(state: State) -> None:
    question = "How did the population of China change from 2010 to 2020 each year?"
    assert len(answered(state, question).cells) in (0, 11)


def test_months_are_added_up_where_all_of_a_longer_time_are_held(
    shop_state: Callable[..., State], written: Any
) -> None:
    days = (("2024-01-01", "2024-01-31", "7"), ("2024-02-01", "2024-02-29", "8"),
            ("2024-03-01", "2024-03-31", "9"), ("2024-04-01", "2024-04-30", "1"))  # fmt: skip
    state = shop_state(*(written("SALES", "A", *one) for one in days))
    told = answered(state, "Sales of Alpha in the first quarter of 2024").text
    assert told.startswith("No value is held of first quarter of 2024 as a whole: its months are")
    assert "7 + 8 + 9 = 24" in told
    assert "7 + 8 + 9 = 24" in answered(state, "total sales of Alpha jan to mar 2024").text
    assert "7 + 8 + 9 = 24" in answered(state, "Sales of Alpha jan to mar 24 in total").text
    assert "=" not in answered(state, "Sales of Alpha in the second quarter of 2024").text


def test_a_fact_that_only_channels_hold_is_refused_with_their_names(
    shop_state: Callable[..., State], written: Any
) -> None:
    fact = written("SALES", "A", "2024-01-01", "2024-12-31", "7", channel="WEB")
    state = shop_state(fact)
    assert answered(state, "Sales of Alpha in 2024").text == (
        "No fact is held that answers this, and no figure is given in its place. "
        "It is held only by channel, not for all of them together: Web."
    )
    assert answered(state, "甲店2024年的销售额是多少").text.endswith("按渠道持有：Web。")
    assert "channel" not in answered(state, "Sales of Weekly in 2024").text


@pytest.mark.parametrize(
    ("question", "says", "rows"),
    [
        (
            "Which five countries had the highest GDP per capita in 2022?",
            "highest first: Monaco",
            5,
        ),
        ("Welche fünf Länder hatten 2022 das höchste BIP pro Kopf?", "BIP pro Kopf 2022", 5),
        ("Welche Länder hatten die höchste Bevölkerung in 2022?", "Bevölkerung 2022", 10),
        ("Umsatz nach Kanal 2024 der Tolvarne-Gruppe", "Großhandel 906.400.000 CNY", 3),
        ("2023年人口最多的五个国家是哪些？", "2023 人口（从高到低）：印度", 5),
        ("Revenue of Tolvarne Group by channel in 2024", "Wholesale 906,400,000 CNY", 3),
    ],
)
def test_a_plain_question_for_a_table_is_answered_in_its_language(
    state: State, question: str, says: str, rows: int
) -> None:
    answer = answered(state, question)
    assert (answer.ending, answer.mode, answer.route) == ("found", "none", "structured")
    assert says in answer.text
    assert answer.table is not None
    assert len(answer.table[1].rows or ()) == rows
    assert answer.draft.statements


@pytest.mark.parametrize(
    "question",
    [
        "Which countries had the highest GDP per capita in 2022, without Monaco?",
        "Welche Länder hatten 2022 das höchste BIP pro Kopf außer Monaco?",
        "Top 3 competitors of Tolvarne by revenue",
    ],
)
def test_a_table_that_is_not_understood_as_a_whole_is_asked_back(
    state: State, question: str
) -> None:
    answer = answered(state, question)
    assert answer.table is None
    assert answer.ending == "asked"


def test_a_german_sentence_has_the_german_names_of_the_profile(state: State) -> None:
    assert "Euroraum" in answered(state, "Wie hoch ist die Einwohnerzahl des Euroraums?").text
    said = answered(state, "Wie hoch war der Umsatz von Tolvarne Group 2024?").text
    assert said.startswith("Umsatz von Tolvarne")
