"""The same manifest and tables asked of Groundwire and of MetricFlow: what each answers or refuses.

Both read one `semantic_manifest.json` over one DuckDB file. What is right is worked out here by
hand. MetricFlow has an environment of its own, as in `warehouse_metricflow.py`; without it only
Groundwire is asked. Prints what docs/metrics.md has as a table. An answer of Groundwire that is not
as expected is a failure.

Run: METRICFLOW_PYTHON=... python tests/evals/warehouse_beside.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import duckdb
from _report import Ratchet, arguments
from warehouse_metricflow import PYTHON

from groundwire.errors import GroundwireError
from groundwire.metrics.factbase import State
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments
from groundwire.tables.opening import open_engine
from tests.evals.metrics_worlds import open_default

TODAY = date(2026, 11, 21)
TABLES = """
CREATE TABLE shops (id INTEGER, district VARCHAR, manager VARCHAR);
INSERT INTO shops VALUES (1, 'Kowloon', 'Lee'), (2, 'Central', 'Wong'), (3, 'Sha Tin', 'Chan');
CREATE TABLE orders (id INTEGER, shop_id INTEGER, day DATE, amount DECIMAL(12,2));
INSERT INTO orders VALUES (1, 1, '2024-02-01', 10), (2, 1, '2024-08-01', 20),
  (3, 2, '2024-02-05', 40), (4, 2, '2025-02-01', 80), (5, 1, '2025-03-01', 160);
CREATE TABLE rents (id INTEGER, shop_id INTEGER, day DATE, rent DECIMAL(12,2));
INSERT INTO rents VALUES (1, 1, '2024-01-01', 5), (2, 2, '2024-01-01', 7), (3, 1, '2025-01-01', 6),
  (4, 2, '2025-01-01', 8);
CREATE TABLE spine AS SELECT CAST(d AS DATE) AS day
  FROM range(DATE '2023-01-01', DATE '2027-01-01', INTERVAL 1 DAY) t(d);
