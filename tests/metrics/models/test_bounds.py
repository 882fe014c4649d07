"""What is too large, too slow or cut ends within its bound, and says so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from warehouse_shop import DuckEngine, document, model_of, parts

from groundwire.errors import DeadlineError, LimitError
from groundwire.metrics.models import loading
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.query import Order, TableQuery
from groundwire.tables.engine import Engine, Limits
from groundwire.tables.opening import open_engine


def test_a_yaml_of_50_mb_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_bytes(b"semantic_model:\n- name: n\n  description: " + b"x" * 50_000_000)
    begin = time.thread_time()
    with pytest.raises(LimitError, match="a model may have 32 MiB; split it"):
        load_model(path)
    assert time.thread_time() - begin < 1


def test_a_model_of_too_many_metrics_is_refused_before_they_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_METRICS", len(parts(document())["metrics"]) - 1)
    monkeypatch.setattr(loading, "checked", None)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document()), "utf-8")
    with pytest.raises(LimitError, match=r"model\.json has \d+ metrics: a model may have"):
        load_model(path)


def test_a_model_of_too_many_fields_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_FIELDS", 3)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document()), "utf-8")
    with pytest.raises(LimitError, match=r"fields: a model may have 3"):
        load_model(path)


def test_an_answer_that_the_engine_cut_says_so_and_is_not_complete() -> None:
    query = TableQuery(("revenue",), ("store.state",), order=(Order("revenue", True),))
    whole = WarehouseStore(model_of(document()), DuckEngine()).run(query)
    assert (whole.is_complete, whole.left_out) == (True, ())
    engine = CutEngine()
    cut = WarehouseStore(model_of(document()), engine).run(query)
    assert len(cut.rows) < len(whole.rows)
    assert not cut.is_complete
    assert "The engine's limits cut the answer" in " ".join(cut.left_out)


class CutEngine(DuckEngine):
    """Gives one row of whatever it is asked."""

    def run(self, sql: str, limits: Limits = Limits()):  # noqa: B008
        return super().run(sql, Limits(limits.seconds, 1, limits.characters))


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Engine]:
    """A real engine over a view that takes minutes to add up."""
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE VIEW sales AS SELECT CAST(a.range AS DECIMAL(12,2)) AS amount, 'n' AS note "
            "FROM range(4000000) a, range(40000) b WHERE hash(a.range, b.range) % 7 = 3"
        )
    engine = open_engine(f"duckdb:{path}")
    yield engine
    engine.close()


def test_a_slow_engine_is_stopped_at_the_limit_of_the_query(large: Engine) -> None:
    sales = {
        "name": "sales",
        "source": "sales",
        "fields": [
            {
                "name": name,
                "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": name}]},
                "datatype": kind,
            }
            for name, kind in (("amount", "Decimal"), ("note", "String"))
        ],
    }
    total = {
        "name": "revenue",
        "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(sales.amount)"}]},
    }
    one = {"name": "slow", "datasets": [sales], "metrics": [total]}
    model = model_of({"version": "0.2.0.dev0", "semantic_model": [one]})
    store = WarehouseStore(model, large, limits=Limits(seconds=1.0))
    begin = time.monotonic()
    with pytest.raises(DeadlineError, match="time limit"):
        store.run(TableQuery(("revenue",)))
    assert time.monotonic() - begin < 30
