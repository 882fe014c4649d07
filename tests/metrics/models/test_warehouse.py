"""What a warehouse answers, and what it refuses."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from warehouse_shop import DuckEngine, document, field, metric, model_of, own, parts, store_of

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.models.compiled import UnreachableError
from groundwire.metrics.models.expressions import DIALECTS
from groundwire.metrics.models.warehouse import Compiler, WarehouseStore
from groundwire.metrics.table.query import AmbiguousQueryError, Condition, Order, TableQuery
from groundwire.quantities import Period

YEAR = Period(date(2024, 1, 1), date(2024, 12, 31), "year", False, "2024")
D = Decimal


def rows(query: TableQuery, store: WarehouseStore | None = None) -> dict:
    found = (store or store_of()).run(query)
    return {row.keys: row.values for row in found.rows}


def test_sums_of_decimals_are_exact() -> None:
    assert rows(TableQuery(("revenue",), ("store.state",))) == {
        ("TN",): (D("30.30"),),
        ("CA",): (D("30.30"),),
        (None,): (D("0.01"),),
    }


def test_a_mean_is_a_quotient_of_decimals() -> None:
    assert rows(TableQuery(("mean_sale",)))[()][0] == D("60.61") / 4


def test_two_tables_of_facts_do_not_multiply_each_other() -> None:
    found = rows(TableQuery(("revenue", "refunds", "net"), ("store.state",)))
    assert found[("TN",)] == (D("30.30"), D("3.00"), D("27.30"))
    assert found[("CA",)] == (D("30.30"), D("4.00"), D("26.30"))
    assert found[(None,)] == (D("0.01"), None, None)


def test_what_the_one_side_counts_is_not_multiplied() -> None:
    found = rows(TableQuery(("per_head",), ("store.state",)))
    assert found[("TN",)][0] == D("30.30") / 5
    assert found[("NY",)] == (None,)


def test_distinct_counts_of_a_mixed_metric_are_of_those_that_took_part() -> None:
    assert rows(TableQuery(("per_buying_store",)))[()] == (D("60.61") / 2,)


def test_a_value_of_the_many_side_is_refused_with_the_reason() -> None:
    with pytest.raises(UnreachableError, match="one row of store has many rows of sales") as caught:
        store_of().run(TableQuery(("staff",), ("sales.day",)))
    assert ("store.state", "state") in caught.value.candidates


def test_two_roles_are_asked_about() -> None:
    with pytest.raises(AmbiguousQueryError) as caught:
        store_of().run(TableQuery(("revenue",), ("calendar.year",)))
    assert [code for code, _ in caught.value.candidates] == [
        "sales.sold_date.year",
        "sales.ship_date.year",
    ]
    assert caught.value.param == "by"
    assert rows(TableQuery(("lines",), ("sales.ship_date.year",))) == {
        (D(2024),): (D(4),),
        (None,): (D(1),),
    }


def test_two_ways_over_different_tables_are_asked_about() -> None:
    with pytest.raises(AmbiguousQueryError) as caught:
        store_of().run(TableQuery(("revenue",), (), (Condition("region.name", "in", ("North",)),)))
    assert [code for code, _ in caught.value.candidates] == [
        "store.store_region.name",
        "item.item_region.name",
    ]
    assert caught.value.param == "where"
    north = Condition("store.store_region.name", "in", ("North",))
    assert rows(TableQuery(("revenue",), (), (north,)))[()] == (D("30.30"),)


def test_nothing_is_no_row_and_not_zero() -> None:
    nobody = Condition("store.state", "in", ("ZZ",))
    found = store_of().run(TableQuery(("lines", "revenue"), (), (nobody,)))
    assert (found.rows, found.total_rows) == ((), 0)
    january = rows(TableQuery(("refunds",), ("period",), periods=(YEAR,), grain="month"))
    assert january == {(date(2024, 1, 1),): (D("1.00"),), (date(2024, 2, 1),): (D("6.00"),)}


def test_empty_values_are_a_group_and_a_filter() -> None:
    assert rows(TableQuery(("lines",), ("store.state",)))[(None,)] == (D(1),)
    none = Condition("store.state", "in", (None,))
    assert rows(TableQuery(("lines",), (), (none,)))[()] == (D(1),)
    others = Condition("store.state", "not_in", ("TN",))
    assert rows(TableQuery(("lines",), (), (others,)))[()] == (D(3),)


def test_floats_are_told_and_nan_is_none() -> None:
    clean = Condition("sales.id", "range", high=D(3))
    found = store_of().run(TableQuery(("weight",), (), (clean,)))
    assert "weight holds values of floating numbers" in " ".join(found.notes)
    found = store_of().run(TableQuery(("weight",)))
    assert found.rows[0].values == (None,)
    assert "not a number" in " ".join(found.notes)


def test_days_of_a_zone_across_a_clock_change() -> None:
    """Summer time began in Berlin on 31 March 2024, one hour after midnight in UTC."""
    found = document()
    parts(found)["metrics"].append(
        metric("seen", "COUNT(sales.id)", dataset="sales", time_field="sales.at")
    )
    store = store_of(found)
    days = rows(TableQuery(("seen",), ("period",), grain="day"), store)
    assert days[(date(2024, 3, 31),)] == (D(2),)
    assert days[(date(2024, 4, 1),)] == (D(1),)
    day = Period(date(2024, 3, 31), date(2024, 3, 31), "day", False, "2024-03-31")
    assert rows(TableQuery(("seen",), periods=(day,)), store)[()] == (D(2),)


def test_weeks_start_where_the_model_says() -> None:
    found = document()
    parts(found)["custom_extensions"] = own(week_start="sunday")
    weeks = rows(TableQuery(("lines",), ("period",), grain="week"), store_of(found))
    assert min(weeks) == (date(2023, 12, 31),)


def test_the_period_before_stands_beside() -> None:
    query = TableQuery(("revenue",), ("period",), grain="month", compare="previous_period")
    found = store_of().run(query)
    assert [(row.keys[0].month, row.values[0], row.before[0]) for row in found.rows] == [
        (1, D("30.30"), None),
        (2, D("30.30"), D("30.30")),
        (3, D("0.01"), D("30.30")),
    ]


def test_order_limit_and_offset_count_all_rows() -> None:
    query = TableQuery(("revenue",), ("sales.id",), order=(Order("revenue", True),), limit=2)
    found = store_of().run(query)
    assert [row.keys[0] for row in found.rows] == [3, 2]
    assert (found.total_rows, found.is_complete) == (5, False)
    beyond = store_of().run(TableQuery(("revenue",), ("sales.id",), limit=2, offset=9))
    assert (beyond.rows, beyond.total_rows) == ((), 5)


def test_values_of_metrics_can_be_conditions() -> None:
    query = TableQuery(
        ("revenue",), ("store.state",), having=(Condition("revenue", "range", low=D(1)),)
    )
    assert set(rows(query)) == {("TN",), ("CA",)}


def test_what_is_withheld_is_offered_nowhere() -> None:
    store = store_of(withheld=("RESTRICTED",))
    assert "notes" not in {one.code for one in store.metrics()}
    assert "sales.note" not in {one.code for one in store.dimensions()}
    for query in (
        TableQuery(("notes",)),
        TableQuery(("revenue",), ("sales.note",)),
        TableQuery(("revenue",), (), (Condition("sales.note", "in", ("a",)),)),
    ):
        with pytest.raises(InputError, match=r"has no (metric|field)"):
            store.run(query)
    with pytest.raises(InputError, match="has no field"):
        store.values("sales.note", "", 5)
    with pytest.raises(InputError, match="has no field"):
        store.resolve_value("sales.note", "a")


def test_rows_that_are_withheld_are_left_out_in_the_query_itself() -> None:
    found = document()
    parts(found)["datasets"][2]["custom_extensions"] = own(row_filter="open = 1")
    store = store_of(found)
    assert rows(TableQuery(("staff",)), store)[()] == (D(12),)
    assert store.values("store.state", "", 9) == (("CA", "TN"), True)
    assert store.resolve_value("store.state", "NY").how == "unknown"


def test_stored_values_are_found_as_people_write_them() -> None:
    store = store_of()
    assert store.resolve_value("item.brand", "O'Marra").how == "exact"
    folded = store.resolve_value("item.brand", "ostrel")
    assert (folded.how, folded.value) == ("folded", "Ostrel")
    near = store.resolve_value("item.brand", "Ostral")
    assert (near.how, near.value, near.candidates[0]) == ("unknown", None, "Ostrel")
    assert store.resolve_value("store.store_id", "2").value == D(2)
    assert store.resolve_value("store.store_id", "17").how == "unknown"
    assert store.resolve_value("sales.day", "2024-02-29").value == date(2024, 2, 29)
    assert store.resolve_value("sales.at", "2024-04-01").how == "exact"
    assert store.values("store.state", "revenue", 9) == (("CA", "TN"), True)


@pytest.mark.parametrize("raw", ["x' OR '1'='1", "'; DROP TABLE sales; --", "\\' OR 1=1 --", 'a"b'])
def test_no_text_leaves_its_literal(raw: str) -> None:
    store = store_of()
    engine = store._engine
    for dimension in ("store.state", "item.brand"):
        found = store.run(TableQuery(("lines",), (), (Condition(dimension, "in", (raw,)),)))
        assert found.rows == ()
        assert store.resolve_value(dimension, raw).how == "unknown"
    assert engine.run("SELECT COUNT(*) FROM sales").rows == ((5,),)
    for query in (
        TableQuery((raw,)),
        TableQuery(("revenue",), (raw,)),
        TableQuery(("revenue",), (f"store.{raw}",)),
        TableQuery(("revenue",), order=(Order(raw, True),)),
        TableQuery(("revenue",), ("period",), grain=raw),
    ):
        with pytest.raises(InputError):
            store.run(query)


def test_metrics_and_dimensions_are_told() -> None:
    store = store_of()
    metrics = {one.code: one for one in store.metrics()}
    assert metrics["revenue"].unit == "USD"
    assert {"store.state", "sales.ship_date.year"} <= set(metrics["revenue"].dimensions)
    assert metrics["staff"].grains == ()
    assert "month" in metrics["revenue"].grains
    assert set(metrics["per_head"].dimensions) <= set(metrics["staff"].dimensions)
    dimensions = {one.code: one for one in store.dimensions()}
    assert dimensions["store.state"].aliases == ("province", "Bundesland")
    assert dimensions["sales.day"].kind == "time"
    assert dimensions["store.staff"].kind == "number"


def test_a_dry_run_runs_nothing() -> None:
    store = store_of()
    found = store.run(TableQuery(("revenue",), ("store.state",)), dry_run=True)
    assert found.rows == ()
    assert found.statement.startswith("WITH")
    assert store._engine.statements == []
    assert "Rows of sales." in found.notes


def test_as_of_is_refused() -> None:
    with pytest.raises(InputError, match="as_of"):
        store_of().run(TableQuery(("revenue",), as_of=date(2024, 1, 1)))


def test_a_metric_without_time_refuses_periods() -> None:
    with pytest.raises(UnreachableError, match="has no time"):
        store_of().run(TableQuery(("staff",), ("period",), grain="month"))


def test_a_table_that_is_missing_is_said_with_what_to_correct() -> None:
    found = document()
    parts(found)["datasets"][1]["source"] = "no_such_table"
    with pytest.raises(ConfigurationError, match=r"does not fit the tables .*no_such_table"):
        store_of(found).run(TableQuery(("refunds",)))


def test_tables_that_changed_under_a_model_are_said_with_what_to_correct() -> None:
    engine = DuckEngine()
    store = WarehouseStore(model_of(document()), engine)
    assert rows(TableQuery(("revenue",)), store)
    engine.connection.execute("ALTER TABLE sales RENAME COLUMN amount TO turnover")
    with pytest.raises(ConfigurationError, match=r"does not fit the tables .*amount"):
        store.run(TableQuery(("revenue",)))


def test_names_that_need_quotes_are_quoted() -> None:
    engine = DuckEngine(
        'CREATE TABLE "odd name" ("order" INTEGER, "Größe" DECIMAL(9,2));'
        'INSERT INTO "odd name" VALUES (1, 2.50), (2, 4.00)'
    )
    found = document()
    whole = parts(found)
    whole["datasets"] = [
        {
            "name": "odd",
            "source": '"odd name"',
            "fields": [field("order", "Integer", '"order"'), field("size", "Decimal", '"Größe"')],
        }
    ]
    whole["relationships"] = []
    whole["metrics"] = [metric("total", "SUM(odd.size)")]
    store = WarehouseStore(model_of(found), engine)
    assert rows(TableQuery(("total",), ("odd.order",)), store) == {
        (D(1),): (D("2.50"),),
        (D(2),): (D("4.00"),),
    }


def test_a_key_that_stands_twice_is_refused() -> None:
    store = store_of()
    store._engine.connection.execute("INSERT INTO item VALUES (2, 'Second', 1)")
    assert rows(TableQuery(("revenue",)), store)[()] == (D("60.61"),)
    with pytest.raises(InputError, match="item has several rows for one item_id"):
        store.run(TableQuery(("revenue",), ("item.brand",)))


def test_rows_tell_their_periods() -> None:
    query = TableQuery(("revenue",), ("period",), grain="month", compare="previous_year")
    first = store_of().run(query).rows[0]
    assert first.period is not None
    assert (first.period.label, first.period.grain) == ("2024-01", "month")
    assert first.period_before is not None
    assert first.period_before.label == "2023-01"
    whole = (
        store_of().run(TableQuery(("revenue",), periods=(YEAR,), compare="previous_period")).rows[0]
    )
    assert (whole.period, whole.period_before and whole.period_before.label) == (YEAR, "2023")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("raw", ["x' OR '1'='1", "\\", "\\' OR 1=1 --", "''", "a\\\\'b", "/*"])
def test_literals_hold_in_every_dialect(dialect: str, raw: str) -> None:
    import sqlglot
    from sqlglot import exp

    condition = Condition("store.state", "in", (raw,))
    sql = Compiler(model_of(document()), dialect).compile(TableQuery(("lines",), (), (condition,)))
    (tree,) = sqlglot.parse(sql.sql, read=dialect)
    assert tree is not None
    assert raw in {one.this for one in tree.find_all(exp.Literal) if one.is_string}


def test_what_is_no_number_is_sorted_behind_all_numbers() -> None:
    by_weight = (Order("weight", descending=True),)
    found = store_of().run(TableQuery(("weight",), ("sales.id",), order=by_weight, limit=1))
    assert found.rows[0].values[0] is not None
    every = store_of().run(TableQuery(("weight",), ("sales.id",), order=by_weight))
    assert [row.values[0] is None for row in every.rows][-1]
    assert "NaN or infinite" in " ".join(every.notes)