"""


class Asked(NamedTuple):
    """One thing to ask, as each takes it.

    Attributes:
        what: what is asked, for a reader.
        ours: arguments of `query_metric_table`.
        right: the rows that are right, or a part of the sentence of the refusal.
        theirs: request to MetricFlow, or why there is none to send.
    """

    what: str
    ours: dict[str, Any]
    right: list[list[str | None]] | str
    theirs: dict[str, Any] | str


def theirs(*metrics: str, by: tuple[str, ...] = (), where: str = "", **more: str) -> dict[str, Any]:
    return {
        "metric_names": list(metrics), "group_by_names": list(by),
        "where_constraints": [where] if where else None,
        "start": more.get("start"), "end": more.get("end"),
    }  # fmt: skip


DISTRICT = "{{ Dimension('shop__district') }}"
CASES = (
    Asked("a sum by a dimension of another table",
          {"metrics": ["amount"], "by": ["district"]},
          [["Kowloon", "190.00"], ["Central", "120.00"]],
          theirs("amount", by=("shop__district",))),
    Asked("two tables of facts beside each other (a fan-out trap)",
          {"metrics": ["amount", "rent"], "by": ["district"]},
          [["Kowloon", "190.00", "11.00"], ["Central", "120.00", "15.00"]],
          theirs("amount", "rent", by=("shop__district",))),
    Asked("a filter on a stored value",
          {"metrics": ["amount"], "where": {"district": "Kowloon"}},
          [["190.00"]], theirs("amount", where=f"{DISTRICT} = 'Kowloon'")),
    Asked('a filter on "kowloon", as nobody stored it',
          {"metrics": ["amount"], "where": {"district": "kowloon"}},
          [["190.00"]], theirs("amount", where=f"{DISTRICT} = 'kowloon'")),
    Asked('a filter on "Kowlon", which is no value',
          {"metrics": ["amount"], "where": {"district": "Kowlon"}},
          "near to it: Kowloon", theirs("amount", where=f"{DISTRICT} = 'Kowlon'")),
    Asked("a filter that carries SQL: x' OR '1'='1",
          {"metrics": ["amount"], "where": {"district": "x' OR '1'='1"}},
          "is no value of", theirs("amount", where=f"{DISTRICT} = 'x' OR '1'='1'")),
    Asked("a filter that reads another table",
          {"metrics": ["amount"], "where": {"district": "(SELECT max(district) FROM shops)"}},
          "is no value of",
          theirs("amount", where=f"{DISTRICT} = (SELECT max(district) FROM shops WHERE id = 1)")),
    Asked("a column that is withheld (level RESTRICTED)",
          {"metrics": ["amount"], "by": ["manager"]},
          "is no dimension", theirs("amount", by=("shop__manager",))),
    Asked("a misspelt metric",
          {"metrics": ["amuont"]}, "amount", theirs("amuont")),
    Asked("half years",
          {"metrics": ["amount"], "by": ["half"], "period": "2024"},
          [["2024H1", "50.00"], ["2024H2", "20.00"]],
          theirs("amount", by=("metric_time__half",), start="2024-01-01", end="2024-12-31")),
    Asked("two periods that do not touch: 2024Q1 and 2025Q1",
          {"metrics": ["amount"], "by": ["quarter"], "where": {"period": ["2024Q1", "2025Q1"]}},
          [["2024Q1", "50.00"], ["2025Q1", "240.00"]],
          theirs("amount", by=("metric_time__quarter",),
                 where="{{ TimeDimension('metric_time', 'quarter') }} IN"
                       " ('2024-01-01', '2025-01-01')")),
    Asked("beside the year before, of a metric as it is",
          {"metrics": ["amount"], "period": "2025", "compare": "previous_year"},
          [["240.00", "70.00", "170.00", "242.857143"]],
          "by a metric with `offset_window` in the manifest"),
)  # fmt: skip


def manifest() -> dict[str, Any]:
    def model(
        name: str, table: str, measure: tuple[str, str] | None, **more: Any
    ) -> dict[str, Any]:
        made = {
            "name": name, "node_relation": {"alias": table, "schema_name": "main"},
            "entities": [], "dimensions": [], "measures": [], **more,
        }  # fmt: skip
        if measure:
            made["defaults"] = {"agg_time_dimension": "day"}
            made["entities"] = [
                {"name": f"{name}_row", "type": "primary", "expr": "id"},
                {"name": "shop", "type": "foreign", "expr": "shop_id"},
            ]
            made["dimensions"] = [
                {"name": "day", "type": "time", "type_params": {"time_granularity": "day"}}
            ]
            made["measures"] = [{"name": measure[0], "agg": "sum", "expr": measure[1]}]
        return made

    shops = model(
        "shops", "shops", None,
        entities=[{"name": "shop", "type": "primary", "expr": "id"}],
        dimensions=[
            {"name": "district", "type": "categorical"},
            {"name": "manager", "type": "categorical",
             "config": {"meta": {"level": "RESTRICTED"}}},
        ],
    )  # fmt: skip
    metrics = [
        {"name": one, "type": "simple", "type_params": {"measure": {"name": f"{one}_sum"}}}
        for one in ("amount", "rent")
    ]
    return {
        "semantic_models": [
            model("orders", "orders", ("amount_sum", "amount")),
            model("rents", "rents", ("rent_sum", "rent")),
            shops,
        ],
        "metrics": metrics,
        "project_configuration": {
            "time_spines": [
                {
                    "node_relation": {"alias": "spine", "schema_name": "main"},
                    "primary_column": {"name": "day", "time_granularity": "day"},
                }
            ]
        },
    }


def ours(state: State, case: Asked) -> tuple[str, bool]:
    """What Groundwire answers, and whether it is right."""
    try:
        result, _ = query_table(state, TableArguments(**case.ours), TODAY)
    except GroundwireError as problem:
        return f"error: {problem}", False
    if result.status == "found":
        rows = [list(row) for row in result.rows or []]
        right = not isinstance(case.right, str) and sorted(map(str, rows)) == sorted(
            map(str, case.right)
        )
        return f"{len(rows)} rows: {rows}", right
    return f"refused: {result.answer}", isinstance(case.right, str) and case.right in result.answer


def main() -> int:
    options = arguments(__doc__)
    python = os.environ.get(PYTHON, "")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "w.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute(TABLES)
        (folder / "semantic_manifest.json").write_text(json.dumps(manifest()), "utf-8")
        told: list[dict[str, Any]] = []
        if python:
            sent = [case.theirs for case in CASES if not isinstance(case.theirs, str)]
            worker = Path(__file__).with_name("warehouse_metricflow_worker.py")
            done = subprocess.run(
                [python, str(worker)], text=True, capture_output=True, check=True, timeout=300,
                input=json.dumps({"manifest": manifest(), "database": str(path), "requests": sent}),
            )  # fmt: skip
            told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        engine = open_engine(f"duckdb:{path}")
        model = load_model(folder / "semantic_manifest.json", engine.dialect)
        store = WarehouseStore(model, engine, ("RESTRICTED",))
        state = replace(open_default(folder / "home").state, warehouse=store)
        wrong = 0
        answers = iter(told)
        for case in CASES:
            answer, right = ours(state, case)
            wrong += not right
            other = case.theirs if isinstance(case.theirs, str) else next(answers, {})
            if isinstance(other, dict) and other:
                other = other.get("error") or f"{len(other['rows'])} rows: {other['rows']}"
            print(f"- {case.what}{'' if right else ', NOT AS EXPECTED'}")
            print(f"    Groundwire: {answer[:300]}")
            print(f"    MetricFlow: {str(other or 'not asked')[:300]}")
        engine.close()
    figures = {"groundwire": {"not_as_expected": wrong}}
    return Ratchet(__file__, lower={"not_as_expected"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
