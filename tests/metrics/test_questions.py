"""How a question is read, what is assumed, and what is asked first."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.questions import clarify_question, missing, reference_day
from groundwire.metrics.results import Clarified

TODAY = date(2026, 11, 21)


def read(state: State, question: str, reference: str = "", chosen: str = "") -> Clarified:
    return clarify_question(state, question, reference, TODAY, chosen)


@pytest.mark.parametrize(
    ("question", "mode"),
    [
        ("What was the revenue of Hong Kong in FY2024?", "none"),
        ("中国内地FY2024的REVENUE是多少", "none"),
        ("revenue and profit of CN and HK, 2023 and 2024", "none"),
        ("Why did customers come back to the stores?", "none"),
        ("What is our revenue?", "answer_with_assumptions"),
        ("Why did online sales grow?", "answer_with_assumptions"),
        ("营收是多少", "answer_with_assumptions"),
        ("中国内地2024年怎么样，是多少", "ask_first"),
        ("What was the revenue of Zorblax in 2024?", "ask_first"),
        ("What was the revenue of HK when we were young?", "ask_first"),
        ("What was the revenue of Tangyuju in FY2024?", "out_of_scope_entity"),
        ("Why did Lanque grow?", "out_of_scope_entity"),
        ("中国棠屿居FY2024的营收是多少", "out_of_scope_entity"),
    ],
)
def test_four_modes(state: State, question: str, mode: str) -> None:
    answer = read(state, question)
    assert answer.mode == mode
    assert answer.intent.raw_question == question
    assert (answer.question is not None) == (mode in ("ask_first", "out_of_scope_entity"))
    assert (answer.assumption_note is not None) == (mode == "answer_with_assumptions")
    assert answer.answer


def test_a_complete_question_has_all_its_slots(state: State) -> None:
    intent = read(state, "中国内地FY2024的线上REVENUE是多少").intent
    assert (intent.metric, intent.entity, intent.period, intent.channel) == (
        "REVENUE", "CN", "FY2024", "ONLINE",
    )  # fmt: skip
    several = read(state, "revenue and profit of CN and HK, 2023 and 2024").intent
    assert several.metrics == ["REVENUE", "NET_PROFIT"]
    assert several.entities == ["CN", "HK"]
    assert several.periods == ["2023", "2024"]
    assert several.route == "structured"


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("What was the revenue of HK in FY2024?", "structured"),
        ("Why did the revenue of HK fall in FY2024?", "composite"),
        ("Why did customers come back to the stores?", "narrative"),
    ],
)
def test_three_routes(state: State, question: str, route: str) -> None:
    assert read(state, question).intent.route == route


def test_what_is_assumed_is_said_with_one_step_options(state: State) -> None:
    answer = read(state, "What is our revenue?")
    assert answer.assumed_slots == {"entity": "TVN", "period": "FY2025"}
    assert "Tolvarne Group is assumed" in answer.answer
    assert "FY2025, is assumed" in answer.answer
    assert {one.slot for one in answer.narrowing_options} <= {"entity", "period"}
    assert "HK" in [one.value for one in answer.narrowing_options]


def test_the_reference_date_decides_what_is_assumed(state: State) -> None:
    assert read(state, "What is our revenue?", "2025-03-01").assumed_slots["period"] == "FY2024"
    assert read(state, "revenue of HK last year", "2024年6月1日").intent.period == "2023"
    assert read(state, "revenue of HK last year").intent.period == "2025"


@pytest.mark.parametrize("reference", ["soon", "2024", "2024-02-30", "yesterday or so"])
def test_a_reference_that_is_no_day_is_refused(state: State, reference: str) -> None:
    with pytest.raises(InputError, match=r"`reference_date`.*is no day: send one as 2026-11-21"):
        read(state, "What is our revenue?", reference)


def test_no_reference_is_today() -> None:
    assert reference_day("", TODAY) == reference_day("  ", TODAY) == TODAY


@pytest.mark.parametrize("question", ["", "  ", "\u3000\n"])
def test_a_blank_question_is_refused_with_what_to_send(state: State, question: str) -> None:
    for ask in (lambda: read(state, question), lambda: missing(state, question, "", TODAY)):
        with pytest.raises(InputError, match="`question` is blank: send it as the user asked it"):
            ask()


def test_an_unknown_name_blocks_the_default(state: State) -> None:
    answer = read(state, "What was the revenue of Zorblax?")
    assert answer.mode == "ask_first"
    assert "Zorblax" in answer.question
    assert answer.intent.not_understood == ["Zorblax"]
    assert answer.assumed_slots == {}


def test_a_refusal_names_whom_and_offers_the_home_entity(state: State) -> None:
    answer = read(state, "What was the revenue of Tangyuju in FY2024?")
    assert answer.intent.external_entity == "Tangyuju China"
    assert answer.intent.entity is None
    assert "Tangyuju China is outside the scope" in answer.question
    assert [one.value for one in answer.narrowing_options] == ["TVN"]


def test_a_question_that_is_too_long_is_refused(state: State) -> None:
    with pytest.raises(InputError):
        read(state, "revenue " * 600)


# What a user can be asked


def test_a_choice_completes_the_question(state: State) -> None:
    question = "How is Hong Kong in 2024, what number?"
    asked = missing(state, question, "", TODAY)
    assert asked is not None
    assert asked.slot == "metric"
    assert "Hong Kong" in asked.question
    assert "REVENUE" in [one.value for one in asked.options]
    chosen = read(state, question, "", "REVENUE")
    assert (chosen.mode, chosen.intent.metric) == ("none", "REVENUE")
    assert chosen.intent.raw_question == question


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue of Hong Kong in FY2024?",
        "What is our revenue?",
        "What was the revenue of Tangyuju in FY2024?",
        "Why did online sales grow?",
    ],
)
def test_nothing_is_asked_where_no_choice_is_needed(state: State, question: str) -> None:
    assert missing(state, question, "", TODAY) is None


def test_a_choice_out_of_scope_is_refused(state: State) -> None:
    answer = read(state, "How is Hong Kong in 2024, what number?", "", "revenue of Tangyuju")
    assert answer.mode == "out_of_scope_entity"


_QUARTERS = "2025Q1 2025Q2 2025Q3 2025Q4"


@pytest.mark.parametrize(
    ("question", "periods", "derive"),
    [
        ("Average quarterly net profit of the group in 2025?", _QUARTERS, "mean"),
        ("durchschnittlicher Umsatz pro Quartal der Gruppe 2025", _QUARTERS, "mean"),
        ("集团2025年平均每个季度收入多少", _QUARTERS, "mean"),
        ("revenue of Hong Kong in Q2 2026 compared to Q1", "2026Q2 2026Q1", "delta"),
        ("Wie viel mal so viele Einwohner hatte Nigeria 2024 wie 2000?", "2024 2000", "ratio"),
        ("中国GDP从2010到2020涨了多少", "2010 2020", "delta percent_change"),
    ],
)
def test_parts_of_a_time_and_times_that_are_compared_are_read(
    state: State, question: str, periods: str, derive: str
) -> None:
    intent = read(state, question).intent
    assert (intent.periods, intent.derive) == (periods.split(), derive.split())


def test_a_loss_that_grows_is_a_profit_that_falls(state: State) -> None:
    assert read(state, "Why did Hong Kong's loss get bigger in 2025?").intent.premise == "fall"
    assert read(state, "Why did Hong Kong's net profit get bigger?").intent.premise == "rise"
