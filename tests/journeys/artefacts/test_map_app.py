"""The MCP App in a host that speaks the protocol (SEP-1865), in headless Chromium."""

from __future__ import annotations

import json
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

import pytest
from chromium import APP_HOST, screenshot, told
from drawn_plans import to_tate_modern
from map_reading import colour_at, rgb

from groundwire.journeys.artefacts.map_html import SVG_META_KEY, app_page
from groundwire.journeys.artefacts.map_png import draw_png
from groundwire.journeys.artefacts.map_style import DARK, LIGHT
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg

# A host: it answers the app's first request, sends a result, and tells what it heard and what the
# app shows.
HOST = (
    """<!DOCTYPE html><style>body{margin:0}iframe{border:0;width:1200px;height:900px}</style>
<iframe id="app" srcdoc="APP"></iframe><pre id="told" hidden></pre>
<script>
var script = SCRIPT, heard = [], app = document.getElementById('app');
function tell() {
  var inner = app.contentDocument, stage = inner.getElementById('stage');
  document.getElementById('told').textContent = JSON.stringify({
    heard: heard,
    shown: Array.from(stage.children).map(function (one) { return one.nodeName; }),
    scripts: stage.querySelectorAll('script').length,
    handlers: stage.querySelectorAll('[onclick],[onload]').length,
    words: Array.from(stage.querySelectorAll('text')).map(function (one) {
      return one.textContent; }),
    status: inner.getElementById('status').hidden ? '' : inner.getElementById('status').textContent,
    theme: inner.documentElement.dataset.theme || '',
    title: inner.title
  });
}
"""
    + APP_HOST
    + """
// Again and again, as long as the browser lets the page live.
setInterval(function () { if (app.contentDocument.getElementById('stage')) tell(); }, 100);
</script>
"""
)


def host(folder: Path, messages: list[dict[str, Any]], context: dict[str, Any]) -> Path:
    script = json.dumps({"messages": messages, "context": context}).replace("</", "<\\/")
    page = HOST.replace("APP", escape(app_page()), 1).replace("SCRIPT", script, 1)
    path = folder / "host.html"
    path.write_text(page, "utf-8")
    return path


def result(**parts: Any) -> dict[str, Any]:
    return {"method": "ui/notifications/tool-result", "params": parts}


@pytest.fixture(scope="module")
def svg(network) -> str:
    return draw_svg(MapRequest(to_tate_modern(network), network=network))


def blocks(svg: str) -> dict[str, dict[str, Any]]:
    """The ways in which a result may carry the drawing."""
    text = {"type": "text", "text": "A map."}
    resource = {"uri": "file:///map.svg", "mimeType": "image/svg+xml", "text": svg}
    encoded = b64encode(svg.encode()).decode()
    return {
        "meta": {"content": [text], "_meta": {SVG_META_KEY: svg}},
        "structured": {"content": [text], "structuredContent": {"svg": svg}},
        "resource": {"content": [text, {"type": "resource", "resource": resource}]},
        "image": {"content": [{"type": "image", "mimeType": "image/svg+xml", "data": encoded}]},
    }


@pytest.mark.parametrize("way", ["meta", "structured", "resource", "image"])
def test_the_map_of_a_result_is_shown(way: str, svg: str, tmp_path) -> None:
    seen = told(host(tmp_path, [result(**blocks(svg)[way])], {"theme": "light"}))
    assert seen["shown"] == ["svg"]
    assert {"Tate Modern", "Circle line", "arrive 09:31"} <= set(seen["words"])
    assert seen["status"] == "" and seen["theme"] == "light"


def test_it_speaks_as_the_protocol_has_it(svg: str, tmp_path) -> None:
    asking = [{"id": 71, "method": "ui/resource-teardown", "params": {"reason": "done"}}]
    asking += [{"id": 72, "method": "ping"}, {"id": 73, "method": "tools/list"}]
    seen = told(host(tmp_path, [result(**blocks(svg)["meta"]), *asking], {}))
    heard = seen["heard"]
    assert all(message["jsonrpc"] == "2.0" for message in heard)
    [first] = [message for message in heard if message.get("method") == "ui/initialize"]
    assert first["params"]["protocolVersion"] == "2026-01-26"
    assert first["params"]["appInfo"]["name"] == "groundwire-journey-map"
    assert first["params"]["appCapabilities"]["availableDisplayModes"] == ["inline", "fullscreen"]
    methods = [message.get("method") for message in heard]
    assert methods.index("ui/initialize") < methods.index("ui/notifications/initialized")
    answers = {one["id"]: one for one in heard if "method" not in one}
    assert answers[71]["result"] == {} and answers[72]["result"] == {}
    assert answers[73]["error"]["code"] == -32601
    sizes = [one["params"] for one in heard if one.get("method") == "ui/notifications/size-changed"]
    assert sizes[-1]["width"] > 1000 and sizes[-1]["height"] > 500


@pytest.mark.parametrize("late", [False, True], ids=["at first", "later"])
@pytest.mark.parametrize(("name", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_light_and_dark_follow_the_host(name, theme, late, svg: str, tmp_path) -> None:
    """The reader's own preference is the other one."""
    changed = {"method": "ui/notifications/host-context-changed", "params": {"theme": name}}
    messages = [result(**blocks(svg)["meta"]), *([changed] if late else [])]
    context = {} if late else {"theme": name}
    image = screenshot(host(tmp_path, messages, context), dark=name == "light")
    assert colour_at(image, (60, 140)) == rgb(theme.land)
    assert colour_at(image, (600, 20)) == rgb(theme.sheet)


def test_what_could_run_is_left_out_of_a_drawing(tmp_path) -> None:
    evil = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="document.title=1">'
        "<script>document.title='run'</script><text onclick='x()'>hello</text>"
        '<image href="http://probe.example/a.png"/><foreignObject/></svg>'
    )
    seen = told(host(tmp_path, [result(_meta={SVG_META_KEY: evil})], {}))
    assert seen["words"] == ["hello"]
    assert (seen["scripts"], seen["handlers"], seen["title"]) == (0, 0, "Journey map")


def test_without_a_drawing_the_picture_is_shown_else_the_text(svg: str, tmp_path) -> None:
    text = {"type": "text", "text": "The journey has no plan 7: send <b>0</b>."}
    data = b64encode(draw_png(svg)).decode()
    png = {"type": "image", "mimeType": "image/png", "data": data}
    assert told(host(tmp_path, [result(content=[text, png])], {}))["shown"] == ["IMG"]
    seen = told(host(tmp_path, [result(content=[text], isError=True)], {}))
    assert seen["shown"] == [] and seen["status"] == text["text"]
    broken = told(host(tmp_path, [result(_meta={SVG_META_KEY: "<svg><"}, content=[text])], {}))
    assert broken["status"] == text["text"]
