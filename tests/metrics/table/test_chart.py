"""Charts of tables: what is drawn, what is not, and what stands in the picture."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from groundwire.metrics.table import chart
from groundwire.metrics.table.page import app_page
from groundwire.metrics.table.results import TableResult

Asked = Callable[..., TableResult]


def test_a_trend_is_a_line_with_its_unit_and_source(ask: Asked) -> None:
    sent = {"period": "since 2015", "where": {"entity": "China"}, "chart": "line"}
    spec = ask(["population"], ["period"], **sent).chart
    assert spec is not None
    assert spec["mark"]["type"] == "line"
    assert [one["x"] for one in spec["data"]["values"]][:2] == ["2015", "2016"]
    assert spec["title"]["subtitle"][0] == "Unit: people"
    assert "World Bank" in spec["title"]["subtitle"][1]


def test_the_picture_names_its_evidence(ask: Asked) -> None:
    pytest.importorskip("vl_convert")
    result = ask(["population"], ["entity"], period="2020", limit=5, chart="bar")
    assert result.chart is not None
    svg, png = chart.draw(chart.with_evidence(result.chart, "ev_1"))
    assert png.startswith(b"\x89PNG")
    for told in ("Population, 2020", "Unit: people", "World Bank", "Evidence: ev_1", "China"):
        assert told in svg


def test_a_part_of_the_rows_says_so(ask: Asked) -> None:
    spec = ask(["population"], ["entity"], period="2020", limit=5, chart="bar").chart
    assert spec is not None
    assert spec["title"]["subtitle"][0] == "5 of 217 rows"


@pytest.mark.parametrize(
    ("by", "mark", "told"),
    [
        (["entity"], "line", "a line runs along time"),
        (["period", "entity"], "line", "at most 8 lines"),
    ],
)
def test_what_cannot_be_drawn_says_why(ask: Asked, by: list[str], mark: str, told: str) -> None:
    result = (
        ask(["population"], by, period="2019-2020", chart=mark, limit=1000, where=None)
        if ("period" in by)
        else ask(["population"], by, period="2020", chart=mark)
    )
    assert result.chart is None
    assert told in " ".join(result.notes or [])


def test_a_server_without_the_extra_says_how_to_get_it(
    ask: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chart, "find_spec", lambda _: None)
    result = ask(["population"], ["entity"], period="2020", limit=5, chart="bar")
    assert result.chart is not None
    assert "groundwire[charts]" in " ".join(result.notes or [])


def test_a_specification_is_bounded(ask: Asked) -> None:
    result = ask(["population"], ["entity"], period="2020", limit=1000, chart="bar")
    assert len(json.dumps(result.chart)) <= chart.MOST_CHARACTERS
    assert result.chart is not None and len(result.chart["data"]["values"]) == chart.MOST_BARS


def test_the_page_of_the_app_runs_one_script_and_fetches_nothing() -> None:
    page = app_page()
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page
    assert page.count("<script>") == 1
    assert "http" not in page.replace("http-equiv", "")
