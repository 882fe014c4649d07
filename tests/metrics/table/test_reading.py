"""Arguments of a table: what is read, and what is refused with what can be sent instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.metrics.table.results import TableResult

Asked = Callable[..., TableResult]


@pytest.mark.parametrize(
    "order",
    ["-population", "population desc", "Population:desc", {"by": "人口", "direction": "desc"}],
)
def test_orders_are_read(ask: Asked, order: Any) -> None:
    result = ask(["population"], ["entity"], period="2020", order_by=(order,), limit=1)
    assert result.rows and result.rows[0][0] == "China"


@pytest.mark.parametrize(
    "order", ["population", "+population", {"by": "population", "direction": "asc"}]
)
def test_a_column_alone_sorts_upwards(ask: Asked, order: Any) -> None:
    result = ask(["population"], ["entity"], period="2020", order_by=order, limit=1)
    assert result.rows and result.rows[0][0] == "Tuvalu"


@pytest.mark.parametrize(
    "where",
    [
        {"entity": "china"},
        {"entity": ["中国"]},
        {"country": {"any_of": ["CHN"]}},
        {"entity": {"in": "People's Republic of China"}},
        {"entity": {"=": "the China"}},
    ],
)
def test_values_are_read_by_name_code_and_alias(ask: Asked, where: dict[str, Any]) -> None:
    result = ask(["population"], ["entity"], where=where, period="2020")
    assert result.rows == [["China", "1411100000"]]


@pytest.mark.parametrize(
    ("bounds", "count"),
    [
        ({"gt": 100_000_000}, 14),
        ({"min": "100 million"}, 14),
        ({"gte": 1411100000}, 1),
        ({"gt": 1411100000}, 0),
        ({">": 1, "<": 20000}, 4),
    ],
)
def test_bounds_on_a_metric(ask: Asked, bounds: dict[str, Any], count: int) -> None:
    result = ask(["population"], ["entity"], where={"population": bounds}, period="2020")
    if not count:
        assert result.status == "not_found"
    elif count > 10:
        assert result.total_rows == count
    else:
        assert result.total_rows and all(row[1] for row in result.rows or [])


@pytest.mark.parametrize(
    ("sent", "param", "reason"),
    [
        ({"metrics": ["populaton"]}, "metrics", "unknown"),
        ({"metrics": []}, "metrics", "unknown"),
        ({"metrics": ["population"] + [f"m{n}" for n in range(20)]}, "metrics", "unsupported"),
        ({"by": ["continent"]}, "by", "unknown"),
        ({"by": ["entity"] * 9}, "by", "unsupported"),
        ({"where": {"colour": "red"}}, "where", "unknown"),
        ({"where": {"entity": "Chna"}}, "where.entity", "unknown"),
        ({"where": {"entity": []}}, "where.entity", "unknown"),
        ({"where": {"entity": {}}}, "where.entity", "unknown"),
        ({"where": {"entity": {"like": "C%"}}}, "where.entity", "unknown"),
        ({"where": {"entity": {"gt": "China"}}}, "where.entity", "unsupported"),
        (
            {"where": {"entity": {"any_of": ["China"], "in": ["India"]}}},
            "where.entity",
            "ambiguous",
        ),
        (
            {"where": {"entity": {"any_of": "China", "none_of": "China"}}},
            "where.entity",
            "ambiguous",
        ),
        ({"where": {"entity": {"any_of": [{"a": 1}]}}}, "where.entity", "unsupported"),
        ({"where": {"entity": [float("nan")]}}, "where.entity", "unsupported"),
        ({"where": {"entity": None}}, "where.entity", "unsupported"),
        ({"where": {"entity": ["x"] * 300}}, "where.entity", "unsupported"),
        ({"where": {"entity": [f"x{n}" for n in range(10_000)]}}, "where", "unsupported"),
        ({"where": {"population": "1"}}, "where.POPULATION", "unsupported"),
        ({"where": {"population": {"gt": "NaN"}}}, "where.POPULATION", "unsupported"),
        ({"where": {"population": {"gt": float("inf")}}}, "where.POPULATION", "unsupported"),
        ({"where": {"population": {"gt": "9" * 5000}}}, "where.POPULATION", "unsupported"),
        ({"where": {"population": {"gt": 1, "gte": 2}}}, "where.POPULATION", "ambiguous"),
        ({"where": {"population": {"gt": 5, "lt": 2}}}, "where.POPULATION", "unsupported"),
        ({"where": {"GDP": {"gt": 1}}}, "where.GDP", "unsupported"),
        ({"where": {"period": "2020"}, "period": "2021"}, "period", "ambiguous"),
        ({"period": "soon"}, "period", "unknown"),
        ({"period": "last 3 weeks"}, "period", "unsupported"),
        ({"period": "latest", "by": ["period"]}, "period", "unsupported"),
        ({"grain": "fortnight"}, "grain", "unknown"),
        ({"as_of": "2024"}, "as_of", "unknown"),
        ({"order_by": "GDP"}, "order_by", "unsupported"),
        ({"order_by": {"by": "population", "nulls": "last"}}, "order_by", "unknown"),
        ({"order_by": {"by": "population", "direction": "sideways"}}, "order_by", "unknown"),
        ({"metrics": ["population", "REVENUE"], "by": ["geography"]}, "by", "unknown"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    ask: Asked, sent: dict[str, Any], param: str, reason: str
) -> None:
    more = {"by": ["entity"], "metrics": ["population"], **sent}
    result = ask(more.pop("metrics"), more.pop("by"), **more)
    assert (result.status, result.param, result.reason) == ("unrecognized_param", param, reason)
    assert result.rows is None


@pytest.mark.parametrize(
    "place", ["metrics", "by", "where key", "where value", "period", "grain", "order_by", "as_of"]
)
@pytest.mark.parametrize("raw", ["x'; DROP TABLE facts;--", '1" OR "1"="1', "1 UNION SELECT 1"])
def test_statements_in_arguments_are_never_run(ask: Asked, place: str, raw: str) -> None:
    sent: dict[str, Any] = {"period": "2020"}
    metrics, by = ["population"], ["entity"]
    if place == "metrics":
        metrics = [raw]
    elif place == "by":
        by = [raw]
    elif place == "where key":
        sent["where"] = {raw: "x"}
    elif place == "where value":
        sent["where"] = {"entity": raw}
    else:
        sent[place] = raw
    assert ask(metrics, by, **sent).status == "unrecognized_param"
    assert ask(["population"], ["entity"], period="2020").total_rows == 217


@pytest.mark.parametrize(
    "sent",
    [
        {"where": {"entity": "Halden & Moor"}},
        {"where": {"entity": {"none_of": ["Halden & Moor"]}}},
        {"where": {"Halden & Moor": "x"}},
        {"order_by": "Halden & Moor"},
    ],
)
def test_names_out_of_scope_refuse_wherever_they_stand(
    ask: Asked, state: Any, sent: dict[str, Any]
) -> None:
    name = state.profile.external[0].name
    sent = eval(repr(sent).replace("Halden & Moor", name))  # the profile's own first name
    result = ask(["REVENUE"], ["entity"], **sent)
    assert (result.reason, result.candidates) == ("out_of_scope_entity", [])
