"""The report and the app as people see them, in headless Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from chromium import APP_HOST, browse, screenshot, told
from learning_worlds import World

from groundwire import profiles
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.importing import Places, load_sample
from groundwire.learning.report.figures import figures
from groundwire.learning.report.page import VIEW_KEY, app_page, report_page, report_view

RULES = read_rules(profiles.learning_profile())
HOST = (
    """<!DOCTYPE html><style>body{margin:0}iframe{border:0;width:900px;height:1800px}</style>
<iframe id="app" srcdoc="APP"></iframe><pre id="told" hidden></pre>
<script>
var script = SCRIPT, heard = [], app = document.getElementById('app');
function tell() {
  var inner = app.contentDocument, main = inner.querySelector('main');
  function all(what) {
    return Array.from(main.querySelectorAll(what)).map(function (one) { return one.textContent; });
  }
  document.getElementById('told').textContent = JSON.stringify({
    heard: heard, headings: all('h2'), words: all('text'), cells: all('td'),
    charts: main.querySelectorAll('svg').length,
    acting: main.querySelectorAll('script, image, a, [onload], [onclick], [style]').length,
    status: inner.getElementById('status').textContent,
    theme: inner.documentElement.dataset.theme || '', title: inner.title
  });
}
"""
    + APP_HOST
    + """
setInterval(function () { if (app.contentDocument.querySelector('main')) tell(); }, 100);
</script>
"""
)


@pytest.fixture
def sample(world: World) -> Iterator[World]:
    load_sample(world.learner, Places(*profiles.learning_sample()))
    yield world


def hosted(folder: Path, result: dict[str, Any], theme: str = "light") -> Path:
    """A page of a host that hands one result to the app."""
    messages = [
        {"method": "ui/notifications/tool-result", "params": result},
        {"id": 72, "method": "ping"},
        {"id": 73, "method": "tools/list"},
    ]
    script = json.dumps({"messages": messages, "context": {"theme": theme}}).replace("</", "<\\/")
    path = folder / "host.html"
    page = HOST.replace("APP", escape(app_page()), 1).replace("SCRIPT", script, 1)
    path.write_text(page, "utf-8")
    return path


def written(world: World, folder: Path) -> Path:
    path = folder / "report.html"
    path.write_text(report_page(figures(world.learner, RULES)), "utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_report_is_drawn_in_light_and_dark(sample: World, tmp_path: Path, dark: bool) -> None:
    image = screenshot(written(sample, tmp_path), dark=dark, size=(900, 2000))
    assert image.getpixel((2, 2)) == ((20, 24, 29) if dark else (255, 255, 255))
    counted = image.getcolors(image.width * image.height)
    assert counted is not None
    colours = {colour: count for count, colour in counted}
    bar = (109, 179, 238) if dark else (31, 111, 178)
    known = (29, 58, 38) if dark else (217, 238, 221)
    assert colours.get(bar, 0) > 1_000, "the bars are there"
    assert colours.get(known, 0) > 3_000, "the concepts that are known are there"


def test_the_report_asks_nobody_for_anything(sample: World, tmp_path: Path) -> None:
    page = written(sample, tmp_path)
    text = page.read_text("utf-8")
    assert "<script" not in text and "http-equiv" in text
    addresses = set(re.findall(r"https?://[^\s\"'<]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "Learning report" in browse(page, "--dump-dom")


def test_the_app_draws_what_a_result_carries(sample: World, tmp_path: Path) -> None:
    view = report_view(figures(sample.learner, RULES))
    result = {"content": [{"type": "text", "text": "{}"}], "_meta": {VIEW_KEY: view}}
    shown = told(hosted(tmp_path, result, "dark"))
    assert shown["headings"][0] == "Due per day" and len(shown["headings"]) == 4
    assert shown["charts"] == 5 and shown["acting"] == 0
    assert {"tides", "navigation"} <= set(shown["words"]) and "99" in shown["status"]
    assert shown["theme"] == "dark"
    [first] = [one for one in shown["heard"] if one.get("method") == "ui/initialize"]
    assert first["params"]["appInfo"]["name"] == "groundwire-learning"
    answers = {one["id"]: one for one in shown["heard"] if "method" not in one}
    assert answers[72]["result"] == {} and answers[73]["error"]["code"] == -32601
    sizes = [one["params"] for one in shown["heard"] if one.get("method", "").endswith("changed")]
    assert sizes[-1]["height"] > 1_000


def test_without_figures_the_app_says_the_answer(tmp_path: Path) -> None:
    shown = told(hosted(tmp_path, {"structuredContent": {"answer": "Nothing can be said yet."}}))
    assert shown["status"] == "Nothing can be said yet." and shown["charts"] == 0


def test_what_could_run_is_left_out_of_a_drawing(tmp_path: Path) -> None:
    evil = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="document.title=1">'
        "<script>document.title='run'</script><text onclick='x()' style='fill:url(//e)'>hello"
        '</text><image href="http://probe.example/a.png"/><a href="javascript:x()">go</a></svg>'
    )
    part = {
        "key": "due", "heading": "<b>x</b>", "says": ["<img src=x onerror=alert(1)>"],
        "drawings": [evil, "no svg"], "columns": ["<i>"], "rows": [["<script>1</script>"]],
    }  # fmt: skip
    view = {"made": "now", "summary": "s", "foot": "f", "sections": [part]}
    shown = told(hosted(tmp_path, {"_meta": {VIEW_KEY: view}}))
    assert shown["words"] == ["hello"] and shown["charts"] == 1
    assert shown["headings"] == ["<b>x</b>"] and shown["cells"] == ["<script>1</script>"]
    assert (shown["acting"], shown["title"]) == (0, "Learning")
