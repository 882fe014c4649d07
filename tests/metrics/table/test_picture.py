"""The chart of a recorded table, as its page of evidence shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.evidence import Draft, Ledger, Record
from groundwire.evidence.page.rendering import Sheet, fragment, shown_record
from groundwire.metrics.factbase import State
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.chart import can_draw
from groundwire.metrics.table.page import charts_of
from groundwire.metrics.table.query import TableArguments

from .conftest import TODAY

EVIL = "<img src=x onerror=alert(1)>"
Recorded = Callable[[Draft], Record]


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Recorded]:
    with Ledger(tmp_path / "evidence.sqlite") as ledger:
        yield lambda draft: ledger.inspect(
            ledger.record("local", "query_metric_table", {}, draft).evidence_id
        )


@pytest.fixture
def table(state: State) -> Callable[..., Draft]:
    def made(**sent: Any) -> Draft:
        arguments = {"metrics": ("population",), "by": ("period",), "period": "2001-2020", **sent}
        where = {"entity": "Germany"}
        return query_table(state, TableArguments(where=where, **arguments), TODAY)[1]

    return made


def test_only_a_chart_that_was_asked_for_is_recorded(table: Callable[..., Draft]) -> None:
    assert "chart" not in table().audit
    marks = table(chart="line").audit["chart"]["data"]["values"]
    assert (len(marks), marks[0]) == (20, {"x": "2001", "v": 82349925})


def test_a_record_is_drawn_for_both_widths(table: Callable[..., Draft], recorded: Recorded) -> None:
    if not can_draw():
        pytest.skip("vl-convert-python is not installed")
    record = recorded(table(chart="line"))
    (chart,) = charts_of(record)
    assert chart.title == "Population" and chart.lines[0] == "Unit: people"
    widths = [float(re.findall(r'width="([\d.]+)"', one)[0]) for one in (chart.wide, chart.narrow)]
    assert widths[0] > 640 and widths[1] < 346
    assert ">2001<" in chart.wide and chart.wide.count("<path") > 3
    sizes = re.findall(r'font-size="([\d.]+)px"', chart.wide + chart.narrow)
    assert min(map(float, sizes)) >= 12
    page = fragment(Sheet("x", "", True, "", "", (), (shown_record(record, charts=(chart,)),)))
    assert page.count("<svg") == 2 and "<figcaption>" in page


def test_without_the_drawer_the_page_says_how_to_get_it(
    table: Callable[..., Draft], recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.metrics.table.page.can_draw", lambda: False)
    (chart,) = charts_of(recorded(table(chart="line")))
    assert chart.wide == chart.narrow == "" and "groundwire[charts]" in chart.lines[-1]


def test_other_records_have_no_chart(table: Callable[..., Draft], recorded: Recorded) -> None:
    assert charts_of(recorded(table())) == ()
    assert charts_of(recorded(Draft(audit={"chart": "x"}))) == ()


def test_names_of_data_are_only_names(table: Callable[..., Draft], recorded: Recorded) -> None:
    if not can_draw():
        pytest.skip("vl-convert-python is not installed")
    draft = table(chart="line")
    spec = {**draft.audit["chart"], "title": {"text": EVIL, "subtitle": [EVIL]}}
    spec["data"] = {"values": [{"x": EVIL, "v": 1}, {"x": "b", "v": 2}]}
    (chart,) = charts_of(recorded(Draft(audit={"chart": spec})))
    record = recorded(Draft(audit={"chart": spec}))
    page = fragment(Sheet("x", "", True, "", "", (), (shown_record(record, charts=(chart,)),)))
    assert "<img" not in page and "&lt;img" in page


def test_a_chart_that_cannot_be_drawn_is_said(recorded: Recorded) -> None:
    if not can_draw():
        pytest.skip("vl-convert-python is not installed")
    spec = {"mark": "nothing", "encoding": {"x": {"type": "x"}, "y": {"type": "y"}}}
    (chart,) = charts_of(recorded(Draft(audit={"chart": spec})))
    assert chart.lines == ("The recorded chart cannot be drawn.",) and chart.wide == ""
