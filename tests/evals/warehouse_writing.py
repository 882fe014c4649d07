"""Worlds written as what a user has: a semantic model as Ossie, and tables in DuckDB."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal

from warehouse_brute import Agg, Spec, Test, World

SQL_TYPES = {
    "integer": "INTEGER",
    "decimal": "DECIMAL(12,2)",
    "float": "DOUBLE",
    "string": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}
OSSIE_TYPES = {
    "integer": "Integer",
    "decimal": "Decimal",
    "float": "Float",
    "string": "String",
    "date": "Date",
    "timestamp": "DateTime",
    "boolean": "Boolean",
}


def role(label: str, name: str) -> str:
    return label.replace(" ", "_") or name


def code(world: World, table: str, links: tuple[str, ...], column: str) -> str:
    """How a column along links is named in a model: by its dataset where one way leads there."""
    if not links:
        return f"{table}.{column}"
    target = world.links[links[-1]].one
    if target != table and len(world.ways(table, target)) == 1:
        return f"{target}.{column}"
    roles = [role(world.links[name].label, name) for name in links]
    return ".".join((table, *roles, column))


def literal(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | Decimal():
            return str(value)
        case float():
            return repr(value)
        case datetime():
            return f"CAST('{value.isoformat(' ')}' AS TIMESTAMP)"
        case date():
            return f"CAST('{value.isoformat()}' AS DATE)"
    return "'" + str(value).replace("'", "''") + "'"


def condition(world: World, table: str, test: Test) -> str:
    name = code(world, table, test.links, test.column)
    if test.op in ("in", "not_in"):
        values = ", ".join(literal(one) for one in test.value)
        return f"{name} {'NOT ' if test.op == 'not_in' else ''}IN ({values})"
    return f"{name} {test.op} {literal(test.value)}"


def aggregate(world: World, agg: Agg) -> str:
    inner = " * ".join(code(world, agg.table, *factor) for factor in agg.factors) or "1"
    if agg.case is not None:
        inner = f"CASE WHEN {condition(world, agg.table, agg.case)} THEN {inner} END"
    elif not agg.factors:
        inner = "*"
    if agg.func == "count_distinct":
        return f"COUNT(DISTINCT {inner})"
    return f"{agg.func.upper()}({inner})"


def text(world: World, tree: tuple, names: dict[int, str]) -> str:
    match tree[0]:
        case "agg":
            return aggregate(world, tree[1])
        case "const":
            return str(tree[1])
        case "metric":
            return names[id(tree)]
    left, right = (text(world, part, names) for part in tree[1:])
    return f"({left} {tree[0]} {right})"


def aggs(tree: tuple) -> list[Agg]:
    if tree[0] == "agg":
        return [tree[1]]
    if tree[0] in ("const", "metric"):
        return []
    return [agg for part in tree[1:] for agg in aggs(part)]


def inputs(tree: tuple) -> list[tuple]:
    if tree[0] == "metric":
        return [tree]
    if tree[0] in ("const", "agg"):
        return []
    return [one for part in tree[1:] for one in inputs(part)]


def table_of(world: World, spec: Spec) -> str:
    found = aggs(spec.tree)
    if found:
        return found[0].table
    return table_of(world, world.specs[inputs(spec.tree)[0][1]])


def metric(world: World, spec: Spec) -> dict:
    own: dict[str, object] = {}
    found = aggs(spec.tree)
    names: dict[int, str] = {}
    if found:
        own["kind"] = "simple"
        own["dataset"] = found[0].table
        if found[0].tests:
            own["filter"] = " AND ".join(
                condition(world, found[0].table, one) for one in found[0].tests
            )
        if spec.time is not None:
            own["time_field"] = code(world, found[0].table, *spec.time)
        if spec.semi:
            own["semi_additive"] = [own["time_field"], spec.semi]
    else:
        parts = inputs(spec.tree)
        own["kind"] = "cumulative" if spec.cumulative else "derived"
        written = []
        for at, part in enumerate(parts):
            _, name, offset, tests = part
            names[id(part)] = f"in_{at}"
            one: dict[str, object] = {"name": name, "alias": f"in_{at}"}
            if offset:
                one["offset"] = list(offset)
            if tests:
                table = table_of(world, world.specs[name])
                one["filter"] = " AND ".join(condition(world, table, test) for test in tests)
            written.append(one)
        own["inputs"] = written
        if spec.window:
            own["window"] = list(spec.window)
        if spec.to_date:
            own["grain_to_date"] = spec.to_date
    return {
        "name": spec.name,
        "expression": expression(text(world, spec.tree, names)),
        "custom_extensions": extension(own),
    }


def expression(sql: str) -> dict:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}


def extension(own: dict) -> list:
    return [{"vendor_name": "GROUNDWIRE", "data": json.dumps(own)}] if own else []


def ossie(world: World) -> dict:
    """The world's model as an Ossie document."""
    datasets = []
    for table, types in world.types.items():
        fields = []
        for column, kind in types.items():
            zone = world.zones.get((table, column))
            fields.append(
                {
                    "name": column,
                    "expression": expression(column),
                    "datatype": OSSIE_TYPES[kind],
                    "custom_extensions": extension({"time_zone": zone} if zone else {}),
                }
            )
        keep = world.keep.get(table)
        own = {"row_filter": condition(world, table, keep)} if keep else {}
        one = {"name": table, "source": table, "fields": fields}
        keys = sorted(
            {
                tuple(to for _, to in link.columns)
                for link in world.links.values()
                if link.one == table
            }
        )
        if keys:
            one["primary_key"] = list(keys[0])
            one["unique_keys"] = [list(key) for key in keys]
        one["custom_extensions"] = extension(own)
        datasets.append(one)
    month, day = world.fiscal
    return {
        "version": "0.2.0.dev0",
        "semantic_model": [
            {
                "name": world.name,
                "datasets": datasets,
                "relationships": [
                    {
                        "name": link.name,
                        "from": link.many,
                        "to": link.one,
                        "from_columns": [many for many, _ in link.columns],
                        "to_columns": [one for _, one in link.columns],
                        "custom_extensions": extension({"role": link.label} if link.label else {}),
                    }
                    for link in world.links.values()
                ],
                "metrics": [metric(world, spec) for spec in world.specs.values()],
                "custom_extensions": extension(
                    {
                        "week_start": world.week_start,
                        "fiscal_year_start": f"{month:02}-{day:02}",
                    }
                ),
            }
        ],
    }


def statements(world: World) -> list[str]:
    """SQL that makes the tables and fills them."""
    found = []
    for table, types in world.types.items():
        columns = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in types.items())
        found.append(f"CREATE TABLE {table} ({columns})")
        rows = world.tables[table]
        for at in range(0, len(rows), 500):
            values = ", ".join(
                "(" + ", ".join(literal(row[name]) for name in types) + ")"
                for row in rows[at : at + 500]
            )
            found.append(f"INSERT INTO {table} VALUES {values}")
    return found
