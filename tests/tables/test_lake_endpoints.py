"""Lake engines as endpoints of `execute_query`: attacks refused, honest queries answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from trino_server import TrinoServer

from groundwire.cli.doctor import lakes
from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import Endpoints, Execution
from groundwire.sparql.opening import Opener, Supplies
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.registry import Registry, parse_registry

HERE = Path(__file__).parent / "statements"


def registry(url: str, folder: Path, **more: Any) -> Registry:
    tree = {
        "default_endpoint": "graph",
        "endpoints": [
            {"name": "graph", "url": "local:help"},
            {"name": "lake", "kind": "sql", "url": url, **more},
        ],
    }
    return parse_registry(tree, "registry.toml", folder)


def executed(held: Registry, folder: Path, texts: list[str], limit: int = 100) -> list[Outcome]:
    """Outcomes of queries, run one after the other as `execute_query` runs them."""

    async def run() -> list[Outcome]:
        opener = Opener(Supplies(folder, (), None))
        endpoints = Endpoints(held, opener.runner, opener.forget)
        try:
            asked = [Execution("sql", text, "lake", limit) for text in texts]
            return [await endpoints.execute(one) for one in asked]
        finally:
            await endpoints.close()
            await opener.close()

    return anyio.run(run)


def statements(name: str, port: int) -> list[str]:
    text = (HERE / f"{name}.txt").read_text("utf-8")
    marks = (("{port}", str(port)), ("{secret}", "/etc/passwd"), ("{written}", "/tmp/gw-written"))
    for mark, value in marks:
        text = text.replace(mark, value)
    return text.splitlines()


def refused(outcomes: list[Outcome]) -> list[str]:
    return [one.audit.query_text for one in outcomes if one.status != "refused" or one.rows]


def test_chdb_refuses_every_attack_and_answers_honest_queries(
    chdb_folder: Path, tmp_path: Path, listener: Any
) -> None:
    held = registry(f"chdb:{chdb_folder}", tmp_path)
    attacks = statements("clickhouse_attacks", listener.port)
    assert refused(executed(held, tmp_path, attacks)) == []
    honest = executed(held, tmp_path, statements("clickhouse_honest", listener.port))
    assert [one.reason for one in honest if not one.answered] == []
    assert listener.connections() == 0
    assert not Path("/tmp/gw-written").exists()


def test_a_clickhouse_server_is_asked_read_only_with_the_named_credentials(
    clickhouse: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listener: Any
) -> None:
    monkeypatch.setenv("LAKE_USER", "reader")
    monkeypatch.setenv("LAKE_PASSWORD", "geheim-1")
    held = registry(
        f"clickhouse://127.0.0.1:{clickhouse.port}/w", tmp_path,
        username_env="LAKE_USER", password_env="LAKE_PASSWORD",
    )  # fmt: skip
    before = len(clickhouse.seen())
    query = "SELECT id, amount, day FROM sales ORDER BY id"
    (found,) = executed(held, tmp_path, [query], limit=2)
    assert (found.status, len(found.rows)) == ("truncated", 2)
    assert found.columns == ("id", "amount", "day")
    assert found.rows[0][2] == "2024-01-15"
    assert "geheim" not in str(found.audit.block())
    sent = clickhouse.seen()[before:]
    asked = [one for one in sent if "FROM" in one["text"] and "sales" in one["text"]]
    assert {one["readonly"] for one in asked} == {"1"}
    seen = len(clickhouse.seen())
    attacks = statements("clickhouse_attacks", listener.port)
    assert refused(executed(held, tmp_path, attacks)) == []
    assert len(clickhouse.seen()) == seen, "nothing of an attack is sent"
    (told,) = lakes(held.endpoints)
    assert told.startswith("lake is ClickHouse 2")
    assert told.endswith("asked with readonly = 1, nothing can be written")


@pytest.fixture
def trino() -> Iterator[TrinoServer]:
    pytest.importorskip("trino", reason="pip install 'groundwire[lake]'")
    server = TrinoServer()
    server.answers["SELECT id FROM orders"] = ([("id", "bigint")], [[n] for n in range(7)])
    server.answers["SELECT version()"] = ([("_col0", "varchar")], [["479"]])
    yield server
    server.close()


def test_trino_gets_no_attack_and_a_read_only_transaction(
    trino: TrinoServer, tmp_path: Path, listener: Any
) -> None:
    held = registry(f"trino://reader@127.0.0.1:{trino.port}/hive/s", tmp_path)
    attacks = statements("trino_attacks", listener.port)
    assert refused(executed(held, tmp_path, attacks)) == []
    assert trino.seen == []
    (found,) = executed(held, tmp_path, ["SELECT id FROM orders"], limit=5)
    assert (found.status, len(found.rows)) == ("truncated", 5)
    assert trino.seen[0][0] == "START TRANSACTION READ ONLY"
    assert trino.seen[1][1]["X-Trino-Transaction-Id"] == "tx-1"
    assert "reader" not in found.audit.endpoint_url
    (told,) = lakes(held.endpoints)
    assert "asked with TRANSACTION READ ONLY; Trino does not tell" in told


def test_a_trino_that_begins_no_transaction_is_asked_nothing(
    trino: TrinoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.tables.trino.engine._STARTED", "X-Left-Out")
    held = registry(f"trino://reader@127.0.0.1:{trino.port}/hive/s", tmp_path)
    (found,) = executed(held, tmp_path, ["SELECT id FROM orders"])
    assert found.status == "error" and "began no READ ONLY transaction" in found.reason
    assert [text for text, _ in trino.seen if "orders" in text] == []
    with pytest.raises(UnavailableError, match="began no READ ONLY"):
        list(lakes(held.endpoints))


def test_a_slow_query_ends_by_its_time_and_the_next_one_runs(
    trino: TrinoServer, tmp_path: Path
) -> None:
    held = registry(f"trino://reader@127.0.0.1:{trino.port}/hive/s", tmp_path, timeout=1)
    late, after = executed(held, tmp_path, ["SELECT forever FROM orders", "SELECT id FROM orders"])
    assert late.status == "error" and "time limit of 1 s" in late.reason
    assert trino.cancelled
    assert after.status == "complete" and len(after.rows) == 7


@pytest.mark.parametrize("url", ["trino://127.0.0.1:1/hive", "sc://127.0.0.1:1"])
def test_an_engine_that_is_away_is_an_error_and_no_empty_answer(url: str, tmp_path: Path) -> None:
    if url.startswith("sc:"):
        pytest.importorskip("pyspark", reason="pip install 'groundwire[spark]'")
    url = url.replace("//", "//reader@") if url.startswith("trino") else url
    (found,) = executed(registry(url, tmp_path), tmp_path, ["SELECT 1"])
    assert found.status == "error" and "does not answer" in found.reason


@pytest.mark.parametrize("url", [
    "trino://u:secret@h/c", "clickhouse://h/d?password=x", "sc://h/;token=x",
    "clickhouse://u:p@h/d", "trino://h/c?access_key=x",
])  # fmt: skip
def test_a_secret_in_the_url_is_refused_when_the_registry_is_read(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"holds a (secret|password)") as told:
        registry(url, tmp_path)
    assert "secret@" not in str(told.value)


def test_places_and_languages() -> None:
    lake = Endpoint(name="a", kind="sql", url="sc://h:15002", token_env="SPARK_TOKEN")
    assert (lake.place, lake.languages, lake.path) == ("spark", ("sql",), None)
    folder = Endpoint(name="b", kind="sql", url="chdb:some/folder").located(Path("/x"))
    assert folder.path == Path("/x/some/folder") and folder.shown == "chdb:folder"
    for wrong in ({"token_env": "T"}, {"languages": ("spasql",)}, {"kind": "sparql"}):
        with pytest.raises(ValueError):
            Endpoint(**{"name": "c", "kind": "sql", "url": "trino://h/c", **wrong})
    with pytest.raises(ValueError, match="takes no credentials"):
        Endpoint(name="d", kind="sql", url="chdb:x", username_env="A", password_env="B")
