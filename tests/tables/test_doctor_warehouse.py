"""`groundwire doctor` on the warehouse; beside the engines whose servers it needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from postgres_cluster import Cluster

from groundwire.cli.doctor import warehouse
from groundwire.config import Settings
from groundwire.errors import ConfigurationError, UnavailableError


def test_without_one_nothing_is_asked(tmp_path: Path) -> None:
    assert warehouse(Settings(tmp_path)) == "none: GROUNDWIRE_WAREHOUSE names one"


def test_a_file_is_read_and_never_written(tmp_path: Path, duckdb_file: Path) -> None:
    said = warehouse(Settings(tmp_path, warehouse=f"duckdb:{duckdb_file}"))
    assert said.startswith("DuckDB 2.")
    assert said.endswith("4 tables to read, nothing can be written")


def test_an_account_that_could_write_is_a_warning_with_the_way_out(
    tmp_path: Path, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"postgresql://127.0.0.1:{postgres.port}/postgres"
    monkeypatch.setenv("GROUNDWIRE_WAREHOUSE_USER", "writer")
    said = warehouse(Settings(tmp_path, warehouse=url))
    assert "WARNING: The role may change the table sales" in said
    monkeypatch.setenv("GROUNDWIRE_WAREHOUSE_USER", "reader")
    monkeypatch.setenv("GROUNDWIRE_WAREHOUSE_PASSWORD", "geheim-1")
    assert warehouse(Settings(tmp_path, warehouse=url)).endswith("nothing can be written")


def test_a_warehouse_that_is_wrong_or_away_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is not there"):
        warehouse(Settings(tmp_path, warehouse=f"sqlite:{tmp_path}/none.db"))
    with pytest.raises(UnavailableError, match="cannot be reached"):
        warehouse(Settings(tmp_path, warehouse="postgresql://127.0.0.1:1/d"))
