"""Ten questions on DuckDB, SQLite, PostgreSQL, ClickHouse and a Spark cluster; `pytest -m spark`.

The tables and the model are those of a star of the evals; every answer is compared with the brute
force and with those of the other engines. ClickHouse is asked twice: in process, and over HTTP by
its own client, at a server of the tests before the same engine. With `-s` the answers are printed
side by side. Trino's server is not to be had: `test_same_questions.py` asks its client against a
loopback server of its protocol.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from clickhouse_process import ClickHouseProcess
from spark_cluster import missing

from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.query import TableRows
from groundwire.tables.engine import Engine
from groundwire.tables.opening import open_engine

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]

sys.path.insert(0, str(Path(__file__).parents[1] / "evals"))

QUESTIONS = 10
READER = {"GROUNDWIRE_WAREHOUSE_USER": "reader", "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-1"}


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
        found["sqlite"] = engines.open_sqlite(world, folder)
        if find_spec("chdb") is not None:
            found["chdb"] = engines.open_chdb(world, folder)
        if find_spec("chdb") is not None and find_spec("clickhouse_connect") is not None:
            served = tmp_path_factory.mktemp("served")
            engines.open_chdb(world, served).close()
            process = ClickHouseProcess(served / f"{world.name}.chdb")
            stack.callback(process.stop)
            url = f"clickhouse://127.0.0.1:{process.port}/w"
            found["clickhouse"] = open_engine(url, READER)
        found["spark"] = engines.spark(stack, tmp_path_factory.mktemp("spark"))(world, folder)
        for one in found.values():
            stack.callback(one.close)
        yield found


def test_ten_questions_have_equal_answers_on_every_engine(
    opened: dict[str, Engine], engines: Any, world: Any, cases: list[Any]
) -> None:
    difference = import_module("warehouse_tables").difference
    answers: dict[str, list[TableRows]] = {}
    for kind, engine in opened.items():
        # SQLite knows no zones and no decimals: it is asked about days, and its sums are near.
        here = replace(world, zones={}) if kind == "sqlite" else world
        model = checked(engines.tables_in(kind, here), engine.dialect)
        store = WarehouseStore(model, engine, limits=engines.PATIENT)
        answers[kind] = [store.run(case.query) for case in cases]
        wrong = [
            (at, told)
            for at, (case, rows) in enumerate(zip(cases, answers[kind], strict=True))
            if (told := difference(here, case, rows, exact=kind != "sqlite"))
        ]
        assert not wrong, (kind, wrong)
    first = [[(row.keys, row.values) for row in one.rows] for one in answers["duckdb"]]
    for kind, found in answers.items():
        for at, one in enumerate(found):
            assert len(one.rows) == len(first[at]), (kind, at)
            assert {str(row.keys) for row in one.rows} == {str(keys) for keys, _ in first[at]}
    assert sum(len(one) for one in first) > QUESTIONS
    _print_side_by_side(cases, answers)


def _print_side_by_side(cases: list[Any], answers: dict[str, list[TableRows]]) -> None:
    """Print the number of rows and the first row of each answer, by engine (`pytest -s`)."""
    for at, case in enumerate(cases):
        query = case.query
        print(f"\n{at + 1}. {' + '.join(query.metrics)} by {', '.join(query.by) or 'all'}")
        for kind, found in answers.items():
            rows = found[at].rows
            shown = (*rows[0].keys, *rows[0].values) if rows else ()
            print(f"   {kind:<10} {len(rows):>3} rows: {' | '.join(map(str, shown))}")
