"""The MCP App of a table in a host that speaks the protocol (SEP-1865), in headless Chromium."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from chromium import APP_HOST, screenshot, told
from PIL import Image

from groundwire.metrics.table.chart import can_draw, draw, with_evidence
from groundwire.metrics.table.page import VIEW_KEY, app_page
from groundwire.metrics.table.results import TableResult

from .conftest import Asked

# A host: it answers the app's first request, sends a result, and tells what it heard and what is
# seen: sizes of what is drawn, and what of it lies outside of the window.
HOST = (
    """<!DOCTYPE html><style>body{margin:0}iframe{border:0;width:WIDEpx;height:900px}</style>
<iframe id="app" srcdoc="APP"></iframe><pre id="told" hidden></pre>
<script>
var script = SCRIPT, heard = [], app = document.getElementById('app');
function box(one) {
  if (!one) return null;
  var r = one.getBoundingClientRect();
  return [Math.round(r.width), Math.round(r.height)];
}
function tell() {
  var inner = app.contentDocument, root = inner.documentElement;
  document.getElementById('told').textContent = JSON.stringify({
    heard: heard,
    status: inner.getElementById('status').textContent,
    chart: box(inner.querySelector('.chart svg')),
    marks: inner.querySelectorAll('.chart svg path').length,
    words: Array.from(inner.querySelectorAll('.chart svg text')).map(function (one) {
      return one.textContent; }),
    table: box(inner.querySelector('table')),
    cells: Array.from(inner.querySelectorAll('td')).map(function (one) { return one.textContent; }),
    lines: Array.from(inner.querySelectorAll('main p')).map(function (one) {
      return one.textContent; }),
    scripts: inner.querySelectorAll('main script').length,
    handlers: inner.querySelectorAll('main [onclick],main [onload]').length,
    images: inner.querySelectorAll('main image,main img').length,
    wide: root.scrollWidth, window: root.clientWidth,
    theme: root.dataset.theme || '', title: inner.title
  });
}
"""
    + APP_HOST
    + """
