"""The same small tables in every engine that is here."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import duckdb
import pytest
from clickhouse_process import ClickHouseProcess
from postgres_cluster import Cluster, cluster
from warehouse_rows import CLICKHOUSE, DUCKDB, POSTGRES, SQLITE

from groundwire.tables.engine import Engine
from groundwire.tables.opening import open_engine

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def duckdb_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("secret folder") / "w.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(DUCKDB)
    return path


@pytest.fixture(scope="session")
def lake(duckdb_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a Parquet file, a folder of parts by region, and a CSV file."""
    folder = tmp_path_factory.mktemp("lake [1]")
    with duckdb.connect(str(duckdb_file), read_only=True) as connection:
        for statement in (
            f"COPY sales TO '{folder}/sales.parquet'",
            f"COPY sales TO '{folder}/parted' (FORMAT parquet, PARTITION_BY (region))",
            f"COPY names TO '{folder}/names.csv'",
        ):
            connection.execute(statement)
    return folder


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lite") / "w.db"
    connection = sqlite3.connect(path)
    connection.executescript(SQLITE)
    connection.close()
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster(POSTGRES) as running:
        yield running


@pytest.fixture(scope="session")
def chdb_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("chdb") is None:
        pytest.skip("chDB is not installed: pip install 'groundwire[chdb]'")
    path = tmp_path_factory.mktemp("ch") / "db"
    subprocess.run(
        [sys.executable, str(HERE / "clickhouse_data.py"), str(path)],
        input=CLICKHOUSE, text=True, check=True, timeout=120,
    )  # fmt: skip
    return path


@pytest.fixture(scope="session")
def clickhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseProcess]:
    if find_spec("chdb") is None or find_spec("clickhouse_connect") is None:
        pytest.skip("chDB or clickhouse-connect is not installed: groundwire[chdb,clickhouse]")
    path = tmp_path_factory.mktemp("chs") / "db"
    subprocess.run(
        [sys.executable, str(HERE / "clickhouse_data.py"), str(path)],
        input=CLICKHOUSE, text=True, check=True, timeout=120,
    )  # fmt: skip
    process = ClickHouseProcess(path)
    yield process
    process.stop()


class Listener:
    """A port that counts who connects: nobody should."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        self.port = self._socket.getsockname()[1]

    def connections(self) -> int:
        count = 0
        try:
            while True:
                self._socket.accept()[0].close()
                count += 1
        except TimeoutError:
            return count

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    one = Listener()
    yield one
    one.close()


KINDS = ("duckdb", "lake", "sqlite", "postgres", "chdb", "clickhouse")


@pytest.fixture(scope="session")
def opened() -> Iterator[dict[str, Engine]]:
    held: dict[str, Engine] = {}
    yield held
    for engine in held.values():
        engine.close()


def _url(kind: str, request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    reader = {
        "GROUNDWIRE_WAREHOUSE_USER": "reader",
        "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-1",
    }
    if kind == "postgres":
        port = request.getfixturevalue("postgres").port
        return f"postgresql://127.0.0.1:{port}/postgres", reader
    if kind == "clickhouse":
        port = request.getfixturevalue("clickhouse").port
        return f"clickhouse://127.0.0.1:{port}/w", reader
    if kind == "chdb":
        return f"chdb:{request.getfixturevalue('chdb_folder')}", {}
    if kind == "lake":
        return f"duckdb:{request.getfixturevalue('lake')}", {}
    return f"{kind}:{request.getfixturevalue(f'{kind}_file')}", {}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def engine(kind: str, opened: dict[str, Engine], request: pytest.FixtureRequest) -> Engine:
    if kind not in opened:
        url, environ = _url(kind, request)
        opened[kind] = open_engine(url, environ)
    return opened[kind]


@pytest.fixture
def table(kind: str) -> Callable[[str], str]:
    """How a table is called in this engine."""
    return (lambda name: f"w.{name}") if kind in ("chdb", "clickhouse") else (lambda name: name)


@pytest.fixture
def took() -> Iterator[Callable[[], float]]:
    began = time.monotonic()
    yield lambda: time.monotonic() - began
