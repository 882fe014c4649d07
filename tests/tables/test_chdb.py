"""ClickHouse's own engine: honest queries give what they gave before the gate, attacks nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from warehouse_rows import CLICKHOUSE

from groundwire.errors import ForbiddenError
from groundwire.tables.clickhouse.engine import check
from groundwire.tables.engine import Engine
from groundwire.tables.opening import open_engine

HERE = Path(__file__).parent
HONEST = (HERE / "statements/clickhouse_honest.txt").read_text("utf-8").splitlines()
ATTACKS = (HERE / "statements/clickhouse_attacks.txt").read_text("utf-8").splitlines()
PLAIN = """
import json, sys
from chdb import session
held = session.Session(sys.argv[1])
found = []
for statement in json.load(sys.stdin):
    try:
        found.append(str(held.query(statement, "JSONCompactEachRow")))
    except Exception as error:
        found.append(f"error {error}")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = open_engine(f"chdb:{_folder(tmp_path_factory)}", {})
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that no engine holds open: it has one owner at a time."""
    return _folder(tmp_path_factory)


def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("chdb") is None:
        pytest.skip("chDB is not installed: pip install 'groundwire[chdb]'")
    path = tmp_path_factory.mktemp("own") / "db"
    subprocess.run(
        [sys.executable, str(HERE / "clickhouse_data.py"), str(path)],
        input=CLICKHOUSE, text=True, check=True, timeout=120,
    )  # fmt: skip
    return path


def test_honest_queries_mean_the_same_when_they_are_written_anew(own_folder: Path) -> None:
    def bare(statements: list[str]) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", PLAIN, str(own_folder)],
            input=json.dumps(statements), capture_output=True, text=True, check=True, timeout=200,
        )  # fmt: skip
        return json.loads(done.stdout)

    found = bare(HONEST + [check(one) for one in HONEST])
    before, after = found[: len(HONEST)], found[len(HONEST) :]
    assert [one for one in before if one.startswith("error")] == []
    different = [
        (one, check(one), b, a)
        for one, b, a in zip(HONEST, before, after, strict=True)
        if _rows(one, a) != _rows(one, b)
    ]
    assert different == []


def _rows(statement: str, answer: str) -> list[str]:
    """The rows of an answer; ClickHouse runs the parts of a union side by side, in no order."""
    rows = answer.splitlines()
    return sorted(rows) if " UNION " in statement else rows


@pytest.mark.parametrize("statement", HONEST)
def test_an_honest_query_is_answered(engine: Engine, statement: str) -> None:
    result = engine.run(statement)
    assert result.columns
    assert result.is_complete


@pytest.mark.parametrize("statement", ATTACKS)
def test_an_attack_reads_nothing_writes_nothing_and_calls_nobody(
    engine: Engine, statement: str, listener: Any, tmp_path: Path
) -> None:
    secret, written = tmp_path / "secret.csv", tmp_path / "written.csv"
    secret.write_text("GEHEIM\n")
    for mark, value in (("{port}", listener.port), ("{secret}", secret), ("{written}", written)):
        statement = statement.replace(mark, str(value))
    with pytest.raises(ForbiddenError) as error:
        engine.run(statement)
    assert "GEHEIM" not in str(error.value)
    assert not written.exists()


def test_no_attack_connected(engine: Engine, listener: Any) -> None:
    for statement in ATTACKS:
        with pytest.raises(ForbiddenError):
            engine.run(statement.replace("{port}", str(listener.port)))
    assert listener.connections() == 0
    assert engine.run("SELECT count() FROM w.sales").rows == ((4,),)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO w.names VALUES (7, 'x')",
        "DROP TABLE w.names",
        "SET readonly = 0",
        "SELECT 1 SETTINGS readonly = 0",
        "SELECT * FROM file('{secret}', 'LineAsString')",
        "SELECT * FROM url('http://127.0.0.1:{port}/x', LineAsString)",
        "SELECT * FROM executable('cat', 'TSV', 'a String')",
    ],
)
def test_the_engine_itself_refuses_what_would_get_past_the_gate(
    own_folder: Path, statement: str, listener: Any, tmp_path: Path
) -> None:
    """The second wall: the session is opened read-only."""
    from groundwire.tables.clickhouse.engine import Failure, FolderChannel
    from groundwire.tables.engine import Limits

    secret = tmp_path / "secret.csv"
    secret.write_text("GEHEIM\n")
    statement = statement.replace("{secret}", str(secret)).replace("{port}", str(listener.port))
    channel = FolderChannel(own_folder)
    try:
        with pytest.raises(Failure) as failure:
            channel.ask(statement, Limits())
    finally:
        channel.close()
    assert "GEHEIM" not in str(failure.value)
    assert listener.connections() == 0


def test_a_query_that_needs_too_much_memory_is_told(engine: Engine) -> None:
    from groundwire.errors import InputError
    from groundwire.tables.engine import Limits

    with pytest.raises(InputError, match="memory"):
        engine.run(
            "SELECT count() FROM (SELECT number FROM numbers(1000000000) GROUP BY number)",
            Limits(seconds=60),
        )
    assert engine.run("SELECT 1").rows == ((1,),)


def test_an_answer_without_rows_has_its_columns(engine: Engine) -> None:
    found = engine.run("SELECT 1 AS a, 'x' AS b FROM numbers(3) WHERE number > 5")
    assert ([one.name for one in found.columns], found.rows) == (["a", "b"], ())


def test_what_a_join_does_not_find_is_empty(engine: Engine) -> None:
    found = engine.run(
        "SELECT o.number, t.number FROM numbers(2) AS o LEFT JOIN "
        "(SELECT number FROM numbers(1)) AS t ON t.number = o.number ORDER BY o.number"
    )
    assert found.rows == ((0, 0), (1, None))
