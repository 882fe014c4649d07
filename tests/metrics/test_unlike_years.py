"""Entities whose years are not calendar years: asked, told with their days, never mixed unsaid."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.metrics.ask import Answered, ask
from groundwire.metrics.factbase import State
from groundwire.metrics.grid import GridRequest, query_grid
from groundwire.metrics.query import query_metric
from groundwire.metrics.questions import clarify_question, missing
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments
from groundwire.metrics.terms import Arguments

TODAY = date(2026, 11, 21)
# The fiscal year of the embedded Japanese subsidiary begins in April, and is named by its start.
DAYS_2024 = ("2024-04-01", "2025-03-31")


def asked(state: State, question: str) -> Answered:
    return ask(state, question, TODAY)


@pytest.mark.parametrize(
    "question",
    [
        "What was Tolvarne Japan's revenue in 2024?",
        "What was Tolvarne Japan's revenue in calendar year 2024?",
        "Wie hoch war der Umsatz von Tolvarne Japan im Kalenderjahr 2024?",
        "托瓦恩日本2024自然年的营收是多少？",
        "By how much did Tolvarne Japan's revenue exceed Tolvarne China's in 2024?",
        "Which had the higher revenue in 2024, Tolvarne Hong Kong or Tolvarne Japan?",
        "2024年香港和日本哪个营收高",
    ],
)
def test_a_calendar_year_is_asked_back_with_the_fiscal_years_beside_it(
    state: State, question: str
) -> None:
    answer = asked(state, question)
    assert (answer.ending, answer.mode) == ("asked", "ask_first")
    assert all(day in answer.text for day in DAYS_2024)
    assert "FY2024" in [one.value for one in answer.options]


def test_a_fiscal_year_and_a_calendar_quarter_that_is_held_are_answered(state: State) -> None:
    assert asked(state, "What was Tolvarne Japan's revenue in FY2024?").ending == "found"
    assert asked(state, "What was Tolvarne Japan's revenue in Q2 2024?").ending == "found"


def test_the_choice_takes_the_place_of_the_year(state: State) -> None:
    question = "What was Tolvarne Japan's revenue in 2024?"
    lacks = missing(state, question, "", TODAY)
    assert lacks is not None
    assert lacks.slot == "period"
    chosen = clarify_question(state, question, "", TODAY, "FY2024")
    assert (chosen.mode, chosen.intent.periods) == ("none", ["FY2024"])


def test_the_tool_keeps_to_the_calendar_and_tells_what_is_held(state: State) -> None:
    answer, _ = query_metric(state, Arguments("revenue", "Tolvarne Japan", "2024", "TOTAL"), TODAY)
    assert answer.status == "not_found"
    assert "not calendar years" in answer.answer
    assert all(day in answer.answer for day in DAYS_2024)


def test_a_ranking_names_those_that_have_no_such_year(state: State) -> None:
    sent = TableArguments(["revenue"], by=["entity"], period="2024")
    answer, _ = query_table(state, sent, TODAY)
    assert "Not among them" in answer.answer
    assert "Tolvarne Japan" in answer.answer
    assert "Nicht darunter" in (answer.answer_in_german or "")
    assert "未列入" in (answer.answer_in_chinese or "")


@pytest.mark.parametrize("by", [["entity"], ["entity", "period"], ["period"], []])
def test_fiscal_years_of_other_days_are_told_apart(state: State, by: list[str]) -> None:
    where = {"entity": ["CN", "JP"]}
    sent = TableArguments(["revenue"], by=by, where=where, period="FY2024")
    answer, _ = query_table(state, sent, TODAY)
    if answer.status == "found":
        assert "FY2024 is not the same days for all" in answer.answer
        assert all(day in answer.answer for day in DAYS_2024)


def test_values_of_one_name_and_other_days_are_told_apart(state: State) -> None:
    answer, _ = query_grid(
        state, GridRequest(["revenue"], ["CN", "JP"], ["FY2024"], derive=("delta", "sum")), TODAY
    )
    assert "FY2024 is not the same days for all" in answer.answer
    alike, _ = query_grid(state, GridRequest(["revenue"], ["CN", "HK"], ["FY2024"]), TODAY)
    assert "same days" not in alike.answer


def test_a_trend_over_calendar_years_tells_the_fiscal_ones(state: State) -> None:
    sent = TableArguments(
        ["revenue"], by=["period"], where={"entity": "Tolvarne Japan"}, period="2022-2024",
        grain="year",
    )  # fmt: skip
    answer, _ = query_table(state, sent, TODAY)
    assert answer.status == "not_found"
    assert "2022-04-01" in answer.answer


def test_a_time_of_the_calendar_that_fiscal_years_answer_tells_their_days(state: State) -> None:
    sent = TableArguments(
        ["revenue"], by=["period"], where={"entity": "Tolvarne Japan"}, period="since 2022",
        grain="year",
    )  # fmt: skip
    answer, _ = query_table(state, sent, TODAY)
    assert answer.status == "found"
    assert "FY2025 is 2025-04-01 to 2026-03-31." in answer.answer


@pytest.mark.parametrize(
    ("period", "question"),
    [
        ("FY2024", "What was Tolvarne Japan's revenue in FY2024?"),
        ("FY2024", "Wie hoch war der Umsatz von Tolvarne Japan im Geschäftsjahr 2024?"),
        ("FY2024", "托瓦恩日本2024财年的营收是多少？"),
    ],
)
def test_a_value_of_a_year_that_begins_in_april_is_told_with_its_days(
    state: State, period: str, question: str
) -> None:
    result, _ = query_metric(state, Arguments("revenue", "JP", period, "TOTAL"), TODAY)
    for said in (result.answer, asked(state, question).text):
        assert all(day in said for day in DAYS_2024)
    group, _ = query_metric(state, Arguments("revenue", "TVN", period, "TOTAL"), TODAY)
    assert "2024-01-01" not in group.answer
