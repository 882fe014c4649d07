"""A warehouse beside the facts: its tables, its single values, and what both stores have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.listing import list_dimension_values, list_metrics
from groundwire.metrics.query import query_metric
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.terms import Arguments

TODAY = date(2026, 11, 21)
Asked = Callable[..., TableResult]


def test_a_table_of_the_warehouse_gets_stored_values(ask_both: Asked, warehouse: Any) -> None:
    result = ask_both(["bookings"], ["state"], where={"product": "books"}, period="2024")
    assert result.rows == [["Texas", "10.50"], ["Ohio", "7.25"]]
    (query,) = warehouse.asked
    assert query.conditions[0].values == ("Books",)
    assert result.sources == ["orders"]


def test_a_value_that_is_not_stored_is_refused_with_candidates(
    ask_both: Asked, warehouse: Any
) -> None:
    result = ask_both(["bookings"], ["state"], where={"state": "Texs"})
    assert (result.param, result.reason) == ("where.store.state", "unknown")
    assert [one.value for one in result.candidates or []] == ["Texas"]
    assert not warehouse.asked


def test_a_group_without_a_value_of_its_key_is_a_row(ask_both: Asked) -> None:
    result = ask_both(["bookings"], ["state"], period="2024")
    assert [None, "1"] in (result.rows or [])


def test_metrics_of_two_stores_are_not_joined(ask_both: Asked) -> None:
    result = ask_both(["bookings", "population"], ["period"])
    assert (result.param, result.reason) == ("metrics", "unsupported")


def test_a_code_of_both_stores_is_asked_about(state: State, asker: Any, warehouse: Any) -> None:
    ask = asker(replace(state, warehouse=type(warehouse)("revenue")))
    result = ask(["revenue"], ["entity"])
    assert result.reason == "ambiguous"
    assert {one.value for one in result.candidates or []} == {"facts:REVENUE", "warehouse:revenue"}
    assert ask(["facts:REVENUE"], ["entity"], period="FY2024").status == "found"
    assert ask(["warehouse:revenue"], ["state"]).status == "found"


def test_one_value_of_the_warehouse(both: State) -> None:
    result, draft = query_metric(both, Arguments("bookings", "texas", "2024", "TOTAL"), TODAY)
    assert (result.status, result.value_text, result.unit) == ("found", "14.50", "USD")
    assert [one.value for one in draft.values][:1] == ["14.50"]


def test_the_latest_value_and_the_whole_of_the_warehouse(both: State) -> None:
    result, _ = query_metric(both, Arguments("bookings", "total", "latest", "TOTAL"), TODAY)
    assert (result.period, result.value_text) == ("2024", "22.75")


@pytest.mark.parametrize(
    ("sent", "param", "reason"),
    [
        (Arguments("bookings", "Texs", "2024", "TOTAL"), "entity", "unknown"),
        (Arguments("bookings", "Texas", "soon", "TOTAL"), "period", "unknown"),
        (Arguments("bookings", "Texas", "2024", "WEB"), "channel", "unsupported"),
    ],
)
def test_arguments_that_the_warehouse_cannot_use(
    both: State, sent: Arguments, param: str, reason: str
) -> None:
    result, _ = query_metric(both, sent, TODAY)
    assert (result.status, result.param, result.reason) == ("unrecognized_param", param, reason)


def test_facts_answer_as_before_beside_a_warehouse(both: State) -> None:
    result, _ = query_metric(both, Arguments("population", "China", "2020", "TOTAL"), TODAY)
    assert result.value_text == "1411100000"


def test_metrics_of_both_stores_are_listed_with_their_dimensions(both: State) -> None:
    found = {one.code: one for one in list_metrics(both).metrics}
    assert found["orders.amount"].store == "warehouse"
    assert found["orders.amount"].dimensions == ["store.state", "item.product"]
    assert "channel" in (found["REVENUE"].dimensions or [])
    assert [one.code for one in list_metrics(both, "order").metrics] == ["orders.amount"]


def test_dimensions_and_their_values_are_listed(both: State) -> None:
    dimensions = [one.value for one in list_dimension_values(both, "", "bookings").values]
    assert dimensions == ["store.state", "item.product", "period"]
    values = list_dimension_values(both, "state", "bookings").values
    assert [one.value for one in values] == ["Ohio", "Texas"]
    groups = list_dimension_values(both, "group", "population", "euro").values
    assert "European Union" in [one.label for one in groups]
    with pytest.raises(InputError, match="is no dimension: there is entity"):
        list_dimension_values(both, "colour", "population")
