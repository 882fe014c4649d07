"""Engines by URL: what is opened, and what is refused before anything is asked."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.tables.engine import Limits
from groundwire.tables.opening import absolute, open_engine

SECRETS = [
    "postgresql://me:geheim@h/d",
    "clickhouse://me:geheim@h/d",
    "trino://me:geheim@h/c",
    "sc://me:geheim@h",
    "sc://h/;token=geheim",
    "sc://h/;x-api-key=1;api_key=geheim",
    "clickhouse://h/d?password=geheim",
    "trino://h/c?access_token=geheim",
    "mysql://me:geheim@h/d",
]


@pytest.mark.parametrize("url", SECRETS)
def test_a_secret_in_a_url_is_refused_with_the_way_out_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        open_engine(url, {})
    assert "geheim" not in str(error.value)
    assert "secret" in str(error.value) or "password" in str(error.value)
    assert "GROUNDWIRE_WAREHOUSE_PASSWORD" in str(error.value) or "variable" in str(error.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "write duckdb:PATH"),
        ("nothing", "write duckdb:PATH"),
        ("mysql://h/d", "write duckdb:PATH"),
        ("file:/x", "write duckdb:PATH"),
        ("duckdb:", "names no file"),
        ("duckdb::memory:", "names no file"),
        ("duckdb:/nowhere/at/all.duckdb", "is not there"),
        ("duckdb://server/w.duckdb", "another machine"),
        ("sqlite:/nowhere.db", "is not there"),
        ("postgresql://h", "names no database"),
        ("postgresql://h/d?options=-c", "options"),
        ("clickhouse:///d", "names no server"),
        ("clickhouse://h:99999/d", "wrong"),
        ("clickhouse://h/d?readonly=0", "readonly"),
        ("clickhouse://h/d?http_proxy=x", "http_proxy"),
        ("trino://u@h", "names no catalog"),
        ("trino://u@h/a/b/c", "names no catalog"),
        ("trino://h/c", "GROUNDWIRE_WAREHOUSE_USER"),
        ("sc://h/;x-header=1", "x-header"),
    ],
)
def test_a_url_that_is_wrong_is_refused_with_the_way_out(url: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        open_engine(url, {})
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_password_of_trino_goes_over_https_only() -> None:
    environ = {"GROUNDWIRE_WAREHOUSE_USER": "u", "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim"}
    with pytest.raises(ConfigurationError, match="HTTPS only") as error:
        open_engine("trino://h/c", environ)
    assert "geheim" not in str(error.value)
    open_engine("trino://h/c?secure=true", environ).close()


def test_a_folder_is_no_sqlite_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="folder"):
        open_engine(f"sqlite:{tmp_path}", {})


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("x\n1\n")
    assert absolute("duckdb:a.csv") == f"duckdb:{tmp_path}/a.csv"
    assert absolute("postgresql://h/d") == "postgresql://h/d"
    with pytest.raises(ConfigurationError):
        absolute("postgresql://u:p@h/d")


def test_a_single_data_file_is_a_table_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "sold [2024].csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "other.csv").write_text("secret\n1\n")
    engine = open_engine(f"duckdb:{tmp_path}/sold [2024].csv", {})
    try:
        (table,) = engine.tables()
        assert table.name == '"sold [2024]"'
        assert engine.run(f"SELECT sum(x) FROM {table.name}").rows == ((3,),)
    finally:
        engine.close()


@pytest.mark.parametrize("kind", ["empty", "twice", "no database"])
def test_a_folder_or_file_that_is_none_is_told(tmp_path: Path, kind: str) -> None:
    path = tmp_path
    if kind == "twice":
        for name in ("a.csv", "A.tsv"):
            (tmp_path / name).write_text("x\n1\n")
    elif kind == "no database":
        path = tmp_path / "w.duckdb"
        path.write_text("this is no database")
    engine = open_engine(f"duckdb:{path}", {})
    try:
        with pytest.raises(UnavailableError) as error:
            engine.run("SELECT 1")
        assert str(tmp_path.parent) not in str(error.value)
    finally:
        engine.close()


def test_a_folder_is_read_as_it_is_now(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    engine = open_engine(f"duckdb:{tmp_path}", {})
    try:
        assert [table.name for table in engine.tables()] == ["a"]
        (tmp_path / "b.csv").write_text("x\n2\n")
        assert [table.name for table in engine.tables()] == ["a", "b"]
        assert engine.run("SELECT sum(x) FROM b").rows == ((2,),)
    finally:
        engine.close()


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM '{}/secret.csv'",
        "SELECT * FROM read_csv('{}/secret.csv')",
        "SELECT * FROM read_text('{}/lake/a.csv')",
        "SELECT * FROM glob('{}/*')",
        'SELECT * FROM "{}/secret.csv"',
        "SELECT * FROM duckdb_settings()",
        "SELECT sql FROM duckdb_views()",
        "COPY (SELECT 1) TO '{}/lake/w.csv'",
        "ATTACH '{}/x.duckdb'",
    ],
)
def test_a_folder_gives_its_tables_and_no_other_file(tmp_path: Path, statement: str) -> None:
    from groundwire.errors import ForbiddenError

    lake = tmp_path / "lake"
    lake.mkdir()
    (lake / "a.csv").write_text("x\n1\n")
    (tmp_path / "secret.csv").write_text("word\nGEHEIM\n")
    engine = open_engine(f"duckdb:{lake}", {})
    try:
        with pytest.raises(ForbiddenError) as error:
            engine.run(statement.format(tmp_path))
        assert "GEHEIM" not in str(error.value)
        assert sorted(one.name for one in lake.iterdir()) == ["a.csv"]
    finally:
        engine.close()


@pytest.mark.parametrize(
    ("url", "package", "extra"),
    [
        ("postgresql://h/d", "psycopg", "postgres"),
        ("clickhouse://127.0.0.1:1/d", "clickhouse_connect", "clickhouse"),
        ("trino://u@127.0.0.1:1/c", "trino", "trino"),
        ("sc://127.0.0.1:1", "pyspark", "spark"),
    ],
)
def test_a_client_that_is_missing_is_told_with_how_to_install_it(
    url: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec

    def without(name: str, *arguments: Any) -> Any:
        return None if name == package else real(name, *arguments)

    for module in (
        "groundwire.tables.postgres.connections",
        "groundwire.tables.clickhouse.server",
        "groundwire.tables.trino.engine",
        "groundwire.tables.spark.engine",
    ):
        monkeypatch.setattr(importlib.import_module(module), "find_spec", without)
    engine = open_engine(url, {})
    with pytest.raises(UnavailableError, match=rf"pip install 'groundwire\[{extra}\]'"):
        engine.run("SELECT 1", Limits(seconds=10))
    engine.close()


@pytest.mark.parametrize(
    ("url", "package"),
    [
        ("postgresql://127.0.0.1:1/d", "psycopg"),
        ("clickhouse://127.0.0.1:1/d", "clickhouse_connect"),
        ("trino://u@127.0.0.1:1/c", "trino"),
        ("sc://127.0.0.1:1", "pyspark"),
    ],
)
def test_a_server_that_is_not_there_is_told_and_shows_no_secret(url: str, package: str) -> None:
    pytest.importorskip(package)
    environ = {"GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim"} if package != "trino" else {}
    engine = open_engine(url, environ)
    for ask in (lambda: engine.run("SELECT 1", Limits(seconds=10)), engine.tables, engine.check):
        with pytest.raises(UnavailableError) as error:
            ask()
        assert "geheim" not in str(error.value)
        assert "\n" not in str(error.value)
    engine.close()
