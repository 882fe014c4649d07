"""The same table queries on every engine that can be had here, each equal to the brute force.

DuckDB, SQLite, ClickHouse (chDB), PostgreSQL (a server on loopback) and, with `--spark`, a Spark
cluster of two workers on loopback. What is not installed is said, and the figures that it holds
stay as they are. SQLite has no decimals, so its sums are near.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
from _report import Ratchet, arguments, table
from spark_cluster import SparkCluster, missing
from warehouse_brute import World
from warehouse_cases import cases
from warehouse_tables import difference
from warehouse_worlds import drawn, insurance, star
from warehouse_writing import SQL_TYPES, ossie

from groundwire.errors import GroundwireError
from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.loading import read_model
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.tables.engine import Engine, Limits
from groundwire.tables.opening import open_engine

TYPES = {
    "duckdb": SQL_TYPES,
    "sqlite": SQL_TYPES,
    "postgres": SQL_TYPES | {"float": "DOUBLE PRECISION"},
    "chdb": {
        "integer": "Nullable(Int32)",
        "decimal": "Nullable(Decimal(12, 2))",
        "float": "Nullable(Float64)",
        "string": "Nullable(String)",
        "date": "Nullable(Date32)",
        "timestamp": "Nullable(DateTime64(0, 'UTC'))",
        "boolean": "Nullable(Bool)",
    },
    "spark": {
        "integer": "INT",
        "decimal": "DECIMAL(12, 2)",
        "float": "DOUBLE",
        "string": "STRING",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
        "boolean": "BOOLEAN",
    },
}
# Databases that hold the tables of a world where the connection names none: {} is the world.
DATABASES = {"chdb": "w", "spark": "{}"}
# A cluster of two workers on a machine that does much else is slow, and no less right.
PATIENT = Limits(seconds=240)
CHDB = """
import sys
from chdb import session
held = session.Session(sys.argv[1])
for statement in sys.stdin.read().split(";\\n"):
    if statement.strip():
        held.query(statement)
