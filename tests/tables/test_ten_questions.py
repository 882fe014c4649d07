"""Ten questions on DuckDB, PostgreSQL, ClickHouse and a Spark cluster; `pytest -m spark`.

The tables and the model are those of a star of the evals; every answer is compared with the brute
force and with those of the other engines.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import SparkCluster, missing

from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.ossie import read_ossie
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.query import TableRows
from groundwire.tables.engine import Engine, Limits
from groundwire.tables.opening import open_engine

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]

sys.path.insert(0, str(Path(__file__).parents[1] / "evals"))

SPARK_TYPES = {
    "integer": "INT",
    "decimal": "DECIMAL(12, 2)",
    "float": "DOUBLE",
    "string": "STRING",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}
QUESTIONS = 10
# A cluster of two workers on a machine that does much else is slow, and no less right.
PATIENT = Limits(seconds=240)


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return import_module("warehouse_engines")


@pytest.fixture(scope="module")
def world() -> Any:
    return import_module("warehouse_worlds").star(random.Random(11))


@pytest.fixture(scope="module")
def cases(world: Any) -> list[Any]:
    """Ten questions of every class that there is."""
    drawn = import_module("warehouse_cases").cases(random.Random(5), world, 80)
    kept: list[Any] = []
    # The first of each class and measure of time, then others, as they come.
    for case in drawn:
        same = [one for one in kept if one.kind == case.kind]
        if len(same) < 3 and case.query.limit > 5:
            kept.append(case)
        if len(kept) == QUESTIONS:
            break
    assert len(kept) == QUESTIONS
    return kept


@pytest.fixture(scope="module")
def opened(
    engines: Any, world: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Engine]]:
    """The engines with the tables of the world."""
    reason = missing()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("ten")
    with ExitStack() as stack:
        found: dict[str, Engine] = {"duckdb": engines.open_duckdb(world, folder)}
        found["postgres"] = engines.postgres(stack)(world, folder)
        if find_spec("chdb") is not None:
            found["chdb"] = engines.open_chdb(world, folder)
        cluster = SparkCluster(tmp_path_factory.mktemp("spark"))
        stack.callback(cluster.close)
        fill_spark(cluster, world)
        found["spark"] = open_engine(f"sc://127.0.0.1:{cluster.port}", {})
        for one in found.values():
            stack.callback(one.close)
        yield found


def fill_spark(cluster: SparkCluster, world: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = import_module("pyspark.sql.connect.session").SparkSession.builder
        held = builder.remote(f"sc://127.0.0.1:{cluster.port}").create()
    held.conf.set("spark.sql.session.timeZone", "UTC")
    for name, types in world.types.items():
        columns = ", ".join(f"{one} {SPARK_TYPES[of]}" for one, of in types.items())
        held.sql(f"CREATE TABLE {name} ({columns}) USING parquet")
        values = ", ".join(
            f"({', '.join(literal(row[one], of) for one, of in types.items())})"
            for row in world.tables[name]
        )
        if values:
            held.sql(f"INSERT INTO {name} VALUES {values}")
    held.client.close()


def literal(value: object, kind: str) -> str:
    if value is None:
        return f"CAST(NULL AS {SPARK_TYPES[kind]})"
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value:%Y-%m-%d %H:%M:%S}'"
    if isinstance(value, date):
        return f"DATE '{value}'"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float | Decimal):
        return f"CAST('{value}' AS {SPARK_TYPES[kind]})"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


def test_ten_questions_have_equal_answers_on_every_engine(
    opened: dict[str, Engine], engines: Any, world: Any, cases: list[Any]
) -> None:
    difference = import_module("warehouse_tables").difference
    answers: dict[str, list[TableRows]] = {}
    for kind, engine in opened.items():
        document = engines.tables_in(kind, engines.ossie(world))
        model = checked(read_ossie(json.dumps(document).encode(), "m.json"), engine.dialect)
        store = WarehouseStore(model, engine, limits=PATIENT)
        answers[kind] = [store.run(case.query) for case in cases]
        wrong = [
            (at, told)
            for at, (case, rows) in enumerate(zip(cases, answers[kind], strict=True))
            if (told := difference(world, case, rows))
        ]
        assert not wrong, (kind, wrong)
    first = [[(row.keys, row.values) for row in one.rows] for one in answers["duckdb"]]
    for kind, found in answers.items():
        for at, one in enumerate(found):
            assert len(one.rows) == len(first[at]), (kind, at)
            assert {str(row.keys) for row in one.rows} == {str(keys) for keys, _ in first[at]}
    assert sum(len(one) for one in first) > QUESTIONS
