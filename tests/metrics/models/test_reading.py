"""Model files: what is read, what is told, and what is refused."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from shared_data import need, shared_folder
from warehouse_shop import document, expression, field, link, metric, model_of, own, parts

from groundwire.errors import ConfigurationError, LimitError
from groundwire.metrics.models.expressions import ExpressionError, parse
from groundwire.metrics.models.loading import load_model, read_model
from groundwire.metrics.models.semantic import SemanticModel


def errors(model: SemanticModel) -> dict[str, str]:
    return {one.place: one.text for one in model.problems if one.is_error}


def doubts(model: SemanticModel) -> dict[str, str]:
    return {one.place: one.text for one in model.problems if not one.is_error}


def test_the_shop_has_no_problem() -> None:
    assert errors(model_of(document())) == {}


def test_yaml_and_json_of_both_versions_are_read() -> None:
    text = (
        "version: 0.1.1\nsemantic_model:\n- name: m\n  datasets:\n  - name: d\n    source: a.b.c\n"
        "    fields:\n    - name: x\n      expression: {dialects: [{dialect: ANSI_SQL,"
        " expression: x}]}\n  metrics:\n  - name: n\n    expression:\n      dialects:\n"
        "      - {dialect: ANSI_SQL, expression: SUM(d.x)}\n"
    )
    model = read_model(text.encode(), "m.yaml")
    assert (model.name, list(model.datasets), list(model.metrics)) == ("m", ["d"], ["n"])
    assert model.problems == ()
    again = read_model(json.dumps(document()).encode(), "shop.json")
    assert again.metrics["net"].kind == "derived"
    assert [one.name for one in again.metrics["net"].inputs] == ["revenue", "refunds"]


def test_what_is_not_read_is_told() -> None:
    found = document()
    parts(found)["custom_extensions"] = [{"vendor_name": "DBT", "data": "{}"}]
    parts(found)["colour"] = "red"
    parts(found)["metrics"][0]["expression"]["dialects"].append(
        {"dialect": "MDX", "expression": "[x]"}
    )
    told = doubts(model_of(found))
    assert "DBT" in told["model.custom_extensions"]
    assert "model.colour" in told
    assert "MDX" in told["metrics.revenue.expression"]


def test_a_metric_with_a_synonym_that_names_another_is_told() -> None:
    found = document()
    parts(found)["metrics"][1]["ai_context"] = {"synonyms": ["Revenue"]}
    other = parts(found)["metrics"][1]["name"]
    assert doubts(model_of(found))["metrics.revenue"] == f"'revenue' is a name of {other} too"


def test_a_metric_with_the_name_of_another_is_refused() -> None:
    found = document()
    parts(found)["metrics"].append(metric("Revenue", "SUM(sales.weight)"))
    model = model_of(found)
    assert "has this name already" in errors(model)["metrics.Revenue"]
    assert model.metrics["revenue"].expression[""] == "SUM(sales.amount)"


def test_a_key_that_stands_twice_is_told() -> None:
    text = b"version: 0.1.1\nsemantic_model:\n- name: a\n  name: b\n  datasets: []\n"
    assert "stands twice" in errors(read_model(text, "m.yaml"))["line 4"]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SUM((SELECT MAX(x) FROM secret))", "subqueries"),
        ("SUM(sales.amount) OVER ()", "windows"),
        ("SUM(read_csv('/etc/passwd'))", "READ_CSV"),
        ("MAX(getenv('HOME'))", "getenv"),
        ("SUM(sales.amount); DROP TABLE sales", "one expression"),
        ("SUM(sales.amount) FROM sales", "no SQL"),
        ("SELECT 1", "subqueries|not allowed"),
        ("SUM(sales.amount) AS x", "Alias"),
        ("sales.amount", "outside an aggregate"),
        ("1 + 1", "no aggregate"),
        ("SUM(AVG(sales.amount))", "within another"),
        ("SUM(sales.nothing)", "no field"),
        ("SUM(nowhere.amount)", "no dataset"),
        ("SUM(sales.amount * returned.amount)", "mixes datasets"),
        ("SUM(sales.amount * region.name)", "several ways"),
        ("SUM(", "no SQL"),
        ("SUM('unclosed)", "no SQL"),
        ("(" * 60 + "SUM(sales.amount)" + ")" * 60, "nested brackets"),
        ("SUM(CAST(sales.amount AS STRUCT(a INT)))", "not allowed"),
        ("COUNT(*)", "does not say whose rows"),
        ("SUM(store.*)", "only in COUNT"),
        ("current_setting('x')", "not on the list"),
        ("SUM(random())", "not on the list"),
    ],
)
def test_expressions_that_cannot_be_used(sql: str, said: str) -> None:
    import re

    found = document()
    parts(found)["metrics"].append(metric("bad", sql))
    model = model_of(found)
    if not said:
        assert "bad" in model.metrics
        return
    assert "bad" not in model.metrics
    assert re.search(said, " ".join(errors(model).values())), errors(model)


@pytest.mark.parametrize(
    "source",
    [
        "SELECT * FROM sales",
        "read_parquet('x')",
        "sales; DROP TABLE sales",
        "sales, secret",
        "a.b.c.d",
        "sales AS t0",
        "sales -- x\nUNION",
        "",
        "..",
        "'/etc/passwd'",
    ],
)
def test_sources_are_names_only(source: str) -> None:
    found = document()
    parts(found)["datasets"][1]["source"] = source
    model = model_of(found)
    if source == "sales AS t0":
        # A name with spaces is quoted, and then there is no such table.
        return
    assert "returned" not in model.datasets
    assert any(place.startswith("datasets.returned.source") for place in errors(model))
    assert "refunds" not in model.metrics


def test_metrics_that_are_made_of_one_another_are_refused() -> None:
    found = document()
    parts(found)["metrics"] += [
        metric("a", "b + revenue"),
        metric("b", "a * 2"),
        metric("c", "a + 1"),
    ]
    told = errors(model_of(found))
    assert "made of itself" in told["metrics.a"]
    assert "metrics.b" in told
    assert "metrics.c" in told


def test_fields_that_are_made_of_one_another_are_refused() -> None:
    found = document()
    parts(found)["datasets"][0]["fields"] += [
        field("p", "Decimal", "q + 1"),
        field("q", "Decimal", "p + 1"),
    ]
    told = errors(model_of(found))
    assert "made of one another" in told["datasets.sales.fields.p.expression"]


def test_missing_references_are_told_by_place() -> None:
    found = document()
    parts(found)["relationships"] += [
        link("x", "sales", "nowhere", "a", "b"),
        link("y", "sales", "store", "store_id", "state"),
    ]
    parts(found)["metrics"].append(metric("z", "m + 1", kind="derived", inputs=[{"name": "m"}]))
    told = errors(model_of(found))
    assert "nowhere" in told["relationships.x"]
    assert "multiplied" in told["relationships.y"]
    assert "'m'" in told["metrics.z"]


def test_rings_of_relationships_are_told_and_end() -> None:
    found = document()
    parts(found)["relationships"].append(link("back", "region", "store", "region_id", "store_id"))
    model = model_of(found)
    assert "ring" in doubts(model)["relationships"]


def test_a_row_filter_that_cannot_be_read_closes_its_dataset() -> None:
    found = document()
    parts(found)["datasets"][2]["custom_extensions"] = own(row_filter="open = (SELECT 1)")
    model = model_of(found)
    assert "store" not in model.datasets
    assert "staff" not in model.metrics
    assert "revenue" in model.metrics


def test_a_wrong_zone_calendar_or_window_is_told() -> None:
    found = document()
    parts(found)["datasets"][0]["fields"][3]["custom_extensions"] = own(time_zone="Mars/Olympus")
    parts(found)["custom_extensions"] = own(week_start="someday", fiscal_year_start="13-40")
    parts(found)["metrics"].append(
        metric("w", "x", kind="cumulative", inputs=["revenue"], window=[0, "day"])
    )
    told = errors(model_of(found))
    assert "Mars/Olympus" in told["datasets.sales.fields.at.time_zone"]
    assert {"model.week_start", "model.fiscal_year_start", "metrics.w.window"} <= set(told)


def test_a_file_of_fifty_megabytes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    started = time.thread_time()
    with pytest.raises(LimitError, match="50 MiB"):
        load_model(path)
    assert time.thread_time() - started < 1


BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (BOMB, LimitError),
        ("[" * 100_000, LimitError),
        ("- " * 100_000, LimitError),
        ("a: &a [*a]", ConfigurationError),
        ("a: !!python/object/apply:os.system [id]", ConfigurationError),
        ("a: {<<: {b: 1}}", ConfigurationError),
        ("? [1, 2]\n: x", ConfigurationError),
        ("a: 1\n---\nb: 2", ConfigurationError),
        ("a: [", ConfigurationError),
        ("\x00", ConfigurationError),
        ('{"a": ' * 100_000, (LimitError, ConfigurationError)),
        ('{"semantic_model": 1}', ConfigurationError),
        ("just text", ConfigurationError),
        ("", ConfigurationError),
    ],
)
def test_files_that_are_no_models(tmp_path: Path, text: str, kind: type[Exception]) -> None:
    path = tmp_path / "m.yaml"
    path.write_text(text, "utf-8")
    started = time.thread_time()
    with pytest.raises(kind):
        load_model(path)
    assert time.thread_time() - started < 5


def test_a_model_is_kept_and_read_again_when_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "shop.json"
    path.write_text(json.dumps(document()), "utf-8")
    kept = tmp_path / "kept"
    model = load_model(path, kept=kept)
    assert load_model(path, kept=kept) is model
    (written,) = kept.iterdir()
    assert written.suffix == ".json"
    other = tmp_path / "other" / "shop.json"
    other.parent.mkdir()
    other.write_text(json.dumps(document()), "utf-8")
    assert load_model(other, kept=kept) == model
    written.write_text("[1]", "utf-8")
    again = tmp_path / "again" / "shop.json"
    again.parent.mkdir()
    again.write_text(json.dumps(document()), "utf-8")
    assert load_model(again, kept=kept) == model
    changed = document()
    parts(changed)["name"] = "other"
    path.write_text(json.dumps(changed), "utf-8")
    assert load_model(path, kept=kept).name == "other"


def test_the_model_of_tpc_ds_is_read_whole() -> None:
    model = load_model(need(shared_folder("data", "warehouse", "tpcds_ossie.yaml")))
    assert len(model.datasets) == 5
    assert set(model.metrics) == {
        "total_sales",
        "total_profit",
        "customer_lifetime_value",
        "sales_by_brand",
        "store_productivity",
    }
    assert errors(model) == {}


def test_parse_takes_a_dialect() -> None:
    assert parse("SUM(a.b)", "snowflake").sql() == "SUM(a.b)"
    with pytest.raises(ExpressionError):
        parse("SUM(a.b)", "no_such_dialect")


def test_another_dialect_is_used_where_there_is_no_other() -> None:
    found = document()
    parts(found)["metrics"].append(
        {"name": "snow", "expression": expression("COUNT_IF(sales.amount > 1)", "SNOWFLAKE")}
    )
    assert "snow" not in model_of(found).metrics
    parts(found)["metrics"][-1]["expression"] = expression(
        "SUM(IFF(sales.amount > 1, 1, 0))", "SNOWFLAKE"
    )
    assert "snow" in model_of(found).metrics
