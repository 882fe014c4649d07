"""The pages that show a table: the MCP App in a host, and its chart on a page of evidence.

What is drawn is the specification in the record, so its hash covers every mark of the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, cast

from groundwire.apps import bridge, drawing, policy
from groundwire.evidence.page.rendering import ShownChart
from groundwire.evidence.records import Record
from groundwire.metrics.table.chart import CHART, INSTALL, can_draw, draw

VIEW_KEY = "groundwire/table"
"""Where the result of a tool carries the drawing for the app: beside what the model reads."""


@cache
def app_page() -> str:
    """Return the page; rows come with the result of the tool, the drawing in its `_meta`."""
    script = bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(script))}">'
        f"<title>Table</title><style>{_asset('app.css')}</style></head><body>"
        '<p id="status" role="status">The table is on its way.</p><main></main>'
        f"<script>{script}</script></body></html>"
    )


def _asset(name: str) -> str:
    return files(__package__ or "").joinpath(name).read_text("utf-8")


_NARROW = 220
_LABELS = 105
_NAMES = {"labelFontSize": 12, "titleFontSize": 13}


def charts_of(record: Record) -> tuple[ShownChart, ...]:
    """Return the chart that was asked for with a table; none for any other record."""
    recorded = record.draft.audit.get(CHART)
    if not isinstance(recorded, Mapping):
        return ()
    spec = dict(cast("Mapping[str, Any]", recorded))
    title, *lines = _titles(spec.pop("title", None))
    if not can_draw():
        return (ShownChart(title, (*lines, INSTALL), "", ""),)
    try:
        wide, _ = draw(_with_sizes(spec))
        narrow, _ = draw(_with_sizes(_narrowed(spec)))
    except ValueError:
        return (ShownChart(title, (*lines, "The recorded chart cannot be drawn."), "", ""),)
    return (ShownChart(title, tuple(lines), drawing(wide), drawing(narrow)),)


def _titles(recorded: object) -> list[str]:
    """The title of a specification, and the lines below it."""
    if not isinstance(recorded, Mapping):
        return ["Chart"]
    title = cast("Mapping[str, Any]", recorded)
    return [str(title.get("text", "Chart")), *map(str, title.get("subtitle", ()))]


def _with_sizes(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The specification with words that can be read as they are, without being enlarged."""
    return {**spec, "config": {"axis": _NAMES, "legend": _NAMES}}


def _narrowed(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The specification for a screen of 390 pixels: names are cut, the legend is below."""
    encoding: dict[str, dict[str, Any]] = {
        name: dict(one) for name, one in spec["encoding"].items()
    }
    for name in ("x", "y"):
        axis: dict[str, Any] = encoding[name].get("axis") or {}
        if encoding[name]["type"] == "quantitative":
            encoding[name]["axis"] = axis = {**axis, "tickCount": 4, "labelSeparation": 8}
        if "labelLimit" in axis:
            encoding[name]["axis"] = {**axis, "labelLimit": _LABELS}
        elif axis.get("labelAngle") == 0:
            encoding[name]["axis"] = {**axis, "labelAngle": -60}
    if "color" in encoding:
        encoding["color"]["legend"] = {"orient": "bottom", "columns": 2, "labelLimit": _LABELS}
    return {**spec, "width": _NARROW, "encoding": encoding}
