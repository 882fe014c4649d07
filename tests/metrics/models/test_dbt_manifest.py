"""dbt's semantic manifests as models: small ones of our own, and real ones where they are given."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from shared_data import need, shared_folder

from groundwire.errors import GroundwireError, InputError
from groundwire.metrics.models.dbt_manifest import read_dbt_manifest
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.semantic import SemanticModel

MANIFESTS = shared_folder("data", "warehouse", "manifests")


def element(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, **more}


def time_dimension(name: str, grain: str = "day", **more: Any) -> dict[str, Any]:
    return element(name, "time", type_params={"time_granularity": grain}, **more)


def where(*templates: str) -> dict[str, Any]:
    return {"where_filters": [{"where_sql_template": one} for one in templates]}


def simple(name: str, measure: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "type": "simple",
        "type_params": {"measure": {"name": measure, "filter": more.pop("measure_filter", None)}},
        **more,
    }


def manifest(*metrics: dict[str, Any], **orders: Any) -> dict[str, Any]:
    """Orders of customers, who have a country, and these metrics."""
    return {
        "semantic_models": [
            {
                "name": "orders",
                "node_relation": {"relation_name": '"shop"."main"."fct_orders"'},
                "defaults": {"agg_time_dimension": "ordered_at"},
                "entities": [
                    element("order", "primary", expr="order_id"),
                    element("customer", "foreign", expr="customer_id"),
                ],
                "dimensions": [
                    time_dimension("ordered_at"),
                    time_dimension("paid_at"),
                    element("status", "categorical", label="Status", description="Where it stands"),
                    element("is_gift", "categorical"),
                ],
                "measures": [
                    {"name": "amount", "agg": "sum", "expr": "net + tax"},
                    {"name": "orders", "agg": "sum", "expr": "1"},
                    {"name": "buyers", "agg": "count_distinct", "expr": "customer_id"},
                    {"name": "gifts", "agg": "sum_boolean", "expr": "is_gift"},
                    {"name": "paid", "agg": "sum", "expr": "paid", "agg_time_dimension": "paid_at"},
                    {"name": "typical", "agg": "median", "expr": "net"},
                    {
                        "name": "open_balance",
                        "agg": "sum",
                        "expr": "open",
                        "non_additive_dimension": {"name": "ordered_at", "window_choice": "max"},
                    },
                ],
                **orders,
            },
            {
                "name": "customers",
                "node_relation": {"database": "shop", "schema_name": "main", "alias": "customers"},
                "entities": [element("customer", "primary", expr="id")],
                "dimensions": [
                    element(
                        "country",
                        "categorical",
                        config={"meta": {"groundwire": {"synonyms": ["Land", "国家"]}}},
                    ),
                    element("email", "categorical", config={"meta": {"level": "RESTRICTED"}}),
                ],
                "measures": [],
            },
        ],
        "metrics": list(metrics),
        "project_configuration": {},
    }


def read(*metrics: dict[str, Any], **orders: Any) -> SemanticModel:
    return read_dbt_manifest(manifest(*metrics, **orders), "semantic_manifest.json")


def errors(model: SemanticModel) -> dict[str, str]:
    return {one.place: one.text for one in model.problems if one.is_error}


def test_datasets_have_their_table_key_time_and_dimensions() -> None:
    model = read()
    orders = model.datasets["orders"]
    assert (orders.source, orders.primary_key) == ("shop.main.fct_orders", ("order_id",))
    assert orders.time_field == "ordered_at"
    assert orders.fields["ordered_at"].is_time
    assert orders.fields["ordered_at"].grain == "day"
    assert orders.fields["status"].label == "Status"
    assert orders.fields["customer"].expression == {"": "customer_id"}
    assert model.datasets["customers"].source == "shop.main.customers"
    assert model.datasets["customers"].fields["country"].synonyms == ("Land", "国家")
    assert model.datasets["customers"].fields["email"].level == "RESTRICTED"


def test_joins_follow_from_entities() -> None:
    (link,) = read().relationships
    assert (link.many, link.one) == ("orders", "customers")
    assert (link.many_columns, link.one_columns) == (("customer_id",), ("id",))


@pytest.mark.parametrize(
    ("measure", "expression"),
    [
        ("amount", "SUM(orders.amount)"),
        ("buyers", "COUNT(DISTINCT orders.buyers)"),
        ("gifts", "SUM(CASE WHEN orders.is_gift THEN 1 WHEN NOT orders.is_gift THEN 0 END)"),
        ("typical", "MEDIAN(orders.typical)"),
    ],
)
def test_a_simple_metric_aggregates_its_measure(measure: str, expression: str) -> None:
    model = read(simple("m", measure, label="M", description="What it is"))
    metric = model.metrics["m"]
    assert metric.expression == {"": expression}
    assert (metric.kind, metric.dataset, metric.label) == ("simple", "orders", "M")
    assert metric.time_field == "orders.ordered_at"


def test_what_a_measure_aggregates_is_a_field_that_is_no_dimension() -> None:
    fields = read(simple("m", "amount")).datasets["orders"].fields
    assert fields["amount"].expression == {"": "net + tax"}
    assert not fields["amount"].is_dimension


def test_a_measure_may_have_a_time_of_its_own() -> None:
    assert read(simple("m", "paid")).metrics["m"].time_field == "orders.paid_at"


def test_a_balance_is_not_added_over_time() -> None:
    metric = read(simple("m", "open_balance")).metrics["m"]
    assert metric.semi_additive == ("orders.ordered_at", "last")


def test_a_metric_may_hold_its_own_aggregation() -> None:
    metric = {
        "name": "m",
        "type": "simple",
        "type_params": {
            "expr": "net",
            "metric_aggregation_params": {"semantic_model": "orders", "agg": "average"},
        },
    }
    model = read(metric)
    assert model.metrics["m"].expression == {"": "AVG(orders.m)"}
    assert model.datasets["orders"].fields["m"].expression == {"": "net"}


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("{{ Dimension('order__status') }} = 'open'", "orders.status = 'open'"),
        (
            "{{ Dimension('customer__country') }} IN ('DE', 'FR')",
            "customers.country IN ('DE', 'FR')",
        ),
        ("{{Dimension('customer__country')}} is null", "customers.country IS NULL"),
        ("{{ Entity('customer') }} IS NOT NULL", "NOT orders.customer IS NULL"),
        (
            "{{ TimeDimension('metric_time', 'month') }} >= '2024-01-01'",
            "DATE_TRUNC('month', orders.ordered_at) >= '2024-01-01'",
        ),
        (
            "{{ Dimension('order__paid_at').grain('year') }} = '2024-01-01'",
            "DATE_TRUNC('year', orders.paid_at) = '2024-01-01'",
        ),
    ],
)
def test_filters_name_columns_by_calls(template: str, sql: str) -> None:
    assert read(simple("m", "amount", filter=where(template))).metrics["m"].filter == sql


def test_filters_of_metric_and_measure_hold_together() -> None:
    metric = simple(
        "m",
        "amount",
        filter=where("{{ Dimension('order__status') }} = 'open'"),
        measure_filter=where("{{ Dimension('order__is_gift') }}"),
    )
    assert read(metric).metrics["m"].filter == "(orders.is_gift) AND (orders.status = 'open')"


@pytest.mark.parametrize(
    "template",
    [
        "{{ Dimension('order__status') }} = 'x'; DROP TABLE orders",
        "{{ Dimension('order__status') }} IN (SELECT password FROM users)",
        "{{ Dimension('order__status') }} = pg_sleep(10)",
        "{{ Dimension('order__status') }} = 'a' OR secret = 'b'",
        "'{{ Dimension('order__status') }}' = 'x'",
        "{% for x in y %}{{ Dimension('order__status') }}{% endfor %}",
        "{{ ''.__class__.__mro__ }} = 1",
        "{{ config.items() }} = 1",
        "{{ Dimension('order__status'); import os }} = 1",
        "{{ Dimension('order__status') }} = 'x' UNION SELECT 1",
        "{{ Dimension('order__status') ",
        "groundwire_slot_0 = 1 AND {{ Dimension('order__status') }} = 1",
        "{{ Dimension('nobody__status') }} = 'x'",
        "{{ Dimension('order__status').grain('day') }} = 'x'",
        "{{ Metric('m', ['customer']) }} > 2",
        "{{ Dimension('order__status') }} = @@version",
        "1 = 1 -- {{ Dimension('order__status') }}",
        "SUM({{ Dimension('order__status') }}) > 1",
    ],
)
def test_what_is_no_condition_over_its_calls_is_refused(template: str) -> None:
    model = read(simple("m", "amount", filter=where(template)), simple("kept", "amount"))
    assert set(model.metrics) == {"kept"}
    assert "filter" in errors(model)["metrics.m"]


def test_ratios_and_derived_metrics_are_made_of_others() -> None:
    model = read(
        simple("revenue", "amount"),
        simple("count", "orders"),
        {
            "name": "mean",
            "type": "ratio",
            "type_params": {"numerator": {"name": "revenue"}, "denominator": "count"},
            "filter": where("{{ Dimension('customer__country') }} = 'DE'"),
        },
        {
            "name": "growth",
            "type": "derived",
            "type_params": {
                "expr": "revenue - before",
                "metrics": [
                    {"name": "revenue"},
                    {
                        "name": "revenue",
                        "alias": "before",
                        "offset_window": {"count": 1, "granularity": "months"},
                    },
                ],
            },
        },
    )
    mean, growth = model.metrics["mean"], model.metrics["growth"]
    assert [one.name for one in mean.inputs] == ["revenue", "count"]
    assert {one.filter for one in mean.inputs} == {"customers.country = 'DE'"}
    assert growth.expression == {"": "revenue - before"}
    assert (growth.inputs[1].alias, growth.inputs[1].offset) == ("before", (1, "month"))


def test_cumulative_metrics_have_a_window_or_a_grain() -> None:
    model = read(
        simple("revenue", "amount"),
        {
            "name": "week",
            "type": "cumulative",
            "type_params": {
                "measure": {"name": "amount"},
                "cumulative_type_params": {"window": {"count": 7, "granularity": "day"}},
            },
        },
        {
            "name": "mtd",
            "type": "cumulative",
            "type_params": {"measure": {"name": "buyers"}, "grain_to_date": "month"},
        },
    )
    assert model.metrics["week"].window == (7, "day")
    assert model.metrics["week"].inputs[0].name == "revenue"
    assert model.metrics["mtd"].grain_to_date == "month"
    # No metric has this measure alone, so one is made for it.
    assert model.metrics["mtd"].inputs[0].name == "buyers"
    assert model.metrics["buyers"].kind == "simple"


def derived(name: str, expression: str, *inputs: str) -> dict[str, Any]:
    params = {"expr": expression, "metrics": [{"name": one} for one in inputs]}
    return {"name": name, "type": "derived", "type_params": params}


def test_metrics_that_go_round_are_left_out() -> None:
    model = read(
        derived("a", "b + 1", "b"), derived("b", "c + 1", "c"), derived("c", "a + 1", "a"),
        simple("kept", "amount"),
    )  # fmt: skip
    assert set(model.metrics) == {"kept"}
    assert any("a -> b -> c -> a" in one.text for one in model.problems)


@pytest.mark.parametrize(
    "expression",
    ["x + secret.y", "x + (SELECT 1)", "x; DELETE FROM t", "y", "SUM(x)", "load_file(x)", ""],
)
def test_derived_metrics_compute_with_their_inputs_alone(expression: str) -> None:
    model = read(simple("x", "amount"), derived("d", expression, "x"))
    assert "metrics.d" in errors(model)


def test_what_cannot_be_said_is_told_and_left_out() -> None:
    model = read(
        {"name": "rate", "type": "conversion", "type_params": {}},
        simple("lost", "nowhere"),
        derived("of_lost", "lost * 2", "lost"),
        {
            "name": "opening",
            "type": "derived",
            "type_params": {
                "expr": "kept",
                "metrics": [{"name": "kept", "offset_to_grain": "month"}],
            },
        },
        simple("kept", "amount"),
    )
    assert set(model.metrics) == {"kept"}
    found = errors(model)
    assert "conversion" in found["metrics.rate"]
    assert "offset_to_grain" in found["metrics.opening"]
    assert "'lost'" in found["metrics.of_lost"]


def test_keys_that_are_not_known_are_told() -> None:
    model = read({**simple("m", "amount"), "rolling_hint": {"days": 3}})
    assert any("rolling_hint" in one.text and not one.is_error for one in model.problems)
    assert "m" in model.metrics


@pytest.mark.parametrize("relation", ["a.b.c.d", 'x"; DROP TABLE y', "(select 1)", "a..b", ""])
def test_a_table_has_a_plain_or_quoted_name(relation: str) -> None:
    model = read(simple("m", "amount"), node_relation={"relation_name": relation, "alias": ""})
    assert "orders" not in model.datasets
    assert "semantic_models.orders.node_relation" in errors(model)


@pytest.mark.parametrize(
    "broken",
    [
        {"semantic_models": 3, "metrics": {"a": 1}},
        {"semantic_models": [None, 1, {"name": 5}], "metrics": [[], "x"]},
        {"semantic_models": [{"name": "a", "node_relation": []}], "metrics": [{"name": "b"}]},
        {"semantic_models": [], "metrics": [{"name": "b", "type": "ratio", "type_params": 7}]},
    ],
)
def test_any_tree_gives_a_model_with_problems(broken: dict[str, Any]) -> None:
    model = read_dbt_manifest(broken, "x.json")
    assert not model.metrics
    assert errors(model)


def test_another_tree_is_refused() -> None:
    with pytest.raises(InputError, match="dbt parse"):
        read_dbt_manifest({"nodes": {}}, "manifest.json")


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "semantic_manifest.json"
    path.write_text(json.dumps(manifest())[:-40], "utf-8")
    with pytest.raises(GroundwireError, match=r"semantic_manifest\.json is no JSON"):
        load_model(path)


def test_a_file_of_50_mb_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "semantic_manifest.json"
    path.write_bytes(b'{"semantic_models": [' + b" " * 50_000_000 + b"]}")
    begin = time.thread_time()
    with pytest.raises(GroundwireError, match="MiB"):
        load_model(path)
    assert time.thread_time() - begin < 1


def test_a_manifest_is_read_from_its_file_and_kept_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "semantic_manifest.json"
    path.write_text(json.dumps(manifest(simple("m", "amount"))), "utf-8")
    first = load_model(path)
    assert set(first.metrics) == {"m"}
    assert load_model(path) is first
    path.write_text(json.dumps(manifest(simple("other", "amount"))), "utf-8")
    assert set(load_model(path).metrics) == {"other"}


def test_real_manifests_are_read_whole_but_for_what_is_told() -> None:
    files = sorted(need(MANIFESTS).glob("*.json"))
    assert len(files) >= 3
    held = kept = 0
    for path in files:
        tree = json.loads(path.read_text("utf-8"))
        model = load_model(path)
        told = {place.split(".")[1] for place in errors(model) if place.startswith("metrics.")}
        names = {one["name"] for one in tree["metrics"]}
        assert names - told <= set(model.metrics), path.name
        assert {one["name"] for one in tree["semantic_models"]} == set(model.datasets), path.name
        held += len(names)
        kept += len(names & set(model.metrics))
    # Conversions, calendars of one's own and offset_to_grain are what is left out.
    assert kept / held > 0.8
