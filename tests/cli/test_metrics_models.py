"""`groundwire metrics model lint|show|draft`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from groundwire.profiles import warehouse

MODEL, TABLES = warehouse()
URL = f"duckdb:{TABLES}"
BROKEN = """
version: "0.2.0.dev0"
semantic_model:
  - name: shop
    datasets:
      - {name: orders, source: orders, primary_key: [id]}
    metrics:
      - name: amount
        expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(nowhere.amount)"}]}
"""


def test_lint_of_a_model_without_problems(run: Callable[..., Any]) -> None:
    found = run("metrics", "model", "lint", str(MODEL))
    assert found.code == 0
    assert "15 metrics can be used" in found.out
    assert "0 errors, 0 warnings" in found.out


def test_lint_tells_problems_by_place(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(BROKEN, "utf-8")
    found = run("metrics", "model", "lint", "--json", str(path), str(tmp_path / "none.yaml"))
    assert found.code == 1
    told = json.loads(found.out)
    assert any(one["place"].startswith("metrics.amount") for one in told)
    assert "none.yaml" in told[-1]["message"]


def test_show_of_a_model_and_of_a_metric(run: Callable[..., Any]) -> None:
    whole = run("metrics", "model", "show", str(MODEL))
    assert "metric SHOP_SALES in CNY: Shop sales" in whole.out
    one = run("metrics", "model", "show", str(MODEL), "Returned amount").out
    assert "unit: CNY" in one
    assert "by shops.manager: Manager (RESTRICTED)" in one
    assert "join to products: returns -> products" in one


def test_show_of_an_unknown_metric_names_those_there_are(run: Callable[..., Any]) -> None:
    found = run("metrics", "model", "show", str(MODEL), "revnue")
    assert found.code == 2
    assert "SHOP_SALES" in found.err


def test_a_draft_of_the_embedded_tables_lints_clean(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "drafted.yaml"
    found = run("metrics", "model", "draft", URL, "-o", str(path))
    assert found.code == 0
    assert "guesses that are marked in it" in found.out
    assert run("metrics", "model", "lint", str(path)).code == 0
    again = run("metrics", "model", "draft", URL, "-o", str(path))
    assert again.code == 2
    assert "--force" in again.err
