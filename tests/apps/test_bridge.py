"""The script that every app shares stands once."""

from __future__ import annotations

from pathlib import Path

from groundwire.apps import bridge, policy

SOURCES = Path(__file__).parents[2] / "src" / "groundwire"


def test_the_talk_with_the_host_stands_in_one_file() -> None:
    holding = [
        path.name
        for path in (*SOURCES.rglob("*.js"), *SOURCES.rglob("*.py"))
        if "ui/initialize" in path.read_text("utf-8")
    ]
    assert holding == ["bridge.js"]


def test_every_app_begins_with_it() -> None:
    from groundwire.journeys.artefacts.map_html import APP
    from groundwire.learning.report.page import app_page as learning
    from groundwire.metrics.table.page import app_page as table

    assert APP.startswith(bridge())
    assert bridge() in learning()
    assert bridge() in table()


def test_a_policy_allows_the_one_script() -> None:
    assert "script-src 'sha256-" in policy("x")
    assert policy("x") != policy("y")
