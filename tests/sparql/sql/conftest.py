from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from groundwire.sparql.outcome import Outcome, Request, Runner
from groundwire.sparql.sql.duck import DuckRunner

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


async def sql(runner: Runner, text: str, *, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await runner.run(Request("sql", text, limit, timeout))