held.close()
"""


def literal(value: object, kind: str) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = str(value).replace("'", "''")
    if kind == "chdb":
        text = text.replace("\\", "\\\\")
    return f"'{text}'"


def statements(world: World, kind: str) -> Iterator[str]:
    end = " ENGINE = MergeTree ORDER BY tuple()" if kind == "chdb" else ""
    for name, types in world.types.items():
        columns = ", ".join(f"{one} {TYPES[kind][of]}" for one, of in types.items())
        yield f"CREATE TABLE {name} ({columns}){end}"
        rows = world.tables[name]
        for at in range(0, len(rows), 200):
            values = ", ".join(
                "(" + ", ".join(literal(row[one], kind) for one in types) + ")"
                for row in rows[at : at + 200]
            )
            yield f"INSERT INTO {name} VALUES {values}"


def open_duckdb(world: World, folder: Path) -> Engine:
    path = folder / f"{world.name}.duckdb"
    with duckdb.connect(str(path)) as connection:
        for one in statements(world, "duckdb"):
            connection.execute(one)
    return open_engine(f"duckdb:{path}")


def open_sqlite(world: World, folder: Path) -> Engine:
    path = folder / f"{world.name}.db"
    connection = sqlite3.connect(path)
    for one in statements(world, "sqlite"):
        connection.execute(one)
    connection.commit()
    connection.close()
    return open_engine(f"sqlite:{path}")


def open_chdb(world: World, folder: Path) -> Engine:
    path = folder / f"{world.name}.chdb"
    text = "CREATE DATABASE IF NOT EXISTS w ENGINE = Atomic;\n" + ";\n".join(
        one.replace("CREATE TABLE ", "CREATE TABLE w.").replace("INSERT INTO ", "INSERT INTO w.")
        for one in statements(world, "chdb")
    )
    subprocess.run(
        [sys.executable, "-c", CHDB, str(path)], input=text, text=True, check=True, timeout=120
    )
    return open_engine(f"chdb:{path}")


def postgres(stack: ExitStack) -> Callable[[World, Path], Engine]:
    import psycopg
    from postgres_cluster import cluster

    running = stack.enter_context(cluster("CREATE ROLE reader LOGIN PASSWORD 'geheim-1'"))
    admin = {"host": "127.0.0.1", "port": running.port, "user": "postgres"}

    def opened(world: World, folder: Path) -> Engine:
        with psycopg.connect(dbname="postgres", autocommit=True, **admin) as connection:
            connection.execute(f"CREATE DATABASE {world.name}")
        with psycopg.connect(dbname=world.name, **admin) as connection:
            for one in statements(world, "postgres"):
                connection.execute(one)
            connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
        environ = {
            "GROUNDWIRE_WAREHOUSE_USER": "reader",
            "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-1",
        }
        return open_engine(f"postgresql://127.0.0.1:{running.port}/{world.name}", environ)

    return opened


def spark(stack: ExitStack, folder: Path) -> Callable[[World, Path], Engine]:
    """A cluster that is started now; each world has a database of its own there."""
    cluster = SparkCluster(folder)
    stack.callback(cluster.close)
    url = f"sc://127.0.0.1:{cluster.port}"

    def opened(world: World, _: Path) -> Engine:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            builder = import_module("pyspark.sql.connect.session").SparkSession.builder
            held = builder.remote(url).create()
        held.conf.set("spark.sql.session.timeZone", "UTC")
        held.sql(f"CREATE DATABASE {world.name}")
        for name, types in world.types.items():
            columns = ", ".join(f"{one} {TYPES['spark'][of]}" for one, of in types.items())
            held.sql(f"CREATE TABLE {world.name}.{name} ({columns}) USING parquet")
            values = ", ".join(
                f"({', '.join(spark_literal(row[one], of) for one, of in types.items())})"
                for row in world.tables[name]
            )
            if values:
                held.sql(f"INSERT INTO {world.name}.{name} VALUES {values}")
        held.client.close()
        return open_engine(url, {})

    return opened


def spark_literal(value: object, kind: str) -> str:
    """A value as Spark reads it; its type is that of the column."""
    if value is None:
        return f"CAST(NULL AS {TYPES['spark'][kind]})"
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value:%Y-%m-%d %H:%M:%S}'"
    if isinstance(value, date):
        return f"DATE '{value}'"
    text = str(value).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'" if kind == "string" else f"CAST('{text}' AS {TYPES['spark'][kind]})"


def tables_in(kind: str, world: World) -> SemanticModel:
    """The model of a world for an engine."""
    document = ossie(world)
    database = DATABASES.get(kind)
    for one in document["semantic_model"][0]["datasets"] if database else ():
        one["source"] = f"{database.format(world.name)}.{one['source']}"
    return read_model(json.dumps(document).encode(), "m.json")


def worlds(seed: int, fraction: float) -> Iterator[tuple[World, int]]:
    rng = random.Random(seed)
    yield star(random.Random(rng.random())), round(100 * fraction)
    yield insurance(random.Random(rng.random())), round(100 * fraction)
    for number in range(max(1, round(10 * fraction))):
        yield drawn(random.Random(rng.random()), number), 10


def engines(
    stack: ExitStack, folder: Path, with_spark: bool
) -> dict[str, Callable[[World, Path], Engine]]:
    """What opens each engine that is here; the others are said."""
    openers: dict[str, Callable[[World, Path], Engine]] = {
        "duckdb": open_duckdb,
        "sqlite": open_sqlite,
    }
    if find_spec("chdb") is not None:
        openers["chdb"] = open_chdb
    try:
        openers["postgres"] = postgres(stack)
    except BaseException as problem:  # pytest's skip is no Exception
        print(f"PostgreSQL is left out: {problem}")
    if with_spark and missing():
        print(f"Spark is left out: {missing()}")
    elif with_spark:
        openers["spark"] = spark(stack, folder)
    return openers


def main() -> int:
    options = arguments(
        __doc__,
        show=(0, "how many wrong answers to print"),
        spark=(0, "1 asks a Spark cluster too, which is started for it"),
    )
    figures: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        openers = engines(stack, folder, bool(options.spark))
        counts: dict[str, Counter[str]] = {kind: Counter() for kind in openers}
        shown: Counter[str] = Counter()
        for world, count in worlds(options.seed, options.fraction):
            rng = random.Random(zlib.crc32(f"{options.seed} {world.name}".encode()))
            asked = list(cases(rng, world, count))
            for kind, opener in openers.items():
                # SQLite knows no zones: it is asked about the days that timestamps show.
                here = replace(world, zones={}) if kind == "sqlite" else world
                engine = opener(here, folder)
                model = checked(tables_in(kind, here), engine.dialect)
                store = WarehouseStore(model, engine, limits=PATIENT if kind == "spark" else None)
                began = time.monotonic()
                for case in asked:
                    counts[kind]["asked"] += 1
                    statement = ""
                    try:
                        found = store.run(case.query)
                        statement = found.statement
                        wrong = difference(here, case, found, exact=kind != "sqlite")
                        counts[kind]["wrong" if wrong else "equal"] += 1
                    except GroundwireError as problem:
                        wrong = f"refused: {problem}"
                        counts[kind]["refused"] += 1
                        with suppress(GroundwireError):
                            statement = store.run(case.query, dry_run=True).statement
                    if wrong and shown[kind] < options.show:
                        shown[kind] += 1
                        print(kind, world.name, wrong, case.query, statement[:3000], sep="\n")
                        print()
                engine.close()
                print(f"{world.name} on {kind}: {time.monotonic() - began:.0f} s", flush=True)
    order = ("asked", "equal", "wrong", "refused")
    print(table(("engine", *order), [(k, *(c[one] for one in order)) for k, c in counts.items()]))
    figures = {
        kind: {
            "wrong": count["wrong"],
            "refused": count["refused"],
            "equal_percent": round(100 * count["equal"] / count["asked"], 2),
        }
        for kind, count in counts.items()
    }
    ratchet = Ratchet(__file__, lower={"wrong", "refused"})
    if ratchet.path.is_file():
        for kind, held in json.loads(ratchet.path.read_text("utf-8")).items():
            if kind not in figures:
                print(f"{kind} is left out: it is not here")
                figures[kind] = held
    return ratchet.settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
