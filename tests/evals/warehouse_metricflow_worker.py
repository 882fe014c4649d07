"""Answers queries by MetricFlow over a DuckDB file; runs in an environment that has `metricflow`.

Reads {manifest, database, requests} as JSON from stdin, writes one JSON line for each request.
"""

from __future__ import annotations

import json
import sys
from datetime import date, datetime
from decimal import Decimal

import duckdb
from metricflow.data_table.mf_table import MetricFlowDataTable
from metricflow.engine.metricflow_engine import MetricFlowEngine, MetricFlowQueryRequest
from metricflow.protocols.sql_client import SqlEngine
from metricflow.sql.render.duckdb_renderer import DuckDbSqlPlanRenderer
from metricflow_semantic_interfaces.implementations.semantic_manifest import (
    PydanticSemanticManifest,
)
from metricflow_semantic_interfaces.transformations.semantic_manifest_transformer import (
    PydanticSemanticManifestTransformer,
)
from metricflow_semantics.model.semantic_manifest_lookup import SemanticManifestLookup


class Client:
    """DuckDB as MetricFlow's client."""

    def __init__(self, path: str) -> None:
        self._connection = duckdb.connect(path)
        self.sql_engine_type = SqlEngine.DUCKDB
        self.sql_plan_renderer = DuckDbSqlPlanRenderer()
        self.rows: list[tuple] = []
        self.columns: list[str] = []

    def query(self, stmt: str, sql_bind_parameter_set: object = None) -> MetricFlowDataTable:
        cursor = self._connection.execute(stmt)
        self.columns = [one[0] for one in cursor.description]
        self.rows = cursor.fetchall()
        # The table that MetricFlow makes of rows has no decimals: only these rows are read.
        return MetricFlowDataTable.create_from_rows(column_names=["none"], rows=[])

    def execute(self, stmt: str, sql_bind_parameter_set: object = None) -> None:
        self._connection.execute(stmt)

    def dry_run(self, stmt: str, sql_bind_parameter_set: object = None) -> None:
        self._connection.execute(f"EXPLAIN {stmt}")

    def close(self) -> None:
        self._connection.close()

    def render_bind_parameter_key(self, bind_parameter_key: str) -> str:
        return f"${bind_parameter_key}"


def plain(value: object) -> object:
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, datetime):
        return {"date": value.date().isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    return value


def main() -> None:
    asked = json.load(sys.stdin)
    manifest = PydanticSemanticManifest.parse_obj(asked["manifest"])
    manifest = PydanticSemanticManifestTransformer.transform(manifest)
    client = Client(asked["database"])
    engine = MetricFlowEngine(SemanticManifestLookup(manifest), client)
    for one in asked["requests"]:
        start, end = one.pop("start"), one.pop("end")
        try:
            engine.query(
                MetricFlowQueryRequest.create(
                    **one,
                    time_constraint_start=start and datetime.fromisoformat(start),
                    time_constraint_end=end and datetime.fromisoformat(end),
                )
            )
            rows = [[plain(value) for value in row] for row in client.rows]
            answer = {"columns": client.columns, "rows": rows}
        except Exception as problem:
            lines = str(problem).strip().splitlines()
            answer = {"error": f"{type(problem).__name__}: {' '.join(lines)[:400]}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
