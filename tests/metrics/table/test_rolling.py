"""Rolling averages: what is averaged, what is refused, and what is recorded of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.table.questions import read_table_question
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.table.rolling import Window, asked_average, read_window

Asked = Callable[..., TableResult]
_HK = {"entity": "HK"}


@pytest.mark.parametrize(
    ("raw", "window"),
    [
        ("3 months", Window("month", 3)),
        ("four-quarter", Window("quarter", 4)),
        ("drei Monate", Window("month", 3)),
        ("三个月", Window("month", 3)),
        ("1 month", None),
        ("months", None),
        ("3 moons", None),
    ],
)
def test_a_window_is_a_number_of_periods(raw: str, window: Window | None) -> None:
    assert read_window(raw) == window


def test_an_average_is_the_mean_of_consecutive_quarters(ask: Asked) -> None:
    found = ask(["revenue"], where={"entity": "TVN"}, period="2025Q2", rolling_average="4 quarters")
    # 1,172.0, 1,388.9, 1,188.4 and 1,241.4 million.
    assert found.rows == [["2025Q2", "1247675000"]]
    assert found.columns is not None
    assert found.columns[1].label == "4-quarter rolling average of Revenue"
    assert "Revenue" in found.answer and "average" in found.answer


def test_rows_whose_window_is_not_held_have_no_average(ask: Asked) -> None:
    found = ask(["population"], where={"entity": "DEU"}, rolling_average="3 years", limit=2)
    assert found.rows is not None
    assert found.rows[0][0] == "1962"
    assert any("2 rows have no average" in one for one in found.notes or ())


@pytest.mark.parametrize(
    ("metric", "more", "why"),
    [
        ("gross margin", {"rolling_average": "2 years"}, "is a rate"),
        ("revenue", {"rolling_average": "often"}, "over how many periods"),
        ("population", {"rolling_average": "3 months"}, "is held by year"),
        ("revenue", {"rolling_average": "3 months", "compare": "previous_year"}, "compare"),
        ("revenue", {"rolling_average": "3 months", "grain": "quarter"}, "by quarter"),
    ],
)
def test_an_average_without_meaning_is_refused_with_its_reason(
    ask: Asked, metric: str, more: dict[str, str], why: str
) -> None:
    found = ask([metric], where=_HK if metric != "population" else {"entity": "DEU"}, **more)
    assert found.status == "unrecognized_param"
    assert found.param == "rolling_average"
    assert why in found.answer


def test_an_average_is_no_value_of_its_metric(verdict: Callable[..., str]) -> None:
    sent = {"where": {"entity": "TVN"}, "period": "2025Q2", "rolling_average": "4 quarters"}
    said = "Revenue of Tolvarne Group in 2025Q2 was 1,247,675,000 CNY."
    assert verdict(said, ["revenue"], **sent) != "supported"
    told = "The 4-quarter rolling average of Revenue of Tolvarne Group was 1,247,675,000 CNY."
    assert verdict(told, ["revenue"], **sent) == "supported"


@pytest.mark.parametrize(
    ("text", "window", "rest"),
    [
        ("3-month rolling average of sales in May", "3-month", "sales in May"),
        ("moving average of sales over 3 months", "3 months", "sales"),
        ("销售额的三个月移动平均", "三个月", "销售额"),
        ("average sales", None, ""),
    ],
)
def test_the_words_of_an_average_are_taken_out(text: str, window: str | None, rest: str) -> None:
    assert asked_average(text) == (None if window is None else (window, rest))


def test_a_question_for_an_average_is_a_table(state: State) -> None:
    asked = read_table_question(
        state, "4-quarter moving average of Tolvarne's revenue in 2025Q2", date(2026, 11, 23)
    )
    assert asked is not None
    assert asked["rolling_average"] == "4-quarter"
    assert asked["where"] == {"entity": "TVN"}


def test_a_window_that_is_not_held_is_told_in_every_language(ask: Asked) -> None:
    asked = {"where": {"entity": "HK"}, "rolling_average": "4 quarters"}
    result = ask(["REVENUE"], ["period"], period="2022Q1", **asked)
    assert result.status == "not_found"
    assert "1 row has no average" in result.answer
    assert "2022Q1" in (result.answer_in_german or "")
    assert "braucht jeden Wert" in (result.answer_in_german or "")
    assert "2022Q1" in (result.answer_in_chinese or "")
