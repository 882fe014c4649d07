"""A table as a chart: a Vega-Lite specification that holds its data, and pictures made from it.

The specification follows Vega-Lite 5 (vega.github.io/schema/vega-lite/v5.json). Values are JSON
numbers there; the exact ones stand in the rows of the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from groundwire.metrics.table.query import PERIOD, TableRow
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.wording import listed, number

MOST_MARKS = 400
MOST_SERIES = 8
MOST_BARS = 40
MOST_CHARACTERS = 9_000
CHART = "chart"
"""Where the audit block of a table has the specification of its chart."""
INSTALL = "No picture was drawn: `pip install 'groundwire[charts]'` on the server adds pictures."
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_WIDTH, _HEIGHT = 640, 360
_LONGEST = 90
_COLOURS = (
    "#1f6f8b", "#d1495b", "#edae49", "#66a182", "#7d5ba6", "#8d6e63", "#455a64", "#c2185b",
)  # fmt: skip

Mark = Literal["line", "bar"]


class NoChart(NamedTuple):
    """Why a table cannot be drawn."""

    reason: str


def chart_of(
    read: Understood,
    rows: Sequence[TableRow],
    mark: Mark,
    unit: str,
    sources: Sequence[str],
    part: str,
) -> dict[str, Any] | NoChart:
    """Return the specification of the first metric of a table, or why it cannot be drawn.

    Args:
        read: what was asked.
        rows: the rows of the page.
        mark: how they are drawn; a line needs rows by period.
        unit: the unit of the values.
        sources: the documents or tables that the values are from.
        part: which part of the rows is drawn, where it is not all of them.
    """
    by = read.query.by
    if not by or not rows:
        return NoChart("a chart needs rows: send `by`")
    if mark == "line" and PERIOD not in by:
        return NoChart("a line runs along time: send by: period, or chart: bar")
    if len(by) > 2:
        return NoChart("a chart has at most two dimensions: send fewer in `by`")
    metric = read.metrics[0]
    across = by.index(PERIOD) if PERIOD in by else 0
    series = next((at for at in range(len(by)) if at != across), None)
    values = _values(rows, across, series, MOST_BARS if mark == "bar" else MOST_MARKS)
    names = dict.fromkeys(one["s"] for one in values if "s" in one)
    if len(names) > MOST_SERIES:
        return NoChart(
            f"a chart has at most {MOST_SERIES} lines or groups and this table has {len(names)}: "
            "narrow it by `where`"
        )
    title = metric.label
    if rows[0].period is not None and PERIOD not in by:
        title += f", {rows[0].period.label}"
    values_drawn = len(values)
    if not part and values_drawn < sum(row.values[0] is not None for row in rows):
        part = f"the first {values_drawn:,} of {len(rows):,} rows"
    subtitle = [part, f"Unit: {unit}" if unit else "", _cut(f"Source: {listed(sources, 3)}")]
    time = PERIOD in by
    x: dict[str, Any] = {
        "field": "x",
        "type": "ordinal",
        "title": read.dimensions[across].label,
        "sort": None,
        "axis": {"labelAngle": 0 if time else None, "labelOverlap": True},
    }
    y: dict[str, Any] = {
        "field": "v",
        "type": "quantitative",
        "title": f"{metric.label} ({unit})" if unit else metric.label,
        "scale": {"zero": mark == "bar"},
        "axis": {"format": "~s"},
    }
    if not time:
        # Names are read more easily beside bars than below them.
        x["axis"] = {"labelLimit": 180}
        x, y = y, x
    encoding: dict[str, Any] = {"x": x, "y": y}
    if series is not None:
        encoding["color"] = {
            "field": "s",
            "type": "nominal",
            "title": read.dimensions[series].label,
            "scale": {"range": list(_COLOURS)},
        }
        if mark == "bar":
            encoding["xOffset" if time else "yOffset"] = {"field": "s"}
    spec: dict[str, Any] = {
        "$schema": _SCHEMA,
        "title": {
            "text": _cut(title),
            "subtitle": [one for one in subtitle if one],
            "anchor": "start",
        },
        "width": _WIDTH,
        "height": _HEIGHT if time else {"step": 18},
        "background": "white",
        "data": {"values": values},
        "mark": {"type": "line", "point": True} if mark == "line" else {"type": "bar"},
        "encoding": encoding,
    }
    if series is None:
        spec["mark"]["color"] = _COLOURS[0]
    if len(json.dumps(spec, ensure_ascii=False)) > MOST_CHARACTERS:
        return NoChart("the table has too many rows for a chart: send a smaller limit or range")
    return spec


def _values(
    rows: Sequence[TableRow], across: int, series: int | None, most: int
) -> list[dict[str, Any]]:
    """The marks: where, how much, and of which series; rows without a value have none."""
    found: list[dict[str, Any]] = []
    for row in rows:
        value = row.values[0]
        if value is None:
            continue
        one: dict[str, Any] = {"x": _name(row, across), "v": _shortened(value)}
        if series is not None:
            one["s"] = _name(row, series)
        found.append(one)
    return found[:most]


def _shortened(value: Decimal) -> int | float:
    """A number of at most ten digits: a picture shows no more."""
    shown = number(value)
    return float(f"{shown:.10g}") if isinstance(shown, float) else shown


def _name(row: TableRow, place: int) -> str:
    key = row.keys[place]
    name = row.labels[place] if row.labels else "" if key is None else str(key)
    return name or "none"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def with_evidence(spec: Mapping[str, Any], evidence_id: str | None) -> dict[str, Any]:
    """Return a specification that names its evidence below its title."""
    told = f"Evidence: {evidence_id}" if evidence_id else "Evidence: not recorded"
    title = spec["title"]
    return {**spec, "title": {**title, "subtitle": [*title["subtitle"], told]}}


def can_draw() -> bool:
    """Return whether pictures can be made here."""
    return find_spec("vl_convert") is not None


def draw(spec: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return a specification as SVG and as PNG; nothing is fetched for it.

    Raises:
        ValueError: the specification cannot be drawn.
    """
    import vl_convert  # pyright: ignore[reportMissingTypeStubs]

    text = json.dumps(spec, ensure_ascii=False)
    svg: str = vl_convert.vegalite_to_svg(text, allowed_base_urls=[])
    png: bytes = vl_convert.svg_to_png(svg, scale=1.0)
    return svg, png
