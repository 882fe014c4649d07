"""Rows over facts: what is one fact, what is a sum, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.table.results import TableResult

Asked = Callable[..., TableResult]


def keys(result: TableResult) -> list[str | None]:
    return [row[0] for row in result.rows or []]


def notes(result: TableResult) -> str:
    return " ".join(result.notes or [])


def test_a_ranking_has_the_greatest_first_with_exact_values(ask: Asked) -> None:
    result = ask(["population"], ["entity"], period="2020", limit=3)
    assert result.rows == [
        ["China", "1411100000"],
        ["India", "1402617695"],
        ["United States", "331577720"],
    ]
    assert (result.total_rows, result.is_complete) == (217, False)
    assert result.answer.startswith("Population for 2020, highest first: China 1,411,100,000")


def test_wholes_are_not_ranked_beside_their_parts(ask: Asked) -> None:
    result = ask(["population"], ["entity"], period="2020", limit=1000)
    assert not {"World", "European Union", "High income"} & set(keys(result))
    assert "48 entities that hold others" in notes(result)


def test_a_whole_that_is_named_is_shown(ask: Asked) -> None:
    result = ask(["population"], ["entity"], where={"entity": ["World", "China"]}, period="2020")
    assert keys(result) == ["World", "China"]


def test_groups_have_their_own_values(ask: Asked) -> None:
    result = ask(["population"], ["group"], period="2020", limit=1)
    assert keys(result) == ["World"]


def test_members_of_a_group_are_ranked_without_the_group(ask: Asked) -> None:
    result = ask(["population"], ["entity"], where={"group": "EU"}, period="2020", limit=2)
    assert (keys(result), result.total_rows) == (["Germany", "France"], 27)


def test_a_total_of_members_is_a_sum_that_says_so(ask: Asked) -> None:
    result = ask(["population"], where={"entity": ["Germany", "France"]}, period="2020")
    assert result.rows == [["150761981"]]
    assert result.answer.startswith("Sum of Population of")


def test_a_sum_that_lacks_a_value_is_not_found(ask: Asked) -> None:
    result = ask(["REVENUE"], where={"entity": ["CN", "HK", "JP"]}, period="2024")
    assert result.status == "not_found"
    assert "lack 1 of 3 values (Tolvarne Japan)" in notes(result)


@pytest.mark.parametrize(
    ("metric", "where", "why"),
    [
        ("REVENUE", {"entity": ["TVN", "CN"]}, "Tolvarne Group"),
        ("GROSS_MARGIN", {"entity": ["CN", "HK"]}, "no sum of Gross margin"),
        ("REVENUE", {"entity": "CN", "channel": ["TOTAL", "ONLINE"]}, "holds the other channels"),
    ],
)
def test_what_must_not_be_added_is_refused(
    ask: Asked, metric: str, where: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        ask([metric], where=where, period="2024")


@pytest.mark.parametrize(("metric", "told"), [("HEADCOUNT", "held at a day"), ("ROE", "no sum")])
def test_stocks_and_rates_are_not_added_over_time(ask: Asked, metric: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        ask([metric], ["entity"], period="2023-2024")


def test_flows_are_added_over_time(ask: Asked) -> None:
    result = ask(["REVENUE"], where={"entity": "CN"}, period="2023-2024")
    each = ask(["REVENUE"], ["period"], where={"entity": "CN"}, period="2023-2024")
    assert result.rows == [[str(sum(int(row[1] or 0) for row in each.rows or []))]]
    assert "2023, 2024" in result.answer


def test_without_an_entity_it_is_asked_whose(ask: Asked) -> None:
    result = ask(["REVENUE"], ["period"])
    assert (result.status, result.param, result.reason) == (
        "unrecognized_param",
        "where",
        "ambiguous",
    )
    assert [one.value for one in result.candidates or []] == ["TVN"]


def test_the_total_channel_is_no_row_of_a_breakdown(ask: Asked) -> None:
    result = ask(["REVENUE"], ["channel"], where={"entity": "CN"}, period="2024")
    assert keys(result) == ["Online", "Retail", "Wholesale"]


def test_a_trend_says_from_where_to_where(ask: Asked) -> None:
    result = ask(["population"], ["period"], where={"entity": "China"}, period="since 2022")
    assert keys(result) == ["2022", "2023", "2024"]
    assert result.answer == (
        "Population of China fell from 1,412,175,000 people in 2022 to 1,408,975,000 people in "
        "2024."
    )


def test_the_latest_period_is_used_where_none_is_sent(ask: Asked) -> None:
    assert " for 2024, " in ask(["population"], ["entity"], limit=2).answer


def test_the_latest_year_is_that_of_each_calendar(ask: Asked) -> None:
    result = ask(["REVENUE"], ["entity"])
    assert "FY2025" in result.answer
    assert {"Tolvarne China", "Tolvarne Hong Kong", "Tolvarne Japan"} == set(keys(result))


def test_quarters_are_rows_where_they_are_asked_for(ask: Asked) -> None:
    result = ask(["REVENUE"], ["quarter"], where={"entity": "HK"}, period="2024")
    assert keys(result) == ["2024Q1", "2024Q2", "2024Q3", "2024Q4"]


def test_a_grain_that_is_not_held_is_not_found(ask: Asked) -> None:
    result = ask(["population"], ["month"], where={"entity": "China"}, period="2020")
    assert (result.status, result.available and result.available["grain"]) == (
        "not_found",
        ["year"],
    )


def test_a_fiscal_year_is_of_the_days_of_each_entity(ask: Asked) -> None:
    result = ask(["REVENUE"], ["entity"], period="FY2024")
    assert "Tolvarne Japan" in keys(result)
    assert "Tolvarne Japan" not in keys(ask(["REVENUE"], ["entity"], period="2024"))


def test_compared_values_have_their_change(ask: Asked) -> None:
    result = ask(
        ["population"], ["entity"], where={"entity": "IND"}, period="2020", compare="previous_year"
    )
    assert result.rows == [["India", "1402617695", "1389030312", "13587383", "0.978192"]]


def test_nothing_to_compare_with_is_none_and_not_0(ask: Asked) -> None:
    result = ask(
        ["population"], ["entity"], where={"entity": "IND"}, period="1960", compare="previous_year"
    )
    assert result.rows and result.rows[0][2:] == [None, None, None]


def test_a_restatement_is_told_by_the_day(
    shop_state: Callable[..., State], written: Any, asker: Callable[[State], Asked]
) -> None:
    state = shop_state(
        written("SALES", "A", "2024-01-01", "2024-12-31", "10", as_of="2025-01-01"),
        written(
            "SALES", "A", "2024-01-01", "2024-12-31", "12", as_of="2025-06-01", doc="Later one"
        ),
    )
    sent = {"where": {"entity": "A"}, "period": "2024"}
    assert asker(state)(["SALES"], **sent).rows == [["12"]]
    assert asker(state)(["SALES"], as_of="2025-02-01", **sent).rows == [["10"]]
    assert asker(state)(["SALES"], as_of="2024-02-01", **sent).status == "not_found"


def test_sources_that_differ_are_told(
    shop_state: Callable[..., State], written: Any, asker: Callable[[State], Asked]
) -> None:
    state = shop_state(
        written("SALES", "A", "2024-01-01", "2024-12-31", "10"),
        written("SALES", "A", "2024-01-01", "2024-12-31", "9", doc="Other's", publisher="Other"),
    )
    result = asker(state)(["SALES"], ["entity"], period="2024")
    (differing,) = result.differing or []
    assert {result.rows[0][1] if result.rows else "", differing.value_text} == {"10", "9"}
    assert differing.row == 1


def test_a_stock_at_the_last_day_is_that_of_the_year(
    shop_state: Callable[..., State], written: Any, asker: Callable[[State], Asked]
) -> None:
    state = shop_state(written("STOCK", "A", "2024-12-31", "2024-12-31", "5"))
    result = asker(state)(["STOCK"], ["year"], where={"entity": "A"})
    assert result.rows == [["2024", "5"]]


def test_pages_follow_each_other_up_to_the_limit(ask: Asked) -> None:
    first = ask(["population"], ["entity"], period="2020", limit=210)
    assert (len(first.rows or []), first.next_offset) == (200, 200)
    second = ask(["population"], ["entity"], period="2020", limit=210, offset=200)
    assert (len(second.rows or []), second.next_offset) == (10, None)
    assert not {str(row) for row in first.rows or []} & {str(row) for row in second.rows or []}


def test_a_dry_run_says_what_would_run_and_has_no_value(ask: Asked) -> None:
    result = ask(["population"], ["entity"], period="2020", dry_run=True)
    assert result.rows == []
    assert result.sql is not None and "FROM series" in result.sql


def test_who_was_asked_for_and_has_no_value_is_named(ask: Asked) -> None:
    result = ask(["REVENUE"], ["entity"], where={"group": "TVN"}, period="2025")
    assert " Without a value: Tolvarne Japan." in result.answer
    ranked = ask(["REVENUE"], ["entity"], period="2025", order_by=["REVENUE"], limit=1)
    assert "Without a value: Tolvarne Japan" in ranked.answer
    assert " Ohne Wert: Tolvarne Japan." in (result.answer_in_german or "")
    assert "无数值：托瓦恩日本。" in (result.answer_in_chinese or "")


def test_a_period_that_is_not_held_is_refused_with_periods_as_long(ask: Asked) -> None:
    result = ask(["REVENUE"], ["entity"], where={"group": "TVN"}, period="2018")
    assert result.available and result.available["period"][:2] == ["FY2025", "2025"]
    assert "2018" in (result.answer_in_german or "")


def test_every_metric_that_was_asked_for_is_told_in_every_language(ask: Asked) -> None:
    asked = (["population", "GDP"], ["entity"])
    found = ask(*asked, where={"entity": ["IND", "CHN"]}, period="2020")
    trend = ask(["population", "GDP"], ["period"], where={"entity": "IND"}, period="2018-2020")
    for result in (found, trend):
        assert "GDP (current US$)" in result.answer
        for said in (result.answer_in_german, result.answer_in_chinese):
            assert "USD" in (said or "") or "美元" in (said or "")


def test_a_change_orders_nothing_where_there_is_none(ask: Asked) -> None:
    order = {"compare": "previous_year", "order_by": ["population.percent_change"], "limit": 3}
    asked = ["population"], ["entity"]
    assert "lowest percent change first" in ask(*asked, period="2020", **order).answer
    none = ask(*asked, period="1960", **order)
    assert "first" not in none.answer and ", not sorted (" in none.answer
    assert ", nicht sortiert (" in str(none.answer_in_german)
    assert "（未排序" in str(none.answer_in_chinese)


def test_rows_sorted_by_another_metric_than_the_first_say_so(ask: Asked) -> None:
    result = ask(
        ["GDP", "population"], ["entity"], period="2020", order_by=["-population"], limit=3
    )
    assert "for 2020, sorted by Population, highest first: " in result.answer
    assert ", sortiert nach Bevölkerung, höchste Werte zuerst" in str(result.answer_in_german)
    assert "（按人口从高到低）" in str(result.answer_in_chinese)
    own = ask(["GDP", "population"], ["entity"], period="2020", order_by=["-GDP"], limit=3)
    assert "sorted by" not in own.answer and ", highest first: " in own.answer


def test_a_trend_of_quarters_is_told_of_one_season_too(ask: Asked) -> None:
    result = ask(["REVENUE"], ["quarter"], where={"entity": "TVN"}, period="2023-2024")
    first, *_, last = [row[0] for row in result.rows or []]
    assert (first, last) == ("2023Q1", "2024Q4")
    for said in (result.answer, result.answer_in_german, result.answer_in_chinese):
        assert "2023Q1" in (said or "") and "2023Q4" in (said or "")


@pytest.mark.parametrize("by", [["entity"], ["period"]])
def test_metrics_that_a_sentence_does_not_tell_are_named(ask: Asked, by: list[str]) -> None:
    metrics = ["revenue", "net profit", "gross margin", "headcount", "cash"]
    where = {"entity": ["CN"]} if by == ["period"] else {}
    period = "FY2022 to FY2025" if where else "FY2024"
    result = ask(metrics, by, where=where, period=period)
    assert result.answer.rstrip().count("The rows have the values of Headcount, Cash too.") == 1
    assert "Die Zeilen haben auch die Werte von" in str(result.answer_in_german)
    assert "各行另有" in str(result.answer_in_chinese)
    fewer = ask(metrics[:3], by, where=where, period=period)
    assert "The rows have" not in fewer.answer
