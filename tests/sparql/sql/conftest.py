from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from groundwire.sparql.sql.files import DuckRunner, SqliteRunner

SCHEMA = """
CREATE TABLE cities(name VARCHAR, country VARCHAR, people BIGINT, area DECIMAL(10,2), founded DATE);
INSERT INTO cities VALUES ('Utrecht', 'NL', 374000, 99.21, DATE '0122-01-01'),
    ('Leiden', 'NL', 127000, 23.27, NULL), ('Ghent', 'BE', 265000, 156.18, DATE '0650-05-01'),
    ('Bruges', 'BE', 119000, 138.40, NULL), ('Trier', 'DE', 112000, 117.07, DATE '0016-01-01');
CREATE TABLE countries(code VARCHAR, label VARCHAR);
INSERT INTO countries VALUES ('NL', 'Netherlands'), ('BE', 'Belgium'), ('DE', 'Germany');
CREATE VIEW dutch AS SELECT name, people FROM cities WHERE country = 'NL';
CREATE VIEW "odd AS one"(a) AS SELECT name FROM cities;
CREATE VIEW leaky AS SELECT current_setting('threads') AS threads;
CREATE VIEW leaky_twice AS SELECT threads FROM leaky;
CREATE VIEW a_file AS SELECT * FROM duckdb_settings();
CREATE MACRO dense(people, area) AS people / area;
CREATE MACRO lower(x) AS current_setting(x);
CREATE MACRO settings() AS TABLE SELECT * FROM duckdb_settings();
CREATE MACRO smaller(n) AS TABLE SELECT name FROM cities WHERE people < n;
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def duck_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secret folder")
    (folder / "secret.csv").write_text("a,b\n1,2\n", "utf-8")
    path = folder / "cities.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCHEMA)
    return path


@pytest.fixture(scope="session")
def duck(duck_file: Path) -> Iterator[DuckRunner]:
    runner = DuckRunner(duck_file, "cities", memory=256 << 20)
    yield runner
    runner.close_now()


SQLITE = """
CREATE TABLE cities(name TEXT, country TEXT, people INTEGER, area REAL, flag BLOB);
INSERT INTO cities VALUES ('Utrecht', 'NL', 374000, 99.21, x'89504E47'),
    ('Leiden', 'NL', 127000, 23.27, NULL), ('Ghent', 'BE', 265000, 156.18, NULL),
    ('Bruges', 'BE', 119000, 138.4, NULL), ('Trier', 'DE', 112000, 117.07, NULL);
CREATE TABLE countries(code TEXT PRIMARY KEY, label TEXT);
INSERT INTO countries VALUES ('NL', 'Netherlands'), ('BE', 'Belgium'), ('DE', 'Germany');
CREATE VIEW dutch AS SELECT name, people FROM cities WHERE country = 'NL';
CREATE VIEW leaky AS SELECT sqlite_version() AS version;
CREATE VIEW loading AS SELECT load_extension('/tmp/x.so') AS x;
CREATE VIEW paths AS SELECT * FROM pragma_database_list;
CREATE TABLE long(x TEXT);
INSERT INTO long VALUES (printf('%.*c', 20000, 'x'));
CREATE VIRTUAL TABLE notes USING fts5(body);
INSERT INTO notes VALUES ('bridges over the river'), ('a tall tower');
"""


@pytest.fixture(scope="session")
def lite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret folder?") / "cities #1.db"
    connection = sqlite3.connect(path)
    connection.executescript(SQLITE)
    connection.close()
    return path


@pytest.fixture(scope="session")
def lite(lite_file: Path) -> Iterator[SqliteRunner]:
    runner = SqliteRunner(lite_file, "lite")
    yield runner
    runner.close_now()