setInterval(function () { if (app.contentDocument.getElementById('status')) tell(); }, 100);
</script>
"""
)


def host(
    folder: Path, messages: list[dict[str, Any]], context: dict[str, Any], width: int = 1000
) -> Path:
    script = json.dumps({"messages": messages, "context": context}).replace("</", "<\\/")
    page = HOST.replace("APP", escape(app_page()), 1).replace("SCRIPT", script, 1)
    path = folder / "host.html"
    path.write_text(page.replace("WIDE", str(width), 1), "utf-8")
    return path


def result(found: TableResult | None = None, svg: str = "", **more: Any) -> dict[str, Any]:
    data = found.model_dump(mode="json", exclude_none=True) if found else {}
    view = {VIEW_KEY: {"svg": svg}} if svg else {}
    parts = {"content": [], "structuredContent": {**data, **more}, "_meta": view}
    return {"method": "ui/notifications/tool-result", "params": parts}


@pytest.fixture
def trend(ask: Asked) -> tuple[TableResult, str]:
    """A trend of twenty years with its picture."""
    if not can_draw():
        pytest.skip("vl-convert-python is not installed")
    found = ask(
        ["population"], ["period"], where={"entity": "Germany"}, period="2001-2020", chart="line"
    )
    assert found.chart
    svg, _ = draw(with_evidence(found.chart, "ev_123"))
    return found, svg


@pytest.fixture
def listener() -> Iterator[Any]:
    """A port on loopback that counts who calls."""
    server = socket.create_server(("127.0.0.1", 0))
    calls: list[object] = []

    def listen() -> None:
        while True:
            try:
                connection, address = server.accept()
            except OSError:
                return
            calls.append(address)
            connection.close()

    threading.Thread(target=listen, daemon=True).start()
    yield server.getsockname()[1], calls
    server.close()


def test_the_picture_and_the_rows_of_a_result_are_seen(trend: Any, tmp_path: Path) -> None:
    found, svg = trend
    seen = told(host(tmp_path, [result(found, svg, evidence_id="ev_123")], {"theme": "light"}))
    assert seen["status"] == found.answer
    assert seen["chart"][0] > 400 and seen["chart"][1] > 200
    assert seen["marks"] > 3
    assert any("Population" in word for word in seen["words"])
    assert {"2001", "2020", "83,160,871"} <= set(seen["cells"])
    assert len(seen["cells"]) == 2 * len(found.rows or [])
    assert "Evidence: ev_123" in seen["lines"]
    assert any(line.startswith("Source: World Bank") for line in seen["lines"])
    sizes = [
        one["params"]
        for one in seen["heard"]
        if one.get("method") == "ui/notifications/size-changed"
    ]
    assert sizes[-1]["width"] > 400 and sizes[-1]["height"] > 600


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_lies_outside_of_a_narrow_window(
    ask: Asked, trend: Any, width: int, tmp_path: Path
) -> None:
    found, svg = trend
    seen = told(host(tmp_path, [result(found, svg)], {}, width))
    assert seen["window"] == width
    assert seen["wide"] <= width
    # Its words can be read; who wants to see the end of it moves it.
    assert seen["chart"][0] >= 540 and seen["chart"][1] > 200
    wide = ask(["GDP", "population"], ["entity"], period="2019", compare="previous_year", limit=5)
    seen = told(host(tmp_path, [result(wide)], {}, width))
    assert seen["table"][0] > width
    assert seen["wide"] <= width


@pytest.mark.parametrize("late", [False, True], ids=["at first", "later"])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_light_and_dark_follow_the_host(name: str, late: bool, trend: Any, tmp_path: Path) -> None:
    """The reader's own preference is the other one."""
    changed = {"method": "ui/notifications/host-context-changed", "params": {"theme": name}}
    messages = [result(*trend), *([changed] if late else [])]
    page = host(tmp_path, messages, {} if late else {"theme": name})
    image = screenshot(page, dark=name == "light", size=(1000, 900))
    ground, ink = shades(image.crop((0, 0, 1000, 40)))
    assert (ground > 200, ink < 100) == ((True, True) if name == "light" else (False, False))
    assert abs(ground - ink) > 120
    # The picture has a ground of its own, on which its words are read in either.
    assert max(image.getpixel((500, 120))) > 200  # type: ignore[arg-type]


def shades(image: Image.Image) -> tuple[int, int]:
    """The commonest shade of a part of the page, and the one farthest from it."""
    counts = image.convert("L").histogram()
    ground = max(range(256), key=lambda shade: counts[shade])
    ink = max((s for s in range(256) if counts[s]), key=lambda shade: abs(shade - ground))
    return ground, ink


def test_what_could_run_or_call_out_is_left_out(listener: Any, tmp_path: Path) -> None:
    port, calls = listener
    address = f"http://127.0.0.1:{port}/a.png"
    evil = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="document.title=1">'
        f"<style>@import url({address}); text {{ fill: url({address}) }}</style>"
        f"<script>document.title='run';fetch('{address}')</script>"
        f"<text onclick='x()' style='background:url({address})'>hello</text>"
        f'<image href="{address}"/><use href="{address}#a"/><foreignObject/></svg>'
    )
    words = f'<img src="{address}" onerror="document.title=1">'
    message = result(
        svg=evil, answer=words, columns=[{"code": "a", "label": words, "role": "key"}],
        rows=[[words]], notes=[words], sources=[words],
    )  # fmt: skip
    seen = told(host(tmp_path, [message], {}))
    assert seen["words"] == ["hello"]
    assert seen["cells"] == [words] and seen["status"] == words
    assert (seen["scripts"], seen["handlers"], seen["images"]) == (0, 0, 0)
    assert seen["title"] == "Table"
    assert not calls


def test_a_refusal_and_a_cancelled_call_are_told(ask: Asked, tmp_path: Path) -> None:
    refused = ask(["population"], ["colour"])
    seen = told(host(tmp_path, [result(refused)], {}))
    assert seen["status"] == refused.answer
    assert seen["table"] is None and seen["chart"] is None
    cancelled = {"method": "ui/notifications/tool-cancelled", "params": {"reason": "stopped"}}
    assert told(host(tmp_path, [cancelled], {}))["status"] == "Nothing was shown."
