"""The chart of a recorded table on its page of evidence, drawn for a wide and a narrow screen.

What is drawn is the specification in the record, so its hash covers every mark of the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from groundwire.apps import drawing
from groundwire.evidence.page.rendering import ShownChart
from groundwire.evidence.records import Record
from groundwire.metrics.table.chart import CHART, INSTALL, can_draw, draw

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
