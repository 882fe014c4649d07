"""Table queries beside MetricFlow, over the insurer's tables, where MetricFlow can say them.

MetricFlow has an environment of its own (`pip install metricflow==0.213.0 duckdb`), whose Python
METRICFLOW_PYTHON names; without it nothing is compared. What it cannot say is counted: halves,
fiscal years, conditions on empty values, periods that are several, weeks of another start. A count
of no rows at all is 0 there and no row here; that is taken as equal.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
from _report import Ratchet, arguments, table
from warehouse_brute import Agg, Spec, World
from warehouse_cases import Case, cases, tables_of
from warehouse_tables import store_of
from warehouse_worlds import FIRST, insurance
from warehouse_writing import aggs, inputs, statements, text

from groundwire.metrics.table.query import TableRows

PYTHON = "METRICFLOW_PYTHON"
AGGREGATIONS = {
    "sum": "sum",
    "count": "sum",
    "avg": "average",
    "min": "min",
    "max": "max",
    "count_distinct": "count_distinct",
    "median": "median",
}
# Kinds of dimensions that MetricFlow breaks down by.
CATEGORIES = ("string", "integer", "boolean", "decimal")


def semantic_models(world: World) -> list[dict]:
    found = []
    for name, types in world.types.items():
        links = [one for one in world.links.values() if one.many == name]
        entities = [{"name": name, "type": "primary", "expr": f"{name}_id"}]
        entities += [
            {"name": one.one, "type": "foreign", "expr": one.columns[0][0]} for one in links
        ]
        taken = {one["name"] for one in entities}
        dimensions = [
            {"name": column, "type": "categorical", "expr": column}
            for column, kind in types.items()
            if kind in CATEGORIES and column not in taken
        ]
        times = [column for column, kind in types.items() if kind in ("date", "timestamp")]
        dimensions += [
            {
                "name": column,
                "type": "time",
                "expr": column,
                "type_params": {"time_granularity": "day"},
            }
            for column in times
        ]
        measures = []
        for spec in world.specs.values():
            for at, agg in enumerate(aggs(spec.tree)):
                if agg.table == name and is_plain(agg) and spec.time is not None:
                    measures.append(
                        {
                            "name": f"measure_{spec.name}_{at}",
                            "agg": AGGREGATIONS[agg.func],
                            "expr": agg.factors[0][1] if agg.factors else "1",
                            "agg_time_dimension": spec.time[1],
                        }
                    )
        found.append(
            {
                "name": name,
                "node_relation": {"alias": name, "schema_name": "main"},
                "entities": entities,
                "dimensions": dimensions,
                "measures": measures,
            }
        )
    return found


def is_plain(agg: Agg) -> bool:
    return not agg.tests and agg.case is None and all(not links for links, _ in agg.factors)


def can_say(world: World, name: str) -> bool:
    spec = world.specs[name]
    if spec.tree[0] == "agg":
        return is_plain(spec.tree[1]) and spec.time is not None and not spec.semi
    parts = inputs(spec.tree)
    return bool(parts) and all(can_say(world, part[1]) and not part[3] for part in parts)


def metrics(world: World) -> list[dict]:
    found = []
    for name, spec in world.specs.items():
        if not can_say(world, name):
            continue
        if spec.tree[0] == "agg":
            params: dict = {"measure": {"name": f"measure_{name}_0"}}
            found.append({"name": name, "type": "simple", "type_params": params})
            continue
        if spec.cumulative:
            inner = world.specs[spec.tree[1]]
            if inner.tree[0] != "agg":
                continue
            more: dict = {}
            if spec.window:
                more["window"] = {"count": spec.window[0], "granularity": spec.window[1]}
            if spec.to_date:
                more["grain_to_date"] = spec.to_date
            params = {
                "measure": {"name": f"measure_{inner.name}_0"},
                "cumulative_type_params": more,
            }
            found.append({"name": name, "type": "cumulative", "type_params": params})
            continue
        names = {id(part): f"in_{at}" for at, part in enumerate(inputs(spec.tree))}
        listed = []
        for part in inputs(spec.tree):
            one: dict = {"name": part[1], "alias": names[id(part)]}
            if part[2]:
                one["offset_window"] = {"count": part[2][0], "granularity": part[2][1]}
            listed.append(one)
        sql = text(world, spec.tree, names)
        if spec.tree[0] == "/":
            left, right = (text(world, part, names) for part in spec.tree[1:])
            sql = f"CAST({left} AS DOUBLE) / NULLIF({right}, 0)"
        found.append(
            {"name": name, "type": "derived", "type_params": {"expr": sql, "metrics": listed}}
        )
    return found


def manifest(world: World) -> dict:
    return {
        "semantic_models": semantic_models(world),
        "metrics": metrics(world),
        "project_configuration": {
            "time_spines": [
                {
                    "node_relation": {"alias": "spine", "schema_name": "main"},
                    "primary_column": {"name": "day", "time_granularity": "day"},
                }
            ]
        },
    }


def path_name(world: World, base: str, one: tuple) -> str:
    """What MetricFlow calls a dimension from a table: its entities, then the column; or ""."""
    target, column = one
    (way,) = world.ways(base, target)
    entities = [world.links[link].one for link in way] or [base]
    if len(way) > 2 or world.types[target][column] not in CATEGORIES:
        return ""
    return "__".join((*entities, column))


def request(world: World, case: Case, known: set[str]) -> dict | str:  # noqa: C901
    """The request to MetricFlow, or why it cannot say it."""
    query, asked = case.query, case.asked
    if not set(query.metrics) <= known:
        return "the metric"
    if asked.fiscal or asked.grain == "half" or len(asked.ranges) > 1 or query.compare:
        return "the calendar or comparison"
    cumulative = any(world.specs[name].cumulative for name in query.metrics)
    if cumulative and (asked.grain != "day" or not asked.ranges):
        return "the end of a window"
    bases = sorted(set().union(*(tables_of(world, name) for name in query.metrics)))
    named = []
    for one in asked.by:
        if one == "period":
            named.append(f"metric_time__{asked.grain}")
            continue
        if len(one) != 2:
            return "the way"
        names = {path_name(world, base, one) for base in bases}
        if len(names) != 1 or "" in names:
            return "the way"
        named.append(names.pop())
    where = []
    for one, op, value in asked.where:
        names = {path_name(world, base, one) for base in bases} if len(one) == 2 else {""}
        if len(names) != 1 or "" in names or op != "in" or None in value:
            return "the condition"
        *before, entity, column = names.pop().split("__")
        path = f", entity_path={before!r}" if before else ""
        listed = ", ".join(
            "'" + str(each).replace("'", "''") + "'" if isinstance(each, str) else str(each)
            for each in value
        )
        where.append(f"{{{{ Dimension('{entity}__{column}'{path}) }}}} IN ({listed})")
    start = end = None
    if asked.ranges:
        (low, high), *_ = asked.ranges
        start, end = low.isoformat(), high.isoformat()
    if asked.ranges and "period" in asked.by and asked.grain != "day":
        low, high = asked.ranges[0]
        step = {"week": 7}.get(asked.grain, 1)
        if (step == 7) or low.day != 1 or (high + timedelta(days=1)).day != 1:
            return "the calendar or comparison"
        if not whole(low, high, asked.grain):
            return "the calendar or comparison"
    return {
        "metric_names": list(query.metrics),
        "group_by_names": named,
        "where_constraints": where or None,
        "start": start,
        "end": end,
    }


def whole(low: date, high: date, grain: str) -> bool:
    """Whether a range is of whole periods: MetricFlow widens others to them."""
    months = {"month": 1, "quarter": 3, "year": 12}[grain]
    after = high + timedelta(days=1)
    return (low.month - 1) % months == 0 and (after.month - 1) % months == 0


def value_of(raw: object) -> object:
    if isinstance(raw, dict):
        return Decimal(raw["decimal"]) if "decimal" in raw else date.fromisoformat(raw["date"])
    if isinstance(raw, bool) or raw is None or isinstance(raw, str):
        return raw
    return Decimal(repr(raw))


def answer(found: dict, asked: dict) -> dict[tuple, tuple]:
    at = {name: place for place, name in enumerate(found["columns"])}
    keys = [at[name] for name in asked["group_by_names"]]
    values = [at[name] for name in asked["metric_names"]]
    return {
        tuple(value_of(row[place]) for place in keys): tuple(value_of(row[p]) for p in values)
        for row in found["rows"]
    }


def same(ours: TableRows, theirs: dict[tuple, tuple]) -> str:
    """What differs; rows of theirs without any value stand for no row."""
    left = {row.keys: row.values for row in ours.rows if any(v is not None for v in row.values)}
    right = {key: row for key, row in theirs.items() if any(v is not None for v in row)}
    for key in left.keys() | right.keys():
        mine, other = left.get(key), right.get(key)
        if mine is None and key == () and other is not None and not any(other):
            continue
        if mine is None or other is None:
            return f"{key}: ours {mine}, theirs {other}"
        for one, two in zip(mine, other, strict=True):
            if one is None and two == 0 and key == ():
                continue
            if (one is None) != (two is None):
                return f"{key}: ours {mine}, theirs {other}"
            if one is not None and abs(one - two) > Decimal("1e-9") * max(abs(one), Decimal(1)):
                return f"{key}: ours {mine}, theirs {other}"
    return ""


def run_theirs(python: str, world: World, requests: Iterable[dict]) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.duckdb"
        with duckdb.connect(str(path)) as connection:
            for one in statements(world):
                connection.execute(one)
            connection.execute(
                f"CREATE TABLE spine AS SELECT CAST(d AS DATE) AS day FROM range("
                f"DATE '{FIRST - timedelta(days=900)}', DATE '{FIRST + timedelta(days=1500)}',"
                " INTERVAL 1 DAY) t(d)"
            )
        sent = {"manifest": manifest(world), "database": str(path), "requests": list(requests)}
        done = subprocess.run(
            [python, str(Path(__file__).with_name("warehouse_metricflow_worker.py"))],
            input=json.dumps(sent),
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode:
            print(done.stderr[-2000:])
        return [json.loads(line) for line in lines]


def main() -> int:
    options = arguments(__doc__, show=(0, "how many differences to print"))
    python = os.environ.get(PYTHON, "")
    if not python:
        print(f"nothing is compared: {PYTHON} names no Python that has metricflow")
        return 0
    world = replace(insurance(random.Random(options.seed)), zones={}, fiscal=(1, 1))
    # MetricFlow's metrics of tables without a time cannot be asked.
    world.specs = {name: one for name, one in world.specs.items() if _has_time(world, one)}
    known = {one["name"] for one in metrics(world)}
    world.specs = {name: one for name, one in world.specs.items() if name in known}
    store = store_of(world)
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    asked: list[tuple[Case, dict]] = []
    for case in cases(random.Random(options.seed), world, round(6000 * options.fraction)):
        case = Case(case.kind, replace(case.query, compare=""), replace(case.asked, compare=""))
        made = request(world, case, known)
        if isinstance(made, str):
            reasons[made] += 1
            continue
        asked.append((case, made))
    theirs = run_theirs(python, world, [dict(one) for _, one in asked])
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    for (case, made), found in zip(asked, theirs, strict=True):
        if "error" in found:
            reasons[f"MetricFlow: {found['error'][:60]}"] += 1
            continue
        ours = store.run(replace(case.query, limit=5000, offset=0, order=()))
        wrong = same(ours, answer(found, made))
        by_kind[case.kind]["asked"] += 1
        by_kind[case.kind]["different" if wrong else "equal"] += 1
        counts["different" if wrong else "equal"] += 1
        if wrong and counts["different"] <= options.show:
            print(made, case.query.conditions, wrong, ours.statement[:1200], sep="\n", end="\n\n")
    order = ("asked", "equal", "different")
    print(table(("class", *order), [(k, *(c[o] for o in order)) for k, c in by_kind.items()]))
    print(table(("not compared, because of", "queries"), reasons.most_common(12)))
    figures = {"metricflow": {"different": counts["different"]}}
    if options.fraction == 1:  # a part of the cases compares fewer
        figures["metricflow"]["compared"] = counts["equal"] + counts["different"]
    return Ratchet(__file__, lower={"different"}).settle(figures, options)


def _has_time(world: World, spec: Spec) -> bool:
    parts = inputs(spec.tree)
    if not parts:
        return spec.time is not None
    return all(_has_time(world, world.specs[part[1]]) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
